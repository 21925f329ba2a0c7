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
from ddz_core.review import KINDS
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

    from ddz_core.review import Decision, Review
    from pages._kit.shell import House

SECONDS = 8.0
"""What the review of one game of several may take."""
FEW = 10
"""With fewer games the page warns that they say little."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Reviews made so far, in the order of the games."""

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
    drawn(house, games, found.live, len((found.result or Batch()).reviews))
    reviews = (found.result or Batch()).reviews
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
    def work() -> Iterator[Batch]:
        stop, store = threading.Event(), review_work.shelf()
        done: list[Review] = []
        try:
            for number, game in enumerate(games):
                key = review_work.question(game, SECONDS)
                ready = store.get(key) or store.get(review_work.question(game))
                if ready is None:
                    for stand in review_work.making(game, stop, seconds=SECONDS):
                        yield Batch(tuple(done), (number + stand.share) / len(games))
                        ready = stand.review
                if ready is not None:
                    store.put(key, ready)
                    done.append(ready)
                yield Batch(tuple(done), (number + 1) / len(games))
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
    batch = look.result or Batch()
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


def decisions_of(review: Review, who: str) -> list[Decision]:
    """Return the decisions of these seats."""
    seats = seats_of(review, who)
    return [one for one in review.decisions if one.seat in seats]


def row_of(review: Review, who: str) -> dict[str, object]:
    """Return a game in one row of plain values, for these seats."""
    seats, game = seats_of(review, who), review.game
    found = decisions_of(review, who)
    par = [one for one in review.par if one.seat in seats]
    points = 0 if game.ledger is None else sum(game.ledger.points[seat] for seat in seats)
    lead = bool(seats) and seats[0] in game.landlords
    labels = Counter(one.label for one in found if one.label)
    return {
        "rules": game.rules.id,
        "seed": game.deal.seed,
        "won": (game.outcome == "landlords") == lead,
        "points": points,
        "par": sum(one.points.value for one in par) if par else None,
        "beyond": points - sum(one.points.value for one in par) if par else None,
        "decisions": len(found),
        **{name: labels.get(name, 0) for name in ("inaccuracy", "mistake", "blunder")},
        "given_up": sum(one.loss_win.value for one in found if one.known == "wrong"),
        **{kind: sum(1 for one in found if one.label and one.kind == kind) for kind in KINDS},
    }


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
    rows = [row_of(review, who) for review in reviews]
    _table(house, reviews, rows)
    left, right = st.columns(2, gap="medium")
    with left:
        _kinds(house, rows)
    with right:
        _luck(house, rows)
    if len(rows) < FEW:
        explorer_foot.note(say("review.batch.few"))


def _table(house: House, reviews: tuple[Review, ...], rows: list[dict[str, object]]) -> None:
    """Draw the games as a table; a game is opened by its row."""
    say = house.words.say
    with st.container(border=True, key="panel_review_games"):
        st.html(review_words.head(say("review.batch.games")))
        names = ("game", "result", "points", "par", "skill", "mistakes", "loss")
        shown = [
            dict(zip([say(f"review.batch.{name}") for name in names], cells, strict=True))
            for cells in (_cells(house, number, row) for number, row in enumerate(rows, 1))
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
        every = [
            {"game": number, **row}
            for number, review in enumerate(reviews, 1)
            for row in review.rows()
        ]
        lines = [
            "import ddz_core as ddz",
            "",
            f"codes = {[codes.encode(review.game) for review in reviews]!r}",
            f"samples = {[review.samples for review in reviews]!r}",
            "reviews = [",
            f"    ddz.review(ddz.decode(code), seed={reviews[0].seed}, samples=number)",
            "    for code, number in zip(codes, samples)",
            "]",
            "for number, review in enumerate(reviews, 1):",
            "    for row in review.rows():",
            "        print(number, row)",
        ]
        explorer_foot.foot(
            house,
            "review-games",
            every,
            "\n".join(lines),
            method="sampled",
            n=min(review.samples for review in reviews),
            seed=reviews[0].seed,
            bots=say("table.bot.choice.rule"),
        )


def _cells(house: House, number: int, row: dict[str, object]) -> list[object]:
    """Return the cells of a game."""
    say = house.words.say
    labels = " ".join(
        f"{row[name]}×{sign}" for name, sign in review_words.SYMBOLS.items() if row[name]
    )
    par, beyond = row["par"], row["beyond"]
    return [
        number,
        say("review.batch.won" if row["won"] else "review.batch.lost"),
        row["points"],
        None if par is None else round(float(str(par)), 1),
        None if beyond is None else round(float(str(beyond)), 1),
        labels or "–",
        round(100 * float(str(row["given_up"])), 1),
    ]


def _kinds(house: House, rows: list[dict[str, object]]) -> None:
    """Draw mistakes by kind through time."""
    say = house.words.say
    games = [{kind: int(str(row[kind])) for kind in KINDS} for row in rows]
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
        _foot(house, "review-kinds", [{"game": n, **g} for n, g in enumerate(games, 1)], rows)


def _luck(house: House, rows: list[dict[str, object]]) -> None:
    """Draw luck and skill as running sums."""
    say = house.words.say
    told = [row for row in rows if row["par"] is not None]
    with st.container(border=True, key="panel_review_luck"):
        st.html(review_words.head(say("review.batch.luck")))
        explorer_foot.note(say("review.batch.luck.note"))
        if not told:
            return
        pars = [float(str(row["par"])) for row in told]
        results = [float(str(row["points"])) for row in told]
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
        _foot(house, "review-luck", table, rows)


def _foot(
    house: House, name: str, table: list[dict[str, object]], rows: list[dict[str, object]]
) -> None:
    """Draw the foot of a figure of several games; its lines are those of the table of games."""
    code = "\n".join(
        ["import pandas as pd", "", f"rows = {rows!r}", "print(pd.DataFrame(rows).to_string())"]
    )
    explorer_foot.foot(house, name, table, code, method="sampled")
