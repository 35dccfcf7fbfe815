"""The game of Ramses: what it is and how it begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oudjat.rules.game import N_, Option, SetupError
from oudjat.rules.ramses.core import DARK, LIGHT, LIMIT, PLACES, SIZE, has_won
from oudjat.rules.ramses.position import RamsesPosition
from oudjat.rules.ramses.turns import RamsesTurn, read_turn
from oudjat.rules.two_sides import TwoSidesGame, check_pieces

LIGHT_STARTS = (2, 3, 4, 5)  # RA-2
DARK_STARTS = (19, 20, 21, 22)


class Ramses(TwoSidesGame):
    """The declaration of Ramses; ``RAMSES`` is its one instance."""

    id = "ramses"
    name = "Ramses"
    version = 1
    shapes = ("white-crown", "red-crown")
    options = (Option("repetition", "RA-7", ("draw", "forbid")),)
    chance = None
    thrown = None
    turn_rule = "RA-3"
    limit = LIMIT

    def start(
        self,
        players: int = 2,
        *,
        variant: str = "normal",
        first: int = 1,
        options: Mapping[str, str] | None = None,
    ) -> RamsesPosition:
        """RA-2: see :meth:`Game.start`."""
        self.check_setup(players, variant, first, options)
        return self.set_up(LIGHT_STARTS, DARK_STARTS, to_move=first, options=options)

    def set_up(
        self,
        light: Iterable[int],
        dark: Iterable[int],
        *,
        to_move: int = 1,
        turns: int = 0,
        options: Mapping[str, str] | None = None,
    ) -> RamsesPosition:
        """Any position in which nobody has won yet, for study: the spaces of each side's four pieces.

        Raises :class:`SetupError` for what cannot be.

        >>> RAMSES.set_up((1, 18, 10, 5), (2, 3, 4, 6), to_move=2).view(None).cell("18").lies
        Lies(kind='piece', seat=1, face=None)
        """
        chosen = self.check_setup(2, "normal", to_move, options)
        sides = tuple(light), tuple(dark)
        check_pieces(*sides, last=len(PLACES) - 1, most=4)
        if min(map(len, sides)) < 4:
            raise SetupError(N_("Each side has four pieces; put all of them on the board."))
        lying = ([PLACES[space] for space in side] for side in sides)
        state = self._laid_out(SIZE, lying, to_move, turns)
        if has_won(state[LIGHT]) or has_won(state[DARK]):
            raise SetupError(
                N_("Three special squares are taken already; set up a position that is not yet won.")
            )
        return RamsesPosition(tuple(state), tuple(chosen.items()))

    def read(self, text: str) -> RamsesTurn:
        """See :meth:`Game.read`.

        >>> RAMSES.read("3-9")
        RamsesTurn(own=Half(start=3, end=9), other=None)
        """
        return read_turn(text)


RAMSES = Ramses()
RamsesPosition.game = RAMSES
