"""The sampler of random games does what the rules allow and nothing else, as often as it promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest

from oudjat.engine.playouts import PORTION, RandomGames, random_games
from oudjat.engine.raw import COMPILING
from oudjat.rules.game import Draw, SetupError, Turn
from oudjat.rules.isis_osiris import (
    ALL_TILES,
    HOW_MANY,
    ISIS_OSIRIS,
    PIECES,
    SHARED,
    SPACES,
    TILES,
    VALUES,
    IsisOsirisPosition,
    Pass,
    PlacePiece,
    PlaceTile,
)
from tests.engine.plain_memo import random_endgame

KINDS = [(players, variant) for variant in ISIS_OSIRIS.variants for players in ISIS_OSIRIS.players]
GAMES = 360 if COMPILING else 24
"""Replayed for each kind: some 2,000 games, 78,000 turns."""

each_kind = pytest.mark.parametrize(("players", "variant"), KINDS)


def passed(position: IsisOsirisPosition) -> IsisOsirisPosition:
    """The position when everybody who has to has passed: a written game leaves passes out."""
    while position.choices() == (Pass(),):
        position = position.follow(Pass())
    return position


def replayed(position: IsisOsirisPosition, turns: tuple[PlacePiece | PlaceTile, ...]) -> IsisOsirisPosition:
    """The end, by the rules, which refuse a turn that they forbid."""
    for turn in turns:
        position = passed(position).follow(turn)
    return position


def assert_as_often(found: Counter[Any], expected: Mapping[Any, float | Fraction]) -> None:
    """Every outcome comes as often as its probability says, to within five standard deviations."""
    total = found.total()
    assert set(found) <= set(expected)
    for outcome, exact in expected.items():
        probability = float(exact)
        spread = sqrt(total * probability * (1 - probability))
        assert abs(found[outcome] - total * probability) <= 5 * spread + 1, outcome


# --- nothing but the rules ------------------------------------------------------------------------------


@each_kind
def test_whole_games_are_games_by_the_rules(players: int, variant: str) -> None:
    for seat in range(1, players + 1):
        start = ISIS_OSIRIS.start(players, variant=variant, first=seat)
        games = RandomGames(start.core, seed=seat)
        for _ in range(GAMES // players):
            turns, scores = games.written_down()
            assert len(turns) == SPACES
            end = replayed(start, turns)
            assert end.outcome is not None
            assert end.standing == scores


@each_kind
def test_games_from_the_middle_are_games_by_the_rules(players: int, variant: str) -> None:
    passes = 0
    for free, seeds in ((0, 2), (1, 12), (2, 12), (4, 60), (11, 8), (20, 4)):
        for seed in range(seeds):
            position = random_endgame(seed, players, variant, free).position
            games = RandomGames(position.core, seed)
            for _ in range(2):
                turns, scores = games.written_down()
                assert len(turns) == free
                passes += passed(position) != position
                end = replayed(position, turns)
                assert end.outcome is not None
                assert end.standing == scores
    assert (passes > 0) == (variant == "shared")


@each_kind
def test_many_games_at_once_are_the_same_games(players: int, variant: str) -> None:
    core = ISIS_OSIRIS.start(players, variant=variant).core
    one_by_one = RandomGames(core, seed=7)
    written = np.sum([one_by_one.written_down()[1] for _ in range(50)], axis=0)
    assert (RandomGames(core, seed=7).scores(50) == written).all()


# --- as often as promised -------------------------------------------------------------------------------


@each_kind
def test_the_first_turn_is_any_with_its_probability(players: int, variant: str) -> None:
    games = RandomGames(ISIS_OSIRIS.start(players, variant=variant).core, seed=11)
    firsts = Counter[object](games.written_down()[0][0] for _ in range(4000))
    expected: dict[object, float] = {PlacePiece(space): 0.5 / SPACES for space in range(SPACES)}
    for space in range(SPACES):
        for value in VALUES:
            expected[PlaceTile(value, space)] = 0.5 * HOW_MANY[abs(value)] / ALL_TILES / SPACES
    assert_as_often(firsts, expected)


def endings(position: IsisOsirisPosition) -> dict[object, Fraction]:
    """How likely each standing at the end is, by walking all random games."""
    position = passed(position)
    if position.outcome is not None:
        return {position.standing: Fraction(1)}
    choices = position.choices()
    pieces = [turn for turn in choices if turn != Draw()]
    toss = Fraction(1, 2 if pieces and Draw() in choices else 1)
    ways: list[tuple[Turn, Fraction]] = [(turn, toss / len(pieces)) for turn in pieces]
    if Draw() in choices:
        turning = position.apply(Draw())
        for came, share in turning.chance():
            placings = turning.apply(came).choices()
            ways += [(turn, toss * share / len(placings)) for turn in placings]
    found: dict[object, Fraction] = {}
    for turn, probability in ways:
        for standing, share in endings(position.follow(turn)).items():
            found[standing] = found.get(standing, Fraction(0)) + probability * share
    return found


@each_kind
def test_the_ends_of_games_come_with_their_probabilities(players: int, variant: str) -> None:
    for seed, free in ((1, 1), (2, 2), (3, 2), (5, 3)):
        position = random_endgame(seed, players, variant, free).position
        games = RandomGames(position.core, seed)
        found = Counter[object](tuple(games.scores(1).tolist()) for _ in range(4000))
        assert_as_often(found, endings(position))


Reserves = tuple[int, ...]


def one_less(row: Reserves, at: int) -> Reserves:
    return *row[:at], row[at] - 1, *row[at + 1 :]


def counts_of_tiles(start: IsisOsirisPosition) -> dict[Reserves, float]:
    """How likely the seats are to have placed so many tiles each at the end, by tossing coins alone."""
    players, shared = start.players, start.core[SHARED]

    @cache
    def walk(free: int, seat: int, pieces: Reserves, stocks: Reserves) -> dict[Reserves, float]:
        if free == 0:
            return {(0,) * players: 1.0}
        after, stock = (seat + 1) % players, 0 if shared else seat
        if pieces[seat] + stocks[stock] == 0:
            return walk(free, after, pieces, stocks)
        toss = 0.5 if pieces[seat] and stocks[stock] else 1.0
        found: dict[Reserves, float] = {}
        if pieces[seat]:
            for placed, share in walk(free - 1, after, one_less(pieces, seat), stocks).items():
                found[placed] = found.get(placed, 0.0) + toss * share
        if stocks[stock]:
            for placed, share in walk(free - 1, after, pieces, one_less(stocks, stock)).items():
                more = (*placed[:seat], placed[seat] + 1, *placed[seat + 1 :])
                found[more] = found.get(more, 0.0) + toss * share
        return found

    pieces, stocks = start.core[PIECES : PIECES + players], start.core[TILES : TILES + players]
    return walk(SPACES, 0, pieces, stocks)


@pytest.mark.parametrize(("players", "variant"), [kind for kind in KINDS if kind != (4, "shared")])
def test_pieces_and_tiles_come_as_coins_fall(players: int, variant: str) -> None:
    start = ISIS_OSIRIS.start(players, variant=variant)
    games = RandomGames(start.core, seed=3)
    found: Counter[object] = Counter()
    for _ in range(3000 if variant == "normal" else 600):
        position, placed = start, [0] * players
        turns, _ = games.written_down()
        if variant == "normal":
            for number, turn in enumerate(turns):
                placed[number % players] += isinstance(turn, PlaceTile)
        else:
            for turn in turns:
                position = passed(position)
                placed[(position.to_move or 0) - 1] += isinstance(turn, PlaceTile)
                position = position.follow(turn)
        found[tuple(placed)] += 1
    assert_as_often(found, counts_of_tiles(start))


# --- what holds of many games ---------------------------------------------------------------------------


@each_kind
def test_random_games_are_fair_and_follow_from_their_seed(players: int, variant: str) -> None:
    shared, count = variant == "shared", PORTION + 40_000 if COMPILING else 60
    totals = random_games(5, count, players, shared=shared)
    assert (totals == random_games(5, count, players, shared=shared)).all()
    assert (totals == random_games(5, count, players, shared=shared, jobs=2)).all()
    assert (totals != random_games(6, count, players, shared=shared)).any()
    assert np.abs(totals / count).max() < 50 / sqrt(count)  # the values of all tiles add up to nothing


def test_nothing_to_play_is_no_game() -> None:
    assert random_games(1, 0).tolist() == [0, 0]


def test_random_games_for_a_number_of_players_that_does_not_exist() -> None:
    with pytest.raises(SetupError):
        random_games(1, 1, players=5)


def test_a_tile_in_hand_is_refused() -> None:
    turning = ISIS_OSIRIS.start().apply(Draw())
    for position in (turning, turning.apply(turning.chance()[0][0])):
        with pytest.raises(ValueError, match="no tile lies open"):
            RandomGames(position.core, seed=1)
