"""A table: what its events amount to. Pure; no clock, no storage, no randomness of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date
from typing import Literal

import msgspec

from oudjat.house.clocks import Clocks
from oudjat.house.events import (
    Again,
    Came,
    Ended,
    Event,
    Gone,
    Held,
    Left,
    Opened,
    Pace,
    Paced,
    Played,
    Renamed,
    Resigned,
    Returned,
    Said,
    Seated,
    Started,
    StoodIn,
    TimedOut,
    without_names,
)
from oudjat.house.fair import fair_tags
from oudjat.records import Record, early_end_tags, result_tags, seat_tag, setup_tags
from oudjat.rules.game import Draw, Drew, Position, Turn, Walk
from oudjat.rules.registry import game_named

Status = Literal["waiting", "running", "over"]


class Seat(msgspec.Struct):
    """A seat: a bot's (``level``), a person's (``holder``), or one that waits for somebody, for a friend who brings
    its ``key`` or at a public table for anybody.

    ``bot_of`` names the person whose program plays here; ``gone`` is true when its player's account is deleted.
    ``stand_in`` is the level of the bot that plays for the person now, ``owed`` whether it has still to play the turn
    in which his time ran out, ``gave_up`` whether he cannot come back, ``moved`` whether a whole turn was played here.
    """

    number: int
    name: str
    level: str | None
    holder: str | None
    key: str | None
    bot_of: str = ""
    gone: bool = False
    stand_in: str | None = None
    owed: bool = False
    gave_up: bool = False
    moved: bool = False

    @property
    def taken(self) -> bool:
        """Whether somebody plays here."""
        return self.level is not None or self.holder is not None

    @property
    def bot(self) -> str | None:
        """The level of the bot that plays here now, None where a person does."""
        return self.level or self.stand_in


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the game: of which seat, with which event (its number) it came, and how it moved pieces."""

    seq: int
    seat: int
    turn: Turn
    walks: tuple[Walk, ...] = ()


class Table(msgspec.Struct):
    """A table folded from its events by :meth:`take`; ``seq`` is the number of the last one, from 1.

    ``steps`` are the game's steps so far, whole turns as records write them, and a trailing draw with what it
    brought while a tile is in hand. ``by`` is the holder who opened the table. ``gave_up`` are the seats whose players
    did, in that order; ``ended`` is set when the table ended before the game, and ``position`` then hides nothing.
    ``talk`` is what was said, each with the number of its event. ``status`` tells whether friends are waited for, a
    game runs, or it is over.
    """

    id: str
    opened: Opened
    seats: list[Seat]
    pace: Pace
    clocks: Clocks
    seq: int = 0
    start: Position | None = None
    position: Position | None = None
    started: Started | None = None
    steps: list[Step] = []
    events: list[Event] = []
    again: str | None = None
    by: str = ""
    gave_up: tuple[int, ...] = ()
    ended: Ended | None = None
    talk: tuple[tuple[int, Said], ...] = ()
    status: Status = "waiting"

    @classmethod
    def planned(cls, table_id: str, opened: Opened) -> Table:
        """The table as its opening plans it, before that has happened."""
        seats = [
            Seat(number, plan.name, plan.level, plan.holder, plan.key, plan.bot_of)
            for number, plan in enumerate(opened.seats, 1)
        ]
        clocks = Clocks.of(opened.clock, len(seats))
        return cls(table_id, opened, seats, opened.pace, clocks, by=opened.by)

    @classmethod
    def from_events(cls, table_id: str, events: list[Event]) -> Table:
        """The table that these events amount to. Raises ValueError when they amount to none: they do not begin with an
        opening, or name a game or a seat that there is not."""
        first = events[0] if events else None
        if not isinstance(first, Opened):
            raise ValueError(f"table {table_id} does not begin with its opening")
        try:
            game_named(first.game)
            table = cls.planned(table_id, first)
            for event in events:
                table.take(event)
        except LookupError as error:
            raise ValueError(f"table {table_id} is of a game, or has a seat, that there is not") from error
        return table

    def after(self, events: Sequence[Event]) -> Table:
        """The table after more events; this one stays as it is."""
        following = copy(self)
        following.seats = [copy(seat) for seat in self.seats]
        following.steps = list(self.steps)
        following.events = list(self.events)
        following.clocks = self.clocks.copy()
        for event in events:
            following.take(event)
        return following

    def take(self, event: Event) -> None:
        """Let one more event, stored before, have happened."""
        if isinstance(event, Started | Came | Played | TimedOut | Returned | Resigned):
            self.clocks.move(event.at)
        match event:
            case Seated() | Left() | Renamed() | Held() | Gone():
                self._sit(event)
            case Started(first=first):
                game = game_named(self.opened.game)
                self.started = event
                self.start = self.position = game.start(
                    len(self.seats), variant=self.opened.variant, first=first, options=self.opened.options
                )
            case Came(value=value):
                for step in (Draw(), Drew(value)):
                    self._step(step)
            case Played(seat, text):
                turn = self.playing.game.read(text)
                self._drop_draw()
                self._step(turn)
                self._played(self.seats[seat - 1])
            case TimedOut(seat):
                self.clocks.ran_out(seat)
                self.seats[seat - 1].owed = True
            case StoodIn(seat, level, for_good):
                self._stand_in(self.seats[seat - 1], level, for_good=for_good)
            case Returned(seat):
                self.seats[seat - 1].stand_in = None
                self.clocks.came_back(seat)
            case Ended():
                self.ended = event
                self._drop_draw()
                if self.position:
                    self.position = self.position.revealed()
            case Paced(pace):
                self.pace = pace
            case Again(table=table):
                self.again = table
            case Said():
                self.talk += ((self.seq + 1, event),)
            case Opened() | Resigned():
                pass
        if self.ended:
            self.status = "over"
        elif self.position:
            self.status = "running" if self.position.outcome is None else "over"
        due = self.seat_due
        self.clocks.run(due.number if due and not due.bot else None)
        self.events.append(event)
        self.seq += 1

    def _sit(self, event: Seated | Left | Renamed | Held | Gone) -> None:
        """Let something have happened that changes who sits at a seat, or how he is called."""
        seat = self.seats[event.seat - 1]
        match event:
            case Seated(holder=holder, name=name, bot_of=bot_of):
                seat.holder, seat.name, seat.bot_of = holder, name, bot_of
            case Left():
                seat.holder, seat.name, seat.bot_of = None, self.opened.seats[event.seat - 1].name, ""
            case Renamed(name=name):
                seat.name = name
            case Held(was=was, holder=holder):
                seat.holder = holder
                self.by = holder if self.by == was else self.by
            case Gone():
                seat.name = seat.bot_of = ""
                seat.gone = True
                self._forget_words_of(seat.holder or "")

    def _forget_words_of(self, holder: str) -> None:
        """Know what happened as it is stored when nobody may know any more what ``holder`` was called and said."""
        self.events = without_names(self.events, holder)
        said = ((number, self.events[number - 1]) for number, _ in self.talk)
        self.talk = tuple((number, event) for number, event in said if isinstance(event, Said))

    def _drop_draw(self) -> None:
        while self.steps and isinstance(self.steps[-1].turn, Draw | Drew):
            self.steps.pop()

    def _played(self, seat: Seat) -> None:
        seat.moved = True
        seat.owed = False
        if not seat.bot:
            self.clocks.turn_played(seat.number)

    def _stand_in(self, seat: Seat, level: str, *, for_good: bool) -> None:
        seat.stand_in = level
        if for_good:
            seat.gave_up = True
            self.gave_up += (seat.number,)

    def _step(self, turn: Turn) -> None:
        position = self.playing
        self.position = position.apply(turn)
        self.steps.append(Step(self.seq + 1, position.to_move or 0, turn, position.walks(turn)))

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The steps as the engine takes them."""
        return tuple(step.turn for step in self.steps)

    def event_of(self, turn: Turn, at: float = 0.0) -> Came | Played:
        """What happens when the seat to move takes ``turn`` at the moment ``at``; with a draw comes what the luck of
        the game holds.

        Raises :class:`~oudjat.rules.game.IllegalTurn`. Nothing has happened yet.
        """
        position = self.playing
        after = position.apply(turn)
        number = position.to_move or 0
        if isinstance(turn, Draw):
            return Came(number, after.comes(self.started.luck if self.started else ()).outcome, at)
        return Played(number, turn.text, at)

    @property
    def playing(self) -> Position:
        """The position of a table that has started. Raises ValueError before."""
        if self.position is None:
            raise ValueError(f"table {self.id} has not started")
        return self.position

    @property
    def ready(self) -> bool:
        """Whether every seat is taken and the game has not started."""
        return self.status == "waiting" and all(seat.taken for seat in self.seats)

    @property
    def abortable(self) -> bool:
        """Whether the table can be left without a result: it waits, or not everybody has played a turn."""
        return self.status == "waiting" or (
            self.status == "running" and not all(seat.moved for seat in self.seats)
        )

    @property
    def seat_due(self) -> Seat | None:
        """The seat whose turn it is, None while nothing is to be played."""
        number = self.position.to_move if self.position and not self.ended else None
        return self.seats[number - 1] if number else None

    @property
    def bot_due(self) -> bool:
        """Whether a bot is to move."""
        return self.seat_due is not None and self.seat_due.bot is not None

    def did_himself(self, seat: int, number: int) -> bool:
        """Whether event ``number``, a move at ``seat``, was its player's own, and not that of a bot that stood in."""
        for event in reversed(self.events[: number - 1]):
            if isinstance(event, StoodIn | Returned) and event.seat == seat:
                return isinstance(event, Returned)
        return True

    def seats_of(self, holder: str | None) -> tuple[int, ...]:
        """The numbers of the seats that ``holder`` plays; none any more of one who has deleted his account."""
        if holder is None:
            return ()
        return tuple(seat.number for seat in self.seats if seat.holder == holder and not seat.gone)

    def record(self, names: Sequence[str], played_on: date, *, whole: bool = False) -> Record:
        """The record as everybody may have it now (values withheld while they are secret). ``whole``: with every value,
        also of a game that broke off; for a table that is over, whose luck is open."""
        first = self.started.first if self.started else max(self.opened.first, 1)
        start = self.start or game_named(self.opened.game).start(
            len(self.seats), variant=self.opened.variant, first=first, options=self.opened.options
        )
        position = self.position or start
        tags = setup_tags(start, first=first)
        tags |= {
            f"Seat{seat.number}": seat_tag(name, seat.level)
            for seat, name in zip(self.seats, names, strict=True)
        }
        tags["Date"] = played_on.isoformat()
        tags |= result_tags(position.outcome)
        tags |= fair_tags(self.started, over=self.status == "over")
        if self.ended:
            tags |= early_end_tags(self.ended.why, self.ended.winners)
        spelled = tuple(
            (turn if whole else position.public_turn(turn)).text
            for turn in self.turns
            if not isinstance(turn, Draw | Drew)
        )
        return Record(tuple(tags.items()), spelled)


def bot_seed(salt: str, seat: int) -> int:
    """The seed of the bot at ``seat``, as secret as the salt it is made from."""
    return int.from_bytes(hashlib.sha256(f"bot {seat} {salt}".encode()).digest()[:8], "big")
