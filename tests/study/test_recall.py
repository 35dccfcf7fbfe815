"""How much is remembered: what it counts, and that it tells levels apart by how much they forget."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from oudjat.engine.choosing import choose
from oudjat.rules.game import Draw, Drew, Position, Turn
from oudjat.rules.isis_osiris import ISIS_OSIRIS, PlacePiece, PlaceTile, neighbours
from oudjat.rules.registry import GAMES
from oudjat.study.recall import recall_of

Chooser = Callable[[Position, Sequence[Turn]], Turn]


def played(seed: int, *choosers: Chooser) -> tuple[Position, list[Turn]]:
    """A game in which each seat chooses as told, with what it has seen: the steps so far."""
    luck = ISIS_OSIRIS.luck(random.Random(seed))
    position: Position = ISIS_OSIRIS.start(len(choosers))
    start = position
    steps: list[Turn] = []
    while position.outcome is None:
        due = position.to_move or 1
        turn = position.comes(luck) if position.asks == "chance" else choosers[due - 1](position, steps)
        position = position.apply(turn)
        if not isinstance(turn, Draw | Drew):
            steps = [step for step in steps if not isinstance(step, Draw | Drew)]
        steps.append(turn)
    return start, steps


def share(games: Sequence[tuple[Position, list[Turn]]], seat: int) -> float:
    counted = [recall_of(start, turns).get(seat, (0.0, 0)) for start, turns in games]
    return sum(total for total, _ in counted) / sum(number for _, number in counted)


def test_a_perfect_memory_that_takes_the_best_counts_as_such_and_chance_as_nothing() -> None:
    chance = random.Random(5)

    def anything(position: Position, _: Sequence[Turn]) -> Turn:
        return chance.choice(position.choices())

    def the_best(position: Position, steps: Sequence[Turn]) -> Turn:
        values = {step.space: step.value or 0 for step in steps if isinstance(step, PlaceTile)}
        pieces = [choice for choice in position.choices() if isinstance(choice, PlacePiece)]
        if not pieces or (chance.random() < 0.5 and Draw() in position.choices()):
            return Draw() if Draw() in position.choices() else anything(position, steps)
        return max(pieces, key=lambda piece: sum(values.get(near, 0) for near in neighbours(piece.space)))

    games = [played(seed, the_best, anything) for seed in range(60)]
    sharp = share(games, 1)
    assert sharp > 0.7
    assert abs(share(games, 2)) < 0.15


def test_who_forgets_less_is_told_to_remember_more() -> None:
    def of_level(level: str, seat: int) -> Chooser:
        def chosen(_: Position, steps: Sequence[Turn]) -> Turn:
            return choose(ISIS_OSIRIS.start(2), tuple(steps), level, 1000 + seat)

        return chosen

    games = [played(seed, of_level("novice", 1), of_level("priest", 2)) for seed in range(10)]
    assert share(games, 1) < share(games, 2)


def test_where_nothing_is_to_be_remembered_nothing_is_counted() -> None:
    turns = [ISIS_OSIRIS.read(text) for text in ("+3c4", "Pc3")]
    assert recall_of(ISIS_OSIRIS.start(2), turns) != {}
    assert recall_of(ISIS_OSIRIS.start(2, options={"memory": "open"}), turns) == {}
    assert recall_of(GAMES["senet"].start(2), []) == {}
    assert recall_of(ISIS_OSIRIS.start(2), [ISIS_OSIRIS.read("Pc3")]) == {}, "all spaces were alike"
