"""Where a player wants to be told what he waits for: his browsers (Web Push) and webhooks, each with when and how.

The functions with a connection run in the store's writer, as :meth:`Store.transact` takes them.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from oudjat.house.database import ADDING_CHANNELS, take_turns
from oudjat.house.errors import HouseError
from oudjat.house.schema import channels, notices, presence
from oudjat.house.sessions import hold_account
from oudjat.rules.game import N_

Kind = Literal["push", "discord", "slack", "json"]

MOST_CHANNELS = 12
"""How many one player may have."""

MOST_FAILURES = 4
"""After so many messages in a row that did not arrive a channel is stopped."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A way to a player. ``address`` is where messages are posted, ``p256dh`` and ``auth`` are the keys of a
    browser. ``away_only``: only while he has no table open. ``digest_hour``: gathered until that hour in ``zone``,
    None for at once. ``base`` is the address of the house as he knows it. ``failures`` counts messages in a row
    that did not arrive; after too many the channel is ``stopped`` until its owner says otherwise."""

    id: str
    holder: str
    kind: Kind
    address: str
    p256dh: str
    auth: str
    away_only: bool
    digest_hour: int | None
    zone: str
    language: str
    base: str
    failures: int
    stopped: bool
    created_at: float

    def due(self, now: float) -> float:
        """When something that happens now is to be told: now, or at the hour of the next digest.

        >>> from dataclasses import replace
        >>> from datetime import UTC
        >>> night = replace(_EXAMPLE, digest_hour=7, zone="Europe/Berlin")
        >>> datetime.fromtimestamp(night.due(1_793_000_000.0), UTC).isoformat()
        '2026-10-27T06:00:00+00:00'
        """
        if self.digest_hour is None:
            return now
        here = datetime.fromtimestamp(now, zone_named(self.zone))
        hour = here.replace(hour=self.digest_hour, minute=0, second=0, microsecond=0)
        return (hour if hour > here else hour + timedelta(days=1)).timestamp()


_EXAMPLE = Channel("", "", "json", "", "", "", False, None, "UTC", "en", "", 0, False, 0.0)  # noqa: FBT003


def zone_named(name: str) -> ZoneInfo:
    """The time zone of an IANA name. Raises :class:`HouseError` 422 when there is none."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise HouseError(422, N_("There is no time zone “{zone}”."), zone=name[:40]) from None


def channels_where(*conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The query for channels, oldest first; :func:`channel_of` reads its rows."""
    return sa.select(channels).where(*conditions).order_by(channels.c.created_at, channels.c.id)


def channel_of(row: sa.Row[Any]) -> Channel:
    """The channel that stands in a row."""
    return Channel(**row._mapping)


def adding(
    channel: Channel, *, account: str | None = None, instead_of: str = ""
) -> Callable[[sa.Connection], Channel]:
    """The work that keeps a new channel and gives it as it is kept. The same address of the same player changes
    what is there. A browser tells one player only. ``account`` is the player's, where he is signed in; ``instead_of``
    is a former address of the same browser, whose wishes are kept. Raises :class:`HouseError`: 422 when there are too
    many, 403 when the account is gone."""

    def work(connection: sa.Connection) -> Channel:
        if account:
            hold_account(connection, account)
        else:
            take_turns(connection, ADDING_CHANNELS)
        own = connection.execute(channels_where(channels.c.holder == channel.holder)).all()
        before = next((row for row in own if row.address in (channel.address, instead_of)), None)
        if before is None and len(own) >= MOST_CHANNELS:
            raise HouseError(
                422, N_("You are told in {most} places; remove one of them first."), most=MOST_CHANNELS
            )
        kept = replace(channel, id=secrets.token_hex(8))
        if before is not None:
            former = channel_of(before)
            kept = replace(channel, id=former.id, created_at=former.created_at)
            if former.address == instead_of:
                kept = replace(
                    kept, away_only=former.away_only, digest_hour=former.digest_hour, zone=former.zone
                )
        gone = [channels.c.id == kept.id]
        if channel.kind == "push":
            gone.append(channels.c.address == channel.address)
        connection.execute(sa.delete(channels).where(sa.or_(*gone)))
        connection.execute(sa.insert(channels), asdict(kept))
        return kept

    return work


def changing(
    channel_id: str, holder: str | None, wishes: Mapping[str, Any]
) -> Callable[[sa.Connection], Channel]:
    """The work that changes a player's channel and sets it going again. Raises :class:`HouseError` 404."""

    def work(connection: sa.Connection) -> Channel:
        before = own_channel(connection, channel_id, holder)
        after = replace(before, **wishes, failures=0, stopped=False)
        connection.execute(sa.update(channels).where(channels.c.id == channel_id).values(asdict(after)))
        waiting = sa.update(notices).where(notices.c.channel == channel_id, notices.c.tries == 0)
        connection.execute(waiting.values(due_at=after.due(time.time())))
        return after

    return work


def removing(channel_id: str, holder: str | None) -> Callable[[sa.Connection], None]:
    """The work that forgets a player's channel with what was to be told there. Raises :class:`HouseError` 404."""

    def work(connection: sa.Connection) -> None:
        forget(connection, own_channel(connection, channel_id, holder).id)

    return work


def forget(connection: sa.Connection, channel_id: str) -> None:
    """Forget a channel and what was to be told there."""
    connection.execute(sa.delete(channels).where(channels.c.id == channel_id))
    connection.execute(sa.delete(notices).where(notices.c.channel == channel_id))


def hand_over(connection: sa.Connection, holder: str, heir: str | None) -> None:
    """Let the channels of ``holder`` be those of ``heir``; when there is none, forget them. Doing it again changes
    nothing."""
    known = sa.select(channels.c.address).where(channels.c.holder == heir)
    gone = sa.select(channels.c.id).where(channels.c.holder == holder)
    if heir is not None:
        gone = gone.where(channels.c.address.in_(known))
    for channel_id in connection.scalars(gone).all():
        forget(connection, channel_id)
    if heir is not None:
        moved = sa.update(channels).where(channels.c.holder == holder)
        connection.execute(moved.values(holder=heir, created_at=time.time()))
        connection.execute(sa.update(notices).where(notices.c.holder == holder).values(holder=heir))
    connection.execute(sa.delete(presence).where(presence.c.holder == holder))


def own_channel(connection: sa.Connection, channel_id: str, holder: str | None) -> Channel:
    """A player's channel. Raises :class:`HouseError` 404."""
    found = connection.execute(
        channels_where(channels.c.id == channel_id, channels.c.holder == (holder or ""))
    ).one_or_none()
    if found is None:
        raise HouseError(404, N_("You are not told there."))
    return channel_of(found)
