"""Ramses solved by retrograde analysis: ``oudjat research solve-ramses``.

The result of every placement (:mod:`oudjat.engine.ramses_table`) is worked out from the end backwards, by the number
of turns that are left. Sweep *n* finds all positions that are decided in exactly *n* turns: won, if a turn leads to
a position that is lost in *n* - 1; lost, if all turns lead to positions that are won in at most *n* - 1. What no
sweep decides is a draw: nobody can force an end, and the third repetition ends it (RA-7).

A turn has two halves, and a half-way position is a placement too: 24 moves each instead of 600 whole turns. Where a
piece can go depends only on which spaces are taken, so that is worked out once for each of 319,770 sets.

The limit of 400 turns is not reckoned with: no decided position is that far from its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.ramses_table import PIECES, PLACEMENTS, SPACES, SPLITS, TAKEN, Codes, mirrored
from oudjat.research.ramses_kernels import WON, half_sweep, list_targets, mark_won, state_sweep
from oudjat.rules.ramses import PLACES

BLOCKS = 64
"""Into so many parts a sweep is shared out."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep found: so many positions decided in exactly ``turns`` turns, won and lost."""

    turns: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class Tables:
    """What the sweeps look up: the rank of each set of taken spaces (-1: not eight), each set by its rank, where each
    of the eight pieces can go, the ranks of the splits and the splits by rank."""

    ranks: NDArray[np.int32]
    sets: NDArray[np.int32]
    targets: NDArray[np.int32]
    split_ranks: NDArray[np.int8]
    splits: NDArray[np.int16]


def make_tables() -> Tables:
    """Everything that does not change from sweep to sweep."""
    numbers = np.arange(1 << SPACES, dtype=np.int32)
    counts = np.zeros(1 << SPACES, np.int8)
    for bit in range(SPACES):
        counts += (numbers >> bit & 1).astype(np.int8)
    sets = numbers[counts == PIECES]
    ranks = np.full(1 << SPACES, -1, np.int32)
    ranks[sets] = np.arange(TAKEN, dtype=np.int32)
    small = np.arange(1 << PIECES)
    splits = small[counts[: 1 << PIECES] == PIECES // 2].astype(np.int16)
    split_ranks = np.full(1 << PIECES, -1, np.int8)
    split_ranks[splits] = np.arange(SPLITS, dtype=np.int8)
    targets = np.zeros((TAKEN, PIECES), np.int32)
    list_targets(sets, np.array(PLACES[1:], np.int64), targets)
    return Tables(ranks, sets, targets, split_ranks, splits)


def solve(jobs: int, progress: Callable[[Swept], None] = lambda _: None) -> Codes:
    """The code of every placement, as :func:`~oudjat.engine.ramses_table.write_table` keeps them, worked out by
    ``jobs`` threads; ``progress`` hears of each sweep."""
    tables = make_tables()
    codes, halves = np.zeros(PLACEMENTS, np.int8), np.zeros(PLACEMENTS, np.int8)
    bounds = np.linspace(0, TAKEN, BLOCKS + 1).astype(np.int64)
    blocks = list(pairwise(bounds))
    with ThreadPoolExecutor(jobs) as pool:

        def everywhere(sweep: Callable[..., Any], *given: object) -> Iterator[Any]:
            return pool.map(lambda block: sweep(*block, *given), blocks)

        list(everywhere(mark_won, tables.sets, tables.splits, codes))
        last = 0
        for turns in range(127):
            list(everywhere(half_sweep, turns, *_given(tables), codes, halves))
            found = list(everywhere(state_sweep, turns, *_given(tables), halves, codes))
            won, lost = (sum(int(pair[at]) for pair in found) for at in (0, 1))
            progress(Swept(turns, won, lost))
            if won + lost:
                last = turns
            elif turns > last + 1:
                return _kept(tables, codes)
    raise OverflowError("a position is decided in more turns than eight bits hold")


def _given(tables: Tables) -> tuple[object, ...]:
    return (tables.sets, tables.ranks, tables.targets, tables.splits, tables.split_ranks)


def _kept(tables: Tables, codes: Codes) -> Codes:
    """The codes as a file keeps them: 0 where the mirror image has the smaller number, and where somebody has won."""
    spaces = np.array([[bit for bit in range(SPACES) if taken >> bit & 1] for taken in tables.sets.tolist()])
    images = np.array([mirrored(1 << bit).bit_length() - 1 for bit in range(SPACES)])[spaces]
    ranks = tables.ranks[np.bitwise_or.reduce(1 << images, axis=1)].astype(np.int64)
    order = images.argsort(axis=1).argsort(axis=1)  # the number that each piece has in the image
    kept = codes.copy().reshape(TAKEN, SPLITS)
    for at, split in enumerate(tables.splits.tolist()):
        own = [piece for piece in range(PIECES) if split >> piece & 1]
        image = ranks * SPLITS + tables.split_ranks[np.bitwise_or.reduce(1 << order[:, own], axis=1)]
        kept[image < np.arange(TAKEN) * SPLITS + at, at] = 0
    kept[kept == WON] = 0
    return kept.reshape(-1)
