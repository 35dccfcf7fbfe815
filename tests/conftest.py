"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.databases import Database, PostgreSQL
    from tests.serving import Server

settings.register_profile(
    "quick", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "thorough", max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("OUDJAT_HYPOTHESIS", "quick"))


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(autouse=True)
def _all_go_home(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test stops the servers that it has started. One that fails may leave them, but not to the next test."""
    from tests.serving import running_servers, send_players_home

    before = running_servers()
    yield
    send_players_home()
    left = [server for server in running_servers() if server not in before]
    for server in left:
        server.kill()
    assert not left or FAILED in request.node.stash, "a server goes on"


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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for a file of tests; at its end it stops well and has met nothing unforeseen."""
    from tests.serving import Server

    server = Server(tmp_path_factory.mktemp("house") / "house.db")
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="module")
def servers(
    postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Two servers on one database for a file of tests, which end as one does."""
    from tests.serving import Server

    database = postgresql.database(tmp_path_factory.mktemp("houses") / "house.log")
    both = Server(database), Server(database)
    yield both
    for server in both:
        assert server.stop() == 0
    assert "Traceback" not in database.log.read_text()
    postgresql.drop(database)
