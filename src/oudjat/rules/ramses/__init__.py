"""Ramses (Horst Alexander Renz, Pharao-Brettspiele): move one of yours and one of theirs, take three squares.

Source: the translated rules of Isis (seed 004), which name Ramses, its number of pieces and its aims; numbered in
RULES.md as RA-1 to RA-7. Rulings of ours: the long spaces 5 and 22 act as the squares above and below 10 (RA-1),
the space that a piece leaves counts as one it has been on, and it counts itself (RA-4), repetition and 400 turns
(RA-7). And what follows from them:

- RA-4: the second half is counted on the board as the first half left it.
- RA-5: there are five special squares, so never do both sides hold three. The first half can win for the player
  who moves, and then is the whole turn; the second half can win for his opponent.
- RA-6: a first half after which no piece of the opponent's can move is no legal turn. Who has none loses, also
  when ``repetition=forbid`` bars the last ones.
- RA-7: a draw by 400 turns comes before RA-6, a win with the 400th turn before the draw.

Read ``core`` first: it holds the rules. ``turns`` spells turns, ``position`` makes a core an immutable value and
says what is seen of it, ``game`` declares the game and sets positions up.
"""

from __future__ import annotations

from oudjat.rules.halves import Half
from oudjat.rules.ramses.core import (
    BOARD,
    COLUMNS,
    CORE,
    DARK,
    LIGHT,
    LIMIT,
    MOST_TURNS,
    PLACES,
    PLAYERS,
    ROWS,
    SIZE,
    SPACES,
    SPECIAL,
    TO_MOVE,
    TURNS,
    WIDTH,
    WINNERS,
    distance,
    has_won,
    list_second_halves,
    list_turns,
    play,
    targets,
)
from oudjat.rules.ramses.game import RAMSES, Ramses
from oudjat.rules.ramses.position import RamsesPosition
from oudjat.rules.ramses.turns import RamsesTurn, read_turn, turn_of
from oudjat.rules.stepping import code_of, other_from, other_to, own_from, own_to

__all__ = [
    "BOARD",
    "COLUMNS",
    "CORE",
    "DARK",
    "LIGHT",
    "LIMIT",
    "MOST_TURNS",
    "PLACES",
    "PLAYERS",
    "RAMSES",
    "ROWS",
    "SIZE",
    "SPACES",
    "SPECIAL",
    "TO_MOVE",
    "TURNS",
    "WIDTH",
    "WINNERS",
    "Half",
    "Ramses",
    "RamsesPosition",
    "RamsesTurn",
    "code_of",
    "distance",
    "has_won",
    "list_second_halves",
    "list_turns",
    "other_from",
    "other_to",
    "own_from",
    "own_to",
    "play",
    "read_turn",
    "targets",
    "turn_of",
]
