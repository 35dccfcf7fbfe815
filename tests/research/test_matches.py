"""A match deals fairly, plays by the rules, and comes out the same wherever its games are played."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from datetime import date
from math import factorial
from pathlib import Path
from random import Random

import pytest

from oudjat.engine.levels import LEVELS
from oudjat.engine.thought import Budget, Thought
from oudjat.records import Record, RecordError, read_records, replay
from oudjat.research import matches
from oudjat.research.matches import Match, Result, participants, play_game, record_of, thinker
from oudjat.research.record_file import RecordFile
from oudjat.research.workers import play_match
from oudjat.rules.game import Outcome, Position, Turn
from oudjat.rules.isis_osiris import ISIS_OSIRIS
from tests.timing import wait_until

PLAYERS = list(ISIS_OSIRIS.players)
TODAY = date(2026, 11, 29)


def anything(start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None) -> Thought:
    """A participant that does anything, at once."""
    position = start
    for turn in turns:
        position = position.follow(turn)
    return Thought(Random(f"{seed} {position.turns} {position.asks}").choice(position.choices()))


@pytest.fixture
def _anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(matches.REFERENCES, "anything", anything)


@pytest.mark.parametrize("players", PLAYERS)
def test_in_a_block_everybody_sits_once_on_each_seat_with_the_same_luck(players: int) -> None:
    match = Match(("novice",) * players, games=4 * players)
    for block in range(4):
        numbers = range(block * players, (block + 1) * players)
        seatings = [match.seating(number) for number in numbers]
        for seat in range(players):
            assert {seating[seat] for seating in seatings} == set(range(players))
        assert {match.block(number) for number in numbers} == {block}
        assert len({match.luck(number) for number in numbers}) == 1
    assert len({match.luck(number) for number in range(match.games)}) == 4


@pytest.mark.parametrize("players", PLAYERS)
def test_in_all_blocks_together_everybody_follows_everybody_equally_often(players: int) -> None:
    match = Match(("novice",) * players, games=players * factorial(players - 1))
    follows = Counter(
        (seating[seat - 1], seating[seat])
        for seating in map(match.seating, range(match.games))
        for seat in range(players)
    )
    assert len(follows) == players * (players - 1)
    assert len(set(follows.values())) == 1


def test_each_bot_of_each_game_has_a_chance_of_its_own() -> None:
    match = Match(("priest",) * 4, games=50)
    seeds = {match.bot_seed(number, seat) for number in range(50) for seat in range(4)}
    assert len(seeds) == 200
    assert match.bot_seed(0, 0) != Match(("priest",) * 4, games=50, seed=1).bot_seed(0, 0)
    assert match.luck(0) != Match(("priest",) * 4, games=50, seed=1).luck(0)


@pytest.mark.usefixtures("_anything")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", ISIS_OSIRIS.variants)
def test_games_are_records_that_the_rules_accept(players: int, variant: str) -> None:
    match = Match(("anything", "novice", "anything", "scribe")[:players], games=2, variant=variant)
    for number in range(match.games):
        result = play_game(match, number)
        record = record_of(match, result, TODAY)
        replayed = replay(record)
        assert replayed.last.outcome == result.outcome
        assert (replayed.last.variant, replayed.last.players) == (variant, players)
        for seat, player in enumerate(result.seating, 1):
            assert record.tag(f"Seat{seat}") == f"Bot: {match.levels[player]}"
        assert record.tag("Event") == f"Match with seed 0, game {number + 1}"
        assert record.tag("Date") == "2026-11-29"


def test_the_tiles_of_a_block_are_turned_over_in_the_same_order() -> None:
    match = Match(("scribe", "novice"), games=2)
    dealt = []
    for number in range(2):
        turns = play_game(match, number).turns
        dealt.append([[turn[:2] for turn in turns[seat::2] if turn[0] in "+-"] for seat in range(2)])
    for ours, theirs in zip(*dealt, strict=True):
        both = min(len(ours), len(theirs))
        assert both > 3
        assert ours[:both] == theirs[:both]


def test_what_a_player_got_is_told_by_player_not_by_seat() -> None:
    result = Result(0, (2, 0, 1), (), Outcome((5, 9, 9), (2, 3)))
    assert [result.score(player) for player in range(3)] == [9, 9, 5]
    assert [result.margin(player) for player in range(3)] == [0, 0, -4]
    assert [result.share(player) for player in range(3)] == [0.5, 0.5, 0.0]
    assert (result.against(0, 1), result.against(0, 2), result.against(2, 1)) == (0.5, 1.0, 0.0)


def test_a_game_without_points_has_no_margins() -> None:
    result = Result(0, (1, 0), (), Outcome(None, (1,)))
    assert (result.score(0), result.margin(0), result.share(1), result.against(1, 0)) == (
        None,
        None,
        1.0,
        1.0,
    )


def test_everybody_can_take_part_who_is_a_level_or_a_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(matches.REFERENCES, "anything", anything)
    assert participants()[: len(LEVELS)] == tuple(LEVELS)
    assert participants()[-1] == "anything"
    assert thinker("anything") is anything
    with pytest.raises(KeyError, match="no level “god”; there is: novice, "):
        thinker("god")


def test_worker_processes_play_the_same_games() -> None:
    match = Match(("novice", "scribe", "novice"), games=4, seed=3)
    alone = [play_game(match, number) for number in range(match.games)]
    with closing(play_match(match, jobs=2)) as results:
        assert sorted(results, key=lambda result: result.number) == alone
    wait_until(lambda: not multiprocessing.active_children(), "a worker is left")


def test_a_worker_that_dies_is_not_passed_over() -> None:
    results = play_match(Match(("novice", "novice"), games=4000), jobs=1)
    next(results)
    for child in multiprocessing.active_children():
        child.kill()
    with closing(results), pytest.raises(BrokenProcessPool):
        list(results)


def test_leaving_early_stops_the_workers() -> None:
    results = play_match(Match(("novice", "novice"), games=4000), jobs=1)
    next(results)
    children = multiprocessing.active_children()
    results.close()
    assert children
    # asked again and again: the pool's own thread collects its workers too, and while it does, one that has ended
    # looks alive to everybody else
    wait_until(lambda: not any(child.is_alive() for child in children), "a worker goes on")


@pytest.mark.usefixtures("_anything")
def test_the_file_holds_the_games_in_their_order_whichever_is_ready_first(tmp_path: Path) -> None:
    match = Match(("anything", "anything"), games=6)
    played = [play_game(match, number) for number in range(6)]
    file = tmp_path / "games.txt"

    def events() -> list[str]:
        found = []
        for record in read_records(file.read_text(encoding="utf-8")):
            assert not isinstance(record, RecordError)
            assert isinstance(replay(record).record, Record)
            found.append(str(record.tag("Event"))[-1])
        return found

    with RecordFile(file, match, TODAY) as records:
        assert events() == []
        for number, there in ((1, ""), (0, "12"), (3, "12"), (5, "12"), (2, "1234")):
            records.add(played[number])
            assert events() == list(there)
    assert events() == list("12346")
    with RecordFile(file, match, TODAY):
        pass
    assert file.read_text(encoding="utf-8") == ""
