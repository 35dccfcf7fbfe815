"""A house in the test's own process whose seconds pass when the test says so."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from oudjat.house.clocks import NO_CLOCK, Clock
from oudjat.house.events import Opened, SeatPlan
from oudjat.house.house import House, Live
from oudjat.house.store import Store
from oudjat.rules.game import Draw, Position, Turn
from tests.timing import until

TWO = (SeatPlan("Ada", holder="ada"), SeatPlan("Bo", holder="bo"))
THREE = (*TWO, SeatPlan("Cy", holder="cy"))


class Seconds:
    """A monotonic clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class SlowThinkers:
    """Thinks until it is let go, then takes the first turn there is; ``levels`` are those that it was asked for."""

    def __init__(self) -> None:
        self.may = asyncio.Event()
        self.levels: list[str] = []

    async def choose(self, start: Position, steps: tuple[Turn, ...], level: str, seed: int) -> Turn:
        self.levels.append(level)
        await self.may.wait()
        position = start
        for step in steps:
            position = position.follow(step)
        return next((turn for turn in position.choices() if turn != Draw()), Draw())


class Room:
    """A house on a database, with bots that think when they are let."""

    def __init__(self, database: str) -> None:
        self.seconds = Seconds()
        self.thinkers = SlowThinkers()
        self.store = Store(database)
        thinkers: Any = self.thinkers
        self.house = House(self.store, thinkers, random.Random(), self.seconds)

    async def wake(self) -> None:
        """Let the house begin; that time has passed it notices in :meth:`pass_time`, and never by itself."""
        await self.house.wake()
        await self.house.alarms.timekeeper.stop()

    async def table(
        self,
        clock: Clock = NO_CLOCK,
        on_time: str = "bot:priest",
        seats: tuple[SeatPlan, ...] = TWO,
        **more: Any,
    ) -> Live:
        opened = Opened("isis-osiris", "normal", {}, 1, "at-once", seats, "ada", clock, on_time, **more)
        return await self.house.open_table(opened)

    async def play(self, live: Live, holder: str, turn: str = "") -> None:
        free = [turn.text for turn in live.table.playing.choices() if turn != Draw()]
        await self.house.submit(live, holder, turn or [*free, "draw"][0], live.table.seq)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, and the house notice it."""
        self.seconds.now += seconds
        await self.house.alarms.timekeeper.beat()

    async def bot_plays(self, live: Live) -> None:
        self.thinkers.may.set()
        await until(lambda: not live.table.bot_due, "the bot plays")
        self.thinkers.may.clear()

    async def close(self) -> None:
        await self.house.close()
        self.store.close()
