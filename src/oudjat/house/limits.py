"""How often anybody may do what: token buckets in the memory of each process.

A bucket holds a number of requests and fills up again at a steady pace. Every request takes one from the bucket of
its address and one from that of whoever asks. ``OUDJAT_LIMITS`` scales all of them: ``off``, or how many times as
much is allowed.
"""

from __future__ import annotations

import functools
import ipaddress
import math
import os
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from oudjat.house.database import StoreError
from oudjat.house.errors import HouseError
from oudjat.house.requests import guest_of
from oudjat.rules.game import N_

_MOST_BUCKETS = 50_000


@dataclass(frozen=True, slots=True)
class Limit:
    """``most`` requests at once, and one more every ``every`` seconds."""

    most: int
    every: float


LIMITS: dict[str, tuple[Limit, Limit]] = {
    "look": (Limit(600, 0.02), Limit(2400, 0.005)),
    "turn": (Limit(100, 0.05), Limit(1000, 0.005)),
    "change": (Limit(60, 1), Limit(300, 0.2)),
    "open": (Limit(30, 10), Limit(120, 2)),
    "talk": (Limit(10, 3), Limit(60, 0.5)),
    "account": (Limit(40, 5), Limit(120, 2)),
    "test": (Limit(6, 10), Limit(30, 2)),
    "export": (Limit(6, 60), Limit(20, 20)),
    "analysis": (Limit(10, 20), Limit(40, 5)),
    "sign-in": (Limit(10, 20), Limit(30, 10)),
    "sign-up": (Limit(10, 120), Limit(20, 120)),
}
"""What each kind of request is allowed: of one person or guest, and from one address. For ``sign-in`` the first is
also that of the name that is tried."""

KINDS: dict[tuple[str, str], str] = {
    ("POST", "/api/tables"): "open",
    ("POST", "/api/tables/{table}/again"): "open",
    ("POST", "/api/tables/{table}/turns"): "turn",
    ("POST", "/api/tables/{table}/talk"): "talk",
    ("POST", "/api/pairing"): "open",
    ("POST", "/play"): "open",
    ("POST", "/pair"): "open",
    ("POST", "/new"): "open",
    ("POST", "/api/me/sign-up"): "sign-up",
    ("POST", "/api/me/sign-in"): "sign-in",
    ("POST", "/api/me/passkeys"): "sign-up",
    ("POST", "/api/me/passkeys/wish"): "sign-up",
    ("POST", "/api/me/passkeys/ask"): "sign-in",
    ("POST", "/api/me/passkeys/answer"): "sign-in",
    ("POST", "/api/channels/{channel}/test"): "test",
    ("GET", "/api/tables/{table}/analysis"): "analysis",
    ("GET", "/api/me/records"): "export",
    ("GET", "/api/me/data"): "export",
}
"""The kind of a request, where it is not ``look`` (GET) or ``change`` (the rest). What stands under ``/api/me`` and
changes anything is ``account``."""


class TooMany(HouseError):
    """Refused for now; ``seconds`` until it is worth another try."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            429, N_("That was too much at once. Please try again in {seconds} s."), seconds=seconds
        )
        self.seconds = seconds


class Limits:
    """The buckets of one process; ``factor`` times as much is allowed, None: everything."""

    def __init__(self, factor: float | None = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._factor = factor
        self._clock = clock
        self._full_at: dict[tuple[str, str], float] = {}

    def take(self, kind: str, *, person: str | None = None, address: str | None = None) -> None:
        """Let a request through, or raise :class:`TooMany`; then nothing was taken."""
        if self._factor is None:
            return
        now = self._clock()
        by_person, by_address = LIMITS[kind]
        taken: list[tuple[tuple[str, str], float]] = []
        for who, limit in ((person, by_person), (address, by_address)):
            if who is None:
                continue
            every = limit.every / self._factor
            filled = max(self._full_at.get((kind, who), now), now) + every
            over = filled - now - limit.most * self._factor * every
            if over > 1e-9:
                raise TooMany(max(1, math.ceil(over)))
            taken.append(((kind, who), filled))
        if len(self._full_at) + len(taken) > _MOST_BUCKETS:
            self._make_room(now)
        self._full_at.update(taken)

    def _make_room(self, now: float) -> None:
        """Forget full buckets, which are as none; and when all are in use, the half that will be full first."""
        self._full_at = {key: full for key, full in self._full_at.items() if full > now}
        if len(self._full_at) > _MOST_BUCKETS // 2:
            fullest = sorted(self._full_at.items(), key=lambda entry: entry[1])
            self._full_at = dict(fullest[len(fullest) - _MOST_BUCKETS // 2 :])


def limits_wished() -> Limits:
    """As ``OUDJAT_LIMITS`` says. Raises :class:`StoreError` with a sentence."""
    wish = os.environ.get("OUDJAT_LIMITS", "") or "1"
    if wish == "off":
        return Limits(None)
    try:
        factor = float(wish)
    except ValueError:
        factor = 0.0
    if not 0 < factor < math.inf:
        raise StoreError(N_("OUDJAT_LIMITS is “off” or a number above 0; “{wish}” is neither."), wish=wish)
    return Limits(factor)


def address_of(request: Request) -> str:
    """Where a request comes from, as limits count it: of IPv6 the network, since a household has a whole one.

    The server has set it from the proxy's word where that proxy is trusted (``OUDJAT_PROXIES``).
    """
    host = request.client.host if request.client else ""
    if ":" not in host:
        return host
    try:
        return str(ipaddress.ip_network((host.partition("%")[0], 64), strict=False))
    except ValueError:
        return host


_Endpoint = Callable[[Request], Awaitable[Response]]


class Limited:
    """An endpoint, for those who have not asked too often, as an application of its own: Starlette's way from a
    function to an answer would look for errors twice."""

    def __init__(self, kind: str, endpoint: _Endpoint) -> None:
        functools.update_wrapper(self, endpoint)
        self._kind = kind
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        limits: Limits = request.app.state.limits
        limits.take(self._kind, person=guest_of(request).holder, address=address_of(request))
        response = await self._endpoint(request)
        await response(scope, receive, send)


def limit_all(routes: Iterable[Route]) -> list[Route]:
    """The same routes, each limited by its kind; the browser's own files are not."""
    return [
        route
        if route.path.startswith("/static/")
        else Route(route.path, Limited(_kind(route), route.endpoint), methods=_methods(route))
        for route in routes
    ]


def _methods(route: Route) -> list[str]:
    return sorted((route.methods or {"GET"}) - {"HEAD"})


def _kind(route: Route) -> str:
    path = route.path.replace(":seat", "")
    (method,) = _methods(route)
    usual = "look" if method == "GET" else "account" if path.startswith("/api/me") else "change"
    return KINDS.get((method, path), usual)
