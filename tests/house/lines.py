"""A line to a follower that tests hold the other end of."""

from __future__ import annotations

import asyncio


class HeldLine:
    """Keeps what is written to it; while ``reads`` is not set, nothing is taken from it."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self._gone = asyncio.Event()
        self.hung_up = False

    async def write(self, text: bytes) -> None:
        await self.reads.wait()
        self.heard.append(text)

    async def hang_up(self) -> None:
        await self.reads.wait()
        self.hung_up = True
        self._gone.set()

    async def gone(self) -> None:
        await self._gone.wait()

    def go(self) -> None:
        self._gone.set()
