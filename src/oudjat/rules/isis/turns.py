"""The squares of Isis on the board, and its turns with their spelling (FORMATS.md 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from oudjat.rules.game import N_, Turn, UnreadableTurn
from oudjat.rules.isis.core import OWN, PASS, PERSONALIZE, SQUARES

COLOURS = ("green", "yellow", "black", "violet", "turquoise", "red", "white")  # in seat order
SHAPES = ("jar",) * 7
ROWS = 4
COLUMNS = 16


def place_of(square: int) -> tuple[int, int]:
    """Row and column of a square from 1 to 50, row 0 being the top row and column 0 the one furthest underworldward.

    >>> place_of(1), place_of(14), place_of(16), place_of(50)
    ((0, 0), (3, 6), (1, 7), (3, 15))
    """
    if square < 15:
        return (0 if square % 2 else 3), (square - 1) // 2
    return (square - 15) % 4, 7 + (square - 15) // 4


@dataclass(frozen=True, slots=True)
class Move(Turn):
    """IS-4: a neutral piece, or the player's ``own``, goes from ``start`` to ``end``; 0 is the Underworld."""

    start: int
    end: int
    own: bool = False

    @property
    def text(self) -> str:
        return f"{'*' if self.own else ''}{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Personalize(Turn):
    """IS-9: the neutral piece on ``square`` becomes the player's."""

    square: int

    @property
    def text(self) -> str:
        return f"{self.square}!"


@dataclass(frozen=True, slots=True)
class Pass(Turn):
    """IS-12."""

    @property
    def text(self) -> str:
        return "--"


def code_of(turn: Turn) -> int:
    """The turn as the core codes it. Raises TypeError for what is no turn of this game.

    >>> code_of(Move(19, 27))
    1243
    """
    match turn:
        case Move(start, end, own):
            return OWN * own | start << 6 | end
        case Personalize(square):
            return square << 6 | PERSONALIZE
        case Pass():
            return PASS
    raise TypeError(f"{turn} is no turn of Isis")


def turn_from(code: int) -> Turn:
    """The turn that the core codes so.

    >>> turn_from(code_of(Move(48, 44, own=True))).text
    '*48-44'
    """
    if code == PASS:
        return Pass()
    start, end = code >> 6 & 63, code & 63
    return Personalize(start) if end == PERSONALIZE else Move(start, end, own=code >= OWN)


_TURN = re.compile(r"(\*?)(0|[1-9]\d*)-(0|[1-9]\d*)|(0|[1-9]\d*)!", re.ASCII)


def read_turn(text: str) -> Turn:
    """The turn that ``text`` spells. Raises :class:`UnreadableTurn`: IS-1 for a square that does not exist, else
    ``record``.

    >>> read_turn("*0-13")
    Move(start=0, end=13, own=True)
    """
    if text == "--":
        return Pass()
    parts = _TURN.fullmatch(text)
    if not parts:
        raise UnreadableTurn(
            "record", N_("“{text}” is no turn; write 0-13, 19-27, *48-44, 43!, 17-0 or --."), text=text[:40]
        )
    own, start, end, personalized = parts.groups()
    if personalized is not None:
        return Personalize(_square(personalized))
    return Move(_square(start), _square(end), own=bool(own))


def _square(text: str) -> int:
    if len(text) > 2 or int(text) > SQUARES:
        raise UnreadableTurn(
            "IS-1",
            N_("There is no square {square}; squares are 1 to 50, and 0 is the Underworld."),
            square=text[:40],
        )
    return int(text)
