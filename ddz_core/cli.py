"""The command line: one verb for each thing the core can be asked.

A door of the package. ``--json`` prints one JSON value instead of text. Bad input ends with status
2 and one sentence on standard error that names what was wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from ddz_core import (
    actions,
    bidding,
    cards,
    dealing,
    imports,
    ladder,
    record,
    rules,
    study,
    training,
)
from ddz_core.bots import match
from ddz_core.errors import DdzError, shortened
from ddz_core.game import Game
from ddz_core.lessons import command as lesson_command
from ddz_core.patterns import Combination, Move
from ddz_core.positions import Position
from ddz_core.puzzles import command as puzzle_command
from ddz_core.review import command as review_command
from ddz_core.rules import Rules
from ddz_core.shifting import command as luckfree_command
from ddz_core.solver import command as solver_command
from ddz_core.spreading import spreading


class _Parser(argparse.ArgumentParser):
    """A parser that complains in one sentence."""

    def error(self, message: str) -> NoReturn:
        """End with status 2 and the sentence."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status: 0, or 2 for bad input.

    Args:
        arguments: words after the program's name; None takes those of the process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["bench"]:
        from ddz_core import bench

        return bench.main(words[1:])
    parser = _parser()
    given = parser.parse_args(words)
    run: Callable[[argparse.Namespace], tuple[object, str]] = given.run
    try:
        plain, text = run(given)
    except DdzError as error:
        print(f"{parser.prog} {given.verb}: {error}", file=sys.stderr)
        return 2
    print(json.dumps(plain, ensure_ascii=False) if given.json else text)
    return 0


def _parser() -> _Parser:
    """Return the parser of all verbs."""
    parser = _Parser(prog="python -m ddz_core", description="Paili: Dou Dizhu by command line.")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=_Parser)

    def verb(
        name: str, run: Callable[[argparse.Namespace], tuple[object, str]], text: str
    ) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        made.add_argument("--json", action="store_true", help="print one JSON value")
        return made

    def rule_options(made: argparse.ArgumentParser) -> None:
        made.add_argument("--ruleset", default="classic", metavar="ID", help="default: classic")
        made.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="PATH=VALUE",
            help="a house rule, such as kickers.both_jokers=true",
        )

    made = verb("readings", _readings, "every combination that cards form")
    rule_options(made)
    made.add_argument("cards", metavar="CARDS")

    made = verb("moves", _moves, "every lead of a hand, or every answer to a play")
    rule_options(made)
    made.add_argument("hand", metavar="HAND")
    made.add_argument("--beat", metavar="CARDS", help="the play on the table")

    made = verb("deal", _deal, "deal from a seed")
    rule_options(made)
    made.add_argument("--seed", type=int, help="left out: a fresh one, which is printed")
    made.add_argument("--number", type=int, default=0, help="which redeal of this seed")
    made.add_argument("--suits", action="store_true", help="write suits")

    made = verb("play", _play, "let bots play whole games against each other")
    rule_options(made)
    made.add_argument(
        "--bots",
        default="rule,rule,rule",
        metavar="BOTS",
        help="one for each seat, or two for a duplicate match; parameters after colons, such as "
        "sampler:samples=200:inference=false",
    )
    made.add_argument(
        "--games", "--deals", type=int, default=100, metavar="DEALS", help="number of deals"
    )
    made.add_argument("--seed", type=int, default=1)
    made.add_argument(
        "--duplicate", action="store_true", help="two bots, each deal played in both roles"
    )
    made.add_argument(
        "--part", type=Path, help="file that keeps a duplicate match that was stopped"
    )
    ladder.spread_options(made)

    made = verb("puzzles", puzzle_command.run, "list, check, grade or make the endgame puzzles")
    puzzle_command.options(made)

    made = verb("luckfree", luckfree_command.run, "list, prove or make the luck-free puzzles")
    luckfree_command.options(made)

    made = verb("lessons", lesson_command.run, "list the lessons, or check them or a file")
    lesson_command.options(made)

    made = verb("ladder", ladder.command, "play every pair of bots and write the shipped ladder")
    ladder.options(made)

    made = verb("solve", _solve, "who wins with open hands, and by which plays")
    rule_options(made)
    solver_command.options(made)

    made = verb("bid", _bid, "judge a hand before the bidding")
    rule_options(made)
    made.add_argument("hand", metavar="HAND")
    made.add_argument("--seat", type=int, default=0, help="order of speaking, 0 first")
    made.add_argument("--before", metavar="CALLS", help="calls made before, with commas")
    made.add_argument("--bottom", default="", metavar="CARDS", help="bottom cards, if known")
    made.add_argument("--deals", type=int, help="number of deals")
    made.add_argument("--seed", type=int, default=1)

    made = verb("study", _study, "make a table that ships: " + ", ".join(study.NAMES))
    made.add_argument("name", metavar="NAME")
    made.add_argument("--ruleset", default="classic", metavar="ID", help="default: classic")
    made.add_argument("--hands", type=int, default=200_000, help="random hands")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--out", type=Path, default=Path("data/studies"), help="folder of the result")
    made.add_argument("--part", type=Path, help="file that keeps a run that was stopped")
    made.add_argument("--processes", type=int, default=1, help="local processes")
    made.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster, instead")

    made = verb("train", training.command, "train the net, or go on with a training")
    training.options(made)

    made = verb("claims", _claims, "test claims at full size and ship the results")
    made.add_argument("ids", nargs="*", metavar="ID", help="such as B4; left out: all")
    made.add_argument("--deals", type=int, help="deals; left out: what the claim's file says")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--family", default="both", help="rule, net or both")
    made.add_argument(
        "--part", type=Path, help="folder that keeps all runs, to go on with more deals"
    )
    made.add_argument("--out", type=Path, help="folder of the results; left out: the shipped one")
    made.add_argument("--processes", type=int, default=1, help="local processes")
    made.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster, instead")
    made.add_argument(
        "--stale", action="store_true", help="run only what is missing or of earlier bots"
    )
    made.add_argument("--check", action="store_true", help="check files and results, run nothing")
    made.add_argument("--list", action="store_true", help="print claims and verdicts, run nothing")

    made = verb("replay", _replay, "show a record or code, as it stood after an action")
    made.add_argument("source", metavar="FILE", help="a .ddz file, a code, or - for the input")
    made.add_argument("--at", type=int, help="after how many actions; left out: the end")

    made = verb("review", _review, "judge every decision of a finished game, or of several")
    review_command.options(made)

    made = verb("record", _record, "print the record of a code or file")
    made.add_argument("source", metavar="FILE", help="a .ddz file, a code, or - for the input")

    made = verb("code", _code, "print the link code of a record")
    made.add_argument("source", metavar="FILE", help="a .ddz file, a code, or - for the input")

    verbs.add_parser("bench", help="measure, beside the peers that are installed")
    return parser


def _rules(given: argparse.Namespace) -> Rules:
    """Return the rules that the options name."""
    overrides: dict[str, Any] = {}
    for word in given.set:
        path, _, value = word.partition("=")
        try:
            overrides[path] = json.loads(value)
        except (ValueError, RecursionError):
            overrides[path] = value
    return rules.load_ruleset(given.ruleset, overrides or None)


def _plain(combination: Combination | Move) -> dict[str, object]:
    """Return a combination as plain data."""
    names = ("kind", "length", "top", "cards", "main", "kickers")
    return {name: getattr(combination, name) for name in names}


def _line(combination: Combination | Move) -> str:
    """Return a combination as one line of text."""
    kickers = f"+{combination.kickers}" if combination.kickers else ""
    reading = actions.reading_of(combination)
    return f"{combination.main + kickers:24}  {reading.kind}  {reading.length}  {reading.top}"


def _readings(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``readings``."""
    found = _rules(given).readings(given.cards)
    return [_plain(r) for r in found], "\n".join(map(_line, found)) or "no combination"


def _moves(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``moves``."""
    found = _rules(given).moves(given.hand, beat=given.beat)
    return [_plain(m) for m in found], "\n".join(map(_line, found)) or "no move"


def _deal(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``deal``."""
    dealt = dealing.deal(_rules(given), given.seed, given.number)
    text = dealt.text(suits=given.suits)
    face_up = None if dealt.face_up is None else [str(dealt.face_up[0]), dealt.face_up[1]]
    plain = {
        "seed": dealt.seed,
        "number": dealt.number,
        "deal": text,
        "first": dealt.first,
        "face_up": face_up,
    }
    lines = [f"seed {dealt.seed}, number {dealt.number}, seat {dealt.first} speaks first"]
    if dealt.face_up is not None:
        lines.append(f"face up: {dealt.face_up[0]} of seat {dealt.face_up[1]}")
    return plain, "\n".join([*lines, text])


def _play(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``play``: every deal in each rotation of the chairs, or in both roles of two bots."""
    if given.duplicate:
        return ladder.duplicate_command(given, _rules(given))
    result = match.play(_rules(given), given.bots.split(","), given.games, given.seed)
    return result.as_dict(), str(result)


def _solve(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``solve``."""
    return solver_command.run(_rules(given), given)


def _bid(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``bid``."""
    report = bidding.bid(
        given.hand,
        _rules(given),
        given.seat,
        before=None if given.before is None else given.before.split(","),
        bottom=given.bottom,
        deals=given.deals,
        seed=given.seed,
    )
    return report.as_dict(), str(report)


def _study(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``study``: a run that was stopped goes on from its part file."""
    task = study.plan(given.name, given.ruleset, hands=given.hands, seed=given.seed)
    part = given.part or given.out / f"{task.name}-{task.ruleset}-{task.seed}.part"
    with spreading(given.processes, given.scheduler) as spread:
        for number in study.run(task, part, spread=spread):
            if number % 20 == 0 or number == task.chunks:
                print(f"{number} of {task.chunks}", file=sys.stderr)
    path = study.ship(task, part, given.out)
    part.unlink()
    return {**task.told(), "path": str(path)}, f"{task.hands} hands, seed {task.seed}: {path}"


def _claims(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``claims``; the laboratory is loaded here, since it takes a while."""
    from ddz_core.claims.command import command

    return command(given)


def _wrong(field: str, expected: str, got: object) -> DdzError:
    """Return the error for an option that cannot be."""
    return DdzError(
        f"{field}: expected {expected}, got {got}",
        key="error.cli.option",
        field=field,
        expected=expected,
        got=got,
    )


def _source(given: argparse.Namespace) -> Game | Position:
    """Return the game or position of a file, of a code, or of the input."""
    if given.source == "-":
        text = sys.stdin.read(record.MOST_TEXT + 1)
    else:
        path = Path(given.source)
        try:
            is_file = path.is_file()
        except (OSError, ValueError):
            is_file = False
        if not is_file and (path.suffix or "/" in given.source):
            raise _wrong("source", "a file or a code", shortened(given.source))
        text = _file_text(path) if is_file else given.source
    if text.lstrip("\ufeff").startswith("paili"):
        return record.read_record(text)
    if text.lstrip("\ufeff \n").startswith(("[", "{")):
        found = imports.read(text)
        if isinstance(found, Game):
            return found
        raise _wrong("source", "one game", f"{len(found)} games")
    return record.decode(text)


def _file_text(path: Path) -> str:
    """Return the text of a file, never more than a record may have."""
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(record.MOST_TEXT + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong("source", "a text file in UTF-8", path) from error


def _game(given: argparse.Namespace) -> Game:
    """Return the game of a file or code."""
    found = _source(given)
    if not isinstance(found, Game):
        raise _wrong("source", "a game", "a position")
    return found


def _replay(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``replay``."""
    found = _source(given)
    if isinstance(found, Position):
        plain = {"hands": list(found.texts), "to_move": found.to_move, "beat": found.beat_text}
        return plain, str(found)
    now = found if given.at is None else found.at(given.at)
    ledger = now.ledger
    data: dict[str, object] = {
        "rules": now.rules.id,
        "phase": now.phase,
        "to_act": now.to_act,
        "landlords": list(now.landlords),
        "contract": now.contract,
        "multiplier": now.multiplier,
        "hands": [cards.format_cards(hand) for hand in now.hands],
        "history": [str(entry) for entry in now.history],
        "outcome": now.outcome,
        "points": None if ledger is None else list(ledger.points),
    }
    lines = [f"{now.rules.id}: {now.phase}, {len(now.history)} actions"]
    for entry in now.history:
        kind = f"  {actions.reading_of(entry.move)}" if entry.move is not None else ""
        lines.append(f"{entry.index + 1:3}  {entry}{kind}")
    lines += [f"seat {seat} holds {now.hand_text(seat) or '-'}" for seat in range(now.seats)]
    if now.landlords:
        lines.append("landlord: " + ", ".join(map(str, now.landlords)))
    elif now.outcome is not None:
        lines.append("no landlord")
    if ledger is not None:
        lines += [_step(step) for step in ledger.steps]
        lines.append("points: " + " ".join(map(str, ledger.points)))
    return data, "\n".join(lines)


def _step(step: Any) -> str:  # noqa: ANN401
    """Return one line of a ledger."""
    who = "" if step.seat is None else f" of seat {step.seat}"
    cards_ = f" {step.cards}" if step.cards else ""
    what = f"× {step.factor}" if step.factor is not None else f"{step.amount:+}"
    return f"  {step.key.removeprefix('score.')}{cards_}{who}: {what}"


def _review(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``review``."""
    games = [(one, _game(argparse.Namespace(source=one))) for one in given.sources]
    return review_command.answer(games, given)


def _record(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``record``."""
    text = record.write_record(_game(given))
    return text, text.rstrip("\n")


def _code(given: argparse.Namespace) -> tuple[object, str]:
    """Answer ``code``."""
    code = record.encode(_source(given))
    return code, code
