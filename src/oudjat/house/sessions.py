"""Who is signed in: browsers by a signed cookie, bots by a token; and what that costs a request.

A session ends at once in the process that is told, and within :data:`STALE` seconds in all others.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oudjat.house.database import StoreError
from oudjat.house.errors import HouseError
from oudjat.house.schema import accounts, handovers, sessions, tokens
from oudjat.house.signed import Signer
from oudjat.house.store import Store
from oudjat.rules.game import N_

SESSION_COOKIE = "oudjat_session"
BOT_TOKEN = "oudbot_"  # noqa: S105
"""What the token of a bot begins with; a guest's never does."""
STALE = 4.0
"""Seconds for which a process believes what it last read of a session or token."""
IDLE = 90 * 24 * 3600.0
"""Seconds after which a browser that has not come is no longer signed in."""
MOST_TOKENS = 10
"""How many one bot may have."""
_MOST_REMEMBERED = 20_000
_MOST_SESSIONS = 30
_SEEN_EVERY = 3600.0
_LATELY = 60.0  # seconds; the clocks of two machines may differ by that
PERSON = "oudjat.person"
"""Where a request's scope keeps the :class:`Person` who asks."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who is signed in: an account, by which ``session`` (or token) and since when. ``kind`` is ``person`` or ``bot``;
    a bot's ``owner`` is the name of the person who made it."""

    account: str
    name: str
    holder: str
    kind: str
    session: str
    since: float
    owner: str = ""


class Sessions:
    """The sessions and tokens that one process knows, and the database behind them."""

    def __init__(self, store: Store, signer: Signer) -> None:
        self._store = store
        self._signer = signer
        self._known: dict[str, tuple[float, Person | None]] = {}
        self._ended: set[tuple[str, float]] = set()
        self._looked_at = time.time()
        self._seen_anew: set[str] = set()

    async def begin(self, account: str, *, browser: str, instead_of: str | None, guest: str | None) -> str:
        """Sign a browser in; returns what its cookie holds from now on.

        ``instead_of`` is the session it had before, which ends. Of the others only those are forgotten that are more
        than an account can have: a clock that is wrong for a moment must sign nobody out for good. The seats of
        ``guest`` are put on their way to the account, see :mod:`oudjat.house.handovers`.
        """
        token = secrets.token_bytes(24)
        now = time.time()

        def work(connection: sa.Connection) -> None:
            hold_account(connection, account)
            connection.execute(sa.delete(sessions).where(sessions.c.id == instead_of))
            oldest = (
                sa.select(sessions.c.id)
                .where(sessions.c.account == account)
                .order_by(sessions.c.seen_at.desc())
                .offset(_MOST_SESSIONS - 1)
            )
            too_many = list(connection.scalars(oldest))
            connection.execute(sa.delete(sessions).where(sessions.c.id.in_(too_many)))
            connection.execute(
                sa.insert(sessions).values(
                    id=_hash(token), account=account, made_at=now, seen_at=now, browser=browser
                )
            )
            if guest and not connection.scalar(sa.select(sa.exists().where(handovers.c.holder == guest))):
                heir = sa.select(accounts.c.holder).where(accounts.c.id == account).scalar_subquery()
                connection.execute(sa.insert(handovers).values(holder=guest, heir=heir))

        await self._store.transact(work)
        if instead_of:
            self._known.pop(instead_of, None)
        return self._signer.sign("session", token)

    async def find(self, cookie: str) -> Person | None:
        """Who is signed in by this cookie. One that this house did not sign costs no look into the database."""
        token = self._signer.read("session", cookie)
        if token is None:
            return None
        session = _hash(token)
        remembered = self._remembered(session)
        if remembered:
            return remembered[0]
        now = time.time()
        query = (
            sa.select(accounts, sessions.c.made_at.label("since"), sessions.c.seen_at)
            .join(sessions, sessions.c.account == accounts.c.id)
            .where(sessions.c.id == session, sessions.c.seen_at > now - IDLE)
        )
        found = next(iter(await self._store.rows(query)), None)
        if found and found.seen_at < now - _SEEN_EVERY:
            seen = sa.update(sessions).where(sessions.c.id == session).values(seen_at=now)
            await self._store.transact(lambda connection: connection.execute(seen))
            self._seen_anew.add(session)
        return self._remember(
            session, found and Person(found.id, found.name, found.holder, "person", session, found.since)
        )

    def seen_anew(self, session: str) -> bool:
        """Whether a session was seen again after a while, so that its cookie is to be kept longer too; told once."""
        if session not in self._seen_anew:
            return False
        self._seen_anew.remove(session)
        return True

    async def find_bot(self, token: str) -> Person | None:
        """The bot whose token this is."""
        key = _hash(token.encode())
        remembered = self._remembered(key)
        if remembered:
            return remembered[0]
        owner = accounts.alias()
        query = (
            sa.select(
                accounts,
                tokens.c.made_at.label("since"),
                tokens.c.used_on,
                owner.c.name.label("owner_name"),
            )
            .join(tokens, tokens.c.account == accounts.c.id)
            .join(owner, owner.c.id == accounts.c.owner)
            .where(tokens.c.id == key)
        )
        found = next(iter(await self._store.rows(query)), None)
        today = datetime.now(UTC).date().isoformat()
        if found and found.used_on != today:
            used = sa.update(tokens).where(tokens.c.id == key).values(used_on=today)
            await self._store.transact(lambda connection: connection.execute(used))
        return self._remember(
            key,
            found and Person(found.id, found.name, found.holder, "bot", key, found.since, found.owner_name),
        )

    async def end(self, account: str, *, session: str | None = None, but: str | None = None) -> bool:
        """Sign out one session of an account, or all ``but`` one. Returns whether there was any."""
        ended = await end_sessions(self._store, account, session=session, but=but)
        self.forget(account)
        return ended

    async def make_token(self, bot: str, label: str) -> str:
        """A new token for a bot; only its hash is kept. Raises :class:`HouseError`: 403 when the bot is gone, 409 when
        it has all that it can have."""
        token = BOT_TOKEN + secrets.token_urlsafe(24)
        row = sa.insert(tokens).values(
            id=_hash(token.encode()), account=bot, label=label, made_at=time.time(), used_on=""
        )
        there = sa.select(sa.func.count()).where(tokens.c.account == bot)

        def work(connection: sa.Connection) -> None:
            hold_account(connection, bot)
            if connection.scalars(there).one() >= MOST_TOKENS:
                raise HouseError(
                    409, N_("This bot has {most} tokens; revoke one that is not in use."), most=MOST_TOKENS
                )
            connection.execute(row)

        await self._store.transact(work)
        return token

    def forget(self, account: str) -> None:
        """Let this process read again what it knows of an account."""
        for key in [key for key, (_, person) in self._known.items() if person and person.account == account]:
            del self._known[key]

    def forget_holder(self, holder: str) -> None:
        """Let this process read again what it knows of who has this holder."""
        for account in {
            person.account for _, person in self._known.values() if person and person.holder == holder
        }:
            self.forget(account)

    async def ended_elsewhere(self) -> list[str]:
        """The holders of accounts of which a session or token has ended since this was asked last, here or elsewhere,
        and of those that are gone."""
        now = time.time()
        signed_out = sa.select(accounts.c.holder, accounts.c.signed_out_at.label("at")).where(
            accounts.c.signed_out_at > self._looked_at - _LATELY
        )
        gone = sa.select(handovers.c.holder, sa.literal(0.0).label("at")).where(handovers.c.heir.is_(None))
        ended = {
            (row.holder, row.at) for query in (signed_out, gone) for row in await self._store.rows(query)
        }
        new = ended - self._ended
        self._ended, self._looked_at = ended, now
        return [holder for holder, _ in new]

    def _remembered(self, key: str) -> tuple[Person | None] | None:
        until, person = self._known.get(key, (0.0, None))
        return (person,) if until > time.monotonic() else None

    def _remember(self, key: str, person: Person | None) -> Person | None:
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[key] = (time.monotonic() + STALE, person)
        return person


async def end_sessions(
    store: Store, account: str, *, session: str | None = None, but: str | None = None
) -> bool:
    """As :meth:`Sessions.end`, for who keeps no sessions himself: every server hears of it."""
    which = sessions.c.account == account
    which &= sessions.c.id == session if session else sessions.c.id != (but or "")

    def work(connection: sa.Connection) -> bool:
        connection.execute(
            sa.update(accounts).where(accounts.c.id == account).values(signed_out_at=time.time())
        )
        return connection.execute(sa.delete(sessions).where(which)).rowcount > 0

    return await store.transact(work)


def hold_account(connection: sa.Connection, account: str) -> None:
    """Let nobody else count what this account has, or delete it, before the transaction is over. Raises
    :class:`HouseError` 403 when it is gone."""
    own = sa.select(accounts.c.id).where(accounts.c.id == account).with_for_update()
    if connection.scalar(own) is None:
        raise HouseError(403, N_("This account has been deleted."))


def _hash(token: bytes) -> str:
    return hashlib.sha256(token).hexdigest()[:40]


def keep_session(request: Request, response: Response, cookie: str) -> None:
    """Let the browser keep that it is signed in."""
    response.set_cookie(
        SESSION_COOKIE,
        cookie,
        max_age=int(IDLE),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def _keeping_session(scope: Scope, send: Send) -> Send:
    """Sends an answer on and lets the browser keep its session for as long again as at signing in; not where the answer
    itself says what becomes of the session, or is for every cache on the way."""
    kept = Response()
    keep_session(Request(scope), kept, HTTPConnection(scope).cookies[SESSION_COOKIE])
    cookie = next(header for header in kept.raw_headers if header[0] == b"set-cookie")

    async def send_with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            if not any(_bars_a_cookie(name, value) for name, value in headers):
                message["headers"] = [*headers, cookie]
        await send(message)

    return send_with_cookie


def _bars_a_cookie(name: bytes, value: bytes) -> bool:
    if name == b"set-cookie":
        return value.startswith(SESSION_COOKIE.encode() + b"=")
    return name == b"cache-control" and value.startswith(b"public")


_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chromium"),
    ("Safari", "Safari"),
)
_SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")


def browser_of(request: Request) -> str:
    """Which browser asks, as far as its owner needs to tell it from another: “Firefox, Linux”. May be empty."""
    agent = request.headers.get("user-agent", "")
    browser = next((name for sign, name in _BROWSERS if re.search(sign, agent)), "")
    return ", ".join(filter(None, (browser, next((name for name in _SYSTEMS if name in agent), ""))))


class WhoAsks:
    """Puts the :class:`Person` who asks into the scope of each request, so that handlers need not wait for that.

    A guest's request costs it two looks at the headers. ``refuse`` makes the answer for a token that is not known.
    """

    def __init__(self, app: ASGIApp, refuse: Callable[[Request, HouseError], Response]) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                await self._look(scope)
            except HouseError as error:
                await self._refuse(Request(scope), error)(scope, receive, send)
                return
            person: Person | None = scope.get(PERSON)
            if person and self._sessions(scope).seen_anew(person.session):
                send = _keeping_session(scope, send)
        await self._app(scope, receive, send)

    async def _look(self, scope: Scope) -> None:
        finding: Awaitable[Person | None] | None = None
        token = False
        for name, value in scope["headers"]:
            if name == b"authorization":
                kind, _, given = value.decode("latin-1").partition(" ")
                token = kind.lower() == "bearer"
                given = given.strip()
                if token and given.startswith(BOT_TOKEN):
                    finding = self._sessions(scope).find_bot(given)
                    break
        if not token and any(
            name == b"cookie" and SESSION_COOKIE.encode() in value for name, value in scope["headers"]
        ):
            finding = self._sessions(scope).find(HTTPConnection(scope).cookies.get(SESSION_COOKIE, ""))
        if finding is None:
            return
        try:
            scope[PERSON] = await finding
        except StoreError as error:
            raise HouseError(
                503, N_("The house cannot look up who you are. Please try again in a moment.")
            ) from error
        if token and scope[PERSON] is None:
            raise HouseError(401, N_("This token is not known here; it may have been revoked."))

    @staticmethod
    def _sessions(scope: Scope) -> Sessions:
        found: Sessions = scope["app"].state.sessions
        return found
