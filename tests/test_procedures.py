"""Each procedure of the documents call by call: robbing, duties, ceding, the hidden partner."""

from __future__ import annotations

from itertools import product

import pytest
from refusals import check_furniture, refused

import ddz_core as ddz
from ddz_core.game import next_deal

ROB = ddz.load_ruleset("rob-laizi")
JIUJIANG = ddz.load_ruleset("jiujiang")
ZAOZHUANG = ddz.load_ruleset("zaozhuang")
NINGBO = ddz.load_ruleset("ningbo")
HIDDEN = ddz.load_ruleset("hidden-5p")


def ended(rules: ddz.Rules, calls: list[object], **facts: object) -> tuple[object, ...]:
    """Status, seat and multiplier after some calls."""
    now = rules.bidding(calls, **facts)
    return now.status, now.seat, now.multiplier


# --- call, and call then rob ---------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["duel-2p", "emperor", "er-da-yi"])
def test_the_first_call_ends_it(ruleset: str) -> None:
    """Asked in turn, the first to call is landlord at once; all refuse: dealt again."""
    rules = ddz.load_ruleset(ruleset)
    seats = rules.ruleset.deal.seats
    for first, passes in product(range(seats), range(seats)):
        calls = ["pass"] * passes + ["call"]
        assert ended(rules, calls, first=first) == ("landlord", (first + passes) % seats, 1)
    assert rules.bidding(["pass"] * seats).status == "redeal"
    assert rules.bidding(["rob"]).status == "illegal"
    assert rules.bidding([1]).status == "illegal"
    assert rules.bidding(["call", "call"]).at == 1


def test_r13_robbing_back() -> None:
    """R13: the caller is asked last, and only if somebody robbed; each rob doubles."""
    assert ended(ROB, ["call", "rob", "pass"]) == ("ask", 0, 2)
    assert ended(ROB, ["call", "rob", "pass", "rob"]) == ("landlord", 0, 4)
    assert ended(ROB, ["call", "rob", "pass", "pass"]) == ("landlord", 1, 2)
    assert ended(ROB, ["call", "rob", "rob", "pass"]) == ("landlord", 2, 4)
    assert ended(ROB, ["call", "rob", "rob", "rob"]) == ("landlord", 0, 8)
    assert ended(ROB, ["call", "pass", "pass"]) == ("landlord", 0, 1)


def test_who_refused_to_call_cannot_rob() -> None:
    """A seat that refused is not asked again; a call of the last seat ends it at once."""
    assert ended(ROB, ["pass", "pass", "call"]) == ("landlord", 2, 1)
    assert ended(ROB, ["pass", "call"]) == ("ask", 2, 1)
    assert ended(ROB, ["pass", "call", "rob"]) == ("ask", 1, 2)
    assert ended(ROB, ["pass", "call", "pass"], first=2) == ("landlord", 0, 1)
    assert ROB.bidding(["pass", "call", "rob", "rob"]).robs == 2
    assert ROB.bidding(["call", "rob", "call"]).status == "illegal"


def test_showing_before_the_deal() -> None:
    """The first to show speaks first, each show is fourfold; all refuse: it is landlord."""
    assert ended(ROB, [], first=0, shown_before=[2]) == ("ask", 2, 4)
    assert ended(ROB, ["pass"] * 3, first=0, shown_before=[2, 1]) == ("landlord", 2, 16)
    assert ended(ROB, ["call", "rob", "pass", "pass"], shown_before=[1]) == ("landlord", 2, 8)
    assert ROB.bidding(["pass"] * 3).status == "redeal"


def test_shows_calls_and_the_wild_rank_in_one_game() -> None:
    """Shows come first and no hand is known yet; then calls, the wild rank, and a late show."""
    game = ddz.new_game(ROB, ddz.deal(ROB, seed=3))
    first = game.first
    assert (game.phase, game.to_act, game.options) == ("deal", first, ("pass", "show"))
    assert ddz.observe(game, first).hand == 0
    game = game.apply("pass").apply("show").apply("pass")
    shower = (first + 1) % 3
    assert (game.phase, game.to_act, game.multiplier) == ("auction", shower, 4)
    watcher = ddz.observe(game, first)
    assert watcher.known[shower] == game.hands[shower]
    game = game.apply("pass").apply("call").apply("rob").apply("pass")
    assert game.landlords == (first,)
    assert str(game.history[-1]) == f"wild:{game.deal.wild}"
    assert game.history[-1].seat is None
    assert (game.phase, game.options, game.multiplier) == ("declare", ("pass", "show"), 8)
    assert game.apply("show").multiplier == 16
    assert game.undo() == game.at(len(game.history) - 2)


# --- duties --------------------------------------------------------------------------------------

NOTHING = "3456789TJQKA2" + "3456789TJQKA"


def test_jiujiang_must_bid_three() -> None:
    """A bomb with a big joker, two big jokers, two bombs, two small jokers with a bomb: 3."""
    for hand in ("3333D", "DD", "33334444", "XX3333", "33333333" + "4444"):
        now = JIUJIANG.bidding([], hands={0: hand})
        assert now.legal == ("3",), hand
        assert now.forced
        refusal = JIUJIANG.bidding(["pass"], hands={0: hand})
        assert refusal.status == "illegal"
        assert refusal.reason.key == "error.auction.forced"
        check_furniture(refusal.reason)
    for hand in ("D", "3333", "33333333", "3333X", "XX", "XD", NOTHING):
        assert JIUJIANG.bidding([], hands={0: hand}).legal == ("pass", "3"), hand
    assert ended(JIUJIANG, ["pass", 3], first=3) == ("landlord", 0, 1)
    assert JIUJIANG.bidding([2]).status == "illegal"


def test_jiujiang_the_fourth_is_decided_by_the_open_bottom() -> None:
    """After three passes the bottom decides: duty and a bomb make a landlord, else +9 unplayed."""
    three = ["pass"] * 3
    won = JIUJIANG.bidding(three, hands={3: NOTHING}, bottom="34567899")
    assert (won.status, won.seat, won.points, won.opened) == ("over", 3, (-3, -3, -3, 9), True)
    must = JIUJIANG.bidding(three, hands={3: NOTHING}, bottom="3344DXXA")
    assert (must.status, must.seat, must.contract) == ("landlord", 3, 3)
    no_bomb = JIUJIANG.bidding(three, hands={3: NOTHING}, bottom="DD345678")
    assert no_bomb.status == "over"
    refused(ddz.DdzError, lambda: JIUJIANG.bidding(three))


def test_jiujiang_an_unplayed_deal_in_a_game() -> None:
    """The game ends unplayed, the bottom is open to all, and the stake multiplies the points."""
    rules = ddz.load_ruleset("jiujiang", {"score.stake": 5})
    for seed in range(400):
        game = ddz.new_game(rules, ddz.deal(rules, seed=seed))
        while game.phase == "auction" and "pass" in game.options:
            game = game.apply("pass")
        if game.outcome == "unplayed":
            last = (game.first + 3) % 4
            assert game.ledger.points[last] == 45
            assert sum(game.ledger.points) == 0
            assert ddz.observe(game, game.first).bottom == game.deal.bottom
            assert ddz.read_record(ddz.write_record(game)) == game
            return
    raise AssertionError("no deal went unplayed")


def test_zaozhuang_two_guns_bid_three_guns_take() -> None:
    """Two bombs: any bid, no pass; three bombs or three jokers: only 3; one bid fulfils it."""
    assert ZAOZHUANG.bidding([], hands={0: "33334444"}).legal == ("1", "2", "3")
    assert ZAOZHUANG.bidding([], hands={0: "333344445555"}).legal == ("3",)
    assert ZAOZHUANG.bidding([], hands={0: "XXD"}).legal == ("3",)
    assert ZAOZHUANG.bidding([], hands={0: "XXDD3333"}).legal == ("3",)
    assert ZAOZHUANG.bidding([1], hands={1: "33334444"}).legal == ("2", "3")
    later = ZAOZHUANG.bidding([1, 2, "pass", "pass"], hands={0: "33334444"})
    assert later.legal == ("pass", "3")
    assert ended(ZAOZHUANG, [3], hands={1: "XXD"}) == ("landlord", 0, 1)


def test_a_duty_is_asked_of_the_cards_dealt_in_a_game() -> None:
    """In games the options of a seat with a duty are those alone, and its observation says why."""
    found = 0
    for seed in range(60):
        game = ddz.new_game(ZAOZHUANG, ddz.deal(ZAOZHUANG, seed=seed))
        if game.forced:
            found += 1
            assert "pass" not in game.options
            assert ddz.observe(game, game.to_act).forced == game.forced
            assert refused(ddz.IllegalAction, lambda game=game: game.apply("pass")).key == (
                "error.auction.forced"
            )
    assert found


# --- ceding --------------------------------------------------------------------------------------


def test_ningbo_the_holder_may_cede() -> None:
    """The first to take is landlord; when all four cede, the holder is, unasked."""
    for holder, cedes in product(range(4), range(4)):
        calls = ["cede"] * cedes + ["take"]
        assert ended(NINGBO, calls, face_up=holder) == ("landlord", (holder + cedes) % 4, 1)
    assert ended(NINGBO, ["cede"] * 4, first=2) == ("landlord", 2, 1)
    assert NINGBO.bidding([]).legal == ("take", "cede")
    assert ended(NINGBO, ["pass", "take"], face_up=1) == ("landlord", 2, 1)
    game = ddz.new_game(NINGBO, ddz.deal(NINGBO, seed=1)).apply("pass")
    assert game.history[-1].action == "cede"
    assert NINGBO.bidding(["call"]).status == "illegal"


# --- the hidden partner --------------------------------------------------------------------------


def test_hidden_partner_from_facts() -> None:
    """The holder of the card is landlord, that of its twin the partner; reveal and doubles."""
    assert ended(HIDDEN, [], face_up=1, twin=3) == ("landlord", 1, 1)
    assert HIDDEN.bidding([], face_up=1, twin=3).partner == 3
    assert HIDDEN.bidding([], face_up=1, twin=1).partner is None
    assert ended(HIDDEN, [], face_up=1, twin=3, reveal=[1, 3]) == ("landlord", 1, 2)
    assert ended(HIDDEN, [], face_up=1, twin=3, reveal=True, doubles=[0, 4]) == ("landlord", 1, 8)
    assert ended(HIDDEN, [], face_up=1, twin=1, reveal=True) == ("landlord", 1, 1)


def two_landlords(seed: int = 0) -> ddz.Game:
    """A game with a hidden partner."""
    while True:
        game = ddz.new_game(HIDDEN, ddz.deal(HIDDEN, seed=seed))
        if len(game.landlords) == 2:
            return game
        seed += 1


def test_who_knows_what_of_a_hidden_partner() -> None:
    """The partner knows, the landlord does not; nobody else can tell that anybody is asked."""
    game = two_landlords()
    landlord, partner = game.landlords
    others = [seat for seat in range(5) if seat not in game.landlords]
    assert ddz.observe(game, partner).landlords == (landlord, partner)
    assert ddz.observe(game, partner).holds_twin
    assert ddz.observe(game, landlord).side_of(partner) is None
    for seat in others:
        seen = ddz.observe(game, seat)
        assert (seen.to_act, seen.landlords, seen.side_of(partner)) == (None, (landlord,), None)
        assert seen.side_of(seat) == "farmer"
    refusing = game.apply("pass").apply("pass")
    for seat in others:
        assert ddz.observe(refusing, seat).history == ()
    assert ddz.observe(refusing, landlord).side_of(partner) is None
    told = game.apply("pass").apply("reveal")
    assert told.multiplier == 2
    for seat in others:
        seen = ddz.observe(told, seat)
        assert [entry.action for entry in seen.history] == ["reveal"]
        assert seen.landlords == (landlord, partner)
        assert seen.known[partner] != told.hands[partner]
    assert ddz.observe(told, landlord).known[partner] == told.hands[partner]
    assert ddz.observe(told, partner).known[landlord] == told.hands[landlord]


def test_alone_nobody_is_asked() -> None:
    """Both cards in one hand: one landlord, straight to the doubling, and others cannot tell."""
    seed = 0
    while len((game := ddz.new_game(HIDDEN, ddz.deal(HIDDEN, seed=seed))).landlords) == 2:
        seed += 1
    (landlord,) = game.landlords
    assert (game.to_act, game.options) == (landlord, ("pass", "double"))
    assert ddz.observe(game, landlord).sides_known
    assert not ddz.observe(game, (landlord + 1) % 5).sides_known


def test_playing_the_twin_shows_the_partner() -> None:
    """The twin stays to the last unless it is named; naming it shows the sides, at no factor."""
    for seed in range(40):
        game = two_landlords(seed * 10)
        while game.phase == "declare":
            game = game.apply("pass")
        partner = game.landlords[1]
        rank = game.deal.twin.rank
        while game.to_act != partner:
            leads = [action for action in game.legal() if not isinstance(action, str)]
            game = game.apply(leads[0] if game.to_beat is None else "pass")
        if not game.can("*") or game.hand_text(partner).count(rank) < 2:
            continue
        quiet, loud = game.apply(rank), game.apply("*")
        assert not quiet.revealed
        assert loud.revealed
        assert loud.multiplier == game.multiplier == 1
        assert ddz.observe(loud, (partner + 1) % 5).sides_known
        assert loud.hands == quiet.hands
        assert (quiet.history[-1].action, loud.history[-1].action) == (rank, "*")
        assert ddz.read_record(ddz.write_record(loud)) == loud
        assert ddz.decode(ddz.encode(loud)) == loud
        assert loud.undo() == game
        assert refused(ddz.IllegalAction, lambda loud=loud: loud.apply("*")).field == "action"
        return
    raise AssertionError("no game let the twin be played")


def test_a_star_in_a_deal_is_the_twin() -> None:
    """A deal set by hand says with ``*`` where the twin lies and with ``@`` who shows the card."""
    rules = HIDDEN
    deal = ddz.deal(rules, seed=1)
    card, holder = deal.face_up
    hands = ["".join(str(c) for c in hand) for hand in deal.hands]
    told = ddz.deal_from_text(
        rules,
        "/".join(hands) + "|" + "".join(map(str, deal.bottom)),
        face_up=f"{card}@{holder}",
    )
    assert told.face_up_text == deal.face_up_text
    twin_at = next(s for s, hand in enumerate(told.hands) if told.twin in hand)
    starred = ["".join("*" if c == told.twin else c.rank for c in hand) for hand in told.hands]
    again = ddz.deal_from_text(
        rules,
        "/".join(starred) + "|" + "".join(c.rank for c in deal.bottom),
        face_up=f"{card}@{holder}",
    )
    assert again.face_up[1] == holder
    assert again.twin in again.hands[twin_at]


# --- drawing and choosing ------------------------------------------------------------------------


def test_the_draw_of_the_origin() -> None:
    """The landlord sees both cards drawn, each farmer the one it lost, until its rank is played."""
    rules = ddz.load_ruleset("er-da-yi")
    game = ddz.new_game(rules, ddz.deal(rules, seed=4)).apply("call")
    landlord = game.landlords[0]
    assert game.left == tuple(20 if seat == landlord else 17 for seat in range(3))
    (first, loser), (second, other) = game.drawn
    assert (loser, other) == ((landlord + 1) % 3, (landlord + 2) % 3)
    drawn = {seat: ddz.observe(game, seat).history[-1].action for seat in (landlord, loser, other)}
    assert drawn[landlord] == f"draw:{first.rank}{second.rank}"
    assert drawn[loser] == f"draw:{first.rank}?"
    assert drawn[other] == f"draw:?{second.rank}"
    assert ddz.observe(game, loser).known[landlord] == 1 << 4 * first.lane
    assert "- draw:??" in ddz.write_record(game)
    assert ddz.read_record(ddz.write_record(game)) == game
    while game.plays[landlord] == 0 or first.rank not in str(game.history[-1]):
        if game.to_act == landlord and game.can(first.rank):
            game = game.apply(first.rank)
        else:
            game = game.apply("pass" if "pass" in game.options else game.legal()[-1])
    assert ddz.observe(game, loser).known[landlord] == 0


def test_the_emperor_takes_what_it_likes() -> None:
    """Any part of the six; the others see how many, never which, nor what was left."""
    rules = ddz.load_ruleset("emperor")
    game = ddz.new_game(rules, ddz.deal(rules, seed=4)).apply("call")
    emperor = game.landlords[0]
    assert (game.phase, game.options[0]) == ("declare", "pass")
    assert game.can("take:")
    six = "".join(card.rank for card in game.deal.bottom)
    assert game.options[-1] == f"take:{six}"
    part = six[0] + six[3]
    taken = game.apply(f"take:{part}")
    assert taken.left[emperor] == 36
    farmer = ddz.observe(taken, (emperor + 1) % 3)
    assert farmer.history[-1].action == "take:??"
    assert (farmer.bottom, farmer.hidden_bottom, farmer.removed) == (None, 4, 0)
    own = ddz.observe(taken, emperor)
    assert own.history[-1].action == f"take:{part}"
    assert own.removed + sum(1 << 4 * "3456789TJQKA2XD".index(r) for r in part) == (
        sum(1 << 4 * card.lane for card in game.deal.bottom)
    )
    refused(ddz.DdzError, lambda: game.apply("take:33333333"))
    running = ddz.write_record(taken)
    assert f"take:{part}" not in running
    assert "take:~100100" in running
    assert ddz.read_record(running) == taken
    assert ddz.decode(ddz.encode(taken)) == taken
    assert game.apply("pass").left[emperor] == 34


# --- the arena -----------------------------------------------------------------------------------


def arena(hands: list[str], bottom: str, face_up: str) -> ddz.Game:
    """An arena game of a hand-set deal."""
    rules = ddz.load_ruleset("arena-4p")
    deal = ddz.deal_from_text(rules, "/".join(hands) + "|" + bottom, face_up=face_up)
    return ddz.new_game(rules, deal)


DECLARING = arena(
    [
        "3333333344445566778899TTJ",
        "44445566778899TTJJQQKKAA2",
        "5566778899TTJJQQKKAA222XX",
        "5566778899TTJJQQKKAA222DD",
    ],
    "JQQKKAA2",
    "3@0",
)


def test_declared_bombs_are_only_played_whole() -> None:
    """Who holds eight equal may declare; then they are locked, shown, and outside every limit."""
    game = DECLARING.apply("pass").apply("pass").apply("pass").apply(2)
    assert game.landlords == (3,)
    assert (game.to_act, game.options) == (0, ("pass", "declare"))
    assert ddz.observe(game, 1).to_act is None
    quiet = game.apply("pass")
    assert all(entry.phase == "auction" for entry in ddz.observe(quiet, 1).history)
    game = game.apply("declare")
    assert game.limits(0).locked == (8,)
    assert ddz.observe(game, 1).history[-1].action == "declare"
    assert ddz.observe(game, 1).known[0] == 8
    game = game.apply("5")
    assert (game.phase, game.to_act, game.bomb_limits) == ("play", 0, (1, 1, 1, None))
    error = refused(ddz.IllegalAction, lambda: game.apply("3333"))
    assert error.key == "error.action.locked"
    assert game.can("33333333")
    assert game.can("4444")
    texts = {str(action) for action in game.legal()}
    assert "33333333" in texts
    assert not any("3" in text and text != "33333333" for text in texts)
    spent = game.apply("4444").apply("pass").apply("pass").apply("pass")
    assert spent.can("33333333")
    assert spent.limits(0).bombs is False


def test_a_farmer_at_its_limit_has_no_bombs_left() -> None:
    """Contract 2: one bomb each; the second is refused, and its cards may be split."""
    game = DECLARING.apply("pass").apply("pass").apply("pass").apply(2).apply("pass").apply("5")
    game = game.apply("4444").apply("pass").apply("pass").apply("pass")
    error = refused(ddz.IllegalAction, lambda: game.apply("3333"))
    assert error.key == "error.action.limit"
    assert game.can("333")
    assert not any(getattr(action, "is_bomb", False) for action in game.legal())


def test_a_landlord_who_declares_may_claim() -> None:
    """A claim ends the deal at stake times bid, whatever was declared."""
    game = DECLARING.apply(3)
    assert game.options == ("pass", "declare")
    game = game.apply("declare")
    assert game.options == ("play", "claim")
    refused(ddz.IllegalAction, lambda: game.apply("pass"))
    claimed = game.apply("claim")
    assert claimed.outcome == "landlords"
    assert claimed.ledger.points == (9, -3, -3, -3)
    assert ddz.read_record(ddz.write_record(claimed)) == claimed
    playing = game.apply("play")
    assert (playing.phase, playing.options) == ("declare", ("pass", "open"))
    opened = playing.apply("open")
    assert ddz.observe(opened, 2).known[0] == opened.hands[0]
    assert opened.bomb_limits == (None, None, None, None)


@pytest.mark.parametrize(
    ("calls", "limits"),
    [
        ([3], (None, None, None, None)),
        ([1, "pass", "pass", "pass"], (None, 1, 1, 1)),
        (["pass", 2, "pass", "pass"], (1, None, 1, 1)),
        (["pass", 3], (1, None, None, None)),
        ([2, "pass", 3], (2, 1, None, None)),
        ([1, 2, 3], (1, 2, None, None)),
        (["pass", "pass", "pass", 3], (1, 1, 1, None)),
    ],
)
def test_bomb_limits_follow_the_bidding(
    calls: list[object], limits: tuple[int | None, ...]
) -> None:
    """Not yet spoken or a first speaker's 3: none; bid 2 under a 3: two; else one."""
    game = DECLARING
    for call in calls:
        game = game.apply(call)
    assert game.bomb_limits == limits


# --- machines playing for people -----------------------------------------------------------------


def test_a_trustee_never_beats_its_partner() -> None:
    """Out of turn or in it a seat hands over to a machine, which then only passes on a partner."""
    rules = ddz.load_ruleset("dingniu")
    game = ddz.new_game(rules, ddz.deal(rules, seed=2))
    game = game.apply(3)
    landlord = game.landlords[0]
    one, two = (landlord + 1) % 3, (landlord + 2) % 3
    game = game.apply("trustee", seat=two)
    assert (game.trustee, game.to_act) == ((two,), landlord)
    assert game.aside(two) == ("leave",)
    single = min((a for a in game.legal() if len(str(a)) == 1), key=lambda m: m.code)
    game = game.apply(single)
    answer = next(a for a in game.legal() if str(a) != "pass" and len(str(a)) == 1)
    game = game.apply(answer)
    assert game.to_act == two
    assert game.legal() == ["pass"]
    for move in rules.moves(game.hands[two], beat=str(answer)):
        error = refused(ddz.IllegalAction, lambda move=move: game.apply(move))
        assert error.key == "error.action.yields"
        break
    assert ddz.read_record(ddz.write_record(game)) == game
    assert ddz.decode(ddz.encode(game)) == game
    assert game.to_act != one


# --- redeals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["local", "dingniu"])
def test_the_start_moves_on_with_every_deal(ruleset: str) -> None:
    """The first start is random; every further deal, thrown in or not, begins one seat on."""
    rules = ddz.load_ruleset(ruleset)
    starts = set()
    for seed in range(12):
        game = ddz.new_game(rules, ddz.deal(rules, seed=seed))
        starts.add(game.first)
        for _ in range(4):
            before = game
            while game.to_act is not None:
                game = game.apply("pass")
            assert (game.outcome, game.ledger.points) == ("redeal", (0, 0, 0))
            game = next_deal(game)
            assert game.first == (before.first + 1) % 3
            assert (game.multiplier, game.deal.hands == before.deal.hands) == (1, False)
    assert starts == {0, 1, 2}


@pytest.mark.parametrize("ruleset", ["classic-4p", "arena-4p", "ningbo", "hidden-5p"])
def test_the_holder_of_the_face_up_card_speaks_first(ruleset: str) -> None:
    """The card shown lies in a hand, not in the bottom; its holder speaks first or is landlord."""
    rules = ddz.load_ruleset(ruleset)
    for seed in range(20):
        deal = ddz.deal(rules, seed=seed)
        card, seat = deal.face_up
        assert card in deal.hands[seat]
        assert card not in deal.bottom
        assert deal.first == seat
        if rules.ruleset.deal.face_up == "natural":
            assert card.rank not in "XD"
        game = ddz.new_game(rules, deal)
        watcher = ddz.observe(game, (seat + 1) % deal.seats)
        assert watcher.known[seat] == 1 << 4 * card.lane
