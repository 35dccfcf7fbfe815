"""The games of a match on all processor cores, in worker processes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection

from oudjat.research.matches import Match, Result, play_game

_AHEAD = 2
"""So many games a worker wait in line, so that none is idle."""


def play_match(match: Match, jobs: int) -> Generator[Result, None, None]:
    """Play a match with ``jobs`` games at a time; gives each game as soon as it is over, in any order.

    Closing the generator early stops the games that are being played, as does the end of this process, however
    it comes. Raises :class:`concurrent.futures.process.BrokenProcessPool` when a worker dies.
    """
    context = get_context("spawn")
    line, end = context.Pipe(duplex=False)  # nothing is ever said on it: workers wait for its end
    pool = ProcessPoolExecutor(
        min(jobs, match.games), mp_context=context, initializer=_begin, initargs=(line,)
    )
    numbers = iter(range(match.games))
    waiting: set[Future[Result]] = set()
    try:
        for number in islice(numbers, _AHEAD * jobs):
            waiting.add(pool.submit(play_game, match, number))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for number in islice(numbers, len(done)):
                waiting.add(pool.submit(play_game, match, number))
            for future in done:
                yield future.result()
        pool.shutdown()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        end.close()
        line.close()


def _begin(line: Connection) -> None:
    """In a worker: leave Ctrl-C to the process that plays the match, and end when it closes the line or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: Connection) -> None:
    line.poll(None)
    os._exit(0)
