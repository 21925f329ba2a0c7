"""Games as RLCard and its replays tell them: players 0 to 2, jokers ``B`` and ``R``, ``pass``.

Three forms are read: a replay (``initHands``, ``moveHistory``, ``playerInfo``; cards with suits,
``S2``, ``HT``, ``BJ``), a state with its ``trace`` of pairs (player, action) and all hands, and a
list of states or of trajectories from which every hand can be put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ddz_core.cards import SUITS
from ddz_core.errors import shortened
from ddz_core.imports import data
from ddz_core.imports.told import SEATS, Said, Told, ranks_of, wrong_field

_SUITS = {"S": SUITS[0], "H": SUITS[1], "C": SUITS[2], "D": SUITS[3]}
_JOKERS = {"BJ": "X", "RJ": "D"}
_HANDS = ("init_hands", "initial_hands", "hand_cards_with_suit", "hand_cards")


def is_game(value: object) -> bool:
    """Tell whether data is a game of this form."""
    if isinstance(value, Mapping):
        return "moveHistory" in value or "trace" in value
    return isinstance(value, (list, tuple)) and bool(_states(value))


def told(value: Any) -> Told:  # noqa: ANN401
    """Return the facts of a game given as data.

    Raises:
        RecordError: if a field is missing or cannot be read; it names the field.
    """
    if not isinstance(value, Mapping):
        return _of_states(_states(value))
    if "moveHistory" in value:
        return _replay(value)
    return _of_states([value])


def _replay(value: Mapping[str, Any]) -> Told:
    """Return the facts of a replay."""
    hands = [
        _hand(hand, f"initHands[{seat}]")
        for seat, hand in enumerate(data.sequence(value.get("initHands"), "initHands"))
    ]
    if len(hands) != SEATS:
        raise wrong_field("initHands", str(SEATS), len(hands))
    landlord, names = 0, {}
    for place, raw in enumerate(value.get("playerInfo") or ()):
        one = data.mapping(raw, f"playerInfo[{place}]")
        seat = data.whole(one.get("index", place), f"playerInfo[{place}].index", 0, SEATS - 1)
        landlord = seat if one.get("role") == "landlord" else landlord
        about = one.get("agentInfo")
        if isinstance(about, Mapping) and isinstance(about.get("name"), str):
            names[seat] = " ".join(about["name"].split())
    plays = []
    for place, raw in enumerate(data.sequence(value["moveHistory"], "moveHistory")):
        field = f"moveHistory[{place}]"
        one = data.mapping(raw, field)
        seat = data.whole(one.get("playerIdx"), f"{field}.playerIdx", 0, SEATS - 1)
        plays.append(_said(one.get("move"), seat, f"{field}.move"))
    players = ", ".join(f"{names[seat]}" for seat in sorted(names))
    return Told(
        program="rlcard",
        hands=tuple(hands),
        landlord=landlord,
        bottom=_hand(value.get("seen_cards", ""), "seen_cards"),
        plays=tuple(plays),
        headers=(("players", players),) if len(names) == SEATS and players.isprintable() else (),
    )


def _said(move: object, seat: int | None, field: str) -> Said:
    """Return one action."""
    if isinstance(move, (list, tuple)):
        move = " ".join(map(str, move))
    if not isinstance(move, str):
        raise wrong_field(field, "'pass', '3334', 'S3 H3'", move)
    if move.strip().lower() in ("pass", "p", ""):
        return Said("", seat, field, "pass")
    ranks = "".join(card for card in _hand(move, field) if card not in SUITS)
    return Said(ranks, seat, field, move)


def _hand(value: object, field: str) -> str:
    """Return cards with or without suits."""
    if isinstance(value, (list, tuple)):
        value = " ".join(map(str, value))
    if not isinstance(value, str):
        raise wrong_field(field, "'S3 H3 …', '33445…'", value)
    words = value.split()
    if not all(len(word) == 2 and (word in _JOKERS or word[0] in _SUITS) for word in words):
        return ranks_of(value, field)
    return "".join(
        _JOKERS.get(word) or _SUITS[word[0]] + ranks_of(word[1], field) for word in words
    )


# --- states --------------------------------------------------------------------------------------


def _states(value: Iterable[Any]) -> list[Mapping[str, Any]]:
    """Return the states in a list, in a list for each player, or inside ``raw_obs``."""
    found: list[Mapping[str, Any]] = []
    for one in value:
        if isinstance(one, (list, tuple)):
            found += _states(one)
        elif isinstance(one, Mapping):
            inner = one.get("raw_obs", one)
            if isinstance(inner, Mapping) and "trace" in inner:
                found.append(inner)
    return found


def _of_states(states: list[Mapping[str, Any]]) -> Told:
    """Return the facts put together from states of one game."""
    last = max(states, key=lambda state: len(data.sequence(state["trace"], "trace")))
    plays = _trace(last)
    hands: dict[int, str] = {}
    for state in states:
        for seat, hand in _known(state).items():
            hands.setdefault(seat, hand)
    seen = next((state["seen_cards"] for state in states if state.get("seen_cards")), "")
    landlord = data.whole(last.get("landlord", 0), "landlord", 0, SEATS - 1)
    return Told(
        program="rlcard",
        hands=tuple(hands.get(seat) for seat in range(SEATS)),
        landlord=landlord,
        bottom=_hand(seen, "seen_cards"),
        plays=plays,
    )


def _trace(state: Mapping[str, Any]) -> tuple[Said, ...]:
    """Return the actions of a state's trace."""
    plays = []
    for place, raw in enumerate(data.sequence(state["trace"], "trace")):
        pair = data.sequence(raw, f"trace[{place}]")
        if len(pair) != 2:
            raise wrong_field(f"trace[{place}]", "[0, '3334']", raw)
        seat = data.whole(pair[0], f"trace[{place}][0]", 0, SEATS - 1)
        plays.append(_said(pair[1], seat, f"trace[{place}][1]"))
    return tuple(plays)


def _known(state: Mapping[str, Any]) -> dict[int, str]:
    """Return the hands, as dealt, that one state tells: held now and played before."""
    played = dict.fromkeys(range(SEATS), "")
    for said in _trace(state):
        played[said.seat or 0] += said.cards
    name = next((name for name in _HANDS if isinstance(state.get(name), (list, tuple))), "")
    if name:
        held = state[name]
        if len(held) != SEATS:
            raise wrong_field(name, str(SEATS), shortened(held))
        whole = name.startswith("init")
        return {
            seat: _hand(hand, f"{name}[{seat}]") + ("" if whole else played[seat])
            for seat, hand in enumerate(held)
        }
    if "self" not in state:
        return {}
    seat = data.whole(state["self"], "self", 0, SEATS - 1)
    held = state.get("current_hand", state.get("hand", ""))
    return {seat: _hand(held, "current_hand") + played[seat]}
