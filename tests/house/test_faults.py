"""What breaks in the world does not break a game: servers killed, databases away, disks full, readers asleep."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from benchmarks.faults import killed

from tests.databases import Database, PostgreSQL
from tests.serving import Player, Server
from tests.timing import PATIENCE, wait_until

ME, HERE = {"kind": "me"}, {"kind": "here"}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_acknowledged_turn_is_there_once_after_kills_under_load(kind: str) -> None:
    row = killed(kind, kills=2, clients=3)
    assert row.turns > 30
    assert row.resent > 0
    assert row.faults == 0, row


@pytest.fixture
def cluster() -> Iterator[PostgreSQL]:
    """A PostgreSQL of one's own, to be stopped at will."""
    cluster = PostgreSQL()
    yield cluster
    cluster.remove()


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_postgresql_may_go_and_come_back_under_a_running_house(
    cluster: PostgreSQL, tmp_path: Path, mode: str
) -> None:
    database = cluster.database(tmp_path / "house.log")
    one, other = Server(database), Server(database)
    player = Player(one.url)
    player.open(ME, HERE, first=1)
    seq = player.submit("Pa1").json()["seq"]
    stream = elsewhere(player, other).events()
    next(stream)
    cluster.stop(mode)
    for _ in range(3):
        refused = player.submit("Pb2", seq)
        assert refused.status_code == 503
        assert "not happened" in refused.json()["error"]["message"]
    cluster.start()
    wait_until(lambda: player.submit("Pb2", seq).status_code == 200, "it goes on")
    assert "Pb2" in str(next(stream)), "and is heard elsewhere again"
    assert player.submit("Pc3", seq + 1).status_code == 200
    assert "Pc3" in str(next(stream))
    assert turns_of(player) == ["Pa1", "Pb2", "Pc3"], "nothing is doubled"
    for server in (one, other):
        assert server.stop() == 0


def elsewhere(player: Player, server: Server) -> Player:
    """The same player at another server."""
    there = Player(server.url)
    there.http.cookies.update(player.http.cookies)
    there.table = player.table
    return there


def turns_of(player: Player) -> list[str]:
    """The turns of a table's record."""
    record = player.http.get(f"/api/tables/{player.table}/record").text
    return re.sub(r"\d+\.", " ", record.partition("\n\n")[2]).split()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of sixteen megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting takes root; a file that cannot grow is tested elsewhere")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_full_disk_refuses_clearly_and_goes_on_when_there_is_room(small_disk: Path, tmp_path: Path) -> None:
    server = Server(Database(f"sqlite:///{small_disk}/house.db", tmp_path / "house.log"))
    player = Player(server.url)
    player.open(ME, HERE, first=1)
    assert player.submit("Pa1").status_code == 200
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    name = f"/api/tables/{player.table}/seats/1/name"
    answers: list[httpx.Response] = []
    while not answers or answers[-1].status_code == 200:  # until the room that its files have is used
        answers.append(player.http.post(name, json={"name": f"Ada {len(answers)}"}))
    assert answers[-1].status_code == 503
    assert "not happened" in answers[-1].json()["error"]["message"]
    before = player.state()
    assert player.submit("Pb2").status_code == 503
    assert player.state() == before, "nothing is half-written"
    assert player.http.post("/api/tables", json={"seats": [ME, HERE]}).status_code == 503
    filler.unlink()
    assert player.submit("Pb2").status_code == 200
    assert server.stop() == 0
    server = server.again()
    after = player.state()
    assert after["board"]["turns"] == 2
    assert after["seq"] == before["seq"] + 1
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


def test_a_reader_who_sleeps_is_cut_off_and_comes_back_to_what_he_missed(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db", 0, environment={"OUDJAT_LIMITS": "1000000"})
    player = Player(server.url)
    player.open(ME, HERE, first=1)
    path = f"/api/tables/{player.table}"
    sleeper = socket.socket()
    sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sleeper.connect(("127.0.0.1", server.port))
    sleeper.sendall(f"GET {path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    sleeper.settimeout(PATIENCE)
    heard = b""
    while not heard.count(b"\n\n") > 2:  # the head, the greeting, the first event
        heard += sleeper.recv(4096)
    last = int(re.findall(rb"\nid: (\d+)\n", heard)[-1])  # then he sleeps

    def streams() -> bool:
        figures = player.http.get("/metrics").text
        return "oudjat_open_streams 0.0" not in figures

    assert streams()
    for number in range(1000):  # more than the system keeps for him
        renamed = player.http.post(f"{path}/seats/1/name", json={"name": f"Ada {number}"})
        assert renamed.status_code == 200
    wait_until(lambda: not streams(), "he is cut off")
    sleeper.close()
    seq = player.state()["seq"]
    assert seq > last + 900
    missed = []
    for told in player.events(last):
        missed.append(told["seq"])
        if told["seq"] == seq:
            break
    assert missed == list(range(last + 1, seq + 1))
    assert player.submit("Pa1").status_code == 200
    assert server.stop() == 0
