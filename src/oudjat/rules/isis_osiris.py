"""Isis & Osiris (Michael Schacht, Goldsieber 2001): place pieces and face-down tiles, remember, score.

Sources: the English rulebook, a German review and a French summary; numbered here as IO-1 to IO-21.
Rulings of ours: a second +/-20 marker past 40 (IO-15), a shared win (IO-16), the pass of the shared stock
(IO-20), strict or open memory (IO-21).

IO-1. The board, with the index of each space in the core of a position:

    6 | 30 31 32 33 34 35
    5 | 24 25 26 27 28 29
    4 | 18 19 20 21 22 23
    3 | 12 13 14 15 16 17
    2 |  6  7  8  9 10 11
    1 |  0  1  2  3  4  5
         a  b  c  d  e  f

The module has two halves. The *core* keeps a position as a small array of integers and functions over it,
plain Python that can be read and stepped through, and that ``engine.compiled`` compiles as it stands: so they
take and give integers and arrays only, and change the array they are given. The *surface* wraps a core in an
immutable position and always asks the core's ``why_not_...`` before it changes anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from fractions import Fraction
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
    Option,
    Outcome,
    Position,
    Randomness,
    Reserve,
    ScoredPiece,
    SeatView,
    Turn,
    UnreadableTurn,
)

# --- core: the layout of a position ---------------------------------------------------------------------

SIDE = 6
SPACES = SIDE * SIDE
MOST_SEATS = 4
VALUES = (-4, -3, -2, -1, 1, 2, 3, 4)
HOW_MANY = {1: 2, 2: 6, 3: 2, 4: 1}  # IO-2, the same again negative
ALL_TILES = 22
DEALT = {2: (8, 11), 3: (6, 7), 4: (5, 5)}  # IO-4: pieces and tiles each

PLAYERS = 0
SHARED = 1  # 1 with a shared stock (IO-17)
TO_MOVE = 2  # seat, from 0
TURNS = 3
FREE = 4  # free spaces
HAND = 5  # value of the tile that is turned over and not yet placed; EMPTY_HAND or TURNING
PIECES = 6  # 4 places: pieces in reserve, by seat
TILES = 10  # 4 places: tiles in stock, by seat; a shared stock stands in the first
UNSEEN = 14  # 9 places: tiles not yet seen, by value + 4
BOARD = 23  # 36 places: see below
SIZE = BOARD + SPACES

EMPTY_HAND = 0
TURNING = 9  # a tile is being turned over: chance has not spoken yet

FREE_SPACE = 0
"""What lies on a space: nothing, 1 to 4 a piece of that seat, 10 + value a tile (10 itself: value withheld)."""
TILE = 10
LEAST_TILE = 6


def stock(state: Sequence[int], seat: int) -> int:
    """Tiles that ``seat`` (from 0) can still turn over: its own, or the shared ones (IO-18)."""
    return state[TILES] if state[SHARED] else state[TILES + seat]


def why_not_piece(state: Sequence[int], space: int) -> int:
    """0 when the seat to move may place a piece on ``space``, else the number of the rule that forbids it."""
    if state[FREE] == 0:
        return 12
    if state[HAND] != EMPTY_HAND:
        return 8
    if state[PIECES + state[TO_MOVE]] == 0:
        return 20 if state[SHARED] else 10
    return 9 if state[BOARD + space] != FREE_SPACE else 0


def why_not_turn_over(state: Sequence[int]) -> int:
    """0 when the seat to move may turn over a tile, else the number of the rule that forbids it."""
    if state[FREE] == 0:
        return 12
    if state[HAND] != EMPTY_HAND:
        return 8
    if stock(state, state[TO_MOVE]) == 0:
        return 19 if state[SHARED] else 10
    return 0


def why_not_drew(state: Sequence[int], value: int) -> int:
    """0 when the tile being turned over can show ``value`` (IO-2 holds 22 tiles), else the rule's number."""
    if state[HAND] != TURNING:
        return 8
    return 0 if state[UNSEEN + 4 + value] > 0 else 2


def why_not_tile(state: Sequence[int], value: int, space: int) -> int:
    """0 when the tile in hand shows ``value`` and may go to ``space``, else the rule's number."""
    if state[FREE] == 0:
        return 12
    if state[HAND] != value:
        return 8
    return 9 if state[BOARD + space] != FREE_SPACE else 0


def why_not_pass(state: Sequence[int]) -> int:
    """0 when the seat to move has nothing to place and so passes (IO-20), else the rule's number."""
    if state[FREE] == 0:
        return 12
    if state[HAND] != EMPTY_HAND:
        return 8
    return 20 if state[PIECES + state[TO_MOVE]] + stock(state, state[TO_MOVE]) > 0 else 0


def next_seat(state: MutableSequence[int]) -> None:
    """IO-11: the turn goes to the left-hand neighbour."""
    state[TURNS] += 1
    state[TO_MOVE] = (state[TO_MOVE] + 1) % state[PLAYERS]


def place_piece(state: MutableSequence[int], space: int) -> None:
    """IO-7, unchecked."""
    seat = state[TO_MOVE]
    state[PIECES + seat] -= 1
    state[BOARD + space] = seat + 1
    state[FREE] -= 1
    next_seat(state)


def turn_over(state: MutableSequence[int]) -> None:
    """IO-8, first step, unchecked: a tile leaves the stock and shows its value when chance has spoken."""
    state[TILES if state[SHARED] else TILES + state[TO_MOVE]] -= 1
    state[HAND] = TURNING


def drew(state: MutableSequence[int], value: int) -> None:
    """IO-8, second step, unchecked: the tile shows ``value`` to all."""
    state[UNSEEN + 4 + value] -= 1
    state[HAND] = value


def place_tile(state: MutableSequence[int], space: int) -> None:
    """IO-8, last step, unchecked: the tile in hand goes face down onto ``space``."""
    state[BOARD + space] = TILE + state[HAND]
    state[HAND] = EMPTY_HAND
    state[FREE] -= 1
    next_seat(state)


def tile_value(lies: int) -> int:
    """The value of what lies on a space, 0 for everything that is no tile (IO-13)."""
    return lies - TILE if lies >= LEAST_TILE else 0


def worth(state: Sequence[int], space: int) -> int:
    """IO-13: what a piece on ``space`` is worth, the sum of the tiles orthogonally next to it."""
    total = 0
    column = space % SIDE
    if column > 0:
        total += tile_value(state[BOARD + space - 1])
    if column < SIDE - 1:
        total += tile_value(state[BOARD + space + 1])
    if space >= SIDE:
        total += tile_value(state[BOARD + space - SIDE])
    if space < SPACES - SIDE:
        total += tile_value(state[BOARD + space + SIDE])
    return total


def add_scores(state: Sequence[int], scores: MutableSequence[int]) -> None:
    """IO-14: add to ``scores`` (one place a seat) what each seat's pieces are worth by the tiles placed."""
    for space in range(SPACES):
        lies = state[BOARD + space]
        if FREE_SPACE < lies <= MOST_SEATS:
            scores[lies - 1] += worth(state, space)


CORE = (
    stock,
    why_not_piece,
    why_not_turn_over,
    why_not_drew,
    why_not_tile,
    why_not_pass,
    next_seat,
    place_piece,
    turn_over,
    drew,
    place_tile,
    tile_value,
    worth,
    add_scores,
)
"""What ``engine.compiled`` compiles."""


# --- surface: spaces and turns --------------------------------------------------------------------------

COLUMNS = "abcdef"
SPACE_NAMES = tuple(f"{COLUMNS[space % SIDE]}{space // SIDE + 1}" for space in range(SPACES))
SPACE_NUMBERS = {name: space for space, name in enumerate(SPACE_NAMES)}
COLOURS = ("green", "yellow", "black", "violet")  # IO-3, in seat order


def neighbours(space: int) -> tuple[int, ...]:
    """The spaces orthogonally next to ``space``, by index: 2 in a corner, 3 at an edge, else 4."""
    column = space % SIDE
    return tuple(
        near
        for near, inside in (
            (space - 1, column > 0),
            (space + 1, column < SIDE - 1),
            (space - SIDE, space >= SIDE),
            (space + SIDE, space < SPACES - SIDE),
        )
        if inside
    )


def spell_value(value: int) -> str:
    """``+3`` or ``-1``."""
    return f"{value:+d}"


@dataclass(frozen=True, slots=True)
class PlacePiece(Turn):
    """IO-7: the player's piece goes to ``space`` (by index)."""

    space: int

    @property
    def text(self) -> str:
        return f"P{SPACE_NAMES[self.space]}"


@dataclass(frozen=True, slots=True)
class PlaceTile(Turn):
    """IO-8: the tile turned over, of this ``value`` (None: withheld), goes to ``space`` (by index)."""

    value: int | None
    space: int

    @property
    def text(self) -> str:
        return f"{'?' if self.value is None else spell_value(self.value)}{SPACE_NAMES[self.space]}"


@dataclass(frozen=True, slots=True)
class Pass(Turn):
    """IO-20."""

    @property
    def text(self) -> str:
        return "--"


_TURN = re.compile(r"(?:(P)|(\?)|([+-]\d+))([a-z])(\d+)", re.ASCII)

_SENTENCES = {
    2: N_("No tile of {value} is left: all of them have been turned over."),
    8: N_("A tile is turned over: place it on a free space, and nothing else."),
    9: N_("{space} is not free; choose a space on which nothing lies."),
    12: N_("The game is over: the last free space is filled."),
    19: N_("The shared stock is used up; place a piece."),
}
_NO_PIECE = N_("You have no piece left; place a tile.")
_NO_TILE = N_("You have no tile left; place a piece.")
_MUST_TAKE = N_("You have no piece left; take a tile from the stock.")
_NO_PASS = N_("You cannot pass while you have a piece or a tile to place.")
_NOT_TURNED = N_("Turn a tile over before you place it.")
_OTHER_VALUE = N_("The tile that is turned over shows {value}; place that one.")
_STILL_TURNING = N_("A tile is being turned over; its value comes first.")


# --- surface: the position ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IsisOsirisPosition(Position):
    """A position of Isis & Osiris: the core and whether placed values stay visible (IO-21).

    It holds every value that has been turned over, as a player does who forgets nothing. Nobody knows the
    order of the unseen tiles, so no position holds it either.

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
        free = [space for space in range(SPACES) if core[BOARD + space] == FREE_SPACE]
        if self.asks == "placing":
            return tuple(PlaceTile(core[HAND], space) for space in free)
        found: list[Turn] = [PlacePiece(space) for space in free if not why_not_piece(core, space)]
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
                value = _read_value(outcome)
                self._check(why_not_drew(state, value), turn)
                drew(state, value)
            case PlaceTile(value, space) if value is not None:
                self._check(why_not_tile(state, value, space), turn)
                place_tile(state, space)
            case Pass():
                self._check(why_not_pass(state), turn)
                next_seat(state)
            case _:
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
        outcome = self.outcome
        shown = self._open
        scores = self.standing if shown else None
        mine = self.choices() if seat is not None and seat == self.to_move else ()
        offers: dict[int, str] = {
            turn.space: turn.text for turn in mine if isinstance(turn, PlacePiece | PlaceTile)
        }
        return BoardView(
            game=self.game.id,
            variant=self.variant,
            players=self.players,
            rows=SIDE,
            columns=SIDE,
            cells=tuple(
                Cell(
                    name=SPACE_NAMES[space],
                    row=SIDE - 1 - space // SIDE,
                    column=space % SIDE,
                    lies=_lies(self.core[BOARD + space], shown=shown),
                    offers=(offers[space],) if space in offers else (),
                )
                for row in range(SIDE - 1, -1, -1)
                for space in range(row * SIDE, row * SIDE + SIDE)
            ),
            seats=tuple(
                SeatView(
                    number=number,
                    colour=COLOURS[number - 1],
                    reserve=reserve,
                    score=None if scores is None else scores[number - 1],
                    markers=None if scores is None else ISIS_OSIRIS.markers(scores[number - 1]),
                )
                for number, reserve in enumerate(self.reserves(), 1)
            ),
            turns=self.turns,
            to_move=self.to_move,
            asks=self.asks,
            drawn=spell_value(self.core[HAND]) if self.asks == "placing" else None,
            actions=tuple(turn.text for turn in mine if isinstance(turn, Draw | Pass)),
            over=outcome is not None,
            winners=outcome.winners if outcome else (),
        )


def _lies(lies: int, *, shown: bool) -> Lies | None:
    if lies == FREE_SPACE:
        return None
    if lies <= MOST_SEATS:
        return Lies("piece", seat=lies)
    return Lies("tile", face=spell_value(lies - TILE) if shown and lies != TILE else None)


def _read_value(text: str) -> int:
    """IO-2: +1 to +4 and -1 to -4. Raises :class:`UnreadableTurn`."""
    if re.fullmatch(r"[+-][1-4]", text, re.ASCII):
        return int(text)
    raise UnreadableTurn(
        "IO-2", N_("There is no tile of {value}; tiles are +1 to +4 and -1 to -4."), value=text
    )


# --- surface: the game ----------------------------------------------------------------------------------


class IsisOsiris(Game):
    """The declaration of Isis & Osiris; ``ISIS_OSIRIS`` is its one instance."""

    id = "isis-osiris"
    name = "Isis & Osiris"
    version = 1
    players = range(2, 5)
    variants = ("normal", "shared")
    options = (Option("memory", "IO-21", ("strict", "open")),)
    chance = "the order of the tiles"
    hidden = "the values of placed tiles, after they were seen"

    def start(
        self,
        players: int = 2,
        *,
        variant: str = "normal",
        first: int = 1,
        options: Mapping[str, str] | None = None,
    ) -> IsisOsirisPosition:
        """IO-4, IO-6, IO-17: see :meth:`Game.start`."""
        chosen = self.check_setup(players, variant, first, options)
        pieces, tiles = DEALT[players]
        shared = variant == "shared"
        state = [0] * SIZE
        state[PLAYERS] = players
        state[SHARED] = int(shared)
        state[TO_MOVE] = first - 1
        state[FREE] = SPACES
        for seat in range(players):
            state[PIECES + seat] = pieces
            state[TILES + seat] = 0 if shared else tiles
        if shared:
            state[TILES] = ALL_TILES
        for value in VALUES:
            state[UNSEEN + 4 + value] = HOW_MANY[abs(value)]
        return IsisOsirisPosition(tuple(state), chosen["memory"])

    def luck(self, randomness: Randomness) -> tuple[str, ...]:
        """The 22 tiles in the order in which they are dealt and turned over."""
        tiles = [spell_value(value) for value in VALUES for _ in range(HOW_MANY[abs(value)])]
        randomness.shuffle(tiles)
        return tuple(tiles)

    def read(self, text: str) -> Turn:
        """See :meth:`Game.read`.

        >>> ISIS_OSIRIS.read("-1a6")
        PlaceTile(value=-1, space=30)
        """
        if text == "--":
            return Pass()
        parts = _TURN.fullmatch(text)
        if not parts:
            raise UnreadableTurn(
                "record", N_("“{text}” is no turn; write Pc3, +3c4, ?c4 or --."), text=text[:40]
            )
        piece, withheld, value, column, row = parts.groups()
        space = SPACE_NUMBERS.get(column + row)
        if space is None:
            raise UnreadableTurn(
                "IO-1",
                N_("There is no space {space}; columns are a to f, rows 1 to 6."),
                space=(column + row)[:40],
            )
        if piece:
            return PlacePiece(space)
        return PlaceTile(None if withheld else _read_value(value), space)

    def markers(self, score: int) -> int:
        """IO-15: past 20 one +/-20 marker, past 40 a second, whichever the sign.

        >>> [ISIS_OSIRIS.markers(score) for score in (20, 21, -20, -21, 40, 41)]
        [0, 1, 0, 1, 1, 2]
        """
        return max(0, abs(score) - 1) // 20

    def scoring(self, position: Position) -> tuple[ScoredPiece, ...]:
        """IO-14, colour by colour, each colour's pieces in reading order from the top left of the board."""
        if not isinstance(position, IsisOsirisPosition) or position.standing is None or position.free_spaces:
            return ()
        steps: list[ScoredPiece] = []
        reading_order = sorted(range(SPACES), key=lambda space: (-(space // SIDE), space))
        for seat in range(1, position.players + 1):
            total = 0
            for space in reading_order:
                if position.core[BOARD + space] != seat:
                    continue
                counting = [
                    (SPACE_NAMES[near], spell_value(tile_value(position.core[BOARD + near])))
                    for near in neighbours(space)
                    if position.core[BOARD + near] >= LEAST_TILE
                ]
                here = worth(position.core, space)
                total += here
                taken = self.markers(total)
                mark = total - 20 * taken if total > 0 else total + 20 * taken
                steps.append(ScoredPiece(seat, SPACE_NAMES[space], tuple(counting), here, total, taken, mark))
        return tuple(steps)


ISIS_OSIRIS = IsisOsiris()
IsisOsirisPosition.game = ISIS_OSIRIS
