from datetime import date

import pytest

from oudjat.records import read_records, replay, write_record
from oudjat.rules.game import Draw, IllegalTurn, SetupError
from oudjat.terminal.diary import diary
from oudjat.terminal.match import Match, try_step
from oudjat.terminal.seating import Player, Setup, names_of, read_first, read_seats
from oudjat.texts.catalog import words_in
from tests.terminal.kit import BOT, ME, a_match

NAMES = ("Ada", "Novice")
TODAY = date(2026, 11, 29)


def played_out(match: Match) -> Match:
    while not match.over:
        match.take(match.thinking()())
    return match


@pytest.mark.parametrize("variant", ["normal", "shared"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_same_seed_plays_the_same_game_and_its_record_replays(seats: int, variant: str) -> None:
    names = [f"Bot {number}" for number in range(seats)]
    records = {
        write_record(
            played_out(a_match((BOT,) * seats, seed=9, variant=variant, first=None)).record(names, TODAY)
        )
        for _ in range(2)
    }
    assert len(records) == 1
    (game,) = read_records(records.pop())
    assert replay(game).last.outcome is not None  # type: ignore[arg-type]
    other = played_out(a_match((BOT,) * seats, seed=10, variant=variant, first=None))
    assert write_record(other.record(names, TODAY)) != write_record(game)  # type: ignore[arg-type]


def test_an_unfinished_strict_record_withholds_every_value() -> None:
    match = a_match((ME, ME))
    match.take(Draw())
    held = match.view().drawn
    match.take(match.game.read(f"{held}c4"))
    match.take(Draw())
    assert match.record(NAMES, TODAY).turns == ("?c4",)
    open_match = a_match((ME, ME), options=(("memory", "open"),))
    open_match.take(Draw())
    open_match.take(open_match.game.read(f"{open_match.view().drawn}c4"))
    assert open_match.record(NAMES, TODAY).turns == (f"{held}c4",)


def test_the_diary_tells_a_tile_in_hand_and_forgets_a_placed_one() -> None:
    match, words = a_match((ME, ME)), words_in("en")
    match.take(Draw())
    value = match.view().drawn or ""
    shown = value.replace("-", "−")
    assert diary(match, NAMES, words) == [(1, f"Ada turned over {shown}.")]
    match.take(match.game.read(f"{value}c4"))
    assert diary(match, NAMES, words) == [(1, "Ada turned over a tile and placed it on c4.")]


def test_nobody_acts_for_a_bot() -> None:
    match = a_match(first=2)
    with pytest.raises(IllegalTurn) as refused:
        try_step(match, "Pc3", NAMES)
    assert "wait for Novice" in str(refused.value)
    assert match.turns == []


def test_who_sits_where() -> None:
    assert read_seats("me, me:Ada ,novice", ["novice"]) == (Player(), Player("Ada"), Player(level="novice"))
    for wrong in ("you", "me,,me", "novice:Ada", "me,pharaoh", ""):
        with pytest.raises(SetupError):
            read_seats(wrong, ["novice"])
    assert read_first("lot") is None
    assert read_first("2") == 2
    with pytest.raises(SetupError):
        read_first("two")
    with pytest.raises(SetupError):
        Match(Setup((ME,), 1))
    names = names_of((BOT, ME, BOT), ("green", "yellow", "black"), words_in("en"))
    assert names == ("Novice 1", "Ada", "Novice 2")


def test_a_lot_decides_who_begins() -> None:
    """IO-6."""
    assert {Match(Setup((ME, ME, ME), seed)).first for seed in range(30)} == {1, 2, 3}
