"""``script/bench load [RUN ...] [options]``: prints one table of what was measured."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

import uvloop

from benchmarks.load.house import allow_many_files
from benchmarks.load.rows import Row
from benchmarks.load.runs import RUNS, Wish

_SHORT = ("paced", "saturated")


def _wishes() -> argparse.Namespace:
    reader = argparse.ArgumentParser(prog="script/bench load", description=__doc__)
    reader.add_argument(
        "runs", nargs="*", metavar="RUN", help=f"{', '.join(RUNS)} (by default: {' '.join(_SHORT)})"
    )
    reader.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="sqlite")
    reader.add_argument(
        "--views", choices=("full", "none", "both"), default="full", help="whole views, or lean"
    )
    reader.add_argument("--seconds", type=float, help="how long is measured")
    reader.add_argument("--tables", type=int, help="how many tables (idle: streams)")
    reader.add_argument("--rate", type=float, help="turns a second of all tables (paced, grow)")
    reader.add_argument("--turns", type=int, help="how many turns (soak)")
    reader.add_argument(
        "--refused", type=int, default=50, help="one turn in so many follows a wrong one; 0: none"
    )
    reader.add_argument("--repeat", type=int, default=1, help="each run so many times")
    reader.add_argument(
        "--profile", type=Path, help="cProfile of the thread that serves, written to this file"
    )
    reader.add_argument("--json", type=Path, help="also write every row to this file")
    reader.add_argument("--option", action="append", default=[], help="passed on to oudjat serve")
    return reader.parse_args()


def _print(row: Row) -> None:
    def four(times: dict[str, float]) -> str:
        return " ".join(f"{times[name]:7.2f}" for name in ("p50", "p95", "p99", "max")) if times else 31 * " "

    print(
        f"{row.run:11} {row.database:10} {row.views:5} {row.tables:6} {row.turns:7} {row.turns_a_second:7.0f} "
        f"{four(row.others)} {four(row.acknowledged)} {row.server_us:7.0f} {row.database_us:7.0f} "
        f"{row.client_us:7.0f} {row.megabytes:6.0f} {row.refused:6} {row.late:5} {row.checked_turns:8}"
    )
    if row.said:
        print(f"  {row.said}")
    sys.stdout.flush()


def main() -> int:
    wished = _wishes()
    unknown = [run for run in wished.runs if run not in RUNS]
    if unknown:
        print(f"There is no run “{unknown[0]}”; there is: {', '.join(RUNS)}.", file=sys.stderr)
        return 2
    allow_many_files()
    print(f"{os.cpu_count()} processors shared by server and client; load before: {os.getloadavg()[0]:.1f}")
    print(
        f"{'run':11} {'database':10} {'views':5} {'tables':>6} {'turns':>7} {'turns/s':>7} "
        f"{'to the other player: p50 p95 p99 max ms':31} {'to the acknowledgement: the same':31} "
        f"{'server':>7} {'databas':>7} {'client':>7} {'MB':>6} {'refused':>6} {'late':>5} {'checked':>8}"
    )
    rows: list[Row] = []
    kinds = ("sqlite", "postgresql") if wished.database == "both" else (wished.database,)
    views = (False, True) if wished.views == "both" else (wished.views == "none",)
    for run in wished.runs or _SHORT:
        for kind in kinds:
            for lean in views:
                for _ in range(wished.repeat):
                    wish = Wish(
                        kind,
                        lean,
                        seconds=wished.seconds,
                        tables=wished.tables,
                        rate=wished.rate,
                        turns=wished.turns,
                        refused=wished.refused,
                        profile=wished.profile,
                        options=tuple(wished.option),
                    )
                    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                        found = runner.run(RUNS[run](wish))
                    for row in found:
                        _print(row)
                    rows += found
    if wished.json:
        wished.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
