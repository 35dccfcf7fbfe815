"""The table on the full screen: what the player's keys and clicks do, and what happens by itself."""

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
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from oudjat.rules.game import N_, Draw, Turn, TurnError
from oudjat.terminal import captions
from oudjat.terminal.asides import KeysAside, LeaveAside
from oudjat.terminal.board import Board, Track
from oudjat.terminal.ceremony import Ceremony
from oudjat.terminal.colours import DAY, NIGHT
from oudjat.terminal.diary import diary
from oudjat.terminal.fit import LEAST_HEIGHT, LEAST_WIDTH, Fit, fit
from oudjat.terminal.match import Match, meant, try_step
from oudjat.terminal.pace import Pace
from oudjat.terminal.panels import BIG_TILE, Hand, Keys, Log, Prompt, Seats, Title
from oudjat.terminal.scene import Painted, Scene
from oudjat.texts.catalog import Words
from oudjat.texts.speech import refusal


class TableScreen(Screen[None]):
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
        Binding("up", "walk(-1, 0)", show=False),
        Binding("down", "walk(1, 0)", show=False),
        Binding("left", "walk(0, -1)", show=False),
        Binding("right", "walk(0, 1)", show=False),
        Binding("enter,space", "act", show=False),
        Binding("t", "turn_over", show=False),
        Binding("l", "light", show=False),
        Binding("a", "again", show=False),
        Binding("w", "watch", show=False),
        Binding("question_mark,h", "keys", show=False),
        Binding("q,escape", "leave", show=False),
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
        super().__init__()
        self.played = played
        self.names, self.words, self.pace = names, words, pace
        self.deal_again = again
        self.light = light
        self.row, self.column = 2, 2
        self.notice = ""
        self.ceremony: Ceremony | None = None
        self._timer: Timer | None = None
        self._room: Fit | None = None

    @property
    def match(self) -> Match:
        """The match on the table."""
        return self.played[-1]

    @property
    def cursor(self) -> str:
        """The name of the space where the keys are."""
        here = (self.row, self.column)
        return next(cell.name for cell in self.match.view().cells if (cell.row, cell.column) == here)

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
        self._go_on()

    def on_resize(self, _event: events.Resize) -> None:
        """A terminal of another size is another picture."""
        self._paint()

    # --- what the player does

    def action_walk(self, rows: int, columns: int) -> None:
        """Move the cursor; it stops at the edge."""
        view = self.match.view()
        self.row = min(max(self.row + rows, 0), view.rows - 1)
        self.column = min(max(self.column + columns, 0), view.columns - 1)
        self.notice = ""
        self._paint()

    def action_act(self) -> None:
        """Enter: place at the cursor, pass when nothing else is left, or hurry the scoring."""
        if self.ceremony is not None:
            self._next_piece()
            return
        view = self.match.view()
        self._try("--" if "--" in view.actions else meant(view, view.cell(self.cursor)))

    def action_turn_over(self) -> None:
        """T: turn over a tile."""
        if self.ceremony is None:
            self._try(Draw().text)

    def on_board_chosen(self, message: Board.Chosen) -> None:
        """A click on a space."""
        if self.ceremony is None:
            cell = self.match.view().cell(message.space)
            self.row, self.column = cell.row, cell.column
        self.action_act()

    def on_hand_turn_over(self) -> None:
        """A click on the stock."""
        self.action_turn_over()

    def action_light(self) -> None:
        """L: by day or by night."""
        self.light = not self.light
        self.app.theme = "day" if self.light else "night"
        self._paint()

    def action_keys(self) -> None:
        """?: the keys."""
        self.app.push_screen(KeysAside(self.words))

    def action_leave(self) -> None:
        """Q or Escape: skip the scoring, or leave; a game that goes on is asked about first."""
        if self.ceremony is not None and not self.ceremony.done:
            self.ceremony = self.ceremony.skipped()
            self._stop_timer()
            self._paint()
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
            self._go_on()

    def action_watch(self) -> None:
        """W: see the scoring again."""
        if self.finished and self.ceremony:
            self.ceremony = replace(self.ceremony, at=0)
            self._after(self.pace.scored, self._next_piece)
            self._paint()

    def _try(self, text: str) -> None:
        try:
            try_step(self.match, text, self.names)
        except TurnError as error:
            self.notice = refusal(self.words, error)
            self._paint()
        else:
            self.notice = ""
            self._go_on()

    # --- what happens by itself

    def _go_on(self) -> None:
        """After a step: ask the next bot, or begin the scoring."""
        self._stop_timer()
        if self.match.over and self.ceremony is None:
            self.ceremony = Ceremony(self.match.game.scoring(self.match.position))
            self._after(self.pace.scored, self._next_piece)
        elif self.match.bot_to_move:
            think = partial(self._think, self.match, self.match.thinking(), time.monotonic())
            self.run_worker(think, thread=True)
        self._paint()

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
        self._go_on()

    def _next_piece(self) -> None:
        """Count the next piece (IO-14); by itself after a while, or because somebody hurries."""
        if self.ceremony is None or self.ceremony.done:
            return
        self.ceremony = self.ceremony.next()
        self._stop_timer()
        if not self.ceremony.done:
            self._after(self.pace.scored, self._next_piece)
        self._paint()

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

    def _paint(self) -> None:
        """Show the match as it is now."""
        view, names, words = self.match.view(), self.names, self.words
        room = fit(*self.app.size, rows=view.rows, columns=view.columns, players=view.players)
        if room is None or room != self._room:
            self._make_room(room, view.players)  # sizes cost a layout: only when they change
        self._room = room
        if room is None:
            return
        scene = Scene(
            view=view,
            names=names,
            words=words,
            palette=DAY if self.light else NIGHT,
            fit=room,
            cursor=self.cursor,
            mine=not view.over and not self.match.bot_to_move,
            told=diary(self.match, names, words),
            prompt=captions.asked(self.match, self.ceremony, names, words),
            notice=self.notice or captions.below(self.match, self.ceremony, self.cursor, names, words),
            keys=captions.keys(self.ceremony, words),
            title=captions.title(self.match, words),
            ceremony=self.ceremony,
        )
        for part in self.query(Painted):
            part.show(scene)

    def _make_room(self, room: Fit | None, players: int) -> None:
        """Give every part its size, or say that the terminal is too small."""
        small = self.query_one("#small", Static)
        small.display = room is None
        for part in ("#title", "#main", "#prompt", "#keys"):
            self.query_one(part).display = room is not None
        if room is None:
            needed = N_("The board needs {width} × {height} characters: enlarge the window, or add --plain.")
            small.update(self.words(needed, width=LEAST_WIDTH, height=LEAST_HEIGHT))
            return
        self.query_one("#main").styles.height = room.main_height
        self.query_one("#side").styles.width = room.side_width
        self.query_one("#side").styles.height = room.main_height
        self.query_one("#seats").styles.height = 2 * players + 1
        self.query_one("#hand").styles.height = BIG_TILE[1] + 1
        for part, wide in (
            ("#board", room.board_width),
            ("#plus", room.track_width),
            ("#minus", room.track_width),
        ):
            self.query_one(part).styles.width = wide
            self.query_one(part).styles.margin = ((room.main_height - room.board_height) // 2, 0, 0, 0)
            self.query_one(part).styles.height = room.board_height
