"""The core of Isis & Osiris: a position as an array of integers, and the rules as functions over it.

IO-1. The board, with the index of each space:

    6 | 30 31 32 33 34 35
    5 | 24 25 26 27 28 29
    4 | 18 19 20 21 22 23
    3 | 12 13 14 15 16 17
    2 |  6  7  8  9 10 11
    1 |  0  1  2  3  4  5
         a  b  c  d  e  f

Plain Python that can be read and stepped through, and that ``engine.compiled`` compiles as it stands: the
functions take and give integers and arrays only, and change the array they are given. Each ``why_not_...`` says
which rule forbids a step; the function that takes the step does not ask again.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

SIDE = 6
SPACES = SIDE * SIDE
MOST_SEATS = 4
VALUES = (-4, -3, -2, -1, 1, 2, 3, 4)
HOW_MANY = {1: 2, 2: 6, 3: 2, 4: 1}  # IO-2, the same again negative
ALL_TILES = 22
DEALT = {2: (8, 11), 3: (6, 7), 4: (5, 5)}  # IO-4: pieces and tiles each

PLAYERS = 0
SHARED = 1  # 1 with a shared stock (IO-17)
TO_MOVE = 2  # seat, from 0
TURNS = 3
FREE = 4  # free spaces
HAND = 5  # value of the tile that is turned over and not yet placed; EMPTY_HAND or TURNING
PIECES = 6  # 4 places: pieces in reserve, by seat
TILES = 10  # 4 places: tiles in stock, by seat; a shared stock stands in the first
UNSEEN = 14  # 9 places: tiles not yet seen, by value + 4
BOARD = 23  # 36 places: see below
SIZE = BOARD + SPACES

EMPTY_HAND = 0
TURNING = 9  # a tile is being turned over: chance has not spoken yet

FREE_SPACE = 0
"""What lies on a space: nothing, 1 to 4 a piece of that seat, 10 + value a tile (10 itself: value withheld)."""
TILE = 10
LEAST_TILE = 6


def stock(state: Sequence[int], seat: int) -> int:
    """Tiles that ``seat`` (from 0) can still turn over: its own, or the shared ones (IO-18)."""
    return state[TILES] if state[SHARED] else state[TILES + seat]


def why_not_piece(state: Sequence[int], space: int) -> int:
    """0 when the seat to move may place a piece on ``space``, else the number of the rule that forbids it."""
    if state[FREE] == 0:
        return 12
    if state[HAND] != EMPTY_HAND:
        return 8
    if state[PIECES + state[TO_MOVE]] == 0:
        return 20 if state[SHARED] else 10
    return 9 if state[BOARD + space] != FREE_SPACE else 0


def why_not_turn_over(state: Sequence[int]) -> int:
    """0 when the seat to move may turn over a tile, else the number of the rule that forbids it."""
    if state[FREE] == 0:
        return 12
    if state[HAND] != EMPTY_HAND:
        return 8
    if stock(state, state[TO_MOVE]) == 0:
        return 19 if state[SHARED] else 10
    return 0


def why_not_drew(state: Sequence[int], value: int) -> int:
    """0 when the tile being turned over can show ``value`` (IO-2 holds 22 tiles), else the rule's number."""
    if state[HAND] != TURNING:
        return 8
    return 0 if state[UNSEEN + 4 + value] > 0 else 2


def why_not_tile(state: Sequence[int], value: int, space: int) -> int:
    """0 when the tile in hand shows ``value`` and may go to ``space``, else the rule's number."""
    if state[FREE] == 0:
        return 12
    if state[HAND] != value:
        return 8
    return 9 if state[BOARD + space] != FREE_SPACE else 0


def why_not_pass(state: Sequence[int]) -> int:
    """0 when the seat to move has nothing to place and so passes (IO-20), else the rule's number."""
    if state[FREE] == 0:
        return 12
    if state[HAND] != EMPTY_HAND:
        return 8
    return 20 if state[PIECES + state[TO_MOVE]] + stock(state, state[TO_MOVE]) > 0 else 0


def next_seat(state: MutableSequence[int]) -> None:
    """IO-11: the turn goes to the left-hand neighbour."""
    state[TURNS] += 1
    state[TO_MOVE] = (state[TO_MOVE] + 1) % state[PLAYERS]


def place_piece(state: MutableSequence[int], space: int) -> None:
    """IO-7, unchecked."""
    seat = state[TO_MOVE]
    state[PIECES + seat] -= 1
    state[BOARD + space] = seat + 1
    state[FREE] -= 1
    next_seat(state)


def turn_over(state: MutableSequence[int]) -> None:
    """IO-8, first step, unchecked: a tile leaves the stock and shows its value when chance has spoken."""
    state[TILES if state[SHARED] else TILES + state[TO_MOVE]] -= 1
    state[HAND] = TURNING


def drew(state: MutableSequence[int], value: int) -> None:
    """IO-8, second step, unchecked: the tile shows ``value`` to all."""
    state[UNSEEN + 4 + value] -= 1
    state[HAND] = value


def place_tile(state: MutableSequence[int], space: int) -> None:
    """IO-8, last step, unchecked: the tile in hand goes face down onto ``space``."""
    state[BOARD + space] = TILE + state[HAND]
    state[HAND] = EMPTY_HAND
    state[FREE] -= 1
    next_seat(state)


def tile_value(lies: int) -> int:
    """The value of what lies on a space, 0 for everything that is no tile (IO-13)."""
    return lies - TILE if lies >= LEAST_TILE else 0


def worth(state: Sequence[int], space: int) -> int:
    """IO-13: what a piece on ``space`` is worth, the sum of the tiles orthogonally next to it."""
    total = 0
    column = space % SIDE
    if column > 0:
        total += tile_value(state[BOARD + space - 1])
    if column < SIDE - 1:
        total += tile_value(state[BOARD + space + 1])
    if space >= SIDE:
        total += tile_value(state[BOARD + space - SIDE])
    if space < SPACES - SIDE:
        total += tile_value(state[BOARD + space + SIDE])
    return total


def add_scores(state: Sequence[int], scores: MutableSequence[int]) -> None:
    """IO-14: add to ``scores`` (one place a seat) what each seat's pieces are worth by the tiles placed."""
    for space in range(SPACES):
        lies = state[BOARD + space]
        if FREE_SPACE < lies <= MOST_SEATS:
            scores[lies - 1] += worth(state, space)


CORE = (
    stock,
    why_not_piece,
    why_not_turn_over,
    why_not_drew,
    why_not_tile,
    why_not_pass,
    next_seat,
    place_piece,
    turn_over,
    drew,
    place_tile,
    tile_value,
    worth,
    add_scores,
)
"""What ``engine.compiled`` compiles."""
