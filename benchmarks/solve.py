"""How fast endgames are solved: fixed two-player positions of each size, both objectives, one core and all.

    python -m benchmarks.solve --sizes 6 8 10 --limit 60

Each row runs in a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from statistics import median
from time import perf_counter, process_time

from rich.console import Console
from rich.table import Table

from oudjat.engine.endgame import OBJECTIVES, Objective, OutOfTime, solve
from oudjat.engine.measuring import POSITIONS, SIZES, fixed_positions
from oudjat.rules.isis_osiris import ISIS_OSIRIS

LIMITS = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds that the empty board is tried for, to see how well a limit is kept."""


def row(free: int, count: int, objective: Objective, jobs: int, limit: float) -> dict[str, object]:
    """Solve the positions one after the other: what it took. A position beyond the limit counts with it."""
    solve(fixed_positions(3, 1)[0], objective)
    empty = peak()
    seconds, processor, states, late = [], [], [], 0
    for position in fixed_positions(free, count):
        began, busy = perf_counter(), process_time()
        try:
            states.append(solve(position, objective, limit=limit, jobs=jobs).states)
        except OutOfTime:
            late += 1
        seconds.append(perf_counter() - began)
        processor.append(process_time() - busy)
    return {
        "median": median(seconds), "worst": max(seconds), "processor": median(processor),
        "worst_processor": max(processor), "states": median(states) if states else None,
        "most_states": max(states, default=None), "late": late, "megabytes": peak() - empty,
    }  # fmt: skip


def peak() -> float:
    """The most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def overruns() -> dict[str, dict[float, float]]:
    """By how many percent each limit was passed, for each number of players and objective."""
    found: dict[str, dict[float, float]] = {}
    for players in ISIS_OSIRIS.players:
        for objective in OBJECTIVES:
            solve(fixed_positions(3, 1)[0], objective)
            here = found[f"{players} players, {objective}"] = {}
            for limit in LIMITS:
                began = perf_counter()
                try:
                    solve(ISIS_OSIRIS.start(players), objective, limit=limit)
                except OutOfTime:
                    here[limit] = (perf_counter() - began - limit) / limit * 100
    return found


def main() -> None:
    """Solve and print the tables."""
    parser = argparse.ArgumentParser(description="How fast endgames are solved.")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--count", type=int, default=POSITIONS)
    parser.add_argument("--objectives", nargs="*", default=list(OBJECTIVES))
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one position")
    parser.add_argument("--row", action="store_true", help="one row only, as JSON")
    parser.add_argument("--no-limits", action="store_true", help="do not measure how limits are kept")
    told = parser.parse_args()
    if told.row:
        print(json.dumps(row(told.sizes[0], told.count, told.objectives[0], told.jobs[0], told.limit)))
        return
    console = Console(width=120)
    table = Table(
        "free", "objective", "jobs", "median s", "worst s", "median s of processor", "worst", "states", "most",
        "beyond limit", "MB",
    )  # fmt: skip
    for free in told.sizes:
        for objective in told.objectives:
            for jobs in told.jobs:
                done = subprocess.run(
                    [sys.executable, "-m", "benchmarks.solve", "--row", "--sizes", str(free), "--objectives", objective,
                     "--jobs", str(jobs), "--count", str(told.count), "--limit", str(told.limit)],
                    check=True, capture_output=True, text=True,
                )  # fmt: skip
                found = json.loads(done.stdout)
                cells = [
                    str(free), objective, str(jobs), *(f"{found[key]:.3f}" for key in
                    ("median", "worst", "processor", "worst_processor")),
                    *("–" if found[key] is None else f"{found[key]:,.0f}" for key in ("states", "most_states")),
                    str(found["late"]), f"{found['megabytes']:.0f}",
                ]  # fmt: skip
                print(*cells, file=sys.stderr)
                table.add_row(*cells)
    console.print(table)
    if not told.no_limits:
        kept = Table("overrun in percent at a limit of", *(f"{limit:g} s" for limit in LIMITS))
        for name, percents in overruns().items():
            kept.add_row(name, *(f"{percents[limit]:.1f}" for limit in LIMITS))
        console.print(kept)


if __name__ == "__main__":
    main()
