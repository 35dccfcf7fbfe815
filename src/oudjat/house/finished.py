"""What ratings and players' pages take from a table that is over. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from oudjat.house.results import places_of
from oudjat.house.table import Table
from oudjat.rules.game import Draw, Drew
from oudjat.study.recall import recall_of


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A seat of a finished table: its ``place`` from 1, its ``opening``, and what the placements of its player count
    (``recall`` in all, of ``recalls``). What a bot did that stood in for him does not count; the opening is empty
    where it took the first turn, or nobody did."""

    seat: int
    holder: str | None
    level: str | None
    place: int
    opening: str
    recall: float
    recalls: int


@dataclass(frozen=True, slots=True)
class Result:
    """A finished table; ``at`` is when it ended, in seconds since 1970."""

    table: str
    game: str
    variant: str
    at: float
    seats: tuple[SeatResult, ...]


def result_of(table: Table, at: float) -> Result | None:
    """How a table ended; None when it is not over, or ended without a result."""
    places = places_of(table)
    if places is None or table.start is None:
        return None
    whole = [step for step in table.steps if not isinstance(step.turn, Draw | Drew)]
    others = {number for number, step in enumerate(whole) if not table.did_himself(step.seat, step.seq)}
    openings: dict[int, str] = {}
    for number, step in enumerate(whole):
        opening = "" if number in others else table.start.game.opening(step.turn).text
        openings.setdefault(step.seat, opening)
    recalled = recall_of(table.start, [step.turn for step in whole], others)
    return Result(
        table.id,
        table.opened.game,
        table.opened.variant,
        at,
        tuple(
            SeatResult(
                seat.number,
                seat.holder,
                seat.level,
                place,
                openings.get(seat.number, ""),
                *recalled.get(seat.number, (0.0, 0)),
            )
            for seat, place in zip(table.seats, places, strict=True)
        ),
    )
