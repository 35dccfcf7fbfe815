"""Looking ahead in a game whose positions everybody sees: the functions that are bound to each such game.

Written once in plain Python, with Ramses standing for every game: :mod:`oudjat.engine.binding` compiles a copy for
each game, in which that game's own numbers and functions stand in place of those imported here (``OF_THE_GAME``).

Two players take turns in an expectimax search: alpha-beta with a table of positions where there is no chance, Star1
where there is. A value is from -1 (the player to move loses) to 1, and at the horizon what the game's ``features`` make
of it. Later ends count a little less than sooner ones (``SOONER``), so that wins are sought and losses put off.

All memory of a search is two arrays, of integers and of floats, handed on as handles (:mod:`oudjat.engine.raw`): the
head, the positions of the game so far, the positions on the way to where the search is, the turns found at each, and
the table. A *ply* is how many turns lead from the root to a position.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import exp, tanh

from oudjat.engine.raw import Handle, floats_from, ints, ints_from
from oudjat.engine.worth_ramses import FEATURES, features
from oudjat.rules.ramses.core import MOST_TURNS, PLAYERS, SIZE, TO_MOVE, WINNERS, list_turns, play

HAND = 0
THROWS: tuple[tuple[int, int], ...] = ((0, 1),)
KEY: tuple[int, ...] = (1, 4, 5)
"""The places of a core that a position is told by when it comes back."""
MORE: tuple[int, ...] = (1,)
"""Further places in which positions differ that are otherwise alike."""
ALWAYS = -1
"""The code of a turn that no repetition bars, -1 for none."""
RANKED = -1
"""The place that tells whether every seat's rank counts, -1 where only the win does."""
OF_THE_GAME = (
    "MOST_TURNS", "PLAYERS", "SIZE", "TO_MOVE", "WINNERS", "HAND", "THROWS", "KEY", "MORE", "ALWAYS",
    "FEATURES", "features", "settled", "RANKED", "list_turns", "play",
)  # fmt: skip
"""What each game has of its own; one without chance keeps the HAND and the THROWS from here."""

STOP = 0  # 1: end as soon as possible; what was being looked at is worthless
TRIED = 1  # positions tried
MOST_TRIED = 2  # when to stop
BARS = 3  # 1: a turn that brings back a position is not taken; 0: it makes a draw; -1: it is nothing special
PAST = 4  # the positions of the game so far, by their keys: 1024 places
PAST_PLACES = 1024
PATH = PAST + PAST_PLACES  # the key of the position at each ply
DEEPEST = 40
STATES = PATH + DEEPEST
FOUND = STATES + DEEPEST * SIZE
TABLE = FOUND + DEEPEST * MOST_TURNS  # two places an entry: the key; depth, bound and turn
TABLE_PLACES = 1 << 17
INTS = TABLE + 2 * TABLE_PLACES
ROOM = 0  # what counts for a seat
WEIGHTS = 24  # how much
SEATS = 48  # what a position is worth to each seat, where more than two play
ROOM_PLACES = 56
SCORES = ROOM + ROOM_PLACES  # what each turn found at a ply is worth at first sight
VALUES = SCORES + DEEPEST * MOST_TURNS  # of the table
SHARES = VALUES + TABLE_PLACES  # what each ply is worth to each seat, where more than two play
MOST_SEATS = 8
FLOATS = SHARES + DEEPEST * MOST_SEATS

MIX = 0x1E3779B97F4A7C15
KEY_BITS = (1 << 62) - 1

SOONER = 1e-4
"""What a ply takes off a win."""
UNCERTAIN = 0.98
"""So near to a win or a loss can a position be at the horizon."""
CERTAIN = 0.99
"""More than this is a win, whatever comes (without chance)."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2


def key_of(state: Sequence[int]) -> int:
    """What a position is told by when it comes back; never 0."""
    mixed = 1
    for place in KEY:
        mixed = ((int(state[place]) ^ mixed) * MIX) & KEY_BITS
        mixed ^= mixed >> 31
    return mixed | 1


def full_key(state: Sequence[int], key: int) -> int:
    """The same with all that the turns to come depend on."""
    for place in MORE:
        key = ((int(state[place]) ^ key) * MIX) & KEY_BITS
        key ^= key >> 31
    return key | 1


def remember(whole: Handle, key: int) -> None:
    """Note a position of the game so far."""
    past = ints_from(whole, PAST)
    place = key >> 20 & PAST_PLACES - 1
    while past[place] != 0 and past[place] != key:
        place = place + 1 & PAST_PLACES - 1
    past[place] = key


def comes_back(whole: Handle, ply: int, key: int) -> bool:
    """Whether a position stood before, in the game so far or at an earlier ply."""
    past = ints_from(whole, PAST)
    place = key >> 20 & PAST_PLACES - 1
    while past[place] != 0:
        if past[place] == key:
            return True
        place = place + 1 & PAST_PLACES - 1
    path = ints_from(whole, PATH)
    for earlier in range(ply):  # noqa: SIM110 - Numba knows no any()
        if path[earlier] == key:
            return True
    return False


def points(state: Sequence[int], seat: int, room: MutableSequence[float]) -> float:
    """How well a seat stands; the difference of two seats is the logarithm of their chances."""
    features(state, seat, room)
    total = 0.0
    for number in range(FEATURES):
        total += room[WEIGHTS + number] * room[number]
    return total


def settled(state: Sequence[int], seat: int) -> float:
    """The share of the win that is a seat's for good, -1 while that is open."""
    winners = state[WINNERS]
    if winners == 0:
        return -1.0
    sharing = 0
    for other in range(state[PLAYERS]):
        sharing += winners >> other & 1
    return (winners >> seat & 1) / sharing


def outlooks(state: Sequence[int], ply: int, room: MutableSequence[float]) -> int:
    """Put what a position is worth to each seat at first sight into ``room``, from SEATS on; gives how many seats."""
    players = state[PLAYERS]
    open_share = 1.0
    chances = 0.0
    for seat in range(players):
        share = settled(state, seat)
        if share >= 0.0:
            room[SEATS + seat] = (2.0 * share - 1.0) * (1.0 - SOONER * ply)
            open_share -= share
        else:
            chance = exp(points(state, seat, room))
            room[SEATS + seat] = chance
            chances += chance
    if RANKED >= 0 and state[RANKED]:
        open_share += 0.5 * players - 1.0
    for seat in range(players):
        if settled(state, seat) < 0.0:
            room[SEATS + seat] = UNCERTAIN * (2.0 * open_share * room[SEATS + seat] / chances - 1.0)
    return players


def outlook(state: Sequence[int], seat: int, ply: int, room: MutableSequence[float]) -> float:
    """What a position is worth to ``seat`` at first sight; exact when the game is over."""
    if state[WINNERS]:
        return (2.0 * settled(state, seat) - 1.0) * (1.0 - SOONER * ply)
    if state[PLAYERS] == 2:
        return UNCERTAIN * tanh(0.5 * (points(state, seat, room) - points(state, 1 - seat, room)))
    outlooks(state, ply, room)
    return room[SEATS + seat]


def take(whole: Handle, ply: int, code: int) -> None:
    """Put the position after a turn at the next ply."""
    here = ints_from(whole, STATES + ply * SIZE)
    there = ints_from(whole, STATES + (ply + 1) * SIZE)
    for place in range(SIZE):
        there[place] = here[place]
    play(there, code)


def unfold(whole: Handle, real: Handle, ply: int, enough: float) -> int:
    """Find the turns that can be taken at a ply, each with what it is worth at first sight; gives how many.

    Turns that repetition bars are left out, but for ``ALWAYS``. Stops at a turn that is worth ``enough``.
    """
    head = ints(whole)
    state = ints_from(whole, STATES + ply * SIZE)
    after = ints_from(whole, STATES + (ply + 1) * SIZE)
    found = ints_from(whole, FOUND + ply * MOST_TURNS)
    scores = floats_from(real, SCORES + ply * MOST_TURNS)
    room = floats_from(real, ROOM)
    mover = state[TO_MOVE]
    drawn = 2.0 / state[PLAYERS] - 1.0
    if head[BARS] >= 0:
        ints_from(whole, PATH)[ply] = key_of(state)
    listed = list_turns(state, found)
    kept = 0
    for number in range(listed):
        code = found[number]
        take(whole, ply, code)
        head[TRIED] += 1
        value = drawn
        if head[BARS] >= 0 and after[WINNERS] == 0 and comes_back(whole, ply + 1, key_of(after)):
            if head[BARS] and code != ALWAYS:
                continue
        else:
            value = outlook(after, mover, ply + 1, room)
        found[kept] = code
        scores[kept] = value
        kept += 1
        if value >= enough:
            break
    if kept == 0 and listed and ALWAYS >= 0:
        found[0] = ALWAYS
        take(whole, ply, ALWAYS)
        scores[0] = outlook(after, mover, ply + 1, room)
        kept = 1
    if head[TRIED] >= head[MOST_TRIED]:
        head[STOP] = 1
    return kept


def best_first(found: MutableSequence[int], scores: MutableSequence[float], count: int) -> None:
    """Sort turns by what they are worth (Shell's way)."""
    gap = 1
    while gap < count:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for number in range(gap, count):
            code = found[number]
            score = scores[number]
            place = number
            while place >= gap and scores[place - gap] < score:
                found[place] = found[place - gap]
                scores[place] = scores[place - gap]
                place -= gap
            found[place] = code
            scores[place] = score


def thrown(whole: Handle, ply: int, throw: int) -> int:
    """Let a throw have come at a ply; gives its weight."""
    ints_from(whole, STATES + ply * SIZE)[HAND] = THROWS[throw][0]
    return THROWS[throw][1]


def look(whole: Handle, real: Handle, ply: int, depth: int, low: float, high: float) -> float:
    """What the position at a ply is worth to the player to move, ``depth`` turns ahead.

    Outside of ``low`` to ``high`` it is a bound. Nothing when the search was stopped.
    """
    head = ints(whole)
    if head[STOP]:
        return 0.0
    state = ints_from(whole, STATES + ply * SIZE)
    mover = state[TO_MOVE]
    if depth <= 0 or state[WINNERS] or ply >= DEEPEST - 2:
        return outlook(state, mover, ply, floats_from(real, ROOM))
    if len(THROWS) > 1 and state[HAND] == 0:
        cases = 0
        for throw in range(len(THROWS)):
            cases += THROWS[throw][1]
        so_far = 0.0
        rest = cases
        for throw in range(len(THROWS)):
            weight = thrown(whole, ply, throw)
            rest -= weight
            least = (low * cases - so_far - rest) / weight
            most = (high * cases - so_far + rest) / weight
            value = look(whole, real, ply, depth, max(least, -1.0), min(most, 1.0))
            if head[STOP]:
                return 0.0
            so_far += weight * value
            if value <= least:
                return (so_far + rest) / cases
            if value >= most:
                return (so_far - rest) / cases
        state[HAND] = 0
        return so_far / cases

    hint = -1
    key = 0
    place = 0
    table = ints_from(whole, TABLE)
    values = floats_from(real, VALUES)
    if len(THROWS) == 1 and depth > 1:
        key = full_key(state, key_of(state))
        place = key >> 8 & TABLE_PLACES - 1
        if table[2 * place] == key:
            kept = table[2 * place + 1]
            hint = kept >> 16
            if (kept & 255) >= depth:
                value = values[place]
                if value > CERTAIN:
                    value -= SOONER * ply
                elif value < -CERTAIN:
                    value += SOONER * ply
                bound = kept >> 8 & 255
                if (
                    bound == EXACT
                    or (bound == AT_LEAST and value >= high)
                    or (bound == AT_MOST and value <= low)
                ):
                    return value

    found = ints_from(whole, FOUND + ply * MOST_TURNS)
    scores = floats_from(real, SCORES + ply * MOST_TURNS)
    count = unfold(whole, real, ply, high if depth == 1 else CERTAIN)
    if count == 0:
        return SOONER * ply - 1.0
    best = -2.0
    if depth == 1:
        for number in range(count):
            best = max(best, scores[number])
        return best
    if scores[count - 1] >= CERTAIN:
        return scores[count - 1]
    for number in range(count):
        if found[number] == hint:
            scores[number] += 4.0
    best_first(found, scores, count)
    best_code = -1
    floor = low
    after = ints_from(whole, STATES + (ply + 1) * SIZE)
    for number in range(count):
        take(whole, ply, found[number])
        if head[BARS] == 0 and after[WINNERS] == 0 and comes_back(whole, ply + 1, key_of(after)):
            value = 0.0
        elif after[TO_MOVE] == mover:
            value = look(whole, real, ply + 1, depth - 1, floor, high)
        else:
            value = -look(whole, real, ply + 1, depth - 1, -high, -floor)
        if head[STOP]:
            return 0.0
        if value > best:
            best = value
            best_code = found[number]
            floor = max(floor, value)
            if value >= high:
                break
    if key:
        table[2 * place] = key
        bound = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
        table[2 * place + 1] = best_code << 16 | bound << 8 | depth
        kept_value = best
        if best > CERTAIN:
            kept_value += SOONER * ply
        elif best < -CERTAIN:
            kept_value -= SOONER * ply
        values[place] = kept_value
    return best


BOUND = (
    key_of, full_key, remember, comes_back, points, settled, outlooks, outlook, take, unfold, best_first, thrown, look,
)  # fmt: skip
"""What is compiled for each game, each after those that it calls."""
