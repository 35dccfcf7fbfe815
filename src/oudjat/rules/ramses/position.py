"""A position of Ramses: the core wrapped in an immutable value, with the course of the game for RA-7."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

from oudjat.rules.cores import after, listed
from oudjat.rules.game import N_, BoardView, Cell, Game, IllegalTurn, Outcome, Turn, Walk
from oudjat.rules.halves import Grid
from oudjat.rules.layout import BOTH
from oudjat.rules.ramses import core as rules
from oudjat.rules.ramses.core import (
    DARK,
    LIGHT,
    PLACES,
    TO_MOVE,
    WIDTH,
    WINNERS,
    distance,
    has_won,
    targets,
)
from oudjat.rules.ramses.turns import RamsesTurn, turn_of
from oudjat.rules.two_sides import TwoSidesPosition
from oudjat.rules.views import ways_of

Key = tuple[int, ...]
"""What RA-7 compares: the player to move, light's pieces, dark's pieces."""

GRID = Grid(PLACES, WIDTH, "RA-4")
CARTOUCHES = (1, 18, 9, 13, 17)  # RA-1


def key(core: tuple[int, ...]) -> Key:
    """What RA-7 compares of this core."""
    return (core[TO_MOVE], core[LIGHT], core[DARK])


@lru_cache(maxsize=128)
def _listed(core: tuple[int, ...]) -> dict[RamsesTurn, int]:
    """Every turn that RA-3 to RA-6 allow, with its code."""
    return {turn_of(code): code for code in listed(rules, core)}


@lru_cache(maxsize=128)
def _barred(core: tuple[int, ...], past: tuple[Key, ...]) -> frozenset[RamsesTurn]:
    """RA-7: the turns of these that bring back a position of the ``past`` (the present one can only come back with
    the other player to move)."""
    earlier = frozenset(past)
    return frozenset(turn for turn, code in _listed(core).items() if key(after(rules, core, code)) in earlier)


@dataclass(frozen=True, slots=True)
class RamsesPosition(TwoSidesPosition):
    """A position of Ramses: the core, the options, and what stood before it in this game.

    >>> from oudjat.rules.ramses import RAMSES
    >>> position = RAMSES.start()
    >>> position.to_move, len(position.choices()), position.choices()[0].text
    (1, 60, '2-8/19-2')
    """

    game: ClassVar[Game]
    past: tuple[Key, ...] = ()

    @property
    def _forbids(self) -> bool:
        return self.options["repetition"] == "forbid"

    def choices(self) -> tuple[RamsesTurn, ...]:
        if self.core[WINNERS] or self._repeated:
            return ()
        turns = _listed(self.core)
        if not self._forbids:
            return tuple(turns)
        barred = _barred(self.core, self.past)
        return tuple(turn for turn in turns if turn not in barred)

    def barred(self) -> tuple[tuple[Turn, IllegalTurn], ...]:
        if self.core[WINNERS] or not self._forbids:
            return ()
        barred = _barred(self.core, self.past)
        return tuple((turn, self._repeats(turn)) for turn in _listed(self.core) if turn in barred)

    @staticmethod
    def _repeats(turn: Turn) -> IllegalTurn:
        return IllegalTurn(
            "RA-7",
            N_("{turn} would bring back an earlier position of this game; choose another turn."),
            turn=turn.text,
        )

    @property
    def _repeated(self) -> bool:
        """RA-7: this position stands for the third time."""
        return not self._forbids and self.past.count(key(self.core)) >= 2

    @property
    def outcome(self) -> Outcome | None:
        """See :meth:`Position.outcome`. RA-6: who has no turn has lost, also when repetition bars the last ones."""
        winners = self.core[WINNERS]
        if not winners and self._repeated:
            winners = BOTH
        if not winners and not self.choices():
            winners = 2 >> self.core[TO_MOVE]
        if not winners:
            return None
        return Outcome(None, tuple(seat + 1 for seat in range(self.players) if winners >> seat & 1))

    def apply(self, turn: Turn) -> Self:
        code = self._code(turn)
        return type(self)(after(rules, self.core, code), self.chosen, (*self.past, key(self.core)))

    def follow(self, turn: Turn) -> Self:
        return self.apply(turn)

    def walks(self, turn: Turn) -> tuple[Walk, ...]:
        """See :meth:`Position.walks`. Raises :class:`IllegalTurn` for a turn that cannot be taken."""
        self._code(turn)
        assert isinstance(turn, RamsesTurn)
        own, other = self.core[LIGHT + self.core[TO_MOVE]], self.core[DARK - self.core[TO_MOVE]]
        halves = [(own | other, turn.own)]
        if turn.other:
            halves.append((GRID.moved(own, turn.own) | other, turn.other))
        return tuple(
            GRID.walk(occupied, half, distance(occupied, PLACES[half.start])) for occupied, half in halves
        )

    def _code(self, turn: Turn) -> int:
        """The core's number of a legal turn. Raises :class:`IllegalTurn` for any other."""
        if self.outcome is not None:
            raise self._over()
        if not isinstance(turn, RamsesTurn):
            raise IllegalTurn(
                "RA-3", N_("There is nothing to draw: move a piece of yours, then one of the opponent's.")
            )
        if turn not in _listed(self.core):
            raise self._why_not(turn)
        if self._forbids and turn in _barred(self.core, self.past):
            raise self._repeats(turn)
        return _listed(self.core)[turn]

    def _over(self) -> IllegalTurn:
        if has_won(self.core[LIGHT]) or has_won(self.core[DARK]):
            return IllegalTurn("RA-5", N_("The game is over: three special squares are taken."))
        if self.core[WINNERS] or self._repeated:
            return IllegalTurn("RA-7", N_("The game is over: it is a draw."))
        return IllegalTurn("RA-6", N_("The game is over: no turn is left to the player to move."))

    def _why_not(self, turn: RamsesTurn) -> IllegalTurn:
        """The rule that forbids a turn which is not listed."""
        own, other = self.core[LIGHT + self.core[TO_MOVE]], self.core[DARK - self.core[TO_MOVE]]
        if not own >> PLACES[turn.own.start] & 1:
            return IllegalTurn(
                "RA-3",
                N_("None of your pieces stands on {space}; first move one of yours."),
                space=turn.own.start,
            )
        wrong = GRID.why_not(own | other, turn.own, distance(own | other, PLACES[turn.own.start]))
        if wrong:
            return wrong
        moved = GRID.moved(own, turn.own)
        if has_won(moved):
            return IllegalTurn(
                "RA-5", N_("{half} wins at once; write it without a second half."), half=turn.own.text
            )
        if turn.other is None:
            return IllegalTurn(
                "RA-3", N_("{half} is half a turn; go on with a piece of the opponent's."), half=turn.own.text
            )
        if not any(other >> place & 1 and targets(moved | other, place) for place in PLACES[1:]):
            return IllegalTurn(
                "RA-6",
                N_("After {half} no piece of the opponent's can move; begin with another move."),
                half=turn.own.text,
            )
        if not other >> PLACES[turn.other.start] & 1:
            return IllegalTurn(
                "RA-3",
                N_("No piece of the opponent's stands on {space}; the second half moves one of his."),
                space=turn.other.start,
            )
        wrong = GRID.why_not(moved | other, turn.other, distance(moved | other, PLACES[turn.other.start]))
        assert wrong, f"{turn.text} is legal and not listed"
        return wrong

    def view(self, seat: int | None) -> BoardView:
        mine = seat is not None and seat == self.to_move
        return self._board(
            tuple(_cell(self, space) for space in range(1, len(PLACES))),
            ways=ways_of(_chosen(turn) for turn in self.choices()) if mine else None,
            barred=ways_of(_chosen(turn) for turn, _ in self.barred()) if mine else None,
        )


def _chosen(turn: Turn) -> tuple[tuple[str, ...], str]:
    """What is chosen for a turn, one thing after another, and its spelling."""
    assert isinstance(turn, RamsesTurn)
    halves = (turn.own,) if turn.other is None else (turn.own, turn.other)
    return tuple(str(space) for half in halves for space in half), turn.text


def _cell(position: RamsesPosition, space: int) -> Cell:
    """RA-1: the last space of the outer rows is drawn long."""
    row, column = divmod(PLACES[space] - 1, WIDTH)
    return Cell(
        name=str(space),
        row=row,
        column=column,
        columns=8 if space in (5, 22) else 1,
        lies=position._lies(PLACES[space]),
        mark="cartouche" if space in CARTOUCHES else None,
    )
