"""Who looks after a table when its time is over: an alarm in memory, and a sweep for tables that nobody has there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from oudjat.house.errors import HouseError
from oudjat.house.events import Ended
from oudjat.house.leaving import on_time_out
from oudjat.house.lobby import patience_with
from oudjat.house.table import Table
from oudjat.house.timekeeper import Timekeeper

if TYPE_CHECKING:
    from oudjat.house.house import House, Live

_LOG = logging.getLogger(__name__)


class Alarms:
    """The clocks of all tables of one process; ``monotonic`` counts their seconds."""

    def __init__(self, house: House, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._house = house
        self.timekeeper = Timekeeper(house.store, self.look_after, monotonic)
        self.time = self.timekeeper.time
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Look after nothing any more."""
        await self.timekeeper.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def moment(self, table: Table) -> float:
        """What events at this table say of when they happen: the house's time, 0 where no clock runs."""
        return 0.0 if table.opened.clock.kind == "none" else self.time.now()

    def deadline(self, table: Table) -> float | None:
        """The moment after which somebody must look after this table."""
        patience = patience_with(table)
        return table.clocks.over_at if patience is None else self.time.now() + patience

    def set(self, live: Live) -> None:
        """Look after a table when the time of the seat to move is over."""
        self.stop(live)
        over_at = live.table.clocks.over_at
        if over_at is not None:
            left = max(0.0, over_at - self.time.now())
            live.alarm = asyncio.get_running_loop().call_later(left, self._ring, live)

    def stop(self, live: Live) -> None:
        """Look after a table no more, for as long as it is not in memory."""
        if live.alarm:
            live.alarm.cancel()
            live.alarm = None

    def _ring(self, live: Live) -> None:
        live.alarm = None
        task = asyncio.create_task(self.look_after(live.table.id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def look_after(self, table_id: str) -> None:
        """Do what is due at a table whose time is over; nothing when it is not, or another process does."""
        try:
            live = await self._house.live(table_id)
            async with live.lock:
                if not await self.ran_out(live) and not live.alarm:
                    await self._close_if_forgotten(live)
        except HouseError as error:
            _LOG.info("Table %s is looked after again later: %s", table_id, error)

    async def ran_out(self, live: Live) -> bool:
        """Whether the time of the seat to move was over, and what follows from it has happened now; the caller holds
        the table's lock."""
        over_at, now = live.table.clocks.over_at, self.time.now()
        if over_at is None or now < over_at:
            return False
        await self._house.record(live, *on_time_out(live.table, now))
        return True

    async def _close_if_forgotten(self, live: Live) -> None:
        """Close a table that waits for anybody when who opened it has gone; see :func:`patience_with`."""
        opener = live.table.by
        here = any(follower.viewer.holder == opener for follower in live.followers)
        if patience_with(live.table) is not None and not here:
            await self._house.record(live, Ended("abandoned"))
