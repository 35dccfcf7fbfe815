"""Whole random games, compiled: the rules' own core at full speed.

A random turn is sampled directly, without listing all turns: a piece or a tile by the toss of a coin where
both are allowed, then any free space, each equally likely.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import (
    CORE_TYPE,
    Core,
    add_scores,
    core_array,
    drew,
    kernel,
    next_seat,
    place_piece,
    place_tile,
    turn_over,
    why_not_piece,
    why_not_turn_over,
)
from oudjat.rules.isis_osiris import (
    BOARD,
    FREE,
    FREE_SPACE,
    ISIS_OSIRIS,
    MOST_SEATS,
    SPACES,
    UNSEEN,
)


def random_games(seed: int, count: int, players: int = 2, *, shared: bool = False) -> NDArray[np.int64]:
    """Play ``count`` random games from the empty board; the sum of all their scores by seat, shape (players,).

    The same arguments always give the same sums. Raises SetupError for a number of players the game has not.

    >>> random_games(1, 100, players=3).shape
    (3,)
    """
    start = ISIS_OSIRIS.start(players, variant="shared" if shared else "normal")
    totals = np.zeros(MOST_SEATS, np.int64)
    play_games(np.random.default_rng(seed), count, core_array(start.core), totals)
    return totals[:players]


@kernel
def play_games(randomness: np.random.Generator, count: int, start: Core, totals: NDArray[np.int64]) -> None:
    """Play ``count`` random games on from ``start`` and add their scores to ``totals`` (4,)."""
    state = np.empty(start.size, CORE_TYPE)
    free = np.empty(SPACES, np.int64)
    for _ in range(count):
        state[:] = start
        left = 0
        for space in range(SPACES):
            if state[BOARD + space] == FREE_SPACE:
                free[left] = space
                left += 1
        while state[FREE] > 0:
            index = int(randomness.random() * left)
            if play_random_turn(randomness, state, free[index]):
                left -= 1
                free[index] = free[left]
        add_scores(state, totals)


@kernel
def play_random_turn(randomness: np.random.Generator, state: Core, space: int) -> bool:
    """Play a random turn on the free space ``space``; False when the player had to pass."""
    tile_allowed = why_not_turn_over(state) == 0
    if why_not_piece(state, space) == 0 and not (tile_allowed and randomness.random() < 0.5):
        place_piece(state, space)
        return True
    if tile_allowed:
        turn_over(state)
        drew(state, random_value(randomness, state))
        place_tile(state, space)
        return True
    next_seat(state)
    return False


@kernel
def random_value(randomness: np.random.Generator, state: Core) -> int:
    """One of the unseen tiles, each equally likely."""
    unseen = 0
    for value in range(9):
        unseen += state[UNSEEN + value]
    index = int(randomness.random() * unseen)
    for value in range(9):
        index -= state[UNSEEN + value]
        if index < 0:
            return value - 4
    return 0
