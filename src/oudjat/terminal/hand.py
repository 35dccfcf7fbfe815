"""What luck brought, beside the board: a tile and the stock, two dice, four sticks."""

from __future__ import annotations

from rich.style import Style
from textual.message import Message

from oudjat.rules.game import N_
from oudjat.terminal.colours import SIGNS, Palette, style
from oudjat.terminal.drawings import HEAVY, LIGHT, Rows, framed, numeral, tile
from oudjat.terminal.match import can_draw
from oudjat.terminal.scene import Painted, Scene, clipped, wrapped

BIG_TILE = (11, 5)
STICK = ("╭╮", "││", "││", "╰╯")
_STICKS = 4


class Hand(Painted):
    """What luck brought: the tile that is turned over, large, for everybody, or the stock; the dice, the sticks.
    A click turns a tile over, or throws."""

    class TurnOver(Message):
        """The stock was clicked."""

    def ground(self, palette: Palette) -> str:
        return palette.paper

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        if scene.view.thrown != "tiles":
            return self.throw(scene, width)
        palette, view = scene.palette, scene.view
        wide, tall = BIG_TILE
        body = tile(view.drawn, wide - 2, tall - 2, palette)
        offered = scene.mine and can_draw(view)
        edge = palette.stone_edge
        line = HEAVY if view.drawn or offered else LIGHT
        if view.over:
            return self.counted(scene)
        if not stock_left(scene) and not view.drawn:
            return []
        picture = framed(body, wide, line, style(edge, palette.stone))
        said = self.said(scene, width - wide - 2, offered=offered)
        for row, text in zip(picture, said, strict=False):
            row.insert(0, (" ", Style()))
            row.append((" ", Style()))
            row.append(text)
        return picture

    def throw(self, scene: Scene, width: int) -> Rows:
        """What was thrown, faint when it has been used; above it what T does."""
        palette, view = scene.palette, scene.view
        gold = Style(color=palette.gold, bold=True)
        said = f" T {scene.throws}" if scene.throws else ""
        rows: Rows = [[(clipped(said, width), gold)]]
        if scene.thrown is None:
            return rows
        used = view.drawn is None
        return rows + (sticks if view.thrown == "sticks" else dice)(scene, scene.thrown, used=used)

    def counted(self, scene: Scene) -> Rows:
        """While the scoring runs: what the piece that is being counted is worth, large."""
        step = scene.ceremony.current if scene.ceremony and scene.scoring else None
        if step is None:
            return []
        palette, colour = scene.palette, scene.colour(step.seat)
        tint = Style(color=palette.tints[colour], bold=True)
        look = Style(color=palette.value(f"{step.worth:+d}"), bold=True)
        digits = numeral(f"{step.worth:+d}" if step.worth else "0")
        return [
            [(f"  {SIGNS[colour]} {step.space}", tint)],
            [],
            *([("  ", look), (row, look)] for row in digits),
        ]

    def said(self, scene: Scene, width: int, *, offered: bool) -> list[tuple[str, Style]]:
        """What stands beside the picture, in five short rows."""
        palette, words = scene.palette, scene.words
        left = stock_left(scene)
        if scene.view.drawn:
            text, look = words(N_("turned over")), Style(color=palette.gold, bold=True)
        elif offered:
            text, look = words(N_("T turns over a tile")), Style(color=palette.gold, bold=True)
        else:
            text, look = "", Style(color=palette.faint)
        lines = wrapped(text, max(1, width))[:4]
        faint = Style(color=palette.faint)
        rows = [(line, look) for line in lines] + [("", faint)] * (4 - len(lines))
        count = "" if left is None else f"▒ {left}"
        return [*rows, (clipped(count, width), faint)]

    def on_click(self) -> None:
        """A click on the stock turns a tile over."""
        self.post_message(self.TurnOver())


def stock_left(scene: Scene) -> int | None:
    """Tiles in the stock that the seat to move draws from; None when nobody is to move."""
    seat = scene.view.to_move
    reserve = scene.view.seats[seat - 1].reserve if seat else None
    return reserve.tiles if reserve else None


def dice(scene: Scene, thrown: str, *, used: bool) -> Rows:
    """Dice side by side, each in the colour of the seat whose pieces it moves: first those of the player to move."""
    seats = scene.view.seats
    mover = scene.thrower or 1
    order = [seats[mover - 1], *(seat for seat in seats if seat.number != mover)]
    rows: Rows = [[(" ", Style())] for _ in range(4)]
    for face, seat in zip(thrown.split(","), order, strict=False):
        palette = scene.palette
        plate, ink = palette.plates[seat.colour], palette.marks[seat.colour]
        look = Style(color=palette.faint) if used else style(ink, plate, bold=True)
        body: Rows = [[(f"  {face}  ", look)]]
        for row, drawn in zip(rows, framed(body, 7, LIGHT, look), strict=False):
            row += [*drawn, ("  ", Style())]
        tint = Style(color=palette.faint if used else palette.tints[seat.colour], bold=not used)
        rows[3] += [(f"   {SIGNS[seat.colour]}     ", tint)]
    return rows


def sticks(scene: Scene, thrown: str, *, used: bool) -> Rows:
    """Four sticks, as many with their light side up as were thrown (none counts five), and the number large."""
    palette = scene.palette
    light = int(thrown) % (_STICKS + 1)
    rows: Rows = [[(" ", Style())] for _ in STICK]
    for stick in range(_STICKS):
        up = stick < light
        colour = "light" if up else "dark"
        look = style(palette.marks[colour], palette.plates[colour])
        if used:
            look = Style(color=palette.faint)
        for row, line in zip(rows, STICK, strict=True):
            middle = line if up else line.replace("││", "▒▒")
            row += [(middle, look), (" ", Style())]
    number = Style(color=palette.faint if used else palette.gold, bold=not used)
    for row, line in zip(rows, numeral(thrown), strict=False):
        row.append((f"  {line}", number))
    return rows
