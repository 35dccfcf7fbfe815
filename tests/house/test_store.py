"""What was acknowledged is kept: the store, power cuts, a full disk. On SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import resource
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from oudjat.house import store as store_module
from oudjat.house.events import Opened, Played, SeatPlan
from oudjat.house.schema import seats
from oudjat.house.store import Append, Conflict, InDoubt, Store, StoreError
from tests.databases import Database
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE
from tests.wire import Cut, Wire

OPENED = Opened("isis-osiris", "normal", {}, 1, "natural", (SeatPlan("Ada", holder="h"),) * 2, "h")


async def test_events_come_back_in_order(database: Database) -> None:
    store = Store(database.url)
    turns = tuple(Played(1, f"P{space}") for space in ("a1", "b1", "c1"))
    await store.append(Append("t", 1, (OPENED,), "running", bot_due=False, holders=((1, "h"), (2, "h"))))
    await store.append(Append("t", 2, turns, "running", bot_due=True))
    assert await store.load("t") == [OPENED, *turns]
    assert await store.load("nothing") == []
    assert await store.tables_of("h", 12) == ["t"]
    assert await store.take_over_bots(0) == ["t"]
    store.close()
    reopened = Store(database.url)
    assert await reopened.load("t") == [OPENED, *turns]
    reopened.close()


async def test_a_bot_that_is_due_is_found_however_the_systems_time_jumps(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(database.url)
    await store.append(Append("t", 1, (OPENED,), "running", bot_due=True))
    now = time.time()
    for jump in (0, -3600, 1e6, -1e9):
        monkeypatch.setattr(time, "time", lambda jump=jump: now + jump)
        assert await store.take_over_bots(0.0) == ["t"], jump
        assert await store.take_over_bots(5.0) == [], "it counts as due from now on"
    monkeypatch.setattr(time, "time", lambda: now - 2e9)
    assert await store.take_over_bots(5.0) == ["t"], "a process that runs on finds it too"
    store.close()


async def test_every_table_that_goes_on_is_among_a_players_tables(database: Database) -> None:
    store = Store(database.url)
    for number in range(16):
        status = "running" if number < 2 else "waiting" if number == 2 else "over"
        await store.append(
            Append(f"t{number:02}", 1, (OPENED,), status, bot_due=False, holders=((1, "h"), (2, "h")))
        )
    mine = await store.tables_of("h", 5)
    assert mine == ["t02", "t01", "t00", "t15", "t14"]
    assert await store.tables_of("h", 2) == ["t02", "t01", "t00"]
    store.close()


async def test_an_event_is_stored_once_and_the_others_of_its_group_are_kept(database: Database) -> None:
    store = Store(database.url)
    await store.append(Append("t", 1, (OPENED,), "running", bot_due=False))
    appends = [Append("t", 2, (Played(1, "Pa1"),), "running", bot_due=False) for _ in range(3)]
    appends += [Append(f"t{number}", 1, (OPENED,), "running", bot_due=False) for number in range(20)]
    results = await asyncio.gather(*(store.append(append) for append in appends), return_exceptions=True)
    assert [type(result) for result in results[:3]].count(Conflict) == 2
    assert results[3:] == [None] * 20
    assert len(await store.load("t")) == 2
    store.close()


async def test_what_is_being_read_when_it_closes_is_read_to_the_end(database: Database) -> None:
    """Also when nobody waits for it any more; a connection that were left open would be nobody's."""
    store = Store(database.url)
    begun, read = threading.Event(), list[int]()

    def look() -> list[int]:
        with store._engine.connect() as connection:
            begun.set()
            time.sleep(0.5)
            read.extend(connection.scalars(sa.select(sa.literal(1))))
        return read

    asking = asyncio.create_task(store._read(look))
    await asyncio.to_thread(begun.wait, PATIENCE)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    store.close()
    assert read == [1]
    with pytest.raises(StoreError, match="closed"):
        await store.load("t")


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "mysql://x/y",
        "postgresql://127.0.0.1:1/y",
        "sqlite://",
        "sqlite:////proc/nope/x.db",
        "sqlite:////tmp",
    ],
)
def test_a_database_that_cannot_be_used_is_told_in_a_sentence(url: str) -> None:
    with pytest.raises(StoreError) as error:
        Store(url)
    assert str(error.value).endswith(".")


def test_kill_9_loses_nothing_and_bots_go_on(database: Database) -> None:
    server = Server(database)
    player = Player(server.url)
    player.open({"kind": "me"}, {"kind": "bot", "level": "novice"}, {"kind": "bot", "level": "scribe"})
    for turn in range(3):
        state = player.wait_for_turn()
        assert player.submit(legal(state) if turn % 2 else "draw").status_code == 200
        if not turn % 2:
            drawn = player.state()
            server.kill()
            server = server.again()
            assert player.state() == drawn, "the tile turned over lies there still, and no other"
            assert player.submit(legal(drawn)).status_code == 200
        server.kill()
        server = server.again()
    player.wait_for_turn()
    assert server.stop() == 0


def test_a_full_disk_refuses_the_turn_and_changes_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    player = Player(server.url)
    player.open({"kind": "me"}, {"kind": "here"})
    assert player.submit("Pa1").status_code == 200
    before = player.state()
    written = max(file.stat().st_size for file in tmp_path.glob("house.db*"))
    limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (written, limits[1]))  # no file can grow
    answer = player.submit("Pb1")
    assert answer.status_code == 503
    assert "not happened" in answer.json()["error"]["message"]
    assert player.state() == before
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
    assert player.submit("Pb1").status_code == 200
    assert server.stop() == 0


def test_a_database_that_cannot_be_written_is_told_at_the_start(database: Database) -> None:
    Store(database.url).close()
    if database.is_postgresql:
        name = database.execute("select current_database()")[0][0]
        database.execute(f"alter database {name} set default_transaction_read_only = on")
    else:
        database.execute("create trigger still before update on meta begin select raise(abort, 'still'); end")
    with pytest.raises(StoreError, match="cannot be used"):
        Store(database.url)


@pytest.mark.parametrize("cuts", [["before"], ["after"], ["before", "before"], ["before", "after"]])
async def test_a_commit_whose_answer_is_lost_is_looked_for_before_no_is_said(
    shared_database: Database, cuts: list[Cut]
) -> None:
    wire = Wire(shared_database.url)
    store = Store(wire.url)
    await store.append(Append("t", 1, (OPENED,), "running", bot_due=False))
    wire.cuts = cuts
    await store.append(Append("t", 2, (Played(1, "Pa1"),), "running", bot_due=False))
    assert not wire.cuts
    assert await store.load("t") == [OPENED, Played(1, "Pa1")]
    store.close()
    wire.close()


async def test_another_event_in_the_place_of_one_in_doubt_is_a_conflict(shared_database: Database) -> None:
    wire = Wire(shared_database.url)
    store, other = Store(wire.url), Store(shared_database.url)
    await store.append(Append("t", 1, (OPENED,), "running", bot_due=False))
    await other.append(Append("t", 2, (Played(1, "Pa1"),), "running", bot_due=False))
    wire.cuts = ["before"]
    with pytest.raises(Conflict):
        await store.append(Append("t", 2, (Played(1, "Pa1"),), "running", bot_due=False))
    for one in (store, other):
        one.close()
    wire.close()


async def test_a_commit_of_which_nothing_can_be_known_is_said_to_be_in_doubt(
    shared_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "PATIENCE", 0.5)
    wire = Wire(shared_database.url)
    store = Store(wire.url)
    await store.append(Append("t", 1, (OPENED,), "running", bot_due=False))
    wire.cuts = ["before"] * 1000
    with pytest.raises(InDoubt):
        await store.append(Append("t", 2, (Played(1, "Pa1"),), "running", bot_due=False))
    with pytest.raises(InDoubt):
        await store.transact(lambda connection: connection.execute(sa.delete(seats)))
    wire.cuts = []
    await store.append(Append("t", 2, (Played(1, "Pb2"),), "running", bot_due=False))
    assert await store.load("t") == [OPENED, Played(1, "Pb2")]
    store.close()
    wire.close()


async def test_the_writer_survives_what_it_cannot_write(database: Database) -> None:
    store = Store(database.url)
    await store.append(Append("t", 1, (OPENED,), "running", bot_due=False))
    with pytest.raises(StoreError):
        await store.append(Append("t", 2, (Played(1, "\ud800"),), "running", bot_due=False))
    await store.append(Append("t", 2, (Played(1, "Pa1"),), "running", bot_due=False))
    assert await store.load("t") == [OPENED, Played(1, "Pa1")]
    store.close()
