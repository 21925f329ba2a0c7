"""Table data for the harness: states of a table, written out by hand.

The combinations of a hand are listed by the small generator here, which knows only the plain
kinds; it stands in for the engine so that the table can be tested without it.
"""

from __future__ import annotations

import copy
from collections import Counter
from itertools import combinations
from typing import Any

from ddz_core.language import words
from ddz_core.render.table_view import component_words

LOW_TO_HIGH = "3456789TJQKA2XD"
HIGH_TO_LOW = LOW_TO_HIGH[::-1]
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs", "": ""}
NAMES = {
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
    "X": "small joker",
    "D": "big joker",
}

WORDS = component_words(words("en"))
"""The words of the table as the catalogue has them."""

ZH = dict(WORDS) | {
    "table": "牌桌",
    "summary": "牌桌的文字",
    "log": "经过",
    "hand": "你的牌",
    "pass": "不出",
    "hint": "提示",
    "play": "出牌",
    "not_yet": "还不能出",
    "select_cards": "选几张牌",
    "selected_n": "已选 {n} 张",
    "selected_n_one": "已选 {n} 张",
    "clear": "取消选择",
    "sort_rank": "按大小排",
    "sort_groups": "按组排",
    "play_lead": "{name} {cards}",
    "play_beats": "{name} {cards}·压得住",
    "play_beats_short": "{name} {cards}·压得住",
    "play_nearest": "{why}最近的：{cards}",
    "waiting": "还没轮到你",
    "cards_left": "张",
    "cards_left_one": "张",
    "joker_big": "大王",
    "joker_small": "小王",
    "joker_big_short": "大王",
    "joker_small_short": "小王",
    "counter": "记牌器",
    "counter_self": "点数或输入",
    "history": "牌谱",
    "reading": "读作",
    "group_title": "含 {name} 的所有牌型",
    "close": "关闭",
}


def face(text: str, **more: Any) -> dict[str, Any]:
    """A card from ``"Qh"`` or a joker code."""
    rank, suit = text[0], text[1:]
    name = NAMES.get(rank, rank) + (f" of {SUITS[suit]}" if suit else "")
    return {"rank": rank, "suit": suit, "name": name} | more


def faces(text: str) -> list[dict[str, Any]]:
    """Cards from ``"9s 9h D"``."""
    return [face(part) for part in text.split()]


def hand_of(text: str, marked: str = "") -> list[dict[str, Any]]:
    """Hand cards with ids ``c0``, ``c1`` … in the order given."""
    marks = marked.split()
    return [
        face(part, id=f"c{i}", code=part[0]) | ({"mark": "底"} if part in marks else {})
        for i, part in enumerate(text.split())
    ]


def plays_of(
    hand: list[dict[str, Any]], follow: tuple[str, int, str] | None = None
) -> tuple[list[str], list[list[Any]]]:
    """Plain combinations of a hand as rows; ``follow`` is (kind, length, key rank) to beat."""
    count = Counter(card["code"] for card in hand)
    found: list[tuple[str, str, str, str]] = []
    ranks = [r for r in LOW_TO_HIGH if count[r]]
    for rank in ranks:
        found.append(("single", rank, "", rank))
        if count[rank] >= 2:
            found.append(("pair", rank * 2, "", rank))
        if count[rank] >= 3:
            found.append(("triple", rank * 3, "", rank))
            for other in ranks:
                if other != rank:
                    found.append(("triple + single", rank * 3, other, rank))
                    if count[other] >= 2:
                        found.append(("triple + pair", rank * 3, other * 2, rank))
        if count[rank] >= 4:
            found.append(("bomb", rank * count[rank], "", rank))
            pairs = combinations([r for r in ranks if r != rank], 2)
            found += [("four + two singles", rank * 4, "".join(pair), rank) for pair in pairs]
    for kind, width, least in (("straight", 1, 5), ("pair straight", 2, 3), ("plane", 3, 2)):
        line = LOW_TO_HIGH[:12]
        for length in range(least, 13):
            for start in range(13 - length):
                run = line[start : start + length]
                if all(count[r] >= width for r in run):
                    found.append((kind, "".join(r * width for r in run), "", run[-1]))
    if count["X"] and count["D"]:
        found.append(("rocket", "DX", "", "D"))
    names = sorted({kind for kind, *_ in found})
    rows = []
    for kind, main, kickers, key in found:
        status = "ok"
        if follow and kind not in ("bomb", "rocket"):
            want, length, high = follow
            if kind != want:
                status = "other"
            elif len(main) + len(kickers) != length:
                status = "length"
            elif LOW_TO_HIGH.index(key) <= LOW_TO_HIGH.index(high):
                status = "low"
        text = []
        if kind == "pair straight":
            text = [f"{main[:2]}–{main[-2:]}".replace("T", "10")]
        rows.append([main, kickers, names.index(kind), status, f"{kind}:{main}:{kickers}", *text])
    return names, rows


def seat(ident: int, role: str, label: str, note: str, left: int, **more: Any) -> dict[str, Any]:
    """A seat with nothing said."""
    return {
        "id": ident,
        "role": role,
        "label": label,
        "note": note,
        "left": left,
        "alarm": None,
        "said": None,
        "to_act": False,
        "hand": None,
    } | more


def word(text: str) -> dict[str, Any]:
    """A last action that is a word."""
    return {"main": [], "kickers": [], "text": text}


def cells(unseen: dict[str, int], copies: int = 4, zh: bool = False) -> list[dict[str, Any]]:
    """Cells of a counter that is shown."""
    out = []
    for code in HIGH_TO_LOW:
        most = copies // 4 if code in "XD" else copies
        label = {"T": "10", "D": "大" if zh else "Bg", "X": "小" if zh else "sm"}.get(code, code)
        out.append(
            {
                "code": code,
                "label": label,
                "name": NAMES.get(code, code),
                "count": unseen[code],
                "copies": most,
                "all_out": unseen[code] == most and code not in "XD",
            }
        )
    return out


UNSEEN = dict(zip(HIGH_TO_LOW, (0, 1, 2, 2, 1, 0, 3, 1, 1, 0, 2, 2, 2, 1, 1), strict=True))
MINE = "D 2s 2h Ad Ks Kd Qs Qh Qc Ts Th 7h 6c 5s 4c 3d 3c"
TWENTY = "D X 2s 2h Ad Ks Kd Kc Qs Jh Ts 9h 8s 8d 7h 6c 5s 4c 3d 3c"
THIRTY = (
    "D D X 2s 2h 2h Ad Ac Ks Kh Kd Qs Qc Js Jh Jc Th Td "
    "9s 9h 8s 8d 8c 7s 7s 7h 7d 7c 7c 6h 5s 5d 4c"
)


def history(zh: bool) -> dict[str, Any]:
    """A pad with two rounds."""

    def cell(text: str, kind: str = "play", at: int | None = 0, **more: Any) -> dict[str, Any]:
        return {"text": text, "kind": kind, "at": at} | more

    no = "不出" if zh else "pass"
    return {
        "title": "牌谱" if zh else "History",
        "caption": "第 2 轮" if zh else "Trick 2",
        "columns": [
            {"role": "landlord", "label": "地主" if zh else "Landlord"},
            {"role": "after", "label": "你" if zh else "You"},
            {"role": "before", "label": "上家" if zh else "Before"},
        ],
        "rows": [
            {"no": "1", "cells": [cell("34567"), cell(no, "pass", 1), cell("10JQKA", "play", 2)]},
            {
                "no": "",
                "cells": [
                    cell("8888", "play", 3, win=True, note="炸" if zh else "bomb"),
                    cell(no, "pass", 4),
                    cell(no, "pass", 5),
                ],
            },
            {
                "no": "2",
                "cells": [cell("999+4", "play", 6), cell("…", "now", None), cell("", "none", None)],
            },
        ],
        "tools": [
            {"kind": "undo", "label": "悔一步" if zh else "Take back"},
            {"kind": "branch", "label": "分支" if zh else "Branch"},
        ],
    }


def ladder(opened: int, zh: bool) -> dict[str, Any]:
    """A hint ladder with the first rungs open."""
    if zh:
        rungs: list[dict[str, Any]] = [
            {
                "title": "能出什么",
                "short": "能出",
                "lead": "三带一 10 种",
                "lines": ["都是 QQQ 带一张；炸弹、火箭没有。也可以不出。"],
            },
            {
                "title": "候选",
                "short": "候选",
                "table": {
                    "head": ["候选", "之后剩几手", "外面谁能压"],
                    "rows": [
                        {"cells": ["QQQ+3", "6", "无"], "cards": "QQQ3"},
                        {"cells": ["QQQ+7", "9", "无"], "cards": "QQQ7"},
                        {"cells": ["不出", "7", "–"]},
                    ],
                },
            },
            {
                "title": "理由",
                "short": "理由",
                "lines": [
                    "外面 K 剩 1、A 剩 2、2 剩 2：凑不出更大的三张",
                    "没有四张全在外的牌：炸弹 0；大王在你手，火箭不成",
                    "带 7 要拆 34567，多 3 手",
                ],
            },
            {
                "title": "答案",
                "short": "答案",
                "lead": "QQQ+3",
                "lines": ["出完剩 6 手，外面压不住。"],
                "note": "先自己决定？",
                "button": "看答案",
                "suggest": ["c6", "c7", "c8", "c16"],
            },
        ]
    else:
        rungs = [
            {
                "title": "What is legal",
                "short": "Legal",
                "lead": "10 triples + single",
                "lines": ["All QQQ with one card. No bomb, no rocket. Passing is legal too."],
            },
            {
                "title": "Candidates",
                "short": "Options",
                "table": {
                    "head": ["Candidate", "turns left", "can be beaten by"],
                    "rows": [
                        {"cells": ["QQQ+3", "6", "none"], "cards": "QQQ3"},
                        {"cells": ["QQQ+7", "9", "none"], "cards": "QQQ7"},
                        {"cells": ["Pass", "7", "–"]},
                    ],
                },
            },
            {
                "title": "Reasons",
                "short": "Reasons",
                "lines": [
                    "Unseen: one K, two As, two 2s. No higher triple exists",
                    "No rank has four unseen: no bombs. You hold the big joker: no rocket",
                    "Kicker 7 breaks 34567: three turns more",
                ],
            },
            {
                "title": "Answer",
                "short": "Answer",
                "lead": "QQQ+3",
                "lines": ["Six turns left after it, and nothing unseen beats it."],
                "note": "Decide first?",
                "button": "Show it",
                "suggest": ["c6", "c7", "c8", "c16"],
            },
        ]
    for i, rung in enumerate(rungs):
        rung["open"] = i < opened
        rung.setdefault("note", "先自己决定？" if zh else "Decide first?")
        rung.setdefault("button", "看" if zh else "Show it")
    return {"rungs": rungs, "at": max(0, opened - 1)}


def follow(theme: str = "light", lang: str = "en") -> dict[str, Any]:
    """The mock-up's position: 999+4 to beat, seventeen cards in hand."""
    zh = lang.startswith("zh")
    hand = hand_of(MINE)
    names, plays = plays_of(hand, ("triple + single", 4, "9"))
    if zh:
        table = {
            "single": "单张",
            "pair": "对子",
            "triple": "三张",
            "triple + single": "三带一",
            "triple + pair": "三带二",
            "straight": "顺子",
            "pair straight": "双顺",
            "bomb": "炸弹",
            "rocket": "火箭",
            "plane": "飞机",
            "four + two singles": "四带二",
        }
        names = [table[n] for n in names]
    else:
        names = [n.capitalize() + "," for n in names]
    return {
        "game": "g7",
        "number": 7,
        "theme": theme,
        "lang": lang,
        "words": ZH if zh else dict(WORDS),
        "seats": [
            seat(
                0,
                "landlord",
                "地主" if zh else "Landlord",
                "机器人·稳健" if zh else "Bot · cautious",
                7,
                said={"main": faces("9s 9h 9c"), "kickers": faces("4s"), "text": "999+4"},
            ),
            seat(
                2,
                "before",
                "地主上家" if zh else "Before landlord",
                "机器人·抢跑·队友" if zh else "Bot · racer · partner",
                12,
                said=word("不出" if zh else "Pass"),
                short="上家·队友" if zh else "Partner",
            ),
        ],
        "me": seat(
            1,
            "after",
            "你·地主下家" if zh else "You · after landlord",
            "",
            17,
            short="你" if zh else "You",
        ),
        "hand": hand,
        "groups": [
            ["c0"],
            ["c1", "c2"],
            ["c3"],
            ["c4", "c5"],
            ["c6", "c7", "c8", "c15"],
            ["c9", "c10"],
            ["c11", "c12", "c13", "c14", "c16"],
        ],
        "bottom": {
            "cards": [*faces("As Jd"), face("6d", gone=True)],
            "text": "底牌·6 已出" if zh else "Bottom cards · 6 played",
        },
        "sum": {
            "terms": [
                {"text": "叫 3" if zh else "Bid 3"},
                {
                    "text": "炸弹 8888 翻倍" if zh else "bomb 8888 ×2",
                    "short": "炸弹 2" if zh else "bomb 2",
                },
            ],
            "result": "每家 6 分" if zh else "6 a farmer",
        },
        "switches": [
            {
                "key": "counter",
                "label": "记牌器" if zh else "Counter",
                "value": "shown",
                "options": [
                    {"value": "off", "label": "关" if zh else "off"},
                    {"value": "self", "label": "自己记" if zh else "self"},
                    {"value": "shown", "label": "显示" if zh else "shown"},
                ],
            },
            {"key": "open", "label": "明牌" if zh else "Open hands", "value": False},
        ],
        "seed": "种子 7" if zh else "Seed 7",
        "to_beat": {
            "seat": 0,
            "main": faces("9s 9h 9c"),
            "kickers": faces("4s"),
            "tab": "要压过：三带一·9" if zh else "To beat: triple + single, 9s",
        },
        "counter": {
            "level": "shown",
            "cells": cells(UNSEEN, zh=zh),
            "total": "未见 19 张" if zh else "19 unseen",
        },
        "phase": {
            "kind": "play",
            "turn": "轮到你" if zh else "Your turn",
            "mine": True,
            "hint": True,
            "can_pass": True,
            "must_lead": False,
            "buttons": [],
            "names": names,
            "plays": plays,
            "reasons": {
                "none": "不成牌型。" if zh else "Not a combination.",
                "other": "要三带一。" if zh else "Needs triple + single.",
                "low": "不够大。" if zh else "Too low.",
                "length": "张数不同。" if zh else "Another length.",
            },
        },
        "history": history(zh),
        "guide": None,
        "ladder": ladder(3, zh),
        "result": None,
        "replay": None,
        "messages": [],
        "summary": [
            "To beat: triple and single, nines, by the landlord.",
            "Your turn.",
            "Your hand: big joker, two 2s, ace, two kings, three queens, two 10s, 7 to 4, two 3s.",
            "Cards left: landlord 7, before landlord 12, you 17.",
            "Bottom cards: ace, jack, 6 (played).",
            "Bid 3, one bomb: 6 a farmer.",
        ],
        "log": [
            {"n": 1, "text": "Landlord plays triple + single, 999+4."},
            {"n": 2, "text": "Before landlord passes."},
        ],
        "save": [],
        "want_restore": None,
    }


def lead20(theme: str = "light", lang: str = "en") -> dict[str, Any]:
    """The landlord leads from twenty cards, three of them from the bottom."""
    data = follow(theme, lang)
    zh = lang.startswith("zh")
    hand = hand_of(TWENTY, "Ad Jh 6c")
    names, plays = plays_of(hand)
    data |= {
        "game": "g20",
        "number": 1,
        "hand": hand,
        "groups": [],
        "to_beat": None,
        "ladder": None,
        "history": None,
    }
    data["seats"] = [
        seat(
            2, "before", "上家" if zh else "Before landlord", "机器人" if zh else "Bot · racer", 17
        ),
        seat(
            1, "after", "下家" if zh else "After landlord", "机器人" if zh else "Bot · cautious", 17
        ),
    ]
    data["me"] = seat(
        0,
        "landlord",
        "你·地主" if zh else "You · landlord",
        "",
        20,
        short="你·地主" if zh else "You",
    )
    data["bottom"] = {"cards": faces("Ad Jh 6c"), "text": "底牌" if zh else "Bottom cards"}
    data["phase"] |= {
        "names": names,
        "plays": plays,
        "can_pass": False,
        "must_lead": True,
        "turn": "你先出" if zh else "You lead",
    }
    data["phase"]["reasons"]["pass"] = "首家要出牌。" if zh else "The leader must play."
    data["sum"] = {
        "terms": [{"text": "叫 3" if zh else "Bid 3"}],
        "result": "每家 3 分" if zh else "3 a farmer",
    }
    return data


def decks(theme: str = "light", lang: str = "en") -> dict[str, Any]:
    """Four players, two decks, thirty-three cards."""
    data = lead20(theme, lang)
    hand = hand_of(THIRTY)
    names, plays = plays_of(hand)
    unseen = dict(zip(HIGH_TO_LOW, (0, 1, 5, 6, 5, 6, 5, 6, 6, 5, 2, 7, 6, 7, 8), strict=True))
    data |= {
        "game": "g33",
        "hand": hand,
        "bottom": {"cards": [], "text": "Eight bottom cards stay hidden"},
    }
    data["seats"] = [
        seat(3, "before", "Before", "Bot · cautious", 25),
        seat(2, "farmer", "Across", "Bot · cautious", 25),
        seat(1, "after", "After", "Bot · racer", 25),
    ]
    data["me"] |= {"left": 33}
    data["phase"] |= {"names": names, "plays": plays}
    data["counter"] = {"level": "shown", "cells": cells(unseen, 8), "total": "75 unseen"}
    return data


def five(theme: str = "light", lang: str = "en") -> dict[str, Any]:
    """Five seats, nobody's side known, a long straight to beat."""
    data = follow(theme, lang)
    data["game"] = "g5"
    data["seats"] = [
        seat(4, "unknown", "Seat 5", "Bot", 20, said=word("Pass")),
        seat(
            3,
            "unknown",
            "Seat 4",
            "Bot",
            13,
            said={"main": faces("7s 8s 9s Ts Js Qs Ks"), "kickers": [], "text": "78910JQK"},
        ),
        seat(
            2,
            "landlord",
            "Landlord",
            "Bot",
            1,
            alarm="1 card left",
            said={"main": faces("5s 6s 7s 8s 9s Ts Js"), "kickers": [], "text": "5678910J"},
        ),
        seat(
            0, "unknown", "Seat 1", "Bot", 2, alarm="2 cards left", said=word("Pass"), to_act=True
        ),
    ]
    data["to_beat"] = {
        "seat": 3,
        "main": faces("7s 8s 9s Ts Js Qs Ks"),
        "kickers": [],
        "tab": "To beat: straight of 7, K",
    }
    data["phase"] |= {
        "kind": "watch",
        "mine": False,
        "turn": "Seat 1 is thinking",
        "hint": False,
        "can_pass": False,
        "plays": [],
    }
    data["history"]["columns"] = [{"role": "unknown", "label": f"Seat {i}"} for i in range(1, 6)]
    for row in data["history"]["rows"]:
        row["cells"] = row["cells"] + row["cells"][:2]
    data["ladder"] = None
    return data


def bidding(theme: str = "light", lang: str = "en") -> dict[str, Any]:
    """The auction, with the guided panel."""
    data = follow(theme, lang)
    zh = lang.startswith("zh")
    data |= {"game": "gb", "number": 2, "to_beat": None, "ladder": None}
    data["bottom"] = {
        "cards": [None, None, None],
        "text": "底牌·暗" if zh else "Bottom cards · face down",
    }
    data["sum"] = {"terms": [], "result": ""}
    data["seats"][0] |= {
        "role": "unknown",
        "label": "左家" if zh else "Left",
        "left": 17,
        "said": word("叫 1" if zh else "Bid 1"),
    }
    data["seats"][1] |= {
        "role": "unknown",
        "label": "右家" if zh else "Right",
        "short": None,
        "left": 17,
        "said": None,
    }
    data["me"] |= {"role": "unknown", "label": "你" if zh else "You"}
    data["history"]["rows"] = []
    data["phase"] |= {
        "kind": "choice",
        "turn": "轮到你叫" if zh else "Your bid",
        "buttons": [
            {"kind": "choice", "value": 0, "label": "不叫" if zh else "No bid"},
            {
                "kind": "choice",
                "value": 1,
                "label": "叫 1" if zh else "Bid 1",
                "disabled": True,
                "note": "已有人叫" if zh else "taken",
            },
            {"kind": "choice", "value": 2, "label": "叫 2" if zh else "Bid 2"},
            {"kind": "choice", "value": 3, "label": "叫 3" if zh else "Bid 3", "primary": True},
        ],
    }
    data["guide"] = {
        "title": "叫牌" if zh else "The auction",
        "step": "1 / 5",
        "text": [
            "谁叫得最高，谁当地主，拿三张底牌，一人打两家。"
            if zh
            else "The highest bid becomes landlord, takes the bottom cards and plays against two."
        ],
        "buttons": [{"kind": "guide", "value": "next", "label": "下一步" if zh else "Next"}],
    }
    return data


def alarm(theme: str = "light", lang: str = "en") -> dict[str, Any]:
    """The landlord has two cards left; the person's own play is the one to beat."""
    data = follow(theme, lang)
    zh = lang.startswith("zh")
    data["number"] = 30
    data["seats"][0] |= {
        "left": 2,
        "alarm": "只剩 2 张" if zh else "2 cards left",
        "said": None,
        "to_act": True,
    }
    data["seats"][1] |= {"left": 1, "alarm": "只剩 1 张" if zh else "1 card left"}
    data["to_beat"] = {
        "seat": 1,
        "main": faces("Qs Qh Qc"),
        "kickers": faces("3c"),
        "tab": "三带一·Q" if zh else "Triple + single, Qs",
    }
    data["hand"] = [card for card in data["hand"] if card["id"] not in ("c6", "c7", "c8", "c16")]
    data["me"] |= {
        "left": 13,
        "said": {"main": faces("Qs Qh Qc"), "kickers": faces("3c"), "text": "QQQ+3"},
    }
    data["phase"] |= {
        "kind": "watch",
        "mine": False,
        "turn": "地主在想" if zh else "Landlord is thinking",
        "hint": False,
        "can_pass": False,
    }
    data["ladder"] = None
    return data


def over(theme: str = "light", lang: str = "en") -> dict[str, Any]:
    """The end: all hands open, the score step by step, the replay controls."""
    data = follow(theme, lang)
    zh = lang.startswith("zh")
    data |= {"number": 41, "to_beat": None, "ladder": None, "hand": hand_of("3d"), "groups": []}
    data["seats"][0] |= {"hand": faces("As Ad 6d 5s 5h 4d 4c"), "said": None}
    data["seats"][1] |= {"hand": faces("X 2d 2c Ah Kc Jd Jh Js 9d 7s 6s 4h"), "said": None}
    data["me"] |= {"left": 1}
    data["phase"] |= {
        "kind": "over",
        "mine": False,
        "hint": False,
        "turn": "农民赢" if zh else "Farmers win",
        "plays": [],
        "buttons": [
            {"kind": "deal", "label": "再来一局" if zh else "Deal again", "primary": True},
            {
                "kind": "seat",
                "value": 1,
                "label": "同一副牌换座位" if zh else "Same deal, next seat",
            },
        ],
    }
    data["result"] = {
        "title": "农民赢，每家 6 分" if zh else "The farmers win 6 each",
        "steps": [
            {"label": "叫 3" if zh else "Bid 3", "value": "3"},
            {"label": "炸弹 8888" if zh else "Bomb 8888", "value": "× 2"},
            {"label": "每家" if zh else "A farmer", "value": "6"},
        ],
        "points": [
            {
                "role": "landlord",
                "label": "地主" if zh else "Landlord",
                "text": "−12",
                "verdict": "bad",
            },
            {"role": "after", "label": "你" if zh else "You", "text": "+6", "verdict": "good"},
            {
                "role": "before",
                "label": "上家" if zh else "Before landlord",
                "text": "+6",
                "verdict": "good",
            },
        ],
        "buttons": [{"kind": "page", "value": "review", "label": "复盘" if zh else "Review"}],
    }
    data["replay"] = {"at": 41, "last": 41, "text": "第 41 手" if zh else "Move 41 of 41"}
    return data


def with_ladder(opened: int, theme: str = "light", lang: str = "en") -> dict[str, Any]:
    """The follow position with so many rungs open."""
    data = follow(theme, lang)
    data["ladder"] = ladder(opened, lang.startswith("zh"))
    return data


def changed(data: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A deep copy with some top-level values replaced."""
    return copy.deepcopy(data) | more
