"""What all subcommands share: the program itself, words, and reading what the user names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

import oudjat

if TYPE_CHECKING:
    from oudjat.texts.catalog import Words

app = App(
    name="oudjat",
    version=oudjat.__version__,
    help="Play, study and research Isis & Osiris, the game of placing and remembering, and its four sisters.",
    result_action="return_value",
)

STANDARD_INPUT = "(standard input)"
"""What stands for ``-`` among the arguments, which the argument parser would take for an option."""


def say(message: str) -> None:
    """A message for people, on standard error."""
    print(message, file=sys.stderr)


def words_for(lang: str | None) -> Words | None:
    """The words of the language asked for, else of the environment's; None, and a sentence on standard error,
    when it is none of ours."""
    from oudjat.texts.catalog import LANGUAGES, choose_language, words_in

    words = words_in(choose_language(lang, os.environ.get("LC_ALL"), os.environ.get("LANG")))
    return words if known(words, "--lang", words.language if lang is None else lang, LANGUAGES) else None


def known(words: Words, option: str, value: str, allowed: Iterable[str]) -> bool:
    """Whether ``value`` is among ``allowed``; if not, a sentence on standard error says what is."""
    from oudjat.rules.game import N_

    if value in allowed:
        return True
    sentence = N_("{option} cannot be “{value}”; choose one of: {known}.")
    say(words(sentence, option=option, value=value[:40], known=", ".join(allowed)))
    return False


def within(words: Words, option: str, number: int | None, most: int) -> bool:
    """Whether an option's number is from 1 to ``most`` or not given; if not, a sentence on standard error."""
    from oudjat.rules.game import N_

    if number is None or 1 <= number <= most:
        return True
    say(words(N_("{option} takes a whole number from {least} to {most}."), option=option, least=1, most=most))
    return False


def pairs(words: Words, option: tuple[str, ...]) -> dict[str, str] | None:
    """The rules that ``--option key=value`` sets, by key; None, and a sentence on standard error, for another form."""
    from oudjat.rules.game import SetupError
    from oudjat.terminal.seating import read_options
    from oudjat.texts.speech import refusal

    try:
        return dict(read_options(option))
    except SetupError as error:
        say(refusal(words, error))
        return None


def texts(files: tuple[Path, ...], words: Words) -> Iterator[tuple[Path, str | None]]:
    """Each file with its text; None, and a sentence on standard error, where it cannot be read. Bytes that are
    no UTF-8 are kept as replacement characters: the turn that holds them will be refused in its place."""
    from oudjat.rules.game import N_

    for file in files:
        try:
            data = sys.stdin.buffer.read() if str(file) == STANDARD_INPUT else file.read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            say(words(N_("{file} cannot be read: {reason}."), file=str(file), reason=reason))
            yield file, None
        else:
            yield file, data.decode("utf-8-sig", errors="replace")
