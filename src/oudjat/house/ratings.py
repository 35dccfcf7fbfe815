"""Ratings: how strong players are, from rated tables only, per game and variant (Plackett-Luce, by openskill).

Each rated table that ends counts once, in the order of the ends, in one transaction: by the process at which it ended,
or else when one of them starts again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import fmean

import sqlalchemy as sa
from openskill.models import PlackettLuce, PlackettLuceRating

from oudjat.house.database import RATING, StoreError, take_turns
from oudjat.house.events import Ended, Event, Played, decode_event
from oudjat.house.finished import Result, SeatResult, result_of
from oudjat.house.schema import accounts, events, rated_tables, rating_changes, ratings, tables
from oudjat.house.store import Conflict, Store
from oudjat.house.table import Table

_LOG = logging.getLogger(__name__)
_MODEL = PlackettLuce()
_BETWEEN_TRIES = 5.0

ESTABLISHED = 5
"""Games after which a rating is shown without a question mark and in the list of the best."""
LEVEL = "level:"
"""How the bots of a level are called as players, before the level."""


def shown(mu: float, sigma: float) -> int:
    """A rating as people see it: what a player is worth with great certainty. It begins at 1,000 and rises as he wins,
    and as the house gets to know him.

    >>> shown(_MODEL.mu, _MODEL.sigma)
    1000
    """
    return round(1000 + 40 * (mu - 3 * sigma))


class Ratings:
    """Rates the tables of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ended: asyncio.Queue[tuple[str, ...]] = asyncio.Queue()

    def happened(self, table: Table, new: tuple[Event, ...]) -> None:
        """An observer of the house: rate a rated table that has just ended."""
        if (
            table.opened.rated
            and table.status == "over"
            and any(isinstance(event, Played | Ended) for event in new)
        ):
            self._ended.put_nowait((table.id,))

    async def work(self) -> None:
        """Rate what is left from before, then each table that ends, one after the other, until cancelled."""
        waiting: tuple[str, ...] | None = None
        while True:
            try:
                await self._rate(await self._unrated() if waiting is None else waiting)
                waiting = await self._ended.get()
            except StoreError as error:
                _LOG.error("Ratings wait: %s", error)
                await asyncio.sleep(_BETWEEN_TRIES)
            except Exception:
                _LOG.exception("Tables could not be rated: %s.", waiting)
                waiting = await self._ended.get()

    async def _unrated(self) -> tuple[str, ...]:
        done = sa.exists().where(rated_tables.c.table_id == tables.c.id)
        query = sa.select(tables.c.id).where(tables.c.rated, tables.c.status == "over", ~done)
        return tuple(await self._store.scalars(query))

    async def _rate(self, table_ids: Sequence[str]) -> None:
        results = []
        for table_id in table_ids:
            with _the_others_go_on(table_id):
                results.append(await self._result(table_id))
        results.sort(key=lambda one: one[1].at if one[1] else 0.0)
        for table_id, result in results:
            with _the_others_go_on(table_id):
                await self._store.transact(partial(_rate_once, table_id=table_id, result=result))

    async def _result(self, table_id: str) -> tuple[str, Result | None]:
        """How a table ended, and when that was: at the event after which it was over."""
        query = (
            sa.select(events.c.at, events.c.body).where(events.c.table_id == table_id).order_by(events.c.seq)
        )
        rows = await self._store.rows(query)
        table = Table.from_events(table_id, [decode_event(row.body) for row in rows])
        ends = [
            row.at for row, event in zip(rows, table.events, strict=True) if isinstance(event, Played | Ended)
        ]
        return table_id, result_of(table, ends[-1] if ends else 0.0)


@contextmanager
def _the_others_go_on(table_id: str) -> Iterator[None]:
    """Rate a table, or write down why that cannot be done; where the storage does not answer, none can be rated."""
    try:
        yield
    except Exception as error:
        if isinstance(error, StoreError) and not isinstance(error, Conflict):
            raise
        _LOG.exception("Table %s cannot be rated.", table_id, extra={"table": table_id})


def _rate_once(connection: sa.Connection, table_id: str, result: Result | None) -> None:
    take_turns(connection, RATING)
    if connection.scalar(sa.select(sa.exists().where(rated_tables.c.table_id == table_id))):
        return
    connection.execute(sa.insert(rated_tables).values(table_id=table_id))
    if result is None:
        return
    players = _players(connection, result.seats)
    if len({player for player in players if player}) < 2 or not _fair(connection, result.seats):
        return
    before = [_rating(connection, result, player) for player in players]
    after = [
        team[0]
        for team in _MODEL.rate(
            [[_MODEL.rating(old.mu, old.sigma)] for old, _ in before],
            ranks=[float(seat.place) for seat in result.seats],
        )
    ]
    _keep(connection, result, players, before, after)


def _players(connection: sa.Connection, seats: Sequence[SeatResult]) -> list[str]:
    """Who sat at the seats: accounts by their ids, bots by their level, and nobody where an account is gone."""
    holders = [seat.holder for seat in seats if seat.holder]
    found = connection.execute(
        sa.select(accounts.c.holder, accounts.c.id).where(accounts.c.holder.in_(holders))
    )
    known = {row.holder: row.id for row in found}
    return [LEVEL + seat.level if seat.level else known.get(seat.holder or "", "") for seat in seats]


def _fair(connection: sa.Connection, seats: Sequence[SeatResult]) -> bool:
    """Whether nobody sat at two seats, by himself or by a bot of his."""
    holders = [seat.holder for seat in seats if seat.holder]
    found = connection.execute(
        sa.select(accounts.c.id, accounts.c.owner).where(accounts.c.holder.in_(holders))
    )
    people = [row.owner or row.id for row in found]
    return len(set(people)) == len(people) and len(set(holders)) == len(holders)


def _rating(connection: sa.Connection, result: Result, player: str) -> tuple[PlackettLuceRating, int]:
    """A player's rating and how many games it comes from; that of a beginner where there is none."""
    query = sa.select(ratings.c.mu, ratings.c.sigma, ratings.c.games).where(
        ratings.c.player == player, ratings.c.game == result.game, ratings.c.variant == result.variant
    )
    row = connection.execute(query).first()
    return (_MODEL.rating(row.mu, row.sigma), row.games) if row else (_MODEL.rating(), 0)


def _keep(
    connection: sa.Connection,
    result: Result,
    players: Sequence[str],
    before: Sequence[tuple[PlackettLuceRating, int]],
    after: Sequence[PlackettLuceRating],
) -> None:
    """Keep new ratings, and what has changed. Where several bots of a level played, theirs is the mean of what came."""
    come: defaultdict[str, list[PlackettLuceRating]] = defaultdict(list)
    games: dict[str, int] = {}
    for player, (_, number), new in zip(players, before, after, strict=True):
        come[player].append(new)
        games[player] = number + 1
    kept = {
        player: (fmean(one.mu for one in those), fmean(one.sigma for one in those))
        for player, those in come.items()
        if player
    }
    for player, (mu, sigma) in kept.items():
        connection.execute(
            sa.delete(ratings).where(
                ratings.c.player == player, ratings.c.game == result.game, ratings.c.variant == result.variant
            )
        )
        connection.execute(
            sa.insert(ratings).values(
                player=player,
                game=result.game,
                variant=result.variant,
                mu=mu,
                sigma=sigma,
                shown=shown(mu, sigma),
                games=games[player],
            )
        )
    connection.execute(
        sa.insert(rating_changes),
        [
            {
                "table_id": result.table,
                "seat": seat.seat,
                "player": player,
                "game": result.game,
                "variant": result.variant,
                "place": seat.place,
                "before": shown(old.mu, old.sigma),
                "after": shown(*kept.get(player, (new.mu, new.sigma))),
                "at": result.at,
                "opening": seat.opening,
                "recall": seat.recall,
                "recalls": seat.recalls,
            }
            for seat, player, (old, _), new in zip(result.seats, players, before, after, strict=True)
        ],
    )
