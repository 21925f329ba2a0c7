"""The bot ladder: shipped results as figures and tables, and how to play them again."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import ladder
from ddz_core.plots import ladder as ladder_plot
from pages._kit import explorer_foot, ladder_live

if TYPE_CHECKING:
    from ddz_core.estimate import Estimate
    from ddz_core.ladder import Results
    from pages._kit.shell import House

CODE = ("from ddz_core import ladder", "", "found = ladder.shipped()")


def board(house: House) -> None:
    """Draw the page."""
    explorer_foot.style(house)
    found = ladder.shipped()
    say = house.words.say
    if found.rungs:
        games = 2 * sum(rung.result.deals for rung in found.rungs)
        st.markdown(say("ladder.what", games=f"{games:,}"))
        _means(house, found)
        _one(house, found)
        _pairs(house, found)
    else:
        st.markdown(say("ladder.none"))
    ladder_live.panel(house)
    _again(house)


def name_of(house: House, text: str) -> str:
    """Return what a bot is called, from its text; a bot with other parameters keeps its text."""
    bot, _, rest = text.partition(":")
    key, sign, value = rest.partition("=")
    short = bot if not rest else value if key == "character" and sign else ""
    short = {ladder.SAMPLER: "sampler", ladder.PLAIN: "sampler_plain"}.get(text, short)
    words = house.words
    return words.say(f"table.bot.short.{short}") if short else text


def _played(house: House, found: Results) -> House:
    """Return the house with the rules under which the ladder was played, for the feet."""
    first = found.rungs[0]
    return replace(house, rules=first.rules, overrides=first.house)


def _figure(house: House, name: str, rows: list[tuple[str, Estimate]]) -> None:
    drawn = ladder_plot.figure(
        [label for label, _ in rows],
        [share for _, share in rows],
        theme="dark" if house.dark else "light",
    )
    st.plotly_chart(
        drawn,
        theme=None,
        key=f"w_{name}_plot",
        config={"displayModeBar": False},
        alt=house.words.say(f"ladder.{name}"),
    )


def _foot(
    house: House, found: Results, name: str, rows: list[dict[str, object]], line: str
) -> None:
    deals = sum(rung.result.deals for rung in found.rungs)
    explorer_foot.foot(
        _played(house, found),
        f"ladder-{name}",
        rows,
        "\n".join([*CODE, line]),
        method="sampled",
        n=deals,
        seed=found.rungs[0].result.seed,
    )


def _means(house: House, found: Results) -> None:
    """Draw the strength of every bot."""
    say = house.words.say
    with st.container(border=True, key="panel_ladder_means"):
        st.html(f'<p class="paili-head">{escape(say("ladder.means"))}</p>')
        strengths = found.strengths()
        means = [(bot, strengths[bot]) for bot in found.entrants]
        _figure(house, "means", [(name_of(house, bot), share) for bot, share in means])
        explorer_foot.note(say("ladder.means.note"))
        rows: list[dict[str, object]] = [
            {"bot": bot, "won": one.value, "low": one.low, "high": one.high, "deals": one.n}
            for bot, one in means
        ]
        line = "for bot, share in found.strengths().items():\n    print(bot, share)"
        _foot(house, found, "means", rows, line)


def _one(house: House, found: Results) -> None:
    """Draw one bot against each opponent."""
    say = house.words.say
    with st.container(border=True, key="panel_ladder_one"):
        st.html(f'<p class="paili-head">{escape(say("ladder.one"))}</p>')
        bot = st.selectbox(
            say("ladder.one.bot"),
            found.entrants,
            format_func=lambda text: name_of(house, text),
            key="w_ladder_bot",
        )
        met = found.of(bot)
        _figure(house, "one", [(name_of(house, other), win) for other, win, _, _ in met])
        explorer_foot.note(say("ladder.one.note", bot=name_of(house, bot)))
        head = [say(f"ladder.col.{col}") for col in ("opponent", "won", "landlord", "farmers")]
        head += [say("ladder.col.points"), say("ladder.col.deals")]
        lines = []
        for other, win, points, rung in met:
            one = rung.result
            landlord, farmers = one.as_landlord.value, one.as_farmers.value
            if bot != one.first:
                landlord, farmers = 1 - farmers, 1 - landlord
            lines.append(
                [
                    name_of(house, other),
                    f"{100 * win.value:.1f} ± {50 * (win.high - win.low):.1f}",
                    f"{100 * landlord:.1f}",
                    f"{100 * farmers:.1f}",
                    f"{points.value:+.2f}".replace("-", "−"),
                    f"{one.deals:,}",
                ]
            )
        explorer_foot.scroll(say("ladder.one"), explorer_foot.table(head, lines, strong=1))
        _foot(house, found, "one", found.rows(), f"print(found.of({bot!r}))")


def _pairs(house: House, found: Results) -> None:
    """Draw every pairing as a table."""
    say = house.words.say
    with st.container(border=True, key="panel_ladder_pairs"):
        st.html(f'<p class="paili-head">{escape(say("ladder.pairs"))}</p>')
        head = ["", *(name_of(house, bot) for bot in found.entrants)]
        lines = []
        for bot in found.entrants:
            met = {other: win for other, win, _, _ in found.of(bot)}
            cells = [
                f"{100 * met[other].value:.0f} ± {50 * (met[other].high - met[other].low):.0f}"
                if other in met
                else "–"
                for other in found.entrants
            ]
            lines.append([name_of(house, bot), *cells])
        explorer_foot.scroll(say("ladder.pairs"), explorer_foot.table(head, lines))
        explorer_foot.note(say("ladder.pairs.note"))
        explorer_foot.note(say("ladder.versions", told=_versions(house, found)))
        _foot(house, found, "pairs", found.rows(), "print(found.frame())")


def _versions(house: House, found: Results) -> str:
    """Return which versions of every bot played."""
    versions: dict[str, dict[str, None]] = {}
    for rung in found.rungs:
        for bot, text in rung.versions.items():
            versions.setdefault(bot, {})[text] = None
    comma = house.words.say("rules.list")
    return comma.join(f"{name_of(house, bot)} ({' / '.join(versions[bot])})" for bot in versions)


def _again(house: House) -> None:
    """Say how to play it again."""
    say = house.words.say
    with st.container(border=True, key="panel_ladder_again"):
        st.html(f'<p class="paili-head">{escape(say("ladder.again"))}</p>')
        st.markdown(say("ladder.again.what"))
        rules = " ".join(f"--set {path}={str(v).lower()}" for path, v in ladder.RULES.items())
        st.code(
            "python -m ddz_core ladder\n"
            f"python -m ddz_core play --duplicate --bots sampler,rule --deals 500 {rules}",
            language="bash",
            wrap_lines=True,
        )
