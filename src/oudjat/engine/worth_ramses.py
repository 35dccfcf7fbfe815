"""What a position of Ramses is worth at first sight, where no table knows it."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from oudjat.rules.ramses.core import LIGHT, SPECIAL, TO_MOVE, targets
from oudjat.rules.stepping import NUMBERS, count

FEATURES = 6
WEIGHTS = (-0.0235, 0.0235, 0.0912, 0.0122, 0.42, 0.449)


def features(state: Sequence[int], seat: int, room: MutableSequence[float]) -> None:
    """What counts for a seat: it is to move; it holds one special space, two; so many of its pieces can go to a special
    space at once, and does it hold two then; how many spaces its pieces can go to, in tens."""
    own = state[LIGHT + seat]
    occupied = own | state[LIGHT + 1 - seat]
    held = count(own & SPECIAL)
    near = 0
    ends = 0
    pieces = own
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        reached = targets(occupied, NUMBERS[piece % 37])
        ends += count(reached)
        if reached & SPECIAL and not piece & SPECIAL:
            near += 1
    room[0] = 1.0 if state[TO_MOVE] == seat else 0.0
    room[1] = 1.0 if held == 1 else 0.0
    room[2] = 1.0 if held == 2 else 0.0
    room[3] = near
    room[4] = 1.0 if near and held == 2 else 0.0
    room[5] = ends / 10.0


BOUND = (features,)
KEY = (1, 4, 5)
MORE = (1,)
ALWAYS = -1
