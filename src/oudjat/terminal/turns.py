"""What a player does on his turn by keys and clicks: walk, choose, throw, take back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from oudjat.rules.game import Draw, TurnError
from oudjat.terminal import captions
from oudjat.terminal.board import Board
from oudjat.terminal.ceremony import Ceremony
from oudjat.terminal.choosing import Choosing
from oudjat.terminal.helps import fills_board
from oudjat.terminal.match import Match, can_draw, meant, try_step, unbound
from oudjat.texts.catalog import Words
from oudjat.texts.speech import refusal


class Turns(Screen[None]):
    """A screen on which the last match of ``played`` is played. What happens by itself is the table's part."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "walk(-1, 0)", show=False),
        Binding("down", "walk(1, 0)", show=False),
        Binding("left", "walk(0, -1)", show=False),
        Binding("right", "walk(0, 1)", show=False),
        Binding("enter,space", "act", show=False),
        Binding("t", "turn_over", show=False),
        *(Binding(str(number), f"other({number})", show=False) for number in range(1, 10)),
        Binding("backspace", "back", show=False),
    ]

    def __init__(self, played: list[Match], names: Sequence[str], words: Words) -> None:
        super().__init__()
        self.played, self.names, self.words = played, names, words
        view = self.match.view()
        self.row, self.column = (view.rows - 1) // 2, (view.columns - 1) // 2
        self._choosing = Choosing(view)
        self.notice = ""
        self.ceremony: Ceremony | None = None

    def paint_table(self) -> None:
        """Show the match as it is now."""
        raise NotImplementedError

    def go_on(self) -> None:
        """What follows a step."""
        raise NotImplementedError

    def next_piece(self) -> None:
        """Hurry the scoring."""
        raise NotImplementedError

    @property
    def match(self) -> Match:
        """The match on the table."""
        return self.played[-1]

    @property
    def cursor(self) -> str:
        """The name of the space where the keys are."""
        found = self.match.view().at(self.row, self.column)
        return found.name if found else ""

    @property
    def choosing(self) -> Choosing:
        """What the player to move has chosen of his turn; nothing yet when the position is a new one."""
        if self._choosing.view is not self.match.view():
            self._choosing = Choosing(self.match.view())
        return self._choosing

    def action_walk(self, rows: int, columns: int) -> None:
        """Move the cursor to the next space; it stops at the edge."""
        view, here = self.match.view(), self.cursor
        row, column = self.row + rows, self.column + columns
        while 0 <= row < view.rows and 0 <= column < view.columns:
            there = view.at(row, column)
            if there and there.name != here:
                self.row, self.column = row, column
                break
            row, column = row + rows, column + columns
        self.notice = ""
        self.paint_table()

    def action_act(self) -> None:
        """Enter: place or choose at the cursor, go on when nothing else is left, or hurry the scoring."""
        if self.ceremony is not None:
            self.next_piece()
            return
        view = self.match.view()
        if unbound(view) and not view.ways:
            self._try(unbound(view)[0])
        elif fills_board(self.match.game):
            self._try(meant(view, view.cell(self.cursor)))
        elif self.match.bot_to_move or (can_draw(view) and not view.ways):
            self._try(Draw().text)  # while a bot is to move, this says who is waited for
        else:
            self._choose(self.cursor)

    def action_other(self, number: int) -> None:
        """A number key: what can be chosen that is no space."""
        others = dict(captions.numbered(self.choosing))
        if self.ceremony is None and number in others:
            self._choose(others[number])

    def action_back(self) -> None:
        """Backspace: take a choice back."""
        if self.choosing.made:
            self._choosing = self.choosing.back()
            self.notice = ""
            self.paint_table()

    def _choose(self, name: str) -> None:
        found = self.choosing.choose(name)
        if isinstance(found, str):
            self._try(found)
            return
        self.notice = "" if found else refusal(self.words, captions.not_chosen(self.choosing, name))
        self._choosing = found or self._choosing
        self.paint_table()

    def action_turn_over(self) -> None:
        """T: turn over a tile, or throw."""
        if self.ceremony is None and self.match.game.thrown:
            self._try(Draw().text)

    def on_board_chosen(self, message: Board.Chosen) -> None:
        """A click on a space."""
        if self.ceremony is None:
            cell = self.match.view().cell(message.space)
            self.row, self.column = cell.row, cell.column
        self.action_act()

    def on_hand_turn_over(self) -> None:
        """A click on the stock, or where a throw lies."""
        self.action_turn_over()

    def _try(self, text: str) -> None:
        try:
            try_step(self.match, text, self.names)
        except TurnError as error:
            self.notice = refusal(self.words, error)
            self.paint_table()
        else:
            self.notice = ""
            self.go_on()
