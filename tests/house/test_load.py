"""The load client, small: no turn lost, doubled or out of order, each wrong one refused with its reason."""

from __future__ import annotations

import asyncio

import pytest
from benchmarks.load.playing import Match
from benchmarks.load.runs import Wish, played, soak


@pytest.mark.parametrize("lean", [False, True])
async def test_hundreds_of_turns_at_some_tables_are_all_there_in_order(lean: bool) -> None:
    """Games end within these turns, and new tables take their places."""
    wish = Wish("sqlite", lean, tables=6, turns=500, refused=4, warm=0.0)
    (row,) = await soak(wish)
    assert row.turns >= 500
    assert row.checked_turns >= row.turns
    assert row.refused > 20
    assert row.finished >= 6


async def test_tables_that_all_end_at_once_are_replaced_before_the_run_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With one table there is none for a moment after each game."""
    begin = Match.begin

    async def begin_slowly(match: Match) -> None:
        await asyncio.sleep(0.25)
        await begin(match)

    monkeypatch.setattr(Match, "begin", begin_slowly)
    (row,) = await soak(Wish("sqlite", lean=True, tables=1, turns=150, refused=0, warm=0.0))
    assert row.turns >= 150
    assert row.checked_turns >= row.turns


async def test_players_at_different_servers_have_each_others_turns_in_order() -> None:
    wish = Wish("postgresql", lean=False, refused=4, warm=0.0)
    row = await played("two", wish, tables=4, rate=None, seconds=None, turns=120, processes=2)
    assert row.checked_turns >= row.turns >= 120
    assert row.refused > 5


async def test_turns_come_at_the_pace_that_was_asked_for() -> None:
    wish = Wish("sqlite", lean=False, refused=0, warm=0.0)
    row = await played("paced", wish, tables=5, rate=50.0, seconds=None, turns=30)
    assert row.checked_turns >= row.turns >= 30
    assert set(row.others) == {"p50", "p95", "p99", "max"}
