"""A position of Isis & Osiris: the core wrapped in an immutable value, and what each seat may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar, Self

from oudjat.rules.game import (
    N_,
    Asks,
    BoardView,
    Cell,
    Draw,
    Drew,
    Game,
    IllegalTurn,
    Lies,
    Outcome,
    Position,
    Reserve,
    SeatView,
    Turn,
)
from oudjat.rules.isis_osiris.core import (
    ALL_TILES,
    BOARD,
    DEALT,
    EMPTY_HAND,
    FREE,
    FREE_SPACE,
    HAND,
    MOST_SEATS,
    PIECES,
    PLAYERS,
    SHARED,
    SIDE,
    TILE,
    TO_MOVE,
    TURNING,
    TURNS,
    UNSEEN,
    VALUES,
    add_scores,
    drew,
    next_seat,
    place_piece,
    place_tile,
    stock,
    turn_over,
    why_not_drew,
    why_not_pass,
    why_not_piece,
    why_not_tile,
    why_not_turn_over,
)
from oudjat.rules.isis_osiris.turns import (
    COLOURS,
    PIECE_ON,
    READING_ORDER,
    SPACE_NAMES,
    Pass,
    PlacePiece,
    PlaceTile,
    read_value,
    spell_value,
)

_SENTENCES = {
    2: N_("No tile of {value} is left: all of them have been turned over."),
    8: N_("A tile is turned over: place it on a free space, and nothing else."),
    9: N_("{space} is not free; choose a space on which nothing lies."),
    12: N_("The game is over: the last free space is filled."),
    19: N_("The shared stock is used up; place a piece."),
}
_ACTIONS = (Draw, Pass)  # turns that are bound to no space
_NO_PIECE = N_("You have no piece left; place a tile.")
_NO_TILE = N_("You have no tile left; place a piece.")
_MUST_TAKE = N_("You have no piece left; take a tile from the stock.")
_NO_PASS = N_("You cannot pass while you have a piece or a tile to place.")
_NOT_TURNED = N_("Turn a tile over before you place it.")
_OTHER_VALUE = N_("The tile that is turned over shows {value}; place that one.")
_STILL_TURNING = N_("A tile is being turned over; its value comes first.")


@dataclass(frozen=True, slots=True)
class IsisOsirisPosition(Position):
    """A position of Isis & Osiris: the core and whether placed values stay visible (IO-21).

    It holds every value that has been turned over, as a player does who forgets nothing. Nobody knows the
    order of the unseen tiles, so no position holds it either.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> position = ISIS_OSIRIS.start(players=2).apply(ISIS_OSIRIS.read("Pc3"))
    >>> position.to_move, position.asks, len(position.choices())
    (2, 'choice', 36)
    """

    game: ClassVar[Game]
    core: tuple[int, ...]
    memory: str = "strict"

    @property
    def players(self) -> int:
        return self.core[PLAYERS]

    @property
    def variant(self) -> str:
        return "shared" if self.core[SHARED] else "normal"

    @property
    def options(self) -> Mapping[str, str]:
        return {"memory": self.memory}

    @property
    def turns(self) -> int:
        return self.core[TURNS]

    @property
    def free_spaces(self) -> int:
        """See :meth:`Position.free_spaces` (IO-9)."""
        return self.core[FREE]

    @property
    def to_move(self) -> int | None:
        return self.core[TO_MOVE] + 1 if self.core[FREE] else None

    @property
    def asks(self) -> Asks:
        if self.core[FREE] == 0:
            return "nothing"
        if self.core[HAND] == EMPTY_HAND:
            return "choice"
        return "chance" if self.core[HAND] == TURNING else "placing"

    @property
    def withheld(self) -> bool:
        """Whether the value of a placed tile is not known (``?c4`` in a record given out before the end)."""
        return TILE in self.core[BOARD:]

    def choices(self) -> tuple[Turn, ...]:
        core = self.core
        free = [space for space, lies in enumerate(core[BOARD:]) if lies == FREE_SPACE]
        if self.asks == "placing":
            return tuple(PlaceTile(core[HAND], space) for space in free)
        found: list[Turn] = []
        if free and not why_not_piece(core, free[0]):  # what holds for one free space holds for all
            found += [PIECE_ON[space] for space in free]
        if not why_not_turn_over(core):
            found.append(Draw())
        if not why_not_pass(core):
            found.append(Pass())
        return tuple(found)

    def chance(self) -> tuple[tuple[Drew, Fraction], ...]:
        if self.asks != "chance":
            return ()
        left = sum(self.core[UNSEEN : UNSEEN + 9])
        return tuple(
            (Drew(spell_value(value)), Fraction(self.core[UNSEEN + 4 + value], left))
            for value in VALUES
            if self.core[UNSEEN + 4 + value]
        )

    def comes(self, luck: tuple[str, ...]) -> Drew:
        """The tile on top of the stock: ``luck`` is dealt seat by seat (IO-4), or is the shared stock (IO-17)."""
        if self.asks != "chance":
            raise ValueError("no tile is being turned over")
        seat = self.core[TO_MOVE]
        dealt = ALL_TILES if self.core[SHARED] else DEALT[self.players][1]
        begins = 0 if self.core[SHARED] else seat * dealt
        return Drew(luck[begins + dealt - 1 - stock(self.core, seat)])

    def apply(self, turn: Turn) -> Self:
        state = list(self.core)
        match turn:
            case PlacePiece(space):
                self._check(why_not_piece(state, space), turn)
                place_piece(state, space)
            case Draw():
                self._check(why_not_turn_over(state), turn)
                turn_over(state)
            case Drew(outcome):
                value = read_value(outcome)
                self._check(why_not_drew(state, value), turn)
                drew(state, value)
            case PlaceTile(value, space) if value is not None:
                self._check(why_not_tile(state, value, space), turn)
                place_tile(state, space)
            case Pass():
                self._check(why_not_pass(state), turn)
                next_seat(state)
            case _:  # a tile whose value is withheld cannot be placed, only be read from a record
                if self.asks == "placing":
                    raise IllegalTurn("IO-8", _OTHER_VALUE, value=spell_value(self.core[HAND]))
                raise IllegalTurn("IO-8", _NOT_TURNED)
        return self._with(state)

    def follow(self, turn: Turn) -> Self:
        if not isinstance(turn, PlaceTile) or self.asks == "placing":
            return self.apply(turn)
        state = list(self.core)
        self._check(why_not_turn_over(state), Draw())
        turn_over(state)
        if turn.value is None:
            state[HAND] = EMPTY_HAND  # withheld: 10 + 0 on the board
        else:
            self._check(why_not_drew(state, turn.value), Drew(spell_value(turn.value)))
            drew(state, turn.value)
        self._check(why_not_tile(state, state[HAND], turn.space), turn)
        place_tile(state, turn.space)
        return self._with(state)

    def _with(self, state: Sequence[int]) -> Self:
        return type(self)(tuple(state), self.memory)

    def _check(self, rule: int, turn: Turn) -> None:
        """Raise what the core's refusal ``rule`` means for this turn; 0 is no refusal."""
        if not rule:
            return
        gaps: dict[str, str | int] = {}
        sentence = _SENTENCES.get(rule, "")
        match rule, turn:
            case 2, Drew(outcome):
                gaps["value"] = outcome
            case 8, PlaceTile() if self.asks == "placing":
                sentence, gaps["value"] = _OTHER_VALUE, spell_value(self.core[HAND])
            case 8, PlaceTile() | Drew() if self.asks == "choice":
                sentence = _NOT_TURNED
            case 8, _ if self.asks == "chance":
                sentence = _STILL_TURNING
            case 9, PlacePiece(space) | PlaceTile(_, space):
                gaps["space"] = SPACE_NAMES[space]
            case 10, PlacePiece():
                sentence = _NO_PIECE
            case 10, _:
                sentence = _NO_TILE
            case 20, PlacePiece():
                sentence = _MUST_TAKE
            case 20, _:
                sentence = _NO_PASS
        raise IllegalTurn(f"IO-{rule}", sentence, **gaps)

    @property
    def standing(self) -> tuple[int, ...] | None:
        if self.withheld:
            return None
        scores = [0] * MOST_SEATS
        add_scores(self.core, scores)
        return tuple(scores[: self.players])

    @property
    def outcome(self) -> Outcome | None:
        if self.core[FREE]:
            return None
        scores = self.standing
        if scores is None:
            return Outcome(None, ())
        best = max(scores)  # IO-16
        return Outcome(scores, tuple(seat for seat, score in enumerate(scores, 1) if score == best))

    def reserves(self) -> tuple[Reserve, ...]:
        return tuple(
            Reserve(self.core[PIECES + seat], stock(self.core, seat)) for seat in range(self.players)
        )

    @property
    def _open(self) -> bool:
        """IO-21: whether placed values are shown."""
        return self.memory == "open" or self.core[FREE] == 0

    def revealed(self) -> Self:
        return type(self)(self.core, "open")

    def public_turn(self, turn: Turn) -> Turn:
        return turn if self._open or not isinstance(turn, PlaceTile) else PlaceTile(None, turn.space)

    def view(self, seat: int | None) -> BoardView:
        """See :meth:`Position.view`. IO-21: before the end, strict memory shows no placed value and no score."""
        core = self.core
        outcome = self.outcome
        shown = self._open
        scores = self.standing if shown else None
        mine = self.choices() if seat is not None and seat == self.to_move else ()
        places = bool(mine) and isinstance(mine[0], PlacePiece | PlaceTile)
        offer = core[HAND] if places else None
        board = core[BOARD:]
        return BoardView(
            game=self.game.id,
            variant=self.variant,
            players=self.players,
            rows=SIDE,
            columns=SIDE,
            cells=tuple(
                [
                    _cell(
                        space,
                        lies if shown or lies <= MOST_SEATS else TILE,
                        offer if lies == FREE_SPACE else None,
                    )
                    for space in READING_ORDER
                    for lies in (board[space],)
                ]
            ),
            seats=tuple(
                [
                    _seat_view(
                        seat + 1,
                        core[PIECES + seat],
                        stock(core, seat),
                        None if scores is None else scores[seat],
                    )
                    for seat in range(core[PLAYERS])
                ]
            ),
            turns=self.turns,
            to_move=self.to_move,
            asks=self.asks,
            drawn=spell_value(self.core[HAND]) if self.asks == "placing" else None,
            actions=tuple([turn.text for turn in mine if isinstance(turn, _ACTIONS)]),
            over=outcome is not None,
            winners=outcome.winners if outcome else (),
            thrown=self.game.thrown,
            options={"memory": self.memory},
        )


@cache
def _cell(space: int, lies: int, offer: int | None) -> Cell:
    """A space with what lies there, a withheld tile as ``TILE``. ``offer`` is what choosing it places there: the tile
    of this value, a piece when it is EMPTY_HAND, None when it cannot be chosen."""
    turn = PIECE_ON[space] if offer == EMPTY_HAND else PlaceTile(offer, space)
    return Cell(
        name=SPACE_NAMES[space],
        row=SIDE - 1 - space // SIDE,
        column=space % SIDE,
        lies=_lies(lies),
        offers=() if offer is None else (turn.text,),
    )


@cache
def _seat_view(number: int, pieces: int, tiles: int, score: int | None) -> SeatView:
    game = IsisOsirisPosition.game
    return SeatView(
        number=number,
        colour=COLOURS[number - 1],
        shape=game.shapes[number - 1],
        reserve=Reserve(pieces, tiles),
        score=score,
        markers=None if score is None else game.markers(score),
    )


def _lies(lies: int) -> Lies | None:
    if lies == FREE_SPACE:
        return None
    if lies <= MOST_SEATS:
        return Lies("piece", seat=lies)
    return Lies("tile", face=None if lies == TILE else spell_value(lies - TILE))
