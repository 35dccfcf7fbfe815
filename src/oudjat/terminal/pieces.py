"""Pieces and the signs of boards, drawn in half blocks that are one cell wide in every terminal.

A drawing is pixels, two a character row: ``+`` is the piece, ``#`` the sign cut into it. Shapes stay readable
without any colour.
"""

from __future__ import annotations

from rich.style import Style

from oudjat.terminal.colours import NEUTRAL, SIGNS, Palette, style
from oudjat.terminal.drawings import Rows

_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}

# Two rows of three characters; S is the sign.
_TINY = {
    "lotus": ("▜S▛", "▝█▘"),
    "sun": ("▟S▙", "▜█▛"),
    "scarab": ("▙S▟", "▛█▜"),
    "ankh": ("▗S▖", "▝█▘"),
    "jar": ("▟S▙", "▜█▛"),
    "white-crown": ("▐S▌", "▟█▙"),
    "red-crown": ("▖S█", "███"),
    "cone": ("▗S▖", "▟█▙"),
    "spindle": ("▜S▛", "▟█▙"),
}
# The outermost columns are empty: a space of five characters takes the rest.
_SMALL = {
    "lotus": (".......", "..+++..", ".+++++.", ".+++++.", ".+++++.", "..+++.."),
    "sun": (".+.+.+.", "..+++..", ".+++++.", ".+++++.", "..+++..", ".+.+.+."),
    "scarab": (".+...+.", "..+++..", ".+++++.", ".+++++.", ".+++++.", ".+...+."),
    "ankh": (".......", "..+++..", ".+++++.", ".+++++.", "...+...", "...+..."),
    "jar": ("..+++..", "...+...", "..+++..", ".+++++.", ".+++++.", "..+++.."),
    "white-crown": ("...+...", "..+++..", "..+++..", "..+++..", ".+++++.", ".+++++."),
    "red-crown": (".....+.", "..+..+.", "...+.+.", ".+++++.", ".+++++.", ".+++++."),
    "cone": (".......", "...+...", "..+++..", "..+++..", ".+++++.", ".+++++."),
    "spindle": (".+++++.", "..+++..", "..+++..", "..+++..", "..+++..", ".+++++."),
}
_LARGE = {
    "lotus": (
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
    "sun": (
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
    "scarab": (
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
    "ankh": (
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
    "jar": (
        "..+++++..",
        "...+++...",
        "..+++++..",
        ".+++++++.",
        "+++++++++",
        "+++++++++",
        "+++++++++",
        ".+++++++.",
        "..+++++..",
        "..+++++..",
    ),
    "white-crown": (
        "....+....",
        "...+++...",
        "...+++...",
        "..+++++..",
        ".+++++++.",
        ".+++++++.",
        "..+++++..",
        ".+++++++.",
        "+++++++++",
        "+++++++++",
    ),
    "red-crown": (
        ".......++",
        ".++....++",
        "+..+...++",
        "...+..+++",
        "..+++++++",
        ".++++++++",
        "+++++++++",
        "+++++++++",
        "+++++++++",
        ".++++++++",
    ),
    "cone": (
        ".........",
        "....+....",
        "...+++...",
        "...+++...",
        "..+++++..",
        "..+++++..",
        ".+++++++.",
        ".+++++++.",
        "+++++++++",
        "+++++++++",
    ),
    "spindle": (
        "+++++++++",
        "+++++++++",
        ".+++++++.",
        "..+++++..",
        "...+++...",
        "...+++...",
        "..+++++..",
        ".+++++++.",
        "+++++++++",
        "+++++++++",
    ),
}
_MARKS = {
    "throne": ("++...", "++...", "++...", "+++++", "+++++", "+++++"),
    "life": (".+++.", ".+.+.", "..+..", "+++++", "..+..", "..+.."),
    "beauty": ("..+..", ".+++.", "..+..", "..+..", ".+++.", ".+++."),
}
_LINES = {
    "cartouche": ("╭───╮", "╰───╯", "▔▔▔▔▔"),
    "water": ("≈≈≈≈≈", " ≈≈≈ ", "≈≈≈≈≈"),
    "three": ("┃ ┃ ┃", "┃ ┃ ┃"),
    "two": ("┃ ┃", "┃ ┃"),
    "horus": ("‹◉›",),
}
GLYPHS = {
    "star": "★",
    "throne": "▙",
    "life": "†",
    "beauty": "‡",
    "cartouche": "Ω",
    "water": "≈",
    "three": "≡",
    "two": "=",
    "horus": "◉",
}
"""Signs of a board where there is room for one character only."""


def piece(shape: str, colour: str, size: tuple[int, int], palette: Palette, ground: str) -> Rows:
    """A piece in a ``size`` of width and height on ``ground``, as large as it can be drawn there; at least 3 x 2."""
    width, height = size
    plate = palette.plates[colour]
    sign = SIGNS.get(colour, " ")
    if height < 3 or width < 5:
        rows = _tiny(_TINY[shape], sign, style(plate, ground), style(palette.marks[colour], plate, bold=True))
        return _middle(rows, 3, width, height, style(plate, ground))
    large = height >= 5 and width >= len(_LARGE[shape][0])
    pixels: tuple[str, ...] = _LARGE[shape] if large else _SMALL[shape]
    if len(pixels[0]) > width:
        pixels = tuple(row[1:-1] for row in pixels)
    rows = half_blocks(pixels, plate, palette.marks[colour], ground)
    if not any("#" in row for row in pixels) and (colour != NEUTRAL or not large):
        row, middle = rows[len(rows) // 2], len(pixels[0]) // 2
        row[middle - 1 : middle + 2] = [(f" {sign} ", style(palette.marks[colour], plate, bold=True))]
    return _middle(rows, len(pixels[0]), width, height, style(plate, ground))


def mark(name: str, width: int, height: int, ink: str, ground: str) -> Rows:
    """A sign of the board, as large as it can be drawn in ``width`` x ``height`` cells."""
    look = style(ink, ground)
    if height >= 3 and width >= 5 and name in _MARKS:
        return _middle(half_blocks(_MARKS[name], ink, ink, ground), 5, width, height, look)
    lines = _LINES.get(name, ())
    if not lines or len(lines) > height or len(lines[0]) > width:
        lines = (GLYPHS.get(name, " "),)
    return _middle([[(line, look)] for line in lines], len(lines[0]), width, height, look)


def half_blocks(pixels: tuple[str, ...], plate: str, mark: str, ground: str) -> Rows:
    """Pixels, two of them in each character."""
    rows: Rows = []
    for top, bottom in zip(pixels[::2], pixels[1::2], strict=True):
        row: list[tuple[str, Style]] = []
        for pair in zip(top, bottom, strict=True):
            behind = mark if "#" in pair else ground
            row.append((_HALVES[pair[0] == "+", pair[1] == "+"], style(plate, behind)))
        rows.append(row)
    return rows


def _tiny(lines: tuple[str, ...], sign: str, edge: Style, look: Style) -> Rows:
    return [[(sign, look) if letter == "S" else (letter, edge) for letter in line] for line in lines]


def _middle(rows: Rows, across: int, width: int, height: int, empty: Style) -> Rows:
    """Rows of ``across`` cells in the middle of ``width`` x ``height`` cells."""
    left = (width - across) // 2
    right = width - across - left
    rows = [[(" " * left, empty), *row, (" " * right, empty)] for row in rows]
    above = (height - len(rows)) // 2
    blank = [(" " * width, empty)]
    return [blank] * above + rows + [blank] * (height - len(rows) - above)
