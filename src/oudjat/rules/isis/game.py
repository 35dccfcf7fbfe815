"""The game of Isis: what it is, how it begins, and how any position of it is set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oudjat.rules.game import Game, Option, Turn
from oudjat.rules.isis.core import (
    ARRIVAL,
    ARRIVED,
    CLAIM_JUST_MOVED,
    GONE,
    HOME,
    JUST_MOVED,
    LIMIT,
    MOST_SEATS,
    NEUTRAL,
    NO_PIECE,
    PIECE,
    PIECES,
    PLAYERS,
    RANK_ALL,
    REVERTS,
    SIZE,
    SQUARES,
    THRONES,
    TO_MOVE,
    TURNS,
    cast_out,
    neutral_below,
)
from oudjat.rules.isis.position import IsisPosition
from oudjat.rules.isis.turns import COLOURS, SHAPES, read_turn


class Isis(Game):
    """The declaration of Isis; ``ISIS`` is its one instance."""

    id = "isis"
    name = "Isis"
    version = 1
    players = range(2, MOST_SEATS + 1)
    colours = COLOURS
    shapes = SHAPES
    variants = ("normal",)
    options = (
        Option("claim_just_moved", "IS-9", ("yes", "no")),
        Option("cast_out", "IS-10", ("stays", "reverts")),
        Option("home", "IS-11", ("yes", "no")),
        Option("rank_all", "IS-13", ("no", "yes")),
        Option("repetition", "IS-14", ("forbid", "draw")),
    )
    chance = None
    thrown = None
    hidden = None
    turn_rule = "IS-4"
    limit = LIMIT

    def start(
        self,
        players: int = 2,
        *,
        variant: str = "normal",
        first: int = 1,
        options: Mapping[str, str] | None = None,
    ) -> IsisPosition:
        """IS-3: see :meth:`Game.start`."""
        chosen = self.check_setup(players, variant, first, options)
        state = [0] * SIZE
        state[PLAYERS] = players
        state[TO_MOVE] = first - 1
        state[CLAIM_JUST_MOVED] = int(chosen["claim_just_moved"] == "yes")
        state[REVERTS] = int(chosen["cast_out"] == "reverts")
        state[HOME] = int(chosen["home"] == "yes")
        state[RANK_ALL] = int(chosen["rank_all"] == "yes")
        for seat in range(MOST_SEATS):
            state[PIECE + seat] = NO_PIECE
        return IsisPosition(tuple(state), chosen["repetition"])

    def set_up(
        self,
        neutral: Sequence[int] = (),
        own: Mapping[int, int] | None = None,
        *,
        players: int = 2,
        to_move: int = 1,
        just_moved: int = 0,
        arrived: Sequence[int] = (),
        turns: int = 0,
        options: Mapping[str, str] | None = None,
    ) -> IsisPosition:
        """A position for puzzles, studies and tests, without a past; all pieces not named are in the Underworld.

        ``neutral`` are the squares of neutral pieces, ``own`` gives the square of each seat's own piece (0: in the
        Underworld), ``just_moved`` the square of the neutral piece that the previous player has just moved, and
        ``arrived`` the seats that have dropped out, in order (IS-13). Raises :class:`SetupError` as :meth:`start`
        does, and ValueError for pieces that cannot stand so before a turn.

        >>> position = ISIS.set_up([19, 9, 8, 38])
        >>> [turn.text for turn in position.choices() if turn.text.startswith("19-")]
        ['19-24', '19-26', '19-27', '19-29', '19-32', '19-35']
        """
        own = own or {}
        state = list(self.start(players, first=to_move, options=options).core)
        standing = [*neutral, *(square for square in own.values() if square)]
        if len(standing) != len(set(standing)):
            raise ValueError("two pieces stand on one square")
        if not all(1 <= square <= SQUARES and not THRONES >> square & 1 for square in standing):
            raise ValueError("pieces stand on squares from 1 to 50, and before a turn on no throne")
        seats = (*own, *arrived)
        if len(seats) != len(set(seats)) or not all(1 <= seat <= players for seat in seats):
            raise ValueError(f"seats are 1 to {players}, and who has arrived owns no piece")
        if arrived and (not state[RANK_ALL] or len(arrived) > players - 2 or to_move in arrived):
            raise ValueError(
                "seats drop out only in a full ranking, and two are left to play on, one of them to move"
            )
        if just_moved and just_moved not in neutral:
            raise ValueError("the piece that has just been moved stands on a square and is neutral")
        if not 0 <= turns < LIMIT:
            raise ValueError(f"a game has fewer than {LIMIT} turns while it goes on")
        state[NEUTRAL] = sum(1 << square for square in neutral)
        state[JUST_MOVED] = just_moved
        state[TURNS] = turns
        state[ARRIVED] = len(arrived)
        for seat, square in own.items():
            state[PIECE + seat - 1] = square
        for place, seat in enumerate(arrived):
            state[ARRIVAL + place] = seat - 1
            state[PIECE + seat - 1] = GONE
        if neutral_below(state) < 0:
            raise ValueError(f"there are only {PIECES} pieces")
        settled = list(state)
        cast_out(settled)
        if settled != state:
            raise ValueError("a piece in the Heavenly Realm without a move has been cast out (IS-10)")
        return IsisPosition(tuple(state), self.check_setup(players, "normal", 1, options)["repetition"])

    def read(self, text: str) -> Turn:
        """See :meth:`Game.read`.

        >>> ISIS.read("19-27")
        Move(start=19, end=27, own=False)
        """
        return read_turn(text)


ISIS = Isis()
IsisPosition.game = ISIS
