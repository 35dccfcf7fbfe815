"""Tree search for two players, compiled: Monte Carlo tree search whose leaves are valued by the network.

A node is a position in which somebody chooses. When it is made, all its turns are weighed at once
(:mod:`oudjat.engine.evaluation`): each has a value before it is ever visited, so nothing has to be tried just
because it is new. A piece is one turn for each free space; turning over a tile is one turn whose value is that of
the best space for each tile, averaged over the unseen tiles. Which tile comes in a visit is not drawn but dealt
out: the one that is furthest behind its share.

Values are shares of the win for the one who moves, with a little of the margin, from 0 to 1. A new node is worth its
best turn; after visits it is worth the mean of its turns by how often they were visited, since the best of many
values that are a little off is too good to be true. What turns are visited is decided by their value and the bonus
for what was visited little, as in UCT (Kocsis and Szepesvari 2006).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_last import BALANCE, FACES, KINDS, SHARED, SUMS
from oudjat.engine.evaluation import LEAST_STAGE, WIDTH, Weights, step, unseen_tiles, weigh_turns, write_out
from oudjat.engine.raw import Floats, Ints, low_bit

Ints32 = NDArray[np.int32]

ROWS = 1 + KINDS
NO_NODE = -1

# the places of ``tree``, the numbers of a search
NODES, EDGES, VISITS, STOP = range(4)
TREE = 4

# the places of a position
FREE, LEFT, SIGN, UNSEEN, PIECES, TILES, OTHER_PIECES, OTHER_TILES, LEAD, KIND = range(10)
POSITION = 10

WORTH_STEPS, WORTH_REACH = 16, 80
"""The table of utilities: so many steps to a point, so many points to either side."""


@kernel
def utility(table: Floats, margin: float, left: int) -> float:
    """What an expected final margin is worth with ``left`` free spaces still to come."""
    place = (min(max(margin, -WORTH_REACH + 1.0), WORTH_REACH - 1.0) + WORTH_REACH) * WORTH_STEPS
    low = int(place)
    part = place - low
    return table[left, low] * (1.0 - part) + table[left, low + 1] * part


@kernel
def make_node(
    w: Ints,
    numbers: Floats,
    weights: Weights,
    room: Weights,
    worth: Floats,
    utilities: Floats,
    position: Ints,
    tree: Ints,
    first_edge: Ints,
    values: Floats,
    tops: Floats,
    row_visits: Ints32,
    visits: Ints32,
    child: Ints32,
    edge_value: NDArray[np.float32],
) -> int:
    """Make a node for ``position`` and value all its turns; its number."""
    node = tree[NODES]
    tree[NODES] += 1
    left, free, unseen = position[LEFT], position[FREE], position[UNSEEN]
    count, total = unseen_tiles(unseen)
    write_out(unseen, numbers)
    weigh_turns(w, numbers, weights, room, free, left, position[SIGN], unseen, total, count, position[PIECES],
                position[TILES], position[OTHER_PIECES], position[OTHER_TILES], worth)  # fmt: skip
    at = tree[EDGES]
    tree[EDGES] += ROWS * left
    first_edge[node] = at
    visits[at : at + ROWS * left] = 0
    child[at : at + ROWS * left] = NO_NODE
    row_visits[node] = 0
    for row in range(ROWS):
        tops[node, row] = -1.0
        if row == 0 and position[KIND] >= 0:
            continue
        if (position[PIECES] if row == 0 else position[TILES] * ((unseen >> (4 * (row - 1))) & 15)) == 0:
            continue
        rest, place, top = free, at + row * left, -1.0
        while rest:
            space = low_bit(rest)
            rest &= rest - 1
            found = utility(utilities, position[LEAD] + worth[36 * row + space], left - 1)
            edge_value[place] = found
            top = max(top, found)
            place += 1
        tops[node, row] = top
    values[node] = worth_of(node, position, tops)
    return node


@kernel
def worth_of_draw(node: int, position: Ints, tops: Floats) -> float:
    """What turning over a tile is worth: what each tile's row is, on average. -1 where no tile is left."""
    if position[TILES] == 0:
        return -1.0
    if position[KIND] >= 0:
        return tops[node, position[KIND] + 1]
    total, count = 0.0, 0
    for kind in range(KINDS):
        held = (position[UNSEEN] >> (4 * kind)) & 15
        if held:
            total += held * tops[node, kind + 1]
            count += held
    return total / count


@kernel
def worth_of(node: int, position: Ints, tops: Floats) -> float:
    """What a node is worth: its best turn."""
    return max(tops[node, 0], worth_of_draw(node, position, tops))


@kernel
def draws(node: int, row_visits: Ints32) -> int:
    """How often a tile was turned over at a node."""
    count = 0
    for kind in range(KINDS):
        count += row_visits[node, kind + 1]
    return count


@kernel
def mean_of(node: int, position: Ints, tops: Floats, row_visits: Ints32) -> float:
    """What a node is worth after visits: pieces and draws by how often they were visited."""
    if tops[node, 0] < 0.0 or position[TILES] == 0:
        return worth_of(node, position, tops)
    pieces, drawn = row_visits[node, 0], draws(node, row_visits)
    return (pieces * tops[node, 0] + drawn * worth_of_draw(node, position, tops)) / (pieces + drawn)


@kernel
def search(
    w: Ints,
    numbers: Floats,
    weights: Weights,
    utilities: Floats,
    root: Ints,
    curiosity: float,
    playouts: int,
    tree: Ints,
    first_edge: Ints,
    values: Floats,
    tops: Floats,
    row_visits: Ints32,
    visits: Ints32,
    child: Ints32,
    edge_value: NDArray[np.float32],
) -> None:
    """Visit the tree ``playouts`` more times, or until ``tree[STOP]`` is set or the tree is full.

    ``root`` is the position, in whose ``KIND`` a tile that lies open is named (it counts among the unseen ones and
    in the stock, and no piece may be placed first); else that is -1.
    """
    room, worth = np.zeros((3, WIDTH), np.float32), np.zeros(ROWS * 36)
    position = root.copy()
    path_node, path_row, path_place = np.zeros(40, np.int64), np.zeros(40, np.int64), np.zeros(40, np.int64)
    path_space, path = np.zeros(40, np.int64), np.zeros((41, POSITION), np.int64)
    if tree[NODES] == 0:
        make_node(w, numbers, weights, room, worth, utilities, position, tree, first_edge, values, tops, row_visits,
                  visits, child, edge_value)  # fmt: skip
    most_nodes, most_edges = len(values) - 1, len(visits) - ROWS * 36
    for _ in range(playouts):
        if tree[STOP] or tree[NODES] >= most_nodes or tree[EDGES] >= most_edges:
            break
        tree[VISITS] += 1
        position[:] = root
        node, depth = 0, 0
        path[0] = position
        while True:
            left, free = position[LEFT], position[FREE]
            at = first_edge[node]
            drawn = draws(node, row_visits)
            total = row_visits[node, 0] + drawn
            # a piece on a free space, or turning over a tile
            bonus = curiosity * np.sqrt(np.log(total + 1.0))
            best, chosen, row = -1.0, -1, 0
            if position[TILES] > 0:
                best = worth_of_draw(node, position, tops) + bonus / np.sqrt(drawn + 1.0)
            if position[PIECES] > 0 and position[KIND] < 0:
                for place in range(at, at + left):
                    found = edge_value[place] + bonus / np.sqrt(visits[place] + 1.0)
                    if found > best:
                        best, chosen = found, place
            if chosen < 0:
                row = next_kind(node, position, row_visits) + 1
                bonus = curiosity * np.sqrt(np.log(row_visits[node, row] + 1.0))
                best = -1.0
                for place in range(at + row * left, at + (row + 1) * left):
                    found = edge_value[place] + bonus / np.sqrt(visits[place] + 1.0)
                    if found > best:
                        best, chosen = found, place
            space_number = chosen - at - row * left
            rest = free
            for _ in range(space_number):
                rest &= rest - 1
            space = low_bit(rest)
            path_node[depth], path_row[depth], path_place[depth], path_space[depth] = node, row, chosen, space
            depth += 1
            row_visits[node, row] += 1
            visits[chosen] += 1
            follow(w, position, space, row)
            path[depth] = position
            if position[LEFT] < LEAST_STAGE:
                break
            if child[chosen] == NO_NODE:
                node = make_node(w, numbers, weights, room, worth, utilities, position, tree, first_edge, values, tops,
                                 row_visits, visits, child, edge_value)  # fmt: skip
                child[chosen] = node
                break
            node = child[chosen]
        # back up: each node is worth the mean of its turns, by how often they were visited
        for back in range(depth - 1, -1, -1):
            node, row, place = path_node[back], path_row[back], path_place[back]
            left = path[back, LEFT]
            if child[place] != NO_NODE:
                found = values[child[place]]
                edge_value[place] = found if path[back + 1, SIGN] == path[back, SIGN] else 1.0 - found
            first = first_edge[node] + row * left
            total, times = 0.0, 0
            for other in range(first, first + left):
                total += visits[other] * edge_value[other]
                times += visits[other]
            tops[node, row] = total / times
            values[node] = mean_of(node, path[back], tops, row_visits)
            face = FACES[row - 1] if row > 0 else 0
            space = path_space[back]
            step(w, space, path[back, FREE] & ~(np.int64(1) << space), face, path[back, SIGN], -1)


@kernel
def next_kind(node: int, position: Ints, row_visits: Ints32) -> int:
    """The tile that comes next: the one furthest behind its share."""
    if position[KIND] >= 0:
        return position[KIND]
    drawn, count = draws(node, row_visits), unseen_tiles(position[UNSEEN])[0]
    best, behind = 0, -1e9
    for kind in range(KINDS):
        held = (position[UNSEEN] >> (4 * kind)) & 15
        if held:
            lag = (drawn + 1.0) * held / count - row_visits[node, kind + 1]
            if lag > behind:
                best, behind = kind, lag
    return best


@kernel
def follow(w: Ints, position: Ints, space: int, row: int) -> None:
    """Take a turn: a piece (``row`` 0) or a tile of kind ``row`` - 1 goes to ``space``, and the other one moves."""
    sign = position[SIGN]
    free = position[FREE] & ~(np.int64(1) << space)
    if row == 0:
        gain = w[SUMS + space]
        step(w, space, free, 0, sign, 1)
        position[PIECES] -= 1
    else:
        face = FACES[row - 1]
        gain = face * w[BALANCE + space] * sign
        step(w, space, free, face, sign, 1)
        position[UNSEEN] -= np.int64(1) << (4 * (row - 1))
        position[TILES] -= 1
        if w[SHARED]:
            position[OTHER_TILES] -= 1
    position[FREE] = free
    position[LEFT] -= 1
    position[SIGN] = -sign
    position[LEAD] = -(position[LEAD] + gain)
    position[KIND] = -1
    swap(position)
    if position[PIECES] + position[TILES] == 0:  # IO-20: the other one moves again
        position[SIGN] = sign
        position[LEAD] = -position[LEAD]
        swap(position)


@kernel
def swap(position: Ints) -> None:
    """The reserves as the other one sees them."""
    position[PIECES], position[OTHER_PIECES] = position[OTHER_PIECES], position[PIECES]
    position[TILES], position[OTHER_TILES] = position[OTHER_TILES], position[TILES]
