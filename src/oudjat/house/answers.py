"""What answers of the API have in common."""

from __future__ import annotations

import hashlib

from starlette.requests import Request
from starlette.responses import Response

JSON = "application/json"


def json_answer(encoded: bytes, status: int = 200) -> Response:
    """Encoded JSON for who asked, and for no cache on the way."""
    return Response(encoded, status, media_type=JSON, headers={"cache-control": "no-store"})


def tag_of(body: bytes) -> str:
    """An entity tag, which changes when the body does."""
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"'


def unless_known(request: Request, response: Response, tag: str) -> Response:
    """An answer under its ``tag``; that nothing has changed, and no body, to who has it already."""
    response.headers["etag"] = tag
    if not _names(request.headers.get("if-none-match", ""), tag):
        return response
    kept = {name: value for name, value in response.headers.items() if name != "content-length"}
    return Response(status_code=304, headers=kept)


def _names(asked: str, tag: str) -> bool:
    """Whether an If-None-Match is about ``tag``: one of a list, and also a weak one, as proxies that compress make of
    it (RFC 9110, 13.1.2).

    >>> [_names(asked, '"b"') for asked in ('"a", W/"b"', "*", '"a"', "")]
    [True, True, False, False]
    """
    return asked.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in asked.split(","))


def table_path(table_id: str) -> str:
    """Where people find a table."""
    return f"/t/{table_id}"
