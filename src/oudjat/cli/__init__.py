"""The program: ``oudjat`` and its subcommands (FORMATS.md 2).

Exit status: 0 done; 1 the answer is "no"; 2 wrong usage or unreadable input. Results go to standard output,
messages for people to standard error. What a subcommand needs is imported when it runs, so that ``--help`` and
``replay`` start at once.
"""

from __future__ import annotations

import errno
import os
import sys

from cyclopts import CycloptsError

from oudjat.cli import account, arena, bench, games, house, research, study
from oudjat.cli.common import STANDARD_INPUT, app, say

__all__ = ["account", "app", "arena", "bench", "games", "house", "main", "research", "study"]

READS_FILES = ("analyse", "replay", "solve", "verify")
"""Subcommands that take files of records, and - for standard input."""


def _give_up_output() -> None:
    """Let what is still to be written go nowhere, so that leaving does not try again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: list[str] | None = None) -> None:
    """Run the program with the given arguments (default: the process's) and exit with its status."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] and given[0] in READS_FILES:
        given = [STANDARD_INPUT if argument == "-" else argument for argument in given]
    try:
        status = app(given, exit_on_error=False, print_error=True)
        sys.stdout.flush()
    except CycloptsError:
        sys.exit(2)  # the error was printed
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # "oudjat replay ... | head": whoever read has gone
        _give_up_output()
        sys.exit(0)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _give_up_output()
        say(f"The answer cannot be written: {error.strerror}.")
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)
