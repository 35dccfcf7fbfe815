"""How much a player remembers, as far as a game's record tells: where he put his pieces, measured by the tiles that
everybody had seen.

Each tile of Isis & Osiris is seen once and then lies face down. Who remembers them all knows of each free space what
the tiles beside it are worth together. So for each piece that a player places, the free spaces are ranked by that sum;
the space he took counts from -1 (the worst) over 0 (as by chance) to 1 (the best). The mean over many pieces is his
*recall*: it is not memory alone, since a player may want a space for another reason, but without memory it is 0.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from oudjat.rules.game import Position, Turn
from oudjat.rules.isis_osiris import ISIS_OSIRIS, SPACE_NAMES, PlacePiece, PlaceTile, neighbours


def recall_of(
    start: Position, turns: Iterable[Turn], others: Container[int] = ()
) -> dict[int, tuple[float, int]]:
    """For each seat that placed a piece where there was something to remember: the sum of what its placements count,
    and how many there were. Empty for games in which nothing is to be remembered. ``turns`` are whole ones, no
    value withheld; ``others`` tells which of them, counted from 0, somebody else took for the seat: they do not count.

    >>> game = ISIS_OSIRIS.start(2)
    >>> counted = recall_of(game, map(ISIS_OSIRIS.read, ["+3c4", "-2d1", "Pc3", "Pd2"]))
    >>> {seat: (round(total, 2), number) for seat, (total, number) in counted.items()}
    {1: (0.91, 1), 2: (-0.94, 1)}
    """
    if start.game.id != ISIS_OSIRIS.id or start.options.get("memory") != "strict":
        return {}
    found: dict[int, tuple[float, int]] = {}
    values: dict[int, int] = {}
    free = set(range(len(SPACE_NAMES)))
    position = start
    for at, turn in enumerate(turns):
        seat = position.to_move
        if isinstance(turn, PlacePiece) and seat is not None:
            counted = None if at in others else _counted(turn.space, free, values)
            if counted is not None:
                total, number = found.get(seat, (0.0, 0))
                found[seat] = total + counted, number + 1
            free.discard(turn.space)
        elif isinstance(turn, PlaceTile) and turn.value is not None:
            values[turn.space] = turn.value
            free.discard(turn.space)
        position = position.follow(turn)
    return found


def _counted(taken: int, free: set[int], values: dict[int, int]) -> float | None:
    """What taking a space counts among those that are free; None where all were worth the same."""
    worth = {space: sum(values.get(near, 0) for near in neighbours(space)) for space in free}
    if len(set(worth.values())) < 2:
        return None
    less = sum(other < worth[taken] for other in worth.values())
    alike = sum(other == worth[taken] for other in worth.values()) - 1
    return 2 * (less + alike / 2) / (len(free) - 1) - 1
