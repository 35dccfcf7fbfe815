"""The first turn of an endgame of two players: hands the exact search what it needs."""

from __future__ import annotations

from random import Random
from threading import local

import numpy as np

from oudjat.engine import endgame_last as at
from oudjat.engine.compiled import kernel
from oudjat.engine.endgame_boards import (
    CHILD_KEYS,
    FULL,
    LEVELS,
    LISTED,
    MOST_SPACES,
    NEXT,
    PLACED,
    ROOM,
    SLOTS,
    UNSEEN,
    TileSets,
    tile_sets,
)
from oudjat.engine.endgame_keys import LABELS, empty, fill, mixed, part
from oudjat.engine.endgame_last import BALANCE, FACES, FREE_SPACES, KINDS, NOTHING, SUMS, WIN
from oudjat.engine.endgame_rest import Rest
from oudjat.engine.endgame_two import value
from oudjat.engine.raw import Handle, Ints, Word, Words, handle, ints, words
from oudjat.rules.isis_osiris import VALUES

TABLE_BITS = {7: 9, 8: 11, 9: 14, 10: 17, 11: 19, 12: 21}
LEAN_BITS = {6: 14, 7: 16, 8: 18, 9: 20, 10: 21, 11: 23, 12: 24}
"""How many slots the tables have by the number of free spaces: 64 and 16 bytes each, 768 MB at the most."""
LARGEST_TABLE, LARGEST_LEAN = 22, 25
LEAN_BESIDE_BOARDS = 1 << 18

LARGE = 11
"""With so many free spaces or more at the root memory is what is short."""
BOARDS_FROM, BOARDS_FROM_IF_MANY, MANY = 5, 6, 16
"""With so many free spaces or fewer the margin is reckoned board by board; sooner if from ``LARGE`` on a board stands
for ``MANY`` sets of tiles."""
ROOM_BITS = {9: 22, 10: 24}
SMALLEST_ROOM = 20
"""Room for values board by board, in each thread: 8 bytes each and 2 more for the table, taken as they are needed."""
LARGE_BYTES, LARGE_SLOTS = 1 << 30, 1 << 23
"""From ``LARGE`` on: room for the boards of all threads together, and the most places in a table, which all have to be
cleared before the first is used."""
SLOT_BYTES = 32


@kernel
def whole_key(w: Ints, keys: Words, unseen: Word) -> Word:
    """The key of the spaces and the unseen tiles at the root."""
    spaces = w[FREE_SPACES]
    key = mixed(unseen)
    for space in range(spaces):
        key += part(w, keys, space, (np.int64(1) << spaces) - 1)
    return key


@kernel
def after_first(
    hw: Handle,
    hf: Handle,
    hk: Handle,
    ht: Handle,
    hl: Handle,
    hb: Handle,
    ha: Handle,
    hn: Handle,
    hs: Handle,
    hc: Handle,
    space: int,
    face: int,
    sign: int,
    unseen: Word,
    sum_unseen: int,
    count: int,
    pieces: int,
    tiles: int,
    other_pieces: int,
    other_tiles: int,
    lead: int,
    alpha: float,
) -> float:
    """What it is worth to the mover to put on ``space`` a tile of ``face``, or a piece when that is 0, or a bound
    of it where it is not above ``alpha``; ``unseen`` and the reserves are those after that turn."""
    w, keys = ints(hw), words(hk)
    spaces = w[FREE_SPACES]
    free = (np.int64(1) << spaces) - 1
    piece = sign if face == 0 else 0
    gain = w[SUMS + space] if face == 0 else face * w[BALANCE + space] * sign
    here = 0 if w[WIN] else gain
    if spaces == 1:
        return float(np.sign(lead + gain)) if w[WIN] else float(gain)
    key = fill(w, keys, space, free, face, piece, whole_key(w, keys, unseen))
    for kind in range(KINDS):
        if FACES[kind] == face and count < ints(hn)[UNSEEN]:  # one in hand was not unseen any more
            ints(hc)[PLACED + space] = kind + 1
    found = here - value(
        hw, hf, hk, ht, hl, hb, ha, hn, hs, hc, free & ~(np.int64(1) << space), spaces - 1, -sign, key,
        unseen, sum_unseen, count,
        other_pieces, other_tiles, pieces, tiles, -lead - gain if w[WIN] else 0, -NOTHING, here - alpha,
    )  # fmt: skip
    ints(hc)[PLACED + space] = 0
    empty(w, space, free, face, piece)
    return found


def values_a_board(sets: TileSets, free: int) -> float:
    """How many sets of unseen tiles there are of one size, on average.

    >>> values_a_board(tile_sets((0, 0, 0, 1, 2, 0, 0, 0), 2), 2)
    1.6666666666666667
    """
    begins = sets.numbers[LEVELS : LEVELS + free + 2]
    return int(begins[-1]) / int(np.count_nonzero(np.diff(begins)))


def sizes(sets: TileSets, free: int, threads: int) -> tuple[int, int]:
    """How many places each thread has in its table of boards, and room for how many values.

    A board fills one place and as many values as there are sets of its size: few, when few tiles are unseen. With
    ``LARGE`` free spaces or more what there is of memory is shared out so that both run short at the same time,
    since whichever does first throws all boards away.

    >>> sizes(tile_sets((0, 0, 0, 1, 2, 0, 0, 0), 10), 10, 1)
    (1048576, 16777216)
    >>> few, many = (sizes(tile_sets((kind,) * 8, 12), 12, 1) for kind in (1, 2))
    >>> few[0] > many[0], few[1] < many[1]
    (True, True)
    """
    if free < LARGE:
        room = 1 << ROOM_BITS.get(free, SMALLEST_ROOM)
        return room >> 4, room
    octets = LARGE_BYTES // min(threads, free + KINDS)  # there are not more turns and tiles to search at once
    board_bytes = 8 * values_a_board(sets, free)
    slots = 1 << 14
    while slots < LARGE_SLOTS and 2 * slots * SLOT_BYTES <= octets * 2 // 3:
        boards = 3 * slots / 8  # the table starts anew when it is so full
        if boards * board_bytes >= octets - slots * SLOT_BYTES:
            break
        slots *= 2
    return slots, (octets - slots * SLOT_BYTES) // 8


class Boards:
    """What a search board by board fills: one thread's own."""

    def __init__(self, sets: TileSets | None, free: int, threads: int) -> None:
        slots, room = sizes(sets, free, threads) if sets else (2, 32)
        self.numbers = sets.numbers.copy() if sets else np.zeros(NEXT, np.int64)
        self.shares = sets.shares if sets else np.zeros(1)
        if sets:
            self.numbers[[SLOTS, ROOM]] = slots, room - len(self.shares)
        self.table = np.zeros(slots * SLOT_BYTES // 8, np.uint64)
        self.values = np.zeros(room)
        self.children = np.zeros(CHILD_KEYS + LISTED, np.int64)


class TwoSearch:
    """The exact search of one endgame of two players; its tables are filled by all ``threads`` that search in it."""

    def __init__(self, rest: Rest, *, win: bool, threads: int = 1) -> None:
        self._rest = rest
        self._win = win
        self._threads = threads
        free = len(rest.spaces)
        self._sets = tile_sets(rest.unseen, free) if not win and 1 < free <= MOST_SPACES else None
        slots = 1 << (TABLE_BITS.get(free, LARGEST_TABLE) if free > 6 else 4)
        lean_slots = 1 << (LEAN_BITS.get(free, LARGEST_LEAN) if free > 5 else 12)
        if self._sets:
            lean_slots = min(lean_slots, LEAN_BESIDE_BOARDS)
        randomness = Random(2001)
        self._keys = np.array([randomness.getrandbits(64) for _ in range((free + 2) * LABELS)], np.uint64)
        self._table = np.zeros(slots * 8, np.uint64)
        self._lean = np.zeros(lean_slots * 2, np.uint64)
        self._start = np.zeros(at.NUMBERS, np.int64)
        self._start[at.SUMS : at.SUMS + free] = rest.sums
        self._start[at.BALANCE : at.BALANCE + free] = rest.beside[:, 0] - rest.beside[:, 1]
        self._start[at.NEAR : at.NEAR + free] = rest.near
        self._start[at.FREE_SPACES] = free
        self._start[at.SHARED] = rest.shared
        self._start[at.WIN] = win
        self._start[at.TABLE_SLOTS] = slots
        self._start[at.LEAN_SLOTS] = lean_slots
        self._running: list[Ints] = []
        self._own = local()
        if self._sets:
            many = free >= LARGE and values_a_board(self._sets, free) >= MANY
            self._start[at.BOARD_SPACES] = BOARDS_FROM_IF_MANY if many else BOARDS_FROM

    @property
    def states(self) -> int:
        """How many states were looked at."""
        return sum(int(numbers[at.STATES]) for numbers in self._running)

    def stop(self) -> None:
        """Let every search end soon; what it gives is nonsense."""
        self._start[at.STOP] = 1
        for numbers in self._running:
            numbers[at.STOP] = 1

    def piece(self, space: int) -> tuple[float, ...]:
        """What each seat can expect when the player to move places a piece on the free space of this number."""
        return self._both(self._after(space, 0, self._rest.unseen, -NOTHING))

    def tile(self, face: int, space: int) -> tuple[float, ...]:
        """The same for a tile of ``face`` in hand, which has left the stock and the unseen ones."""
        return self._both(self._after(space, face, self._rest.unseen, -NOTHING))

    def drawn(self, face: int) -> tuple[float, ...]:
        """What each seat can expect when the player to move turns over a tile of ``face`` and places it well."""
        rest = self._rest
        unseen = list(rest.unseen)
        unseen[VALUES.index(face)] -= 1
        promise = face * rest.sign * (rest.beside[:, 0] - rest.beside[:, 1])
        best = -NOTHING
        for space in np.argsort(-promise, kind="stable"):
            best = max(best, self._after(int(space), face, tuple(unseen), best, from_stock=1))
        return self._both(best)

    def _after(
        self, space: int, face: int, unseen: tuple[int, ...], alpha: float, *, from_stock: int = 0
    ) -> float:
        rest = self._rest
        w, numbers = self._start.copy(), np.zeros(at.FLOATS)
        self._running.append(w)
        if self._start[at.STOP]:  # set after it was copied, and before this search could be reached
            w[at.STOP] = 1
        if not hasattr(self._own, "boards"):
            self._own.boards = Boards(self._sets, len(rest.spaces), self._threads)
        mine: Boards = self._own.boards
        if mine.numbers[FULL]:
            w[at.BOARD_SPACES] = 0
        numbers[at.COUNTS : at.COUNTS + at.KINDS] = unseen
        pieces, other_pieces = rest.pieces[rest.mover], rest.pieces[1 - rest.mover]
        tiles, other_tiles = rest.tiles[rest.mover], rest.tiles[1 - rest.mover]
        with np.errstate(over="ignore"):  # keys go round when the compiler is switched off, too
            found = after_first(
                handle(w), handle(numbers), handle(self._keys), handle(self._table), handle(self._lean),
                handle(mine.table), handle(mine.values), handle(mine.numbers), handle(mine.shares),
                handle(mine.children),
                space, face, rest.sign,
                sum(number << (4 * kind) for kind, number in enumerate(unseen)),
                sum(number * value for number, value in zip(unseen, VALUES, strict=True)),
                sum(unseen),
                pieces - (face == 0), tiles - from_stock,
                other_pieces, other_tiles - from_stock * rest.shared,
                rest.sign * rest.lead if self._win else 0,
                alpha,
            )  # fmt: skip
        if mine.numbers[FULL] and w[at.BOARD_SPACES]:  # no room was left: once more without boards
            return self._after(space, face, unseen, alpha, from_stock=from_stock)
        return float(found)

    def _both(self, found: float) -> tuple[float, ...]:
        """Both seats' values from the mover's."""
        rest = self._rest
        first = found * rest.sign
        if self._win:
            return (1 + first) / 2, (1 - first) / 2
        return rest.lead + first, -rest.lead - first
