"""How tests ask whether something keeps to its time on a machine that has other things to do as well."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which a test gives up waiting: far more than anything takes, on a machine that stalls too."""


def quickest(action: Callable[[], object], enough: float, seconds: float = 30.0) -> float:
    """The seconds that ``action`` took at its quickest, tried again until it took no more than ``enough``, for so many
    ``seconds`` and at least 8 times: whatever else the machine does can only add to them."""
    took, tries = float("inf"), 0
    until = time.monotonic() + seconds
    while took > enough and (tries < 8 or time.monotonic() < until):
        began = time.perf_counter()
        action()
        took = min(took, time.perf_counter() - began)
        tries += 1
    return took


def wait_until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait until something holds; fails saying ``what`` when it never does."""
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.02)


async def until(holds: Callable[[], object], what: str) -> None:
    """Let the loop go on until something holds; fails saying ``what`` when it never does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        await asyncio.sleep(0.005)
