"""How a bot plays Isis & Osiris.

What a level may know is what a player at the table may: what lies where, the reserves, a tile that lies open,
and of the tiles lying face down what its memory gives back (:mod:`oudjat.engine.memory`). From that it weighs
every turn by exact expectation (:mod:`oudjat.engine.expectation`) and takes the best; among equally good ones
its seed decides. Levels that search forget nothing and deliberate (:mod:`oudjat.engine.deliberating`), unless a
placed value is withheld from everybody: then they weigh too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np

from oudjat.engine.compiled import core_array
from oudjat.engine.deliberating import deliberate
from oudjat.engine.endgame import prepare
from oudjat.engine.expectation import DRAW, TURNS, foresee, regards
from oudjat.engine.levels import LEVELS, Level
from oudjat.engine.memory import Beliefs, believe
from oudjat.engine.thought import NOTHING_TO_CHOOSE, Budget, Thought
from oudjat.rules.game import Draw, Drew, Position, Turn
from oudjat.rules.isis_osiris import (
    BOARD,
    EMPTY_HAND,
    FREE,
    HAND,
    LEAST_TILE,
    MOST_SEATS,
    PLAYERS,
    SHARED,
    SPACES,
    TILE,
    TO_MOVE,
    UNSEEN,
    VALUES,
    IsisOsirisPosition,
    PlacePiece,
    PlaceTile,
    neighbours,
)

FORCED = 50
"""So many playouts at the most are spent on a position with one choice only: enough to say about what it is worth."""


def think(
    start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None = None
) -> Thought:
    """See :func:`oudjat.engine.choosing.think`, for a level that exists. Gives a ``PlacePiece``, a ``Draw()``, a
    ``PlaceTile`` or, when nothing else is left, a ``Pass``. What lies face down the bot knows from its memory only.
    """
    position = start
    for turn in turns:
        position = position.follow(turn)
    if not isinstance(position, IsisOsirisPosition):
        raise TypeError(f"{start.game.name} is another game")
    choices = position.choices()
    if not choices:
        raise ValueError(NOTHING_TO_CHOOSE)
    search = LEVELS[level].search
    if search is not None and not position.withheld:
        budget = budget or Budget()
        return deliberate(position, search, seed, _forced(budget) if len(choices) == 1 else budget)
    if len(choices) == 1:
        return Thought(choices[0])
    whole = [turn for turn in turns if not isinstance(turn, Draw | Drew)]
    seat = position.core[TO_MOVE] + 1
    hand = position.core[HAND]
    randomness = Random(f"{seed} {seat} {position.turns} {hand}")
    beliefs = believe(whole, LEVELS[level].memory, seed, seat, hand if hand != EMPTY_HAND else None)
    values = weigh(position.core, beliefs, LEVELS[level])
    weighed = [
        (round(values[_place(turn)], 6), randomness.random(), index) for index, turn in enumerate(choices)
    ]
    return Thought(choices[max(weighed)[2]])


def get_ready(start: Position, level: str) -> None:
    """Load what the level needs to play from this start."""
    if LEVELS[level].search:
        prepare(start.players)
    think(start, (), level, 0, Budget(seconds=0.001, playouts=1))


def _forced(budget: Budget) -> Budget:
    return replace(budget, playouts=FORCED if budget.playouts is None else min(FORCED, budget.playouts))


def _place(turn: Turn) -> int:
    return turn.space if isinstance(turn, PlacePiece | PlaceTile) else DRAW


def weigh(core: tuple[int, ...], beliefs: Beliefs, level: Level) -> list[float]:
    """What each turn is worth to the player to move: 36 spaces, then turning over a tile.

    Reads from ``core`` what everybody sees, and the values of tiles from ``beliefs`` alone.
    """
    state = core_array(core)
    sums, beside = np.zeros(SPACES), np.zeros((MOST_SEATS, SPACES))
    for space in range(SPACES):
        lies, near = core[BOARD + space], list(neighbours(space))
        if lies >= LEAST_TILE:
            state[BOARD + space] = TILE
            value = beliefs.recalled[space]
            sums[near] += beliefs.mean if value is None else value
        elif lies:
            beside[lies - 1, near] += 1
    for value, count in zip(VALUES, beliefs.pool, strict=True):
        state[UNSEEN + 4 + value] = count
    kept_tile = 0.0 if core[SHARED] else level.kept_tile  # what stays in a shared stock stays for everybody
    outlook = np.array([level.patience, kept_tile])
    if core[FREE] <= level.sight:
        outlook[:] = 1.0, 0.0  # it sees the end: every point counts the same, and nothing comes after
    gains, values = np.empty(MOST_SEATS), np.empty(TURNS)
    regard = regards(core[PLAYERS], level.rivalry)
    foresee(state, sums, beside, regard, outlook, level.sight, gains, values)
    return [float(value) for value in values]
