"""Which spaces are worth a look in endgames of two players, and how much can still be gained, compiled.

``free`` is a set of spaces as bits, ``sign`` 1 when the first seat moves, else -1.
"""

from __future__ import annotations

import numpy as np

from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_keys import ONE
from oudjat.engine.endgame_last import BALANCE, FACES, KINDS, NEAR, SUMS
from oudjat.engine.raw import Ints, Word, low_bit

BEYOND = 1000
"""More than anything that lies around a space."""


@kernel
def least_face(unseen: Word) -> int:
    """The smallest value among the unseen tiles, of which there is one at least."""
    kind = 0
    while kind < KINDS - 1 and not (unseen >> (4 * kind)) & 15:
        kind += 1
    return int(FACES[kind])


@kernel
def most_face(unseen: Word) -> int:
    """The largest value among the unseen tiles, of which there is one at least."""
    kind = KINDS - 1
    while kind > 0 and not (unseen >> (4 * kind)) & 15:
        kind -= 1
    return int(FACES[kind])


@kernel
def twins(w: Ints, free: Word) -> Word:
    """The spaces that touch the same free ones as another, each other left out."""
    found: Word = np.int64(0)
    rest = free
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        around = w[NEAR + space] & free
        others = rest
        while others:
            twin = low_bit(others)
            others &= others - 1
            if around & ~(ONE << twin) == w[NEAR + twin] & free & ~(ONE << space):
                found |= ONE << space | ONE << twin
    return found


@kernel
def worth_a_look(
    w: Ints,
    free: Word,
    paired: Word,
    face: int,
    sign: int,
    unseen: Word,
    own: int,
    other: int,
    tiles: int,
    apart: int,
) -> Word:
    """The spaces for a piece (``face`` 0) or a tile that no other space is as good as. ``paired`` are
    the :func:`twins` among them; ``own``, ``other`` and
    ``tiles``: whether after this turn the mover can still place a piece, the other one can, a tile can come;
    ``unseen`` are the tiles that are left then. ``apart``: no two spaces have to do with each other any more.

    Two spaces are *twins* when they touch the same free ones, each other left out: lone spaces, above all, and
    the two of a pair. Whoever fills one of them leaves the other, and apart from the names of the two the same
    game goes on, but for the sum and the balance around the space that is left. If each player answers as if it
    were the other twin, all that differs in the end is what fills it: the mover's piece gains the difference of
    the sums, the other's piece loses it, a tile gains its value times the difference of the balances. So a twin
    that gains at once at least what the worst of these can take away is as good, in every course of the game and
    so for either objective.
    """
    kept = free
    if paired == 0:
        return kept
    least, most = 0, 0
    if tiles:
        least, most = least_face(unseen), most_face(unseen)
    rest = paired
    while rest:
        space = low_bit(rest)
        rest &= kept & (rest - 1)  # one that is left out leaves none out: else two could do it to each other
        around = w[NEAR + space] & free
        others = rest
        while others:
            twin = low_bit(others)
            others &= others - 1
            if not apart and around & ~(ONE << twin) != w[NEAR + twin] & free & ~(ONE << space):
                continue
            more_sum = w[SUMS + twin] - w[SUMS + space]
            more_balance = (w[BALANCE + twin] - w[BALANCE + space]) * sign
            gain = -more_sum if face == 0 else -face * more_balance
            worst, best = BEYOND, -BEYOND
            if own:
                worst, best = more_sum, more_sum
            if other:
                worst, best = min(worst, -more_sum), max(best, -more_sum)
            if tiles:
                one, another = least * more_balance, most * more_balance
                worst, best = min(worst, one, another), max(best, one, another)
            if gain + worst >= 0:
                kept &= ~(ONE << twin)
            elif gain + best <= 0:
                kept &= ~(ONE << space)
                break
    return kept


@kernel
def reach(w: Ints, free: Word, unseen: Word) -> int:
    """More than this nobody can gain on the other from now on: each pair of a piece and a tile that can still
    come to lie side by side, at the highest."""
    top = 0
    for kind in range(KINDS):
        if (unseen >> (4 * kind)) & 15:
            top = max(top, abs(FACES[kind]))
    total = 0
    rest = free
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        total += max(abs(w[SUMS + space]), top * abs(w[BALANCE + space]))
        later = w[NEAR + space] & rest
        while later:
            later &= later - 1
            total += top
    return total


@kernel
def pieces_only(w: Ints, free: Word, pieces: int, other_pieces: int) -> int:
    """The margin when nothing but pieces can come: they take the best sums in turn."""
    total, way = 0, 1
    while free:
        if pieces == 0:
            way = -way
            pieces, other_pieces = other_pieces, pieces
            continue
        best = low_bit(free)
        rest = free & (free - 1)
        while rest:
            space = low_bit(rest)
            rest &= rest - 1
            if w[SUMS + space] > w[SUMS + best]:
                best = space
        free &= ~(ONE << best)
        total += way * w[SUMS + best]
        pieces -= 1
        way = -way
        pieces, other_pieces = other_pieces, pieces
    return total


@kernel
def promising(w: Ints, rest: Word, free: Word, face: int, sign: int) -> int:
    """The space of ``rest`` to try next: for a piece (``face`` 0) the highest sum, for a tile what it gains at once
    less what it offers to the pieces of the other."""
    best, best_promise = -1, -1000.0
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        promise = float(w[SUMS + space])
        if face != 0:
            promise = float(face * w[BALANCE + space] * sign)
            around = w[NEAR + space] & free
            while around:
                around &= around - 1
                promise -= 0.5 * face
        if promise > best_promise:
            best, best_promise = space, promise
    return best
