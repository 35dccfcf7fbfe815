"""The house's own time, by which all clocks run, and who wakes the tables whose time is over.

House time counts the seconds in which some process of the house ran on this database. It is measured with the
processes' monotonic clocks and carried on from the database at start: the system's time may jump, and while the whole
house is down no clock runs. Processes that run side by side agree on it by what they hear of each other: none goes
back, each goes forward to the latest moment it hears of.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import sqlalchemy as sa

from oudjat.house.schema import meta, tables
from oudjat.house.store import Store, StoreError

_LOG = logging.getLogger(__name__)

BEAT = 2.0
"""Seconds between two times that a process writes down what time it is and looks for tables whose time is over."""

_KEY = "time"


class HouseTime:
    """What time it is in the house, as this process knows it; ``monotonic`` counts the seconds."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._ahead = -monotonic()

    def now(self) -> float:
        """The seconds that the house has run, to the millisecond."""
        return round(self._monotonic() + self._ahead, 3)

    def hear(self, moment: float) -> None:
        """Learn of something that happened at ``moment``: it is not earlier than that."""
        self._ahead += max(0.0, moment - self.now())


class Timekeeper:
    """Keeps the house's time in the database, and calls ``overdue`` for each table whose time is over, whether this
    process has it in memory or not. ``overdue`` must bear being called in vain. Before it looks it calls
    ``keep_open``, so that what is to last longer does."""

    def __init__(
        self,
        store: Store,
        overdue: Callable[[str], Awaitable[None]],
        keep_open: Callable[[], Awaitable[None]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.time = HouseTime(monotonic)
        self._store = store
        self._overdue = overdue
        self._keep_open = keep_open
        self._beats: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Carry on from the last beat of any process, and begin to beat."""
        for written in await self._store.scalars(sa.select(meta.c.value).where(meta.c.key == _KEY)):
            self.time.hear(float(written))
        self._beats = asyncio.create_task(self._beat_on())

    async def stop(self) -> None:
        """Beat no more."""
        if self._beats:
            self._beats.cancel()
            await asyncio.gather(self._beats, return_exceptions=True)

    async def beat(self) -> None:
        """Write the time down if any clock runs, and wake the tables whose time is over."""
        latest = await self._store.scalars(sa.select(sa.func.max(tables.c.deadline)))
        if latest[0] is None:
            return
        self.time.hear(await self._store.transact(self._write_down))
        await self._keep_open()
        late = sa.select(tables.c.id).where(tables.c.deadline <= self.time.now()).limit(100)
        for table_id in await self._store.scalars(late):
            try:
                await self._overdue(table_id)
            except Exception:  # the others' time is over all the same
                _LOG.exception("Table %s could not be woken.", table_id, extra={"table": table_id})

    async def _beat_on(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self.beat()
            except StoreError as error:
                _LOG.error("The house's time could not be written down: %s", error)
            except Exception:
                _LOG.exception("The tables whose time is over could not be woken.")

    def _write_down(self, connection: sa.Connection) -> float:
        """Write the latest of what is written and what this process knows; returns it."""
        mine = sa.select(meta.c.value).where(meta.c.key == _KEY).with_for_update()
        written = connection.execute(mine).scalar()
        latest = max(float(written or 0), self.time.now())
        if written is None:
            connection.execute(sa.insert(meta).values(key=_KEY, value=str(latest)))
        else:
            connection.execute(sa.update(meta).where(meta.c.key == _KEY).values(value=str(latest)))
        return latest
