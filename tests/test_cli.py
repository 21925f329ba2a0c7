"""The command line: every verb answers, in text and JSON, and bad input is one sentence."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from playing import bid_up, random_game, start

import ddz_core as ddz
from ddz_core import cli

ROOT = Path(__file__).resolve().parent.parent
FINISHED = list(random_game(bid_up(start("classic", 1), 1), random.Random(3)))[-1]


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a verb prints on success."""
    assert cli.main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_readings(capsys: pytest.CaptureFixture[str]) -> None:
    """Three readings of the plane of four; as JSON with the fields of a combination."""
    found = json.loads(answer(capsys, "readings", "--json", "333444555666"))
    assert [(r["kind"], r["length"], r["top"]) for r in found] == [
        ("plane", 4, "6"),
        ("plane_singles", 3, "6"),
        ("plane_singles", 3, "5"),
    ]
    assert "333444+56" in answer(capsys, "readings", "--ruleset", "classic", "33344456")
    assert "no combination" in answer(capsys, "readings", "34")


def test_moves(capsys: pytest.CaptureFixture[str]) -> None:
    """Leads and answers, the same as from the library, house rules included."""
    found = json.loads(answer(capsys, "moves", "--json", "4444XD", "--beat", "33"))
    assert [m["cards"] for m in found] == ["44", "4444", "XD"]
    rules = ddz.load_ruleset("classic", {"kickers.both_jokers": True})
    words = ("moves", "--json", "--set", "kickers.both_jokers=true", "4444XD")
    assert len(json.loads(answer(capsys, *words))) == len(rules.moves("4444XD"))
    assert "no move" in answer(capsys, "moves", "3", "--beat", "4")


def test_deal(capsys: pytest.CaptureFixture[str]) -> None:
    """The deal of a seed is that of the library, with seed, first speaker and face-up card."""
    deal = ddz.deal(ddz.load_ruleset("classic"), seed=7, number=2)
    plain = json.loads(answer(capsys, "deal", "--seed", "7", "--number", "2", "--json"))
    assert plain["deal"] == deal.text()
    assert (plain["seed"], plain["number"], plain["first"]) == (7, 2, deal.first)
    text = answer(capsys, "deal", "--seed", "7", "--number", "2", "--suits")
    assert deal.text(suits=True) in text
    assert str(deal.face_up[0]) in text
    assert "seed" in answer(capsys, "deal")


def test_play(capsys: pytest.CaptureFixture[str]) -> None:
    """A match of bots ends, conserves points, and is the same for the same seed."""
    words = ("play", "--bots", "random,random,random", "--games", "3", "--seed", "4", "--json")
    first = json.loads(answer(capsys, *words))
    assert first == json.loads(answer(capsys, *words))
    assert sum(e["points"]["value"] for e in first["entrants"]) == pytest.approx(0, abs=1e-9)
    assert "random" in answer(capsys, *words[:-1])


def test_records_and_codes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A record becomes a code and a code a record; a replay shows any state."""
    file = tmp_path / "game.ddz"
    file.write_text(ddz.write_record(FINISHED), encoding="utf-8")
    code = answer(capsys, "code", str(file)).strip()
    assert ddz.decode(code) == FINISHED
    assert answer(capsys, "record", code) == ddz.write_record(FINISHED)
    shown = json.loads(answer(capsys, "replay", "--json", "--at", "5", code))
    assert shown["history"] == [str(entry) for entry in FINISHED.at(5).history]
    text = answer(capsys, "replay", str(file))
    assert "points: " + " ".join(map(str, FINISHED.ledger.points)) in text
    place = ddz.encode(ddz.position(["KK", "55"], 1, "4", rules=FINISHED.rules))
    assert "KK/55 to move 1, beat 4 of 0" in answer(capsys, "replay", place)


def test_a_deal_nobody_took_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """R12: the replay of a deal that was thrown in says that there is no landlord."""
    game = start("classic", 1)
    for _ in range(3):
        game = game.apply("pass")
    assert "no landlord" in answer(capsys, "replay", ddz.encode(game))


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["frob"],
        ["moves"],
        ["readings", "3З4"],
        ["readings", "--ruleset", "nosuch", "3"],
        ["readings", "33333"],
        ["moves", "345", "--beat", "34"],
        ["moves", "--set", "kickers.none=1", "3"],
        ["moves", "--set", "=", "3"],
        ["deal", "--seed", "x"],
        ["deal", "--seed", "-1"],
        ["play", "--bots", "nosuch,rule,rule"],
        ["play", "--bots", "random"],
        ["play", "--games", "0"],
        ["replay", "nosuch.ddz"],
        ["replay", "AAAA"],
        ["replay", "."],
        ["replay", "a" * 9000],
        ["replay", "--at", "9999", "CODE"],
        ["code", "nosuch/file"],
    ],
)
def test_bad_input_is_one_sentence(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """Status 2, nothing on the output, one line of error that says what was wrong."""
    words = [ddz.encode(FINISHED) if word == "CODE" else word for word in words]
    try:
        status = cli.main(words)
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert len(err) > 20
    assert "Traceback" not in err


def test_a_broken_file_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A binary file and a mangled record are refused by line or by encoding."""
    for content in (b"\xff\xfe\x00", b"paili 1\nrules: classic\nseed: 1\n\n0 4444\n"):
        file = tmp_path / "broken.ddz"
        file.write_bytes(content)
        assert cli.main(["replay", str(file)]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_module_runs() -> None:
    """``python -m ddz_core`` is the command line."""
    done = subprocess.run(
        [sys.executable, "-m", "ddz_core", "deal", "--seed", "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ddz.deal(ddz.load_ruleset("classic"), seed=7).text() in done.stdout
