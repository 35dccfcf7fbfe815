"""The full-screen face (a Textual program): a shell around the table, which is its one screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import App

from oudjat.terminal.colours import DAY, NIGHT, theme
from oudjat.terminal.match import Match
from oudjat.terminal.pace import Pace
from oudjat.terminal.table import TableScreen
from oudjat.texts.catalog import Words


class PlayApp(App[None]):
    """Plays ``match``; ``played`` holds every match of this sitting, the current one last.

    ``again`` deals the next match after one; ``colourless`` keeps to the terminal's own two colours.
    """

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        match: Match,
        names: Sequence[str],
        words: Words,
        pace: Pace,
        *,
        again: Callable[[Match], Match],
        light: bool = False,
        colourless: bool = False,
    ) -> None:
        super().__init__(ansi_color=True if colourless else None)
        self.title = match.game.name
        self.played = [match]
        self._table = TableScreen(self.played, names, words, pace, again=again, light=light)

    @property
    def match(self) -> Match:
        """The match on the screen."""
        return self.played[-1]

    @property
    def table(self) -> TableScreen:
        """The screen that is always there, below every aside."""
        return self._table

    def on_mount(self) -> None:
        """Lay the table."""
        self.register_theme(theme("day", DAY, dark=False))
        self.register_theme(theme("night", NIGHT, dark=True))
        self.push_screen(self._table)
