"""Spreads over random hands, the own hand marked in each, and splits of missing cards."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from ddz_core import cards, distributions, estimate, probability, reading
from ddz_core.clauses import kind_ids
from ddz_core.errors import DdzError
from ddz_core.plots import distribution, heat
from ddz_core.render import wording
from ddz_core.render.wording import DISPLAY
from pages._kit import explorer_foot, jobs, odds_state, odds_words, session, shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from ddz_core.distributions import Distribution
    from ddz_core.reading import Seen
    from ddz_core.rules import Rules
    from pages._kit.jobs import Look
    from pages._kit.shell import House

HANDS = 20_000
"""Hands drawn for the fewest turns."""

QUIET: dict[str, Any] = {"displayModeBar": False}


@st.cache_data(max_entries=300, show_spinner=False)
def _spread(rules_key: str, of: str, n: int, _rules: Rules) -> Distribution:  # noqa: ARG001 key
    return distributions.distribution(of, n, _rules)


@st.cache_data(max_entries=300, show_spinner=False)
def _own(rules_key: str, of: str, hand: str, _rules: Rules) -> int:  # noqa: ARG001 key
    return distributions.value(of, hand, _rules)


def spreads(house: House, rules: Rules, seen: Seen | None) -> None:
    """Draw how six numbers are spread over random hands of a size."""
    say, spec = house.words.say, rules.ruleset.deal
    hand = seen.odds.hand if seen is not None else ""
    most = cards.size_of(rules.ruleset.deck_cards)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="sizes"):
        usual = len(hand) or spec.hand
        n = int(
            st.number_input(
                say("odds.size"), 1, most, usual, key=f"w_size_{usual}_{most}", width=170
            )
        )
        ranks = [rank for rank in DISPLAY if rank in rules.ruleset.deck.ranks]
        rank = st.selectbox(
            say("odds.copies"),
            ranks,
            index=ranks.index("A") if "A" in ranks else 0,
            format_func=lambda r: wording.rank_label(house.words, r),
            key="w_copies",
            width=170,
        )
        chains = [
            kind
            for kind in kind_ids(rules.ruleset)
            if any(
                row.id == kind and row.body.run[1] > 1 and not row.attach
                for row in rules.ruleset.kinds_in_force()
            )
        ]
        chain = ""
        if chains:
            chain = st.selectbox(
                say("odds.chain"),
                chains,
                format_func=lambda kind: say(f"kind.{kind}"),
                key="w_chain",
                width=200,
            )
    wanted = ["points", "turns", "bombs", "controls", f"copies:{rank}"]
    wanted += [f"longest:{chain}"] if chain else []
    left, right = st.columns(2, gap="medium")
    for i, of in enumerate(wanted):
        with (left, right)[i % 2]:
            if of == "turns":
                _turns(house, rules, n, hand)
            else:
                _exact(house, rules, of, n, hand)


def _head(house: House, of: str) -> str:
    say = house.words.say
    what, _, detail = of.partition(":")
    if what == "copies":
        detail = wording.rank_label(house.words, detail)
    elif what == "longest":
        detail = say(f"kind.{detail}")
    return say(f"odds.of.{what}", detail=detail)


def _exact(house: House, rules: Rules, of: str, n: int, hand: str) -> None:
    with st.container(border=True, key=f"panel_{of.replace(':', '_')}"):
        key = odds_state.rules_key(rules)
        try:
            spread = _spread(key, of, n, rules)
        except DdzError as error:
            shell.refuse(error)
            return
        _figure(house, rules, spread, hand)


def _figure(house: House, rules: Rules, spread: Distribution, hand: str) -> None:
    """Draw a spread that stands: figure, sentence, foot."""
    say, of = house.words.say, spread.of
    own = _own(odds_state.rules_key(rules), of, hand, rules) if hand else None
    st.html(f'<p class="paili-head">{escape(_head(house, of))}</p>')
    rows = rows_of(spread)
    st.plotly_chart(
        distribution.figure(
            spread.chances,
            own=own,
            own_label=say("odds.own"),
            intervals={int(str(r["value"])): (_at(r, "low"), _at(r, "high")) for r in rows}
            if spread.method == "sampled"
            else None,
            theme="dark" if house.dark else "light",
        ),
        theme=None,
        key=f"w_spread_{of}",
        config=QUIET,
        alt=_head(house, of),
    )
    st.html(f'<p class="paili-note">{escape(_sentence(house, spread, own))}</p>')
    more = f", samples={spread.samples}, seed={spread.seed}" if spread.samples else ""
    lines = [f"spread = distributions.distribution({of!r}, {spread.n}, rules{more})"]
    lines += ["print(spread.mean, spread.chances)"]
    lines += [f"print(distributions.value({of!r}, {hand!r}, rules))"] if hand else []
    explorer_foot.foot(
        house,
        f"odds-{of.replace(':', '-')}",
        rows,
        reading.code_lines(rules, *lines),
        method=spread.method,
        n=spread.samples,
        seed=spread.seed,
    )


def _at(row: dict[str, object], name: str) -> float:
    return float(str(row[name]))


def rows_of(spread: Distribution) -> list[dict[str, object]]:
    """Return a spread as rows, with intervals where it is sampled."""
    rows: list[dict[str, object]] = []
    for value, chance in spread.chances.items():
        one = estimate.exact(chance)
        if spread.method == "sampled":
            one = estimate.share(round(chance * spread.samples), spread.samples, seed=spread.seed)
        rows.append({"value": value, "chance": one.value, "low": one.low, "high": one.high})
    return rows


def _sentence(house: House, spread: Distribution, own: int | None) -> str:
    say = house.words.say
    parts = [say("odds.mean", mean=f"{spread.mean:.2f}", n=spread.n)]
    if own is not None:
        less = sum(p for value, p in spread.chances.items() if value < own)
        same = spread.chances.get(own, 0.0)
        shares = {"less": less, "same": same, "more": max(0.0, 1 - less - same)}
        texts = {name: heat.number(share) for name, share in shares.items()}
        parts.append(say("odds.own.value", value=own, **texts))
    return " ".join(parts)


# --- fewest turns: a sample that grows -----------------------------------------------------------


def _turns(house: House, rules: Rules, n: int, hand: str) -> None:
    key = f"{odds_state.rules_key(rules)}|{n}"
    name, _, of = session.get(session.SPREAD).partition(" ")
    if of != key or jobs.runner().look(name).state in ("unknown", "abandoned"):
        name = _begin(rules, n, key, instead_of=name)
    live = bool(name) and jobs.runner().look(name).live
    with st.container(border=True, key="panel_turns"):
        if not name:
            st.markdown(house.words.say("odds.busy"))
            return
        st.fragment(run_every=0.5 if live else None)(_growing)(house, rules, name, hand)


def _begin(rules: Rules, n: int, key: str, instead_of: str) -> str:
    try:
        name = jobs.runner().start(
            lambda: reading.refine_turns(n, rules, samples=HANDS),
            total=-(-HANDS // reading.TURN_STEP),
            instead_of=instead_of,
        )
    except jobs.Busy:
        return ""
    session.put(session.SPREAD, f"{name} {key}")
    return name


def _growing(house: House, rules: Rules, name: str, hand: str) -> None:
    """Draw the running or the finished sample; once more in full when it has ended."""
    say = house.words.say
    look: Look = jobs.runner().look(name)
    if look.error is not None:
        if isinstance(look.error, DdzError):
            shell.refuse(look.error)
        else:
            st.markdown(say("odds.busy"))
        return
    if look.live:
        _running(house, rules, look, name, hand)
        st.session_state["w_turns_live"] = name
    else:
        if st.session_state.pop("w_turns_live", "") == name:
            st.rerun(scope="app")
        if look.result is None:
            st.markdown(say("odds.stopped"))
            return
        _figure(house, rules, look.result, hand)


def _running(house: House, rules: Rules, look: Look, name: str, hand: str) -> None:
    say = house.words.say
    st.html(f'<p class="paili-head">{escape(_head(house, "turns"))}</p>')
    # Before the first hands are counted the worker may still be loading what counts them.
    if look.result is not None:
        own = _own(odds_state.rules_key(rules), "turns", hand, rules) if hand else None
        st.vega_lite_chart(
            distribution.running(
                rows_of(look.result), own=own, theme="dark" if house.dark else "light"
            ),
            theme=None,
            key="w_turns_plot",
        )
    drawn = look.result.samples if look.result is not None else 0
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(say("odds.drawn", n=f"{drawn:,}", of=f"{HANDS:,}"), width="content")
        st.space("stretch")
        st.button(say("odds.stop"), key="w_stop", on_click=jobs.runner().cancel, args=(name,))


# --- splits --------------------------------------------------------------------------------------


def splits(house: House, rules: Rules, seen: Seen | None) -> None:
    """Draw how 1 to 4 missing cards of a rank are split between two hands of any sizes."""
    say, spec = house.words.say, rules.ruleset.deal
    most = cards.size_of(rules.ruleset.deck_cards)
    sizes, rest = [spec.hand, spec.hand], 0
    names = [say("odds.first"), say("odds.second")]
    if seen is not None:
        others = [place for place in seen.odds.places if isinstance(place, int)][:2]
        if len(others) == 2:
            sizes = [seen.odds.places[place].size for place in others]
            names = [odds_words.place_name(house, seen, place) for place in others]
            rest = sum(seen.odds.pool) - sum(sizes)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="sizes"):
        missing = st.segmented_control(
            say("odds.missing"),
            list(range(1, 4 * rules.ruleset.deck.decks + 1)),
            default=2,
            required=True,
            key="w_missing",
        )
        number: Callable[..., Any] = st.number_input
        a, b = (
            int(
                number(
                    say("odds.holds", who=names[i]),
                    0,
                    most,
                    sizes[i],
                    key=f"w_split_{i}_{sizes[i]}_{most}",
                    width=190,
                )
            )
            for i in (0, 1)
        )
        other = int(number(say("odds.rest"), 0, most, rest, key=f"w_rest_{rest}", width=190))
    every = [m for m in range(1, 4 * rules.ruleset.deck.decks + 1) if m <= a + b + other]
    missing = int(missing or 2)
    if missing not in every:
        st.markdown(say("odds.too_few", n=a + b + other))
        return
    with st.container(border=True, key="panel_split"):
        st.html(
            '<p class="paili-head">'
            + escape(say("odds.split.head", n=missing, a=a, b=b, one=names[0], two=names[1]))
            + "</p>"
        )
        found = probability.split(missing, [a, b], a + b + other)
        ordered = sorted(found, key=lambda key: (missing - sum(key), key))
        st.plotly_chart(
            distribution.figure(
                {i: found[key] for i, key in enumerate(ordered)},
                name=lambda i: _split_name(house, ordered[i], missing),
                theme="dark" if house.dark else "light",
            ),
            theme=None,
            key="w_split_plot",
            config=QUIET,
            alt=say("odds.split.head", n=missing, a=a, b=b, one=names[0], two=names[1]),
        )
        st.html(f'<p class="paili-note">{escape(_best(house, found, missing))}</p>')
        rows: list[dict[str, object]] = [
            {"missing": m, names[0]: key[0], names[1]: key[1], "chance": chance}
            for m in every
            for key, chance in probability.split(m, [a, b], a + b + other).items()
        ]
        line = f"print(probability.split({missing}, [{a}, {b}], {a + b + other}))"
        explorer_foot.foot(house, "odds-split", rows, reading.code_lines(rules, line))
    with st.container(border=True, key="panel_splits"):
        st.html(f'<p class="paili-head">{escape(say("odds.split.all"))}</p>')
        sides = st.columns(2, gap="medium")
        for i, m in enumerate(every[:4]):
            spread = probability.split(m, [a, b], a + b + other)
            body = [
                [_split_name(house, key, m), house.words.phrase(reading.in_counts(spread[key]))]
                for key in spread
            ]
            head = [f"{m}: {names[0]} – {names[1]}", ""]
            with sides[i % 2]:
                st.html(explorer_foot.table(head, body, strong=0))


def _split_name(house: House, key: tuple[int, ...], missing: int) -> str:
    over = missing - sum(key)
    text = " – ".join(map(str, key))
    return text + (house.words.say("odds.split.over", n=over) if over else "")


def _best(house: House, found: dict[tuple[int, ...], float], missing: int) -> str:
    key, chance = next(iter(found.items()))
    return house.words.say(
        "odds.split.read",
        split=_split_name(house, key, missing),
        chance=house.words.phrase(reading.in_counts(chance)),
    )
