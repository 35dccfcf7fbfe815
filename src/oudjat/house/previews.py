"""How a table shows where its link is shown: a title, a sentence and a picture (the Open Graph protocol).

Everything comes from what a spectator may see. Of a table that is not public nothing is told but its game: whoever has
the link may look, and a link preview is made by others.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from oudjat.house.answers import table_path
from oudjat.house.api import house_of
from oudjat.house.paint import TableView, Viewer, view_of
from oudjat.house.picture import HEIGHT, WIDTH, png_of, svg_of
from oudjat.house.requests import guest_of
from oudjat.house.static import STATIC_PATH
from oudjat.house.thinkers import Thinkers
from oudjat.rules.game import N_
from oudjat.rules.registry import game_named
from oudjat.texts.catalog import Words

PLAIN_PICTURE = f"{STATIC_PATH}/icon-512.png"
"""What stands for every table that is not public."""

_MOST_KEPT = 64
_PICTURE = {"cache-control": "no-cache"}


@dataclass(frozen=True, slots=True)
class Preview:
    """What is said of a page where its link is shown; ``picture`` is a path of this house."""

    title: str
    sentence: str
    picture: str
    says: str
    size: tuple[int, int]


def preview_of(view: TableView, words: Words) -> Preview:
    """A table's preview, made from what anybody may see of it (``view`` is a spectator's)."""
    game = game_named(view.board.game).name
    if not view.public:
        sentence = words(N_("A table of {game}. Open it to play or to watch."), game=game)
        return Preview(game, sentence, PLAIN_PICTURE, "Oudjat", (512, 512))
    names = ", ".join(seat.name for seat in view.seats if seat.kind != "open")
    sentence = view.result
    if view.status == "waiting":
        sentence = words(N_("{names} would like to play {game}. Sit down!"), names=names, game=game)
    elif view.status == "running":
        sentence = words(N_("{names} are playing {game}. Watch them."), names=names, game=game)
    picture = f"{table_path(view.table)}/board.png?seq={view.seq}"
    return Preview(game, sentence, picture, words(N_("The board")), (WIDTH, HEIGHT))


class Pictures:
    """The latest pictures of boards, drawn by the worker processes, each once."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._kept: OrderedDict[str, asyncio.Task[bytes]] = OrderedDict()

    async def png(self, svg: str) -> bytes:
        """A picture in pixels."""
        drawn = self._kept.get(svg)
        if drawn is None or (drawn.done() and (drawn.cancelled() or drawn.exception())):
            drawn = self._kept[svg] = asyncio.create_task(self._thinkers.run(png_of, svg))
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return await asyncio.shield(drawn)


async def _public_board(request: Request) -> str | None:
    """The board of a public table as SVG, None of any other."""
    live = await house_of(request).live(request.path_params["table"])
    view = view_of(live.table, Viewer(None, guest_of(request).words))
    return svg_of(view.board) if view.public else None


async def board_svg(request: Request) -> Response:
    """GET /t/{table}/board.svg: the board as a spectator sees it"""
    svg = await _public_board(request)
    if svg is None:
        return RedirectResponse(PLAIN_PICTURE, 307)
    return Response(svg, media_type="image/svg+xml", headers=_PICTURE)


async def board_png(request: Request) -> Response:
    """GET /t/{table}/board.png: the same in pixels, which services that show links want"""
    svg = await _public_board(request)
    if svg is None:
        return RedirectResponse(PLAIN_PICTURE, 307)
    pictures: Pictures = request.app.state.pictures
    return Response(await pictures.png(svg), media_type="image/png", headers=_PICTURE)
