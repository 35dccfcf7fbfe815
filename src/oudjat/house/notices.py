"""Telling players who wait: what happened at their tables goes into the outbox, and from there to their channels.

A notice is written when the house says that something happened, survives a crash, and is delivered by one process
only. One whose turn has been played meanwhile is dropped; several of one table are one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import sqlalchemy as sa
from py_vapid import Vapid02

from oudjat.house.channels import MOST_FAILURES, Channel, channel_of, channels_where, forget
from oudjat.house.errors import HouseError
from oudjat.house.events import Event, Held, decode_event
from oudjat.house.house import House
from oudjat.house.messages import Message, digest_of, message_of, written
from oudjat.house.outbox import (
    TO_MOVE,
    News,
    Notice,
    claim,
    drop,
    is_stale,
    news_of,
    next_due,
    put_off,
    putting,
)
from oudjat.house.presence import Presence
from oudjat.house.push import Seal, key_wished, seal_of
from oudjat.house.schema import channels, events
from oudjat.house.sender import Sender, Unsent
from oudjat.house.store import StoreError
from oudjat.house.table import Table
from oudjat.texts.catalog import words_in

_LOG = logging.getLogger(__name__)

LOOK = 2.0
"""Seconds after which a process looks again for what others have put into the outbox, and who has a new channel."""

MOST_TRIES = 8
FIRST_WAIT = 10.0
"""Seconds until what did not arrive is tried again; twice as many each time."""


class Notices:
    """The notices of one process. ``subject`` as in :class:`Seal`, ``key`` as in :func:`seal_of`."""

    def __init__(self, house: House, sender: Sender, subject: str | None, key: Vapid02 | None = None) -> None:
        self._house = house
        self._store = house.store
        self._sender = sender
        self._subject = subject
        self._key = key
        self._seal: Seal | None = None
        self._known: set[str] = set()
        self._known_until = 0.0
        self._presence = Presence(house)
        self._due = asyncio.Event()
        self._writing: set[asyncio.Task[None]] = set()
        self._loops: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """From now on observe the house and deliver what is due."""
        await self._learn_who_has_a_channel()
        self._house.observers.append(self.observe)
        self._loops = [
            asyncio.create_task(self._deliver_for_ever()),
            asyncio.create_task(self._presence.note_for_ever(self._known)),
        ]

    async def close(self) -> None:
        """Finish what is being written down; what has not been delivered waits in the outbox."""
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, *self._writing, return_exceptions=True)
        await self._sender.close()

    def observe(self, table: Table, new: tuple[Event, ...]) -> None:
        """Write down what players with a channel should know of what has just happened."""
        for event in new:
            if isinstance(event, Held) and event.was in self._known:
                self._known.add(event.holder)  # his channels follow his seats
        news = [one for one in news_of(table, new) if one.holder in self._known]
        if news:
            task = asyncio.create_task(self._put(table.id, news))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    def add(self, holder: str) -> None:
        """This player has a channel from now on."""
        self._known.add(holder)

    async def seal(self) -> Seal:
        """What messages to browsers are sealed with."""
        if self._seal is None:
            self._seal = await seal_of(self._store, self._subject, self._key)
        return self._seal

    def check(self, address: str) -> None:
        """Refuse an address that nothing can be sent to. Raises :class:`HouseError` 422."""
        self._sender.check(address)

    async def send(self, channel: Channel, message: Message) -> None:
        """Send a message now. Raises :class:`~oudjat.house.sender.Unsent`."""
        body, headers = written(message, channel), {"content-type": "application/json"}
        if channel.kind == "push":
            seal = await self.seal()
            body, headers = await asyncio.to_thread(
                seal.seal,
                body,
                endpoint=channel.address,
                p256dh=channel.p256dh,
                auth=channel.auth,
                base=channel.base,
                topic=message.tag,
            )
        await self._sender.post(channel.address, body, headers)

    # --- how it happens ---------------------------------------------------------------------------------

    async def _put(self, table_id: str, news: list[News]) -> None:
        try:
            with_channel = await self._store.transact(putting(table_id, news))
        except StoreError:
            _LOG.exception("Table %s: nobody is told of event %d.", table_id, news[0].seq)
            return
        self._known.difference_update({one.holder for one in news} - with_channel)
        self._due.set()

    async def _deliver_for_ever(self) -> None:
        while True:
            try:
                await self._learn_who_has_a_channel()
                self._due.clear()
                due = (await self._store.scalars(next_due()))[0]
                wait = LOOK if due is None else min(max(due - time.time(), 0.0), LOOK)
                if wait:
                    await _either(self._due, wait)
                if due is not None and due <= time.time():
                    await self._deliver(await self._store.transact(claim))
            except Exception:  # whatever it was, who waits must still be told of other things
                _LOG.exception("Notices have to wait.")
                await asyncio.sleep(LOOK)

    async def _learn_who_has_a_channel(self) -> None:
        """Also of those who came by another process."""
        now = time.time()
        new = (
            sa.select(channels.c.holder)
            .where(channels.c.created_at >= self._known_until - 2 * LOOK)
            .distinct()
        )
        self._known.update(await self._store.scalars(new))
        self._known_until = now

    async def _deliver(self, due: Sequence[Notice]) -> None:
        ids = {notice.channel for notice in due}
        found = await self._store.rows(channels_where(channels.c.id.in_(ids)))
        by_id = {channel.id: channel for channel in map(channel_of, found) if not channel.stopped}
        lost = [notice for notice in due if notice.channel not in by_id]
        await self._store.transact(lambda connection: drop(connection, lost))
        groups = groupby(sorted(due, key=lambda one: one.channel), key=lambda one: one.channel)
        await asyncio.gather(
            *(self._serve(by_id[channel], list(those)) for channel, those in groups if channel in by_id)
        )

    async def _serve(self, channel: Channel, those: list[Notice]) -> None:
        """Send what one channel has to be told; what cannot be sent now waits."""
        try:
            telling = await self._still_news(channel, those)
            batches = [telling] if channel.digest_hour is not None and telling else [[one] for one in telling]
            while batches and not channel.stopped:
                channel = await self._tell(channel, batches.pop(0))
            if left := [one for batch in batches for one in batch]:
                await self._store.transact(lambda connection: drop(connection, left))
        except HouseError:
            await self._store.transact(lambda connection: drop(connection, those))  # a table is no more
        except Exception:
            _LOG.exception("A channel has to wait.")  # until the claim runs out

    async def _still_news(self, channel: Channel, those: list[Notice]) -> list[Notice]:
        """Those that are to be sent now; of the others some are of no use any more, and some wait until their
        player has gone away."""
        stale = [one for one in those if is_stale(one.news, await self._since(one))]
        fresh = [one for one in those if one not in stale]
        waiting: list[Notice] = []
        until = 0.0
        if channel.away_only and fresh:
            seen = await self._presence.seen_at(channel.holder)
            until = seen + self._presence.AWAY
            if until > time.time():
                waiting = [
                    one for one in fresh if one.news.kind in TO_MOVE or channel.digest_hour is not None
                ]
                stale += [one for one in fresh if one not in waiting]
                fresh = []
            else:
                stale += [one for one in fresh if one.news.kind not in TO_MOVE and seen > one.created_at]
                fresh = [one for one in fresh if one not in stale]

        def settle(connection: sa.Connection) -> None:
            drop(connection, stale)
            put_off(connection, waiting, until, tried=False)

        if stale or waiting:
            await self._store.transact(settle)
        return fresh

    async def _since(self, notice: Notice) -> list[Event]:
        """What has happened at the table later, wherever that was stored."""
        later = sa.select(events.c.body).where(
            events.c.table_id == notice.table_id, events.c.seq > notice.news.seq
        )
        return [decode_event(body) for body in await self._store.scalars(later)]

    async def _tell(self, channel: Channel, batch: list[Notice]) -> Channel:
        """Send a message made of these notices; the channel as it is afterwards."""
        words = words_in(channel.language)
        parts = [message_of(one.news, (await self._house.live(one.table_id)).table, words) for one in batch]
        message = parts[0] if channel.digest_hour is None else digest_of(parts, words)
        try:
            await self.send(channel, message)
        except Unsent as unsent:
            return await self._failed(channel, batch, unsent)
        return await self._settle(channel, batch, failures=0)

    async def _failed(self, channel: Channel, batch: list[Notice], unsent: Unsent) -> Channel:
        tries = 1 + min(one.tries for one in batch)
        _LOG.info("Channel %s, try %d: %s", channel.id, tries, unsent.template)
        if unsent.gone and channel.kind == "push":
            await self._store.transact(lambda connection: forget(connection, channel.id))
            return replace(channel, stopped=True)
        if unsent.again and tries < MOST_TRIES:
            until = time.time() + max(unsent.wait, FIRST_WAIT * 2 ** (tries - 1))
            await self._store.transact(lambda connection: put_off(connection, batch, until, tried=True))
            return channel
        return await self._settle(
            channel, batch, failures=MOST_FAILURES if unsent.gone else channel.failures + 1
        )

    async def _settle(self, channel: Channel, batch: list[Notice], *, failures: int) -> Channel:
        """The batch is done with, well or not."""
        stopped = failures >= MOST_FAILURES

        def work(connection: sa.Connection) -> None:
            drop(connection, batch)
            if failures != channel.failures:
                connection.execute(
                    sa.update(channels)
                    .where(channels.c.id == channel.id)
                    .values(failures=failures, stopped=stopped)
                )

        await self._store.transact(work)
        return replace(channel, failures=failures, stopped=stopped)


def notices_for(house: House, environment: Mapping[str, str]) -> Notices:
    """The notices of a house as its environment says: ``OUDJAT_VAPID_SUBJECT`` is where push services can reach who
    runs it, ``OUDJAT_VAPID_KEY`` the key that messages to browsers are signed with, ``OUDJAT_LOOPBACK_WEBHOOKS=1``
    allows messages to programs on this machine. Raises :class:`StoreError` with a sentence."""
    sender = Sender(loopback=environment.get("OUDJAT_LOOPBACK_WEBHOOKS") == "1")
    return Notices(house, sender, environment.get("OUDJAT_VAPID_SUBJECT") or None, key_wished(environment))


async def _either(event: asyncio.Event, seconds: float) -> None:
    """Wait for the event, at most so long."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
