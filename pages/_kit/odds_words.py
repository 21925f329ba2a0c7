"""Places, questions and chances in the reader's words, as every panel of the odds writes them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from ddz_core import belief, reading
from ddz_core.clauses import kind_ids
from ddz_core.render import wording
from ddz_core.render.wording import DISPLAY

if TYPE_CHECKING:
    from ddz_core.belief import Where
    from ddz_core.estimate import Estimate
    from ddz_core.reading import Seen
    from ddz_core.specs import Ruleset
    from pages._kit.shell import House

STYLE = """
.paili-place { display: flex; align-items: center; gap: .15rem .5rem; flex-wrap: wrap;
  color: %(ink)s; font-size: .9375rem; }
.paili-place b { font-size: 1rem; line-height: 28px; }
.paili-place small { font-size: .8125rem; color: %(ink2)s; flex-basis: 100%%; }
.paili-hat { display: inline-grid; place-items: center; width: 28px; height: 28px;
  border-radius: 8px; color: #14191B; flex: none; }
.paili-hat img { width: 20px; height: 20px; }
.paili-big { font-weight: 700; font-size: 2.75rem; line-height: 1.1; color: %(ink)s;
  font-variant-numeric: tabular-nums; margin: 0; }
.paili-say { color: %(ink)s; font-size: .9375rem; margin: .1rem 0; }
.paili-layouts td { padding: .3rem .25rem; vertical-align: top; }
.paili-layouts td:first-child { color: %(ink2)s; font-size: .8125rem; width: 1.6rem;
  font-variant-numeric: tabular-nums; }
.paili-layouts div { display: flex; }
.paili-layouts small { flex: none; color: %(ink2)s; font-size: .8125rem;
  min-width: 3.6rem; margin-right: .35rem; }
.paili-key { display: flex; gap: 1rem; flex-wrap: wrap; align-items: center; font-size: .8125rem;
  color: %(ink2)s; }
.paili-key i { display: inline-block; width: 22px; height: 14px; vertical-align: -2px;
  margin-right: .35rem; background: repeating-linear-gradient(135deg, %(line2)s 0 1px,
  transparent 1px 4px); }
.paili-key b { background: linear-gradient(90deg, %(ramp)s); width: 90px; height: 14px;
  display: inline-block; vertical-align: -2px; margin: 0 .35rem; border-radius: 2px; }
[class*="st-key-foot_odds"] { gap: .25rem; }
[class*="st-key-foot_odds"] button, [class*="st-key-foot_odds"] button > div { gap: 0; }
.st-key-odds_top .stMarkdown p { font-size: .875rem; color: %(ink2)s; }
"""
COLOURS = {
    False: {"ink": "#1C282D", "ink2": "#48565B", "line2": "#857D6D"}
    | {"ramp": "#FBF5F8 0, #C493B2 50%%, #8A3F6E 50%%, #4E1439 100%%"},
    True: {"ink": "#ECE7DB", "ink2": "#BCC1BB", "line2": "#71807C"}
    | {"ramp": "#1E282B 0, #6B3E5C 50%%, #C793B4 50%%, #F5E3EE 100%%"},
}

_CAP = (
    '<path d="M4.6 14.2C4.6 8.8 7.7 5.3 12 5.3s7.4 3.5 7.4 8.9z" fill="currentColor"/>'
    '<circle cx="12" cy="3.6" r="1.9" fill="currentColor"/>'
    '<path d="M9.3 14.2c0-3.6.9-6.3 2.7-8.2 1.8 1.9 2.7 4.6 2.7 8.2" fill="none" '
    'stroke="#D55E00" stroke-width="1.1"/>'
    '<path d="M3.9 15.4c5.4-1 10.8-1 16.2 0v4.2c-5.4 1-10.8 1-16.2 0z" fill="currentColor"/>'
)
_STRAW = (
    '<path d="M12 4.2c.6 0 1 .2 1.4.8l8.3 10.8c.7 1-.1 1.9-1.2 1.7-5.6-1-11.4-1-17 0-1.1.2-1.9-.7'
    '-1.2-1.7L10.6 5c.4-.6.8-.8 1.4-.8z" fill="currentColor"/>'
    '<path d="M6 20c4-.9 8-.9 12 0" fill="none" stroke="currentColor" stroke-width="1.8" '
    'stroke-linecap="round"/>'
)
_FILLS = {
    "landlord": "#D55E00",
    "after": "#56B4E9",
    "before": "#009E73",
    "farmer": "#8C9599",
    "unknown": "#8C9599",
}


def style(house: House) -> str:
    """Return the style rules of these words, for the theme in force."""
    return STYLE % {k: v.replace("%%", "%") for k, v in COLOURS[house.dark].items()}


def hat(role: str) -> str:
    """Return the badge of a role as markup."""
    fill, shape = _FILLS.get(role, _FILLS["unknown"]), _CAP if role == "landlord" else _STRAW
    picture = (
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' color='#14191B'>"
        + shape.replace('"', "'")
        + "</svg>"
    )
    return (
        f'<span class="paili-hat" style="background:{fill}">'
        f'<img alt="" src="data:image/svg+xml,{quote(picture)}"></span>'
    )


def role(seen: Seen, place: Where) -> str:
    """Return the role of a place, empty for bottom and dead cards."""
    if not isinstance(place, int):
        return ""
    return wording.role_of(place, seen.landlords, seen.seats)


def place_name(house: House, seen: Seen, place: Where) -> str:
    """Return a place in words, seats from the reader's point of view."""
    say = house.words.say
    if place == belief.ANY:
        return say("odds.place.any")
    if not isinstance(place, int):
        return say(f"odds.place.{place}")
    found = role(seen, place)
    if place == seen.odds.seat:
        return say("table.you.short")
    if found in ("landlord", "after", "before"):
        return say(f"table.role.{found}")
    if seen.seats == 3:
        return say("odds.place.next" if place == (seen.odds.seat + 1) % 3 else "odds.place.prev")
    return say("table.role.short.unknown", n=place + 1)


def place_head(house: House, seen: Seen, place: Where) -> str:
    """Return the head of a place's map as markup: badge, name, cards, what is known."""
    say = house.words.say
    more = [say("odds.cards", n=seen.odds.sizes[place])]
    if isinstance(place, int) and seen.shown.get(place):
        more.append(say("odds.known", cards=card_text(house, seen.shown[place])))
    if shown := other_known(seen, place):
        more.append(say("odds.known.other", cards=wording.card_text(house.words, shown)))
    mine, theirs = seen.odds.seat in seen.landlords, place in seen.landlords
    if isinstance(place, int) and seen.landlords and mine == theirs:
        more.append(say("odds.partner"))
    found = role(seen, place)
    badge = hat(found) if found else ""
    return (
        f'<div class="paili-place">{badge}<b>{escape(place_name(house, seen, place))}</b>'
        f"<small>{escape(' · '.join(more))}</small></div>"
    )


def other_known(seen: Seen, place: Where) -> str:
    """Return the cards known to be in a place that did not come from the bottom."""
    left = seen.odds.known(place)
    for rank in seen.shown.get(place, "") if isinstance(place, int) else "":
        left = left.replace(rank, "", 1)
    return left


def tags(house: House, seen: Seen, place: Where) -> dict[str, str]:
    """Return the tag of each rank of which cards are known to be in a place."""
    say, bottom = house.words.say, seen.shown.get(place, "") if isinstance(place, int) else ""
    found = dict.fromkeys(other_known(seen, place), say("odds.tag.other"))
    return found | {rank: say("odds.tag") for rank in bottom if rank in DISPLAY}


def card_text(house: House, text: str) -> str:
    """Return cards with suits for reading, the ranks as on cards."""
    return "".join(
        wording.rank_label(house.words, sign) if sign in DISPLAY else sign for sign in text
    )


def what_name(house: House, kinds: str) -> str:
    """Return what is asked for in words: a kind, or at least so many of a rank."""
    say = house.words.say
    if set(kinds) <= set(DISPLAY):
        return say("odds.at_least", n=len(kinds), rank=wording.rank_label(house.words, kinds[0]))
    return say("odds.or").join(say(f"kind.{kind}") for kind in kinds.split("+"))


def kinds_of(ruleset: Ruleset) -> list[str]:
    """Return what can be asked for: all bombs together first, then each bomb, then each kind."""
    ladder = list(dict.fromkeys(step.id for step in ruleset.ladder_in_force()))
    together = ["+".join(ladder)] if len(ladder) > 1 else []
    return [*together, *ladder, *(kind for kind in kind_ids(ruleset) if kind not in ladder)]


def asked(kinds: str) -> str | list[str]:
    """Return what is asked for as the core takes it."""
    return kinds.split("+") if "+" in kinds else kinds


def chance(house: House, found: Estimate) -> str:
    """Return a chance in counts, with its interval where it is sampled."""
    text = house.words.phrase(reading.in_counts(found.value))
    if found.method != "sampled":
        return text
    low, high = 100 * found.low, 100 * found.high
    return text + house.words.say("odds.interval", low=f"{low:.0f}", high=f"{high:.0f}")


def figure(value: float) -> str:
    """Return a chance in 100 as the one big figure of a panel."""
    if 0 < value < 0.01:
        return f"{100 * value:.2g}"
    return f"{100 * value:.2f}" if 0.99 < value < 1 else f"{100 * value:.0f}"
