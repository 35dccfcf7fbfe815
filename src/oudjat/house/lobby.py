"""The lobby: tables that wait for anybody, tables to watch, and quick pairing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import sqlalchemy as sa

from oudjat.house.answers import table_path, tag_of
from oudjat.house.clocks import Clock
from oudjat.house.errors import HouseError
from oudjat.house.events import Opened
from oudjat.house.listing import ListedSeat, Listing
from oudjat.house.players import Players, RatingInfo, rating_texts
from oudjat.house.schema import tables
from oudjat.house.store import Store
from oudjat.rules.game import N_
from oudjat.rules.registry import GAMES
from oudjat.texts import speech
from oudjat.texts.catalog import Words

if TYPE_CHECKING:
    from oudjat.house.house import House, Live

MOST_OPEN = 60
MOST_RUNNING = 24
"""How many tables of either kind the lobby shows, the newest first."""

LIVELY = 3600.0
"""Seconds after which a running table at which nothing happens is no longer shown to those who want to watch."""

FRESH = 1.0
"""Seconds for which a process shows the lobby as it last read it, however many ask."""

_TRIES = 8


class LobbySeat(msgspec.Struct, frozen=True):
    """A seat in the lobby; ``kind`` is ``free`` where anybody may sit down. At a rated table ``rating`` is that of who
    sits there, once he has one, ``rating_said`` how it is written (a question mark: from few games) and ``rating_told``
    how it is told to ears, else empty."""

    number: int
    name: str
    colour: str
    kind: Literal["person", "bot", "free"]
    rating: int | None
    rating_said: str
    rating_told: str


class LobbyTable(msgspec.Struct, frozen=True):
    """A table in the lobby, with what is ``said`` of its clock and variant in the reader's language."""

    table: str
    path: str
    game: str
    game_name: str
    variant: str
    options: dict[str, str]
    seats: tuple[LobbySeat, ...]
    clock: Clock
    clock_said: str
    rated: bool
    pairing: bool


class LobbyView(msgspec.Struct, frozen=True):
    """The public tables that wait for somebody, and those that are being played."""

    open: tuple[LobbyTable, ...]
    running: tuple[LobbyTable, ...]


class _Painted(NamedTuple):
    """The lobby for readers of one language: for pages, as JSON, and a tag that changes when it does."""

    view: LobbyView
    body: bytes
    tag: str


class _Listed(NamedTuple):
    """What the lobby has read: the tables that wait, those that run, and how strong who sits at the rated ones is."""

    waiting: list[tuple[str, Listing]]
    running: list[tuple[str, Listing]]
    standings: dict[tuple[str, int], RatingInfo]


class Lobby:
    """The lobby as one process shows it, read from the store at most once in :data:`FRESH` seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._players = Players(store)
        self.pairing = asyncio.Lock()
        """Held by who looks for a pairing, so that those of one process do not run into each other."""
        self._reading = asyncio.Lock()
        self._read_at = float("-inf")
        self._listed = _Listed([], [], {})
        self._painted: dict[tuple[str, str | None], _Painted] = {}

    async def view(self, words: Words, game: str | None = None) -> tuple[bytes, str]:
        """The lobby as JSON, of one game or of all, and a tag that changes when it does."""
        painted = await self._look(words, game)
        return painted.body, painted.tag

    async def shown(self, words: Words) -> LobbyView:
        """The lobby, for a page."""
        return (await self._look(words, None)).view

    async def _look(self, words: Words, game: str | None) -> _Painted:
        async with self._reading:
            if time.monotonic() - self._read_at > FRESH:
                waiting, running = await self._waiting(), await self._running()
                listed = _Listed(waiting, running, await self._players.standings([*waiting, *running]))
                self._read_at = time.monotonic()
                if listed != self._listed:
                    self._listed = listed
                    self._painted.clear()
        key = words.language, game
        if key not in self._painted:
            view = self._paint(words, game)
            body = msgspec.json.encode(view)
            self._painted[key] = _Painted(view, body, tag_of(body))
        return self._painted[key]

    def _paint(self, words: Words, game: str | None) -> LobbyView:
        waiting, running = (
            tuple(
                _lobby_table(table_id, listing, self._listed.standings, words)
                for table_id, listing in part
                if game in (None, listing.game)
            )
            for part in (self._listed.waiting, self._listed.running)
        )
        return LobbyView(waiting, running)

    async def _waiting(self) -> list[tuple[str, Listing]]:
        query = (
            sa.select(tables.c.id, tables.c.listing)
            .where(tables.c.public, tables.c.status == "waiting", tables.c.free > 0)
            .order_by(tables.c.opened_at.desc(), tables.c.id)
            .limit(MOST_OPEN)
        )
        return _listings(await self._store.rows(query))

    async def _running(self) -> list[tuple[str, Listing]]:
        query = (
            sa.select(tables.c.id, tables.c.listing)
            .where(tables.c.public, tables.c.status == "running", tables.c.changed_at > time.time() - LIVELY)
            .order_by(tables.c.opened_at.desc(), tables.c.id)
            .limit(MOST_RUNNING)
        )
        return _listings(await self._store.rows(query))


def _listings(rows: Sequence[sa.Row[tuple[str, str]]]) -> list[tuple[str, Listing]]:
    return [(row.id, msgspec.json.decode(row.listing, type=Listing)) for row in rows]


def _lobby_table(
    table_id: str, listing: Listing, standings: Mapping[tuple[str, int], RatingInfo], words: Words
) -> LobbyTable:
    game = GAMES[listing.game]
    return LobbyTable(
        table_id,
        table_path(table_id),
        game.id,
        game.name,
        listing.variant,
        listing.options,
        tuple(_lobby_seats(table_id, listing, standings, words)),
        listing.clock,
        speech.clock_said(words, listing.clock.kind, listing.clock.seconds, listing.clock.increment),
        listing.rated,
        listing.pairing is not None,
    )


def _lobby_seats(
    table_id: str, listing: Listing, standings: Mapping[tuple[str, int], RatingInfo], words: Words
) -> Iterator[LobbySeat]:
    called = zip(listing.seats, listing.called(words), GAMES[listing.game].colours, strict=False)
    for number, (seat, name, colour) in enumerate(called, 1):
        standing = standings.get((table_id, number))
        rating = standing.rating if standing else None
        yield LobbySeat(number, name, colour, _kind(seat), rating, *rating_texts(words, standing))


def _kind(seat: ListedSeat) -> Literal["person", "bot", "free"]:
    if not seat.taken:
        return "free"
    return "bot" if seat.level or seat.bot else "person"


async def pair(house: House, opened: Opened, *, name: str, bot_of: str) -> Live:
    """The table at which who asks for ``opened`` meets the others who ask for the same: he sits down at the one that
    waits, or opens one that does. Asking again leads to the table where he waits.

    At most one table waits for each kind of pairing, and a seat is taken once: the database sees to both, also where
    several processes do this in the same moment. Raises :class:`HouseError` 503 when it cannot be stored.
    """
    waiting = sa.select(tables.c.id).where(tables.c.pairing == opened.pairing)
    for _ in range(_TRIES):
        try:
            async with house.lobby.pairing:
                found = await house.store.scalars(waiting)
                if not found:
                    return await house.open_table(opened)
                live = await house.live(found[0])
                if not live.table.seats_of(opened.by):
                    await sit_down(house, live, opened.by, name=name, bot_of=bot_of)
                return live
        except HouseError as error:
            if error.status != 409:
                raise
    raise HouseError(503, N_("Too many want the same in this moment. Please try again."))


async def sit_down(house: House, live: Live, holder: str, *, name: str, bot_of: str) -> None:
    """Take a free seat at a public table, whichever it is. Raises :class:`HouseError` 409 when there is none."""
    for seat in live.table.seats:
        if not seat.taken and seat.key is None:
            with suppress(HouseError):
                await house.take_seat(live, seat.number, key="", holder=holder, name=name, bot_of=bot_of)
                return
    raise HouseError(409, N_("Somebody else has just sat down here."))
