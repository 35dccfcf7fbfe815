"""Where events are kept: SQLite or PostgreSQL, one writer thread, every waiting append in one commit.

■ Persist before you announce: :meth:`Store.append` returns when the events are on the disk (SQLite: WAL,
``synchronous=FULL``). The pair of table and sequence number is unique, so a turn cannot be stored twice.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from oudjat.house.database import WRITING, StoreError, connect
from oudjat.house.events import Event, decode_event, encode_event
from oudjat.house.schema import events, seats, tables

__all__ = ["Append", "Conflict", "Store", "StoreError"]

_MOST_TOGETHER = 500
_T = TypeVar("_T")


class Conflict(StoreError):
    """An event of this number is stored already."""


@dataclass(frozen=True, slots=True)
class Append:
    """Events to be stored together: the first has number ``seq``; ``status`` and ``bot_due`` are the table's
    after them, ``holders`` the seats that get a player by them."""

    table_id: str
    seq: int
    events: tuple[Event, ...]
    status: str
    bot_due: bool
    holders: tuple[tuple[int, str], ...] = ()


_Work = Callable[[sa.Connection], Any]
_Answer = tuple["asyncio.Future[Any]", Any, Exception | None]


@dataclass(frozen=True, slots=True)
class _Job:
    """What the writer has to do, and who waits for it."""

    what: Append | _Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Store:
    """The events of every table in one database, and whatever else the house keeps there.

    ``url`` as in :func:`oudjat.house.database.connect`, which tells what it raises.
    """

    def __init__(self, url: str) -> None:
        self._engine = connect(url)
        self._writing = self._engine.execution_options(**WRITING)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="store writer", daemon=True)
        self._writer.start()

    async def append(self, append: Append) -> None:
        """Store events; returns when they are on the disk. Raises :class:`Conflict` or :class:`StoreError`."""
        await self._put(append)

    async def transact(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Do some work on the database in one transaction, in the writer thread; returns what it gives when that is
        on the disk. What the work raises undoes it. Raises :class:`Conflict` for what is there already, otherwise
        :class:`StoreError`."""
        result: _T = await self._put(work)
        return result

    async def rows(self, query: sa.Select[Any]) -> list[sa.Row[Any]]:
        """What a query finds."""
        return await asyncio.to_thread(self._rows, query)

    async def scalars(self, query: sa.Select[Any]) -> list[Any]:
        """The first column of what a query finds."""
        return [row[0] for row in await self.rows(query)]

    async def _put(self, what: Append | _Work) -> Any:
        loop = asyncio.get_running_loop()
        job = _Job(what, loop, loop.create_future())
        self._jobs.put(job)
        return await job.done

    async def load(self, table_id: str) -> list[Event]:
        """Every event of a table in order; none when there is no such table."""
        return await asyncio.to_thread(self._load, table_id)

    async def opened_at(self, table_id: str) -> float:
        """When a table was opened, in seconds since 1970; 0 when there is no such table."""
        found = await self.scalars(sa.select(tables.c.opened_at).where(tables.c.id == table_id))
        return float(found[0]) if found else 0.0

    async def tables_of(self, holder: str, most: int = 12) -> list[str]:
        """The tables at which ``holder`` has a seat, the one last played at first."""
        query = (
            sa.select(tables.c.id)
            .join(seats, seats.c.table_id == tables.c.id)
            .where(seats.c.holder == holder)
            .group_by(tables.c.id, tables.c.changed_at)
            .order_by(tables.c.changed_at.desc())
            .limit(most)
        )
        return await self.scalars(query)

    async def tables_with_bot_due(self) -> list[str]:
        """The tables at which a bot is to move."""
        query = sa.select(tables.c.id).where(tables.c.bot_due, tables.c.status == "running")
        return await self.scalars(query)

    def close(self) -> None:
        """Store what waits and let go of the database."""
        self._jobs.put(None)
        self._writer.join()
        self._engine.dispose()

    def _load(self, table_id: str) -> list[Event]:
        query = sa.select(events.c.body).where(events.c.table_id == table_id).order_by(events.c.seq)
        return [decode_event(row[0]) for row in self._rows(query)]

    def _rows(self, query: sa.Select[Any]) -> list[sa.Row[Any]]:
        try:
            with self._engine.connect() as connection:
                return list(connection.execute(query))
        except SQLAlchemyError as error:
            raise StoreError(str(error)) from error

    def _write_all(self) -> None:
        closing = False
        while not closing:
            jobs: list[_Job] = []
            job = self._jobs.get()
            while job is not None:
                jobs.append(job)
                if len(jobs) == _MOST_TOGETHER or self._jobs.empty():
                    break
                job = self._jobs.get()
            closing = job is None
            appends = [job.what for job in jobs if isinstance(job.what, Append)]
            errors = iter(self._write(appends) if appends else ())
            answers: dict[asyncio.AbstractEventLoop, list[_Answer]] = {}
            for job in jobs:
                answer = (None, next(errors)) if isinstance(job.what, Append) else self._work(job.what)
                answers.setdefault(job.loop, []).append((job.done, *answer))
            for loop, those in answers.items():
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_answer, those)

    def _work(self, work: _Work) -> tuple[Any, Exception | None]:
        try:
            with self._writing.begin() as connection:
                return work(connection), None
        except IntegrityError as error:
            return None, Conflict(str(error))
        except SQLAlchemyError as error:
            return None, StoreError(str(error))
        except Exception as error:  # the work's own no
            return None, error

    def _write(self, appends: Sequence[Append]) -> list[StoreError | None]:
        """Store all in one commit; when that fails, one by one, so that only the faulty ones fail."""
        try:
            self._commit(appends)
        except SQLAlchemyError as error:
            if len(appends) > 1:
                return [self._write([append])[0] for append in appends]
            if isinstance(error, IntegrityError):
                return [Conflict(str(error))]
            return [StoreError(str(error))]
        return [None] * len(appends)

    def _commit(self, appends: Sequence[Append]) -> None:
        now = time.time()
        event_rows = [
            {"table_id": append.table_id, "seq": number, "at": now, "body": encode_event(event)}
            for append in appends
            for number, event in enumerate(append.events, append.seq)
        ]
        seat_rows = [
            {"table_id": append.table_id, "seat": seat, "holder": holder}
            for append in appends
            for seat, holder in append.holders
        ]
        opened = [
            {
                "id": append.table_id,
                "opened_at": now,
                "changed_at": now,
                "status": append.status,
                "bot_due": append.bot_due,
            }
            for append in appends
            if append.seq == 1
        ]
        changed = [
            {
                "changed_id": append.table_id,
                "changed_at": now,
                "status": append.status,
                "bot_due": append.bot_due,
            }
            for append in appends
            if append.seq > 1
        ]
        with self._writing.begin() as connection:
            connection.execute(sa.insert(events), event_rows)
            if seat_rows:
                connection.execute(sa.insert(seats), seat_rows)
            if opened:
                connection.execute(sa.insert(tables), opened)
            if changed:
                connection.execute(
                    sa.update(tables)
                    .where(tables.c.id == sa.bindparam("changed_id"))
                    .values(
                        changed_at=sa.bindparam("changed_at"),
                        status=sa.bindparam("status"),
                        bot_due=sa.bindparam("bot_due"),
                    ),
                    changed,
                )


def _answer(answers: Sequence[_Answer]) -> None:
    for done, result, error in answers:
        if done.done():  # whoever waited has gone
            continue
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)
