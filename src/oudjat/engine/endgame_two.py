"""Exact endgames of two players, compiled.

Only what is left matters: for each free space the sum of the tiles next to it and the balance of the pieces next
to it, the tiles not yet seen, the reserves and the seat to move; for the share of the win also the lead. All
values are the mover's: with the margin what he can expect to gain on the other from now on, with the win the
chance to win less the chance to lose.

States are walked depth first. With ``LEAN`` free spaces or fewer every state is looked at once and its value
kept. Above, alpha-beta cuts, over draws by the bounds of Star1 and Star2 (Ballard 1983; Hauk, Buro and Schaeffer
2004). What is special to this game:

- spaces that touch no other free one are told apart by what lies around them only, not by where they are;
- of two such spaces with the same balance a piece goes to the one with the higher sum: whoever uses the other
  one later, and for what, the mover is not worse off;
- when no more tiles can come, the pieces take the best sums in turn; when no more pieces can come, sums and
  places do not matter any more;
- the last three spaces are counted out directly.

Keys are sums of 64 random bits for each thing that matters, kept up with every turn; a false match has a chance
of about one in 10^10 over a billion states.
"""

from __future__ import annotations

import numpy as np

from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_last import (
    BALANCE,
    COUNTS,
    FACES,
    FRAME,
    FRAMES,
    FREE_SPACES,
    KINDS,
    LEAN_SLOTS,
    LEAST,
    MOST,
    NEAR,
    NOTHING,
    SHARED,
    STATES,
    STOP,
    SUMS,
    TABLE_SLOTS,
    TRIED,
    TRIED_VALUE,
    WIN,
    last_margin,
    last_win,
    sign_of,
    three,
    two,
)
from oudjat.engine.raw import Handle, Ints, Words, floats, ints, low_bit, words

LABELS = 33 * 9
"""How many pairs of a sum (-16 to 16) and a balance (-4 to 4) there are."""


LEAN = 5
SCALE = float(2**44)  # values are kept as integers, so that words can be checked against each other
ONE = np.int64(1)
NO_MOVE, DRAW_MOVE = 63, 62
OWN_PIECES = np.uint64(0x9E3779B97F4A7C15)
OTHER_PIECES = np.uint64(0xBF58476D1CE4E5B9)
OWN_TILES = np.uint64(0x94D049BB133111EB)
OTHER_TILES = np.uint64(0xD6E8FEB86659FD93)
FIRST_SEAT = np.uint64(0xA0761D6478BD642F)
TILES_ONLY = np.uint64(0xE7037ED1A0B428DB)


@kernel
def mixed(number: int) -> int:
    """64 bits scrambled (the finalizer of SplitMix64, Steele, Lea and Flood 2014)."""
    z = np.uint64(number) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


# Keys, and filling a space.


@kernel
def part(w: Ints, keys: Words, space: int, free: int) -> int:
    """What a free space adds to the key: where it is matters only while another free one touches it."""
    row = space if w[NEAR + space] & free else w[FREE_SPACES]
    return keys[row * LABELS + (w[SUMS + space] + 16) * 9 + w[BALANCE + space] + 4]


@kernel
def fill(w: Ints, keys: Words, space: int, free: int, face: int, piece: int, key: int) -> int:
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
def empty(w: Ints, space: int, free: int, face: int, piece: int) -> None:
    """Take back what :func:`fill` did to the neighbours."""
    touched = w[NEAR + space] & free & ~(ONE << space)
    while touched:
        near = low_bit(touched)
        touched &= touched - 1
        w[SUMS + near] -= face
        w[BALANCE + near] -= piece


@kernel
def outdone(w: Ints, space: int, free: int) -> bool:
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
def doubled(w: Ints, space: int, free: int) -> bool:
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
def reach(w: Ints, free: int, unseen: int) -> int:
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
def pieces_only(w: Ints, free: int, pieces: int, other_pieces: int) -> int:
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
def reserves_key(  # noqa: PLR0917 - numbers that a kernel passes on are passed one by one
    pieces: int, other_pieces: int, tiles: int, other_tiles: int, sign: int, lead: int, win: int
) -> int:
    """What reserves, seat to move and lead add to the key."""
    key = np.uint64(pieces) * OWN_PIECES + np.uint64(other_pieces) * OTHER_PIECES
    key += np.uint64(tiles) * OWN_TILES + np.uint64(other_tiles) * OTHER_TILES
    if sign > 0:
        key += FIRST_SEAT
    if win:
        key += mixed(np.uint64(lead + 1000))
    return key


# The search.


@kernel
def exact(
    hw: Handle,
    hf: Handle,
    hk: Handle,
    ht: Handle,
    hl: Handle,
    free: int,
    left: int,
    sign: int,
    key: int,
    unseen: int,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    lead: int,
) -> float:
    """The value of a state with few free spaces: see the module. Arguments as of :func:`value`."""
    w, numbers, keys, table = ints(hw), floats(hf), words(hk), words(hl)
    shared, win = w[SHARED], w[WIN]
    if left == 1:
        space = low_bit(free)
        if win:
            return last_win(numbers, lead, w[SUMS + space], w[BALANCE + space] * sign, -1, count,
                            pieces, tiles, other_pieces, other_tiles)  # fmt: skip
        mean = sum_unseen / count if count > 0 else 0.0
        return last_margin(
            w[SUMS + space], w[BALANCE + space] * sign, pieces, tiles, other_pieces, other_tiles, mean
        )
    if left == 2:
        space = low_bit(free)
        there = low_bit(free & (free - 1))
        return two(numbers, win, lead, w[SUMS + space], w[SUMS + there], w[BALANCE + space] * sign,
                   w[BALANCE + there] * sign, (w[NEAR + space] >> there) & 1, sum_unseen, count,
                   pieces, tiles, other_pieces, other_tiles, shared)  # fmt: skip
    if pieces + tiles == 0:
        return -exact(hw, hf, hk, ht, hl, free, left, -sign, key, unseen, sum_unseen, count,
                      other_pieces, other_tiles, pieces, tiles, -lead)  # fmt: skip
    mine, his = left, left
    if not shared:  # nobody passes: so many turns are left, and no more can be placed
        mine, his = (left + 1) >> 1, left >> 1
    own, other = min(pieces, mine), min(other_pieces, his)
    stock, other_stock = min(tiles, mine), min(other_tiles, his)
    if stock + other_stock == 0:
        gain = pieces_only(w, free, pieces, other_pieces)
        return sign_of(lead + gain) if win else float(gain)
    if win:
        most = reach(w, free, unseen)
        if lead > most:
            return 1.0
        if lead < -most:
            return -1.0
    full = reserves_key(own, other, stock, other_stock, sign, lead, win)
    only_tiles = own + other == 0
    if only_tiles:
        full += mixed(unseen) + TILES_ONLY
        rest = free
        while rest:
            full += keys[(w[FREE_SPACES] + 1) * LABELS + w[BALANCE + low_bit(rest)] + 4]
            rest &= rest - 1
    else:
        full += key
    place = np.int64(full & np.uint64(w[LEAN_SLOTS] - 1)) * 2
    if table[place] ^ table[place + 1] == full:
        return np.int64(table[place + 1]) / SCALE
    if w[STOP]:
        return 0.0
    w[STATES] += 1
    best = -NOTHING
    if left == 3 and not only_tiles:
        best = three(w, numbers, free, sign, unseen, sum_unseen, count,
                     pieces, tiles, other_pieces, other_tiles, lead)  # fmt: skip
    else:
        if pieces > 0 and not only_tiles:
            rest = free
            while rest:
                space = low_bit(rest)
                rest &= rest - 1
                if outdone(w, space, free):
                    continue
                gain = w[SUMS + space]
                after = fill(w, keys, space, free, 0, sign, key)
                found = -exact(hw, hf, hk, ht, hl, free & ~(ONE << space), left - 1, -sign, after, unseen, sum_unseen,
                               count, other_pieces, other_tiles, pieces - 1, tiles, -lead - gain if win else 0)  # fmt: skip
                empty(w, space, free, 0, sign)
                best = max(best, found if win else found + gain)
        if tiles > 0:
            other_left = other_tiles - 1 if shared else other_tiles
            expected = 0.0
            unseen_key = mixed(unseen)
            for kind in range(KINDS):
                held = (unseen >> (4 * kind)) & 15
                if held == 0:
                    continue
                face = FACES[kind]
                then = unseen - (ONE << (4 * kind))
                drawn_key = key - unseen_key + mixed(then)
                numbers[COUNTS + kind] -= 1
                top = -NOTHING
                rest, seen = free, 0
                while rest:
                    space = low_bit(rest)
                    rest &= rest - 1
                    balance = w[BALANCE + space]
                    after = drawn_key
                    if only_tiles:
                        if (seen >> (balance + 4)) & 1:
                            continue
                        seen |= 1 << (balance + 4)
                    else:
                        if doubled(w, space, free):
                            continue
                        after = fill(w, keys, space, free, face, 0, drawn_key)
                    gain = face * balance * sign
                    found = -exact(hw, hf, hk, ht, hl, free & ~(ONE << space), left - 1, -sign, after, then,
                                   sum_unseen - face, count - 1, other_pieces, other_left, pieces, tiles - 1,
                                   -lead - gain if win else 0)  # fmt: skip
                    if not only_tiles:
                        empty(w, space, free, face, 0)
                    top = max(top, found if win else found + gain)
                numbers[COUNTS + kind] += 1
                expected += held * top
            best = max(best, expected / count)
    if w[STOP]:
        return 0.0
    kept = np.uint64(np.int64(best * SCALE))
    table[place] = full ^ kept
    table[place + 1] = kept
    return best


@kernel
def found_at(table: Words, slots: int, full: int) -> int:
    """Where the state with this key is kept, -1 when it is not. A slot has two places of four words."""
    place = np.int64(full & np.uint64(slots - 1)) * 8
    for _ in range(2):
        if table[place] ^ table[place + 1] ^ table[place + 2] ^ table[place + 3] == full:
            return place
        place += 4
    return -1


@kernel
def keep(table: Words, slots: int, full: int, low: float, high: float, left: int, move: int) -> None:
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


@kernel
def promising(w: Ints, free: int, tried: int, face: int, sign: int) -> int:
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


@kernel
def value(
    hw: Handle,
    hf: Handle,
    hk: Handle,
    ht: Handle,
    hl: Handle,
    free: int,
    left: int,
    sign: int,
    key: int,
    unseen: int,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    lead: int,
    alpha: float,
    beta: float,
) -> float:
    """The value of a state for the mover, or a bound of it where it lies outside ``alpha`` to ``beta``.

    ``hw`` to ``hl`` are handles of the arrays: integers, floats, random words, the table with bounds and the lean
    one. ``free`` is the set of the ``left`` free spaces; ``sign`` is 1 when the first seat moves, else -1;
    ``unseen`` packs the tiles not yet seen, 4 bits a kind, ``sum_unseen`` and ``count`` are their sum and number;
    ``lead`` is the mover's, 0 where it does not matter. With ``w[STOP]`` set it returns at once, with nonsense.

    A draw is worth what the best space for each tile is, on average. Each tile's value has a least and a most
    possible one, and the sums of both say when the others need no look (Star1); first one space is tried for each
    tile, which lifts the least (Star2). All of this is one long function since Numba's disk cache cannot hold
    functions that call each other in a circle.
    """
    w, numbers, keys, table = ints(hw), floats(hf), words(hk), words(ht)
    if left <= LEAN:
        return exact(hw, hf, hk, ht, hl, free, left, sign, key, unseen, sum_unseen, count,
                     pieces, tiles, other_pieces, other_tiles, lead)  # fmt: skip
    if pieces + tiles == 0:
        return -value(hw, hf, hk, ht, hl, free, left, -sign, key, unseen, sum_unseen, count,
                      other_pieces, other_tiles, pieces, tiles, -lead, -beta, -alpha)  # fmt: skip
    if w[STOP]:
        return 0.0
    shared, win = w[SHARED], w[WIN]
    mine, his = left, left
    if not shared:
        mine, his = (left + 1) >> 1, left >> 1
    own, other = min(pieces, mine), min(other_pieces, his)
    stock, other_stock = min(tiles, mine), min(other_tiles, his)
    if stock + other_stock == 0 or own + other == 0:
        return exact(hw, hf, hk, ht, hl, free, left, sign, key, unseen, sum_unseen, count,
                     pieces, tiles, other_pieces, other_tiles, lead)  # fmt: skip
    most = float(reach(w, free, unseen))
    if win:
        if lead > most:
            return 1.0
        if lead < -most:
            return -1.0
        most = 1.0
    full = key + reserves_key(own, other, stock, other_stock, sign, lead, win)
    first, low, high = NO_MOVE, -NOTHING, NOTHING
    at = found_at(table, w[TABLE_SLOTS], full)
    if at >= 0:
        low = np.int64(table[at + 1]) / SCALE
        high = np.int64(table[at + 2]) / SCALE
        if low >= high - 1e-12 or low >= beta:
            return low
        if high <= alpha:
            return high
        first = np.int64(table[at + 3] & np.uint64(63))
        alpha, beta = max(alpha, low), min(beta, high)
    w[STATES] += 1
    best, best_move = -NOTHING, NO_MOVE
    alpha_before = alpha
    if pieces > 0:
        tried = np.int64(0)
        for turn in range(left):
            space = first
            if turn > 0 or first >= DRAW_MOVE:
                space = promising(w, free, tried, 0, sign)
            tried |= ONE << space
            if outdone(w, space, free):
                continue
            gain = w[SUMS + space]
            here = 0 if win else gain
            after = fill(w, keys, space, free, 0, sign, key)
            found = here - value(hw, hf, hk, ht, hl, free & ~(ONE << space), left - 1, -sign, after, unseen, sum_unseen,
                                 count, other_pieces, other_tiles, pieces - 1, tiles, -lead - gain if win else 0,
                                 here - beta, here - max(alpha, best))  # fmt: skip
            empty(w, space, free, 0, sign)
            if found > best:
                best, best_move = found, space
                if best >= beta:
                    break
    if tiles > 0 and best < beta:
        other_left = other_tiles - 1 if shared else other_tiles
        frame = FRAMES + FRAME * left
        goal, floor = beta * count, max(alpha, best) * count
        least, highest = -most * count, most * count
        for kind in range(KINDS):
            numbers[frame + LEAST + kind] = -most
            numbers[frame + MOST + kind] = most
        unseen_key = mixed(unseen)
        probing = goal <= highest
        enough = False
        for look in range(0 if probing else KINDS, 2 * KINDS):
            phase, step = look // KINDS, look % KINDS
            kind = step // 2 if step % 2 == 0 else KINDS - 1 - step // 2  # the extreme tiles first
            held = (unseen >> (4 * kind)) & 15
            if held == 0:
                continue
            face = FACES[kind]
            dull = max((floor - (highest - held * numbers[frame + MOST + kind])) / held, -most - 1)
            keen = min((goal - (least - held * numbers[frame + LEAST + kind])) / held, most + 1)
            top = -NOTHING
            tried = np.int64(0)
            if phase == 1 and probing:
                tried |= ONE << np.int64(numbers[frame + TRIED + kind])
                top = max(numbers[frame + LEAST + kind], numbers[frame + TRIED_VALUE + kind])
            then = unseen - (ONE << (4 * kind))
            drawn_key = key - unseen_key + mixed(then)
            numbers[COUNTS + kind] -= 1
            while tried != free and top < keen:
                space = promising(w, free, tried, face, sign)
                tried |= ONE << space
                if phase == 1 and doubled(w, space, free):
                    continue
                gain = face * w[BALANCE + space] * sign
                here = 0 if win else gain
                after = fill(w, keys, space, free, face, 0, drawn_key)
                found = here - value(hw, hf, hk, ht, hl, free & ~(ONE << space), left - 1, -sign, after, then,
                                     sum_unseen - face, count - 1, other_pieces, other_left, pieces, tiles - 1,
                                     -lead - gain if win else 0, here - keen, here - max(dull, top))  # fmt: skip
                empty(w, space, free, face, 0)
                top = max(top, found)
                if phase == 0:
                    numbers[frame + TRIED + kind] = space
                    numbers[frame + TRIED_VALUE + kind] = found
                    break
            numbers[COUNTS + kind] += 1
            if w[STOP]:
                return 0.0
            lifted = held * (top - numbers[frame + LEAST + kind])
            if phase == 0:
                if top > dull and lifted > 0:
                    numbers[frame + LEAST + kind] = top
                    least += lifted
            elif top >= keen:
                least += lifted
                enough = True
            else:
                highest += held * (top - numbers[frame + MOST + kind])
                numbers[frame + MOST + kind] = top
                if top <= dull:
                    break
                numbers[frame + LEAST + kind] = top
                least += lifted
            if enough or least >= goal:
                enough = True
                break
        found = least / count if enough else highest / count
        if found > best:
            best, best_move = found, DRAW_MOVE
    if w[STOP]:
        return 0.0
    if best >= beta:
        low = best
    elif best <= alpha_before:
        high = best
    else:
        low, high = best, best
    keep(table, w[TABLE_SLOTS], full, low, high, left, best_move)
    return best
