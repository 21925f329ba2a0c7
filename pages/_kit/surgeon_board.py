"""One split of the surgeon: its groups to drag, the same as text, and a choice of other splits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

import ddz_core.render
from ddz_core import cards, surgeon
from ddz_core.errors import DdzError, HandError
from ddz_core.render import wording
from pages._kit import explorer_read, inputs, session, shell

if TYPE_CHECKING:
    from ddz_core.decompose import Splits
    from ddz_core.rules import Rules
    from ddz_core.surgeon import Group, Split
    from pages._kit.shell import House

_HERE = Path(ddz_core.render.__file__).parent
_component = st.components.v2.component(
    "paili_splitter",
    css=(_HERE / "splitter.css").read_text(encoding="utf-8"),
    js=(_HERE / "splitter.js").read_text(encoding="utf-8"),
)


SPLITS = "d"
"""Parameter of the address that carries the two splits, a bar between, once they were changed."""

LONGEST = 400
"""Most characters of it."""


def arrive() -> None:
    """Take the splits of the address into the session; those of no hand are replaced later."""
    asked = st.query_params.get(SPLITS)
    if asked is not None:
        session.put(session.SPLITS, asked[:LONGEST].replace("|", "\n"))


def current(hand: str, rules: Rules, seen: str) -> list[str]:
    """Return the two splits in force as texts; those of another hand are replaced.

    Raises:
        DdzError: if the hand cannot be split in this game.
    """
    kept = session.get(session.SPLITS).split("\n")
    if len(kept) == 2 and all(_is_of(text, hand) for text in kept):
        return kept
    made = [" ".join(split.texts) for split in surgeon.two_splits(hand, rules, seen=seen)]
    session.put(session.SPLITS, "\n".join(made))
    inputs.address(SPLITS, "")
    return made


def _is_of(text: str, hand: str) -> bool:
    try:
        return sum(map(cards.parse_cards, text.split())) == cards.parse_cards(hand)
    except DdzError:
        return False


def put(side: int, groups: list[str]) -> None:
    """Put a split in force on one side."""
    kept = session.get(session.SPLITS).split("\n")
    if len(kept) == 2:
        kept[side] = " ".join(groups)
        session.put(session.SPLITS, "\n".join(kept))
        inputs.address(SPLITS, "|".join(kept))


def side(house: House, rules: Rules, at: int, split: Split, ways: Splits) -> None:
    """Draw one side: the choice of a split, the groups, the same as text."""
    say = house.words.say
    offered = ["", *(" ".join(move.cards for move in way) for way in ways.splits)]
    offered.append(" ".join(surgeon.greedy(split.cards, rules)))
    offered = list(dict.fromkeys(offered))
    now = " ".join(split.texts)
    st.session_state[f"w_way_{at}"] = next(
        (o for o in offered if sorted(o.split()) == sorted(now.split())), ""
    )
    st.selectbox(
        say("surgeon.choose"),
        offered,
        key=f"w_way_{at}",
        format_func=lambda text: _choice(house, text),
        on_change=_chosen,
        args=(at,),
    )
    key = f"splitter_{at}"
    _component(
        key=key,
        data=_data(house, split, now),
        on_move_change=lambda: _moved(at, now),
        width="stretch",
    )
    if st.session_state.get(f"w_groups_of_{at}") != now:
        st.session_state[f"w_groups_{at}"] = now
        st.session_state[f"w_groups_of_{at}"] = now
    st.text_input(
        say("surgeon.groups"),
        key=f"w_groups_{at}",
        max_chars=200,
        help=say("surgeon.groups.help"),
        on_change=_typed,
        args=(at, split.cards),
    )
    problem = _problem(str(st.session_state[f"w_groups_{at}"]), split.cards)
    if problem is not None:
        shell.refuse(problem)


def _choice(house: House, text: str) -> str:
    if not text:
        return house.words.say("surgeon.own")
    number = len(text.split())
    return f"{number}: {' · '.join(wording.card_text(house.words, g) for g in text.split())}"


def _chosen(at: int) -> None:
    text = str(st.session_state[f"w_way_{at}"])
    if text:
        put(at, text.split())


def _problem(typed: str, hand: str) -> DdzError | None:
    """Return what is wrong with typed groups: they must be exactly the hand."""
    try:
        groups = surgeon.groups_of(typed)
        whole = sum(map(cards.parse_cards, groups))
    except DdzError as error:
        return error
    if whole == cards.parse_cards(hand):
        return None
    return HandError(
        "the groups are not the hand",
        key="error.surgeon.other",
        field="groups",
        expected=hand,
        got=cards.format_cards(whole),
    )


def _typed(at: int, hand: str) -> None:
    typed = str(st.session_state[f"w_groups_{at}"])
    if _problem(typed, hand) is None:
        put(at, surgeon.groups_of(typed))


def _moved(at: int, now: str) -> None:
    """Carry out a drag; a message about another state, or one that is none, changes nothing."""
    sent: Any = (st.session_state[f"splitter_{at}"] or {}).get("move")
    if not isinstance(sent, dict) or sent.get("seq") != now:
        return
    try:
        taken = [(int(group), str(rank)) for group, rank in sent["cards"][:60]]
        put(at, surgeon.moved(now.split(), taken, int(sent["to"])))
    except (DdzError, KeyError, TypeError, ValueError):
        return


def _data(house: House, split: Split, now: str) -> dict[str, Any]:
    """Return what the component draws: words, never rules."""
    say = house.words.say
    suits: dict[str, int] = {}
    return {
        "theme": "dark" if house.dark else "light",
        "lang": house.lang,
        "seq": now,
        "groups": [_group(house, group, suits) for group in split.groups],
        "words": {
            "groups": say("surgeon.groups"),
            "new_group": say("surgeon.new"),
            "here": say("surgeon.here"),
            "selected": say("surgeon.selected", n="{n}"),
        },
    }


def _group(house: House, group: Group, suits: dict[str, int]) -> dict[str, Any]:
    say = house.words.say
    if group.legal:
        name, state = explorer_read.title(house, group.plays[0]), str(group.safety[0])
        text = say(f"surgeon.state.{state}")
    else:
        name, state = say("surgeon.broken"), "broken"
        text = say("surgeon.state.broken", n=len(group.plays))
    shown = []
    play = group.plays[0]
    order = play.main[::-1] + play.kickers[::-1] if group.legal else group.cards[::-1]
    for rank in order:
        suit = ""
        if rank not in "XD*":
            suits[rank] = suits.get(rank, -1) + 1
            suit = cards.SUITS[suits[rank] % 4]
        label = wording.rank_label(house.words, rank)
        face = (
            say(f"table.js.joker_{'big' if rank == 'D' else 'small'}_short")
            if rank in "XD"
            else label
        )
        shown.append({"rank": rank, "text": face, "suit": suit, "label": label})
    return {"name": name, "state": state, "state_text": text, "cards": shown}
