"""The core of Pharao: a position as integers, and the rules as functions over it.

The board of thirty houses (see ``thirty_houses``), with the place of each house: the number of its bit.

    row 0 |  1  2  3  4  5  6  7  8  9 10      houses  1 to 10
    row 1 | 12 13 14 15 16 17 18 19 20 21      houses 20 to 11
    row 2 | 23 24 25 26 27 28 29 30 31 32      houses 21 to 30

Plain Python that can be stepped through, and that the engine compiles as it stands.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from oudjat.rules import layout
from oudjat.rules.stepping import (
    NUMBERS,
    STEPPING,
    bits_of,
    code_of,
    count,
    other_from,
    other_to,
    own_from,
    own_to,
    reach,
)
from oudjat.rules.thirty_houses import COLUMNS, HOUSES, row_and_column

WIDTH = COLUMNS + 1
PLACES: tuple[int, ...] = (
    0,
    *(1 + row * WIDTH + column for row, column in map(row_and_column, range(1, HOUSES + 1))),
)
"""The place of each house, by its number; 0 for none."""
BOARD = bits_of(PLACES[1:])
LIFE = PLACES[15]  # PH-1
BEAUTY = PLACES[26]
WATER = PLACES[27]

OWN_DIE = (0, 0, 1, 2, 3, 4)  # PH-3
OTHER_DIE = (0, 0, 1, 1, 2, 2)
LEAST_HAND = 1  # 0,0
HANDS = 3
THROWS: tuple[tuple[int, int], ...] = tuple(
    (LEAST_HAND + own * HANDS + other, OWN_DIE.count(own) * OTHER_DIE.count(other))
    for own in range(5)
    for other in range(HANDS)
)
"""Every throw, with in how many of 36 cases it comes."""

PLAYERS = layout.PLAYERS
TO_MOVE = layout.TO_MOVE
TURNS = layout.TURNS
WINNERS = layout.WINNERS
LIGHT = layout.LIGHT
DARK = layout.DARK
HAND = layout.HAND  # see hand_of
SURROUND = HAND + 1  # 1: who can move no enemy piece by the second die loses (PH-6)
DANGER = HAND + 2  # 1 + the seat whose piece is lost unless it is rescued in its next turn (PH-5), 0 for none
SIZE = DANGER + 1

BOTH = layout.BOTH
LIMIT = 400  # PH-7
MOST_TURNS = (4 * 12) * (
    4 * 6
)  # four pieces a side: 12 houses are within 4 steps and of one shade, 6 within 2

WHOLE = 0  # how a turn ends: with both its halves,
FIRST = 1  # with its first half, as the game does,
BOXED_IN = 2  # before it, as no own piece can move,
SURROUNDED = 3  # or with a second half in which no enemy piece can move, which loses
ENDING = 24  # the bits of a code below this number are its moves


def hand_of(own_die: int, other_die: int) -> int:
    """What HAND holds for a throw."""
    return LEAST_HAND + own_die * HANDS + other_die


def own_die(hand: int) -> int:
    """PH-3: how far one own piece moves."""
    return (hand - LEAST_HAND) // HANDS


def other_die(hand: int) -> int:
    """PH-3: how far one piece of the opponent's moves."""
    return (hand - LEAST_HAND) % HANDS


def ending(code: int) -> int:
    """WHOLE, FIRST, BOXED_IN or SURROUNDED."""
    return code >> ENDING


def left_after(state: Sequence[int], start: int, end: int) -> int:
    """PH-5: the mover's pieces when one has gone from ``start`` to ``end`` (0 and 0: none), as that half ends.

    A piece in danger is lost, unless it has just left the water or a piece has come onto the house of rescue.
    """
    seat = state[TO_MOVE]
    pieces = state[LIGHT + seat]
    if start:
        pieces ^= 1 << start | 1 << end
    if state[DANGER] == seat + 1 and end != BEAUTY:
        pieces &= ~(1 << WATER)
    return pieces


def wins(state: Sequence[int], end: int) -> bool:
    """PH-6: whether the mover's only piece ends its own move on the house of life.

    It counts what he had before this half: who loses his last but one in it has to come there in a later turn.
    """
    return end == LIFE and count(state[LIGHT + state[TO_MOVE]]) == 1


def own_targets(own: int, other: int, piece: int, steps: int) -> int:
    """PH-4, PH-5: where the own piece on the bit ``piece`` can go, as bits; never into the water."""
    return reach(BOARD & ~(own | other), piece, WIDTH, steps) & ~(1 << WATER)


def list_second_halves(
    state: Sequence[int], own: int, code: int, found: MutableSequence[int], listed: int
) -> int:
    """Add every whole turn that begins with the first half ``code``, which leaves these own pieces."""
    steps = other_die(state[HAND])
    if steps == 0:
        found[listed] = code
        return listed + 1
    other = state[DARK - state[TO_MOVE]]
    begun = listed
    pieces = other
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        place = NUMBERS[piece % 37]
        ends = reach(BOARD & ~(own | other), piece, WIDTH, steps)
        while ends:
            end = ends & -ends
            ends ^= end
            found[listed] = code | code_of(0, 0, place, NUMBERS[end % 37])
            listed += 1
    if listed == begun:  # PH-6
        found[listed] = code | (SURROUNDED << ENDING if state[SURROUND] else 0)
        listed += 1
    return listed


def list_turns(state: Sequence[int], found: MutableSequence[int]) -> int:
    """PH-3 to PH-6: write every legal turn with the throw in HAND into ``found``; give how many, at least one.

    Who is boxed in has one turn, with which he loses.
    """
    if state[WINNERS] or not state[HAND]:
        return 0
    steps = own_die(state[HAND])
    if steps == 0:
        left = left_after(state, 0, 0)
        if left:
            return list_second_halves(state, left, 0, found, 0)
        found[0] = FIRST << ENDING
        return 1
    own = state[LIGHT + state[TO_MOVE]]
    other = state[DARK - state[TO_MOVE]]
    listed = 0
    pieces = own
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        start = NUMBERS[piece % 37]
        ends = own_targets(own, other, piece, steps)
        while ends:
            bit = ends & -ends
            ends ^= bit
            end = NUMBERS[bit % 37]
            if wins(state, end):
                found[listed] = code_of(start, end, 0, 0) | FIRST << ENDING
                listed += 1
            else:
                left = left_after(state, start, end)
                listed = list_second_halves(state, left, code_of(start, end, 0, 0), found, listed)
    if listed == 0:
        found[0] = BOXED_IN << ENDING
        return 1
    return listed


def play(state: MutableSequence[int], code: int) -> None:
    """Take a turn, unchecked, and all that follows: the water (PH-5), the end (PH-6, PH-7), the next seat."""
    seat = state[TO_MOVE]
    opponent = 2 >> seat
    won = wins(state, own_to(code))
    if ending(code) != BOXED_IN:
        state[LIGHT + seat] = left_after(state, own_from(code), own_to(code))
    state[DANGER] = 0
    state[HAND] = 0
    state[TURNS] += 1
    state[TO_MOVE] = 1 - seat
    if won:
        state[WINNERS] = 1 << seat
    elif ending(code) != WHOLE:
        state[WINNERS] = opponent
    else:
        if other_from(code):
            state[DARK - seat] ^= 1 << other_from(code) | 1 << other_to(code)
            if other_to(code) == WATER:
                state[DANGER] = opponent
        if state[TURNS] >= LIMIT:
            state[WINNERS] = BOTH


CORE = (
    *STEPPING,
    hand_of,
    own_die,
    other_die,
    ending,
    left_after,
    wins,
    own_targets,
    list_second_halves,
    list_turns,
    play,
)
"""What the engine compiles."""
