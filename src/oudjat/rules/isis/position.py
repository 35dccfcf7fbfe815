"""A position of Isis: the core and its past wrapped in an immutable value, and what everybody may see of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

from oudjat.rules.cores import after, listed
from oudjat.rules.game import (
    Asks,
    BoardView,
    Cell,
    Game,
    IllegalTurn,
    Lies,
    Outcome,
    Position,
    SeatView,
    Turn,
    Walk,
    Ways,
)
from oudjat.rules.isis import core as rules
from oudjat.rules.isis.core import (
    ARRIVAL,
    ARRIVED,
    CLAIM_JUST_MOVED,
    ENTRANCES,
    EXITS,
    FIRST_OF_HEAVEN,
    HOME,
    NEUTRAL,
    PASS,
    PIECE,
    PLAYERS,
    RANK_ALL,
    REVERTS,
    SIZE,
    SQUARES,
    THRONES,
    TO_MOVE,
    TURNS,
    WINNERS,
    end_in_draw,
    neutral_below,
    occupied,
)
from oudjat.rules.isis.paths import squares_of, way_of
from oudjat.rules.isis.turns import (
    COLUMNS,
    ROWS,
    Move,
    Pass,
    Personalize,
    code_of,
    place_of,
    turn_from,
)
from oudjat.rules.isis.why_not import BARRED, over, why_not
from oudjat.rules.views import ways_of

Key = tuple[int, ...]
"""What must not come back (IS-14): who is to move, the squares of the neutral pieces, and each seat's own piece,
with it who has dropped out."""


def key_of(core: tuple[int, ...]) -> Key:
    """What IS-14 compares of a position."""
    return core[TO_MOVE:SIZE]


@lru_cache(maxsize=1024)
def codes(core: tuple[int, ...]) -> tuple[int, ...]:
    """Every turn that the core lists, by its code."""
    return tuple(listed(rules, core))


@lru_cache(maxsize=1024)
def keys_after(core: tuple[int, ...]) -> tuple[Key, ...]:
    """For each of these turns the key of the position to which it leads."""
    return tuple(key_of(after(rules, core, code)) for code in codes(core))


@dataclass(frozen=True, slots=True)
class IsisPosition(Position):
    """A position of Isis: the core, what is done about repetition (IS-14), and how often earlier positions stood.

    ``past`` holds the key of every earlier position with 1, and with 2 if it stood a second time.

    >>> from oudjat.rules.isis import ISIS
    >>> position = ISIS.start(players=2).follow(ISIS.read("0-13"))
    >>> position.to_move, [turn.text for turn in position.choices()]
    (2, ['0-11', '0-12'])
    """

    game: ClassVar[Game]
    core: tuple[int, ...]
    repetition: str = "forbid"
    past: frozenset[tuple[Key, int]] = frozenset()

    @property
    def players(self) -> int:
        return self.core[PLAYERS]

    @property
    def variant(self) -> str:
        return "normal"

    @property
    def options(self) -> Mapping[str, str]:
        return {
            "claim_just_moved": "yes" if self.core[CLAIM_JUST_MOVED] else "no",
            "cast_out": "reverts" if self.core[REVERTS] else "stays",
            "home": "yes" if self.core[HOME] else "no",
            "rank_all": "yes" if self.core[RANK_ALL] else "no",
            "repetition": self.repetition,
        }

    @property
    def turns(self) -> int:
        return self.core[TURNS]

    @property
    def to_move(self) -> int | None:
        return None if self.core[WINNERS] else self.core[TO_MOVE] + 1

    @property
    def asks(self) -> Asks:
        return "nothing" if self.core[WINNERS] else "choice"

    def _split(self) -> tuple[list[int], list[int]]:
        """The codes of the turns that may be taken, and of those that repetition bars."""
        if self.repetition != "forbid":
            return list(codes(self.core)), []
        legal: list[int] = []
        barred: list[int] = []
        for code, key in zip(codes(self.core), keys_after(self.core), strict=True):
            (barred if code != PASS and (key, 1) in self.past else legal).append(code)
        return legal or ([PASS] if barred else []), barred  # IS-12

    def choices(self) -> tuple[Turn, ...]:
        return tuple(turn_from(code) for code in self._split()[0])

    def barred(self) -> tuple[tuple[Turn, IllegalTurn], ...]:
        turns = [turn_from(code) for code in self._split()[1]]
        return tuple((turn, IllegalTurn("IS-14", BARRED, turn=turn.text)) for turn in turns)

    def _check(self, turn: Turn) -> int:
        """The turn's code. Raises :class:`IllegalTurn` if it cannot be taken here."""
        if self.core[WINNERS]:
            raise over(self.core)
        if not isinstance(turn, Move | Personalize | Pass):
            raise why_not(self.core, turn)
        code = code_of(turn)
        legal, barred = self._split()
        if code in barred:
            raise IllegalTurn("IS-14", BARRED, turn=turn.text)
        if code not in legal:
            raise why_not(self.core, turn)
        return code

    def apply(self, turn: Turn) -> Self:
        moved = after(rules, self.core, self._check(turn))
        here, there = key_of(self.core), key_of(moved)
        past = self.past | {(here, 2 if (here, 1) in self.past else 1)}
        if self.repetition == "draw" and (there, 2) in past and not moved[WINNERS]:
            state = list(moved)
            end_in_draw(state)
            moved = tuple(state)
        return type(self)(moved, self.repetition, past)

    def follow(self, turn: Turn) -> Self:
        return self.apply(turn)

    @property
    def outcome(self) -> Outcome | None:
        """See :meth:`Position.outcome`; IS-13: with a full ranking the seats in their order, those that a draw ends
        last."""
        core = self.core
        if not core[WINNERS]:
            return None
        if not core[RANK_ALL]:
            return Outcome(
                None, tuple(seat + 1 for seat in range(core[PLAYERS]) if core[WINNERS] >> seat & 1)
            )
        arrived = core[ARRIVAL : ARRIVAL + core[ARRIVED]]
        others = [seat for seat in range(core[PLAYERS]) if seat not in arrived]
        return Outcome(None, tuple(seat + 1 for seat in (*arrived, *others)), len(arrived))

    def walks(self, turn: Turn) -> tuple[Walk, ...]:
        """See :meth:`Position.walks`; the pieces cast out (IS-10) follow in the order of their squares, and so does one
        that returns from its throne (IS-13)."""
        moved = after(rules, self.core, self._check(turn))
        if not isinstance(turn, Move):
            return ()
        stood = occupied(self.core) & ~(1 << turn.start) | (1 << turn.end if turn.end else 0)
        cast_out = squares_of(stood & ~occupied(moved))
        way = tuple(str(square) for square in way_of(self.core, turn))
        return (way, *((str(square), "0") for square in cast_out))

    def view(self, seat: int | None) -> BoardView:
        """See :meth:`Position.view`; Isis has no secrets, only the player to move sees what he can do."""
        outcome = self.outcome
        legal, barred = self._split() if seat is not None and seat == self.to_move else ([], [])
        return BoardView(
            game=self.game.id,
            variant=self.variant,
            players=self.players,
            rows=ROWS,
            columns=COLUMNS,
            cells=tuple(
                sorted(
                    (self._cell(square) for square in range(SQUARES + 1)),
                    key=lambda cell: (cell.row, cell.column),
                )
            ),
            seats=tuple(
                SeatView(number, self.game.colours[number - 1], self.game.shapes[number - 1])
                for number in range(1, self.players + 1)
            ),
            turns=self.turns,
            to_move=self.to_move,
            asks=self.asks,
            drawn=None,
            actions=tuple(turn_from(code).text for code in legal if code == PASS),
            over=outcome is not None,
            winners=outcome.winners if outcome else (),
            ranked=outcome.ranked if outcome else 0,
            thrown=self.game.thrown,
            options=dict(self.options),
            ways=_ways(legal),
            barred=_ways(barred),
        )

    def _cell(self, square: int) -> Cell:
        if square == 0:
            return Cell("0", 1, 0, rows=2, columns=7, pile=self._below(), walls="nesw")
        row, column = place_of(square)
        throne = bool(THRONES >> square & 1)
        return Cell(
            str(square),
            row,
            column,
            lies=self._lies(square),
            mark=_mark(square),
            walls="nsw" if throne else "",
            doors="e" if throne else {1: "s", 2: "n", 16: "w", 17: "w"}.get(square, ""),
        )

    def _lies(self, square: int) -> Lies | None:
        if self.core[NEUTRAL] >> square & 1:
            return Lies("piece")
        owners = [seat for seat in range(self.players) if self.core[PIECE + seat] == square]
        return Lies("piece", seat=owners[0] + 1) if owners else None

    def _below(self) -> tuple[Lies, ...]:
        """The pieces in the Underworld, neutral ones first."""
        owned = [seat + 1 for seat in range(self.players) if self.core[PIECE + seat] == 0]
        return (*(Lies("piece"),) * neutral_below(self.core), *(Lies("piece", seat=seat) for seat in owned))


def _mark(square: int) -> str | None:
    if EXITS >> square & 1:
        return "way-out"
    if ENTRANCES >> square & 1:
        return "way-in"
    if THRONES >> square & 1:
        return "throne"
    return "star" if square >= FIRST_OF_HEAVEN else None


def _ways(codes: Iterable[int]) -> Ways:
    """Turns by what is chosen for them: the piece, then where it ends, or ``!``. In the Underworld, where the player's
    own piece cannot be told from a neutral one by its square, ``*`` chooses it."""
    choices: list[tuple[tuple[str, ...], str]] = []
    for code in codes:
        match turn_from(code):
            case Move(0, end, own) as turn:
                choices.append((("0", "*", str(end)) if own else ("0", str(end)), turn.text))
            case Move(start, end) as turn:
                choices.append(((str(start), str(end)), turn.text))
            case Personalize(square) as turn:
                choices.append(((str(square), "!"), turn.text))
    return ways_of(choices)
