"""Web Push (RFC 8030): messages sealed for one browser (RFC 8291) and signed by the house (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

import http_ece
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from oudjat.house.errors import HouseError
from oudjat.house.schema import meta
from oudjat.house.store import Conflict, Store, StoreError
from oudjat.rules.game import N_

TIME_TO_LIVE = 2 * 24 * 3600
"""Seconds that a push service keeps a message for a browser that is not there."""

_SIGNED_FOR = 12 * 3600
_KEY = "vapid"


def unpadded(data: bytes) -> str:
    """Bytes as Web Push writes them.

    >>> unpadded(b"eye?")
    'ZXllPw'
    """
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes_of(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def check_keys(p256dh: str, auth: str) -> None:
    """Refuse keys that no browser has. Raises :class:`HouseError` 422."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes_of(p256dh))
        if len(_bytes_of(auth)) == 16:
            return
    except (ValueError, binascii.Error):
        pass
    raise HouseError(422, N_("These are no keys of a browser."))


class Seal:
    """The house's key, and what it does with it. ``subject`` is where a push service can reach who runs the house:
    ``mailto:`` or ``https:``; None for the address under which players know it."""

    def __init__(self, vapid: Vapid02, subject: str | None) -> None:
        self._vapid = vapid
        self._subject = subject

    @property
    def public_key(self) -> str:
        """What a browser asks for when it subscribes."""
        return unpadded(self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def seal(
        self, message: bytes, *, endpoint: str, p256dh: str, auth: str, base: str, topic: str
    ) -> tuple[bytes, dict[str, str]]:
        """The body and the headers that bring ``message`` to one browser; a newer one of the same ``topic`` takes
        its place while it waits."""
        body = http_ece.encrypt(
            message,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_bytes_of(p256dh),
            auth_secret=_bytes_of(auth),
            version="aes128gcm",
        )
        service = urlsplit(endpoint)
        claims = {
            "aud": f"{service.scheme}://{service.netloc}",
            "exp": int(time.time()) + _SIGNED_FOR,
            "sub": self._subject or _contact(base),
        }
        headers = {
            **self._vapid.sign(claims),
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "ttl": str(TIME_TO_LIVE),
            "urgency": "normal",
            "topic": topic,
        }
        return body, {name.lower(): value for name, value in headers.items()}


def _contact(base: str) -> str:
    where = urlsplit(base)
    return f"https://{where.hostname}" if where.scheme == "https" else "mailto:oudjat@localhost"


def key_named(key: str) -> Vapid02:
    """The private key that somebody wrote: 32 bytes in base64url, as tools for Web Push give it. Raises
    :class:`StoreError` with a sentence, which does not repeat it."""
    with suppress(ValueError):
        if len(_bytes_of(key.strip())) == 32:
            return Vapid02.from_raw(key.strip().encode())
    raise StoreError(N_("OUDJAT_VAPID_KEY is no key: it is 32 bytes written as 43 letters of base64url."))


def key_wished(environment: Mapping[str, str]) -> Vapid02 | None:
    """As ``OUDJAT_VAPID_KEY`` says, None without it. Raises :class:`StoreError` with a sentence."""
    key = environment.get("OUDJAT_VAPID_KEY", "")
    return key_named(key) if key else None


async def seal_of(store: Store, subject: str | None, key: Vapid02 | None = None) -> Seal:
    """The seal of a house: with the ``key`` that is given, else with one that is made once and kept in the store, the
    same for all its processes."""
    if key:
        return Seal(key, subject)

    def keep(connection: sa.Connection) -> None:
        made = Vapid02()
        made.generate_keys()
        connection.execute(sa.insert(meta).values(key=_KEY, value=made.private_pem().decode()))

    wanted = sa.select(meta.c.value).where(meta.c.key == _KEY)
    if not await store.scalars(wanted):
        with suppress(Conflict):  # another process was quicker
            await store.transact(keep)
    return Seal(Vapid02.from_pem((await store.scalars(wanted))[0].encode()), subject)
