"""What a position of Pharao is worth at first sight."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from oudjat.rules.pharao.core import BOARD, DANGER, LIFE, LIGHT, PLACES, TO_MOVE, WATER, WIDTH
from oudjat.rules.stepping import bits_of, count, spread
from oudjat.rules.thirty_houses import HOUSES, row_and_column


def _within(steps: int, house: int) -> int:
    """The places from which a house is so far away."""
    row, column = row_and_column(house)
    near = [
        PLACES[other]
        for other in range(1, HOUSES + 1)
        if abs(row_and_column(other)[0] - row) + abs(row_and_column(other)[1] - column) == steps
    ]
    return bits_of(tuple(near))


NEAR_WATER = (_within(1, 27), _within(2, 27))
NEAR_BEAUTY = (_within(1, 26), _within(2, 26), _within(3, 26), _within(4, 26))
NEAR_LIFE = (_within(1, 15), _within(2, 15), _within(3, 15), _within(4, 15))
FEATURES = 14
WEIGHTS = (
    0.004,
    1.42,
    0.256,
    -0.527,
    -1.15,
    0.51,
    0.0187,
    0.0918,
    0.0538,
    0.134,
    0.0103,
    0.639,
    0.126,
    -0.0155,
)


def features(state: Sequence[int], seat: int, room: MutableSequence[float]) -> None:
    """What counts for a seat: it is to move; one, two, three, four pieces left; one of them in danger; one in water;
    pieces one and two steps from it; how many numbers of the own die can rescue by distance, in danger, in all; a
    last piece's numbers that win by distance; a last piece on the house of life; free places beside its pieces."""
    own = state[LIGHT + seat]
    other = state[LIGHT + 1 - seat]
    for number in range(FEATURES):
        room[number] = 0.0
    left = count(own)
    room[0] = 1.0 if state[TO_MOVE] == seat else 0.0
    if left > 0:
        room[left] = 1.0
    numbers = 0
    lives = 0
    for steps in range(4):
        if own & ~(1 << WATER) & NEAR_BEAUTY[steps]:
            numbers += 1
        if left == 1 and own & NEAR_LIFE[steps]:
            lives += 1
    if own >> WATER & 1:
        if state[DANGER] == seat + 1:
            room[5] = 1.0
            room[9] = numbers
        else:
            room[6] = 1.0
    room[7] = count(own & NEAR_WATER[0])
    room[8] = count(own & NEAR_WATER[1])
    room[10] = numbers
    room[11] = lives
    if left == 1 and own >> LIFE & 1:
        room[12] = 1.0
    room[13] = count(spread(own, WIDTH) & BOARD & ~(own | other))


BOUND = (features,)
KEY = (1, 4, 5, 6, 8)
MORE = (1,)
ALWAYS = -1
