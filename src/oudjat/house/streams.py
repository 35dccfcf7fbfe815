"""An answer that is written bit by bit, or never ends, over ASGI, without a task or a timer of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from oudjat.house.followers import Line

EVENTS = "text/event-stream"
LINES = "application/x-ndjson"
"""One JSON object a line."""
_HEADERS = ((b"cache-control", b"no-store"), (b"x-accel-buffering", b"no"))


class _OpenLine:
    """The line to who sent a request."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send

    async def write(self, text: bytes) -> None:
        await self._send({"type": "http.response.body", "body": text, "more_body": True})

    async def hang_up(self) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


class Stream(Response):
    """The answer to who follows something: ``follow`` writes to the line that it is given, until that has gone or all
    is said. Server-Sent Events, unless it is said to be of another ``media_type``."""

    def __init__(self, follow: Callable[[Line], Awaitable[None]], media_type: str = EVENTS) -> None:
        super().__init__(media_type=media_type)
        self._follow = follow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = (b"content-type", f"{self.media_type}; charset=utf-8".encode())
        await send({"type": "http.response.start", "status": 200, "headers": [kind, *_HEADERS]})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body"})
            return
        await self._follow(_OpenLine(receive, send))
