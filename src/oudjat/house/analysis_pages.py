"""What the turns of a finished game were worth: the page, and the same for programs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict
from datetime import date

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from oudjat.house.analyses import Analyses, Analysis
from oudjat.house.api import enter
from oudjat.house.errors import HouseError
from oudjat.house.followers import Line
from oudjat.house.pages import data_block, page, table_gaps
from oudjat.house.paint import Viewer, view_of
from oudjat.house.script_words import analysis_words
from oudjat.house.streams import LINES, Stream
from oudjat.house.table import Table
from oudjat.records import write_record
from oudjat.rules.game import N_
from oudjat.study.judged import JudgedTurn
from oudjat.study.summaries import Summary, summaries
from oudjat.study.told import summary_told, turn_told
from oudjat.study.wording import summary_said, turn_said, verdict
from oudjat.texts.catalog import Words

OBJECTIVE = "win"
"""What turns are weighed by here: games without points know nothing else."""


def _refuse_if_not_over(table: Table) -> None:
    if table.status != "over":
        raise HouseError(409, N_("A game can be analysed when it is over."))
    if table.position is None or not table.position.turns:
        raise HouseError(409, N_("Nobody took a turn in this game, so there is nothing to analyse."))


async def analysis(request: Request) -> Response:
    """GET /api/tables/{table}/analysis"""
    house, live, guest = await enter(request)
    table = live.table
    _refuse_if_not_over(table)
    if request.method == "HEAD":
        return Stream(_say_nothing, LINES)
    nameless = table.record([""] * len(table.seats), date.min, whole=True)
    found = house.analyses.of(table.id, write_record(nameless), table.playing.turns)
    return Stream(lambda line: _tell(line, house.analyses, found, len(table.seats), guest.words), LINES)


async def _say_nothing(line: Line) -> None:
    await line.hang_up()


async def _tell(line: Line, analyses: Analyses, found: Analysis, players: int, words: Words) -> None:
    """Write an analysis as it comes, until it ends or the reader goes."""
    gone = asyncio.ensure_future(line.gone())
    lines = _lines(analyses, found, players, words)
    try:
        while True:
            following = asyncio.ensure_future(anext(lines, None))
            await asyncio.wait({following, gone}, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
                return
            text = following.result()
            if text is None:
                await line.hang_up()
                return
            await line.write(text)
    finally:
        gone.cancel()
        await lines.aclose()


async def _lines(
    analyses: Analyses, found: Analysis, players: int, words: Words
) -> AsyncGenerator[bytes, None]:
    """The lines of an answer: how many games come first, the turns from the last to the first, and at the end how each
    player did, or an error. An empty line means that it goes on."""
    async with aclosing(analyses.follow(found)) as following:
        async for told in following:
            if told is None:
                yield b"\n"
            elif isinstance(told, int):
                yield _line({"waiting": told})
            else:
                yield _line(_turn(words, told))
    if found.whole:
        yield _line(
            {"players": [_player(words, each) for each in summaries(found.turns, players, OBJECTIVE)]}
        )
    else:
        sentence = N_("This analysis broke off; please try again.")
        yield _line({"error": {"message": words(sentence)}})


def _line(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _turn(words: Words, turn: JudgedTurn) -> dict[str, object]:
    said = turn_said(words, turn, OBJECTIVE)
    told = turn_told(1, turn, OBJECTIVE)
    del told["game"]
    cells = {name: " ".join(text.split()) for name, text in asdict(said).items()}
    better = [each.text for each in turn.better]
    return told | {"better": better, "said": cells | {"verdict": verdict(words, turn, said)}}


def _player(words: Words, summary: Summary) -> dict[str, object]:
    return summary_told(summary, OBJECTIVE) | {"said": summary_said(words, OBJECTIVE, summary)}


async def show(request: Request) -> Response:
    """GET /t/{table}/analysis"""
    _, live, guest = await enter(request)
    _refuse_if_not_over(live.table)
    view = view_of(live.table, Viewer(guest.holder, guest.words))
    return page(
        request,
        "analysis.html",
        guest,
        **table_gaps(view),
        words_json=data_block(json.dumps(analysis_words(guest.words), ensure_ascii=False).encode()),
    )


def routes() -> list[Route]:
    """All of it, as the application serves it."""
    return [
        Route("/t/{table}/analysis", show),
        Route("/api/tables/{table}/analysis", analysis),
    ]
