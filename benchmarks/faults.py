"""What is left when a server is killed again and again under load: ``python -m benchmarks.faults``.

Several clients play over the API. At a random moment the server is killed with signal 9, another one begins at the same
address on the same database, and every client sends again what was not answered. At the end the database is compared
with what the clients were told: every acknowledged turn is there, none twice, in their order, nothing else of theirs,
and each table goes on. Half of the tables have clocks: none may charge time in which no server ran, or give any back.
Servers and databases are processes of this program's own; ``--kills`` bounds how long it takes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import httpx

from benchmarks.load.house import Port, database
from oudjat.house.events import Came, Event, Played
from oudjat.house.store import Store
from oudjat.house.timekeeper import BEAT
from oudjat.rules.views import turns_in

_OUDJAT = Path(sys.executable).with_name("oudjat")
_TABLES_EACH = 4
_LONGEST = 120.0
_ROUNDING = 0.1
_AWAY = 1.5 * BEAT
"""Seconds without a server after each kill: more than those that the house may forget to charge, which ran after its
last beat, so that these do not hide the others."""
_CLOCK = {"kind": "game", "seconds": 3600}
_ME, _HERE, _BOT = {"kind": "me"}, {"kind": "here"}, {"kind": "bot", "level": "novice"}


@dataclass
class Row:
    """What came of it on one database."""

    database: str
    kills: int
    tables: int = 0
    turns: int = 0
    resent: int = 0
    took_effect_before: int = 0
    lost: int = 0
    doubled: int = 0
    disordered: int = 0
    stuck: int = 0
    refused: int = 0
    unfair: int = 0
    back_after: list[float] = field(default_factory=list)

    @property
    def faults(self) -> int:
        """How much of what was promised was not kept."""
        return self.lost + self.doubled + self.disordered + self.stuck + self.refused + self.unfair


class Served:
    """A server that can be killed and comes back at the same address."""

    def __init__(self, url: str, log: IO[bytes]) -> None:
        self._url = url
        self._log = log
        self._port = Port()
        self.away: list[tuple[float, float]] = []
        """From when to when there was no server's process, in seconds of ``time.monotonic``."""
        self._process = self._start()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._port.number}"

    def kill(self) -> float:
        """Kill it as a power cut would and start it again after a while; returns the seconds from then on until it
        answers."""
        self._process.kill()
        self._gone()
        gone = time.monotonic()
        time.sleep(_AWAY)
        began = time.monotonic()
        self.away.append((gone, began))
        self._process = self._start()
        return time.monotonic() - began

    def stop(self) -> None:
        """Stop it as a person would."""
        self._process.terminate()
        self._gone()

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [_OUDJAT, "serve", "--port", str(self._port.number), "--database", self._url],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env=os.environ | {"LANG": "C.UTF-8", "OUDJAT_LIMITS": "1000000"},
        )
        assert process.stdout
        line = process.stdout.readline().strip().rstrip("/")
        if not line.startswith("http://"):
            raise RuntimeError("the server did not begin")
        return process

    def _gone(self) -> None:
        self._process.wait(60)
        if self._process.stdout:
            self._process.stdout.close()


@dataclass
class Board:
    """A table as its player knows it: how it stands, and the turns that were acknowledged. Its clocks are known since
    ``opened``, before it was asked for, and were ``seen`` last with the state, in seconds of ``time.monotonic``."""

    id: str
    state: dict[str, Any]
    opened: float
    seen: float = 0.0
    given_back: bool = False
    acknowledged: list[str] = field(default_factory=list)
    finished: bool = False

    def see(self, state: dict[str, Any]) -> None:
        """Know the table as it stands now."""
        was, now = (each["clock"]["left"] if each["clock"] else [] for each in (self.state, state))
        self.given_back |= any(left > before for left, before in zip(now, was, strict=True))
        self.state = state
        self.seen = time.monotonic()

    def charged(self) -> float:
        """The seconds that its clocks have taken from their players."""
        clock = self.state["clock"]
        return sum(clock["seconds"] - left for left in clock["left"]) if clock else 0.0


class Client(threading.Thread):
    """Plays at some tables until told to stop; a table that is over is followed by another one."""

    def __init__(self, address: str, seed: int, row: Row, lock: threading.Lock) -> None:
        super().__init__(daemon=True)
        self.http = httpx.Client(base_url=address, timeout=_LONGEST)
        self._random = random.Random(seed)
        self._row = row
        self._lock = lock
        self.leaving = threading.Event()
        self.tables: list[Board] = []

    def run(self) -> None:
        """Play."""
        current = [self._open(number) for number in range(_TABLES_EACH)]
        while not self.leaving.is_set():
            for number, table in enumerate(current):
                if self.leaving.is_set():
                    break
                self.take_turn(table)
                if table.finished:
                    current[number] = self._open(number)

    def take_turn(self, table: Board) -> bool:
        """Take a turn at a table if it is one's own; returns whether one was taken."""
        state = table.state
        if not state["mine"]:
            table.see(self._answered("GET", f"/api/tables/{table.id}").json())
            state = table.state
        if state["status"] == "over":
            table.finished = True
        if not state["mine"]:
            return False
        board = state["board"]
        offers = [turn for cell in board["cells"] for turn in cell["offers"]] + turns_in(board["ways"])
        turn = self._random.choice(offers + board["actions"])
        answer = self._answered(
            "POST", f"/api/tables/{table.id}/turns", {"turn": turn, "after": state["seq"]}
        )
        if answer.status_code != 200:
            self._count(refused=1)
            print(f"  refused: {turn} after {state['seq']}: {answer.text[:200]}", file=sys.stderr)
            table.see(self._answered("GET", f"/api/tables/{table.id}").json())
            return False
        table.acknowledged.append(turn)
        told = answer.json()
        self._count(turns=1, took_effect_before=int(told["again"]))
        table.see(told["state"])
        table.finished = table.state["status"] == "over"
        return True

    def _open(self, number: int) -> Board:
        wish: dict[str, Any] = {"seats": [_ME, _BOT if number % 2 else _HERE], "pace": "at-once"}
        if number % 2 == 0:
            wish |= {"clock": _CLOCK, "on_time": "forfeit"}
        before = time.monotonic()
        answer = self._answered("POST", "/api/tables", wish)
        opened = answer.json()
        table = Board(opened["table"], opened["state"], before, time.monotonic())
        self.tables.append(table)
        self._count(tables=1)
        return table

    def _answered(self, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        """The answer to a request, which is sent again and again until there is one."""
        while True:
            try:
                answer = self.http.request(method, path, json=body)
            except httpx.TransportError:
                self._count(resent=1)
                time.sleep(0.05)
                continue
            if answer.status_code < 500:
                return answer
            time.sleep(0.05)

    def _count(self, **more: int) -> None:
        with self._lock:
            for name, number in more.items():
                setattr(self._row, name, getattr(self._row, name) + number)


def killed(kind: str, kills: int, *, clients: int = 6, seed: int = 1, between: int = 200) -> Row:
    """Kill a server on a new ``sqlite`` or ``postgresql`` database so many times, each time after up to ``between``
    more turns, and count what is wrong then."""
    row = Row(kind, kills)
    chance = random.Random(seed)
    with tempfile.TemporaryFile() as log, database(kind) as (url, _), _served(url, log) as server:
        lock = threading.Lock()
        players = [Client(server.address, seed + number, row, lock) for number in range(clients)]
        for player in players:
            player.start()
        for _ in range(kills):
            _wait_for(row, chance.randrange(1, between))
            time.sleep(chance.uniform(0, 0.02))
            row.back_after.append(server.kill())
        _wait_for(row, between)
        for player in players:
            player.leaving.set()
        for player in players:
            player.join(_LONGEST)
        tables = [table for player in players for table in player.tables]
        _see_them_go_on(players, row)
        asyncio.run(_compare(url, tables, row))
        _see_the_clocks(tables, server.away, row)
    return row


def _wait_for(row: Row, turns: int) -> None:
    """Wait until so many more turns are acknowledged, or something is wrong with them."""
    enough = row.turns + turns
    until = time.monotonic() + _LONGEST
    while row.turns < enough:
        if time.monotonic() > until:
            raise RuntimeError("the clients do not go on")
        time.sleep(0.001)


@contextmanager
def _served(url: str, log: IO[bytes]) -> Iterator[Served]:
    server = Served(url, log)
    try:
        yield server
    finally:
        server.stop()


def _see_them_go_on(players: list[Client], row: Row) -> None:
    """Take one more turn at every table that is not over."""
    for player in players:
        for table in player.tables:
            until = time.monotonic() + _LONGEST
            while not table.finished and not player.take_turn(table):
                if time.monotonic() > until:
                    row.stuck += 1
                    break
                time.sleep(0.02)
        player.http.close()


def _see_the_clocks(tables: list[Board], away: list[tuple[float, float]], row: Row) -> None:
    """Hold what the clocks charged against the time in which a server ran."""
    for table in tables:
        down = sum(max(0.0, min(until, table.seen) - max(since, table.opened)) for since, until in away)
        up = table.seen - table.opened - down
        if table.given_back or table.charged() > up + _ROUNDING:
            row.unfair += 1
            print(f"  table {table.id}: charged {table.charged():.3f} s of {up:.3f} s", file=sys.stderr)


async def _compare(url: str, tables: list[Board], row: Row) -> None:
    """Hold what is stored against what was acknowledged."""
    store = Store(url)
    for table in tables:
        stored = [_turn_of(event) for event in await store.load(table.id) if _is_ours(event, table)]
        told = table.acknowledged
        if stored == told:
            continue
        if sorted(stored) == sorted(told):
            row.disordered += 1
        else:
            row.lost += max(0, len(told) - len(stored)) or 1
            row.doubled += max(0, len(stored) - len(told))
        print(f"  table {table.id}: stored {stored}, acknowledged {told}", file=sys.stderr)
    store.close()


def _is_ours(event: Event, table: Board) -> bool:
    return isinstance(event, Came | Played) and event.seat in table.state["you"]


def _turn_of(event: Event) -> str:
    return event.turn if isinstance(event, Played) else "draw"


def main() -> int:
    """Kill servers on the databases asked for, and print one table."""
    parser = argparse.ArgumentParser(prog="script/bench faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    wish = parser.parse_args()
    print(
        "database    kills tables  turns resent before   lost doubled disordered stuck refused unfair  back after"
    )
    faults = 0
    for kind in wish.databases:
        row = killed(kind, wish.kills, clients=wish.clients, seed=wish.seed)
        faults += row.faults
        slowest = max(row.back_after)
        print(
            f"{row.database:<11} {row.kills:5} {row.tables:6} {row.turns:6} {row.resent:6} "
            f"{row.took_effect_before:6} {row.lost:6} {row.doubled:7} {row.disordered:10} {row.stuck:5} "
            f"{row.refused:7} {row.unfair:6} {slowest:9.1f} s",
            flush=True,
        )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
