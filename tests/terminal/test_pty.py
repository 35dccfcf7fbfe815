"""The program in a real pseudo-terminal, from the command line to the record."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from pathlib import Path

from tests.timing import PATIENCE


def read_until(terminal: int, wanted: str, seconds: float = PATIENCE) -> str:
    """What the program writes until ``wanted`` is among it, without control sequences."""
    data, until = b"", time.monotonic() + seconds
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                data += os.read(terminal, 65536)
            except OSError:  # the program has closed its side
                break
        text = re.sub(r"\x1b\[[0-9;?<>=]*[a-zA-Z$]", "", data.decode("utf-8", errors="ignore"))
        if wanted in text:
            return text
    raise AssertionError(f"never saw {wanted!r}")


def test_from_the_command_line_to_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    program = "from oudjat.cli import main; main()"
    arguments = ["play", "--seats", "me:Ada,me:Bo", "--first", "1", "--lang", "en", "--record", str(file)]
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    child = os.posix_spawn(
        sys.executable,
        [sys.executable, "-c", program, *arguments],
        os.environ | {"TERM": "xterm-256color", "PYTHONUTF8": "1"},
        file_actions=[(os.POSIX_SPAWN_DUP2, inside, number) for number in (0, 1, 2)],
    )
    os.close(inside)
    try:
        read_until(terminal, "Ada, your turn.")
        os.write(terminal, b"\r")
        read_until(terminal, "Bo, your turn.")
        os.write(terminal, b"\x1b[B")  # the down arrow
        read_until(terminal, "c3, free.")
        os.write(terminal, b"t")
        read_until(terminal, "face down on a free space")
        os.write(terminal, b"\r")
        read_until(terminal, "Ada, your turn.")
        os.write(terminal, b"q")
        read_until(terminal, "not finished")
        os.write(terminal, b"\r")
        until = time.monotonic() + PATIENCE
        ended, status = 0, 0
        while not ended and time.monotonic() < until:
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    os.read(terminal, 65536)
                except OSError:
                    time.sleep(0.05)
            ended, status = os.waitpid(child, os.WNOHANG)
        assert ended == child
        assert os.waitstatus_to_exitcode(status) == 0
        child = 0
    finally:
        if child:
            os.kill(child, 9)
            os.waitpid(child, 0)
        os.close(terminal)
    assert file.read_text(encoding="utf-8").endswith("\n\nPc4 ?c3\n")
