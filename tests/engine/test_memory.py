"""Memory fades by a power law, errs only towards neighbours, and follows from turns, seed and seat alone."""

from random import Random

import pytest

from oudjat.engine.levels import LEVELS
from oudjat.engine.memory import PERFECT, Beliefs, Memory, believe
from oudjat.rules.isis_osiris import (
    ALL_TILES,
    HOW_MANY,
    SPACES,
    VALUES,
    PlacePiece,
    PlaceTile,
    neighbours,
)

SEEDS = range(1500)


def recall_rate(age: int, memory: Memory) -> float:
    """The share of seeds with which a lone tile seen ``age`` turns ago is recalled."""
    turns = [PlaceTile(4, 0), *(PlacePiece(space) for space in range(12, 11 + age))]
    return sum(believe(turns, memory, seed, 1).recalled[0] is not None for seed in SEEDS) / len(SEEDS)


def scattered(seed: int, tiles: int = 18) -> list[PlaceTile]:
    """Tiles of random values on random spaces, one a turn."""
    randomness = Random(seed)
    stock = [value for value in VALUES for _ in range(HOW_MANY[abs(value)])]
    randomness.shuffle(stock)
    return [
        PlaceTile(value, space)
        for value, space in zip(stock, randomness.sample(range(SPACES), tiles), strict=False)
    ]


def test_recall_falls_with_age_by_a_power_law() -> None:
    memory = Memory(half_life=6, noise=0.25)
    for age in (1, 2, 3, 6, 12, 20):
        expected = 1 / (1 + (age / 6) ** (0.5 / 0.25))
        assert recall_rate(age, memory) == pytest.approx(expected, abs=0.04)


def test_the_older_the_tile_the_less_is_recalled_at_every_level_that_forgets() -> None:
    for level in ("novice", "scribe"):
        rates = [recall_rate(age, LEVELS[level].memory) for age in (1, 4, 12, 24)]
        assert rates == sorted(rates, reverse=True)
        assert rates[0] > rates[-1] + 0.2


def test_a_better_level_remembers_more() -> None:
    novice, scribe, priest = (recall_rate(10, LEVELS[name].memory) for name in ("novice", "scribe", "priest"))
    assert novice < scribe < priest == 1


def test_perfect_memory_is_perfect() -> None:
    for seed in range(20):
        turns = scattered(seed)
        beliefs = believe(turns, PERFECT, seed, 1)
        assert {space: value for space, value in enumerate(beliefs.recalled) if value is not None} == {
            turn.space: turn.value for turn in turns
        }
        assert sum(beliefs.pool) == ALL_TILES - len(turns)


def test_the_same_turns_seed_and_seat_give_the_same_beliefs() -> None:
    turns = scattered(3)
    memory = LEVELS["scribe"].memory
    assert believe(turns, memory, 5, 2) == believe(turns, memory, 5, 2)
    assert len({believe(turns, memory, seed, 2) for seed in range(10)}) > 1
    assert len({believe(turns, memory, 5, seat) for seat in range(1, 5)}) > 1


def test_what_is_forgotten_stays_forgotten() -> None:
    memory = Memory(half_life=6)
    later = [PlacePiece(space) for space in range(12, 36)]
    for seed in range(50):
        recalled = [
            believe([PlaceTile(-3, 0), *later[:count]], memory, seed, 1).recalled[0] is not None
            for count in range(len(later))
        ]
        assert recalled == sorted(recalled, reverse=True)


def test_confusion_recalls_a_neighbours_value_and_happens() -> None:
    confused = 0
    for seed in range(100):
        turns = scattered(seed)
        values = {turn.space: turn.value for turn in turns}
        for space, value in enumerate(believe(turns, LEVELS["novice"].memory, seed, 1).recalled):
            if value is None:
                continue
            assert value in {values.get(near) for near in (space, *neighbours(space))}
            confused += value != values[space]
    assert confused > 0


def test_a_tile_without_neighbours_is_never_confused() -> None:
    for seed in range(200):
        assert believe([PlaceTile(4, 0), PlaceTile(-2, 20)], Memory(3, penalty=0), seed, 1).recalled[0] in (
            4,
            None,
        )


def test_the_pool_is_all_tiles_less_those_believed_and_never_negative() -> None:
    for seed in range(100):
        beliefs = believe(scattered(seed), Memory(half_life=10, penalty=0.0), seed, 1)
        for value, count in zip(VALUES, beliefs.pool, strict=True):
            assert count == max(0, HOW_MANY[abs(value)] - beliefs.recalled.count(value))


def test_the_tile_that_lies_open_is_not_in_the_pool() -> None:
    assert believe([], PERFECT, 1, 1, in_hand=4).pool == (1, 2, 6, 2, 2, 6, 2, 0)


def test_a_withheld_value_was_never_seen() -> None:
    beliefs = believe([PlaceTile(None, 8)], PERFECT, 1, 1)
    assert beliefs.recalled[8] is None
    assert sum(beliefs.pool) == ALL_TILES


def test_a_forgotten_tile_is_expected_to_be_worth_the_mean_of_the_pool() -> None:
    assert believe([PlaceTile(4, 0), PlaceTile(2, 30)], PERFECT, 1, 1).mean == pytest.approx(-6 / 20)
    assert Beliefs((None,) * SPACES, (0,) * 8).mean == 0
