"""Talk at a table: ready phrases, which each reader gets in his language, and free text among friends.

Free text is for those who came by the same link: at a public table there are phrases only, and who has no seat reads
no free text. Everybody mutes others for himself, in his browser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oudjat.house.agreeing import until_agreed
from oudjat.house.errors import HouseError
from oudjat.house.events import Said
from oudjat.house.leaving import own_seat
from oudjat.house.requests import LONGEST_TEXT, Say, clean_text
from oudjat.rules.game import N_
from oudjat.texts.speech import PHRASES

if TYPE_CHECKING:
    from oudjat.house.house import House, Live

MOST_SAID = 500
"""How often anything can be said at one table."""


def said_by(wish: Say, seat: int, *, public: bool) -> Said:
    """What somebody says. Raises :class:`HouseError`: 403 free text at a public table, 422 nothing, too much, or a
    phrase that there is not."""
    text = clean_text(wish.text, LONGEST_TEXT, N_("What you say has at most {most} letters."))
    if bool(text) == bool(wish.phrase) or wish.phrase not in ("", *PHRASES):
        raise HouseError(422, N_("Choose a ready phrase, or write something."))
    if text and public:
        raise HouseError(403, N_("At a table that is open to all there are ready phrases only."))
    return Said(seat, wish.phrase, text)


@until_agreed
async def say(house: House, live: Live, holder: str | None, wish: Say) -> None:
    """Say something at a table. Raises :class:`HouseError`: 403 for who has no seat there, 409 when enough was said,
    and as :func:`said_by` does."""
    async with live.lock:
        table = live.table
        if not table.seats_of(holder):
            raise HouseError(403, N_("Only players talk at a table."))
        said = said_by(wish, own_seat(table, holder, wish.seat).number, public=table.opened.public)
        if len(table.talk) >= MOST_SAID:
            raise HouseError(409, N_("Enough has been said at this table."))
        await house.record(live, said)
