"""``oudjat rules`` and ``oudjat levels``, as a person or a script calls them."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.cells import cell_len

from oudjat.engine.levels import LEVELS
from oudjat.rules.registry import GAMES
from oudjat.texts.pages import rules_markdown
from tests.texts.kit import LANGUAGES

PROGRAM = [sys.executable, "-c", "from oudjat.cli import main; main()"]
HOME = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LANG", "NO_COLOR")}
HOME["PYTHONUTF8"] = "1"


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
        env=HOME | environment,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_plain_markdown_for_a_file(language: str) -> None:
    done = run("rules", "isis-osiris", "--lang", language)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == rules_markdown("isis-osiris", language)


def test_the_environment_chooses_the_language() -> None:
    assert run("rules", LC_ALL="de_AT.UTF-8", LANG="fr_FR.UTF-8").stdout == rules_markdown(
        "isis-osiris", "de"
    )
    assert run("rules", LANG="fr_FR.UTF-8").stdout == rules_markdown("isis-osiris", "fr")
    assert run("rules").stdout == rules_markdown("isis-osiris", "en")
    assert run("levels", LANG="de_DE.UTF-8").stdout.startswith("novice: Der Novize ")


def test_rules_are_laid_out_for_a_terminal() -> None:
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    child = subprocess.Popen(
        [*PROGRAM, "rules", "--lang", "fr"],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        env={key: value for key, value in HOME.items() if key not in ("COLUMNS", "LINES")}
        | {"TERM": "xterm"},
    )
    os.close(inside)
    data = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the program has closed its side
            break
        if not piece:
            break
        data += piece
    os.close(terminal)
    assert child.wait(600) == 0
    shown = data.decode("utf-8")
    assert "\x1b[" in shown
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert max(map(cell_len, lines)) <= 60
    text = "\n".join(lines)
    assert not re.search(r"^#|\*\*|\| -|^>|\ue000", text, re.MULTILINE)
    assert not re.search(r"^ *[;:!?»]", text, re.MULTILINE)
    assert "(IO-21)" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_levels_are_told_one_a_line(language: str) -> None:
    done = run("levels", "--lang", language)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == list(LEVELS)
    assert all(line.endswith(".") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rules", "chess"], "GAME cannot be “chess”"),
        (["rules", "isis-osiris.de"], "GAME cannot be “isis-osiris.de”"),
        (["rules", "../rules/isis-osiris"], "GAME cannot be"),
        (["rules", "--lang", "xx"], "--lang cannot be “xx”"),
        (["rules", "--lang", ""], "--lang cannot be “”"),
        (["levels", "--lang", "de_DE"], "--lang kann nicht „de_DE“ sein"),
    ],
)
def test_wrong_usage_is_one_sentence_and_status_2(arguments: list[str], told: str) -> None:
    done = run(*arguments, LANG="en_US.UTF-8")
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["rules", "levels"])
def test_help_has_an_example(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert f"Example: oudjat {command} " in done.stdout


def test_no_page_is_missing() -> None:
    pages = {path.name for path in (Path(__file__).parents[2] / "src/oudjat/texts/rules").iterdir()}
    assert pages == {f"{game}.{language}.md" for game in GAMES for language in LANGUAGES}
