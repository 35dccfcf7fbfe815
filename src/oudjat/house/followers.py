"""Those who follow a table: one open stream each, as Server-Sent Events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from oudjat.house.paint import Viewer, encode_view, tell
from oudjat.house.table import Table

HEARTBEAT = 15.0
"""Seconds of silence after which a stream says that it is alive."""

COME_BACK = 1000
"""Milliseconds after which a browser comes back when its stream has ended."""

_MOST_WAITING = 256  # messages for a follower who does not read; then he is cut off and comes back


class Follower:
    """One open stream: who looks, and what he has not been sent yet."""

    __slots__ = ("_messages", "viewer")

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue(_MOST_WAITING)

    def send(self, message: bytes) -> None:
        """Queue a message. Who lets too many wait is cut off: he comes back and is told what he missed."""
        if self._messages.full():
            self.end()
        else:
            self._messages.put_nowait(message)

    def end(self) -> None:
        """End the stream; what was not sent yet is dropped."""
        while not self._messages.empty():
            self._messages.get_nowait()
        self._messages.put_nowait(None)

    async def stream(self, missed: Sequence[bytes]) -> AsyncIterator[bytes]:
        """What he missed, then what is sent to him, with a beat in silence, until the stream is ended."""
        yield b"retry: %d\n\n" % COME_BACK
        for message in missed:
            yield message
        while True:
            try:
                message_or_end = await asyncio.wait_for(self._messages.get(), HEARTBEAT)
            except TimeoutError:
                yield b"event: beat\ndata: {}\n\n"
                continue
            if message_or_end is None:
                return
            yield message_or_end


def message(table: Table, seq: int, viewer: Viewer, *, with_view: bool) -> bytes:
    """Event ``seq`` for ``viewer`` as Server-Sent Events write it; see :func:`oudjat.house.paint.tell`."""
    return b"id: %d\ndata: %s\n\n" % (seq, encode_view(tell(table, seq, viewer, with_view=with_view)))
