"""Compile everything once, so that no player waits for it: ``python -m oudjat.engine.warm``.

What is compiled stays in Numba's disk cache, and every later process loads it in a fraction of a second.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TimeElapsedColumn

from oudjat.engine import compiled, playouts
from oudjat.engine.binding import SEARCHED, bound
from oudjat.engine.choosing import think
from oudjat.engine.endgame import OBJECTIVES, solve
from oudjat.engine.levels import LEVELS
from oudjat.engine.memory import PERFECT, believe
from oudjat.engine.raw import COMPILING
from oudjat.engine.remembering import weigh
from oudjat.engine.search import search_two
from oudjat.engine.search_many import search_many
from oudjat.engine.stale import kernel_files
from oudjat.engine.thought import Budget
from oudjat.engine.uct import think_plainly
from oudjat.rules.game import Draw, Position, Turn
from oudjat.rules.isis_osiris import (
    BOARD,
    CORE,
    FREE,
    ISIS_OSIRIS,
    MOST_SEATS,
    SPACES,
    IsisOsirisPosition,
)
from oudjat.rules.registry import game_named


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


def _endgames(players: int) -> None:
    for objective in OBJECTIVES:
        solve(nearly_full(players), objective)


def _search() -> None:
    search_two(ISIS_OSIRIS.start().core, playouts=2)
    think_plainly(ISIS_OSIRIS.start(), (), "uct", 0, Budget(playouts=40))
    search_many(ISIS_OSIRIS.start(3).core, 2, None, 0)


def _looking_ahead_in(game_id: str) -> None:
    game = game_named(game_id)
    for players in (2, 3):
        if players in game.players:
            position, turns = game.start(players), list[Turn]()
            for _ in range(3):
                turn = think(position, turns, "pharaoh", 0, Budget(playouts=500)).turn
                if isinstance(turn, Draw):
                    came = position_after(position, turns).apply(turn).chance()[-1][0]
                    turn = think(position, [*turns, turn, came], "pharaoh", 0, Budget(playouts=500)).turn
                turns.append(turn)


def position_after(position: Position, turns: Sequence[Turn]) -> Position:
    """The position after whole turns."""
    for turn in turns:
        position = position.follow(turn)
    return position


STEPS: tuple[tuple[str, Callable[[], None]], ...] = (
    ("the rules", _rules),
    ("random games", _random_games),
    ("endgames", partial(_endgames, 2)),
    ("the search", _search),
)
"""What is compiled, in order; a new kernel needs a step that calls it or a kernel that calls it."""
BESIDE: tuple[tuple[str, Callable[[], None]], ...] = (
    ("endgames for many", partial(_endgames, 3)),
    ("looking ahead", _looking_ahead),
    *((game_named(game_id).name, partial(_looking_ahead_in, game_id)) for game_id in SEARCHED),
)
"""The same for what a second process compiles meanwhile: of the kernels that the others need as little as can be."""


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
    for game_id in SEARCHED:
        functions += [thing for thing in vars(bound(game_id)).values() if hasattr(thing, "stats")]
    for file in kernel_files():
        name = f"oudjat.{file.parent.name}.{file.stem}"
        if file.parent.name != "engine" and name not in sys.modules:
            continue  # what stands above the engine brings its kernels along when it is used
        module = sys.modules.get(name) or import_module(name)
        functions += [thing for thing in vars(module).values() if _made_in(thing, module.__name__)]
    return (function for function in functions if hasattr(function, "stats"))


def _made_in(thing: object, module: str) -> bool:
    return callable(thing) and getattr(thing, "__module__", None) == module


def compiled_now() -> int:
    """How many functions this process had to compile because the disk cache did not hold them."""
    return sum(sum(function.stats.cache_misses.values()) for function in kernels())


def warm(console: Console) -> int:
    """Compile what the cache does not hold yet, showing the progress on ``console``; how much that was.

    In a terminal a bar moves; elsewhere one plain line is written for each step that had work to do. A second process
    compiles what stands ``BESIDE``.
    """
    began = perf_counter()
    beside = None if _cached_beside() else _start_beside()
    with _garbage_collected_seldom(), Progress(
        "{task.description}", BarColumn(), TimeElapsedColumn(), console=console, transient=True,
        disable=not console.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("Compiling", total=len(STEPS) + len(BESIDE))
        for name, step in (*STEPS, *BESIDE):
            progress.update(task, description=f"Compiling {name}")
            if beside and name == BESIDE[0][0]:
                beside.wait()
            before = compiled_now()
            step()
            progress.advance(task)
            if not console.is_terminal and compiled_now() > before:
                console.print(f"Compiled {name}.")
    compiled_here = compiled_now() + (int(beside.communicate()[0] or 0) if beside else 0)
    if compiled_here:
        console.print(f"Compiled {compiled_here} functions in {perf_counter() - began:.0f} s.")
    else:
        console.print("Everything was compiled already.")
    return compiled_here


@contextmanager
def _garbage_collected_seldom() -> Iterator[None]:
    """What Numba makes while it compiles would keep the collection busy for a tenth of the time."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _cached_beside() -> bool:
    """Whether the cache seems to hold what the second process would compile (if not all, it is compiled here)."""
    folders = compiled.cache_folders()
    return all(
        any(any(folder.glob(f"lookahead.{game_id}.look-*.nbi")) for folder in folders) for game_id in SEARCHED
    )


def _start_beside() -> subprocess.Popen[bytes] | None:
    if not COMPILING:
        return None
    return subprocess.Popen([sys.executable, "-m", __spec__.name, "beside"], stdout=subprocess.PIPE)


if __name__ == "__main__":
    if sys.argv[1:] == ["beside"]:
        with _garbage_collected_seldom():
            for _, beside_step in BESIDE:
                beside_step()
        print(compiled_now())
    else:
        warm(Console(highlight=False))
