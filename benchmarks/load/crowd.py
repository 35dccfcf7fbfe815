"""A crowd of tables that play at a pace, each replaced by a new one when its game is over."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from random import Random
from typing import Any

from benchmarks.load.playing import Fault, Figures, Manner, Match
from benchmarks.load.wire import Wire

_OPENED_AT_ONCE = 16
_LONGEST_ANSWER = 60.0


class Crowd:
    """So many tables at the servers that listen on ``ports``: hosts at the first, friends at the last.

    ``rate`` is how many turns a second all tables take together, each at moments of its own; None: a table's next
    turn is taken as soon as both players have the last one.
    """

    def __init__(
        self,
        ports: Sequence[int],
        manner: Manner,
        *,
        rate: float | None,
        replace: bool = True,
        seed: int = 1,
    ) -> None:
        self.figures = Figures()
        self.matches: set[Match] = set()
        self._wires = (Wire(ports[0]), Wire(ports[-1]))
        self._manner = manner
        self._rate = rate
        self._replace = replace
        self._randomness = Random(seed)
        self._wanted = 0
        self._under_way: set[Match] = set()
        self._stopping = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._fault: asyncio.Future[None] = self._loop.create_future()
        self._loop.set_exception_handler(self._on_error)

    async def open(self, tables: int) -> None:
        """Open the tables and their streams; nobody plays yet."""
        self._wanted = tables
        for wire in self._wires:
            await wire.get_ready(_OPENED_AT_ONCE)
        waiting = list(range(tables))

        async def some() -> None:
            while waiting:
                waiting.pop()
                await self._open_one()

        await self._unless_fault(asyncio.gather(*(some() for _ in range(_OPENED_AT_ONCE))))

    def play(self) -> None:
        """Begin to play at all tables."""
        for match in self.matches:
            match.due = self._loop.time() + self._randomness.random() * self._period
            self._next(match)

    async def until(self, seconds: float | None = None, turns: int | None = None) -> None:
        """Go on for so many seconds, or until so many turns are counted, or all games are over."""
        end = self._loop.time() + (seconds if seconds is not None else 1e9)
        while self._loop.time() < end and (turns is None or self.figures.turns < turns) and self._going_on:
            await self._unless_fault(asyncio.sleep(min(0.1, max(0.0, end - self._loop.time()))))

    async def stop(self) -> None:
        """Take no more turns, wait for those under way, and check every table."""
        self._stopping = True
        end = self._loop.time() + _LONGEST_ANSWER
        while self._under_way or self._tasks:
            if self._loop.time() > end:
                raise Fault(f"{len(self._under_way)} turns were never answered or never told to all")
            await self._unless_fault(asyncio.sleep(0.05))
        waiting = list(self.matches)

        async def some() -> None:
            while waiting:
                await waiting.pop().check()

        await self._unless_fault(asyncio.gather(*(some() for _ in range(_OPENED_AT_ONCE))))

    def leave(self) -> None:
        """Close all streams and connections."""
        for match in self.matches:
            match.close()
        self.matches.clear()
        for wire in self._wires:
            wire.close()

    @property
    def _going_on(self) -> bool:
        """Whether a table is in play, or about to be replaced: all may end in the same moment."""
        return bool(self.matches or self._tasks)

    @property
    def _period(self) -> float:
        return self._wanted / self._rate if self._rate else 0.0

    async def _open_one(self) -> Match:
        match = Match(self._wires, self._manner, self.figures, Random(self._randomness.random()))
        match.ready = self._ready
        await match.begin()
        self.matches.add(match)
        return match

    def _next(self, match: Match) -> None:
        if self._stopping:
            return
        self._under_way.add(match)
        wait = match.due - self._loop.time()
        if self._rate is None:
            match.submit()
        elif wait > 0:
            self._loop.call_later(wait, self._take_turn, match)
        else:
            self.figures.late += self.figures.counting
            match.due -= wait
            self._take_turn(match)

    def _take_turn(self, match: Match) -> None:
        if self._stopping:
            self._under_way.discard(match)
            return
        match.due += self._period * self._randomness.uniform(0.5, 1.5)
        match.submit()

    def _ready(self, match: Match) -> None:
        self._under_way.discard(match)
        if match.over:
            self._spawn(self._finish(match))
        else:
            self._next(match)

    async def _finish(self, match: Match) -> None:
        await match.check()
        self.figures.finished += 1
        match.close()
        self.matches.discard(match)
        if self._replace and not self._stopping:
            following = await self._open_one()
            following.due = match.due
            self._next(following)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._spawned)

    def _spawned(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._on_error(self._loop, {"exception": error})

    def _on_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not self._fault.done():
            error = context.get("exception")
            self._fault.set_exception(error if isinstance(error, Exception) else Fault(str(context)))

    async def _unless_fault(self, what: Coroutine[Any, Any, Any] | asyncio.Future[Any]) -> None:
        """Wait for something; raises the first fault instead."""
        task = asyncio.ensure_future(what)
        await asyncio.wait({task, self._fault}, return_when=asyncio.FIRST_COMPLETED)
        if self._fault.done():
            task.cancel()
            self._fault.result()
        task.result()
