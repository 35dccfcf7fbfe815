"""What ends a compiled search when its time is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Self


class Alarm:
    """While it is entered, ``stop`` is called from another thread once ``seconds`` are over; None: never.

    >>> stopped = []
    >>> with Alarm(None, lambda: stopped.append(True)) as alarm:
    ...     pass
    >>> alarm.rang, stopped
    (False, [])
    """

    def __init__(self, seconds: float | None, stop: Callable[[], None]) -> None:
        self.rang = False
        self._stop = stop
        self._timer = None if seconds is None else threading.Timer(seconds, self._ring)

    def _ring(self) -> None:
        self.rang = True
        self._stop()

    def __enter__(self) -> Self:
        if self._timer:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None  # it holds this alarm, which holds what it stops
