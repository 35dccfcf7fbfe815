"""What the terminal says about itself: the game in short, the keys, the commands."""

from __future__ import annotations

from oudjat.rules.game import N_

IN_SHORT = (
    N_("On your turn, either place one of your pieces on a free space, or turn over a tile. (IO-7, IO-8)"),
    N_("Everybody sees the tile that is turned over; then you place it face down on a free space. (IO-8)"),
    N_("Nothing on the board ever moves. Remember what lies where. (IO-9)"),
    N_("The game ends when the board is full; then all tiles are turned face up. (IO-12, IO-13)"),
    N_("A piece is worth the sum of the tiles beside it, above, below, left and right. (IO-13)"),
    N_("Most points wins. (IO-16)"),
)
"""The rules that one must know to begin."""

KEYS = (
    (N_("Arrow keys"), N_("walk over the board")),
    (N_("Enter"), N_("place a piece, or the tile that is turned over")),
    (N_("T"), N_("turn over a tile")),
    (N_("L"), N_("light or dark")),
    (N_("?"), N_("these keys")),
    (N_("Q, Escape"), N_("leave")),
)
"""Keys of the full screen and what each does. A mouse click on a space does what Enter does there."""

COMMANDS = (
    ("c3, Pc3", N_("place a piece on c3, or the tile that is turned over")),
    ("draw", N_("turn over a tile")),
    ("pass", N_("pass, when you have nothing to place")),
    ("board", N_("show the board as a table")),
    ("what is c3, c3?", N_("say what lies on c3")),
    ("log", N_("say what has happened")),
    ("rules", N_("the rules in short")),
    ("help", N_("these commands")),
    ("quit", N_("leave")),
)
"""Commands of ``--plain`` and what each does; the commands are the same in every language."""
