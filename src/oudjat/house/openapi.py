"""The API described for programs (OpenAPI 3.1), made from the types that it takes and gives."""

from __future__ import annotations

import re
from typing import Any

import msgspec

import oudjat
from oudjat.engine.levels import LEVELS
from oudjat.house import api
from oudjat.house.answers import JSON
from oudjat.house.followers import UNNUMBERED
from oudjat.house.lobby import LobbyView
from oudjat.house.me_bodies import OwnData
from oudjat.house.me_operations import OPERATIONS as ME_OPERATIONS
from oudjat.house.notices_api import OPERATIONS as NOTICES_OPERATIONS
from oudjat.house.paint import TableView, Told
from oudjat.house.players import Leaderboard
from oudjat.house.requests import CallMe, OfSeat, OpenTable, Pairing, Say, SetPace, SubmitTurn, TakeSeat
from oudjat.house.sessions import SESSION_COOKIE
from oudjat.house.streams import EVENTS, LINES
from oudjat.rules.game import Game
from oudjat.rules.registry import GAMES
from oudjat.texts.catalog import LANGUAGES

DEFAULT_GAME = str(OpenTable.__struct_defaults__[0])

_TABLE = {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}}
_NUMBER = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}


def _parameter(
    name: str, description: str, where: str = "query", schema: dict[str, Any] | None = None
) -> dict[str, Any]:
    """What may stand in a request beside its path and body; text, unless ``schema`` says otherwise."""
    return {
        "name": name,
        "in": where,
        "required": False,
        "description": description,
        "schema": schema or {"type": "string"},
    }


_EVENT_ID = {"type": "string", "pattern": "^[0-9]{0,9}$"}
_AFTER = _parameter(
    "after",
    "The id of the last event you have; you get exactly what you missed. Without it, the last event.",
    schema=_EVENT_ID,
)
_LAST_EVENT = _parameter(
    "Last-Event-ID", "As after, which it goes before; browsers that come back send it.", "header", _EVENT_ID
)
_VIEWS = _parameter(
    "views",
    "none: events without the table as it then is.",
    schema={"type": "string", "enum": ["full", "none"]},
)
_PREFER = _parameter(
    "Prefer",
    "return=minimal: an answer without the table (RFC 7240); a refusal brings it all the same.",
    "header",
)
_IF_NONE_MATCH = _parameter(
    "If-None-Match", "The ETag of the answer that you have: 304 when it is still so.", "header"
)
_LANGUAGE = _parameter(
    "lang",
    "The language of every sentence you get: "
    + ", ".join(LANGUAGES)
    + ". Without it, what Accept-Language says.",
)
_GAME = _parameter("game", "Tables of this game only.")
_VARIANT = _parameter("variant", "Of which variant; without it, normal.")
_HOUSE_TIME = {
    "description": "What time it is in the house, in seconds: what all moments of the table are told in.",
    "schema": {"type": "number"},
}
_PREFERENCE_APPLIED = {
    "description": "return=minimal where that was preferred: the answer is without the table.",
    "schema": {"type": "string"},
}
_ETAG = {
    "description": "Send it as If-None-Match when you ask again.",
    "required": True,
    "schema": {"type": "string"},
}
_FILE = {"description": "What to call the file.", "required": True, "schema": {"type": "string"}}
_RETRY_AFTER = {
    "description": "In how many seconds it is worth another try.",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}
_AUTHENTICATE = {"description": "Bearer.", "required": True, "schema": {"type": "string"}}
_NOT_MODIFIED = {"description": "It is as the copy that you have.", "headers": {"etag": _ETAG}}
_TEXTS: dict[str, dict[str, Any]] = {
    EVENTS: {
        "type": "object",
        "description": "One event of the stream. A message has an id, and a Told as data; the others have no id.",
        "properties": {
            "id": {"type": "string", "pattern": "^[0-9]+$"},
            "event": {"type": "string", "enum": ["message", *UNNUMBERED.values()]},
            "data": {
                "type": "string",
                "contentMediaType": JSON,
                "contentSchema": {
                    "anyOf": [
                        {"$ref": f"#/components/schemas/{data.__name__}"} for data in (Told, *UNNUMBERED)
                    ]
                },
            },
            "retry": {"type": "integer"},
        },
    },
    LINES: {
        "type": "string",
        "description": "A JSON object a line, as each is found. First perhaps {waiting}: how many games come first. "
        "Then the turns, from the last to the first, each as `oudjat analyse --json` tells it, with a list of what "
        "would have been better and the sentences for people in said. At the end {players}: how each seat did; or "
        "{error}, with a message, when it broke off. An empty line only means that it goes on.",
    },
}
"""What stands in answers that are no JSON, where more can be said of it than that it is text."""

# path, method, summary, body, success status, answer (a type or a media type), refusals
_OPERATIONS: tuple[tuple[str, str, str, type | None, int, type | str, tuple[int, ...]], ...] = (
    ("/api/tables", "post", "Open a table.", OpenTable, 201, api.TableOpened, (400, 403, 413, 422, 503)),
    (
        "/api/tables",
        "get",
        "The lobby: public tables that wait for somebody, and those that are being played. Ask again with "
        "If-None-Match.",
        None,
        200,
        LobbyView,
        (422,),
    ),
    (
        "/api/pairing",
        "post",
        "Quick pairing: sit down with whoever asks for the same. The first to ask waits at a table, which closes a "
        "minute after he follows it no more; asking again leads there.",
        Pairing,
        200,
        api.Paired,
        (400, 401, 403, 413, 422, 429, 503),
    ),
    ("/api/tables/{table}", "get", "The table as you may see it.", None, 200, TableView, (404,)),
    (
        "/api/tables/{table}/seats/{number}",
        "post",
        "Take a seat: a friend's with its key, or one that is open to all.",
        TakeSeat,
        200,
        api.SeatTaken,
        (400, 403, 404, 409, 413, 422, 503),
    ),
    (
        "/api/tables/{table}/seats/{number}/name",
        "post",
        "Say how you want to be called.",
        CallMe,
        200,
        api.SeatTaken,
        (400, 403, 404, 409, 413, 422, 503),
    ),
    (
        "/api/tables/{table}/turns",
        "post",
        "Submit a turn, or “draw” to turn a tile over or throw. A stale one is refused with 409 and the table as it "
        "is; the same submission twice takes effect once.",
        SubmitTurn,
        200,
        api.Submitted,
        (400, 403, 404, 409, 413, 422, 503),
    ),
    (
        "/api/tables/{table}/pace",
        "post",
        "Set how long the bots take.",
        SetPace,
        200,
        api.SeatTaken,
        (400, 403, 404, 409, 413, 503),
    ),
    (
        "/api/tables/{table}/talk",
        "post",
        "Say something: a ready phrase, or at a table that is not public a text of your own.",
        Say,
        200,
        api.SeatTaken,
        (400, 403, 404, 409, 413, 422, 429, 503),
    ),
    (
        "/api/tables/{table}/resign",
        "post",
        "Give up your seat. Of two the other wins; with more a bot plays on, and the seat is ranked last.",
        OfSeat,
        200,
        api.SeatTaken,
        (400, 403, 404, 409, 413, 503),
    ),
    (
        "/api/tables/{table}/return",
        "post",
        "Play your seat yourself again, where a bot stands in since your time ran out. A turn does the same.",
        OfSeat,
        200,
        api.SeatTaken,
        (400, 403, 404, 409, 413, 503),
    ),
    (
        "/api/tables/{table}/leave",
        "post",
        "Leave a table at which not everybody has played a turn. It ends without a result; who was invited and leaves "
        "before it begins only makes his seat free.",
        None,
        200,
        api.SeatTaken,
        (403, 404, 409, 413, 503),
    ),
    (
        "/api/tables/{table}/again",
        "post",
        "Set up another game with the same players.",
        None,
        201,
        api.Following,
        (403, 404, 409, 413, 503),
    ),
    ("/api/tables/{table}/turns", "get", "Every turn of a finished game.", None, 200, api.Turns, (404, 409)),
    (
        "/api/tables/{table}/analysis",
        "get",
        "What each turn of a finished game was worth, by the share of the win, as it is found; that takes a "
        "quarter of a minute, for very long games or when others ask too a few minutes.",
        None,
        200,
        LINES,
        (404, 409, 503),
    ),
    ("/api/tables/{table}/record", "get", "The record, as in FORMATS.", None, 200, "text/plain", (404,)),
    (
        "/api/tables/{table}/events",
        "get",
        "Follow the table: Server-Sent Events, each with its sequence number as id and a Told as data.",
        None,
        200,
        EVENTS,
        (400, 404),
    ),
    *ME_OPERATIONS,
    *NOTICES_OPERATIONS,
)
_EVERYWHERE = (401, 429, 503)
"""Refusals that any operation may meet: an unknown token, too many requests, a storage that does not answer."""
_WITH_A_BODY = (400, 408, 413)
"""Refusals that any operation with a body may meet: it is broken off, late, or too long."""


def _tables_of(game: Game) -> dict[str, Any]:
    """How many sit at tables of a game, and which variants and options it has."""
    options = {option.key: {"enum": list(option.values)} for option in game.options}
    return {
        "title": game.name,
        "required": [] if game.id == DEFAULT_GAME else ["game"],
        "properties": {
            "game": {"const": game.id},
            "seats": {"minItems": game.players[0], "maxItems": game.players[-1]},
            "variant": {"enum": list(game.variants)},
            "first": {"minimum": 0, "maximum": game.players[-1]},
            "options": {"properties": options, "additionalProperties": False},
        },
    }


def _done(answer: type | str, reference: dict[type, dict[str, Any]]) -> dict[str, Any]:
    """The answer to what was done, and its headers."""
    if isinstance(answer, str):
        content = {answer: {"schema": _TEXTS.get(answer, {"type": "string"})}}
    else:
        content = {JSON: {"schema": reference[answer]}}
    told = answer is TableView or "state" in getattr(answer, "__struct_fields__", ())
    headers = {
        "house-time": _HOUSE_TIME | {"required": answer is not api.Submitted} if told else None,
        "preference-applied": _PREFERENCE_APPLIED if answer is api.Submitted else None,
        "etag": _ETAG if answer is LobbyView else None,
        "content-disposition": _FILE if answer in ("text/plain", OwnData) else None,
    }
    return {"description": "Done.", "content": content} | _with(headers)


def _refused(status: int, failure: dict[str, Any], *, told: bool) -> dict[str, Any]:
    """A refusal and its headers; ``told`` when it may bring the table."""
    headers = {
        "house-time": _HOUSE_TIME if told else None,
        "retry-after": _RETRY_AFTER if status == 429 else None,
        "www-authenticate": _AUTHENTICATE if status == 401 else None,
    }
    content = {JSON: {"schema": failure}}
    return {"description": "Refused; the message says why.", "content": content} | _with(headers)


def _with(headers: dict[str, dict[str, Any] | None]) -> dict[str, Any]:
    """The headers that an answer has, where it has any."""
    there = {name: header for name, header in headers.items() if header}
    return {"headers": there} if there else {}


def describe() -> dict[str, Any]:
    """The whole description as a JSON-ready dict."""
    types = [body for _, _, _, body, _, _, _ in _OPERATIONS if body]
    types += [answer for *_, answer, _ in _OPERATIONS if isinstance(answer, type)]
    types += [api.Failure, Told, *UNNUMBERED]
    unique = list(dict.fromkeys(types))
    schemas, components = msgspec.json.schema_components(unique, ref_template="#/components/schemas/{name}")
    components["OpenTable"]["anyOf"] = [_tables_of(game) for game in GAMES.values()]
    components["SeatWish"]["properties"]["level"]["examples"] = list(LEVELS)
    reference = dict(zip(unique, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for path, method, summary, body, status, answer, refusals in _OPERATIONS:
        parameters = [
            parameter
            for parameter, here in (
                (_TABLE, "{table}" in path),
                (_NUMBER, "{number}" in path),
                (_AFTER, path.endswith("/events")),
                (_LAST_EVENT, path.endswith("/events")),
                (_VIEWS, path.endswith("/events")),
                (_PREFER, body is SubmitTurn),
                (_IF_NONE_MATCH, answer is LobbyView),
                (_GAME, answer is LobbyView),
                (
                    _GAME | {"description": f"Of which game; without it, {DEFAULT_GAME}."},
                    answer is Leaderboard,
                ),
                (_VARIANT, answer is Leaderboard),
                (_LANGUAGE, not path.endswith("/record")),
            )
            if here
        ]
        parameters += [
            _TABLE | {"name": name}
            for name in re.findall(r"\{(\w+)\}", path)
            if name not in ("table", "number")
        ]
        operation: dict[str, Any] = {
            "summary": summary,
            "parameters": parameters,
            "responses": {str(status): _done(answer, reference)}
            | ({"304": _NOT_MODIFIED} if answer is LobbyView else {})
            | {
                str(refusal): _refused(refusal, reference[api.Failure], told=body is SubmitTurn)
                for refusal in sorted({*refusals, *_EVERYWHERE, *(_WITH_A_BODY if 413 in refusals else ())})
            },
        }
        if method != "get":
            operation["security"] = [{}, {"token": []}, {"browser": []}, {"session": []}]
        if body:
            operation["requestBody"] = {
                "required": True,
                "content": {JSON: {"schema": reference[body]}},
            }
        paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Oudjat",
            "version": oudjat.__version__,
            "description": "Open tables, take seats, play turns, follow games of Isis & Osiris and its sisters.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "browser": {"type": "apiKey", "in": "cookie", "name": "oudjat"},
                "session": {"type": "apiKey", "in": "cookie", "name": SESSION_COOKIE},
            },
        },
    }
