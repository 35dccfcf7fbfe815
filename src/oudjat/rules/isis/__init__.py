"""Isis (Horst Alexander Renz, Pharao-Brettspiele, München): bring a piece of your own onto a throne of Isis.

Source: Daniel U. Thibault's translation of the rules from the French (1997), in which two lists of conditions are
lost; numbered here as IS-1 to IS-14. Rulings of ours: when a piece may be personalized (IS-9), when pieces are cast
out (IS-10) and sent home (IS-11), the end of the ban on moving the same piece (IS-8), repetition and the limit of 400
turns (IS-14). Where those leave something open, we hold that:

- IS-7: the Underworld is entered only by a return home, never by another move through 16 or 17;
- IS-8: a return home is a move too, so the ban holds for it; personalizing is none, and a pass ends the ban;
- IS-10: who wins leaves the board as it is, nobody is cast out then;
- IS-11: "every player" means every player still in the game, now; a personalized piece in the Underworld counts;
- IS-13: in a full ranking the last place goes to whoever is left, or to all who are left when a draw ends the game;
- IS-14: who has dropped out is part of what is compared; who has nothing but barred turns passes (IS-12).

Read ``core`` first: it holds the board and the rules. ``turns`` spells turns, ``paths`` finds the way of a piece,
``why_not`` says no, ``position`` makes a core and its past an immutable value and shows it, ``game`` declares the game
and sets up positions.
"""

from __future__ import annotations

from oudjat.rules.isis.core import (
    ALL,
    ARRIVAL,
    ARRIVED,
    CORE,
    EXITS,
    GONE,
    JUST_MOVED,
    LIMIT,
    MOST_TURNS,
    NEUTRAL,
    NO_PIECE,
    OWN,
    PASS,
    PERSONALIZE,
    PIECE,
    PIECES,
    PLAYERS,
    SIDES,
    SIZE,
    SQUARES,
    THRONES,
    TO_MOVE,
    TURNS,
    WINNERS,
    around,
    list_turns,
    neutral_below,
    occupied,
    play,
)
from oudjat.rules.isis.game import ISIS, Isis
from oudjat.rules.isis.paths import squares_of
from oudjat.rules.isis.position import IsisPosition
from oudjat.rules.isis.turns import COLOURS, Move, Pass, Personalize, code_of, place_of, read_turn, turn_from

__all__ = [
    "ALL",
    "ARRIVAL",
    "ARRIVED",
    "COLOURS",
    "CORE",
    "EXITS",
    "GONE",
    "ISIS",
    "JUST_MOVED",
    "LIMIT",
    "MOST_TURNS",
    "NEUTRAL",
    "NO_PIECE",
    "OWN",
    "PASS",
    "PERSONALIZE",
    "PIECE",
    "PIECES",
    "PLAYERS",
    "SIDES",
    "SIZE",
    "SQUARES",
    "THRONES",
    "TO_MOVE",
    "TURNS",
    "WINNERS",
    "Isis",
    "IsisPosition",
    "Move",
    "Pass",
    "Personalize",
    "around",
    "code_of",
    "list_turns",
    "neutral_below",
    "occupied",
    "place_of",
    "play",
    "read_turn",
    "squares_of",
    "turn_from",
]
