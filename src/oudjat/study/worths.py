"""What a position or a turn is worth to a player: points ahead and share of the win."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import add, sub

from oudjat.rules.game import Outcome

OBJECTIVES = ("margin", "win")
"""What players can play for: points ahead of the best other, or the win."""


@dataclass(frozen=True, slots=True)
class Worth:
    """``margin`` is by how many points a player can expect to be ahead of the best other at the end, ``win`` the
    share of the win he can expect; each is None where it is not known. Differences of worths are worths too.

    >>> Worth(3.0, 0.75) - Worth(1.0, None)
    Worth(margin=2.0, win=None)
    """

    margin: float | None
    win: float | None

    def of(self, objective: str) -> float | None:
        """The margin or the win.

        >>> Worth(3.0, 0.75).of("win")
        0.75
        """
        return self.win if objective == "win" else self.margin

    @property
    def at_least_nothing(self) -> Worth:
        """With 0 for what is less.

        >>> Worth(-1.0, 0.25).at_least_nothing
        Worth(margin=0.0, win=0.25)
        """
        return self._with(max, NOTHING)

    def times(self, factor: float) -> Worth:
        """Both times the same number."""
        return self._with(float.__mul__, Worth(factor, factor))

    def __add__(self, other: Worth) -> Worth:
        return self._with(add, other)

    def __sub__(self, other: Worth) -> Worth:
        return self._with(sub, other)

    def _with(self, reckon: Callable[[float, float], float], other: Worth) -> Worth:
        return Worth(_both(reckon, self.margin, other.margin), _both(reckon, self.win, other.win))


def _both(reckon: Callable[[float, float], float], one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else reckon(one, other)


UNKNOWN = Worth(None, None)
NOTHING = Worth(0.0, 0.0)


def final_worths(outcome: Outcome, players: int) -> tuple[Worth, ...]:
    """What a finished game was worth to each seat, in seat order; a shared win counts in parts (IO-16). Games
    without points know the win only.

    >>> final_worths(Outcome((7, -3, 7), (1, 3)), 3)[0]
    Worth(margin=0.0, win=0.5)
    """
    won = [1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(1, players + 1)]
    scores = outcome.scores
    if scores is None:
        return tuple(Worth(None, share) for share in won) if outcome.winners else (UNKNOWN,) * players
    return tuple(
        Worth(float(score - max(scores[:seat] + scores[seat + 1 :])), won[seat])
        for seat, score in enumerate(scores)
    )
