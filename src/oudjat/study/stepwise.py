"""A game analysed turn by turn for another process: it asks for one after the other, and can begin anew anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from oudjat.engine.levels import LEVELS
from oudjat.engine.thought import Budget
from oudjat.records import Record, read_records, replay
from oudjat.study.judged import JudgedTurn


@dataclass(frozen=True, slots=True)
class Wish:
    """Which game is to be analysed: the ``text`` of its record, at most so many ``seconds`` for an estimate, and at
    most ``limit`` seconds for solving a position."""

    text: str
    seconds: float
    limit: float


@dataclass(slots=True)
class _UnderWay:
    wish: Wish
    told: int
    rest: Iterator[JudgedTurn]


_under_way: list[_UnderWay] = []
"""The analysis that was gone on with last in this process, if any."""


def next_turn(wish: Wish, told: int) -> JudgedTurn | None:
    """The next turn of the game after ``told`` of them, from the last turn to the first; None: there are no more.

    What was found for a game before is gone on with, as long as no other one comes between. By the share of the win,
    and by the strongest level's estimates. Raises :class:`TurnError` for a record that cannot be analysed.
    """
    if not _under_way or (_under_way[0].wish, _under_way[0].told) != (wish, told):
        _under_way[:] = [_UnderWay(wish, told, _begun(wish, told))]
    (analysis,) = _under_way
    found = next(analysis.rest, None)
    analysis.told += 1
    return found


def _begun(wish: Wish, told: int) -> Iterator[JudgedTurn]:
    """The turns of the game, without the first ``told``."""
    from oudjat.study.analysis import analyse  # what is compiled is loaded only where it is needed
    from oudjat.study.judges import Judge

    record = next(read_records(wish.text))
    if not isinstance(record, Record):
        raise record
    judge = Judge(list(LEVELS)[-1], Budget(wish.seconds), wish.limit, "win")
    turns = analyse(replay(record), judge)
    for _ in range(told):
        next(turns, None)
    return turns
