"""Bots of the games without secrets: legal, the same for the same seed, in time, and none misses what is plain."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from oudjat.engine.choosing import choose, think
from oudjat.engine.compiled import WIDE, core_of, twins_of
from oudjat.engine.deepening import Root, deepen
from oudjat.engine.levels import AHEAD, LEVELS
from oudjat.engine.open_games import codes_of, core_in
from oudjat.engine.raw import COMPILING
from oudjat.engine.thought import Budget
from oudjat.rules.game import Draw, Position, Turn
from oudjat.rules.pharao import PHARAO
from oudjat.rules.ramses import RAMSES
from oudjat.rules.registry import game_named
from oudjat.rules.senet import SENET
from tests.timing import quickest

OPEN = tuple(AHEAD)
POSITIONS = 3000 if COMPILING else 60
STRONGEST = list(LEVELS)[-1]


def starts(game_id: str) -> list[Position]:
    """Every number of players, and every option set another way."""
    game = game_named(game_id)
    options = [{option.key: value} for option in game.options for value in option.values[1:]]
    return [game.start(players, options=chosen) for players in game.players for chosen in ({}, *options)]


def next_turn(position: Position, luck: tuple[str, ...], randomness: Random) -> Position:
    """A random turn taken, with what is thrown for it."""
    turn = randomness.choice(position.choices())
    if turn == Draw():
        position = position.apply(turn)
        position = position.apply(position.comes(luck))
        turn = randomness.choice(position.choices())
    return position.follow(turn)


@pytest.mark.parametrize("game_id", OPEN)
def test_the_rules_of_every_game_are_the_same_when_compiled(game_id: str) -> None:
    core = core_of(game_named(game_id))
    twins = twins_of(core)
    randomness = Random(game_id)
    compared = 0
    every = starts(game_id)
    found, plain = np.zeros(core.MOST_TURNS, WIDE), [0] * core.MOST_TURNS
    while compared < POSITIONS:
        position = every[compared % len(every)]
        luck = game_named(game_id).luck(randomness)
        state = list(core_in(position))
        for _ in range(100):
            if "HAND" in vars(core) and not state[core.WINNERS]:
                state[core.HAND] = randomness.choice(core.THROWS)[0]
            array = np.array(state, WIDE)
            listed = core.list_turns(state, plain)
            assert twins.list_turns(array, found) == listed
            assert found[:listed].tolist() == plain[:listed]
            compared += 1
            if not listed:
                break
            code = randomness.choice(plain[:listed])
            core.play(state, code)
            twins.play(array, code)
            assert array.tolist() == state
        assert luck is not None


def played(start: Position, levels: list[str], seed: int, luck: tuple[str, ...], most: int) -> list[Turn]:
    """The first turns of a game among levels; each is checked by the rules."""
    position, turns = start, list[Turn]()
    while position.to_move is not None and len(turns) < most:
        level = levels[position.to_move - 1]
        turn = choose(start, turns, level, seed, Budget(playouts=2000))
        assert turn in position.choices()
        if turn == Draw():
            position = position.apply(turn)
            came = position.comes(luck)
            position = position.apply(came)
            turn = choose(start, [*turns, Draw(), came], level, seed, Budget(playouts=2000))
            assert turn in position.choices()
        position = position.follow(turn)
        turns.append(turn)
    return turns


@pytest.mark.parametrize("game_id", OPEN)
def test_every_level_takes_legal_turns_and_the_same_for_the_same_seed(game_id: str) -> None:
    names = list(LEVELS)
    for number, start in enumerate(starts(game_id)):
        levels = [names[(number + seat) % len(names)] for seat in range(start.players)]
        luck = start.game.luck(Random(number))
        turns = played(start, levels, number, luck, 12)
        assert played(start, levels, number, luck, 12) == turns
    assert len({tuple(played(start, ["scribe"] * start.players, seed, luck, 6)) for seed in range(5)}) > 1


@pytest.mark.parametrize("game", [PHARAO, SENET])
def test_the_luck_to_come_is_not_looked_at(game: object) -> None:
    start = PHARAO.start() if game is PHARAO else SENET.start()
    luck = start.game.luck(Random(1))
    others = start.game.luck(Random(2))
    mixed = (*luck[:4], *others[4:])
    assert played(start, [STRONGEST] * 2, 3, luck, 4) == played(start, [STRONGEST] * 2, 3, mixed, 4)


@pytest.mark.parametrize("game_id", OPEN)
@pytest.mark.skipif(not COMPILING, reason="takes long")
def test_a_thought_keeps_to_its_time(game_id: str) -> None:
    start = game_named(game_id).start()
    steps: list[Turn] = []
    if start.choices() == (Draw(),):
        steps = [Draw(), start.apply(Draw()).chance()[-1][0]]
    think(start, steps, STRONGEST, 1, Budget(playouts=100))
    for seconds in (0.05, 0.2):
        budget = Budget(seconds=seconds)
        assert quickest(lambda: think(start, steps, STRONGEST, 1, budget), seconds + 0.1) <= seconds + 0.1  # noqa: B023
        assert think(start, steps, STRONGEST, 1, budget).playouts > 0


@pytest.mark.parametrize("game_id", OPEN)
def test_a_search_stops_at_its_number_of_positions(game_id: str) -> None:
    position = game_named(game_id).start()
    if position.choices() == (Draw(),):
        position = position.apply(Draw())
        position = position.apply(position.chance()[-1][0])
    root = Root(game_id, core_in(position), tuple(codes_of(position)))
    for positions in (1, 100, 1000):
        looked = deepen(root, positions=positions)
        assert sorted(code for code, _ in looked.worths) == sorted(root.codes)
        assert looked.tried <= max(positions, len(root.codes)) + 600


# --- what is plain ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", list(LEVELS))
@pytest.mark.parametrize("seed", range(4))
def test_ramses_a_win_in_one_turn_is_taken(level: str, seed: int) -> None:
    thought = think(RAMSES.set_up((1, 18, 10, 2), (19, 20, 21, 3)), [], level, seed)
    assert thought.value == 1.0
    assert RAMSES.set_up((1, 18, 10, 2), (19, 20, 21, 3)).follow(thought.turn).outcome


def wins_in(position: Position, turns: int) -> bool:
    """By the plain rules: whether the player to move can win in so many turns of his, whatever is answered."""
    mover = position.to_move
    for turn in position.choices():
        after = position.follow(turn)
        if after.outcome:
            if after.outcome.winners == (mover,):
                return True
        elif turns > 1 and all(
            (reply.outcome.winners == (mover,))
            if (reply := after.follow(answer)).outcome
            else wins_in(reply, turns - 1)
            for answer in after.choices()
        ):
            return True
    return False


def late_position(game_id: str, seed: int, back: int) -> Position:
    """The position so many turns before the end of a random game."""
    randomness = Random(f"{game_id} {seed}")
    positions = [game_named(game_id).start()]
    luck = positions[0].game.luck(randomness)
    while positions[-1].outcome is None:
        positions.append(next_turn(positions[-1], luck, randomness))
    return positions[-1 - back]


@pytest.mark.parametrize("game_id", ["isis", "ramses"])
def test_forced_wins_are_found_in_the_horizon_and_no_others(game_id: str) -> None:
    won = 0
    for seed in range(8 if COMPILING else 1):
        for back, deep in ((1, 1), (3, 2)):
            position = late_position(game_id, seed, back)
            if deep == 2 and len(position.choices()) > 30:
                continue
            root = Root(game_id, core_in(position), tuple(codes_of(position)))
            # One turn more than the win takes: in Ramses it shows that the other side is stuck.
            found = deepen(root, depth=2 * deep).worths[0][1] > 0.99
            assert found == wins_in(position, deep)
            won += found
    assert won or not COMPILING


@pytest.mark.parametrize("level", [STRONGEST])
@pytest.mark.parametrize("game_id", ["isis", "ramses"])
def test_a_loss_in_one_turn_is_avoided_where_it_can_be(game_id: str, level: str) -> None:
    avoided = 0
    for seed in range(8 if COMPILING else 1):
        position = late_position(game_id, seed, 2)
        if position.to_move is None or len(position.choices()) > 30:
            continue
        safe = {turn for turn in position.choices() if not loses_at_once(position, turn)}
        if 0 < len(safe) < len(position.choices()):
            avoided += 1
            assert think(position, [], level, seed, Budget(playouts=20_000)).turn in safe
    assert avoided or not COMPILING


def loses_at_once(position: Position, turn: Turn) -> bool:
    """By the plain rules: whether the other side can win after this turn with one turn."""
    after = position.follow(turn)
    if after.outcome:
        return after.outcome.winners != (position.to_move,)
    return wins_in(after, 1)
