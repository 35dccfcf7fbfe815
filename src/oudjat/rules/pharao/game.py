"""The game of Pharao: what it is, how it begins, and its dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oudjat.rules.game import N_, Option, Randomness, SetupError, Turn
from oudjat.rules.pharao import core as rules
from oudjat.rules.pharao.position import PharaoPosition
from oudjat.rules.pharao.turns import read_turn, spell_throw
from oudjat.rules.thirty_houses import HOUSES, SHAPES
from oudjat.rules.two_sides import TwoSidesGame, check_pieces

LIGHT_STARTS = (2, 3, 4, 5)  # PH-2
DARK_STARTS = (22, 23, 24, 25)
WATER = 27


class Pharao(TwoSidesGame):
    """The declaration of Pharao; ``PHARAO`` is its one instance."""

    id = "pharao"
    name = "Pharao"
    version = 1
    shapes = SHAPES
    options = (Option("surround", "PH-6", ("no", "yes")),)
    chance = "two special dice"
    thrown = "dice"
    turn_rule = "PH-3"
    limit = rules.LIMIT

    def start(
        self,
        players: int = 2,
        *,
        variant: str = "normal",
        first: int = 1,
        options: Mapping[str, str] | None = None,
    ) -> PharaoPosition:
        """PH-2: see :meth:`Game.start`."""
        self.check_setup(players, variant, first, options)
        return self.set_up(LIGHT_STARTS, DARK_STARTS, to_move=first, options=options)

    def set_up(
        self,
        light: Iterable[int],
        dark: Iterable[int],
        *,
        to_move: int = 1,
        turns: int = 0,
        danger: bool = False,
        options: Mapping[str, str] | None = None,
    ) -> PharaoPosition:
        """Any position before a throw, for study: the houses of each side's one to four pieces.

        ``danger`` says that the piece in the water was moved there just now, so that the player to move has to
        rescue it (PH-5). Raises :class:`SetupError` for what cannot be.

        >>> PHARAO.set_up((27, 25), (1,), danger=True).turns
        0
        """
        chosen = self.check_setup(2, "normal", to_move, options)
        sides = tuple(light), tuple(dark)
        check_pieces(*sides, last=HOUSES, most=4)
        if not all(sides):
            raise SetupError(N_("Who has no piece has lost; give each side one at least."))
        if danger and WATER not in sides[to_move - 1]:
            raise SetupError(N_("No piece of the player to move stands in the water, on 27."))
        lying = ([rules.PLACES[house] for house in side] for side in sides)
        state = self._laid_out(rules.SIZE, lying, to_move, turns)
        state[rules.SURROUND] = int(chosen["surround"] == "yes")
        state[rules.DANGER] = to_move if danger else 0
        return PharaoPosition(tuple(state), tuple(chosen.items()))

    def luck(self, randomness: Randomness) -> tuple[str, ...]:
        """PH-3: a throw of both dice for each of 400 turns."""
        return tuple(
            spell_throw(
                rules.hand_of(
                    rules.OWN_DIE[randomness.randrange(6)], rules.OTHER_DIE[randomness.randrange(6)]
                )
            )
            for _ in range(rules.LIMIT)
        )

    def read(self, text: str) -> Turn:
        """See :meth:`Game.read`.

        >>> PHARAO.read("3,1:5-8/22-21").text
        '3,1:5-8/22-21'
        """
        return read_turn(text)


PHARAO = Pharao()
PharaoPosition.game = PHARAO
