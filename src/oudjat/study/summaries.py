"""How each player of an analysed game did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oudjat.study.judged import JudgedTurn
from oudjat.study.worths import Worth


@dataclass(frozen=True, slots=True)
class Summary:
    """How a player did: how many turns he took, and of how many the cost is known (``weighed``); their mean cost, his
    luck in all, his dearest turn (None: he played none, or nothing is known of their costs)."""

    seat: int
    turns: int
    weighed: int
    mean_cost: Worth
    luck: Worth
    worst: JudgedTurn | None


def summaries(judged: Iterable[JudgedTurn], players: int, objective: str) -> tuple[Summary, ...]:
    """How each seat did, in seat order; ``objective`` says by what a turn is the dearest. What is not known of a
    turn is left out."""
    mine: dict[int, list[JudgedTurn]] = {seat: [] for seat in range(1, players + 1)}
    for turn in judged:
        mine[turn.seat].append(turn)
    return tuple(_summary(seat, turns, objective) for seat, turns in mine.items())


def _summary(seat: int, turns: list[JudgedTurn], objective: str) -> Summary:
    costs = [turn.cost for turn in turns]
    lucks = [turn.luck for turn in turns if turn.luck]
    dearest = max(turns, key=lambda turn: (turn.cost.of(objective) or 0.0, -turn.turn), default=None)
    return Summary(
        seat,
        len(turns),
        sum(cost.of(objective) is not None for cost in costs),
        Worth(_mean([cost.margin for cost in costs]), _mean([cost.win for cost in costs])),
        Worth(_total([luck.margin for luck in lucks]), _total([luck.win for luck in lucks])),
        dearest if dearest and dearest.cost.of(objective) else None,
    )


def _total(numbers: list[float | None]) -> float:
    return sum(number for number in numbers if number is not None)


def _mean(numbers: list[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None
