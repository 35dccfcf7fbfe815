"""What is left of a game of Isis & Osiris: all that matters for playing it out perfectly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from oudjat.engine.raw import Ints
from oudjat.rules.isis_osiris import (
    BOARD,
    FREE_SPACE,
    LEAST_TILE,
    MOST_SEATS,
    PIECES,
    PLAYERS,
    SHARED,
    SPACES,
    TO_MOVE,
    UNSEEN,
    VALUES,
    add_scores,
    neighbours,
    stock,
    tile_value,
)


@dataclass(frozen=True, slots=True)
class Rest:
    """The rest of a game, its free spaces numbered from 0.

    ``spaces`` are their indices on the board; for each of them ``near`` is the set of free spaces next to it, as
    bits, ``sums`` the sum of the placed tiles next to it and ``beside`` (free, 4) how many pieces of each seat
    are. ``unseen`` counts the tiles not yet seen in the order of ``VALUES``, without one that lies open.
    """

    spaces: tuple[int, ...]
    near: Ints
    sums: Ints
    beside: Ints
    players: int
    shared: int
    mover: int
    pieces: tuple[int, ...]
    tiles: tuple[int, ...]
    unseen: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def lead(self) -> int:
        """How far the first seat is ahead of the second."""
        return self.scores[0] - self.scores[1]

    @property
    def sign(self) -> int:
        """1 when the first seat is to move, else -1."""
        return 1 if self.mover == 0 else -1


def rest_of(core: tuple[int, ...]) -> Rest:
    """What is left after ``core``, in which every placed value has to be known."""
    spaces = tuple(space for space in range(SPACES) if core[BOARD + space] == FREE_SPACE)
    numbers = {space: number for number, space in enumerate(spaces)}
    near, sums = np.zeros(len(spaces), np.int64), np.zeros(len(spaces), np.int64)
    beside = np.zeros((len(spaces), MOST_SEATS), np.int64)
    for space, number in numbers.items():
        for other in neighbours(space):
            lies = core[BOARD + other]
            if lies == FREE_SPACE:
                near[number] |= 1 << numbers[other]
            elif lies >= LEAST_TILE:
                sums[number] += tile_value(lies)
            else:
                beside[number, lies - 1] += 1
    players = core[PLAYERS]
    scores = [0] * MOST_SEATS
    add_scores(core, scores)
    return Rest(
        spaces=spaces,
        near=near,
        sums=sums,
        beside=beside,
        players=players,
        shared=core[SHARED],
        mover=core[TO_MOVE],
        pieces=core[PIECES : PIECES + players],
        tiles=tuple(stock(core, seat) for seat in range(players)),
        unseen=tuple(core[UNSEEN + 4 + value] for value in VALUES),
        scores=tuple(scores[:players]),
    )


def wish(values: Sequence[float], mover: int) -> tuple[float, ...]:
    """Sorts turns: most for the mover first, then least for the next seat, then for the one after."""
    players = len(values)
    own = -round(values[mover], 9)
    return own, *(round(values[(mover + step) % players], 9) for step in range(1, players))
