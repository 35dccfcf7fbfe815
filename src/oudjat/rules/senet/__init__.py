"""Senet (ancient Egypt; after T. Kendall's reconstruction): race along thirty houses, swap, block, bear off.

Source: seed 004 names Senet, which was played on Pharao's board with five to ten pieces a side; its rules are
lost, and this is one published reconstruction among several (SE-8); numbered in RULES.md as SE-1 to SE-8. Ruling of
ours: when pieces may be borne off (SE-7). And what follows from the rules:

- SE-3: a move never ends on a piece of one's own side. What is a pair or a block is seen before the move; it passes
  a block whose three houses all lie between its first and its last.
- SE-4, SE-5: 26, 28, 29 and 30 are entered only when free, since nobody is swapped from there. The fall into
  the water is a move forward, written ``1:26-27``; it is none when no house up to 15 is free to take the piece.
- SE-5: pieces on 26 to 30 never move backward (SE-6 speaks of 1 to 25).
- SE-6: a pair or block hinders backward as forward; a swap backward brings the other piece forward.
- SE-2: after 1, 4 and 5 the same player throws again, also after a move backward; not after a lost throw.

Read ``core`` first: it holds the rules. ``turns`` spells turns, ``why_not`` says what forbids one, ``position``
makes a core an immutable value and says what is seen of it, ``game`` declares the game.
"""

from __future__ import annotations

from oudjat.rules.senet.core import (
    BEAUTY,
    CORE,
    DARK,
    FIRST_TEN,
    HAND,
    HORUS,
    LIGHT,
    LIMIT,
    LOST,
    MOST_TURNS,
    OFF,
    PLAYERS,
    REBIRTH,
    SIZE,
    THREE,
    THROWS,
    TO_MOVE,
    TURNS,
    TWO,
    WATER,
    WAY,
    WINNERS,
    add_moves,
    backward_ends,
    blocks,
    code_of,
    end_of,
    forward_ends,
    late_end,
    list_turns,
    paired,
    passed_backward,
    passed_forward,
    play,
    rebirth,
    start_of,
    throws_again,
)
from oudjat.rules.senet.game import SENET, Senet
from oudjat.rules.senet.position import SenetPosition
from oudjat.rules.senet.turns import SenetTurn, house_name, read_throw, read_turn, turn_of

__all__ = [
    "BEAUTY",
    "CORE",
    "DARK",
    "FIRST_TEN",
    "HAND",
    "HORUS",
    "LIGHT",
    "LIMIT",
    "LOST",
    "MOST_TURNS",
    "OFF",
    "PLAYERS",
    "REBIRTH",
    "SENET",
    "SIZE",
    "THREE",
    "THROWS",
    "TO_MOVE",
    "TURNS",
    "TWO",
    "WATER",
    "WAY",
    "WINNERS",
    "Senet",
    "SenetPosition",
    "SenetTurn",
    "add_moves",
    "backward_ends",
    "blocks",
    "code_of",
    "end_of",
    "forward_ends",
    "house_name",
    "late_end",
    "list_turns",
    "paired",
    "passed_backward",
    "passed_forward",
    "play",
    "read_throw",
    "read_turn",
    "rebirth",
    "start_of",
    "throws_again",
    "turn_of",
]
