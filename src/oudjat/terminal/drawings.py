"""Pieces, tiles, the eye and large numerals, drawn in characters that are one cell wide in every terminal.

A drawing is rows of runs: text with its style. Shapes stay readable without any colour.
"""

from __future__ import annotations

from rich.style import Style

from oudjat.terminal.colours import SIGNS, Palette, style
from oudjat.texts.speech import shown

Rows = list[list[tuple[str, Style]]]

# Plates of the pieces, two pixels a character row: + is the piece, # the sign cut into it.
_SMALL = {
    "green": (".......", "..+++..", ".+++++.", ".+++++.", ".+++++.", "..+++.."),
    "yellow": (".+.+.+.", "..+++..", ".+++++.", ".+++++.", "..+++..", ".+.+.+."),
    "black": (".+...+.", "..+++..", ".+++++.", ".+++++.", ".+++++.", ".+...+."),
    "violet": (".......", "..+++..", ".+++++.", ".+++++.", "...+...", "...+..."),
}
_LARGE = {
    "green": (
        "...........",
        "...+++++...",
        ".++++#++++.",
        ".+#+###+#+.",
        ".+##+#+##+.",
        ".+#######+.",
        ".++#####++.",
        ".++++#++++.",
        "...+++++...",
        "...........",
    ),
    "yellow": (
        ".....+.....",
        ".+.+++++.+.",
        "..++###++..",
        ".++#+++#++.",
        "++#++#++#++",
        "++#++#++#++",
        ".++#+++#++.",
        "..++###++..",
        ".+.+++++.+.",
        ".....+.....",
    ),
    "black": (
        "...........",
        "..+++++++..",
        ".++#+#+#++.",
        ".+++###+++.",
        "++#+###+#++",
        "+++#####+++",
        "+++#####+++",
        "++#+###+#++",
        ".+++++++++.",
        "..+++++++..",
    ),
    "violet": (
        "...........",
        "..+++++++..",
        "..+++#+++..",
        "..++#+#++..",
        "..+++#+++..",
        "..+#####+..",
        "..+++#+++..",
        "..+++#+++..",
        "..+++++++..",
        "...........",
    ),
}
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}

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


def piece(colour: str, width: int, height: int, palette: Palette, ground: str) -> Rows:
    """A piece of a seat in ``width`` x ``height`` cells."""
    large = width >= 11 and height >= 5
    pixels = (_LARGE if large else _SMALL)[colour]
    plate, mark = palette.plates[colour], palette.marks[colour]
    rows: Rows = []
    for top, bottom in zip(pixels[::2], pixels[1::2], strict=True):
        row: list[tuple[str, Style]] = []
        for pair in zip(top, bottom, strict=True):
            behind = mark if "#" in pair else ground
            row.append((_HALVES[pair[0] == "+", pair[1] == "+"], style(plate, behind)))
        rows.append(row)
    if not large:
        middle = len(rows[1]) // 2
        rows[1][middle - 1 : middle + 2] = [(f" {SIGNS[colour]} ", style(mark, plate, bold=True))]
    empty = style(plate, ground)
    across = width - len(pixels[0])
    rows = [[(" " * (across // 2), empty), *row, (" " * (across - across // 2), empty)] for row in rows]
    above = (height - len(rows)) // 2
    blank = [(" " * width, empty)]
    return [blank] * above + rows + [blank] * (height - len(rows) - above)
