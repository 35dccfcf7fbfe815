"""The turns of Ramses with their spelling (FORMATS.md 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from oudjat.rules.game import N_, Turn, UnreadableTurn
from oudjat.rules.halves import Half
from oudjat.rules.ramses import core as rules
from oudjat.rules.stepping import other_from, other_to, own_from, own_to


@dataclass(frozen=True, slots=True)
class RamsesTurn(Turn):
    """RA-3: an own piece moves, then one of the opponent's; None when the first half wins."""

    own: Half
    other: Half | None = None

    @property
    def text(self) -> str:
        return self.own.text if self.other is None else f"{self.own.text}/{self.other.text}"


def turn_of(code: int) -> RamsesTurn:
    """The turn that the core writes as this number."""
    spaces = rules.SPACES
    own = Half(spaces[own_from(code)], spaces[own_to(code)])
    if not other_from(code):
        return RamsesTurn(own)
    return RamsesTurn(own, Half(spaces[other_from(code)], spaces[other_to(code)]))


_TURN = re.compile(r"(\d+)-(\d+)(?:/(\d+)-(\d+))?", re.ASCII)
_SPACE = re.compile(r"[1-9]|1\d|2[0-2]", re.ASCII)


def _space(text: str) -> int:
    if not _SPACE.fullmatch(text):
        raise UnreadableTurn("RA-1", N_("There is no space {space}; spaces are 1 to 22."), space=text[:40])
    return int(text)


def read_turn(text: str) -> RamsesTurn:
    """The turn that ``text`` spells. Raises :class:`UnreadableTurn`: RA-1 for a space that does not exist, else
    ``record``.

    >>> read_turn("3-9").own, read_turn("4-10/21-11").other
    (Half(start=3, end=9), Half(start=21, end=11))
    """
    parts = _TURN.fullmatch(text)
    if not parts:
        raise UnreadableTurn("record", N_("“{text}” is no turn; write 4-10/21-11 or 3-9."), text=text[:40])
    start, end, other_start, other_end = parts.groups()
    own = Half(_space(start), _space(end))
    return (
        RamsesTurn(own)
        if other_start is None
        else RamsesTurn(own, Half(_space(other_start), _space(other_end)))
    )
