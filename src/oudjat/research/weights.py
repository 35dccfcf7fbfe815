"""What counts in a position: the weights of the games' first sight, found from games that it plays against itself.

    python -m oudjat.research.weights senet --games 3000 --doubt 0.03

Positions of many games, with how the games ended, are fitted by logistic regression: the weighted difference of what
counts for the two seats is the logarithm of their chances. The weights found are written down by hand in
``oudjat/engine/worth_*.py``; a second run then starts from them. The seed decides everything.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import atanh
from random import Random

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.binding import bound, worth_of
from oudjat.engine.open_games import core_in
from oudjat.engine.raw import handle
from oudjat.rules.registry import game_named

SLIPS = 0.1
RIDGE = 1e-3
"""How much a weight is drawn towards 0, for each position."""
APART = 3
"""Every so many positions of a game one is taken: neighbours are much the same."""

Rows = NDArray[np.float64]


class SelfPlay:
    """Games of two seats that look ``depth`` turns ahead, doubt what they see and slip now and then."""

    def __init__(
        self,
        game_id: str,
        depth: int,
        seed: int,
        doubt: float = 0.5,
        weights: Sequence[tuple[float, ...]] | None = None,
    ) -> None:
        self.at = at = bound(game_id)
        self.depth, self.doubt = depth, doubt
        self.start = core_in(game_named(game_id).start())
        self.features = worth_of(game_id).FEATURES
        self.randomness = Random(f"{game_id} {seed}")
        self.whole, self.real = np.zeros(at.INTS, np.int64), np.zeros(at.FLOATS)
        self.handles = handle(self.whole), handle(self.real)
        self.whole[at.MOST_TRIED] = 1 << 60
        self.whole[at.BARS] = -1
        self.state = self.whole[at.STATES : at.STATES + at.SIZE]
        self.room = np.zeros(at.ROOM_PLACES)
        self.weights = weights or [worth_of(game_id).WEIGHTS] * 2

    def game(self) -> Iterator[tuple[int, Rows]]:
        """Play one; of some positions who is to move, and the difference of what counts; at the end (-1, shares)."""
        at, state = self.at, self.state
        state[:] = self.start
        hands = [hand for hand, _ in at.THROWS]
        chances = [weight for _, weight in at.THROWS]
        turns = 0
        phase = self.randomness.randrange(APART)
        while not state[at.WINNERS] and turns < 400:
            if turns % APART == phase:
                yield int(state[at.TO_MOVE]), self._difference()
            if len(hands) > 1:
                state[at.HAND] = self.randomness.choices(hands, chances)[0]
            self.real[at.WEIGHTS : at.WEIGHTS + self.features] = self.weights[int(state[at.TO_MOVE])]
            code = self._choice()
            if code < 0:  # the player to move is stuck
                state[at.WINNERS] = 2 >> int(state[at.TO_MOVE])
                break
            at.play(state, code)
            turns += 1
        winners = int(state[at.WINNERS])
        share = {1: 1.0, 2: 0.0}.get(winners, 0.5)
        yield -1, np.array([share, 1 - share])

    def _difference(self) -> Rows:
        at, mover = self.at, int(self.state[self.at.TO_MOVE])
        found = []
        for seat in (mover, 1 - mover):
            at.features(self.state, seat, self.room)
            found.append(self.room[: self.features].copy())
        return found[0] - found[1]

    def _choice(self) -> int:
        at, randomness = self.at, self.randomness
        count = at.unfold(*self.handles, 0, at.CERTAIN)
        codes = [int(code) for code in self.whole[at.FOUND : at.FOUND + count]]
        scores = [float(score) for score in self.real[at.SCORES : at.SCORES + count]]
        if not codes:
            return -1
        if scores[-1] >= at.CERTAIN:
            return codes[-1]
        if randomness.random() < SLIPS:
            return randomness.choice(codes)
        if self.depth > 1:
            scores = [self._deeper(code) for code in codes]
        doubted = [
            2 * atanh(max(-0.999, min(0.999, score))) + randomness.gauss(0, self.doubt) for score in scores
        ]
        return codes[doubted.index(max(doubted))]

    def _deeper(self, code: int) -> float:
        at, mover = self.at, self.state[self.at.TO_MOVE]
        at.take(self.handles[0], 0, code)
        value = float(at.look(*self.handles, 1, self.depth - 1, -1.0, 1.0))
        return value if self.whole[at.STATES + at.SIZE + at.TO_MOVE] == mover else -value


def fit(rows: Rows, shares: Rows) -> Rows:
    """The weights under which the shares of the win are likeliest (Newton's method).

    >>> fit(np.array([[1.0], [-1.0]] * 50), np.array([0.8, 0.2] * 50)).round(1).tolist()
    [1.4]
    """
    weights = np.zeros(rows.shape[1])
    ridge = RIDGE * len(rows) * np.eye(rows.shape[1])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (shares - chances) - ridge @ weights
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows + ridge
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def collect(game_id: str, games: int, depth: int, seed: int, doubt: float = 0.5) -> tuple[Rows, Rows]:
    """Positions of so many games, and the share of the win of the player to move in each."""
    playing = SelfPlay(game_id, depth, seed, doubt)
    rows, shares = list[Rows](), list[float]()
    for _ in range(games):
        seen = list(playing.game())
        outcome = seen.pop()[1]
        for mover, difference in seen:
            rows.append(difference)
            shares.append(float(outcome[mover]))
    return np.array(rows), np.array(shares)


def main() -> None:
    """Play, fit and print."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("game")
    reader.add_argument("--games", type=int, default=3000)
    reader.add_argument("--depth", type=int, default=1)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--doubt", type=float, default=0.5, help="by how much values are off in self-play")
    asked = reader.parse_args()
    rows, shares = collect(asked.game, asked.games, asked.depth, asked.seed, asked.doubt)
    weights = fit(rows, shares)
    chances = 1 / (1 + np.exp(-rows @ weights))
    surprise = -np.mean(shares * np.log(chances) + (1 - shares) * np.log(1 - chances))
    print(f"{len(rows)} positions, surprise {surprise:.4f} (a coin: {np.log(2):.4f})")
    print("WEIGHTS = (" + ", ".join(f"{weight:.3g}" for weight in weights) + ")")


if __name__ == "__main__":
    main()
