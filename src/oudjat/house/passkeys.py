"""Passkeys (WebAuthn): the challenge that a browser signs, and whether what it signed is good.

A challenge is kept by the browser in a signed cookie, so that any process can take the answer; an answer is good
once, see the table ``spent``.
"""

from __future__ import annotations

import secrets
import time
from typing import Any, Literal

import msgspec
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.options_to_json_dict import options_to_json_dict
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
)

from oudjat.house.accounts import Accounts, NewPasskey
from oudjat.house.errors import HouseError
from oudjat.house.schema import passkeys, spent
from oudjat.house.signed import Signer
from oudjat.house.store import Conflict, Store
from oudjat.rules.game import N_

CHALLENGE_COOKIE = "oudjat_challenge"
PATIENCE = 300
"""Seconds within which a challenge is to be answered."""
_PATH = "/api/me/passkeys"
_NOT_GOOD = N_("This passkey could not be checked. Please try again.")


class Challenge(msgspec.Struct, frozen=True):
    """What was asked: for which ``purpose``, until when, and of a new account its id and name."""

    purpose: Literal["make", "answer"]
    nonce: bytes
    until: float
    account: str = ""
    name: str = ""


class Passkeys:
    """Makes and checks passkeys of a house's accounts."""

    def __init__(self, store: Store, accounts: Accounts, signer: Signer) -> None:
        self._store = store
        self._accounts = accounts
        self._signer = signer

    async def wish(self, request: Request, account: str, name: str) -> tuple[dict[str, Any], Challenge]:
        """What a browser needs to make a passkey for an account, there already or to be made by it, and the challenge
        in that, for :meth:`keep`."""
        challenge = Challenge("make", secrets.token_bytes(32), time.time() + PATIENCE, account, name)
        options = generate_registration_options(
            rp_id=_party(request)[0],
            rp_name="Oudjat",
            user_id=account.encode(),
            user_name=name,
            challenge=challenge.nonce,
            timeout=PATIENCE * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=base64url_to_bytes(row.id))
                for row in await self._accounts.passkeys_of(account)
            ],
        )
        return options_to_json_dict(options), challenge

    def ask(self, request: Request) -> tuple[dict[str, Any], Challenge]:
        """What a browser needs to sign in by any passkey that it has for this house, and the challenge in that."""
        challenge = Challenge("answer", secrets.token_bytes(32), time.time() + PATIENCE)
        options = generate_authentication_options(
            rp_id=_party(request)[0], challenge=challenge.nonce, timeout=PATIENCE * 1000
        )
        return options_to_json_dict(options), challenge

    async def made(
        self, request: Request, credential: dict[str, Any], label: str
    ) -> tuple[Challenge, NewPasskey]:
        """The passkey that a browser has made, and for whom. Raises :class:`HouseError` 422."""
        challenge = self._kept(request, "make")
        party, origin = _party(request)
        try:
            verified = verify_registration_response(
                credential=credential,
                expected_challenge=challenge.nonce,
                expected_rp_id=party,
                expected_origin=origin,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise HouseError(422, _NOT_GOOD) from error
        await self._spend(challenge)
        name = bytes_to_base64url(verified.credential_id)
        return challenge, NewPasskey(name, verified.credential_public_key, verified.sign_count, label)

    async def answered(self, request: Request, credential: dict[str, Any]) -> str:
        """The id of the account that a browser has proved. Raises :class:`HouseError` 401 or 422."""
        challenge = self._kept(request, "answer")
        party, origin = _party(request)
        known = await self._accounts.passkey(str(credential.get("id", ""))[:1400])
        if known is None:
            raise HouseError(401, N_("The house does not know this passkey; it may have been removed."))
        try:
            verified = verify_authentication_response(
                credential=credential,
                expected_challenge=challenge.nonce,
                expected_rp_id=party,
                expected_origin=origin,
                credential_public_key=known.public_key,
                credential_current_sign_count=known.sign_count,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise HouseError(401, _NOT_GOOD) from error
        counted = (
            sa.update(passkeys).where(passkeys.c.id == known.id).values(sign_count=verified.new_sign_count)
        )
        await self._spend(challenge, counted)
        return str(known.account)

    def keep(self, request: Request, response: Response, challenge: Challenge) -> None:
        """Let the browser bring a challenge back with its answer."""
        response.set_cookie(
            CHALLENGE_COOKIE,
            self._signer.sign("challenge", msgspec.json.encode(challenge)),
            max_age=PATIENCE,
            path=_PATH,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )

    def _kept(self, request: Request, purpose: Literal["make", "answer"]) -> Challenge:
        payload = self._signer.read("challenge", request.cookies.get(CHALLENGE_COOKIE, ""))
        challenge = msgspec.json.decode(payload, type=Challenge) if payload else None
        if challenge is None or challenge.purpose != purpose or challenge.until < time.time():
            raise HouseError(422, N_("That took too long. Please begin again."))
        return challenge

    async def _spend(self, challenge: Challenge, *also: sa.Update) -> None:
        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(spent).where(spent.c.until < time.time()))
            connection.execute(
                sa.insert(spent).values(challenge=challenge.nonce.hex(), until=challenge.until)
            )
            for statement in also:
                connection.execute(statement)

        try:
            await self._store.transact(work)
        except Conflict:
            raise HouseError(422, N_("That took too long. Please begin again.")) from None


def _party(request: Request) -> tuple[str, str]:
    """The relying party's id and origin: the host of the request, and where browsers know it."""
    return request.url.hostname or "", f"{request.url.scheme}://{request.url.netloc}"
