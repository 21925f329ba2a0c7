"""Reading the cards: the map of what each place holds, one question in dots, twelve layouts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from ddz_core import behaviour, belief, reading
from ddz_core.behaviour import Habits
from ddz_core.clauses import deck_of
from ddz_core.errors import DdzError
from ddz_core.plots import dots, heat
from ddz_core.render import wording
from ddz_core.render.strip import strip_html
from ddz_core.render.wording import DISPLAY
from pages._kit import explorer_foot, odds_state, odds_words, shell

if TYPE_CHECKING:
    from ddz_core.behaviour import Belief
    from ddz_core.belief import Where
    from ddz_core.estimate import Estimate
    from ddz_core.reading import Seen
    from ddz_core.rules import Rules
    from pages._kit.shell import House

SAMPLES, FEWER, MANY = 6_000, 2_000, 6
"""Layouts weighed; fewer of them where more than so many passes were seen."""

COUNT, BEHAVE = "count", "behave"
SEED, FIRST_SEED, LAST_SEED = "seed", 11, 999_999
"""Parameter of the address with the seed of the twelve layouts, and its range."""

QUIET: dict[str, Any] = {"displayModeBar": False}


@st.cache_resource(max_entries=30, show_spinner=False)
def _weighed(moment: str, samples: int, seed: int, _seen: Seen) -> Belief:  # noqa: ARG001 key
    """Return layouts with what each pass says of them; the habits are put in later."""
    return behaviour.believe(_seen.odds, _seen.passes, samples=samples, seed=seed)


@st.cache_resource(max_entries=200, show_spinner=False)
def _counted(moment: str, _seen: Seen) -> list[dict[str, Estimate]]:  # noqa: ARG001 key
    """Return the chance of every kind in every place."""
    places: list[Where] = [belief.ANY, *_seen.odds.places]
    return [
        {str(place): _seen.odds.holds(odds_words.asked(kinds), place) for place in places}
        for kinds in odds_words.kinds_of(_seen.odds.ruleset)
    ]


def _moment(rules: Rules, seen: Seen) -> str:
    """Return the text that tells this moment from all others, for caches."""
    return "\n".join([odds_state.rules_key(rules), *seen.code])


def draw(house: House, rules: Rules, seen: Seen) -> None:
    """Draw the panels of one moment."""
    found = _behaviour(house, rules, seen)
    if not seen.odds.places or not sum(seen.odds.pool):
        st.markdown(house.words.say("odds.all_known"))
    left, right = st.columns([1.9, 1.1], gap="medium")
    with right:
        asked = _question(house, rules, seen, found)
        _layouts(house, rules, seen, found, asked)
    with left:
        _maps(house, rules, seen, found, asked)
        _kinds(house, rules, seen)


# --- counting and behaviour ----------------------------------------------------------------------


def _behaviour(house: House, rules: Rules, seen: Seen) -> Belief | None:
    """Draw the switch and the sliders; return the weighed layouts, None for counting alone."""
    say = house.words.say
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="odds_top"):
        chosen = st.segmented_control(
            say("odds.mode"),
            [COUNT, BEHAVE],
            default=COUNT,
            format_func=lambda name: say(f"odds.mode.{name}"),
            key="w_mode",
            required=True,
            label_visibility="collapsed",
        )
        st.markdown(_caption(house, seen), width="content")
    if chosen != BEHAVE:
        return None
    with st.container(border=True, key="panel_habits"):
        if not seen.passes:
            st.markdown(say("odds.no_passes"))
            return None
        st.markdown(say("odds.habits", n=len(seen.passes)))
        with st.container(horizontal=True, gap="medium"):
            shares = [
                st.slider(
                    say(f"odds.habit.{name}"),
                    0,
                    100,
                    value,
                    5,
                    key=f"w_habit_{name}",
                    help=say("odds.habit.help"),
                    width=300,
                )
                for name, value in (("cover", 50), ("bomb", 0), ("partner", 0))
            ]
        habits = Habits(*(share / 100 for share in shares))
        samples = FEWER if len(seen.passes) > MANY else SAMPLES
        found = _weighed(_moment(rules, seen), samples, 0, seen).under(habits)
        likely = found.passing
        st.markdown(
            say(
                "odds.passing",
                k=f"{100 * likely.value:.0f}",
                n=f"{found.n:,}",
                effective=f"{found.effective:,.0f}",
            )
        )
        try:
            found.table()
        except DdzError as error:
            shell.refuse(error)
            return None
    return found


def _caption(house: House, seen: Seen) -> str:
    say, source = house.words.say, odds_state.source()
    parts = [say(f"odds.source.{source}")]
    parts += [say("odds.trick", n=seen.trick)] if seen.trick and source != odds_state.HAND else []
    parts.append(say("odds.unseen", n=len(seen.unseen)))
    return " · ".join(parts)


def _code(rules: Rules, seen: Seen, found: Belief | None, *lines: str) -> str:
    """Return the lines that stand alone; with habits, ``belief`` is made before the last."""
    more: list[str] = []
    if found is not None:
        given = f"odds, passes, behaviour.{found.habits!r}, samples={found.n}, seed={found.seed}"
        more = [f"belief = behaviour.believe({given})"]
    return reading.code_lines(rules, *seen.code, *more, *lines)


def _how(found: Belief | None) -> dict[str, Any]:
    if found is None:
        return {"method": "exact"}
    return {"method": "sampled", "n": found.n, "seed": found.seed}


# --- the maps ------------------------------------------------------------------------------------


def _maps(
    house: House, rules: Rules, seen: Seen, found: Belief | None, asked: tuple[str, Where]
) -> None:
    say = house.words.say
    table = seen.odds.table() if found is None else found.table()
    with st.container(border=True, key="panel_maps"):
        st.html(
            f'<p class="paili-head">{escape(say("odds.maps"))} '
            f'<span class="paili-note">{escape(say("odds.per_100"))}</span></p>'
        )
        names = list(table)
        across = st.columns(min(3, len(names))) if names else []
        for i, place in enumerate(names):
            with across[i % len(across)]:
                st.html(odds_words.place_head(house, seen, place))
                st.plotly_chart(
                    heat.figure(
                        table[place],
                        label=lambda rank: wording.rank_label(house.words, rank, short=True),
                        order=DISPLAY,
                        tags=odds_words.tags(house, seen, place),
                        marked=asked[0][:1] if place == asked[1] else "",
                        theme="dark" if house.dark else "light",
                        hover=lambda rank, count, chance: say(
                            "odds.hover", rank=rank, count=count, chance=chance
                        ),
                    ),
                    theme=None,
                    key=f"w_map_{place}",
                    config=QUIET,
                    alt=f"{say('odds.maps')}: {odds_words.place_name(house, seen, place)}",
                )
        ramp = odds_words.COLOURS[house.dark]["ramp"].replace("%%", "%")
        key = [f"<span><i></i>{escape(say('odds.impossible'))}</span>"]
        used = {tag for place in names for tag in odds_words.tags(house, seen, place).values()}
        for name in ("odds.tag", "odds.tag.other"):
            if say(name) in used:
                what = escape(say(f"{name}.what"))
                key.append(f"<span><strong>{escape(say(name))}</strong> {what}</span>")
        key.append(f'<span>0<b style="background:linear-gradient(90deg,{ramp})"></b>100</span>')
        st.html(f'<div class="paili-key">{"".join(key)}</div>')
        st.html(
            f'<p class="paili-note">{escape(say("odds.maps.read", n=_large(seen.layouts)))}</p>'
        )
        name = "odds" if found is None else "belief"
        explorer_foot.foot(
            house,
            "odds-map",
            reading.table_rows(table),
            _code(rules, seen, found, f"print({name}.table())"),
            **_how(found),
        )


def _large(number: int) -> str:
    """Return a large number for reading, in powers of ten above a billion."""
    if number < 1_000_000_000:
        return f"{number:,}"
    power = len(str(number)) - 1
    return f"{number / 10**power:.2f}×10{str(power).translate(_RAISED)}"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


# --- one question --------------------------------------------------------------------------------


def ask(house: House, seen: Seen, name: str) -> tuple[str, Where]:
    """Draw the fields of a question and return what is asked for and where."""
    say, ruleset = house.words.say, seen.odds.ruleset
    places: list[Where] = [belief.ANY, *seen.odds.places]
    kinds = ["", *odds_words.kinds_of(ruleset)]
    where_column, what_column = st.columns(2, gap="small")
    with where_column:
        where = st.selectbox(
            say("odds.where"),
            range(len(places)),
            format_func=lambda i: odds_words.place_name(house, seen, places[i]),
            key=f"w_{name}_where_{len(places)}",
        )
    with what_column:
        what = st.selectbox(
            say("odds.what"),
            kinds,
            index=1,
            format_func=lambda k: odds_words.what_name(house, k) if k else say("odds.what.rank"),
            key=f"w_{name}_what",
        )
    if not what:
        ranks = [rank for rank in DISPLAY if rank in ruleset.deck.ranks]
        with where_column:
            rank = st.selectbox(
                say("odds.rank"),
                ranks,
                format_func=lambda r: wording.rank_label(house.words, r),
                key=f"w_{name}_rank",
            )
        most = deck_of(ruleset)[belief.lane_of(ruleset, rank)]
        with what_column:
            number = st.number_input(say("odds.number"), 1, most, 1, key=f"w_{name}_number_{most}")
        what = rank * int(number)
    return what, places[where or 0]


def _question(house: House, rules: Rules, seen: Seen, found: Belief | None) -> tuple[str, Where]:
    say = house.words.say
    with st.container(border=True, key="panel_question"):
        kinds, place = ask(house, seen, "ask")
        named = odds_words.what_name(house, kinds)
        who = odds_words.place_name(house, seen, place)
        st.html(f'<p class="paili-head">{escape(say("odds.ask", who=who, what=named))}</p>')
        prior = seen.odds.holds(odds_words.asked(kinds), place)
        shown = prior if found is None else found.holds(odds_words.asked(kinds), place)
        grid, words = st.columns([1.25, 1], vertical_alignment="center")
        with grid:
            st.plotly_chart(
                dots.figure(
                    shown.value,
                    before=None if found is None else prior.value,
                    theme="dark" if house.dark else "light",
                ),
                theme=None,
                key="w_dots",
                config={**QUIET, "staticPlot": True},
                width="content",
                alt=odds_words.chance(house, shown),
            )
        with words:
            lines = [f'<p class="paili-big">{odds_words.figure(shown.value)}</p>']
            lines += [f'<p class="paili-say">{escape(odds_words.chance(house, shown))}</p>']
            if fraction := reading.as_fraction(shown):
                lines.append(f'<p class="paili-note">{fraction.replace("/", " ÷ ")}</p>')
            if found is not None:
                text = say("odds.before", chance=odds_words.chance(house, prior))
                lines.append(f'<p class="paili-note">{escape(text)}</p>')
            st.html("".join(lines))
        rows = [{"asked": kinds, "place": str(place), **_row(shown)}]
        if found is not None:
            rows.append({"asked": kinds, "place": str(place), **_row(prior)})
        name = "odds" if found is None else "belief"
        line = f"print({name}.holds({odds_words.asked(kinds)!r}, {place!r}))"
        how = (
            _how(found)
            if found is not None
            else {"method": shown.method, "n": shown.n, "seed": shown.seed}
        )
        explorer_foot.foot(house, "odds-chance", rows, _code(rules, seen, found, line), **how)
    return kinds, place


def _row(one: Estimate) -> dict[str, object]:
    return {
        "chance": one.value,
        "low": one.low,
        "high": one.high,
        "method": one.method,
        "n": one.n,
        "seed": one.seed,
    }


# --- layouts and kinds ---------------------------------------------------------------------------


def _layouts(
    house: House, rules: Rules, seen: Seen, found: Belief | None, asked: tuple[str, Where]
) -> None:
    say, asked_seed = house.words.say, st.query_params.get(SEED, "")
    given = asked_seed.isascii() and asked_seed.isdigit() and len(asked_seed) < 7
    seed = int(asked_seed) if given else FIRST_SEED
    with st.container(border=True, key="panel_layouts"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<p class="paili-head">{escape(say("odds.layouts"))}</p>')
            st.space("stretch")
            st.button(
                say("odds.others"), key="w_others", on_click=_others, args=(seed,), type="tertiary"
            )
        drawn = (
            seen.odds.deals(12, seed) if found is None else reading.sample_layouts(found, 12, seed)
        )
        marked = asked[0] if set(asked[0]) <= set(DISPLAY) else ""
        places = list(seen.odds.places)
        body = "".join(
            f"<tr><td>{i}</td><td>"
            + "".join(
                f"<div><small>{escape(_short(house, seen, place))}</small><span>"
                + strip_html(
                    reading.part(layout, place),
                    label=lambda rank: wording.rank_label(house.words, rank, short=True),
                    marked=marked,
                    theme="dark" if house.dark else "light",
                )
                + "</span></div>"
                for place in places
            )
            + "</td></tr>"
            for i, layout in enumerate(drawn, 1)
        )
        st.html(f'<table class="paili-table paili-layouts"><tbody>{body}</tbody></table>')
        rows: list[dict[str, object]] = [
            {"layout": i, **{str(p): reading.part(layout, p) for p in places}}
            for i, layout in enumerate(drawn, 1)
        ]
        line = (
            f"print(*odds.deals(12, {seed}), sep='\\n')"
            if found is None
            else f"print(*reading.sample_layouts(belief, 12, {seed}), sep='\\n')"
        )
        code = _code(rules, seen, found, line)
        explorer_foot.foot(house, "odds-layouts", rows, code, method="sampled", n=12, seed=seed)


def _others(seed: int) -> None:
    """Draw twelve other layouts, those of the next seed."""
    st.query_params[SEED] = str((seed + 1) % (LAST_SEED + 1))


def _short(house: House, seen: Seen, place: Where) -> str:
    found = odds_words.role(seen, place)
    if found in ("landlord", "after", "before"):
        return house.words.say(f"table.role.short.{found}")
    return odds_words.place_name(house, seen, place)


def _kinds(house: House, rules: Rules, seen: Seen) -> None:
    """Draw the chance of every kind in every place, by counting."""
    say = house.words.say
    with st.container(border=True, key="panel_kinds"):
        st.html(
            f'<p class="paili-head">{escape(say("odds.kinds"))} '
            f'<span class="paili-note">{escape(say("odds.per_100"))}</span></p>'
        )
        places: list[Where] = [belief.ANY, *seen.odds.places]
        counted = _counted(_moment(rules, seen), seen)
        named = [odds_words.what_name(house, k) for k in odds_words.kinds_of(seen.odds.ruleset)]
        head = [say("odds.what"), *(odds_words.place_name(house, seen, p) for p in places)]
        body = [
            [name, *(_cell(one[str(place)]) for place in places)]
            for name, one in zip(named, counted, strict=True)
        ]
        explorer_foot.scroll(say("odds.kinds"), explorer_foot.table(head, body))
        model = say("odds.model")
        if rules.ruleset.auction.forced:
            model += " " + say("odds.model.forced")
        st.html(f'<p class="paili-note">{escape(model)}</p>')
        rows = [
            {"asked": kinds, "place": str(place), **_row(one[str(place)])}
            for kinds, one in zip(odds_words.kinds_of(seen.odds.ruleset), counted, strict=True)
            for place in places
        ]
        sampled = [e for one in counted for e in one.values() if e.method == "sampled"]
        how: dict[str, Any] = {"method": "exact"}
        if sampled:
            how = {"method": "sampled", "n": sampled[0].n, "seed": sampled[0].seed}
        asked = [odds_words.asked(k) for k in odds_words.kinds_of(seen.odds.ruleset)]
        lines = [
            f"for kinds in {asked!r}:",
            f"    print(kinds, *(odds.holds(kinds, place).value for place in {places!r}))",
        ]
        explorer_foot.foot(house, "odds-kinds", rows, _code(rules, seen, None, *lines), **how)


def _cell(one: Estimate) -> str:
    if one.value in (0, 1):
        return f"{100 * one.value:.0f}"
    return "<0.1" if one.value < 0.001 else f"{100 * one.value:.1f}"
