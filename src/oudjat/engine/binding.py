"""A game's look ahead: the functions of :mod:`oudjat.engine.lookahead` compiled with the game's own in their place.

Each copy has a name that tells the game, since Numba's disk cache keeps all copies of a function beside its one file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from oudjat.engine import lookahead, lookahead_many
from oudjat.engine.compiled import core_of, kernel, twins_of
from oudjat.engine.levels import AHEAD
from oudjat.rules.registry import game_named

SEARCHED = tuple(AHEAD)
"""The games that are searched this way."""


@cache
def bound(game_id: str) -> ModuleType:
    """The look ahead of a game, under the names that the functions have in ``lookahead`` and
    ``lookahead_many``.

    Raises KeyError for a game that does not exist.

    >>> bound("isis").SIZE, bound("isis") is bound("isis")
    (25, True)
    """
    core, worth = core_of(game_named(game_id)), worth_of(game_id)
    module = ModuleType(f"{__package__}._lookahead_{game_id}", f"Looking ahead in {game_id}.")
    sys.modules[module.__name__] = module
    twins = vars(twins_of(core))
    compiled = {function.__name__: twins[function.__name__] for function in core.CORE}
    judging = _plain(worth) | {name: compiled[name] for name in vars(worth) if name in compiled}
    _add(judging, worth.BOUND, module.__name__, game_id)
    names = vars(module)
    names.update(_plain(lookahead))
    for name in lookahead.OF_THE_GAME:
        for of_the_game in (judging, compiled, vars(core)):
            if name in of_the_game:
                names[name] = of_the_game[name]
                break
    _lay_out(names)
    no_need = (
        {"remember"} if game_named(game_id).chance else set()
    )  # with dice nothing is done about repetition
    shared = [
        function
        for function in lookahead.BOUND
        if function.__name__ not in judging and function.__name__ not in no_need
    ]
    _add(names, shared, module.__name__, game_id)
    if game_named(game_id).players[-1] > 2:
        _add(names, lookahead_many.BOUND, module.__name__, game_id)
    names.update({function.__name__: judging[function.__name__] for function in worth.BOUND})
    return module


def worth_of(game_id: str) -> ModuleType:
    """What says what a game's positions are worth at first sight."""
    return import_module(f"{__package__}.worth_{game_id}")


def _plain(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


def _add(names: dict[str, Any], functions: Iterable[Any], module: str, game_id: str) -> None:
    """Compile copies that find each other, and all else, in ``names``."""
    for function in functions:
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        copy.__module__ = module
        copy.__qualname__ = f"{game_id}.{function.__name__}"
        copy.__doc__ = function.__doc__
        names[function.__name__] = kernel(copy)


def _lay_out(names: dict[str, Any]) -> None:
    """Where things lie in the memory of a search depends on the size of a core and on how many turns there can be."""
    names["FOUND"] = names["STATES"] + names["DEEPEST"] * names["SIZE"]
    names["TABLE"] = names["FOUND"] + names["DEEPEST"] * names["MOST_TURNS"]
    names["INTS"] = names["TABLE"] + 2 * names["TABLE_PLACES"]
    names["VALUES"] = names["SCORES"] + names["DEEPEST"] * names["MOST_TURNS"]
    names["SHARES"] = names["VALUES"] + names["TABLE_PLACES"]
    names["FLOATS"] = names["SHARES"] + names["DEEPEST"] * names["MOST_SEATS"]
