"""Worker processes in which the bots think, and whatever else takes long: the event loop never waits for it."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from oudjat.rules.game import Position, Turn

_LOG = logging.getLogger(__name__)
_TRIES = 5
_T = TypeVar("_T")
_GOODBYE = 5.0  # seconds


class Thinkers:
    """A pool of ``workers`` processes, which let others go first by so much ``niceness``. A worker that dies is
    replaced, and its thought begun anew."""

    def __init__(self, workers: int, niceness: int = 0) -> None:
        self._workers = workers
        self._niceness = niceness
        self._closed = False
        self._pool = self._new_pool()
        for _ in range(workers):
            self._pool.submit(_ready)  # start and import before the first turn is due

    async def choose(self, start: Position, steps: tuple[Turn, ...], level: str, seed: int) -> Turn:
        """What the bot does next; see ``engine.choosing.choose``. Raises RuntimeError when workers keep dying."""
        return await self.run(_choose, start, steps, level, seed)

    async def run(self, work: Callable[..., _T], *given: Any) -> _T:
        """What ``work`` makes of what it is given, in a worker. Raises RuntimeError when workers keep dying."""
        loop = asyncio.get_running_loop()
        for _ in range(_TRIES):
            pool = self._pool
            try:
                return await loop.run_in_executor(pool, work, *given)
            except asyncio.CancelledError:
                if not self._closed or _is_cancelled():
                    raise
                break  # what had not begun when the pool was closed
            except BrokenProcessPool:
                if self._closed:
                    break
                _LOG.warning("A worker process died; it is replaced.")
                if self._pool is pool:  # the first of those who waited replaces it
                    self._pool = self._new_pool()
                    pool.shutdown(wait=False)
        raise RuntimeError("the bots' worker processes die again and again")

    def close(self, patience: float = _GOODBYE) -> None:
        """Stop the workers, which have some seconds to end the thoughts that they are at; the others are dropped. Who
        is not done then is killed: the program would wait for him at its end."""
        self._closed = True
        processes = list((getattr(self._pool, "_processes", None) or {}).values())
        ending = threading.Thread(target=self._pool.shutdown, kwargs={"cancel_futures": True}, daemon=True)
        ending.start()
        ending.join(patience)
        for process in processes:
            if process.is_alive():
                process.kill()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(self._niceness,),
        )


def _is_cancelled() -> bool:
    """Whether somebody wants this task to end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _begin(niceness: int) -> None:
    """In a worker: let others go first, leave Ctrl-C to the server, and end when that is gone, however it went."""
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(0)


def _ready() -> None:
    """In a worker: load what thinking needs, from the disk cache."""
    import oudjat.engine.choosing  # noqa: F401


def _choose(start: Position, steps: tuple[Turn, ...], level: str, seed: int) -> Turn:
    from oudjat.engine.choosing import choose

    return choose(start, steps, level, seed)
