"""Tiles, the eye, large numerals and frames, drawn in characters that are one cell wide in every terminal.

A drawing is rows of runs: text with its style. Shapes stay readable without any colour.
"""

from __future__ import annotations

from rich.style import Style

from oudjat.terminal.colours import Palette, style
from oudjat.texts.speech import shown

Rows = list[list[tuple[str, Style]]]

# The eye looks the same way on every tile (IO-2).
_EYES = {
    1: (" ‹◉›─",),
    2: (" ▁▂▃▂▁ ", " ‹◉›── "),
    3: (" ▂▃▄▄▃▂▁ ", " ‹━◉━›── ", "  ╽ ╰─╮  "),
}
_NUMERALS = {
    "1": (" ▀█ ", "  █ ", " ▀▀▀"),
    "2": ("▀▀▀█", "█▀▀▀", "▀▀▀▀"),
    "3": ("▀▀▀█", " ▀▀█", "▀▀▀▀"),
    "4": ("█  █", "▀▀▀█", "   ▀"),
    "5": ("█▀▀▀", "▀▀▀█", "▀▀▀▀"),
    "6": ("█▀▀▀", "█▀▀█", "▀▀▀▀"),
    "7": ("▀▀▀█", "   █", "   ▀"),
    "8": ("█▀▀█", "█▀▀█", "▀▀▀▀"),
    "9": ("█▀▀█", "▀▀▀█", "▀▀▀▀"),
    "0": ("█▀▀█", "█  █", "▀▀▀▀"),
    "+": (" ▄ ", "▀█▀", "   "),
    "-": ("   ", "▀▀▀", "   "),
}
LIGHT = "╭─╮││╰─╯"
HEAVY = "┏━┓┃┃┗━┛"
DOUBLE = "╔═╗║║╚═╝"
CORNERS = "┌ ┐  └ ┘"


def framed(body: Rows, width: int, line: str, edge: Style) -> Rows:
    """``body``, rows of ``width - 2`` cells, inside a frame."""
    top, left_right, bottom = line[:3], line[3:5], line[5:]
    return [
        [(top[0] + top[1] * (width - 2) + top[2], edge)],
        *([(left_right[0], edge), *row, (left_right[1], edge)] for row in body),
        [(bottom[0] + bottom[1] * (width - 2) + bottom[2], edge)],
    ]


def centred(lines: tuple[str, ...], width: int, height: int, ink: Style) -> Rows:
    """Lines of text in the middle of ``width`` x ``height`` cells."""
    above = (height - len(lines)) // 2
    padded = [""] * above + list(lines) + [""] * (height - len(lines) - above)
    return [[((" " * ((width - len(row)) // 2) + row).ljust(width), ink)] for row in padded]


def tile(face: str | None, width: int, height: int, palette: Palette) -> Rows:
    """A tile's body of ``width`` x ``height`` cells: the eye, or its value face up."""
    if face is None:
        eye = _EYES[3 if height >= 3 and width >= 9 else 2 if height == 2 and width >= 7 else 1]
        return centred(eye, width, height, style(palette.stone_ink, palette.stone))
    ink = style(palette.value(face, on_stone=True), palette.stone, bold=True)
    if height < 3 or width < 8:
        return centred((shown(face),), width, height, ink)
    return centred(numeral(face), width, height, ink)


def numeral(text: str) -> tuple[str, ...]:
    """Digits and signs three rows high."""
    return tuple(" ".join(_NUMERALS[letter][row] for letter in text) for row in range(3))


def slab(body: Rows, width: int, palette: Palette) -> Rows:
    """A tile as it lies: its body within thin joints, which are also its outline where there are no colours."""
    joint = style(palette.edge, palette.stone)
    across = width - 2
    return [
        [("▏" + "▔" * across + "▕", joint)],
        *([("▏", joint), *row, ("▕", joint)] for row in body),
        [("▏" + "▁" * across + "▕", joint)],
    ]
