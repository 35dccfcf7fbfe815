"""The throws and turns of Senet with their spelling (FORMATS.md 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from oudjat.rules.errors import N_, UnreadableTurn
from oudjat.rules.senet.core import LOST, OFF, end_of, start_of
from oudjat.rules.thirty_houses import read_house
from oudjat.rules.throwing import ThrownTurn

BORNE_OFF = "off"


def house_name(house: int) -> str:
    """The number of a house, or ``off``."""
    return BORNE_OFF if house == OFF else str(house)


@dataclass(frozen=True, slots=True)
class SenetTurn(ThrownTurn):
    """SE-2: a throw and the move with it, from house to house; ``end`` is the core's OFF for a piece borne off, and
    both are 0 when the throw is lost (SE-6)."""

    start: int = LOST
    end: int = LOST

    @property
    def text(self) -> str:
        if self.start == LOST:
            return f"{self.hand}:--"
        return f"{self.hand}:{self.start}-{house_name(self.end)}"


def turn_of(hand: int, code: int) -> SenetTurn:
    """The turn that the core writes as this number, made with this throw."""
    return SenetTurn(hand, start_of(code), end_of(code))


def read_throw(text: str) -> int:
    """SE-2: 1 to 5. Raises :class:`UnreadableTurn`."""
    if not re.fullmatch(r"[1-5]", text, re.ASCII):
        raise UnreadableTurn("SE-2", N_("“{throw}” is no throw; the sticks show 1 to 5."), throw=text[:40])
    return int(text)


_TURN = re.compile(r"(\d+):(?:(--)|(\d+)-(?:(off)|(\d+)))", re.ASCII)


def read_turn(text: str) -> SenetTurn:
    """The turn that ``text`` spells. Raises :class:`UnreadableTurn`: SE-1 for a house, SE-2 for a throw that does
    not exist, else ``record``.

    >>> read_turn("4:9-13"), read_turn("3:--").text
    (SenetTurn(hand=4, start=9, end=13), '3:--')
    """
    parts = _TURN.fullmatch(text)
    if not parts:
        raise UnreadableTurn(
            "record", N_("“{text}” is no turn; write 4:9-13, 5:26-off or 3:--."), text=text[:40]
        )
    throw, lost, start, off, end = parts.groups()
    hand = read_throw(throw)
    if lost:
        return SenetTurn(hand)
    return SenetTurn(hand, read_house(start, "SE-1"), OFF if off else read_house(end, "SE-1"))
