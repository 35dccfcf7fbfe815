"""One's own account, for programs and for the page ``/me``: signing up and in, keys, bots, data, leaving."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from oudjat.house.accounts import Account, Accounts, name_key
from oudjat.house.answers import json_answer
from oudjat.house.api import record_of
from oudjat.house.channels import channel_of, channels_where
from oudjat.house.errors import HouseError
from oudjat.house.handovers import Handovers
from oudjat.house.house import House
from oudjat.house.limits import Limits
from oudjat.house.me_bodies import (
    BotInfo,
    Choices,
    Done,
    Me,
    NameWish,
    NewPassword,
    OwnData,
    OwnTable,
    PasskeyInfo,
    PasskeyOptions,
    PasskeyProof,
    PasskeyWish,
    SessionInfo,
    SignUp,
    TokenInfo,
    TokenMade,
    TokenWish,
)
from oudjat.house.notices_bodies import shown
from oudjat.house.passkeys import Passkeys
from oudjat.house.passwords import Passwords, check_password
from oudjat.house.players import Players
from oudjat.house.requests import (
    GUEST_COOKIE,
    NAME_COOKIE,
    body_of,
    clean_name,
    guest_of,
    read_json,
    refuse_other_sites,
)
from oudjat.house.schema import channels, seats, tables
from oudjat.house.sessions import SESSION_COOKIE, Person, Sessions, browser_of, keep_session
from oudjat.house.signed import Signer
from oudjat.house.store import Store
from oudjat.house.table import Table
from oudjat.rules.game import N_

FRESH = 3600.0
"""Seconds after signing in within which one may change how one signs in, or leave."""


@dataclass(frozen=True, slots=True)
class People:
    """What one process needs to know people by."""

    store: Store
    accounts: Accounts
    sessions: Sessions
    passwords: Passwords
    passkeys: Passkeys
    handovers: Handovers

    @classmethod
    def of(cls, store: Store, house: House, sessions: Sessions, signer: Signer) -> People:
        """For a house."""
        accounts = Accounts(store)
        keys = Passkeys(store, accounts, signer)
        return cls(store, accounts, sessions, Passwords(), keys, Handovers(house))


def people_of(request: Request) -> People:
    """What answers this request about people."""
    people: People = request.app.state.people
    return people


def _person(request: Request, *, fresh: bool = False) -> Person:
    """Who is signed in. Raises :class:`HouseError`: 401 nobody, or not ``fresh`` enough, 403 a bot."""
    person = guest_of(request).person
    if person is None:
        raise HouseError(401, N_("Sign in first."))
    if person.kind == "bot":
        raise HouseError(403, N_("A bot cannot do this; its owner can."))
    if fresh and person.since < time.time() - FRESH:
        raise HouseError(401, N_("You signed in long ago. Sign in again, then do this."))
    return person


def _json(answer: Me | TokenMade | PasskeyOptions | Done | OwnData, status: int = 200) -> Response:
    return json_answer(msgspec.json.encode(answer), status)


async def me_of(request: Request, account: str | None, session: str | None) -> Me:
    """What an account's owner may see of it; without one, a guest."""
    people = people_of(request)
    found = await people.accounts.of(account) if account else None
    if found is None:
        return Me("guest")
    if found.kind == "bot":
        return Me("bot", found.id, found.name, found.made_at)
    tokens = await people.accounts.tokens_of(found.id)
    return Me(
        "person",
        found.id,
        found.name,
        found.made_at,
        await people.accounts.password_of(found.id) is not None,
        found.shows_memory,
        [PasskeyInfo(row.id, row.label, row.made_at) for row in await people.accounts.passkeys_of(found.id)],
        [
            SessionInfo(row.id, row.browser, row.made_at, row.seen_at, row.id == session)
            for row in await people.accounts.sessions_of(found.id)
        ],
        [
            BotInfo(
                bot.id,
                bot.name,
                [
                    TokenInfo(row.id, row.label, row.made_at, row.used_on or None)
                    for row in tokens
                    if row.account == bot.id
                ],
            )
            for bot in await people.accounts.bots_of(found.id)
        ],
    )


async def _mine(request: Request, status: int = 200) -> Response:
    person = guest_of(request).person
    return _json(
        await me_of(request, person.account if person else None, person.session if person else None), status
    )


async def show(request: Request) -> Response:
    """GET /api/me"""
    return await _mine(request)


async def _sign_in(request: Request, account: str, status: int = 200) -> Response:
    """Sign this browser in, anew where it was already, and take its guest's games along."""
    people = people_of(request)
    guest = guest_of(request)
    before = guest.person
    holder = guest.holder if before is None else None
    cookie = await people.sessions.begin(
        account,
        browser=browser_of(request),
        instead_of=before.session if before and before.kind == "person" else None,
        guest=holder,
    )
    if holder:
        await people.handovers.hand_over(holder)
    person = await people.sessions.find(cookie)
    response = _json(await me_of(request, account, person.session if person else None), status)
    keep_session(request, response, cookie)
    for name in (GUEST_COOKIE, NAME_COOKIE):
        response.delete_cookie(name)
    return response


def _refuse_known(request: Request) -> None:
    if guest_of(request).person:
        raise HouseError(409, N_("You are signed in already. Sign out first."))


async def sign_up(request: Request) -> Response:
    """POST /api/me/sign-up"""
    refuse_other_sites(request)
    wish = await read_json(request, SignUp)
    _refuse_known(request)
    people = people_of(request)
    check_password(wish.password, wish.name)
    account = await people.accounts.make(wish.name, password=await people.passwords.hash(wish.password))
    return await _sign_in(request, account.id, 201)


async def sign_in(request: Request) -> Response:
    """POST /api/me/sign-in"""
    refuse_other_sites(request)
    wish = await read_json(request, SignUp)
    people = people_of(request)
    name = clean_name(wish.name[:100])
    limits: Limits = request.app.state.limits
    limits.take(
        "sign-in", person=f"name {name_key(name)}"
    )  # as the account is looked for, however it is spelled
    account = await people.accounts.named(name)
    kept = await people.accounts.password_of(account.id) if account else None
    if not await people.passwords.fits(kept, wish.password[:1000]) or account is None or kept is None:
        raise HouseError(401, N_("This name and this password do not belong together."))
    if people.passwords.outdated(kept):
        await people.accounts.set_password(account.id, await people.passwords.hash(wish.password))
    return await _sign_in(request, account.id)


async def _sign_out(request: Request, *, everywhere: bool) -> Response:
    refuse_other_sites(request)
    await body_of(request)
    person = _person(request)
    await people_of(request).sessions.end(person.account, session=None if everywhere else person.session)
    house: House = request.app.state.house
    house.leave(person.holder)
    response = _json(Done())
    response.delete_cookie(SESSION_COOKIE)
    return response


async def sign_out(request: Request) -> Response:
    """POST /api/me/sign-out"""
    return await _sign_out(request, everywhere=False)


async def sign_out_everywhere(request: Request) -> Response:
    """POST /api/me/sign-out-everywhere"""
    return await _sign_out(request, everywhere=True)


async def end_session(request: Request) -> Response:
    """DELETE /api/me/sessions/{session}"""
    refuse_other_sites(request)
    await body_of(request)
    person = _person(request)
    if not await people_of(request).sessions.end(person.account, session=request.path_params["session"]):
        raise HouseError(404, N_("You are not signed in there."))
    house: House = request.app.state.house
    house.leave(person.holder)
    return await _mine(request)


async def rename(request: Request) -> Response:
    """POST /api/me/name"""
    refuse_other_sites(request)
    wish = await read_json(request, NameWish)
    person = _person(request)
    people = people_of(request)
    await people.accounts.rename(person.account, wish.name)
    people.sessions.forget(person.account)
    return await _mine(request)


async def set_password(request: Request) -> Response:
    """POST /api/me/password"""
    refuse_other_sites(request)
    wish = await read_json(request, NewPassword)
    person = _person(request, fresh=True)
    people = people_of(request)
    check_password(wish.password, person.name)
    await people.accounts.set_password(person.account, await people.passwords.hash(wish.password))
    await people.sessions.end(person.account, but=person.session)
    return await _sign_in(request, person.account)


async def choose(request: Request) -> Response:
    """POST /api/me/options"""
    refuse_other_sites(request)
    wish = await read_json(request, Choices)
    await people_of(request).accounts.show_memory(_person(request).account, shown=wish.shows_memory)
    return await _mine(request)


async def wish_passkey(request: Request) -> Response:
    """POST /api/me/passkeys/wish"""
    refuse_other_sites(request)
    wish = await read_json(request, PasskeyWish)
    people = people_of(request)
    if guest_of(request).person:
        person = _person(request, fresh=True)
        account, name = person.account, person.name
    else:
        account, name = await people.accounts.free(wish.name)
    options, challenge = await people.passkeys.wish(request, account, name)
    response = _json(PasskeyOptions(options))
    people.passkeys.keep(request, response, challenge)
    return response


async def make_passkey(request: Request) -> Response:
    """POST /api/me/passkeys"""
    refuse_other_sites(request)
    proof = await read_json(request, PasskeyProof)
    people = people_of(request)
    person = _person(request, fresh=True) if guest_of(request).person else None
    label = clean_name(proof.label) or browser_of(request)
    challenge, passkey = await people.passkeys.made(request, proof.credential, label)
    if person is None:
        account = await people.accounts.make(challenge.name, account=challenge.account, passkey=passkey)
        return await _sign_in(request, account.id, 201)
    if challenge.account != person.account:
        raise HouseError(400, N_("That took too long. Please begin again."))
    await people.accounts.add_passkey(person.account, passkey)
    return await _mine(request, 201)


async def ask_passkey(request: Request) -> Response:
    """POST /api/me/passkeys/ask"""
    refuse_other_sites(request)
    await body_of(request)
    passkeys = people_of(request).passkeys
    options, challenge = passkeys.ask(request)
    response = _json(PasskeyOptions(options))
    passkeys.keep(request, response, challenge)
    return response


async def answer_passkey(request: Request) -> Response:
    """POST /api/me/passkeys/answer"""
    refuse_other_sites(request)
    proof = await read_json(request, PasskeyProof)
    return await _sign_in(request, await people_of(request).passkeys.answered(request, proof.credential))


async def remove_passkey(request: Request) -> Response:
    """DELETE /api/me/passkeys/{passkey}"""
    refuse_other_sites(request)
    await body_of(request)
    person = _person(request, fresh=True)
    await people_of(request).accounts.remove_passkey(person.account, request.path_params["passkey"])
    return await _mine(request)


async def make_bot(request: Request) -> Response:
    """POST /api/me/bots"""
    refuse_other_sites(request)
    wish = await read_json(request, NameWish)
    person = _person(request)
    bot = await people_of(request).accounts.make(wish.name, owner=person.account)
    return await _new_token(request, person, bot, "")


async def make_token(request: Request) -> Response:
    """POST /api/me/bots/{bot}/tokens"""
    refuse_other_sites(request)
    wish = await read_json(request, TokenWish)
    person = _person(request)
    return await _new_token(request, person, await _bot(request, person), clean_name(wish.label))


async def _new_token(request: Request, person: Person, bot: Account, label: str) -> Response:
    people = people_of(request)
    token = await people.sessions.make_token(bot.id, label)
    return _json(TokenMade(bot.id, token, await me_of(request, person.account, person.session)), 201)


async def _bot(request: Request, person: Person) -> Account:
    bot = await people_of(request).accounts.of(request.path_params["bot"])
    if bot is None or bot.owner != person.account:
        raise HouseError(404, N_("You have no such bot."))
    return bot


async def revoke_token(request: Request) -> Response:
    """DELETE /api/me/bots/{bot}/tokens/{token}"""
    refuse_other_sites(request)
    await body_of(request)
    people = people_of(request)
    bot = await _bot(request, _person(request))
    if not await people.accounts.revoke(bot.id, request.path_params["token"]):
        raise HouseError(404, N_("This bot has no such token."))
    _shut_out(request, bot.id, bot.holder)
    return await _mine(request)


async def delete_bot(request: Request) -> Response:
    """DELETE /api/me/bots/{bot}"""
    refuse_other_sites(request)
    await body_of(request)
    bot = await _bot(request, _person(request))
    await _delete(request, bot.id, bot.holder)
    return await _mine(request)


async def delete(request: Request) -> Response:
    """DELETE /api/me"""
    refuse_other_sites(request)
    wish = await read_json(request, NameWish)
    person = _person(request, fresh=True)
    if clean_name(wish.name) != person.name:
        raise HouseError(422, N_("Write your name as it stands here, to confirm that your account shall go."))
    await _delete(request, person.account, person.holder)
    response = _json(Done())
    for name in (SESSION_COOKIE, GUEST_COOKIE, NAME_COOKIE):
        response.delete_cookie(name)
    return response


async def _delete(request: Request, account: str, holder: str) -> None:
    people = people_of(request)
    bots = await people.accounts.bots_of(account)
    holders = await people.accounts.delete(account)
    for bot in bots:
        _shut_out(request, bot.id, bot.holder)
    _shut_out(request, account, holder)
    await people.handovers.hand_over(*holders)


def _shut_out(request: Request, account: str, holder: str) -> None:
    house: House = request.app.state.house
    people_of(request).sessions.forget(account)
    house.leave(holder)


async def _own_tables(request: Request, person: Person) -> list[OwnTable]:
    query = (
        sa.select(tables.c.id, tables.c.opened_at, tables.c.status, seats.c.seat)
        .join(seats, seats.c.table_id == tables.c.id)
        .where(seats.c.holder == person.holder)
        .order_by(tables.c.opened_at, tables.c.id, seats.c.seat)
    )
    found: dict[str, OwnTable] = {}
    for row in await people_of(request).store.rows(query):
        found.setdefault(row.id, OwnTable(row.id, [], row.opened_at, row.status)).seats.append(row.seat)
    return list(found.values())


async def data(request: Request) -> Response:
    """GET /api/me/data"""
    person = _person(request)
    told = await people_of(request).store.rows(channels_where(channels.c.holder == person.holder))
    players: Players = request.app.state.players
    answer = OwnData(
        await me_of(request, person.account, person.session),
        await _own_tables(request, person),
        [shown(channel_of(row)) for row in told],
        await players.ratings_of(person.account),
    )
    response = _json(answer)
    response.headers["content-disposition"] = 'attachment; filename="oudjat-account.json"'
    return response


async def records(request: Request) -> Response:
    """GET /api/me/records"""
    person = _person(request)
    store = people_of(request).store
    mine = await _own_tables(request, person)
    house: House = request.app.state.house

    async def written() -> AsyncIterator[str]:
        between = ""
        for own in mine:
            try:
                table = Table.from_events(own.table, await store.load(own.table))
            except ValueError:
                house.unreadable(own.table)
                continue
            if table.started:
                yield between + record_of(table, datetime.fromtimestamp(own.opened_at, UTC).date())
                between = "\n"

    return StreamingResponse(
        written(),
        media_type="text/plain; charset=utf-8",
        headers={
            "content-disposition": 'attachment; filename="oudjat-games.txt"',
            "cache-control": "no-store",
        },
    )


def routes() -> list[Route]:
    """All of it, as the application serves it."""
    post, away = ["POST"], ["DELETE"]
    return [
        Route("/api/me", show),
        Route("/api/me", delete, methods=away),
        Route("/api/me/sign-up", sign_up, methods=post),
        Route("/api/me/sign-in", sign_in, methods=post),
        Route("/api/me/sign-out", sign_out, methods=post),
        Route("/api/me/sign-out-everywhere", sign_out_everywhere, methods=post),
        Route("/api/me/name", rename, methods=post),
        Route("/api/me/password", set_password, methods=post),
        Route("/api/me/options", choose, methods=post),
        Route("/api/me/passkeys/wish", wish_passkey, methods=post),
        Route("/api/me/passkeys", make_passkey, methods=post),
        Route("/api/me/passkeys/ask", ask_passkey, methods=post),
        Route("/api/me/passkeys/answer", answer_passkey, methods=post),
        Route("/api/me/passkeys/{passkey}", remove_passkey, methods=away),
        Route("/api/me/sessions/{session}", end_session, methods=away),
        Route("/api/me/bots", make_bot, methods=post),
        Route("/api/me/bots/{bot}", delete_bot, methods=away),
        Route("/api/me/bots/{bot}/tokens", make_token, methods=post),
        Route("/api/me/bots/{bot}/tokens/{token}", revoke_token, methods=away),
        Route("/api/me/records", records),
        Route("/api/me/data", data),
    ]
