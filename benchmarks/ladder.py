"""How the levels of play stand to each other, and the strongest to plain UCT: the matches of docs/engine.md.

Each line is what ``oudjat match`` says of the same match. With three and four players one seat plays the stronger
level and the others the weaker one; the fair share of wins is then a third or a quarter.

    python -m benchmarks.ladder --games 400
    python -m benchmarks.ladder --game senet --games 200
    python -m benchmarks.ladder --only uct --games 200 --movetime 100
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn
from rich.table import Table

from oudjat.engine.levels import LEVELS
from oudjat.engine.thought import Budget
from oudjat.research.matches import Match
from oudjat.research.standings import comparisons, standings
from oudjat.research.workers import play_match
from oudjat.rules.isis_osiris import ISIS_OSIRIS
from oudjat.rules.registry import GAMES

STRONGEST = list(LEVELS)[-1]


def ladder(
    games: int, names: Sequence[str], players: Sequence[int], variants: Sequence[str], game: str
) -> Iterator[Match]:
    """Every level against the one below it."""
    for weaker, stronger in pairwise(names):
        for variant in variants:
            for seats in players:
                yield Match((stronger, *[weaker] * (seats - 1)), games, game, variant)


def against_uct(games: int, movetime: int) -> Iterator[Match]:
    """The strongest level against plain UCT in equal time."""
    yield Match((STRONGEST, "uct"), games, budget=Budget(movetime / 1000))


def main() -> None:
    """Play all matches and print the table."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--games", type=int, default=400, help="games a match")
    reader.add_argument("--only", choices=["levels", "uct"], default=None)
    reader.add_argument("--movetime", type=int, default=100, help="milliseconds a decision against UCT")
    reader.add_argument("--levels", nargs="+", default=list(LEVELS), choices=list(LEVELS))
    reader.add_argument("--game", default=ISIS_OSIRIS.id, choices=list(GAMES))
    reader.add_argument("--players", nargs="+", type=int, default=[2])
    reader.add_argument("--variants", nargs="+", default=["normal"], choices=list(ISIS_OSIRIS.variants))
    asked = reader.parse_args()
    planned: list[Match] = []
    if asked.only != "uct":
        planned += ladder(asked.games, asked.levels, asked.players, asked.variants, asked.game)
    if asked.only != "levels" and asked.game == ISIS_OSIRIS.id:
        planned += against_uct(min(asked.games, 200), asked.movetime)
    table = Table("match", "variant", "games", "win share", "95 % interval", "Elo", "mean margin")
    console = Console(width=110)
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        for match in planned:
            task = bar.add_task(" : ".join(match.levels), total=match.games)
            results = []
            for result in play_match(match, os.cpu_count() or 1):
                results.append(result)
                bar.advance(task)
            first, compared = standings(match, results)[0], comparisons(match, results)[0]
            table.add_row(
                " : ".join(match.levels),
                match.variant,
                str(match.games),
                f"{first.share.value:.1%}",
                f"{first.share.low:.1%} to {first.share.high:.1%}",
                f"{compared.elo.value:+.0f}",
                f"{first.margin.value:+.1f}" if first.margin else "",
            )
    console.print(table)


if __name__ == "__main__":
    main()
