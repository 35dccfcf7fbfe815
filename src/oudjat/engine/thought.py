"""What a level may spend on a decision, what it makes of it, and what is known without thinking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from oudjat.rules.game import Turn

NOTHING_TO_CHOOSE = "there is nothing to choose: the game is over, or chance has to speak first"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a level may think about one decision: ``seconds`` of time, ``playouts`` games tried, or both.

    What is None is not limited; with both None the level takes its own measure. With playouts alone the same
    arguments give the same choice on every run; with seconds they need not.
    """

    seconds: float | None = None
    playouts: int | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """A turn that was looked at: the share of the win and the margin that the player to move can expect of it, and
    how often it was visited."""

    turn: Turn
    value: float
    margin: float
    visits: int


@dataclass(frozen=True, slots=True)
class Thought:
    """The choice of a level, and why.

    ``value`` is the share of the win that the player to move can expect and ``margin`` by how many points he
    can expect to be ahead of the best other at the end; None where the level does not reckon that. ``playouts``
    counts the games it tried, ``line`` is the play it expects, beginning with ``turn``; ``exact`` says that the
    choice is proven best in what is left of the game.
    """

    turn: Turn
    value: float | None = None
    margin: float | None = None
    playouts: int = 0
    line: tuple[Turn, ...] = ()
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What perfect play leads to: the result for the player to move, and after how many turns of either side the game
    is over; None for a draw, which nobody has to end."""

    value: Literal["win", "loss", "draw"]
    turns: int | None
