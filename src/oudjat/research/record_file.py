"""The games of a match as a file of records, in their order, kept as the match goes on."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from oudjat.records import write_record
from oudjat.research.matches import Match, Result, record_of


class RecordFile:
    """A file that takes finished games in any order and holds them in the order of their numbers.

    What can be written in order is on its way to the disk when :meth:`add` returns; leaving the ``with`` writes
    what still waited for a game that never ended. A file that was there before is written over.
    """

    def __init__(self, file: Path, match: Match, today: date) -> None:
        """Raises OSError where the file cannot be written; so do all methods."""
        self._match = match
        self._today = today
        self._waiting: dict[int, Result] = {}
        self._next = 0
        self._gap = ""  # between two games stands a blank line
        self._stream = file.open("w", encoding="utf-8", newline="\n")

    def add(self, result: Result) -> None:
        """Keep a game."""
        self._waiting[result.number] = result
        while self._next in self._waiting:
            self._write(self._waiting.pop(self._next))
            self._next += 1
        self._stream.flush()

    def _write(self, result: Result) -> None:
        self._stream.write(self._gap + write_record(record_of(self._match, result, self._today)))
        self._gap = "\n"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stream:
            for number in sorted(self._waiting):
                self._write(self._waiting[number])
