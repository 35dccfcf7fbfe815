"""One source: the compiled core answers and plays exactly as the Python surface, step by step."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from oudjat.engine import compiled
from oudjat.engine.raw import COMPILING
from oudjat.engine.stale import STAMP, drop_stale, fingerprint
from oudjat.rules.game import Draw, Turn
from oudjat.rules.isis_osiris import (
    HAND,
    ISIS_OSIRIS,
    MOST_SEATS,
    SPACES,
    VALUES,
    Pass,
    PlacePiece,
    PlaceTile,
)

KINDS = [(players, variant) for variant in ISIS_OSIRIS.variants for players in ISIS_OSIRIS.players]
GAMES = 560 if COMPILING else 8
"""Of at least 36 turns each: more than 20,000 turns for each kind, 120,000 in all."""

needs_the_compiler = pytest.mark.skipif(not COMPILING, reason="nothing is compiled")


def told_by_the_rules(choices: tuple[Turn, ...]) -> tuple[list[int], bool, bool]:
    """The spaces on which something may be placed, and whether a tile may be turned over, or the turn passed."""
    spaces = [turn.space for turn in choices if isinstance(turn, PlacePiece | PlaceTile)]
    return spaces, Draw() in choices[-1:], Pass() in choices[-1:]


def told_by_the_twin(state: compiled.Core) -> tuple[list[int], bool, bool]:
    """The same, asked of the compiled core for every space."""
    hand = int(state[HAND])
    if hand:
        spaces = [space for space in range(SPACES) if not compiled.why_not_tile(state, hand, space)]
    else:
        spaces = [space for space in range(SPACES) if not compiled.why_not_piece(state, space)]
    return spaces, not compiled.why_not_turn_over(state), not compiled.why_not_pass(state)


@pytest.mark.parametrize(("players", "variant"), KINDS)
def test_the_compiled_core_plays_as_the_rules_do(players: int, variant: str) -> None:
    randomness = Random(f"{players} {variant}")
    turns = 0
    for game in range(GAMES):
        position = ISIS_OSIRIS.start(players, variant=variant, first=game % players + 1)
        luck = ISIS_OSIRIS.luck(randomness)
        state = compiled.core_array(position.core)
        while position.to_move is not None:
            choices = position.choices()
            assert told_by_the_rules(choices) == told_by_the_twin(state)
            turn = randomness.choice(choices[-1:] if randomness.random() < 0.5 else choices)
            position = position.apply(turn)
            match turn:
                case PlacePiece(space):
                    compiled.place_piece(state, space)
                case Draw():
                    compiled.turn_over(state)
                    came = position.comes(luck)
                    value = int(came.outcome)
                    expected = {int(drew.outcome) for drew, _ in position.chance()}
                    assert expected == {value for value in VALUES if not compiled.why_not_drew(state, value)}
                    compiled.drew(state, value)
                    position = position.apply(came)
                case PlaceTile(_, space):
                    compiled.place_tile(state, space)
                case Pass():
                    compiled.next_seat(state)
            assert tuple(state.tolist()) == position.core
            turns += not isinstance(turn, Draw)
        scores = np.zeros(MOST_SEATS, np.int64)
        compiled.add_scores(state, scores)
        assert tuple(scores[:players].tolist()) == position.standing
    assert turns >= 36 * GAMES


def test_refusals_carry_the_same_rule_numbers() -> None:
    from oudjat.rules import isis_osiris as rules

    position = ISIS_OSIRIS.start(2).follow(PlacePiece(0))
    for core in (position.core, position.apply(Draw()).core, ISIS_OSIRIS.start(3, variant="shared").core):
        state = compiled.core_array(core)
        for space in range(SPACES):
            assert compiled.why_not_piece(state, space) == rules.why_not_piece(core, space)
            assert compiled.why_not_tile(state, 3, space) == rules.why_not_tile(core, 3, space)
        assert compiled.why_not_turn_over(state) == rules.why_not_turn_over(core)
        assert compiled.why_not_pass(state) == rules.why_not_pass(core)
        assert [compiled.why_not_drew(state, value) for value in VALUES] == [
            rules.why_not_drew(core, value) for value in VALUES
        ]


def test_only_core_functions_have_twins() -> None:
    with pytest.raises(KeyError):
        compiled.twin(ISIS_OSIRIS.start)


def run(code: str, **environment: str) -> str:
    """What a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env=os.environ | environment,
    )  # fmt: skip
    return done.stdout.strip()


@needs_the_compiler
def test_a_second_process_compiles_nothing() -> None:
    code = (
        "import sys\n"
        "from rich.console import Console\n"
        "from oudjat.engine.warm import compiled_now, warm\n"
        "warm(Console(file=sys.stderr))\n"
        "print(compiled_now())"
    )
    run(code)
    assert run(code) == "0"
    assert run(WORK + "from oudjat.engine.warm import compiled_now\nprint(compiled_now())").endswith("\n0")


WORK = """
from oudjat.engine.choosing import choose
from oudjat.engine.endgame import OBJECTIVES, solve
from oudjat.engine.levels import LEVELS
from oudjat.engine.playouts import RandomGames, random_games
from oudjat.rules.game import follow_all
from oudjat.rules.isis_osiris import ISIS_OSIRIS, PlacePiece, PlaceTile
turns = [PlaceTile(4, 14), PlacePiece(0), PlaceTile(3, 16), PlacePiece(35)]
print(choose(ISIS_OSIRIS.start(), turns, "scribe", seed=1), random_games(3, 20).tolist())
for players, variant in ((2, "normal"), (2, "shared"), (3, "normal")):
    written, scores = RandomGames(ISIS_OSIRIS.start(players, variant=variant).core, seed=9).written_down()
    near_the_end = written[:31]
    print(choose(ISIS_OSIRIS.start(players, variant=variant), near_the_end, "priest", seed=1).text, scores)
    for objective in OBJECTIVES:
        end = follow_all(ISIS_OSIRIS.start(players, variant=variant), [turn.text for turn in near_the_end])
        solution = solve(end, objective)
        print([round(value, 9) for value in solution.value], solution.best[0][0].text)
"""
"""Bots choose, endgames are solved, random games are played."""


def test_everything_works_without_compiling() -> None:
    assert run(WORK, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error") == run(WORK)


@needs_the_compiler
def test_the_rules_are_kept_without_compiling() -> None:
    """So that a person can step through with a debugger."""
    names = ("test_compiled.py", "test_playouts.py", "test_open_games.py")
    files = [Path(__file__).with_name(name) for name in names]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "rules", *map(str, files)],
        capture_output=True, text=True, check=False, env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@needs_the_compiler
def test_every_kernel_is_compiled_by_a_step_of_warm() -> None:
    code = """
import sys
from rich.console import Console
from oudjat.engine.warm import kernels, warm
warm(Console(file=sys.stderr))
every = {id(kernel): kernel for kernel in kernels()}
waiting = [kernel for kernel in every.values() if kernel.signatures]  # called by a step
reached = set()
while waiting:
    kernel = waiting.pop()
    if id(kernel) in every and id(kernel) not in reached:
        reached.add(id(kernel))
        names = kernel.py_func.__globals__
        waiting += [names[name] for name in kernel.py_func.__code__.co_names if name in names]
print(len(every), *(kernel.__qualname__ for number, kernel in every.items() if number not in reached))
"""
    number, *missed = run(code).split()
    assert int(number) > 50
    assert not missed


def test_stale_kernels_are_dropped_and_only_ours(tmp_path: Path) -> None:
    source, cache = tmp_path / "bot.py", tmp_path / "__pycache__"
    source.write_text("one")
    cache.mkdir()
    ours, others = (
        [cache / "bot.think-1.py311.nbi", cache / "bot.think-1.py311.1.nbc"],
        cache / "peer.f-1.nbi",
    )
    for file in (*ours, others):
        file.touch()
    assert drop_stale((source,), [cache]) == 2
    assert not any(file.exists() for file in ours)
    assert others.exists()
    assert (cache / STAMP).read_text() == fingerprint([source])

    ours[0].touch()
    assert drop_stale((source,), [cache]) == 0  # it fits the text
    assert ours[0].exists()
    source.write_text("two")
    assert drop_stale((source,), [cache]) == 1
