"""Seats on their way, and where their player is told: a guest's to the account he signed in to, and those of an account
that is gone to nobody.

What is to be done stands in the table ``handovers`` from the same transaction on in which it was decided; it is done
table by table, and begun again after a crash: doing it twice changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import sqlalchemy as sa
from msgspec.structs import replace

from oudjat.house import channels
from oudjat.house.database import StoreError
from oudjat.house.errors import HouseError
from oudjat.house.events import Event, Held, Left, Opened, Renamed, Said, Seated, decode_event, encode_event
from oudjat.house.house import House
from oudjat.house.leaving import leave, resign
from oudjat.house.schema import events, handovers, seats

_LOG = logging.getLogger(__name__)
_BETWEEN_TRIES = 2.0
_PATIENCE = 5.0


class Handovers:
    """Hands seats over, one table after the other, beside everything else."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def resume(self) -> None:
        """Go on with what was not finished when the last server stopped."""
        for row in await self._house.store.rows(sa.select(handovers)):
            self._begin(row.holder, row.heir)

    async def hand_over(self, *holders: str) -> None:
        """Begin with the seats of these holders, and wait for a while; the rest is done in the background."""
        query = sa.select(handovers).where(handovers.c.holder.in_(holders))
        tasks = [self._begin(row.holder, row.heir) for row in await self._house.store.rows(query)]
        if tasks:
            await asyncio.wait(tasks, timeout=_PATIENCE)

    async def close(self) -> None:
        """Stop; what is not done yet is done by the next server."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _begin(self, holder: str, heir: str | None) -> asyncio.Task[None]:
        task = self._tasks.get(holder)
        if task is None:
            task = self._tasks[holder] = asyncio.create_task(self._hand_over(holder, heir))
            task.add_done_callback(lambda _: self._tasks.pop(holder, None))
        return task

    async def _hand_over(self, holder: str, heir: str | None) -> None:
        def done(connection: sa.Connection) -> None:
            channels.hand_over(connection, holder, heir)
            connection.execute(sa.delete(handovers).where(handovers.c.holder == holder))

        query = sa.select(seats.c.table_id).where(seats.c.holder == holder).distinct()
        if heir is None:  # also where he has left his seat again: rare enough to look everywhere
            query = sa.select(events.c.table_id).where(events.c.body.contains(holder)).distinct()
        while True:
            try:
                for table_id in await self._house.store.scalars(query):
                    if heir is None:
                        await forget(self._house, table_id, holder)
                    else:
                        await self._house.hand_over(table_id, holder, heir)
                await self._house.store.transact(done)
                return
            except (HouseError, StoreError):
                _LOG.exception("Seats could not be handed over; that is tried again.")
                await asyncio.sleep(_BETWEEN_TRIES)


async def forget(house: House, table_id: str, holder: str) -> None:
    """Let nobody know any more who ``holder`` was at a table: he leaves it, his names go from what is stored, and the
    table is told that he is gone."""
    await _leave(house, table_id, holder)

    def scrub(connection: sa.Connection) -> None:
        of_table = sa.select(events.c.seq, events.c.body).where(events.c.table_id == table_id)
        rows = connection.execute(of_table.order_by(events.c.seq)).all()
        before = [decode_event(row.body) for row in rows]
        for row, event, nameless in zip(rows, before, without_names(before, holder), strict=True):
            if nameless != event:
                connection.execute(
                    sa.update(events)
                    .where(events.c.table_id == table_id, events.c.seq == row.seq)
                    .values(body=encode_event(nameless))
                )

    await house.store.transact(scrub)
    await house.vacate(table_id, holder)


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


def without_names(happened: Sequence[Event], holder: str) -> list[Event]:
    """The events of a table without the names of ``holder`` and without what he said in his own words, also those from
    before he signed in, and from seats that he has left again."""
    his = {holder} | {event.was for event in happened if isinstance(event, Held) and event.holder == holder}
    sits: dict[int, str | None] = {}
    scrubbed: list[Event] = []
    for event in happened:
        nameless = event
        match event:
            case Opened(seats=plans):
                sits = {number: plan.holder for number, plan in enumerate(plans, 1)}
                nameless = replace(
                    event,
                    seats=tuple(
                        replace(plan, name="", bot_of="") if plan.holder in his else plan for plan in plans
                    ),
                )
            case Seated(seat=seat, holder=comes):
                sits[seat] = comes
                if comes in his:
                    nameless = replace(event, name="", bot_of="")
            case Left(seat=seat):
                sits[seat] = None
            case Renamed(seat=seat) if sits.get(seat) in his:
                nameless = replace(event, name="")
            case Said(seat=seat) if sits.get(seat) in his:
                nameless = replace(event, text="")
        scrubbed.append(nameless)
    return scrubbed
