"""A picture that grows character by character, where what is put later covers what was there."""

from __future__ import annotations

from itertools import groupby

from rich.style import Style

from oudjat.terminal.drawings import Rows


class Canvas:
    """``width`` x ``height`` cells, all of them ``ground`` in the beginning."""

    def __init__(self, width: int, height: int, ground: Style) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", ground)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, look: Style) -> None:
        """Put text, each letter one cell wide; what lies beside the canvas is left out."""
        if 0 <= y < self.height:
            for column, letter in enumerate(text, x):
                if 0 <= column < self.width:
                    self._cells[y][column] = (letter, look)

    def fill(self, x: int, y: int, width: int, height: int, look: Style) -> None:
        """Make a rectangle empty."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, look)

    def lay(self, x: int, y: int, rows: Rows, *, ground: str) -> None:
        """Lay a drawing; where nothing but ``ground`` is seen of it, it covers nothing."""
        for down, row in enumerate(rows):
            column = x
            for text, look in row:
                bare = look.bgcolor is not None and look.bgcolor.name == ground
                for letter in text:
                    if letter != " " or not bare:
                        self.put(column, y + down, letter, look)
                    column += 1

    def frame(self, place: tuple[int, int, int, int], line: str, look: Style) -> None:
        """Draw a frame at left, top, width and height; ``line`` is its eight characters from left to right and top
        to bottom."""
        x, y, width, height = place
        self.put(x, y, line[0] + line[1] * (width - 2) + line[2], look)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, line[3], look)
            self.put(x + width - 1, row, line[4], look)
        self.put(x, y + height - 1, line[5] + line[6] * (width - 2) + line[7], look)

    def rows(self) -> Rows:
        """The picture as rows of runs."""
        return [
            [
                ("".join(letter for letter, _ in run), look)
                for look, run in groupby(row, key=lambda cell: cell[1])
            ]
            for row in self._cells
        ]
