"""Tree search for any number of players, compiled: Monte Carlo tree search over chance, max^n, informed playouts.

A node is a position in which somebody chooses: a turn, or the space for the tile that he has turned over. Turning
over is one turn; which tile comes in a visit is dealt out by share, not drawn. Everybody takes the turn with the
highest mean of what *he* got out of its visits, plus a bonus that is larger for what looks promising before it is
tried and was visited little (PUCT: Rosin 2011; Silver and others 2016). A turn never tried counts a little less than
its node. New positions are played to the end by *habit*: a rule of thumb with some chance in it, whose numbers were
found by letting habits play against each other; the same rule says what looks promising.

What a seat gets is its share of the win with a part of its margin over the best other, from 0 to 1. The search
knows what lies where, the reserves and which values have not been seen: nothing of the order in which they come.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import kernel, neighbour_masks
from oudjat.engine.endgame_rest import rest_of
from oudjat.engine.raw import Floats, Ints, Words, low_bit
from oudjat.rules.game import Draw, Turn
from oudjat.rules.isis_osiris import (
    EMPTY_HAND,
    HAND,
    TO_MOVE,
    VALUES,
    IsisOsirisPosition,
    Pass,
)

# The places of a position ``w``: by space the sum of the tiles beside it, how many free spaces are, and, a row of 36
# for each seat and one for all, how many pieces are; by seat pieces, tiles and points; by kind the unseen tiles.
NEXT_SUM, NEXT_FREE, NEXT_PIECES = 0, 36, 72
RESERVE, STOCK, POINTS, POOL = 252, 256, 260, 264
SEATS, COMMON, MOVER, OPEN, LEFT, TILE_KIND, POOL_SIZE, POOL_PLUS, POOL_MINUS = range(272, 281)
PLACES = 281
ALL_SEATS = NEXT_PIECES + 4 * 36

KINDS, NO_KIND, NO_NODE = len(VALUES), -1, -1
FACES = np.array(VALUES)
TOUCHING = neighbour_masks()
ONE = np.int64(1)

# Habits, in points. Rivalry: a point of all others together counts so much. Gift: a tile's value counts so much
# against it for every free space next to it, where the others go next. Kept: what a tile is worth that stays in the
# stock; with the share of pieces in the reserve it grows. Room, kin and foes: what free spaces, own and others'
# pieces next to a piece are worth. "Early": besides, on the empty board, less as it fills.
(RIVALRY, GIFT, GIFT_EARLY, KEPT, KEPT_EARLY, KEPT_PIECES, ROOM, ROOM_EARLY, KIN, FOES,
 SHAKE_PIECE, SHAKE_TILE) = range(12)  # fmt: skip
HABITS = np.array([0.5, 0.1, 0.0, 0.4, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 1.0, 0.5])

# Settings of the search
CURIOSITY, DOUBT, WARMTH, MARGIN_SHARE, MARGIN_REACH = range(5)
SETTINGS = np.array([0.8, 0.1, 2.0, 0.3, 30.0])

# The places of ``tree``
NODES, EDGES, VISITS = range(3)

MOST_NODES, MOST_EDGES = 600_000, 6_000_000
"""A full tree takes 170 MB; memory is touched as the tree grows."""
MOST_ARMS = 36 + 1 + KINDS
"""Edges of a node: a piece or the tile in hand on each free space in order; turning over; the tiles that come."""
FIRST_VISITS, LONGEST_PART = 8, 0.004
"""With a clock: visits at first, then the seconds between two looks at it."""

Ints32 = NDArray[np.int32]
Floats32 = NDArray[np.float32]


@kernel
def spin(random: int) -> int:
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
def any_kind(w: Ints, random: int) -> int:
    """One of the unseen tiles, each equally likely."""
    at = np.int64(((random >> np.uint64(40)) * np.uint64(w[POOL_SIZE])) >> np.uint64(24))
    for kind in range(KINDS):
        at -= w[POOL + kind]
        if at < 0:
            return kind
    return KINDS - 1


@kernel
def worth_of_tile(w: Ints, habits: Floats, left: int) -> tuple[float, float]:
    """How much pieces of the mover, and free spaces, count where he puts a tile."""
    return 1.0 + habits[RIVALRY], habits[GIFT] + habits[GIFT_EARLY] * left / 36.0


@kernel
def worth_of_keeping(w: Ints, habits: Floats, left: int) -> float:
    """What a tile is worth to the mover while it stays in the stock."""
    seat = w[MOVER]
    pieces, tiles = w[RESERVE + seat], w[STOCK + (0 if w[COMMON] else seat)]
    share = pieces / (pieces + tiles) - 0.5
    return habits[KEPT] + habits[KEPT_EARLY] * left / 36.0 + habits[KEPT_PIECES] * share


@kernel
def by_habit(w: Ints, habits: Floats, random: int) -> int:
    """Take one whole turn by habit; the next state of chance."""
    seat, left, hand = w[MOVER], w[LEFT], w[TILE_KIND]
    own_counts, gift = worth_of_tile(w, habits, left)
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
            show(w, hand)
    put(w, piece if hand == NO_KIND else (most if FACES[hand] > 0 else least))
    return random


@kernel
def judge(w: Ints, seat: int) -> tuple[float, int]:
    """At the end, the share of the win of ``seat`` and its points ahead of the best other."""
    own, best, sharing = w[POINTS + seat], -100000, 1
    for other in range(w[SEATS]):
        if other != seat:
            best = max(best, w[POINTS + other])
            sharing += w[POINTS + other] == own
    return (1.0 / sharing if own >= best else 0.0), own - best


@kernel
def make_node(
    w: Ints, habits: Floats, warmth: float, tree: Ints, first_edge: Ints32, node_visits: Ints32, node_total: Floats,
    child: Ints32, visits: Ints32, total: Floats, promise: Floats32,
) -> int:  # fmt: skip
    """Make a node for the position and say what of its turns looks promising; its number."""
    node, at, left, seat = tree[NODES], tree[EDGES], w[LEFT], w[MOVER]
    hand = w[TILE_KIND]
    draws = hand == NO_KIND and w[STOCK + (0 if w[COMMON] else seat)] > 0
    puts = hand != NO_KIND or w[RESERVE + seat] > 0
    arms = left + (1 + KINDS if draws else 0)
    tree[NODES] += 1
    tree[EDGES] += arms
    first_edge[node] = at
    node_visits[node], node_total[node] = 0, 0.0
    for edge in range(at, at + arms):
        child[edge], visits[edge], total[edge], promise[edge] = NO_NODE, 0, 0.0, 0.0
    own_counts, gift = worth_of_tile(w, habits, left)
    rivalry, kin, foes = habits[RIVALRY], habits[KIN], habits[FOES]
    room = habits[ROOM] + habits[ROOM_EARLY] * left / 36.0
    top, most_good, least_good = -1e9, -1e9, 1e9
    rest, edge = w[OPEN], at
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        own, everybody, free = w[NEXT_PIECES + 36 * seat + space], w[ALL_SEATS + space], w[NEXT_FREE + space]
        balance = own_counts * own - rivalry * everybody - gift * free
        most_good, least_good = max(most_good, balance), min(least_good, balance)
        if hand == NO_KIND:
            good = w[NEXT_SUM + space] + room * free + (kin - foes) * own + foes * everybody
        else:
            good = FACES[hand] * balance
        promise[edge] = good
        if puts:
            top = max(top, good)
        edge += 1
    if draws:
        drawn = (w[POOL_PLUS] * most_good + w[POOL_MINUS] * least_good) / w[POOL_SIZE]
        promise[edge] = drawn - worth_of_keeping(w, habits, left)
        top = max(top, np.float64(promise[edge]))
    first, last = (at if puts else at + left), (at + left + 1 if draws else at + left)
    sum_of_all = 0.0
    for edge in range(first, last):
        promise[edge] = np.exp((promise[edge] - top) / warmth)
        sum_of_all += promise[edge]
    for edge in range(first, last):
        promise[edge] /= sum_of_all
    return node


@kernel
def next_kind(w: Ints, visits: Ints32, at: int, random: int) -> int:
    """The tile that comes next: the one furthest behind its share; the first is drawn."""
    drawn = 0
    for kind in range(KINDS):
        drawn += visits[at + kind]
    if drawn == 0:
        return any_kind(w, random)
    best, behind = 0, -1e9
    for kind in range(KINDS):
        if w[POOL + kind] > 0:
            lag = (drawn + 1.0) * w[POOL + kind] / w[POOL_SIZE] - visits[at + kind]
            if lag > behind:
                best, behind = kind, lag
    return best


@kernel
def visit(
    root: Ints, habits: Floats, settings: Floats, many: int, chance: Words, tree: Ints, first_edge: Ints32,
    node_visits: Ints32, node_total: Floats, child: Ints32, visits: Ints32, total: Floats, promise: Floats32,
    shares: Floats, margins: Floats, sums: Floats,
) -> None:  # fmt: skip
    """Visit the tree ``many`` more times. ``shares`` and ``margins`` (MOST_ARMS,) add up what the mover of
    ``root`` got of each of its turns, ``sums`` (8,) the shares and the margins of every seat."""
    w, random = root.copy(), chance[0]
    path_node, path_edge, path_seat = np.zeros(90, np.int64), np.zeros(90, np.int64), np.zeros(90, np.int64)
    gets, share, margin = np.zeros(4), np.zeros(4), np.zeros(4)
    curiosity, doubt, warmth = settings[CURIOSITY], settings[DOUBT], settings[WARMTH]
    part, reach = settings[MARGIN_SHARE], settings[MARGIN_REACH]
    if tree[NODES] == 0:
        make_node(w, habits, warmth, tree, first_edge, node_visits, node_total, child, visits, total, promise)
    most_nodes, most_edges = len(first_edge), len(child) - MOST_ARMS
    for _ in range(many):
        w[:] = root
        node, depth, new = 0, 0, False
        while w[LEFT] > 0 and node != NO_NODE and not new:
            at, left, seat = first_edge[node], w[LEFT], w[MOVER]
            draws = w[TILE_KIND] == NO_KIND and w[STOCK + (0 if w[COMMON] else seat)] > 0
            puts = w[TILE_KIND] != NO_KIND or w[RESERVE + seat] > 0
            seen = node_visits[node]
            untried = (node_total[node] / seen if seen else 0.5) - doubt
            bonus, best, edge = curiosity * np.sqrt(seen + 1.0), -1e9, at
            for other in range(at if puts else at + left, at + left + 1 if draws else at + left):
                count = visits[other]
                found = (total[other] / count if count else untried) + bonus * promise[other] / (1.0 + count)
                if found > best:
                    best, edge = found, other
            path_node[depth], path_edge[depth], path_seat[depth] = node, edge, seat
            depth += 1
            if edge == at + left:
                random = spin(random)
                kind = next_kind(w, visits, edge + 1, random)
                show(w, kind)
                edge += 1 + kind
                visits[edge] += 1
            else:
                rest = w[OPEN]
                for _ in range(edge - at):
                    rest &= rest - 1
                put(w, low_bit(rest))
                new = child[edge] == NO_NODE
            node = child[edge]
            if node == NO_NODE and w[LEFT] > 0 and tree[NODES] < most_nodes and tree[EDGES] <= most_edges:
                node = make_node(w, habits, warmth, tree, first_edge, node_visits, node_total, child, visits, total,
                                 promise)  # fmt: skip
                child[edge] = node
        while w[LEFT] > 0:
            random = by_habit(w, habits, random)
        for seat in range(w[SEATS]):
            share[seat], ahead = judge(w, seat)
            margin[seat] = ahead
            gets[seat] = (1.0 - part) * share[seat] + part * min(max(0.5 + ahead / (2.0 * reach), 0.0), 1.0)
            sums[seat] += share[seat]
            sums[4 + seat] += ahead
        for back in range(depth):
            node, edge, seat = path_node[back], path_edge[back], path_seat[back]
            node_visits[node] += 1
            node_total[node] += gets[seat]
            visits[edge] += 1
            total[edge] += gets[seat]
        shares[path_edge[0]] += share[path_seat[0]]
        margins[path_edge[0]] += margin[path_seat[0]]
    tree[VISITS] += many
    chance[0] = random


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the search makes of a turn: for the player to move, the share of the win and by how many points he can
    expect to be ahead of the best other at the end; ``visits`` stand behind it (0: what the others suggest)."""

    turn: Turn
    value: float
    margin: float
    visits: int


def search_many(
    core: tuple[int, ...], playouts: int | None, seconds: float | None, seed: int
) -> list[Weighed]:
    """Weigh every turn open to the player to move, best first: those visited most.

    ``core`` is a position's, all its placed values known. The search ends after ``playouts`` games or ``seconds``,
    whichever is first; with ``playouts`` alone the same arguments always give the same. Raises ValueError when the
    game is over, when chance has to speak first, or without any limit.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> found = search_many(ISIS_OSIRIS.start(players=3).core, playouts=50, seconds=None, seed=1)
    >>> len(found), sum(weighed.visits for weighed in found)
    (37, 50)
    """
    if playouts is None and seconds is None:
        raise ValueError("give a number of playouts, or seconds")
    ends = None if seconds is None else monotonic() + seconds
    turns = turns_of(core)
    root = position_of(core)
    if turns == [Pass()]:
        pass_on(root)
    nodes, edges = MOST_NODES, MOST_EDGES
    if playouts is not None:
        nodes = min(nodes, 2 * playouts + 2)
        edges = min(edges, (nodes + 1) * MOST_ARMS)
    tree, chance = np.zeros(4, np.int64), np.array([(seed * 2 + 1) * 0x9E3779B97F4A7C15 % 2**64], np.uint64)
    first_edge, node_visits = np.empty(nodes, np.int32), np.empty(nodes, np.int32)
    node_total, promise = np.empty(nodes), np.empty(edges, np.float32)
    child, visits, total = np.empty(edges, np.int32), np.empty(edges, np.int32), np.empty(edges)
    shares, margins, sums = np.zeros(MOST_ARMS), np.zeros(MOST_ARMS), np.zeros(8)
    left, part = 2**62 if playouts is None else playouts, FIRST_VISITS
    while left > 0:
        began = monotonic()
        if ends is None:
            part = left
        elif began >= ends and tree[VISITS]:
            break
        visit(root, HABITS, SETTINGS, min(part, left), chance, tree, first_edge, node_visits, node_total, child,
              visits, total, promise, shares, margins, sums)  # fmt: skip
        left -= part
        if ends is not None:
            now = monotonic()
            pace = part / max(now - began, 1e-6)
            part = max(1, min(4 * part, int(pace * min(LONGEST_PART, max(ends - now, 0.0)))))
    made = max(1, int(tree[VISITS]))
    mover = core[TO_MOVE]
    mean, ahead = float(sums[mover]) / made, float(sums[4 + mover]) / made
    if turns == [Pass()]:
        return [Weighed(Pass(), mean, ahead, made)]
    found = []
    for turn in turns:
        arm = int(root[LEFT]) if isinstance(turn, Draw) else bin(int(root[OPEN]) & ((1 << turn.space) - 1)).count("1")
        count = int(visits[arm])
        found.append(
            Weighed(turn, float(shares[arm]) / count, float(margins[arm]) / count, count)
            if count
            else Weighed(turn, mean, ahead, 0)
        )
    return sorted(found, key=lambda weighed: (-weighed.visits, -weighed.value, -weighed.margin))


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


def turns_of(core: tuple[int, ...]) -> list[Turn]:
    """The turns open to the player to move, as ``Position.choices`` gives them."""
    return list(IsisOsirisPosition(core).choices())
