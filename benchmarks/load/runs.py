"""The measurements: each starts a house of its own, plays, checks every table, and tells what it saw."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.load import peer
from benchmarks.load.crowd import Crowd
from benchmarks.load.house import House, running
from benchmarks.load.playing import Manner
from benchmarks.load.rows import Row, percentiles
from benchmarks.load.wire import Stream, Wire

_BEATS = 20.0
"""Seconds in which every silent stream gets a heartbeat."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked of the runs; None where a run has its own default. ``warm``: seconds before anything is
    counted."""

    database: str
    lean: bool
    seconds: float | None = None
    tables: int | None = None
    rate: float | None = None
    turns: int | None = None
    refused: int = 50
    warm: float = 3.0
    profile: Path | None = None
    options: tuple[str, ...] = ()

    def row(self, run: str, tables: int) -> Row:
        return Row(run, self.database, "none" if self.lean else "full", tables)

    def running(self, processes: int = 1) -> AbstractContextManager[House]:
        return running(self.database, *self.options, processes=processes, profile=self.profile)


async def played(
    run: str,
    wish: Wish,
    *,
    tables: int,
    rate: float | None,
    seconds: float | None,
    turns: int | None = None,
    processes: int = 1,
) -> Row:
    """Play at a house of its own for so many seconds or turns after a warm-up, and check every table."""
    row = wish.row(run, tables)
    with wish.running(processes) as house:
        crowd = Crowd(house.ports, Manner(wish.lean, wish.refused), rate=rate)
        await crowd.open(tables)
        crowd.play()
        await crowd.until(seconds=wish.warm)
        await measure(row, house, crowd, seconds=seconds, turns=turns)
        await crowd.stop()
        row.checked_turns = crowd.figures.checked_turns
        crowd.leave()
    return row


async def measure(
    row: Row, house: House, crowd: Crowd, *, seconds: float | None, turns: int | None = None
) -> None:
    """Let the crowd go on for so long, and note what it saw and what that cost."""
    figures = crowd.figures
    figures.counting = True
    began = time.perf_counter()
    used = house.processor_seconds(), house.database_seconds(), time.process_time()
    await crowd.until(seconds=seconds, turns=turns)
    figures.counting = False
    took = time.perf_counter() - began
    now = house.processor_seconds(), house.database_seconds(), time.process_time()
    row.turns = figures.turns
    row.turns_a_second = figures.turns / took
    row.others = percentiles(figures.others)
    row.acknowledged = percentiles(figures.acknowledged)
    row.server_us, row.database_us, row.client_us = (
        (after - before) / max(1, figures.turns) * 1e6 for before, after in zip(used, now, strict=True)
    )
    row.megabytes = house.megabytes()
    row.refused = figures.refused
    row.late = figures.late
    row.finished = figures.finished


async def paced(wish: Wish) -> list[Row]:
    """200 tables that take 200 turns a second together."""
    tables, rate = wish.tables or 200, wish.rate or 200.0
    return [await played("paced", wish, tables=tables, rate=rate, seconds=wish.seconds or 20)]


async def paced_1000(wish: Wish) -> list[Row]:
    """1,000 tables with 2,000 streams that take 300 turns a second together."""
    tables, rate = wish.tables or 1000, wish.rate or 300.0
    return [await played("paced-1000", wish, tables=tables, rate=rate, seconds=wish.seconds or 60)]


async def saturated(wish: Wish) -> list[Row]:
    """500 tables, each as fast as its players hear of each other's turns."""
    return [await played("saturated", wish, tables=wish.tables or 500, rate=None, seconds=wish.seconds or 15)]


async def two(wish: Wish) -> list[Row]:
    """The same with two processes on one PostgreSQL: two workers at one address, then two servers with the players of
    each table at different ones."""
    if wish.database != "postgresql":
        return []
    tables, seconds = wish.tables or 500, wish.seconds or 15
    workers = replace(wish, options=(*wish.options, "--workers", "2"))
    return [
        await played("2 workers", workers, tables=tables, rate=None, seconds=seconds),
        await played("2 servers", wish, tables=tables, rate=None, seconds=seconds, processes=2),
    ]


async def beside(wish: Wish) -> list[Row]:
    """boardgame.io in the same two ways, and nothing where it cannot be installed."""
    if wish.database != "sqlite" or wish.lean:
        return []
    try:
        return [
            await asyncio.to_thread(peer.played, run, tables=tables, rate=rate, seconds=wish.seconds or 15)
            for run, tables, rate in (("peer-paced", 200, 200.0), ("peer-satur.", 500, 0.0))
        ]
    except peer.NoPeer as error:
        print(f"The peer is not measured: {error}.")
        return []


async def soak(wish: Wish) -> list[Row]:
    """500,000 turns at 500 tables."""
    tables, turns = wish.tables or 500, wish.turns or 500_000
    return [await played("soak", wish, tables=tables, rate=None, seconds=wish.seconds, turns=turns)]


async def grow(wish: Wish) -> list[Row]:
    """The same turns a second at more and more tables."""
    return [
        await played(
            f"grow-{tables}", wish, tables=tables, rate=wish.rate or 200.0, seconds=wish.seconds or 10
        )
        for tables in (10, 50, 200, 500, 1000)
    ]


async def memory(wish: Wish) -> list[Row]:
    """What 1,000 running tables take, and what is left when all are over and everybody has gone."""
    tables = wish.tables or 1000
    row = wish.row("memory", tables)
    with wish.running() as house:
        empty = house.megabytes()
        crowd = Crowd(house.ports, Manner(wish.lean, wish.refused), rate=None, replace=False)
        await crowd.open(tables)
        opened = house.megabytes()
        crowd.play()
        await measure(row, house, crowd, seconds=10)
        playing = house.megabytes()
        await crowd.until()
        await crowd.stop()
        crowd.leave()
        await asyncio.sleep(5)
        row.megabytes = playing
        row.checked_turns = crowd.figures.checked_turns
        row.said = (
            f"empty {empty:.0f} MB, {tables} tables opened {opened:.0f} MB, in play {playing:.0f} MB, "
            f"all over and left {house.megabytes():.0f} MB"
        )
    return [row]


async def idle(wish: Wish) -> list[Row]:
    """10,000 silent streams in one process: spectators of 100 tables."""
    streams, tables = wish.tables or 10_000, 100
    row = wish.row("idle", tables)
    with wish.running() as house:
        crowd = Crowd(house.ports, Manner(wish.lean, 0), rate=None)
        await crowd.open(tables)
        before = house.megabytes()
        wire = Wire(house.ports[0])
        held: list[Stream] = []
        alive = 0
        all_here = asyncio.Event()

        def hear(seq: int, _data: bytes) -> None:
            nonlocal alive
            alive += 1 if seq > 0 else -1
            if alive == streams - 2 * tables:
                all_here.set()

        for number in range(streams - 2 * tables):
            match = list(crowd.matches)[number % tables]
            held.append(await wire.follow(wire.request("GET", f"/api/tables/{match.id}/events"), hear))
        async with asyncio.timeout(60):
            await all_here.wait()
        used = house.processor_seconds()
        await asyncio.sleep(_BEATS)
        row.megabytes = house.megabytes()
        busy = (house.processor_seconds() - used) / _BEATS
        row.said = (
            f"{streams} streams: {before:.0f} MB before, {row.megabytes:.0f} MB with them "
            f"({(row.megabytes - before) * 1024 / len(held):.0f} kB each), {alive} alive after {_BEATS:.0f} s, "
            f"{busy:.1%} of a processor for the silence"
        )
        crowd.leave()
        for stream in held:
            stream.close()
    return [row]


RUNS: dict[str, Callable[[Wish], Coroutine[Any, Any, list[Row]]]] = {
    "paced": paced,
    "paced-1000": paced_1000,
    "saturated": saturated,
    "two": two,
    "peer": beside,
    "soak": soak,
    "memory": memory,
    "idle": idle,
    "grow": grow,
}
