"""The core of Senet: a position as integers, and the rules as functions over it.

The board of thirty houses (see ``thirty_houses``) is a path here: bit ``h`` of a side's pieces is house ``h``, and
house 0 does not exist.

     1 to 25   the way: pieces can be swapped, two make a pair, three a block
    26         Beauty: entered by exact throw
    27         Water: no piece stays there
    28 29 30   left by a 3, by a 2, by any throw
    31         off the board

Plain Python that can be stepped through, and that the engine compiles as it stands.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from oudjat.rules import layout
from oudjat.rules.stepping import NUMBERS, count

BEAUTY = 26
WATER = 27
REBIRTH = 15
THREE = 28  # the house that is left by a 3
TWO = 29  # by a 2
HORUS = 30  # by any throw
OFF = 31

WAY = (1 << BEAUTY) - 2
"""Houses 1 to 25."""
FIRST_TEN = (1 << 11) - 2  # SE-7

THROWS: tuple[tuple[int, int], ...] = ((1, 4), (2, 6), (3, 4), (4, 1), (5, 1))
"""SE-2: every throw, with in how many of 16 cases it comes."""

PLAYERS = layout.PLAYERS
TO_MOVE = layout.TO_MOVE
TURNS = layout.TURNS
WINNERS = layout.WINNERS
LIGHT = layout.LIGHT
DARK = layout.DARK
HAND = layout.HAND  # the throw, 1 to 5
SIZE = HAND + 1

LIMIT = 0
MOST_TURNS = 10  # each of up to ten pieces has one move
LOST = 0
"""The code of the turn in which no piece can move (SE-6)."""


def code_of(start: int, end: int) -> int:
    """A move as a number: from house to house, OFF when it is borne off, WATER when it falls into it."""
    return start << 5 | end


def start_of(code: int) -> int:
    """The house that the piece leaves; 0 for a lost throw."""
    return code >> 5


def end_of(code: int) -> int:
    """The house where the piece ends, before the water takes it to another; 0 for a lost throw."""
    return code & 31


def throws_again(throw: int) -> bool:
    """SE-2: whether the same player throws again after a move with this throw."""
    return throw == 1 or throw >= 4


def paired(pieces: int) -> int:
    """SE-3, SE-5: the pieces on the way that cannot be swapped, as another of their side stands next to them."""
    pieces &= WAY
    return pieces & (pieces << 1 | pieces >> 1)


def blocks(pieces: int) -> int:
    """SE-3, SE-5: for every three pieces in a row on the way, the lowest house of the three."""
    pieces &= WAY
    return pieces & pieces >> 1 & pieces >> 2


def passed_forward(pieces: int, throw: int) -> int:
    """SE-3: the houses that a move forward by this throw ends on after it has passed a block of these pieces.

    Three houses lie between start and end only with a 4, or with a 5 in two ways.
    """
    lowest = blocks(pieces)
    if throw == 5:
        return lowest << 3 | lowest << 4
    return lowest << 3 if throw == 4 else 0


def passed_backward(pieces: int, throw: int) -> int:
    """SE-3, SE-6: the same for a move backward."""
    lowest = blocks(pieces)
    if throw == 5:
        return lowest >> 1 | lowest >> 2
    return lowest >> 1 if throw == 4 else 0


def forward_ends(own: int, other: int, throw: int) -> int:
    """SE-3, SE-4: where pieces that are on the way can end by moving forward, as houses; Beauty is the last."""
    open_to_it = ~(own | paired(other) | other & ~WAY | passed_forward(other, throw))
    return (own & WAY) << throw & (WAY | 1 << BEAUTY) & open_to_it


def backward_ends(own: int, other: int, throw: int) -> int:
    """SE-6: where pieces that are on the way can end by moving backward."""
    return (own & WAY) >> throw & WAY & ~(own | paired(other) | passed_backward(other, throw))


def rebirth(occupied: int) -> int:
    """SE-5: the house to which the water takes a piece: 15, or the nearest free one before; 0 when there is none."""
    house = REBIRTH
    while house > 0 and occupied >> house & 1:
        house -= 1
    return house


def late_end(own: int, other: int, house: int, throw: int) -> int:
    """SE-4, SE-5, SE-7: where the own piece on ``house``, 26 to 30, ends by this throw; 0 when it cannot move."""
    borne_off = OFF if own & FIRST_TEN == 0 else 0
    if house == BEAUTY:
        if throw == 5:
            return borne_off
        if throw == 1:
            return WATER if rebirth(own | other) else 0
        end = BEAUTY + throw
        return 0 if (own | other) >> end & 1 else end
    if house == HORUS or (house == TWO and throw == 2) or (house == THREE and throw == 3):
        return borne_off
    return 0


def add_moves(ends: int, steps: int, found: MutableSequence[int], listed: int) -> int:
    """Add a move to each of these houses by a piece ``steps`` before it."""
    while ends:
        bit = ends & -ends
        ends ^= bit
        end = NUMBERS[bit % 37]
        found[listed] = code_of(end - steps, end)
        listed += 1
    return listed


def list_turns(state: Sequence[int], found: MutableSequence[int]) -> int:
    """SE-3 to SE-7: write every legal turn with the throw in HAND into ``found``; give how many, at least one."""
    throw = state[HAND]
    if state[WINNERS] or not throw:
        return 0
    own = state[LIGHT + state[TO_MOVE]]
    other = state[DARK - state[TO_MOVE]]
    listed = add_moves(forward_ends(own, other, throw), throw, found, 0)
    for house in range(BEAUTY, HORUS + 1):
        if own >> house & 1:
            end = late_end(own, other, house, throw)
            if end:
                found[listed] = code_of(house, end)
                listed += 1
    if listed == 0:
        listed = add_moves(backward_ends(own, other, throw), -throw, found, 0)
    if listed == 0:
        found[0] = LOST
        return 1
    return listed


def play(state: MutableSequence[int], code: int) -> None:
    """Take a turn, unchecked, and all that follows: a swap, the water, the win, another throw or the next seat."""
    seat = state[TO_MOVE]
    start = start_of(code)
    end = end_of(code)
    if start:
        own = state[LIGHT + seat] ^ 1 << start
        other = state[DARK - seat]
        if end == WATER:
            end = rebirth(own | other)
        elif other >> end & 1:  # SE-3
            state[DARK - seat] = other ^ (1 << start | 1 << end)
        if end != OFF:
            own |= 1 << end
        state[LIGHT + seat] = own
        if count(own) == 0:
            state[WINNERS] = 1 << seat
    if not start or not throws_again(state[HAND]):
        state[TO_MOVE] = 1 - seat
    state[HAND] = 0
    state[TURNS] += 1


CORE = (
    count,
    code_of,
    start_of,
    end_of,
    throws_again,
    paired,
    blocks,
    passed_forward,
    passed_backward,
    forward_ends,
    backward_ends,
    rebirth,
    late_end,
    add_moves,
    list_turns,
    play,
)
"""What the engine compiles."""
