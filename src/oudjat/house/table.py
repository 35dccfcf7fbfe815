"""A table: what its events amount to. Pure; no clock, no storage, no randomness of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from oudjat.house.events import (
    Again,
    Came,
    Event,
    Gone,
    Held,
    Opened,
    Pace,
    Paced,
    Played,
    Renamed,
    Seated,
    Started,
)
from oudjat.house.fair import fair_tags
from oudjat.records import Record, result_tags, seat_tag, setup_tags
from oudjat.rules.game import Draw, Drew, Position, Turn, Walk
from oudjat.rules.registry import game_named

Status = Literal["waiting", "running", "over"]


@dataclass(slots=True)
class Seat:
    """A seat: a bot's (``level``), a person's (``holder``), or a friend's who has not come (``key``).

    ``bot_of`` names the person whose program plays here; ``gone`` is true when its player's account is deleted.
    """

    number: int
    name: str
    level: str | None
    holder: str | None
    key: str | None
    bot_of: str = ""
    gone: bool = False

    @property
    def taken(self) -> bool:
        """Whether somebody plays here."""
        return self.level is not None or self.holder is not None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the game: of which seat, with which event (its number) it came, and how it moved pieces."""

    seq: int
    seat: int
    turn: Turn
    walks: tuple[Walk, ...] = ()


@dataclass(slots=True)
class Table:
    """A table folded from its events by :meth:`take`; ``seq`` is the number of the last one, from 1.

    ``steps`` are the game's steps so far, whole turns as records write them, and a trailing draw with what it
    brought while a tile is in hand. ``by`` is the holder who opened the table.
    """

    id: str
    opened: Opened
    seats: list[Seat]
    pace: Pace
    seq: int = 0
    start: Position | None = None
    position: Position | None = None
    started: Started | None = None
    steps: list[Step] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    again: str | None = None
    by: str = ""

    @classmethod
    def planned(cls, table_id: str, opened: Opened) -> Table:
        """The table as its opening plans it, before that has happened."""
        seats = [
            Seat(number, plan.name, plan.level, plan.holder, plan.key, plan.bot_of)
            for number, plan in enumerate(opened.seats, 1)
        ]
        return cls(table_id, opened, seats, opened.pace, by=opened.by)

    @classmethod
    def from_events(cls, table_id: str, events: list[Event]) -> Table:
        """The table that these events amount to. Raises ValueError when they do not begin with an opening."""
        first = events[0] if events else None
        if not isinstance(first, Opened):
            raise ValueError(f"table {table_id} does not begin with its opening")
        table = cls.planned(table_id, first)
        for event in events:
            table.take(event)
        return table

    def after(self, events: Sequence[Event]) -> Table:
        """The table after more events; this one stays as it is."""
        following = replace(
            self,
            seats=[replace(seat) for seat in self.seats],
            steps=list(self.steps),
            events=list(self.events),
        )
        for event in events:
            following.take(event)
        return following

    def take(self, event: Event) -> None:
        """Let one more event, stored before, have happened."""
        match event:
            case Seated(seat, holder, name, bot_of):
                self.seats[seat - 1].holder = holder
                self.seats[seat - 1].name = name
                self.seats[seat - 1].bot_of = bot_of
            case Started(first=first):
                game = game_named(self.opened.game)
                self.started = event
                self.start = self.position = game.start(
                    len(self.seats), variant=self.opened.variant, first=first, options=self.opened.options
                )
            case Came(value=value):
                for step in (Draw(), Drew(value)):
                    self._step(step)
            case Played(turn=text):
                turn = self.playing.game.read(text)
                while self.steps and isinstance(self.steps[-1].turn, Draw | Drew):
                    self.steps.pop()
                self._step(turn)
            case Renamed(seat, name):
                self.seats[seat - 1].name = name
            case Paced(pace):
                self.pace = pace
            case Again(table=table):
                self.again = table
            case Held(seat, was, holder):
                self.seats[seat - 1].holder = holder
                self.by = holder if self.by == was else self.by
            case Gone(seat):
                self.seats[seat - 1].name = self.seats[seat - 1].bot_of = ""
                self.seats[seat - 1].gone = True
            case Opened():
                pass
        self.events.append(event)
        self.seq += 1

    def _step(self, turn: Turn) -> None:
        position = self.playing
        self.position = position.apply(turn)
        self.steps.append(Step(self.seq + 1, position.to_move or 0, turn, position.walks(turn)))

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The steps as the engine takes them."""
        return tuple(step.turn for step in self.steps)

    def event_of(self, turn: Turn) -> Came | Played:
        """What happens when the seat to move takes ``turn``; with a draw comes what the luck of the game holds.

        Raises :class:`~oudjat.rules.game.IllegalTurn`. Nothing has happened yet.
        """
        position = self.playing
        after = position.apply(turn)
        number = position.to_move or 0
        if isinstance(turn, Draw):
            return Came(number, after.comes(self.started.luck if self.started else ()).outcome)
        return Played(number, turn.text)

    @property
    def playing(self) -> Position:
        """The position of a table that has started. Raises ValueError before."""
        if self.position is None:
            raise ValueError(f"table {self.id} has not started")
        return self.position

    @property
    def status(self) -> Status:
        """Whether friends are waited for, a game runs, or it is over."""
        if self.position is None:
            return "waiting"
        return "running" if self.position.outcome is None else "over"

    @property
    def ready(self) -> bool:
        """Whether every seat is taken and the game has not started."""
        return self.position is None and all(seat.taken for seat in self.seats)

    @property
    def seat_due(self) -> Seat | None:
        """The seat whose turn it is, None while nothing is to be played."""
        number = self.position.to_move if self.position else None
        return self.seats[number - 1] if number else None

    @property
    def bot_due(self) -> bool:
        """Whether a bot is to move."""
        return self.seat_due is not None and self.seat_due.level is not None

    def seats_of(self, holder: str | None) -> tuple[int, ...]:
        """The numbers of the seats that ``holder`` plays."""
        if holder is None:
            return ()
        return tuple(seat.number for seat in self.seats if seat.holder == holder)

    def record(self, names: Sequence[str], played_on: date) -> Record:
        """The record as everybody may have it now (values withheld while they are secret)."""
        first = self.started.first if self.started else max(self.opened.first, 1)
        position = self.position or game_named(self.opened.game).start(
            len(self.seats), variant=self.opened.variant, first=first, options=self.opened.options
        )
        tags = setup_tags(position, first=first)
        tags |= {
            f"Seat{seat.number}": seat_tag(name, seat.level)
            for seat, name in zip(self.seats, names, strict=True)
        }
        tags["Date"] = played_on.isoformat()
        tags |= result_tags(position.outcome)
        tags |= fair_tags(self.started, over=self.status == "over")
        turns = tuple(
            position.public_turn(turn).text for turn in self.turns if not isinstance(turn, Draw | Drew)
        )
        return Record(tuple(tags.items()), turns)


def bot_seed(salt: str, seat: int) -> int:
    """The seed of the bot at ``seat``, as secret as the salt it is made from."""
    return int.from_bytes(hashlib.sha256(f"bot {seat} {salt}".encode()).digest()[:8], "big")
