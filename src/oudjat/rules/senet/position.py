"""A position of Senet: the core wrapped in an immutable value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from oudjat.rules.cores import CoreRules, listed
from oudjat.rules.game import N_, Cell, Game, IllegalTurn, Turn, Walk
from oudjat.rules.layout import DARK, HAND, LIGHT, TO_MOVE
from oudjat.rules.senet import core as rules
from oudjat.rules.senet.core import LOST, THROWS, WATER, rebirth
from oudjat.rules.senet.turns import SenetTurn, house_name, read_throw, turn_of
from oudjat.rules.senet.why_not import why_not
from oudjat.rules.thirty_houses import house_cells
from oudjat.rules.throwing import ThrowingPosition, ThrownTurn

MARKS = {15: "life", 26: "beauty", 27: "water", 28: "three", 29: "two", 30: "horus"}


@lru_cache(maxsize=128)
def _listed(core: tuple[int, ...]) -> dict[Turn, int]:
    """Every legal turn with the throw in the core, with its code."""
    return {turn_of(core[HAND], code): code for code in listed(rules, core)}


@dataclass(frozen=True, slots=True)
class SenetPosition(ThrowingPosition):
    """A position of Senet.

    >>> from oudjat.rules.game import Draw, Drew
    >>> from oudjat.rules.senet import SENET
    >>> position = SENET.start().apply(Draw()).apply(Drew("4"))
    >>> position.asks, [turn.text for turn in position.choices()]
    ('placing', ['4:7-11', '4:9-13'])
    """

    game: ClassVar[Game]
    rules: ClassVar[CoreRules] = rules
    throws: ClassVar[tuple[tuple[int, int], ...]] = THROWS
    throw_rule: ClassVar[str] = "SE-2"

    def spell_throw(self, hand: int) -> str:
        return str(hand)

    def read_throw(self, text: str) -> int:
        return read_throw(text)

    def _listed(self) -> dict[Turn, int]:
        return _listed(self.core)

    def _why_not(self, turn: ThrownTurn) -> IllegalTurn:
        if not isinstance(turn, SenetTurn):
            return self._other_asked()
        return why_not(self.core, turn, [other for other in self._listed() if isinstance(other, SenetTurn)])

    def _over(self) -> IllegalTurn:
        return IllegalTurn("SE-7", N_("The game is over: all pieces of one side are borne off."))

    def walks(self, turn: Turn) -> tuple[Walk, ...]:
        """See :meth:`Position.walks`. After the piece that moves comes the one that it is swapped with, or its own
        way out of the water; a piece that is borne off goes over the last houses and ``off``."""
        if not isinstance(turn, SenetTurn):
            return ()
        here = self._with_throw(turn.hand) if self.asks == "choice" else self
        here._code(turn)
        if turn.start == LOST:
            return ()
        step = 1 if turn.end > turn.start else -1
        walk = tuple(house_name(house) for house in range(turn.start, turn.end + step, step))
        own, other = here.core[LIGHT + here.core[TO_MOVE]], here.core[DARK - here.core[TO_MOVE]]
        if turn.end == WATER:
            return walk, (str(WATER), str(rebirth(own | other)))
        if other >> turn.end & 1:
            return walk, (str(turn.end), str(turn.start))
        return (walk,)

    def _chosen(self, turn: Turn) -> tuple[str, ...]:
        assert isinstance(turn, SenetTurn)
        return () if turn.start == LOST else (str(turn.start), house_name(turn.end))

    def _cells(self) -> tuple[Cell, ...]:
        return house_cells(self._lies, MARKS)
