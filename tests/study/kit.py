"""What the tests of the study share."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from oudjat.engine.thought import Budget, Thought
from oudjat.records import Record, Replayed, replay, write_record
from oudjat.rules.game import Position, Turn
from tests.engine.plain_memo import random_endgame


def random_record(seed: int, players: int = 2, variant: str = "normal", free: int = 0) -> Record:
    """A random game up to where so many spaces are free."""
    endgame = random_endgame(seed, players, variant, free)
    tags = {"Game": "isis-osiris", "Variant": variant, "Players": str(players)}
    tags["First"] = str(endgame.start.to_move)
    return Record(tuple(tags.items()), tuple(turn.text for turn in endgame.turns))


def random_game(seed: int, players: int = 2, variant: str = "normal", free: int = 0) -> Replayed:
    return replay(random_record(seed, players, variant, free))


def text_of(*records: Record) -> str:
    return "\n".join(map(write_record, records))


def guess(
    start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None = None
) -> Thought:
    """What a level that knows nothing might say: always the same of the same position."""
    position = start
    for turn in turns:
        position = position.follow(turn)
    chance = Random(f"{turns} {level} {seed}")
    return Thought(chance.choice(position.choices()), chance.random(), chance.uniform(-9, 9))
