"""Whole random games, compiled: the rules' own core at full speed.

A random turn is sampled directly, without listing all turns: a piece or a tile by the toss of a coin where
both are allowed, then any free space, each equally likely.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import (
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
    ALL_TILES,
    BOARD,
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
    """Play ``count`` random games on from ``start`` and add their scores to ``totals`` (4,).

    ``start`` is a core in which no tile lies open. Free spaces and unseen tiles are kept in arrays of which a
    random place is taken and filled with the last one, so that neither is ever searched.
    """
    free, unseen = free_spaces(start), unseen_tiles(start)
    spaces, tiles = free.copy(), unseen.copy()
    state = start.copy()
    for _ in range(count):
        state[:] = start
        spaces[:] = free
        tiles[:] = unseen
        spaces_left, tiles_left = free.size, unseen.size
        while spaces_left > 0:
            piece_allowed = why_not_piece(state, spaces[0]) == 0
            tile_allowed = why_not_turn_over(state) == 0
            if not piece_allowed and not tile_allowed:
                next_seat(state)
                continue
            index = int(randomness.random() * spaces_left)
            space = spaces[index]
            spaces_left -= 1
            spaces[index] = spaces[spaces_left]
            if piece_allowed and not (tile_allowed and randomness.random() < 0.5):
                place_piece(state, space)
            else:
                index = int(randomness.random() * tiles_left)
                value = tiles[index]
                tiles_left -= 1
                tiles[index] = tiles[tiles_left]
                turn_over(state)
                drew(state, value)
                place_tile(state, space)
        add_scores(state, totals)


@kernel
def free_spaces(state: Core) -> NDArray[np.int64]:
    """The free spaces, by index, in order."""
    found = np.empty(SPACES, np.int64)
    count = 0
    for space in range(SPACES):
        if state[BOARD + space] == FREE_SPACE:
            found[count] = space
            count += 1
    return found[:count].copy()


@kernel
def unseen_tiles(state: Core) -> NDArray[np.int64]:
    """The values of the tiles not yet seen, each as often as it is there, in order."""
    found = np.empty(ALL_TILES, np.int64)
    count = 0
    for value in range(-4, 5):
        for _ in range(state[UNSEEN + 4 + value]):
            found[count] = value
            count += 1
    return found[:count].copy()
