"""Pharao (Horst Alexander Renz, Pharao-Brettspiele): throw two special dice, move one of yours and one of theirs.

Source: the translated rules of Isis (seed 004), which name Pharao, its pieces, its dice and its three ways to win;
numbered in RULES.md as PH-1 to PH-7. Rulings of ours: where the pieces begin (PH-2), how they move (PH-4), the
water and the rescue (PH-5), boxing in, the option ``surround`` (PH-6), 400 turns (PH-7). And what follows from them:

- PH-4: the house that a piece leaves counts as one it has been on.
- PH-5: a piece is in danger in its owner's turn after the one in which it was moved onto 27, and in no other. With
  a 0 on his own die he cannot rescue it, and it leaves the game at once. When it has gone, its house is free in
  the second half.
- PH-6: who loses his last but one piece in the water has to end a *later* own move on 15, also when he has just
  moved the other one there. Whether a player is boxed in is asked before the water: he loses at once.
- PH-6: a turn with which the game ends in its first half is written without a second one (``3,1:16-15``, and
  ``0,1:-`` for who loses his last piece); with ``surround=yes``, ``3,1:5-8/--`` is a legal turn that loses, beside
  the others.
- PH-7: a win or a loss with the 400th turn comes before the draw.

Read ``core`` first: it holds the rules. ``turns`` spells throws and turns, ``why_not`` says what forbids one,
``position`` makes a core an immutable value and says what is seen of it, ``game`` declares the game.
"""

from __future__ import annotations

from oudjat.rules.halves import Half
from oudjat.rules.pharao.core import (
    BEAUTY,
    BOARD,
    BOXED_IN,
    CORE,
    DANGER,
    DARK,
    FIRST,
    HAND,
    LIFE,
    LIGHT,
    LIMIT,
    MOST_TURNS,
    PLACES,
    PLAYERS,
    SIZE,
    SURROUND,
    SURROUNDED,
    THROWS,
    TO_MOVE,
    TURNS,
    WATER,
    WHOLE,
    WIDTH,
    WINNERS,
    ending,
    hand_of,
    left_after,
    list_second_halves,
    list_turns,
    other_die,
    own_die,
    own_targets,
    play,
    wins,
)
from oudjat.rules.pharao.game import PHARAO, Pharao
from oudjat.rules.pharao.position import PharaoPosition
from oudjat.rules.pharao.turns import PharaoTurn, read_throw, read_turn, spell_throw, turn_of
from oudjat.rules.stepping import code_of, other_from, other_to, own_from, own_to

__all__ = [
    "BEAUTY",
    "BOARD",
    "BOXED_IN",
    "CORE",
    "DANGER",
    "DARK",
    "FIRST",
    "HAND",
    "LIFE",
    "LIGHT",
    "LIMIT",
    "MOST_TURNS",
    "PHARAO",
    "PLACES",
    "PLAYERS",
    "SIZE",
    "SURROUND",
    "SURROUNDED",
    "THROWS",
    "TO_MOVE",
    "TURNS",
    "WATER",
    "WHOLE",
    "WIDTH",
    "WINNERS",
    "Half",
    "Pharao",
    "PharaoPosition",
    "PharaoTurn",
    "code_of",
    "ending",
    "hand_of",
    "left_after",
    "list_second_halves",
    "list_turns",
    "other_die",
    "other_from",
    "other_to",
    "own_die",
    "own_from",
    "own_targets",
    "own_to",
    "play",
    "read_throw",
    "read_turn",
    "spell_throw",
    "turn_of",
    "wins",
]
