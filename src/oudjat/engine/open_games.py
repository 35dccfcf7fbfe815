"""How a bot plays the games in which everybody sees all that there is: Isis, Ramses, Pharao, Senet.

It looks ahead (:mod:`oudjat.engine.deepening`), as far and as surely as its level does (``AHEAD``). The luck of the
dice to come stands in no position that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import atanh
from random import Random
from time import perf_counter
from typing import Any, cast

from oudjat.engine.deepening import Looked, Root, deepen
from oudjat.engine.knowledge import known
from oudjat.engine.levels import AHEAD, LEVELS, Ahead
from oudjat.engine.thought import NOTHING_TO_CHOOSE, Budget, Thought
from oudjat.rules import isis, pharao, ramses, senet
from oudjat.rules.cores import listed
from oudjat.rules.game import Draw, Drew, Position, Turn
from oudjat.rules.layout import HAND

FORCED = 1000
"""So many positions at the most are looked at where there is one choice only."""
RESERVED = 0.004
"""Seconds kept back for what comes before and after a search, or a tenth of short times."""
BARS = {"forbid": 1, "draw": 0}
"""What comes of a repetition, by the option's value; see :class:`oudjat.engine.deepening.Root`."""
SURE = 0.9999
"""Values are doubted up to here; what is certain stays far off."""
CERTAIN = 0.99

Core = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenGame:
    """What a game without secrets has of its own: how its core lists turns, and which turn a code stands for."""

    rules: Any
    turn_of: Callable[[Core, int], Turn]


OPEN_GAMES: dict[str, OpenGame] = {
    "isis": OpenGame(isis.core, lambda _, code: isis.turn_from(code)),
    "ramses": OpenGame(ramses.core, lambda _, code: ramses.turn_of(code)),
    "pharao": OpenGame(pharao.core, lambda core, code: pharao.turn_of(core[HAND], code)),
    "senet": OpenGame(senet.core, lambda core, code: senet.turn_of(core[HAND], code)),
}


def think(
    start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None = None
) -> Thought:
    """See :func:`oudjat.engine.choosing.think`, for a level that exists."""
    began = perf_counter()
    position, past = _replayed(start, tuple(turns))
    choices = position.choices()
    if not choices:
        raise ValueError(NOTHING_TO_CHOOSE)
    if choices == (Draw(),):
        return Thought(choices[0])
    seat, hand = position.to_move, position.asks == "placing" and core_in(position)[HAND]
    randomness = Random(f"{seed} {seat} {position.turns} {hand}")
    codes = codes_of(position)
    randomness.shuffle(codes)
    ahead = AHEAD[start.game.id][level]
    best = known(position) if level == list(LEVELS)[-1] else None
    if best is not None:
        codes = [code for code in codes if code in best.codes]
    bars = BARS.get(position.options.get("repetition", ""), -1)
    root = Root(start.game.id, core_in(position), tuple(codes), past, bars)
    looked = _looked(root, _allowed(ahead, budget, len(codes)), began)
    turn_of = OPEN_GAMES[start.game.id].turn_of
    code, worth = _chosen(looked, ahead, randomness)
    line = tuple(turn_of(root.core, step) for step in (looked.line if looked.line[0] == code else (code,)))
    if best is not None:
        return Thought(line[0], best.value, None, looked.tried, line, exact=True)
    sure = abs(worth) > CERTAIN
    value = float(worth > 0) if sure else (worth + 1) / 2
    return Thought(line[0], value, None, looked.tried, line, exact=sure and position.game.chance is None)


def get_ready(start: Position, level: str) -> None:
    """Load what the level needs to play from this start."""
    steps = list[Turn]()
    if start.choices() == (Draw(),):
        steps = [Draw(), start.apply(Draw()).chance()[0][0]]
    think(start, steps, level, 0, Budget(playouts=200))


def core_in(position: Position) -> Core:
    """The core of a position of a game without secrets."""
    return cast("Core", cast(Any, position).core)


def codes_of(position: Position) -> list[int]:
    """The codes of all choices, in the order in which the core lists them.

    >>> codes_of(senet.SENET.start().apply(Draw()).apply(Drew("4")))
    [235, 301]
    """
    game, core, choices = OPEN_GAMES[position.game.id], core_in(position), set(position.choices())
    codes = [code for code in listed(game.rules, core) if game.turn_of(core, code) in choices]
    return codes or [game.rules.PASS]  # of Isis, when repetition bars all the others


def _replayed(start: Position, turns: tuple[Turn, ...]) -> tuple[Position, tuple[Core, ...]]:
    """The position after these turns, and the cores before each whole one.

    A game that goes on is followed from where it was whole last, so that late turns are followed as fast as early ones.
    """
    begun, followed, position, past = _latest[0] if _latest else (start, (), start, ())
    if begun != start or turns[: len(followed)] != followed:
        followed, position, past = (), start, ()
    cores = list(past)
    for number in range(len(followed), len(turns)):
        turn = turns[number]
        if not isinstance(turn, Draw | Drew):
            cores.append(core_in(position))
            position, past = position.follow(turn), tuple(cores)
            continue
        _latest[:] = [(start, turns[:number], position, past)]
        for step in turns[number:]:
            position = position.follow(step)
        return position, past
    _latest[:] = [(start, turns, position, past)]
    return position, past


_latest: list[tuple[Position, tuple[Turn, ...], Position, tuple[Core, ...]]] = []
"""The game that was followed last, as far as it was whole: its start, turns, position and cores."""


def _allowed(ahead: Ahead, budget: Budget | None, choices: int) -> tuple[Ahead, float | None]:
    """How a level looks ahead within a budget, and in which time."""
    seconds = budget.seconds if budget else None
    positions = ahead.positions
    if budget and budget.playouts is not None:
        positions = (
            budget.playouts if ahead.depth is None else min(budget.playouts, positions or budget.playouts)
        )
    elif seconds is not None and ahead.depth is None:
        positions = None
    if choices == 1:
        positions = min(FORCED, positions or FORCED)
    return replace(ahead, positions=positions), seconds


def _looked(root: Root, allowed: tuple[Ahead, float | None], began: float) -> Looked:
    ahead, seconds = allowed
    if seconds is not None:
        seconds = max(0.0005, seconds - (perf_counter() - began) - min(RESERVED, seconds / 10))
    return deepen(
        root, depth=ahead.depth, positions=ahead.positions, seconds=seconds, all_of_them=ahead.doubt > 0
    )


def _chosen(looked: Looked, ahead: Ahead, randomness: Random) -> tuple[int, float]:
    """What a level takes of what it has found: a win that it sees always."""
    best = looked.worths[0]
    if best[1] > CERTAIN:
        return best
    if randomness.random() < ahead.slips:
        return randomness.choice(looked.worths)
    if ahead.doubt == 0.0:
        return best
    doubted = [
        (2 * atanh(max(-SURE, min(SURE, worth))) + randomness.gauss(0.0, ahead.doubt), number)
        for number, (_, worth) in enumerate(looked.worths)
    ]
    return looked.worths[max(doubted)[1]]
