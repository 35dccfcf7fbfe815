"""Small windows over the board: the keys, and whether to leave."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from oudjat.rules.game import N_, Game
from oudjat.terminal.helps import keys_of
from oudjat.texts.catalog import Words
from oudjat.texts.tongues import TONGUES

_CSS = """
Aside { align: center middle; }
Aside > Vertical {
    width: 78; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
    background: $surface; color: $foreground; border: round $primary;
}
Aside Static { width: 100%; height: auto; }
"""


class Aside(ModalScreen[bool]):
    """A window with lines of text that a key closes; it gives whether that key was yes."""

    DEFAULT_CSS = _CSS
    lines: list[str]

    def __init__(self, lines: list[str], heading: str) -> None:
        super().__init__()
        self.lines, self.heading = lines, heading

    def compose(self) -> ComposeResult:
        box = Vertical(Static("\n".join(self.lines), markup=False))
        box.border_title = self.heading
        yield box

    def action_answer(self, yes: bool) -> None:  # noqa: FBT001 (called by name from a binding)
        """Close the window."""
        self.dismiss(yes)

    def on_click(self) -> None:
        """A click closes it too, and means no."""
        self.dismiss(result=False)


class KeysAside(Aside):
    """The keys and the game in short."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,question_mark", "answer(False)", show=False)
    ]

    def __init__(self, game: Game, words: Words) -> None:
        rows = keys_of(game, words)
        wide = max(len(key) for key, _ in rows)
        lines = [f"{key.ljust(wide)}  {does}" for key, does in rows]
        lines += ["", *(words(sentence) for sentence in TONGUES[game.id].in_short)]
        super().__init__(lines, words(N_("Keys, and the game in short")))


class LeaveAside(Aside):
    """Whether to leave a game that goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y,j,o,q", "answer(True)", show=False),
        Binding("escape,n,space", "answer(False)", show=False),
    ]

    def __init__(self, words: Words) -> None:
        lines = [
            words(N_("The game is not finished.")),
            "",
            words(N_("Enter leaves it, Escape goes on playing.")),
        ]
        super().__init__(lines, words(N_("Leave?")))
