"""Under which address browsers know the house: as each request says, or as ``OUDJAT_ORIGIN`` does.

■ The only place that knows of that variable. Where it is set, scheme and host of every request are those it names
before anything looks at them, so that links, cookies, passkeys and the door to other sites all follow.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from oudjat.house.database import StoreError
from oudjat.rules.game import N_

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Origin:
    """The house's address as browsers write it: ``scheme`` and ``host``, which holds the port where that is not the
    scheme's own."""

    scheme: str
    host: str

    @property
    def address(self) -> str:
        """As one writes it.

        >>> origin_named("HTTPS://Play.Example.org:443/").address
        'https://play.example.org/'
        """
        return f"{self.scheme}://{self.host}/"


def origin_named(wish: str) -> Origin:
    """The origin that somebody wrote. Raises :class:`StoreError` with a sentence."""
    try:
        parts = urlsplit(wish.strip())
        name, port = parts.hostname or "", parts.port
    except ValueError:
        name, port = "", None
    if not name or parts.scheme not in _PORTS or parts.path.strip("/") or parts.query or parts.username:
        raise StoreError(
            N_("OUDJAT_ORIGIN is the address of the house, as https://play.example.org; “{wish}” is none."),
            wish=wish,
        )
    name = f"[{name}]" if ":" in name else name
    return Origin(parts.scheme, name if port in (None, _PORTS[parts.scheme]) else f"{name}:{port}")


def origin_wished() -> Origin | None:
    """As ``OUDJAT_ORIGIN`` says, None without it. Raises :class:`StoreError` with a sentence."""
    wish = os.environ.get("OUDJAT_ORIGIN", "")
    return origin_named(wish) if wish else None


class AtOrigin:
    """Every request came to the origin of the house, whatever a proxy made of it."""

    def __init__(self, app: ASGIApp, origin: Origin) -> None:
        self._app = app
        self._scheme = origin.scheme
        self._host = (b"host", origin.host.encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["scheme"] = self._scheme
            scope["headers"] = [self._host, *(header for header in scope["headers"] if header[0] != b"host")]
        await self._app(scope, receive, send)
