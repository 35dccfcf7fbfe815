"""The page about oneself: ``/me``."""

from __future__ import annotations

import json

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from oudjat.house.accounts import MOST_BOTS
from oudjat.house.me import me_of, people_of
from oudjat.house.pages import data_block, page, table_to_return_to
from oudjat.house.passwords import LONGEST, SHORTEST
from oudjat.house.requests import LONGEST_NAME, guest_of
from oudjat.house.schema import seats
from oudjat.house.script_words import me_words


async def show(request: Request) -> Response:
    """GET /me; with ``?again`` whoever is signed in is asked to do it once more, with ``?then=`` a table's path he
    comes back there."""
    guest = guest_of(request)
    person = guest.person
    me = await me_of(request, person.account if person else None, person.session if person else None)
    along = ""
    if guest.holder and not person:
        query = sa.select(sa.func.count(seats.c.table_id.distinct())).where(seats.c.holder == guest.holder)
        (games,) = await people_of(request).store.scalars(query)
        if games:
            along = guest.words.count(
                "The table that you have in this browser comes along.",
                "The {number} tables that you have in this browser come along.",
                games,
            )

    return page(
        request,
        "me.html",
        guest,
        account=me,
        along=along,
        again="again" in request.query_params,
        then=table_to_return_to(request) or "/me",
        longest_name=LONGEST_NAME,
        shortest=SHORTEST,
        longest=LONGEST,
        most_bots=MOST_BOTS,
        words_json=data_block(json.dumps(me_words(guest.words), ensure_ascii=False).encode()),
    )
