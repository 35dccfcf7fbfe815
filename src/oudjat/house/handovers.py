"""Seats on their way, and where their player is told: a guest's to the account he signed in to, and those of an account
that is gone to nobody.

What is to be done stands in the table ``handovers`` from the same transaction on in which it was decided; it is done
table by table, and begun again after a crash: doing it twice changes nothing. Of an account that is gone the row stays
for a while as a mark, by which the store refuses it seats: other processes may still take it for somebody. What came in
between all the same is swept up when the row goes.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial

import sqlalchemy as sa

from oudjat.house import channels
from oudjat.house.database import StoreError
from oudjat.house.errors import HouseError
from oudjat.house.events import decode_event, encode_event, without_names
from oudjat.house.house import House
from oudjat.house.leaving import leave, resign
from oudjat.house.schema import events, handovers, seats
from oudjat.house.sessions import STALE

_LOG = logging.getLogger(__name__)
_BETWEEN_TRIES = 2.0
_PATIENCE = 5.0


class Handovers:
    """Hands seats over, one table after the other, beside everything else."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._tasks: dict[str, tuple[asyncio.Task[None], asyncio.Event]] = {}

    async def resume(self) -> None:
        """Go on with what was not finished when the last server stopped."""
        self.take_up(*await self._house.store.scalars(sa.select(handovers.c.holder)))

    def take_up(self, *holders: str) -> None:
        """Go on with what is on its way from these holders, if anything is: who decided it may be another process,
        which ended or keeps no tables itself, as ``oudjat account``."""
        for holder in holders:
            self._begin(holder)

    async def hand_over(self, *holders: str) -> None:
        """Begin with the seats of these holders, and wait for a while; the rest is done in the background."""
        arrivals = [self._begin(holder) for holder in holders]
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                for arrived in arrivals:
                    await arrived.wait()

    async def close(self) -> None:
        """Stop; what is not done yet is done by the next server."""
        tasks = [task for task, _ in self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, holder: str) -> asyncio.Event:
        """Hand over what is on its way from ``holder``, if that is not done already; the event says that the seats have
        arrived."""
        if holder not in self._tasks:
            arrived = asyncio.Event()
            task = asyncio.create_task(self._hand_over(holder, arrived))
            self._tasks[holder] = task, arrived
            task.add_done_callback(lambda _: self._tasks.pop(holder, None))
            task.add_done_callback(lambda _: arrived.set())
        return self._tasks[holder][1]

    async def _hand_over(self, holder: str, arrived: asyncio.Event) -> None:
        store = self._house.store
        on_its_way = sa.select(handovers.c.heir).where(handovers.c.holder == holder)
        while True:
            try:
                for heir in (found := await store.scalars(on_its_way)):
                    await self._move(holder, heir)
                    last = heir is not None or arrived.is_set()
                    await store.transact(partial(_moved, holder=holder, heir=heir, last=last))
            except (HouseError, StoreError):
                _LOG.exception("Seats could not be handed over; that is tried again.")
                await asyncio.sleep(_BETWEEN_TRIES)
                continue
            if not found:
                return
            if heir is None:
                arrived.set()
                await _everybody_knows()

    async def _move(self, holder: str, heir: str | None) -> None:
        query = sa.select(seats.c.table_id).where(seats.c.holder == holder).distinct()
        if heir is None:  # also where he has left his seat again: rare enough to look everywhere
            query = sa.select(events.c.table_id).where(events.c.body.contains(holder)).distinct()
        for table_id in await self._house.store.scalars(query):
            try:
                if heir is None:
                    await forget(self._house, table_id, holder)
                else:
                    await self._house.hand_over(table_id, holder, heir)
            except HouseError:
                raise
            except ValueError:  # the others are handed over all the same
                self._house.unreadable(table_id)


async def _everybody_knows() -> None:
    """Wait until no process takes an account for somebody any more that is gone."""
    await asyncio.sleep(2 * STALE)


def _moved(connection: sa.Connection, holder: str, heir: str | None, *, last: bool) -> None:
    """His seats have arrived; with ``last`` nothing is on its way any more, unless there is another heir meanwhile."""
    channels.hand_over(connection, holder, heir)
    if last:
        same = handovers.c.heir.is_not_distinct_from(heir)
        connection.execute(sa.delete(handovers).where(handovers.c.holder == holder, same))


async def forget(house: House, table_id: str, holder: str) -> None:
    """Let nobody know any more who ``holder`` was at a table: he leaves it, the table is told that he is gone, so that
    he can do nothing there any more, and then his names and words go from what is stored and from what every process
    has in memory."""
    try:
        await _leave(house, table_id, holder)
    except HouseError as error:
        if error.status not in (403, 409):
            raise
        await _leave(house, table_id, holder)  # another process was quicker: what is left to do has changed
    await house.vacate(table_id, holder)

    def scrub(connection: sa.Connection) -> bool:
        of_table = sa.select(events.c.seq, events.c.body).where(events.c.table_id == table_id)
        rows = connection.execute(of_table.order_by(events.c.seq)).all()
        before = [decode_event(row.body) for row in rows]
        after = without_names(before, holder)
        for row, event, nameless in zip(rows, before, after, strict=True):
            if nameless != event:
                connection.execute(
                    sa.update(events)
                    .where(events.c.table_id == table_id, events.c.seq == row.seq)
                    .values(body=encode_event(nameless))
                )
        if after != before:
            house.store.tell_anew(connection, table_id)
        return after != before

    if await house.store.transact(scrub):
        await house.read_anew(table_id)


async def _leave(house: House, table_id: str, holder: str) -> None:
    live = await house.live(table_id)
    seats_left = [
        number for number in live.table.seats_of(holder) if not live.table.seats[number - 1].gave_up
    ]
    if not seats_left or live.table.status == "over":
        return
    if live.table.abortable:
        await leave(house, live, holder)
        return
    for number in seats_left:
        if live.table.status == "running":
            await resign(house, live, holder, number)
