"""A turn of a game as it was played and as it was best."""

from __future__ import annotations

from dataclasses import dataclass

from oudjat.engine.thought import Known
from oudjat.rules.game import Draw, Turn
from oudjat.study.worths import NOTHING, Worth

GRADES = {"blunder": 0.2, "mistake": 0.1, "inaccuracy": 0.05}
"""What a turn is called that cost at least so much of the win, the worst first."""

_NEARLY_NOTHING = 0.0005
"""A share of the win that counts as nothing: told in per cent with one decimal it would be 0.0."""


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn of a game, as it was played and as it was best.

    ``turn`` counts from 1. Worths are those to ``seat``, who played it. ``best`` is the best choice before it
    (``Draw()``: turn over a tile), ``best_placing`` where the tile that came had best gone; None for a turn
    without one, as are ``cost_of_placing`` and ``luck``. ``known_before`` and ``known_after`` tell, where a table of
    exact play exists, what the turn began from and what it led to, and in how many turns the game is over then.
    ``exact`` says that none of this is an estimate.
    """

    turn: int
    seat: int
    played: Turn
    exact: bool
    before: Worth
    after: Worth
    best: Turn
    cost_of_choice: Worth
    best_placing: Turn | None = None
    cost_of_placing: Worth | None = None
    luck: Worth | None = None
    known_before: Known | None = None
    known_after: Known | None = None

    @property
    def cost(self) -> Worth:
        """What the turn cost in all."""
        return self.cost_of_choice + (self.cost_of_placing or NOTHING)

    @property
    def grade(self) -> str:
        """What the turn is called by what it cost of the win (:data:`GRADES`); empty where it was good, or nothing is
        known."""
        cost = self.cost.win or 0.0
        return next((name for name, least in GRADES.items() if cost >= least), "")

    @property
    def better(self) -> tuple[Turn, ...]:
        """What would have been better, by the share of the win: the choice, then the place of the tile that came.
        Where costs are not known, what the engine would have chosen."""
        if self.cost.win is not None and self.cost.win < _NEARLY_NOTHING:
            return ()
        drew = self.best_placing is not None
        better = [] if drew and isinstance(self.best, Draw) else [self.best]
        if self.best_placing is not None:
            better.append(self.best_placing)
        return tuple(turn for turn in better if turn != self.played)
