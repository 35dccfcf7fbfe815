"""Exact expectation a few turns ahead, compiled.

What is known is a *blind* core (every placed tile withheld, the unseen tiles replaced by the pool of the
player's beliefs) and, for each space, the sum of the believed values of the tiles next to it and the number of
each seat's pieces next to it. Then every turn's gain is simple: a piece on a space gains the sum there; a tile
of value v gains v for each piece next to it, for whoever owns the piece (IO-13).

Looking ahead, everybody is taken to choose by the same reckoning: the turn that gains him most in his regard,
which counts his own points and, against him, those of the others. Chance is not sampled: every value the pool
holds is weighed by its share.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import (
    Core,
    drew,
    kernel,
    neighbour_table,
    next_seat,
    place_piece,
    place_tile,
    turn_over,
    why_not_piece,
    why_not_tile,
    why_not_turn_over,
)
from oudjat.rules.isis_osiris import EMPTY_HAND, FREE, HAND, MOST_SEATS, SPACES, TO_MOVE, UNSEEN

DRAW = SPACES
"""The place of the turn "turn over a tile" in an array of turns; before it stand the spaces."""
TURNS = SPACES + 1
NEAR = neighbour_table()
IMPOSSIBLE = -1e9

Numbers = NDArray[np.float64]


@kernel
def in_regard(regard: Numbers, seat: int, gains: Numbers) -> float:
    """What the ``gains`` of all seats are worth to ``seat``."""
    total = 0.0
    for other in range(MOST_SEATS):
        total += regard[seat, other] * gains[other]
    return total


@kernel
def greedy_reply(state: Core, sums: Numbers, beside: Numbers, regard: Numbers, gains: Numbers) -> None:
    """Set ``gains`` to what the mover's best turn, looking no further, brings every seat."""
    mover = state[TO_MOVE]
    gains[:] = 0.0
    best_piece = IMPOSSIBLE
    most, least = -1, -1  # the spaces where a plus tile, and a minus tile, does the mover most good
    most_good, least_good = IMPOSSIBLE, -IMPOSSIBLE
    hand = state[HAND]
    for space in range(SPACES):
        if why_not_tile(state, hand, space) != 0:
            continue
        if sums[space] > best_piece and why_not_piece(state, space) == 0:
            best_piece = sums[space]
        good = 0.0
        for seat in range(MOST_SEATS):
            good += regard[mover, seat] * beside[seat, space]
        if good > most_good:
            most, most_good = space, good
        if good < least_good:
            least, least_good = space, good
    if hand != EMPTY_HAND:
        for seat in range(MOST_SEATS):
            gains[seat] = hand * beside[seat, most if hand > 0 else least]
        return
    if why_not_turn_over(state) == 0:
        plus, minus, tiles = 0.0, 0.0, 0.0
        for value in range(-4, 5):
            count = state[UNSEEN + 4 + value]
            tiles += count
            if value > 0:
                plus += count * value
            else:
                minus += count * value
        for seat in range(MOST_SEATS):
            gains[seat] = (plus * beside[seat, most] + minus * beside[seat, least]) / tiles
        if best_piece * regard[mover, mover] <= in_regard(regard, mover, gains):
            return
        gains[:] = 0.0
    if best_piece > IMPOSSIBLE:
        gains[mover] = best_piece


@kernel
def put(state: Core, sums: Numbers, beside: Numbers, space: int, sign: int) -> None:
    """Count what the mover of ``state`` puts on ``space`` into ``sums`` and ``beside``; ``sign`` -1: uncount."""
    for index in range(4):
        near = NEAR[space, index]
        if near >= 0:
            if state[HAND] == EMPTY_HAND:
                beside[state[TO_MOVE], near] += sign
            else:
                sums[near] += sign * state[HAND]


@kernel
def foresee(
    state: Core,
    sums: Numbers,
    beside: Numbers,
    regard: Numbers,
    sight: int,
    patience: float,
    gains: Numbers,
    values: Numbers,
) -> None:
    """Weigh every turn that can be taken in ``state``, ``sight`` turns deep.

    ``sums`` has shape (36,), ``beside`` and ``regard`` (4, 36) and (4, 4), by seat. ``patience`` is how much a
    gain one turn later counts. Sets ``gains`` (4,) to the expected gains of every seat when all choose their
    best, and ``values`` (TURNS,) to what each turn is worth to the mover, ``IMPOSSIBLE`` where a rule forbids
    it. ``sums`` and ``beside`` are as before when it returns; ``state`` is not changed.
    """
    values[:] = IMPOSSIBLE
    gains[:] = 0.0
    if sight == 0 or state[FREE] == 0:
        return
    mover, hand = state[TO_MOVE], state[HAND]
    best = IMPOSSIBLE
    later, ignored = np.empty(MOST_SEATS), np.empty(TURNS)
    for space in range(SPACES):
        after = state.copy()
        if hand != EMPTY_HAND:
            if why_not_tile(state, hand, space) != 0:
                continue
            place_tile(after, space)
        else:
            if why_not_piece(state, space) != 0:
                continue
            place_piece(after, space)
        put(state, sums, beside, space, 1)
        if sight == 2:
            greedy_reply(after, sums, beside, regard, later)
        else:
            foresee(after, sums, beside, regard, sight - 1, patience, later, ignored)
        put(state, sums, beside, space, -1)
        for seat in range(MOST_SEATS):
            later[seat] = patience * later[seat] + hand * beside[seat, space]
        if hand == EMPTY_HAND:
            later[mover] += sums[space]
        values[space] = in_regard(regard, mover, later)
        if values[space] > best:
            best = values[space]
            gains[:] = later
    if hand != EMPTY_HAND:
        return
    if why_not_turn_over(state) == 0:
        drawn = np.zeros(MOST_SEATS)
        tiles = 0
        for value in range(-4, 5):
            count = state[UNSEEN + 4 + value]
            if count > 0:
                after = state.copy()
                turn_over(after)
                drew(after, value)
                foresee(after, sums, beside, regard, sight, patience, later, ignored)
                tiles += count
                drawn += count * later
        drawn /= tiles
        values[DRAW] = in_regard(regard, mover, drawn)
        if values[DRAW] > best:
            best = values[DRAW]
            gains[:] = drawn
    if best == IMPOSSIBLE:
        after = state.copy()
        next_seat(after)
        foresee(after, sums, beside, regard, sight - 1, patience, gains, ignored)
