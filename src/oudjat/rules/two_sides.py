"""What the positions of games of two sides have in common: light against dark, a core laid out as in ``layout``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from oudjat.rules.game import N_, Asks, BoardView, Cell, Lies, Outcome, Position, SeatView, SetupError, Ways
from oudjat.rules.layout import LIGHT, PLAYERS, TO_MOVE, TURNS, WINNERS

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
