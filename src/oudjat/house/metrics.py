"""What a house counts of itself, for Prometheus. Never who: no label tells of a person or a table."""

from __future__ import annotations

import asyncio
import os
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oudjat.house.events import Came, Event, Played
from oudjat.house.table import Table

if TYPE_CHECKING:
    from oudjat.house.house import House

__all__ = ["CONTENT_TYPE_LATEST", "Counted", "Metrics"]

BETWEEN_LOOKS = 1.0
"""Seconds between looks at how much there is of what comes and goes."""

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_TOGETHER = (1, 2, 4, 8, 16, 32, 64, 128, 256, 500)
_TURNS = "/api/tables/{table}/turns"

disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """The counters of one process; where several serve together, :meth:`written` tells the sums of all."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "oudjat_requests",
            "Requests answered, streams when they ended.",
            ("route", "method", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "oudjat_request_seconds",
            "Seconds until a request was answered, streams left out.",
            ("route", "method"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._turns = Counter("oudjat_turns", "Turns and draws stored.", registry=self._registry)
        self._refused = Counter(
            "oudjat_refused_turns", "Turns refused.", ("status",), registry=self._registry
        )
        self._commits = Histogram(
            "oudjat_append_seconds", "Seconds that a commit took.", buckets=_SECONDS, registry=self._registry
        )
        self._together = Histogram(
            "oudjat_append_group", "Appends that shared a commit.", buckets=_TOGETHER, registry=self._registry
        )
        self._heard = Counter(
            "oudjat_events_heard",
            "Events that other processes stored and that went on here.",
            registry=self._registry,
        )
        self._heard_before = 0
        self._tables, self._streams, self._bots = (
            Gauge(f"oudjat_{name}", says, registry=self._registry, multiprocess_mode="livesum")
            for name, says in (
                ("live_tables", "Tables in memory."),
                ("open_streams", "Streams that follow a table."),
                ("bots_thinking", "Tables at which a bot thinks or waits."),
            )
        )
        self._known: dict[tuple[str, str, int], tuple[Counter, Histogram | None]] = {}

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request to a route, which is its template."""
        known = self._known.get((route, method, status))
        if known is None:
            timed = None if route.endswith("/events") else self._seconds.labels(route, method)
            known = self._requests.labels(route, method, str(status)), timed
            self._known[route, method, status] = known
        counter, histogram = known
        counter.inc()
        if histogram:
            histogram.observe(seconds)
        if status >= 400 and route == _TURNS and method == "POST":
            self._refused.labels(str(status)).inc()

    def committed(self, together: int, seconds: float) -> None:
        """Count a commit of so many appends."""
        self._commits.observe(seconds)
        self._together.observe(together)

    def happened(self, _table: Table, events: tuple[Event, ...]) -> None:
        """Count what was stored at a table."""
        self._turns.inc(sum(isinstance(event, Came | Played) for event in events))

    async def watch(self, house: House) -> None:
        """Count what a house has, again and again until cancelled."""
        while True:
            self.look_at(house)
            await asyncio.sleep(BETWEEN_LOOKS)

    def look_at(self, house: House) -> None:
        """Count what a house has."""
        lives = house.lives()
        self._tables.set(len(lives))
        self._streams.set(sum(len(live.followers) for live in lives))
        self._bots.set(sum(live.bots is not None for live in lives))
        self._heard.inc(house.events_heard - self._heard_before)
        self._heard_before = house.events_heard

    def written(self) -> bytes:
        """All of it in Prometheus' text format."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)


class Counted:
    """Counts each request when it is answered."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        status = 500

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.answered(route, scope["method"], status, perf_counter() - began)
