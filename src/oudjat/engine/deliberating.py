"""How the levels that search choose: the exact solver as soon as it fits into the time, tree search before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from time import perf_counter

from oudjat.engine.endgame import OutOfTime, solve
from oudjat.engine.evaluation import LEAST_STAGE
from oudjat.engine.levels import Search
from oudjat.engine.search import search_two
from oudjat.engine.search_many import search_many
from oudjat.engine.thought import Budget, Thought, Weighed
from oudjat.rules.game import Turn
from oudjat.rules.isis_osiris import HAND, IsisOsirisPosition, Pass

SOLVING_TAKES = {6: 0.005, 7: 0.02, 8: 0.1, 9: 0.4, 10: 2.0, 11: 8.0, 12: 30.0}
SOLVING_TAKES_MANY = {4: 0.01, 5: 0.1, 6: 1.0, 7: 10.0}
"""About how many seconds the solver takes by free spaces, for two players and for more."""
SOLVERS_SHARE = 0.6
"""So much of the time is left to the solver before the search has to begin."""
RESERVED = 0.01
"""Seconds kept back for making the tree and putting it away, or a tenth of short times."""
SAME = 1e-9


def deliberate(position: IsisOsirisPosition, search: Search, seed: int, budget: Budget) -> Thought:
    """What a level that searches makes of a position in which there is something to choose and no placed value is
    withheld.

    The share of the win comes first, the margin second. With ``budget.seconds`` it stops in that time; without,
    the same arguments give the same thought.
    """
    began = perf_counter()
    many = position.players > 2
    if position.choices() == (Pass(),) and not many:
        after = deliberate(position.follow(Pass()), search, seed, budget)
        assert after.value is not None
        margin = None if after.margin is None else -after.margin
        return replace(after, turn=Pass(), value=1 - after.value, margin=margin, line=(Pass(), *after.line))
    proven = _proven(position, _solver_time(position, search, budget.seconds, many=many))
    if proven is not None:
        return proven
    playouts, seconds = budget.playouts, budget.seconds
    if playouts is None and seconds is None:
        playouts = search.playouts
    if seconds is not None:
        spare = min(RESERVED, seconds / 10)
        seconds = max(0.001, seconds - (perf_counter() - began) - spare)
    line: tuple[Turn, ...] = ()
    if many:
        turns = tuple(search_many(position.core, playouts, seconds, seed))
        tried = sum(weighed.visits for weighed in turns)
    else:
        looked = search_two(position.core, playouts=playouts, seconds=seconds, seed=seed)
        turns, tried, line = looked.turns, looked.playouts, looked.line
    if search.doubt:
        turns = _doubted(turns, search.doubt, Random(f"{seed} {position.turns} {position.core[HAND]}"))
    best = turns[0]
    if line[:1] != (best.turn,):
        line = (best.turn,)
    return Thought(best.turn, best.value, best.margin, tried, line)


def _doubted(turns: Sequence[Weighed], doubt: float, randomness: Random) -> tuple[Weighed, ...]:
    """The same turns in the order in which somebody ranks them whose values are off by ``doubt`` in an even game, and
    by less the more it is decided."""
    open_still = 4 * turns[0].value * (1 - turns[0].value)
    doubt *= open_still
    ranked = [(weighed.value + randomness.gauss(0, doubt), number) for number, weighed in enumerate(turns)]
    return tuple(turns[number] for _, number in sorted(ranked, reverse=True))


def _solver_time(
    position: IsisOsirisPosition, search: Search, seconds: float | None, *, many: bool
) -> float | None:
    """How long the solver may try: None as long as it takes, 0 not at all."""
    free = position.free_spaces
    if free < LEAST_STAGE:
        return None  # a moment; and a search needs more
    if seconds is None:
        return None if free <= (search.exact_many if many else search.exact) else 0.0
    takes = SOLVING_TAKES_MANY if many else SOLVING_TAKES
    expected = 0.0 if free < min(takes) else takes.get(free, float("inf"))
    limit = seconds * SOLVERS_SHARE
    return limit if expected <= limit else 0.0


def _proven(position: IsisOsirisPosition, limit: float | None) -> Thought | None:
    """The turn that perfect play takes, None when the solver does not get there in ``limit`` seconds."""
    if limit == 0.0:
        return None
    began = perf_counter()
    try:
        wins = solve(position, "win", limit=limit)
        best = [turn for turn, value in wins.best if value >= wins.best[0][1] - SAME]
    except OutOfTime:
        return None
    try:
        left = None if limit is None else max(0.001, limit - (perf_counter() - began))
        margins = solve(position, "margin", limit=left).best
    except OutOfTime:
        return Thought(best[0], wins.best[0][1], None, 0, (best[0],), exact=True)
    turn, margin = next((turn, margin) for turn, margin in margins if turn in best)
    return Thought(turn, wins.best[0][1], margin, 0, (turn,), exact=True)
