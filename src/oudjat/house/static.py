"""Files for the browser, served under a path that changes when any of them does."""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from oudjat.house.errors import HouseError
from oudjat.rules.game import N_

_FOLDER = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

_FILES: dict[str, bytes] = {
    file.name: file.read_bytes() for file in sorted(_FOLDER.iterdir()) if file.is_file()
}
_VERSION = hashlib.sha256(b"".join(name.encode() + data for name, data in _FILES.items())).hexdigest()[:12]

STATIC_PATH = f"/static/{_VERSION}"
"""Where the pages find their files; a browser may keep them for ever."""


def text_of(name: str) -> str:
    """What stands in one of the files."""
    return _FILES[name].decode()


async def static_file(request: Request) -> Response:
    """GET /static/{version}/{name}"""
    name = request.path_params["name"]
    if name not in _FILES:
        raise HouseError(404, N_("There is no such page."))
    current = request.path_params["version"] == _VERSION
    kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(
        _FILES[name],
        media_type=kind,
        headers={"cache-control": "public, max-age=31536000, immutable" if current else "no-cache"},
    )
