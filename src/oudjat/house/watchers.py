"""How many watch a table without playing, told to all who follow it: no event of the table.

Who has several windows open counts once; a stranger, who has no name even for us, counts once a window. Where several
processes keep the house, each counts its own and writes that down for the others, who read it every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import sqlalchemy as sa

from oudjat.house.followers import Watching, unnumbered
from oudjat.house.schema import watching
from oudjat.house.store import Store, StoreError

if TYPE_CHECKING:
    from oudjat.house.house import Live

BETWEEN = 1.0
"""Seconds in which comings and goings at a table are told together."""

EXCHANGE = 3.0
"""Seconds between two times that processes tell each other what they count."""

RENEW = 30.0
STALE = 90.0
"""Seconds after which a count is written down again, and after which one that was not counts no more."""

_LOG = logging.getLogger(__name__)


def watchers_of(live: Live) -> int:
    """How many watch this table without a seat, with this process."""
    holders = [follower.viewer.holder for follower in live.followers]
    players = {seat.holder for seat in live.table.seats}
    return len({holder for holder in holders if holder} - players) + holders.count(None)


class Watchers:
    """Tells the followers of the tables of one process how many watch; ``lives`` gives those tables."""

    def __init__(self, store: Store, lives: Callable[[], list[Live]]) -> None:
        self._store = store
        self._lives = lives
        self._name = secrets.token_hex(6)
        self._soon: dict[str, asyncio.TimerHandle] = {}
        self._elsewhere: dict[str, int] = {}
        self._written: dict[str, int] = {}
        self._written_at = float("-inf")

    def changed(self, live: Live) -> None:
        """Somebody has come to a table, or gone: tell it soon, if that changes how many watch."""
        if live.table.id not in self._soon and (live.watchers or self._count(live)):
            loop = asyncio.get_running_loop()
            self._soon[live.table.id] = loop.call_later(BETWEEN, self._tell, live)

    def close(self) -> None:
        """Tell nothing more."""
        for timer in self._soon.values():
            timer.cancel()

    async def exchange(self) -> None:
        """Tell other processes what this one counts, and hear what they do, until cancelled; alone, there is nothing
        to do."""
        while self._store.shared:
            try:
                await self._write_down()
                await self._read()
            except StoreError as error:
                _LOG.error("How many watch could not be exchanged: %s", error)
            await asyncio.sleep(EXCHANGE)

    async def _write_down(self) -> None:
        mine = {live.table.id: watchers for live in self._lives() if (watchers := watchers_of(live))}
        now = time.monotonic()
        if mine == self._written and (not mine or now - self._written_at < RENEW):
            return
        await self._store.transact(lambda connection: self._replace(connection, mine))
        self._written, self._written_at = mine, now

    def _replace(self, connection: sa.Connection, mine: dict[str, int]) -> None:
        now = time.time()
        old = (watching.c.process == self._name) | (watching.c.at < now - STALE)
        connection.execute(sa.delete(watching).where(old))
        rows = [
            {"process": self._name, "table_id": table_id, "watchers": watchers, "at": now}
            for table_id, watchers in sorted(mine.items())
        ]
        if rows:
            connection.execute(sa.insert(watching), rows)

    async def _read(self) -> None:
        others = (
            sa.select(watching.c.table_id, sa.func.sum(watching.c.watchers).label("watchers"))
            .where(watching.c.process != self._name, watching.c.at > time.time() - STALE)
            .group_by(watching.c.table_id)
        )
        self._elsewhere = {row.table_id: int(row.watchers) for row in await self._store.rows(others)}
        for live in self._lives():
            if live.followers and live.watchers != self._count(live):
                self.changed(live)

    def _count(self, live: Live) -> int:
        return watchers_of(live) + self._elsewhere.get(live.table.id, 0)

    def _tell(self, live: Live) -> None:
        self._soon.pop(live.table.id, None)
        live.watchers = self._count(live)
        message = unnumbered(Watching(live.watchers))
        for follower in live.followers:
            follower.send(message)
