"""HTTP/1.1 as lean as it gets, since the client shares the machine with what it measures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

Answered = Callable[[int, bytes], None]
Heard = Callable[[int, bytes], None]


class LostConnection(ConnectionError):
    """The server closed a connection on which something was still to come."""


class Connection(asyncio.Protocol):
    """A keep-alive connection that carries one request at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._answered: Answered | None = None
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def ask(self, request: bytes, answered: Answered) -> None:
        """Send a request; ``answered`` gets the status and the body, status 0 when the connection was lost."""
        self._answered = answered
        if self._transport is None or self.closed:
            self.connection_lost(None)
        else:
            self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._buffer = data = self._buffer + data
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return
        at = data.find(b"content-length: ", 0, end)
        length = int(data[at + 16 : data.find(b"\r\n", at)]) if at > 0 else 0
        if len(data) < end + 4 + length:
            return
        self._buffer = b""
        answered, self._answered = self._answered, None
        if answered:
            answered(int(data[9:12]), data[end + 4 :])

    def connection_lost(self, _error: Exception | None) -> None:
        self.closed = True
        answered, self._answered = self._answered, None
        if answered:
            answered(0, b"")

    def close(self) -> None:
        if self._transport:
            self._transport.close()


class Stream(asyncio.Protocol):
    """A stream of Server-Sent Events in chunks; ``heard`` gets each event's id and data, (-1, b"") at the end."""

    def __init__(self, request: bytes, heard: Heard) -> None:
        self._request = request
        self._heard = heard
        self._transport: asyncio.Transport | None = None
        self._raw = b""
        self._text = b""
        self._open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        raw = self._raw + data if self._raw else data
        if not self._open:
            end = raw.find(b"\r\n\r\n")
            if end < 0:
                self._raw = raw
                return
            if raw[9:12] != b"200":
                raise LostConnection(raw[:200].decode())
            self._open = True
            raw = raw[end + 4 :]
        at = 0
        while (line := raw.find(b"\r\n", at)) >= 0:
            size = int(raw[at:line], 16)
            if len(raw) < line + 4 + size:
                break
            self._take(raw[line + 2 : line + 2 + size])
            at = line + 4 + size
        self._raw = raw[at:]

    def _take(self, text: bytes) -> None:
        events = (self._text + text).split(b"\n\n")
        self._text = events.pop()
        for event in events:
            if event.startswith(b"id: "):
                line = event.find(b"\n")
                self._heard(int(event[4:line]), event[line + 7 :])

    def connection_lost(self, _error: Exception | None) -> None:
        self._heard(-1, b"")

    def stop_reading(self) -> None:
        """Hear nothing more, with the connection left open."""
        if self._transport:
            self._transport.pause_reading()

    def close(self) -> None:
        if self._transport:
            self._transport.abort()


class Wire:
    """Connections to one server: as many for requests as are needed at once, and one for each stream."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._free: list[Connection] = []

    def request(self, method: str, path: str, token: str = "", body: bytes = b"", more: str = "") -> bytes:
        """A request's bytes; ``more`` are further header lines, each ended by CR and LF."""
        who = f"authorization: Bearer {token}\r\n" if token else ""
        kind = (
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n" if method == "POST" else ""
        )
        host = f"host: 127.0.0.1:{self.port}\r\naccept-language: en\r\n"
        return f"{method} {path} HTTP/1.1\r\n{host}{who}{kind}{more}\r\n".encode() + body

    async def get_ready(self, connections: int) -> None:
        """Open so many connections for requests in advance."""
        self._free += [await self._connect() for _ in range(connections)]

    def ask(self, request: bytes, answered: Answered) -> None:
        """Send a request on a free connection, or on a new one."""
        while self._free:
            connection = self._free.pop()
            if not connection.closed:
                self._on(connection, request, answered)
                return
        asyncio.get_running_loop().create_task(self._on_new(request, answered))

    async def fetch(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and wait for status and body."""
        done: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self.ask(request, lambda status, body: done.set_result((status, body)))
        return await done

    async def follow(self, request: bytes, heard: Heard) -> Stream:
        """Open a stream."""
        loop = asyncio.get_running_loop()
        _, stream = await loop.create_connection(lambda: Stream(request, heard), "127.0.0.1", self.port)
        return stream

    def close(self) -> None:
        """Close the connections that carry no request."""
        while self._free:
            self._free.pop().close()

    async def _connect(self) -> Connection:
        _, connection = await asyncio.get_running_loop().create_connection(Connection, "127.0.0.1", self.port)
        return connection

    async def _on_new(self, request: bytes, answered: Answered) -> None:
        self._on(await self._connect(), request, answered)

    def _on(self, connection: Connection, request: bytes, answered: Answered) -> None:
        def back(status: int, body: bytes) -> None:
            if status:
                self._free.append(connection)
            answered(status, body)

        connection.ask(request, back)
