"""What answers of the API have in common."""

from __future__ import annotations

from starlette.responses import Response

JSON = "application/json"


def json_answer(encoded: bytes, status: int = 200) -> Response:
    """Encoded JSON for who asked, and for no cache on the way."""
    return Response(encoded, status, media_type=JSON, headers={"cache-control": "no-store"})


def table_path(table_id: str) -> str:
    """Where people find a table."""
    return f"/t/{table_id}"
