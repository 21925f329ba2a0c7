"""Every row of the scoring table: the documents' worked examples and their sharp edges."""

from __future__ import annotations

import random

import pytest
from refusals import refused

import ddz_core as ddz
from ddz_core.language import LANGUAGES, words

ARENA = ddz.load_ruleset("arena-4p")
LOCAL = ddz.load_ruleset("local")
DINGNIU = ddz.load_ruleset("dingniu")
LAIZI = ddz.load_ruleset("laizi")
ROB = ddz.load_ruleset("rob-laizi", {"wilds.rank": "4"})
HIDDEN = ddz.load_ruleset("hidden-5p")
SIX_BOMBS = ["3333", "4444", "5555", "6666", "7777", "88888"]
FIRST = {"landlords": [0], "bid": 3, "plays": [9, 3, 2, 1]}


# --- 002, the arena ------------------------------------------------------------------------------


def test_002_worked_example_of_gold() -> None:
    """N = 1000, bid 3, five bombs of four and one of five: 54,000 less 10 %, farmers −18,000."""
    won = ARENA.score(**FIRST, out=0, bombs=SIX_BOMBS, room=1000)
    assert won.points == (54, -18, -18, -18)
    assert won.gold == (48_600, -18_000, -18_000, -18_000)
    assert (won.house, won.house_points, won.multiplier) == (5_400, 0, 6)


def test_002_three_winning_farmers_each_pay_a_tenth() -> None:
    """Each winner pays 10 % of its own gain: 16,200 each, landlord −54,000, house 5,400."""
    lost = ARENA.score(**FIRST, out=2, bombs=SIX_BOMBS, room=1000)
    assert lost.gold == (-54_000, 16_200, 16_200, 16_200)
    assert lost.house == 5_400
    assert lost.points == (-54, 18, 18, 18)


def test_002_the_sum_is_at_least_one_and_may_begin_with_one() -> None:
    """The first single bomb counts nothing more; "1 + sum" is a switch."""
    for bombs, plain, begun in (([], 1, 1), (["3333"], 1, 2), (["3333", "4444"], 2, 3)):
        assert ARENA.score(**FIRST, out=0, bombs=bombs).multiplier == plain
        rules = ddz.load_ruleset("arena-4p", {"score.sum_from": 1})
        assert rules.score(**FIRST, out=0, bombs=bombs).multiplier == begun


@pytest.mark.parametrize(
    ("bomb", "adds"),
    [("3333", 1), ("33333", 1), ("333333", 2), ("3333333", 2), ("33333333", 5), ("XXDD", 5)],
)
def test_002_what_each_bomb_adds(bomb: str, adds: int) -> None:
    """Four or five equal add one, six or seven two, eight or the four jokers five."""
    facts = {**FIRST, "out": 0, "bombs": ["4444", bomb]}
    assert ARENA.score(**facts).multiplier == 1 + adds


def test_002_spring_and_anti_spring_add_three() -> None:
    """No farmer played, or the landlord exactly once: three more; with a bomb the sum."""
    assert ARENA.score(landlords=[1], bid=2, out=1, plays=[0, 3, 0, 0]).points == (-6, 18, -6, -6)
    anti = ARENA.score(landlords=[1], bid=2, out=0, plays=[4, 1, 0, 0], bombs=["3333"])
    assert anti.points == (8, -24, 8, 8)


def test_002_a_joker_face_up_doubles_the_result() -> None:
    """The face-up card a joker: twice the sum, claims included."""
    ledger = ARENA.score(**FIRST, out=0, bombs=["3333", "4444"], face_up_joker=True)
    assert ledger.points == (36, -12, -12, -12)
    claim = ARENA.score(landlords=[0], bid=2, claim=True, declared=[0], face_up_joker=True)
    assert claim.points == (12, -4, -4, -4)


def test_002_declared_bombs_double_wins_only() -> None:
    """A declaring landlord wins twice and loses once; a farmer doubles its own win alone."""
    assert ARENA.score(**FIRST, out=0, declared=[0]).points == (18, -6, -6, -6)
    assert ARENA.score(**FIRST, out=1, declared=[0]).points == (-9, 3, 3, 3)
    assert ARENA.score(**FIRST, out=1, declared=[2]).points == (-12, 3, 6, 3)
    assert ARENA.score(**FIRST, out=0, declared=[2]).points == (9, -3, -3, -3)
    assert ARENA.score(**FIRST, out=1, declared=[2, 3]).points == (-15, 3, 6, 6)


def test_002_a_claim_pays_stake_times_bid() -> None:
    """Claimed instead of played: each farmer pays the bid; bombs and declarations do not count."""
    claim = ARENA.score(landlords=[0], bid=3, claim=True, declared=[0], stake=10)
    assert claim.points == (90, -30, -30, -30)


def test_002_open_play_counts_eight_or_six() -> None:
    """Played open: eight instead of the bid when won, six when lost, times the multiplier."""
    assert ARENA.score(**FIRST, out=0, open=True).points == (24, -8, -8, -8)
    assert ARENA.score(**FIRST, out=1, open=True).points == (-18, 6, 6, 6)
    two = ARENA.score(**FIRST, out=1, open=True, bombs=["3333", "4444"], stake=10)
    assert two.points == (-360, 120, 120, 120)


def test_002_fleeing_pays_the_house_five_times() -> None:
    """Landlord: bombs played; farmer: held ones, too; in the bidding: bid 3, multiplier 1."""
    landlord = ARENA.score(
        landlords=[0], bid=2, fled=0, bombs=["3333", "4444", "5555"], held_bombs=["66666666"]
    )
    assert landlord.points == (-30, 0, 0, 0)
    assert landlord.house_points == 30
    farmer = ARENA.score(
        landlords=[0], bid=2, fled=3, bombs=["3333"], held_bombs=["66666666"], room=100
    )
    assert farmer.points == (0, 0, 0, -60)
    assert (farmer.gold, farmer.house) == ((0, 0, 0, -6000), 6000)
    assert ARENA.score(landlords=[], fled=1, stake=2).points == (0, -30, 0, 0)
    hands = ARENA.score(landlords=[0], bid=1, fled=3, full_hands=["33335", "XXDD", "444445", "5"])
    assert hands.points == (0, 0, 0, -5 * (1 + 5 + 1))


# --- 003, the regional game ----------------------------------------------------------------------


@pytest.mark.parametrize("bid", [1, 2, 3])
def test_003_regional_rake_of_the_winners_gain(bid: int) -> None:
    """The winner's gain is raked, rounded down, and the house keeps it."""
    won = LOCAL.score(landlords=[0], bid=bid, out=0, plays=[3, 1, 1], stake=10)
    assert won.points == (18 * bid, -10 * bid, -10 * bid)
    assert won.house == 2 * bid
    lost = LOCAL.score(landlords=[0], bid=bid, out=1, plays=[3, 1, 1], stake=10, rake=0.05)
    assert lost.points[0] == -20 * bid
    assert lost.points[1] == lost.points[2] == 10 * bid - 10 * bid // 20


def test_003_regional_cap_and_initial_multiplier() -> None:
    """The winners get no more than the cap together; initial times two for each bomb."""
    facts = {"landlords": [0], "bid": 3, "plays": [3, 1, 1], "bombs": ["3333", "XD"]}
    whole = LOCAL.score(**facts, out=0, initial_multiplier=2, rake=0)
    assert (whole.points, whole.multiplier) == ((48, -24, -24), 8)
    capped = LOCAL.score(**facts, out=0, initial_multiplier=2, rake=0, cap=31)
    assert (capped.points, capped.unit) == ((30, -15, -15), 15)
    assert LOCAL.score(**facts, out=1, cap=31, rake=0).points == (-24, 12, 12)
    assert LOCAL.score(**facts, out=0, cap=48, rake=0).points == (24, -12, -12)
    raked = LOCAL.score(**facts, out=0, initial_multiplier=2, cap=40)
    assert raked.points == (36, -20, -20)


@pytest.mark.parametrize(("spring", "plays"), [(2, [4, 0, 0]), (1, [4, 1, 0])])
def test_003_regional_springs(spring: int, plays: list[int]) -> None:
    """No farmer played, or the landlord exactly once: doubled."""
    assert LOCAL.score(landlords=[0], bid=1, out=0, plays=plays, rake=0).points[0] == 2 * spring
    anti = LOCAL.score(landlords=[0], bid=1, out=1, plays=[1, 5, 0], rake=0)
    assert anti.points == (-4, 2, 2)


REGIONAL_U, REGIONAL_P = 100, 20


def regional(out: int, fled: int) -> ddz.Ledger:
    """The unit is 100, initial multiplier 2, so p = 20; the rake is a tenth."""
    return LOCAL.score(
        landlords=[0], bid=1, out=out, plays=[3, 1, 1], stake=50, initial_multiplier=2, fled=fled
    )


def test_003_regional_farmer_fled_and_the_landlord_won() -> None:
    """+2u − r / 0 / −(2u + p): the fleer pays for its partner."""
    ledger = regional(0, 2)
    assert ledger.points == (180, 0, -220)
    assert (ledger.house, ledger.conserved) == (40, True)


def test_003_regional_farmer_fled_and_the_landlord_lost() -> None:
    """−2u / +u − r / +2u − p − r, to the letter: not conserved, and the result says so."""
    ledger = regional(1, 2)
    assert ledger.points == (-200, 90, 160)
    assert ledger.house == 10 + 20 + 20
    assert not ledger.conserved
    assert sum(ledger.points) + ledger.house == 100


def test_003_regional_landlord_fled() -> None:
    """Won: +2u − p − r / −u / −u; lost: −(2u + p) / +u − r / +u − r."""
    assert regional(0, 0).points == (160, -100, -100)
    assert regional(1, 0).points == (-220, 90, 90)
    assert regional(1, 0).house == 40


def test_003_regional_the_first_to_drop_is_the_fleer() -> None:
    """Of several who dropped only the first pays; the penalty is neither multiplied nor capped."""
    ledger = LOCAL.score(
        landlords=[0],
        bid=1,
        out=0,
        plays=[3, 1, 1],
        bombs=["3333", "4444"],
        fled=[2, 1],
        cap=4,
        rake=0,
    )
    assert ledger.points == (4, 0, -4 - 10)


# --- 003, Dingniu --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("out", "trustee", "points"),
    [
        (0, [2], (3, -1, -2)),
        (1, [0], (-4, 2, 2)),
        (1, [2], (-2, 2, 0)),
        (2, [2], (-2, 2, 0)),
        (0, [0], (0, 0, 0)),
        (0, [1, 2], (4, -2, -2)),
        (1, [1, 2], (0, 0, 0)),
        (0, [], (2, -1, -1)),
    ],
)
def test_003_dingniu_machines_playing_for_people(
    out: int, trustee: list[int], points: tuple[int, int, int]
) -> None:
    """A machine loses double and wins nothing; its partner then wins double."""
    unit = 6
    ledger = DINGNIU.score(
        landlords=[0], bid=3, out=out, plays=[3, 1, 1], bombs=["XD"], trustee=trustee
    )
    assert ledger.points == tuple(unit * one for one in points)


def test_003_dingniu_springs_and_base() -> None:
    """Base times bid times two for each bomb or rocket, springs both ways."""
    spring = DINGNIU.score(landlords=[1], bid=2, out=1, plays=[0, 4, 0], bombs=["3333"], stake=7)
    assert spring.points == (-56, 112, -56)
    anti = DINGNIU.score(landlords=[1], bid=2, out=0, plays=[4, 1, 0])
    assert anti.points == (4, -8, 4)


# --- 003, two wild cards; 004 --------------------------------------------------------------------


def test_003_two_wilds_fleeing_ends_as_a_loss() -> None:
    """A farmer pays 2u, its partner nothing; a landlord pays u to each; no spring counts."""
    facts = {"landlords": [0], "bid": 2, "bombs": ["3333"], "plays": [2, 0, 0]}
    assert LAIZI.score(**facts, fled=1).points == (8, -8, 0)
    assert LAIZI.score(**facts, fled=0).points == (-8, 4, 4)
    assert LAIZI.score(landlords=[0], bid=2, out=0, plays=[2, 0, 0]).points == (8, -4, -4)
    assert LAIZI.score(landlords=[0], bid=2, out=1, plays=[1, 3, 0]).points == (-8, 4, 4)


def test_004_robs_shows_and_bombs_multiply() -> None:
    """One point times the room's multiplier, two for each rob and bomb, four and two for shows."""
    ledger = ROB.score(
        landlords=[0],
        out=0,
        plays=[5, 3, 3],
        robs=2,
        shows=[4, 2],
        bombs=["3334", "5544", "7777", "XD"],
        initial_multiplier=3,
    )
    assert ledger.multiplier == 3 * 4 * 8 * 16
    assert ledger.points == (3072, -1536, -1536)
    assert ROB.score(landlords=[0], out=0, shows=16).multiplier == 16
    assert ROB.score(landlords=[0], out=0, plays=[3, 0, 0]).points == (2, -1, -1)


def test_004_gold_that_runs_out() -> None:
    """A short farmer pays what it has; a short landlord gives each half, an odd coin stays."""
    facts = {"landlords": [0], "robs": 1, "room": 100}
    rich = ROB.score(**facts, out=0, gold=[0, 500, 500])
    assert rich.gold == (400, -200, -200)
    short = ROB.score(**facts, out=0, gold=[0, 500, 30])
    assert short.gold == (230, -200, -30)
    assert short.points == (4, -2, -2)
    broke = ROB.score(**facts, out=1, gold=[301, 0, 0])
    assert broke.gold == (-300, 150, 150)
    assert ROB.score(**facts, out=1, gold=[0, 9, 9]).gold == (0, 0, 0)


def test_004_fleeing_counts_the_bombs_of_the_deal() -> None:
    """Landlord 4 × 2u, farmer 2 × u; bombs as the hands stood at the first lead, wilds at best."""
    landlord = ROB.score(landlords=[0], fled=0, dealt_bombs=2, robs=1)
    assert landlord.points == (-64, 32, 32)
    farmer = ROB.score(landlords=[0], fled=2, dealt_bombs=["3334", "XD"], bombs=["XD"])
    assert farmer.points == (8, 0, -8)
    # wild 4: XD; 333+4 and 555+4 and 6666; one wild pairs nothing more than 777
    hands = ["XD33355566664", "777499TJQKA", "444"]
    counted = ROB.score(landlords=[0], fled=2, full_hands=hands)
    assert counted.multiplier == 2 ** (1 + 1 + 1 + 1)
    owned = ROB.score(landlords=[0], fled=0, dealt_bombs=0, room=10, gold=[35, 0, 0])
    assert owned.gold == (-34, 17, 17)


# --- 000 and 003, five players and four -----------------------------------------------------------


def test_000_two_landlords_and_three_farmers() -> None:
    """Two landlords get or pay 3u each, farmers 2u; one alone 4u against u."""
    won = HIDDEN.score(landlords=[1, 4], out=4, plays=[1, 1, 1, 1, 1])
    assert won.points == (-2, 3, -2, -2, 3)
    assert HIDDEN.score(landlords=[1], out=0, plays=[1, 1, 1, 1, 1]).points == (1, -4, 1, 1, 1)


@pytest.mark.parametrize(
    ("bomb", "factor"),
    [
        *[("3333", 1), ("XX", 1), ("DD", 1), ("33333", 2), ("333333", 2), ("XXD", 2)],
        *[("XDD", 2), ("3333333", 2), ("33333333", 2), ("XXDD", 2)],
    ],
)
def test_000_five_players_which_bombs_double(bomb: str, factor: int) -> None:
    """Neither four equal nor two jokers double; all higher bombs do."""
    ledger = HIDDEN.score(landlords=[0, 1], out=0, plays=[1, 0, 1, 0, 0], bombs=[bomb])
    assert ledger.multiplier == factor


def test_000_five_players_reveal_doubles_and_beaten_farmers() -> None:
    """Revealing and each double multiply by two, and so do farmers who played nothing."""
    facts = {"landlords": [0, 1], "reveal": True, "doubles": [2, 3]}
    assert HIDDEN.score(**facts, out=0, plays=[1, 0, 1, 0, 0]).multiplier == 8
    assert HIDDEN.score(**facts, out=0, plays=[5, 0, 0, 0, 0]).multiplier == 16
    assert HIDDEN.score(**facts, out=2, plays=[1, 0, 5, 0, 0]).multiplier == 8


@pytest.mark.parametrize("ruleset", ["classic-4p", "jiujiang", "zaozhuang"])
def test_000_four_players_only_six_equal_or_the_rocket_double(ruleset: str) -> None:
    """Bombs of four and five count nothing; six, seven, eight equal and four jokers double."""
    rules = ddz.load_ruleset(ruleset)
    for bomb, factor in (("3333", 1), ("33333", 1), ("333333", 2), ("33333333", 2), ("XXDD", 2)):
        ledger = rules.score(landlords=[2], bid=3, out=2, plays=[1, 1, 1, 1], bombs=[bomb])
        assert ledger.points == (-3 * factor, -3 * factor, 9 * factor, -3 * factor)


@pytest.mark.parametrize("ruleset", ["duel-2p", "er-da-yi", "emperor", "ningbo"])
def test_where_nobody_bids_a_number_it_counts_one(ruleset: str) -> None:
    """The bid is one, a bomb or the rocket doubles."""
    rules = ddz.load_ruleset(ruleset)
    seats = rules.ruleset.deal.seats
    rocket = "XXDD" if rules.ruleset.deck.decks == 2 else "XD"
    ledger = rules.score(landlords=[0], out=0, plays=[1] * seats, bombs=[rocket])
    assert ledger.points == (2 * (seats - 1), *([-2] * (seats - 1)))
    refused(ddz.DdzError, lambda: rules.score(landlords=[0], out=0, bid=3))


# --- facts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "facts", "field"),
    [
        ("classic", {"cap": 5}, "cap"),
        ("classic", {"trustee": [0]}, "trustee"),
        ("classic", {"fled": 0}, "fled"),
        ("local", {"room": 5}, "room"),
        ("local", {"rake": -1}, "rake"),
        ("local", {"initial_multiplier": 0}, "initial_multiplier"),
        ("dingniu", {"trustee": [3]}, "trustee"),
        ("arena-4p", {"declared": [4]}, "declared"),
        ("arena-4p", {"open": 1}, "open"),
        ("hidden-5p", {"doubles": 6}, "doubles"),
        ("rob-laizi", {"shows": [3]}, "shows"),
        ("rob-laizi", {"robs": 9}, "robs"),
        ("rob-laizi", {"gold": [1, 2]}, "gold"),
    ],
)
def test_facts_of_other_games_or_out_of_bounds(
    ruleset: str, facts: dict[str, object], field: str
) -> None:
    """A fact that the game does not have, or that cannot be, is named."""
    rules = ddz.load_ruleset(ruleset)
    bid = {"bid": 1} if rules.ruleset.score.base == "bid" else {}
    whole = {"landlords": [0], "out": 0, **bid, **facts}
    assert refused(ddz.DdzError, lambda: rules.score(**whole)).field == field


@pytest.mark.parametrize("ruleset", ddz.ruleset_ids())
def test_every_step_of_every_game_is_worded(ruleset: str) -> None:
    """Each line of a ledger, and each action and phase of a game, has a text in every language."""
    rules = ddz.load_ruleset(ruleset)
    rng = random.Random(3)
    keys: set[str] = set()
    for seed in range(3):
        game = ddz.new_game(rules, ddz.deal(rules, seed=seed))
        while game.to_act is not None:
            game = game.apply(rng.choice(game.legal()))
        keys |= {step.key for step in game.ledger.steps} | {entry.key for entry in game.history}
        keys |= {f"phase.{entry.phase}" for entry in game.history}
        left = ddz.new_game(rules, game.deal).apply("leave", seat=0)
        keys |= {left.history[-1].key, "phase.aside"}
        keys |= {step.key for step in left.ledger.steps} if left.ledger else set()
    for language in LANGUAGES:
        assert keys <= set(words(language).texts()), keys - set(words(language).texts())


def test_every_kind_of_step_is_worded() -> None:
    """The lines that only rare facts write are worded as well."""
    ledgers = [
        ARENA.score(**FIRST, out=0, bombs=SIX_BOMBS, room=9, declared=[0], face_up_joker=True),
        ARENA.score(**FIRST, out=0, open=True, stake=2, bombs=["XXDD"]),
        ARENA.score(landlords=[0], bid=1, fled=0),
        LOCAL.score(landlords=[0], bid=1, out=0, plays=[2, 0, 0], cap=1, initial_multiplier=2),
        regional(1, 2),
        DINGNIU.score(landlords=[0], bid=1, out=0, plays=[2, 1, 0], trustee=[1]),
        ROB.score(landlords=[0], out=0, robs=1, shows=[4], room=5, gold=[0, 0, 9]),
        ROB.score(landlords=[0], fled=0, dealt_bombs=2),
        HIDDEN.score(landlords=[0, 1], out=0, reveal=True, doubles=1, bombs=["XXD", "33333"]),
    ]
    keys = {step.key for ledger in ledgers for step in ledger.steps}
    assert len(keys) > 20
    for language in LANGUAGES:
        assert keys <= set(words(language).texts()), keys - set(words(language).texts())
