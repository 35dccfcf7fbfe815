"""What a position of Senet is worth at first sight."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from oudjat.rules.senet.core import HORUS, LIGHT, TO_MOVE, WAY, blocks, paired
from oudjat.rules.stepping import count

PARTS = tuple(
    sum(1 << house for house in houses)
    for houses in (
        range(1, 6),
        range(6, 11),
        range(11, 16),
        range(16, 21),
        range(21, 26),
        (26,),
        (28,),
        (29,),
        (30,),
    )
)
"""The parts of the way in which a piece counts alike."""
FEATURES = 14
WEIGHTS = (0.042, -0.15, -0.145, -0.17, -0.19, -0.23, -0.06, 0.01, -0.07, -0.3, -0.21, 0.061, 0.075, 0.02)


def features(state: Sequence[int], seat: int, room: MutableSequence[float]) -> None:
    """What counts for a seat: it is to move; how many pieces stand in each of the ``PARTS``; how far all have to go
    together, in tens of houses; pieces in pairs; blocks; how many of the other side stand within five houses behind a
    piece that can be swapped."""
    own = state[LIGHT + seat]
    other = state[LIGHT + 1 - seat]
    way = 0
    chased = 0
    loose = own & WAY & ~paired(own)
    for house in range(1, HORUS + 1):
        if own >> house & 1:
            way += HORUS + 1 - house
            if loose >> house & 1:
                chased += count(other << 5 >> house & 31)
    room[0] = 1.0 if state[TO_MOVE] == seat else 0.0
    for part in range(len(PARTS)):
        room[1 + part] = count(own & PARTS[part])
    room[10] = way / 10.0
    room[11] = count(paired(own))
    room[12] = count(blocks(own))
    room[13] = chased


BOUND = (features,)
KEY = (1, 4, 5, 6)
MORE = (1,)
ALWAYS = -1
