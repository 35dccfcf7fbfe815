"""How the levels of play stand to each other: whole games on every processor core, seats rotating.

In each match one seat plays the stronger level and all others the weaker one. The fair share of wins is one
half with two players, a third with three, a quarter with four; a shared win counts in parts.

    python -m benchmarks.ladder --games 400
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn
from rich.table import Table

from oudjat.engine.choosing import choose
from oudjat.engine.levels import LEVELS
from oudjat.rules.game import Draw, Position, Turn
from oudjat.rules.isis_osiris import ISIS_OSIRIS, PlaceTile

CHUNK = 10


@dataclass(frozen=True, slots=True)
class Match:
    """One stronger player among weaker ones."""

    stronger: str
    weaker: str
    players: int
    variant: str


def play(levels: Sequence[str], variant: str, seed: int) -> tuple[int, ...]:
    """The scores of one whole game in seat order; ``levels`` by seat, ``seed`` decides tiles and bots."""
    start = ISIS_OSIRIS.start(len(levels), variant=variant)
    luck = ISIS_OSIRIS.luck(Random(seed))
    position: Position = start
    turns: list[Turn] = []
    while position.to_move is not None:
        level = levels[position.to_move - 1]
        turn = choose(start, turns, level, seed)
        if isinstance(turn, Draw):
            came = position.apply(turn).comes(luck)
            turn = choose(start, [*turns, turn, came], level, seed)
            assert isinstance(turn, PlaceTile)
        turns.append(turn)
        position = position.follow(turn)
    assert position.outcome is not None
    assert position.outcome.scores is not None
    return position.outcome.scores


def play_some(match: Match, games: range) -> list[tuple[float, int]]:
    """For each numbered game the stronger one's part of the win and its margin over the best other."""
    results = []
    for number in games:
        seat = number % match.players
        levels = [match.weaker] * match.players
        levels[seat] = match.stronger
        scores = play(levels, match.variant, number)
        best = max(scores)
        others = max(score for other, score in enumerate(scores) if other != seat)
        results.append((scores.count(best) ** -1 if scores[seat] == best else 0.0, scores[seat] - others))
    return results


def matches(names: Sequence[str]) -> Iterator[Match]:
    """Every level against the one below it, at every number of players and in both variants."""
    for weaker, stronger in pairwise(names):
        for variant in ISIS_OSIRIS.variants:
            for players in ISIS_OSIRIS.players:
                yield Match(stronger, weaker, players, variant)


def interval(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval (Wilson) of a share of wins."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


def main() -> None:
    """Play all matches and print the table."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--games", type=int, default=400, help="games a match")
    reader.add_argument("--levels", nargs="+", default=list(LEVELS), choices=list(LEVELS))
    asked = reader.parse_args()
    table = Table("match", "players", "variant", "win share", "95 % interval", "fair", "mean margin")
    console = Console(width=100)
    planned = list(matches(asked.levels))
    with (
        ProcessPoolExecutor(os.cpu_count()) as pool,
        Progress(
            "{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
        ) as bar,
    ):
        task = bar.add_task("games", total=len(planned) * asked.games)
        for match in planned:
            chunks = [range(first, min(first + CHUNK, asked.games)) for first in range(0, asked.games, CHUNK)]
            results: list[tuple[float, int]] = []
            for some in pool.map(play_some, [match] * len(chunks), chunks):
                results += some
                bar.advance(task, len(some))
            share = sum(won for won, _ in results) / len(results)
            low, high = interval(share, len(results))
            table.add_row(
                f"{match.stronger} : {match.weaker}",
                str(match.players),
                match.variant,
                f"{share:.1%}",
                f"{low:.1%} to {high:.1%}",
                f"{1 / match.players:.0%}",
                f"{sum(margin for _, margin in results) / len(results):+.1f}",
            )
    console.print(table)


if __name__ == "__main__":
    main()
