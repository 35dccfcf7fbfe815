"""How a table that is over ended for each seat, as ratings count it."""

from __future__ import annotations

from oudjat.house.table import Table


def places_of(table: Table) -> tuple[int, ...] | None:
    """The place of each seat, in seat order: 1 is the best, who shares a place has the same. None while the game goes
    on, and where it ended without result.

    With three and more, who gave up comes last, the first who did at the very end; the others are placed by the game.
    """
    if table.status != "over" or table.position is None:
        return None
    seats = range(1, len(table.seats) + 1)
    if table.ended:
        won = table.ended.winners
        return tuple(1 if seat in won else 2 for seat in seats) if won else None
    outcome = table.position.outcome
    if outcome is None:
        return None
    ranks = {seat: 1 if seat in outcome.winners else 2 for seat in seats}
    if outcome.scores is not None:
        ranks = {seat: -score for seat, score in zip(seats, outcome.scores, strict=True)}
    elif outcome.ranked:
        arrived = outcome.winners[: outcome.ranked]
        ranks = {seat: arrived.index(seat) if seat in arrived else len(arrived) for seat in seats}
    last = max(ranks.values())
    for late, seat in enumerate(reversed(table.gave_up), 1):
        ranks[seat] = last + late
    order = sorted(ranks.values())
    return tuple(order.index(ranks[seat]) + 1 for seat in seats)
