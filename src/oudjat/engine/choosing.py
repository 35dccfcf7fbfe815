"""The turn that a bot takes: who plays which game, and how to ask.

Each game has a module that knows how its bots think; it is loaded when the game is first played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType

from oudjat.engine.levels import AHEAD, LEVELS
from oudjat.engine.thought import Budget, Thought
from oudjat.rules.game import Position, Turn

Think = Callable[[Position, Sequence[Turn], str, int, Budget | None], Thought]
"""How a level thinks: :func:`think` and whatever else keeps its promise."""

THINKERS = {"isis-osiris": "remembering", **dict.fromkeys(AHEAD, "open_games")}
"""By the game's id, the module of this package whose ``think`` keeps the promise of the one here, and whose
``get_ready`` loads what a level needs."""


def choose(
    start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None = None
) -> Turn:
    """The turn that a bot of ``level`` takes, for the player to move: that of :func:`think`.

    >>> from oudjat.rules.game import Draw, Drew
    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> choose(ISIS_OSIRIS.start(), [Draw(), Drew("+4")], "novice", seed=1).value
    4
    """
    return think(start, turns, level, seed, budget).turn


def think(
    start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None = None
) -> Thought:
    """What a bot of ``level`` makes of the position, for the player to move.

    ``start`` is the position before the first turn. ``turns`` are whole turns as in a record; at their end may
    stand the steps of a turn that is not complete: ``Draw()`` and ``Drew(...)``. Gives a turn that is legal, one of
    ``choices()``. The bot knows what a player at the table may know. Without a limit of time in ``budget`` the same
    arguments always give the same turn.

    Raises KeyError for a level that does not exist, ValueError where nothing can be chosen (the game is over, or
    chance has to speak first, or no bot plays this game), IllegalTurn when ``turns`` break a rule.

    >>> from oudjat.rules.ramses import RAMSES
    >>> position = RAMSES.set_up((1, 18, 10, 2), (19, 20, 21, 3))
    >>> think(position, [], "priest", seed=1).value
    1.0
    """
    return _thinker(start, level).think(start, turns, level, seed, budget)  # type: ignore[no-any-return]


def get_ready(start: Position, level: str) -> None:
    """Load what a level needs to play from this start, so that its first thought takes no longer than others.

    Raises KeyError for a level that does not exist, ValueError where no bot plays the game.
    """
    _thinker(start, level).get_ready(start, level)


def _thinker(start: Position, level: str) -> ModuleType:
    if level not in LEVELS:
        raise KeyError(f"no level “{level}”; there is: {', '.join(LEVELS)}")
    if start.game.id not in THINKERS:
        raise ValueError(f"no bot plays {start.game.name} yet")
    return import_module(f"{__package__}.{THINKERS[start.game.id]}")
