"""How the players of a match stand: wins, margins, and who is how much stronger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite

from oudjat.research.estimates import Blocks, Estimate, elo_of, mean_of, share_of
from oudjat.research.matches import Match, Result


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player of a match did: games won (a shared win in parts), the share of them, and the mean of its
    points less those of the best other, None in games without points."""

    level: str
    wins: float
    share: Estimate
    margin: Estimate | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two players of a match: in what share of the games the first came out ahead of the second (neither counts
    half), and the Elo difference that belongs to it."""

    level: str
    against: str
    share: Estimate
    elo: Estimate


def standings(match: Match, results: Sequence[Result]) -> tuple[Standing, ...]:
    """Each player of the match in the order of ``match.levels``, by the games in ``results``, at least one.

    >>> from oudjat.research.matches import play_game
    >>> match = Match(("novice", "scribe"), games=2)
    >>> [standing.level for standing in standings(match, [play_game(match, 0)])]
    ['novice', 'scribe']
    """
    played = _in_order(results)
    found = []
    for player, level in enumerate(match.levels):
        shares = _blocks(match, played, [result.share(player) for result in played])
        margins = [ahead for result in played if (ahead := result.margin(player)) is not None]
        known = len(margins) == len(played)
        margin = mean_of(_blocks(match, played, margins)) if known else None
        found.append(Standing(level, sum(map(sum, shares)), share_of(shares), margin))
    return tuple(found)


def comparisons(match: Match, results: Sequence[Result]) -> tuple[Comparison, ...]:
    """Every two players of the match, the first named first, by the games in ``results``, at least one."""
    played = _in_order(results)
    found = []
    for one, other in combinations(range(len(match.levels)), 2):
        share = share_of(_blocks(match, played, [result.against(one, other) for result in played]))
        found.append(Comparison(match.levels[one], match.levels[other], share, elo_of(share)))
    return tuple(found)


def _in_order(results: Sequence[Result]) -> list[Result]:
    """By the number of the game, so that sums come out the same whoever was ready first."""
    return sorted(results, key=lambda result: result.number)


def _blocks(match: Match, played: Sequence[Result], gave: Sequence[float]) -> Blocks:
    """What each game gave, block by block."""
    blocks: dict[int, list[float]] = defaultdict(list)
    for result, value in zip(played, gave, strict=True):
        blocks[match.block(result.number)].append(value)
    return list(blocks.values())


def summary(match: Match, results: Sequence[Result], seconds: float) -> dict[str, object]:
    """What ``oudjat match --json`` tells; ``null`` stands for what is infinite, or not there."""
    budget = match.budget
    return {
        "game": match.game,
        "variant": match.variant,
        "players": len(match.levels),
        "games": len(results),
        "movetime": None if budget.seconds is None else round(budget.seconds * 1000),
        "playouts": budget.playouts,
        "seed": match.seed,
        "levels": [
            {
                "level": standing.level,
                "wins": round(standing.wins, 4),
                "share": _number(standing.share.value),
                "interval": _interval(standing.share),
                "margin": standing.margin and _number(standing.margin.value),
                "margin_interval": standing.margin and _interval(standing.margin),
            }
            for standing in standings(match, results)
        ],
        "elo": [
            {
                "level": comparison.level,
                "against": comparison.against,
                "games": len(results),
                "share": _number(comparison.share.value),
                "elo": _number(comparison.elo.value),
                "interval": _interval(comparison.elo),
            }
            for comparison in comparisons(match, results)
        ],
        "seconds": round(seconds, 1),
    }


def _interval(estimate: Estimate) -> list[float | None]:
    return [_number(estimate.low), _number(estimate.high)]


def _number(value: float) -> float | None:
    return round(value, 4) if isfinite(value) else None
