"""What ratings and players' pages take from a finished table: only what its players did themselves."""

from __future__ import annotations

from random import Random

from hypothesis import given, strategies

from oudjat.house.events import Event, Opened, Returned, Started, StoodIn
from oudjat.house.finished import SeatResult, result_of
from oudjat.house.table import Table
from oudjat.rules.game import Draw
from oudjat.rules.isis_osiris import ISIS_OSIRIS
from tests.house.rooms import THREE


def played_out(happens: dict[int, Event]) -> tuple[SeatResult, ...]:
    """What became of the seats of a game of three that is always the same, in which these events happen each before
    the turn of its number, from 0."""
    opened = Opened("isis-osiris", "normal", {}, 1, "at-once", THREE, "ada")
    table = Table.from_events("t", [opened, Started(1, ISIS_OSIRIS.luck(Random(3)), "salt", "promise")])
    randomness = Random(5)
    while table.status == "running":
        if table.playing.asks == "choice" and (event := happens.get(table.playing.turns)):
            table.take(event)
        choices = table.playing.choices()
        draws = Draw() in choices and randomness.random() < 0.5
        table.take(table.event_of(Draw() if draws else randomness.choice(choices)))
    result = result_of(table, 0.0)
    assert result
    return result.seats


ALONE = played_out({})


def test_a_seat_that_was_given_up_before_its_first_turn_has_no_opening_and_no_memory() -> None:
    seats = played_out({0: StoodIn(1, "novice", for_good=True)})
    assert (seats[0].opening, seats[0].recall, seats[0].recalls) == ("", 0.0, 0)
    assert [seat.opening for seat in seats[1:]] == [seat.opening for seat in ALONE[1:]]
    assert all(seat.recalls for seat in ALONE)
    assert all(seat.opening for seat in ALONE)


@given(seat=strategies.integers(1, 3), turn=strategies.integers(1, 35))
def test_what_a_player_and_the_bot_in_his_place_did_is_together_all_that_happened_at_the_seat(
    seat: int, turn: int
) -> None:
    first = played_out({0: StoodIn(seat, "priest"), turn: Returned(seat)})
    then = played_out({turn: StoodIn(seat, "priest")})
    for own, bots, whole in zip(first, then, ALONE, strict=True):
        if own.seat == seat:
            assert own.recalls + bots.recalls == whole.recalls
            assert abs(own.recall + bots.recall - whole.recall) < 1e-9
            assert own.opening == ("" if turn >= seat else whole.opening)
            assert bots.opening == (whole.opening if turn >= seat else "")
        else:
            assert (own.recall, own.opening) == (bots.recall, bots.opening) == (whole.recall, whole.opening)
