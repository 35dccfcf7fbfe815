"""Compile everything once, so that no player waits for it: ``python -m oudjat.engine.warm``.

What is compiled stays in Numba's disk cache, and every later process loads it in a fraction of a second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TimeElapsedColumn

from oudjat.engine import compiled, playouts
from oudjat.engine.choosing import weigh
from oudjat.engine.endgame import OBJECTIVES, solve
from oudjat.engine.levels import LEVELS
from oudjat.engine.memory import PERFECT, believe
from oudjat.engine.search import search_two
from oudjat.engine.search_many import search_many
from oudjat.engine.stale import sources
from oudjat.engine.thought import Budget
from oudjat.engine.uct import think_plainly
from oudjat.rules.isis_osiris import (
    BOARD,
    CORE,
    FREE,
    ISIS_OSIRIS,
    MOST_SEATS,
    SPACES,
    IsisOsirisPosition,
)


def _rules() -> None:
    core = compiled.core_array(ISIS_OSIRIS.start().core)
    compiled.why_not_piece(core, 0)
    compiled.place_piece(core, 0)
    compiled.why_not_turn_over(core)
    compiled.turn_over(core)
    compiled.why_not_drew(core, 1)
    compiled.drew(core, 1)
    compiled.why_not_tile(core, 1, 1)
    compiled.place_tile(core, 1)
    compiled.why_not_pass(core)
    compiled.add_scores(core, np.zeros(MOST_SEATS, np.int64))


def _looking_ahead() -> None:
    level = next(iter(LEVELS.values()))
    weigh(ISIS_OSIRIS.start().core, believe((), PERFECT, seed=0, seat=1), level)


def _random_games() -> None:
    playouts.random_games(0, 1)


def _endgames() -> None:
    for players in (2, 3):
        for objective in OBJECTIVES:
            solve(nearly_full(players), objective)


def _search() -> None:
    search_two(ISIS_OSIRIS.start().core, playouts=2)
    think_plainly(ISIS_OSIRIS.start(), (), "uct", 0, Budget(playouts=40))
    search_many(ISIS_OSIRIS.start(3).core, 2, None, 0)


STEPS: tuple[tuple[str, Callable[[], None]], ...] = (
    ("the rules", _rules),
    ("looking ahead", _looking_ahead),
    ("random games", _random_games),
    ("endgames", _endgames),
    ("the search", _search),
)
"""What is compiled, in order; a new kernel needs a step that calls it or a kernel that calls it."""


def nearly_full(players: int) -> IsisOsirisPosition:
    """A position with two free spaces, all others taken by pieces of the first seat, and all reserves untouched.

    >>> nearly_full(2).free_spaces
    2
    """
    core = list(ISIS_OSIRIS.start(players).core)
    core[BOARD + 2 : BOARD + SPACES] = [1] * (SPACES - 2)
    core[FREE] = 2
    return IsisOsirisPosition(tuple(core))


def kernels() -> Iterator[Any]:
    """Every compiled function: the twins of the rules, and what is marked as a kernel in the engine's modules.

    None with ``NUMBA_DISABLE_JIT=1``.
    """
    functions: list[Any] = [compiled.twin(function) for function in CORE]
    for file in sources()[1:]:
        module = sys.modules.get(f"{__package__}.{file.stem}") or import_module(f"{__package__}.{file.stem}")
        functions += [thing for thing in vars(module).values() if _made_in(thing, module.__name__)]
    return (function for function in functions if hasattr(function, "stats"))


def _made_in(thing: object, module: str) -> bool:
    return callable(thing) and getattr(thing, "__module__", None) == module


def compiled_now() -> int:
    """How many functions this process had to compile because the disk cache did not hold them."""
    return sum(sum(function.stats.cache_misses.values()) for function in kernels())


def warm(console: Console) -> int:
    """Compile what the cache does not hold yet, showing the progress on ``console``; how much that was.

    In a terminal a bar moves; elsewhere one plain line is written for each step that had work to do.
    """
    began = perf_counter()
    with Progress(
        "{task.description}", BarColumn(), TimeElapsedColumn(), console=console, transient=True,
        disable=not console.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("Compiling", total=len(STEPS))
        for name, step in STEPS:
            progress.update(task, description=f"Compiling {name}")
            before = compiled_now()
            step()
            progress.advance(task)
            if not console.is_terminal and compiled_now() > before:
                console.print(f"Compiled {name}.")
    compiled_here = compiled_now()
    if compiled_here:
        console.print(f"Compiled {compiled_here} functions in {perf_counter() - began:.0f} s.")
    else:
        console.print("Everything was compiled already.")
    return compiled_here


if __name__ == "__main__":
    warm(Console(highlight=False))
