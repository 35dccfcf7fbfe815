"""The ways that pieces of Isis go: one legal way for each move, for a display to show."""

from __future__ import annotations

from collections.abc import Sequence

from oudjat.rules.isis.core import (
    ALL,
    ENTRANCES,
    EXITS,
    FIRST_OF_HEAVEN,
    PIECES,
    SIDES,
    SQUARES,
    count_squares,
    occupied,
)
from oudjat.rules.isis.turns import Move


def squares_of(squares: int) -> tuple[int, ...]:
    """The squares in a set of the core, in order.

    >>> squares_of(1 << 44 | 1 << 45)
    (44, 45)
    """
    return tuple(square for square in range(1, SQUARES + 1) if squares >> square & 1)


def steps_from(core: Sequence[int], start: int) -> int:
    """How many squares a piece moves that starts on ``start``: IS-5 in the Underworld (0), IS-6 elsewhere."""
    out = count_squares(occupied(core))
    return out if start else PIECES - out


def way_of(core: Sequence[int], move: Move) -> tuple[int, ...]:
    """One way of this legal move, by IS-7 or IS-11: from its start through every square stepped on to its end.

    Of several ways it is always the same one. Raises ValueError when there is none.
    """
    free = ALL & ~occupied(core)
    steps = steps_from(core, move.start)
    anywhere = move.start >= FIRST_OF_HEAVEN or move.end == 0
    way = _search(free, (move.start,), move.end, steps, anywhere=anywhere)
    if way is None:
        raise ValueError(f"{move} has no way")
    return way


def _search(
    free: int, so_far: tuple[int, ...], end: int, steps: int, *, anywhere: bool
) -> tuple[int, ...] | None:
    here = so_far[-1]
    if steps == 0:
        return so_far if here == end else None
    for near in _next_to(here, anywhere=anywhere):
        if (near == end == 0 and steps == 1) or (near and free >> near & 1 and near not in so_far):
            way = _search(free, (*so_far, near), end, steps - 1, anywhere=anywhere)
            if way:
                return way
    return None


def _next_to(here: int, *, anywhere: bool) -> tuple[int, ...]:
    if here == 0:
        return squares_of(EXITS)
    sides = SIDES[6 * here : 6 * here + (6 if anywhere else 4)]  # the last two are underworldward
    return (*(near for near in sides if near), *((0,) if ENTRANCES >> here & 1 else ()))
