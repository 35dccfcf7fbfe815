"""The board of thirty houses on which Pharao and Senet are played: three rows of ten, numbered in an S.

row 0 |  1  2  3  4  5  6  7  8  9 10
row 1 | 20 19 18 17 16 15 14 13 12 11
row 2 | 21 22 23 24 25 26 27 28 29 30
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from oudjat.rules.errors import N_, UnreadableTurn
from oudjat.rules.views import Cell, Lies

HOUSES = 30
COLUMNS = 10
SHAPES = ("cone", "spindle")  # of the pieces, in seat order


def row_and_column(house: int) -> tuple[int, int]:
    """Where a house lies; row 0 is the top row, column 0 the left one.

    >>> row_and_column(11), row_and_column(20), row_and_column(21)
    ((1, 9), (1, 0), (2, 0))
    """
    row, along = divmod(house - 1, COLUMNS)
    return row, COLUMNS - 1 - along if row == 1 else along


def read_house(text: str, rule: str) -> int:
    """The house of this number. Raises :class:`UnreadableTurn` with the rule that names the houses."""
    if not re.fullmatch(r"[1-9]|[12]\d|30", text, re.ASCII):
        raise UnreadableTurn(rule, N_("There is no house {house}; houses are 1 to 30."), house=text[:40])
    return int(text)


def house_cells(lies: Callable[[int], Lies | None], marks: Mapping[int, str]) -> tuple[Cell, ...]:
    """The board in reading order, with what lies on each house and the signs printed on some."""
    cells = []
    for house in sorted(range(1, HOUSES + 1), key=row_and_column):
        row, column = row_and_column(house)
        cells.append(Cell(name=str(house), row=row, column=column, lies=lies(house), mark=marks.get(house)))
    return tuple(cells)
