"""A position of Pharao: the core wrapped in an immutable value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from oudjat.rules.cores import CoreRules, listed
from oudjat.rules.game import N_, Cell, Game, IllegalTurn, Turn, Walk
from oudjat.rules.layout import BOTH, DARK, HAND, LIGHT, TO_MOVE, WINNERS
from oudjat.rules.pharao import core as rules
from oudjat.rules.pharao.core import BOXED_IN, PLACES, THROWS, WATER, left_after, other_die, own_die
from oudjat.rules.pharao.turns import PharaoTurn, read_throw, spell_throw, turn_of
from oudjat.rules.pharao.why_not import GRID, why_not
from oudjat.rules.thirty_houses import house_cells
from oudjat.rules.throwing import ThrowingPosition, ThrownTurn

MARKS = {15: "life", 26: "beauty", 27: "water"}  # PH-1
GONE = "off"
"""Where a piece is that has left the game, in a walk."""


@lru_cache(maxsize=128)
def _listed(core: tuple[int, ...]) -> dict[Turn, int]:
    """Every legal turn with the throw in the core, with its code."""
    return {turn_of(core[HAND], code): code for code in listed(rules, core)}


@dataclass(frozen=True, slots=True)
class PharaoPosition(ThrowingPosition):
    """A position of Pharao.

    >>> from oudjat.rules.game import Draw, Drew
    >>> from oudjat.rules.pharao import PHARAO
    >>> position = PHARAO.start().apply(Draw()).apply(Drew("2,0"))
    >>> position.asks, len(position.choices()), position.choices()[0].text
    ('placing', 9, '2,0:2-20/-')
    """

    game: ClassVar[Game]
    rules: ClassVar[CoreRules] = rules
    throws: ClassVar[tuple[tuple[int, int], ...]] = THROWS
    throw_rule: ClassVar[str] = "PH-3"

    def spell_throw(self, hand: int) -> str:
        return spell_throw(hand)

    def read_throw(self, text: str) -> int:
        return read_throw(text)

    def _listed(self) -> dict[Turn, int]:
        return _listed(self.core)

    def _why_not(self, turn: ThrownTurn) -> IllegalTurn:
        if not isinstance(turn, PharaoTurn):
            return self._other_asked()
        return why_not(self.core, turn, [other for other in self._listed() if isinstance(other, PharaoTurn)])

    def _over(self) -> IllegalTurn:
        if self.core[WINNERS] == BOTH:
            return IllegalTurn("PH-7", N_("The game is over: 400 turns are a draw."))
        return IllegalTurn("PH-6", N_("The game is over: it is won."))

    def walks(self, turn: Turn) -> tuple[Walk, ...]:
        """See :meth:`Position.walks`. A piece that is lost in the water goes from 27 off the board."""
        if not isinstance(turn, PharaoTurn):
            return ()
        here = self._with_throw(turn.hand) if self.asks == "choice" else self
        here._code(turn)
        own, other = here.core[LIGHT + here.core[TO_MOVE]], here.core[DARK - here.core[TO_MOVE]]
        walks = []
        start = end = 0
        if turn.own:
            walks.append(GRID.walk(own | other, turn.own, own_die(turn.hand)))
            own = GRID.moved(own, turn.own)
            start, end = PLACES[turn.own.start], PLACES[turn.own.end]
        left = left_after(here.core, start, end)
        if turn.other:
            walks.append(GRID.walk(left | other, turn.other, other_die(turn.hand)))
        if left != own and turn.ending != BOXED_IN:
            walks.append((str(PLACES.index(WATER)), GONE))
        return tuple(walks)

    def _chosen(self, turn: Turn) -> tuple[str, ...]:
        assert isinstance(turn, PharaoTurn)
        return tuple(str(house) for half in (turn.own, turn.other) if half for house in half)

    def _cells(self) -> tuple[Cell, ...]:
        return house_cells(lambda house: self._lies(PLACES[house]), MARKS)
