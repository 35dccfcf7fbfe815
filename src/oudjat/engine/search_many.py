"""Tree search for any number of players, compiled: Monte Carlo tree search over chance, max^n, played out by habit.

A node is a position in which somebody chooses: a turn, or the space for the tile that he has turned over. Turning
over is one turn; which tile comes in a visit is dealt out by share, not drawn. Everybody takes the turn with the
highest mean of what *he* got out of its visits, plus a bonus that is larger for what looks promising before it is
tried and was visited little (PUCT: Rosin 2011; Silver and others 2016). A turn never tried counts a little less than
its node. New positions are played to the end by habit (:mod:`oudjat.engine.habits`), which together with the next
seat's best reply also says what looks promising.

At the root, what exact expectation three turns deep makes of each turn (:mod:`oudjat.engine.expectation`) leads the
visits and counts beside their mean, less and less the more visits there are. Near the end the tree stands alone.

What a seat gets is its share of the win with a part of its margin over the best other, from 0 to 1; the fewer
spaces are free, the less the margin counts. The search knows what lies where, the reserves and which values have not
been seen: nothing of the order in which they come.
"""

from __future__ import annotations

from time import monotonic

import numpy as np

from oudjat.engine.compiled import core_array
from oudjat.engine.expectation import DRAW, IMPOSSIBLE, TURNS, foresee, regards
from oudjat.engine.habits import (
    COMMON,
    HABITS,
    LEFT,
    MOVER,
    NEXT_PIECES,
    NEXT_SUM,
    OPEN,
    SEATS,
    pass_on,
    position_of,
)
from oudjat.engine.levels import LEVELS
from oudjat.engine.many_tree import LEAN, MARGIN_SHARE, MOST_ARMS, VISITS, WARMTH, visit
from oudjat.engine.thought import Weighed
from oudjat.rules.game import Draw
from oudjat.rules.isis_osiris import (
    BOARD,
    MOST_SEATS,
    SPACES,
    TILE,
    TO_MOVE,
    IsisOsirisPosition,
    Pass,
    PlacePiece,
    PlaceTile,
)

SETTINGS = np.array([0.4, 0.1, 1.5, 0.8, 20.0, 0.6, 0.5, 0.04])
"""By the names of :mod:`oudjat.engine.many_tree`; found by play against the level priest."""
LEAST_MARGIN_SHARE, MARGIN_FADES = 0.05, (4, 24)
"""How much the margin counts at the end; between which numbers of free spaces at the root it fades."""
STANDS_ALONE = 6
"""With so many free spaces, or fewer, expectation is not asked."""

MOST_NODES, MOST_EDGES = 600_000, 6_000_000
"""A full tree takes 130 MB; memory is touched as the tree grows."""
FIRST_VISITS, LONGEST_PART = 8, 0.004
"""With a clock: visits at first, then the most seconds between two looks at it."""

FORESIGHT_SECONDS = 0.06
"""What expectation three turns deep may take on the empty board; it falls with the cube of the free spaces."""
PRIEST = LEVELS["priest"]
"""Who looks into the future as expectation does here."""


class ManyTree:
    """The tree that grows from one position; see :func:`search_many`."""

    def __init__(self, core: tuple[int, ...], seed: int, most_visits: int | None = None) -> None:
        self._core = core
        self._turns = IsisOsirisPosition(core).choices()
        if not self._turns:
            raise ValueError("there is nothing to choose: the game is over, or chance has to speak first")
        if TILE in core[BOARD:]:
            raise ValueError("a placed value is withheld: only what is known can be searched")
        self._root = position_of(core)
        if self._turns == (Pass(),):
            pass_on(self._root)
        least, most = MARGIN_FADES
        fade = min(1.0, max(0.0, (int(self._root[LEFT]) - least) / (most - least)))
        self._settings = SETTINGS.copy()
        self._settings[MARGIN_SHARE] *= fade
        self._settings[MARGIN_SHARE] += LEAST_MARGIN_SHARE * (1.0 - fade)
        nodes, edges = MOST_NODES, MOST_EDGES
        if most_visits is not None:
            nodes = min(nodes, 2 * most_visits + 2)
            edges = min(edges, (nodes + 1) * MOST_ARMS)
        self._chance = np.array([(seed * 2 + 1) * 0x9E3779B97F4A7C15 % 2**64], np.uint64)
        self._tree = np.zeros(3, np.int64)
        self._first_edge, self._node_visits = np.empty(nodes, np.int32), np.empty(nodes, np.int32)
        self._node_total = np.empty(nodes)
        self._child, self._edge_visits = np.empty(edges, np.int32), np.empty(edges, np.int32)
        self._total, self._promise = np.empty(edges), np.empty(edges, np.float32)
        self._lean, self._sums = np.zeros(MOST_ARMS), np.zeros(2 * MOST_SEATS)
        self._shares, self._margins = np.zeros(MOST_ARMS), np.zeros(MOST_ARMS)
        self.grow(0)

    @property
    def visits(self) -> int:
        """How often it was visited."""
        return int(self._tree[VISITS])

    def grow(self, visits: int) -> None:
        """Visit it so many more times."""
        with np.errstate(over="ignore"):  # chance goes round when the compiler is switched off, too
            visit(self._root, HABITS, self._settings, visits, self._chance, self._tree, self._first_edge,
                  self._node_visits, self._node_total, self._child, self._edge_visits, self._total, self._promise,
                  self._lean, self._shares, self._margins, self._sums)  # fmt: skip

    def look_ahead(self, seconds: float | None) -> None:
        """Ask exact expectation first: three turns deep, or two where three could take a third of ``seconds``."""
        root = self._root
        free = int(root[LEFT])
        if free <= STANDS_ALONE:
            return
        long = seconds is not None and FORESIGHT_SECONDS * (free / SPACES) ** 3 > seconds / 3
        regard = regards(int(root[SEATS]), PRIEST.rivalry)
        sums = root[NEXT_SUM : NEXT_SUM + SPACES].astype(np.float64)
        beside = root[NEXT_PIECES : NEXT_PIECES + MOST_SEATS * SPACES].astype(np.float64)
        outlook = np.array([PRIEST.patience, 0.0 if root[COMMON] else PRIEST.kept_tile])
        values = np.empty(TURNS)
        state = core_array(self._core)
        state[TO_MOVE] = root[MOVER]
        foresee(
            state,
            sums,
            beside.reshape(MOST_SEATS, SPACES),
            regard,
            outlook,
            2 if long else 3,
            np.empty(MOST_SEATS),
            values,
        )
        worth = values[[space for space in range(SPACES) if root[OPEN] >> space & 1] + [DRAW]]
        worth -= worth.max()
        self._lean[: free + 1] = np.where(worth < IMPOSSIBLE / 2, 0.0, self._settings[LEAN] * worth)
        arms = free if worth[-1] < IMPOSSIBLE / 2 else free + 1
        likely = np.exp(worth[:arms] / self._settings[WARMTH])
        self._promise[:arms] = likely / likely.sum()

    def weighed(self) -> list[Weighed]:
        """Every turn of the position, those visited most first."""
        made = max(1, self.visits)
        mover = self._core[TO_MOVE]
        mean, ahead = float(self._sums[mover]) / made, float(self._sums[4 + mover]) / made
        found = []
        for turn in self._turns:
            match turn:
                case PlacePiece(space) | PlaceTile(_, space):
                    arm = (int(self._root[OPEN]) & ((1 << space) - 1)).bit_count()
                case Draw():
                    arm = int(self._root[LEFT])
                case _:
                    found.append(Weighed(turn, mean, ahead, self.visits))
                    continue
            count = int(self._edge_visits[arm])
            value, margin = mean, ahead
            if count:
                value, margin = float(self._shares[arm]) / count, float(self._margins[arm]) / count
            found.append(Weighed(turn, value, margin, count))
        return sorted(found, key=lambda weighed: (-weighed.visits, -weighed.value, -weighed.margin))


def search_many(
    core: tuple[int, ...], playouts: int | None, seconds: float | None, seed: int
) -> list[Weighed]:
    """Weigh every turn open to the player to move, best first: those visited most.

    ``core`` is a position's, all its placed values known. The search ends after ``playouts`` games or ``seconds``,
    whichever is first; with ``playouts`` alone the same arguments always give the same. Raises ValueError when the
    game is over, when chance has to speak first, when a placed value is withheld, or without any limit.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> found = search_many(ISIS_OSIRIS.start(players=3).core, playouts=50, seconds=None, seed=1)
    >>> len(found), sum(weighed.visits for weighed in found)
    (37, 50)
    """
    if playouts is None and seconds is None:
        raise ValueError("give a number of playouts, or seconds")
    began = monotonic()
    tree = ManyTree(core, seed, playouts)
    tree.look_ahead(seconds)
    if seconds is None:
        tree.grow(playouts or 0)
        return tree.weighed()
    ends, part = began + seconds, FIRST_VISITS
    while playouts is None or tree.visits < playouts:
        now = monotonic()
        if now >= ends and tree.visits:
            break
        tree.grow(part if playouts is None else min(part, playouts - tree.visits))
        took = max(monotonic() - now, 1e-6)
        part = max(1, min(4 * part, int(part / took * min(LONGEST_PART, max(ends - now - took, 0.0)))))
    return tree.weighed()
