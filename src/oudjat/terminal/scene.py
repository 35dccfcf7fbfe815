"""What the full screen shows at a moment, and the widget that all its parts are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from oudjat.rules.game import BoardView, Cell
from oudjat.terminal.ceremony import Ceremony
from oudjat.terminal.colours import Palette
from oudjat.terminal.drawings import Rows
from oudjat.terminal.fit import Fit
from oudjat.texts.catalog import Words


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn. Made from the view of whoever may look at this screen now, and from nothing else."""

    view: BoardView
    names: Sequence[str]
    words: Words
    palette: Palette
    fit: Fit
    cursor: str
    """The name of the space where the keys are."""
    mine: bool
    """Whether a person at this screen is to move."""
    told: Sequence[tuple[int, str]]
    prompt: str
    notice: str
    keys: str
    title: str
    ceremony: Ceremony | None = None
    cells: tuple[Cell, ...] = ()
    """The spaces as they would be after what the player has chosen of his turn."""
    chosen: tuple[str, ...] = ()
    offered: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    walked: frozenset[str] = frozenset()
    """The ways that the last turn moved pieces."""
    thrown: str | None = None
    """What was thrown last, also when it has been used."""
    thrower: int | None = None
    """Who threw it."""
    throws: str = ""
    """What the key T does now, when it does something."""

    @property
    def scoring(self) -> bool:
        """Whether pieces are being counted."""
        return self.ceremony is not None and not self.ceremony.done

    def colour(self, seat: int) -> str:
        """The colour of a seat."""
        return self.view.seats[seat - 1].colour

    def shape(self, seat: int | None) -> str:
        """What a seat's pieces are shaped like; a piece that is nobody's looks like the others."""
        return self.view.seats[(seat or 1) - 1].shape


class Painted(Widget):
    """A part of the screen that paints itself, row by row, from a scene."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Painted { width: auto; height: auto; }"

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.scene: Scene | None = None
        self._rows: Rows | None = None

    def show(self, scene: Scene) -> None:
        """Paint ``scene`` from now on; only rows that change are sent to the terminal, which may be far away."""
        before, palette = self._rows, self.scene.palette if self.scene else None
        self.scene = scene
        width, height = self.size
        if before is None or palette is not scene.palette:
            self._rows = None
            self.refresh()
            return
        self._rows = self.paint(scene, width, height)
        for y in range(height):
            if self._rows[y : y + 1] != before[y : y + 1]:
                self.refresh(Region(0, y, width, 1))

    def paint(self, scene: Scene, width: int, height: int) -> Rows:
        """The rows of this part."""
        raise NotImplementedError

    def ground(self, palette: Palette) -> str:
        """The colour behind what is painted."""
        return palette.ground

    def on_resize(self, _event: events.Resize) -> None:
        """Rows of another size are painted anew."""
        self._rows = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        scene = self.scene
        width, height = self.size
        if scene is None:
            return Strip.blank(width)
        if self._rows is None:
            self._rows = self.paint(scene, width, height)
        behind = Style(color=scene.palette.ink, bgcolor=self.ground(scene.palette))
        row = self._rows[y] if y < len(self._rows) else []
        segments = [Segment(text, behind + style) for text, style in row]
        return Strip(segments).adjust_cell_length(width, behind)


def wrapped(text: str, width: int) -> list[str]:
    """``text`` in lines of at most ``width`` cells, broken at spaces where it can be, never at a no-break one."""
    width = max(1, width)  # a window being made smaller is painted once before it is told to grow
    lines: list[str] = []
    line = ""
    for word in filter(None, text.split(" ")):
        if line and len(line) + 1 + len(word) <= width:
            line = f"{line} {word}"
            continue
        if line:
            lines.append(line)
        *whole, line = [word[start : start + width] for start in range(0, len(word), width)]
        lines += whole
    return [*lines, line] if line else lines


def clipped(text: str, width: int) -> str:
    """``text`` in at most ``width`` cells; what is too long ends in an ellipsis."""
    return text if cell_len(text) <= width else text[: max(0, width - 1)] + "…"
