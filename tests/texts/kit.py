"""What the tests of the texts share: positions that say everything, and gaps of sentences."""

from __future__ import annotations

from string import Formatter

from oudjat.rules.game import Position
from oudjat.rules.isis_osiris import ISIS_OSIRIS

LANGUAGES = ("en", "de", "fr")
TRANSLATIONS = ("de", "fr")


def gaps(sentence: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def played(*turns: str, players: int = 2, memory: str = "strict", variant: str = "normal") -> Position:
    """The position after these turns."""
    position: Position = ISIS_OSIRIS.start(players, options={"memory": memory}, variant=variant)
    for turn in turns:
        position = position.follow(ISIS_OSIRIS.read(turn))
    return position


def full_board() -> Position:
    """A finished game of two: Green has 16 of 22 tiles' worst places, everything is filled in order."""
    position: Position = ISIS_OSIRIS.start(2)
    pieces, tiles = [8, 8], [11, 11]
    values = [
        v
        for v, n in (("-2", 6), ("-1", 2), ("+2", 6), ("+1", 2), ("-3", 2), ("+3", 2), ("+4", 1), ("-4", 1))
        for _ in range(n)
    ]
    spaces = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]
    for number, space in enumerate(spaces):
        seat = number % 2
        if tiles[seat] and (number // 2 % 2 or not pieces[seat]):
            tiles[seat] -= 1
            turn = f"{values.pop(0)}{space}"
        else:
            pieces[seat] -= 1
            turn = f"P{space}"
        position = position.follow(ISIS_OSIRIS.read(turn))
    return position
