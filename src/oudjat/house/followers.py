"""Those who follow a table: one open stream each, as Server-Sent Events."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Protocol

import msgspec

from oudjat.house.paint import Viewer

HEARTBEAT = 15.0
"""Seconds after which a stream says again that it is alive, and in which a follower must have read something."""

COME_BACK = 1000
"""Milliseconds after which a browser comes back when its stream has ended."""

_GREETING = b"retry: %d\n\n" % COME_BACK
_MOST_WAITING = 64  # messages for a follower who does not read; then he is cut off and comes back
_PARTS = (
    15  # of a heartbeat: in each some of the followers get theirs, so that not all are written to at once
)


class Beat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The stream is alive."""


class Bye(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The stream ends; come back."""


class HouseTime(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What time it is in the house, in seconds, for a page that shows clocks."""

    now: float


class Watching(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many watch the table without a seat."""

    count: int


UNNUMBERED: dict[type, str] = {Beat: "beat", Bye: "bye", HouseTime: "time", Watching: "watching"}
"""What a stream says besides the events of its table, without a number: the data, and what the event is called."""


def unnumbered(data: Beat | Bye | HouseTime | Watching) -> bytes:
    """Such an event as Server-Sent Events write it.

    >>> unnumbered(Watching(3))
    b'event: watching\\ndata: {"count":3}\\n\\n'
    """
    return b"event: %s\ndata: %s\n\n" % (UNNUMBERED[type(data)].encode(), msgspec.json.encode(data))


_BEAT = unnumbered(Beat())
_BYE = unnumbered(Bye())


class Line(Protocol):
    """The connection to a follower."""

    async def write(self, text: bytes) -> None:
        """Send text; waits while the other side does not read."""

    async def hang_up(self) -> None:
        """End the connection, after what was written; the other side may come back."""

    async def gone(self) -> None:
        """Wait until the other side has gone, or the connection was ended here."""


class Follower:
    """Who follows a table: how he sees it, his line, and what he has not been sent yet, at first what he ``missed``.
    ``views``: whether he gets the whole table with each event."""

    def __init__(
        self, viewer: Viewer, line: Line, missed: Sequence[bytes] = (), *, views: bool = True
    ) -> None:
        self.viewer = viewer
        self.views = views
        self._line = line
        self._waiting = [b"".join([_GREETING, *missed])]
        self._writer: asyncio.Task[None] | None = None
        self._slow_writer: asyncio.Task[None] | None = None
        self._ended = False

    def send(self, message: bytes) -> None:
        """Have a message sent. Who lets too many wait is cut off: he comes back and is told what he missed."""
        if len(self._waiting) >= _MOST_WAITING:
            self.end()
        elif not self._ended:
            self._waiting.append(message)
            self._write_soon()

    def beat(self) -> None:
        """Say that the stream is alive. Who has read nothing since the last beat is cut off."""
        if self._writer is not None and self._writer is self._slow_writer:
            self.end()
        else:
            self._slow_writer = self._writer
            self.send(_BEAT)

    def end(self) -> None:
        """End the stream; what was not sent yet is dropped."""
        self._waiting.clear()
        self.part()

    def part(self) -> None:
        """End the stream after what is to be sent still, and say that one may come back: not all in one moment."""
        if not self._ended:
            self._waiting.append(b"retry: %d\n" % random.randrange(200, COME_BACK) + _BYE)
        self._ended = True
        self._write_soon()

    async def stay(self) -> None:
        """Send what he missed, then what comes, until he goes or the stream is ended."""
        self._write_soon()
        try:
            await self._line.gone()
        finally:
            if self._writer:
                self._writer.cancel()

    def _write_soon(self) -> None:
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        try:
            while self._waiting:
                text = b"".join(self._waiting)
                self._waiting.clear()
                await self._line.write(text)
            if self._ended:
                await self._line.hang_up()
        finally:
            self._writer = None


class Heart:
    """One timer that beats for all followers, so that proxies keep their streams open, silent connections whose other
    side has vanished are found out, and pages know that they are still connected."""

    def __init__(self) -> None:
        self._parts: list[set[Follower]] = [set() for _ in range(_PARTS)]
        self._part = 0
        self._timer: asyncio.TimerHandle | None = None

    def join(self, follower: Follower) -> None:
        """Beat for a follower from now on."""
        min(self._parts, key=len).add(follower)
        if self._timer is None:
            self._set_timer()

    def leave(self, follower: Follower) -> None:
        """Beat no more for a follower."""
        for part in self._parts:
            part.discard(follower)

    def beat(self) -> None:
        """Beat for the next part of the followers."""
        self._part = (self._part + 1) % _PARTS
        for follower in self._parts[self._part]:
            follower.beat()

    def _set_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT / _PARTS, self._on_time)

    def _on_time(self) -> None:
        self._timer = None
        self.beat()
        if any(self._parts):
            self._set_timer()
