"""A turn of a game as it was played and as it was best."""

from __future__ import annotations

from dataclasses import dataclass

from oudjat.engine.thought import Known
from oudjat.rules.game import Turn
from oudjat.study.worths import NOTHING, Worth

GRADES = {"blunder": 0.2, "mistake": 0.1, "inaccuracy": 0.05}
"""What a turn is called that cost at least so much of the win, the worst first."""


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
