"""Which spaces are worth a look in endgames of two players, and how much can still be gained, compiled.

``free`` is a set of spaces as bits, ``sign`` 1 when the first seat moves, else -1.
"""

from __future__ import annotations

from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_keys import ONE
from oudjat.engine.endgame_last import BALANCE, FACES, KINDS, NEAR, SUMS
from oudjat.engine.raw import Ints, Word, low_bit


@kernel
def outdone(w: Ints, space: int, free: Word) -> bool:
    """Whether another space is as good for a piece: both touch no free one, and have the same balance."""
    if w[NEAR + space] & free:
        return False
    others = free & ~(ONE << space)
    while others:
        other = low_bit(others)
        others &= others - 1
        if w[BALANCE + other] == w[BALANCE + space] and not w[NEAR + other] & free:
            more = w[SUMS + other] - w[SUMS + space]
            if more > 0 or (more == 0 and other < space):
                return True
    return False


@kernel
def doubled(w: Ints, space: int, free: Word) -> bool:
    """Whether a space before it is the same for every purpose."""
    if w[NEAR + space] & free:
        return False
    others = free & ((ONE << space) - 1)
    while others:
        other = low_bit(others)
        others &= others - 1
        if (
            w[SUMS + other] == w[SUMS + space]
            and w[BALANCE + other] == w[BALANCE + space]
            and not w[NEAR + other] & free
        ):
            return True
    return False


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
def promising(w: Ints, free: Word, tried: Word, face: int, sign: int) -> int:
    """The untried space to try next: for a piece (``face`` 0) the highest sum, for a tile what it gains at once
    less what it offers to the pieces of the other."""
    best, best_promise = -1, -1000.0
    rest = free & ~tried
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
