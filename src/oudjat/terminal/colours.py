"""Colours by day and by night, and the signs of the four seats."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from textual.theme import Theme

SIGNS = {"green": "Ψ", "yellow": "☼", "black": "Ж", "violet": "†"}
"""One letter-like sign a seat, one cell wide everywhere: lotus, sun, scarab, ankh."""


@dataclass(frozen=True, slots=True)
class Palette:
    """One light. ``plates`` are the pieces' colours and ``marks`` what is drawn on them; ``tints`` the seats'
    colours as text on ``paper``. Plus and minus come for paper and for a tile's stone."""

    ground: str
    paper: str
    ink: str
    faint: str
    wood: str
    wood_ink: str
    sunk: str
    edge: str
    stone: str
    stone_edge: str
    stone_ink: str
    plus: str
    minus: str
    stone_plus: str
    stone_minus: str
    gold: str
    gold_stone: str
    plates: dict[str, str]
    marks: dict[str, str]
    tints: dict[str, str]

    def value(self, face: str, *, on_stone: bool = False) -> str:
        """The colour of a plus or minus value."""
        if face.startswith("+"):
            return self.stone_plus if on_stone else self.plus
        return self.stone_minus if on_stone else self.minus


_PLATES = {"green": "#3f7d4b", "yellow": "#d9a521", "black": "#2b2b2b", "violet": "#6d4a9c"}
_MARKS = {"green": "#fbf7ec", "yellow": "#2a2118", "black": "#fbf7ec", "violet": "#fbf7ec"}

DAY = Palette(
    ground="#f4ecd8",
    paper="#fbf7ec",
    ink="#2a2118",
    faint="#75664c",
    wood="#b58f5a",
    wood_ink="#2a2118",
    sunk="#d8bd8a",
    edge="#b0905b",
    stone="#fbf5e4",
    stone_edge="#a89468",
    stone_ink="#4a3a22",
    plus="#1f4f9a",
    minus="#b3382c",
    stone_plus="#1f4f9a",
    stone_minus="#b3382c",
    gold="#8a5d00",
    gold_stone="#6b3f00",
    plates=_PLATES,
    marks=_MARKS,
    tints={"green": "#2f6a3b", "yellow": "#8a6200", "black": "#2b2b2b", "violet": "#6d4a9c"},
)
NIGHT = Palette(
    ground="#141a33",
    paper="#1d2547",
    ink="#efe6cf",
    faint="#a9a690",
    wood="#3a2f2a",
    wood_ink="#e0c898",
    sunk="#5a4a3c",
    edge="#857056",
    stone="#e9dfc6",
    stone_edge="#9c8a63",
    stone_ink="#4a3a22",
    plus="#8fb6f5",
    minus="#f29b8e",
    stone_plus="#1f4f9a",
    stone_minus="#b3382c",
    gold="#f2c65a",
    gold_stone="#f7d77e",
    plates=_PLATES | {"black": "#15151a", "green": "#3a7f4a", "violet": "#7a55b0"},
    marks=_MARKS,
    tints={"green": "#86cf94", "yellow": "#f0c552", "black": "#d3d0c8", "violet": "#c3a5f0"},
)


def theme(name: str, palette: Palette, *, dark: bool) -> Theme:
    """The Textual theme of a palette."""
    return Theme(
        name=name,
        primary=palette.gold,
        foreground=palette.ink,
        background=palette.ground,
        surface=palette.paper,
        panel=palette.paper,
        warning=palette.minus,
        error=palette.minus,
        success=palette.plus,
        dark=dark,
    )


def style(colour: str, ground: str, *, bold: bool = False, reverse: bool = False) -> Style:
    """A text style."""
    return Style(color=colour, bgcolor=ground, bold=bold, reverse=reverse)
