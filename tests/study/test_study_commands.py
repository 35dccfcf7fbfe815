"""``oudjat solve`` and ``oudjat analyse`` as people and scripts call them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from oudjat.engine.levels import LEVELS
from oudjat.records import replay
from oudjat.rules.isis_osiris import IsisOsirisPosition
from tests.engine import plain_memo
from tests.engine.plain_memo import random_endgame
from tests.serving import hears_interrupts
from tests.study.kit import random_record, text_of

OUDJAT = Path(sys.executable).with_name("oudjat")
HOME = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LANG")}
HEAD = '[Game "isis-osiris"]\n'
WITHHELD = HEAD + "Pc3 ?c4"
ILLEGAL = HEAD + "Pc3 Pc3"

both = pytest.mark.parametrize("command", ["solve", "analyse"])


def run(*arguments: object, text: str = "", **environment: str) -> tuple[int, list[dict[str, Any]], str]:
    """The status, the lines of JSON on standard output, and what was said on standard error."""
    done = subprocess.run(
        [OUDJAT, *map(str, arguments)],
        input=text.encode(), capture_output=True, timeout=600, check=False, env=HOME | environment,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr
    lines = done.stdout.decode().splitlines() if "--json" in arguments else []
    return done.returncode, [json.loads(line) for line in lines], done.stderr.decode()


@pytest.fixture(scope="module")
def endgames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games with few spaces left: of two, of three, and of four players."""
    file = tmp_path_factory.mktemp("records") / "endgames.txt"
    file.write_text(
        text_of(
            random_record(2, 2, "normal", 4),
            random_record(1, 3, "shared", 4),
            random_record(3, 4, "normal", 3),
        )
    )
    return file


# --- solve ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_every_game_of_a_file_is_solved(endgames: Path, objective: str) -> None:
    status, told, said = run("solve", endgames, "--json", "--objective", objective)
    assert (status, said) == (0, "")
    kinds = ((2, 2, "normal", 4), (1, 3, "shared", 4), (3, 4, "normal", 3))
    for line, kind in zip(told, kinds, strict=True):
        right = plain_memo.solve(random_endgame(*kind).position, objective)
        assert list(line) == ["objective", "free", "value", "best", "states", "seconds"]
        assert (line["objective"], line["free"]) == (objective, kind[3])
        assert line["value"] == pytest.approx(right.value, abs=1e-9)
        best = {entry["turn"]: entry["value"] for entry in line["best"]}
        assert best == pytest.approx({turn.text: worth for turn, worth in right.turns.items()}, abs=1e-9)
        assert [entry["value"] for entry in line["best"]] == sorted(best.values(), reverse=True)


def test_a_finished_game_is_solved_where_it_stood(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text_of(random_record(2)))
    status, told, _ = run("solve", file, "--json", "--upto", 33)
    position = replay(random_record(2), 33).last
    assert isinstance(position, IsisOsirisPosition)
    right = plain_memo.solve(position)
    assert status == 0
    assert told[0]["value"] == pytest.approx(right.value, abs=1e-9)


def test_people_get_tables() -> None:
    text = text_of(random_record(2, 2, "normal", 4)).replace(
        "\n\n", '\n[Seat1 "Ada"]\n[Seat2 "Bot: scribe"]\n\n'
    )
    for language, words in (
        ("C", ("4 free spaces, Scribe to move", "points ahead", "turn over a tile", "Scribe")),
        ("de_DE.UTF-8", ("4 freie Felder", "Schreiber")),
        ("fr_FR.UTF-8", ("4 cases libres", "Scribe")),
    ):
        done = subprocess.run(
            [OUDJAT, "solve", "-"], input=text, capture_output=True, text=True, encoding="utf-8",
            timeout=600, check=False, env=HOME | {"LC_ALL": language, "PYTHONUTF8": "1"},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        for word in words:
            assert word in done.stdout


def test_names_with_signs_of_their_own_do_no_harm() -> None:
    text = HEAD + '[Seat1 "[bold]\x1b[31mEve:smile:"]\n\n' + " ".join(random_record(2, free=3).turns)
    done = subprocess.run(
        [OUDJAT, "solve", "-"], input=text.encode(), capture_output=True, timeout=600, check=False, env=HOME
    )
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert b"[bold]" in done.stdout


def test_a_limit_that_is_reached_is_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "begun.txt"
    file.write_text(HEAD + "Pc3\n" + text_of(random_record(2, free=3)))
    status, told, _ = run("solve", file, "--json", "--limit", "0.3")
    assert status == 1
    assert "0.3 s" in told[0]["error"]["message"]
    assert told[1]["free"] == 3
    status, _, said = run("solve", file, "--limit", "0.3")
    assert status == 1
    assert said == "Game 1: Not solved within 0.3 s; give it more time with --limit.\n"


def test_ctrl_c_ends_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "begun.txt"
    os.mkfifo(file)
    child = subprocess.Popen(
        [OUDJAT, "solve", file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=HOME,
        preexec_fn=hears_interrupts,
    )
    try:
        file.write_text(HEAD + "Pc3")  # it is read once the program has begun, however long that takes
        time.sleep(3)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        out, said = child.communicate(timeout=60)
        assert (child.returncode, out, said) == (130, b"", b"Stopped.\n")
    finally:
        child.kill()


# --- analyse --------------------------------------------------------------------------------------------


def test_every_turn_of_every_game_is_told() -> None:
    records = [random_record(2, 2, "normal", 4), random_record(1, 3, "shared", 4)]
    options = ("--json", "--playouts", 5, "--limit", 0.1)
    status, told, said = run("analyse", "-", *options, text=text_of(*records))
    assert (status, said) == (0, "")
    games = [replay(record) for record in records]
    expected = [
        (number, turn, position.to_move, text)
        for number, game in enumerate(games, 1)
        for turn, (position, text) in enumerate(zip(game.positions, game.record.turns, strict=False), 1)
    ]
    assert [(line["game"], line["turn"], line["seat"], line["played"]) for line in told] == expected
    for line in told:
        assert set(line["before"]) == set(line["after"]) == {"margin", "win"}
        assert line["objective"] == "margin"
        assert line["cost"] is None or line["cost"] >= 0
        tile = line["played"][0] in "+-" and line["played"] != "--"
        assert (line["luck"] is not None) == (line["best_placing"] is not None) == tile
        if line["exact"]:
            moved = line["before"]["margin"] - line["cost"] + (line["luck"] or {"margin": 0})["margin"]
            assert moved == pytest.approx(line["after"]["margin"], abs=1e-6)


def test_people_get_a_line_a_turn_and_a_summary(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text_of(random_record(7)))
    done = subprocess.run(
        [OUDJAT, "analyse", file, "--playouts", "20", "--limit", "0.1"],
        capture_output=True, text=True, encoding="utf-8", timeout=600, check=False,
        env=HOME | {"LC_ALL": "C", "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert sum(line.strip().split(" ")[0].isdecimal() for line in lines) == 36
    assert sum("~" in line for line in lines) > 10
    assert "dearest turn" in done.stdout
    assert max(map(len, lines)) <= 80


def test_a_level_that_says_nothing_of_worths_is_refused(endgames: Path) -> None:
    status, _, said = run("analyse", endgames, "--level", next(iter(LEVELS)), LC_ALL="C")
    assert status == 2
    assert list(LEVELS)[-1] in said
    assert said.count("\n") == 1


# --- both -----------------------------------------------------------------------------------------------


@both
def test_games_that_cannot_be_studied_are_no_and_the_others_go_on(tmp_path: Path, command: str) -> None:
    file = tmp_path / "games.txt"
    file.write_text("\n".join([WITHHELD, ILLEGAL, text_of(random_record(2, free=3))]))
    status, told, said = run(command, file, "--json", "--limit", 0.1, *many_playouts(command))
    assert (status, said) == (1, "")
    assert told[0]["error"]["game"] == 1
    assert "turn 2 is withheld" in told[0]["error"]["message"]
    assert (told[1]["error"]["turn"], told[1]["error"]["rule"]) == (2, "IO-9")
    assert all("error" not in line for line in told[2:])
    assert told[2:]
    status, _, said = run(command, file, "--limit", 0.1, *many_playouts(command), LC_ALL="C")
    assert status == 1
    assert said.count("\n") == 2
    assert "IO-9" in said


def many_playouts(command: str) -> list[object]:
    return ["--playouts", 10] if command == "analyse" else []


def test_a_game_that_is_over_has_nothing_to_solve(tmp_path: Path) -> None:
    status, told, _ = run("solve", "-", "--json", text=text_of(random_record(2)))
    assert status == 1
    assert "over" in told[0]["error"]["message"]


@both
@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe" * 50, b"hello", b"PK\x03\x04" + bytes(range(256))])
def test_a_file_that_is_no_record_never_ends_in_a_traceback(
    tmp_path: Path, command: str, content: bytes
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    status, _, said = run(command, file)
    assert status in (1, 2)
    assert said.strip()


@both
@pytest.mark.parametrize(
    "options", ["--limit -1", "--limit nan", "--limit inf", "--limit soon", "--objective glory", "--nonsense"]
)
def test_wrong_usage_is_2(endgames: Path, command: str, options: str) -> None:
    status, _, said = run(command, endgames, *options.split())
    assert status == 2
    assert said.strip()


@pytest.mark.parametrize(
    "options",
    [
        "analyse --level osiris",
        "analyse --movetime 0",
        "analyse --movetime -5",
        "analyse --playouts 0",
        "analyse --playouts 1e3",
        "solve --upto -1",
    ],
)
def test_wrong_usage_of_one_is_2(endgames: Path, options: str) -> None:
    status, _, said = run(*options.split(), endgames)
    assert status == 2
    assert said.strip()


@both
def test_what_cannot_be_read_is_2(tmp_path: Path, command: str) -> None:
    for file in (tmp_path, tmp_path / "nowhere.txt"):
        status, _, said = run(command, file, LC_ALL="C")
        assert status == 2
        assert "cannot be read" in said
    assert run(command)[0] == 2


@both
def test_help_has_an_example(command: str) -> None:
    done = subprocess.run(
        [OUDJAT, command, "--help"], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0
    assert f"Example: oudjat {command} " in done.stdout
