"""How the screen is shared out: pure arithmetic on its size."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
TRACK = 20
_AROUND = 4  # rows: title, two of prompt, keys
_LETTERS = 2  # rows above and below the board; columns left of it
_LEAST_SIDE, _MOST_SIDE = 20, 44
_TALLEST_CELL = 7
_LEAST_BELOW = 6  # rows below a long board, or a row for each seat


@dataclass(frozen=True, slots=True)
class Fit:
    """Sizes in cells of the terminal: a space of the board, the board, a track, what is left for the side; how many
    rows there are for the board with what stands beside or ``below`` it, and for the prompt."""

    cell_width: int
    cell_height: int
    board_width: int
    board_height: int
    track_width: int
    side_width: int
    main_height: int
    prompt_height: int = 2
    below: bool = False

    @property
    def side_height(self) -> int:
        """Rows for the seats and the log."""
        return self.main_height - self.board_height - self.above if self.below else self.main_height

    @property
    def above(self) -> int:
        """Empty rows above a long board, and as many below it, where there is room enough."""
        return int(self.below and self.main_height - self.board_height >= _LEAST_BELOW + 2)


def fit(width: int, height: int, *, rows: int, columns: int, players: int, tracks: bool = True) -> Fit | None:
    """The largest board that leaves room for all else; None when the terminal is too small.

    A long board lies across, and what stands beside another board stands below it.

    >>> fit(80, 24, rows=6, columns=6, players=4).side_width
    20
    >>> fit(80, 24, rows=4, columns=16, players=2).below
    True
    """
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return None
    if columns > 2 * rows:
        return _long(width, height, rows=rows, columns=columns, players=players)
    track = 4 + players if tracks else 0  # a number with its sign, a lane for each seat, a gap
    for tall in range(_TALLEST_CELL, 2, -1):
        wide = 2 * tall + 1  # a character is about twice as tall as wide
        board_width, board_height = columns * wide + _LETTERS, rows * tall + _LETTERS
        side = width - board_width - 2 * track
        if board_height <= height - _AROUND and side >= _LEAST_SIDE:
            return Fit(wide, tall, board_width, board_height, track, min(side, _MOST_SIDE), height - _AROUND)
    return None


def _long(width: int, height: int, *, rows: int, columns: int, players: int) -> Fit | None:
    """See :func:`fit`. What such games ask and explain is long: a sentence has up to two rows more."""
    least = max(_LEAST_BELOW, players)
    for tall in range(_TALLEST_CELL, 2, -1):
        wide = min(width // columns, 2 * tall)
        left = height - _AROUND - rows * tall - least  # rows that are not needed
        if wide >= 2 * tall - 2 and left >= 1:
            prompt = 2 + min(2, left)
            main = height - 2 - prompt
            return Fit(wide, tall, columns * wide, rows * tall, 0, width, main, prompt, below=True)
    return None
