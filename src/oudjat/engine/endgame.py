"""Exact endgames: what a position of Isis & Osiris is worth when everybody plays perfectly from here on.

All placed values are known; the unseen tiles are equally likely to come in any order. Two players play minimax
over chance (:mod:`oudjat.engine.endgame_two`), three and four max^n (:mod:`oudjat.engine.endgame_many`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from time import perf_counter
from typing import Literal

import numpy as np

from oudjat.engine.alarm import Alarm
from oudjat.engine.compiled import neighbour_masks
from oudjat.engine.endgame_many import ManySearch
from oudjat.engine.endgame_rest import Rest, rest_of, wish
from oudjat.engine.endgame_root import TwoSearch
from oudjat.rules.game import Draw, Turn
from oudjat.rules.isis_osiris import (
    HAND,
    MOST_SEATS,
    TO_MOVE,
    VALUES,
    IsisOsirisPosition,
    Pass,
    PlacePiece,
    PlaceTile,
)

Objective = Literal["margin", "win"]
OBJECTIVES: tuple[Objective, ...] = ("margin", "win")
AT_ONCE = 7
"""With so many free spaces or fewer no thread is worth its start."""

DIGITS = 12
"""Values are told to so many digits after the point; what is beyond is rounding."""

Values = tuple[float, ...]
Part = tuple[int, float, Callable[[], Values]]
"""The number of a turn, the probability of this part of it, and what finds out what it is worth to each seat."""


class OutOfTime(Exception):
    """The limit was reached before the position was solved."""

    def __init__(self, limit: float) -> None:
        super().__init__(f"not solved within {limit:g} s")
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Solution:
    """What perfect play makes of a position.

    ``value`` is what each seat can expect at the end, in seat order: with the objective ``margin`` its own score
    less the best other one, with ``win`` its share of the win. ``best`` holds every turn open to the player to
    move with its value for him, best first. ``states`` were looked at in ``seconds``.
    """

    objective: Objective
    free: int
    value: Values
    best: tuple[tuple[Turn, float], ...]
    states: int
    seconds: float


def solve(
    position: IsisOsirisPosition,
    objective: Objective = "margin",
    *,
    limit: float | None = None,
    jobs: int | None = 1,
) -> Solution:
    """Solve ``position``: perfect play by all, each seat maximizing its own objective.

    ``limit`` is in seconds, None: as long as it takes, 0: nothing is solved. ``jobs`` threads search (None: as many as
    there are processors). Raises :class:`OutOfTime` when the limit is reached, and ValueError for another objective,
    when the game is over, when a placed value is withheld, or when chance has to speak first.

    >>> from oudjat.rules.game import follow_all
    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> turns = (
    ...     "Pd5 +2f4 -2c6 Pd6 Pc1 Pe1 Pf2 -2c5 Pe6 Pa5 Pb4 Pa2 Pa1 -2b3 Pd3 -4f3 Pa4 Pe2 +2c4 +1e5 +2b5 Pd1 -1d2 "
    ...     "Pc2 -3a6 -2a3 -2e4 +2f5 -2e3 Pf1 -1b2 +2d4 +3c3"
    ... )
    >>> solution = solve(follow_all(ISIS_OSIRIS.start(), turns.split()))
    >>> solution.free, [round(value, 4) for value in solution.value], solution.best[0][0].text
    (3, [12.05, -12.05], 'draw')
    """
    if objective not in OBJECTIVES:
        raise ValueError(f"no objective “{objective}”; choose one of: {', '.join(OBJECTIVES)}")
    why_not = _why_not(position)
    if why_not:
        raise ValueError(why_not)
    if limit is not None:
        prepare(position.players)
    began = perf_counter()
    choices = position.choices()
    if choices == (Pass(),):
        after = solve(position.follow(Pass()), objective, limit=limit, jobs=jobs)
        mine = after.value[position.core[TO_MOVE]]
        return replace(after, best=((Pass(), mine),), seconds=perf_counter() - began)
    rest = rest_of(position.core)
    threads = jobs or os.cpu_count() or 1
    win = objective == "win"
    search: TwoSearch | ManySearch = (
        TwoSearch(rest, win=win, threads=threads) if rest.players == 2 else ManySearch(rest, win=win)
    )
    parts = list(_parts(search, rest, choices, position.core[HAND]))
    values = [np.zeros(rest.players) for _ in choices]
    left = None if limit is None else max(0.0, limit - (perf_counter() - began))
    with Alarm(left, search.stop) as alarm:
        for (number, share, _), found in zip(
            parts, _all(parts, len(rest.spaces), threads, search), strict=True
        ):
            values[number] += share * np.array(found)
    if alarm.rang:
        raise OutOfTime(limit or 0.0)
    mover = rest.mover
    told = [tuple(round(worth, DIGITS) + 0.0 for worth in worths.tolist()) for worths in values]
    order = sorted(range(len(choices)), key=lambda number: wish(told[number], mover))
    return Solution(
        objective=objective,
        free=len(rest.spaces),
        value=told[order[0]],
        best=tuple((choices[number], told[number][mover]) for number in order),
        states=search.states,
        seconds=perf_counter() - began,
    )


@cache
def prepare(players: int) -> None:
    """Load what solving needs from the disk cache, so that it does not count against a limit of time."""
    free, two = 7, players == 2
    rest = Rest(
        spaces=tuple(range(free)),
        near=neighbour_masks()[:free] & ((1 << free) - 1),
        sums=np.arange(free),
        beside=np.zeros((free, MOST_SEATS), np.int64),
        players=players,
        shared=0,
        mover=0,
        pieces=(4,) * players,
        tiles=(1,) * players,
        unseen=(0, 0, 0, 1, 1, 0, 0, 0),
        scores=(0,) * players,
    )
    (TwoSearch if two else ManySearch)(rest, win=False).piece(0)


def _why_not(position: IsisOsirisPosition) -> str | None:
    """Why a position cannot be solved, None when it can."""
    if position.withheld:
        return "a placed value is withheld: only what is known can be solved"
    if position.asks == "nothing":
        return "the game is over: there is nothing to solve"
    return "a tile is being turned over: its value comes first" if position.asks == "chance" else None


def _parts(search: TwoSearch | ManySearch, rest: Rest, choices: Sequence[Turn], hand: int) -> Iterator[Part]:
    """What has to be searched for each turn: a draw is searched tile by tile."""
    numbers = {space: number for number, space in enumerate(rest.spaces)}
    for index, turn in enumerate(choices):
        match turn:
            case PlacePiece(space):
                yield index, 1.0, partial(search.piece, numbers[space])
            case PlaceTile(_, space):
                yield index, 1.0, partial(search.tile, hand, numbers[space])
            case Draw():
                for value, held in zip(VALUES, rest.unseen, strict=True):
                    if held:
                        yield index, held / sum(rest.unseen), partial(search.drawn, value)


def _all(parts: Sequence[Part], free: int, threads: int, search: TwoSearch | ManySearch) -> list[Values]:
    """What every part is worth. Searches in threads, so that an interrupt from the keyboard is heard."""
    if free <= AT_ONCE:
        return [find() for _, _, find in parts]
    with ThreadPoolExecutor(threads) as pool:
        try:
            return list(pool.map(lambda part: part[2](), parts))
        except BaseException:
            search.stop()
            raise
