"""What is to be told and has not been yet: one row a notice and channel, until it has arrived or is of no use.

The functions with a connection run in the store's writer, as :meth:`Store.transact` takes them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import sqlalchemy as sa

from oudjat.house.channels import Channel, channel_of, channels_where
from oudjat.house.events import (
    Ended,
    Event,
    Opened,
    Played,
    Resigned,
    Seated,
    Started,
    StoodIn,
    TimedOut,
)
from oudjat.house.schema import channels, notices
from oudjat.house.table import Table

Told = Literal["sat", "began", "turn", "time", "over"]

TO_MOVE = ("turn", "time")
"""What is news only until its player has moved."""

WARNING = 12 * 3600.0
"""Seconds before his time is over at which a player who has days is told so."""

GATHER = 1.0
"""Seconds that a notice waits, so that another of the same table can take its place."""

CLAIM = 60.0
"""Seconds that a process has to deliver what it has claimed; then another may."""

_MOST_AT_ONCE = 100  # channels that are served in one go


@dataclass(frozen=True, slots=True)
class News:
    """Something that a player who waits should know: ``seat`` sat down or is to move, with event ``seq``. ``time``:
    seconds after which he is told that his time is running out, if he has not moved."""

    holder: str
    kind: Told
    seat: int
    seq: int
    time: float | None = None


def news_of(table: Table, events: Sequence[Event]) -> list[News]:
    """Who has to be told what, after ``events`` led to ``table``: never who did it himself, and nobody at a table
    where one person plays with bots."""
    people = {seat.holder for seat in table.seats if seat.holder}
    if len(people) < 2:
        return []
    kinds = {type(event) for event in events}
    others = sorted(people - {_actor(table, events)})
    if kinds & {Played, Ended} and table.status == "over":
        return [News(holder, "over", 0, table.seq) for holder in others]
    if Seated in kinds and table.status == "waiting":
        seat = next(event.seat for event in events if isinstance(event, Seated))
        return [News(holder, "sat", seat, table.seq) for holder in others]
    if not kinds & {Started, Played}:
        return []
    due = table.seat_due
    to_move = due.holder if due and not due.bot else None
    return [
        News(
            holder,
            "turn" if holder == to_move else "began",
            due.number if due else 0,
            table.seq,
            _time(table),
        )
        for holder in others
        if holder == to_move or Started in kinds
    ]


def _actor(table: Table, events: Sequence[Event]) -> str | None:
    """Whose doing it was; None for a bot's, and for the clock's."""
    for event in events:
        match event:
            case Opened(by=by):
                return by
            case Seated(holder=holder):
                return holder
            case Played(seat) | Resigned(seat):
                return table.seats[seat - 1].holder
    return None


def _time(table: Table) -> float | None:
    """Seconds until who is to move should be told that his time is running out; None at a table without days."""
    clocks = table.clocks
    if clocks.clock.kind != "days" or clocks.running is None:
        return None
    return max(0.0, clocks.left[clocks.running - 1] - WARNING)


def is_stale(news: News, later: Sequence[Event]) -> bool:
    """Whether what has happened later makes it no news any more that somebody is to move."""
    return news.kind in TO_MOVE and any(
        isinstance(event, Played | Ended)
        or (isinstance(event, TimedOut | StoodIn | Resigned) and event.seat == news.seat)
        for event in later
    )


@dataclass(frozen=True, slots=True)
class Notice:
    """A row of the outbox: ``news`` of a table for a channel, tried ``tries`` times so far."""

    id: int
    channel: str
    table_id: str
    news: News
    created_at: float
    tries: int


def putting(table_id: str, news: Sequence[News]) -> Callable[[sa.Connection], set[str]]:
    """The work that puts news into the outbox for every channel of those who should know, in the place of older
    news of the same table. Gives those of them who have a channel."""

    def work(connection: sa.Connection) -> set[str]:
        now = time.time()
        by_holder = {one.holder: one for one in news}
        found = connection.execute(channels_where(channels.c.holder.in_(by_holder))).all()
        going = [channel for channel in map(channel_of, found) if not channel.stopped]
        for channel in going:
            connection.execute(
                sa.delete(notices).where(
                    notices.c.channel == channel.id,
                    notices.c.table_id == table_id,
                    notices.c.claimed_until < now,
                )
            )
        rows = []
        for channel in going:
            one = by_holder[channel.holder]
            rows.append(_row(channel, table_id, one, now, channel.due(now + GATHER)))
            if one.kind == "turn" and one.time is not None:
                warning = replace(one, kind="time")
                rows.append(_row(channel, table_id, warning, now, now + one.time))
        if rows:
            connection.execute(sa.insert(notices), rows)
        return {row.holder for row in found}

    return work


def _row(channel: Channel, table_id: str, news: News, now: float, due_at: float) -> dict[str, Any]:
    return {
        "channel": channel.id,
        "holder": news.holder,
        "table_id": table_id,
        "kind": news.kind,
        "seat": news.seat,
        "seq": news.seq,
        "created_at": now,
        "due_at": due_at,
        "tries": 0,
        "claimed_until": 0.0,
    }


def next_due() -> sa.Select[Any]:
    """The query for when the next notice is due."""
    return sa.select(
        sa.func.min(
            sa.case(
                (notices.c.claimed_until > notices.c.due_at, notices.c.claimed_until), else_=notices.c.due_at
            )
        )
    )


def claim(connection: sa.Connection) -> list[Notice]:
    """Take the notices that are due: no other process will, until the claim runs out."""
    now = time.time()
    due = (notices.c.due_at <= now, notices.c.claimed_until < now)
    of = sa.select(notices.c.channel).where(*due).group_by(notices.c.channel).limit(_MOST_AT_ONCE)
    taken = connection.execute(
        sa.update(notices)
        .where(notices.c.channel.in_(of), *due)
        .values(claimed_until=now + CLAIM)
        .returning(notices)
    ).all()
    return [
        Notice(
            row.id,
            row.channel,
            row.table_id,
            News(row.holder, row.kind, row.seat, row.seq),
            row.created_at,
            row.tries,
        )
        for row in sorted(taken, key=lambda row: row.id)
    ]


def drop(connection: sa.Connection, those: Sequence[Notice]) -> None:
    """Forget notices: they have arrived, or are of no use any more."""
    if those:
        connection.execute(sa.delete(notices).where(notices.c.id.in_([one.id for one in those])))


def put_off(connection: sa.Connection, those: Sequence[Notice], until: float, *, tried: bool) -> None:
    """Let notices wait; ``tried`` when it was tried to deliver them now."""
    if those:
        connection.execute(
            sa.update(notices)
            .where(notices.c.id.in_([one.id for one in those]))
            .values(due_at=until, claimed_until=0.0, tries=notices.c.tries + int(tried))
        )
