"""Several processes that serve at one address, and the one that watches over them."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.connection
import os
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from prometheus_client.multiprocess import mark_process_dead

_SPAWN = multiprocessing.get_context("spawn")
_STEADY = 10.0  # seconds; who has lived so long did not die of how he was started
_WAITS = (0.0, 0.5, 1.0, 2.0, 5.0, 15.0)  # seconds before a worker is replaced, after so many deaths in a row
_LAST_WAIT = 10.0  # seconds that workers have to end before they are killed

_LOG = logging.getLogger(__name__)

Work = Callable[[socket.socket, Callable[[], None]], None]
"""What a worker does: serve what comes in at a socket until it is told to stop, and say when it is ready."""


@dataclass(slots=True, eq=False)
class _Worker:
    process: SpawnProcess
    ready: Connection
    began: float


class Workers:
    """``number`` processes that do ``work`` at ``listener``. ``announce`` is called once, when all are ready."""

    def __init__(
        self, number: int, listener: socket.socket, work: Work, announce: Callable[[], None]
    ) -> None:
        self._number = number
        self._listener = listener
        self._work = work
        self._announce: Callable[[], None] | None = announce
        self._workers: list[_Worker] = []
        self._ready: set[_Worker] = set()
        self._deaths = 0
        self._due: list[float] = [0.0] * number  # when those who are missing are to be started
        self._stopping = False
        self._figures = ""
        self._bell, self._ringer = socket.socketpair()

    def run(self) -> int:
        """Keep the workers going until told to stop; returns the exit status: 1 when none could begin."""
        self._figures = tempfile.mkdtemp(prefix="oudjat-metrics-")
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = self._figures  # where the workers add up what they count
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        try:
            while not self._stopping:
                self._start_missing()
                self._wait()
                if self._announce and self._deaths >= len(_WAITS):
                    _LOG.error("No worker process could begin.")
                    return 1
            return 0
        finally:
            self._listener.close()  # who comes now is told that nobody is here
            self._end_all()
            shutil.rmtree(self._figures, ignore_errors=True)

    def _stop(self, _number: int, _frame: object) -> None:
        self._stopping = True
        self._ringer.send(b"!")

    def _start_missing(self) -> None:
        now = time.monotonic()
        for due in [due for due in self._due if due <= now]:
            self._due.remove(due)
            here, there = _SPAWN.Pipe(duplex=False)
            process = _SPAWN.Process(target=_begin, args=(self._work, self._listener, there))
            process.start()
            there.close()
            self._workers.append(_Worker(process, here, now))

    def _wait(self) -> None:
        """Wait until something happens: a worker is ready, or has died, or is to be started, or all are to stop."""
        watched: list[int | socket.socket | Connection] = [self._bell]
        for worker in self._workers:
            watched.append(worker.process.sentinel)
            if worker not in self._ready:
                watched.append(worker.ready)
        next_start = min(self._due) - time.monotonic() if self._due else None
        happened = multiprocessing.connection.wait(watched, next_start and max(0.0, next_start))
        for worker in list(self._workers):
            if worker.ready in happened and worker not in self._ready:
                self._is_ready(worker)
            if worker.process.sentinel in happened:
                self._has_died(worker)

    def _is_ready(self, worker: _Worker) -> None:
        with suppress(EOFError):  # he died before
            worker.ready.recv_bytes()
            self._ready.add(worker)
            if self._announce and len(self._ready) == self._number:
                self._announce()
                self._announce = None

    def _has_died(self, worker: _Worker) -> None:
        self._forget(worker)
        if self._stopping:
            return
        self._deaths = self._deaths + 1 if time.monotonic() - worker.began < _STEADY else 0
        wait = _WAITS[min(self._deaths, len(_WAITS) - 1)]
        _LOG.error(
            "Worker process %s died (%s); another one takes its place in %.1f s.",
            worker.process.pid,
            _how(worker.process.exitcode),
            wait,
        )
        self._due.append(time.monotonic() + wait)

    def _forget(self, worker: _Worker) -> None:
        worker.process.join()
        worker.ready.close()
        self._workers.remove(worker)
        self._ready.discard(worker)
        if worker.process.pid:
            mark_process_dead(worker.process.pid, self._figures)  # type: ignore[no-untyped-call]

    def _end_all(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        until = time.monotonic() + _LAST_WAIT
        for worker in list(self._workers):
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                _LOG.error("Worker process %s does not end and is killed.", worker.process.pid)
                worker.process.kill()
            self._forget(worker)


def _how(exit_code: int | None) -> str:
    return f"signal {-exit_code}" if exit_code is not None and exit_code < 0 else f"exit status {exit_code}"


def _begin(work: Work, listener: socket.socket, ready: Connection) -> None:
    """In a worker: do the work, and stop when the one who watches is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_stop_with, args=(parent.sentinel,), daemon=True).start()

    def say_ready() -> None:
        with suppress(OSError):
            ready.send_bytes(b"!")

    work(listener, say_ready)


def _stop_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_LAST_WAIT)  # nobody is left who would kill a process that does not end
    os._exit(1)
