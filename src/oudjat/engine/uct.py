"""Plain UCT, compiled: the yardstick for the levels, not a player of the house.

Monte Carlo tree search as in the textbook (Kocsis and Szepesvari 2006; Browne and others 2012): each node tries
every turn once, in random order, before any a second time; then the one with the highest mean plus bonus; one new
node a visit; uniformly random games to the end; a mean of the rewards goes back up. The tiles that come are drawn at
random. The reward is the share of the win and a little of the margin. Memory is perfect; the order of the unseen
tiles is not known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.alarm import Alarm
from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_last import BALANCE, FACES, KINDS, SHARED, SUMS
from oudjat.engine.endgame_rest import rest_of
from oudjat.engine.evaluation import step, unseen_tiles
from oudjat.engine.raw import Floats, Ints, low_bit
from oudjat.engine.search import FOREVER, layout, open_kind, root_position
from oudjat.engine.search_two import (
    FREE,
    KIND,
    LEAD,
    LEFT,
    NODES,
    OTHER_PIECES,
    OTHER_TILES,
    PIECES,
    SIGN,
    STOP,
    TILES,
    TREE,
    UNSEEN,
    VISITS,
    follow,
)
from oudjat.engine.thought import Budget, Thought
from oudjat.rules.game import Draw, Position, Turn
from oudjat.rules.isis_osiris import VALUES, IsisOsirisPosition, PlacePiece, PlaceTile

CURIOSITY = 0.7071
"""The constant that fits rewards from 0 to 1 (Kocsis and Szepesvari 2006)."""
MARGIN_SHARE = 0.2
"""How much of the reward is the margin; 60 points to either side are all of it."""
MOST_NODES = 1_500_000
ARMS = 37
"""Turns of a node: the free spaces in order and turning over a tile; or, with a tile in hand, the spaces."""


@kernel
def reward(lead: int) -> float:
    """What a final lead is worth to the one who has it."""
    won = 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)
    return (1.0 - MARGIN_SHARE) * won + MARGIN_SHARE * min(max(0.5 + lead / 120.0, 0.0), 1.0)


@kernel
def draw_kind(position: Ints, randomness: np.random.Generator) -> int:
    """One of the unseen tiles, each equally likely."""
    count, _ = unseen_tiles(position[UNSEEN])
    at = int(randomness.random() * count)
    for kind in range(KINDS):
        at -= (position[UNSEEN] >> (4 * kind)) & 15
        if at < 0:
            return kind
    return KINDS - 1


@kernel
def playout(w: Ints, position: Ints, spaces: Ints, unseen: Ints, state: NDArray[np.uint64]) -> int:
    """Play at random to the end; the final lead of the seat whose ``SIGN`` is 1. ``w`` is used up."""
    left, count = 0, 0
    rest = position[FREE]
    while rest:
        spaces[left] = low_bit(rest)
        rest &= rest - 1
        left += 1
    for kind in range(KINDS):
        for _ in range((position[UNSEEN] >> (4 * kind)) & 15):
            unseen[count] = FACES[kind]
            count += 1
    sign, lead, free = position[SIGN], position[LEAD] * position[SIGN], position[FREE]
    pieces, tiles = position[PIECES], position[TILES]
    other_pieces, other_tiles = position[OTHER_PIECES], position[OTHER_TILES]
    shared = w[SHARED]
    random = state[0]
    while left > 0:
        if pieces + tiles > 0:
            random ^= random << np.uint64(13)
            random ^= random >> np.uint64(7)
            random ^= random << np.uint64(17)
            at = np.int64(((random & np.uint64(0xFFFFF)) * np.uint64(left)) >> np.uint64(20))
            space = spaces[at]
            left -= 1
            spaces[at] = spaces[left]
            free &= ~(np.int64(1) << space)
            if pieces > 0 and (tiles == 0 or (random >> np.uint64(63)) == np.uint64(0)):
                pieces -= 1
                lead += sign * w[SUMS + space]
                step(w, space, free, 0, sign, 1)
            else:
                at = np.int64(
                    (((random >> np.uint64(24)) & np.uint64(0xFFFFF)) * np.uint64(count)) >> np.uint64(20)
                )
                face = unseen[at]
                count -= 1
                unseen[at] = unseen[count]
                tiles -= 1
                if shared:
                    other_tiles -= 1
                lead += face * w[BALANCE + space]
                step(w, space, free, face, sign, 1)
        sign = -sign
        pieces, other_pieces = other_pieces, pieces
        tiles, other_tiles = other_tiles, tiles
    state[0] = random
    return lead


@kernel
def plain_uct(
    start: Ints,
    root: Ints,
    curiosity: float,
    playouts: int,
    randomness: np.random.Generator,
    state: NDArray[np.uint64],
    tree: Ints,
    arms: NDArray[np.int32],
    visits: NDArray[np.int32],
    rewards: Floats,
) -> None:
    """Visit the tree ``playouts`` more times. ``arms`` (nodes, 37 + 8) are the nodes behind each turn, those of a
    draw by kind; ``visits`` and ``rewards`` (nodes, 37) are for the turns, the rewards the mover's."""
    w, position = start.copy(), root.copy()
    path, path_arm, path_sign = np.zeros(90, np.int64), np.zeros(90, np.int64), np.zeros(90, np.int64)
    spaces, unseen = np.zeros(40, np.int64), np.zeros(40, np.int64)
    if tree[NODES] == 0:
        tree[NODES] = 1
        arms[0] = -1
    for _ in range(playouts):
        if tree[STOP] or tree[NODES] >= len(arms) - 1:
            break
        tree[VISITS] += 1
        w[:] = start
        position[:] = root
        node, depth, made = 0, 0, False
        while position[LEFT] > 0 and not made:
            left = position[LEFT]
            first, last = 0, left
            if position[KIND] < 0:
                first = 0 if position[PIECES] > 0 else left
                last = left + 1 if position[TILES] > 0 else left
            arm = choose_arm(node, first, last, curiosity, visits, rewards, randomness)
            path[depth], path_arm[depth], path_sign[depth] = node, arm, position[SIGN]
            depth += 1
            slot = arm
            if arm == left and position[KIND] < 0:
                kind = draw_kind(position, randomness)
                position[KIND] = kind
                slot = ARMS + kind
            else:
                rest = position[FREE]
                for _ in range(arm):
                    rest &= rest - 1
                follow(w, position, low_bit(rest), position[KIND] + 1)
            after = arms[node, slot]
            if after < 0:
                after = tree[NODES]
                tree[NODES] += 1
                arms[after] = -1
                visits[after] = 0
                rewards[after] = 0.0
                arms[node, slot] = after
                made = True
            node = after
        if position[KIND] >= 0:  # the new node holds a tile: it is placed at random
            rest = position[FREE]
            for _ in range(int(randomness.random() * position[LEFT])):
                rest &= rest - 1
            follow(w, position, low_bit(rest), position[KIND] + 1)
        lead = playout(w, position, spaces, unseen, state)
        for back in range(depth):
            visits[path[back], path_arm[back]] += 1
            rewards[path[back], path_arm[back]] += reward(lead * path_sign[back])


@kernel
def choose_arm(
    node: int,
    first: int,
    last: int,
    curiosity: float,
    visits: NDArray[np.int32],
    rewards: Floats,
    randomness: np.random.Generator,
) -> int:
    """A turn not tried yet, at random; else the one with the highest mean and bonus."""
    untried, total = 0, 0
    for arm in range(first, last):
        total += visits[node, arm]
        untried += visits[node, arm] == 0
    if untried > 0:
        at = int(randomness.random() * untried)
        for arm in range(first, last):
            if visits[node, arm] == 0:
                if at == 0:
                    return arm
                at -= 1
    best, chosen = -1.0, first
    log = np.log(total)
    for arm in range(first, last):
        found = rewards[node, arm] / visits[node, arm] + curiosity * np.sqrt(log / visits[node, arm])
        if found > best:
            best, chosen = found, arm
    return chosen


def think_plainly(
    start: Position,
    turns: Sequence[Turn],
    level: str,  # noqa: ARG001 - as choosing.think
    seed: int,
    budget: Budget | None = None,
) -> Thought:
    """What plain UCT makes of a position of two players; as :func:`oudjat.engine.choosing.think`, whatever
    ``level`` is called. Without a budget it takes 0.1 seconds.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> think_plainly(ISIS_OSIRIS.start(), (), "uct", 1, Budget(playouts=100)).playouts
    100
    """
    position = start
    for turn in turns:
        position = position.follow(turn)
    if not isinstance(position, IsisOsirisPosition) or position.players != 2:
        raise ValueError("plain UCT plays Isis & Osiris with two players only")
    choices = position.choices()
    if len(choices) == 1:
        return Thought(choices[0])
    spent = budget or Budget(seconds=0.1)
    nodes = MOST_NODES if spent.playouts is None else min(MOST_NODES, spent.playouts + 2)
    rest = rest_of(position.core)
    kind = open_kind(position.core)
    numbers = np.zeros(TREE, np.int64)
    visits, rewards = np.zeros((nodes, ARMS), np.int32), np.zeros((nodes, ARMS))

    def stop() -> None:
        numbers[STOP] = 1

    randomness = np.random.default_rng(seed)
    with Alarm(spent.seconds, stop):
        plain_uct(
            layout(rest), root_position(rest, kind), CURIOSITY, spent.playouts or FOREVER, randomness,
            randomness.integers(1, 1 << 62, 1, np.uint64), numbers, np.zeros((nodes, ARMS + KINDS), np.int32),
            visits, rewards,
        )  # fmt: skip
    best = int(np.argmax(visits[0]))
    chosen: Turn = Draw()
    if best < len(rest.spaces):
        space = rest.spaces[best]
        chosen = PlaceTile(VALUES[kind], space) if kind >= 0 else PlacePiece(space)
    value = rewards[0, best] / max(1, visits[0, best])
    return Thought(chosen, float(value), None, int(numbers[VISITS]), (chosen,))
