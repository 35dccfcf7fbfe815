"""What turns cost and what was luck, against the plain memo; and what is made of estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from oudjat.engine.thought import Budget, Thought
from oudjat.records import Record, Replayed, replay
from oudjat.rules.game import Draw, Drew, Position, Turn
from oudjat.rules.isis_osiris import ISIS_OSIRIS, IsisOsirisPosition, Pass, PlaceTile, spell_value
from oudjat.study.analysis import NotStudied, analyse, studied
from oudjat.study.judged import JudgedTurn
from oudjat.study.judges import AT_ONCE, Judge, Moment
from oudjat.study.summaries import summaries
from oudjat.study.worths import NOTHING, OBJECTIVES, UNKNOWN, Worth
from tests.engine import plain_memo
from tests.study.kit import guess, random_game

CLOSE = 1e-9
MOST_FREE = 4
"""The plain memo checks the turns from here on."""
SOLVED = 5
"""With so many free spaces or fewer positions are solved, however long the machine takes; no others are."""
AN_HOUR = 3600.0
KINDS = [(players, variant) for players in ISIS_OSIRIS.players for variant in ISIS_OSIRIS.variants]
each_kind = pytest.mark.parametrize(("players", "variant"), KINDS)


def judge(objective: str = "margin") -> Judge:
    too_many = dict.fromkeys((False, True), SOLVED + 1)
    return Judge("guess", Budget(playouts=80), AN_HOUR, objective, think=guess, _hopeless=too_many)


def judge_in_no_time() -> Judge:
    """Solves nothing but what is always solved."""
    return Judge("guess", Budget(playouts=80), 0.0, think=guess)


def analysed(game: Replayed, by: Judge) -> list[JudgedTurn]:
    """In the order of the game."""
    return list(analyse(game, by))[::-1]


def parts(worth: Worth) -> dict[str, float]:
    assert worth.margin is not None
    assert worth.win is not None
    return {"margin": worth.margin, "win": worth.win}


# --- exact turns ----------------------------------------------------------------------------------------


def check_exact(position: Position, judged: JudgedTurn, objective: str) -> None:
    """A turn against the plain memo: its worths, its costs, its luck, and what was best."""
    assert isinstance(position, IsisOsirisPosition)
    for wanted in OBJECTIVES:
        right = plain_memo.solve(position, wanted)
        before = right.value[judged.seat - 1]
        assert parts(judged.before)[wanted] == pytest.approx(before, abs=CLOSE)
        if wanted == objective:
            assert right.turns[judged.best] == pytest.approx(before, abs=CLOSE)
        if isinstance(judged.played, PlaceTile):
            assert judged.played.value is not None
            came = Drew(spell_value(judged.played.value))
            known = plain_memo.solve(position.apply(Draw()).apply(came), wanted)
            drawn, seen = right.turns[Draw()], max(known.turns.values())
            after = known.turns[judged.played]
            assert judged.luck is not None
            assert judged.cost_of_placing is not None
            assert parts(judged.luck)[wanted] == pytest.approx(seen - drawn, abs=CLOSE)
            assert parts(judged.cost_of_placing)[wanted] == pytest.approx(seen - after, abs=CLOSE)
            if wanted == objective:
                assert judged.best_placing is not None
                assert known.turns[judged.best_placing] == pytest.approx(seen, abs=CLOSE)
        else:
            drawn = after = right.turns[judged.played]
            assert (judged.luck, judged.cost_of_placing, judged.best_placing) == (None, None, None)
        assert parts(judged.cost_of_choice)[wanted] == pytest.approx(before - drawn, abs=CLOSE)
        assert parts(judged.after)[wanted] == pytest.approx(after, abs=CLOSE)


@each_kind
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_last_turns_are_as_the_plain_memo_says(players: int, variant: str, objective: str) -> None:
    game = random_game(players, players, variant)
    last = [
        judged
        for judged in analysed(game, judge(objective))
        if (game.positions[judged.turn - 1].free_spaces or 0) <= MOST_FREE
    ]
    assert len(last) >= MOST_FREE
    for judged in last:
        assert judged.exact
        assert judged.seat == game.positions[judged.turn - 1].to_move
        assert judged.played.text == game.record.turns[judged.turn - 1]
        check_exact(game.positions[judged.turn - 1], judged, objective)


@each_kind
def test_exact_turns_add_up(players: int, variant: str) -> None:
    for seed in range(3):
        for judged in analysed(random_game(seed, players, variant), judge()):
            if judged.exact:
                moved = judged.before - judged.cost + (judged.luck or NOTHING)
                assert parts(moved) == pytest.approx(parts(judged.after), abs=CLOSE)
                assert min(parts(judged.cost).values()) >= 0
                assert min(parts(judged.cost_of_placing or NOTHING).values()) >= 0


def test_passes_cost_nothing() -> None:
    passes = [
        judged
        for seed in range(4)
        for judged in analysed(random_game(seed, 2, "shared"), judge())
        if judged.played == Pass() and judged.exact
    ]
    assert passes
    for judged in passes:
        assert judged.best == Pass()
        assert judged.cost == NOTHING
        assert judged.before == judged.after


def test_an_unfinished_game_is_weighed_to_where_it_stops() -> None:
    game = random_game(5, free=3)
    *_, last = analysed(game, judge())
    assert last.turn == len(game.record.turns)
    check_exact(game.positions[-2], last, "margin")


def test_among_turns_that_win_alike_the_one_with_more_points_is_best() -> None:
    decided = 0
    for seed in range(6):
        game = random_game(seed)
        for judged in analysed(game, judge("win")):
            position = game.positions[judged.turn - 1]
            assert isinstance(position, IsisOsirisPosition)
            if position.free_spaces <= MOST_FREE and judged.before.win in (0, 1):
                decided += 1
                points, shares = (plain_memo.solve(position, wanted).turns for wanted in OBJECTIVES)
                alike = [points[turn] for turn in shares if shares[turn] == judged.before.win]
                assert points[judged.best] == pytest.approx(max(alike), abs=CLOSE)
    assert decided


# --- estimates ------------------------------------------------------------------------------------------


def test_turns_come_from_the_last_to_the_first() -> None:
    game = random_game(1)
    assert [judged.turn for judged in analyse(game, judge())] == list(range(36, 0, -1))


def test_without_any_time_only_what_takes_less_than_a_moment_is_solved() -> None:
    game = random_game(1)
    free = {position.turns + 1: position.free_spaces or 0 for position in game.positions}
    for judged in analysed(game, judge_in_no_time()):
        assert judged.exact == (free[judged.turn] <= AT_ONCE)


def test_estimates_of_two_players_are_turned_round() -> None:
    """After a turn its player can expect what the other, who is to move then, cannot."""
    game = random_game(4)
    judged = analysed(game, judge_in_no_time())
    for turn, following in pairwise(judged):
        if not following.exact and len(game.positions[turn.turn].choices()) > 1:
            assert not turn.exact
            theirs = parts(following.before)
            assert parts(turn.after) == {"margin": 0.0 - theirs["margin"], "win": 1.0 - theirs["win"]}


def test_estimated_costs_are_never_negative_and_nothing_for_the_turn_taken_for_best() -> None:
    for seed in range(3):
        for judged in analysed(random_game(seed), judge_in_no_time()):
            assert min(parts(judged.cost).values()) >= 0
            if judged.played == judged.best:
                assert judged.cost == NOTHING
            if judged.best == Draw() and judged.played == judged.best_placing:
                assert parts(judged.cost) == pytest.approx(parts(NOTHING), abs=CLOSE)


def test_the_worth_of_drawing_is_what_it_is_worth_with_each_tile_by_its_chance() -> None:
    asked: list[tuple[Turn, Budget | None]] = []

    def by_the_tile(
        start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None = None
    ) -> Thought:
        asked.append((turns[-1], budget))
        assert isinstance(turns[-1], Drew)
        value = int(turns[-1].outcome)
        return Thought(turns[-1], 0.5 + value / 10, 2.0 * value)

    start = ISIS_OSIRIS.start().follow(ISIS_OSIRIS.read("+4a1"))
    assert isinstance(start, IsisOsirisPosition)
    by = Judge("any", Budget(2.1, 2100), 0.0, think=by_the_tile)
    worth = by.drawing(Moment(start, (), start))
    assert parts(worth) == pytest.approx({"margin": -2 * 4 / 21, "win": 0.5 - 4 / 210})
    assert len(asked) == 7
    spent = {turn.text: budget for turn, budget in asked if budget}
    for text, count in (("drew -2", 6), ("drew -4", 1), ("drew +1", 2)):
        assert spent[text].seconds == pytest.approx(count / 10)
        assert spent[text].playouts == 100 * count


def test_of_several_others_an_estimate_says_nothing() -> None:
    for judged in analysed(random_game(2, 3), judge_in_no_time()):
        if judged.turn < 30 and not isinstance(judged.played, PlaceTile):
            assert judged.after == UNKNOWN
            assert judged.cost in (UNKNOWN, NOTHING)


def test_of_a_level_that_does_not_reckon_nothing_is_known_but_what_it_would_do() -> None:
    def silent(
        start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None = None
    ) -> Thought:
        return replace(guess(start, turns, level, seed, budget), value=None, margin=None)

    by = Judge("silent", Budget(), 0.0, think=silent)
    judged = analysed(random_game(1), by)
    assert [turn.before for turn in judged[:20]] == [UNKNOWN] * 20
    assert {turn.cost for turn in judged[:20]} <= {UNKNOWN, NOTHING}
    assert judged[-1].exact
    assert all(summary.mean_cost.win is not None for summary in summaries(judged, 2, "win"))


# --- what is no game to be studied ----------------------------------------------------------------------


def test_withheld_values_are_refused() -> None:
    tags = (("Game", "isis-osiris"),)
    for turns in (("?c4",), ("Pc3", "?c4", "Pc5")):
        with pytest.raises(NotStudied, match=f"turn {turns.index('?c4') + 1} "):
            studied(replay(Record(tags, turns)))


def test_a_game_without_turns_has_none_to_weigh() -> None:
    game = replay(Record((("Game", "isis-osiris"),), ()))
    assert list(analyse(game, judge())) == []
    told = summaries([], 2, "margin")
    assert [(summary.seat, summary.turns, summary.worst) for summary in told] == [(1, 0, None), (2, 0, None)]


# --- summaries ------------------------------------------------------------------------------------------


def test_summaries_add_up_what_each_seat_did() -> None:
    game = random_game(6)
    judged = analysed(game, judge())
    for summary in summaries(judged, 2, "margin"):
        mine = [turn for turn in judged if turn.seat == summary.seat]
        costs = [parts(turn.cost) for turn in mine]
        lucks = [parts(turn.luck) for turn in mine if turn.luck]
        assert summary.turns == len(mine) == 18
        for wanted in OBJECTIVES:
            mean = sum(cost[wanted] for cost in costs) / len(costs)
            assert parts(summary.mean_cost)[wanted] == pytest.approx(mean)
            assert parts(summary.luck)[wanted] == pytest.approx(sum(luck[wanted] for luck in lucks))
        assert summary.worst is not None
        assert parts(summary.worst.cost)["margin"] == max(cost["margin"] for cost in costs)
