"""The rule bot's choice of a play, and whole deals played between rule bots.

Layer 0. The bot scores every legal play by countable quantities with visible weights and takes the
best; nothing is sampled, and nothing is read but what one seat may know. The same kernel serves a
single choice and whole deals, so both make the same moves.

A *view* is what a seat knows besides cards, as ``int64`` words::

    0 seats   1 own seat   2 seat that owns the play to beat, -1 to lead   3 code to beat
    4 1 where no enemy may play a bomb any more, else 0
    5 receives the number of plays that were scored
    8+s cards left of seat s   16+s 1 where s is known to play on the same side, else 0

*Prices* say what a card is worth for getting the lead later; they stand behind the weights.
"""

# kernels read like the formulas of the layout, whose vectors are named T, W, C and K
# ruff: noqa: N803

from __future__ import annotations

import numpy as np

from ddz_core.kernels.bits import LOW, Count, Vector, Word, ctpop, cttz, jit, pointer
from ddz_core.kernels.masks import holds, number_of
from ddz_core.kernels.plain import NO_LIMIT, answers_at, can_beat_at, leads_at
from ddz_core.kernels.turns import turns_cached
from ddz_core.kernels.wild_call import WILD

VIEW = 32
"""Words of a view."""

NAMES = (
    "lead_turns",
    "lead_cards",
    "lead_low",
    "lead_price",
    "lead_safe",
    "lead_bomb",
    "lead_danger",
    "lead_feed",
    "answer",
    "answer_turns",
    "answer_low",
    "answer_price",
    "answer_safe",
    "answer_bomb",
    "answer_short",
    "answer_last",
    "over",
    "over_turns",
    "over_price",
    "over_short",
    "over_block",
    "tear",
    "finish",
    "bomb_short",
)
"""The weights in the order of the vector; see :class:`ddz_core.bots.rule.Parameters`."""
(
    _LEAD_TURNS,
    _LEAD_CARDS,
    _LEAD_LOW,
    _LEAD_PRICE,
    _LEAD_SAFE,
    _LEAD_BOMB,
    _LEAD_DANGER,
    _LEAD_FEED,
    _ANSWER,
    _ANSWER_TURNS,
    _ANSWER_LOW,
    _ANSWER_PRICE,
    _ANSWER_SAFE,
    _ANSWER_BOMB,
    _ANSWER_SHORT,
    _ANSWER_LAST,
    _OVER,
    _OVER_TURNS,
    _OVER_PRICE,
    _OVER_SHORT,
    _OVER_BLOCK,
    _TEAR,
    _FINISH,
    _BOMB_SHORT,
) = range(len(NAMES))
PRICES = 32
"""Where the prices of the sixteen lanes begin among the weights."""
WEIGHTS = 48

ROOM = 32768
"""Places that ``C``, ``K`` and ``X`` must have."""
_ROOM, _SCRATCH = ROOM, 8192
_FORMS, _EXACT = 1088, 1344
_0, _1, _2, _3, _4, _15 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 15))
_HIGH = np.uint64(0xFFFFFFFF00000000)
_NEVER, _WINS = -1.0e30, 1.0e30


@jit
def _price(G: Vector, go: Count, cards: Word) -> float:
    """Return the summed prices of cards."""
    total = 0.0
    rest = cards & _HIGH
    while rest:
        lane = cttz(rest) >> 2
        shift = np.uint64(4 * lane)
        count = np.int64((rest >> shift) & _15)
        total += G[go + PRICES + lane] * count
        rest &= ~(_15 << shift)
    return total


@jit
def bombs_in(T: Vector, hand: Word) -> Count:
    """Return how many ranks make a bomb, and exact sets are held."""
    size = np.int64(T[3])
    found = 0
    a, b, c, d = hand, hand >> _1, hand >> _2, hand >> _3
    if size == 4:
        found = ctpop((c | d) & LOW)
    elif size == 5:
        found = ctpop(((c & (a | b)) | d) & LOW)
    for i in range(np.int64(T[1])):
        if holds(hand, T[_EXACT + 2 * i]):
            found += 1
    if hand & T[WILD]:
        # each wild may complete a bomb with what is held of one rank
        wilds = number_of(hand & T[WILD])
        a, b = hand & ~T[WILD], (hand & ~T[WILD]) >> _1
        three = a & b & ~(a >> _2) & ~(a >> _3) & LOW
        soft = min(ctpop(three), wilds)
        left = wilds - soft
        two = b & ~a & ~(a >> _2) & ~(a >> _3) & LOW
        found += soft + min(ctpop(two), left // 2)
        if soft == 0 and ctpop(two) == 0 and wilds >= 3:
            found += 1
    return found


@jit
def _top(T: Vector, code: Count) -> Count:
    """Return how high a main part is: the place of its top in its order, 14 for an exact set."""
    return (code >> 12) & 15 if T[_FORMS + ((code >> 16) & 0x3FF)] else np.int64(14)


@jit
def is_safe(
    T: Vector,
    W: Vector,
    unseen: Word,
    number: Count,
    code: Count,
    C: Vector,
    K: Vector,
    pos: Count,
    most: Count,
    bombs_out: Count,
    limit: Count,
) -> bool:
    """Tell whether no enemy can beat a play of ``number`` cards, as far as can be counted."""
    if code >> 26 == 0 and most < number and bombs_out == 0:
        return True
    return not can_beat_at(T, W, unseen, code, limit, C, K, pos, _ROOM)


@jit
def runs_out(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    hand: Word,
    turns: Count,
    unseen: Word,
    most: Count,
    bombs_out: Count,
    limit: Count,
    C: Vector,
    K: Vector,
    pos: Count,
) -> bool:
    """Tell whether a leader with one to three plays left has them all safe but the last.

    The plays that leave fewest are tried; false means that no such order was found.
    """
    if turns == 1:
        return True
    if turns > 3:
        return False
    end = leads_at(T, W, hand, C, K, pos, _ROOM)
    if end > _ROOM - _SCRATCH:
        return False
    for i in range(pos, end):
        rest = hand - C[i]
        if rest == _0:
            return True
        left = turns_cached(P, S, Q, rest, True)
        if left >= turns or not is_safe(
            T, W, unseen, number_of(C[i]), np.int64(K[i]), C, K, end, most, bombs_out, limit
        ):
            continue
        if left == 1:
            return True
        last = leads_at(T, W, rest, C, K, end, _ROOM)
        if last > _ROOM - _SCRATCH:
            return False
        for j in range(end, last):
            if C[j] == rest or (
                turns_cached(P, S, Q, rest - C[j], True) == 1
                and is_safe(
                    T,
                    W,
                    unseen,
                    number_of(C[j]),
                    np.int64(K[j]),
                    C,
                    K,
                    last,
                    most,
                    bombs_out,
                    limit,
                )
            ):
                return True
    return False


@jit
def choose_at(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    go: Count,
    V: Vector,
    hand: Word,
    unseen: Word,
    limit: Count,
    C: Vector,
    K: Vector,
    X: Vector,
) -> Count:
    """Return the place in ``C``, ``K`` of the play chosen, or -1 to pass; pointers.

    ``P, S, Q`` plan, work space and cache of the turn count; ``G`` weights and prices, from
    place ``go``; ``V`` view;
    ``unseen`` what the other hands hold together. ``X`` gets the score of every play listed; a
    pass scores 0.
    """
    code = V[3]
    own, seats, owner = V[1], V[0], V[2]
    leading = owner < 0 or code == 0
    end = leads_at(T, W, hand, C, K, 0, _ROOM) if leading else 0
    if not leading:
        end = answers_at(T, W, hand, code, limit, C, K, 0, _ROOM)
        if end == 0:
            V[5] = 0
            return -1
    end = min(end, _ROOM - _SCRATCH)
    V[5] = end
    held = number_of(hand)
    few, most, mate = np.int64(99), np.int64(0), np.int64(99)
    for s in range(seats):
        if s == own:
            continue
        left = V[8 + s]
        if V[16 + s]:
            mate = min(mate, left)
        else:
            few = min(few, left)
            most = max(most, left)
    following = (own + 1) % seats
    mate_next = V[16 + following] != 0
    bombs = bombs_in(T, hand)
    enemy_limit = np.int64(0) if V[4] else np.int64(NO_LIMIT)
    bombs_out = np.int64(0) if V[4] else np.int64(bombs_in(T, unseen))
    now = turns_cached(P, S, Q, hand, True)
    mate_owns = (not leading) and V[16 + owner] != 0
    # whether somebody of the own side still speaks before the owner gets the lead
    alone = True
    if not leading:
        s = following
        while s != owner:
            if V[16 + s]:
                alone = False
            s = (s + 1) % seats
    best, chosen = _NEVER, -1
    if not leading:
        best = 0.0
    last_code, last_safe = np.int64(-1), False
    owner_left = V[8 + owner] if not leading else np.int64(99)
    for i in range(end):
        cards, own_code = C[i], np.int64(K[i])
        number = number_of(cards)
        if number == held:
            # whoever goes out with a bomb wins more
            X[i] = _WINS if own_code >> 26 == 0 else 2.0 * _WINS
            if X[i] > best:
                best, chosen = X[i], i
            continue
        rest = hand - cards
        step = own_code >> 26
        turns = turns_cached(P, S, Q, rest, True)
        if own_code != last_code:
            last_code = own_code
            last_safe = is_safe(
                T, W, unseen, number, own_code, C, K, end, most, bombs_out, enemy_limit
            )
        top = _top(T, own_code)
        torn = bombs - bombs_in(T, rest) - (1 if step > 0 else 0)
        price = _price(G, go, cards)
        score = -G[go + _TEAR] * max(torn, 0)
        if (
            last_safe
            and turns <= 3
            and runs_out(
                T, W, P, S, Q, rest, turns, unseen, most, bombs_out, enemy_limit, C, K, end
            )
        ):
            score += G[go + _FINISH]
        if leading:
            score -= G[go + _LEAD_TURNS] * turns
            score += G[go + _LEAD_CARDS] * number
            score -= G[go + _LEAD_LOW] * top
            score -= G[go + _LEAD_PRICE] * price
            if last_safe:
                score += G[go + _LEAD_SAFE]
            if step > 0:
                score -= G[go + _LEAD_BOMB]
            if not last_safe:
                for s in range(seats):
                    if s != own and not V[16 + s] and V[8 + s] == number:
                        score -= G[go + _LEAD_DANGER] * (1.0 + 0.08 * (14 - top))
            if mate <= 2 and number == mate:
                score += (G[go + _LEAD_FEED] if mate_next else 0.4 * G[go + _LEAD_FEED]) * (
                    1.0 - 0.06 * top
                )
        elif mate_owns:
            score += G[go + _OVER]
            score -= G[go + _OVER_TURNS] * (turns - now + 1)
            score -= G[go + _OVER_PRICE] * price
            score -= G[go + _OVER_SHORT] * max(0, 6 - owner_left)
            if step > 0:
                score -= G[go + _ANSWER_BOMB]
            if not mate_next:
                score += G[go + _OVER_BLOCK] * (top - ((code >> 12) & 15))
        else:
            score += G[go + _ANSWER]
            score -= G[go + _ANSWER_TURNS] * (turns - now + 1)
            score -= G[go + _ANSWER_LOW] * (top - ((code >> 12) & 15) if step == 0 else 0)
            score -= G[go + _ANSWER_PRICE] * price
            if last_safe:
                score += G[go + _ANSWER_SAFE]
            if step > 0:
                score -= G[go + _ANSWER_BOMB]
                score += G[go + _BOMB_SHORT] * max(0, 8 - few)
            score += G[go + _ANSWER_SHORT] * max(0, 8 - owner_left)
            if alone:
                score += G[go + _ANSWER_LAST]
            if not last_safe and few == number and step == 0:
                score -= G[go + _LEAD_DANGER] * 0.05 * (14 - top)
        X[i] = score
        if score > best:
            best, chosen = score, i
    return chosen


@jit
def choose(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    hand: Word,
    unseen: Word,
    limit: Count,
    C: Vector,
    K: Vector,
    X: Vector,
) -> Count:
    """Return the place in ``C``, ``K`` of the play chosen, or -1 to pass; arrays."""
    return choose_at(
        pointer(T),
        pointer(W),
        pointer(P),
        pointer(S),
        pointer(Q),
        pointer(G),
        0,
        pointer(V),
        hand,
        unseen,
        limit,
        pointer(C),
        pointer(K),
        pointer(X),
    )


@jit
def play_deals(
    T: Vector,
    W: Vector,
    P: Vector,
    S: Vector,
    Q: Vector,
    G: Vector,
    V: Vector,
    hands: Vector,
    landlords: Vector,
    seats: Count,
    pool: Word,
    C: Vector,
    K: Vector,
    X: Vector,
    winners: Vector,
    bombs: Vector,
) -> Count:
    """Play deals from the landlord's lead to the end; arrays. Returns the number of actions.

    ``hands`` holds ``seats`` hands a deal (the bottom already taken), one after the other, and is
    used up; ``landlords`` the landlord's seat; ``pool`` the deck, so that cards nobody holds stay
    unknown; ``G`` one vector of weights a seat, one after the other. ``winners`` gets the seat that
    went out, ``bombs`` the number of plays from the ladder. One landlord plays against all others.
    """
    t, w, p, s, q = pointer(T), pointer(W), pointer(P), pointer(S), pointer(Q)
    v, c, k, x = pointer(V), pointer(C), pointer(K), pointer(X)
    h, g = pointer(hands), pointer(G)
    actions = 0
    for d in range(len(landlords)):
        base = d * seats
        boss = np.int64(landlords[d])
        all_cards = pool
        for seat in range(seats):
            v[8 + seat] = number_of(h[base + seat])
        turn, owner, code, blasts = boss, np.int64(-1), np.int64(0), 0
        v[0], v[4] = seats, 0
        while True:
            actions += 1
            if owner == turn:
                owner, code = np.int64(-1), np.int64(0)
            own = h[base + turn]
            unseen = all_cards - own
            at = -1
            if code == 0 or can_beat_at(t, w, own, code, NO_LIMIT, c, k, 0, ROOM):
                v[1], v[2], v[3] = turn, owner, code
                for seat in range(seats):
                    v[16 + seat] = 1 if (seat == boss) == (turn == boss) else 0
                at = choose_at(t, w, p, s, q, g, turn * WEIGHTS, v, own, unseen, NO_LIMIT, c, k, x)
            if at >= 0:
                cards = c[at]
                code = np.int64(k[at])
                owner = turn
                h[base + turn] = own - cards
                all_cards -= cards
                v[8 + turn] -= number_of(cards)
                if code >> 26:
                    blasts += 1
                if v[8 + turn] == 0:
                    winners[d] = turn
                    bombs[d] = blasts
                    break
            turn = (turn + 1) % seats
    return actions
