"""What the positions of games with a throw before each turn have in common: draw, what came, and a turn with it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from oudjat.rules.cores import CoreRules, after
from oudjat.rules.game import N_, Asks, BoardView, Cell, Draw, Drew, IllegalTurn, Turn
from oudjat.rules.layout import HAND
from oudjat.rules.two_sides import TwoSidesPosition
from oudjat.rules.views import ways_of

NOTHING = 0
"""What stands in HAND while nothing is thrown."""


@dataclass(frozen=True, slots=True)
class ThrownTurn(Turn):
    """A turn with the throw that it was made with: ``hand``, as the core holds it."""

    hand: int


@dataclass(frozen=True, slots=True)
class ThrowingPosition(TwoSidesPosition):
    """A position in which the player to move throws (``draw``), and then takes a turn with what came.

    ``throwing`` tells that the throw is under way. Each throw is its own: what came before changes nothing.
    """

    throwing: bool = False

    rules: ClassVar[CoreRules]
    """The module with the rules of the game's core."""
    throws: ClassVar[tuple[tuple[int, int], ...]]
    """Everything that can be thrown, as the core holds it, with its weight."""
    throw_rule: ClassVar[str]
    """The number of the rule of throwing."""

    @abstractmethod
    def spell_throw(self, hand: int) -> str:
        """What was thrown, as a record writes it."""

    @abstractmethod
    def read_throw(self, text: str) -> int:
        """What the core holds for a throw. Raises :class:`UnreadableTurn`."""

    @abstractmethod
    def _listed(self) -> dict[Turn, int]:
        """Every legal turn with what was thrown, with its code."""

    @abstractmethod
    def _why_not(self, turn: ThrownTurn) -> IllegalTurn:
        """The rule that forbids a turn with what was thrown which is not listed."""

    @abstractmethod
    def _over(self) -> IllegalTurn:
        """That the game is over, and by which rule."""

    @abstractmethod
    def _chosen(self, turn: Turn) -> tuple[str, ...]:
        """What is chosen for a turn, one thing after another; empty when nothing moves that can be chosen."""

    @abstractmethod
    def _cells(self) -> tuple[Cell, ...]:
        """The board."""

    @property
    def asks(self) -> Asks:
        if self.outcome is not None:
            return "nothing"
        if self.throwing:
            return "chance"
        return "choice" if self.core[HAND] == NOTHING else "placing"

    def choices(self) -> tuple[Turn, ...]:
        match self.asks:
            case "choice":
                return (Draw(),)
            case "placing":
                return tuple(self._listed())
            case _:
                return ()

    def chance(self) -> tuple[tuple[Drew, Fraction], ...]:
        if self.asks != "chance":
            return ()
        total = sum(weight for _, weight in self.throws)
        return tuple((Drew(self.spell_throw(hand)), Fraction(weight, total)) for hand, weight in self.throws)

    def comes(self, luck: tuple[str, ...]) -> Drew:
        """The throw of this turn; ``luck`` holds one for each and begins again when it is used up."""
        if self.asks != "chance":
            raise ValueError("nothing is being thrown")
        return Drew(luck[self.turns % len(luck)])

    def apply(self, turn: Turn) -> Self:
        if self.outcome is not None:
            raise self._over()
        match turn:
            case Draw():
                if self.asks == "choice":
                    return replace(self, throwing=True)
            case Drew(outcome):
                hand = self.read_throw(outcome)
                if self.asks == "chance":
                    return self._with_throw(hand)
                if self.asks == "choice":
                    raise IllegalTurn(self.throw_rule, N_("Nothing is being thrown; throw first."))
            case ThrownTurn():
                return replace(self, core=after(self.rules, self.core, self._code(turn)))
        raise self._other_asked()

    def follow(self, turn: Turn) -> Self:
        if isinstance(turn, ThrownTurn) and self.asks == "choice":
            return self._with_throw(turn.hand).apply(turn)
        return self.apply(turn)

    def _with_throw(self, hand: int) -> Self:
        core = (*self.core[:HAND], hand, *self.core[HAND + 1 :])
        return replace(self, core=core, throwing=False)

    def _code(self, turn: ThrownTurn) -> int:
        """The core's number of a turn that is legal now. Raises :class:`IllegalTurn` for any other."""
        if self.outcome is not None:
            raise self._over()
        if self.asks != "placing":
            raise self._other_asked()
        if turn.hand != self.core[HAND]:
            raise IllegalTurn(
                self.throw_rule,
                N_("{thrown} was thrown, not {other}; take a turn with that."),
                thrown=self.spell_throw(self.core[HAND]),
                other=self.spell_throw(turn.hand),
            )
        listed = self._listed()
        if turn not in listed:
            raise self._why_not(turn)
        return listed[turn]

    def _other_asked(self) -> IllegalTurn:
        """That something else comes first here."""
        if self.asks == "choice":
            return IllegalTurn(self.throw_rule, N_("Throw first; then take a turn with what comes."))
        if self.asks == "chance":
            return IllegalTurn(self.throw_rule, N_("The throw is under way; what comes is seen first."))
        return IllegalTurn(
            self.throw_rule,
            N_("{thrown} was thrown; take a turn with that."),
            thrown=self.spell_throw(self.core[HAND]),
        )

    def view(self, seat: int | None) -> BoardView:
        mine = self.choices() if seat is not None and seat == self.to_move else ()
        chosen = [(self._chosen(turn), turn.text) for turn in mine if isinstance(turn, ThrownTurn)]
        draw = tuple(turn.text for turn in mine if isinstance(turn, Draw))
        return self._board(
            self._cells(),
            drawn=self.spell_throw(self.core[HAND]) if self.asks == "placing" else None,
            actions=draw + tuple(text for choices, text in chosen if not choices),
            ways=ways_of((choices, text) for choices, text in chosen if choices),
        )
