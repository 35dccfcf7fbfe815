"""What comes in: who asks, in which language, with what body. Everything is checked before it is used."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from oudjat.engine.levels import LEVELS
from oudjat.house.clocks import BOUNDS, NO_CLOCK, RATED_CLOCK, Clock
from oudjat.house.errors import HouseError
from oudjat.house.events import FORFEIT, Opened, Pace, SeatPlan, free_seat
from oudjat.house.sessions import PERSON, Person
from oudjat.rules.game import FOR_SO_MANY, FOR_TWO, N_
from oudjat.rules.registry import GAMES
from oudjat.texts.catalog import LANGUAGES, Words, choose_language, words_in

GUEST_COOKIE = "oudjat"
LANGUAGE_COOKIE = "lang"
NAME_COOKIE = "name"
MOST_BYTES = 16_384
"""No body that the house takes is longer."""
LONGEST_WAIT = 20.0
"""Seconds in which a body has to arrive."""
LONGEST_NAME = 24
LONGEST_TEXT = 200
"""Letters in a name, and in what somebody says at a table."""
_A_YEAR = 365 * 24 * 3600
_GUEST = "oudjat.guest"


@dataclass(frozen=True, slots=True)
class Guest:
    """Who asks. ``token`` is a guest's secret, None for a stranger and for who is signed in (``person``); ``holder``
    is what his seats are stored under; ``words`` the language he reads."""

    token: str | None
    holder: str | None
    words: Words
    new: bool = False
    person: Person | None = None

    @property
    def bot_of(self) -> str:
        """The name of the person whose program asks; empty when no program does that has an owner."""
        return self.person.owner if self.person else ""

    def known(self) -> Guest:
        """This guest, given a token if he had none."""
        if self.holder:
            return self
        token = secrets.token_urlsafe(24)
        return Guest(token, holder_of(token), self.words, new=True)


def holder_of(token: str) -> str:
    """What a guest's seats are stored under: nobody who reads the database can sit down in his place."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def guest_of(request: Request) -> Guest:
    """Who asks: by an ``Authorization: Bearer`` token, else by cookie, else a stranger. Reckoned once a request."""
    guest: Guest | None = request.scope.get(_GUEST)
    if guest is None:
        guest = request.scope[_GUEST] = _guest_of(request)
    return guest


def _guest_of(request: Request) -> Guest:
    wishes = (
        request.query_params.get("lang"),
        request.cookies.get(LANGUAGE_COOKIE),
        request.headers.get("accept-language"),
    )
    words = words_in(choose_language(*wishes))
    person: Person | None = request.scope.get(PERSON)
    if person:
        return Guest(None, person.holder, words, person=person)
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip() if kind.lower() == "bearer" else request.cookies.get(GUEST_COOKIE, "")
    if not re.fullmatch(r"[A-Za-z0-9_-]{16,64}", token, re.ASCII):
        return Guest(None, None, words)
    return Guest(token, holder_of(token), words)


def remember(request: Request, response: Response, guest: Guest, name: str | None = None) -> None:
    """Let the browser keep a new guest's token, and how he wants to be called."""
    secure = request.url.scheme == "https"
    if guest.new and guest.token:
        response.set_cookie(
            GUEST_COOKIE, guest.token, max_age=_A_YEAR, httponly=True, samesite="lax", secure=secure
        )
    if name is not None:
        response.set_cookie(
            NAME_COOKIE,
            name.encode("utf-8").hex(),
            max_age=_A_YEAR,
            httponly=True,
            samesite="lax",
            secure=secure,
        )


def remember_language(request: Request, response: Response, language: str) -> None:
    """Let the browser keep the language that was chosen by a link."""
    response.set_cookie(
        LANGUAGE_COOKIE, language, max_age=_A_YEAR, samesite="lax", secure=request.url.scheme == "https"
    )


def remembered_name(request: Request) -> str:
    """How the player is called who asks, or how this browser's was called last; may be empty."""
    person = guest_of(request).person
    if person:
        return person.name
    try:
        return clean_name(bytes.fromhex(request.cookies.get(NAME_COOKIE, "")).decode("utf-8"))
    except (ValueError, HouseError):
        return ""


def refuse_other_sites(request: Request) -> None:
    """Close the door to forms and scripts of other sites. Raises :class:`HouseError` 403."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    foreign = origin is not None and origin.partition("://")[2] != request.headers.get("host")
    if site not in ("same-origin", "none") or foreign:
        raise HouseError(403, N_("This request comes from another site; open the page itself."))


MINIMUM = "return=minimal"


def wants_minimum(request: Request) -> str | None:
    """The preference for an answer without the table (``Prefer: return=minimal``, RFC 7240), None without it."""
    wished = request.headers.get("prefer")
    return MINIMUM if wished and MINIMUM in map(str.strip, re.split("[,;]", wished.lower())) else None


async def body_of(request: Request) -> bytes:
    """The whole body. Raises :class:`HouseError`: 413 as soon as it is too long, 408 when it takes too long, 400 when
    whoever sends it has gone."""
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > MOST_BYTES:
        raise _too_long()
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            return await _received(request)
    except TimeoutError:
        raise HouseError(
            408, N_("This request did not arrive whole in time; please send it again.")
        ) from None


async def _received(request: Request) -> bytes:
    body = b""
    more = True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise HouseError(400, N_("The body of this request did not arrive whole."))
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            raise _too_long()
        more = message.get("more_body", False)
    return body


def _too_long() -> HouseError:
    return HouseError(413, N_("That is too much: a request here has at most {most} bytes."), most=MOST_BYTES)


_Body = TypeVar("_Body", bound=msgspec.Struct)


def _decoded(body: bytes, kind: type[_Body]) -> _Body:
    """The body as a struct; 1.0 is a whole number too, as JSON Schema has it. Raises what msgspec raises."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError:
        if b"." not in body and b"e" not in body.lower():
            raise
        return msgspec.convert(_with_whole_numbers(msgspec.json.decode(body)), kind)


def _with_whole_numbers(sent: Any) -> Any:
    if isinstance(sent, dict):
        return {name: _with_whole_numbers(value) for name, value in sent.items()}
    if isinstance(sent, list):
        return [_with_whole_numbers(value) for value in sent]
    return int(sent) if isinstance(sent, float) and sent.is_integer() else sent


async def read_json(request: Request, kind: type[_Body]) -> _Body:
    """The body as one of the structs below. Raises :class:`HouseError` 400 saying what is wrong with it."""
    body = await body_of(request)
    try:
        return _decoded(body, kind)
    except msgspec.ValidationError as error:
        named = re.findall(r"`([^`]+)`", str(error))
        place = next((name for name in reversed(named) if name.startswith("$")), named[0] if named else "$")
        raise HouseError(
            400,
            N_("In the body of this request, “{place}” is missing, unknown or of the wrong kind."),
            place=place,
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError):
        raise HouseError(400, N_("The body of this request is not JSON.")) from None


_JOINER = "\u200d"  # holds an emoji of several together
_INVISIBLE = "\u115f\u1160\u2800\u3164\uffa0"  # letters by their category, that show nothing
_MOST_MARKS = 2  # accents on one letter


def clean_name(name: str) -> str:
    """A name as it is kept: single spaces, nothing invisible. Raises :class:`HouseError` 422 when too long.

    >>> clean_name("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    return clean_text(name, LONGEST_NAME, N_("A name has at most {most} letters."))


def clean_text(text: str, most: int, too_long: str) -> str:
    """What people write, as it is kept: single spaces, nothing invisible. Raises :class:`HouseError` 422 with the
    sentence ``too_long`` for more than ``most`` letters."""
    visible: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind in ("Zs", "Zl", "Zp", "Cc"):
            visible.append(" ")
        elif (kind in ("Cs", "Co", "Cn", "Cf") and letter != _JOINER) or letter in _INVISIBLE:
            continue
        elif marks <= _MOST_MARKS and (marks == 0 or visible):
            visible.append(letter)
    cleaned = " ".join("".join(visible).split()).strip(_JOINER)
    if len(cleaned) > most:
        raise HouseError(422, too_long, most=most)
    return cleaned


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """A seat of a table to be opened: ``me``, ``here`` (another person at this screen), ``bot`` of a ``level``,
    or ``friend`` by link."""

    kind: Literal["me", "here", "bot", "friend"]
    level: str = "scribe"
    name: str = ""


class OpenTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be opened; ``first`` is the seat that begins, 0 for by lot.

    ``clock`` says how long players may take: ``turn``: 3 to 3,600 seconds for each turn; ``game``: 5 to 10,800
    seconds and an increment of 0 to 180; ``days``: 1 to 14 times 86,400 seconds for each turn. ``on_time``,
    ``bot:LEVEL`` or ``forfeit``, is what becomes of a seat whose time runs out. At a ``public`` table a ``friend`` is
    anybody who finds it in the lobby, and anybody can watch. A ``rated`` one is for those who are signed in, one seat
    each; time-out is ``forfeit`` there, and without another clock each turn has three days.
    """

    seats: list[SeatWish]
    game: str = "isis-osiris"
    variant: str = "normal"
    first: int = 0
    options: dict[str, str] = {}
    pace: Pace = "natural"
    clock: Clock = NO_CLOCK
    on_time: str = "bot:scribe"
    public: bool = False
    rated: bool = False


class SubmitTurn(msgspec.Struct, forbid_unknown_fields=True):
    """A turn (``Pc3``, ``+3c4``, ``draw``, ``--``) and the number of the last event its player knew."""

    turn: str
    after: int


class TakeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """The key of a friend's seat, none where a seat is open to all, and how he wants to be called."""

    key: str = ""
    name: str = ""


class Pairing(msgspec.Struct, forbid_unknown_fields=True):
    """A quick pairing: with whom ever asks for the same. ``clock`` as in :class:`OpenTable`; on time-out the seat
    forfeits. A ``rated`` one is for those who are signed in."""

    game: str = "isis-osiris"
    variant: str = "normal"
    players: int = 2
    clock: Clock = NO_CLOCK
    rated: bool = False
    name: str = ""


class Say(msgspec.Struct, forbid_unknown_fields=True):
    """Something to be said at a table: a ready ``phrase`` by its name, or a ``text`` of one's own."""

    phrase: str = ""
    text: str = ""
    seat: int | None = None


class OfSeat(msgspec.Struct, forbid_unknown_fields=True):
    """Which of one's own seats is meant; None for the one that is to move, else the first."""

    seat: int | None = None


class CallMe(msgspec.Struct, forbid_unknown_fields=True):
    """How a player wants to be called."""

    name: str


class SetPace(msgspec.Struct, forbid_unknown_fields=True):
    """How long the bots take."""

    pace: Pace


def opening(wish: OpenTable, guest: Guest) -> Opened:
    """The event that opens a table as wished. Raises :class:`HouseError` 422 for what does not exist."""
    if wish.game not in GAMES:
        raise HouseError(422, N_("There is no game “{game}” here."), game=wish.game[:40])
    known = GAMES[wish.game].players
    if len(wish.seats) not in known:
        raise HouseError(
            422,
            FOR_SO_MANY if len(known) > 1 else FOR_TWO,
            game=GAMES[wish.game].name,
            least=known[0],
            most=known[-1],
            players=len(wish.seats),
        )
    if not 0 <= wish.first <= len(wish.seats):
        raise HouseError(422, N_("Seat {first} cannot begin at this table."), first=wish.first)
    if all(seat.kind in ("bot", "friend") for seat in wish.seats) and any(
        seat.kind == "friend" for seat in wish.seats
    ):
        raise HouseError(422, N_("Take a seat yourself, or let only bots play."))
    check_clock(wish.clock, wish.on_time)
    clock, on_time = wish.clock, wish.on_time
    if wish.rated:
        check_rated(wish, guest)
        if clock == NO_CLOCK:
            clock, on_time = RATED_CLOCK, FORFEIT
    plans = []
    for seat in wish.seats:
        name = clean_name(seat.name)
        if seat.kind == "bot":
            plans.append(SeatPlan("", level=known_level(seat.level)))
        elif seat.kind == "friend":
            plans.append(free_seat(public=wish.public, name=name))
        else:
            if seat.kind == "me":
                name = called(guest, name, rated=wish.rated)
            plans.append(SeatPlan(name, holder=guest.holder, bot_of=guest.bot_of))
    return Opened(
        wish.game,
        wish.variant,
        wish.options,
        wish.first,
        wish.pace,
        tuple(plans),
        guest.holder or "",
        clock,
        on_time,
        wish.public,
        wish.rated,
    )


def pairing(wish: Pairing, guest: Guest) -> Opened:
    """The event that opens a table for a quick pairing, for who comes first. Raises :class:`HouseError` 422 or 401."""
    if wish.game not in GAMES or wish.players not in GAMES[wish.game].players:
        raise HouseError(422, N_("There is no such pairing."))
    seats = [SeatWish("me", name=wish.name), *(SeatWish("friend") for _ in range(wish.players - 1))]
    opened = opening(
        OpenTable(
            seats,
            wish.game,
            wish.variant,
            clock=wish.clock,
            on_time=FORFEIT,
            public=True,
            rated=wish.rated,
        ),
        guest,
    )
    return msgspec.structs.replace(opened, pairing=pairing_key(opened))


def pairing_key(opened: Opened) -> str:
    """What those who ask for a quick pairing must ask for alike to meet."""
    clock = opened.clock
    rated = "rated" if opened.rated else "casual"
    wish = f"{clock.kind} {clock.seconds}+{clock.increment} {rated}"
    return f"{opened.game} {opened.variant} {len(opened.seats)} {wish}"


def check_rated(wish: OpenTable, guest: Guest) -> None:
    """Raises :class:`HouseError`: 401 for who is not signed in, 422 where a rated table would not be fair."""
    may_sit(guest, rated=True)
    if sum(seat.kind == "me" for seat in wish.seats) > 1 or any(seat.kind == "here" for seat in wish.seats):
        raise HouseError(422, N_("At a rated table everybody has one seat."))
    if wish.clock.kind != "none" and wish.on_time != FORFEIT:
        raise HouseError(422, N_("At a rated table a seat whose time runs out forfeits."))


def called(guest: Guest, name: str, *, rated: bool) -> str:
    """How somebody is called who sits down: as he wishes, or by his account; at a rated table always by that."""
    wished = clean_name(name)
    return guest.person.name if guest.person and (rated or not wished) else wished


def may_sit(guest: Guest, *, rated: bool) -> None:
    """Raises :class:`HouseError` 401 when somebody who is not signed in would sit down at a rated table."""
    if rated and not guest.person:
        raise HouseError(401, N_("Sign in to play a rated game."))


def known_level(level: str) -> str:
    """The level when there is such a one. Raises :class:`HouseError` 422."""
    if level not in LEVELS:
        raise HouseError(
            422,
            N_("There is no level “{level}”; choose one of: {known}."),
            level=level[:40],
            known=", ".join(LEVELS),
        )
    return level


def check_clock(clock: Clock, on_time: str) -> None:
    """Raises :class:`HouseError` 422 for a clock that there is not, or when nobody knows what happens on time-out."""
    seconds, increments = BOUNDS[clock.kind]
    if clock.seconds not in seconds or clock.increment not in increments:
        raise HouseError(422, N_("There is no such clock; look at what the form offers."))
    kind, _, level = on_time.partition(":")
    if kind == "bot":
        known_level(level)
    elif on_time != FORFEIT:
        raise HouseError(422, N_("On time-out “{choice}” cannot happen."), choice=on_time[:40])


def known_language(code: str) -> str:
    """The code when it is one of our languages. Raises :class:`HouseError` 404."""
    if code not in LANGUAGES:
        raise HouseError(404, N_("There is no such page."))
    return code
