"""Accounts: people who signed up, what proves that it is them, and their bots."""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from oudjat.engine.levels import LEVELS
from oudjat.house.errors import HouseError
from oudjat.house.requests import clean_name
from oudjat.house.schema import (
    accounts,
    handovers,
    passkeys,
    passwords,
    presence,
    rating_changes,
    ratings,
    sessions,
    tokens,
)
from oudjat.house.sessions import IDLE, hold_account
from oudjat.house.store import Conflict, Store
from oudjat.rules.game import N_
from oudjat.texts.catalog import LANGUAGES, words_in
from oudjat.texts.speech import LEVEL_NAMES, SOMEONE

MOST_BOTS = 10
MOST_PASSKEYS = 20
_TAKEN = N_("Somebody has this name already; choose another.")


@dataclass(frozen=True, slots=True)
class NewPasskey:
    """A passkey as its maker showed it."""

    id: str
    public_key: bytes
    sign_count: int
    label: str


@dataclass(frozen=True, slots=True)
class Account:
    """A row of the table ``accounts``, as far as anybody needs it."""

    id: str
    kind: str
    owner: str | None
    name: str
    holder: str
    made_at: float
    shows_memory: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A person as who runs the house sees him: nothing that opens anything. ``seen_at`` is None when that is not
    known: he has signed in nowhere."""

    name: str
    made_at: float
    seen_at: float | None
    has_password: bool
    passkeys: int
    bots: tuple[str, ...]
    rated_games: int


def name_key(name: str) -> str:
    """A name as it is compared: letters that look the same by Unicode's own tables are the same.

    >>> name_key("ＡＤＡ") == name_key("ada")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


_RESERVED = {
    name_key(words_in(language)(name))
    for language in LANGUAGES
    for name in (*LEVELS, *LEVEL_NAMES.values(), SOMEONE, "Oudjat")
}


def account_name(name: str) -> str:
    """A name as an account can have it. Raises :class:`HouseError` 422 for one that is none or that misleads."""
    cleaned = clean_name(name)
    if not any(letter.isalnum() for letter in cleaned):
        raise HouseError(422, N_("A name needs at least one letter or digit."))
    if set(cleaned) & set("/\\"):
        raise HouseError(422, N_("A name is written without slashes."))
    if name_key(cleaned) in _RESERVED:
        raise HouseError(422, N_("The house itself uses this name; choose another."))
    return cleaned


def new_id() -> str:
    """The id of an account to be made."""
    return secrets.token_hex(8)


class Accounts:
    """All accounts of a house."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def make(
        self,
        name: str,
        *,
        account: str | None = None,
        owner: str | None = None,
        password: str | None = None,
        passkey: NewPasskey | None = None,
    ) -> Account:
        """Make an account: a person's, proved by the hash of a ``password`` or by a ``passkey``, or a bot of ``owner``.

        ``account`` is its id where that was fixed before. Raises :class:`HouseError` 409 when the name is taken, or
        when the owner has all the bots he can have, 403 when he is gone.
        """
        made = Account(
            account or new_id(),
            "bot" if owner else "person",
            owner,
            account_name(name),
            secrets.token_hex(16),
            time.time(),
            shows_memory=False,
        )

        def work(connection: sa.Connection) -> None:
            if owner:
                hold_account(connection, owner)
                if _many(connection, accounts.c.owner == owner) >= MOST_BOTS:
                    raise HouseError(
                        409, N_("You have {most} bots; that is all there can be."), most=MOST_BOTS
                    )
            connection.execute(
                sa.insert(accounts).values(
                    id=made.id,
                    kind=made.kind,
                    owner=owner,
                    name=made.name,
                    key=name_key(made.name),
                    holder=made.holder,
                    made_at=made.made_at,
                    signed_out_at=0.0,
                    shows_memory=False,
                )
            )
            if password:
                connection.execute(sa.insert(passwords).values(account=made.id, hash=password))
            if passkey:
                _insert_passkey(connection, made.id, passkey)

        await self._unique(work)
        return made

    async def named(self, name: str) -> Account | None:
        """The account of this name, however it is capitalized."""
        return await self._one(accounts.c.key == name_key(name))

    async def of(self, account: str) -> Account | None:
        """The account of this id."""
        return await self._one(accounts.c.id == account)

    async def free(self, name: str) -> tuple[str, str]:
        """An id and a name for an account to be made. Raises :class:`HouseError` 409 when the name is taken."""
        wished = account_name(name)
        if await self.named(wished):
            raise HouseError(409, _TAKEN)
        return new_id(), wished

    async def bots_of(self, account: str) -> list[Account]:
        """The bots of a person, by name."""
        query = sa.select(accounts).where(accounts.c.owner == account).order_by(accounts.c.name)
        return [_account(row) for row in await self._store.rows(query)]

    async def everybody(self) -> list[Listed]:
        """All people, by name, with their bots."""

        def of_each(what: sa.ColumnElement[Any], which: sa.ColumnElement[bool]) -> sa.ScalarSelect[Any]:
            return sa.select(what).where(which).scalar_subquery()

        query = sa.select(
            accounts,
            of_each(sa.func.max(sessions.c.seen_at), sessions.c.account == accounts.c.id).label("came_at"),
            of_each(presence.c.seen_at, presence.c.holder == accounts.c.holder).label("present_at"),
            of_each(sa.func.count(), passwords.c.account == accounts.c.id).label("passwords"),
            of_each(sa.func.count(), passkeys.c.account == accounts.c.id).label("passkeys"),
            of_each(sa.func.sum(ratings.c.games), ratings.c.player == accounts.c.id).label("games"),
        ).order_by(accounts.c.key)
        rows = await self._store.rows(query)
        bots: dict[str, list[str]] = {}
        for row in rows:
            if row.owner:
                bots.setdefault(row.owner, []).append(row.name)
        return [
            Listed(
                row.name,
                row.made_at,
                max(filter(None, (row.came_at, row.present_at)), default=None),
                row.passwords > 0,
                row.passkeys,
                tuple(bots.get(row.id, ())),
                int(row.games or 0),
            )
            for row in rows
            if row.kind == "person"
        ]

    async def rename(self, account: str, name: str) -> str:
        """Call an account otherwise from now on; returns the name as kept. Raises :class:`HouseError`: 409 for one
        that is taken, 403 when the account is gone."""
        kept = account_name(name)
        change = sa.update(accounts).where(accounts.c.id == account).values(name=kept, key=name_key(kept))

        def work(connection: sa.Connection) -> None:
            hold_account(connection, account)
            connection.execute(change)

        await self._unique(work)
        return kept

    async def show_memory(self, account: str, *, shown: bool) -> None:
        """Whether everybody may see how much this person remembers."""
        change = sa.update(accounts).where(accounts.c.id == account).values(shows_memory=shown)
        await self._store.transact(lambda connection: connection.execute(change))

    async def password_of(self, account: str) -> str | None:
        """The hash of its password, None when it has none."""
        query = sa.select(passwords.c.hash).where(passwords.c.account == account)
        return next(iter(await self._store.scalars(query)), None)

    async def set_password(self, account: str, hashed: str) -> None:
        """Keep a new password's hash. Raises :class:`HouseError` 403 when the account is gone."""

        def work(connection: sa.Connection) -> None:
            hold_account(connection, account)
            connection.execute(sa.delete(passwords).where(passwords.c.account == account))
            connection.execute(sa.insert(passwords).values(account=account, hash=hashed))

        await self._store.transact(work)

    async def passkeys_of(self, account: str) -> list[sa.Row[Any]]:
        """Its passkeys, the oldest first."""
        query = sa.select(passkeys).where(passkeys.c.account == account).order_by(passkeys.c.made_at)
        return await self._store.rows(query)

    async def passkey(self, credential: str) -> sa.Row[Any] | None:
        """The passkey of this id, whosesoever it is."""
        return next(
            iter(await self._store.rows(sa.select(passkeys).where(passkeys.c.id == credential))), None
        )

    async def add_passkey(self, account: str, passkey: NewPasskey) -> None:
        """One more way to sign in. Raises :class:`HouseError`: 409 when there are too many, or this one is in use, 403
        when the account is gone."""

        def work(connection: sa.Connection) -> None:
            hold_account(connection, account)
            if _many(connection, passkeys.c.account == account) >= MOST_PASSKEYS:
                raise HouseError(
                    409, N_("You have {most} passkeys; remove one you do not use."), most=MOST_PASSKEYS
                )
            _insert_passkey(connection, account, passkey)

        try:
            await self._store.transact(work)
        except Conflict:
            raise HouseError(409, N_("This passkey is in use already.")) from None

    async def remove_passkey(self, account: str, passkey: str) -> None:
        """Raises :class:`HouseError`: 404 for none of his, 409 for the last way to sign in, 403 when the account is
        gone."""
        mine = passkeys.c.account == account

        def work(connection: sa.Connection) -> None:
            hold_account(connection, account)
            if not _many(connection, mine & (passkeys.c.id == passkey)):
                raise HouseError(404, N_("You have no such passkey."))
            if _many(connection, mine) == 1 and not _many(connection, passwords.c.account == account):
                raise HouseError(
                    409, N_("Without this passkey you could not sign in any more; set a password first.")
                )
            connection.execute(sa.delete(passkeys).where(mine, passkeys.c.id == passkey))

        await self._store.transact(work)

    async def sessions_of(self, account: str) -> list[sa.Row[Any]]:
        """Where it is signed in, the one seen last first."""
        query = sa.select(sessions).where(
            sessions.c.account == account, sessions.c.seen_at > time.time() - IDLE
        )
        return await self._store.rows(query.order_by(sessions.c.seen_at.desc()))

    async def tokens_of(self, owner: str) -> list[sa.Row[Any]]:
        """The tokens of all bots of a person, the oldest first."""
        bots = sa.select(accounts.c.id).where(accounts.c.owner == owner)
        query = sa.select(tokens).where(tokens.c.account.in_(bots)).order_by(tokens.c.made_at)
        return await self._store.rows(query)

    async def revoke(self, bot: str, token: str) -> bool:
        """Make a token worthless. Returns whether there was one."""

        def work(connection: sa.Connection) -> bool:
            ended = sa.update(accounts).where(accounts.c.id == bot).values(signed_out_at=time.time())
            connection.execute(ended)
            gone = sa.delete(tokens).where(tokens.c.account == bot, tokens.c.id == token)
            return connection.execute(gone).rowcount > 0

        return await self._store.transact(work)

    async def delete(self, account: str) -> list[str]:
        """Let an account and its bots go, and with them all that proves who they are. Returns the holders whose seats
        are now on their way to nobody, see :mod:`oudjat.house.handovers`."""
        theirs = (accounts.c.id == account) | (accounts.c.owner == account)

        def work(connection: sa.Connection) -> list[str]:
            own = sa.select(accounts.c.id).where(accounts.c.id == account).with_for_update()
            connection.scalar(own)  # from here on no bot is made, and none of those found gets a token
            found = sa.select(accounts.c.id, accounts.c.holder).where(theirs).order_by(accounts.c.id)
            rows = connection.execute(found.with_for_update()).all()
            ids = [row.id for row in rows]
            holders = [row.holder for row in rows]
            nobodys = sa.update(handovers).where(handovers.c.heir.in_(holders)).values(heir=None)
            connection.execute(nobodys)  # a guest's seats that were on their way to him
            for table in (passwords, passkeys, sessions, tokens):
                connection.execute(sa.delete(table).where(table.c.account.in_(ids)))
            connection.execute(sa.delete(ratings).where(ratings.c.player.in_(ids)))
            unnamed = sa.update(rating_changes).where(rating_changes.c.player.in_(ids)).values(player="")
            connection.execute(unnamed)
            connection.execute(sa.delete(accounts).where(theirs))
            if rows:
                connection.execute(
                    sa.insert(handovers), [{"holder": holder, "heir": None} for holder in holders]
                )
            return holders

        return await self._store.transact(work)

    async def _one(self, which: sa.ColumnElement[bool]) -> Account | None:
        rows = await self._store.rows(sa.select(accounts).where(which))
        return _account(rows[0]) if rows else None

    async def _unique(self, work: Callable[[sa.Connection], Any]) -> None:
        try:
            await self._store.transact(work)
        except Conflict:
            raise HouseError(409, _TAKEN) from None


def _account(row: sa.Row[Any]) -> Account:
    return Account(row.id, row.kind, row.owner, row.name, row.holder, row.made_at, bool(row.shows_memory))


def _many(connection: sa.Connection, which: sa.ColumnElement[bool]) -> int:
    return connection.scalar(sa.select(sa.func.count()).where(which)) or 0


def _insert_passkey(connection: sa.Connection, account: str, passkey: NewPasskey) -> None:
    connection.execute(
        sa.insert(passkeys).values(
            id=passkey.id,
            account=account,
            public_key=passkey.public_key,
            sign_count=passkey.sign_count,
            label=passkey.label,
            made_at=time.time(),
        )
    )
