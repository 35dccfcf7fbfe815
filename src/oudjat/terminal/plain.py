"""The match line by line, for screen readers and scripts: sentences out, commands in."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TextIO

from oudjat.rules.game import N_, BoardView, Cell, Draw, TurnError, UnreadableTurn
from oudjat.terminal.diary import diary
from oudjat.terminal.helps import COMMANDS, IN_SHORT
from oudjat.terminal.match import Match, meant, try_step
from oudjat.terminal.pace import Pace
from oudjat.texts.catalog import Words
from oudjat.texts.speech import refusal, scoring_sentences
from oudjat.texts.tongues import cell_label, prompt, result, turn_sentence

_MOST_SHOWN = 40
_QUESTION = re.compile(r"what\s+is\s+(\S+?)\??|(\S+?)\s*\?")


@dataclass(slots=True)
class PlainFace:
    """Plays ``match`` over two streams until it is over, left, or the input ends."""

    match: Match
    names: Sequence[str]
    words: Words
    lines: TextIO
    out: TextIO
    pace: Pace
    sleep: Callable[[float], None] = time.sleep
    _told: int = 0

    def play(self) -> None:
        """Play on. Nothing is raised for what a player writes: it is answered by a sentence."""
        self._say(N_("Write help for the commands.")) if self.match.people else None
        while not self.match.over:
            if self.match.bot_to_move:
                self._bot()
            elif not self._person():
                self._say(N_("You left the game before its end."))
                return
        steps = self.match.game.scoring(self.match.position)
        self._say(N_("The board is full. All tiles are turned face up."))
        for sentence in scoring_sentences(self.words, steps, self.names):
            self._print(sentence)
        self._print(result(self.words, self.match.view(), self.names))

    def _bot(self) -> None:
        self.sleep(self.pace.tile_shown if self.match.view().drawn else self.pace.thought)
        self.match.take(self.match.thinking()())
        self._tell()

    def _person(self) -> bool:
        """Ask until a step is taken; False when the player leaves."""
        asked = prompt(self.words, self.match.view(), self.names, mine=True, several=self.match.people > 1)
        self._print(asked)
        for line in self.lines:
            text = " ".join(line.split())
            if not text:
                continue
            if text.lower() in ("quit", "q", "exit"):
                return False
            if not self._answered(text.lower()):
                try:
                    try_step(self.match, self._step(text), self.names)
                except TurnError as error:
                    self._print(refusal(self.words, error))
                else:
                    self._tell()
                    return True
            self._print(asked)
        return False

    def _step(self, text: str) -> str:
        """The step that a line spells; a bare space is what choosing it means."""
        lower = text.lower()
        if lower in ("draw", "d", "t"):
            return Draw().text
        if lower in ("pass", "--"):
            return "--"
        view = self.match.view()
        named = [cell for cell in view.cells if cell.name == lower.removeprefix("p")]
        if named:
            # Pc3 with a tile in hand asks for a piece, and is refused as one
            return f"P{named[0].name}" if lower.startswith("p") else meant(view, named[0])
        if re.fullmatch(r"p?[a-z]\d+", lower, re.ASCII):
            return f"P{lower.removeprefix('p')}"  # no such space, and the rules say so
        if not re.fullmatch(r"[+-]\d+[a-z]\d+", lower, re.ASCII):
            raise UnreadableTurn(
                "record", N_("“{text}” is no command; write help for all of them."), text=text[:_MOST_SHOWN]
            )
        return lower

    def _answered(self, text: str) -> bool:
        """Answer a question or a command that takes no step; False when the line is something else."""
        question = _QUESTION.fullmatch(text)
        if text in ("help", "h", "?"):
            for command, does in COMMANDS:
                self._print(f"{command}: {self.words(does)}.")
        elif text in ("board", "b"):
            self._print(board_table(self.match.view(), self.names, self.words))
        elif text == "log":
            told = diary(self.match, self.names, self.words)
            for _, sentence in told:
                self._print(sentence)
            if not told:
                self._say(N_("Nothing has happened yet."))
        elif text == "rules":
            for sentence in IN_SHORT:
                self._say(sentence)
        elif question:
            self._describe(question[1] or question[2])
        else:
            return False
        return True

    def _describe(self, name: str) -> None:
        view = self.match.view()
        try:
            self._print(cell_label(self.words, view.cell(name), view, self.names))
        except KeyError:
            self._say(
                N_("There is no space {space}; columns are a to f, rows 1 to 6."), space=name[:_MOST_SHOWN]
            )

    def _tell(self) -> None:
        """Say each step that was taken since the last time. A step is said as it happens, and once."""
        for step in self.match.happened[self._told :]:
            if not isinstance(step.turn, Draw):
                self._print(
                    turn_sentence(
                        self.words, self.match.game.id, step.turn, self.names[step.seat - 1], step.walks
                    )
                )
        self._told = len(self.match.happened)

    def _say(self, sentence: str, **gaps: str | int) -> None:
        self._print(self.words(sentence, **gaps))

    def _print(self, text: str) -> None:
        print(text, file=self.out, flush=True)


def board_table(view: BoardView, names: Sequence[str], words: Words) -> str:
    """The board as a small table of text: a seat's number for its piece, # for a face-down tile, . for free."""
    grid = {(cell.row, cell.column): cell for cell in view.cells}
    columns = [grid[0, column].name[:1] for column in range(view.columns)]
    rows = ["  " + "".join(f"{letter:>3}" for letter in columns)]
    for row in range(view.rows):
        signs = "".join(f"{_sign(grid[row, column]):>3}" for column in range(view.columns))
        rows.append(f"{grid[row, 0].name[1:]:>2}{signs}")
    seats = ", ".join(
        words(N_("{number} {name}'s piece"), number=number, name=name) for number, name in enumerate(names, 1)
    )
    rows.append(words(N_("{pieces}, # face-down tile, . free."), pieces=seats))
    return "\n".join(rows)


def _sign(cell: Cell) -> str:
    if cell.lies is None:
        return "."
    return str(cell.lies.seat) if cell.lies.kind == "piece" else cell.lies.face or "#"
