"""The core of Isis: a position as an array of integers, and the rules as functions over it.

IS-1, IS-2. The board, with the number of each square; 0 is the Underworld:

    row 0 |   1   3   5   7   9  11  13  15  19  23  27  31  35  39   43   47
    row 1 |  (      Underworld      )    16  20  24  28  32  36  40  [44]= 48
    row 2 |  (          0           )    17  21  25  29  33  37  41  [45]= 49
    row 3 |   2   4   6   8  10  12  14  18  22  26  30  34  38  42   46   50
    column    0   1   2   3   4   5   6   7   8   9  10  11  12  13   14   15

A set of squares is an integer with one bit a square (bit 0 is never set), so that a whole set moves at once by a
shift: heavenward by 2 beside the Underworld and by 4 beyond it, down by 1.

Plain Python that can be read and stepped through, and that the engine compiles as it stands. A state needs 64-bit
integers. Its functions need no scratch space: the one search that looks back (``winding_ends``) packs its way into
an integer.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

SQUARES = 50
PIECES = 7  # IS-3
MOST_SEATS = 7
LIMIT = 400  # IS-14

PLAYERS = 0
TURNS = 1
WINNERS = 2  # seats that share the first place, one bit each; 0 while the game goes on
CLAIM_JUST_MOVED = 3  # 1: a piece may be personalized that the previous player has just moved (IS-9)
REVERTS = 4  # 1: a personalized piece that is cast out becomes neutral (IS-10)
HOME = 5  # 1: pieces may be sent home (IS-11)
RANK_ALL = 6  # 1: the game goes on for a full ranking (IS-13)
JUST_MOVED = 7  # square of the neutral piece that the previous player has just moved, else 0 (IS-8)
ARRIVED = 8  # how many seats have arrived and dropped out (IS-13, full ranking only)
ARRIVAL = 9  # 7 places: the seats that have arrived, in order
TO_MOVE = 16  # seat, from 0
NEUTRAL = 17  # set of squares with a neutral piece
PIECE = 18  # 7 places: where each seat's own piece is, 0 in the Underworld; NO_PIECE or GONE
SIZE = PIECE + MOST_SEATS

NO_PIECE = -1
GONE = -2  # the seat has arrived and dropped out

ALL = (1 << SQUARES + 1) - 2
EXITS = 1 << 1 | 1 << 2
ENTRANCES = 1 << 16 | 1 << 17
FIRST_OF_HEAVEN = 39
THRONES = 1 << 44 | 1 << 45
BY_TWO = (1 << 14) - 2
"""The squares 1 to 13, whose heavenward neighbour is two numbers further."""
BY_FOUR = (1 << 47) - (1 << 14) & ~(1 << 40 | 1 << 41)
"""The squares whose heavenward neighbour is four numbers further: 14 to 46, but thrones have a wall there."""
DOWNWARD = sum(1 << square for square in range(15, SQUARES) if square % 4 != 2) & ~(
    1 << 43 | 1 << 44 | 1 << 45
)
"""The squares with a neighbour below: all from 15 that are not in row 3, but thrones have walls there."""

OWN = 1 << 12
PERSONALIZE = 63
PASS = 63 << 6
"""A turn's code: the square that the piece leaves, times 64, plus the one where it ends, plus ``OWN`` for the
player's own piece; ``PERSONALIZE`` instead of an end (IS-9); ``PASS`` (IS-12)."""
MOST_TURNS = (
    182  # seven pieces with 25 ends each (a walk of known length ends on one shade), and IS-9 or IS-11
)

SIDES = tuple(
    near if 0 < near <= SQUARES and here >> square & 1 else 0
    for square in range(SQUARES + 1)
    for near, here in (
        (square + 2, BY_TWO),
        (square + 4, BY_FOUR),
        (square + 1, DOWNWARD),
        (square - 1, DOWNWARD << 1),
        (square - 2, BY_TWO << 2),
        (square - 4, BY_FOUR << 4),
    )
)
"""Six places a square: its neighbours heavenward (by two, by four), below, above, underworldward; 0 for none."""


def heavenward(squares: int) -> int:
    """The heavenward neighbours of a set of squares."""
    return (squares & BY_TWO) << 2 | (squares & BY_FOUR) << 4


def underworldward(squares: int) -> int:
    """The underworldward neighbours of a set of squares, never the Underworld."""
    return squares >> 2 & BY_TWO | squares >> 4 & BY_FOUR


def below(squares: int) -> int:
    """The neighbours below a set of squares."""
    return (squares & DOWNWARD) << 1


def above(squares: int) -> int:
    """The neighbours above a set of squares."""
    return squares >> 1 & DOWNWARD


def around(squares: int) -> int:
    """All neighbours of a set of squares."""
    return heavenward(squares) | underworldward(squares) | below(squares) | above(squares)


def count_squares(squares: int) -> int:
    """How many squares a set holds."""
    count = 0
    while squares:
        squares &= squares - 1
        count += 1
    return count


def occupied(state: Sequence[int]) -> int:
    """The set of squares on which a piece stands."""
    squares = state[NEUTRAL]
    for seat in range(state[PLAYERS]):
        if state[PIECE + seat] > 0:
            squares |= 1 << state[PIECE + seat]
    return squares


def neutral_below(state: Sequence[int]) -> int:
    """How many neutral pieces are in the Underworld."""
    count = PIECES - count_squares(state[NEUTRAL])
    for seat in range(state[PLAYERS]):
        if state[PIECE + seat] >= 0:
            count -= 1
    return count


def onward_ends(free: int, starts: int, steps: int) -> int:
    """IS-7: where moves of ``steps`` steps over ``free`` from one of ``starts`` end that never go underworldward.

    Such a move enters a square twice only if it turns back within its column, so it is enough to know for every
    square whether it was entered level, rising or falling.
    """
    level = starts
    rising = 0
    falling = 0
    for _ in range(steps):
        reached = level | rising | falling
        rising = above(level | rising) & free
        falling = below(level | falling) & free
        level = heavenward(reached) & free
    return level | rising | falling


def winding_ends(free: int, start: int, steps: int, wanted: int, one_will_do: int) -> int:
    """IS-7: which of the ``wanted`` squares end a move of ``steps`` steps over ``free`` that may go anywhere.

    With ``one_will_do`` it stops at the first. ``start`` is not free, since the piece stands there. The last two
    steps of a move cannot meet each other, so all of them are taken at once, as sets.
    """
    reach = 1 << start
    for _ in range(steps):
        reach = around(reach) & free
    wanted &= reach  # entering squares twice reaches no less
    if steps <= 2 or wanted == 0:
        return wanted
    found = 0
    here = start
    left = free
    side = 0  # of SIDES, next to be tried
    way = 0  # 9 bits for each square before: its number and the next side to be tried there
    to_go = steps
    while True:
        if to_go == 2:
            found |= around(around(1 << here) & left) & left & wanted
            if found == wanted or (one_will_do and found):
                return found
            side = 6
        if side < 6:
            near = SIDES[6 * here + side]
            side += 1
            if left >> near & 1:
                way = way << 9 | here << 3 | side
                left ^= 1 << near
                here = near
                side = 0
                to_go -= 1
        elif to_go == steps:
            return found
        else:
            left |= 1 << here
            side = way & 7
            here = way >> 3 & 63
            way >>= 9
            to_go += 1


def ends_from(free: int, start: int, steps: int, own: int) -> int:
    """IS-6, IS-7: where a piece that stands on the square ``start`` can move; ``own`` is 1 if personalized."""
    if start < FIRST_OF_HEAVEN:
        return onward_ends(free, 1 << start, steps)
    return winding_ends(free, start, steps, ALL if own else ALL & ~THRONES, 0)


def can_move(free: int, start: int, steps: int, own: int) -> int:
    """IS-10: 1 if the piece on the heavenly square ``start`` has a move by IS-6 and IS-7, else 0."""
    return 1 if winding_ends(free, start, steps, ALL if own else ALL & ~THRONES, 1) else 0


def homes_open(state: Sequence[int]) -> int:
    """IS-11: 1 if pieces may be sent home, since every player still in the game owns one, else 0."""
    if not state[HOME]:
        return 0
    for seat in range(state[PLAYERS]):
        if state[PIECE + seat] == NO_PIECE:
            return 0
    return 1


def goes_home(free: int, start: int, steps: int) -> int:
    """IS-11: 1 if the piece on the square ``start`` comes home by exact count, the Underworld being the last step."""
    return 1 if winding_ends(free, start, steps - 1, ENTRANCES, 1) else 0


def note(found: MutableSequence[int], count: int, code: int, ends: int) -> int:
    """Note a turn for each of ``ends``, ``code`` being that of an end on 0; gives how many are noted then."""
    while ends:
        if ends & 1:
            found[count] = code
            count += 1
        ends >>= 1
        code += 1
    return count


def list_turns(state: Sequence[int], found: MutableSequence[int]) -> int:
    """Write the code of every legal turn into ``found`` and give how many; IS-14 is left to who knows the past."""
    if state[WINNERS]:
        return 0
    own = state[PIECE + state[TO_MOVE]]
    taken = occupied(state)
    free = ALL & ~taken
    out = count_squares(taken)
    homes = homes_open(state)
    count = 0
    if out < PIECES:  # IS-5
        ends = onward_ends(free, EXITS & free, PIECES - out - 1)
        if neutral_below(state):
            count = note(found, count, 0, ends)
        if own == 0:
            count = note(found, count, OWN, ends)
    for square in range(1, SQUARES + 1):
        if not taken >> square & 1:
            continue
        neutral = state[NEUTRAL] >> square & 1
        if not neutral and square != own:
            continue
        if not neutral or square != state[JUST_MOVED]:  # IS-8
            code = square << 6 if neutral else OWN | square << 6
            ends = ends_from(free, square, out, 1 - neutral)
            if homes and goes_home(free, square, out):
                ends |= 1
            count = note(found, count, code, ends)
        if (
            neutral
            and own == NO_PIECE
            and square >= FIRST_OF_HEAVEN
            and (state[CLAIM_JUST_MOVED] or square != state[JUST_MOVED])
        ):  # IS-9
            found[count] = square << 6 | PERSONALIZE
            count += 1
    if count == 0:  # IS-12
        found[0] = PASS
        count = 1
    return count


def cast_out(state: MutableSequence[int]) -> None:
    """IS-10: every piece in the Heavenly Realm without a move goes to the Underworld.

    Doing it again is never needed: it frees squares and lowers the number to move, and whoever can move can move
    less far.
    """
    taken = occupied(state)
    free = ALL & ~taken
    out = count_squares(taken)
    stuck = 0
    for square in range(FIRST_OF_HEAVEN, SQUARES + 1):
        if taken >> square & 1 and not can_move(free, square, out, 1 - (state[NEUTRAL] >> square & 1)):
            stuck |= 1 << square
    if stuck == 0:
        return
    state[NEUTRAL] &= ~stuck
    for seat in range(state[PLAYERS]):
        if state[PIECE + seat] > 0 and stuck >> state[PIECE + seat] & 1:
            state[PIECE + seat] = NO_PIECE if state[REVERTS] else 0


def end_in_draw(state: MutableSequence[int]) -> None:
    """IS-14: a draw between the players still in the game; who arrived first keeps the first place alone."""
    state[WINNERS] = 1 << state[ARRIVAL] if state[ARRIVED] else (1 << state[PLAYERS]) - 1


def arrive(state: MutableSequence[int], seat: int) -> None:
    """IS-13: the seat's own piece has come onto a throne."""
    if not state[RANK_ALL]:
        state[WINNERS] = 1 << seat
        return
    state[PIECE + seat] = GONE  # its piece is neutral again, in the Underworld
    state[ARRIVAL + state[ARRIVED]] = seat
    state[ARRIVED] += 1
    if state[ARRIVED] == state[PLAYERS] - 1:
        for last in range(state[PLAYERS]):
            if state[PIECE + last] != GONE:
                state[ARRIVAL + state[ARRIVED]] = last
        state[ARRIVED] += 1
        state[WINNERS] = 1 << state[ARRIVAL]


def next_seat(state: MutableSequence[int]) -> None:
    """The turn goes to the next seat that has not arrived."""
    state[TURNS] += 1
    seat = (state[TO_MOVE] + 1) % state[PLAYERS]
    while state[PIECE + seat] == GONE:
        seat = (seat + 1) % state[PLAYERS]
    state[TO_MOVE] = seat


def play(state: MutableSequence[int], code: int) -> None:
    """Take a turn with all that follows from it, unchecked."""
    seat = state[TO_MOVE]
    start = code >> 6 & 63
    end = code & 63
    state[JUST_MOVED] = 0
    if code == PASS:
        pass
    elif end == PERSONALIZE:
        state[NEUTRAL] ^= 1 << start
        state[PIECE + seat] = start
    elif code & OWN:
        state[PIECE + seat] = end
        if THRONES >> end & 1:
            arrive(state, seat)
    else:
        state[NEUTRAL] = (state[NEUTRAL] & ~(1 << start) | 1 << end) & ALL
        state[JUST_MOVED] = end
    if state[WINNERS] == 0:
        cast_out(state)  # never the piece just moved: it can go back
    next_seat(state)
    if state[TURNS] >= LIMIT and state[WINNERS] == 0:
        end_in_draw(state)


CORE = (
    heavenward,
    underworldward,
    below,
    above,
    around,
    count_squares,
    occupied,
    neutral_below,
    onward_ends,
    winding_ends,
    ends_from,
    can_move,
    homes_open,
    goes_home,
    note,
    list_turns,
    cast_out,
    end_in_draw,
    arrive,
    next_seat,
    play,
)
"""What is compiled: every function of the rules, each after those that it calls."""
