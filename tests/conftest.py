"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.databases import Database, PostgreSQL

settings.register_profile(
    "quick", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile(os.environ.get("OUDJAT_HYPOTHESIS", "quick"))


@pytest.fixture(autouse=True)
def _players_go_home() -> Iterator[None]:
    from tests.serving import send_players_home

    yield
    send_players_home()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL for all tests of this process; tests that stop it start one of their own."""
    from tests.databases import PostgreSQL

    server = PostgreSQL()
    yield server
    server.remove()


@pytest.fixture
def shared_database(postgresql: PostgreSQL, tmp_path: Path) -> Iterator[Database]:
    """A new database on PostgreSQL."""
    database = postgresql.database(tmp_path / "house.log")
    yield database
    postgresql.drop(database)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """A new database: the test runs once on SQLite and once on PostgreSQL."""
    from tests.databases import Database

    if request.param == "sqlite":
        return Database.file(tmp_path / "house.db")
    found: Database = request.getfixturevalue("shared_database")
    return found
