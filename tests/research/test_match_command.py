"""``oudjat match`` as people and scripts call it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from oudjat.cli import arena
from oudjat.research import workers
from oudjat.research.matches import Match, Result, play_game
from tests.serving import hears_interrupts
from tests.timing import PATIENCE, wait_until

OUDJAT = [sys.executable, "-c", "from oudjat.cli import main; main()"]
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LANG")}
ENVIRONMENT["PYTHONUTF8"] = "1"


def run(*arguments: object, **environment: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [*OUDJAT, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8",
        timeout=PATIENCE, check=False, env=ENVIRONMENT | environment,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def _plays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are played in this process, the last one first."""

    def plays(match: Match, jobs: int) -> Generator[Result, None, None]:
        yield from (play_game(match, number) for number in reversed(range(match.games)))

    monkeypatch.setattr(workers, "play_match", plays)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")


@pytest.mark.usefixtures("_plays_here")
def test_the_same_seed_gives_the_same_games_whoever_plays_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    levels, options = (
        ("scribe", "novice"),
        ("--games", 5, "--seed", 4, "--variant", "shared", "--playouts", 9),
    )
    status, out, err = run("match", *levels, *options, "--jobs", 2, "--json", "--records", one)
    assert (status, err) == (0, "")
    assert (
        arena.match(*levels, games=5, seed=4, variant="shared", playouts=9, as_json=True, records=other) == 0
    )
    found, here = json.loads(out), json.loads(capsys.readouterr().out)
    assert found.pop("seconds") > 0
    assert here.pop("seconds") > 0
    assert found == here
    assert one.read_text(encoding="utf-8") == other.read_text(encoding="utf-8")
    head = {"game": "isis-osiris", "variant": "shared", "players": 2, "games": 5, "movetime": None}
    assert {key: found[key] for key in head} == head
    assert (found["playouts"], found["seed"]) == (9, 4)
    assert [level["level"] for level in found["levels"]] == list(levels)
    assert sum(level["wins"] for level in found["levels"]) == 5
    assert [(elo["level"], elo["against"], elo["games"]) for elo in found["elo"]] == [(*levels, 5)]
    status, out, _ = run("replay", one, "--json")
    assert status == 0
    assert [json.loads(line)["over"] for line in out.splitlines()] == [True] * 5


@pytest.mark.usefixtures("_plays_here")
def test_four_may_play_and_a_level_may_be_named_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena.match("novice", "scribe", "novice", "scribe", games=1) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for name in ("novice (1)", "novice (2)", "scribe (1)", "scribe (2)", "Elo difference", "1 game in "):
        assert name in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["god", "scribe", "--games", 2], "LEVEL cannot be “god”; choose one of: novice, scribe"),
        (["scribe", "--games", 2], "Isis & Osiris is for 2 to 4 players, not 1."),
        (["--games", 2], "Isis & Osiris is for 2 to 4 players, not 0."),
        (["scribe"] * 5 + ["--games", 2], "Isis & Osiris is for 2 to 4 players, not 5."),
        (["scribe", "scribe", "--games", 0], "--games takes a whole number from 1 to 1000000."),
        (["scribe", "scribe", "--games", -5], "--games takes a whole number"),
        (["scribe", "scribe", "--games", 2, "--movetime", 0], "--movetime takes a whole number from 1 to"),
        (["scribe", "scribe", "--games", 2, "--playouts", 0], "--playouts takes a whole number from 1 to"),
        (["scribe", "scribe", "--games", 2, "--jobs", 0], "--jobs takes a whole number from 1 to"),
        (["scribe", "scribe", "--games", 2, "--variant", "x"], "Isis & Osiris has no variant “x”"),
        (["scribe", "scribe", "--games", 2, "--game", "chess"], "--game cannot be “chess”"),
        (["scribe", "scribe", "--games", 2, "--records", "/nowhere/x"], "cannot be written to /nowhere/x: "),
        (["scribe", "scribe", "--games", 2, "--records", "/"], "cannot be written to /: "),
    ],
)
def test_wrong_usage_is_one_sentence_and_nothing_is_played(
    arguments: list[object], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def plays(match: Match, jobs: int) -> Generator[Result, None, None]:
        raise AssertionError("a game was played")
        yield

    monkeypatch.setattr(workers, "play_match", plays)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    texts = [str(argument) for argument in arguments]
    from oudjat.cli import main

    with pytest.raises(SystemExit) as left:
        main(["match", *texts])
    assert left.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--games", "x"], ["--games", "9" * 5000], [], ["--games", "2", "--fast"]]
)
def test_what_cannot_be_read_is_wrong_usage(arguments: list[str]) -> None:
    status, out, err = run("match", "scribe", "scribe", *arguments)
    assert (status, out) == (2, "")
    assert "Error" in err


def test_a_dead_process_ends_the_match_and_what_was_played_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def plays(match: Match, jobs: int) -> Generator[Result, None, None]:
        yield play_game(match, 1)
        raise BrokenProcessPool

    monkeypatch.setattr(workers, "play_match", plays)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    file = tmp_path / "games.txt"
    assert arena.match("novice", "novice", games=9, as_json=True, records=file) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 1
    assert err == "The match was stopped: a process in which it was played has died.\n"
    assert "game 2" in file.read_text(encoding="utf-8")


@pytest.mark.usefixtures("_plays_here")
def test_a_disk_that_fills_up_ends_the_match_and_what_was_played_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    assert arena.match("novice", "novice", games=1, as_json=True, records=Path("/dev/full")) == 2
    out, err = capsys.readouterr()
    assert err.startswith("The record cannot be written to /dev/full: ")
    assert json.loads(out)["games"] == 1


def test_ctrl_c_keeps_and_tells_what_was_played(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    command = [*OUDJAT, "match", "novice", "novice", "--games", "500000", "--json", "--records", str(file)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, preexec_fn=hears_interrupts
    ) as process:
        wait_until(lambda: file.exists() and file.stat().st_size > 0, "no game is written")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(
            timeout=PATIENCE
        )  # ends with the last worker, which holds these pipes too
    assert process.returncode == 130
    assert err == b"The match was stopped.\n"
    games = file.read_text(encoding="utf-8").count("[Game ")
    assert 1 <= games < 500_000
    assert json.loads(out)["games"] == games
    assert run("replay", file)[0] == 0


def test_a_person_who_looks_on_sees_the_progress() -> None:
    terminal, inside = pty.openpty()
    command = [*OUDJAT, "match", "novice", "novice", "--games", "2", "--json"]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=inside, env=ENVIRONMENT | {"TERM": "xterm"}
    )
    os.close(inside)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the program has closed its side
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    assert child.stdout
    assert json.loads(child.stdout.read())["games"] == 2
    child.stdout.close()
    assert child.wait(PATIENCE) == 0
    assert b"novice : novice" in shown
    assert b"2/2" in shown


@pytest.mark.parametrize("command", ["match", "engine"])
def test_help_has_an_example(command: str) -> None:
    status, out, _ = run(command, "--help")
    assert status == 0
    assert "Example: " in out
    assert f"oudjat {command}" in out
