"""Where events are kept: SQLite, one writer thread, every waiting append in one commit.

■ Persist before you announce: :meth:`Store.append` returns when the events are on the disk (WAL,
``synchronous=FULL``). The pair of table and sequence number is unique, so a turn cannot be stored twice.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from oudjat.house.events import Event, decode_event, encode_event
from oudjat.rules.game import N_

SCHEMA_VERSION = 1
_MOST_TOGETHER = 500

metadata = sa.MetaData()
meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("opened_at", sa.Float, nullable=False),
    sa.Column("changed_at", sa.Float, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("bot_due", sa.Boolean, nullable=False),
    sa.Index("tables_by_bot_due", "bot_due", "status"),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Index("seats_by_holder", "holder"),
)


class StoreError(Exception):
    """The storage did not take what was to be stored, and nothing of it was; or it cannot be used at all.

    ``template`` is the English sentence with named gaps, ``gaps`` fills them.
    """

    def __init__(self, template: str, **gaps: str | int) -> None:
        super().__init__(template.format(**gaps) if gaps else template)
        self.template = template
        self.gaps = gaps


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


_Job = tuple[Append, asyncio.AbstractEventLoop, "asyncio.Future[None]"]


class Store:
    """The events of every table in one database.

    ``url`` is ``sqlite:///relative/path`` or ``sqlite:////absolute/path``.
    Raises :class:`StoreError` with a sentence when the database cannot be used.
    """

    def __init__(self, url: str) -> None:
        self._engine = _connect(url)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="store writer", daemon=True)
        self._writer.start()

    async def append(self, append: Append) -> None:
        """Store events; returns when they are on the disk. Raises :class:`Conflict` or :class:`StoreError`."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put((append, loop, done))
        await done

    async def load(self, table_id: str) -> list[Event]:
        """Every event of a table in order; none when there is no such table."""
        return await asyncio.to_thread(self._load, table_id)

    async def opened_at(self, table_id: str) -> float:
        """When a table was opened, in seconds since 1970; 0 when there is no such table."""
        found = await asyncio.to_thread(
            self._scalars, sa.select(tables.c.opened_at).where(tables.c.id == table_id)
        )
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
        return await asyncio.to_thread(self._scalars, query)

    async def tables_with_bot_due(self) -> list[str]:
        """The tables at which a bot is to move."""
        query = sa.select(tables.c.id).where(tables.c.bot_due, tables.c.status == "running")
        return await asyncio.to_thread(self._scalars, query)

    def close(self) -> None:
        """Store what waits and let go of the database."""
        self._jobs.put(None)
        self._writer.join()
        self._engine.dispose()

    def _load(self, table_id: str) -> list[Event]:
        query = sa.select(events.c.body).where(events.c.table_id == table_id).order_by(events.c.seq)
        return [decode_event(body) for body in self._scalars(query)]

    def _scalars(self, query: sa.Select[Any]) -> list[Any]:
        try:
            with self._engine.connect() as connection:
                return list(connection.scalars(query))
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
            if not jobs:
                continue
            errors = self._write([append for append, _, _ in jobs])
            by_loop: dict[
                asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], StoreError | None]]
            ] = {}
            for (_, loop, done), error in zip(jobs, errors, strict=True):
                by_loop.setdefault(loop, []).append((done, error))
            for loop, answers in by_loop.items():
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_answer, answers)

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
        with self._engine.begin() as connection:
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


def _answer(answers: Sequence[tuple[asyncio.Future[None], StoreError | None]]) -> None:
    for done, error in answers:
        if done.done():  # whoever waited has gone
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)


def _connect(url: str) -> sa.Engine:
    """An engine on a database that has our schema. Raises :class:`StoreError` with a sentence."""
    try:
        parsed = sa.make_url(url)
    except SQLAlchemyError as error:
        raise StoreError(
            N_("“{url}” is no database address; write sqlite:////path/to/file.db."), url=url
        ) from error
    if parsed.get_backend_name() != "sqlite":
        raise StoreError(
            N_("Oudjat keeps its games in SQLite; write sqlite:////path/to/file.db instead of “{kind}”."),
            kind=parsed.drivername,
        )
    if parsed.database in (None, "", ":memory:"):
        raise StoreError(N_("A house keeps its games in a file; write sqlite:////path/to/file.db."))
    try:
        Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            N_("The folder of {file} cannot be made: {reason}."),
            file=str(parsed.database),
            reason=error.strerror or str(error),
        ) from error
    engine = sa.create_engine(parsed, connect_args={"check_same_thread": False, "timeout": 30})

    @sa.event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:
        try:
            for pragma in ("journal_mode=WAL", "synchronous=FULL"):
                connection.execute(f"PRAGMA {pragma}").close()
        except Exception:
            connection.close()  # the pool does not know it yet
            raise

    try:
        _prepare(engine, str(parsed.database))
    except StoreError:
        engine.dispose()
        raise
    return engine


def _prepare(engine: sa.Engine, file: str) -> None:
    """Make the schema where there is none, and try whether it can be written."""
    try:
        with engine.begin() as connection:
            metadata.create_all(connection)
            version = connection.scalar(sa.select(meta.c.value).where(meta.c.key == "schema"))
            if version is None:
                connection.execute(sa.insert(meta), [{"key": "schema", "value": str(SCHEMA_VERSION)}])
            else:  # writes, and changes nothing: a database that cannot be written is told now, not at a turn
                connection.execute(sa.update(meta).where(meta.c.key == "schema").values(value=meta.c.value))
    except SQLAlchemyError as error:
        reason = getattr(error, "orig", None) or error
        raise StoreError(
            N_("The database {file} cannot be used: {reason}."), file=file, reason=str(reason)
        ) from error
    if version is not None and version != str(SCHEMA_VERSION):
        raise StoreError(
            N_(
                "The database {file} was written by another version of Oudjat (schema {version}, this one has "
                "{known}); use that version or another file."
            ),
            file=file,
            version=version,
            known=SCHEMA_VERSION,
        )
