"""What a display needs and all it may know: the types that come out of ``Position.view``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Asks = Literal["choice", "chance", "placing", "nothing"]
"""What a position waits for: a player's choice, chance, where to put what chance brought, or nothing (over)."""


@dataclass(frozen=True, slots=True)
class Reserve:
    """What a seat has still to place."""

    pieces: int
    tiles: int


@dataclass(frozen=True, slots=True)
class Lies:
    """What lies on a space, as this viewer may know it. ``face`` is the spelled value, None while hidden."""

    kind: Literal["piece", "tile"]
    seat: int | None = None
    face: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One space of a board drawn as a grid; row 0 is the top row, column 0 the left one.

    ``offers`` are the spelled turns that choosing this space offers to the viewer now. ``walls`` and ``doors``
    name sides (``n``, ``e``, ``s``, ``w``), ``mark`` a sign printed on the board.
    """

    name: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    lies: Lies | None = None
    offers: tuple[str, ...] = ()
    mark: str | None = None
    walls: str = ""
    doors: str = ""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as everybody may see it; ``score`` is None while it is not public."""

    number: int
    colour: str
    reserve: Reserve | None
    score: int | None
    markers: int | None


@dataclass(frozen=True, slots=True)
class BoardView:
    """All that a display needs and all that it may know.

    ``drawn`` is what chance brought and everybody sees until it is placed. ``actions`` are the spelled turns
    that are bound to no space (``draw``, ``--``). ``turns`` counts the whole turns played.
    """

    game: str
    variant: str
    players: int
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    seats: tuple[SeatView, ...]
    turns: int
    to_move: int | None
    asks: Asks
    drawn: str | None
    actions: tuple[str, ...]
    over: bool
    winners: tuple[int, ...]

    def cell(self, name: str) -> Cell:
        """The cell of this name; KeyError when the board has none."""
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class ScoredPiece:
    """One step of the scoring: the piece on ``space`` is worth ``worth``, the sum of ``tiles`` (space and spelled
    value of each that counts). With it its seat's score is ``total``, which shows as ``markers`` +/-20 markers and
    the scoring marker at ``mark`` of the track (negative: of the minus track, 0: beside it)."""

    seat: int
    space: str
    tiles: tuple[tuple[str, str], ...]
    worth: int
    total: int
    markers: int
    mark: int
