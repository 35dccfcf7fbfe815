"""Players as everybody may see them: who is best at a game, and what a player has done at rated tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from oudjat.engine.levels import LEVELS
from oudjat.house.accounts import name_key
from oudjat.house.answers import table_path
from oudjat.house.errors import HouseError
from oudjat.house.listing import Listing
from oudjat.house.ratings import ESTABLISHED, LEVEL
from oudjat.house.schema import accounts, rating_changes, ratings, seats, tables
from oudjat.house.store import Store
from oudjat.rules.game import N_
from oudjat.rules.registry import GAMES
from oudjat.texts import speech, tongues
from oudjat.texts.catalog import Words

MOST_RANKED = 100
MOST_GAMES = 60
"""Games that a player's page lists, the latest first."""
MOST_POINTS = 2_000
MOST_OPENINGS = 5
LEAST_RECALLS = 10
"""Placements from which it is told how much a player remembers."""

PlayerKind = Literal["person", "bot", "level"]


class PlayerName(msgspec.Struct, frozen=True):
    """A player: a ``person``, a ``bot`` that a person made, or the house's bots of a ``level``; ``path`` is his page.
    Who has deleted his account has none."""

    name: str
    kind: PlayerKind | None
    path: str | None


class Ranked(msgspec.Struct, frozen=True):
    """A player's place among the best of a game; those with the same rating share it."""

    place: int
    player: PlayerName
    rating: int
    games: int


class Leaderboard(msgspec.Struct, frozen=True):
    """The best players of a game and variant, of those who have played enough to tell."""

    game: str
    variant: str
    players: list[Ranked]


class RatingInfo(msgspec.Struct, frozen=True):
    """A player's rating at a game and variant; ``established`` when it comes from enough games."""

    game: str
    variant: str
    rating: int
    games: int
    established: bool


class SeatedPlayer(msgspec.Struct, frozen=True):
    """Who sits at a seat of a rated table under which ``name``, of which ``kind`` (null: his account is gone), and his
    ``rating`` at that game and variant (null: he has none yet); how that is written (a question mark: it comes from few
    games) and how it is told to ears, else empty."""

    seat: int
    name: str
    kind: PlayerKind | None
    rating: RatingInfo | None
    rating_said: str
    rating_told: str


class TablePlayers(msgspec.Struct, frozen=True):
    """Who plays at a rated table, in the order of the seats; those that wait for somebody are left out."""

    table: str
    seats: list[SeatedPlayer]


class RatedSeat(msgspec.Struct, frozen=True):
    """A seat of a rated table: whose, which place, and what it did to his rating."""

    seat: int
    player: PlayerName
    place: int
    before: int
    after: int


class RatedTable(msgspec.Struct, frozen=True):
    """A rated table that is over; ``at`` in seconds since 1970. ``own`` is the number of the seat of the player who was
    asked for, where one was."""

    table: str
    path: str
    game: str
    variant: str
    at: float
    seats: list[RatedSeat]
    own: int | None = None


class RatingPoint(msgspec.Struct, frozen=True):
    """A rating after a game that ended ``at``."""

    at: float
    rating: int


class OpeningInfo(msgspec.Struct, frozen=True):
    """How a player likes to open: his first ``turn``, of all that are alike the first, the sentence for it, in how many
    ``games``, and how many of these he ``won``."""

    turn: str
    said: str
    games: int
    won: int


class Memory(msgspec.Struct, frozen=True):
    """How much a player remembers, in percent: 0 as by chance, 100 always the best space that could be known; from so
    many placements."""

    percent: int
    placements: int


class PlayerRecord(msgspec.Struct, frozen=True):
    """What a player did at a game and variant."""

    rating: RatingInfo
    best: int
    places: dict[int, int]
    points: list[RatingPoint]
    openings: list[OpeningInfo]
    memory: Memory | None


class PlayerPage(msgspec.Struct, frozen=True):
    """All that everybody may know of a player. ``owner`` is whose bot it is."""

    player: PlayerName
    owner: str | None
    since: float | None
    records: list[PlayerRecord]
    games: list[RatedTable]


@dataclass(frozen=True, slots=True)
class _Found:
    """A player as the tables of ratings know him."""

    key: str
    name: PlayerName
    owner: str | None
    since: float | None
    shows_memory: bool


def path_of(name: str) -> str:
    """Where a player's page is, not yet quoted for an address."""
    return f"/players/{name}"


def known_game(game: str, variant: str) -> None:
    """Raises :class:`HouseError` 404 for a game or variant that there is not."""
    if game not in GAMES:
        raise HouseError(404, N_("There is no game “{game}” here."), game=game[:40])
    if variant not in GAMES[game].variants:
        raise HouseError(404, N_("There is no such page."))


def rating_texts(words: Words, rating: RatingInfo | None) -> tuple[str, str]:
    """How a rating is written, with a question mark where it comes from few games, and how it is told to ears; both
    empty where there is none.

    >>> from oudjat.texts.catalog import words_in
    >>> rating_texts(words_in("en"), RatingInfo("senet", "normal", 1180, 2, established=False))
    ('1180?', 'rating 1180, from few games')
    """
    if rating is None:
        return "", ""
    if rating.established:
        return speech.shown(rating.rating), words(N_("rating {rating}"), rating=rating.rating)
    return f"{speech.shown(rating.rating)}?", words(
        N_("rating {rating}, from few games"), rating=rating.rating
    )


class Players:
    """Reads what the tables of ratings know."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def best(self, game: str, variant: str, words: Words) -> Leaderboard:
        """The list of the best. Raises :class:`HouseError` 404."""
        known_game(game, variant)
        query = (
            sa.select(ratings)
            .where(ratings.c.game == game, ratings.c.variant == variant, ratings.c.games >= ESTABLISHED)
            .order_by(ratings.c.shown.desc(), ratings.c.player)
            .limit(MOST_RANKED)
        )
        rows = await self._store.rows(query)
        names = await self._names([row.player for row in rows], words)
        ratings_there = [row.shown for row in rows]
        return Leaderboard(
            game,
            variant,
            [
                Ranked(ratings_there.index(row.shown) + 1, names[row.player], row.shown, row.games)
                for row in rows
            ],
        )

    async def of_table(self, table_id: str, words: Words) -> RatedTable:
        """What a table did to the ratings of its players. Raises :class:`HouseError` 404 where it did nothing (yet)."""
        found = await self._tables([table_id], words)
        if not found:
            raise HouseError(404, N_("This table has not been rated."))
        return found[0]

    async def at_table(self, table_id: str, words: Words) -> TablePlayers:
        """Who plays at a rated table. Raises :class:`HouseError` 404 for any other."""
        query = sa.select(tables.c.listing).where(tables.c.id == table_id, tables.c.rated)
        found = await self._store.scalars(query)
        if not found:
            raise HouseError(404, N_("There is no rated table here."))
        listing = msgspec.json.decode(found[0], type=Listing)
        sitting = (
            sa.select(seats.c.seat, accounts.c.kind)
            .join(accounts, accounts.c.holder == seats.c.holder)
            .where(seats.c.table_id == table_id)
        )
        kinds: dict[int, PlayerKind] = {row.seat: row.kind for row in await self._store.rows(sitting)}
        standings = await self.standings([(table_id, listing)])
        answer = TablePlayers(table_id, [])
        for number, (seat, name) in enumerate(zip(listing.seats, listing.called(words), strict=True), 1):
            if seat.taken:
                kind: PlayerKind | None = "level" if seat.level else kinds.get(number)
                rating = standings.get((table_id, number))
                texts = rating_texts(words, rating)
                called = name if kind else words(speech.SOMEONE)
                answer.seats.append(SeatedPlayer(number, called, kind, rating, *texts))
        return answer

    async def page(self, name: str, words: Words) -> PlayerPage:
        """A player's page. Raises :class:`HouseError` 404."""
        found = await self._find(name, words)
        kept = await self._store.rows(
            sa.select(ratings).where(ratings.c.player == found.key).order_by(ratings.c.games.desc())
        )
        changes = await self._store.rows(
            sa.select(rating_changes)
            .where(rating_changes.c.player == found.key)
            .order_by(rating_changes.c.at.desc(), rating_changes.c.table_id)
            .limit(MOST_POINTS)
        )
        latest = list(dict.fromkeys(row.table_id for row in changes))[:MOST_GAMES]
        own = {row.table_id: row.seat for row in changes}
        games = await self._tables(latest, words)
        return PlayerPage(
            found.name,
            found.owner,
            found.since,
            [_record(row, _of(changes, row), words, shows_memory=found.shows_memory) for row in kept],
            [msgspec.structs.replace(table, own=own[table.table]) for table in games],
        )

    async def ratings_of(self, account: str) -> list[RatingInfo]:
        """An account's ratings."""
        return [
            _rating(row)
            for row in await self._store.rows(sa.select(ratings).where(ratings.c.player == account))
        ]

    async def standings(self, listed: Sequence[tuple[str, Listing]]) -> dict[tuple[str, int], RatingInfo]:
        """How strong those are who sit at rated tables, by table and number of the seat; who has no rating there is
        left out. At other tables people play under any name, so nothing is said of them."""
        rated = {table_id: listing for table_id, listing in listed if listing.rated}
        if not rated:
            return {}
        sitting = (
            sa.select(seats.c.table_id, seats.c.seat, ratings)
            .join(accounts, accounts.c.holder == seats.c.holder)
            .join(ratings, ratings.c.player == accounts.c.id)
            .where(seats.c.table_id.in_(rated))
        )
        found = {
            (row.table_id, row.seat): _rating(row)
            for row in await self._store.rows(sitting)
            if (row.game, row.variant) == (rated[row.table_id].game, rated[row.table_id].variant)
        }
        of_levels = sa.select(ratings).where(ratings.c.player.in_([LEVEL + level for level in LEVELS]))
        levels = {
            (row.player, row.game, row.variant): _rating(row) for row in await self._store.rows(of_levels)
        }
        for table_id, listing in rated.items():
            for number, seat in enumerate(listing.seats, 1):
                standing = levels.get((LEVEL + (seat.level or ""), listing.game, listing.variant))
                if standing:
                    found[table_id, number] = standing
        return found

    async def _find(self, name: str, words: Words) -> _Found:
        levels = {name_key(words(speech.LEVEL_NAMES[level])): level for level in LEVELS}
        level = levels.get(name_key(name), name)
        if level in LEVELS:
            return _Found(LEVEL + level, _level_name(level, words), None, None, shows_memory=True)
        owner = accounts.alias()
        query = (
            sa.select(accounts, owner.c.name.label("owner_name"))
            .outerjoin(owner, owner.c.id == accounts.c.owner)
            .where(accounts.c.key == name_key(name))
        )
        row = next(iter(await self._store.rows(query)), None)
        if row is None:
            raise HouseError(404, N_("There is no player of this name."))
        return _Found(
            row.id,
            PlayerName(row.name, row.kind, path_of(row.name)),
            row.owner_name,
            row.made_at,
            bool(row.shows_memory) or row.kind == "bot",
        )

    async def _names(self, players: list[str], words: Words) -> dict[str, PlayerName]:
        query = sa.select(accounts.c.id, accounts.c.name, accounts.c.kind).where(accounts.c.id.in_(players))
        known = {
            row.id: PlayerName(row.name, row.kind, path_of(row.name)) for row in await self._store.rows(query)
        }
        return {player: known.get(player) or _other_name(player, words) for player in players}

    async def _tables(self, table_ids: list[str], words: Words) -> list[RatedTable]:
        query = (
            sa.select(rating_changes)
            .where(rating_changes.c.table_id.in_(table_ids))
            .order_by(rating_changes.c.table_id, rating_changes.c.seat)
        )
        rows = await self._store.rows(query)
        names = await self._names([row.player for row in rows], words)
        found: dict[str, RatedTable] = {}
        for row in rows:
            table = found.setdefault(
                row.table_id,
                RatedTable(row.table_id, table_path(row.table_id), row.game, row.variant, row.at, []),
            )
            table.seats.append(RatedSeat(row.seat, names[row.player], row.place, row.before, row.after))
        return [found[table_id] for table_id in table_ids if table_id in found]


def _level_name(level: str, words: Words) -> PlayerName:
    return PlayerName(words(speech.LEVEL_NAMES[level]), "level", path_of(level))


def _other_name(player: str, words: Words) -> PlayerName:
    """How one is called who has no account: the bots of a level, or who has deleted it."""
    level = player.removeprefix(LEVEL)
    return _level_name(level, words) if level in LEVELS else PlayerName(words(speech.SOMEONE), None, None)


def _of(changes: list[sa.Row[Any]], rating: sa.Row[Any]) -> list[sa.Row[Any]]:
    """The changes of one rating, the oldest first."""
    return [row for row in reversed(changes) if (row.game, row.variant) == (rating.game, rating.variant)]


def _rating(row: sa.Row[Any]) -> RatingInfo:
    return RatingInfo(row.game, row.variant, row.shown, row.games, row.games >= ESTABLISHED)


def _record(
    row: sa.Row[Any], changes: list[sa.Row[Any]], words: Words, *, shows_memory: bool
) -> PlayerRecord:
    places: dict[int, int] = {}
    openings: dict[str, tuple[int, int]] = {}
    for change in changes:
        places[change.place] = places.get(change.place, 0) + 1
        if change.opening:
            games, won = openings.get(change.opening, (0, 0))
            openings[change.opening] = games + 1, won + (change.place == 1)
    liked = sorted(openings.items(), key=lambda entry: (-entry[1][0], entry[0]))[:MOST_OPENINGS]
    return PlayerRecord(
        _rating(row),
        max((change.after for change in changes), default=row.shown),
        dict(sorted(places.items())),
        [RatingPoint(change.at, change.after) for change in changes],
        [OpeningInfo(turn, _opening_said(row.game, turn, words), *counted) for turn, counted in liked],
        _memory(changes) if shows_memory else None,
    )


def _opening_said(game: str, turn: str, words: Words) -> str:
    return tongues.TONGUES[game].opening(words, GAMES[game].read(turn))


def _memory(changes: list[sa.Row[Any]]) -> Memory | None:
    placements = sum(change.recalls for change in changes)
    if placements < LEAST_RECALLS:
        return None
    return Memory(round(100 * max(0.0, sum(change.recall for change in changes) / placements)), placements)
