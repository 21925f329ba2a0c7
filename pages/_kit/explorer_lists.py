"""The other views of the explorer: all plays of a hand, how often kinds turn up, hub ranks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ddz_core import cards, explorer, probability
from ddz_core.errors import DdzError
from ddz_core.plots import frequency
from ddz_core.render import wording
from pages._kit import explorer_cached, explorer_foot, inputs, shell

if TYPE_CHECKING:
    from ddz_core.rules import Rules
    from pages._kit.shell import House

SHOWN = 2_000
"""Plays listed on the page; the file holds all."""


def plays(house: House, rules: Rules, entry: inputs.Entry) -> None:
    """Draw all plays of the hand: filtered, counted by kind, listed, and as a file."""
    say = house.words.say
    if not entry.cards:
        st.markdown(say("explorer.plays.none"))
        return
    every = explorer.plays(entry.cards, rules)
    with st.container(border=True, key="panel_plays"):
        kinds = list(dict.fromkeys(move.kind for move in every))
        chosen = st.pills(
            say("explorer.plays.kinds"),
            kinds,
            selection_mode="multi",
            format_func=lambda kind: say(f"kind.{kind}"),
            key="w_plays_kinds",
        )
        with st.container(horizontal=True, gap="medium"):
            holding = st.text_input(
                say("explorer.plays.holding"), key="w_plays_holding", max_chars=60, width=260
            )
            beat = st.text_input(
                say("explorer.plays.beat"), key="w_plays_beat", max_chars=60, width=260
            )
        try:
            found = explorer.plays(
                entry.cards, rules, kinds=chosen or (), holding=holding.strip(), beat=beat.strip()
            )
        except DdzError as error:
            shell.refuse(error)
            return
        sets = len({move.hand for move in found})
        st.html(
            f'<p class="paili-head">{escape(say("explorer.plays.head", n=len(found)))} '
            f'<span class="paili-note">{escape(say("explorer.plays.sets", n=sets))}</span></p>'
        )
        if not found:
            st.markdown(say("explorer.plays.empty"))
            return
        by_kind: dict[str, list[int]] = {}
        for move in found:
            by_kind.setdefault(move.kind, []).append(move.hand)
        st.html(
            explorer_foot.table(
                [
                    say("explorer.col.kind"),
                    say("explorer.col.plays"),
                    say("explorer.col.sets"),
                ],
                [
                    [say(f"kind.{kind}"), str(len(group)), str(len(set(group)))]
                    for kind, group in by_kind.items()
                ],
                strong=1,
            )
        )
        rows = [_worded(house, row) for row in explorer.rows(found)]
        st.dataframe(rows[:SHOWN], hide_index=True, width="stretch", height=320)
        if len(rows) > SHOWN:
            explorer_foot.note(say("explorer.plays.short", n=SHOWN))
        given = [f"kinds={list(chosen)!r}"] if chosen else []
        given += [f"holding={holding.strip()!r}"] if holding.strip() else []
        given += [f"beat={beat.strip()!r}"] if beat.strip() else []
        call = ", ".join([repr(entry.cards), "rules", *given])
        lines = [
            f"moves = explorer.plays({call})",
            "print(len(moves), explorer.frame(moves, rules))",
        ]
        explorer_foot.foot(house, "plays", rows, explorer.code_lines(rules, *lines))


def _worded(house: House, row: dict[str, object]) -> dict[str, object]:
    say = house.words.say
    return {
        say(f"explorer.col.{name}"): (say(f"kind.{value}") if name == "kind" else value)
        for name, value in row.items()
    }


def often(house: House, rules: Rules) -> None:
    """Draw how often each kind turns up in hands as dealt and with the bottom cards."""
    say, spec = house.words.say, rules.ruleset.deal
    most = cards.size_of(rules.ruleset.deck_cards)
    with st.container(border=True, key="panel_often"):
        st.html(f'<p class="paili-head">{escape(say("explorer.often.head"))}</p>')
        usual = sorted({spec.hand, spec.hand + spec.bottom})
        key = "w_often_sizes"
        choices = sorted({*range(5, min(most, spec.hand + spec.bottom) + 1, 1), *usual})
        sizes = st.multiselect(
            say("explorer.often.sizes"), choices, default=usual, key=key, max_selections=4
        )
        if not sizes:
            sizes = usual
        rows = explorer_cached.frequencies(rules.id, house.overrides, tuple(sorted(sizes)))
        figure = frequency.figure(
            rows,
            name=lambda kind: say(f"kind.{kind}"),
            size=lambda n: say("explorer.often.size", n=n),
            theme="dark" if house.dark else "light",
        )
        st.html(
            '<p class="paili-note">'
            + " · ".join(
                f"{sign} {escape(say('explorer.often.size', n=n))}"
                for sign, n in zip("○●◆■", sorted(sizes), strict=False)
            )
            + "</p>"
        )
        st.plotly_chart(
            figure,
            theme=None,
            key="w_often_plot",
            config={"displayModeBar": False},
            alt=say("explorer.often.head"),
        )
        ladder = [step.id for step in rules.ruleset.ladder_in_force()]
        if ladder:
            n = max(sizes)
            chance = probability.frequency(ladder, n, rules)
            ids = say("table.and").join(dict.fromkeys(say(f"kind.{step}") for step in ladder))
            read = say("explorer.often.read", n=n, k=round(100 * chance.value), ids=ids)
            st.markdown(read)
        sampled = [row for row in rows if row["method"] == "sampled"]
        table = [
            {
                say("explorer.col.kind"): say(f"kind.{row['kind']}"),
                say("explorer.col.size"): row["cards"],
                say("explorer.often.chance"): round(100 * float(str(row["chance"])), 4),
                say("explorer.often.low"): round(100 * float(str(row["low"])), 4),
                say("explorer.often.high"): round(100 * float(str(row["high"])), 4),
                say("explorer.often.mean"): round(float(str(row["mean"])), 4),
                say("explorer.often.method"): say(f"app.foot.{row['method']}"),
            }
            for row in rows
        ]
        explorer_foot.foot(
            house,
            "often",
            table,
            explorer.code_lines(
                rules,
                f"for row in explorer.frequencies(rules, {sorted(sizes)!r}):",
                "    print(row)",
            ),
            method="sampled" if sampled else "exact",
            n=int(str(sampled[0]["n"])) if sampled else 0,
            seed=int(str(sampled[0]["seed"])) if sampled else None,
        )


def hubs(house: House, rules: Rules) -> None:
    """Draw the smallest sets of ranks that every chain of a kind and length needs."""
    say = house.words.say
    chains = explorer.chains(rules)
    if not chains:
        st.markdown(say("explorer.nochains"))
        return
    with st.container(border=True, key="panel_hubs"):
        st.html(f'<p class="paili-head">{escape(say("explorer.hubs.head"))}</p>')
        kind = st.segmented_control(
            say("explorer.hubs.kind"),
            list(chains),
            default=next(iter(chains)),
            format_func=lambda kind: say(f"kind.{kind}"),
            required=True,
            wrap=True,
            key="w_hub_kind",
        )
        kind = kind if kind in chains else next(iter(chains))
        length = st.segmented_control(
            say("explorer.hubs.length"),
            chains[kind],
            default=chains[kind][0],
            required=True,
            wrap=True,
            key=f"w_hub_length_{kind}",
        )
        length = int(length or chains[kind][0])
        sets = probability.hub_ranks(kind, rules, length)
        best = "7T" if "7T" in sets else sets[0]
        picked = st.pills(
            say("explorer.hubs.pick", n=len(sets)),
            sets,
            format_func=lambda ranks: " · ".join(
                wording.rank_label(house.words, rank) for rank in ranks
            ),
            default=best,
            key=f"w_hub_set_{kind}_{length}",
        )
        picked = picked if picked in sets else best
        bodies = explorer.chain_bodies(rules, kind, length)
        explorer_foot.scroll(say("explorer.view.hubs"), _grid(house, bodies, picked))
        ranks = say("table.and").join(wording.rank_label(house.words, rank) for rank in picked)
        st.markdown(say("explorer.hubs.read", n=len(bodies), ranks=ranks))
        rows = [{say("explorer.col.ranks"): " ".join(ranks)} for ranks in sets]
        lines = [
            "from ddz_core import probability",
            "",
            f"print(probability.hub_ranks({kind!r}, rules, {length}))",
        ]
        explorer_foot.foot(house, "hubs", rows, explorer.code_lines(rules, *lines))


def _grid(house: House, bodies: list[str], picked: str) -> str:
    """Return the chains as a table: a row a chain, a column a rank, the hubs in plum."""
    ranks = "".join(dict.fromkeys("".join(bodies)))
    labels = [escape(wording.rank_label(house.words, rank)) for rank in ranks]
    head = "".join(f'<th class="off">{label}</th>' for label in labels)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td class="{"on" if rank in picked else "off"}">{label}</td>'
            if rank in chain
            else "<td></td>"
            for rank, label in zip(ranks, labels, strict=True)
        )
        + "</tr>"
        for chain in bodies
    )
    return f'<table class="paili-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
