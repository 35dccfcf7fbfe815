"""A database of an older version is brought up to date with all that it holds, on SQLite and on PostgreSQL."""

from __future__ import annotations

import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from oudjat.house.database import MIGRATIONS, connect
from oudjat.house.events import Came, Event, Opened, Played, Seated, SeatPlan, Started, encode_event
from oudjat.house.schema import metadata
from oudjat.house.store import Store, StoreError
from tests.databases import Database
from tests.timing import PATIENCE

_FIRST_RELEASE = (
    "create table meta (key text not null, value text not null, primary key (key))",
    "create table events (table_id text not null, seq integer not null, at float not null, body text not null, "
    "primary key (table_id, seq))",
    "create table tables (id text not null, opened_at float not null, changed_at float not null, "
    "status text not null, bot_due boolean not null, primary key (id))",
    "create index tables_by_bot_due on tables (bot_due, status)",
    "create table seats (table_id text not null, seat integer not null, holder text not null, "
    "primary key (table_id, seat))",
    "create index seats_by_holder on seats (holder)",
    "insert into meta (key, value) values ('schema', '1')",
)
"""What Oudjat 0.1.0 made, as it stands in a database that it left."""

_GAME: tuple[Event, ...] = (
    Opened(
        "isis-osiris", "normal", {}, 1, "natural", (SeatPlan("Ada", holder="a"), SeatPlan(key="friend")), "a"
    ),
    Seated(2, "b", "Bo"),
    Started(1, ("+1", "-4"), "5a17", "promise"),
    Played(1, "Pa1"),
    Came(2, "-4"),
    Played(2, "-4c4"),
)


def _as_first_released(database: Database) -> None:
    rows = [
        f"insert into events values ('{table}', {seq}, 1764400000.25, '{encode_event(event)}')"
        for table in ("t1", "t2")
        for seq, event in enumerate(_GAME, 1)
    ]
    tables = [
        f"insert into tables values ('{table}', 1764400000.25, 1764400001.5, 'running', {due})"
        for table, due in (("t1", "false"), ("t2", "true"))
    ]
    seats = [
        f"insert into seats values ('{table}', {seat}, '{holder}')"
        for table in ("t1", "t2")
        for seat, holder in ((1, "a"), (2, "b"))
    ]
    database.execute(*_FIRST_RELEASE, *rows, *tables, *seats)


async def test_a_database_of_the_first_release_keeps_every_event(database: Database) -> None:
    _as_first_released(database)
    store = Store(database.url)
    assert await store.load("t1") == list(_GAME)
    assert await store.load("t2") == list(_GAME)
    assert sorted(await store.tables_of("b", 12)) == ["t1", "t2"]
    assert await store.take_over_bots(0) == ["t2"]
    assert await store.opened_at("t1") == 1764400000.25
    store.close()
    Store(database.url).close()
    (version,) = database.execute("select version_num from alembic_version")
    assert list(version) == [_scripts().get_current_head()]


@pytest.mark.parametrize("older", [False, True])
def test_what_migrations_make_is_what_the_schema_says(database: Database, older: bool) -> None:
    if older:
        _as_first_released(database)
    engine = connect(database.url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_there_is_one_newest_schema() -> None:
    assert len(_scripts().get_heads()) == 1
    assert len(_scripts().get_bases()) == 1


def test_processes_that_open_a_new_database_at_once_all_succeed(database: Database) -> None:
    code = """if True:
        import sys
        from oudjat.house.store import Store
        print("here", flush=True)
        input()
        Store(sys.argv[1]).close()"""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, database.url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "here\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        said = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == 0, said
    Store(database.url).close()


def test_another_schema_is_refused(database: Database) -> None:
    Store(database.url).close()
    database.execute("update alembic_version set version_num = 'v99'")
    with pytest.raises(StoreError, match="newer version"):
        Store(database.url)


def _scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return ScriptDirectory.from_config(config)
