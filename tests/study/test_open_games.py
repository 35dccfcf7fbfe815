"""Turns of games without secrets, weighed."""

from __future__ import annotations

import json

import pytest

from oudjat.engine.thought import Budget, Known
from oudjat.records import Record, read_records, replay
from oudjat.study.analysis import NotStudied, analyse, studied
from oudjat.study.judged import JudgedTurn
from oudjat.study.judges import Judge
from oudjat.study.told import turn_told
from oudjat.study.worths import Worth
from tests.rules.golden import FOLDER


def analysed(game: str, upto: int, *, level: str = "pharaoh", **tags: str) -> list[JudgedTurn]:
    """The first turns of the game's playthrough, weighed with little thought; from the first to the last."""
    (record,) = read_records((FOLDER / f"{game}.playthrough.txt").read_text("utf-8"))
    assert isinstance(record, Record)
    changed = Record(tuple((dict(record.tags) | tags).items()), record.turns)
    judge = Judge(level, Budget(playouts=60), 1.0, "win")
    return list(analyse(replay(changed, upto), judge))[::-1]


def test_of_ramses_everything_is_known() -> None:
    """No turn leads to more than what was known before it, and what is lost is what it cost."""
    judged = analysed("ramses", 13)
    assert len(judged) == 13
    worths = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    for turn in judged:
        assert turn.exact
        assert turn.known_before is not None
        before = worths[turn.known_before.value]
        assert turn.before == Worth(None, before)
        assert turn.after.win is not None
        assert turn.cost.win == before - turn.after.win
        if turn.known_after is not None and turn.cost.win == 0 and turn.known_before.turns is not None:
            assert turn.known_after.turns is not None
    blunder = judged[3]
    assert (blunder.played.text, blunder.known_before, blunder.known_after) == (
        "2-9/6-1",
        Known("draw", None),
        Known("loss", 3),
    )
    assert judged[4].known_before == Known("win", 3)
    assert turn_told(1, blunder, "win")["known"] == {
        "before": {"value": "draw", "turns": None},
        "after": {"value": "loss", "turns": 3},
    }
    assert judged[-1].after == Worth(None, 1.0)  # it won at once


def test_where_repetition_is_forbidden_ramses_is_estimated() -> None:
    judged = analysed("ramses", 2, Options="repetition=forbid")
    assert all(turn.known_before is None for turn in judged)
    assert json.dumps([turn_told(1, turn, "win") for turn in judged])


@pytest.mark.parametrize("game", ["pharao", "senet"])
def test_a_turn_after_a_throw_is_weighed_against_the_best_with_this_throw(game: str) -> None:
    judged = analysed(game, 4, level="scribe")
    for turn in judged:
        assert turn.best.text.split(":")[0] == turn.played.text.split(":")[0]
        assert turn.before.win is not None
        assert 0.0 <= turn.before.win <= 1.0
        assert turn.cost.win is not None
        assert turn.cost.win >= 0.0
        assert turn.luck is None


@pytest.mark.parametrize("game", ["pharao", "senet", "isis"])
def test_what_ends_a_game_is_worth_its_result(game: str) -> None:
    (record,) = read_records((FOLDER / f"{game}.playthrough.txt").read_text("utf-8"))
    assert isinstance(record, Record)
    last = next(analyse(replay(record), Judge("scribe", Budget(playouts=60), 1.0, "win")))
    assert last.after.win in (0.0, 0.5, 1.0)
    assert last.turn == len(record.turns)


def test_in_isis_two_players_are_told_what_a_turn_cost() -> None:
    judged = analysed("isis", 3, level="priest")
    assert [turn.seat for turn in judged] == [2, 1, 2]
    assert all(turn.cost.win is not None for turn in judged)


def test_only_isis_and_osiris_is_solved() -> None:
    (record,) = read_records((FOLDER / "senet.playthrough.txt").read_text("utf-8"))
    assert isinstance(record, Record)
    with pytest.raises(NotStudied, match=r"Only games of Isis & Osiris can be solved\."):
        studied(replay(record, 1))
