"""The tree of :mod:`oudjat.engine.search_many`: its nodes, and how they are visited; compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import kernel
from oudjat.engine.habits import (
    ALL_SEATS,
    COMMON,
    FACES,
    FOES,
    KIN,
    KINDS,
    LEFT,
    MOVER,
    NEXT_FREE,
    NEXT_PIECES,
    NEXT_SUM,
    NO_KIND,
    OPEN,
    POOL,
    POOL_MINUS,
    POOL_PLUS,
    POOL_SIZE,
    RESERVE,
    RIVALRY,
    ROOM,
    ROOM_EARLY,
    SEATS,
    STOCK,
    TILE_KIND,
    any_kind,
    best_reply,
    by_habit,
    judge,
    put,
    show,
    spin,
    worth_of_keeping,
    worth_of_tile,
)
from oudjat.engine.raw import Floats, Ints, Word, Words, low_bit
from oudjat.rules.isis_osiris import SPACES

Ints32 = NDArray[np.int32]
Floats32 = NDArray[np.float32]

NO_NODE = -1

# Settings. Curiosity: the weight of the bonus. Doubt: how much less than its node a turn counts that was never tried.
# Warmth: by how many points a turn has to look worse to look a third as promising. Margin share and reach: how much of
# what a seat gets is its margin, and the points that are all of it. Spread: how unsure the win is, in points, for one
# tile that comes. Reply: how much what the next seat can gain counts against a turn. Lean: what a point of exact
# expectation counts beside the mean of the visits at the root.
CURIOSITY, DOUBT, WARMTH, MARGIN_SHARE, MARGIN_REACH, SPREAD, REPLY, LEAN = range(8)

LEAN_VISITS = 20_000.0
"""After so many visits the lean of the root counts 0.7 times as much as at first, after four times as many not half."""

# The places of ``tree``
NODES, EDGES, VISITS = range(3)

MOST_ARMS = SPACES + 1 + KINDS
"""Edges of a node: a piece or the tile in hand on each free space in order; turning over; the tiles that come."""


@kernel
def make_node(
    w: Ints, habits: Floats, settings: Floats, tree: Ints, first_edge: Ints32, node_visits: Ints32, node_total: Floats,
    child: Ints32, visits: Ints32, total: Floats, promise: Floats32,
) -> int:  # fmt: skip
    """Make a node for the position and say what of its turns looks promising; its number."""
    node, at, left, seat = int(tree[NODES]), tree[EDGES], w[LEFT], w[MOVER]
    hand, against = w[TILE_KIND], settings[REPLY] if left > 1 else 0.0
    draws = hand == NO_KIND and w[STOCK + (0 if w[COMMON] else seat)] > 0
    puts = hand != NO_KIND or w[RESERVE + seat] > 0
    arms = left + (1 + KINDS if draws else 0)
    tree[NODES] += 1
    tree[EDGES] += arms
    first_edge[node], node_visits[node], node_total[node] = at, 0, 0.0
    for edge in range(at, at + arms):
        child[edge], visits[edge], total[edge], promise[edge] = NO_NODE, 0, 0.0, 0.0
    face = FACES[hand] if hand != NO_KIND else 0
    own_counts, gift = worth_of_tile(habits, left)
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
        good = face * balance
        if face == 0:
            good = w[NEXT_SUM + space] + room * free + (kin - foes) * own + foes * everybody
        if against > 0.0:
            good -= against * best_reply(w, habits, space, face)
        promise[edge] = good
        if puts:
            top = max(top, good)
        edge += 1
    if draws:
        drawn = (w[POOL_PLUS] * most_good + w[POOL_MINUS] * least_good) / w[POOL_SIZE]
        drawn -= worth_of_keeping(w, habits, left)
        if against > 0.0:
            drawn -= against * best_reply(w, habits, low_bit(w[OPEN]), 0)
        promise[edge] = drawn
        top = max(top, drawn)
    first, last = (at if puts else at + left), (at + left + 1 if draws else at + left)
    whole = 0.0
    for edge in range(first, last):
        promise[edge] = np.exp((promise[edge] - top) / settings[WARMTH])
        whole += promise[edge]
    for edge in range(first, last):
        promise[edge] /= whole
    return node


@kernel
def next_kind(w: Ints, visits: Ints32, at: int, random: Word) -> int:
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
    lean: Floats, shares: Floats, margins: Floats, sums: Floats,
) -> None:  # fmt: skip
    """Visit the tree ``many`` more times; a full tree stays as large as it is.

    ``lean`` (MOST_ARMS,) is what counts beside the mean of each turn of ``root``. ``shares`` and ``margins``
    (MOST_ARMS,) add up what its mover got of each, ``sums`` (8,) the shares and the margins of every seat.
    """
    w, random = root.copy(), chance[0]
    path_node, path_edge, path_seat = np.zeros(90, np.int64), np.zeros(90, np.int64), np.zeros(90, np.int64)
    gets, share, margin, luck = np.zeros(4), np.zeros(4), np.zeros(4), np.zeros(5)
    curiosity, doubt = settings[CURIOSITY], settings[DOUBT]
    part, reach = settings[MARGIN_SHARE], 2.0 * settings[MARGIN_REACH]
    if tree[NODES] == 0:
        make_node(
            w, habits, settings, tree, first_edge, node_visits, node_total, child, visits, total, promise
        )
    most_nodes, most_edges = len(first_edge), len(child) - MOST_ARMS
    for _ in range(many):
        w[:] = root
        node, depth, new = 0, 0, False
        leaning = 1.0 / np.sqrt(1.0 + node_visits[0] / LEAN_VISITS)
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
                if node == 0:
                    found += leaning * lean[other]
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
                node = make_node(w, habits, settings, tree, first_edge, node_visits, node_total, child, visits, total,
                                 promise)  # fmt: skip
                child[edge] = node
        luck[:] = 0.0
        while w[LEFT] > 0:
            random = by_habit(w, habits, luck, random)
        judge(w, luck, settings[SPREAD], share, margin)
        for seat in range(w[SEATS]):
            gets[seat] = (1.0 - part) * share[seat] + part * min(max(0.5 + margin[seat] / reach, 0.0), 1.0)
            sums[seat] += share[seat]
            sums[4 + seat] += margin[seat]
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
