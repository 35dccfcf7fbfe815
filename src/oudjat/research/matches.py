"""A match: levels of play meet in many games, and luck is shared out fairly.

Games come in *blocks* of as many games as there are players. In a block every game has the same luck, and the
players move on by one seat from game to game: each plays each hand of tiles once and begins once (duplicate
deals, as in bridge). What the tiles gave to one they give to the others too, so that fewer games tell as much.
With three and four players the blocks differ in who follows whom round the table.

Everything in a game follows from the match and the number of the game, so any process may play it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice, permutations
from math import factorial
from random import Random

from oudjat.engine.levels import LEVELS
from oudjat.engine.protocol import Think
from oudjat.engine.thought import Budget, Thought
from oudjat.records import Record, result_tags, seat_tag, setup_tags
from oudjat.rules.game import Draw, Outcome, Position, Turn
from oudjat.rules.registry import game_named


def _plain_uct(
    start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None
) -> Thought:
    """The yardstick; loaded when it plays."""
    from oudjat.engine.uct import think_plainly

    return think_plainly(start, turns, level, seed, budget)


def _at_random(start: Position, turns: Sequence[Turn], level: str, seed: int, _: Budget | None) -> Thought:
    """Any choice, each equally likely."""
    position = start
    for turn in turns:
        position = position.follow(turn)
    return Thought(Random(f"{level} {seed} {len(turns)}").choice(position.choices()))


REFERENCES: dict[str, Think] = {"uct": _plain_uct, "random": _at_random}
"""Who can play in a match besides the levels, by name, and how: yardsticks that no player meets at a table. A
worker process looks here too, so an entry has to stand in this file."""


def participants() -> tuple[str, ...]:
    """Everybody who can play in a match: the levels from the weakest to the strongest, then the references."""
    return (*LEVELS, *REFERENCES)


def thinker(name: str) -> Think:
    """How the participant of this name thinks. Raises KeyError for another."""
    if name in REFERENCES:
        return REFERENCES[name]
    if name not in LEVELS:
        raise KeyError(f"no level “{name}”; there is: {', '.join(participants())}")
    from oudjat.engine.choosing import think  # takes a moment, and only those who play need it

    return think


def split(participant: str) -> tuple[str, int | None]:
    """The name of a participant, and the milliseconds that he takes for a decision where he says so.

    >>> split("pharaoh@1000"), split("priest"), split("priest@soon")
    (('pharaoh', 1000), ('priest', None), ('priest@soon', None))
    """
    name, at, movetime = participant.partition("@")
    return (
        (name, int(movetime)) if at and re.fullmatch(r"\d{1,9}", movetime, re.ASCII) else (participant, None)
    )


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays how many games of what. ``levels`` may name a participant more than once, and say after an @ in how
    many milliseconds he decides, whatever the ``budget`` of the others is.

    >>> match = Match(("priest", "scribe"), games=4)
    >>> [match.seating(number) for number in range(match.games)]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    """

    levels: tuple[str, ...]
    games: int
    game: str = "isis-osiris"
    variant: str = "normal"
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    options: tuple[tuple[str, str], ...] = ()

    def start(self) -> Position:
        """The position before the first turn; seat 1 begins. Raises SetupError for what the game does not have."""
        options = dict(self.options)
        return game_named(self.game).start(len(self.levels), variant=self.variant, options=options)

    def block(self, number: int) -> int:
        """Which block game ``number`` belongs to; both count from 0."""
        return number // len(self.levels)

    def seating(self, number: int) -> tuple[int, ...]:
        """Who sits where in game ``number``: for each seat the place of its player in ``levels``.

        >>> [Match(("a", "b", "c"), 9).seating(number) for number in range(4)]
        [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)]
        """
        others = len(self.levels) - 1
        orders = permutations(range(1, others + 1))
        round_the_table = (0, *next(islice(orders, self.block(number) % factorial(others), None)))
        moved = number % len(self.levels)
        return round_the_table[moved:] + round_the_table[:moved]

    def luck(self, number: int) -> tuple[str, ...]:
        """All the chance of game ``number``, the same for the games of a block."""
        return game_named(self.game).luck(Random(f"deal {self.seed} {self.block(number)}"))

    def bot_seed(self, number: int, seat: int) -> int:
        """What decides the bot's own chance at ``seat`` (from 0) of game ``number``."""
        return Random(f"bot {self.seed} {number} {seat}").getrandbits(63)


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: who sat where (as in :meth:`Match.seating`), what was played, how it ended."""

    number: int
    seating: tuple[int, ...]
    turns: tuple[str, ...]
    outcome: Outcome

    def share(self, player: int) -> float:
        """The player's part of the win: 1, or less where several share it, or 0. Of a ranking the first has
        won."""
        winners = self.outcome.winners[:1] if self.outcome.ranked else self.outcome.winners
        return 1 / len(winners) if self.seating.index(player) + 1 in winners else 0.0

    def score(self, player: int) -> int | None:
        """The player's points; None in games without."""
        scores = self.outcome.scores
        return None if scores is None else scores[self.seating.index(player)]

    def margin(self, player: int) -> int | None:
        """By how many points the player is ahead of the best other."""
        own = self.score(player)
        others = [self.score(other) for other in self.seating if other != player]
        known = [score for score in others if score is not None]
        return None if own is None or not known else own - max(known)

    def against(self, player: int, other: int) -> float:
        """1 when ``player`` came out ahead of ``other``, 0 when behind, one half when neither: by points, or by
        the win in games without."""
        own, its = self.score(player), self.score(other)
        ahead = self.share(player) - self.share(other) if own is None or its is None else own - its
        return 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5


def play_game(match: Match, number: int) -> Result:
    """Play one game of a match, from 0. The same arguments give the same game, unless time is limited.

    >>> result = play_game(Match(("novice", "novice"), games=2), 1)
    >>> result.seating, len(result.turns)
    ((1, 0), 36)
    """
    start, luck, seating = match.start(), match.luck(number), match.seating(number)
    position, turns = start, list[Turn]()

    def choice(*steps: Turn) -> Turn:
        seat = (position.to_move or 1) - 1
        level, movetime = split(match.levels[seating[seat]])
        seed = match.bot_seed(number, seat)
        budget = match.budget if movetime is None else Budget(movetime / 1000)
        return thinker(level)(start, (*turns, *steps), level, seed, budget).turn

    while position.outcome is None:
        turn = choice()
        if isinstance(turn, Draw):
            turn = choice(turn, position.apply(turn).comes(luck))
        position = position.follow(turn)
        turns.append(turn)
    return Result(number, seating, tuple(turn.text for turn in turns), position.outcome)


def record_of(match: Match, result: Result, today: date) -> Record:
    """The record of a game of a match, as every game is written down."""
    tags = setup_tags(match.start(), first=1)
    for seat, player in enumerate(result.seating, 1):
        tags[f"Seat{seat}"] = seat_tag(match.levels[player], match.levels[player])
    tags["Date"] = today.isoformat()
    tags["Event"] = f"Match with seed {match.seed}, game {result.number + 1}"
    return Record(tuple((tags | result_tags(result.outcome)).items()), result.turns)
