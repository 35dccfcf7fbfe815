"""Where events are kept: SQLite or PostgreSQL, one writer thread, every waiting append in one commit.

■ Persist before you announce: :meth:`Store.append` returns when the events are on the disk (SQLite: WAL,
``synchronous=FULL``). The pair of table and sequence number is unique, so a turn cannot be stored twice.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError

from oudjat.house.database import WAITING, WRITING, InDoubt, StoreError, connect, reason_of
from oudjat.house.events import Event, decode_event, encode_event
from oudjat.house.listing import LISTING_COLUMNS, Listing
from oudjat.house.news import ANEW, CHANNEL, Listener, Stored, spell
from oudjat.house.prepared import Prepared
from oudjat.house.schema import events, handovers, seats, tables

__all__ = ["Append", "Conflict", "InDoubt", "Store", "StoreError", "Vanished"]

_LOG = logging.getLogger(__name__)
_MOST_TOGETHER = 500
PATIENCE = 8.0
"""Seconds in which the database may come back and say whether it took a commit."""
_BETWEEN_LOOKS = 0.2
_LONGEST_WRITE = 3.0  # seconds; what takes longer keeps people from playing
_MOST_OF_ONE = 100  # tables that a player is shown
_T = TypeVar("_T")


class Conflict(StoreError):
    """An event of this number is stored already."""


class Vanished(StoreError):
    """Somebody who would get a seat has deleted his account."""


@dataclass(frozen=True, slots=True)
class Append:
    """Events to be stored together: the first has number ``seq``; ``status``, ``bot_due`` and ``deadline`` are the
    table's after them, ``holders`` the seats that get a player, or another one, by them and ``vacated`` those that lose
    theirs, ``listing`` how the lobby knows it when they change that. ``writing`` is called in the writer's thread when
    the disk begins to write, maybe more than once; whether anything will be stored is not known then."""

    table_id: str
    seq: int
    events: tuple[Event, ...]
    status: str
    bot_due: bool
    holders: tuple[tuple[int, str], ...] = ()
    deadline: float | None = None
    vacated: tuple[int, ...] = ()
    listing: Listing | None = None
    writing: Callable[[], None] | None = None


_Work = Callable[[sa.Connection], Any]
_Answer = tuple["asyncio.Future[Any]", Any, Exception | None]


@dataclass(frozen=True, slots=True)
class _Job:
    """What the writer has to do, and who waits for it."""

    what: Append | _Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


def _when_changed() -> sa.Case[float]:
    """When a table changed last, once it is over when that was: what is said there afterwards, and other names of its
    players, change nothing of the game."""
    over: sa.ColumnElement[str] = sa.literal_column("'over'", sa.Text)
    stays_over = sa.and_(tables.c.status == over, sa.bindparam("status", type_=sa.Text) == over)
    return sa.case((stays_over, tables.c.changed_at), else_=sa.bindparam("changed_at", type_=sa.Float))


class Store:
    """The events of every table in one database, and whatever else the house keeps there.

    ``url`` and ``create`` as in :func:`oudjat.house.database.connect`, which tells what it raises. ``shared`` is
    whether several processes may keep their tables here: they then hear of each other by :meth:`listen`.
    ``committed`` is told, in the writer's thread, how many appends shared a commit and how many seconds it took.
    """

    committed: Callable[[int, float], None] = staticmethod(lambda _together, _seconds: None)

    def __init__(self, url: str, *, create: bool = True) -> None:
        self._engine = connect(url, create=create)
        location = self._engine.url.database if self._engine.dialect.name == "sqlite" else None
        self.file = Path(location) if location else None
        """Where an SQLite database lies."""
        self._inode = self.file and self.file.stat().st_ino
        self._at_work_since: float | None = None
        self._writing = self._engine.execution_options(**WRITING)
        self.shared = self._engine.dialect.name == "postgresql"
        self._name = secrets.token_hex(6)
        dialect = self._engine.dialect
        self._insert_events = Prepared(sa.insert(events), dialect)
        self._empty_seats = Prepared(
            sa.delete(seats).where(
                seats.c.table_id == sa.bindparam("of_table"), seats.c.seat == sa.bindparam("number")
            ),
            dialect,
        )
        self._insert_seats = Prepared(sa.insert(seats), dialect)
        changing = ("changed_at", "status", "bot_due", "deadline")
        self._insert_tables = Prepared(
            sa.insert(tables).values({name: sa.bindparam(name) for name in ("id", "opened_at", *changing)}),
            dialect,
        )
        self._update_tables = Prepared(
            sa.update(tables)
            .where(tables.c.id == sa.bindparam("changed_id"))
            .values({name: sa.bindparam(name) for name in changing} | {"changed_at": _when_changed()}),
            dialect,
        )
        self._list_tables = Prepared(
            sa.update(tables)
            .where(tables.c.id == sa.bindparam("listed_id"))
            .values({name: sa.bindparam(name) for name in LISTING_COLUMNS}),
            dialect,
        )
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="store writer", daemon=True)
        self._writer.start()
        self._readers = ThreadPoolExecutor(thread_name_prefix="store reader")

    async def append(self, append: Append) -> None:
        """Store events; returns when they are on the disk. Raises :class:`Conflict`, :class:`Vanished`,
        :class:`InDoubt` or otherwise :class:`StoreError`: nothing is stored."""
        await self._put(append)

    async def transact(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Do some work on the database in one transaction, in the writer thread; returns what it gives when that is
        on the disk. What the work raises undoes it; where the database was away it may be done anew. Raises
        :class:`Conflict` for what is there already, :class:`InDoubt`, otherwise :class:`StoreError`."""
        result: _T = await self._put(work)
        return result

    async def rows(self, query: sa.Select[Any]) -> list[sa.Row[Any]]:
        """What a query finds."""
        return await self._read(self._rows, query)

    async def scalars(self, query: sa.Select[Any]) -> list[Any]:
        """The first column of what a query finds."""
        return [row[0] for row in await self.rows(query)]

    async def _read(self, look: Callable[..., list[_T]], *given: Any) -> list[_T]:
        try:
            reading = asyncio.get_running_loop().run_in_executor(self._readers, look, *given)
        except RuntimeError as error:
            raise StoreError("the store is closed") from error
        return await reading

    async def _put(self, what: Append | _Work) -> Any:
        if not self._writer.is_alive():
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        job = _Job(what, loop, loop.create_future())
        self._jobs.put(job)
        return await job.done

    async def load(self, table_id: str, after: int = 0) -> list[Event]:
        """The events of a table in order, from the one that follows number ``after``; none when there is no such
        table."""
        return await self._read(self._load, table_id, after)

    async def newest(self, table_ids: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these tables."""
        query = (
            sa.select(events.c.table_id, sa.func.max(events.c.seq).label("seq"))
            .where(events.c.table_id.in_(table_ids))
            .group_by(events.c.table_id)
        )
        return {row.table_id: row.seq for row in await self.rows(query)}

    async def listen(self, heard: Callable[[Sequence[Stored]], None], missed: Callable[[], None]) -> None:
        """Tell what other processes store, until cancelled; see :meth:`oudjat.house.news.Listener.listen`. Where the
        database is not shared nobody else stores anything."""
        if self.shared:
            _, connection = self._engine.dialect.create_connect_args(self._engine.url)
            await Listener({**connection, **WAITING}, self._name).listen(heard, missed)

    def tell_anew(self, connection: sa.Connection, table_id: str) -> None:
        """Let the other processes hear, when this transaction is over, that what was stored of a table before is not
        what it was."""
        if self.shared:
            for news in spell(self._name, [Stored(table_id, ANEW)]):
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, news)))

    async def ready(self) -> None:
        """Returns when the database answers, and what is written is kept. Raises :class:`StoreError`."""
        self._see_the_file()
        since = self._at_work_since
        if since is not None and time.monotonic() - since > _LONGEST_WRITE:
            raise StoreError("the database takes nothing")
        await self.rows(sa.select(sa.literal(1)))

    async def opened_at(self, table_id: str) -> float:
        """When a table was opened, in seconds since 1970; 0 when there is no such table."""
        found = await self.scalars(sa.select(tables.c.opened_at).where(tables.c.id == table_id))
        return float(found[0]) if found else 0.0

    async def tables_of(self, holder: str, most: int) -> list[str]:
        """The tables at which ``holder`` has a seat: every one that goes on, up to 100, and of those that are over as
        many as make it ``most``; each kind with the one last played at first."""
        over = tables.c.status == "over"
        query = (
            sa.select(tables.c.id, over.label("over"))
            .join(seats, seats.c.table_id == tables.c.id)
            .where(seats.c.holder == holder)
            .group_by(tables.c.id, tables.c.changed_at, tables.c.status)
            .order_by(over, tables.c.changed_at.desc())
            .limit(_MOST_OF_ONE)
        )
        return [row.id for number, row in enumerate(await self.rows(query)) if number < most or not row.over]

    async def games_of(self, holder: str, past: int, most: int) -> dict[str, float]:
        """The tables that are over at which ``holder`` has a seat, the one that ended last first, with the moments at
        which they ended; so many at the most, ``past`` so many."""
        query = (
            sa.select(tables.c.id, tables.c.changed_at)
            .join(seats, seats.c.table_id == tables.c.id)
            .where(seats.c.holder == holder, tables.c.status == "over")
            .distinct()
            .order_by(tables.c.changed_at.desc(), tables.c.id)
            .offset(past)
            .limit(most)
        )
        return {row.id: row.changed_at for row in await self.rows(query)}

    async def take_over_bots(self, seconds: float, most: int = 1_000) -> list[str]:
        """Tables at which a bot has been due for more than ``seconds``; they count as due from now on, so that no
        other process takes them over at the same time. Those due since a moment that is yet to come count too: the
        system's time was set back."""

        def take(connection: sa.Connection) -> list[str]:
            now = time.time()
            since = tables.c.changed_at
            overdue = (
                sa.select(tables.c.id)
                .where(
                    tables.c.bot_due,
                    tables.c.status == "running",
                    sa.or_(since <= now - seconds, since >= now + seconds),
                )
                .limit(most)
                .with_for_update(skip_locked=True)
            )
            found = list(connection.scalars(overdue))
            if found:
                connection.execute(sa.update(tables).where(tables.c.id.in_(found)).values(changed_at=now))
            return found

        return await self.transact(take)

    def close(self) -> None:
        """Store what waits, read to the end what is being read, whoever asked for it and has gone, and let go of the
        database."""
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()
        self._engine.dispose()

    def _load(self, table_id: str, after: int) -> list[Event]:
        query = (
            sa.select(events.c.body)
            .where(events.c.table_id == table_id, events.c.seq > after)
            .order_by(events.c.seq)
        )
        return [decode_event(row[0]) for row in self._rows(query)]

    def _rows(self, query: sa.Select[Any]) -> list[sa.Row[Any]]:
        for again in (True, False):
            try:
                with self._engine.connect() as connection:
                    return list(connection.execute(query))
            except SQLAlchemyError as error:
                if not (again and _was_cut_off(error)):
                    raise StoreError(reason_of(error)) from error
        raise AssertionError

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
            self._at_work_since = time.monotonic()
            appends = [job.what for job in jobs if isinstance(job.what, Append)]
            errors = iter(self._write_safely(appends))
            answers: dict[asyncio.AbstractEventLoop, list[_Answer]] = {}
            for job in jobs:
                answer = (None, next(errors)) if isinstance(job.what, Append) else self._work(job.what)
                answers.setdefault(job.loop, []).append((job.done, *answer))
            for loop, those in answers.items():
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_answer, those)
            self._at_work_since = None

    def _work(self, work: _Work) -> tuple[Any, Exception | None]:
        for again in (True, False):
            try:
                return self._transact(work), None
            except IntegrityError as error:
                return None, Conflict(reason_of(error))
            except SQLAlchemyError as error:
                if not (again and _was_cut_off(error)):
                    return None, StoreError(reason_of(error))
            except Exception as error:  # the work's own no
                return None, error
        raise AssertionError

    def _transact(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Do some work in a transaction. Raises :class:`InDoubt` when nobody knows what became of it, otherwise what
        the work raises and SQLAlchemy's errors: then it is undone."""
        self._see_the_file()
        with self._writing.connect() as connection:
            transaction = connection.begin()
            result = work(connection)
            try:
                transaction.commit()
            except IntegrityError:
                raise
            except SQLAlchemyError as error:
                raise InDoubt(reason_of(error)) from error
            return result

    def _see_the_file(self) -> None:
        """Raises :class:`StoreError` when an SQLite database no longer lies where it was opened: what is written into
        a file that was deleted is gone with the process."""
        try:
            there = self.file is None or self.file.stat().st_ino == self._inode
        except OSError:
            there = False
        if not there:
            raise StoreError("the file of the database is not there any more")

    def _write_safely(self, appends: Sequence[Append]) -> Sequence[StoreError | None]:
        """As :meth:`_write`; whatever goes wrong, the writer lives on and those who wait are answered."""
        try:
            return self._write(appends) if appends else ()
        except Exception as error:
            _LOG.exception("Events could not be written.")
            return [InDoubt(type(error).__name__)] * len(appends)

    def _write(self, appends: Sequence[Append]) -> list[StoreError | None]:
        """Store all in one commit; when that fails, one by one, so that only the faulty ones fail."""
        now = time.time()
        began = time.perf_counter()
        doubtful = False
        for again in (True, False):
            try:
                self._commit(appends, now)
                self.committed(len(appends), time.perf_counter() - began)
                return [None] * len(appends)
            except InDoubt:
                doubtful = True
                break
            except Vanished:
                break
            except StoreError as error:
                return [error] * len(appends)
            except SQLAlchemyError as error:
                if not _is_away(error):
                    break
                if not (again and self.shared):
                    return [StoreError(reason_of(error))] * len(appends)
        until = time.monotonic() + PATIENCE
        return [self._write_one(append, now, until, doubtful=doubtful) for append in appends]

    def _write_one(self, append: Append, at: float, until: float, *, doubtful: bool) -> StoreError | None:
        """Store one append of a group that failed. A ``doubtful`` one may be stored already: it is tried and looked
        for until that is known, or ``until`` is over, so that what its player is told is true."""
        while True:
            try:
                return self._try_one(append, at, doubtful=doubtful)
            except InDoubt as error:
                doubtful, reason = True, str(error)
            except SQLAlchemyError as error:
                reason = reason_of(error)
                if not doubtful:
                    return StoreError(reason)
            if time.monotonic() > until:
                return InDoubt(reason)
            time.sleep(_BETWEEN_LOOKS)

    def _try_one(self, append: Append, at: float, *, doubtful: bool) -> StoreError | None:
        if doubtful and not self.shared:  # then nothing is under way any more
            return None if self._is_stored(append, at) else StoreError("the commit failed and is undone")
        try:
            self._commit([append], at)  # waits for the first try where that is still under way
        except IntegrityError as error:
            return None if doubtful and self._is_stored(append, at) else Conflict(reason_of(error))
        except Vanished as error:
            return error
        return None

    def _is_stored(self, append: Append, at: float) -> bool:
        """Whether this very append is stored, not another one of the same number."""
        query = sa.select(events.c.at, events.c.body).where(
            events.c.table_id == append.table_id, events.c.seq == append.seq
        )
        with self._engine.connect() as connection:
            return [tuple(row) for row in connection.execute(query)] == [(at, encode_event(append.events[0]))]

    def _commit(self, appends: Sequence[Append], now: float) -> None:
        """Store all in one commit and let the other processes hear of it."""
        appends = sorted(appends, key=lambda append: append.table_id)  # two processes never wait in a circle
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
        changes = [
            {
                "changed_id": append.table_id,
                "changed_at": now,
                "status": append.status,
                "bot_due": append.bot_due,
                "deadline": append.deadline,
            }
            for append in appends
        ]
        opened = [
            {"id": append.table_id, "opened_at": now, **change}
            for append, change in zip(appends, changes, strict=True)
            if append.seq == 1
        ]
        changed = [change for append, change in zip(appends, changes, strict=True) if append.seq > 1]
        listed = [
            {"listed_id": append.table_id, **append.listing.columns()} for append in appends if append.listing
        ]
        emptied = [
            {"of_table": append.table_id, "number": seat}
            for append in appends
            if append.seq > 1
            for seat in (*append.vacated, *(taken for taken, _ in append.holders))
        ]

        def insert(connection: sa.Connection) -> None:
            self._insert_events.run(connection, event_rows)
            if seat_rows:
                _refuse_vanished(connection, {holder for append in appends for _, holder in append.holders})
            self._empty_seats.run(connection, emptied)
            self._insert_seats.run(connection, seat_rows)
            self._insert_tables.run(connection, opened)
            self._update_tables.run(connection, changed)
            self._list_tables.run(connection, listed)
            if self.shared:
                stored = (
                    Stored(append.table_id, append.seq + len(append.events) - 1, append.events)
                    for append in appends
                )
                for news in spell(self._name, stored):
                    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, news)))
            for append in appends:
                if append.writing:
                    append.writing()

        self._transact(insert)


def _refuse_vanished(connection: sa.Connection, holders: Collection[str]) -> None:
    """Raises :class:`Vanished` for the holder of an account that is gone, whom another process may still take for
    somebody."""
    gone = sa.select(handovers.c.holder).where(handovers.c.holder.in_(holders), handovers.c.heir.is_(None))
    if connection.execute(gone).first():
        raise Vanished("an account is gone")


def _is_away(error: SQLAlchemyError) -> bool:
    """Whether the database cannot do anything now, whatever it is asked."""
    return isinstance(error, OperationalError | InterfaceError)


def _was_cut_off(error: SQLAlchemyError) -> bool:
    """Whether a connection ended that had stood, so that it is worth trying another one."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _answer(answers: Sequence[_Answer]) -> None:
    for done, result, error in answers:
        if done.done():  # whoever waited has gone
            continue
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)
