"""What the house signs, so that it knows its own when it comes back: the secret, and signatures by it."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import tempfile
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path

import sqlalchemy as sa

from oudjat.house.database import StoreError
from oudjat.house.schema import meta
from oudjat.house.store import Conflict, Store
from oudjat.rules.game import N_

_SHORTEST = 16
_KEY = "secret"


async def house_secret(store: Store) -> bytes:
    """The secret of the house on this database, the same in all its processes.

    It comes from ``OUDJAT_SECRET``; else from a file beside an SQLite database, made with mode 0600 when it is not
    there; else it is kept in the database. Raises :class:`StoreError` with a sentence.
    """
    given = secret_wished()
    if given:
        return given
    if store.file:
        return _in_file(store.file.with_name(store.file.name + ".secret"))
    with contextlib.suppress(Conflict):  # it is there already
        await store.transact(
            lambda connection: connection.execute(
                sa.insert(meta).values(key=_KEY, value=secrets.token_urlsafe(32))
            )
        )
    return str((await store.scalars(sa.select(meta.c.value).where(meta.c.key == _KEY)))[0]).encode()


def secret_wished() -> bytes | None:
    """As ``OUDJAT_SECRET`` says, None without it. Raises :class:`StoreError` with a sentence."""
    given = os.environ.get("OUDJAT_SECRET", "")
    if given and len(given) < _SHORTEST:
        raise StoreError(N_("OUDJAT_SECRET is too short; give it {least} letters or more."), least=_SHORTEST)
    return given.encode() or None


def _in_file(file: Path) -> bytes:
    try:
        if not file.exists():
            handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # only its owner may read it
            with os.fdopen(handle, "w") as made:
                made.write(secrets.token_urlsafe(32))
                made.flush()
                os.fsync(handle)
            with contextlib.suppress(FileExistsError):  # another process was quicker: its secret holds
                os.link(name, file)
            Path(name).unlink()
        return file.read_bytes()
    except OSError as error:
        raise StoreError(
            N_("The secret of the house in {file} cannot be read or made: {reason}."),
            file=str(file),
            reason=error.strerror or str(error),
        ) from error


class Signer:
    """Signs by the house's secret; what was signed for one purpose is nothing for another.

    >>> signer = Signer(b"secret")
    >>> signer.read("session", signer.sign("session", b"Ada"))
    b'Ada'
    >>> signer.read("challenge", signer.sign("session", b"Ada")) is None
    True
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sign(self, purpose: str, payload: bytes) -> str:
        """The payload with its signature, in letters that a cookie can hold."""
        return f"{urlsafe_b64encode(payload).decode()}.{self._signature(purpose, payload)}"

    def read(self, purpose: str, signed: str) -> bytes | None:
        """The payload, or None when this house did not sign it for this purpose."""
        encoded, _, signature = signed.partition(".")
        try:
            payload = urlsafe_b64decode(encoded)
        except ValueError:
            return None
        known = self._signature(purpose, payload)
        return payload if hmac.compare_digest(known.encode(), signature.encode()) else None

    def _signature(self, purpose: str, payload: bytes) -> str:
        return hmac.new(self._secret, purpose.encode() + b":" + payload, hashlib.sha256).hexdigest()
