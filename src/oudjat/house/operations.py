"""What those who run a house ask it: is it alive, is it ready, what does it count."""

from __future__ import annotations

import asyncio
import ipaddress
import os

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from oudjat.house.errors import HouseError
from oudjat.house.house import House
from oudjat.house.metrics import CONTENT_TYPE_LATEST, Metrics
from oudjat.house.store import StoreError
from oudjat.rules.game import N_

_PATIENCE = 3.0  # seconds in which the database has to answer
_PROXIED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
_FRESH = {"cache-control": "no-store"}


async def health(_request: Request) -> Response:
    """GET /health: 200 when the process answers."""
    return PlainTextResponse("ok\n", headers=_FRESH)


async def ready(request: Request) -> Response:
    """GET /ready: 200 when people can play, 503 while the house closes or its database does not answer."""
    house: House = request.app.state.house
    if house.closing:
        return PlainTextResponse("closing\n", 503, headers=_FRESH)
    try:
        async with asyncio.timeout(_PATIENCE):
            await house.store.ready()
    except (StoreError, TimeoutError):
        return PlainTextResponse("the database does not answer\n", 503, headers=_FRESH)
    return PlainTextResponse("ok\n", headers=_FRESH)


async def metrics(request: Request) -> Response:
    """GET /metrics: for this machine only, unless ``OUDJAT_METRICS`` is ``public``. Raises :class:`HouseError` 403."""
    if os.environ.get("OUDJAT_METRICS") != "public" and not _is_here(request):
        raise HouseError(403, N_("These figures are for who runs this house."))
    figures: Metrics = request.app.state.metrics
    figures.look_at(request.app.state.house)
    return Response(figures.written(), media_type=CONTENT_TYPE_LATEST, headers=_FRESH)


def _is_here(request: Request) -> bool:
    """Whether a request comes from this very machine, through no proxy."""
    if request.client is None or any(header in request.headers for header in _PROXIED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def routes() -> list[Route]:
    """Their routes, which no rate limits hold up."""
    return [Route("/health", health), Route("/ready", ready), Route("/metrics", metrics)]
