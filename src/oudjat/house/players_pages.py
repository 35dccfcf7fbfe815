"""The list of the best, players' pages, and the same for programs."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from oudjat.house.answers import json_answer
from oudjat.house.pages import HOME_GAME, page
from oudjat.house.players import Leaderboard, PlayerPage, Players, RatedTable, TablePlayers, known_game
from oudjat.house.plot import Plot, plot_of
from oudjat.house.ratings import ESTABLISHED
from oudjat.house.requests import Guest, guest_of
from oudjat.rules.registry import GAMES
from oudjat.texts import speech
from oudjat.texts.tongues import TONGUES


def _players(request: Request) -> Players:
    players: Players = request.app.state.players
    return players


def _wished(request: Request) -> tuple[str, str]:
    """The game and variant that is asked for."""
    game = request.query_params.get("game", HOME_GAME)
    variant = request.query_params.get("variant", "normal")
    known_game(game, variant)
    return game, variant


def _json(answer: Leaderboard | PlayerPage | RatedTable | TablePlayers) -> Response:
    return json_answer(msgspec.json.encode(answer))


async def leaderboard(request: Request) -> Response:
    """GET /api/leaderboard"""
    return _json(await _players(request).best(*_wished(request), guest_of(request).words))


async def player(request: Request) -> Response:
    """GET /api/players/{name}"""
    return _json(await _players(request).page(request.path_params["name"], guest_of(request).words))


async def table_ratings(request: Request) -> Response:
    """GET /api/tables/{table}/ratings"""
    return _json(await _players(request).of_table(request.path_params["table"], guest_of(request).words))


async def table_players(request: Request) -> Response:
    """GET /api/tables/{table}/players"""
    return _json(await _players(request).at_table(request.path_params["table"], guest_of(request).words))


def _said_of(guest: Guest, game: str, variant: str) -> str:
    """A game, and its variant where it is not the usual one, as people call them."""
    if variant == GAMES[game].variants[0]:
        return GAMES[game].name
    called = TONGUES[game].options["variant"][1][variant][0]
    return f"{GAMES[game].name}: {guest.words(called)}"


async def show_best(request: Request) -> Response:
    """GET /players?game=ID&variant=NAME"""
    guest = guest_of(request)
    game, variant = _wished(request)
    best = await _players(request).best(game, variant, guest.words)
    choices = [(one.id, name) for one in GAMES.values() for name in one.variants]
    return page(
        request,
        "players.html",
        guest,
        best=best,
        choices=[(*choice, _said_of(guest, *choice)) for choice in choices],
        called=_said_of(guest, game, variant),
        established=ESTABLISHED,
        shown=speech.shown,
    )


async def show_player(request: Request) -> Response:
    """GET /players/{name}"""
    guest = guest_of(request)
    found = await _players(request).page(request.path_params["name"], guest.words)

    def plotted(ratings: list[int]) -> Plot:
        return plot_of([1000, *ratings])

    return page(
        request,
        "player.html",
        guest,
        found=found,
        called=lambda game, variant: _said_of(guest, game, variant),
        plotted=plotted,
        shown=speech.shown,
        mine=guest.person is not None and guest.person.name == found.player.name,
    )


def routes() -> list[Route]:
    """All of it, as the application serves it."""
    return [
        Route("/players", show_best),
        Route("/players/{name}", show_player),
        Route("/api/leaderboard", leaderboard),
        Route("/api/players/{name}", player),
        Route("/api/tables/{table}/ratings", table_ratings),
        Route("/api/tables/{table}/players", table_players),
    ]
