"""The spaces of Isis & Osiris by name, and its turns with their spelling (FORMATS.md 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from oudjat.rules.game import N_, Turn, UnreadableTurn
from oudjat.rules.isis_osiris.core import SIDE, SPACES

COLUMNS = "abcdef"
SPACE_NAMES = tuple(f"{COLUMNS[space % SIDE]}{space // SIDE + 1}" for space in range(SPACES))
SPACE_NUMBERS = {name: space for space, name in enumerate(SPACE_NAMES)}
READING_ORDER = tuple(sorted(range(SPACES), key=lambda space: (-(space // SIDE), space)))
"""The spaces as a page is read: the top row first, each from the left."""
COLOURS = ("green", "yellow", "black", "violet")  # IO-3, in seat order
SHAPES = ("lotus", "sun", "scarab", "ankh")  # of the pieces, in seat order


def neighbours(space: int) -> tuple[int, ...]:
    """The spaces orthogonally next to ``space``, by index: 2 in a corner, 3 at an edge, else 4."""
    column = space % SIDE
    return tuple(
        near
        for near, inside in (
            (space - 1, column > 0),
            (space + 1, column < SIDE - 1),
            (space - SIDE, space >= SIDE),
            (space + SIDE, space < SPACES - SIDE),
        )
        if inside
    )


def first_alike(space: int) -> int:
    """The lowest index among the spaces that turning and mirroring the board makes of ``space``."""
    low, high = sorted(min(place, SIDE - 1 - place) for place in (space % SIDE, space // SIDE))
    return low * SIDE + high


def spell_value(value: int) -> str:
    """``+3`` or ``-1``."""
    return f"{value:+d}"


@dataclass(frozen=True, slots=True)
class PlacePiece(Turn):
    """IO-7: the player's piece goes to ``space`` (by index)."""

    space: int

    @property
    def text(self) -> str:
        return f"P{SPACE_NAMES[self.space]}"


@dataclass(frozen=True, slots=True)
class PlaceTile(Turn):
    """IO-8: the tile turned over, of this ``value`` (None: withheld), goes to ``space`` (by index)."""

    value: int | None
    space: int

    @property
    def text(self) -> str:
        return f"{'?' if self.value is None else spell_value(self.value)}{SPACE_NAMES[self.space]}"


@dataclass(frozen=True, slots=True)
class Pass(Turn):
    """IO-20."""

    @property
    def text(self) -> str:
        return "--"


PIECE_ON = tuple(PlacePiece(space) for space in range(SPACES))
"""A turn of IO-7 for each space."""

_TURN = re.compile(r"(?:(P)|(\?)|([+-]\d+))([a-z])(\d+)", re.ASCII)


def read_value(text: str) -> int:
    """IO-2: +1 to +4 and -1 to -4. Raises :class:`UnreadableTurn`."""
    if re.fullmatch(r"[+-][1-4]", text, re.ASCII):
        return int(text)
    raise UnreadableTurn(
        "IO-2", N_("There is no tile of {value}; tiles are +1 to +4 and −1 to −4."), value=text
    )


@lru_cache(maxsize=1024)
def read_turn(text: str) -> Turn:
    """The turn that ``text`` spells. Raises :class:`UnreadableTurn`: IO-1 for a space, IO-2 for a tile that
    does not exist, else ``record``.

    >>> read_turn("Pc3").text
    'Pc3'
    """
    if text == "--":
        return Pass()
    parts = _TURN.fullmatch(text)
    if not parts:
        raise UnreadableTurn("record", N_("“{text}” is no turn; write Pc3, +3c4, ?c4 or --."), text=text[:40])
    piece, withheld, value, column, row = parts.groups()
    space = SPACE_NUMBERS.get(column + row)
    if space is None:
        raise UnreadableTurn(
            "IO-1",
            N_("There is no space {space}; columns are a to f, rows 1 to 6."),
            space=(column + row)[:40],
        )
    if piece:
        return PIECE_ON[space]
    return PlaceTile(None if withheld else read_value(value), space)
