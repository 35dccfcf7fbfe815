"""When a player does not play on: his time runs out, he resigns, leaves, comes back. What then happens at the table.

The functions that give events are pure; those that take the house let them happen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oudjat.house.agreeing import until_agreed
from oudjat.house.errors import HouseError
from oudjat.house.events import FORFEIT, Ended, Ending, Event, Left, Resigned, Returned, StoodIn, TimedOut
from oudjat.house.table import Seat, Table
from oudjat.rules.game import N_

if TYPE_CHECKING:
    from oudjat.house.house import House, Live

BOT_AFTER_FORFEIT = "novice"
"""The level of the bot that plays on where a forfeit does not end the game."""


def on_time_out(table: Table, at: float) -> tuple[Event, ...]:
    """What happens when the time of the seat to move is over: a bot plays on, or the seat forfeits. Where not
    everybody has played a turn yet, a forfeit leaves the game without result."""
    seat = table.seat_due
    if seat is None:
        raise ValueError(f"at table {table.id} no clock runs")
    timed_out = TimedOut(seat.number, at)
    if table.opened.on_time != FORFEIT:
        return timed_out, StoodIn(seat.number, stand_in_level(table))
    if table.abortable:
        return timed_out, Ended("abandoned")
    return timed_out, giving_up(table, seat, "time forfeit")


def stand_in_level(table: Table) -> str:
    """The level of the bot that plays on for somebody at this table."""
    kind, _, level = table.opened.on_time.partition(":")
    return level if kind == "bot" else BOT_AFTER_FORFEIT


def giving_up(table: Table, seat: Seat, why: Ending) -> Event:
    """What happens when a seat gives up: of two the other wins; with more a bot plays the seat on, ranked last."""
    if len(table.seats) == 2:
        return Ended(why, (3 - seat.number,))
    return StoodIn(seat.number, stand_in_level(table), for_good=True)


def came_back(seat: Seat, at: float) -> tuple[Returned, ...]:
    """What happens when the player of ``seat`` acts: where a bot stands in for him, he comes back.

    Raises :class:`HouseError` 409 where he cannot: he gave up, or the bot has still to play the turn in which his
    time ran out.
    """
    if seat.gave_up:
        raise HouseError(409, N_("You have given up this seat; a bot plays it to the end."))
    if seat.owed:
        raise HouseError(409, N_("Your time ran out; a bot plays this turn. You can come back after it."))
    return (Returned(seat.number, at),) if seat.stand_in else ()


def own_seat(table: Table, holder: str | None, number: int | None) -> Seat:
    """The seat ``number`` of this holder; where he names none, the one that is to move, else his first that he has
    not given up. Raises :class:`HouseError` 403 when it is not his."""
    seats = [table.seats[own - 1] for own in table.seats_of(holder)]
    if number is not None:
        seats = [seat for seat in seats if seat.number == number]
    if not seats:
        raise HouseError(403, N_("This is not your seat."))
    playing = [seat for seat in seats if not seat.gave_up] or seats
    return next((seat for seat in playing if seat is table.seat_due), playing[0])


@until_agreed
async def resign(house: House, live: Live, holder: str | None, number: int | None) -> None:
    """Give up a seat. Raises :class:`HouseError`: 403 not one's own, 409 the game does not run or it is given up."""
    async with live.lock:
        table = live.table
        seat = own_seat(table, holder, number)
        if table.status != "running":
            raise HouseError(409, N_("Only a game that runs can be resigned."))
        if seat.gave_up:
            raise HouseError(409, N_("You have given up this seat; a bot plays it to the end."))
        resigned = Resigned(seat.number, house.alarms.moment(table))
        await house.record(live, resigned, giving_up(table, seat, "resignation"))


@until_agreed
async def leave(house: House, live: Live, holder: str | None) -> None:
    """Leave a table at which not everybody has played a turn: it ends without result. Who was invited and leaves
    before the game begins only makes his seat free.

    Raises :class:`HouseError`: 403 for who has no seat here, 409 when it is too late.
    """
    async with live.lock:
        table = live.table
        seats = table.seats_of(holder)
        if not seats:
            raise HouseError(403, N_("You have no seat at this table; you can watch."))
        if not table.abortable:
            raise HouseError(409, N_("Everybody has played a turn; now you can only resign."))
        if table.status == "waiting" and holder != table.by:
            await house.record(live, *(Left(number) for number in seats))
        else:
            await house.record(live, Ended("abandoned"))


@until_agreed
async def take_back(house: House, live: Live, holder: str | None, number: int | None) -> None:
    """Play one's seat oneself again, where a bot stands in. Nothing happens where none does.

    Raises :class:`HouseError`: 403 not one's own, 409 the game does not run or one cannot come back (yet).
    """
    async with live.lock:
        seat = own_seat(live.table, holder, number)
        if live.table.status != "running":
            raise HouseError(409, N_("The game is over."))
        returned = came_back(seat, house.alarms.moment(live.table))
        if returned:
            await house.record(live, *returned)
