"""What happens at a table. ■ A table is its events; everything else is derived from them.

Events hold secrets (the luck, the values of placed tiles): they are stored, never sent. What a follower gets is
painted from them by ``house.paint``.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from oudjat.house.clocks import NO_CLOCK, Clock

Pace = Literal["at-once", "natural", "slow"]
"""How long a bot takes before its turn is shown."""

Ending = Literal["resignation", "time forfeit", "abandoned"]
"""What ended a game before its own end, as records write it."""

FORFEIT = "forfeit"
"""What a table says where a seat whose time runs out is lost; otherwise ``bot:LEVEL``."""


class SeatPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as planned: ``holder`` is whose it is from the start, ``key`` opens a friend's seat, ``level`` is
    set for a bot's. The name is what its player gave, may be empty. ``bot_of`` names the person whose program
    plays."""

    name: str = ""
    level: str | None = None
    holder: str | None = None
    key: str | None = None
    bot_of: str = ""


def free_seat(*, public: bool, name: str = "") -> SeatPlan:
    """A seat that waits: at a ``public`` table for anybody, else for a friend, called ``name``, who brings its new
    key."""
    return SeatPlan() if public else SeatPlan(name, key=secrets.token_urlsafe(9))


class Opened(msgspec.Struct, frozen=True, tag="opened", omit_defaults=True):
    """A table was opened. ``first`` is the seat that begins, 0 for by lot.

    ``on_time`` says what becomes of a seat whose time runs out: ``bot:LEVEL`` or ``forfeit``. At a ``public`` table
    anybody may sit down and watch; a ``rated`` one counts. ``pairing`` is what those who asked for a quick pairing
    agree on, None at every other table.
    """

    game: str
    variant: str
    options: dict[str, str]
    first: int
    pace: Pace
    seats: tuple[SeatPlan, ...]
    by: str
    clock: Clock = NO_CLOCK
    on_time: str = "bot:scribe"
    public: bool = False
    rated: bool = False
    pairing: str | None = None


class Seated(msgspec.Struct, frozen=True, tag="seated", omit_defaults=True):
    """Somebody took a seat; ``bot_of`` names the person whose program it is."""

    seat: int
    holder: str
    name: str
    bot_of: str = ""


class Left(msgspec.Struct, frozen=True, tag="left"):
    """Somebody left his seat before the game began; it waits for another."""

    seat: int


class Started(msgspec.Struct, frozen=True, tag="started"):
    """All seats are taken. ``luck`` and ``salt`` are secret until the end; ``promise`` is their public hash.

    Here and below ``at`` is the moment at which it happened, in seconds of the house's own time; 0 at a table
    without clocks.
    """

    first: int
    luck: tuple[str, ...]
    salt: str
    promise: str
    at: float = 0.0


class Came(msgspec.Struct, frozen=True, tag="drew", omit_defaults=True):
    """A seat chose to let chance speak, and this came. Stored before anybody sees it."""

    seat: int
    value: str
    at: float = 0.0


class Played(msgspec.Struct, frozen=True, tag="turn", omit_defaults=True):
    """A whole turn, as a record writes it."""

    seat: int
    turn: str
    at: float = 0.0


class TimedOut(msgspec.Struct, frozen=True, tag="timed-out"):
    """A seat's time ran out."""

    seat: int
    at: float


class StoodIn(msgspec.Struct, frozen=True, tag="stood-in", omit_defaults=True):
    """A bot of ``level`` plays a seat on: ``for_good`` when its player resigned or forfeited, otherwise until he
    comes back."""

    seat: int
    level: str
    for_good: bool = False


class Returned(msgspec.Struct, frozen=True, tag="returned", omit_defaults=True):
    """A player plays his seat himself again."""

    seat: int
    at: float = 0.0


class Resigned(msgspec.Struct, frozen=True, tag="resigned", omit_defaults=True):
    """A player gave up."""

    seat: int
    at: float = 0.0


class Ended(msgspec.Struct, frozen=True, tag="ended", omit_defaults=True):
    """The table ended before the game did; ``winners`` are the seats that win by that, none when it is without
    result."""

    why: Ending
    winners: tuple[int, ...] = ()


class Said(msgspec.Struct, frozen=True, tag="said", omit_defaults=True):
    """The player of ``seat`` said something: a ready ``phrase`` by its name, or a ``text`` of his own."""

    seat: int
    phrase: str = ""
    text: str = ""


class Renamed(msgspec.Struct, frozen=True, tag="renamed"):
    """A player said how he wants to be called."""

    seat: int
    name: str


class Paced(msgspec.Struct, frozen=True, tag="paced"):
    """The bots' pace was changed."""

    pace: Pace


class Again(msgspec.Struct, frozen=True, tag="again"):
    """The player of ``seat`` set up another game with the same players, at ``table``."""

    table: str
    seat: int


class Held(msgspec.Struct, frozen=True, tag="held"):
    """The player of a seat, known as ``was`` before, signed in: it is his account's from now on."""

    seat: int
    was: str
    holder: str


class Gone(msgspec.Struct, frozen=True, tag="gone"):
    """The player of a seat has deleted his account: nobody tells any more who it was."""

    seat: int


Event = (
    Opened
    | Seated
    | Left
    | Started
    | Came
    | Played
    | TimedOut
    | StoodIn
    | Returned
    | Resigned
    | Ended
    | Renamed
    | Paced
    | Again
    | Held
    | Gone
    | Said
)

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode_event(event: Event) -> str:
    """The event as it is stored."""
    return _ENCODER.encode(event).decode()


def decode_event(body: str) -> Event:
    """The event that was stored. Raises ``msgspec.ValidationError`` for anything else."""
    return _DECODER.decode(body)


def without_names(happened: Sequence[Event], holder: str) -> list[Event]:
    """The events of a table without the names of ``holder`` and without what he said in his own words, also those from
    before he signed in, and from seats that he has left again."""
    his = {holder} | {event.was for event in happened if isinstance(event, Held) and event.holder == holder}
    sits: dict[int, str | None] = {}
    scrubbed: list[Event] = []
    for event in happened:
        nameless = event
        match event:
            case Opened(seats=plans):
                sits = {number: plan.holder for number, plan in enumerate(plans, 1)}
                nameless = replace(
                    event,
                    seats=tuple(
                        replace(plan, name="", bot_of="") if plan.holder in his else plan for plan in plans
                    ),
                )
            case Seated(seat=seat, holder=comes):
                sits[seat] = comes
                if comes in his:
                    nameless = replace(event, name="", bot_of="")
            case Left(seat=seat):
                sits[seat] = None
            case Renamed(seat=seat) if sits.get(seat) in his:
                nameless = replace(event, name="")
            case Said(seat=seat) if sits.get(seat) in his:
                nameless = replace(event, text="")
        scrubbed.append(nameless)
    return scrubbed
