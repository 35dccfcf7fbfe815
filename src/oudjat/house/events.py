"""What happens at a table. ■ A table is its events; everything else is derived from them.

Events hold secrets (the luck, the values of placed tiles): they are stored, never sent. What a follower gets is
painted from them by ``house.paint``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Pace = Literal["at-once", "natural", "slow"]
"""How long a bot takes before its turn is shown."""


class SeatPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as planned: ``holder`` is whose it is from the start, ``key`` opens a friend's seat, ``level`` is
    set for a bot's. The name is what its player gave, may be empty. ``bot_of`` names the person whose program
    plays."""

    name: str = ""
    level: str | None = None
    holder: str | None = None
    key: str | None = None
    bot_of: str = ""


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """A table was opened. ``first`` is the seat that begins, 0 for by lot."""

    game: str
    variant: str
    options: dict[str, str]
    first: int
    pace: Pace
    seats: tuple[SeatPlan, ...]
    by: str


class Seated(msgspec.Struct, frozen=True, tag="seated", omit_defaults=True):
    """A friend took a seat; ``bot_of`` names the person whose program it is."""

    seat: int
    holder: str
    name: str
    bot_of: str = ""


class Started(msgspec.Struct, frozen=True, tag="started"):
    """All seats are taken. ``luck`` and ``salt`` are secret until the end; ``promise`` is their public hash."""

    first: int
    luck: tuple[str, ...]
    salt: str
    promise: str


class Came(msgspec.Struct, frozen=True, tag="drew"):
    """A seat chose to let chance speak, and this came. Stored before anybody sees it."""

    seat: int
    value: str


class Played(msgspec.Struct, frozen=True, tag="turn"):
    """A whole turn, as a record writes it."""

    seat: int
    turn: str


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


Event = Opened | Seated | Started | Came | Played | Renamed | Paced | Again | Held | Gone

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode_event(event: Event) -> str:
    """The event as it is stored."""
    return _ENCODER.encode(event).decode()


def decode_event(body: str) -> Event:
    """The event that was stored. Raises ``msgspec.ValidationError`` for anything else."""
    return _DECODER.decode(body)
