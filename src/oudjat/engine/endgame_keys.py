"""Keys of endgames of two players, compiled: how a state is told from all others, and where it is kept.

Keys are sums of 64 random bits for each thing that matters, kept up with every turn; a false match has a chance
of about one in 10^10 over a billion states.
"""

from __future__ import annotations

import numpy as np

from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_last import BALANCE, FREE_SPACES, NEAR, SUMS
from oudjat.engine.raw import Ints, Word, Words, low_bit

LABELS = 33 * 9
"""How many pairs of a sum (-16 to 16) and a balance (-4 to 4) there are."""

SCALE = float(2**44)
"""Values are kept as integers, so that words can be checked against each other."""

ONE = np.int64(1)
OWN_PIECES = np.uint64(0x9E3779B97F4A7C15)
OTHER_PIECES = np.uint64(0xBF58476D1CE4E5B9)
OWN_TILES = np.uint64(0x94D049BB133111EB)
OTHER_TILES = np.uint64(0xD6E8FEB86659FD93)
FIRST_SEAT = np.uint64(0xA0761D6478BD642F)
TILES_ONLY = np.uint64(0xE7037ED1A0B428DB)


@kernel
def mixed(number: Word) -> Word:
    """64 bits scrambled (the finalizer of SplitMix64, Steele, Lea and Flood 2014)."""
    z = np.uint64(number) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def part(w: Ints, keys: Words, space: int, free: Word) -> Word:
    """What a free space adds to the key: where it is matters only while another free one touches it."""
    row = space if w[NEAR + space] & free else w[FREE_SPACES]
    return keys[row * LABELS + (w[SUMS + space] + 16) * 9 + w[BALANCE + space] + 4]


@kernel
def fill(w: Ints, keys: Words, space: int, free: Word, face: int, piece: int, key: Word) -> Word:
    """A tile of ``face`` (or 0) or a piece (1 or -1 by seat, or 0) goes to ``space``: its neighbours feel it.
    Gives the key without this space."""
    after = free & ~(ONE << space)
    key -= part(w, keys, space, free)
    touched = w[NEAR + space] & after
    while touched:
        near = low_bit(touched)
        touched &= touched - 1
        key -= part(w, keys, near, free)
        w[SUMS + near] += face
        w[BALANCE + near] += piece
        key += part(w, keys, near, after)
    return key


@kernel
def empty(w: Ints, space: int, free: Word, face: int, piece: int) -> None:
    """Take back what :func:`fill` did to the neighbours."""
    touched = w[NEAR + space] & free & ~(ONE << space)
    while touched:
        near = low_bit(touched)
        touched &= touched - 1
        w[SUMS + near] -= face
        w[BALANCE + near] -= piece


@kernel
def reserves_key(
    pieces: int, other_pieces: int, tiles: int, other_tiles: int, sign: int, lead: int, win: int
) -> Word:
    """What reserves, seat to move and lead add to the key."""
    key = np.uint64(pieces) * OWN_PIECES + np.uint64(other_pieces) * OTHER_PIECES
    key += np.uint64(tiles) * OWN_TILES + np.uint64(other_tiles) * OTHER_TILES
    if sign > 0:
        key += FIRST_SEAT
    if win:
        key += mixed(np.uint64(lead + 1000))
    return key


@kernel
def tiles_only_key(w: Ints, keys: Words, free: Word, unseen: Word) -> Word:
    """The key of the spaces and the unseen tiles when no more pieces can come: only balances matter."""
    key = mixed(unseen) + TILES_ONLY
    while free:
        key += keys[(w[FREE_SPACES] + 1) * LABELS + w[BALANCE + low_bit(free)] + 4]
        free &= free - 1
    return key


@kernel
def found_at(table: Words, slots: int, full: Word) -> Word:
    """Where the state with this key is kept, -1 when it is not. A slot has two places of four words."""
    place: Word = np.int64(full & np.uint64(slots - 1)) * 8
    for _ in range(2):
        if table[place] ^ table[place + 1] ^ table[place + 2] ^ table[place + 3] == full:
            return place
        place += 4
    return -1


@kernel
def keep(table: Words, slots: int, full: Word, low: float, high: float, left: int, move: int) -> None:
    """Keep the bounds of a state; it drives out a smaller one, or the last one kept beside a larger one."""
    place = np.int64(full & np.uint64(slots - 1)) * 8
    first = table[place] ^ table[place + 1] ^ table[place + 2] ^ table[place + 3]
    if first != full and np.int64(table[place + 3] >> np.uint64(8)) > left:
        place += 4
    low_word, high_word = np.uint64(np.int64(low * SCALE)), np.uint64(np.int64(high * SCALE))
    what = np.uint64(left * 256 + move)
    table[place] = full ^ low_word ^ high_word ^ what
    table[place + 1] = low_word
    table[place + 2] = high_word
    table[place + 3] = what
