"""The tree search for any number of players: what it promises of every position, and that it finds what is exact."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from oudjat.engine.endgame import solve
from oudjat.engine.habits import (
    ALL_SEATS,
    HABITS,
    LEFT,
    NEXT_FREE,
    OPEN,
    POINTS,
    by_habit,
    position_of,
)
from oudjat.engine.raw import COMPILING
from oudjat.engine.search_many import search_many
from oudjat.engine.thought import Weighed
from oudjat.rules.game import Draw
from oudjat.rules.isis_osiris import ISIS_OSIRIS, TILES, UNSEEN, IsisOsirisPosition, Pass, PlaceTile
from tests.engine.plain_memo import random_endgame
from tests.timing import quickest

KINDS = [(players, variant) for players in ISIS_OSIRIS.players for variant in ISIS_OSIRIS.variants]

FREE = 24 if COMPILING else 5
PLAYOUTS = 300 if COMPILING else 30

needs_speed = pytest.mark.skipif(not COMPILING, reason="takes too many visits without the compiler")
each_kind = pytest.mark.parametrize(("players", "variant"), KINDS)


def some_position(seed: int, players: int, variant: str, free: int) -> IsisOsirisPosition:
    """With a tile in hand every third time."""
    return random_endgame(seed, players, variant, free, in_hand=seed % 3 == 2).position


def weighed(position: IsisOsirisPosition, playouts: int, seed: int = 1) -> list[Weighed]:
    return search_many(position.core, playouts, None, seed)


@each_kind
def test_every_legal_turn_is_weighed_and_no_other(players: int, variant: str) -> None:
    for seed in range(24 if COMPILING else 3):
        position = some_position(seed, players, variant, Random(seed).randint(1, 36 if COMPILING else 6))
        found = weighed(position, 40)
        assert {item.turn for item in found} == set(position.choices())
        assert len(found) == len(position.choices())
        assert sum(item.visits for item in found) == 40
        assert [item.visits for item in found] == sorted((item.visits for item in found), reverse=True)
        assert all(0 <= item.value <= 1 and abs(item.margin) < 150 for item in found)


@each_kind
def test_the_same_arguments_give_the_same(players: int, variant: str) -> None:
    for seed in range(3):
        position = some_position(seed, players, variant, FREE)
        assert weighed(position, PLAYOUTS, seed) == weighed(position, PLAYOUTS, seed)
    if COMPILING:  # a few visits near the end may well agree
        position = some_position(0, players, variant, FREE)
        assert weighed(position, PLAYOUTS, 5) != weighed(position, PLAYOUTS, 6)


@needs_speed
def test_it_stops_in_time() -> None:
    core = ISIS_OSIRIS.start(players=4).core
    search_many(core, 10, None, 1)  # kernels are loaded
    for seconds in (0.05, 0.3):
        took = quickest(lambda: search_many(core, None, seconds, 1), seconds + 0.1)  # noqa: B023
        assert 0.9 * seconds < took <= seconds + 0.1
        assert any(sum(item.visits for item in search_many(core, None, seconds, 1)) > 10 for _ in range(30))
    assert sum(item.visits for item in search_many(core, 20, 60.0, 1)) == 20


@needs_speed
@pytest.mark.parametrize(("players", "variant"), [kind for kind in KINDS if kind[0] > 2])
def test_it_mostly_finds_what_exact_play_finds(players: int, variant: str) -> None:
    good = 0
    lost = 0.0
    for seed in range(12):
        position = some_position(seed, players, variant, 3 + seed % 2)
        exact = dict(solve(position, "win").best)
        worth = exact[weighed(position, 3000)[0].turn]
        lost += max(exact.values()) - worth
        good += worth > max(exact.values()) - 0.01
    assert good >= 10
    assert lost / 12 < 0.02


@needs_speed
def test_a_sure_value_is_found_to_be_what_it_is() -> None:
    for seed in range(10):
        position = some_position(seed, 3, "normal", 1)
        exact = dict(solve(position, "win").best)
        for item in weighed(position, 2000):
            if not isinstance(item.turn, Draw):
                assert item.value == pytest.approx(exact[item.turn], abs=1e-6)


@needs_speed
def test_who_can_only_pass_passes() -> None:
    passing = next(
        position
        for seed in range(2000)
        for position in [random_endgame(seed, 3, "shared", 2 + seed % 3).position]
        if position.choices() == (Pass(),)
    )
    (only,) = weighed(passing, 2000)
    assert only.turn == Pass()
    assert passing.to_move is not None
    assert only.value == pytest.approx(solve(passing, "win").value[passing.to_move - 1], abs=0.1)


def after_dealing(luck: tuple[str, ...], turns: int) -> IsisOsirisPosition:
    """A game so far in which every second turn is a tile, as ``luck`` deals it."""
    position = ISIS_OSIRIS.start(players=3)
    for number in range(turns):
        if number % 2:
            position = position.apply(Draw())
            position = position.apply(position.comes(luck))
        position = position.apply(position.choices()[number])
    return position


@needs_speed
def test_the_order_of_hidden_tiles_cannot_matter() -> None:
    luck = ISIS_OSIRIS.luck(Random(1))
    position = after_dealing(luck, 8)
    hidden = [
        place for place in range(22) if place == 21 or place % 7 >= 7 - position.core[TILES + place // 7]
    ]
    order = hidden.copy()
    Random(2).shuffle(order)
    other = list(luck)
    for place, source in zip(hidden, order, strict=True):
        other[place] = luck[source]
    assert tuple(other) != luck
    swapped = after_dealing(tuple(other), 8)
    assert swapped == position
    assert len(hidden) == sum(swapped.core[UNSEEN : UNSEEN + 9]) > sum(swapped.core[TILES : TILES + 4])
    assert weighed(swapped, 200) == weighed(position, 200)


def test_what_cannot_be_searched_is_refused() -> None:
    start = ISIS_OSIRIS.start(players=3)
    last = next(
        position
        for seed in range(99)
        if Draw() not in (position := some_position(seed, 3, "normal", 1)).choices()
    )
    over = last.follow(last.choices()[0])
    for position in (start.apply(Draw()), over):
        with pytest.raises(ValueError, match="nothing to choose"):
            weighed(position, 1)
    with pytest.raises(ValueError, match="withheld"):
        weighed(start.follow(PlaceTile(None, 3)), 1)
    with pytest.raises(ValueError, match="playouts, or seconds"):
        search_many(start.core, None, None, 1)


@each_kind
def test_habits_keep_count_as_the_rules_do(players: int, variant: str) -> None:
    w = position_of(some_position(4, players, variant, 30).core)
    luck, random = np.zeros(5), np.uint64(2001)
    with np.errstate(over="ignore"):
        while w[LEFT] > 0:
            random = by_habit(w, HABITS, luck, random)
            assert int(w[OPEN]).bit_count() == w[LEFT]
            for space in range(36):
                if w[OPEN] >> space & 1:
                    assert 0 <= w[NEXT_FREE + space] + w[ALL_SEATS + space] <= 4
    assert luck[4] > 0
    assert abs(int(w[POINTS : POINTS + players].sum())) < 200
