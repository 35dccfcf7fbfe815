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
from oudjat.rules.isis_osiris import (
    BOARD,
    EMPTY_HAND,
    FREE,
    FREE_SPACE,
    HAND,
    MOST_SEATS,
    SPACES,
    TO_MOVE,
    UNSEEN,
)

DRAW = SPACES
"""The place of the turn "turn over a tile" in an array of turns; before it stand the spaces."""
TURNS = SPACES + 1
NEAR = neighbour_table()
IMPOSSIBLE = -1e9
PATIENCE, KEPT_TILE = range(2)
"""The places of an outlook: how much a gain one turn later counts; what a tile is worth that stays in
the stock."""

Numbers = NDArray[np.float64]


@kernel
def in_regard(regard: Numbers, seat: int, gains: Numbers) -> float:
    """What the ``gains`` of all seats are worth to ``seat``."""
    total = 0.0
    for other in range(MOST_SEATS):
        total += regard[seat, other] * gains[other]
    return total


@kernel
def greedy_reply(
    state: Core, sums: Numbers, beside: Numbers, regard: Numbers, outlook: Numbers, gains: Numbers
) -> None:
    """Set ``gains`` to what the mover's best turn, looking no further, brings every seat; see ``foresee``."""
    mover, hand = state[TO_MOVE], state[HAND]
    gains[:] = 0.0
    piece, piece_good = -1, IMPOSSIBLE
    most, least = -1, -1  # the spaces where a plus tile, and a minus tile, does the mover most good
    most_good, least_good = IMPOSSIBLE, -IMPOSSIBLE
    for space in range(SPACES):
        if state[BOARD + space] != FREE_SPACE:
            continue
        good = 0.0
        for seat in range(MOST_SEATS):
            good += regard[mover, seat] * beside[seat, space]
        if good > most_good:
            most, most_good = space, good
        if good < least_good:
            least, least_good = space, good
        if sums[space] > piece_good:
            piece, piece_good = space, sums[space]
    if hand != EMPTY_HAND:
        for seat in range(MOST_SEATS):
            gains[seat] = hand * beside[seat, most if hand > 0 else least]
        return
    piece_allowed = piece >= 0 and why_not_piece(state, piece) == 0
    if why_not_turn_over(state) == 0:
        plus, minus, tiles = 0.0, 0.0, 0
        for value in range(-4, 5):
            count = state[UNSEEN + 4 + value]
            tiles += count
            if value > 0:
                plus += count * value
            else:
                minus += count * value
        for seat in range(MOST_SEATS):
            gains[seat] = (plus * beside[seat, most] + minus * beside[seat, least]) / tiles
        gains[mover] -= outlook[KEPT_TILE]
        if not piece_allowed or piece_good <= in_regard(regard, mover, gains):
            return
    if piece_allowed:
        gains[:] = 0.0
        gains[mover] = piece_good


@kernel
def why_not_put(state: Core, space: int) -> int:
    """0 when the tile in hand, or else a piece of the mover, may go to ``space``, else the rule's number."""
    if state[HAND] == EMPTY_HAND:
        return why_not_piece(state, space)
    return why_not_tile(state, state[HAND], space)


@kernel
def after_putting(state: Core, space: int) -> Core:
    """A new core: ``state`` with the tile in hand, or else a piece of the mover, on ``space``; unchecked."""
    after = state.copy()
    if state[HAND] == EMPTY_HAND:
        place_piece(after, space)
    else:
        place_tile(after, space)
    return after


@kernel
def after_drawing(state: Core, value: int) -> Core:
    """A new core: ``state`` with a tile of ``value`` turned over; unchecked."""
    after = state.copy()
    turn_over(after)
    drew(after, value)
    return after


@kernel
def count_around(state: Core, sums: Numbers, beside: Numbers, space: int, sign: int) -> None:
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
    outlook: Numbers,
    sight: int,
    gains: Numbers,
    values: Numbers,
) -> None:
    """Weigh every turn that can be taken in ``state``, ``sight`` turns deep.

    For every space ``sums`` (36,) holds the believed values next to it, and ``beside`` (4, 36) the number of
    pieces of each seat next to it. ``regard`` (4, 4) says how the points
    of each seat (columns) count to each seat (rows), ``outlook`` (2,) how the future is judged. Sets ``gains``
    (4,) to the expected gains of every seat when all choose their best, and ``values`` (TURNS,) to what each
    turn is worth to the mover, ``IMPOSSIBLE`` where a rule forbids it. ``sums`` and ``beside`` are as before
    when it returns; ``state`` is not changed.
    """
    values[:] = IMPOSSIBLE
    gains[:] = 0.0
    if sight == 0 or state[FREE] == 0:
        return
    mover, hand = state[TO_MOVE], state[HAND]
    best = IMPOSSIBLE
    later, ignored = np.empty(MOST_SEATS), np.empty(TURNS)
    for space in range(SPACES):
        if why_not_put(state, space) != 0:
            continue
        after = after_putting(state, space)
        count_around(state, sums, beside, space, 1)
        if sight == 2:
            greedy_reply(after, sums, beside, regard, outlook, later)
        else:
            foresee(after, sums, beside, regard, outlook, sight - 1, later, ignored)
        count_around(state, sums, beside, space, -1)
        for seat in range(MOST_SEATS):
            later[seat] = outlook[PATIENCE] * later[seat] + hand * beside[seat, space]
        if hand == EMPTY_HAND:
            later[mover] += sums[space]
        else:
            later[mover] -= outlook[KEPT_TILE]
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
                after = after_drawing(state, value)
                foresee(after, sums, beside, regard, outlook, sight, later, ignored)
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
        foresee(after, sums, beside, regard, outlook, sight - 1, gains, ignored)


def regards(players: int, rivalry: float) -> Numbers:
    """How the points of each seat (columns) count to each seat (rows), shape (4, 4): its own 1, the others'
    together -rivalry."""
    regard = np.zeros((MOST_SEATS, MOST_SEATS))
    regard[:players, :players] = -rivalry / (players - 1)
    np.fill_diagonal(regard[:players, :players], 1.0)
    return regard
