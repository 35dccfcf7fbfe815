"""A board as a picture, for links that are shown with one: made from what a spectator sees, with the page's drawings.

The drawings are those of ``templates/sprite.svg``, the colours those of ``static/base.css``; what a picture cannot take
from them (the grounds of spaces, numerals that need no font) stands here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from oudjat.rules.game import BoardView, Cell, Lies, SeatView

WIDTH, HEIGHT = 1200, 630
"""Units of a picture, and pixels of a PNG: what services that show links ask for."""

_HOUSE = Path(__file__).parent
_GROUNDS = {
    "star": "#2b3a78",
    "throne": "#2b3a78",
    "water": "#3f83a8",
    "life": "#e7d39a",
    "beauty": "#e7d39a",
}
_MARKS = {"star": "#f4d36b", "throne": "#f4d36b", "water": "#e4f3fb"}
_NUMERALS = {
    "+": "M1 13H13M7 7V19",
    "-": "M1 13H13",
    "1": "M3 6.500L8.500 2.500V24",
    "2": "M2 8C2 .500 14 .500 14 8C14 13 4 17 2 24H14.500",
    "3": "M2 5C5 1 13.500 1 13 7.500C12.500 11 9 12.300 6 12.300C10 12.300 14 13.500 14 18C14 25 5 25.500 1.500 21",
    "4": "M11 24V2.500L1.500 18H15",
}
"""Signs and digits of tiles, as strokes in a box of 16 by 26."""
_SIDES = {"n": (0, 0, 1, 0), "e": (1, 0, 1, 1), "s": (0, 1, 1, 1), "w": (0, 0, 0, 1)}


@cache
def _symbols() -> dict[str, tuple[str, str]]:
    """Each drawing of the sprite by its name: its view box and what is in it."""
    sprite = (_HOUSE / "templates" / "sprite.svg").read_text("utf-8")
    found = re.findall(r'<symbol id="([\w-]+)" viewBox="([\d ]+)">(.*?)</symbol>', sprite, re.DOTALL)
    return {name: (box, inside) for name, box, inside in found}


@cache
def _colours() -> dict[str, dict[str, str]]:
    """By the name of a colour, or ``:root``, what the page's style sheet sets for it, in the light of day."""
    whole = (_HOUSE / "static" / "base.css").read_text("utf-8")
    by_day, _, _ = whole.partition("@media (prefers-color-scheme: dark)")
    root = dict(re.findall(r"--([\w-]+): (#\w+)", by_day))
    pieces = {}
    for name, piece, sign in re.findall(r"^\.(\w+) { --piece: (.*?); --sign: (.*?); }", whole, re.MULTILINE):
        resolved = [root.get(value.removeprefix("var(--").rstrip(")"), value) for value in (piece, sign)]
        pieces[name] = {"piece": resolved[0], "sign": resolved[1]}
    return {":root": root} | pieces


def _drawn(
    symbol: str, x: float, y: float, size: float, *, colour: str = "neutral", ink: str = "#3b4a63"
) -> str:
    """A drawing of the sprite in its colours."""
    box, inside = _symbols()[symbol]
    piece, sign = _colours()[colour]["piece"], _colours()[colour]["sign"]
    for kind, looks in (
        ("body", f'fill="{piece}" stroke="#1c150c"'),
        ("sign", f'fill="{sign}"'),
        ("line", f'fill="none" stroke="{sign}" stroke-linecap="round"'),
    ):
        inside = inside.replace(f'class="{kind}"', looks)
    if symbol.startswith("sign-"):
        inside = inside.replace("<path", f'<path fill="{sign}"')
    return (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}" viewBox="{box}" '
        f'color="{ink}">{inside}</svg>'
    )


def _piece(seat: SeatView | None, seats: tuple[SeatView, ...], x: float, y: float, size: float) -> str:
    """A seat's piece, or one that belongs to nobody; with the seat's sign where pieces have one shape."""
    if seat is None:
        return _drawn(seats[0].shape, x, y, size)
    alike = any(other is not seat and other.shape == seat.shape for other in seats)
    sign = f"sign-{seat.colour}"
    signed = _drawn(sign, x + size * 0.29, y + size * 0.38, size * 0.42, colour=seat.colour) if alike else ""
    return _drawn(seat.shape, x, y, size, colour=seat.colour) + signed


def _tile(face: str | None, x: float, y: float, size: float) -> str:
    """A tile; face down every one is the same."""
    root = _colours()[":root"]
    ground = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}" rx="{size * 0.09:.1f}" '
        f'fill="{root["stone"]}" stroke="{root["stone-edge"]}" stroke-width="2"/>'
    )
    if face is None:
        return ground + _drawn("eye", x + size * 0.08, y + size * 0.08, size * 0.84)
    ink = root["carnelian"] if face.startswith("-") else root["lapis"]
    unit = size * 0.022
    strokes = "".join(
        f'<path transform="translate({x + size * (0.5 + 0.4 * (place - len(face) / 2)):.1f} '
        f'{y + size * 0.5 - 13 * unit:.1f}) scale({unit:.3f})" d="{_NUMERALS[letter]}"/>'
        for place, letter in enumerate(face)
    )
    return (
        f'{ground}<g fill="none" stroke="{ink}" stroke-width="3.8" stroke-linecap="round" '
        f'stroke-linejoin="round">{strokes}</g>'
    )


def _space(cell: Cell, view: BoardView, unit: tuple[float, float], at: tuple[float, float]) -> str:
    """A space and what lies there; ``unit`` is the size of a place of the grid, ``at`` where the grid begins."""
    across, down = unit
    x, y = at[0] + cell.column * across, at[1] + cell.row * down
    width, height = cell.columns * across, cell.rows * down
    enclosed = cell.walls == "nesw"
    ground = "#241b30" if enclosed else _GROUNDS.get(cell.mark or "", _colours()[":root"]["sand"])
    parts = [
        f'<rect x="{x + 1.5:.1f}" y="{y + 1.5:.1f}" width="{width - 3:.1f}" height="{height - 3:.1f}" rx="6" '
        f'fill="{ground}"/>'
    ]
    size = min(width, height)
    middle = (x + width / 2, y + height / 2)
    if cell.mark:
        ink = _MARKS.get(cell.mark, "#b08a52")
        parts.append(
            _drawn(
                f"mark-{cell.mark}", middle[0] - size * 0.32, middle[1] - size * 0.32, size * 0.64, ink=ink
            )
        )
    if cell.lies:
        parts.append(_lies(cell.lies, view, middle, size * 0.88))
    each = min(down * 0.9, width / max(1, len(cell.pile)) * 0.94)
    begins = middle[0] - each * len(cell.pile) / 2
    for number, one in enumerate(cell.pile):
        parts.append(_lies(one, view, (begins + each * (number + 0.5), middle[1]), each * 0.94))
    for sides, ink, thick, inset in ((cell.walls, "#4a2d16", 6, 0.0), (cell.doors, "#dcc99b", 8, 0.26)):
        for side in sides:
            left, top, right, bottom = _SIDES[side]
            along, upright = (inset * width, 0.0) if top == bottom else (0.0, inset * height)
            parts.append(
                f'<path stroke="{ink}" stroke-width="{thick}" stroke-linecap="round" '
                f'd="M{x + left * width + along:.1f} {y + top * height + upright:.1f}'
                f'L{x + right * width - along:.1f} {y + bottom * height - upright:.1f}"/>'
            )
    return "".join(parts)


def _lies(lies: Lies, view: BoardView, middle: tuple[float, float], size: float) -> str:
    x, y = middle[0] - size / 2, middle[1] - size / 2
    if lies.kind == "tile":
        return _tile(lies.face, x, y, size)
    return _piece(view.seats[lies.seat - 1] if lies.seat else None, view.seats, x, y, size)


def svg_of(view: BoardView) -> str:
    """A board as a spectator sees it, with everybody's piece beside it and a ring round that of whose turn it is."""
    root = _colours()[":root"]
    long = view.columns > 2 * view.rows
    most = (1100.0, 400.0) if long else (560.0, 560.0)
    ratio = 1.12 if long else 1.0
    across = min(most[0] / view.columns, most[1] / view.rows / ratio)
    unit = across, across * ratio
    width, height = view.columns * unit[0], view.rows * unit[1]
    left, top = ((WIDTH - width) / 2, 60.0) if long else (60.0, (HEIGHT - height) / 2)
    board = "".join(
        _space(cell, view, unit, (left, top)) for cell in sorted(view.cells, key=lambda cell: cell.walls)
    )
    room = min(150.0 if long else 118.0, (1100.0 if long else 430.0) / len(view.seats))
    seats = []
    for place, seat in enumerate(view.seats):
        middle = (
            (WIDTH / 2 + (place - (len(view.seats) - 1) / 2) * room, (top + height + 16 + HEIGHT) / 2)
            if long
            else (918.0, 392 + (place - (len(view.seats) - 1) / 2) * room)
        )
        size = min(room * 0.72, 84.0)
        won = seat.number in view.winners
        if seat.number == view.to_move or won:
            seats.append(
                f'<circle cx="{middle[0]:.1f}" cy="{middle[1]:.1f}" r="{size * 0.66:.1f}" fill="{root["paper"]}" '
                f'stroke="{root["gold"]}" stroke-width="6"/>'
            )
        seats.append(_piece(seat, view.seats, middle[0] - size / 2, middle[1] - size / 2, size))
    eye = "" if long else _drawn("eye", 838, 18, 160, ink=root["lapis"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{root["ground"]}"/>'
        f'<rect x="{left - 16:.1f}" y="{top - 16:.1f}" width="{width + 32:.1f}" height="{height + 32:.1f}" rx="16" '
        f'fill="{root["wood"]}" stroke="{root["wood-dark"]}" stroke-width="4"/>'
        f"{board}{eye}{''.join(seats)}</svg>"
    )


def png_of(svg: str) -> bytes:
    """A picture in pixels; it needs no font. Takes a good part of a second in which nothing else runs: to be done in
    another process."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))
