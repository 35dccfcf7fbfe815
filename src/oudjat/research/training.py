"""How the learned value was trained: ``python -m oudjat.research.training``.

Fitted value iteration, from the end of the game backwards. Self-play games give positions with every number of free
spaces. With three free spaces the value is counted out. Then, stage by stage: each position with one free space
more is worth what its best turn leads to, all tiles averaged by their true chances, as the network of the stage
before (or the exact count) says; a network is fitted to these values, beginning from that of the stage before. No
result of a game is used, so no luck of the tiles blurs what is learned.

A first round plays at random. The second plays by the networks of the first, each game with its own share of random
turns, so that good positions and blunders both are met. A quarter of the games has a shared stock. At the end games
are played by the networks alone, and how far results scatter around the value gives the chance to win from it.

Everything follows from the seed and the number of games; the weights are kept as 16-bit floats.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from oudjat.engine.compiled import neighbour_masks
from oudjat.engine.endgame_last import NEAR, NUMBERS
from oudjat.engine.evaluation import (
    LAYER,
    LEAST_STAGE,
    PARAMETERS,
    SECOND,
    WEIGHTS_FILE,
    WIDTH,
    Weights,
)
from oudjat.engine.raw import Ints
from oudjat.research.training_kernels import PACKED, Bytes, fit, forward, play_games, rows_of, targets
from oudjat.rules.isis_osiris import SPACES

PARTS = 8
"""Games are shared out in so many parts, each with its own random numbers; every fourth has a shared stock."""
STAGES = range(LEAST_STAGE, SPACES)
HELD_OUT = 10  # one position in so many is not trained on
UNSEEN_AT = 2 * SPACES


def start_numbers() -> Ints:
    """The integers of an empty board: which spaces touch."""
    start = np.zeros(NUMBERS, np.int64)
    start[NEAR : NEAR + SPACES] = neighbour_masks()
    return start


class Games:
    """The positions of self-play games, by the number of free spaces."""

    def __init__(
        self, games: int, weights: Weights, trained: int, seed: int, *, purely: bool = False
    ) -> None:
        self.packed = np.zeros((games, SPACES + 1, PACKED), np.int8)
        self.spaces = np.zeros((games, SPACES + 1), np.int64)
        self.margins = np.zeros((games, SPACES + 1), np.int16)
        start = start_numbers()

        def play(part: int) -> None:
            mine = slice(part * games // PARTS, (part + 1) * games // PARTS)
            play_games(
                np.random.default_rng([seed, part]), start, weights, trained, int(part % 4 == 3), int(purely),
                self.packed[mine], self.spaces[mine], self.margins[mine],
            )  # fmt: skip

        _in_parts(play)

    def stage(self, left: int) -> tuple[Bytes, Ints]:
        """All positions with ``left`` free spaces."""
        return np.ascontiguousarray(self.packed[:, left]), np.ascontiguousarray(self.spaces[:, left])


def _in_parts(work: Callable[[int], None]) -> None:
    with ThreadPoolExecutor() as pool:
        list(pool.map(work, range(PARTS)))


def values_ahead(left: int, packed: Bytes, spaces: Ints, weights: Weights) -> Weights:
    """What each position is worth by looking one turn ahead with the networks that are trained."""
    start, wanted = start_numbers(), np.zeros(len(packed), np.float32)

    def work(part: int) -> None:
        first, last = part * len(packed) // PARTS, (part + 1) * len(packed) // PARTS
        targets(left, packed, spaces, start, weights, first, last, wanted)

    _in_parts(work)
    return wanted


def says(network: Weights, rows: NDArray[np.int32], held: Bytes) -> NDArray[np.float64]:
    """What a network says of positions."""
    total, second = np.zeros(WIDTH, np.float32), np.zeros(SECOND, np.float32)
    return np.array([forward(network, rows[at], held[at], total, second) for at in range(len(rows))])


def train(games: Games, weights: Weights, epochs: int, seed: int, tell: Callable[[str], None]) -> None:
    """Train the networks of all stages in ``weights`` (37, PARAMETERS), which are changed."""
    randomness = np.random.default_rng([seed, PARTS])
    start = start_numbers()
    for left in STAGES:
        packed, spaces = games.stage(left)
        wanted = values_ahead(left, packed, spaces, weights)
        rows = np.zeros((len(packed), left + 4), np.int32)
        rows_of(left, packed, spaces, start, rows)
        held = np.ascontiguousarray(packed[:, UNSEEN_AT : UNSEEN_AT + 8])
        if not weights[left].any():
            weights[left] = weights[left - 1]
        if left == LEAST_STAGE and not weights[left].any():
            weights[left] = randomness.normal(0, 0.05, PARAMETERS)
            weights[left, LAYER:] *= 4
        kept = len(packed) - len(packed) // HELD_OUT
        longer = 2 if left == LEAST_STAGE else 1
        fit(randomness, weights[left], rows[:kept], held[:kept], wanted[:kept], longer * epochs, 0.003, 64)
        some = slice(kept, kept + 5000)
        off = says(weights[left], rows[some], held[some]) - wanted[some]
        tell(
            f"{left} free spaces: off by {np.sqrt(np.mean(off**2)):.3f}, values scatter by {wanted.std():.2f}"
        )


def scatter(weights: Weights, games: int, seed: int) -> NDArray[np.float64]:
    """The standard deviation of what is gained to the end around the value, by free spaces, when both play by the
    networks."""
    played = Games(games, weights, SPACES - 1, seed, purely=True)
    start, found = start_numbers(), np.zeros(SPACES + 1)
    for left in STAGES:
        packed, spaces = played.stage(left)
        rows = np.zeros((len(packed), left + 4), np.int32)
        rows_of(left, packed, spaces, start, rows)
        value = says(weights[left], rows, np.ascontiguousarray(packed[:, UNSEEN_AT : UNSEEN_AT + 8]))
        found[left] = np.sqrt(np.mean((played.margins[:, left] - value) ** 2))
    found[SPACES] = found[SPACES - 1]
    found[1:LEAST_STAGE] = found[LEAST_STAGE] * np.sqrt(np.arange(1, LEAST_STAGE) / LEAST_STAGE)
    return found


def main() -> None:
    """Train from nothing and write the weights."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--games", type=int, default=200_000, help="games of the last round")
    reader.add_argument("--epochs", type=int, default=8)
    reader.add_argument("--seed", type=int, default=2001)
    reader.add_argument("--out", type=Path, default=WEIGHTS_FILE)
    asked = reader.parse_args()
    tell = Console(highlight=False).print
    weights = np.zeros((SPACES + 1, PARAMETERS), np.float32)
    for number, (games, trained) in enumerate(((asked.games // 3, 0), (asked.games, SPACES - 1))):
        tell(f"Round {number + 1}: {games} games.")
        train(
            Games(games, weights, trained, asked.seed + number),
            weights,
            asked.epochs,
            asked.seed + number,
            tell,
        )
    spread = scatter(weights, max(1000, asked.games // 20), asked.seed + 9)
    np.savez_compressed(asked.out, weights=weights[LEAST_STAGE:SPACES].astype(np.float16), scatter=spread)
    tell(f"Written to {asked.out}: {asked.out.stat().st_size / 1e6:.2f} MB.")


if __name__ == "__main__":
    main()
