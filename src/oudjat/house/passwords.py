"""Passwords: which ones are taken, and how they are kept (argon2id, by the settings of RFC 9106 for small memory)."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from oudjat.house.errors import HouseError
from oudjat.rules.game import N_

_P = ParamSpec("_P")
_T = TypeVar("_T")

SHORTEST = 8
LONGEST = 200
_AT_ONCE = 2  # each takes 64 MiB while it is reckoned
_MOST_WAITING = 40
_EASY = "bcdefghjknprstuvx"  # 17 letters: 65 bits in 16 of them
_COMMON = frozenset((Path(__file__).parent / "common_passwords.txt").read_text("utf-8").split())


def check_password(password: str, name: str) -> None:
    """Raises :class:`HouseError` 422 for a password that anybody would try: too short, common, or the name itself."""
    if len(password) < SHORTEST:
        raise HouseError(422, N_("A password has {least} letters or more."), least=SHORTEST)
    if len(password) > LONGEST:
        raise HouseError(422, N_("A password has at most {most} letters."), most=LONGEST)
    plain = _same(password).casefold()
    if plain in _COMMON or len(set(plain)) == 1:
        raise HouseError(422, N_("This is one of the passwords that are tried first; choose another."))
    if plain == _same(name).casefold():
        raise HouseError(422, N_("Your name is no password; choose another."))


def easy_password() -> str:
    """A new password that nobody guesses and everybody can type: 16 small letters, none of which looks like another or
    stands elsewhere on a German or French keyboard than on an English one.

    >>> len(easy_password())
    19
    """
    return "-".join("".join(secrets.choice(_EASY) for _ in range(4)) for _ in range(4))


class Passwords:
    """Makes and checks hashes beside the event loop, few at once."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._free = asyncio.Semaphore(_AT_ONCE)
        self._waiting = 0
        self._nobodys = ""

    async def hash(self, password: str) -> str:
        """The hash that is kept of a password. Raises :class:`HouseError` 503 when too many wait."""
        return await self._beside(self._hasher.hash, _same(password))

    async def fits(self, kept: str | None, password: str) -> bool:
        """Whether it is the password that was kept. None takes as long and is never right."""
        if not self._nobodys:
            self._nobodys = await self.hash("nobody's")
        right = await self._beside(self._verify, kept or self._nobodys, _same(password))
        return right and kept is not None

    def outdated(self, kept: str) -> bool:
        """Whether a hash was made by older settings and should be made anew."""
        return self._hasher.check_needs_rehash(kept)

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _beside(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        if self._waiting >= _MOST_WAITING:
            raise HouseError(503, N_("Too many people sign in at this moment. Please try again in a moment."))
        self._waiting += 1
        try:
            async with self._free:
                return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            self._waiting -= 1


def _same(password: str) -> str:
    """The password as every keyboard and system spells it."""
    return unicodedata.normalize("NFKC", password)
