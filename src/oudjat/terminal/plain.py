"""The match line by line, for screen readers and scripts: sentences out, commands in."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from oudjat.rules.game import N_, Draw, TurnError
from oudjat.terminal.captions import question
from oudjat.terminal.choosing import Choosing
from oudjat.terminal.diary import diary
from oudjat.terminal.helps import commands_of, fills_board
from oudjat.terminal.match import Match, try_step
from oudjat.terminal.pace import Pace
from oudjat.terminal.typed import passing, placing, spelled, typed
from oudjat.terminal.written import board_table, moves, no_space
from oudjat.texts.catalog import Words
from oudjat.texts.speech import refusal, scoring_sentences
from oudjat.texts.tongues import TONGUES, cell_label, result, turn_sentence

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
    _choosing: Choosing = field(init=False)

    def __post_init__(self) -> None:
        self._choosing = Choosing(self.match.view())

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
        if steps:
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
        self._choosing = Choosing(self.match.view())
        self._ask()
        for line in self.lines:
            text = " ".join(line.split())
            if not text:
                continue
            if text.lower() in ("quit", "q", "exit"):
                return False
            if not self._answered(text.lower()):
                try:
                    step = self._step(text)
                    if step:
                        try_step(self.match, step, self.names)
                except TurnError as error:
                    self._print(refusal(self.words, error))
                else:
                    if step:
                        self._tell()
                        return True
            self._ask()
        return False

    def _ask(self) -> None:
        """What is asked now; where something was chosen of the turn, what can be chosen next."""
        self._print(question(self.match, self._choosing, self.names, self.words))
        if self._choosing.made:
            self._print(moves(self._choosing, self.words))

    def _step(self, text: str) -> str:
        """The step that a line spells; empty when it only chooses a part of a turn. Raises :class:`TurnError`."""
        lower = text.lower()
        if lower in ("draw", "d", "throw", "t"):
            return Draw().text
        view = self.match.view()
        if lower in ("pass", "--"):
            return passing(self.match)
        if fills_board(self.match.game):
            return placing(view, lower)
        found = typed(self._choosing, lower)
        if isinstance(found, Choosing):
            self._choosing = found
            return ""
        return found or spelled(self.match, self._choosing, lower)

    def _answered(self, text: str) -> bool:
        """Answer a question or a command that takes no step; False when the line is something else."""
        asked, game = _QUESTION.fullmatch(text), self.match.game
        moving = not fills_board(game)
        if text in ("help", "h", "?"):
            for command, does in commands_of(game, self.words):
                self._print(f"{command}: {does}.")
        elif text in ("board", "b"):
            self._print(board_table(self._choosing.view, self.names, self.words))
        elif text == "log":
            told = diary(self.match, self.names, self.words)
            for _, sentence in told:
                self._print(sentence)
            if not told:
                self._say(N_("Nothing has happened yet."))
        elif text == "rules":
            for sentence in TONGUES[game.id].in_short:
                self._say(sentence)
        elif text in ("moves", "m") and moving:
            self._print(moves(self._choosing, self.words))
        elif text == "back" and moving:
            self._choosing = self._choosing.back()
        elif asked:
            self._describe(asked[1] or asked[2])
        else:
            return False
        return True

    def _describe(self, name: str) -> None:
        view = self.match.view()
        try:
            self._print(cell_label(self.words, view.cell(name), view, self.names))
        except KeyError:
            self._print(refusal(self.words, no_space(view, name[:_MOST_SHOWN])))

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
