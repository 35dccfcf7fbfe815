"""The API for how a player is told what he waits for, and the page for it."""

from __future__ import annotations

import time
from dataclasses import replace

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from oudjat.house import pages
from oudjat.house.answers import json_answer
from oudjat.house.api import house_of
from oudjat.house.channels import (
    Channel,
    Kind,
    adding,
    changing,
    channel_of,
    channels_where,
    own_channel,
    removing,
    zone_named,
)
from oudjat.house.messages import trial
from oudjat.house.notices import Notices
from oudjat.house.notices_bodies import (
    ChannelKept,
    ChannelsView,
    TellBrowser,
    TellWebhook,
    Tried,
    When,
    shown,
)
from oudjat.house.push import check_keys
from oudjat.house.requests import Guest, body_of, guest_of, read_json, refuse_other_sites, remember
from oudjat.house.schema import channels
from oudjat.house.sender import Unsent


def _notices_of(request: Request) -> Notices:
    notices: Notices = request.app.state.notices
    return notices


def _answer(answer: ChannelKept | ChannelsView | Tried, status: int = 200) -> Response:
    return json_answer(msgspec.json.encode(answer), status)


async def _view(request: Request, guest: Guest) -> ChannelsView:
    found = await house_of(request).store.rows(channels_where(channels.c.holder == (guest.holder or "")))
    key = (await _notices_of(request).seal()).public_key
    return ChannelsView(key, tuple(shown(channel_of(row)) for row in found))


async def show_channels(request: Request) -> Response:
    """GET /api/channels"""
    return _answer(await _view(request, guest_of(request)))


async def tell_browser(request: Request) -> Response:
    """POST /api/channels/push"""
    refuse_other_sites(request)
    wish = await read_json(request, TellBrowser)
    check_keys(wish.p256dh, wish.auth)
    channel = _channel(request, wish, "push", wish.endpoint, p256dh=wish.p256dh, auth=wish.auth)
    return await _keep(request, channel, instead_of=wish.replaces)


async def tell_webhook(request: Request) -> Response:
    """POST /api/channels/webhook"""
    refuse_other_sites(request)
    wish = await read_json(request, TellWebhook)
    return await _keep(request, _channel(request, wish, wish.kind, wish.url))


def _channel(
    request: Request, wish: When, kind: Kind, address: str, *, p256dh: str = "", auth: str = ""
) -> Channel:
    _notices_of(request).check(address)
    zone_named(wish.zone)
    return Channel(
        id="",
        holder="",
        kind=kind,
        address=address,
        p256dh=p256dh,
        auth=auth,
        away_only=wish.away_only,
        digest_hour=wish.digest_hour,
        zone=wish.zone,
        language="",
        base=str(request.base_url).rstrip("/"),
        failures=0,
        stopped=False,
        created_at=time.time(),
    )


async def _keep(request: Request, channel: Channel, *, instead_of: str = "") -> Response:
    guest = guest_of(request).known()
    channel = replace(channel, holder=guest.holder or "", language=guest.words.language)
    account = guest.person.account if guest.person else None
    kept = await house_of(request).store.transact(adding(channel, account=account, instead_of=instead_of))
    _notices_of(request).add(kept.holder)
    response = _answer(ChannelKept(shown(kept), guest.token if guest.new else None), 201)
    remember(request, response, guest)
    return response


async def change_channel(request: Request) -> Response:
    """POST /api/channels/{channel}"""
    refuse_other_sites(request)
    wish = await read_json(request, When)
    zone_named(wish.zone)
    guest = guest_of(request)
    wishes = msgspec.structs.asdict(wish) | {"language": guest.words.language}
    kept = await house_of(request).store.transact(
        changing(request.path_params["channel"], guest.holder, wishes)
    )
    return _answer(ChannelKept(shown(kept), None))


async def remove_channel(request: Request) -> Response:
    """DELETE /api/channels/{channel}"""
    refuse_other_sites(request)
    await body_of(request)
    guest = guest_of(request)
    await house_of(request).store.transact(removing(request.path_params["channel"], guest.holder))
    return _answer(await _view(request, guest))


async def try_channel(request: Request) -> Response:
    """POST /api/channels/{channel}/test"""
    refuse_other_sites(request)
    await body_of(request)
    guest = guest_of(request)
    channel_id = request.path_params["channel"]
    store = house_of(request).store
    channel = await store.transact(lambda connection: own_channel(connection, channel_id, guest.holder))
    try:
        await _notices_of(request).send(channel, trial(guest.words))
    except Unsent as unsent:
        return _answer(Tried(sent=False, said=guest.words(unsent.template, **unsent.gaps)))
    await store.transact(changing(channel_id, guest.holder, {"language": guest.words.language}))
    return _answer(Tried(sent=True, said=""))


async def page(request: Request) -> Response:
    """GET /notices"""
    guest = guest_of(request)
    view = msgspec.json.encode(await _view(request, guest))
    return pages.page(request, "notices.html", guest, channels_json=pages.data_block(view))


def routes() -> list[Route]:
    """Where the page and the operations are."""
    channel = "/api/channels/{channel}"
    return [
        Route("/notices", page),
        Route("/api/channels", show_channels),
        Route("/api/channels/push", tell_browser, methods=["POST"]),
        Route("/api/channels/webhook", tell_webhook, methods=["POST"]),
        Route(channel, change_channel, methods=["POST"]),
        Route(channel, remove_channel, methods=["DELETE"]),
        Route(f"{channel}/test", try_channel, methods=["POST"]),
    ]


OPERATIONS = (
    ("/api/channels", "get", "How you are told what you wait for.", None, 200, ChannelsView, ()),
    (
        "/api/channels/push",
        "post",
        "Be told in a browser, by Web Push. The same endpoint again changes its wishes.",
        TellBrowser,
        201,
        ChannelKept,
        (400, 403, 413, 422, 503),
    ),
    (
        "/api/channels/webhook",
        "post",
        "Be told by a webhook. The same address again changes its wishes.",
        TellWebhook,
        201,
        ChannelKept,
        (400, 403, 413, 422, 503),
    ),
    (
        "/api/channels/{channel}",
        "post",
        "Say when you are to be told there, and set it going again.",
        When,
        200,
        ChannelKept,
        (400, 403, 404, 413, 422, 503),
    ),
    (
        "/api/channels/{channel}",
        "delete",
        "Be told there no more.",
        None,
        200,
        ChannelsView,
        (403, 404, 413, 503),
    ),
    (
        "/api/channels/{channel}/test",
        "post",
        "Send a message there now.",
        None,
        200,
        Tried,
        (403, 404, 413, 503),
    ),
)
"""What stands in the API's description, as ``house.openapi`` writes it."""
