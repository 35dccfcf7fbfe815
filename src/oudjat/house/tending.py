"""``oudjat account``: looking after the people of a house, on its database, whether servers run or not.

Each function does one thing and returns the exit status: 0 done, 1 not wished after all, 2 not possible (said on
standard error). Servers on the same database hear of it as they do of what another server does.
"""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime

from rich.cells import cell_len

from oudjat.house.accounts import Account, Accounts, Listed
from oudjat.house.database import default_database
from oudjat.house.errors import HouseError
from oudjat.house.passwords import Passwords, easy_password
from oudjat.house.requests import clean_name
from oudjat.house.sessions import end_sessions
from oudjat.house.store import Store, StoreError
from oudjat.rules.game import N_
from oudjat.texts.catalog import Words
from oudjat.texts.speech import refusal

_Work = Callable[[Store], Awaitable[int]]


def list_people(database: str | None, words: Words, *, as_json: bool) -> int:
    """Print everybody who has an account: for people, or one JSON object a line."""

    async def work(store: Store) -> int:
        people = await Accounts(store).everybody()
        if as_json:
            for person in people:
                print(json.dumps(_object(person), ensure_ascii=False, separators=(",", ":")))
        elif people:
            _print_columns([_headings(words), *(_row(words, person) for person in people)])
        else:
            _say(words(N_("Nobody has an account here yet.")))
        return 0

    return _on(database, words, work)


def new_password(database: str | None, words: Words, name: str) -> int:
    """Give an account a new password, print it, and sign it out everywhere."""

    async def work(store: Store) -> int:
        accounts = Accounts(store)
        account = await _named(accounts, name)
        if account.kind == "bot":
            raise HouseError(
                409,
                N_("“{name}” is a bot and has no password; its owner makes tokens for it."),
                name=account.name,
            )
        password = easy_password()
        await accounts.set_password(account.id, await Passwords().hash(password))
        await end_sessions(store, account.id)
        _say(words(N_("“{name}” is signed out everywhere, and signs in with:"), name=account.name))
        print(password)
        return 0

    return _on(database, words, work)


def rename(database: str | None, words: Words, name: str, new: str) -> int:
    """Call an account otherwise."""

    async def work(store: Store) -> int:
        accounts = Accounts(store)
        account = await _named(accounts, name)
        kept = await accounts.rename(account.id, new)
        _say(words(N_("“{old}” is now called “{new}”."), old=account.name, new=kept))
        return 0

    return _on(database, words, work)


def remove(database: str | None, words: Words, name: str, *, sure: bool) -> int:
    """Let an account go as its owner could; unless ``sure``, its name is to be typed once more."""

    async def work(store: Store) -> int:
        accounts = Accounts(store)
        account = await _named(accounts, name)
        if not sure and not _typed_again(words, account.name):
            _say(words(N_("This is another name; nothing has been removed.")))
            return 1
        await accounts.delete(account.id)
        _say(words(N_("“{name}” is gone; the games stay as those of “someone”."), name=account.name))
        return 0

    return _on(database, words, work)


def _on(database: str | None, words: Words, work: _Work) -> int:
    """Do some work on a database that is there already, and tell what went wrong in a sentence."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that cannot show every name shows the others
        sys.stdout.reconfigure(errors="backslashreplace")
    url = database or default_database()
    try:
        store = Store(url, create=False)  # no empty house is made of a name mistyped
    except StoreError as error:
        _say(words(error.template, **error.gaps))
        return 2

    async def run() -> int:
        return await work(store)

    with closing(store):
        try:
            return asyncio.run(run())
        except HouseError as error:
            _say(refusal(words, error))
        except StoreError as error:
            cannot = N_(
                "The database did not go on: {reason}. See whether it is done before you do it once more."
            )
            _say(words(cannot, reason=str(error)))
    return 2


async def _named(accounts: Accounts, name: str) -> Account:
    """The account of this name. Raises :class:`HouseError` 404."""
    account = await accounts.named(clean_name(name))
    if account is None:
        raise HouseError(404, N_("Nobody here is called “{name}”."), name=clean_name(name))
    return account


def _typed_again(words: Words, name: str) -> bool:
    _say(words(N_("“{name}”, all bots of that account, and its ratings go for good."), name=name))
    print(words(N_("Type the name again to remove it:")), end=" ", file=sys.stderr, flush=True)
    try:
        return clean_name(sys.stdin.readline()) == name
    except (HouseError, ValueError):
        return False


def _object(person: Listed) -> dict[str, object]:
    return {
        "name": person.name,
        "since": _moment(person.made_at),
        "seen": person.seen_at and _moment(person.seen_at),
        "has_password": person.has_password,
        "passkeys": person.passkeys,
        "bots": person.bots,
        "rated_games": person.rated_games,
    }


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _headings(words: Words) -> list[str]:
    return [
        words(N_("Name")),
        words(N_("Since")),
        words(N_("Seen last")),
        words(N_("Signs in with")),
        words(N_("Rated games")),
        words(N_("Bots")),
    ]


def _row(words: Words, person: Listed) -> list[str]:
    ways = [words(N_("Password"))] if person.has_password else []
    if person.passkeys:
        ways.append(words.count("{number} passkey", "{number} passkeys", person.passkeys))
    return [
        person.name,
        _day(person.made_at),
        _day(person.seen_at) if person.seen_at else "–",
        ", ".join(ways) or "–",
        str(person.rated_games),
        ", ".join(person.bots) or "–",
    ]


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().date().isoformat()


def _print_columns(rows: list[list[str]]) -> None:
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
        print("  ".join(padded).rstrip())


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)
