"""How long a bot thinks, how long its first turn takes in a fresh process, and random games a second.

python -m benchmarks.speed
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter

from rich.console import Console
from rich.table import Table

from benchmarks.replay import random_record
from oudjat.engine.choosing import choose
from oudjat.engine.levels import LEVELS
from oudjat.engine.measuring import FIRST_MOVE, in_a_fresh_process
from oudjat.engine.playouts import random_games
from oudjat.engine.warm import warm
from oudjat.records import read_records, replay
from oudjat.rules.isis_osiris import ISIS_OSIRIS

GAMES = 10
RANDOM_GAMES = 3_000_000


def thinking(level: str) -> list[float]:
    """Seconds for each decision of a level along random games, the game's history included."""
    took = []
    for number in range(GAMES):
        record = next(iter(read_records(random_record(Random(number)))))
        if isinstance(record, Exception):
            raise record
        start = replay(record).positions[0]
        turns = [ISIS_OSIRIS.read(text) for text in record.turns]
        for count in range(len(turns)):
            began = perf_counter()
            choose(start, turns[:count], level, seed=number)
            took.append(perf_counter() - began)
    return took


def main() -> None:
    """Measure all of it and print one table."""
    warm(Console(stderr=True, highlight=False))
    table = Table("what", "median", "worst")
    for level in LEVELS:
        took = thinking(level)
        table.add_row(f"a turn of {level}", f"{median(took) * 1000:.1f} ms", f"{max(took) * 1000:.1f} ms")
    fresh = [in_a_fresh_process(FIRST_MOVE.format(level=level)) for _ in range(5)]
    table.add_row(
        f"first turn of {level} in a fresh process", f"{median(fresh):.2f} s", f"{max(fresh):.2f} s"
    )
    for players in ISIS_OSIRIS.players:
        rates = []
        for seed in range(3):
            began = perf_counter()
            random_games(seed, RANDOM_GAMES, players)
            rates.append(RANDOM_GAMES / (perf_counter() - began))
        table.add_row(
            f"random games a second, {players} players", f"{median(rates):,.0f}", f"{min(rates):,.0f}"
        )
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
