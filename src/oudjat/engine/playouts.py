"""Whole random games at the machine's speed.

A random turn: a piece or a tile by the toss of a coin where both are allowed, then any free space, each equally
likely; the tile is any of those not yet seen, each equally likely.

This is no second source of the rules but a sampler of what they allow, made for speed alone: it can write down the
turns it took, and tests replay these by the rules. A game takes place in one small block of memory:

    BOARD     8 rows of 8 octets, the 6 x 6 spaces in the middle. A space holds NOTHING plus a tile's value, or
              NOTHING plus the bit of a piece's owner, 16 for the first seat; while it is free, anything
    ORDER     where on the board the free spaces lie, in the order in which they are taken
    DECK      NOTHING plus the value of each tile not yet seen, in the order in which they come
    RESERVES  the pieces of each seat, then the stock of each seat

Order and deck are shuffled before a game begins (Fisher and Yates 1938): as with a deck of cards, what order the
last game left behind does not matter. Whether a turn is a piece or a tile follows from a word of coins, and where
nobody can run out of both, for all turns at once. So nothing is left in a turn that the processor could guess
wrong. The scores are counted at the end, a row at a time: octets of a word are added side by side, which works
since nothing in them is negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.compiled import kernel
from oudjat.engine.raw import Handle, Ints, Octets, Word, handle, octets, words
from oudjat.rules import isis_osiris as rules
from oudjat.rules.isis_osiris import ISIS_OSIRIS, MOST_SEATS, SPACES, PlacePiece, PlaceTile

BOARD, ORDER, DECK, RESERVES, MEMORY = 0, 64, 104, 128, 136
"""Where each part of the memory begins, and its length."""
STOCKS = RESERVES + MOST_SEATS
NOTHING = 4
FIRST_OWNER = 4
"""The bit of the first seat's pieces, counted from 0."""

PORTION = 1 << 16
"""So many games are played in one go."""

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FRACTION, REST = np.uint64(58), np.uint64((1 << 58) - 1)
ONE, OWNED = np.uint64(1), np.uint64(63)
SIX, EIGHT, FORTY_EIGHT, FIFTY_SIX = np.uint64(6), np.uint64(8), np.uint64(48), np.uint64(56)
VALUES_IN = np.uint64(0x0F0F0F0F0F0F0F0F)
LOWEST_BITS = np.uint64(0x0101010101010101)
EVEN_OCTETS = np.uint64(0x00FF00FF00FF00FF)
LOWEST_OF_PAIRS = np.uint64(0x0001000100010001)


def random_games(
    seed: int, count: int, players: int = 2, *, shared: bool = False, jobs: int = 1
) -> NDArray[np.int64]:
    """Play ``count`` random games from the empty board; the sum of all their scores by seat, shape (players,).

    The same arguments always give the same sums, whatever the number of threads (``jobs``). Raises SetupError for
    a number of players the game has not.

    >>> random_games(1, 100, players=3).shape
    (3,)
    """
    start = ISIS_OSIRIS.start(players, variant="shared" if shared else "normal")
    sizes = [min(PORTION, count - done) for done in range(0, count, PORTION)]
    starts = np.random.default_rng(seed).integers(1 << 64, size=len(sizes), dtype=np.uint64)

    def play(portion: int) -> NDArray[np.int64]:
        return RandomGames(start.core, int(starts[portion])).scores(sizes[portion])

    with ThreadPoolExecutor(jobs) as pool:
        played = pool.map(play, range(len(sizes))) if jobs > 1 else map(play, range(len(sizes)))
        return sum(played, np.zeros(players, np.int64))


class RandomGames:
    """Random games played on from one position, in which no tile lies open and every placed value is known.

    ``seed`` is a number below 2 ** 64; the same one gives the same games. Raises ValueError when a tile is in hand
    or being turned over.

    >>> games = RandomGames(ISIS_OSIRIS.start().core, seed=2001)
    >>> turns, scores = games.written_down()
    >>> len(turns), [turn.text for turn in turns[:3]], scores
    (36, ['+2e6', '-3e4', 'Pb3'], (0, -5))
    """

    def __init__(self, core: Sequence[int], seed: int) -> None:
        if core[rules.HAND] != rules.EMPTY_HAND:
            raise ValueError("random games go on from a position in which no tile lies open")
        self._players, self._shared = core[rules.PLAYERS], core[rules.SHARED]
        self._seat = core[rules.TO_MOVE]
        self._counter: Word = np.uint64(seed)
        self._memory = memory = np.full(MEMORY, NOTHING, np.uint8)
        self._words = memory.view(np.uint64)
        free, deck = [], []
        for space in range(SPACES):
            place = 8 * (space // rules.SIDE + 1) + space % rules.SIDE + 1
            lies = core[rules.BOARD + space]
            if lies == rules.FREE_SPACE:
                free.append(place)
            elif lies <= MOST_SEATS:
                memory[BOARD + place] = piece_of(lies - 1)
            else:
                memory[BOARD + place] = NOTHING + rules.tile_value(lies)
        for value in rules.VALUES:
            deck += [NOTHING + value] * core[rules.UNSEEN + 4 + value]
        self._free, self._unseen = len(free), len(deck)
        memory[ORDER : ORDER + len(free)] = free
        memory[DECK : DECK + len(deck)] = deck
        memory[RESERVES:STOCKS] = core[rules.PIECES : rules.PIECES + MOST_SEATS]
        memory[STOCKS:MEMORY] = core[rules.TILES : rules.TILES + MOST_SEATS]
        self._reserves = self._words[RESERVES // 8]
        pieces, stocks = memory[RESERVES:STOCKS].tolist(), memory[STOCKS:MEMORY].tolist()
        self._wanted = min(self._free, self._unseen, sum(stocks))
        turns = [len(range(step, self._free, self._players)) for step in range(self._players)]
        seats = [(self._seat + step) % self._players for step in range(self._players)]
        self._enough = not self._shared and all(
            pieces[seat] + stocks[seat] >= own for seat, own in zip(seats, turns, strict=True)
        )

    def scores(self, count: int) -> NDArray[np.int64]:
        """Play ``count`` games; the sum of all their scores by seat, shape (players,)."""
        totals = np.zeros(MOST_SEATS, np.int64)
        self._play(count, totals)
        return totals[: self._players]

    def written_down(self) -> tuple[tuple[PlacePiece | PlaceTile, ...], tuple[int, ...]]:
        """Play one game; its turns but for passes, and its scores by seat."""
        scores = self.scores(1)
        turns: list[PlacePiece | PlaceTile] = []
        for place in self._memory[ORDER : ORDER + self._free].tolist():
            space = (place // 8 - 1) * rules.SIDE + place % 8 - 1
            lies = int(self._memory[BOARD + place])
            turns.append(PlacePiece(space) if lies >= piece_of(0) else PlaceTile(lies - NOTHING, space))
        return tuple(turns), tuple(scores.tolist())

    def _play(self, count: int, totals: Ints) -> None:
        with np.errstate(over="ignore"):  # when the compiler is switched off, words go round, too
            counter = play_games(
                handle(self._memory), handle(self._words), self._counter, count, self._players, self._shared,
                self._enough, self._seat, self._free, self._unseen, self._wanted, self._reserves, totals,
            )  # fmt: skip
        self._counter = np.uint64(counter)


@kernel
def piece_of(seat: int) -> int:
    """What lies on a space that a piece of ``seat`` is on."""
    return NOTHING + (1 << (FIRST_OWNER + seat))


@kernel
def scrambled(counter: Word) -> Word:
    """The random word of this counter, by SplitMix64 (Steele, Lea and Flood 2014)."""
    z = (counter ^ (counter >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def draw(memory: Octets, first: int, count: int, turn: int, fraction: Word) -> Word:
    """Bring to the front one of the ``count`` octets from ``first`` on, of which ``turn`` have been drawn.

    A random word serves four draws: it is a fraction, and the whole part of its product with the number of choices
    is drawn. What is left is a fraction as good as new, and given back: no draw is likelier than another by more
    than one part in 10 ** 11.
    """
    product = fraction * np.uint64(count - turn)
    place = first + turn + np.int64(product >> FRACTION)
    drawn = memory[place]
    memory[place] = memory[first + turn]
    memory[first + turn] = drawn
    return product & REST


@kernel
def shuffle(memory: Octets, free: int, unseen: int, wanted: int, counter: Word) -> Word:
    """Shuffle all of the order and ``wanted`` tiles of the deck, side by side; gives the next counter."""
    for_space = for_tile = np.uint64(0)
    for turn in range(free):
        if turn & 3 == 0:
            counter += GAMMA
            for_space = scrambled(counter) >> SIX
            counter += GAMMA
            for_tile = scrambled(counter) >> SIX
        for_space = draw(memory, ORDER, free, turn, for_space)
        if turn < wanted:
            for_tile = draw(memory, DECK, unseen, turn, for_tile)
    return counter


@kernel
def first_bits(bits: Word, count: Word) -> Word:
    """The ``count`` lowest of these bits that are set."""
    others = bits
    for _ in range(count):
        others &= others - ONE
    return bits ^ others


@kernel
def kinds(coins: Word, players: int, seat: int, free: int, reserves: Word) -> Word:
    """Which turns place a piece, as bits, when nobody can run out of both kinds.

    Heads are pieces while a seat has any, and what are too many tails for its stock are pieces, too.
    """
    pieces = np.uint64(0)
    for first in range(players):
        own = np.uint64(0)
        for turn in range(first, free, players):
            own |= ONE << np.uint64(turn)
        held = reserves >> np.uint64(8 * seat)
        heads, tails = coins & own, own & ~coins
        pieces |= first_bits(heads, np.int64(held & np.uint64(255)))
        pieces |= tails ^ first_bits(tails, np.int64((held >> np.uint64(32)) & np.uint64(255)))
        seat = seat + 1 if seat + 1 < players else 0
    return pieces


@kernel
def play_evenly(memory: Octets, coins: Word, players: int, seat: int, free: int, reserves: Word) -> None:
    """Take the turns of a game in which every seat has enough for all of its turns."""
    pieces = kinds(coins, players, seat, free, reserves)
    top: Word = DECK
    for turn in range(free):
        piece = np.int64(pieces & ONE)
        pieces >>= ONE
        tile = np.int64(memory[top])
        top += 1 - piece
        memory[BOARD + memory[ORDER + turn]] = tile + piece * (piece_of(seat) - tile)
        seat = seat + 1 if seat + 1 < players else 0


@kernel
def play_with_passes(memory: Octets, coins: Word, players: int, shared: int, seat: int, free: int) -> None:
    """Take the turns of any game; the reserves are used up."""
    own_stock = 0 if shared else 1
    top: Word = DECK
    for turn in range(free):
        while memory[RESERVES + seat] | memory[STOCKS + seat * own_stock] == 0:  # IO-20
            seat = seat + 1 if seat + 1 < players else 0
        pieces, stock = memory[RESERVES + seat], memory[STOCKS + seat * own_stock]
        piece = np.int64(pieces > 0) & (np.int64(coins & ONE) | np.int64(stock == 0))
        coins >>= ONE
        memory[RESERVES + seat] = pieces - piece
        memory[STOCKS + seat * own_stock] = stock - (1 - piece)
        tile = np.int64(memory[top])
        top += 1 - piece
        memory[BOARD + memory[ORDER + turn]] = tile + piece * (piece_of(seat) - tile)
        seat = seat + 1 if seat + 1 < players else 0


@kernel
def score(hw: Handle, seat: int) -> Word:
    """What the pieces of ``seat`` are worth on a full board (IO-13, IO-14)."""
    rows = words(hw)
    owner = np.uint64(FIRST_OWNER + seat)
    total = placed = np.uint64(0)
    for row in range(1, rules.SIDE + 1):
        here, below, above = rows[row] & VALUES_IN, rows[row - 1] & VALUES_IN, rows[row + 1] & VALUES_IN
        around = (here << EIGHT) + (here >> EIGHT) + below + above
        own = (rows[row] >> owner) & LOWEST_BITS
        placed += own
        total += around & (own * OWNED)
    total = (total & EVEN_OCTETS) + ((total >> EIGHT) & EVEN_OCTETS)
    return int((total * LOWEST_OF_PAIRS) >> FORTY_EIGHT) - 4 * NOTHING * int(
        (placed * LOWEST_BITS) >> FIFTY_SIX
    )


@kernel
def play_games(
    hb: Handle,
    hw: Handle,
    counter: Word,
    count: int,
    players: int,
    shared: int,
    enough: int,
    seat: int,
    free: int,
    unseen: int,
    wanted: int,
    reserves: Word,
    totals: Ints,
) -> Word:
    """Play ``count`` games in the memory that ``hb`` and, as words, ``hw`` are handles of, and add their scores to
    ``totals`` (4,); gives the next counter. ``free`` spaces and ``unseen`` tiles are left, of which ``wanted`` can
    come; ``reserves`` are those at the start, in one word, ``enough`` for all or not."""
    memory, whole = octets(hb), words(hw)
    for _ in range(count):
        counter += GAMMA
        coins = scrambled(counter)  # no game has more turns than this has bits
        counter = shuffle(memory, free, unseen, wanted, counter)
        if enough:
            play_evenly(memory, coins, players, seat, free, reserves)
        else:
            whole[RESERVES // 8] = reserves
            play_with_passes(memory, coins, players, shared, seat, free)
        for each in range(players):
            totals[each] += score(hw, each)
    return counter
