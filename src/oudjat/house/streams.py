"""An answer that never ends: Server-Sent Events over ASGI, without a task or a timer of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from oudjat.house.followers import Line

_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)


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


class EventStream(Response):
    """The answer to who follows a table: ``follow`` writes to the line that it is given until that has gone."""

    def __init__(self, follow: Callable[[Line], Awaitable[None]]) -> None:
        super().__init__(media_type="text/event-stream")
        self._follow = follow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body"})
            return
        await self._follow(_OpenLine(receive, send))
