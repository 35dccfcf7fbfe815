"""Games that are over, analysed: one at a time, in a process of its own that lets everybody else go first."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator

from oudjat.house.errors import HouseError
from oudjat.house.thinkers import Thinkers
from oudjat.rules.game import N_
from oudjat.study.judged import JudgedTurn
from oudjat.study.stepwise import Wish, next_turn

_LOG = logging.getLogger(__name__)

A_THOUGHT = 0.15
"""Seconds for an estimate, at most."""
A_SOLUTION = 0.5
"""Seconds for solving a position, at most."""
A_GAME = 30.0
"""Seconds that thoughts about a long game take together, but for what each takes at least."""
_A_TURN = 2.5  # thoughts
_MOST_WAITING = 16
_MOST_KEPT = 20_000
"""Turns of all games together that are kept, of about 1 kB each."""
NICENESS = 5
"""How far the process that analyses lets others go first; bots think at 0."""


class Analysis:
    """The analysis of one game, as far as it has come: ``turns`` from the last to the first. ``ended``: no more will
    come; then it is ``whole``, or something went wrong. ``left``: whoever followed it has gone."""

    def __init__(self, wish: Wish, number: int) -> None:
        self.wish = wish
        self.number = number
        self.turns: list[JudgedTurn] = []
        self.ended = False
        self.followers = 0
        self.left = False
        self.changed = asyncio.Event()

    @property
    def whole(self) -> bool:
        """Whether every turn was weighed."""
        return len(self.turns) == self.number

    def change(self) -> None:
        """Wake all who follow."""
        self.changed.set()
        self.changed = asyncio.Event()

    def end(self) -> None:
        """No more will come."""
        self.ended = True
        self.change()


class Analyses:
    """The analyses of a process, made one after the other; the latest ones are kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Analysis] = OrderedDict()
        self._waiting: deque[Analysis] = deque()
        self._work: asyncio.Task[None] | None = None
        self._closed = False

    def of(self, table: str, text: str, number: int) -> Analysis:
        """The analysis of a table's game of so many turns, whose record is ``text``; it is begun if need be. Raises
        :class:`HouseError` 503 when too many wait."""
        analysis = self._kept.get(table)
        if analysis is None or (analysis.ended and not analysis.whole):
            if len(self._waiting) >= _MOST_WAITING or self._closed:
                raise HouseError(
                    503, N_("Many games are being analysed just now. Please try again in a minute.")
                )
            seconds = min(A_THOUGHT, A_GAME / (_A_TURN * number))
            analysis = self._kept[table] = Analysis(Wish(text, seconds, A_SOLUTION), number)
            self._waiting.append(analysis)
            if self._work is None:
                self._work = asyncio.create_task(self._work_off())
        self._kept.move_to_end(table)
        while sum(kept.number for kept in self._kept.values()) > max(_MOST_KEPT, analysis.number):
            self._kept.popitem(last=False)
        return analysis

    async def follow(self, analysis: Analysis) -> AsyncGenerator[JudgedTurn | int | None, None]:
        """What is found, from the beginning to the end; before that, how many games come first, whenever that changes,
        0 when its turn has come. None: nothing new yet, but it goes on."""
        told, before = 0, 0
        analysis.followers += 1
        analysis.left = False
        try:
            while True:
                changed = analysis.changed
                for turn in analysis.turns[told:]:
                    told += 1
                    yield turn
                if analysis.ended:
                    return
                waiting = self._waiting.index(analysis) + 1 if analysis in self._waiting else 0
                if waiting != before:
                    yield waiting
                before = waiting
                try:
                    async with asyncio.timeout(10):
                        await changed.wait()
                except TimeoutError:
                    yield None
        finally:
            analysis.followers -= 1
            analysis.left = not analysis.followers

    async def close(self) -> None:
        """Leave everything as it is; whoever follows is told that it has ended."""
        self._closed = True
        if self._work:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        self._end_waiting()  # where the work was called off before it had begun

    async def _work_off(self) -> None:
        """Analyse what waits, until nothing does; the process that thinks lives no longer."""
        thinkers: Thinkers | None = None
        try:
            thinkers = Thinkers(1, niceness=NICENESS)
            while self._waiting:
                analysis = self._waiting.popleft()
                for other in self._waiting:
                    other.change()
                try:
                    if not analysis.left:
                        await self._analyse(thinkers, analysis)
                finally:
                    analysis.end()
        except OSError:
            _LOG.exception("There is no process for analyses.")
        finally:
            self._end_waiting()
            self._work = None
            if thinkers:
                await asyncio.to_thread(thinkers.close, 0.0)

    def _end_waiting(self) -> None:
        while self._waiting:
            self._waiting.popleft().end()

    async def _analyse(self, thinkers: Thinkers, analysis: Analysis) -> None:
        try:
            while turn := await thinkers.run(next_turn, analysis.wish, len(analysis.turns)):
                analysis.turns.append(turn)
                analysis.change()
                if analysis.left and self._waiting:  # others wait, and nobody for this one
                    break
        except Exception:
            _LOG.exception("A game could not be analysed.")
