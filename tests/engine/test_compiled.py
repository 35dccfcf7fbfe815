"""One source: the compiled core answers and plays exactly as the Python surface, step by step."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from oudjat.engine import compiled
from oudjat.engine.playouts import random_games
from oudjat.engine.stale import STAMP, drop_stale, fingerprint
from oudjat.rules.game import Draw, SetupError, Turn
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
GAMES = 560
"""Of at least 36 turns each: more than 20,000 turns for each kind."""


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
    assert turns >= 20_000


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


@pytest.mark.parametrize(("players", "variant"), KINDS)
def test_random_games_are_fair_and_follow_from_their_seed(players: int, variant: str) -> None:
    shared = variant == "shared"
    totals = random_games(5, 20_000, players, shared=shared)
    assert (totals == random_games(5, 20_000, players, shared=shared)).all()
    assert (totals != random_games(6, 20_000, players, shared=shared)).any()
    assert np.abs(totals / 20_000).max() < 0.5  # the values of all tiles add up to nothing


def test_random_games_for_a_number_of_players_that_does_not_exist() -> None:
    with pytest.raises(SetupError):
        random_games(1, 1, players=5)


def run(code: str, **environment: str) -> str:
    """What a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env=os.environ | environment,
    )  # fmt: skip
    return done.stdout.strip()


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


def test_everything_works_without_compiling() -> None:
    code = (
        "from oudjat.engine.choosing import choose\n"
        "from oudjat.engine.playouts import random_games\n"
        "from oudjat.rules.isis_osiris import ISIS_OSIRIS, PlacePiece, PlaceTile\n"
        "turns = [PlaceTile(4, 14), PlacePiece(0), PlaceTile(3, 16), PlacePiece(35)]\n"
        "print(choose(ISIS_OSIRIS.start(), turns, 'scribe', seed=1), random_games(3, 20).tolist())"
    )
    assert run(code, NUMBA_DISABLE_JIT="1") == run(code)


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
