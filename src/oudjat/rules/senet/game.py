"""The game of Senet: what it is, how it begins, and its sticks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oudjat.rules.game import N_, Option, Randomness, SetupError, Turn
from oudjat.rules.senet import core as rules
from oudjat.rules.senet.position import SenetPosition
from oudjat.rules.senet.turns import read_turn
from oudjat.rules.thirty_houses import HOUSES, SHAPES
from oudjat.rules.two_sides import TwoSidesGame, check_pieces

STICKS = 4
THROWS_OF_A_GAME = 1000  # then the same come again


class Senet(TwoSidesGame):
    """The declaration of Senet; ``SENET`` is its one instance."""

    id = "senet"
    name = "Senet"
    version = 1
    shapes = SHAPES
    options = (Option("pieces", "SE-1", ("5", "7", "10")),)
    chance = "four casting sticks"
    thrown = "sticks"
    turn_rule = "SE-2"

    def start(
        self,
        players: int = 2,
        *,
        variant: str = "normal",
        first: int = 1,
        options: Mapping[str, str] | None = None,
    ) -> SenetPosition:
        """SE-1: see :meth:`Game.start`. Who begins stands on the odd houses."""
        chosen = self.check_setup(players, variant, first, options)
        last = 2 * int(chosen["pieces"])
        odd, even = range(1, last + 1, 2), range(2, last + 1, 2)
        sides = (odd, even) if first == 1 else (even, odd)
        return self.set_up(*sides, to_move=first, options=options)

    def set_up(
        self,
        light: Iterable[int],
        dark: Iterable[int],
        *,
        to_move: int = 1,
        turns: int = 0,
        options: Mapping[str, str] | None = None,
    ) -> SenetPosition:
        """Any position before a throw, for study: the houses of each side's pieces that are not yet borne off.

        Raises :class:`SetupError` for what cannot be.

        >>> SENET.set_up((26,), (28, 1)).outcome is None
        True
        """
        chosen = self.check_setup(2, "normal", to_move, options)
        sides = tuple(light), tuple(dark)
        check_pieces(*sides, last=HOUSES, most=int(chosen["pieces"]))
        if not all(sides):
            raise SetupError(N_("Who has no piece left has won; give each side one at least."))
        if rules.WATER in (*sides[0], *sides[1]):
            raise SetupError(N_("No piece stays in the water, on 27; put it on another house."))
        state = self._laid_out(rules.SIZE, sides, to_move, turns)
        return SenetPosition(tuple(state), tuple(chosen.items()))

    def luck(self, randomness: Randomness) -> tuple[str, ...]:
        """SE-2: 1000 throws, each the number of light sides up on four sticks, 5 for none."""
        return tuple(
            str(sum(randomness.randrange(2) for _ in range(STICKS)) or STICKS + 1)
            for _ in range(THROWS_OF_A_GAME)
        )

    def read(self, text: str) -> Turn:
        """See :meth:`Game.read`.

        >>> SENET.read("5:26-off").text
        '5:26-off'
        """
        return read_turn(text)


SENET = Senet()
SenetPosition.game = SENET
