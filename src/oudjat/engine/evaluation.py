"""A learned value of positions of two players: a small network, compiled.

For each number of free spaces there is a network of its own. Each free space has a *label*: the sum of the tiles
next to it, the balance of the pieces next to it (the mover's less the other's), and how many free spaces touch it.
The network adds up a row of ``WIDTH`` numbers for each label, for the reserves and for the unseen tiles, bends the
sum (negative to 0), and passes it through a second layer to one number: what the mover can expect to gain on the
other from here to the end. Adding up makes it fast: a turn changes a few labels only, so that all turns of a
position are evaluated together for little more than the layers cost (as in NNUE, Nasu 2018).

How it was trained: :mod:`oudjat.research.training`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import float_kernel, kernel
from oudjat.engine.endgame_last import BALANCE, COUNTS, FACES, KINDS, NEAR, SHARED, SUMS, three
from oudjat.engine.raw import Floats, Ints, low_bit

Weights = NDArray[np.float32]

WIDTH, SECOND = 32, 16
MOST_SUM = 8  # sums beyond count as this
LABELS = (2 * MOST_SUM + 1) * 9 * 5
PIECE_ROWS, TILE_ROWS = 10, 20
MY_PIECES = LABELS
MY_TILES = MY_PIECES + PIECE_ROWS
OTHER_PIECES = MY_TILES + TILE_ROWS
OTHER_TILES = OTHER_PIECES + PIECE_ROWS
UNSEEN = OTHER_TILES + TILE_ROWS  # a row for each kind, added once for each unseen tile
BIAS = UNSEEN + KINDS
ROWS = BIAS + 1
LAYER = ROWS * WIDTH
OUT = LAYER + (WIDTH + 1) * SECOND
PARAMETERS = OUT + SECOND + 1
"""How many numbers one network has."""
LEAST_STAGE = 4
"""With fewer free spaces positions are counted out."""

WEIGHTS_FILE = Path(__file__).with_name("isis_osiris_value.npz")


@cache
def learned() -> tuple[Weights, NDArray[np.float64]]:
    """The weights by number of free spaces, shape (37, PARAMETERS), and how far results scatter around the value."""
    with np.load(WEIGHTS_FILE) as kept:
        weights = np.zeros((37, PARAMETERS), np.float32)
        weights[LEAST_STAGE:36] = kept["weights"]
        return weights, kept["scatter"]


@kernel
def label(total: int, balance: int, touching: int) -> int:
    """The row of a free space."""
    return ((min(max(total, -MOST_SUM), MOST_SUM) + MOST_SUM) * 9 + balance + 4) * 5 + touching


@float_kernel
def add_row(into: Weights, weights: Weights, row: int, times: float) -> None:
    """Add a row of ``weights`` to the sum."""
    at = row * WIDTH
    factor = np.float32(times)
    for index in range(WIDTH):
        into[index] += factor * weights[at + index]


@float_kernel
def head(total: Weights, weights: Weights) -> float:
    """What the layers make of the sum of rows."""
    out = weights[OUT + SECOND]
    for unit in range(SECOND):
        at = LAYER + unit * (WIDTH + 1)
        found = weights[at + WIDTH]
        for index in range(WIDTH):
            bent = total[index] if total[index] > np.float32(0) else np.float32(0)
            found += bent * weights[at + index]
        if found > np.float32(0):
            out += found * weights[OUT + unit]
    return float(out)


@kernel
def add_reserves(
    into: Weights, weights: Weights, left: int, pieces: int, tiles: int, other_pieces: int, other_tiles: int
) -> None:
    """Add the rows of the reserves, as the one to move with ``left`` free spaces sees them."""
    mine, his = (left + 1) >> 1, left >> 1
    add_row(into, weights, MY_PIECES + min(pieces, mine), 1.0)
    add_row(into, weights, MY_TILES + min(tiles, mine), 1.0)
    add_row(into, weights, OTHER_PIECES + min(other_pieces, his), 1.0)
    add_row(into, weights, OTHER_TILES + min(other_tiles, his), 1.0)


@kernel
def bits_of(number: int) -> int:
    """How many bits are set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@kernel
def unseen_tiles(unseen: int) -> tuple[int, int]:
    """Number and sum of the unseen tiles."""
    count, total = 0, 0
    for kind in range(KINDS):
        held = (unseen >> (4 * kind)) & 15
        count += held
        total += held * FACES[kind]
    return count, total


@kernel
def write_out(unseen: int, numbers: Floats) -> None:
    """Write the unseen tiles out by kind, as the endgame's kernels count them."""
    for kind in range(KINDS):
        numbers[COUNTS + kind] = (unseen >> (4 * kind)) & 15


@kernel
def weigh_turns(
    w: Ints,
    numbers: Floats,
    weights: Weights,
    room: Weights,
    free: int,
    left: int,
    sign: int,
    unseen: int,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    worth: Floats,
) -> None:
    """Set ``worth`` (9, 36) to what each turn gains the mover from here to the end: the first row for a piece on
    each free space, then a row for each kind of tile. What cannot be done is left as it is.

    ``w`` and ``numbers`` are those of :mod:`oudjat.engine.endgame_last` with all 36 spaces of the board in their
    places, ``weights`` (37, PARAMETERS), ``room`` (3, WIDTH) is scratch. There are ``left`` >= 4 free spaces.
    """
    after = left - 1
    other_left = other_tiles - 1 if w[SHARED] else other_tiles
    if after < LEAST_STAGE:
        weigh_last_turns(w, numbers, free, sign, unseen, sum_unseen, count, pieces, tiles, other_pieces, other_tiles,
                         other_left, worth)  # fmt: skip
        return
    stage = weights[after]
    base, common, own = room[0], room[1], room[2]
    base[:] = stage[BIAS * WIDTH : (BIAS + 1) * WIDTH]
    rest = free
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        touching = bits_of(w[NEAR + space] & free)
        add_row(base, stage, label(w[SUMS + space], -w[BALANCE + space] * sign, touching), 1.0)
    for kind in range(KINDS):
        held = (unseen >> (4 * kind)) & 15
        if held:
            add_row(base, stage, UNSEEN + kind, held)
    rest = free
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        around = w[NEAR + space] & free
        common[:] = base
        add_row(common, stage, label(w[SUMS + space], -w[BALANCE + space] * sign, bits_of(around)), -1.0)
        touched = around
        while touched:
            near = low_bit(touched)
            touched &= touched - 1
            touching = bits_of(w[NEAR + near] & free)
            add_row(common, stage, label(w[SUMS + near], -w[BALANCE + near] * sign, touching), -1.0)
        if pieces > 0:
            own[:] = common
            touched = around
            while touched:
                near = low_bit(touched)
                touched &= touched - 1
                touching = bits_of(w[NEAR + near] & free) - 1
                add_row(own, stage, label(w[SUMS + near], -w[BALANCE + near] * sign - 1, touching), 1.0)
            add_reserves(own, stage, after, other_pieces, other_tiles, pieces - 1, tiles)
            worth[space] = w[SUMS + space] - head(own, stage)
        if tiles > 0:
            add_reserves(common, stage, after, other_pieces, other_left, pieces, tiles - 1)
            for kind in range(KINDS):
                if (unseen >> (4 * kind)) & 15 == 0:
                    continue
                face = FACES[kind]
                own[:] = common
                touched = around
                while touched:
                    near = low_bit(touched)
                    touched &= touched - 1
                    touching = bits_of(w[NEAR + near] & free) - 1
                    row = label(w[SUMS + near] + face, -w[BALANCE + near] * sign, touching)
                    add_row(own, stage, row, 1.0)
                add_row(own, stage, UNSEEN + kind, -1.0)
                worth[36 * (kind + 1) + space] = face * w[BALANCE + space] * sign - head(own, stage)


@kernel
def weigh_last_turns(
    w: Ints,
    numbers: Floats,
    free: int,
    sign: int,
    unseen: int,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    other_left: int,
    worth: Floats,
) -> None:
    """The same with four free spaces: three are counted out."""
    one = np.int64(1)
    for kind in range(-1, KINDS):
        face = FACES[kind] if kind >= 0 else 0
        if (pieces if kind < 0 else tiles * ((unseen >> (4 * kind)) & 15)) == 0:
            continue
        if kind >= 0:
            numbers[kind] -= 1
        rest = free
        while rest:
            space = low_bit(rest)
            rest &= rest - 1
            then = free & ~(one << space)
            step(w, space, then, face, sign, 1)
            if kind < 0:
                worth[space] = w[SUMS + space] - three_for(
                    w,
                    numbers,
                    then,
                    -sign,
                    unseen,
                    sum_unseen,
                    count,
                    other_pieces,
                    other_tiles,
                    pieces - 1,
                    tiles,
                )
            else:
                worth[36 * (kind + 1) + space] = face * w[BALANCE + space] * sign - three_for(
                    w, numbers, then, -sign, unseen - (one << (4 * kind)), sum_unseen - face, count - 1,
                    other_pieces, other_left, pieces, tiles - 1,
                )  # fmt: skip
            step(w, space, then, face, sign, -1)
        if kind >= 0:
            numbers[kind] += 1


@kernel
def three_for(
    w: Ints,
    numbers: Floats,
    free: int,
    sign: int,
    unseen: int,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
) -> float:
    """The value of three free spaces for the mover, who passes when he has nothing left (IO-20)."""
    if pieces + tiles > 0:
        return three(
            w, numbers, free, sign, unseen, sum_unseen, count, pieces, tiles, other_pieces, other_tiles, 0
        )
    return -three(
        w, numbers, free, -sign, unseen, sum_unseen, count, other_pieces, other_tiles, pieces, tiles, 0
    )


@kernel
def step(w: Ints, space: int, after: int, face: int, sign: int, way: int) -> None:
    """A tile of ``face``, or a piece of the mover when that is 0, goes to ``space`` (``way`` 1) or back (-1);
    ``after`` are the free spaces without it."""
    touched = w[NEAR + space] & after
    while touched:
        near = low_bit(touched)
        touched &= touched - 1
        if face == 0:
            w[BALANCE + near] += way * sign
        else:
            w[SUMS + near] += way * face
