"""A plain solver of endgames, to check the engine's by: every turn is tried, every position met is remembered.

It shares nothing with the engine, neither kernels nor tricks, and is exact: it reckons in whole numbers, a value
being held times the number of orders in which the tiles still unseen can come (:func:`orders`). Each seat plays
for its own objective; among turns that are equally good for him a player takes the one that is worst for the
seat after him, then worst for the one after that, and so on.

:func:`by_the_rules` is plainer still: a recursion over the public face of positions.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import perm
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from oudjat.rules.game import Draw, Turn
from oudjat.rules.isis_osiris import (
    BOARD,
    EMPTY_HAND,
    FREE_SPACE,
    HAND,
    ISIS_OSIRIS,
    PIECES,
    SHARED,
    SPACES,
    TILES,
    TO_MOVE,
    TURNING,
    UNSEEN,
    VALUES,
    IsisOsirisPosition,
    Pass,
    PlacePiece,
    PlaceTile,
    neighbours,
    tile_value,
)

Whole = tuple[int, ...]
Held = TypeVar("Held")

NEAR = tuple(neighbours(space) for space in range(SPACES))
WIN = 12
"""A whole win in whole numbers: it can be shared by 2, 3 and 4."""


def orders(unseen: int, free: int) -> int:
    """In how many orders the unseen tiles can come before the board is full, equal ones told apart."""
    return perm(unseen, min(unseen, free))


def results(scores: Whole, objective: str) -> Whole:
    """What the final scores are worth to each seat: points ahead of the best other, or parts of a win."""
    if objective == "margin":
        return tuple(score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores))
    best = max(scores)
    return tuple(WIN // scores.count(best) if score == best else 0 for score in scores)


def preference(values: Whole | tuple[Fraction, ...], seat: int) -> tuple[int | Fraction, ...]:
    """How much ``seat`` likes these values: its own first, then the least for the next seats in turn order."""
    others = [-values[(seat + step) % len(values)] for step in range(1, len(values))]
    return (values[seat], *others)


class State(NamedTuple):
    """All that counts for the rest of a game.

    Of each free space: what a piece there is worth by the tiles placed, and how many pieces of each seat lie
    beside it. ``scores`` are those by the tiles placed, the lowest taken off. ``stocks`` holds one number when
    the stock is shared.
    """

    free: Whole
    worth: Whole
    beside: tuple[Whole, ...]
    scores: Whole
    unseen: Whole
    pieces: Whole
    stocks: Whole
    seat: int


def state_of(position: IsisOsirisPosition) -> State:
    """The state of a position, but for the tile in hand."""
    core, players = position.core, position.players
    free = tuple(space for space in range(SPACES) if core[BOARD + space] == FREE_SPACE)
    scores = position.standing
    assert scores is not None
    return State(
        free,
        tuple(sum(tile_value(core[BOARD + near]) for near in neighbours(space)) for space in free),
        tuple(
            tuple(
                sum(core[BOARD + near] == seat + 1 for near in neighbours(space)) for seat in range(players)
            )
            for space in free
        ),
        lowered(scores),
        tuple(core[UNSEEN + 4 + value] for value in VALUES),
        core[PIECES : PIECES + players],
        core[TILES : TILES + (1 if core[SHARED] else players)],
        core[TO_MOVE],
    )


def lowered(scores: Whole) -> Whole:
    """The scores with the lowest taken off: for either objective only differences count."""
    lowest = min(scores)
    return tuple(score - lowest for score in scores)


def without(row: tuple[Held, ...], place: int) -> tuple[Held, ...]:
    return row[:place] + row[place + 1 :]


def fewer(counts: Whole, place: int) -> Whole:
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])


def after_piece(state: State, index: int) -> State:
    """The seat to move has placed a piece on the free space at ``index``."""
    free, worth, beside, scores, unseen, pieces, stocks, seat = state
    near = NEAR[free[index]]
    beside = tuple(
        [
            (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :]) if space in near else counts
            for space, counts in zip(free, beside, strict=True)
            if space != free[index]
        ]
    )
    scores = lowered((*scores[:seat], scores[seat] + worth[index], *scores[seat + 1 :]))
    pieces = fewer(pieces, seat)
    seat = (seat + 1) % len(scores)
    return State(without(free, index), without(worth, index), beside, scores, unseen, pieces, stocks, seat)


def after_tile(state: State, index: int, value: int) -> State:
    """The seat to move has turned over a tile of this value and placed it at ``index``."""
    free, worth, beside, scores, unseen, pieces, stocks, seat = state
    near = NEAR[free[index]]
    worth = tuple(
        [
            here + value if space in near else here
            for space, here in zip(free, worth, strict=True)
            if space != free[index]
        ]
    )
    scores = lowered(
        tuple([score + value * count for score, count in zip(scores, beside[index], strict=True)])
    )
    unseen = fewer(unseen, VALUES.index(value))
    stocks = fewer(stocks, seat % len(stocks))
    seat = (seat + 1) % len(scores)
    return State(without(free, index), worth, without(beside, index), scores, unseen, pieces, stocks, seat)


@dataclass(slots=True)
class Memo:
    """What is known of the states met, and how many of them had to be passed."""

    objective: str
    known: dict[State, Whole] = field(default_factory=dict)
    passes: int = 0

    def value(self, state: State) -> Whole:
        """What each seat can expect, times :func:`orders` (and :data:`WIN`)."""
        found = self.known.get(state)
        if found is None:
            if state.free:
                values = self.turns(state).values()
                found = max(values, key=lambda vector: preference(vector, state.seat))
            else:
                found = results(state.scores, self.objective)
            self.known[state] = found
        return found

    def turns(self, state: State) -> dict[Turn, Whole]:
        """Every turn open to the seat to move, and what it is worth to each seat."""
        found: dict[Turn, Whole] = {}
        if state.pieces[state.seat]:
            unseen, free = sum(state.unseen), len(state.free)
            factor = orders(unseen, free) // orders(unseen, free - 1)
            for index, space in enumerate(state.free):
                values = self.value(after_piece(state, index))
                found[PlacePiece(space)] = tuple(factor * value for value in values)
        if state.stocks[state.seat % len(state.stocks)]:
            totals = [0] * len(state.scores)
            for value, count in zip(VALUES, state.unseen, strict=True):
                if count:
                    placings = self.placings(state, value).values()
                    best = max(placings, key=lambda vector: preference(vector, state.seat))
                    totals = [total + count * part for total, part in zip(totals, best, strict=True)]
            found[Draw()] = tuple(totals)
        if not found:
            self.passes += 1
            found[Pass()] = self.value(state._replace(seat=(state.seat + 1) % len(state.scores)))
        return found

    def placings(self, state: State, value: int) -> dict[Turn, Whole]:
        """Every placing of a tile turned over, worth as seen after it came."""
        return {
            PlaceTile(value, space): self.value(after_tile(state, index, value))
            for index, space in enumerate(state.free)
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What each seat can expect, in seat order, what each turn is worth to the player to move, and how much
    was met on the way."""

    value: tuple[float, ...]
    turns: dict[Turn, float]
    states: int
    passes: int


def solve(position: IsisOsirisPosition, objective: str = "margin") -> Answer:
    """Exact play from ``position``, as :func:`oudjat.engine.endgame.solve` promises it."""
    hand, seat = position.core[HAND], position.core[TO_MOVE]
    assert position.core[BOARD:].count(FREE_SPACE)
    assert hand != TURNING
    memo, state = Memo(objective), state_of(position)
    unseen, free = sum(state.unseen), len(state.free)
    if hand == EMPTY_HAND:
        turns, scale = memo.turns(state), orders(unseen, free)
    else:  # the tile in hand has left the unseen ones and its stock; placing it takes it again
        at = VALUES.index(hand)
        unplaced = state._replace(
            unseen=(*state.unseen[:at], state.unseen[at] + 1, *state.unseen[at + 1 :]),
            stocks=tuple(
                count + (place == seat % len(state.stocks)) for place, count in enumerate(state.stocks)
            ),
        )
        turns, scale = memo.placings(unplaced, hand), orders(unseen, free - 1)
    scale *= WIN if objective == "win" else 1
    value = max(turns.values(), key=lambda vector: preference(vector, seat))
    return Answer(
        tuple(part / scale for part in value),
        {turn: values[seat] / scale for turn, values in turns.items()},
        len(memo.known),
        memo.passes,
    )


@cache
def by_the_rules(position: IsisOsirisPosition, objective: str) -> tuple[Fraction, ...]:
    """What each seat can expect, from nothing but what positions say of themselves."""
    if position.outcome is not None:
        assert position.outcome.scores is not None
        parts = results(position.outcome.scores, objective)
        return tuple(Fraction(part, WIN if objective == "win" else 1) for part in parts)
    if position.asks == "chance":
        weighed = [
            (share, by_the_rules(position.apply(came), objective)) for came, share in position.chance()
        ]
        return tuple(
            sum((share * values[seat] for share, values in weighed), Fraction())
            for seat in range(position.players)
        )
    assert position.to_move is not None
    seat = position.to_move - 1
    after = [by_the_rules(position.apply(turn), objective) for turn in position.choices()]
    return max(after, key=lambda values: preference(values, seat))


@dataclass(frozen=True, slots=True)
class Endgame:
    """A position and how it came about: the start, whole turns, and the two steps of a tile that lies open."""

    start: IsisOsirisPosition
    turns: tuple[Turn, ...]
    position: IsisOsirisPosition


def random_endgame(seed: int, players: int, variant: str, free: int, *, in_hand: bool = False) -> Endgame:
    """A random game up to where ``free`` spaces are left, the same for the same arguments.

    Some seats like to turn tiles over, others to place pieces, so that reserves run out in every way; with a
    shared stock seats then have to pass. ``in_hand``: a tile lies open, if one may be turned over.
    """
    chance = Random(f"{seed} {players} {variant} {free}")
    liking = [chance.choice((0.03, 0.4, 0.5, 0.6, 0.97)) for _ in range(players)]
    start = position = ISIS_OSIRIS.start(players, variant=variant, first=chance.randint(1, players))
    turns: list[Turn] = []
    while position.free_spaces > free:
        choices = position.choices()
        if Draw() in choices and (len(choices) == 1 or chance.random() < liking[position.core[TO_MOVE]]):
            placings = _with_tile(position, chance)[1].choices()
            turns.append(chance.choice(placings))
        else:
            turns.append(chance.choice([turn for turn in choices if turn != Draw()]))
        position = position.follow(turns[-1])
    if in_hand and Draw() in position.choices():
        came, position = _with_tile(position, chance)
        turns += [Draw(), came]
    return Endgame(start, tuple(turns), position)


def _with_tile(position: IsisOsirisPosition, chance: Random) -> tuple[Turn, IsisOsirisPosition]:
    """A tile is turned over, each unseen one being equally likely: which came, and the position then."""
    turning = position.apply(Draw())
    came = chance.choices(*zip(*turning.chance(), strict=True))[0]
    return came, turning.apply(came)


GOLDEN = Path(__file__).with_name("endgames.json")


_LARGE = {
    ("normal", 2): ((7, (2, 3, 8)), (8, (5, 7, 8))),
    ("shared", 2): ((7, (0, 3, 6)), (8, (4, 6, 9))),
    ("normal", 3): ((7, (3, 4, 9)), (8, (5, 7))),
    ("shared", 3): ((7, (0, 3, 10)), (8, (3, 5))),
    ("normal", 4): ((7, (4, 7, 10)), (8, (3,))),
    ("shared", 4): ((7, (2, 3, 4, 7)),),
}
"""Seeds of large positions, by free spaces; with an odd one a tile lies open where it may."""


def golden_cases() -> Iterator[dict[str, object]]:
    """Positions that are too large to be solved plainly in a test, with their exact values (:data:`GOLDEN`)."""
    for (variant, players), kinds in _LARGE.items():
        for free, seeds in kinds:
            for seed in seeds:
                yield _case(random_endgame(seed, players, variant, free, in_hand=seed % 2 == 1))


def _case(endgame: Endgame) -> dict[str, object]:
    case: dict[str, object] = {
        "players": endgame.start.players,
        "variant": endgame.start.variant,
        "first": endgame.start.to_move,
        "free": endgame.position.free_spaces,
        "turns": [turn.text for turn in endgame.turns],
    }
    for objective in ("margin", "win"):
        answer = solve(endgame.position, objective)
        case["states"], case["passes"] = answer.states, answer.passes
        best = sorted(answer.turns.items(), key=lambda entry: -entry[1])
        case[objective] = {"value": answer.value, "best": {turn.text: value for turn, value in best}}
    return case


def main() -> None:
    """Write the golden cases anew: ``python -m tests.engine.plain_memo``; takes minutes."""
    cases = []
    for case in golden_cases():
        cases.append(json.dumps(case))
        print(case["players"], case["variant"], case["free"], case["states"], file=sys.stderr, flush=True)
    source = json.dumps("random_endgame and solve of tests/engine/plain_memo.py, written by its main")
    rows = ",\n".join(cases)
    GOLDEN.write_text(f'{{"source": {source}, "cases": [\n{rows}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
