"""Exact endgames of two players for the margin, board by board, compiled.

What is left of a game is a *board*, the free spaces with their sums and balances, the reserves and the mover,
and the tiles not yet seen. Most boards are met with many sets of unseen tiles, and what can happen on them is
the same with all. So a board is looked up, and its turns are looked at, once; its value is found for all sets of
as many tiles at a time, in plain loops over arrays that the processor takes several steps at once. That saves
nearly all keys and look-ups, which cost more than the reckoning.

The sets of unseen tiles are those that can be left of the tiles unseen at the root, sorted by how many have been
drawn (:func:`tile_sets`). The values of a board lie in one long array from its *place* on, in the order of the
sets of its size. Not all of them mean something: a tile that lies beside a free space is in its sum, and no set
that still holds it can be met. ``may`` is, by kinds, what the sets that matter hold at most; for the others
nobody asks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oudjat.engine.compiled import float_kernel, kernel
from oudjat.engine.endgame_keys import LABELS, ONE, empty, fill, mixed, part, reserves_key, tiles_only_key
from oudjat.engine.endgame_last import (
    BALANCE,
    FACE_VALUES,
    FACES,
    FREE_SPACES,
    KINDS,
    NEAR,
    NOTHING,
    SHARED,
    STATES,
    STOP,
    SUMS,
)
from oudjat.engine.endgame_spaces import pieces_only, twins, worth_a_look
from oudjat.engine.raw import (
    Floats,
    Handle,
    Ints,
    Word,
    Words,
    fetch,
    floats,
    floats_from,
    ints,
    ints_from,
    low_bit,
    words,
)

MOST_SPACES = 12
SLOTS, ROOM, USED, BOARDS = (
    0,
    1,
    2,
    3,
)  # by number: places of the table, room for values and how much is taken
FULL, UNSEEN, ALL_UNSEEN, LEVELS = (
    4,
    5,
    6,
    7,
)  # no room was left; tiles unseen at the root, how many and which; where the sets of each size begin
STRIDES = LEVELS + 40
NEXT = STRIDES + KINDS
"""Where the numbers of the sets begin that are left when one tile is gone, kind by kind; then the sets,
packed, and the number of each set."""
CHILDREN = MOST_SPACES * (KINDS + 1)
"""For each number of free spaces the places of the boards that can follow: by space, for a piece and each tile."""
LISTED = (MOST_SPACES + 1) * CHILDREN
THEN = LISTED + 4096
"""Where the numbers of the sets whose values are wanted are listed, and what they are when a tile is gone."""
PLACED = THEN + 4096
"""For each space the kind of the tile that was put there beside free ones, from 1, or 0."""
CHILD_KEYS = PLACED + MOST_SPACES
"""The keys of the boards that can follow."""
ALL = 0x77777777
"""Holds every set."""
TOP_BITS = np.uint64(0x88888888)


@dataclass(frozen=True, slots=True)
class TileSets:
    """All sets that can be left of the unseen tiles: what is needed of them in ``numbers`` (:data:`LEVELS`,
    :data:`NEXT`), the share of each kind and the mean in ``shares``."""

    numbers: Ints
    shares: Floats


def tile_sets(unseen: tuple[int, ...], free: int) -> TileSets:
    """The sets that can be left of ``unseen`` while ``free`` spaces are filled, sorted by how many are gone.

    >>> sets = tile_sets((0, 0, 0, 1, 2, 0, 0, 0), 2)
    >>> sets.numbers[LEVELS : LEVELS + 4].tolist()
    [0, 1, 3, 5]
    """
    counts = np.indices([number + 1 for number in unseen]).reshape(KINDS, -1)
    strides = np.cumprod([1, *(number + 1 for number in unseen[:0:-1])])[::-1]
    gone = sum(unseen) - counts.sum(axis=0)
    order = np.argsort(gone, kind="stable")
    order = order[gone[order] <= free]
    counts, gone = counts[:, order], gone[order]
    begins = np.searchsorted(gone, np.arange(40))
    found = np.zeros(int(np.prod([number + 1 for number in unseen])), np.int64)
    found[order] = np.arange(len(order)) - begins[gone]
    numbers = np.zeros(NEXT + (KINDS + 1) * len(order) + len(found), np.int64)
    numbers[STRIDES : STRIDES + KINDS] = strides
    numbers[ALL_UNSEEN] = sum(number << (4 * kind) for kind, number in enumerate(unseen))
    numbers[UNSEEN], numbers[LEVELS : LEVELS + 40] = sum(unseen), begins
    after = np.where(counts > 0, found[np.maximum(order - strides[:, None], 0)], 0)
    numbers[NEXT:] = np.concatenate([after.ravel(), (1 << 4 * np.arange(KINDS)) @ counts, found])
    held = counts.sum(axis=0)
    shares = np.vstack([counts, FACES @ counts]) / np.maximum(held, 1)
    return TileSets(numbers, shares.ravel())


@kernel
def holds(may: Word, wanted: Word) -> bool:
    """Whether ``may`` has at least as many of each kind."""
    return bool(((np.uint64(may) | TOP_BITS) - np.uint64(wanted)) & TOP_BITS == TOP_BITS)


@kernel
def both(may: Word, wanted: Word) -> Word:
    """The least set that holds both."""
    together: Word = np.int64(0)
    for kind in range(KINDS):
        shift = 4 * kind
        together |= max((may >> shift) & 15, (wanted >> shift) & 15) << shift
    return together


@kernel
def choose(hn: Handle, sets_at: int, size: int, may: Word, known: Word, hc: Handle) -> int:
    """Lists the sets that ``may`` holds and ``known`` (-1: nothing is known) does not; how many they are."""
    sets, listed = ints_from(hn, sets_at), ints_from(hc, LISTED)
    many = 0
    for number in range(size):
        if holds(may, sets[number]) and (known < 0 or not holds(known, sets[number])):
            listed[many] = number
            many += 1
    return many


@kernel
def not_beside(w: Ints, unseen: Word, hc: Handle, free: Word) -> Word:
    """The tiles of ``unseen`` but for those that lie beside a free space."""
    placed = ints_from(hc, PLACED)
    filled = ((ONE << w[FREE_SPACES]) - 1) & ~free
    while filled:
        space = low_bit(filled)
        filled &= filled - 1
        shift = 4 * (placed[space] - 1)
        if shift >= 0 and w[NEAR + space] & free and (unseen >> shift) & 15:
            unseen -= ONE << shift
    return unseen


@float_kernel
def with_piece(ha: Handle, best_at: int, child: int, hc: Handle, many: int, gain: float, way: float) -> None:
    """The mover may also place a piece that gains so much and leads to the board ``child``."""
    best, after, listed = floats_from(ha, best_at), floats_from(ha, child), ints_from(hc, LISTED)
    for number in range(many):
        worth = gain - way * after[listed[number]]
        best[number] = worth if worth > best[number] else best[number]


@float_kernel
def with_tile(
    ha: Handle, top_at: int, child: int, hc: Handle, many: int, gain: float, way: float, first: int
) -> None:
    """The mover may also put the tile that was drawn where it gains so much and leads to the board ``child``."""
    top, after, then = floats_from(ha, top_at), floats_from(ha, child), ints_from(hc, THEN)
    if first:
        for number in range(many):
            top[number] = gain - way * after[then[number]]
    else:
        for number in range(many):
            worth = gain - way * after[then[number]]
            top[number] = worth if worth > top[number] else top[number]


@kernel
def drawn(hn: Handle, next_at: int, hc: Handle, many: int) -> None:
    """Notes the numbers of the listed sets without the tile that was drawn."""
    after, listed, then = ints_from(hn, next_at), ints_from(hc, LISTED), ints_from(hc, THEN)
    for number in range(many):
        then[number] = after[listed[number]]


@float_kernel
def add_share(ha: Handle, sum_at: int, top_at: int, hs: Handle, share_at: int, hc: Handle, many: int) -> None:
    """One kind's part in what a draw is worth."""
    total, top = floats_from(ha, sum_at), floats_from(ha, top_at)
    share, listed = floats_from(hs, share_at), ints_from(hc, LISTED)
    for number in range(many):
        total[number] += share[listed[number]] * top[number]


@float_kernel
def last_space(ha: Handle, place: int, hs: Handle, mean_at: int, size: int, balance: float) -> None:
    """The mover may also put a tile on the last space."""
    best, mean = floats_from(ha, place), floats_from(hs, mean_at)
    for number in range(size):
        worth = mean[number] * balance
        best[number] = worth if worth > best[number] else best[number]


@kernel
def key_after(w: Ints, keys: Words, space: int, free: Word, face: int, piece: int, key: Word) -> Word:
    """The key that :func:`fill` gives, without filling the space."""
    after = free & ~(ONE << space)
    key -= part(w, keys, space, free)
    touched = w[NEAR + space] & after
    while touched:
        near = low_bit(touched)
        touched &= touched - 1
        row = near if w[NEAR + near] & after else w[FREE_SPACES]
        key -= part(w, keys, near, free)
        key += keys[row * LABELS + (w[SUMS + near] + face + 16) * 9 + w[BALANCE + near] + piece + 4]
    return key


@kernel
def slot_of(table: Words, slots: int, full: Word) -> int:
    """Where the board with this key is, or could be put."""
    at: Word = np.int64(full & np.uint64(slots - 1))
    while table[4 * at] != full and table[4 * at] != 0:
        at = (at + 1) & (slots - 1)
    return int(4 * at)


@kernel
def board(
    hw: Handle,
    hk: Handle,
    ht: Handle,
    ha: Handle,
    hn: Handle,
    hs: Handle,
    hc: Handle,
    free: Word,
    left: int,
    sign: int,
    key: Word,
    may: Word,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
) -> int:
    """The place of the values of a board for the mover, who has something to place.

    Handles: integers, random words, the table of boards, the values, the sets' integers and floats, the boards
    that follow. ``count`` tiles are unseen. With ``w[STOP]`` set, or when no room is left, what it gives and what
    it leaves behind is nonsense.
    """
    w, keys, table, values, sets, children = ints(hw), words(hk), words(ht), floats(ha), ints(hn), ints(hc)
    shared = w[SHARED]
    mine, his = left, left
    if not shared:
        mine, his = (left + 1) >> 1, left >> 1
    own, other = min(pieces, mine), min(other_pieces, his)
    stock, other_stock = min(tiles, mine), min(other_tiles, his)
    only_tiles = own + other == 0
    full = reserves_key(own, other, stock, other_stock, sign, 0, 0)
    if only_tiles:
        full += tiles_only_key(w, keys, free, count)
    else:
        full += key + mixed(count)
    at = slot_of(table, sets[SLOTS], full)
    gone = sets[UNSEEN] - count
    begin = sets[LEVELS + gone]
    size = sets[LEVELS + gone + 1] - begin
    place: Word = np.int64(-1)
    known: Word = np.int64(-1)
    if table[at] == full:
        place = np.int64(table[at + 1])
        if holds(table[at + 2], may):
            return int(place)
        known = np.int64(table[at + 2])
        may = both(known, may)
    if w[STOP]:
        return 0
    may = both(may, not_beside(w, sets[ALL_UNSEEN], hc, free))
    if place < 0:
        place = sets[USED]
        if place + 3 * size > sets[ROOM] or 2 * sets[BOARDS] > sets[SLOTS]:
            sets[FULL] = w[STOP] = 1
            return 0
        sets[USED] += size
        sets[BOARDS] += 1
    next_own, next_other = left - 1, left - 1
    if not shared:
        next_own, next_other = left >> 1, (left - 1) >> 1
    if stock + other_stock == 0:
        gain = float(pieces_only(w, free, pieces, other_pieces))
        for number in range(place, place + size):
            values[number] = gain
        may = ALL
        w[STATES] += size
    elif left == 1:
        space = low_bit(free)
        gain = float(w[SUMS + space]) if own > 0 else -NOTHING
        for number in range(place, place + size):
            values[number] = gain
        if stock > 0:
            last_space(
                ha, place, hs, KINDS * sets[LEVELS + 39] + begin, size, float(w[BALANCE + space] * sign)
            )
        may = ALL
        w[STATES] += size
    else:
        row = left * CHILDREN
        paired = free if only_tiles else twins(w, free)
        other_left = other_tiles - 1 if shared else other_tiles
        for ahead in (True, False):  # have the table's places brought near first, then look there
            for turn in range(KINDS + 1):
                kind = turn - 1
                if turn == 0:
                    face, piece, then = 0, sign, may
                    my_pieces, my_tiles, his_tiles, then_count = pieces - 1, tiles, other_tiles, count
                    possible = pieces > 0
                else:
                    face, piece, then = FACES[kind], 0, may - (ONE << (4 * kind))
                    my_pieces, my_tiles, his_tiles, then_count = pieces, tiles - 1, other_left, count - 1
                    possible = tiles > 0 and (may >> (4 * kind)) & 15 > 0
                if not possible:
                    if ahead:
                        for number in range(left):
                            children[row + number * (KINDS + 1) + turn] = -1
                    continue
                passes = other_pieces + his_tiles == 0  # IO-20
                one, another = other_pieces, my_pieces
                some, others_tiles, way = his_tiles, my_tiles, -sign
                if passes:
                    one, another, some, others_tiles, way = my_pieces, other_pieces, my_tiles, his_tiles, sign
                last_own, last_other = next_own, next_other
                by_key = min(one, last_own) + min(another, last_other) > 0
                if ahead:
                    then_key = mixed(then_count) + reserves_key(
                        min(one, last_own), min(another, last_other), min(some, last_own),
                        min(others_tiles, last_other), way, 0, 0
                    )  # fmt: skip
                    rest = worth_a_look(w, free, paired, face, sign, may, min(my_pieces, next_other),
                                        min(other_pieces, next_own),
                                        min(my_tiles, next_other) + min(his_tiles, next_own), only_tiles)  # fmt: skip
                others, number = free, -1
                while others:
                    space = low_bit(others)
                    others &= others - 1
                    number += 1
                    cell = row + number * (KINDS + 1) + turn
                    lone = only_tiles or not w[NEAR + space] & free
                    if ahead:
                        if not (rest >> space) & 1:
                            children[cell] = -1
                            continue
                        children[cell] = -2
                        if turn > 1 and lone:  # the same as for another tile
                            for before in range(1, turn):
                                if children[cell - before] != -1:
                                    children[cell] = -2 - before
                        if children[cell] == -2 and by_key:
                            full_then = key_after(w, keys, space, free, face, piece, key) + then_key
                            children[CHILD_KEYS + cell] = np.int64(full_then)
                            fetch(ht, np.int64(full_then & np.uint64(sets[SLOTS] - 1)) * 4)
                        continue
                    if children[cell] == -1:
                        continue
                    if children[cell] < -2:
                        children[cell] = children[cell + children[cell] + 2]
                        continue
                    wanted = may if lone else then
                    if by_key:
                        full_then = np.uint64(children[CHILD_KEYS + cell])
                        there = slot_of(table, sets[SLOTS], full_then)
                        if table[there] == full_then and holds(table[there + 2], wanted):
                            children[cell] = np.int64(table[there + 1])
                            fetch(ha, children[cell])
                            fetch(ha, children[cell] + 8)
                            continue
                    after = key
                    if not only_tiles:
                        after = fill(w, keys, space, free, face, piece, key)
                    if turn > 0 and not lone:
                        children[PLACED + space] = turn
                    children[cell] = board(hw, hk, ht, ha, hn, hs, hc, free & ~(ONE << space), left - 1, way, after,
                                           wanted, then_count, one, some, another, others_tiles)  # fmt: skip
                    children[PLACED + space] = 0
                    if not only_tiles:
                        empty(w, space, free, face, piece)
                    if w[STOP]:
                        return 0
        sets_in_all = sets[LEVELS + 39]
        many = choose(hn, NEXT + KINDS * sets_in_all + begin, size, may, known, hc)
        w[STATES] += many
        top_at, sum_at = sets[ROOM], sets[ROOM] + size
        start = -NOTHING if tiles == 0 else 0.0
        for number in range(many):
            values[sum_at + number] = start
        draw_way = 1.0 if other_pieces + other_left > 0 else -1.0
        for kind in range(KINDS):
            first = 1
            others, number = free, -1
            while others:
                space = low_bit(others)
                others &= others - 1
                number += 1
                child = children[row + number * (KINDS + 1) + kind + 1]
                if child >= 0:
                    if first:
                        drawn(hn, NEXT + kind * sets_in_all + begin, hc, many)
                    gain = FACE_VALUES[kind] * (w[BALANCE + space] * sign)
                    with_tile(ha, top_at, child, hc, many, gain, draw_way, first)
                    first = 0
            if not first:
                add_share(ha, sum_at, top_at, hs, kind * sets_in_all + begin, hc, many)
        piece_way = 1.0 if other_pieces + other_tiles > 0 else -1.0
        others, number = free, -1
        while others:
            space = low_bit(others)
            others &= others - 1
            number += 1
            child = children[row + number * (KINDS + 1)]
            if child >= 0:
                with_piece(ha, sum_at, child, hc, many, float(w[SUMS + space]), piece_way)
        for number in range(many):
            values[place + children[LISTED + number]] = values[sum_at + number]
    at = slot_of(table, sets[SLOTS], full)
    table[at] = full
    table[at + 1] = np.uint64(place)
    table[at + 2] = np.uint64(may)
    return int(place)


@kernel
def value_by_boards(
    hw: Handle,
    hk: Handle,
    ht: Handle,
    ha: Handle,
    hn: Handle,
    hs: Handle,
    hc: Handle,
    free: Word,
    left: int,
    sign: int,
    key: Word,
    unseen: Word,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
) -> float:
    """The value of one state for the mover, who may have to pass: its board is solved for all sets of tiles."""
    w, values, sets = ints(hw), floats(ha), ints(hn)
    if (
        4 * sets[USED] > 3 * sets[ROOM] or 8 * sets[BOARDS] > 3 * sets[SLOTS]
    ):  # start anew while there is room
        table = words(ht)
        for at in range(4 * sets[SLOTS]):
            table[at] = 0
        sets[USED] = sets[BOARDS] = 0
    may = not_beside(w, sets[ALL_UNSEEN], hc, free)
    number = np.int64(0)
    for kind in range(KINDS):
        number += ((unseen >> (4 * kind)) & 15) * sets[STRIDES + kind]
    number = sets[NEXT + (KINDS + 1) * sets[LEVELS + 39] + number]
    if pieces + tiles > 0:
        place = board(hw, hk, ht, ha, hn, hs, hc, free, left, sign, key - mixed(unseen), may, count,
                      pieces, tiles, other_pieces, other_tiles)  # fmt: skip
        return float(values[place + number])
    place = board(hw, hk, ht, ha, hn, hs, hc, free, left, -sign, key - mixed(unseen), may, count,
                  other_pieces, other_tiles, pieces, tiles)  # fmt: skip
    return -float(values[place + number])
