"""What goes in and comes out where players say how they want to be told."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from oudjat.house.channels import Channel, Kind

Hour = Annotated[int, msgspec.Meta(ge=0, le=23)]


class When(msgspec.Struct, forbid_unknown_fields=True):
    """When to be told: ``away_only`` while no table is open, ``digest_hour`` once a day at that hour of the time
    zone ``zone`` (an IANA name), null for at once."""

    away_only: bool = False
    digest_hour: Hour | None = None
    zone: str = "UTC"


class TellBrowser(When, forbid_unknown_fields=True, kw_only=True):
    """A browser's push subscription. ``replaces`` is a former endpoint of the same browser, whose wishes stay."""

    endpoint: str
    p256dh: str
    auth: str
    replaces: str = ""


class TellWebhook(When, forbid_unknown_fields=True, kw_only=True):
    """An address that messages are posted to, written for Discord, for Slack (and what understands the same), or
    as plain JSON."""

    url: str
    kind: Literal["discord", "slack", "json"]


class ChannelView(msgspec.Struct, frozen=True):
    """A way in which the caller is told. ``stopped``: too much did not arrive, so nothing is sent any more until the
    channel is changed or tried with success."""

    id: str
    kind: Kind
    address: str
    away_only: bool
    digest_hour: int | None
    zone: str
    language: str
    stopped: bool


class ChannelKept(msgspec.Struct, frozen=True):
    """A channel as it is kept; ``token`` is the new secret of a caller who had none."""

    channel: ChannelView
    token: str | None


class ChannelsView(msgspec.Struct, frozen=True):
    """How the caller is told; ``push_key`` is the key a browser needs to subscribe."""

    push_key: str
    channels: tuple[ChannelView, ...]


class Tried(msgspec.Struct, frozen=True):
    """Whether a message arrived, and why not."""

    sent: bool
    said: str


def shown(channel: Channel) -> ChannelView:
    """A channel as its owner sees it."""
    return ChannelView(
        channel.id,
        channel.kind,
        channel.address,
        channel.away_only,
        channel.digest_hour,
        channel.zone,
        channel.language,
        channel.stopped,
    )
