"""What the positions of games of two sides have in common: light against dark, a core laid out as in ``layout``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from oudjat.rules.game import (
    N_,
    Asks,
    BoardView,
    Cell,
    Game,
    Lies,
    Outcome,
    Position,
    SeatView,
    SetupError,
    Ways,
)
from oudjat.rules.layout import LIGHT, PLAYERS, TO_MOVE, TURNS, WINNERS
from oudjat.rules.stepping import bits_of

COLOURS = ("light", "dark")


@dataclass(frozen=True, slots=True)
class TwoSidesPosition(Position):
    """A core with the options that were chosen, as pairs of key and value in the game's order."""

    core: tuple[int, ...]
    chosen: tuple[tuple[str, str], ...]

    @property
    def players(self) -> int:
        return self.core[PLAYERS]

    @property
    def variant(self) -> str:
        return "normal"

    @property
    def options(self) -> Mapping[str, str]:
        return dict(self.chosen)

    @property
    def turns(self) -> int:
        return self.core[TURNS]

    @property
    def to_move(self) -> int | None:
        return self.core[TO_MOVE] + 1 if self.outcome is None else None

    @property
    def asks(self) -> Asks:
        return "choice" if self.outcome is None else "nothing"

    @property
    def outcome(self) -> Outcome | None:
        winners = self.core[WINNERS]
        if not winners:
            return None
        return Outcome(None, tuple(seat + 1 for seat in range(self.players) if winners >> seat & 1))

    def _lies(self, place: int) -> Lies | None:
        """The piece on the space with the bit of this number."""
        for seat in range(self.players):
            if self.core[LIGHT + seat] >> place & 1:
                return Lies("piece", seat=seat + 1)
        return None

    def _board(
        self,
        cells: tuple[Cell, ...],
        *,
        drawn: str | None = None,
        actions: tuple[str, ...] = (),
        ways: Ways | None = None,
        barred: Ways | None = None,
    ) -> BoardView:
        """What is seen of this position, on a board of these cells."""
        outcome = self.outcome
        return BoardView(
            game=self.game.id,
            variant=self.variant,
            players=self.players,
            rows=max(cell.row + cell.rows for cell in cells),
            columns=max(cell.column + cell.columns for cell in cells),
            cells=cells,
            seats=tuple(
                SeatView(number=seat + 1, colour=self.game.colours[seat], shape=self.game.shapes[seat])
                for seat in range(self.players)
            ),
            turns=self.turns,
            to_move=self.to_move,
            asks=self.asks,
            drawn=drawn,
            actions=actions,
            over=outcome is not None,
            winners=outcome.winners if outcome else (),
            thrown=self.game.thrown,
            options=dict(self.options),
            ways=ways or {},
            barred=barred or {},
        )


class TwoSidesGame(Game):
    """What the declarations of such games have in common."""

    players = range(2, 3)
    colours = COLOURS
    variants = ("normal",)
    hidden = None

    def _laid_out(self, size: int, sides: Iterable[Iterable[int]], to_move: int, turns: int) -> list[int]:
        """A core of this length with the pieces of light and of dark on these places.

        Raises :class:`SetupError` when no game has so many turns behind it.
        """
        if self.limit is None and turns < 0:
            raise SetupError(N_("A game has 0 turns behind it or more."))
        if self.limit is not None and not 0 <= turns < self.limit:
            raise SetupError(N_("A game has less than {most} turns behind it."), most=self.limit)
        state = [0] * size
        state[PLAYERS] = len(self.colours)
        state[TO_MOVE] = to_move - 1
        state[TURNS] = turns
        for seat, places in enumerate(sides):
            state[LIGHT + seat] = bits_of(places)
        return state


def check_pieces(light: Iterable[int], dark: Iterable[int], *, last: int, most: int) -> None:
    """A position that is set up has its pieces on spaces 1 to ``last``, each on its own, at most ``most`` a side.

    Raises :class:`SetupError`.
    """
    sides = [list(light), list(dark)]
    pieces = sides[0] + sides[1]
    for space in pieces:
        if not 1 <= space <= last:
            raise SetupError(N_("There is no space {space}; spaces are 1 to {last}."), space=space, last=last)
        if pieces.count(space) > 1:
            raise SetupError(N_("Two pieces stand on {space}; put each on a space of its own."), space=space)
    if max(map(len, sides)) > most:
        raise SetupError(N_("A side has at most {most} pieces."), most=most)
