"""Seats on their way: a guest's to the account he signed in to, and those of an account that is gone to nobody.

What is to be done stands in the table ``handovers`` from the same transaction on in which it was decided; it is done
table by table, and begun again after a crash: doing it twice changes nothing.
"""

from __future__ import annotations

import asyncio
import logging

import sqlalchemy as sa
from msgspec.structs import replace

from oudjat.house.database import StoreError
from oudjat.house.errors import HouseError
from oudjat.house.events import Event, Opened, Renamed, Seated, decode_event, encode_event
from oudjat.house.house import House
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
        query = sa.select(seats.c.table_id).where(seats.c.holder == holder).distinct()
        while True:
            try:
                for table_id in await self._house.store.scalars(query):
                    if heir is None:
                        await forget(self._house, table_id, holder)
                    else:
                        await self._house.hand_over(table_id, holder, heir)
                await self._house.store.transact(
                    lambda connection: connection.execute(
                        sa.delete(handovers).where(handovers.c.holder == holder)
                    )
                )
                return
            except (HouseError, StoreError):
                _LOG.exception("Seats could not be handed over; that is tried again.")
                await asyncio.sleep(_BETWEEN_TRIES)


async def forget(house: House, table_id: str, holder: str) -> None:
    """Let nobody know any more who had the seats of ``holder`` at a table: his names go from what is stored, and the
    table is told that he is gone."""
    live = await house.live(table_id)
    mine = live.table.seats_of(holder)

    def scrub(connection: sa.Connection) -> None:
        of_table = sa.select(events.c.seq, events.c.body).where(events.c.table_id == table_id)
        for seq, body in list(connection.execute(of_table)):
            event = decode_event(body)
            nameless = _without_names(event, mine)
            if nameless != event:
                connection.execute(
                    sa.update(events)
                    .where(events.c.table_id == table_id, events.c.seq == seq)
                    .values(body=encode_event(nameless))
                )

    await house.store.transact(scrub)
    await house.vacate(table_id, holder)


def _without_names(event: Event, mine: tuple[int, ...]) -> Event:
    match event:
        case Opened(seats=plans):
            return replace(
                event,
                seats=tuple(
                    replace(plan, name="", bot_of="") if number in mine else plan
                    for number, plan in enumerate(plans, 1)
                ),
            )
        case Seated(seat=seat) if seat in mine:
            return replace(event, name="", bot_of="")
        case Renamed(seat=seat) if seat in mine:
            return replace(event, name="")
    return event
