"""What a position of Isis is worth at first sight."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from oudjat.rules.isis.core import (
    ALL,
    ARRIVAL,
    ARRIVED,
    FIRST_OF_HEAVEN,
    JUST_MOVED,
    NEUTRAL,
    NO_PIECE,
    PASS,
    PIECE,
    PLAYERS,
    RANK_ALL,
    SIZE,
    THRONES,
    TO_MOVE,
    WINNERS,
    count_squares,
    occupied,
    winding_ends,
)

HEAVEN = (0, 1, 1, 0, 2, -1, -1, 2, 3, 4, 4, 3)
"""For each square from 39 on which of five kinds it is; the thrones are none."""
KINDS = 5
FEATURES = 5 + KINDS + 4
WEIGHTS = (0.0731, 0.291, -0.719, -0.487, 0.88, 0.965, 1.39, 0.239, 0.387, 0.00366, 0.687, 1.31, -0.25, 0.592)


def features(state: Sequence[int], seat: int, room: MutableSequence[float]) -> None:
    """What counts for a seat: it is to move; so many neutral pieces in heaven, while it owns none; its own piece in the
    Underworld, on earth, how far along there, or in heaven on a square of each kind; that can go to a throne at once,
    and the seat is to move; that could with one step more, or one less."""
    own = state[PIECE + seat]
    mine = 1.0 if state[TO_MOVE] == seat else 0.0
    for number in range(1, FEATURES):
        room[number] = 0.0
    room[0] = mine
    if own == NO_PIECE:
        room[1] = count_squares(state[NEUTRAL] >> FIRST_OF_HEAVEN)
    elif own == 0:
        room[2] = 1.0
    elif own < FIRST_OF_HEAVEN:
        room[3] = 1.0
        room[4] = own / 40.0
    else:
        kind = HEAVEN[own - FIRST_OF_HEAVEN]
        if kind >= 0:
            room[5 + kind] = 1.0
        taken = occupied(state)
        steps = count_squares(taken)
        if winding_ends(ALL & ~taken, own, steps, THRONES, 1):
            room[10] = 1.0
            room[11] = mine
        if winding_ends(ALL & ~taken, own, steps + 1, THRONES, 1):
            room[12] = 1.0
        if winding_ends(ALL & ~taken, own, steps - 1, THRONES, 1):
            room[13] = 1.0


def settled(state: Sequence[int], seat: int) -> float:
    """The share of the win that is a seat's for good, -1 while that is open. With a full ranking the first has all of
    it, the last none, and those between evenly less and less; seats that a draw leaves open share what is left."""
    players = state[PLAYERS]
    winners = state[WINNERS]
    if not state[RANK_ALL]:
        if winners == 0:
            return -1.0
        return (winners >> seat & 1) / count_squares(winners)
    arrived = state[ARRIVED]
    for place in range(arrived):
        if state[ARRIVAL + place] == seat:
            return (players - 1 - place) / (players - 1)
    if winners == 0:
        return -1.0
    return 0.5 * (players - 1 - arrived) / (players - 1)


BOUND = (features, settled)
KEY = tuple(range(TO_MOVE, SIZE))
MORE = (JUST_MOVED,)
ALWAYS = PASS
RANKED = RANK_ALL
