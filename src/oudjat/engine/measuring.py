"""How fast the engine is here and now: what ``oudjat bench`` and the benchmarks tell.

What is measured in a process of its own begins as a first turn in a new program does: nothing imported, the
compiled code in Numba's disk cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module, util
from math import inf
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from oudjat.engine.binding import SEARCHED
from oudjat.engine.compiled import WIDE, core_of, twins_of
from oudjat.engine.endgame import Objective, OutOfTime, solve
from oudjat.engine.levels import LEVELS
from oudjat.engine.open_games import core_in
from oudjat.engine.playouts import PORTION, random_games
from oudjat.rules.game import Draw
from oudjat.rules.isis_osiris import ISIS_OSIRIS, IsisOsirisPosition
from oudjat.rules.registry import game_named

Measured = float | list[float | None] | dict[str, float] | None

SIZES = (6, 8, 10, 12)
"""Numbers of free spaces at which endgames are solved."""
POSITIONS = 20
"""So many positions of each size; the first ones are taken where fewer will do."""

COUNTS: dict[Objective, tuple[int, ...]] = {"margin": (20, 20, 20, 5), "win": (20, 20, 9, 0)}
QUICK_COUNTS: dict[Objective, tuple[int, ...]] = {"margin": (5, 5, 3, 0), "win": (5, 5, 0, 0)}
"""How many positions of each of the ``SIZES`` the bench solves."""
MIDDLE = 20
"""So many random turns lead to a middle game."""
LIMIT = 12.0
"""Seconds for one position: a bench has to end."""

PEERS = {"hex_6x6": "hex(board_size=6)", "breakthrough_6x6": "breakthrough(rows=6,columns=6)"}
"""Games of OpenSpiel of about the same size, by the names they are told under."""

IMPORT = "import oudjat.engine.choosing, oudjat.rules.isis_osiris"
FIRST_MOVE = """
from oudjat.engine.choosing import think
from oudjat.engine.thought import Budget
from oudjat.rules.isis_osiris import ISIS_OSIRIS
think(ISIS_OSIRIS.start(), (), {level!r}, 1, Budget(seconds=0.1))
"""


def fixed_positions(free: int, count: int = POSITIONS) -> list[IsisOsirisPosition]:
    """The first ``count`` of the fixed two-player positions with ``free`` free spaces, both variants in turn.

    They come from random play, a piece or a tile by the toss of a coin, and are the same on every machine.

    >>> [position.core[1] for position in fixed_positions(30, 4)], fixed_positions(8, 1) == fixed_positions(8, 1)
    ([0, 1, 0, 1], True)
    """
    return [_random_position(number, free) for number in range(count)]


def _random_position(number: int, free: int) -> IsisOsirisPosition:
    chance = Random(f"{number} of {free} free spaces")
    position = ISIS_OSIRIS.start(variant=ISIS_OSIRIS.variants[number % len(ISIS_OSIRIS.variants)])
    while position.free_spaces > free:
        choices = position.choices()
        placings = [turn for turn in choices if turn != Draw()]
        if Draw() in choices and (not placings or chance.random() < 0.5):
            turning = position.apply(Draw())
            values, shares = zip(*turning.chance(), strict=True)
            came = chance.choices(values, [float(share) for share in shares])[0]
            placings = list(turning.apply(came).choices())
        position = position.follow(chance.choice(placings))
    return position


def playouts_per_second(jobs: int = 1, seconds: float = 2.0) -> float:
    """Whole random games of two players from the empty board a second, in so many threads."""
    random_games(0, 1)  # nothing is left to be loaded
    began, played = perf_counter(), 0
    while not played or perf_counter() - began < seconds:
        random_games(played, 4 * PORTION * jobs, jobs=jobs)
        played += 4 * PORTION * jobs
    return round(played / (perf_counter() - began))


def peer(seconds: float = 2.0) -> dict[str, float] | None:
    """OpenSpiel's random games a second in C++, one thread, by game; None when it is not installed."""
    if util.find_spec("pyspiel") is None:
        return None
    spiel = import_module("pyspiel")
    found: dict[str, float] = {}
    for name, described in PEERS.items():
        game = spiel.load_game(described)
        began, played, batch = perf_counter(), 0, 10_000
        while not played or perf_counter() - began < seconds:
            evaluator = spiel.RandomRolloutEvaluator(batch, played + 1)
            bot = spiel.MCTSBot(
                game,
                evaluator,
                uct_c=1.0,
                max_simulations=1,
                max_memory_mb=1,
                solve=False,
                seed=1,
                verbose=False,
            )
            bot.mcts_search(game.new_initial_state())  # one simulation: the root's rollouts, nothing else
            played += batch
        found[name] = round(played / (perf_counter() - began))
    return found


def solve_seconds(objective: Objective, counts: tuple[int, ...]) -> list[float | None]:
    """The median time for each of the ``SIZES`` over so many fixed positions, on one core.

    None where there are none to solve, or where more than half took longer than ``LIMIT``.
    """
    found: list[float | None] = []
    for free, count in zip(SIZES, counts, strict=True):
        took = [_solving(position, objective) for position in fixed_positions(free, count)]
        middle = median(took) if took else inf
        found.append(None if middle == inf else round(middle, 4))
    return found


def _solving(position: IsisOsirisPosition, objective: Objective) -> float:
    began = perf_counter()
    try:
        solve(position, objective, limit=LIMIT)
    except OutOfTime:
        return inf
    return perf_counter() - began


def in_a_fresh_process(code: str, **environment: str) -> float:
    """The seconds that ``code`` takes in a new Python process, from its start to its end."""
    began = perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=os.environ | environment, capture_output=True
    )
    return perf_counter() - began


def import_seconds(times: int = 5) -> float:
    """What a first turn has to import, beyond what an empty process takes (median)."""
    empty = median(in_a_fresh_process("pass") for _ in range(times))
    return round(max(0.0, median(in_a_fresh_process(IMPORT) for _ in range(times)) - empty), 3)


def first_move_seconds(times: int = 3) -> float:
    """A fresh process until the strongest level has chosen its first turn, for which it may think 0.1 s (median).

    The compiled code comes from the disk cache.
    """
    code = FIRST_MOVE.format(level=list(LEVELS)[-1])
    in_a_fresh_process(code)  # what is not in the cache yet
    return round(median(in_a_fresh_process(code) for _ in range(times)), 3)


def compile_seconds() -> float:
    """Everything compiled from an empty cache, as ``script/setup`` does it."""
    with TemporaryDirectory() as folder:
        return round(in_a_fresh_process("import oudjat.engine.warm as w, rich.console as c; w.warm(c.Console())",
                                        NUMBA_CACHE_DIR=folder), 1)  # fmt: skip


def turns_microseconds(repeats: int = 200) -> dict[str, float]:
    """How long the compiled rules take to list all turns of a position of the middle game (median), by game."""
    return {game_id: _turns_microseconds(game_id, repeats) for game_id in SEARCHED}


def _turns_microseconds(game_id: str, repeats: int) -> float:
    core = core_of(game_named(game_id))
    twins, chance = twins_of(core), Random(game_id)
    found, took = np.zeros(core.MOST_TURNS, WIDE), list[float]()
    while len(took) < POSITIONS * 10:
        state = np.array(core_in(game_named(game_id).start()), WIDE)
        for _ in range(MIDDLE):
            if "HAND" in vars(core):
                state[core.HAND] = chance.choice(core.THROWS)[0]
            listed = twins.list_turns(state, found)
            if not listed:
                break
            before = state.copy()
            twins.play(state, int(found[chance.randrange(listed)]))
        began = perf_counter()
        for _ in range(repeats):
            twins.list_turns(before, found)
        took.append((perf_counter() - began) / repeats)
    return round(median(took) * 1e6, 2)


def measures(*, quick: bool = False) -> dict[str, Callable[[], Measured]]:
    """What is measured, by name, in order; ``quick``: fewer positions and repetitions."""
    counts = QUICK_COUNTS if quick else COUNTS
    seconds, times = (0.5, 1) if quick else (2.0, 5)
    return {
        "playouts_per_second": lambda: playouts_per_second(1, seconds),
        "playouts_per_second_all": lambda: playouts_per_second(os.cpu_count() or 1, seconds),
        "peer": lambda: peer(seconds),
        "import_seconds": lambda: import_seconds(times),
        "first_move_seconds": lambda: first_move_seconds(times),
        "solve_seconds": lambda: solve_seconds("margin", counts["margin"]),
        "solve_win_seconds": lambda: solve_seconds("win", counts["win"]),
        "turns_microseconds": turns_microseconds,
        "compile_seconds": compile_seconds,
    }
