"""The halves of which a turn is made in Ramses and Pharao: a piece goes an exact number of steps over a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from oudjat.rules.errors import N_, IllegalTurn
from oudjat.rules.stepping import bits_of, reach, way
from oudjat.rules.views import Walk


class Half(NamedTuple):
    """A half of a turn: a piece goes from one space to another."""

    start: int
    end: int

    @property
    def text(self) -> str:
        """``4-10``."""
        return f"{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of numbered spaces as ``stepping`` wants it: the place of each space, by its number, and the width.

    ``rule`` is the number of the rule of moving.
    """

    places: tuple[int, ...]
    width: int
    rule: str

    def moved(self, pieces: int, half: Half) -> int:
        """Pieces, as bits, when one of them has made this half."""
        return pieces ^ (1 << self.places[half.start] | 1 << self.places[half.end])

    def _free(self, occupied: int) -> int:
        return bits_of(self.places[1:]) & ~occupied

    def walk(self, occupied: int, half: Half, steps: int) -> Walk:
        """The spaces that the piece goes through, by name; empty when it cannot."""
        start, end = self.places[half.start], self.places[half.end]
        return tuple(
            str(self.places.index(place))
            for place in way(self._free(occupied), start, end, self.width, steps)
        )

    def why_not(self, occupied: int, half: Half, steps: int) -> IllegalTurn | None:
        """Why the piece on a half's first space cannot go to its last in exactly ``steps``; None when it can."""
        start, end = self.places[half.start], self.places[half.end]
        if start == end:
            return IllegalTurn(
                self.rule,
                N_("The piece on {space} cannot stay there; move it to another space."),
                space=half.end,
            )
        if occupied >> end & 1:
            return IllegalTurn(self.rule, N_("{space} is occupied; end on a free space."), space=half.end)
        if not reach(self._free(occupied), 1 << start, self.width, steps) >> end & 1:
            return IllegalTurn(
                self.rule,
                N_(
                    "The piece on {space} moves exactly {steps}, over free spaces only, and cannot end on {end}."
                ),
                space=half.start,
                steps=steps,
                end=half.end,
            )
        return None
