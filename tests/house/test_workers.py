"""Several worker processes at one address."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.databases import Database
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE, wait_until

ME, FRIEND, BOT = {"kind": "me"}, {"kind": "friend"}, {"kind": "bot", "level": "novice"}
PATIENT = f"from oudjat.house import workers\nworkers._LAST_WAIT = {PATIENCE}"
"""For a server's ``beforehand``: its workers have all the time that there is to end what they are at."""


@pytest.fixture
def server(shared_database: Database) -> Iterator[Server]:
    server = Server(shared_database, 0, "--workers", "2")
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


def workers_of(process: int) -> list[int]:
    """The worker processes of a server: those of its children that listen."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in children if is_worker(child)]


def is_worker(process: str) -> bool:
    with suppress(OSError):  # it may end in this moment
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def test_several_workers_need_postgresql(tmp_path: Path) -> None:
    arguments = ["--port", "0", "--workers", "2", "--database", f"sqlite:///{tmp_path}/house.db"]
    done = subprocess.run(
        [Path(sys.executable).with_name("oudjat"), "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert "PostgreSQL" in done.stderr
    assert not done.stdout


def test_players_at_several_workers_play_and_a_dead_worker_is_replaced(server: Server) -> None:
    host, friend = Player(server.url), Player(server.url)
    key = host.open(ME, FRIEND, BOT)["seats"][1]["key"]
    friend.table = host.table
    friend.http.post(f"/api/tables/{host.table}/seats/2", json={"key": key})
    before = workers_of(server.process.pid)
    assert len(before) == 2
    played = 0
    for turn in range(6):
        wait_until(lambda: bool(host.state()["mine"] or friend.state()["mine"]), "the bot plays")
        player = host if host.state()["mine"] else friend
        assert player.submit(legal(player.state())).status_code == 200
        played += 1
        if turn == 2:
            os.kill(before[0], signal.SIGKILL)
            wait_until(
                lambda: not Path(f"/proc/{before[0]}").exists(), "it dies, and takes nobody in any more"
            )
            for one in (host, friend):  # their connections may have ended with it
                one.http.close()
                one.http = again(one, server)
    wait_until(lambda: len(workers_of(server.process.pid)) == 2, "the dead worker is replaced")
    assert before[0] not in workers_of(server.process.pid)
    assert f"Worker process {before[0]} died (signal 9)" in server.log.read_text()
    assert played == 6


def again(player: Player, server: Server) -> httpx.Client:
    """A new client with the cookies of a player."""
    client = Player(server.url).http
    client.cookies.update(player.http.cookies)
    return client


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_streams_are_told_to_come_back_when_the_house_closes(
    shared_database: Database, number: signal.Signals
) -> None:
    server = Server(shared_database, 0, "--workers", "2", beforehand=PATIENT)
    player = Player(server.url)
    player.open(ME, FRIEND)
    heard: list[str] = []
    streams = []
    for _ in range(6):
        opened = threading.Event()
        stream = threading.Thread(target=listen, args=(player, heard, opened))
        stream.start()
        assert opened.wait(PATIENCE)
        streams.append(stream)
    left = workers_of(server.process.pid)
    assert server.stop(number) == 0
    for stream in streams:
        stream.join(PATIENCE)
    assert heard.count("event: bye") == 6
    assert not any(Path(f"/proc/{process}").exists() for process in left)
    assert server.again().stop() == 0


def test_a_turn_under_way_is_finished_when_the_house_closes(shared_database: Database) -> None:
    server = Server(shared_database, 0, "--workers", "2", beforehand=PATIENT)
    player = Player(server.url)
    player.open(ME, {"kind": "here"}, first=1)
    seq = player.state()["seq"]
    with psycopg.connect(shared_database.url) as connection, ThreadPoolExecutor(1) as pool:
        connection.execute("lock table events in exclusive mode")
        answer = pool.submit(player.submit, "Pa1", seq)
        wait_until(lambda: _waits(connection), "the turn waits for the lock")
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: len(workers_of(server.process.pid)) == 1 and _closes(server), "the house closes")
        assert not answer.done()
        connection.rollback()
        assert answer.result(PATIENCE).status_code == 200
    assert server.stop() == 0
    with_it = server.again()
    assert player.state()["board"]["turns"] == 1
    assert with_it.stop() == 0


def _closes(server: Server) -> bool:
    with suppress(httpx.TransportError):  # who is asked may end in this moment
        return httpx.get(f"{server.url}/ready", timeout=PATIENCE).text == "closing\n"
    return False


def _waits(connection: psycopg.Connection) -> bool:
    found = connection.execute("select count(*) from pg_locks where not granted").fetchone()
    return bool(found and found[0])


def listen(player: Player, heard: list[str], opened: threading.Event) -> None:
    """Hear a stream to its end."""
    path = f"/api/tables/{player.table}/events"
    with (
        httpx.Client(base_url=player.http.base_url, timeout=PATIENCE) as http,
        http.stream("GET", path) as stream,
    ):
        for line in stream.iter_lines():
            opened.set()
            heard.append(line)


def test_workers_end_when_the_one_who_watches_is_killed(shared_database: Database) -> None:
    server = Server(shared_database, 0, "--workers", "2")
    left = workers_of(server.process.pid)
    server.kill()
    wait_until(
        lambda: not any(Path(f"/proc/{process}").exists() for process in left),
        "workers end with their watcher",
    )
