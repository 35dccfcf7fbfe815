"""What is known for certain of a game: the one place where a game may say so before anybody looks ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from oudjat.rules.cores import after, listed
from oudjat.rules.game import Position


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The best turns by their codes, all equally good as far as is known, and the share of the win that they bring."""

    codes: frozenset[int]
    value: float


def known(position: Position) -> Knowledge | None:
    """What is known of a position in which somebody chooses; None where nothing is."""
    knows = KNOWN.get(position.game.id)
    return knows(position) if knows else None


def _ramses(position: Position) -> Knowledge | None:
    """From the table of Ramses: the soonest win, else every turn that keeps the draw, else the latest loss.

    It tells of games in which a third repetition is a draw.
    """
    from oudjat.engine import ramses_table as table
    from oudjat.rules.ramses import RamsesPosition
    from oudjat.rules.ramses import core as rules

    assert isinstance(position, RamsesPosition)
    mover = position.core[rules.TO_MOVE]
    worths: dict[int, tuple[float, int]] = {}
    for code in listed(rules, position.core):
        core = after(rules, position.core, code)
        if core[rules.WINNERS]:
            value = {1 << mover: 1.0, 2 >> mover: 0.0}.get(core[rules.WINNERS], 0.5)
            worths[code] = (value, 0)
            continue
        found = table.known(RamsesPosition(core, position.chosen))
        if found is None:
            return None
        ends = found.turns or 0
        worths[code] = {"loss": (1.0, -ends), "draw": (0.5, 0), "win": (0.0, ends)}[found.value]
    best = max(worths.values())
    return Knowledge(frozenset(code for code, worth in worths.items() if worth == best), best[0])


KNOWN: dict[str, Callable[[Position], Knowledge | None]] = {"ramses": _ramses}
"""Who knows something, by the game's id."""
