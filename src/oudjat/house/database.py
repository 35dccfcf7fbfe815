"""Opening a database: its address, its settings, its schema brought up to date."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import platformdirs
import psycopg
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from oudjat.house.schema import meta
from oudjat.rules.game import N_

MIGRATIONS = Path(__file__).parent / "migrations"
"""The folder of our migrations, as Alembic keeps them."""
_MIGRATING, RATING, ADDING_CHANNELS = range(0x0D1A7, 0x0D1AA)
"""What one process at a time does: :func:`take_turns`."""
WAITING = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": "-c idle_in_transaction_session_timeout=10s",
}
"""How long PostgreSQL and we wait for each other: a machine that has vanished or a process that was stopped in the
middle of its work holds nobody up for longer."""
WRITING = {"writing": True}
"""Execution options of a connection that will write: SQLite takes its lock at once, so that nobody comes between."""


class StoreError(Exception):
    """The storage did not take what was to be stored, and nothing of it was; or it cannot be used at all.

    ``template`` is the English sentence with named gaps, ``gaps`` fills them.
    """

    def __init__(self, template: str, **gaps: str | int) -> None:
        super().__init__(template.format(**gaps) if gaps else template)
        self.template = template
        self.gaps = gaps


class InDoubt(StoreError):
    """The database went away in the middle of a commit: whether it took what was to be stored is not known."""


def take_turns(connection: sa.Connection, what: int) -> None:
    """Let no other process do the same before this transaction is over, which writes; SQLite lets one write at a time
    anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(what)))


def reason_of(error: SQLAlchemyError) -> str:
    """What the database says was wrong, in one line, without any of the values in question."""
    original = getattr(error, "orig", None) or error
    said = original.diag.message_primary if isinstance(original, psycopg.Error) else None
    return (said or str(original) or type(original).__name__).strip().splitlines()[0].rstrip(".")


def default_database() -> str:
    """An SQLite file in the user's data folder; ``OUDJAT_DATABASE`` overrides."""
    folder = Path(platformdirs.user_data_dir("oudjat", appauthor=False))
    return os.environ.get("OUDJAT_DATABASE") or f"sqlite:///{folder / 'oudjat.db'}"


def connect(url: str, *, create: bool = True) -> sa.Engine:
    """An engine on a database that has our schema, migrated where it was older.

    ``url`` is ``sqlite:////absolute/path``, ``sqlite:///relative/path`` or ``postgresql://user@host/name``; without
    ``create`` an SQLite file has to be there already.
    Raises :class:`StoreError` with a sentence.
    """
    try:
        parsed = sa.make_url(url)
    except (SQLAlchemyError, ValueError):
        parsed = None
    if parsed is None or "\0" in f"{parsed.host}{parsed.database}":
        # neither it nor the error is repeated: nobody knows where in it the password stands
        raise StoreError(
            N_(
                "This is no database address; write sqlite:////path/to/file.db or "
                "postgresql://user@host/name."
            )
        )
    if parsed.get_backend_name() == "sqlite":
        engine = _sqlite(parsed, create=create)
    elif parsed.get_backend_name() == "postgresql":
        engine = sa.create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            pool_size=8,
            isolation_level="READ COMMITTED",
            connect_args=WAITING,
            hide_parameters=True,
            use_native_hstore=False,  # it asks the database for that type on every connection
        )
    else:
        raise StoreError(
            N_("Oudjat keeps its games in SQLite or PostgreSQL; “{kind}” is neither."), kind=parsed.drivername
        )
    shown = parsed.difference_update_query(["password", "sslpassword"])  # that before the @ is hidden anyway
    where = str(parsed.database if engine.dialect.name == "sqlite" else shown.render_as_string())
    try:
        _prepare(engine, where)
    except StoreError:
        engine.dispose()
        raise
    return engine


def _sqlite(parsed: sa.URL, *, create: bool) -> sa.Engine:
    if parsed.database in (None, "", ":memory:"):
        raise StoreError(N_("A house keeps its games in a file; write sqlite:////path/to/file.db."))
    file = Path(str(parsed.database))
    with suppress(OSError):  # a name that is too long: told when it is opened
        if not (create or file.exists()):
            raise StoreError(
                N_(
                    "There is no database {file}; name the one that the house is served from with --database."
                ),
                file=str(parsed.database),
            )
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            N_("The folder of {file} cannot be made: {reason}."),
            file=str(parsed.database),
            reason=error.strerror or str(error),
        ) from error
    with suppress(OSError):  # told when it is opened
        file.touch(mode=0o600)  # what lies face down is in it; SQLite gives the files beside it the same mode
    engine = sa.create_engine(
        parsed, connect_args={"check_same_thread": False, "timeout": 30}, hide_parameters=True
    )

    @sa.event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # we begin transactions ourselves, see below
        try:
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
                connection.execute(f"PRAGMA {pragma}").close()
        except Exception:
            connection.close()  # the pool does not know it yet
            raise

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _prepare(engine: sa.Engine, where: str) -> None:
    """Bring the schema up to date, and try whether the database can be written: told now, not at a turn."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    newest = ScriptDirectory.from_config(config).get_current_head()
    try:
        with engine.connect().execution_options(**WRITING) as connection, connection.begin():
            take_turns(connection, _MIGRATING)
            known = set(sa.inspect(connection).get_table_names())
            config.attributes["connection"] = connection
            if "events" in known and "alembic_version" not in known:
                command.stamp(config, "v01")  # written before there were migrations
            command.upgrade(config, "head")
            connection.execute(sa.update(meta).where(meta.c.key == "schema").values(value=newest))
    except CommandError as error:
        raise StoreError(
            N_(
                "The database {file} was written by a newer version of Oudjat; use that one or another database."
            ),
            file=where,
        ) from error
    except SQLAlchemyError as error:
        raise StoreError(
            N_("The database {file} cannot be used: {reason}."), file=where, reason=reason_of(error)
        ) from error
