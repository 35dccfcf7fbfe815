"""What a display needs and all it may know: the types that come out of ``Position.view``.

They are structs of msgspec: made, compared and hashed in C, since a house makes them at every turn for everybody who
looks, and written as JSON as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

Asks = Literal["choice", "chance", "placing", "nothing"]
"""What a position waits for: a player's choice, chance, where to put what chance brought, or nothing (over)."""

Luck = Literal["tiles", "dice", "sticks"]
"""What brings the luck of a game."""

Ways = dict[str, Any]
"""Turns by what is chosen for them, one choice after another: the key is a space's name, or a word that stands for
no space (``!``, ``off``); the value is the spelled turn, or again a mapping of this kind of what can be chosen next."""

Walk = tuple[str, ...]
"""The spaces that a piece goes through from the one it leaves to the one where it ends, by name."""


def ways_of(turns: Iterable[tuple[tuple[str, ...], str]]) -> Ways:
    """Turns, each given by its choices and its spelling, as :data:`Ways`. No turn's choices may begin another's.

    >>> ways_of([(("3", "9"), "3-9"), (("3", "11"), "3-11")])
    {'3': {'9': '3-9', '11': '3-11'}}
    """
    ways: Ways = {}
    for choices, turn in turns:
        *earlier, last = choices
        here = ways
        for choice in earlier:
            further = here.setdefault(choice, {})
            if isinstance(further, str):
                raise ValueError(f"{turn} begins with all the choices of {further}")
            here = further
        if last in here:
            raise ValueError(f"{turn} has the same choices as {here[last]}")
        here[last] = turn
    return ways


def turns_in(ways: Ways | str) -> list[str]:
    """Every spelled turn at the ends of these ways.

    >>> turns_in({"3": {"9": "3-9", "11": "3-11"}})
    ['3-9', '3-11']
    """
    return (
        [ways] if isinstance(ways, str) else [turn for further in ways.values() for turn in turns_in(further)]
    )


class Reserve(msgspec.Struct, frozen=True):
    """What a seat has still to place."""

    pieces: int
    tiles: int


class Lies(msgspec.Struct, frozen=True, cache_hash=True):
    """What lies on a space, as this viewer may know it. ``face`` is the spelled value, None while hidden; a piece
    without a ``seat`` belongs to nobody."""

    kind: Literal["piece", "tile"]
    seat: int | None = None
    face: str | None = None


class Cell(msgspec.Struct, frozen=True, cache_hash=True):
    """One space of a board drawn as a grid; row 0 is the top row, column 0 the left one.

    ``offers`` are the spelled turns that choosing this space alone offers to the viewer now. ``pile`` is what lies
    on a space for several pieces, where ``lies`` stays None. ``walls`` and ``doors`` name sides (``n``, ``e``,
    ``s``, ``w``), ``mark`` a sign printed on the board.
    """

    name: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    lies: Lies | None = None
    pile: tuple[Lies, ...] = ()
    offers: tuple[str, ...] = ()
    mark: str | None = None
    walls: str = ""
    doors: str = ""


class SeatView(msgspec.Struct, frozen=True):
    """A seat as everybody may see it; ``score`` is None while it is not public."""

    number: int
    colour: str
    shape: str
    reserve: Reserve | None = None
    score: int | None = None
    markers: int | None = None


class BoardView(msgspec.Struct, frozen=True):
    """All that a display needs and all that it may know.

    So many ``winners`` as are ``ranked`` stand in the order of arrival. ``options`` are the rules that the players
    set; ``thrown`` says what brings the luck, ``drawn`` what it brought and everybody sees until it is used.
    ``actions`` are the spelled turns that are bound to no space (``draw``, ``--``), ``ways`` those for which several
    things are chosen one after another, ``barred`` those that only the course of the game forbids. ``turns`` counts
    the whole turns played.
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
    ranked: int = 0
    thrown: Luck | None = None
    options: dict[str, str] = {}
    ways: Ways = {}
    barred: Ways = {}

    def cell(self, name: str) -> Cell:
        """The cell of this name; KeyError when the board has none."""
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(name)

    def at(self, row: int, column: int) -> Cell | None:
        """The cell that covers a place of the grid; None where there is none."""
        for cell in self.cells:
            if cell.row <= row < cell.row + cell.rows and cell.column <= column < cell.column + cell.columns:
                return cell
        return None


class ScoredPiece(msgspec.Struct, frozen=True):
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
