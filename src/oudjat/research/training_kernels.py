"""The compiled half of training the learned value: self-play, targets, and fitting one network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import float_kernel, kernel
from oudjat.engine.endgame_last import BALANCE, FACES, KINDS, NEAR, SHARED, SUMS
from oudjat.engine.evaluation import (
    BIAS,
    LAYER,
    MY_PIECES,
    MY_TILES,
    OTHER_PIECES,
    OTHER_TILES,
    OUT,
    PARAMETERS,
    SECOND,
    UNSEEN,
    WIDTH,
    Weights,
    bits_of,
    label,
    step,
    unseen_tiles,
    weigh_turns,
    write_out,
)
from oudjat.engine.raw import Floats, Ints, low_bit
from oudjat.rules.isis_osiris import SPACES

Bytes = NDArray[np.int8]

ONE = np.int64(1)
PACKED = 2 * SPACES + 8 + 5
"""What is kept of a position, as the mover sees it: sums, balances (0 where not free), unseen tiles by kind, own
pieces and tiles, the other's, and whether the stock is shared. The free spaces are kept apart, as bits."""


@kernel
def unpack(packed: Bytes, w: Ints) -> int:
    """Set up a position; gives its unseen tiles, packed. The mover is the first seat."""
    for space in range(SPACES):
        w[SUMS + space] = packed[space]
        w[BALANCE + space] = packed[SPACES + space]
    unseen = np.int64(0)
    for kind in range(KINDS):
        unseen |= np.int64(packed[2 * SPACES + kind]) << (4 * kind)
    return unseen


@kernel
def best_of(worth: Floats, free: int, unseen: int, count: int, pieces: int, tiles: int) -> float:
    """What a position is worth, from what its turns are worth."""
    best = -1e9
    if pieces > 0:
        rest = free
        while rest:
            best = max(best, worth[low_bit(rest)])
            rest &= rest - 1
    if tiles > 0:
        expected = 0.0
        for kind in range(KINDS):
            held = (unseen >> (4 * kind)) & 15
            if held == 0:
                continue
            top = -1e9
            rest = free
            while rest:
                top = max(top, worth[36 * (kind + 1) + low_bit(rest)])
                rest &= rest - 1
            expected += held * top
        best = max(best, expected / count)
    return best


@kernel
def play_games(
    randomness: np.random.Generator,
    start: Ints,
    weights: Weights,
    trained: int,
    shared: int,
    purely: int,
    packed: Bytes,
    spaces: Ints,
    margins: NDArray[np.int16],
) -> None:
    """Play a game for each row and keep every position on the way.

    ``packed`` (games, 37, PACKED) and ``spaces`` (games, 37) are by the number of free spaces; ``margins``
    (games, 37) is what the mover gained on the other from there to the end. Each game has its own share of random
    turns, or none when played ``purely``; a turn that is not random is the best by ``weights``, of which those up
    to ``trained`` free spaces are there. ``start`` holds which spaces touch.
    """
    w, numbers = start.copy(), np.zeros(2000)
    worth, room = np.zeros(9 * 36), np.zeros((3, WIDTH), np.float32)
    leads = np.zeros(37, np.int64)
    for game in range(len(packed)):
        w[:] = start
        w[SHARED] = shared
        share = 0.0 if purely > 0 else (0.03, 0.1, 0.25, 0.5, 1.0)[int(randomness.random() * 5)]
        free, sign, lead = (ONE << 36) - 1, np.int64(1), 0
        unseen = np.int64(0x12622621)
        pieces, other_pieces = 8, 8
        tiles, other_tiles = (22, 22) if shared else (11, 11)
        for left in range(36, 0, -1):
            keep(packed[game, left], w, sign, unseen, pieces, tiles, other_pieces, other_tiles, shared)
            spaces[game, left] = free
            leads[left] = lead * sign
            if pieces + tiles == 0:
                sign = -sign
                pieces, tiles, other_pieces, other_tiles = other_pieces, other_tiles, pieces, tiles
            count, total = unseen_tiles(unseen)
            write_out(unseen, numbers)
            wild = left > trained + 1 or (left < 4 and purely == 0) or left < 2 or randomness.random() < share
            if not wild:
                weigh_turns(w, numbers, weights, room, free, left, sign, unseen, total, count,
                            pieces, tiles, other_pieces, other_tiles, worth)  # fmt: skip
                best_piece = best_of(worth, free, unseen, count, pieces, 0)
                draw = tiles > 0 and best_of(worth, free, unseen, count, 0, tiles) > best_piece
            else:
                draw = tiles > 0 and (pieces == 0 or randomness.random() < 0.5)
            face, row = np.int64(0), 0
            if draw:
                at = int(randomness.random() * count)
                kind = 0
                while True:
                    at -= (unseen >> (4 * kind)) & 15
                    if at < 0:
                        break
                    kind += 1
                face, row = FACES[kind], 36 * (kind + 1)
                unseen -= ONE << (4 * kind)
                tiles -= 1
                if shared:
                    other_tiles -= 1
            else:
                pieces -= 1
            at = int(randomness.random() * left)
            chosen, rest, top = -1, free, -1e9
            while rest:
                space = low_bit(rest)
                rest &= rest - 1
                if wild:
                    if at == 0:
                        chosen = space
                    at -= 1
                elif worth[row + space] > top:
                    chosen, top = space, worth[row + space]
            lead += w[SUMS + chosen] * sign if face == 0 else face * w[BALANCE + chosen]
            free &= ~(ONE << chosen)
            step(w, chosen, free, face, sign, 1)
            sign = -sign
            pieces, tiles, other_pieces, other_tiles = other_pieces, other_tiles, pieces, tiles
        for left in range(36, 0, -1):
            mover = 1 if (36 - left) % 2 == 0 else -1
            margins[game, left] = lead * mover - leads[left]


@kernel
def keep(
    packed: Bytes,
    w: Ints,
    sign: int,
    unseen: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    shared: int,
) -> None:
    """Write down a position."""
    for space in range(SPACES):
        packed[space] = w[SUMS + space]
        packed[SPACES + space] = w[BALANCE + space] * sign
    for kind in range(KINDS):
        packed[2 * SPACES + kind] = (unseen >> (4 * kind)) & 15
    at = 2 * SPACES + 8
    packed[at] = pieces
    packed[at + 1] = tiles
    packed[at + 2] = other_pieces
    packed[at + 3] = other_tiles
    packed[at + 4] = shared


@kernel
def targets(
    left: int, packed: Bytes, spaces: Ints, start: Ints, weights: Weights, first: int, last: int, out: Weights
) -> None:
    """Set ``out`` to what each position from ``first`` to ``last`` is worth by looking one turn ahead."""
    w, numbers = start.copy(), np.zeros(2000)
    worth, room = np.zeros(9 * 36), np.zeros((3, WIDTH), np.float32)
    at = 2 * SPACES + 8
    for index in range(first, last):
        position = packed[index]
        unseen = unpack(position, w)
        count, total = unseen_tiles(unseen)
        write_out(unseen, numbers)
        pieces, tiles = np.int64(position[at]), np.int64(position[at + 1])
        other_pieces, other_tiles = np.int64(position[at + 2]), np.int64(position[at + 3])
        w[SHARED], sign = position[at + 4], np.int64(1)
        if pieces + tiles == 0:
            sign = np.int64(-1)
            pieces, tiles, other_pieces, other_tiles = other_pieces, other_tiles, pieces, tiles
        free = spaces[index]
        weigh_turns(w, numbers, weights, room, free, left, sign, unseen, total, count,
                    pieces, tiles, other_pieces, other_tiles, worth)  # fmt: skip
        out[index] = sign * best_of(worth, free, unseen, count, pieces, tiles)


@kernel
def rows_of(left: int, packed: Bytes, spaces: Ints, start: Ints, rows: NDArray[np.int32]) -> None:
    """Set ``rows`` (positions, left + 4) to the rows of the network that each position adds up."""
    at = 2 * SPACES + 8
    mine, his = (left + 1) >> 1, left >> 1
    for index in range(len(packed)):
        position, free = packed[index], spaces[index]
        rest, number = free, 0
        while rest:
            space = low_bit(rest)
            rest &= rest - 1
            touching = bits_of(start[NEAR + space] & free)
            rows[index, number] = label(position[space], position[SPACES + space], touching)
            number += 1
        rows[index, left] = MY_PIECES + min(position[at], mine)
        rows[index, left + 1] = MY_TILES + min(position[at + 1], mine)
        rows[index, left + 2] = OTHER_PIECES + min(position[at + 2], his)
        rows[index, left + 3] = OTHER_TILES + min(position[at + 3], his)


@float_kernel
def forward(network: Weights, rows: NDArray[np.int32], held: Bytes, total: Weights, second: Weights) -> float:
    """What the network says; leaves the sum of rows and the second layer's sums behind."""
    total[:] = network[BIAS * WIDTH : (BIAS + 1) * WIDTH]
    for row in rows:
        at = row * WIDTH
        for index in range(WIDTH):
            total[index] += network[at + index]
    for kind in range(KINDS):
        if held[kind]:
            factor = np.float32(held[kind])
            at = (UNSEEN + kind) * WIDTH
            for index in range(WIDTH):
                total[index] += factor * network[at + index]
    out = network[OUT + SECOND]
    for unit in range(SECOND):
        at = LAYER + unit * (WIDTH + 1)
        found = network[at + WIDTH]
        for index in range(WIDTH):
            bent = total[index] if total[index] > np.float32(0) else np.float32(0)
            found += bent * network[at + index]
        second[unit] = found
        if found > np.float32(0):
            out += found * network[OUT + unit]
    return float(out)


@float_kernel
def fit(
    randomness: np.random.Generator,
    network: Weights,
    rows: NDArray[np.int32],
    held: Bytes,
    wanted: Weights,
    epochs: int,
    rate: float,
    batch: int,
) -> float:
    """Fit one network to ``wanted`` by Adam (Kingma and Ba 2015), the rate falling to a twentieth; the mean
    squared error of the last epoch."""
    count = len(wanted)
    order = np.arange(count)
    gradient = np.zeros(PARAMETERS, np.float32)
    first, moment = np.zeros(PARAMETERS, np.float32), np.zeros(PARAMETERS, np.float32)
    total, second = np.zeros(WIDTH, np.float32), np.zeros(SECOND, np.float32)
    back = np.zeros(WIDTH, np.float32)
    steps, all_steps = 0, epochs * (count // batch)
    error = 0.0
    keep_first, keep_moment = np.float32(0.9), np.float32(0.995)
    for _ in range(epochs):
        for index in range(count - 1, 0, -1):
            other = int(randomness.random() * (index + 1))
            order[index], order[other] = order[other], order[index]
        error = 0.0
        for begin in range(0, count - batch + 1, batch):
            gradient[:] = np.float32(0)
            for place in range(begin, begin + batch):
                sample = order[place]
                out = forward(network, rows[sample], held[sample], total, second)
                off = out - wanted[sample]
                error += off * off
                slope = np.float32(off / batch)
                back[:] = np.float32(0)
                gradient[OUT + SECOND] += slope
                for unit in range(SECOND):
                    if second[unit] <= np.float32(0):
                        continue
                    gradient[OUT + unit] += slope * second[unit]
                    down = slope * network[OUT + unit]
                    at = LAYER + unit * (WIDTH + 1)
                    gradient[at + WIDTH] += down
                    for index in range(WIDTH):
                        bent = total[index] if total[index] > np.float32(0) else np.float32(0)
                        gradient[at + index] += down * bent
                        back[index] += down * network[at + index]
                for index in range(WIDTH):
                    if total[index] <= np.float32(0):
                        back[index] = np.float32(0)
                for row in rows[sample]:
                    at = row * WIDTH
                    for index in range(WIDTH):
                        gradient[at + index] += back[index]
                at = BIAS * WIDTH
                for index in range(WIDTH):
                    gradient[at + index] += back[index]
                for kind in range(KINDS):
                    if held[sample, kind]:
                        factor = np.float32(held[sample, kind])
                        at = (UNSEEN + kind) * WIDTH
                        for index in range(WIDTH):
                            gradient[at + index] += factor * back[index]
            steps += 1
            pace = np.float32(rate * (0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * steps / all_steps))))
            mend_first = np.float32(1 / (1 - 0.9**steps))
            mend_moment = np.float32(1 / (1 - 0.995**steps))
            for index in range(PARAMETERS):
                slope = gradient[index]
                first[index] = keep_first * first[index] + (np.float32(1) - keep_first) * slope
                moment[index] = keep_moment * moment[index] + (np.float32(1) - keep_moment) * slope * slope
                network[index] -= (
                    pace
                    * first[index]
                    * mend_first
                    / (np.sqrt(moment[index] * mend_moment) + np.float32(1e-6))
                )
        error /= count
    return error
