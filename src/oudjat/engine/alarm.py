"""What ends a compiled search when its time is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Self


class Alarm:
    """While it is entered, ``stop`` is called from another thread once ``seconds`` are over; None: never; 0: before
    anything else, so that it does not depend on the machine what is done in no time.

    >>> stopped = []
    >>> with Alarm(None, lambda: stopped.append(True)) as alarm:
    ...     pass
    >>> alarm.rang, stopped
    (False, [])
    >>> with Alarm(0, lambda: stopped.append(True)) as alarm:
    ...     alarm.rang, stopped
    (True, [True])
    """

    def __init__(self, seconds: float | None, stop: Callable[[], None]) -> None:
        self.rang = False
        self._stop = stop
        self._at_once = seconds is not None and seconds <= 0
        self._timer = None if seconds is None or self._at_once else threading.Timer(seconds, self._ring)

    def _ring(self) -> None:
        self.rang = True
        self._stop()

    def __enter__(self) -> Self:
        if self._at_once:
            self._ring()
        elif self._timer:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None  # it holds this alarm, which holds what it stops
