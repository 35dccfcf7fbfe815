"""Colours by day and by night, and the signs of the seats."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from textual.theme import Theme

SIGNS = {
    "green": "Ψ",
    "yellow": "☼",
    "black": "Ж",
    "violet": "†",
    "turquoise": "Ŧ",
    "red": "Δ",
    "white": "Γ",
    "light": "Λ",
    "dark": "Ξ",
}
"""One letter-like sign a colour, one cell wide everywhere: lotus, sun, scarab, ankh, pillar, knot, sceptre, cone,
reel."""
NEUTRAL = "neutral"
"""The colour of a piece that belongs to nobody; it has no sign."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a space of a numbered board is made of: its colour, that of its number, of its lines, and of what shines
    on it: a target, a frame."""

    colour: str
    ink: str
    edge: str
    lit: str


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
    grounds: dict[str, Ground]

    def value(self, face: str, *, on_stone: bool = False) -> str:
        """The colour of a plus or minus value."""
        if face.startswith("+"):
            return self.stone_plus if on_stone else self.plus
        return self.stone_minus if on_stone else self.minus

    def chip(self, colour: str) -> tuple[str, Style]:
        """The sign of a colour on its plate, three cells wide; a plate as light as the paper gets an outline."""
        plate = self.plates[colour]
        pairs = [(int(plate[at : at + 2], 16), int(self.paper[at : at + 2], 16)) for at in (1, 3, 5)]
        outlined = all(abs(one - other) < 40 for one, other in pairs)
        text = f"▏{SIGNS[colour]}▕" if outlined else f" {SIGNS[colour]} "
        return text, style(self.marks[colour], plate, bold=True)


_PLATES = {
    "green": "#3f7d4b",
    "yellow": "#d9a521",
    "black": "#2b2b2b",
    "violet": "#6d4a9c",
    "turquoise": "#17747a",
    "red": "#a8382a",
    "white": "#fffdf6",
    "light": "#fff8e2",
    "dark": "#7c2d25",
    NEUTRAL: "#8d8779",
}
_MARKS = {
    "green": "#fbf7ec",
    "yellow": "#2a2118",
    "black": "#fbf7ec",
    "violet": "#fbf7ec",
    "turquoise": "#fbf7ec",
    "red": "#fbf0d8",
    "white": "#4d4330",
    "light": "#5f450c",
    "dark": "#f7e3c0",
    NEUTRAL: "#17130c",
}
_TINTS_BY_DAY = {
    "green": "#2f6a3b",
    "yellow": "#8a6200",
    "black": "#2b2b2b",
    "violet": "#6d4a9c",
    "turquoise": "#12666b",
    "red": "#a03323",
    "white": "#6b6048",
    "light": "#7a5a10",
    "dark": "#7c2d25",
}
_TINTS_BY_NIGHT = {
    "green": "#86cf94",
    "yellow": "#f0c552",
    "black": "#d3d0c8",
    "violet": "#c3a5f0",
    "turquoise": "#6fd0d3",
    "red": "#f5907c",
    "white": "#f6f1e2",
    "light": "#f4ead0",
    "dark": "#e8a595",
}
_SKY = {
    "sky": Ground("#2b3a78", "#f4e6bd", "#4a5aa0", "#ffd968"),
    "sky beside": Ground("#25336b", "#f4e6bd", "#4a5aa0", "#ffd968"),
    "water": Ground("#235f80", "#f2fafd", "#5c9dbd", "#ffe27a"),
    "deep": Ground("#40344c", "#f0e0bf", "#a98a55", "#f5c95c"),
    "way in the sky": Ground("#4253a4", "#ffffff", "#8492d8", "#ffd968"),
}
_BY_DAY = _SKY | {
    "sand": Ground("#cfae74", "#3a2a10", "#a98850", "#123f86"),
    "sand beside": Ground("#c6a267", "#33240c", "#a98850", "#123f86"),
    "sign": Ground("#dcc08a", "#3a2a10", "#a98850", "#123f86"),
    "way": Ground("#e2b75f", "#2f210a", "#8d6a2c", "#123f86"),
    "chosen": Ground("#f2cb58", "#2a2118", "#8a5d00", "#123f86"),
}
_BY_NIGHT = _SKY | {
    "sand": Ground("#5b4a38", "#ecdab2", "#7d6850", "#ffd968"),
    "sand beside": Ground("#524232", "#ecdab2", "#7d6850", "#ffd968"),
    "sign": Ground("#66523a", "#f4e3ba", "#8d7657", "#ffd968"),
    "way": Ground("#755f41", "#fff2d0", "#a58c62", "#ffe27a"),
    "chosen": Ground("#86692f", "#fff6dc", "#f2c65a", "#ffe9a0"),
}

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
    plates=_PLATES | {NEUTRAL: "#767063"},
    marks=_MARKS,
    tints=_TINTS_BY_DAY,
    grounds=_BY_DAY,
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
    tints=_TINTS_BY_NIGHT,
    grounds=_BY_NIGHT,
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
