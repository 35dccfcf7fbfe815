"""What goes in and comes out where people care for their accounts."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from oudjat.house.notices_bodies import ChannelView
from oudjat.house.players import RatingInfo


class SignUp(msgspec.Struct, forbid_unknown_fields=True):
    """A name and a password, to sign up or to sign in."""

    name: str
    password: str


class NameWish(msgspec.Struct, forbid_unknown_fields=True):
    """A name: for an account, for a bot, or of one's own account to confirm that it shall go."""

    name: str


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """The password from now on."""

    password: str


class Choices(msgspec.Struct, forbid_unknown_fields=True):
    """What a player lets be shown: ``shows_memory``, how much he remembers."""

    shows_memory: bool


class PasskeyWish(msgspec.Struct, forbid_unknown_fields=True):
    """Whom a passkey is for: the name of an account to be made; whoever is signed in needs none."""

    name: str = ""


class PasskeyProof(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser's ``navigator.credentials`` gave, as JSON; ``label`` tells a new passkey from others."""

    credential: dict[str, Any]
    label: str = ""


class TokenWish(msgspec.Struct, forbid_unknown_fields=True):
    """What a token is for, so that its owner can tell it from others."""

    label: str = ""


class PasskeyInfo(msgspec.Struct):
    """A passkey of one's own."""

    id: str
    label: str
    made_at: float


class SessionInfo(msgspec.Struct):
    """Where one is signed in: ``here`` in the browser that asks."""

    id: str
    browser: str
    made_at: float
    seen_at: float
    here: bool


class TokenInfo(msgspec.Struct):
    """A token of a bot; ``used_on`` is the last day on which it was used, None never."""

    id: str
    label: str
    made_at: float
    used_on: str | None


class BotInfo(msgspec.Struct):
    """A bot of one's own: an account that a program plays by."""

    id: str
    name: str
    tokens: list[TokenInfo]


class Me(msgspec.Struct):
    """Who asks. A guest has no name and no id. Moments are in seconds since 1970."""

    kind: Literal["guest", "person", "bot"]
    id: str | None = None
    name: str = ""
    made_at: float | None = None
    has_password: bool = False
    shows_memory: bool = False
    passkeys: list[PasskeyInfo] = []
    sessions: list[SessionInfo] = []
    bots: list[BotInfo] = []


class TokenMade(msgspec.Struct):
    """A new token of a bot, told this once: the house keeps only its hash."""

    bot: str
    token: str
    me: Me


class PasskeyOptions(msgspec.Struct):
    """What to hand to ``navigator.credentials`` as ``publicKey``; see the Web Authentication standard."""

    options: dict[str, Any]


class Done(msgspec.Struct):
    """It is done."""

    done: bool = True


class OwnTable(msgspec.Struct):
    """A table at which one has seats."""

    table: str
    seats: list[int]
    opened_at: float
    status: str


class OwnData(msgspec.Struct):
    """All that the house keeps of an account, save the games themselves (see ``records``) and what proves it."""

    me: Me
    tables: list[OwnTable]
    channels: list[ChannelView]
    ratings: list[RatingInfo]
