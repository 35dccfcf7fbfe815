"""Habits, compiled: a rule of thumb with some chance in it, for any number of players.

A turn is good by habit when it gains points at once; what may come of it later counts by a few numbers, which were
found by letting habits play against each other. A whole game takes some microseconds; the tree search of
:mod:`oudjat.engine.search_many` plays its games so, and weighs by the same rule which turns look promising.

Points that come by luck tell nothing of the play before it. So each game keeps, for every seat, what it gained by
the tiles that came beyond what was to be expected; taken off, the same number of games tells the margin as well as
more than twice as many would.
"""

from __future__ import annotations

import numpy as np

from oudjat.engine.compiled import kernel, neighbour_masks
from oudjat.engine.endgame_rest import rest_of
from oudjat.engine.raw import Floats, Ints, Word, low_bit
from oudjat.rules.isis_osiris import EMPTY_HAND, HAND, VALUES

# The places of a position ``w``: by space the sum of the tiles beside it, how many free spaces are, and, a row of 36
# for each seat and one for all, how many pieces are; by seat pieces, tiles and points; by kind the unseen tiles.
NEXT_SUM, NEXT_FREE, NEXT_PIECES = 0, 36, 72
RESERVE, STOCK, POINTS, POOL = 252, 256, 260, 264
SEATS, COMMON, MOVER, OPEN, LEFT, TILE_KIND, POOL_SIZE, POOL_PLUS, POOL_MINUS = range(272, 281)
PLACES = 281
ALL_SEATS = NEXT_PIECES + 4 * 36

KINDS, NO_KIND = len(VALUES), -1
FACES = np.array(VALUES)
TOUCHING = neighbour_masks()
ONE = np.int64(1)

# Habits, in points. Rivalry: a point of all others together counts so much. Gift: a tile's value counts so much
# against it for every free space next to it, where the others go next. Kept: what a tile is worth that stays in the
# stock; with the share of pieces in the reserve it grows. Room, kin and foes: what free spaces, own and others'
# pieces next to a piece are worth. "Early": besides, on the empty board, less as it fills.
(RIVALRY, GIFT, GIFT_EARLY, KEPT, KEPT_EARLY, KEPT_PIECES, ROOM, ROOM_EARLY, KIN, FOES,
 SHAKE_PIECE, SHAKE_TILE) = range(12)  # fmt: skip
HABITS = np.array([0.45, 0.08, 0.0, 0.6, 0.3, 2.0, 0.0, -0.2, 0.3, -0.05, 0.5, 0.3])


@kernel
def spin(random: Word) -> Word:
    """The next state of a xorshift generator of 64 bits."""
    random ^= random << np.uint64(13)
    random ^= random >> np.uint64(7)
    return random ^ (random << np.uint64(17))


@kernel
def pass_on(w: Ints) -> None:
    """IO-11 and IO-20: the next seat that has something to place is to move."""
    if w[LEFT] == 0:
        return
    seat = w[MOVER]
    while True:
        seat = seat + 1 if seat + 1 < w[SEATS] else 0
        if w[RESERVE + seat] + w[STOCK + (0 if w[COMMON] else seat)] > 0:
            break
    w[MOVER] = seat


@kernel
def show(w: Ints, kind: int) -> None:
    """The mover turns over a tile of this kind."""
    w[STOCK + (0 if w[COMMON] else w[MOVER])] -= 1
    w[POOL + kind] -= 1
    w[POOL_SIZE] -= 1
    face = FACES[kind]
    if face > 0:
        w[POOL_PLUS] -= face
    else:
        w[POOL_MINUS] -= face
    w[TILE_KIND] = kind


@kernel
def put(w: Ints, space: int) -> None:
    """The mover puts the tile that is turned over, or else a piece, on ``space``; the next one is to move."""
    seat, free = w[MOVER], w[OPEN] & ~(ONE << space)
    w[OPEN] = free
    w[LEFT] -= 1
    near = TOUCHING[space] & free
    if w[TILE_KIND] == NO_KIND:
        w[RESERVE + seat] -= 1
        w[POINTS + seat] += w[NEXT_SUM + space]
        while near:
            other = low_bit(near)
            near &= near - 1
            w[NEXT_FREE + other] -= 1
            w[NEXT_PIECES + 36 * seat + other] += 1
            w[ALL_SEATS + other] += 1
    else:
        face = FACES[w[TILE_KIND]]
        for other in range(w[SEATS]):
            w[POINTS + other] += face * w[NEXT_PIECES + 36 * other + space]
        while near:
            other = low_bit(near)
            near &= near - 1
            w[NEXT_FREE + other] -= 1
            w[NEXT_SUM + other] += face
        w[TILE_KIND] = NO_KIND
    pass_on(w)


@kernel
def any_kind(w: Ints, random: Word) -> int:
    """One of the unseen tiles, each equally likely."""
    at = np.int64(((random >> np.uint64(40)) * np.uint64(w[POOL_SIZE])) >> np.uint64(24))
    for kind in range(KINDS):
        at -= w[POOL + kind]
        if at < 0:
            return kind
    return KINDS - 1


@kernel
def worth_of_tile(habits: Floats, left: int) -> tuple[float, float]:
    """How much pieces of the mover, and free spaces, count where he puts a tile."""
    return 1.0 + habits[RIVALRY], habits[GIFT] + habits[GIFT_EARLY] * left / 36.0


@kernel
def worth_of_keeping(w: Ints, habits: Floats, left: int) -> float:
    """What a tile is worth to the mover while it stays in the stock."""
    seat = w[MOVER]
    pieces, tiles = w[RESERVE + seat], w[STOCK + (0 if w[COMMON] else seat)]
    share = pieces / (pieces + tiles) - 0.5
    return float(habits[KEPT] + habits[KEPT_EARLY] * left / 36.0 + habits[KEPT_PIECES] * share)


@kernel
def by_habit(w: Ints, habits: Floats, luck: Floats, random: Word) -> Word:
    """Take one whole turn by habit; the next state of chance. To ``luck`` (5,) is added what each seat gained by the
    tile that came beyond what was to be expected, and 1 for a tile."""
    seat, left, hand = w[MOVER], w[LEFT], w[TILE_KIND]
    own_counts, gift = worth_of_tile(habits, left)
    rivalry, kin, foes = habits[RIVALRY], habits[KIN], habits[FOES]
    room = habits[ROOM] + habits[ROOM_EARLY] * left / 36.0
    shake_piece, shake_tile = habits[SHAKE_PIECE] / 65536.0, habits[SHAKE_TILE] / 65536.0
    piece, most, least = 0, 0, 0
    piece_good, most_good, least_good = -1e9, -1e9, 1e9
    rest = w[OPEN]
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        random = spin(random)
        own, everybody, free = w[NEXT_PIECES + 36 * seat + space], w[ALL_SEATS + space], w[NEXT_FREE + space]
        good = w[NEXT_SUM + space] + room * free + (kin - foes) * own + foes * everybody
        good += shake_piece * np.int64(random & np.uint64(65535))
        if good > piece_good:
            piece, piece_good = space, good
        balance = own_counts * own - rivalry * everybody - gift * free
        shake = shake_tile * np.int64((random >> np.uint64(20)) & np.uint64(65535))
        if balance + shake > most_good:
            most, most_good = space, balance + shake
        if balance - shake < least_good:
            least, least_good = space, balance - shake
    if hand == NO_KIND and w[STOCK + (0 if w[COMMON] else seat)] > 0:
        drawn = (w[POOL_PLUS] * most_good + w[POOL_MINUS] * least_good) / w[POOL_SIZE]
        if w[RESERVE + seat] == 0 or drawn - worth_of_keeping(w, habits, left) > piece_good:
            random = spin(random)
            hand = any_kind(w, random)
            face, space = FACES[hand], most if FACES[hand] > 0 else least
            for other in range(w[SEATS]):
                beside = NEXT_PIECES + 36 * other
                expected = (w[POOL_PLUS] * w[beside + most] + w[POOL_MINUS] * w[beside + least]) / w[
                    POOL_SIZE
                ]
                luck[other] += face * w[beside + space] - expected
            luck[4] += 1.0
            show(w, hand)
    put(w, piece if hand == NO_KIND else (most if FACES[hand] > 0 else least))
    return random


@kernel
def judge(w: Ints, luck: Floats, spread: float, share: Floats, margin: Floats) -> None:
    """At the end, set each seat's ``share`` of the win and ``margin`` over the best other, luck taken off.

    What luck could have changed makes the win less sure; without any the best have it all.
    """
    players, soft = w[SEATS], spread * np.sqrt(luck[4]) + 0.02
    top, everything = -1e9, 0.0
    for seat in range(players):
        margin[seat] = w[POINTS + seat] - luck[seat]
        top = max(top, margin[seat])
    for seat in range(players):
        share[seat] = np.exp((margin[seat] - top) / soft)
        everything += share[seat]
    first, second = -1e9, -1e9
    for seat in range(players):
        share[seat] /= everything
        if margin[seat] > first:
            first, second = margin[seat], first
        else:
            second = max(second, margin[seat])
    for seat in range(players):
        margin[seat] -= second if margin[seat] == first else first


@kernel
def best_reply(w: Ints, habits: Floats, space: int, face: int) -> float:
    """What the next seat gets by habit, without chance, when a tile of ``face`` (0: a piece) goes to ``space``."""
    seat, left = w[MOVER], w[LEFT]
    reply = seat + 1 if seat + 1 < w[SEATS] else 0
    pieces, tiles = w[RESERVE + reply], w[STOCK + (0 if w[COMMON] else reply)]
    own_counts, gift = worth_of_tile(habits, left)
    rivalry, kin, foes = habits[RIVALRY], habits[KIN], habits[FOES]
    room = habits[ROOM] + habits[ROOM_EARLY] * left / 36.0
    touching, place = TOUCHING[space], 0 if face else 1
    piece_good, most_good, least_good = -1e9, -1e9, 1e9
    rest = w[OPEN] & ~(ONE << space)
    while rest:
        at = low_bit(rest)
        rest &= rest - 1
        beside = (touching >> at) & 1
        own, everybody = w[NEXT_PIECES + 36 * reply + at], w[ALL_SEATS + at] + beside * place
        free = w[NEXT_FREE + at] - beside
        good = w[NEXT_SUM + at] + beside * face + room * free + (kin - foes) * own + foes * everybody
        balance = own_counts * own - rivalry * everybody - gift * free
        piece_good = max(piece_good, good)
        most_good, least_good = max(most_good, balance), min(least_good, balance)
    best = piece_good if pieces > 0 else -1e9
    if tiles > 0 and w[POOL_SIZE] > 0:
        drawn = (w[POOL_PLUS] * most_good + w[POOL_MINUS] * least_good) / w[POOL_SIZE] - habits[KEPT]
        best = max(best, drawn)
    return best


def position_of(core: tuple[int, ...]) -> Ints:
    """The position of a core as the kernels take it; see the names of its places."""
    rest = rest_of(core)
    w = np.zeros(PLACES, np.int64)
    for number, space in enumerate(rest.spaces):
        w[NEXT_SUM + space] = rest.sums[number]
        w[NEXT_FREE + space] = bin(int(rest.near[number])).count("1")
        for seat in range(rest.players):
            w[NEXT_PIECES + 36 * seat + space] = rest.beside[number, seat]
        w[ALL_SEATS + space] = rest.beside[number].sum()
        w[OPEN] |= ONE << space
    w[RESERVE : RESERVE + rest.players] = rest.pieces
    w[STOCK : STOCK + rest.players] = rest.tiles
    w[POINTS : POINTS + rest.players] = rest.scores
    w[POOL : POOL + KINDS] = rest.unseen
    w[POOL_SIZE] = sum(rest.unseen)
    w[POOL_PLUS] = sum(value * held for value, held in zip(VALUES, rest.unseen, strict=True) if value > 0)
    w[POOL_MINUS] = sum(value * held for value, held in zip(VALUES, rest.unseen, strict=True) if value < 0)
    w[SEATS], w[COMMON], w[MOVER], w[LEFT] = rest.players, rest.shared, rest.mover, len(rest.spaces)
    w[TILE_KIND] = NO_KIND if core[HAND] == EMPTY_HAND else VALUES.index(core[HAND])
    return w
