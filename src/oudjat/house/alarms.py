"""Who looks after a table when its time is over: an alarm in memory, and a sweep for tables that nobody has there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import sqlalchemy as sa

from oudjat.house.errors import HouseError
from oudjat.house.events import Ended
from oudjat.house.leaving import on_time_out
from oudjat.house.patience import patience_with
from oudjat.house.schema import tables
from oudjat.house.table import Table
from oudjat.house.timekeeper import Timekeeper

if TYPE_CHECKING:
    from oudjat.house.house import House, Live

_LOG = logging.getLogger(__name__)


class Alarms:
    """The clocks of all tables of one process; ``monotonic`` counts their seconds."""

    def __init__(self, house: House, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._house = house
        self.timekeeper = Timekeeper(house.store, self.look_after, self._keep_open, monotonic)
        self.time = self.timekeeper.time
        self._kept: dict[str, float] = {}
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
        if patience is None:
            self._kept.pop(table.id, None)
            return table.clocks.over_at
        self._kept[table.id] = self.time.now() + patience
        return self._kept[table.id]

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

    async def _keep_open(self) -> None:
        """Be patient for longer with tables that wait for anybody while who opened them is there."""
        now = self.time.now()
        renewed: dict[str, float] = {}
        for live in self._house.lives():
            patience = patience_with(live.table) if live.followers else None
            soon = patience is not None and self._kept.get(live.table.id, 0.0) < now + patience / 2
            if patience is not None and soon and _opener_is_here(live):
                renewed[live.table.id] = now + patience
        if renewed:
            await self._house.store.transact(lambda connection: _write_deadlines(connection, renewed))
            self._kept |= renewed

    async def _close_if_forgotten(self, live: Live) -> None:
        """Close a table that waits for anybody when who opened it has gone; see :func:`patience_with`."""
        if patience_with(live.table) is not None and not _opener_is_here(live):
            await self._house.record(live, Ended("abandoned"))


def _opener_is_here(live: Live) -> bool:
    return any(follower.viewer.holder == live.table.by for follower in live.followers)


def _write_deadlines(connection: sa.Connection, deadlines: dict[str, float]) -> None:
    for table_id, deadline in sorted(deadlines.items()):
        of_table = (tables.c.id == table_id, tables.c.status == "waiting")
        connection.execute(sa.update(tables).where(*of_table).values(deadline=deadline))
