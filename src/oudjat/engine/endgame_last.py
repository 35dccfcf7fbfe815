"""The last one, two and three free spaces of two players, counted out: see :mod:`oudjat.engine.endgame_two`.

``pieces`` and ``tiles`` are the reserves of the mover, ``other_pieces`` and ``other_tiles`` those of the other;
a balance (own pieces beside a space less the other's) is seen from the mover, and so is ``lead``.
"""

from __future__ import annotations

import numpy as np

from oudjat.engine.compiled import float_kernel, kernel
from oudjat.engine.raw import Floats, Ints, Word, low_bit

FACES = np.array([-4, -3, -2, -1, 1, 2, 3, 4])
FACE_VALUES = FACES.astype(np.float64)
KINDS = len(FACES)

SUMS, BALANCE, NEAR = 0, 36, 72  # by free space: see ``endgame.Rest``
STATES, STOP, FREE_SPACES, SHARED, WIN = 108, 109, 110, 111, 112
TABLE_SLOTS, LEAN_SLOTS = 113, 114
BOARD_SPACES = 115
"""With so many free spaces or fewer it goes on board by board (0: never)."""
NUMBERS = 116
"""The length of the array of integers."""

COUNTS = 0  # unseen tiles by kind, as floats
FRAMES, FRAME = 8, 32  # for each number of free spaces: bounds of the draws' values, first tries
LEAST, MOST, TRIED, TRIED_VALUE = 0, 8, 16, 24
FLOATS = FRAMES + FRAME * 37

NOTHING = 1e5
"""Beyond every value."""


@kernel
def sign_of(lead: float) -> float:
    """1 for a win, -1 for a loss, 0 for a shared win."""
    return 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)


@kernel
def last_margin(
    total: int, balance: int, pieces: int, tiles: int, other_pieces: int, other_tiles: int, mean: float
) -> float:
    """The value of one free space for the margin; ``mean`` is what a tile is worth on average."""
    best = -NOTHING
    if pieces > 0:
        best = float(total)
    if tiles > 0:
        best = max(best, mean * balance)
    if pieces + tiles == 0:  # IO-20: the other one fills it
        best = NOTHING
        if other_pieces > 0:
            best = -float(total)
        if other_tiles > 0:
            best = min(best, mean * balance)
    return best


@float_kernel
def expected_sign(numbers: Floats, lead: int, balance: int, drawn: int, count: int) -> float:
    """What a tile placed beside ``balance`` makes of ``lead`` on average, when the tile of kind ``drawn``
    (-1: none) is gone and ``count`` others are left."""
    total = 0.0
    for kind in range(KINDS):
        after = lead + FACE_VALUES[kind] * balance
        total += numbers[COUNTS + kind] * (1.0 if after > 0.0 else (-1.0 if after < 0.0 else 0.0))
    if drawn >= 0:
        total -= sign_of(lead + FACE_VALUES[drawn] * balance)
    return total / count if count > 0 else 0.0


@kernel
def last_win(
    numbers: Floats,
    lead: int,
    total: int,
    balance: int,
    drawn: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
) -> float:
    """The value of one free space for the win."""
    best = -NOTHING
    if pieces > 0:
        best = sign_of(lead + total)
    if tiles > 0:
        best = max(best, expected_sign(numbers, lead, balance, drawn, count))
    if pieces + tiles == 0:
        best = NOTHING
        if other_pieces > 0:
            best = sign_of(lead - total)
        if other_tiles > 0:
            best = min(best, expected_sign(numbers, lead, balance, drawn, count))
    return best


@float_kernel
def two_drawn(
    numbers: Floats,
    total: int,
    total_there: int,
    balance: int,
    balance_there: int,
    touch: int,
    sum_unseen: int,
    count: int,
    other_pieces: int,
    other_tiles: int,
) -> float:
    """The margin from two spaces when the mover turns over a tile and the other one can fill the last space."""
    no_piece = 0.0 if other_pieces > 0 else -NOTHING
    no_tile = 0.0 if other_tiles > 0 else -NOTHING
    share = 1.0 / (count - 1) if count > 1 else 0.0
    expected = 0.0
    here, there = float(total) + no_piece, float(total_there) + no_piece
    for kind in range(KINDS):
        face = FACE_VALUES[kind]
        mean = (sum_unseen - face) * share
        by_piece = there + touch * face
        by_tile = no_tile - balance_there * mean
        first = face * balance - (by_piece if by_piece > by_tile else by_tile)
        by_piece = here + touch * face
        by_tile = no_tile - balance * mean
        second = face * balance_there - (by_piece if by_piece > by_tile else by_tile)
        expected += numbers[COUNTS + kind] * (first if first > second else second)
    return expected / count


@kernel
def two_margin(
    numbers: Floats,
    total: int,
    total_there: int,
    balance: int,
    balance_there: int,
    touch: int,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    shared: int,
) -> float:
    """The margin from two spaces that ``touch`` (1) or do not (0), when the mover has something to place."""
    best = -NOTHING
    if pieces > 0:
        mean = sum_unseen / count if count > 0 else 0.0
        left = pieces - 1
        best = max(
            total
            - last_margin(total_there, -balance_there - touch, other_pieces, other_tiles, left, tiles, mean),
            total_there - last_margin(total, -balance - touch, other_pieces, other_tiles, left, tiles, mean),
        )
    if tiles > 0:
        other_left = other_tiles - 1 if shared else other_tiles
        if other_pieces + other_left > 0:
            drawn = two_drawn(
                numbers, total, total_there, balance, balance_there, touch, sum_unseen, count, other_pieces, other_left
            )  # fmt: skip
        else:
            drawn = 0.0
            for kind in range(KINDS):
                face = FACES[kind]
                mean = (sum_unseen - face) / (count - 1) if count > 1 else 0.0
                drawn += numbers[COUNTS + kind] * max(
                    face * balance
                    - last_margin(total_there + touch * face, -balance_there, 0, 0, pieces, tiles - 1, mean),
                    face * balance_there
                    - last_margin(total + touch * face, -balance, 0, 0, pieces, tiles - 1, mean),
                )
            drawn /= count
        best = max(best, drawn)
    return best


@kernel
def two_win(
    numbers: Floats,
    lead: int,
    total: int,
    total_there: int,
    balance: int,
    balance_there: int,
    touch: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    shared: int,
) -> float:
    """The same for the win."""
    best = -NOTHING
    if pieces > 0:
        left = pieces - 1
        best = max(
            -last_win(numbers, -lead - total, total_there, -balance_there - touch, -1, count,
                      other_pieces, other_tiles, left, tiles),
            -last_win(numbers, -lead - total_there, total, -balance - touch, -1, count,
                      other_pieces, other_tiles, left, tiles),
        )  # fmt: skip
    if tiles > 0:
        other_left = other_tiles - 1 if shared else other_tiles
        drawn = 0.0
        for kind in range(KINDS):
            if numbers[COUNTS + kind] == 0.0:
                continue
            face = FACES[kind]
            first = -last_win(numbers, -lead - face * balance, total_there + touch * face, -balance_there, kind,
                              count - 1, other_pieces, other_left, pieces, tiles - 1)  # fmt: skip
            second = -last_win(numbers, -lead - face * balance_there, total + touch * face, -balance, kind,
                               count - 1, other_pieces, other_left, pieces, tiles - 1)  # fmt: skip
            drawn += numbers[COUNTS + kind] * max(first, second)
        best = max(best, drawn / count)
    return best


@kernel
def two(
    numbers: Floats,
    win: int,
    lead: int,
    total: int,
    total_there: int,
    balance: int,
    balance_there: int,
    touch: int,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    shared: int,
) -> float:
    """The value of two free spaces for the mover, who passes when he has nothing left."""
    if pieces + tiles > 0:
        if win:
            return two_win(
                numbers, lead, total, total_there, balance, balance_there, touch, count,
                pieces, tiles, other_pieces, other_tiles, shared,
            )  # fmt: skip
        return two_margin(
            numbers, total, total_there, balance, balance_there, touch, sum_unseen, count,
            pieces, tiles, other_pieces, other_tiles, shared,
        )  # fmt: skip
    if win:
        return -two_win(
            numbers, -lead, total, total_there, -balance, -balance_there, touch, count,
            other_pieces, other_tiles, pieces, tiles, shared,
        )  # fmt: skip
    return -two_margin(
        numbers, total, total_there, -balance, -balance_there, touch, sum_unseen, count,
        other_pieces, other_tiles, pieces, tiles, shared,
    )  # fmt: skip


@kernel
def last_two(
    w: Ints,
    numbers: Floats,
    free: Word,
    left: int,
    sign: int,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    lead: int,
) -> float:
    """The value of the last or the last two free spaces for the mover."""
    space = low_bit(free)
    total, balance = w[SUMS + space], w[BALANCE + space] * sign
    if left == 1:
        if w[WIN]:
            return last_win(
                numbers, lead, total, balance, -1, count, pieces, tiles, other_pieces, other_tiles
            )
        mean = sum_unseen / count if count > 0 else 0.0
        return last_margin(total, balance, pieces, tiles, other_pieces, other_tiles, mean)
    there = low_bit(free & (free - 1))
    return two(numbers, w[WIN], lead, total, w[SUMS + there], balance, w[BALANCE + there] * sign,
               (w[NEAR + space] >> there) & 1, sum_unseen, count,
               pieces, tiles, other_pieces, other_tiles, w[SHARED])  # fmt: skip


@kernel
def three(
    w: Ints,
    numbers: Floats,
    free: Word,
    sign: int,
    unseen: Word,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    lead: int,
) -> float:
    """The value of three free spaces for the mover, who has something to place."""
    shared, win = w[SHARED], w[WIN]
    a = low_bit(free)
    rest = free & (free - 1)
    b = low_bit(rest)
    c = low_bit(rest & (rest - 1))
    ab, ac, bc = (w[NEAR + a] >> b) & 1, (w[NEAR + a] >> c) & 1, (w[NEAR + b] >> c) & 1
    sum_a, sum_b, sum_c = w[SUMS + a], w[SUMS + b], w[SUMS + c]
    at_a, at_b, at_c = w[BALANCE + a] * sign, w[BALANCE + b] * sign, w[BALANCE + c] * sign
    same = ab + ac + bc == 0 and sum_a == sum_b and at_a == at_b
    best = -NOTHING
    if pieces > 0:
        left = pieces - 1
        for place in range(3):
            if place == 0:
                gain = sum_a
                after = -lead - gain if win else 0
                found = -two(numbers, win, after, sum_b, sum_c, -at_b - ab, -at_c - ac, bc, sum_unseen, count,
                             other_pieces, other_tiles, left, tiles, shared)  # fmt: skip
            elif place == 1:
                if same:
                    continue
                gain = sum_b
                after = -lead - gain if win else 0
                found = -two(numbers, win, after, sum_a, sum_c, -at_a - ab, -at_c - bc, ac, sum_unseen, count,
                             other_pieces, other_tiles, left, tiles, shared)  # fmt: skip
            else:
                gain = sum_c
                after = -lead - gain if win else 0
                found = -two(numbers, win, after, sum_a, sum_b, -at_a - ac, -at_b - bc, ab, sum_unseen, count,
                             other_pieces, other_tiles, left, tiles, shared)  # fmt: skip
            best = max(best, found if win else found + gain)
    if tiles > 0:
        other_left = other_tiles - 1 if shared else other_tiles
        left = tiles - 1
        expected = 0.0
        for kind in range(KINDS):
            held = (unseen >> (4 * kind)) & 15
            if held == 0:
                continue
            face = FACES[kind]
            numbers[COUNTS + kind] -= 1
            top = -NOTHING
            for place in range(3):
                if place == 0:
                    gain = face * at_a
                    after = -lead - gain if win else 0
                    found = -two(numbers, win, after, sum_b + ab * face, sum_c + ac * face, -at_b, -at_c, bc,
                                 sum_unseen - face, count - 1, other_pieces, other_left, pieces, left,
                                 shared)  # fmt: skip
                elif place == 1:
                    if same:
                        continue
                    gain = face * at_b
                    after = -lead - gain if win else 0
                    found = -two(numbers, win, after, sum_a + ab * face, sum_c + bc * face, -at_a, -at_c, ac,
                                 sum_unseen - face, count - 1, other_pieces, other_left, pieces, left,
                                 shared)  # fmt: skip
                else:
                    gain = face * at_c
                    after = -lead - gain if win else 0
                    found = -two(numbers, win, after, sum_a + ac * face, sum_b + bc * face, -at_a, -at_b, ab,
                                 sum_unseen - face, count - 1, other_pieces, other_left, pieces, left,
                                 shared)  # fmt: skip
                top = max(top, found if win else found + gain)
            numbers[COUNTS + kind] += 1
            expected += held * top
        best = max(best, expected / count)
    return best
