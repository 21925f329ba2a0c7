"""Several games reviewed in turn: a table, mistakes by kind through time, luck and skill apart."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import codes
from ddz_core.errors import DdzError
from ddz_core.game import Game
from ddz_core.plots import review_games
from ddz_core.review import CUTS, KINDS, Batch
from pages._kit import (
    explorer_foot,
    jobs,
    review_entry,
    review_state,
    review_words,
    review_work,
    session,
    shell,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ddz_core.review import Review
    from pages._kit.shell import House

SAMPLES = 100
"""Worlds of a comparison: equal for all games, so that one line of code gives the same table."""
ADDED = ("points", "luck", "skill", "decisions", "wrong", "loss_win", *CUTS, *KINDS)
"""Columns that are added over the seats of a side."""
FEW = 10
"""With fewer games the page warns that they say little."""


@dataclass(frozen=True, slots=True)
class Made:
    """Reviews made so far, in the order of the games, and how far the rest is (0 to 1)."""

    reviews: tuple[Review, ...] = ()
    share: float = 0.0


def draw(house: House) -> None:
    """Draw the entry, and what the games say once some are reviewed."""
    say = house.words.say
    games = review_state.games()
    with st.expander(say("review.entry.title"), expanded=not games):
        st.markdown(say("review.batch.what"))
        review_entry.form(house, "many")
        past, _ = review_state.table_games()
        if past:
            st.button(
                say("review.batch.mine", n=len(past)),
                key="w_review_mine",
                on_click=_mine,
                args=(past,),
            )
    review_entry.refused(house)
    if not games:
        return
    found = _look(games)
    drawn = st.fragment(_watch, run_every=0.7 if found.live else None)
    drawn(house, games, found.live, len((found.result or Made()).reviews))
    reviews = (found.result or Made()).reviews
    if reviews:
        _report(house, reviews)


def _mine(past: list[str]) -> None:
    """Take the finished games of the table."""
    found = []
    for code in past:
        try:
            game = codes.decode(code)
            if isinstance(game, Game):
                review_state.check(game)
                found.append(game)
        except DdzError:
            continue  # a game that was left before its end is none to review
    if found:
        review_state.open_games(found)


# --- the work ------------------------------------------------------------------------------------


def _asked(games: list[Game]) -> str:
    return " ".join(codes.encode(game) for game in games)


def _look(games: list[Game]) -> jobs.Look:
    """Return how the reviews stand; they are started if nobody has asked for them yet."""
    kept = json.loads(session.get(session.REVIEWS) or "{}")
    found = jobs.runner().look(kept.get("job", ""))
    if kept.get("asked") != _asked(games) or found.state in {"unknown", "abandoned"}:
        _start(games, kept)
        kept = json.loads(session.get(session.REVIEWS) or "{}")
        found = jobs.runner().look(kept.get("job", ""))
    return found


def _start(games: list[Game], kept: dict[str, object]) -> None:
    def work() -> Iterator[Made]:
        stop, store = threading.Event(), review_work.shelf()
        done: list[Review] = []
        try:
            for number, game in enumerate(games):
                key = review_work.question(game, SAMPLES)
                stand = store.get(key)
                if stand is None:
                    for stand in review_work.making(game, stop, samples=SAMPLES):
                        yield Made(tuple(done), (number + stand.share) / len(games))
                if stand is not None and stand.review is not None:
                    store.put(key, stand)
                    done.append(stand.review)
                yield Made(tuple(done), (number + 1) / len(games))
        finally:
            stop.set()

    try:
        old = str(kept.get("job", ""))
        job = jobs.runner().start(work, total=len(games), instead_of=old)
    except jobs.Busy:
        st.toast(shell.words().say("review.busy"))
        job = ""
    session.put(session.REVIEWS, json.dumps({**kept, "job": job, "asked": _asked(games)}))


def _watch(house: House, games: list[Game], was_live: bool, shown: int) -> None:
    say, look = house.words.say, _look(games)
    batch = look.result or Made()
    if look.live != was_live or len(batch.reviews) > shown:
        st.rerun()
    if look.state == "failed":
        if isinstance(look.error, DdzError):
            shell.refuse(look.error)
        else:
            st.error(say("review.failed"))
        return
    if not look.live:
        if look.state == "cancelled":
            st.markdown(say("review.stopped"))
        return
    text = say("review.batch.running", n=len(batch.reviews) + 1, of=len(games))
    if look.ahead:
        text = say("review.waiting", n=look.ahead)
    kept = json.loads(session.get(session.REVIEWS) or "{}")
    with st.container(horizontal=True, vertical_alignment="center", key="rv_progress"):
        st.progress(min(1.0, batch.share), text)
        st.button(
            say("review.stop"),
            key="w_review_stop",
            on_click=jobs.runner().cancel,
            args=(kept.get("job", ""),),
        )


# --- the report ----------------------------------------------------------------------------------


def seats_of(review: Review, who: str) -> list[int]:
    """Return the seats of a game whose play is looked at: a side, or one seat."""
    game = review.game
    if who == "landlord":
        return list(game.landlords)
    if who == "farmers":
        return [seat for seat in range(game.seats) if seat not in game.landlords]
    seat = int(who)
    return [seat] if seat < game.seats else []


def rows_of(table: Batch, who: str) -> list[dict[str, object]]:
    """Return one row a game for these seats: what can be added is added over them."""
    found = []
    every = table.rows()
    for number, review in enumerate(table.reviews, 1):
        seats = seats_of(review, who)
        rows = [row for row in every if row["game"] == number and row["seat"] in seats]
        if not rows:
            continue
        whole = dict(rows[0])
        whole["seat"] = " ".join(str(seat) for seat in seats)
        for name in ADDED:
            values = [row[name] for row in rows]
            whole[name] = None if None in values else sum(map(_number, values))
        found.append(whole)
    return found


def _number(value: object) -> float:
    return value if isinstance(value, (int, float)) else 0


def _report(house: House, reviews: tuple[Review, ...]) -> None:
    """Draw what the games say."""
    say = house.words.say
    most = max(review.game.seats for review in reviews)
    whos = ["landlord", "farmers", *map(str, range(most))]
    _, seat = review_state.table_games()
    who = st.segmented_control(
        say("review.batch.who"),
        whos,
        format_func=lambda w: (
            say("review.batch.seat", n=int(w) + 1) if w.isdecimal() else say(f"review.batch.{w}")
        ),
        default=str(seat) if str(seat) in whos else whos[0],
        required=True,
        key="w_review_batch_who",
        wrap=True,
    )
    who = str(who or whos[0])
    names = tuple(str(number) for number in range(1, len(reviews) + 1))
    table = Batch(names=names, reviews=reviews, seats=(None,) * len(reviews))
    rows = rows_of(table, who)
    if not rows:
        st.markdown(say("review.batch.nobody"))
        return
    _table(house, table, rows)
    left, right = st.columns(2, gap="medium")
    with left:
        _kinds(house, reviews, rows)
    with right:
        _luck(house, reviews, rows)
    if len(rows) < FEW:
        explorer_foot.note(say("review.batch.few"))


def _table(house: House, table: Batch, rows: list[dict[str, object]]) -> None:
    """Draw the games as a table; a game is opened by its row."""
    say, reviews = house.words.say, table.reviews
    with st.container(border=True, key="panel_review_games"):
        st.html(review_words.head(say("review.batch.games")))
        names = ("game", "result", "points", "par", "skill", "mistakes", "loss")
        shown = [
            dict(zip([say(f"review.batch.{name}") for name in names], cells, strict=True))
            for cells in (_cells(house, row) for row in rows)
        ]
        event = st.dataframe(
            shown,
            hide_index=True,
            width="stretch",
            key="w_review_games",
            on_select="rerun",
            selection_mode="single-row",
        )
        picked = event.get("selection", {}).get("rows", []) if event else []
        chosen = picked[0] if picked and picked[0] < len(reviews) else 0
        with st.container(horizontal=True, vertical_alignment="bottom"):
            number = st.number_input(
                say("review.batch.game"),
                1,
                len(reviews),
                chosen + 1,
                key=f"w_review_number_{chosen}",
                width=140,
            )
            st.button(
                say("review.batch.open"),
                key="w_review_open",
                on_click=review_state.open_game,
                args=(reviews[int(number) - 1].game,),
            )
        explorer_foot.foot(
            house,
            "review-games",
            table.rows(),
            _code(reviews, "for row in table.rows():", "    print(row)"),
            method="sampled",
            n=SAMPLES,
            seed=review_work.SEED,
            bots=say("table.bot.choice.rule"),
        )


def _code(reviews: tuple[Review, ...], *lines: str) -> str:
    """Return Python lines that give the numbers of these games."""
    return "\n".join(
        [
            "import ddz_core as ddz",
            "",
            "codes = [",
            *(f"    {codes.encode(review.game)!r}," for review in reviews),
            "]",
            "games = [ddz.decode(code) for code in codes]",
            f"table = ddz.review.batch(games, seed={review_work.SEED}, samples={SAMPLES})",
            *lines,
        ]
    )


def _cells(house: House, row: dict[str, object]) -> list[object]:
    """Return the cells of a game."""
    say = house.words.say
    labels = " ".join(
        f"{row[name]}×{sign}" for name, sign in review_words.SYMBOLS.items() if row[name]
    )
    luck, skill = row["luck"], row["skill"]
    return [
        row["game"],
        say("review.batch.won" if row["won"] else "review.batch.lost"),
        row["points"],
        None if luck is None else round(_number(luck), 1),
        None if skill is None else round(_number(skill), 1),
        labels or "–",
        round(_number(row["loss_win"]), 2),
    ]


def _kinds(house: House, reviews: tuple[Review, ...], rows: list[dict[str, object]]) -> None:
    """Draw mistakes by kind through time."""
    say = house.words.say
    games = [{kind: int(_number(row[kind])) for kind in KINDS} for row in rows]
    total: Counter[str] = Counter()
    for game in games:
        total.update(game)
    with st.container(border=True, key="panel_review_kinds"):
        st.html(review_words.head(say("review.batch.kinds")))
        if not total.total():
            st.markdown(say("review.batch.kinds.none"))
            return
        names = {kind: say(f"review.kind.{kind}") for kind in KINDS if total[kind]}
        st.plotly_chart(
            review_games.kinds(
                games,
                names,
                axis=say("review.batch.axis", n=len(rows)),
                theme=review_words.theme(house),
            ),
            theme=None,
            key="w_review_kinds",
            config={"displayModeBar": False},
            alt=say("review.batch.kinds"),
        )
        kind, count = total.most_common(1)[0]
        st.markdown(say("review.batch.kinds.read", kind=names[kind], n=count, games=len(rows)))
        explorer_foot.foot(
            house,
            "review-kinds",
            [{"game": n, **g} for n, g in enumerate(games, 1)],
            _code(reviews, "for row in table.rows():", f"    print([row[k] for k in {KINDS!r}])"),
            method="sampled",
            n=SAMPLES,
            seed=review_work.SEED,
        )


def _luck(house: House, reviews: tuple[Review, ...], rows: list[dict[str, object]]) -> None:
    """Draw luck and skill as running sums."""
    say = house.words.say
    told = [row for row in rows if row["luck"] is not None]
    with st.container(border=True, key="panel_review_luck"):
        st.html(review_words.head(say("review.batch.luck")))
        explorer_foot.note(say("review.batch.luck.note"))
        if not told:
            return
        pars = [_number(row["luck"]) for row in told]
        results = [_number(row["points"]) for row in told]
        st.plotly_chart(
            review_games.luck(
                pars,
                results,
                (say("review.batch.luck.deal"), say("review.batch.luck.skill")),
                axis=say("review.batch.axis", n=len(rows)),
                theme=review_words.theme(house),
            ),
            theme=None,
            key="w_review_luck",
            config={"displayModeBar": False},
            alt=say("review.batch.luck"),
        )
        st.markdown(
            say(
                "review.batch.luck.read",
                luck=review_words.signed(sum(pars), 1),
                skill=review_words.signed(sum(results) - sum(pars), 1),
                sum=review_words.signed(sum(results), 0),
                n=len(told),
            )
        )
        table = [
            {"game": n, "luck": par, "beyond": result - par}
            for n, (par, result) in enumerate(zip(pars, results, strict=True), 1)
        ]
        explorer_foot.foot(
            house,
            "review-luck",
            table,
            _code(
                reviews,
                "for row in table.rows():",
                '    print(row["game"], row["seat"], row["luck"], row["skill"])',
            ),
            method="sampled",
            n=SAMPLES,
            seed=review_work.SEED,
        )
