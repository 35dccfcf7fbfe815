"""Bots at tables: whatever goes wrong with a thought, the table goes on."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from oudjat.house import house as house_module
from oudjat.house.events import Opened, SeatPlan
from oudjat.house.house import House
from oudjat.house.store import Store
from oudjat.rules.game import Draw, Position, Turn
from tests.house.lines import HeldLine
from tests.timing import until


class FailingThinkers:
    """Fails a few times, as workers that die again and again do, then takes the first turn there is."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    async def choose(self, start: Position, steps: tuple[Turn, ...], level: str, seed: int) -> Turn:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("the workers die")
        position = start
        for step in steps:
            position = position.follow(step)
        return next((turn for turn in position.choices() if turn != Draw()), Draw())


async def test_a_table_goes_on_after_failed_thoughts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "BETWEEN_TRIES", 0.01)
    store = Store(f"sqlite:///{tmp_path}/house.db")
    thinkers: Any = FailingThinkers(5)
    house = House(store, thinkers, random.Random(1))
    plans = (SeatPlan(level="novice"), SeatPlan(level="scribe"))
    live = await house.open_table(Opened("isis-osiris", "normal", {}, 1, "at-once", plans, ""))
    await until(lambda: live.table.status == "over", "the bots play on")
    await house.close()
    store.close()


async def test_a_forgotten_table_comes_back_for_its_followers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_module, "MOST_IDLE", 0)
    from oudjat.house.paint import Viewer
    from oudjat.texts.catalog import words_in

    store = Store(f"sqlite:///{tmp_path}/house.db")
    thinkers: Any = FailingThinkers(0)
    house = House(store, thinkers, random.Random(1))
    plans = (SeatPlan(holder="h"), SeatPlan(holder="h"))
    opened = Opened("isis-osiris", "normal", {}, 1, "at-once", plans, "h")
    table_id = (await house.open_table(opened)).table.id
    for _ in range(5):
        await house.open_table(opened)  # each lets go of all the others
    line = HeldLine()
    listener = asyncio.create_task(house.follow(table_id, Viewer(None, words_in("en")), None, line))
    await until(lambda: line.heard, "he follows")
    live = await house.live(table_id)
    await house.submit(live, "h", "Pa1", live.table.seq)
    await until(lambda: b"Pa1" in b"".join(line.heard), "he is told")
    await house.close()
    await listener
    store.close()
