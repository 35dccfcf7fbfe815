"""Who is here: a player with a table open, in whichever process of the house."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Set as AbstractSet

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from oudjat.house.house import House
from oudjat.house.schema import presence
from oudjat.house.store import StoreError

_LOG = logging.getLogger(__name__)

LOOK = 5.0
"""Seconds between two looks at who is here."""

WRITE = 40.0
"""Seconds after which it is written down again that somebody is still here; less than :attr:`Presence.AWAY`."""


class Presence:
    """When the players whom it matters for were here last."""

    AWAY = 60.0
    """Seconds without an open table after which a player is away."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._written: dict[str, float] = {}

    async def seen_at(self, holder: str) -> float:
        """When a player was here last, in seconds since 1970: now, if he has a table open."""
        if holder in self._house.present():
            return time.time()
        found = await self._house.store.scalars(
            sa.select(presence.c.seen_at).where(presence.c.holder == holder)
        )
        return float(found[0]) if found else 0.0

    async def note_for_ever(self, holders: AbstractSet[str]) -> None:
        """Write down, for those among ``holders``, that they are here, and once more when they have left."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self._note(holders)
            except StoreError:
                _LOG.exception("Who is here cannot be written down.")

    async def _note(self, holders: AbstractSet[str]) -> None:
        now = time.time()
        here = self._house.present() & holders
        left = self._written.keys() - here
        noted = sorted(left | {one for one in here if now - self._written.get(one, 0.0) >= WRITE})
        if not noted:
            return

        def work(connection: sa.Connection) -> None:
            database = postgresql if connection.dialect.name == "postgresql" else sqlite
            row = database.insert(presence)
            newer = row.on_conflict_do_update(
                index_elements=["holder"], set_={"seen_at": row.excluded.seen_at}
            )
            connection.execute(newer, [{"holder": one, "seen_at": now} for one in noted])

        await self._house.store.transact(work)
        for holder in left:
            del self._written[holder]
        self._written.update({one: now for one in noted if one in here})
