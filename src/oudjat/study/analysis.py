"""What each turn of a game was worth, what it cost its player, and how much was luck.

A turn over of a tile is two decisions with luck between them: to draw instead of placing a piece, and where the
tile goes once it is known. So what a player can expect moves in three steps:

    before the turn - cost of the choice   = before the tile comes, when he draws or places a piece
                    + luck                 = once he sees the tile
                    - cost of the placing  = after the turn

Where the solver has the answer this adds up exactly, for points and for the win, and no cost is negative.
Estimates do not add up; there a cost that would be negative is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from oudjat.records import Replayed
from oudjat.rules.game import N_, Draw, Drew, Turn, TurnError
from oudjat.rules.isis_osiris import IsisOsirisPosition, PlaceTile, spell_value
from oudjat.study.judged import JudgedTurn
from oudjat.study.judges import Judge, Moment, Verdict
from oudjat.study.open_games import analyse_open
from oudjat.study.worths import NOTHING, UNKNOWN, Worth


class NotStudied(TurnError):
    """A game that cannot be solved or analysed; the sentence says why."""


def studied(replayed: Replayed) -> tuple[IsisOsirisPosition, ...]:
    """The positions of a game of Isis & Osiris that can be solved, after each number of turns.

    Raises :class:`NotStudied`.
    """
    positions = tuple(position for position in replayed.positions if isinstance(position, IsisOsirisPosition))
    if len(positions) < len(replayed.positions):
        raise NotStudied(
            "record", N_("Only games of {game} can be solved."), game=IsisOsirisPosition.game.name
        )
    for turn, position in enumerate(positions):
        if position.withheld:
            sentence = N_("The value of the tile placed in turn {turn} is withheld; it has to be known.")
            raise NotStudied("record", sentence, turn=turn)
    return positions


def analyse(replayed: Replayed, judge: Judge) -> Iterator[JudgedTurn]:
    """Every turn of a game, weighed; from the last to the first, so that what came of a turn is known by then.

    Raises :class:`NotStudied`.
    """
    if not isinstance(replayed.last, IsisOsirisPosition):
        yield from analyse_open(replayed, judge)
        return
    positions = studied(replayed)
    turns = tuple(replayed.game.read(text) for text in replayed.record.turns[: len(positions) - 1])
    after = judge.verdict(Moment(positions[0], turns, positions[-1])) if turns else None
    for number in range(len(turns), 0, -1):
        assert after is not None
        moment = Moment(positions[0], turns[: number - 1], positions[number - 1])
        before = judge.verdict(moment)
        yield _judged(judge, moment, before, turns[number - 1], after)
        after = before


def _judged(judge: Judge, moment: Moment, before: Verdict, played: Turn, after: Verdict) -> JudgedTurn:
    seat = moment.position.to_move
    assert seat is not None
    assert before.best is not None
    worth, outcome = before.seats[seat - 1], after.seats[seat - 1]
    number = moment.position.turns + 1
    if not isinstance(played, PlaceTile):
        outcome = before.turns.get(played, outcome)
        cost = _cost(worth, outcome, best=played == before.best and not before.exact)
        exact = before.exact
        return JudgedTurn(number, seat, played, exact, worth, outcome, before.best, cost)
    assert played.value is not None
    placing = judge.verdict(moment.then(Draw()).then(Drew(spell_value(played.value))))
    assert placing.best is not None
    drawn = before.turns[Draw()] if before.exact else judge.drawing(moment)
    known = placing.seats[seat - 1]
    outcome = placing.turns.get(played, outcome)
    return JudgedTurn(
        number,
        seat,
        played,
        before.exact and placing.exact,
        worth,
        outcome,
        before.best,
        _cost(worth, drawn, best=before.best == Draw() and not before.exact),
        placing.best,
        _cost(known, outcome, best=played == placing.best and not placing.exact),
        known - drawn,
    )


def _cost(best_worth: Worth, worth: Worth, *, best: bool) -> Worth:
    """``best``: an estimate took what was played for the best, so it cost nothing."""
    if worth == UNKNOWN:
        return UNKNOWN
    return NOTHING if best else (best_worth - worth).at_least_nothing
