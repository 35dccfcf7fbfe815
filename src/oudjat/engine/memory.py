"""What a bot remembers of the tiles it has seen.

The model is the declarative memory of ACT-R (Anderson & Lebiere, *The Atomic Components of Thought*, 1998).
The activation of a tile seen ``age`` turns ago is

    activation = -decay * ln(age) + noise,    decay = 0.5

so the odds of recalling it fall as a power of its age, as human forgetting does (Wixted & Ebbesen 1991; why it
should: Anderson & Schooler, "Reflections of the environment in memory", 1991). The noise is logistic. A tile
whose activation lies below the *threshold* is forgotten; the threshold is given as ``half_life``, the age at
which half of the tiles are. When asked for the tile on one space, the tiles lying next to it answer too,
weakened by a penalty (ACT-R's partial matching): if one of them is the most active, its value is recalled in
place of the right one.

Two simplifications. Time is counted in turns since the tile was seen, and seeing it is the only practice it
gets. The noise is drawn once for each pair of a tile asked for and a tile that answers, so that what is
forgotten stays forgotten. Nothing is kept between turns: beliefs follow from the turns so far, the seed and
the seat alone, so that a restarted bot believes the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from random import Random

from oudjat.rules.game import Turn
from oudjat.rules.isis_osiris import HOW_MANY, SPACES, VALUES, PlaceTile, neighbours

DECAY = 0.5


@dataclass(frozen=True, slots=True)
class Memory:
    """How well somebody remembers.

    ``half_life`` is the age in turns at which half of the tiles are forgotten, ``noise`` the scale of the
    logistic noise (the smaller, the more the same tiles are always forgotten at the same age), and ``penalty`` how much
    weaker a neighbouring tile answers; infinite where nothing is confused.
    """

    half_life: float = inf
    noise: float = 0.25
    penalty: float = inf


PERFECT = Memory()


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What somebody believes of the tiles.

    ``recalled`` holds a value for each space whose tile he believes he remembers, None for every other space.
    ``pool`` counts, in the order of ``VALUES``, the tiles that could be any of those he does not recall and of
    those not yet seen.
    """

    recalled: tuple[int | None, ...]
    pool: tuple[int, ...]

    @property
    def mean(self) -> float:
        """What a tile of the pool is worth on average: what to expect of a forgotten one."""
        tiles = sum(self.pool)
        return (
            sum(count * value for count, value in zip(self.pool, VALUES, strict=True)) / tiles
            if tiles
            else 0.0
        )


def believe(
    turns: Sequence[Turn], memory: Memory, seed: int, seat: int, in_hand: int | None = None
) -> Beliefs:
    """What the player at ``seat`` believes after the whole turns ``turns``.

    ``in_hand`` is the value of a tile that lies open now and that everybody sees. Tiles whose value ``turns``
    withhold were never seen. The same arguments always give the same beliefs.

    >>> from oudjat.rules.isis_osiris import PlacePiece
    >>> beliefs = believe([PlaceTile(4, 0), PlacePiece(1)], PERFECT, seed=1, seat=1)
    >>> beliefs.recalled[:2], beliefs.pool
    ((4, None), (1, 2, 6, 2, 2, 6, 2, 0))
    """
    seen = {
        turn.space: (len(turns) - number, turn.value)
        for number, turn in enumerate(turns)
        if isinstance(turn, PlaceTile) and turn.value is not None
    }
    recalled: list[int | None] = [None] * SPACES
    for space in seen:
        recalled[space] = _recall(space, seen, memory, f"{seed} {seat}")
    known = [value for value in (*recalled, in_hand) if value is not None]
    # Confusion may recall a value more often than it exists: the pool then holds none of it.
    pool = tuple(max(0, HOW_MANY[abs(value)] - known.count(value)) for value in VALUES)
    return Beliefs(tuple(recalled), pool)


def _recall(space: int, seen: dict[int, tuple[int, int]], memory: Memory, player: str) -> int | None:
    """The value that answers when the tile on ``space`` is asked for, None when none is active
    enough. ``seen`` holds age and value of each tile by its space."""
    if memory.half_life == inf:
        return seen[space][1]
    best, answer = -DECAY * log(memory.half_life), None
    for other in (space, *neighbours(space)):
        if other not in seen:
            continue
        age, value = seen[other]
        activation = -DECAY * log(age) + memory.noise * _logistic(f"{player} {space} {other}")
        if other != space:
            activation -= memory.penalty
        if activation > best:
            best, answer = activation, value
    return answer


def _logistic(key: str) -> float:
    """The standard logistic noise that belongs to ``key``."""
    share = Random(key).random() or 0.5
    return log(share / (1 - share))
