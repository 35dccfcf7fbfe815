"""What one process stores, the others hear: PostgreSQL's LISTEN and NOTIFY, no broker to run.

The news of a commit is sent in its transaction, so that nobody hears of what is not stored, and in the order of the
commits. Small events travel along; of larger ones only the number does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import psycopg

from oudjat.house.events import Event

CHANNEL = "oudjat"
ANEW = 0
"""The number told of a table whose events are to be read again from the first one."""
_MOST_BYTES = 7_900  # PostgreSQL takes 8,000 in a notification
_MOST_ALONG = 2_000  # of the events of one table
_PULSE = 15.0  # seconds without news after which the connection is tried
_WAITS = (0.1, 0.5, 1.0, 2.0, 5.0)  # seconds before connecting again

_LOG = logging.getLogger(__name__)


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """Events were stored at a table; ``seq`` is the number of the last one, or :data:`ANEW`. ``events`` are all of
    them, or none where they are too long to be sent along."""

    table_id: str
    seq: int
    events: tuple[Event, ...] = ()


class _News(msgspec.Struct, frozen=True, array_like=True):
    sender: str
    stored: tuple[Stored, ...]


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_News)


def spell(sender: str, stored: Iterable[Stored]) -> Iterator[str]:
    """News as it is sent, in as few notifications as hold it."""
    together: list[Stored] = []
    length = 0
    for one in stored:
        size = len(_ENCODER.encode(one))
        if size > _MOST_ALONG:
            one = Stored(one.table_id, one.seq)  # noqa: PLW2901
            size = len(_ENCODER.encode(one))
        if together and length + size > _MOST_BYTES - 100:
            yield _ENCODER.encode(_News(sender, tuple(together))).decode()
            together, length = [], 0
        together.append(one)
        length += size + 1
    if together:
        yield _ENCODER.encode(_News(sender, tuple(together))).decode()


class Listener:
    """Hears what other processes store.

    ``connection`` is what psycopg needs to connect; ``name`` is ours: what we sent ourselves is not told.
    """

    def __init__(self, connection: dict[str, Any], name: str) -> None:
        self._connection = connection
        self._name = name

    async def listen(self, heard: Callable[[Sequence[Stored]], None], missed: Callable[[], None]) -> None:
        """Tell of all news until cancelled. ``missed`` is called whenever listening begins, first or again: anything
        may have been stored before."""
        lost = 0
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    **self._connection, autocommit=True
                ) as connection:
                    await connection.execute(f"listen {CHANNEL}")
                    if lost:
                        _LOG.info("The database tells what other processes store again.")
                    lost = 0
                    missed()
                    while True:
                        async for notification in connection.notifies(timeout=_PULSE):
                            self._tell(notification.payload, heard)
                        await connection.execute("select 1")
            except (psycopg.Error, OSError) as error:
                if not lost:
                    _LOG.warning(
                        "The database no longer tells what other processes store: %s", type(error).__name__
                    )
                await asyncio.sleep(_WAITS[min(lost, len(_WAITS) - 1)])
                lost += 1

    def _tell(self, payload: str, heard: Callable[[Sequence[Stored]], None]) -> None:
        try:
            news = _DECODER.decode(payload)
        except msgspec.DecodeError:
            _LOG.warning("News of another version of Oudjat was not understood.")
            return
        if news.sender != self._name:
            heard(news.stored)
