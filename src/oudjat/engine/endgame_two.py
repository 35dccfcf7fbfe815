"""Exact endgames of two players, compiled.

Only what is left matters: for each free space the sum of the tiles next to it and the balance of the pieces next
to it, the tiles not yet seen, the reserves and the seat to move; for the share of the win also the lead. All
values are the mover's: with the margin what he can expect to gain on the other from now on, with the win the
chance to win less the chance to lose.

States are walked depth first. With ``LEAN`` free spaces or fewer every state is looked at once and its value
kept. Above, alpha-beta cuts, over draws by the bounds of Star1 and Star2 (Ballard 1983; Hauk, Buro and Schaeffer
2004). What is special to this game:

- spaces that touch no other free one are told apart by what lies around them only, not by where they are;
- of two spaces that touch the same others, often one is as good as the other in every course of the game, and
  only that one is tried (:func:`oudjat.engine.endgame_spaces.worth_a_look`);
- for the margin the last free spaces are solved board by board, for all sets of unseen tiles at a time
  (:mod:`oudjat.engine.endgame_boards`);
- when no more tiles can come, the pieces take the best sums in turn; when no more pieces can come, sums and
  places do not matter any more;
- the last three spaces are counted out directly.
"""

from __future__ import annotations

import numpy as np

from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_boards import PLACED, value_by_boards
from oudjat.engine.endgame_keys import (
    ONE,
    SCALE,
    empty,
    fill,
    found_at,
    keep,
    mixed,
    reserves_key,
    tiles_only_key,
)
from oudjat.engine.endgame_last import (
    BALANCE,
    BOARD_SPACES,
    COUNTS,
    FACES,
    FRAME,
    FRAMES,
    KINDS,
    LEAN_SLOTS,
    LEAST,
    MOST,
    NOTHING,
    SHARED,
    STATES,
    STOP,
    SUMS,
    TABLE_SLOTS,
    TRIED,
    TRIED_VALUE,
    WIN,
    last_two,
    sign_of,
    three,
)
from oudjat.engine.endgame_spaces import pieces_only, promising, reach, twins, worth_a_look
from oudjat.engine.raw import Handle, Ints, Word, Words, fetch, floats, ints, ints_from, low_bit, words

LEAN = 5
SLACK, TIE = 1e-11, 1e-10
"""A value so little beyond a bound counts as the bound: equal sums of floats differ in their last digits, and what is
only a bound must not be kept as the value."""
NO_MOVE, DRAW_MOVE = 63, 62


@kernel
def fetch_ahead(
    w: Ints, keys: Words, hl: Handle, free: Word, rest: Word, face: int, sign: int, key: Word, lead: int
) -> None:
    """Have the table's places brought near for what comes after a tile of ``face``, or a piece when that is 0, on
    each of the spaces ``rest``; ``key`` is without the spaces that change, ``lead`` the mover's before it."""
    piece = sign if face == 0 else 0
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        full = fill(w, keys, space, free, face, piece, key)
        empty(w, space, free, face, piece)
        if w[WIN]:
            gain = w[SUMS + space] if face == 0 else face * w[BALANCE + space] * sign
            full += mixed(np.uint64(1000 - lead - gain))
        fetch(hl, np.int64(full & np.uint64(w[LEAN_SLOTS] - 1)) * 2)


@kernel
def exact(
    hw: Handle,
    hf: Handle,
    hk: Handle,
    ht: Handle,
    hl: Handle,
    free: Word,
    left: int,
    sign: int,
    key: Word,
    unseen: Word,
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
    if left <= 2:
        return last_two(w, numbers, free, left, sign, sum_unseen, count,
                        pieces, tiles, other_pieces, other_tiles, lead)  # fmt: skip
    way = 1.0
    if pieces + tiles == 0:  # IO-20
        way, sign, lead = -1.0, -sign, -lead
        pieces, tiles, other_pieces, other_tiles = other_pieces, other_tiles, pieces, tiles
    mine, his = left, left
    if not shared:  # nobody passes: so many turns are left, and no more can be placed
        mine, his = (left + 1) >> 1, left >> 1
    own, other = min(pieces, mine), min(other_pieces, his)
    stock, other_stock = min(tiles, mine), min(other_tiles, his)
    if stock + other_stock == 0:
        gain = pieces_only(w, free, pieces, other_pieces)
        return way * (sign_of(lead + gain) if win else float(gain))
    if win:
        most = reach(w, free, unseen)
        if lead > most:
            return way
        if lead < -most:
            return -way
    only_tiles = own + other == 0
    full = reserves_key(own, other, stock, other_stock, sign, lead, win)
    full += tiles_only_key(w, keys, free, unseen) if only_tiles else key
    place = np.int64(full & np.uint64(w[LEAN_SLOTS] - 1)) * 2
    if table[place] ^ table[place + 1] == full:
        return way * (np.int64(table[place + 1]) / SCALE)
    if w[STOP]:
        return 0.0
    w[STATES] += 1
    best = -NOTHING
    next_own, next_other = left - 1, left - 1
    if not shared:
        next_own, next_other = left >> 1, (left - 1) >> 1
    paired = free
    if not only_tiles and left > 3:
        paired = twins(w, free)
    if left == 3 and not only_tiles:
        best = three(w, numbers, free, sign, unseen, sum_unseen, count,
                     pieces, tiles, other_pieces, other_tiles, lead)  # fmt: skip
    else:
        if pieces > 0 and not only_tiles:
            then_key = key + reserves_key(min(other_pieces, next_own), min(pieces - 1, next_other),
                                          min(other_tiles, next_own), min(tiles, next_other), -sign, 0, 0)  # fmt: skip
            rest = worth_a_look(w, free, paired, 0, sign, unseen, min(pieces - 1, next_other),
                                min(other_pieces, next_own),
                                min(tiles, next_other) + min(other_tiles, next_own), 0)  # fmt: skip
            fetch_ahead(w, keys, hl, free, rest, 0, sign, then_key, lead)
            while rest:
                space = low_bit(rest)
                rest &= rest - 1
                gain = w[SUMS + space]
                after = fill(w, keys, space, free, 0, sign, key)
                found = -exact(hw, hf, hk, ht, hl, free & ~(ONE << space), left - 1, -sign, after, unseen,
                               sum_unseen, count, other_pieces, other_tiles, pieces - 1, tiles,
                               -lead - gain if win else 0)  # fmt: skip
                empty(w, space, free, 0, sign)
                best = max(best, found if win else found + gain)
        if tiles > 0:
            other_left = other_tiles - 1 if shared else other_tiles
            expected = 0.0
            unseen_key = mixed(unseen)
            then_key = reserves_key(min(other_pieces, next_own), min(pieces, next_other),
                                    min(other_left, next_own), min(tiles - 1, next_other), -sign, 0, 0)  # fmt: skip
            for kind in range(KINDS):
                held = (unseen >> (4 * kind)) & 15
                if held == 0:
                    continue
                face = FACES[kind]
                then = unseen - (ONE << (4 * kind))
                drawn_key = key - unseen_key + mixed(then)
                numbers[COUNTS + kind] -= 1
                rest = worth_a_look(w, free, paired, face, sign, then, min(pieces, next_other),
                                    min(other_pieces, next_own),
                                    min(tiles - 1, next_other) + min(other_left, next_own), only_tiles)  # fmt: skip
                if not only_tiles:
                    fetch_ahead(w, keys, hl, free, rest, face, sign, drawn_key + then_key, lead)
                top = -NOTHING
                while rest:
                    space = low_bit(rest)
                    rest &= rest - 1
                    after = drawn_key
                    if not only_tiles:
                        after = fill(w, keys, space, free, face, 0, drawn_key)
                    gain = face * w[BALANCE + space] * sign
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
    return way * best


@kernel
def value(
    hw: Handle,
    hf: Handle,
    hk: Handle,
    ht: Handle,
    hl: Handle,
    hb: Handle,
    ha: Handle,
    hn: Handle,
    hs: Handle,
    hc: Handle,
    free: Word,
    left: int,
    sign: int,
    key: Word,
    unseen: Word,
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
    one; ``hb`` to ``hc`` those of :func:`oudjat.engine.endgame_boards.board`. ``free`` is the set of the ``left``
    free spaces; ``sign`` is 1 when the first seat moves, else -1;
    ``unseen`` packs the tiles not yet seen, 4 bits a kind, ``sum_unseen`` and ``count`` are their sum and number;
    ``lead`` is the mover's, 0 where it does not matter. With ``w[STOP]`` set it returns at once, with nonsense.

    A draw is worth what the best space for each tile is, on average. Each tile's value has a least and a most
    possible one, and the sums of both say when the others need no look (Star1); first one space is tried for each
    tile, which lifts the least (Star2). All of this is one long function since Numba's disk cache cannot hold
    functions that call each other in a circle.
    """
    w, numbers, keys, table = ints(hw), floats(hf), words(hk), words(ht)
    placed = ints_from(hc, PLACED)
    if left <= w[BOARD_SPACES]:
        return value_by_boards(hw, hk, hb, ha, hn, hs, hc, free, left, sign, key, unseen, count,
                               pieces, tiles, other_pieces, other_tiles)  # fmt: skip
    if left <= LEAN:
        return exact(hw, hf, hk, ht, hl, free, left, sign, key, unseen, sum_unseen, count,
                     pieces, tiles, other_pieces, other_tiles, lead)  # fmt: skip
    way = 1.0
    if pieces + tiles == 0:  # IO-20
        way, sign, lead, alpha, beta = -1.0, -sign, -lead, -beta, -alpha
        pieces, tiles, other_pieces, other_tiles = other_pieces, other_tiles, pieces, tiles
    if w[STOP]:
        return 0.0
    shared, win = w[SHARED], w[WIN]
    mine, his = left, left
    if not shared:
        mine, his = (left + 1) >> 1, left >> 1
    own, other = min(pieces, mine), min(other_pieces, his)
    stock, other_stock = min(tiles, mine), min(other_tiles, his)
    if stock + other_stock == 0 or own + other == 0:
        return way * exact(hw, hf, hk, ht, hl, free, left, sign, key, unseen, sum_unseen, count,
                     pieces, tiles, other_pieces, other_tiles, lead)  # fmt: skip
    most = float(reach(w, free, unseen))
    if win:
        if lead > most:
            return way
        if lead < -most:
            return -way
        most = 1.0
    full = key + reserves_key(own, other, stock, other_stock, sign, lead, win)
    first: Word = NO_MOVE
    low, high = -NOTHING, NOTHING
    at = found_at(table, w[TABLE_SLOTS], full)
    if at >= 0:
        low = np.int64(table[at + 1]) / SCALE
        high = np.int64(table[at + 2]) / SCALE
        if low >= high - 1e-12 or low >= beta:
            return way * low
        if high <= alpha:
            return way * high
        first = np.int64(table[at + 3] & np.uint64(63))
        alpha, beta = max(alpha, low), min(beta, high)
    w[STATES] += 1
    best, best_move = -NOTHING, NO_MOVE
    alpha_before = alpha
    paired = twins(w, free)
    next_own, next_other = left - 1, left - 1
    if not shared:
        next_own, next_other = left >> 1, (left - 1) >> 1
    if pieces > 0:
        rest = worth_a_look(w, free, paired, 0, sign, unseen, min(pieces - 1, next_other),
                                min(other_pieces, next_own),
                            min(tiles, next_other) + min(other_tiles, next_own), 0)  # fmt: skip
        while rest:
            space = first
            if first >= DRAW_MOVE or not (rest >> first) & 1:
                space = promising(w, rest, free, 0, sign)
            rest &= ~(ONE << space)
            first = NO_MOVE
            gain = w[SUMS + space]
            here = 0 if win else gain
            after = fill(w, keys, space, free, 0, sign, key)
            found = here - value(hw, hf, hk, ht, hl, hb, ha, hn, hs, hc, free & ~(ONE << space), left - 1,
                                 -sign, after, unseen, sum_unseen, count, other_pieces, other_tiles, pieces - 1, tiles,
                                 -lead - gain if win else 0, here - beta, here - max(alpha, best))  # fmt: skip
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
            then = unseen - (ONE << (4 * kind))
            rest = worth_a_look(w, free, paired, face, sign, then, min(pieces, next_other),
                                    min(other_pieces, next_own),
                                min(tiles - 1, next_other) + min(other_left, next_own), 0)  # fmt: skip
            if phase == 1 and probing:
                rest &= ~(ONE << np.int64(numbers[frame + TRIED + kind]))
                top = max(numbers[frame + LEAST + kind], numbers[frame + TRIED_VALUE + kind])
            drawn_key = key - unseen_key + mixed(then)
            numbers[COUNTS + kind] -= 1
            while rest and top < keen:
                space = promising(w, rest, free, face, sign)
                rest &= ~(ONE << space)
                gain = face * w[BALANCE + space] * sign
                here = 0 if win else gain
                after = fill(w, keys, space, free, face, 0, drawn_key)
                placed[space] = kind + 1
                found = here - value(hw, hf, hk, ht, hl, hb, ha, hn, hs, hc, free & ~(ONE << space), left - 1,
                                     -sign, after, then, sum_unseen - face, count - 1, other_pieces, other_left,
                                     pieces, tiles - 1, -lead - gain if win else 0, here - keen,
                                     here - max(dull, top))  # fmt: skip
                empty(w, space, free, face, 0)
                placed[space] = 0
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
                if top > dull + SLACK and lifted > 0:
                    numbers[frame + LEAST + kind] = top
                    least += lifted
            elif top >= keen:
                least += lifted
                enough = True
            else:
                highest += held * (top - numbers[frame + MOST + kind])
                numbers[frame + MOST + kind] = top
                if top <= dull + SLACK:
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
    if beta - alpha_before < 3 * TIE:  # which bound it is nobody can tell
        return way * best
    if best >= beta - TIE:
        low = best
    elif best <= alpha_before + TIE:
        high = best
    else:
        low, high = best, best
    keep(table, w[TABLE_SLOTS], full, low, high, left, best_move)
    return way * best
