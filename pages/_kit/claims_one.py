"""One claim: what it says, what was found, a deal for and against, the experiment to run again."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import claims, lessons
from ddz_core.errors import DdzError
from ddz_core.plots import claim_cells
from pages._kit import claims_words, explorer_foot, jobs, session, shell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ddz_core.claims import Claim, Result, Slider
    from pages._kit.shell import House

CLAIM, SEED = "claim", "seed"
"""Parameters of the address: the claim, and the seed of its run."""
FAMILIES = ("rule", "net", "both")
SECONDS = 10.0
"""Length of a live run."""
MOST_SEED = 999_999_999


def live() -> bool:
    """Tell whether a run of this session goes on."""
    job = _run().get("job", "")
    return bool(job) and jobs.runner().look(job).live


def _run() -> dict[str, object]:
    try:
        kept = json.loads(session.get(session.CLAIM_RUN) or "{}")
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}


def draw(house: House, claim: Claim, moved: Mapping[str, float], seed: int | None) -> None:
    """Draw a claim.

    Args:
        house: the reader.
        claim: the claim.
        moved: conditions that the address moves.
        seed: of the run that the address asks for, None for the first.
    """
    say = house.words.say
    st.button(
        say("claims.back"), key="w_claim_back", icon=":material/chevron_left:", on_click=_back
    )
    shipped = claims.shipped_results().get(claim.id)
    _head(house, claim, shipped)
    if not claim.testable:
        return
    if shipped is not None:
        with st.container(border=True, key="panel_claim_result"):
            _result(house, claim, shipped, "shipped")
            _examples(house, shipped)
    with st.container(border=True, key="panel_claim_run"):
        _experiment(house, claim, moved, 1 if seed is None else seed)
    _lessons(house, claim)


def _back() -> None:
    for key in list(st.query_params):
        if key not in {session.LANG, session.RULES, session.HOUSE_RULES}:
            del st.query_params[key]


def _head(house: House, claim: Claim, shipped: Result | None) -> None:
    """Draw the wording, the verdict with its reason, where the documents say so, the lesson."""
    words, say, lang = house.words, house.words.say, house.lang
    ruling = None if shipped is None else shipped.ruling
    verdict = "open" if ruling is None else ruling.verdict
    if not claim.testable:
        verdict = "not_testable"
    title = f"{claim.id} · {claim.title.of(lang)}"
    st.html(
        f'<p class="paili-head" style="font-size:1.375rem">{escape(title)}</p>'
        f'<p style="font-size:1.0625rem;line-height:1.5;margin:.4rem 0 .6rem">'
        f"{escape(claim.wording.of(lang))}</p>{claims_words.tag(words, verdict)} "
        f'<span class="paili-note">{escape(_reason(house, shipped))}</span>'
    )
    st.markdown(shell.plain(claim.lesson.of(lang)))
    if claim.instead is not None:
        st.markdown(f"**{say('claims.instead')}** {shell.plain(claim.instead.of(lang))}")
    told = "; ".join(
        say("claims.source", document=one.document, place=one.place, words=one.words)
        for one in claim.sources
    )
    explorer_foot.note(told)


def _reason(house: House, shipped: Result | None) -> str:
    if shipped is None:
        return ""
    return claims_words.reason(house.words, shipped.ruling, one_family=shipped.one_family)


def _result(house: House, claim: Claim, found: Result, name: str) -> None:
    """Draw the cells as figures by unit, then how they were found."""
    say = house.words.say
    rows = found.rows()
    families = list(found.families)
    for unit in dict.fromkeys(cell.unit for cell in found.cells):
        drawn = []
        for row in rows:
            if row["unit"] != unit or (row["method"] == "sampled" and not row["n"]):
                continue
            family = row["family"]
            value = found.estimates(family)[row["cell"]]
            drawn.append(
                claim_cells.Row(
                    label=claim.cell_text(row["cell"], house.lang),
                    value=value,
                    line=row["line"],
                    margin=found.margins.get(unit, 0.0),
                    counts=row["counts"],
                    status=row["status"],
                    family=families.index(family) if family in families else 0,
                )
            )
        if not drawn:
            continue
        hundred = unit in claims_words.HUNDREDTHS
        figure = claim_cells.figure(
            drawn,
            scale=100.0 if hundred else 1.0,
            digits=1 if hundred else 2,
            theme="dark" if house.dark else "light",
        )
        st.caption(claims_words.unit(house.words, unit))
        st.plotly_chart(
            figure,
            theme=None,
            key=f"w_claim_plot_{name}_{unit}",
            config={"displayModeBar": False},
            alt=say("claims.result", claim=claim.id),
        )
    explorer_foot.note(say("claims.key"))
    if len(families) > 1:
        explorer_foot.note(say("claims.key.families"))
    columns = dict.fromkeys(name for row in rows for name in row)
    plain = [{**columns, **_plain(house, claim, row)} for row in rows]
    code = (
        "from ddz_core import claims\n\n"
        f"one = claims.claim({claim.id!r})\n"
        f"claims.run(one, {dict(found.values)!r}, deals={max(found.deals.values(), default=2000)}, "
        f"seconds=None, seed={found.seed}, family={(families or ['rule'])[0]!r})"
    )
    method = "sampled" if any(row["method"] == "sampled" for row in rows) else "exact"
    deals = sum(found.deals.values())
    bots = " · ".join(say(f"claims.family.{one}") for one in families)
    explorer_foot.foot(
        house,
        f"claim_{name}",
        plain,
        code,
        method=method,
        n=deals if method == "sampled" else 0,
        seed=found.seed if method == "sampled" else None,
        bots=bots,
    )


def _plain(house: House, claim: Claim, row: Mapping[str, object]) -> dict[str, object]:
    """Return a row of the table in the reader's words."""
    say = house.words.say
    named = dict(row)
    named["cell"] = claim.cell_text(str(row["cell"]), house.lang)
    named["status"] = say(f"claims.status.{row['status']}")
    if row["family"]:
        named["family"] = say(f"claims.family.{row['family']}")
    return named


def _examples(house: House, found: Result) -> None:
    """Draw the ways to a deal for and a deal against."""
    say = house.words.say
    if not found.examples:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for side in ("for", "against"):
            one = found.examples.get(side)
            if one is None:
                continue
            query = {session.LANG: house.lang, session.RULES: found.ruleset}
            query |= (
                {"g": one.code, "seat": str(one.seat)} if one.kind == "game" else {"p": one.code}
            )
            page = "table" if one.kind == "game" else "solver"
            st.page_link(
                f"pages/{page}.py", label=say(f"claims.example.{side}"), query_params=query
            )
    explorer_foot.note(say("claims.example.what"))


# --- the experiment --------------------------------------------------------------------------


def _experiment(house: House, claim: Claim, moved: Mapping[str, float], seed: int) -> None:
    """Draw the sliders, the run, its result, and the link that opens the same."""
    say = house.words.say
    st.html(f'<p class="paili-head">{escape(say("claims.run.title"))}</p>')
    st.markdown(say("claims.run.what", seconds=int(SECONDS)))
    values = {**claim.defaults(), **moved}
    for one in claim.conditions:
        _slider(house, claim, one, values)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        family = st.segmented_control(
            say("claims.family"),
            FAMILIES,
            format_func=lambda name: say(f"claims.family.{name}"),
            key="w_claim_family",
            default=FAMILIES[0],
            required=True,
        )
        st.session_state["w_claim_seed"] = seed
        st.number_input(
            say("bid.like.seed"),
            0,
            MOST_SEED,
            key="w_claim_seed",
            width=150,
            on_change=lambda: _address(SEED, st.session_state["w_claim_seed"], 1),
        )
        asked = [claim.id, sorted(values.items()), family, seed, house.rules, house.overrides]
        st.button(
            say("claims.run"),
            type="primary",
            key="w_claim_run",
            on_click=_start,
            args=(claim, values, str(family), seed, asked),
        )
        with st.popover(say("solver.share"), key="w_claim_share", on_change="rerun") as shown:
            if shown.open:
                base = (st.context.url or "").partition("?")[0]
                link = claims.link_of(claim, moved, seed=seed if seed != 1 else None)
                tail = f"&{session.LANG}={house.lang}&{session.RULES}={house.rules}"
                st.code(f"{base}{link}{tail}", language=None, wrap_lines=True)
    _watch(house, claim, asked)


def _slider(house: House, claim: Claim, one: Slider, values: Mapping[str, float]) -> None:
    key = f"w_claim_{claim.id}_{one.name}"
    label = shell.plain(one.label.of(house.lang))
    if one.unit == "switch":
        st.session_state[key] = int(values[one.name])
        st.segmented_control(
            house.words.say(f"claims.switch.{one.name}"),
            (0, 1),
            format_func=lambda side: house.words.say(f"claims.switch.{one.name}.{side}"),
            key=key,
            required=True,
            on_change=lambda: _address(one.name, float(st.session_state[key]), one.default),
        )
        return
    st.session_state[key] = float(values[one.name])
    st.slider(
        label,
        float(one.low),
        float(one.high),
        step=float(one.step),
        format="%g",
        key=key,
        on_change=lambda: _address(one.name, st.session_state[key], one.default),
    )


def _address(name: str, value: float, usual: float) -> None:
    """Put a value in the address, where it is not the usual one."""
    if value == usual:
        if name in st.query_params:
            del st.query_params[name]
    else:
        st.query_params[name] = f"{value:g}" if isinstance(value, float) else str(value)


def _start(
    claim: Claim, values: dict[str, float], family: str, seed: int, asked: list[object]
) -> None:
    def work() -> Iterator[Result]:
        return claims.runs(claim, values, seconds=SECONDS, seed=seed, family=family)

    try:
        job = jobs.runner().start(work, instead_of=str(_run().get("job", "")))
    except jobs.Busy:
        st.toast(shell.words().say("surgeon.race.busy"))
        return
    session.put(session.CLAIM_RUN, json.dumps({"job": job, "asked": asked}))


def _watch(house: House, claim: Claim, asked: list[object]) -> None:
    """Show how the run stands, if it is the one that is asked for."""
    say, kept = house.words.say, _run()
    if kept.get("asked") != json.loads(json.dumps(asked)):
        return
    job = str(kept.get("job", ""))
    look = jobs.runner().look(job)
    if look.live:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(say("claims.stop"), key="w_claim_stop", on_click=_stop, args=(job,))
            if look.result is not None:
                deals = sum(look.result.deals.values())
                st.caption(say("claims.deals", n=f"{deals:,}"))
    if look.state == "failed" and isinstance(look.error, DdzError):
        shell.refuse(look.error)
    elif look.result is None:
        if not look.live:
            st.markdown(say("surgeon.race.gone"))
    else:
        found = look.result
        st.html(
            f"{claims_words.tag(house.words, found.verdict)} "
            f'<span class="paili-note">{escape(_reason(house, found))}</span>'
        )
        _result(house, claim, found, "live")


def _stop(job: str) -> None:
    jobs.runner().cancel(job)


def _lessons(house: House, claim: Claim) -> None:
    """Draw the ways to the lessons that are built on a claim."""
    query = {session.LANG: house.lang, session.RULES: house.rules}
    for one in map(lessons.load, lessons.lesson_ids()):
        if claim.id in one.claims:
            label = house.words.say("claims.lesson", title=lessons.told(one.title, house.lang))
            asked = {**query, "lesson": one.id}
            st.page_link("pages/course.py", label=shell.plain(label), query_params=asked)
