"""Twin houses in this process: the same people do the same at both, and what is hidden differs.

A house is driven through its ASGI face, so that every byte that it sends is at hand, headers too. All that is random
is dealt by the test: tables have equal names in both, and luck and salt are what the test says.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import logging
import random
import re
import secrets
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.applications import Starlette

from oudjat.house.store import Store
from oudjat.house.timekeeper import HouseTime
from oudjat.house.web import build
from oudjat.rules.game import Draw, Position
from tests.timing import until

_UNNUMBERED = re.compile(rb'event: (beat\ndata: {}|watching\ndata: {"count":\d+})\n\n')
LETTERS = 32
"""A table's name is drawn from so many letters; nothing else in the house is drawn from so many."""
_T = TypeVar("_T")


class Dealer(random.Random):
    """Deals what it is told: the names of tables from a seed of their own, then ``luck`` by ``deal``, and ``salt``."""

    def __init__(self) -> None:
        super().__init__(0)
        self.salt = 0
        self._names = random.Random(1)
        self._dealt: Callable[[], random.Random] = lambda: random.Random(0)
        self._order: list[str] | None = None

    def deal(self, salt: int, luck: Sequence[str] | Callable[[], random.Random]) -> None:
        """Let the next game have this luck: tiles in this order, or what comes from this source."""
        self.salt = salt
        if callable(luck):
            self._order, self._dealt = None, luck
            self._throws = luck()
        else:
            self._order = list(luck)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        assert stop is None
        return (self._names if start == LETTERS else self._throws).randrange(start)

    def shuffle(self, x: Any) -> None:
        assert self._order is not None
        assert sorted(x) == sorted(self._order)
        x[:] = self._order

    def getrandbits(self, k: int) -> int:
        return self.salt


class Spliced(random.Random):
    """What comes from ``seed`` for ``first`` numbers, and from another seed then."""

    def __init__(self, seed: int, first: int, then: int) -> None:
        super().__init__(seed)
        self._left = first
        self._then = random.Random(then)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self._left -= 1
        return super().randrange(start) if self._left >= 0 else self._then.randrange(start)


@dataclass(frozen=True)
class Visitor:
    """Somebody who looks: what his requests say of him."""

    name: str
    token: str | None = None
    by_cookie: bool = False
    language: str = "en"
    address: str = "192.0.2.7"
    session: str = ""

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        said = {"host": "house.test", "accept-language": self.language}
        if self.session:
            said["cookie"] = self.session
        elif self.token:
            said |= (
                {"cookie": f"oudjat={self.token}"}
                if self.by_cookie
                else {"authorization": f"Bearer {self.token}"}
            )
        return [(name.encode(), value.encode()) for name, value in said.items()]


@dataclass(frozen=True)
class Answer:
    """All that came back."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Stream:
    """A stream that is open; ``sent`` is what came so far."""

    task: asyncio.Task[None]
    gone: asyncio.Event
    sent: list[bytes] = field(default_factory=list)

    async def until(self, seq: int) -> bytes:
        """What came, when event ``seq`` has; without beats and how many watch, which come in their own time."""
        await until(lambda: b"id: %d\n" % seq in b"".join(self.sent), f"event {seq} does not come")
        return _UNNUMBERED.sub(b"", b"".join(self.sent))

    async def leave(self) -> None:
        self.gone.set()
        await self.task


class House:
    """One of the twins."""

    def __init__(self, database: Path) -> None:
        self.dealer = Dealer()
        self.app: Starlette = build(Store(f"sqlite:///{database}"), randomness=self.dealer, workers=1)
        self.life = self.app.router.lifespan_context(self.app)

    async def ask(
        self, who: Visitor, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """A request and all of its answer."""
        got: list[Any] = []
        sent = [{"type": "http.request", "body": json.dumps(body).encode() if body is not None else b""}]

        async def receive() -> Any:
            if sent:
                return sent.pop()
            await asyncio.Event().wait()
            return None

        async def send(message: Any) -> None:
            got.append(message)

        await self.app(self._scope(who, method, path, headers), receive, send)
        head, *rest = got
        return Answer(
            head["status"], tuple(sorted(head["headers"])), b"".join(part.get("body", b"") for part in rest)
        )

    async def sign_up(self, who: Visitor, name: str) -> Visitor:
        """The same visitor with an account of this name, which has equal numbers in both houses."""
        stranger = replace(who, token=None)
        with equal_secrets(name):
            wish = {"name": name, "password": "a garden of papyrus"}
            answer = await self.ask(stranger, "POST", "/api/me/sign-up", wish)
        assert answer.status == 201, answer.body
        cookies = [value.decode() for key, value in answer.headers if key == b"set-cookie"]
        session = next(cookie for cookie in cookies if cookie.startswith("oudjat_session="))
        return replace(stranger, session=session.partition(";")[0])

    async def follow(self, who: Visitor, path: str, last: int | None = None) -> Stream:
        """A stream, left by its ``leave``."""
        gone, asked = asyncio.Event(), False
        stream: Stream

        async def receive() -> Any:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": b""}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            stream.sent.append(message.get("body", repr(sorted(message.get("headers", ()))).encode()))

        headers = {} if last is None else {"last-event-id": str(last)}
        run: Any = self.app(self._scope(who, "GET", path, headers), receive, send)
        stream = Stream(asyncio.create_task(run), gone)
        return stream

    @staticmethod
    def _scope(who: Visitor, method: str, path: str, headers: dict[str, str] | None) -> dict[str, Any]:
        path, _, query = path.partition("?")
        further = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": who.headers + further,
            "client": (who.address, 4711),
            "server": ("house.test", 80),
        }


class Twins:
    """Two houses and the loop they live in."""

    def __init__(self, folder: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thresholds = gc.get_threshold()
        self.numbers = itertools.count()
        self.houses = (House(folder / "one.db"), House(folder / "other.db"))
        for house in self.houses:
            self.run(house.life.__aenter__())
            alarms = house.app.state.house.alarms
            alarms.time = alarms.timekeeper.time = HouseTime(
                lambda: 0.0
            )  # which no clock of a table asks here

    def run(self, what: Coroutine[Any, Any, _T]) -> _T:
        return self._loop.run_until_complete(what)

    def close(self) -> None:
        for house in self.houses:
            self.run(house.life.__aexit__(None, None, None))
        self.run(self._loop.shutdown_default_executor())
        self._loop.close()
        gc.unfreeze()
        gc.set_threshold(*self._thresholds)


@contextmanager
def equal_secrets(seed: str) -> Iterator[None]:
    """What is drawn as a secret meanwhile comes from this seed; numbers of accounts and sessions stand on one's own
    page."""
    source = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_bytes", source.randbytes)
        patch.setattr(secrets, "token_hex", lambda length: source.randbytes(length).hex())
        yield


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.levelname} {self.format(record)}")


@contextmanager
def logged() -> Iterator[list[str]]:
    """What the house writes into its log meanwhile, at the level of a server and below."""
    lines, root, ours = _Lines(), logging.getLogger(), logging.getLogger("oudjat")
    before = root.level, ours.level
    root.addHandler(lines)
    root.setLevel(logging.INFO)
    ours.setLevel(logging.DEBUG)
    try:
        yield lines.lines
    finally:
        root.removeHandler(lines)
        root.setLevel(before[0])
        ours.setLevel(before[1])


def plan(start: Position, luck: tuple[str, ...], how: int, steps: int) -> list[str]:
    """What is done in so many steps, the luck being this: the same ``how`` does the same whatever the luck is, as far
    as luck does not say what can be done. Ends before the game does."""
    randomness = random.Random(how)
    position, done = start, list[str]()
    for _ in range(steps):
        choices = position.choices()
        chosen = choices[randomness.randrange(len(choices))]
        if Draw() in choices and randomness.random() < 0.6:
            chosen = Draw()
        after = position.apply(chosen)
        if isinstance(chosen, Draw):
            after = after.apply(after.comes(luck))
        if after.outcome is not None:
            break
        done.append(chosen.text)
        position = after
    return done
