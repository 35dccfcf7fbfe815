"""Real servers for tests: processes of their own on the loopback, each on a database of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx
from benchmarks.load.house import Port

from oudjat.rules.views import turns_in
from tests.databases import Database
from tests.timing import PATIENCE

_OUDJAT = Path(sys.executable).with_name("oudjat")


QUICK_ANALYSES = """
import oudjat.house.analyses as found
found.A_THOUGHT, found.A_SOLUTION, found.NICENESS = 0.003, 0.02, 0
"""
"""For a server's ``beforehand``: games are analysed with little thought."""


def hears_interrupts() -> None:
    """In a child process before it begins: an interrupt from the keyboard reaches it, also where the tests
    themselves were started in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Server:
    """An ``oudjat serve`` process; ``url`` is its address without the last slash.

    A path is an SQLite file. Its port is kept for it while it does not run, until nobody knows it any more. ``options``
    go to the program, ``environment`` to its process. ``beforehand`` is Python that runs there before the program does,
    as to let it wait for other times than it would by itself.
    """

    def __init__(
        self,
        database: Database | Path,
        port: int = 0,
        *options: str,
        environment: Mapping[str, str] = MappingProxyType({}),
        beforehand: str = "",
    ) -> None:
        self.database = Database.file(database) if isinstance(database, Path) else database
        self.log = self.database.log
        self._port = Port(port)
        self.port = self._port.number
        self._options = options
        self._environment = environment
        self._beforehand = beforehand
        program: list[str | Path] = [_OUDJAT]
        if beforehand:
            program = [sys.executable, "-c", f"{beforehand}\nfrom oudjat.cli import main\nmain()"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*program, "serve", "--port", str(self.port), "--database", self.database.url, *options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"LANG": "C.UTF-8", "OUDJAT_LIMITS": "off"} | dict(environment),
            )
        _SERVERS.append(self)
        assert self.process.stdout
        self.url = self.process.stdout.readline().strip().rstrip("/")
        assert self.url.startswith("http://"), self.log.read_text()
        assert self.url.endswith(f":{self.port}")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Stop it as a person would, and return its exit status."""
        self.process.send_signal(number)
        return self._ended()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self._ended()

    def _ended(self) -> int:
        status = self.process.wait(PATIENCE)
        if self in _SERVERS:
            _SERVERS.remove(self)
        if self.process.stdout:
            self.process.stdout.close()
        return status

    def again(self) -> Server:
        """A new server at the same address on the same database."""
        return Server(
            self.database,
            self.port,
            *self._options,
            environment=self._environment,
            beforehand=self._beforehand,
        )


class Player:
    """A program that plays by the API, with a token of its own."""

    def __init__(self, url: str, language: str = "en") -> None:
        _PLAYERS.append(self)
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, headers={"accept-language": language})
        self.table = ""

    def open(self, *seats: dict[str, str], **wish: Any) -> dict[str, Any]:
        answer = self.http.post("/api/tables", json={"seats": list(seats), "pace": "at-once", **wish})
        assert answer.status_code == 201, answer.text
        opened: dict[str, Any] = answer.json()
        self.table = opened["table"]
        return opened

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get(f"/api/tables/{self.table}").json()
        return found

    def submit(self, turn: str, after: int | None = None) -> httpx.Response:
        after = self.state()["seq"] if after is None else after
        return self.http.post(f"/api/tables/{self.table}/turns", json={"turn": turn, "after": after})

    def wait_for_turn(self) -> dict[str, Any]:
        """The table when this player is to move, or the game is over."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            state = self.state()
            if state["mine"] or state["status"] == "over":
                return state
            time.sleep(0.02)
        raise AssertionError("the others do not play")

    def play_out(self, *, tiles_first: bool = False) -> dict[str, Any]:
        """Play the first turn offered until the game is over."""
        while (state := self.wait_for_turn())["status"] != "over":
            actions = state["board"]["actions"]
            turn = actions[0] if actions and tiles_first else legal(state)
            answer = self.submit(turn, state["seq"])
            assert answer.status_code == 200, answer.text
        return state

    def events(self, last: int | None = None) -> Iterator[dict[str, Any]]:
        """The stream, from the event after ``last``."""
        headers = {} if last is None else {"last-event-id": str(last)}
        with self.http.stream("GET", f"/api/tables/{self.table}/events", headers=headers) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            number = ""
            for line in stream.iter_lines():
                if line.startswith("id: "):
                    number = line[4:]
                elif line.startswith("data: ") and number:
                    told = json.loads(line[6:])
                    assert told["seq"] == int(number)
                    number = ""
                    yield told


_SERVERS: list[Server] = []
_PLAYERS: list[Player] = []


def send_players_home() -> None:
    """Close the connections of all players; each test's are closed after it."""
    while _PLAYERS:
        _PLAYERS.pop().http.close()


def running_servers() -> list[Server]:
    """The servers that nobody has stopped, in the order in which they were started."""
    return [*_SERVERS]


def legal(state: dict[str, Any]) -> str:
    """The first turn that a table offers on its board, else the first action."""
    board = state["board"]
    on_board = [turn for cell in board["cells"] for turn in cell["offers"]] + turns_in(board["ways"])
    found: str = (on_board + board["actions"])[0]
    return found
