import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from oudjat.cli import main
from oudjat.records import Record, read_records, replay
from tests.timing import PATIENCE


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


Play = Callable[..., Done]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """The program, in this process; what is ``said`` comes over standard input."""
    monkeypatch.setenv("LC_ALL", "en")

    def run(*arguments: str, said: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(said))
        with pytest.raises(SystemExit) as left:
            main(["play", *arguments])
        written = capsys.readouterr()
        return Done(int(left.value.code or 0), written.out, written.err)

    return run


def play_apart(*arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """The program as a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", "from oudjat.cli import main; main()", "play", *arguments],
        input=said,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
        env=os.environ | {"LC_ALL": "en", "PYTHONUTF8": "1"},
    )


@pytest.mark.parametrize(
    "seats", ["novice,novice", "novice,novice,novice", "novice,novice,novice,novice --variant shared"]
)
def test_bots_play_a_whole_game_by_themselves(seats: str, tmp_path: Path, play: Play) -> None:
    file = tmp_path / "game.txt"
    done = play("--plain", "--seed", "7", "--record", str(file), "--seats", *seats.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "The board is full." in done.stdout
    assert "\x1b" not in done.stdout
    (game,) = read_records(file.read_text(encoding="utf-8"))
    assert isinstance(game, Record)
    assert replay(game).last.outcome is not None


def test_the_same_seed_says_the_same_in_another_process(play: Play) -> None:
    arguments = ("--plain", "--seed", "7", "--seats", "novice,novice")
    apart = play_apart(*arguments)
    assert (apart.returncode, apart.stderr) == (0, "")
    assert apart.stdout == play(*arguments).stdout


def test_a_person_plays_a_whole_game_over_a_pipe() -> None:
    spaces = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]
    said = "".join(f"draw\n{space}\n" if index % 2 else f"{space}\n" for index, space in enumerate(spaces))
    said += "".join(f"draw\n{space}\n" for space in spaces)
    done = play_apart("--plain", "--seats", "me:Ada,me:Bo", "--first", "1", "--seed", "2", said=said)
    assert done.returncode == 0
    assert "The board is full." in done.stdout
    assert "Ada placed a piece on a1." in done.stdout
    assert "Ada, your turn." in done.stdout


def test_commands_and_bad_input_are_answered_and_change_nothing(play: Play) -> None:
    said = "help\nrules\nlog\nc3\nboard\nwhat is c3\na1?\nz9?\nz9\nnonsense [/x]\n--\nPc3\n+1a1\n\x00\nlog\nquit\n"
    done = play("--plain", "--seats", "me:Ada,me:Bo", "--first", "1", said=said)
    assert (done.returncode, done.stderr) == (0, "")
    for sentence in (
        "what is c3, c3?: say what lies on c3.",
        "Most points wins. (IO-16)",
        "Nothing has happened yet.",
        " 3  .  .  1  .  .  .",
        "c3, Ada's green piece.",
        "a1, free.",
        "There is no space z9; columns are a to f, rows 1 to 6.",
        "“nonsense [/x]” is no command",
        "You cannot pass while you have a piece or a tile to place. (IO-20)",
        "c3 is not free; choose a space on which nothing lies. (IO-9)",
        "(IO-8)",
        "You left the game before its end.",
    ):
        assert sentence in done.stdout, sentence
    assert done.stdout.count("Bo, your turn.") > 5


def test_the_log_forgets_what_was_placed(play: Play) -> None:
    """IO-21."""
    said = "draw\nlog\nc4\nlog\nboard\nc4?\nquit\n"
    done = play("--plain", "--seats", "me:Ada,me:Bo", "--first", "1", "--seed", "1", said=said)
    after = done.stdout.partition("Ada placed the tile on c4.")[2]
    assert "Ada turned over a tile and placed it on c4." in after
    assert "c4, face-down tile." in after
    assert not any(f"{sign}{number}" in after for sign in "+−-" for number in "1234")
    assert not any(word in after for word in ("plus", "minus"))


def test_the_end_of_the_input_leaves_and_keeps_a_record_without_values(tmp_path: Path, play: Play) -> None:
    file = tmp_path / "game.txt"
    done = play(
        "--plain", "--seats", "me,me", "--first", "1", "--record", str(file), said="draw\nc4\nPd4\ndraw\n"
    )
    assert done.returncode == 0
    assert done.stdout.endswith("You left the game before its end.\n")
    text = file.read_text(encoding="utf-8")
    assert text.endswith("\n\n?c4 Pd4\n")
    assert "Scores" not in text


def test_input_that_is_no_text_and_no_input_at_all_are_survived() -> None:
    program = [sys.executable, "-c", "from oudjat.cli import main; main()", "play", "--plain", "--first", "1"]
    environment = os.environ | {"LC_ALL": "en", "PYTHONUTF8": "1"}
    done = subprocess.run(
        program, input=b"\xff\xfe\nc3\n", capture_output=True, timeout=PATIENCE, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is no command" in done.stdout
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *program]
    done = subprocess.run(closed, capture_output=True, timeout=PATIENCE, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"before its end.\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--plain", "--seats", "me"], "2 to 4 players"),
        (["--plain", "--seats", "me,you"], "“you” is no seat"),
        (["--plain", "--variant", "odd"], "variant"),
        (["--plain", "--memory", "some"], "memory"),
        (["--plain", "--first", "3"], "Seat 3 cannot begin"),
        (["--plain", "--first", "x"], "--first"),
        (["--plain", "--pace", "fast"], "--pace"),
        (["--plain", "--lang", "xx"], "--lang"),
        (["chess", "--plain"], "GAME"),
        (["--plain", "--record", "/"], "is a folder"),
        (["--plain", "--record", "/nowhere/at/all.txt"], "no folder"),
        ([], "add --plain"),
    ],
)
def test_wrong_usage_is_one_sentence_and_status_2(arguments: list[str], told: str, play: Play) -> None:
    done = play(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
