"""The compiled part of the retrograde analysis of Ramses; see :mod:`oudjat.research.ramses`.

Pieces are numbered from 0 to 7 in the order of the spaces on which they stand; a *split* says which of them are the
mover's. Codes are those of :mod:`oudjat.engine.ramses_table`; of a half-way position they tell the result for the
player who has made the first half. ``NO_TURN`` marks half-way positions from which no second half exists.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import kernel, twins_of
from oudjat.engine.ramses_table import PIECES, SPACES, SPLITS
from oudjat.rules.ramses import PLACES
from oudjat.rules.ramses import core as rules

Ints = NDArray[Any]
Int: TypeAlias = Any
"""An int, or NumPy's of 64 bits, between which compiled code does not tell."""

_TWINS = twins_of(rules)
targets_of = _TWINS.targets
NO_TURN = 127
WON = 126
"""The code of a placement in which somebody has won already: no game goes on from it."""
SPECIAL = sum(1 << space for space, place in enumerate(PLACES[1:]) if rules.SPECIAL >> place & 1)
TO_WIN = rules.TO_WIN


@kernel
def ones(bits: Int) -> Int:
    """How many bits are set, of 22."""
    bits = bits - (bits >> 1 & 0x55555555)
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F
    return (bits * 0x01010101 & 0xFFFFFFFF) >> 24


@kernel
def list_spaces(taken: Int, spaces: Ints) -> None:
    """Write the space of every piece into ``spaces``."""
    piece = 0
    for space in range(SPACES):
        if taken >> space & 1:
            spaces[piece] = space
            piece += 1


@kernel
def list_targets(sets: Ints, places: Ints, targets: Ints) -> None:
    """For every set of taken spaces and each of its pieces the spaces where it can go, as bits (RA-4)."""
    spaces = np.empty(PIECES, np.int64)
    for at in range(len(sets)):
        list_spaces(sets[at], spaces)
        occupied = 0
        for space in spaces:
            occupied |= 1 << places[space]
        for piece in range(PIECES):
            ends = targets_of(occupied, places[spaces[piece]])
            reached = 0
            for other in range(SPACES):
                if ends >> places[other] & 1:
                    reached |= 1 << other
            targets[at, piece] = reached


@kernel
def spread_out(taken: Int, split: Int) -> Int:
    """The spaces of the pieces that a split names."""
    spaces = 0
    piece = 0
    for space in range(SPACES):
        if taken >> space & 1:
            if split >> piece & 1:
                spaces |= 1 << space
            piece += 1
    return spaces


@kernel
def has_won(spaces: Int) -> bool:
    """RA-5."""
    return bool(ones(spaces & SPECIAL) >= TO_WIN)


@kernel
def mark_won(first: Int, last: Int, sets: Ints, splits: Ints, codes: Ints) -> None:
    """Mark the placements in which somebody has won already."""
    for at in range(first, last):
        if ones(sets[at] & SPECIAL) < TO_WIN:
            continue
        for split in range(SPLITS):
            own = spread_out(sets[at], splits[split])
            if has_won(own) or has_won(sets[at] ^ own):
                codes[at * SPLITS + split] = WON


@kernel
def moved(split: Int, piece: Int, to: Int, mine: Int) -> Int:
    """A split after ``piece`` became the one with number ``to``; ``mine``: 1 for a piece of the mover."""
    without = split & (1 << piece) - 1 | split >> piece + 1 << piece
    return without & (1 << to) - 1 | mine << to | without >> to << to + 1


@kernel
def half_sweep(  # noqa: PLR0917
    first: Int, last: Int, turns: Int,
    sets: Ints, ranks: Ints, targets: Ints, splits: Ints, split_ranks: Ints, codes: Ints, halves: Ints,
) -> None:  # fmt: skip
    """Half-way positions that are decided in exactly ``turns`` turns, this one included. The mover has to move a piece
    of the other now."""
    spaces = np.empty(PIECES, np.int64)
    for at in range(first, last):
        taken = np.int64(sets[at])
        list_spaces(taken, spaces)
        for split_at in range(SPLITS):
            place = at * SPLITS + split_at
            if halves[place] != 0:
                continue
            split = np.int64(splits[split_at])
            others = taken ^ spread_out(taken, split)
            ways = 0
            undecided = False
            wins = False
            longest: Int = 0
            for piece in range(PIECES):
                if split >> piece & 1 or wins:
                    continue
                ends = np.int64(targets[at, piece])
                left = taken ^ 1 << spaces[piece]
                while ends:
                    end = ends & -ends
                    ends ^= end
                    ways += 1
                    if has_won(others ^ 1 << spaces[piece] ^ end):
                        longest = max(longest, 1)
                        continue
                    after = moved(split, piece, ones(left & end - 1), 0) ^ (1 << PIECES) - 1
                    code = codes[np.int64(ranks[left | end]) * SPLITS + split_ranks[after]]
                    if turns > 0 and code == -turns:  # lost for the other in turns - 1
                        wins = True
                        break
                    if code <= 0 or code > turns:
                        undecided = True
                    else:
                        longest = max(longest, np.int64(code))
            if wins:
                halves[place] = turns + 1
            elif ways == 0:
                halves[place] = NO_TURN
            elif not undecided and longest == turns:
                halves[place] = -(turns + 1)


@kernel
def state_sweep(  # noqa: PLR0917
    first: Int, last: Int, turns: Int,
    sets: Ints, ranks: Ints, targets: Ints, splits: Ints, split_ranks: Ints, halves: Ints, codes: Ints,
) -> tuple[Int, Int]:  # fmt: skip
    """Positions that are decided in exactly ``turns`` turns: how many are won, how many lost for the mover."""
    won = 0
    lost = 0
    spaces = np.empty(PIECES, np.int64)
    for at in range(first, last):
        taken = np.int64(sets[at])
        list_spaces(taken, spaces)
        for split_at in range(SPLITS):
            place = at * SPLITS + split_at
            if codes[place] != 0:
                continue
            split = np.int64(splits[split_at])
            own = spread_out(taken, split)
            ways = 0
            undecided = False
            wins = False
            longest: Int = 0
            for piece in range(PIECES):
                if not split >> piece & 1 or wins:
                    continue
                ends = np.int64(targets[at, piece])
                left = taken ^ 1 << spaces[piece]
                while ends:
                    end = ends & -ends
                    ends ^= end
                    if has_won(own ^ 1 << spaces[piece] ^ end):
                        ways += 1
                        if turns == 1:
                            wins = True
                            break
                        undecided = True
                        continue
                    after = moved(split, piece, ones(left & end - 1), 1)
                    code = halves[np.int64(ranks[left | end]) * SPLITS + split_ranks[after]]
                    if code == NO_TURN:
                        continue
                    ways += 1
                    if code == turns + 1 and turns > 0:
                        wins = True
                        break
                    if code >= 0 or code < -(turns + 1):
                        undecided = True
                    else:
                        longest = max(longest, -np.int64(code) - 1)
            if wins:
                codes[place] = turns + 1
                won += 1
            elif not undecided and longest == turns and (ways > 0 or turns == 0):
                codes[place] = -(turns + 1)
                lost += 1
    return won, lost
