"""The levels of play: what each remembers and how it thinks. How a level chooses: :mod:`oudjat.engine.choosing`.

The numbers were found by play: keeping tiles for later gains the priest about 3 points a game, and ``patience``
hardly matters between 0.4 and 1. A ``sight`` of 3 would gain 3 points more; the priest leaves them to the vizier, so
that each level is about as far above the one below. How they compare: docs/engine.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from oudjat.engine.memory import PERFECT, Memory


@dataclass(frozen=True, slots=True)
class Search:
    """How a level searches when nobody tells it how long: so many ``playouts``, and by the exact solver when no
    more than ``exact`` spaces are free with two players, or ``exact_many`` with more. With ``doubt`` it is not sure
    of what it found: so far, as a standard deviation of the share of the win, its values are off in an even game."""

    playouts: int
    exact: int
    exact_many: int
    doubt: float = 0.0


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays.

    ``sight`` is how many turns it weighs, its own included; ``rivalry`` how much the points of others count
    against it (0: it minds its own gain only); ``patience`` how much a gain one turn later counts beside one
    now; ``kept_tile`` how many points a tile is worth while it stays in the own stock: the later it is placed,
    the more pieces it can lie beside. When the last spaces are within sight, both give way to the plain sum of
    points to the end. A level with a ``search`` does all this by tree search and exact endgames instead, and
    needs these numbers only where a placed value is withheld from everybody, which no search can bear.
    """

    name: str
    memory: Memory
    sight: int = 0
    rivalry: float = 1.0
    patience: float = 0.7
    kept_tile: float = 0.0
    search: Search | None = None


LEVELS: dict[str, Level] = {
    level.name: level
    for level in (
        Level("novice", Memory(half_life=3, penalty=0.8), sight=1, rivalry=0.0),
        Level("scribe", Memory(half_life=14, penalty=1.2), sight=2),
        Level("priest", PERFECT, sight=2, kept_tile=0.4),
        Level(
            "vizier",
            PERFECT,
            sight=3,
            kept_tile=0.4,
            search=Search(playouts=1, exact=3, exact_many=3, doubt=0.035),
        ),
        Level(
            "pharaoh", PERFECT, sight=3, kept_tile=0.4, search=Search(playouts=4000, exact=8, exact_many=5)
        ),
    )
}
"""Every level, from the weakest to the strongest; a further one is a further line."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """How a level plays a game that it looks ahead in: so many turns deep at the most, its own included, trying at
    most so many ``positions`` (None: no limit). ``doubt`` is by how much its values are off, as a standard deviation
    of the logarithm of the chances; ``slips`` in which share of its turns it takes any, unless it sees a win."""

    depth: int | None = None
    positions: int | None = None
    doubt: float = 0.0
    slips: float = 0.0


def _ahead(*levels: Ahead) -> dict[str, Ahead]:
    return dict(zip(LEVELS, levels, strict=True))


AHEAD: dict[str, dict[str, Ahead]] = {
    "isis": _ahead(
        Ahead(depth=1, doubt=1.5, slips=0.25),
        Ahead(depth=1, doubt=0.7, slips=0.05),
        Ahead(depth=2, doubt=0.5, slips=0.02),
        Ahead(depth=3, doubt=0.2),
        Ahead(positions=200_000),
    ),
    "ramses": _ahead(
        Ahead(depth=1, doubt=1.0, slips=0.3),
        Ahead(depth=1, doubt=0.5, slips=0.1),
        Ahead(depth=2, doubt=0.4, slips=0.02),
        Ahead(depth=3, doubt=0.2),
        Ahead(positions=200_000),
    ),
    "pharao": _ahead(
        Ahead(depth=1, doubt=1.0, slips=0.75),
        Ahead(depth=1, doubt=0.7, slips=0.5),
        Ahead(depth=1, doubt=0.4, slips=0.25),
        Ahead(depth=1, doubt=0.2, slips=0.08),
        Ahead(positions=200_000),
    ),
    "senet": _ahead(
        Ahead(depth=1, doubt=0.2, slips=1.0),
        Ahead(depth=1, doubt=0.1, slips=0.5),
        Ahead(depth=1, doubt=0.05, slips=0.25),
        Ahead(depth=2),
        Ahead(positions=100_000),
    ),
}
"""How each level plays the games without secrets, by the game's id. The numbers were found by play. What counts is
worth little in a turn of Senet, so small doubts are great ones there; and much of Senet is luck."""
