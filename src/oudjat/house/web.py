"""The web application: routes, headers, errors, and what lives as long as the server."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oudjat.house import (
    analysis_pages,
    api,
    me,
    me_page,
    notices_api,
    operations,
    pages,
    players_pages,
    previews,
)
from oudjat.house import app as installed
from oudjat.house.errors import HouseError
from oudjat.house.handovers import Handovers
from oudjat.house.house import House
from oudjat.house.limits import TooMany, limit_all, limits_wished
from oudjat.house.metrics import Counted, Metrics
from oudjat.house.notices import notices_for
from oudjat.house.openapi import describe
from oudjat.house.origin import AtOrigin, origin_wished
from oudjat.house.players import Players
from oudjat.house.ratings import Ratings
from oudjat.house.requests import guest_of
from oudjat.house.sessions import STALE, Sessions, WhoAsks
from oudjat.house.signed import Signer, house_secret
from oudjat.house.static import STATIC_PATH, static_file
from oudjat.house.store import Store, StoreError
from oudjat.house.thinkers import Thinkers
from oudjat.rules.game import N_, TurnError
from oudjat.texts.speech import refusal

_LOG = logging.getLogger(__name__)

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]

_SAID = {
    404: N_("There is no such page."),
    405: N_("This cannot be done here."),
    500: N_("Something went wrong on our side. Nothing is lost; please try again."),
}


class SeatConvertor(Convertor[int]):
    """The number of a seat in a path: one digit, no seat has more."""

    regex = "[0-9]"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("seat", SeatConvertor())


class SafeHeaders:
    """Puts the security headers on every answer, without touching its body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"] = list(message.get("headers", ()))
                there = {name for name, _ in headers}
                headers += [header for header in _RAW_HEADERS if header[0] not in there]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def _refuse(request: Request, error: HouseError) -> Response:
    guest = guest_of(request)
    message = refusal(guest.words, error)
    if request.url.path.startswith("/api/"):
        response = api.failure(error, message)
    else:
        response = pages.error_page(request, guest, error.status, message)
    if isinstance(error, TooMany):
        response.headers["retry-after"] = str(error.seconds)
    if error.status == 401:
        response.headers["www-authenticate"] = "Bearer"
    response.headers.update(_HEADERS)  # the answer to an unforeseen error passes no middleware
    return response


async def _on_house_error(request: Request, error: Exception) -> Response:
    if isinstance(error, HouseError):
        return _refuse(request, error)
    if isinstance(error, TurnError):
        return _refuse(request, HouseError(422, error.template, rule=error.rule, **error.gaps))
    if isinstance(error, HTTPException):
        response = _refuse(request, HouseError(error.status_code, _SAID.get(error.status_code, error.detail)))
        response.headers.update(error.headers or {})
        if error.status_code == 405:
            response.headers["allow"] = ", ".join(_methods(request))
        return response
    if isinstance(error, StoreError):
        _LOG.error("The storage does not answer: %s", error)
        return _refuse(request, HouseError(503, _SAID[500]))
    _LOG.error("A request failed.", exc_info=error)
    return _refuse(request, HouseError(500, _SAID[500]))


async def _end_streams(sessions: Sessions, house: House, handovers: Handovers) -> None:
    """End the streams of who has signed out, by whichever process; and once more after a while, since meanwhile he
    may have been let in again by a look-up that was under way. Seats of who is gone go to nobody."""
    before: list[str] = []
    while True:
        await asyncio.sleep(STALE)
        try:
            ended = await sessions.ended_elsewhere()
        except StoreError as error:
            _LOG.error("The storage does not answer: %s", error)
            continue
        for holder in {*before, *ended}:
            sessions.forget_holder(holder)
            house.leave(holder)
        handovers.take_up(*ended)
        before = ended


def _methods(request: Request) -> list[str]:
    """What can be done at this address: by all routes of the path that leads there first."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    there = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    same = [route for route in there if route.path == there[0].path]
    return sorted({method for route in same for method in route.methods or ()})


async def _openapi(_request: Request) -> Response:
    return JSONResponse(describe())


async def _favicon(_request: Request) -> Response:
    return Response(status_code=307, headers={"location": f"{STATIC_PATH}/icon.svg"})


async def _robots(_request: Request) -> Response:
    return PlainTextResponse("User-agent: *\nDisallow: /t/\nDisallow: /api/\n")


def build(
    store: Store, *, randomness: Random, workers: int = 2, public_address: str | None = None
) -> Starlette:
    """The application on a store; ``randomness`` deals, ``workers`` processes think for the bots.

    ``public_address`` is where other devices find this server; links for friends name it when the page that
    makes them was opened on this machine. A house whose address is said (``OUDJAT_ORIGIN``) needs no such guess.
    Raises :class:`StoreError` with a sentence when what is said is no address.
    """
    metrics = Metrics()
    origin = origin_wished()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        thinkers = Thinkers(workers)
        house = House(store, thinkers, randomness)
        app.state.house = house
        app.state.pictures = previews.Pictures(thinkers)
        store.committed = metrics.committed
        house.observers.append(metrics.happened)
        signer = Signer(await house_secret(store))
        app.state.sessions = Sessions(store, signer)
        people = app.state.people = me.People.of(store, house, app.state.sessions, signer)
        await people.handovers.resume()
        ratings = Ratings(store)
        house.observers.append(ratings.happened)
        watching = [
            asyncio.create_task(_end_streams(app.state.sessions, house, people.handovers)),
            asyncio.create_task(metrics.watch(house)),
            asyncio.create_task(ratings.work()),
        ]
        app.state.notices = notices = notices_for(house, os.environ)
        await notices.start()
        await house.wake()
        gc.collect()
        gc.freeze()  # a collection of what lives for ever would stall the streams
        gc.set_threshold(50_000, 20, 20)
        yield
        for task in watching:
            task.cancel()
        await people.handovers.close()
        await house.close()
        await notices.close()
        thinkers.close()
        store.close()

    table = "/api/tables/{table}"
    seat = "/t/{table}/seat/{number:seat}/{key}"
    routes = [
        # routes are tried in order: first those that every turn takes
        Route(f"{table}/turns", api.submit_turn, methods=["POST"]),
        Route(f"{table}/events", api.follow),
        Route("/", pages.home),
        Route("/my-tables", pages.my_tables),
        Route("/my-games", pages.my_games),
        Route("/play", pages.play_now, methods=["POST"]),
        Route("/pair", pages.pair, methods=["POST"]),
        Route("/new", pages.new_table),
        Route("/new", pages.open_new_table, methods=["POST"]),
        Route("/t/{table}", pages.show_table),
        Route("/t/{table}/board.svg", previews.board_svg),
        Route("/t/{table}/board.png", previews.board_png),
        Route("/t/{table}/sit", pages.sit_down, methods=["POST"]),
        Route(seat, pages.invitation),
        Route(seat, pages.accept_invitation, methods=["POST"]),
        Route("/rules", pages.rules),
        Route("/rules/{game}", pages.rules),
        Route("/fair", pages.fair),
        Route("/lang/{code}", pages.choose_language),
        Route("/api/openapi.json", _openapi),
        Route("/api/tables", api.open_table, methods=["POST"]),
        Route("/api/tables", api.show_lobby),
        Route("/api/pairing", api.quick_pairing, methods=["POST"]),
        Route(table, api.show_table),
        Route(f"{table}/seats/{{number:seat}}", api.take_seat, methods=["POST"]),
        Route(f"{table}/seats/{{number:seat}}/name", api.call_me, methods=["POST"]),
        Route(f"{table}/turns", api.turns),
        Route(f"{table}/pace", api.set_pace, methods=["POST"]),
        Route(f"{table}/talk", api.say, methods=["POST"]),
        Route(f"{table}/resign", api.resign, methods=["POST"]),
        Route(f"{table}/return", api.take_back, methods=["POST"]),
        Route(f"{table}/leave", api.leave, methods=["POST"]),
        Route(f"{table}/again", api.again, methods=["POST"]),
        Route(f"{table}/record", api.record),
        *me.routes(),
        *players_pages.routes(),
        *analysis_pages.routes(),
        Route("/me", me_page.show),
        *notices_api.routes(),
        Route("/static/{version}/{name}", static_file),
        Route("/manifest.webmanifest", installed.manifest),
        Route("/sw.js", installed.worker),
        Route("/offline", installed.offline),
        Route("/favicon.ico", _favicon),
        Route("/robots.txt", _robots),
    ]
    errors = (HouseError, TurnError, HTTPException, StoreError, Exception)
    app = Starlette(
        routes=[*limit_all(routes), *operations.routes()],
        lifespan=lifespan,
        exception_handlers=dict.fromkeys(errors, _on_house_error),
    )
    app.state.metrics = metrics
    app.state.public_address = None if origin else public_address
    app.state.limits = limits_wished()
    app.state.players = Players(store)
    app.add_middleware(WhoAsks, refuse=_refuse)
    app.add_middleware(SafeHeaders)
    app.add_middleware(Counted, metrics=metrics)
    if origin:
        app.add_middleware(AtOrigin, origin=origin)
    return app
