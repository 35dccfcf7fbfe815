"""The core of Ramses: a position as integers, and the rules as functions over it.

The board (RA-1), with the place of each space: the number of its bit. Spaces 5 and 22 are the squares above and
below 10; the places of row 0 are the spaces' own numbers.

    row 0 |  1  2  3  4  5
    row 1 | 14 15 16 17 18 19 20 21 22 23 24 25      spaces 6 to 17
    row 2 | 27 28 29 30 31                           spaces 18 to 22

Plain Python that can be stepped through, and that the engine compiles as it stands. Halves of a turn can be asked
for by themselves: where a piece can go (``targets``) depends only on which spaces are occupied.
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

WIDTH = 13
PLACES: tuple[int, ...] = (0, *range(1, 6), *range(14, 26), *range(27, 32))
"""The place of each space, by its number; 0 for none."""
SPACES = tuple(PLACES.index(place) if place in PLACES else 0 for place in range(32))
"""The space at each place, 0 where there is none."""
BOARD = bits_of(PLACES[1:])
SPECIAL = bits_of(PLACES[space] for space in (1, 18, 9, 13, 17))  # RA-1
TO_WIN = 3  # RA-5
ROWS = tuple(
    bits_of(other for other in PLACES[1:] if (other - 1) // WIDTH == (place - 1) // WIDTH)
    for place in range(32)
)
"""All the spaces in the row of each place."""
COLUMNS = tuple(
    bits_of(other for other in PLACES[1:] if (other - 1) % WIDTH == (place - 1) % WIDTH)
    for place in range(32)
)
"""All the spaces in the column of each place."""

PLAYERS = layout.PLAYERS
TO_MOVE = layout.TO_MOVE
TURNS = layout.TURNS
WINNERS = layout.WINNERS
LIGHT = layout.LIGHT
DARK = layout.DARK
SIZE = DARK + 1

BOTH = layout.BOTH
LIMIT = 400  # RA-7
MOST_TURNS = (4 * 14) * (4 * 14)  # each half: four pieces, 14 free spaces


def distance(occupied: int, place: int) -> int:
    """RA-4: how far the piece at ``place`` moves: the pieces in its row or column, itself included."""
    return max(count(occupied & ROWS[place]), count(occupied & COLUMNS[place]))


def targets(occupied: int, place: int) -> int:
    """RA-4: where the piece at ``place`` can go when these spaces are occupied, as bits. Whose they are is all one."""
    return reach(BOARD & ~occupied, 1 << place, WIDTH, distance(occupied, place))


def has_won(pieces: int) -> bool:
    """RA-5. Five special squares: never more than one side."""
    return count(pieces & SPECIAL) >= TO_WIN


def list_second_halves(own: int, other: int, code: int, found: MutableSequence[int], listed: int) -> int:
    """Add every whole turn that begins with the first half ``code``, after which the pieces stand like this."""
    occupied = own | other
    pieces = other
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        place = NUMBERS[piece % 37]
        ends = targets(occupied, place)
        while ends:
            end = ends & -ends
            ends ^= end
            found[listed] = code | code_of(0, 0, place, NUMBERS[end % 37])
            listed += 1
    return listed


def list_turns(state: Sequence[int], found: MutableSequence[int]) -> int:
    """RA-3 to RA-5: write every legal turn into ``found``, apart from what repetition bars; give how many.

    A first half after which no piece of the opponent's can move begins no turn; with none at all the seat to move
    has lost (RA-6).
    """
    if state[WINNERS]:
        return 0
    own = state[LIGHT + state[TO_MOVE]]
    other = state[DARK - state[TO_MOVE]]
    listed = 0
    pieces = own
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        place = NUMBERS[piece % 37]
        ends = targets(own | other, place)
        while ends:
            end = ends & -ends
            ends ^= end
            code = code_of(place, NUMBERS[end % 37], 0, 0)
            moved = own ^ piece ^ end
            if has_won(moved):
                found[listed] = code
                listed += 1
            else:
                listed = list_second_halves(moved, other, code, found, listed)
    return listed


def play(state: MutableSequence[int], code: int) -> None:
    """Take a turn, unchecked, and all that follows: a win (RA-5), the draw after 400 turns (RA-7), the next seat."""
    seat = state[TO_MOVE]
    state[LIGHT + seat] ^= 1 << own_from(code) | 1 << own_to(code)
    if other_from(code):
        state[DARK - seat] ^= 1 << other_from(code) | 1 << other_to(code)
    state[TURNS] += 1
    state[TO_MOVE] = 1 - seat
    if has_won(state[LIGHT + seat]):
        state[WINNERS] = 1 << seat
    elif has_won(state[DARK - seat]):
        state[WINNERS] = 2 >> seat
    elif state[TURNS] >= LIMIT:
        state[WINNERS] = BOTH


CORE = (
    *STEPPING,
    distance,
    targets,
    has_won,
    list_second_halves,
    list_turns,
    play,
)
"""What the engine compiles."""
