"""The board on the full screen, and the two scoring tracks beside it."""

from __future__ import annotations

from rich.style import Style
from textual import events
from textual.message import Message

from oudjat.rules.game import BoardView, Cell
from oudjat.terminal.colours import NEUTRAL, SIGNS, Palette, style
from oudjat.terminal.drawings import CORNERS, HEAVY, Rows, centred, framed, slab, tile
from oudjat.terminal.fit import TRACK
from oudjat.terminal.numbered import paint_numbered
from oudjat.terminal.pieces import piece
from oudjat.terminal.scene import Painted, Scene
from oudjat.texts.speech import shown


class Board(Painted):
    """Any board that is a grid of spaces."""

    class Chosen(Message):
        """A space was clicked."""

        def __init__(self, space: str) -> None:
            super().__init__()
            self.space = space

    def ground(self, palette: Palette) -> str:
        return palette.wood

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        return paint_lettered(scene) if lettered(scene.view) else paint_numbered(scene)

    def on_click(self, event: events.Click) -> None:
        """A click on a space does what Enter does there."""
        name = self.space_at(event.x, event.y)
        if name:
            self.post_message(self.Chosen(name))

    def space_at(self, x: int, y: int) -> str | None:
        """The space drawn at a place of this widget, None beside the spaces."""
        if self.scene is None:
            return None
        left, above = (2, 1) if lettered(self.scene.view) else (0, 0)
        row = (y - above) // self.scene.fit.cell_height
        column = (x - left) // self.scene.fit.cell_width
        found = self.scene.view.at(row, column)
        return found.name if found else None


def lettered(view: BoardView) -> bool:
    """Whether columns have letters and rows numbers, which then stand beside the board."""
    return view.cells[0].name[0].isalpha()


def paint_lettered(scene: Scene) -> Rows:
    """A board with letters above and below and numbers at its left, each space in a box of its own."""
    palette, view, size = scene.palette, scene.view, scene.fit
    ink = style(palette.wood_ink, palette.wood)
    grid = {(cell.row, cell.column): cell for cell in view.cells}
    letters = "  " + "".join(
        grid[0, column].name[:1].center(size.cell_width) for column in range(view.columns)
    )
    rows: Rows = [[(letters, ink)]]
    for row in range(view.rows):
        boxes = [paint_space(grid[row, column], scene) for column in range(view.columns)]
        for y in range(size.cell_height):
            label = f"{grid[row, 0].name[1:]} " if y == size.cell_height // 2 else "  "
            rows.append([(label, ink), *(run for box in boxes for run in box[y])])
    return [*rows, [(letters, ink)]]


def paint_space(cell: Cell, scene: Scene) -> Rows:
    """A space with what lies on it, the cursor, and the light that the scoring throws on it."""
    palette, ceremony = scene.palette, scene.ceremony
    width, height = scene.fit.cell_width, scene.fit.cell_height
    lies = cell.lies
    current = ceremony.current if ceremony and scene.scoring else None
    if lies and lies.kind == "piece" and ceremony and scene.scoring and cell.name in ceremony.taken:
        lies = None
    counted = current is not None and cell.name in (current.space, *(space for space, _ in current.tiles))
    here = cell.name == scene.cursor and ceremony is None
    if lies is None:
        body = _free(cell, scene, here=here)
        box = framed(body, width, CORNERS, style(palette.edge, palette.sunk))
    elif lies.kind == "tile":
        body = tile(lies.face, width - 2, height - 2, palette)
        box = slab(body, width, palette)
    else:
        colour = scene.colour(lies.seat) if lies.seat else NEUTRAL
        box = piece(scene.shape(lies.seat), colour, (width, height), palette, palette.sunk)
        body = [_inner(row, width) for row in box[1:-1]]
    if here or counted:
        ground = palette.stone if lies and lies.kind == "tile" else palette.sunk
        gold = "#8a5d00" if ground == palette.stone else palette.gold_stone
        return framed(body, width, HEAVY, style(gold, ground, bold=True))
    return box


def _free(cell: Cell, scene: Scene, *, here: bool) -> Rows:
    """A free space; under the cursor, what Enter would put there."""
    palette = scene.palette
    width, height = scene.fit.cell_width - 2, scene.fit.cell_height - 2
    if here and cell.offers and scene.view.to_move:
        ink = style(palette.wood_ink, palette.sunk, bold=True)
        drawn = scene.view.drawn
        sign = shown(drawn) if drawn else SIGNS[scene.colour(scene.view.to_move)]
        return centred((sign,), width, height, ink)
    return centred(("·",), width, height, style(palette.edge, palette.sunk))


def _inner(row: list[tuple[str, Style]], width: int) -> list[tuple[str, Style]]:
    """A row of ``width`` cells without its first and last one."""
    letters = [(letter, look) for text, look in row for letter in text]
    return letters[1 : width - 1]


class Track(Painted):
    """A scoring track from 1 to 20: blue for plus, red for minus (IO-3). Signs run on it at the scoring."""

    def __init__(self, name: str, sign: int) -> None:
        super().__init__(name)
        self.sign = sign

    def ground(self, palette: Palette) -> str:
        return palette.paper

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        palette = scene.palette
        ink = style(palette.plus if self.sign > 0 else palette.minus, palette.paper)
        above = max(0, height - TRACK) // 2
        rows: Rows = [[] for _ in range(above)]
        for number in range(TRACK, 0, -1):
            places = self.marks(scene, number)
            label = (shown(self.sign * number, signed=True).rjust(3), ink)
            rows.append([(" ", ink), *places, label] if self.sign < 0 else [(" ", ink), label, *places])
        return rows

    def marks(self, scene: Scene, number: int) -> list[tuple[str, Style]]:
        """The signs of the seats that stand at ``number``, each in its own lane."""
        palette = scene.palette
        marks = []
        for seat in scene.view.seats:
            score = standing(scene, seat.number)
            stands = score is not None and score * self.sign > 0 and (abs(score) - 1) % TRACK + 1 == number
            mark = SIGNS[seat.colour] if stands else "·"
            look = (
                style(palette.marks[seat.colour], palette.plates[seat.colour], bold=True)
                if stands
                else style(palette.faint, palette.paper)
            )
            marks.append((mark, look))
        return marks


def standing(scene: Scene, seat: int) -> int | None:
    """The score that may be shown for a seat now: while the scoring runs, what is counted so far (IO-14)."""
    if scene.ceremony is not None and scene.ceremony.steps:
        return scene.ceremony.total(seat)
    return scene.view.seats[seat - 1].score
