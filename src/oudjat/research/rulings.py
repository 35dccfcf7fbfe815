"""What play says about the rulings: each value of each option played out, with as many players as it may have.

The documents leave rules open; we chose (RULES.md), and players may choose otherwise. Here bots play every choice,
and what is counted says whether games end, how long they are, and whether it matters where one sits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from oudjat.research.matches import Match, Result
from oudjat.rules.game import Game

PLAYERS = (2, 3, 4, 5, 7)
"""With so many players a game is tried, as far as it can be played by so many."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A way to set a game up: the value of one option, or the defaults (None), and how many play."""

    option: str | None
    value: str | None
    players: int

    @property
    def options(self) -> dict[str, str]:
        """The options that differ from the default."""
        return {self.option: self.value} if self.option and self.value else {}

    def __str__(self) -> str:
        return f"{self.option}={self.value}" if self.option else "default"


def ways_to_try(game: Game) -> Iterator[Tried]:
    """The defaults, then every other value of every option, each with every number of players.

    >>> from oudjat.rules.registry import game_named
    >>> [str(tried) for tried in ways_to_try(game_named("ramses"))]
    ['default', 'repetition=forbid']
    """
    values = [(option.key, value) for option in game.options for value in option.values[1:]]
    for option, value in [(None, None), *values]:
        for players in PLAYERS:
            if players in game.players:
                yield Tried(option, value, players)


def match_of(game: str, tried: Tried, *, level: str, games: int, seed: int) -> Match:
    """The games that are played to see what a way to set up does: one level at every seat."""
    return Match((level,) * tried.players, games, game, seed=seed, options=tuple(tried.options.items()))


@dataclass(frozen=True, slots=True)
class Figures:
    """What was counted over all games of one way: the share that ended by a winner, the turns of a game (mean), the
    passes of a game, and of the games with one winner the share of each seat; seat 1 begins."""

    tried: Tried
    games: int
    ended: float
    turns: float
    longest: int
    passes: float
    wins: tuple[float, ...]


def figures(tried: Tried, results: list[Result]) -> Figures:
    """Count the finished games of one way. ``results`` may not be empty."""
    decided = [result for result in results if _first(result)]
    wins = [0] * tried.players
    for result in decided:
        wins[_first(result) - 1] += 1
    turns = [len(result.turns) for result in results]
    passes = sum(turn.endswith("--") for result in results for turn in result.turns)
    return Figures(
        tried,
        len(results),
        len(decided) / len(results),
        sum(turns) / len(results),
        max(turns),
        passes / len(results),
        tuple(number / max(1, len(decided)) for number in wins),
    )


def _first(result: Result) -> int:
    """The seat that won, 0 when the game was drawn; of a full ranking that was played to its end the first."""
    outcome = result.outcome
    decided = len(outcome.winners) == 1 or outcome.ranked == len(outcome.winners)
    return outcome.winners[0] if decided else 0
