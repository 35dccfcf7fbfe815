"""A board whose spaces have numbers and may be long: each space with its number, sign, pieces and what can be done."""

from __future__ import annotations

from oudjat.rules.game import Cell, Lies
from oudjat.terminal.canvas import Canvas
from oudjat.terminal.colours import NEUTRAL, Ground, Palette, style
from oudjat.terminal.drawings import CORNERS, DOUBLE, HEAVY, LIGHT, Rows
from oudjat.terminal.pieces import GLYPHS, mark, piece
from oudjat.terminal.scene import Scene

TARGET, BARRED, TRAIL = "◆", "×", "•"
_ENCLOSED = "nesw"
_SKY = ("star", "throne")
_ARROWS = {
    "way-out": {"w": "→", "e": "←", "n": "↓", "s": "↑"},  # away from the door
    "way-in": {"w": "←", "e": "→", "n": "↑", "s": "↓"},
}
_BEYOND = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}


def paint_numbered(scene: Scene) -> Rows:
    """The whole board."""
    size, palette = scene.fit, scene.palette
    canvas = Canvas(size.board_width, size.board_height, style(palette.wood_ink, palette.wood))
    for cell in scene.cells:
        _Space(canvas, scene, cell).paint()
    for cell in scene.cells:
        for side in cell.doors:
            _open(canvas, scene, cell, side)
    return canvas.rows()


def ground_of(cell: Cell, scene: Scene) -> Ground:
    """What a space is made of at this moment."""
    grounds = scene.palette.grounds
    sky = cell.mark in _SKY
    if cell.walls == _ENCLOSED:
        return grounds["deep"]
    if cell.name in scene.chosen:
        return grounds["chosen"]
    if cell.name in scene.walked:
        return grounds["way in the sky" if sky else "way"]
    if cell.mark == "water":
        return grounds["water"]
    if cell.mark and not sky and not cell.doors:
        return grounds["sign"]
    beside = " beside" if (cell.row + cell.column) % 2 else ""
    return grounds[("sky" if sky else "sand") + beside]


class _Space:
    """One space on the canvas."""

    def __init__(self, canvas: Canvas, scene: Scene, cell: Cell) -> None:
        self.canvas, self.scene, self.cell = canvas, scene, cell
        size = scene.fit
        self.x, self.y = cell.column * size.cell_width, cell.row * size.cell_height
        self.width, self.height = cell.columns * size.cell_width, cell.rows * size.cell_height
        self.ground = ground_of(cell, scene)
        self.here = cell.name == scene.cursor and not scene.scoring
        self.chosen = cell.name in scene.chosen
        self.offered = cell.name in scene.offered
        self.barred = cell.name in scene.barred and not self.offered
        self._enclosed = cell.walls == _ENCLOSED

    def paint(self) -> None:
        canvas, cell, ground = self.canvas, self.cell, self.ground
        canvas.fill(self.x, self.y, self.width, self.height, style(ground.ink, ground.colour))
        self._edges()
        if self._enclosed:
            self._pile()
            return
        canvas.put(self.x + 1, self.y, cell.name, style(ground.ink, ground.colour, bold=self.chosen))
        self._slot()
        self._body()

    def _edges(self) -> None:
        """The line at the left of a space, its walls, or the frame that says what can be done with it."""
        canvas, cell, ground = self.canvas, self.cell, self.ground
        place = (self.x, self.y, self.width, self.height)
        walled = LIGHT if self._enclosed else HEAVY if cell.walls else None
        if walled:
            canvas.frame(place, walled, style(ground.edge, ground.colour, bold=True))
        else:
            for row in range(self.y, self.y + self.height):
                canvas.put(self.x, row, "▏", style(ground.edge, ground.colour))
        bright = style(ground.lit, ground.colour, bold=True)
        if self.here:
            canvas.frame(place, HEAVY, style(_gold(self.scene.palette, ground), ground.colour, bold=True))
        elif self.chosen:
            canvas.frame(place, DOUBLE, bright)
        elif self.offered and not self._enclosed:
            canvas.frame(place, CORNERS, bright)
        if self.offered and self._enclosed:
            canvas.frame((self.x + 1, self.y + 1, self.width - 2, self.height - 2), CORNERS, bright)

    def _slot(self) -> None:
        """The sign of the space in its upper right corner, where it does not stand large on it."""
        cell, ground = self.cell, self.ground
        last = self.x + self.scene.fit.cell_width - 2
        sign = GLYPHS.get(cell.mark or "", "") or _arrow(cell)
        if sign and self._covered and not cell.walls:
            ink = ground.lit if cell.mark in _SKY else ground.ink
            self.canvas.put(last, self.y, sign, style(ink, ground.colour))
        if (
            self.offered and cell.lies and len(self.scene.chosen) % 2
        ):  # a piece to be swapped, not one to choose
            self.canvas.put(last, self.y, TARGET, style(ground.lit, ground.colour, bold=True))
        if self.barred and cell.lies:
            look = style(ground.ink, ground.colour, bold=True)
            self.canvas.put(last, self.y + self.height - 1, BARRED, look)

    @property
    def _covered(self) -> bool:
        """Whether something else stands where the sign of the space would."""
        targeted = (self.offered or self.barred) and not self.cell.lies
        trail = self.cell.name in self.scene.walked
        return self.cell.lies is not None or targeted or trail

    def _body(self) -> None:
        """What lies here, or what may come here, or the sign of the space; on a long space at its beginning."""
        scene, cell, ground = self.scene, self.cell, self.ground
        size = scene.fit
        wide, tall = size.cell_width - 1, size.cell_height - 1
        if cell.lies:
            drawn = _picture(scene, cell.lies, wide, tall, ground.colour)
            self.canvas.lay(self.x + 1, self.y + 1, drawn, ground=ground.colour)
            return
        sign, look = _arrow(cell), style(ground.lit, ground.colour, bold=True)
        if self.offered:
            sign = TARGET
        elif self.barred:
            sign, look = BARRED, style(ground.ink, ground.colour, bold=True)
        elif cell.name in scene.walked:
            sign, look = TRAIL, style(ground.ink, ground.colour)
        elif cell.mark in GLYPHS:
            ink = ground.lit if cell.mark in _SKY else ground.ink
            drawn = mark(cell.mark, wide, tall, ink, ground.colour)
            self.canvas.lay(self.x + 1, self.y + 1, drawn, ground=ground.colour)
            return
        self.canvas.put(self.x + size.cell_width // 2, self.y + size.cell_height // 2, sign, look)

    def _pile(self) -> None:
        """The pieces within walls, side by side; and that one of them may go."""
        scene, cell, ground = self.scene, self.cell, self.ground
        size = scene.fit
        if not cell.pile:
            if self.offered:
                look = style(ground.lit, ground.colour, bold=True)
                self.canvas.put(self.x + self.width // 2, self.y + self.height // 2, TARGET, look)
            return
        wide = size.cell_width - 1
        tall = min(self.height - 2, size.cell_height)
        each = (self.width - 2) // max(7, len(cell.pile))
        left = self.x + (self.width - each * len(cell.pile)) // 2
        top = self.y + (self.height - tall) // 2
        for number, lies in enumerate(cell.pile):
            drawn = _picture(scene, lies, min(wide, each), tall, ground.colour)
            self.canvas.lay(left + number * each, top, drawn, ground=ground.colour)


def _picture(scene: Scene, lies: Lies, width: int, height: int, ground: str) -> Rows:
    """A piece, somebody's or nobody's."""
    colour = scene.colour(lies.seat) if lies.seat else NEUTRAL
    return piece(scene.shape(lies.seat), colour, (width, height), scene.palette, ground)


def _open(canvas: Canvas, scene: Scene, cell: Cell, side: str) -> None:
    """Break the wall behind a door of a space."""
    size = scene.fit
    down, right = _BEYOND[side]
    row, column = cell.row + down, cell.column + right
    beyond = scene.view.at(row, column)
    if beyond is None or (beyond.walls != _ENCLOSED and not cell.walls):
        return
    if beyond.walls == _ENCLOSED:
        ground = scene.palette.grounds["deep"]
        look = style(ground.lit, ground.colour, bold=True)
        x, y = column * size.cell_width, row * size.cell_height
        if down:
            edge = y if down > 0 else y + size.cell_height - 1
            canvas.put(x + 1, edge, " " * (size.cell_width - 2), look)
        else:
            edge = x if right > 0 else x + size.cell_width - 1
            middle = y + size.cell_height // 2
            canvas.put(edge, middle, " ", look)
        return
    ground = ground_of(cell, scene)
    if cell.name == scene.cursor or cell.name in scene.chosen:
        return
    x, y = cell.column * size.cell_width + size.cell_width - 1, cell.row * size.cell_height
    for row in range(y + 1, y + size.cell_height - 1):
        canvas.put(x, row, " ", style(ground.ink, ground.colour))


def _arrow(cell: Cell) -> str:
    """The way through the door of a space: out of what is behind it, or into it."""
    if not cell.doors or cell.mark not in _ARROWS:
        return ""
    return _ARROWS[cell.mark][cell.doors[0]]


def _gold(palette: Palette, ground: Ground) -> str:
    """The colour of the cursor: by day dark on sand, bright in the dark."""
    return palette.gold_stone if ground.lit == "#123f86" else ground.lit
