"""Exact endgames of three and four players, compiled: max^n (Luckhardt and Irani 1986) over chance.

Each seat maximizes what it can expect itself. What a seat has of the end depends on all scores (its own less the
best other one, or its share of the win), so states are told apart by the scores too. Among turns that are equally
good for him a player takes the one that leaves least to the next seat, then to the one after: so values do not
depend on the order of turns.
"""

from __future__ import annotations

import numpy as np

from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_keys import SCALE, mixed
from oudjat.engine.endgame_last import FACES, KINDS
from oudjat.engine.endgame_rest import Rest, wish
from oudjat.engine.raw import Floats, Handle, Ints, Word, floats, handle, ints, low_bit, words
from oudjat.rules.isis_osiris import VALUES

SUMS, NEAR, BESIDE = 0, 36, 72  # BESIDE: 4 places a space
PIECES, TILES, SCORES, UNSEEN = 216, 220, 224, 228
PLAYERS, SHARED, WIN, FREE_SPACES, STATES, STOP, SLOTS = 236, 237, 238, 239, 240, 241, 242
NUMBERS = 243

FRAME = 16
"""Places for floats at each number of free spaces: the best turn's values, those tried, those expected of a draw, the
best space's."""
BEST, TRIED, EXPECTED, TOP = 0, 4, 8, 12
ENTRY = 5
"""Words for each state in the table: a check, and a value for each seat."""
SAME = 1e-9
ONE = np.int64(1)


@kernel
def better(values: Floats, new: int, old: int, seat: int, players: int) -> bool:
    """Whether the values from ``new`` on are better for ``seat`` than those from ``old`` on."""
    for step in range(players):
        other = (seat + step) % players
        more = values[new + other] - values[old + other]
        if abs(more) > SAME:
            return bool(more > 0) if step == 0 else bool(more < 0)
    return False


@kernel
def ended(w: Ints, values: Floats, place: int) -> None:
    """Set the values from ``place`` on to what each seat has of the end."""
    players = w[PLAYERS]
    for seat in range(players):
        own, best, sharing = w[SCORES + seat], -100000, 1
        for other in range(players):
            if other != seat:
                best = max(best, w[SCORES + other])
                sharing += w[SCORES + other] == own
        if w[WIN]:
            values[place + seat] = 1.0 / sharing if own >= best else 0.0
        else:
            values[place + seat] = own - best


@kernel
def key_of(w: Ints, free: Word, left: int, seat: int) -> Word:
    """The key of a state; no more of a reserve counts than can still be placed."""
    players, shared = w[PLAYERS], w[SHARED]
    key: Word = np.uint64(0)
    rest = free
    while rest:
        space = low_bit(rest)
        rest &= rest - 1
        around = w[SUMS + space] + 16
        for other in range(players):
            around = around * 5 + w[BESIDE + 4 * space + other]
        where = space + 1 if w[NEAR + space] & free else 0
        key += mixed(np.uint64(around * 64 + where))
    packed, stocks = np.uint64(seat), np.uint64(0)
    for other in range(players):
        turns = left if shared else (left - (other - seat + players) % players + players - 1) // players
        packed = packed * np.uint64(37) + np.uint64(min(w[PIECES + other], turns))
        stocks = stocks * np.uint64(37) + np.uint64(min(w[TILES + other], turns))
    key = mixed(key + mixed(packed * np.uint64(2000003) + stocks))
    if stocks != 0:
        tiles = np.uint64(0)
        for kind in range(KINDS):
            tiles = tiles * np.uint64(8) + np.uint64(w[UNSEEN + kind])
        key += mixed(tiles)
    for other in range(1, players):
        key = mixed(key + np.uint64(w[SCORES + other] - w[SCORES] + 1000))
    return key


@kernel
def put(w: Ints, space: int, face: int, seat: int, way: int) -> None:
    """A tile of ``face``, or a piece of ``seat`` when that is 0, goes to ``space`` (``way`` 1) or back (-1)."""
    players = w[PLAYERS]
    if face == 0:
        w[PIECES + seat] -= way
        w[SCORES + seat] += way * w[SUMS + space]
    else:
        for other in range(players):
            w[SCORES + other] += way * face * w[BESIDE + 4 * space + other]
    near = w[NEAR + space]
    while near:
        other = low_bit(near)
        near &= near - 1
        if face == 0:
            w[BESIDE + 4 * other + seat] += way
        else:
            w[SUMS + other] += way * face


@kernel
def take(w: Ints, kind: int, seat: int, way: int) -> None:
    """A tile of this kind leaves the stock of ``seat`` (``way`` 1) or goes back (-1)."""
    w[UNSEEN + kind] -= way
    for other in range(w[PLAYERS]):
        if other == seat or w[SHARED]:
            w[TILES + other] -= way


@kernel
def solve_many(hw: Handle, hf: Handle, hl: Handle, free: Word, left: int, seat: int, out: int) -> None:
    """Write what each seat can expect to the floats from ``out`` on, when ``seat`` is to move."""
    w, values, table = ints(hw), floats(hf), words(hl)
    if left == 0:
        ended(w, values, out)
        return
    if w[STOP]:
        return
    players = w[PLAYERS]
    if w[PIECES + seat] + w[TILES + seat] == 0:  # IO-20
        solve_many(hw, hf, hl, free, left, (seat + 1) % players, out)
        return
    key = key_of(w, free, left, seat)
    place = np.int64(key & np.uint64(w[SLOTS] - 1)) * ENTRY
    check = table[place]
    for other in range(players):
        check ^= table[place + 1 + other]
    if check == key:
        for other in range(players):
            values[out + other] = np.int64(table[place + 1 + other]) / SCALE
        return
    w[STATES] += 1
    frame = left * FRAME
    best, tried, expected, top = frame + BEST, frame + TRIED, frame + EXPECTED, frame + TOP
    some, count = False, 0
    for other in range(players):
        values[expected + other] = 0.0
    has_tile = w[TILES + seat] > 0
    for kind in range(-1, KINDS):
        face = FACES[kind] if kind >= 0 else 0  # 0: a piece
        held = w[UNSEEN + kind] if kind >= 0 else w[PIECES + seat]
        if held == 0 or (kind >= 0 and not has_tile):
            continue
        if kind >= 0:
            take(w, kind, seat, 1)
        rest, first = free, True
        while rest:
            space = low_bit(rest)
            rest &= rest - 1
            put(w, space, face, seat, 1)
            solve_many(hw, hf, hl, free & ~(ONE << space), left - 1, (seat + 1) % players, tried)
            put(w, space, face, seat, -1)
            if first or better(values, tried, top, seat, players):
                for other in range(players):
                    values[top + other] = values[tried + other]
            first = False
        if kind >= 0:
            take(w, kind, seat, -1)
            count += held
            for other in range(players):
                values[expected + other] += held * values[top + other]
        else:
            some = True
            for other in range(players):
                values[best + other] = values[top + other]
    if count > 0:
        for other in range(players):
            values[expected + other] /= count
        if not some or better(values, expected, best, seat, players):
            for other in range(players):
                values[best + other] = values[expected + other]
    if w[STOP]:
        return
    check = key
    for other in range(players):
        values[out + other] = values[best + other]
        kept = np.uint64(np.int64(values[best + other] * SCALE))
        table[place + 1 + other] = kept
        check ^= kept
    table[place] = check


class ManySearch:
    """The exact search of one endgame of any number of players; see :class:`oudjat.engine.endgame_root.TwoSearch`."""

    def __init__(self, rest: Rest, *, win: bool) -> None:
        self._rest = rest
        free = len(rest.spaces)
        slots = 1 << min(10 + 2 * max(0, free - 3), 24)
        self._table = np.zeros(slots * ENTRY, np.uint64)
        w = self._start = np.zeros(NUMBERS, np.int64)
        w[SUMS : SUMS + free] = rest.sums
        w[NEAR : NEAR + free] = rest.near
        w[BESIDE : BESIDE + 4 * free] = rest.beside.ravel()
        w[PIECES : PIECES + rest.players] = rest.pieces
        w[TILES : TILES + rest.players] = rest.tiles
        w[SCORES : SCORES + rest.players] = rest.scores
        w[UNSEEN : UNSEEN + KINDS] = rest.unseen
        w[PLAYERS], w[SHARED], w[WIN] = rest.players, rest.shared, win
        w[FREE_SPACES], w[SLOTS] = free, slots
        self._running: list[Ints] = []

    @property
    def states(self) -> int:
        """How many states were looked at."""
        return sum(int(numbers[STATES]) for numbers in self._running)

    def stop(self) -> None:
        """Let every search end soon; what it gives is nonsense."""
        self._start[STOP] = 1
        for numbers in self._running:
            numbers[STOP] = 1

    def piece(self, space: int) -> tuple[float, ...]:
        """What each seat can expect when the player to move places a piece on the free space of this number."""
        return self._after(0, space)

    def tile(self, face: int, space: int) -> tuple[float, ...]:
        """The same for a tile of ``face`` in hand, which has left the stock and the unseen ones."""
        return self._after(face, space)

    def drawn(self, face: int) -> tuple[float, ...]:
        """What each seat can expect when the player to move turns over a tile of ``face`` and places it well."""
        mover = self._rest.mover
        worth = [self._after(face, space, from_stock=True) for space in range(len(self._rest.spaces))]
        return min(worth, key=lambda values: wish(values, mover))

    def _after(self, face: int, space: int, *, from_stock: bool = False) -> tuple[float, ...]:
        rest = self._rest
        w, values = self._begin()
        if from_stock:
            take(w, VALUES.index(face), rest.mover, 1)
        put(w, space, face, rest.mover, 1)
        free = len(rest.spaces)
        with np.errstate(over="ignore"):  # keys go round when the compiler is switched off, too
            solve_many(
                handle(w), handle(values), handle(self._table), (1 << free) - 1 & ~(1 << space), free - 1,
                (rest.mover + 1) % rest.players, 0,
            )  # fmt: skip
        return tuple(values[: rest.players].tolist())

    def _begin(self) -> tuple[Ints, Floats]:
        w = self._start.copy()
        self._running.append(w)
        if self._start[STOP]:  # set after it was copied, and before this search could be reached
            w[STOP] = 1
        return w, np.zeros(FRAME * 38)
