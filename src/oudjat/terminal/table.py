"""The table on the full screen: its parts, the keys beside those of a turn, and what happens by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from oudjat.rules.game import Turn
from oudjat.terminal.asides import KeysAside, LeaveAside
from oudjat.terminal.board import Board, Track
from oudjat.terminal.ceremony import Ceremony
from oudjat.terminal.fit import Fit
from oudjat.terminal.hand import Hand
from oudjat.terminal.match import Match
from oudjat.terminal.pace import Pace
from oudjat.terminal.panels import Keys, Log, Prompt, Seats, Title
from oudjat.terminal.picture import make_room, room_for, scene_of
from oudjat.terminal.scene import Painted
from oudjat.terminal.turns import Turns
from oudjat.texts.catalog import Words


class TableScreen(Turns):
    """Plays the last match of ``played`` and adds those that follow it."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    TableScreen { background: $background; color: $foreground; overflow: hidden; layout: vertical; }
    TableScreen #title, TableScreen #keys { width: 100%; height: 1; }
    TableScreen #prompt { width: 100%; height: 2; }
    TableScreen #main { width: 100%; overflow: hidden; align: center top; }
    TableScreen #side { overflow: hidden; background: $surface; }
    TableScreen #log { height: 1fr; width: 100%; }
    TableScreen #seats, TableScreen #hand { width: 100%; }
    TableScreen #small { display: none; width: 100%; height: 100%; content-align: center middle; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "light", show=False),
        Binding("a", "again", show=False),
        Binding("w", "watch", show=False),
        Binding("question_mark,h", "keys", show=False),
        Binding("escape", "escape", show=False),
        Binding("q", "leave", show=False),
    ]

    class Decided(Message):
        """A bot has decided; sent from the thread where it thought."""

        def __init__(self, match: Match, turn: Turn, since: float) -> None:
            super().__init__()
            self.match, self.turn, self.since = match, turn, since

    def __init__(
        self,
        played: list[Match],
        names: Sequence[str],
        words: Words,
        pace: Pace,
        *,
        again: Callable[[Match], Match],
        light: bool,
    ) -> None:
        super().__init__(played, names, words)
        self.pace = pace
        self.deal_again = again
        self.light = light
        self._timer: Timer | None = None
        self._room: Fit | None = None

    @property
    def finished(self) -> bool:
        """Whether the game is over and everything is counted."""
        return self.ceremony is not None and self.ceremony.done

    def compose(self) -> ComposeResult:
        yield Title("title")
        with Horizontal(id="main"):
            yield Track("plus", 1)
            yield Board("board")
            yield Track("minus", -1)
            with Vertical(id="side"):
                yield Seats("seats")
                yield Hand("hand")
                yield Log("log")
        yield Prompt("prompt")
        yield Keys("keys")
        yield Static(id="small")

    def on_mount(self) -> None:
        """The first picture, and the first bot."""
        self.app.theme = "day" if self.light else "night"
        self.go_on()

    def on_resize(self, _event: events.Resize) -> None:
        """A terminal of another size is another picture."""
        self.paint_table()

    # --- what the player does beside his turns

    def action_light(self) -> None:
        """L: by day or by night."""
        self.light = not self.light
        self.app.theme = "day" if self.light else "night"
        self.paint_table()

    def action_keys(self) -> None:
        """?: the keys."""
        self.app.push_screen(KeysAside(self.match.game, self.words))

    def action_escape(self) -> None:
        """Escape: take a choice back, else as Q."""
        if self.choosing.made:
            self.action_back()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Q: skip the scoring, or leave; a game that goes on is asked about first."""
        if self.ceremony is not None and not self.ceremony.done:
            self.ceremony = self.ceremony.skipped()
            self._stop_timer()
            self.paint_table()
        elif self.match.over:
            self.app.exit()
        else:
            self.app.push_screen(LeaveAside(self.words), self._leave_if)

    def _leave_if(self, yes: bool | None) -> None:  # noqa: FBT001 (Textual's callback)
        if yes:
            self.app.exit()

    def action_again(self) -> None:
        """A: another game, when this one is over."""
        if self.finished:
            self.played.append(self.deal_again(self.match))
            self.ceremony, self.notice = None, ""
            self.go_on()

    def action_watch(self) -> None:
        """W: see the scoring again."""
        if self.finished and self.ceremony and self.ceremony.steps:
            self.ceremony = replace(self.ceremony, at=0)
            self._after(self.pace.scored, self.next_piece)
            self.paint_table()

    # --- what happens by itself

    def go_on(self) -> None:
        """After a step: ask the next bot, or begin the scoring."""
        self._stop_timer()
        if self.match.over and self.ceremony is None:
            self.ceremony = Ceremony(self.match.game.scoring(self.match.position))
            if self.ceremony.steps:
                self._after(self.pace.scored, self.next_piece)
            else:
                self.ceremony = self.ceremony.skipped()
        elif self.match.bot_to_move:
            think = partial(self._think, self.match, self.match.thinking(), time.monotonic())
            self.run_worker(think, thread=True)
        self.paint_table()

    def _think(self, match: Match, thinking: Callable[[], Turn], since: float) -> None:
        """On another thread: what the bot decides. A table that has been left meanwhile takes no message."""
        self.post_message(self.Decided(match, thinking(), since))

    def on_table_screen_decided(self, message: Decided) -> None:
        """A bot has decided; it is seen when a natural moment has passed."""
        if message.match is self.match and self.match.bot_to_move:
            moment = self.pace.tile_shown if self.match.view().drawn else self.pace.thought
            passed = time.monotonic() - message.since
            self._after(max(0.0, moment - passed), partial(self._bot_takes, message.turn))

    def _bot_takes(self, turn: Turn) -> None:
        self.match.take(turn)
        self.notice = ""
        self.go_on()

    def next_piece(self) -> None:
        """Count the next piece (IO-14); by itself after a while, or because somebody hurries."""
        if self.ceremony is None or self.ceremony.done:
            return
        self.ceremony = self.ceremony.next()
        self._stop_timer()
        if not self.ceremony.done:
            self._after(self.pace.scored, self.next_piece)
        self.paint_table()

    def _after(self, seconds: float, what: Callable[[], None]) -> None:
        self._stop_timer()
        if seconds > 0:
            self._timer = self.set_timer(seconds, what)
        else:
            what()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # --- the picture

    def paint_table(self) -> None:
        """Show the match as it is now."""
        view = self.match.view()
        room = room_for(self.app.size, view)
        if room is None or room != self._room:
            make_room(self, room, view, self.words)  # sizes cost a layout: only when they change
        self._room = room
        if room is not None:
            scene = scene_of(self, room)
            for part in self.query(Painted):
                part.show(scene)
