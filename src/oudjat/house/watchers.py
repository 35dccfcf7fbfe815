"""How many watch a table without playing, told to all who follow it: no event of the table, and not stored.

Each process counts those who follow with it. Who has several windows open counts once; a stranger, who has no name
even for us, counts once a window.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oudjat.house.house import Live

BETWEEN = 1.0
"""Seconds in which comings and goings at a table are told together."""


def watchers_of(live: Live) -> int:
    """How many watch this table without a seat."""
    holders = [follower.viewer.holder for follower in live.followers]
    players = {seat.holder for seat in live.table.seats}
    return len({holder for holder in holders if holder} - players) + holders.count(None)


def watching_message(watchers: int) -> bytes:
    """The count as Server-Sent Events write it: an event ``watching`` without a number."""
    return b'event: watching\ndata: {"count":%d}\n\n' % watchers


class Watchers:
    """Tells the followers of the tables of one process how many watch."""

    def __init__(self) -> None:
        self._soon: dict[str, asyncio.TimerHandle] = {}

    def changed(self, live: Live) -> None:
        """Somebody has come to a table, or gone: tell it soon, if that changes how many watch."""
        if live.table.id not in self._soon and (live.watchers or watchers_of(live)):
            loop = asyncio.get_running_loop()
            self._soon[live.table.id] = loop.call_later(BETWEEN, self._tell, live)

    def close(self) -> None:
        """Tell nothing more."""
        for timer in self._soon.values():
            timer.cancel()

    def _tell(self, live: Live) -> None:
        self._soon.pop(live.table.id, None)
        live.watchers = watchers_of(live)
        message = watching_message(live.watchers)
        for follower in live.followers:
            follower.send(message)
