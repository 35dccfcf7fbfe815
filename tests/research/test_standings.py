"""The figures of a match are the right ones, and their intervals hold what they promise."""

from __future__ import annotations

import json
from math import inf, isinf
from random import Random

import pytest

from oudjat.research.estimates import Estimate, elo_of, mean_of, share_of, students_t, wilson
from oudjat.research.matches import Match, Result
from oudjat.research.standings import comparisons, standings, summary
from oudjat.rules.game import Outcome


def ended(match: Match, number: int, *scores: int) -> Result:
    """A game of a match that ended with these scores, by player."""
    seating = match.seating(number)
    by_seat = tuple(scores[player] for player in seating)
    winners = tuple(seat for seat, score in enumerate(by_seat, 1) if score == max(by_seat))
    return Result(number, seating, (), Outcome(by_seat, winners))


# --- the figures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(  # R: binom::binom.confint(x, n, methods = "wilson")
    ("share", "games", "low", "high"),
    [(0.8, 10, 0.4901625, 0.9433178), (0.5, 100, 0.4038315, 0.5961685), (0.0, 10, 0.0, 0.2775328)],
)
def test_wilsons_interval(share: float, games: int, low: float, high: float) -> None:
    found = wilson(share, games)
    assert (found.low, found.value, found.high) == pytest.approx((low, share, high), abs=1e-6)


@pytest.mark.parametrize(  # a table of Student's t
    ("freedom", "t"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (9, 2.262), (30, 2.042), (1000, 1.962)],
)
def test_students_t(freedom: int, t: float) -> None:
    assert students_t(freedom) == pytest.approx(t, abs=4e-3)


@pytest.mark.parametrize(
    ("share", "elo"), [(0.5, 0.0), (0.64, 99.95), (0.75, 190.85), (0.909091, 400.0), (1.0, inf), (0.0, -inf)]
)
def test_elo_belongs_to_a_share(share: float, elo: float) -> None:
    assert elo_of(Estimate(share, share, share)).value == pytest.approx(elo, abs=0.01)
    mirrored = elo_of(Estimate(1 - share, share, share)).value
    assert mirrored == pytest.approx(-elo, abs=0.01)


def test_a_mean_by_blocks() -> None:
    found = mean_of(
        [[1.0, 3.0], [5.0, 7.0], [0.0, 2.0], [4.0, 2.0]]
    )  # block means 2, 6, 1, 3: deviation 2.1602
    assert found.value == 3.0
    assert found.high - 3.0 == pytest.approx(3.182 * 2.1602 / 2, abs=5e-3)
    assert 3.0 - found.low == pytest.approx(found.high - 3.0)


def test_a_single_block_gives_a_mean_without_bounds() -> None:
    found = mean_of([[4.0, 8.0]])
    assert found.value == 6.0
    assert isinf(found.low)
    assert isinf(found.high)


def test_luck_that_is_shared_out_makes_a_share_surer_and_luck_that_is_not_less_sure() -> None:
    split, swept = [[1.0, 0.0]] * 50, [[1.0, 1.0], [0.0, 0.0]] * 25
    independent = wilson(0.5, 100)
    assert share_of(split).low > 0.45 > independent.low > 0.40 > share_of(swept).low


def test_all_won_has_wilsons_bound() -> None:
    assert share_of([[1.0, 1.0]] * 100) == wilson(1.0, 200)
    assert share_of([[0.0]]) == wilson(0.0, 1)


@pytest.mark.parametrize("chance", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("luck", [0.0, 0.6])
def test_intervals_hold_the_true_share_as_often_as_they_promise(chance: float, luck: float) -> None:
    """In a share ``luck`` of the blocks the tiles decide both games, one for each; else skill does."""
    randomness = Random(f"{chance} {luck}")
    true = luck * 0.5 + (1 - luck) * chance
    held = 0
    for _ in range(400):
        blocks = [
            [1.0, 0.0]
            if randomness.random() < luck
            else [float(randomness.random() < chance), float(randomness.random() < chance)]
            for _ in range(40)
        ]
        found = share_of(blocks)
        held += found.low <= true <= found.high
    assert 0.92 <= held / 400 <= 0.98


# --- who stands how -------------------------------------------------------------------------------------


def test_standings_of_two() -> None:
    match = Match(("priest", "scribe"), games=4)
    results = [ended(match, 0, 9, 3), ended(match, 1, 4, 4), ended(match, 2, 1, 2), ended(match, 3, 7, 2)]
    priest, scribe = standings(match, list(reversed(results)))
    assert (priest.level, priest.wins, priest.share.value) == ("priest", 2.5, 0.625)
    assert (scribe.level, scribe.wins, scribe.share.value) == ("scribe", 1.5, 0.375)
    assert priest.margin
    assert scribe.margin
    assert (priest.margin.value, scribe.margin.value) == (2.5, -2.5)
    (comparison,) = comparisons(match, results)
    assert comparison.share == priest.share
    assert comparison.elo.value == pytest.approx(88.74, abs=0.01)
    assert comparison.elo.low < 0 < comparison.elo.high


def test_standings_of_three_compare_every_two_by_who_came_out_ahead() -> None:
    match = Match(("a", "b", "a"), games=3)
    results = [ended(match, 0, 9, 5, 5), ended(match, 1, 6, 8, 2), ended(match, 2, 9, 9, 1)]
    assert [standing.wins for standing in standings(match, results)] == [1.5, 1.5, 0.0]
    margins = [standing.margin.value for standing in standings(match, results) if standing.margin]
    assert margins == pytest.approx([(4 - 2 + 0) / 3, (-4 + 2 + 0) / 3, (-4 - 6 - 8) / 3])
    found = [(found.level, found.against, found.share.value) for found in comparisons(match, results)]
    assert found == [("a", "b", 0.5), ("a", "a", 1.0), ("b", "a", pytest.approx(2.5 / 3))]


def test_a_block_that_was_not_finished_counts_by_its_games() -> None:
    match = Match(("a", "b"), games=10)
    results = [ended(match, 0, 2, 1), ended(match, 1, 2, 1), ended(match, 7, 1, 2)]
    found, _ = standings(match, results)
    assert found.share.value == pytest.approx(2 / 3)
    assert found.margin
    assert found.margin.value == pytest.approx(1 / 3)


def test_the_summary_is_json_and_null_stands_for_endless() -> None:
    match = Match(("priest", "novice"), games=2)
    told = summary(match, [ended(match, 0, 9, 1), ended(match, 1, 8, 2)], 1.23)
    assert json.loads(json.dumps(told, allow_nan=False)) == {
        "game": "isis-osiris",
        "variant": "normal",
        "players": 2,
        "games": 2,
        "movetime": None,
        "playouts": None,
        "seed": 0,
        "levels": [
            {"level": "priest", "wins": 2.0, "share": 1.0, "interval": [0.3424, 1.0],
             "margin": 7.0, "margin_interval": [None, None]},
            {"level": "novice", "wins": 0.0, "share": 0.0, "interval": [0.0, 0.6576],
             "margin": -7.0, "margin_interval": [None, None]},
        ],
        "elo": [
            {"level": "priest", "against": "novice", "games": 2, "share": 1.0, "elo": None,
             "interval": [pytest.approx(-113.38, abs=0.01), None]},
        ],
        "seconds": 1.2,
    }  # fmt: skip


def test_games_without_points_have_no_margin() -> None:
    match = Match(("a", "b"), games=1)
    (one, _) = standings(match, [Result(0, (0, 1), (), Outcome(None, (2,)))])
    assert (one.share.value, one.margin) == (0.0, None)
    told = summary(match, [Result(0, (0, 1), (), Outcome(None, (2,)))], 0.0)
    assert "null" in json.dumps(told)
