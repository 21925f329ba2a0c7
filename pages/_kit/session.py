"""The only list of session state keys. Every value is plain text, so that a reload cannot break it.

Widgets whose key is one of these mirror the value; keys of widgets that hold nothing of
their own (buttons, popovers) are named where they stand and begin with ``w_``.
"""

from __future__ import annotations

import streamlit as st

ROUTED = "routed"
"""Set once the router has run in this session."""

LANG = "lang"
"""Language in force, a tag of :data:`ddz_core.language.LANGUAGES`; also in the address."""

RULES = "rules"
"""Id of the ruleset in force; also in the address."""

GAME = "game"
"""Record text of the game on the table; empty or absent when there is none."""

CARDS = "cards"
"""Cards under study, as typed; also in the address of the pages that study a hand."""

HOUSE_RULES = "overrides"
"""House rules in force on every page, a JSON object by dotted path; also in the address."""

REFUSED = "refused"
"""What is wrong with the house rules of the address, in the reader's words; shown once."""

PICKED = "picked"
"""Set once rules were chosen by hand: a game of other rules that the browser kept then waits."""

UNDONE = "undone"
"""Why what was asked of the forms below the table could not be done, in the reader's words."""

WANTED = "wanted"
"""House rules switched but refused so far, as JSON with the ruleset's id under the empty path."""

SPLITS = "splits"
"""The two splits compared, groups with spaces and the splits with a line break between."""

RACE = "race"
"""Id of the race that is running or was run last."""

QUIZ = "quiz"
"""Progress of the recognition quiz, the text that its file holds."""

ROUND = "round"
"""The round of the quiz that is being answered."""

READING = "reading"
"""Moment of a game set up by hand beside the cards, text of :class:`ddz_core.reading.Setup`."""

LINKED = "linked"
"""Code of a game that a link brought to the odds, and the seat looked from, a space between."""

SPREAD = "spread"
"""Id of the job that samples a spread, and what it samples, a space between."""

ANSWERS = "answers"
"""Chances stated so far, the text that their file holds."""

QUESTION = "question"
"""Number of the question that is open and the chance stated for it, a space between."""

BID = "bid"
"""The hand that is played out on the bidding page: id of the job, what was asked, deals; JSON."""

BIDS = "bids"
"""Chances stated for random hands, the text that their file holds."""

BID_ASKED = "bid_asked"
"""Number of the hand that is open in the drill, and call and chance stated for it."""

MATCH = "match"
"""The match of bots played on the ladder: id of the job, rules, the two bots, deals; JSON."""

SETUP = "setup"
"""The endgame set up on the solver page, as JSON of :class:`pages._kit.solver_state.Setup`."""

WALK = "walk"
"""How far the answer tree of that endgame is walked, or how it is being played out; JSON."""

SOLVING = "solving"
"""Id of the job that solves a position, and what it was asked, a space between."""

SOLVED = "solved"
"""Puzzles solved so far, the text that their file holds."""

TRIAL = "trial"
"""The puzzle that is being solved: its name or code, the line, hints taken; JSON."""

OWN = "own"
"""Puzzles found in a game of one's own: id of the job, the game's code; JSON."""

WRITING = "writing"
"""The lesson that a coach is writing: its source, its text; JSON."""

CLAIM_RUN = "claim_run"
"""The run of a claim beside the page: id of the job, what was asked; JSON."""

SETTING = "setting"
"""What a coach has set up: a position or a deal as typed, JSON."""

SET_CODE = "set_code"
"""The code that the set-up page took from the address last."""

LUCKFREE = "luckfree"
"""The luck-free puzzle that is open: name or code, the learner's actions; JSON."""

SEAT_IN_CLASS = "seat_in_class"
"""Side, code and secret of the room of a class that this browser holds, dots between."""

CLASS_ASKED = "class_asked"
"""The question that a coach is writing, as JSON."""

REVIEW = "review"
"""Record text of the game under review; empty or absent when there is none."""

REVIEW_JOB = "review_job"
"""The review that is being made: id of the job and what was asked, JSON."""

REVIEW_STEP = "review_step"
"""The line on the board of the review and how many of its actions are done, JSON."""

REVIEW_TRY = "review_try"
"""Mistakes being retried: places in the history, the one asked now, what was answered; JSON."""

REVIEWS = "reviews"
"""Several games under review: their records, whose play is looked at, the job; JSON."""

LESSON = "lesson_open"
"""Where the learner is in a lesson, JSON of :class:`pages._kit.lesson_state.State`."""

LEARNED = "learned"
"""Progress through the lessons, the text that its file holds."""

OWN_LESSON = "own_lesson"
"""Text of a lesson file that was opened and checked."""

MEMORY = "memory"
"""The memory drill: the game's code, the seat, how far it is shown, answers of the stop; JSON."""

REMEMBERED = "remembered"
"""How often each rank was remembered, the text that its file holds."""

KEYS = (
    *(MEMORY, REMEMBERED),
    *(LESSON, LEARNED, OWN_LESSON),
    *(SEAT_IN_CLASS, CLASS_ASKED, LUCKFREE, SETTING, SET_CODE),
    *(CLAIM_RUN, WRITING),
    *(ROUTED, LANG, RULES, GAME, CARDS, HOUSE_RULES, REFUSED, PICKED, UNDONE),
    WANTED,
    *(SPLITS, RACE, QUIZ, ROUND, READING, LINKED),
    *(SPREAD, ANSWERS, QUESTION),
    *(BID, BIDS, BID_ASKED, MATCH),
    *(REVIEW, REVIEW_JOB, REVIEW_STEP, REVIEW_TRY, REVIEWS),
    *(SETUP, WALK, SOLVING, SOLVED, TRIAL, OWN),
)
"""Every key, in the order above; a test holds the pages to it."""


def get(key: str, default: str = "") -> str:
    """Return the text kept under a key of this list."""
    value = st.session_state.get(key)
    return value if isinstance(value, str) else default


def put(key: str, value: str) -> None:
    """Keep a text under a key of this list."""
    if key not in KEYS:
        raise KeyError(f"{key!r} is not in the list of session keys")
    st.session_state[key] = value


def choose(key: str, value: str) -> None:
    """Put a language, ruleset or house rules in force, in the session and in the address."""
    put(key, value)
    if value:
        st.query_params[key] = value
    elif key in st.query_params:
        del st.query_params[key]
