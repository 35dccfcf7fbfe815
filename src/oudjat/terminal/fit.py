"""How the screen is shared out: pure arithmetic on its size."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
TRACK = 20
_AROUND = 4  # rows: title, two of prompt, keys
_LETTERS = 2  # rows above and below the board; columns left of it
_LEAST_SIDE, _MOST_SIDE = 20, 44
_TALLEST_CELL = 7


@dataclass(frozen=True, slots=True)
class Fit:
    """Sizes in cells of the terminal: a space of the board, the board, a track, what is left for the side."""

    cell_width: int
    cell_height: int
    board_width: int
    board_height: int
    track_width: int
    side_width: int
    main_height: int


def fit(width: int, height: int, *, rows: int, columns: int, players: int) -> Fit | None:
    """The largest board that leaves room for all else; None when the terminal is too small.

    >>> fit(80, 24, rows=6, columns=6, players=4).side_width
    20
    """
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return None
    track = 4 + players  # a number with its sign, a lane for each seat, a gap
    for tall in range(_TALLEST_CELL, 2, -1):
        wide = 2 * tall + 1  # a character is about twice as tall as wide
        board_width, board_height = columns * wide + _LETTERS, rows * tall + _LETTERS
        side = width - board_width - 2 * track
        if board_height <= height - _AROUND and side >= _LEAST_SIDE:
            return Fit(wide, tall, board_width, board_height, track, min(side, _MOST_SIDE), height - _AROUND)
    return None
