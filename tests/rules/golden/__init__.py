"""Golden files of every game: perft tables and playthroughs, as text that is reviewed like code.

``python -m tests.rules.golden`` writes them anew from the rules as they are; a diff is a change of a game.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from oudjat.records import Record, result_tags, setup_tags, write_record
from oudjat.rules.game import Draw, Drew, Position, Turn
from oudjat.rules.perft import perft
from oudjat.rules.registry import GAMES

FOLDER = Path(__file__).parent
SEED = 2001  # the year in which Isis & Osiris came out


@dataclass(frozen=True, slots=True)
class Setup:
    """A way to begin a game, and how many turns its perft goes."""

    game: str
    depth: int
    players: int = 2
    variant: str = "normal"
    options: dict[str, str] = field(default_factory=dict)

    def start(self, first: int = 1) -> Position:
        return GAMES[self.game].start(self.players, variant=self.variant, first=first, options=self.options)

    def __str__(self) -> str:
        told = "".join(f" {key}={value}" for key, value in self.options.items())
        return f"{self.game} players={self.players} variant={self.variant}{told}"


SETUPS = (
    Setup("isis-osiris", 2),
    Setup("isis-osiris", 1, players=4, variant="shared"),
    Setup("isis", 6),
    Setup("isis", 5, players=3),
    Setup("isis", 4, players=7, options={"repetition": "draw"}),
    Setup("ramses", 2),
    Setup("ramses", 2, options={"repetition": "forbid"}),
    Setup("pharao", 1),
    Setup("pharao", 1, options={"surround": "yes"}),
    Setup("senet", 4),
    Setup("senet", 3, options={"pieces": "7"}),
    Setup("senet", 2, options={"pieces": "10"}),
)


def perft_table(game: str) -> str:
    """The counts of a game, a line each: the setup, then one number for each depth."""
    rows = [f"; how many sequences of 1, 2, ... turns begin {game}; made by python -m tests.rules.golden"]
    for setup in SETUPS:
        if setup.game == game:
            rows.append(f"{setup}: {' '.join(map(str, perft(setup.start(), setup.depth)))}")
    return "\n".join(rows) + "\n"


def playthrough(game: str) -> str:
    """A whole random game: its record, then what could be chosen before each step, and which was taken."""
    setup = next(setup for setup in SETUPS if setup.game == game)
    start = setup.start(first=2)
    steps = list(random_steps(start, random.Random(SEED)))
    turns = tuple(turn.text for _, turn, _ in steps if not isinstance(turn, Draw | Drew))
    last = steps[-1][2]
    tags = setup_tags(start, first=2) | result_tags(last.outcome)
    rows = [f"; a random game of {game}, seed {SEED}; made by python -m tests.rules.golden"]
    rows += [
        f"; seat {before.to_move} asks={before.asks} of {len(before.choices())}: {turn.text}"
        for before, turn, _ in steps
    ]
    return write_record(Record(tuple(tags.items()), turns)) + "\n".join(rows) + "\n"


def random_steps(position: Position, randomness: random.Random) -> Iterator[tuple[Position, Turn, Position]]:
    """The steps of a random game: the position before, the step, the position after."""
    luck = position.game.luck(randomness)
    while position.outcome is None:
        turn: Turn = (
            position.comes(luck) if position.asks == "chance" else randomness.choice(position.choices())
        )
        after = position.apply(turn)
        yield position, turn, after
        position = after


FILES = {
    f"{game}.{kind}.txt": (make, game)
    for game in GAMES
    for kind, make in (("perft", perft_table), ("playthrough", playthrough))
}
"""Every golden file with what makes it."""
