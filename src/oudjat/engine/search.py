"""Looking for the best turn of Isis & Osiris by tree search, for those who remember everything.

Two players search with the learned value (:mod:`oudjat.engine.search_two`), three and four with
:mod:`oudjat.engine.search_many`. What is read is a core: what lies where, the reserves, and which tiles have not been
seen. In which order those will come stands in no core.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import erf, sqrt
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oudjat.engine import endgame_last as at
from oudjat.engine import search_two as tree
from oudjat.engine.alarm import Alarm
from oudjat.engine.compiled import neighbour_masks
from oudjat.engine.endgame_rest import Rest, rest_of
from oudjat.engine.evaluation import learned
from oudjat.engine.raw import Floats, Ints
from oudjat.engine.thought import Weighed
from oudjat.rules.game import Draw, Turn
from oudjat.rules.isis_osiris import EMPTY_HAND, HAND, SPACES, VALUES, PlacePiece, PlaceTile

CURIOSITY = 0.1
"""How much is visited for being visited little; found by play, see docs/engine.md."""
MARGIN_SHARE = 0.03
"""How much of a utility is the margin: enough to go on counting points when the game is decided."""
MOST_NODES, MOST_EDGES = 400_000, 25_000_000
"""A tree grows to about 350 MB and no further."""
FOREVER = 1 << 40
NEARLY = 5e-4
"""Turns whose values differ by less than this are equally good to choose from."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a search found: every turn, best first, how many visits it made in all, and the play it expects."""

    turns: tuple[Weighed, ...]
    playouts: int
    line: tuple[Turn, ...]


def search_two(
    core: tuple[int, ...], *, playouts: int | None = None, seconds: float | None = None, seed: int = 0
) -> Looked:
    """Search a position of two players in which somebody chooses, with four free spaces or more.

    Stops after ``playouts`` visits or ``seconds``, whichever is first; one of them has to be given. Without
    ``seconds`` the same arguments give the same answer; ``seed`` decides among turns that are nearly equally good.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> looked = search_two(ISIS_OSIRIS.start().core, playouts=50)
    >>> looked.playouts, len(looked.turns), 0.4 < looked.turns[0].value < 0.6
    (50, 37, True)
    """
    if playouts is None and seconds is None:
        raise ValueError("a search needs a number of playouts or of seconds")
    rest = rest_of(core)
    kind = open_kind(core)
    grown = _Tree(len(rest.spaces), None if seconds is not None else playouts)
    w, root = layout(rest), root_position(rest, kind)
    with Alarm(seconds, grown.stop):
        tree.search(
            w, np.zeros(at.FLOATS), learned()[0], _utilities(), root, CURIOSITY,
            FOREVER if playouts is None else playouts, *grown.arrays,
        )  # fmt: skip
    options = _options(grown, rest, root, kind)
    best = max(_cautious(option) for option in options)
    randomness = Random(f"{seed} {core}")
    near = [randomness.random() if _cautious(option) >= best - NEARLY else -1.0 for option in options]
    order = sorted(range(len(options)), key=lambda number: (-near[number], -_cautious(options[number])))
    turns = tuple(_weighed(options[number], len(rest.spaces)) for number in order)
    return Looked(turns, int(grown.numbers[tree.VISITS]), _line(grown, w, root, turns[0].turn))


class _Tree:
    """The arrays of a tree: see :func:`oudjat.engine.search_two.search`. Memory is used as the tree grows."""

    def __init__(self, free: int, playouts: int | None) -> None:
        nodes = MOST_NODES if playouts is None else min(MOST_NODES, playouts + 2)
        edges = min(MOST_EDGES, nodes * tree.ROWS * free) + tree.ROWS * SPACES
        self.numbers = np.zeros(tree.TREE, np.int64)
        self.first_edge = np.zeros(nodes, np.int64)
        self.values = np.zeros(nodes)
        self.tops = np.zeros((nodes, tree.ROWS))
        self.row_visits = np.zeros((nodes, tree.ROWS), np.int32)
        self.visits = np.zeros(edges, np.int32)
        self.child = np.zeros(edges, np.int32)
        self.edge_value = np.zeros(edges, np.float32)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All of them, in the order in which the search takes them."""
        return (
            self.numbers, self.first_edge, self.values, self.tops, self.row_visits,
            self.visits, self.child, self.edge_value,
        )  # fmt: skip

    def stop(self) -> None:
        """Let the search end after the visit it is at."""
        self.numbers[tree.STOP] = 1


_Option = tuple[Turn, float, int]
"""A turn with its utility and its visits."""


def _cautious(option: _Option) -> float:
    """The utility of a turn, less for one that was visited little."""
    return option[1] - 0.5 * CURIOSITY / sqrt(option[2] + 1)


def open_kind(core: tuple[int, ...]) -> int:
    """The kind of the tile that lies open, -1 when none does."""
    return VALUES.index(core[HAND]) if core[HAND] != EMPTY_HAND else -1


def layout(rest: Rest) -> Ints:
    """The integers that kernels walk with, every space of the board in its place."""
    w = np.zeros(at.NUMBERS, np.int64)
    w[at.NEAR : at.NEAR + SPACES] = neighbour_masks()
    spaces = list(rest.spaces)
    w[[at.SUMS + space for space in spaces]] = rest.sums
    w[[at.BALANCE + space for space in spaces]] = rest.beside[:, 0] - rest.beside[:, 1]
    w[at.SHARED] = rest.shared
    return w


def root_position(rest: Rest, kind: int) -> Ints:
    """The position as the search takes it. A tile that lies open goes back to the unseen ones and into the stock;
    its kind stands beside, so that nothing else can be placed first."""
    position = np.zeros(tree.POSITION, np.int64)
    open_tile = int(kind >= 0)
    unseen = list(rest.unseen)
    if open_tile:
        unseen[kind] += 1
    mover, other = rest.mover, 1 - rest.mover
    position[tree.FREE] = sum(1 << space for space in rest.spaces)
    position[tree.LEFT] = len(rest.spaces)
    position[tree.SIGN] = rest.sign
    position[tree.UNSEEN] = sum(held << (4 * number) for number, held in enumerate(unseen))
    position[tree.PIECES] = rest.pieces[mover]
    position[tree.TILES] = rest.tiles[mover] + open_tile
    position[tree.OTHER_PIECES] = rest.pieces[other]
    position[tree.OTHER_TILES] = rest.tiles[other] + open_tile * rest.shared
    position[tree.LEAD] = rest.lead * rest.sign
    position[tree.KIND] = kind
    return position


def _options(grown: _Tree, rest: Rest, root: Ints, kind: int) -> list[_Option]:
    """Every turn that can be taken at the root."""
    spaces = rest.spaces
    row = kind + 1
    first = row * len(spaces)
    found: list[_Option] = []
    if kind >= 0 or root[tree.PIECES] > 0:
        for number, space in enumerate(spaces, first):
            turn = PlaceTile(VALUES[kind], space) if kind >= 0 else PlacePiece(space)
            found.append((turn, float(grown.edge_value[number]), int(grown.visits[number])))
    if kind < 0 and root[tree.TILES] > 0:
        worth = float(tree.worth_of_draw(0, root, grown.tops))
        found.append((Draw(), worth, int(grown.row_visits[0, 1:].sum())))
    return found


def _line(grown: _Tree, w: Ints, root: Ints, first: Turn) -> tuple[Turn, ...]:
    """The play that the tree expects, up to the next tile turned over."""
    line, w, position, node = [first], w.copy(), root.copy(), 0
    turn = first
    while not isinstance(turn, Draw):
        assert isinstance(turn, PlacePiece | PlaceTile)
        row = int(position[tree.KIND]) + 1
        left, free = int(position[tree.LEFT]), int(position[tree.FREE])
        place = int(grown.first_edge[node]) + row * left + (free & ((1 << turn.space) - 1)).bit_count()
        node = int(grown.child[place])
        if grown.visits[place] == 0 or node <= 0:
            break
        tree.follow(w, position, turn.space, row)
        if position[tree.PIECES] == 0 or tree.worth_of_draw(node, position, grown.tops) > grown.tops[node, 0]:
            turn = Draw()
        else:
            first_edge = int(grown.first_edge[node])
            edges = grown.edge_value[first_edge : first_edge + left - 1]
            spaces = [space for space in range(SPACES) if int(position[tree.FREE]) >> space & 1]
            turn = PlacePiece(spaces[int(np.argmax(edges))])
        line.append(turn)
    return tuple(line)


@cache
def _utilities() -> Floats:
    """What an expected final margin is worth, by free spaces and steps of a margin: the chance that the result is
    above 0 when it scatters normally, and a little of the margin itself."""
    scatter = learned()[1]
    margins = _margins()
    table = np.zeros((SPACES + 1, len(margins)))
    for free in range(SPACES + 1):
        won = np.array([_won(margin, scatter[free]) for margin in margins])
        table[free] = (1 - MARGIN_SHARE) * won + MARGIN_SHARE * (0.5 + margins / (2 * tree.WORTH_REACH))
    return table


def _margins() -> Floats:
    return np.arange(2 * tree.WORTH_REACH * tree.WORTH_STEPS + 1) / tree.WORTH_STEPS - tree.WORTH_REACH


def _won(margin: float, scatter: float) -> float:
    """The chance of a result above 0."""
    return 0.5 * (1 + erf(margin / (sqrt(2) * max(scatter, 0.3))))


def _weighed(option: _Option, free: int) -> Weighed:
    """A turn with its utility taken apart again."""
    turn, worth, visits = option
    margin = float(np.interp(worth, _utilities()[free], _margins()))
    return Weighed(turn, _won(margin, learned()[1][free]), margin, visits)
