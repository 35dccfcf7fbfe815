"""How the core of a game of two sides begins: the place of each number that such games have in common.

A core is a sequence of integers. ``LIGHT`` and ``DARK`` are sets of bits, one for every space on which a piece of
that side stands, so that a core needs places of 64 bits.
"""

from __future__ import annotations

PLAYERS = 0  # 2
TO_MOVE = 1  # seat, from 0: light is 0
TURNS = 2  # whole turns played
WINNERS = 3  # the seats that share the result as bits, 0 while the game goes on
LIGHT = 4  # LIGHT + seat is the seat's pieces
DARK = 5
HAND = 6  # only in games with a throw: what was thrown, 0 while nothing is

BOTH = 3  # WINNERS of a draw
