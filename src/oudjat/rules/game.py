"""The face that every game shows: positions, turns, chance, outcomes, and what a display may know.

A *position* is a value: immutable, hashable, comparable. A *turn* is a value with one spelling (FORMATS.md 1).
Chance is apart from choice: a turn that needs luck is begun with :class:`Draw`, the position then asks for
chance and gives its distribution, and :class:`Drew` brings what came. The rules have no randomness of their own.

Secrets end at :meth:`Position.view`: a :class:`BoardView` is all that a display, a stream or a file shown to
a player may be made from.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, Self

from oudjat.rules.errors import N_, IllegalTurn, SetupError, TurnError, UnreadableTurn
from oudjat.rules.views import Asks, BoardView, Cell, Lies, Luck, Reserve, ScoredPiece, SeatView, Walk, Ways

__all__ = [
    "N_",
    "Asks",
    "BoardView",
    "Cell",
    "Draw",
    "Drew",
    "Game",
    "IllegalTurn",
    "Lies",
    "Luck",
    "Option",
    "Outcome",
    "Position",
    "Randomness",
    "Reserve",
    "ScoredPiece",
    "SeatView",
    "SetupError",
    "Turn",
    "TurnError",
    "UnreadableTurn",
    "Walk",
    "Ways",
    "follow_all",
    "options_in",
    "read_step",
]


class Randomness(Protocol):
    """What the rules ask of a source of randomness; ``random.Random`` is one. It is always passed in."""

    def shuffle(self, x: list[str], /) -> None:
        """Put ``x`` into a random order, each equally likely."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to ``stop - 1``, each equally likely."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Something that happens in a game; ``text`` is its one spelling."""

    @property
    def text(self) -> str:
        raise TypeError("a turn is one of the kinds that its game defines")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Draw(Turn):
    """The choice to let chance speak: turn a tile over, throw the dice or the sticks."""

    @property
    def text(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Drew(Turn):
    """What chance brought, spelled as the game spells it: ``+3`` for a tile."""

    outcome: str

    @property
    def text(self) -> str:
        return f"drew {self.outcome}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended: ``scores`` in seat order where the game has scores and all is known, and the
    numbers of the seats that share the win (empty when a withheld value keeps it unknown). Where a full ranking is
    played, so many of the ``winners`` as are ``ranked`` stand in the order of arrival, the others share what is left.
    """

    scores: tuple[int, ...] | None
    winners: tuple[int, ...]
    ranked: int = 0


@dataclass(frozen=True, slots=True)
class Option:
    """A rule that players may set: the first of ``values`` is the default."""

    key: str
    rule: str
    values: tuple[str, ...]


class Position(ABC):
    """A position of a game; see the module's docstring for what all positions promise."""

    __slots__ = ()

    game: ClassVar[Game]

    @property
    @abstractmethod
    def players(self) -> int:
        """How many seats play."""

    @property
    @abstractmethod
    def variant(self) -> str:
        """The variant's name as records write it."""

    @property
    @abstractmethod
    def options(self) -> Mapping[str, str]:
        """Every option of the game with the value it has here."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """How many whole turns led here."""

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat whose turn it is, from 1; None when the game is over."""

    @property
    @abstractmethod
    def asks(self) -> Asks:
        """What this position waits for."""

    @abstractmethod
    def choices(self) -> tuple[Turn, ...]:
        """Every turn that the player to move may take now; empty when chance is asked or the game is over."""

    def barred(self) -> tuple[tuple[Turn, IllegalTurn], ...]:
        """Turns that only the course of the game forbids now, each with the reason: a display shows them as barred.
        None in games that bar no repetition."""
        return ()

    def walks(self, turn: Turn) -> tuple[Walk, ...]:  # noqa: ARG002
        """The way of every piece that this legal turn moves, those that it moves by consequence last; none in games
        in which nothing moves."""
        return ()

    def chance(self) -> tuple[tuple[Drew, Fraction], ...]:
        """Each thing that chance can bring now with its probability, summing to 1; empty unless it is asked."""
        return ()

    def comes(self, luck: tuple[str, ...]) -> Drew:  # noqa: ARG002
        """What chance brings here when ``luck`` was fixed before the first turn (see :meth:`Game.luck`).

        Raises ValueError when no chance is asked.
        """
        raise ValueError("no chance is asked")

    @abstractmethod
    def apply(self, turn: Turn) -> Self:
        """The position after one step.

        Always checks. Raises :class:`IllegalTurn` with the rule that forbids it; this position stays as it is.
        """

    @abstractmethod
    def follow(self, turn: Turn) -> Self:
        """The position after a whole turn as a record writes it, chance included. Raises :class:`IllegalTurn`."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @property
    def standing(self) -> tuple[int, ...] | None:
        """The scores by what is known so far in seat order, or None when something is withheld (or the game
        has no scores). Secret while the game goes on: never show it, unless the view does."""
        return None

    @property
    def free_spaces(self) -> int | None:
        """How many spaces can still be filled; None in games that do not fill a board."""
        return None

    def reserves(self) -> tuple[Reserve, ...] | None:
        """What each seat has still to place, in seat order; None in games without reserves."""
        return None

    def revealed(self) -> Self:
        """This position with nothing hidden, for showing a game that is over turn by turn. Secret before."""
        return self

    def public_turn(self, turn: Turn) -> Turn:
        """A turn that led here, as everybody may read it now: without what became secret again since. It reads the same
        until the game is over."""
        return turn

    @abstractmethod
    def view(self, seat: int | None) -> BoardView:
        """What ``seat`` (None: a spectator) may know. The only way out of a position to a person."""


FOR_SO_MANY = N_("{game} is for {least} to {most} players, not {players}.")
FOR_TWO = N_("{game} is for {least} players, not {players}.")


class Game(ABC):
    """A game as declared up front: how many play, what luck and what secrets it has, which options."""

    id: ClassVar[str]
    name: ClassVar[str]
    version: ClassVar[int]
    """Changes only when the rules as programmed do."""
    players: ClassVar[range]
    colours: ClassVar[tuple[str, ...]]
    """The colour of each seat, in seat order, for as many as can play."""
    shapes: ClassVar[tuple[str, ...]]
    """What each seat's pieces are shaped like, in seat order: the name of a drawing."""
    variants: ClassVar[tuple[str, ...]]
    options: ClassVar[tuple[Option, ...]]
    chance: ClassVar[str | None]
    """What luck there is, or None."""
    thrown: ClassVar[Luck | None]
    """What brings the luck, as it is drawn; None in games without."""
    hidden: ClassVar[str | None]
    """What players may not see, or None."""
    turn_rule: ClassVar[str]
    """The number of the rule that says whose turn it is."""
    limit: ClassVar[int | None] = None
    """After so many turns a game is over whatever happens; None where nothing but its own end ends it."""

    @abstractmethod
    def start(
        self,
        players: int = 2,
        *,
        variant: str = "normal",
        first: int = 1,
        options: Mapping[str, str] | None = None,
    ) -> Position:
        """The position before the first turn. Raises :class:`SetupError` for what this game does not have."""

    def luck(self, randomness: Randomness) -> tuple[str, ...]:  # noqa: ARG002
        """All the chance of a game, fixed before its first turn: the order of the tiles, the throws. Secret."""
        return ()

    @abstractmethod
    def read(self, text: str) -> Turn:
        """The turn that ``text`` spells. Raises :class:`UnreadableTurn`."""

    def opening(self, turn: Turn) -> Turn:
        """The first turn by which all those are known that are alike: they differ by how the empty board is turned or
        mirrored, or by what chance brought."""
        return turn

    def scoring(self, position: Position) -> tuple[ScoredPiece, ...]:  # noqa: ARG002
        """The scoring of a finished game piece by piece, in the order in which it is shown; empty in games
        without scores."""
        return ()

    def markers(self, score: int) -> int | None:  # noqa: ARG002
        """How many scoring markers lie beside the track at this score; None in games without them."""
        return None

    def check_setup(
        self, players: int, variant: str, first: int, options: Mapping[str, str] | None
    ) -> dict[str, str]:
        """All options with defaults filled in. Raises :class:`SetupError` naming what does not exist."""
        if players not in self.players:
            raise SetupError(
                FOR_SO_MANY if len(self.players) > 1 else FOR_TWO,
                tag="Players",
                game=self.name,
                least=self.players[0],
                most=self.players[-1],
                players=players,
            )
        if variant not in self.variants:
            raise SetupError(
                N_("{game} has no variant “{variant}”; choose one of: {known}."),
                tag="Variant",
                game=self.name,
                variant=variant[:40],
                known=", ".join(self.variants),
            )
        if not 1 <= first <= players:
            raise SetupError(
                N_("Seat {first} cannot begin; seats are 1 to {players}."),
                tag="First",
                first=first,
                players=players,
            )
        chosen = {option.key: option.values[0] for option in self.options}
        known = {option.key: option for option in self.options}
        for key, value in (options or {}).items():
            if key not in known:
                raise SetupError(
                    N_("{game} has no option “{key}”."), tag="Options", game=self.name, key=key[:40]
                )
            if value not in known[key].values:
                raise SetupError(
                    N_("The option {key} cannot be “{value}”; choose one of: {known}."),
                    tag="Options",
                    key=key,
                    value=value[:40],
                    known=", ".join(known[key].values),
                )
            chosen[key] = value
        return chosen


def follow_all(position: Position, texts: Iterable[str]) -> Position:
    """The position after whole turns spelled as in a record. Raises :class:`TurnError` at the first wrong one."""
    for text in texts:
        position = position.follow(position.game.read(text))
    return position


def options_in(pairs: Iterable[str], not_a_pair: str) -> dict[str, str]:
    """Options spelled ``key=value``, by key. Raises :class:`SetupError`: the sentence ``not_a_pair`` for anything
    else, and when a key comes twice.

    >>> options_in(["home=no", "end=ranking"], "Write key=value.")
    {'home': 'no', 'end': 'ranking'}
    """
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SetupError(not_a_pair, tag="Options")
        if key in options:
            raise SetupError(N_("The option {key} is set twice."), tag="Options", key=key)
        options[key] = value
    return options


def read_step(game: Game, text: str) -> Turn:
    """The step that ``text`` spells: ``draw``, ``drew +3``, or a turn of the game. Raises :class:`UnreadableTurn`."""
    if text == "draw":
        return Draw()
    came = re.fullmatch(r"drew (\S+)", text)
    return Drew(came[1]) if came else game.read(text)
