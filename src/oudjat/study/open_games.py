"""Turns of games in which everybody sees all that there is, weighed: by what is known for certain where a table of
exact play exists, by a level's estimate elsewhere.

A turn begins for its player when he has seen what was thrown; the throw itself is nobody's doing. What it is worth
afterwards is what the position is worth that it leads to, over all throws to come. With more than two players a
level tells of the player to move alone, so that only the turn it would take itself has a worth afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
    settled = _settled(after, seat)
    certain, certain_after = _known(before), settled.known if settled else None
    position = before
    for step in steps:
        position = position.apply(step)
    number = before.turns + 1
    if len(position.choices()) == 1:
        led = settled or _estimated(start, turns, after, seat, judge)
        told = JudgedTurn(number, seat, played, led.exact, led.worth, led.worth, played, NOTHING)
        return replace(told, known_before=certain, known_after=certain_after)
    thought = judge.think(start, (*earlier, *steps), judge.level, judge.seed, judge.budget)
    worth = Worth(None, _SHARES[certain.value] if certain else thought.value)
    if settled:
        led = settled
    elif thought.turn == played and not certain:
        led = _Led(worth, thought.exact)
    else:
        led = _estimated(start, turns, after, seat, judge)
    cost = NOTHING if thought.turn == played else (worth - led.worth).at_least_nothing
    if led.worth == UNKNOWN or (before.players > 2 and after.outcome is None):
        cost = UNKNOWN  # the cost of one turn says nothing where that of the others is not known
    return JudgedTurn(
        number,
        seat,
        played,
        (certain is not None or thought.exact) and led.exact,
        worth,
        led.worth,
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


@dataclass(frozen=True, slots=True)
class _Led:
    """What a turn led to: what that is worth to who took it, and what is known of it."""

    worth: Worth
    exact: bool
    known: Known | None = None


def _settled(after: Position, seat: int) -> _Led | None:
    """What the position after a turn is worth to who took it, where nobody has to think about it."""
    if after.outcome is not None:
        return _Led(final_worths(after.outcome, after.players)[seat - 1], exact=True)
    certain = _known(after)
    if certain is None:
        return None
    mine = Known(_TURNED[certain.value], certain.turns)  # type: ignore[arg-type]
    return _Led(Worth(None, _SHARES[mine.value]), exact=True, known=mine)


def _estimated(start: Position, turns: Sequence[Turn], after: Position, seat: int, judge: Judge) -> _Led:
    """The same where a level has to think, over all that luck can bring."""
    if after.players > 2:
        return _Led(UNKNOWN, exact=False)
    total, exact = NOTHING, True
    for steps, chance in _luck(after):
        budget = judge.budget if chance == 1.0 else part_of(judge.budget, chance)
        thought = judge.think(start, (*turns, *steps), judge.level, judge.seed, budget)
        if thought.value is None:
            return _Led(UNKNOWN, exact=False)
        exact = exact and thought.exact
        mine = thought.value if after.to_move == seat else 1.0 - thought.value
        total += Worth(0.0, mine).times(chance)
    return _Led(Worth(None, total.win), exact)


def _luck(position: Position) -> list[tuple[tuple[Turn, ...], float]]:
    """Everything that can be thrown before the next choice, with its probability."""
    if position.choices() != (Draw(),):
        return [((), 1.0)]
    return [((Draw(), came), float(chance)) for came, chance in position.apply(Draw()).chance()]


def _known(position: Position) -> Known | None:
    return known(position) if isinstance(position, RamsesPosition) else None
