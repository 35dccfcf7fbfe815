"""The API for programs, which the pages use too (FORMATS.md 4)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Literal, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from oudjat.house import leaving, lobby, talk
from oudjat.house.answers import JSON, json_answer, table_path, unless_known
from oudjat.house.errors import HouseError
from oudjat.house.events import Paced
from oudjat.house.house import House, Live
from oudjat.house.paint import (
    Change,
    Frame,
    Painted,
    TableView,
    Viewer,
    as_view,
    beginning_of,
    encode_view,
    frames_of,
    names_at,
    view_of,
)
from oudjat.house.requests import (
    CallMe,
    Guest,
    OfSeat,
    OpenTable,
    Pairing,
    Say,
    SetPace,
    SubmitTurn,
    TakeSeat,
    body_of,
    called,
    clean_name,
    guest_of,
    may_sit,
    opening,
    pairing,
    read_json,
    refuse_other_sites,
    remember,
    wants_minimum,
)
from oudjat.house.streams import Stream
from oudjat.house.table import Table
from oudjat.records import write_record
from oudjat.rules.game import N_
from oudjat.rules.registry import GAMES
from oudjat.texts.catalog import words_in
from oudjat.texts.speech import refusal


class OpenedSeat(msgspec.Struct):
    """A seat of a table just opened; a friend's has the path that seats him and its key, one that is open to all has
    none."""

    number: int
    kind: Literal["person", "bot", "friend", "open"]
    key: str | None
    path: str | None


class TableOpened(msgspec.Struct):
    """A table just opened. ``token`` is the new secret of a caller who had none; keep it to play on."""

    table: str
    path: str
    token: str | None
    seats: list[OpenedSeat]
    state: TableView


class SeatTaken(msgspec.Struct):
    """A seat just taken; ``token`` as in :class:`TableOpened`."""

    token: str | None
    state: TableView


class Submitted(msgspec.Struct):
    """The answer to a turn: the number of the table's last event, and the table as it is, unless it was not wanted.
    ``again`` is true when this submission had taken effect before."""

    again: bool
    seq: int
    state: TableView | None


class Paired(msgspec.Struct):
    """The table at which a quick pairing leads: it runs when enough have come, until then it waits. ``token`` as in
    :class:`TableOpened`."""

    table: str
    path: str
    token: str | None
    state: TableView


class Following(msgspec.Struct):
    """Where another game with the same players was set up."""

    table: str
    path: str


class Turns(msgspec.Struct):
    """Every turn of a finished game, and every space at its beginning."""

    turns: tuple[Frame, ...]
    beginning: tuple[Change, ...]


class ErrorBody(msgspec.Struct):
    """What was wrong: a sentence in the caller's language, and the rule's number where a rule forbids it."""

    status: int
    rule: str | None
    message: str


class Failure(msgspec.Struct):
    """The answer to every request that is refused; a stale or illegal turn brings the table as it is."""

    error: ErrorBody
    state: TableView | None = None


def seat_path(table_id: str, number: int, key: str) -> str:
    """The link that seats a friend."""
    return f"{table_path(table_id)}/seat/{number}/{key}"


def house_of(request: Request) -> House:
    """The house that answers this request."""
    house: House = request.app.state.house
    return house


async def enter(request: Request, *, fresh: bool = True) -> tuple[House, Live, Guest]:
    """The table that a request is about, and who asks. Raises :class:`HouseError` 404."""
    house = house_of(request)
    return house, await house.live(request.path_params["table"], fresh=fresh), guest_of(request)


_Answer = TableOpened | Paired | SeatTaken | Submitted | Following | Turns | Failure
_ANSWERS = frozenset(get_args(_Answer))
_STATES = frozenset({TableView, type(None), msgspec.Raw})  # a raw one comes from as_view alone


def _json(answer: _Answer, status: int = 200) -> Response:
    if type(answer) not in _ANSWERS or type(getattr(answer, "state", None)) not in _STATES:
        raise TypeError(f"{type(answer).__name__} does not leave the house so")
    return json_answer(msgspec.json.encode(answer), status)


def _told_the_time(house: House, response: Response) -> Response:
    """An answer with a table, and with what time it is in the house."""
    response.headers["house-time"] = str(house.alarms.time.now())
    return response


def _state(live: Live, guest: Guest) -> TableView:
    return view_of(live.table, Viewer(guest.holder, guest.words))


def failure(error: HouseError, message: str, state: TableView | None = None) -> Response:
    """A refusal as JSON."""
    rule = None if error.rule == "record" else error.rule
    return _json(Failure(ErrorBody(error.status, rule, message), state), error.status)


async def open_table(request: Request) -> Response:
    """POST /api/tables"""
    refuse_other_sites(request)
    guest = guest_of(request).known()
    opened = opening(await read_json(request, OpenTable), guest)
    house = house_of(request)
    live = await house.open_table(opened)
    table = live.table
    answer = TableOpened(
        table.id,
        table_path(table.id),
        guest.token if guest.new else None,
        [
            OpenedSeat(
                seat.number,
                "bot" if seat.level else "friend" if seat.key else "person" if seat.holder else "open",
                seat.key,
                seat_path(table.id, seat.number, seat.key) if seat.key else None,
            )
            for seat in table.seats
        ],
        _state(live, guest),
    )
    response = _json(answer, 201)
    remember(request, response, guest)
    return _told_the_time(house, response)


async def show_table(request: Request) -> Response:
    """GET /api/tables/{table}"""
    house, live, guest = await enter(request)
    state = encode_view(_state(live, guest))
    return _told_the_time(house, json_answer(state))


async def take_seat(request: Request) -> Response:
    """POST /api/tables/{table}/seats/{number}"""
    refuse_other_sites(request)
    wish = await read_json(request, TakeSeat)
    house, live, guest = await enter(request)
    may_sit(guest, rated=live.table.opened.rated)
    guest = guest.known()
    await house.take_seat(
        live,
        request.path_params["number"],
        key=wish.key,
        holder=guest.holder or "",
        name=called(guest, wish.name, rated=live.table.opened.rated),
        bot_of=guest.bot_of,
    )
    response = _json(SeatTaken(guest.token if guest.new else None, _state(live, guest)))
    remember(request, response, guest)
    return _told_the_time(house, response)


async def submit_turn(request: Request) -> Response:
    """POST /api/tables/{table}/turns"""
    refuse_other_sites(request)
    wish = await read_json(request, SubmitTurn)
    house, live, guest = await enter(request, fresh=False)
    viewer = Viewer(guest.holder, guest.words)
    try:
        painted = await house.submit(live, guest.holder, wish.turn, wish.after)
    except HouseError as error:
        refused = failure(error, refusal(guest.words, error), _state(live, guest))
        return _told_the_time(house, refused)
    again, painted = painted is None, painted or Painted(live.table)
    if minimal := wants_minimum(request):
        response = _json(Submitted(again, painted.table.seq, None))
        response.headers["preference-applied"] = minimal
        return response
    return _told_the_time(house, _json(Submitted(again, painted.table.seq, as_view(painted.view(viewer)))))


async def call_me(request: Request) -> Response:
    """POST /api/tables/{table}/seats/{number}/name"""
    refuse_other_sites(request)
    name = clean_name((await read_json(request, CallMe)).name)
    house, live, guest = await enter(request)
    await house.rename(live, request.path_params["number"], guest.holder, name)
    response = _json(SeatTaken(None, _state(live, guest)))
    remember(request, response, guest, name)
    return _told_the_time(house, response)


async def set_pace(request: Request) -> Response:
    """POST /api/tables/{table}/pace"""
    refuse_other_sites(request)
    wish = await read_json(request, SetPace)
    house, live, guest = await enter(request)
    await house.set_pace(live, guest.holder, Paced(wish.pace))
    return _told_the_time(house, _json(SeatTaken(None, _state(live, guest))))


async def resign(request: Request) -> Response:
    """POST /api/tables/{table}/resign"""
    refuse_other_sites(request)
    wish = await read_json(request, OfSeat)
    house, live, guest = await enter(request)
    await leaving.resign(house, live, guest.holder, wish.seat)
    return _told_the_time(house, _json(SeatTaken(None, _state(live, guest))))


async def take_back(request: Request) -> Response:
    """POST /api/tables/{table}/return"""
    refuse_other_sites(request)
    wish = await read_json(request, OfSeat)
    house, live, guest = await enter(request)
    await leaving.take_back(house, live, guest.holder, wish.seat)
    return _told_the_time(house, _json(SeatTaken(None, _state(live, guest))))


async def leave(request: Request) -> Response:
    """POST /api/tables/{table}/leave"""
    refuse_other_sites(request)
    await body_of(request)
    house, live, guest = await enter(request)
    await leaving.leave(house, live, guest.holder)
    return _told_the_time(house, _json(SeatTaken(None, _state(live, guest))))


async def say(request: Request) -> Response:
    """POST /api/tables/{table}/talk"""
    refuse_other_sites(request)
    wish = await read_json(request, Say)
    house, live, guest = await enter(request)
    await talk.say(house, live, guest.holder, wish)
    return _told_the_time(house, _json(SeatTaken(None, _state(live, guest))))


async def show_lobby(request: Request) -> Response:
    """GET /api/tables"""
    game = request.query_params.get("game")
    if game is not None and game not in GAMES:
        raise HouseError(422, N_("There is no game “{game}” here."), game=game[:40])
    body, tag = await house_of(request).lobby.view(guest_of(request).words, game)
    headers = {"cache-control": "no-cache", "vary": "accept-language, cookie"}
    return unless_known(request, Response(body, media_type=JSON, headers=headers), tag)


async def quick_pairing(request: Request) -> Response:
    """POST /api/pairing"""
    refuse_other_sites(request)
    wish = await read_json(request, Pairing)
    guest = guest_of(request).known()
    house = house_of(request)
    opened = pairing(wish, guest)
    live = await lobby.pair(house, opened, name=opened.seats[0].name, bot_of=guest.bot_of)
    token = guest.token if guest.new else None
    response = _json(Paired(live.table.id, table_path(live.table.id), token, _state(live, guest)))
    remember(request, response, guest)
    return _told_the_time(house, response)


async def again(request: Request) -> Response:
    """POST /api/tables/{table}/again"""
    refuse_other_sites(request)
    await body_of(request)
    house, live, guest = await enter(request)
    table_id = await house.again(live, guest.holder)
    return _json(Following(table_id, table_path(table_id)), 201)


async def turns(request: Request) -> Response:
    """GET /api/tables/{table}/turns"""
    _, live, guest = await enter(request)
    if live.table.status != "over":
        raise HouseError(409, N_("A game can be watched again when it is over."))
    return _json(Turns(frames_of(live.table, guest.words), beginning_of(live.table, guest.words)))


def record_of(table: Table, opened_on: date) -> str:
    """A table's record as everybody may have it now, the same for every reader."""
    return write_record(table.record(names_at(table, words_in("en")), opened_on))


async def record(request: Request) -> Response:
    """GET /api/tables/{table}/record"""
    house, live, _ = await enter(request)
    opened_at = datetime.fromtimestamp(await house.store.opened_at(live.table.id), UTC)
    return Response(
        record_of(live.table, opened_at.date()),
        media_type="text/plain; charset=utf-8",
        headers={
            "content-disposition": f'attachment; filename="{live.table.opened.game}-{live.table.id}.txt"',
            "cache-control": "no-store",
        },
    )


def _last_event(request: Request) -> int | None:
    """The number of the last event that a follower has, None when he has none. Raises :class:`HouseError` 400."""
    sent = request.headers.get("last-event-id") or request.query_params.get("after", "")
    if not sent:
        return None
    if not re.fullmatch(r"\d{1,9}", sent, re.ASCII):
        raise HouseError(400, N_("“{parameter}” cannot be “{value}”."), parameter="after", value=sent[:40])
    return int(sent)


async def follow(request: Request) -> Response:
    """GET /api/tables/{table}/events"""
    house, live, guest = await enter(request)
    after = _last_event(request)
    views = request.query_params.get("views", "full")
    if views not in ("full", "none"):
        raise HouseError(400, N_("“{parameter}” cannot be “{value}”."), parameter="views", value=views[:40])
    viewer = Viewer(guest.holder, guest.words)
    return Stream(lambda line: house.follow(live.table.id, viewer, after, line, views=views == "full"))
