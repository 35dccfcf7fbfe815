"""Turns of games in which everybody sees all that there is, weighed: by what is known for certain where a table of
exact play exists, by a level's estimate elsewhere.

A turn begins for its player when he has seen what was thrown; the throw itself is nobody's doing. What it is worth
afterwards is what the position is worth that it leads to, over all throws to come. With more than two players a
level tells of the player to move alone, so that only the turn it would take itself has a worth afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oudjat.engine.ramses_table import known
from oudjat.engine.thought import Known
from oudjat.records import Replayed
from oudjat.rules.game import Draw, Position, Turn
from oudjat.rules.ramses import RamsesPosition
from oudjat.study.judged import JudgedTurn
from oudjat.study.judges import Judge, part_of
from oudjat.study.worths import NOTHING, UNKNOWN, Worth, final_worths

_TURNED = {"win": "loss", "loss": "win", "draw": "draw"}
_SHARES = {"win": 1.0, "draw": 0.5, "loss": 0.0}


def analyse_open(replayed: Replayed, judge: Judge) -> Iterator[JudgedTurn]:
    """Every turn of a game, weighed; from the last to the first."""
    turns = tuple(replayed.game.read(text) for text in replayed.record.turns[: len(replayed.positions) - 1])
    for number in range(len(turns), 0, -1):
        before = replayed.positions[number - 1]
        yield _judged(replayed.positions[0], before, turns[:number], replayed.positions[number], judge)


def _judged(
    start: Position, before: Position, turns: Sequence[Turn], after: Position, judge: Judge
) -> JudgedTurn:
    *earlier, played = turns
    seat = before.to_move
    assert seat is not None
    steps = _thrown(before, played)
    outcome, certain_after = _after(start, turns, after, seat, judge)
    certain = _known(before)
    position = before
    for step in steps:
        position = position.apply(step)
    if len(position.choices()) == 1:
        told = JudgedTurn(
            before.turns + 1, seat, played, certain is not None, outcome, outcome, played, NOTHING
        )
        return replace(told, known_before=certain, known_after=certain_after)
    thought = judge.think(start, (*earlier, *steps), judge.level, judge.seed, judge.budget)
    worth = Worth(None, thought.value)
    exact = certain is not None or thought.exact
    if certain is not None:
        worth = Worth(None, _SHARES[certain.value])
    elif thought.turn == played:
        outcome = worth
    cost = NOTHING if thought.turn == played else (worth - outcome).at_least_nothing
    if outcome == UNKNOWN or (before.players > 2 and after.outcome is None):
        cost = UNKNOWN  # the cost of one turn says nothing where that of the others is not known
    return JudgedTurn(
        before.turns + 1,
        seat,
        played,
        exact,
        worth,
        outcome,
        played if certain and cost.win == 0.0 else thought.turn,
        cost,
        known_before=certain,
        known_after=certain_after,
    )


def _thrown(position: Position, played: Turn) -> tuple[Turn, ...]:
    """The steps of luck with which a whole turn began; none in games without."""
    if position.choices() != (Draw(),):
        return ()
    asked = position.apply(Draw())
    return Draw(), next(came for came, _ in asked.chance() if played in asked.apply(came).choices())


def _after(
    start: Position, turns: Sequence[Turn], after: Position, seat: int, judge: Judge
) -> tuple[Worth, Known | None]:
    """What the position after a turn is worth to who took it."""
    if after.outcome is not None:
        return final_worths(after.outcome, after.players)[seat - 1], None
    certain = _known(after)
    if certain is not None:
        mine = Known(_TURNED[certain.value], certain.turns)  # type: ignore[arg-type]
        return Worth(None, _SHARES[mine.value]), mine
    if after.players > 2:
        return UNKNOWN, None
    total = NOTHING
    for steps, chance in _luck(after):
        budget = judge.budget if chance == 1.0 else part_of(judge.budget, chance)
        value = judge.think(start, (*turns, *steps), judge.level, judge.seed, budget).value
        if value is None:
            return UNKNOWN, None
        total += Worth(0.0, value if after.to_move == seat else 1.0 - value).times(chance)
    return Worth(None, total.win), None


def _luck(position: Position) -> list[tuple[tuple[Turn, ...], float]]:
    """Everything that can be thrown before the next choice, with its probability."""
    if position.choices() != (Draw(),):
        return [((), 1.0)]
    return [((Draw(), came), float(chance)) for came, chance in position.apply(Draw()).chance()]


def _known(position: Position) -> Known | None:
    return known(position) if isinstance(position, RamsesPosition) else None
