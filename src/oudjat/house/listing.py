"""How the lobby knows a table: what it shows of it, kept beside the table so that no events need to be read."""

from __future__ import annotations

from typing import Any

import msgspec

from oudjat.house.clocks import Clock
from oudjat.house.events import Ended, Gone, Left, Opened, Renamed, Seated, Started
from oudjat.house.table import Table
from oudjat.rules.registry import GAMES
from oudjat.texts import speech
from oudjat.texts.catalog import Words

LISTED = Opened | Seated | Left | Started | Ended | Renamed | Gone
"""The events that change what the lobby shows of a table."""

LISTING_COLUMNS = ("game", "public", "rated", "free", "pairing", "listing")
"""The columns of the database that hold a listing."""


class ListedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as the lobby shows it: the name its player gave, a bot's level, whether somebody sits there, and whether
    that is a bot that a person made."""

    name: str = ""
    level: str | None = None
    taken: bool = True
    bot: bool = False


class Listing(msgspec.Struct, frozen=True):
    """A table as the lobby shows it. ``pairing`` is what those who asked for a quick pairing agree on, while one is
    waited for."""

    game: str
    variant: str
    options: dict[str, str]
    seats: tuple[ListedSeat, ...]
    clock: Clock
    public: bool
    rated: bool
    pairing: str | None

    def called(self, words: Words) -> list[str]:
        """How the seats are called, in their order."""
        colours = GAMES[self.game].colours
        names = ((seat.name, colour, seat.level) for seat, colour in zip(self.seats, colours, strict=False))
        return list(speech.seat_names(words, names))

    @property
    def free(self) -> int:
        """How many seats wait for somebody."""
        return sum(not seat.taken for seat in self.seats)

    def columns(self) -> dict[str, Any]:
        """The values of :data:`LISTING_COLUMNS`."""
        whole = msgspec.json.encode(self).decode()
        values = (self.game, self.public, self.rated, self.free, self.pairing, whole)
        return dict(zip(LISTING_COLUMNS, values, strict=True))


def listing_of(table: Table) -> Listing:
    """How the lobby shows this table now."""
    opened = table.opened
    return Listing(
        opened.game,
        opened.variant,
        opened.options,
        tuple(ListedSeat(seat.name, seat.level, seat.taken, bool(seat.bot_of)) for seat in table.seats),
        opened.clock,
        opened.public,
        opened.rated,
        opened.pairing if table.status == "waiting" else None,
    )
