"""The pages for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import segno
from babel.dates import format_date
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

import oudjat
from oudjat.engine.levels import LEVELS
from oudjat.house import lobby
from oudjat.house.answers import table_path, tag_of, unless_known
from oudjat.house.api import house_of, seat_path
from oudjat.house.clocks import OFFERED, Clock
from oudjat.house.errors import HouseError
from oudjat.house.events import FORFEIT
from oudjat.house.paint import TableView, Viewer, encode_view, names_at, view_of
from oudjat.house.previews import preview_of
from oudjat.house.requests import (
    LONGEST_NAME,
    LONGEST_TEXT,
    Guest,
    OpenTable,
    Pairing,
    SeatWish,
    body_of,
    called,
    clean_name,
    guest_of,
    known_language,
    may_sit,
    opening,
    pairing,
    refuse_other_sites,
    remember,
    remember_language,
    remembered_name,
)
from oudjat.house.script_words import lobby_words, script_words
from oudjat.house.static import STATIC_PATH
from oudjat.rules.game import N_, Game
from oudjat.rules.registry import GAMES, game_named
from oudjat.texts import speech
from oudjat.texts.catalog import LANGUAGES, Words
from oudjat.texts.pages import house_html, rules_html
from oudjat.texts.tongues import TONGUES

HOME_GAME = next(iter(GAMES))
"""The game that the front door opens to."""
_PAIRING_CLOCKS = ("game:300+5", "game:600+5", "turn:60+0", "days:172800+0")
_AT_THE_DOOR = 6
"""Tables that the front page shows: of those that are over only as many as make it so many."""
_A_PAGE = 24
"""Games on a page of those that are over."""
_TABLE_PATH = re.compile(r"/t/[a-z0-9]+(/seat/[0-9]/[A-Za-z0-9_-]+)?", re.ASCII)
_TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(request: Request, template: str, guest: Guest, status: int = 200, **gaps: Any) -> Response:
    """A page in the guest's language."""
    html = (
        _environment()
        .get_template(template)
        .render(
            _=guest.words,
            language=guest.words.language,
            languages=LANGUAGES,
            static=STATIC_PATH,
            version=oudjat.__version__,
            here=request.url.path,
            back=_here_in_any_language(request),
            me=guest.person,
            day=partial(_day, guest.words.language),
            home_game=HOME_GAME,
            **gaps,
        )
    )
    return HTMLResponse(
        html, status, headers={"cache-control": "no-store", "content-language": guest.words.language}
    )


def _here_in_any_language(request: Request) -> str:
    """The address of a page without the language that it names."""
    asked = urlencode([(key, value) for key, value in request.query_params.multi_items() if key != "lang"])
    return f"{request.url.path}?{asked}" if asked else request.url.path


def _day(language: str, moment: float) -> str:
    """A moment in seconds since 1970 as the day that people write; in universal time, since theirs is not known."""
    return format_date(datetime.fromtimestamp(moment, UTC), "medium", language)


def data_block(data: bytes) -> Markup:
    """JSON that stands inside a page's data block and cannot end it."""
    return Markup(  # noqa: S704 - no "<" is left
        data.decode().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    )


async def home(request: Request) -> Response:
    """GET /"""
    guest = guest_of(request)
    others = [(game, TONGUES[game.id]) for game in GAMES.values() if game.id != HOME_GAME]
    return page(
        request,
        "home.html",
        guest,
        mine=await _tables_of(request, guest),
        others=others,
        games=GAMES.values(),
        lobby=await house_of(request).lobby.shown(guest.words),
        pairing_clocks=[(key, said) for key, said in clocks_said(guest.words) if key in _PAIRING_CLOCKS],
        words_json=data_block(json.dumps(lobby_words(guest.words), ensure_ascii=False).encode()),
    )


async def my_tables(request: Request) -> Response:
    """GET /my-tables: that part of the front page, when anything has changed since the copy that the browser has."""
    guest = guest_of(request)
    response = page(request, "mine.html", guest, mine=await _tables_of(request, guest))
    return unless_known(request, response, tag_of(bytes(response.body)))


async def _tables_of(request: Request, guest: Guest) -> list[dict[str, Any]]:
    """What the front page shows of a player's tables; those at which he is to move come first."""
    store = house_of(request).store
    mine = await _seen(
        request, guest, await store.tables_of(guest.holder, _AT_THE_DOOR) if guest.holder else ()
    )
    return sorted(mine, key=lambda entry: not entry["view"].mine)


async def _seen(request: Request, guest: Guest, table_ids: Iterable[str]) -> list[dict[str, Any]]:
    """Tables as a player sees them; those that cannot be read are left out."""
    house = house_of(request)
    seen = []
    for table_id in table_ids:
        live = await house.readable(table_id)
        if live is None:
            continue
        view = view_of(live.table, Viewer(guest.holder, guest.words))
        game = game_named(live.table.opened.game)
        seen.append({"id": table_id, "path": table_path(table_id), "view": view, "game": game})
    return seen


async def my_games(request: Request) -> Response:
    """GET /my-games?page=N: a player's games that are over, those that ended last first."""
    guest = guest_of(request)
    asked = request.query_params.get("page", "1")
    if not re.fullmatch("[1-9][0-9]{0,5}", asked):
        raise HouseError(404, N_("There is no such page."))
    number = int(asked)
    found: dict[str, float] = {}
    if guest.holder:
        found = await house_of(request).store.games_of(guest.holder, (number - 1) * _A_PAGE, _A_PAGE + 1)
    games = await _seen(request, guest, list(found)[:_A_PAGE])
    return page(
        request,
        "games.html",
        guest,
        games=games,
        ended=found,
        number=number,
        more=len(found) > _A_PAGE,
    )


def clocks_said(words: Words) -> list[tuple[str, str]]:
    """The clocks that a form offers, with what is said of them."""
    said = [
        (key, speech.clock_said(words, clock.kind, clock.seconds, clock.increment))
        for key, clock in OFFERED.items()
    ]
    return [(key, name or words(N_("as long as you like"))) for key, name in said]


async def play_now(request: Request) -> Response:
    """POST /play: a table for two against the scribe, and there. The form's ``game`` names another game."""
    refuse_other_sites(request)
    game = (await _form(request)).get("game", HOME_GAME)
    guest = guest_of(request).known()
    wish = OpenTable([SeatWish("me", name=remembered_name(request)), SeatWish("bot", "scribe")], game)
    return await _open(request, guest, wish)


async def _open(request: Request, guest: Guest, wish: OpenTable, name: str | None = None) -> Response:
    live = await house_of(request).open_table(opening(wish, guest))
    response = RedirectResponse(table_path(live.table.id), 303)
    remember(request, response, guest, name)
    return response


async def new_table(request: Request) -> Response:
    """GET /new?game=ID"""
    guest = guest_of(request)
    words = guest.words
    game = _game_named(request.query_params.get("game", HOME_GAME))
    return page(
        request,
        "new.html",
        guest,
        game=game,
        games=GAMES.values(),
        tongue=TONGUES[game.id],
        name=remembered_name(request),
        longest_name=LONGEST_NAME,
        levels=[(level, words(speech.LEVEL_NAMES[level])) for level in LEVELS],
        seats=[
            (shape, colour, words(speech.COLOUR_NAMES[colour]))
            for shape, colour in zip(game.shapes, game.colours, strict=True)
        ],
        switches=_switches(game),
        clocks=clocks_said(words),
    )


def _game_named(game_id: str) -> Game:
    """The game of this id. Raises :class:`HouseError` 404."""
    if game_id not in GAMES:
        raise HouseError(404, N_("There is no game “{game}” here."), game=game_id[:40])
    return GAMES[game_id]


def _switches(game: Game) -> list[tuple[str, tuple[str, ...]]]:
    """What players may set when they open a table, with the values it can have, the default first."""
    variants = [("variant", game.variants)] if len(game.variants) > 1 else []
    return [*variants, *((option.key, option.values) for option in game.options)]


async def open_new_table(request: Request) -> Response:
    """POST /new"""
    refuse_other_sites(request)
    guest = guest_of(request).known()
    form = await _form(request)
    game = _game_named(form.get("game", HOME_GAME))
    name = clean_name(form.get("name", ""))
    seats = []
    for number in range(1, len(game.colours) + 1):
        choice = form.get(f"seat{number}", "")
        kind, _, level = choice.partition(":")
        if kind in ("", "none"):
            continue
        if kind not in ("me", "here", "bot", "friend"):
            raise HouseError(
                422, N_("Seat {number} cannot be “{choice}”."), number=number, choice=choice[:40]
            )
        seats.append(SeatWish(kind, level or "scribe", name if kind == "me" else ""))  # type: ignore[arg-type]
    first = form.get("first", "") or "0"
    pace = form.get("pace", "") or "natural"
    if not first.isdecimal() or len(first) > 1 or pace not in ("at-once", "natural", "slow"):
        raise HouseError(422, N_("This form cannot be read; go back and try again."))
    wish = OpenTable(
        seats,
        game.id,
        form.get("variant", "") or "normal",
        int(first),
        {option.key: form[option.key] for option in game.options if form.get(option.key)},
        pace,  # type: ignore[arg-type]
        clock_of(form),
        FORFEIT if form.get("rated") else form.get("on_time", "") or "bot:scribe",
        bool(form.get("public")),
        bool(form.get("rated")),
    )
    return await _open(request, guest, wish, name)


def clock_of(form: dict[str, str]) -> Clock:
    """The clock that a form names. Raises :class:`HouseError` 422."""
    clock = OFFERED.get(form.get("clock", "") or "none")
    if clock is None:
        raise HouseError(422, N_("There is no such clock; look at what the form offers."))
    return clock


async def pair(request: Request) -> Response:
    """POST /pair: a quick pairing, and there."""
    refuse_other_sites(request)
    form = await _form(request)
    guest = guest_of(request).known()
    game = _game_named(form.get("game", HOME_GAME))
    wish = Pairing(
        game.id, clock=clock_of(form), rated=bool(form.get("rated")), name=remembered_name(request)
    )
    opened = pairing(wish, guest)
    live = await lobby.pair(house_of(request), opened, name=opened.seats[0].name, bot_of=guest.bot_of)
    response = RedirectResponse(table_path(live.table.id), 303)
    remember(request, response, guest)
    return response


async def sit_down(request: Request) -> Response:
    """POST /t/{table}/sit: take a free seat at a public table, whichever it is."""
    refuse_other_sites(request)
    await body_of(request)
    house = house_of(request)
    live = await house.live(request.path_params["table"])
    guest = guest_of(request)
    may_sit(guest, rated=live.table.opened.rated)
    guest = guest.known()
    response = RedirectResponse(table_path(live.table.id), 303)
    if not live.table.seats_of(guest.holder):
        await lobby.sit_down(
            house, live, guest.holder or "", name=remembered_name(request), bot_of=guest.bot_of
        )
        remember(request, response, guest)
    return response


async def _form(request: Request) -> dict[str, str]:
    """A form's fields. Raises :class:`HouseError` 413 or 400."""
    body = await body_of(request)
    try:
        return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise HouseError(400, N_("This form cannot be read; go back and try again.")) from None


def table_gaps(view: TableView) -> dict[str, Any]:
    """What every page about one table is made from."""
    game = view.board.game
    view_json = data_block(encode_view(view))
    return {"view": view, "game": GAMES[game], "tongue": TONGUES[game], "view_json": view_json}


async def show_table(request: Request) -> Response:
    """GET /t/{table}"""
    guest = guest_of(request)
    live = await house_of(request).live(request.path_params["table"])
    view = view_of(live.table, Viewer(guest.holder, guest.words))
    only_here = request.url.hostname in ("127.0.0.1", "localhost", "::1")
    elsewhere = request.app.state.public_address
    base = (elsewhere if only_here and elsewhere else str(request.base_url)).rstrip("/")
    invitations = [
        {
            "seat": view.seats[invitation.seat - 1],
            "link": base + seat_path(live.table.id, invitation.seat, invitation.key),
            "qr": qr_svg(base + seat_path(live.table.id, invitation.seat, invitation.key)),
        }
        for invitation in view.invitations
    ]
    words = json.dumps(script_words(guest.words), ensure_ascii=False).encode()
    clock = live.table.opened.clock
    return page(
        request,
        "table.html",
        guest,
        **table_gaps(view),
        switches=_switches(GAMES[view.board.game]),
        words_json=data_block(words),
        now=house_of(request).alarms.time.now(),
        phrases=speech.PHRASES.items(),
        longest_text=LONGEST_TEXT,
        pairing=bool(live.table.opened.pairing),
        clock_said=speech.clock_said(guest.words, clock.kind, clock.seconds, clock.increment),
        on_time_said=speech.on_time_said(guest.words, live.table.opened.on_time),
        invitations=invitations,
        longest_name=LONGEST_NAME,
        only_this_machine=only_here and not elsewhere,
        preview=preview_of(view_of(live.table, Viewer(None, guest.words)), guest.words),
        base=base,
    )


def qr_svg(text: str) -> Markup:
    """A QR code as SVG, black on transparent, as large as its place."""
    drawn = segno.make(text, error="m").svg_inline(omitsize=True, svgclass=None, lineclass=None)
    return Markup(drawn)  # noqa: S704 - drawn by segno


async def invitation(request: Request) -> Response:
    """GET /t/{table}/seat/{number}/{key}: shows who invites; the page's script, or its button, sits down."""
    guest = guest_of(request)
    live = await house_of(request).live(request.path_params["table"])
    number, key = request.path_params["number"], request.path_params["key"]
    seats = live.table.seats
    if not 1 <= number <= len(seats) or seats[number - 1].key != key:
        raise HouseError(404, N_("This link opens no seat at this table."))
    if guest.holder is not None and seats[number - 1].holder == guest.holder:
        return RedirectResponse(table_path(live.table.id), 303)
    if seats[number - 1].taken:
        return RedirectResponse(table_path(live.table.id), 303)
    by = next(iter(live.table.seats_of(live.table.by)), 1)
    return page(
        request,
        "invitation.html",
        guest,
        view=view_of(live.table, Viewer(guest.holder, guest.words)),
        game=GAMES[live.table.opened.game],
        host=names_at(live.table, guest.words)[by - 1],
        number=number,
        name=remembered_name(request),
        longest_name=LONGEST_NAME,
        own=bool(live.table.seats_of(guest.holder)) or _came_from_this_machine(request),
    )


def _came_from_this_machine(request: Request) -> bool:
    """Whether a link made for other devices was opened where the house runs, most likely by who made it: his
    seats are known under the loopback address, so the cookie cannot tell."""
    elsewhere = request.app.state.public_address
    return bool(elsewhere and request.client and request.client.host == urlsplit(elsewhere).hostname)


async def accept_invitation(request: Request) -> Response:
    """POST /t/{table}/seat/{number}/{key}"""
    refuse_other_sites(request)
    wished = (await _form(request)).get("name", "")
    guest = guest_of(request).known()
    house = house_of(request)
    live = await house.live(request.path_params["table"])
    may_sit(guest, rated=live.table.opened.rated)
    name = called(guest, wished, rated=live.table.opened.rated)
    await house.take_seat(
        live,
        request.path_params["number"],
        key=request.path_params["key"],
        holder=guest.holder or "",
        name=name,
        bot_of=guest.bot_of,
    )
    response = RedirectResponse(table_path(live.table.id), 303)
    remember(request, response, guest, name or None)
    return response


async def rules(request: Request) -> Response:
    """GET /rules and GET /rules/{game}"""
    guest = guest_of(request)
    game = _game_named(request.path_params.get("game", HOME_GAME))
    text = Markup(rules_html(game.id, guest.words.language))  # noqa: S704 - our own text
    return page(request, "rules.html", guest, text=text, game=game, games=GAMES.values())


async def fair(request: Request) -> Response:
    """GET /fair: how the luck of a game is promised, and how anybody can check it"""
    guest = guest_of(request)
    text = Markup(house_html("fair", guest.words.language))  # noqa: S704 - our own text
    return page(request, "fair.html", guest, text=text)


async def choose_language(request: Request) -> Response:
    """GET /lang/{code}?back=/path: keep the language and go back."""
    code = known_language(request.path_params["code"])
    back = request.query_params.get("back", "/")
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    response = RedirectResponse(back, 303)
    remember_language(request, response, code)
    return response


def error_page(request: Request, guest: Guest, status: int, message: str) -> Response:
    """A page that says what went wrong, and where to go: who has to sign in first comes back to his table then."""
    sign_in = None
    if status == 401:
        table = _TABLE_PATH.match(request.url.path)
        sign_in = f"/me?then={table[0]}" if table else "/me"
    return page(request, "error.html", guest, status, code=status, message=message, sign_in=sign_in)


def table_to_return_to(request: Request) -> str | None:
    """The table or the seat from which somebody was sent to sign in (``?then=``), None when it was from none."""
    then = request.query_params.get("then", "")
    return then if _TABLE_PATH.fullmatch(then) else None
