"""Compile everything once, so that no player waits for it: ``python -m oudjat.engine.warm``.

What is compiled stays in Numba's disk cache, and every later process loads it in a fraction of a second.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from rich.console import Console
from rich.progress import BarColumn, Progress, TimeElapsedColumn

from oudjat.engine import compiled, expectation, playouts
from oudjat.engine.choosing import weigh
from oudjat.engine.levels import LEVELS
from oudjat.engine.memory import PERFECT, believe
from oudjat.rules.isis_osiris import CORE, ISIS_OSIRIS


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


def _looking_ahead() -> None:
    level = next(iter(LEVELS.values()))
    weigh(ISIS_OSIRIS.start().core, believe((), PERFECT, seed=0, seat=1), level)


def _random_games() -> None:
    playouts.random_games(0, 1)


STEPS: tuple[tuple[str, Callable[[], None]], ...] = (
    ("the rules", _rules),
    ("looking ahead", _looking_ahead),
    ("random games", _random_games),
)
"""What is compiled, in order; a new kernel needs a step that calls it."""


def compiled_now() -> int:
    """How many functions this process had to compile because the disk cache did not hold them."""
    functions = [compiled.twin(function) for function in CORE]
    for module in (expectation, playouts):
        functions += vars(module).values()
    seen = {id(function): function for function in functions if hasattr(function, "stats")}
    return sum(sum(function.stats.cache_misses.values()) for function in seen.values())


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
