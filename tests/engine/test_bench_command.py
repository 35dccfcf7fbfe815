"""The subcommand that measures, and what it measures."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from oudjat.cli import bench
from oudjat.engine import measuring
from oudjat.engine.measuring import SIZES, Measured, fixed_positions
from oudjat.rules.isis_osiris import SHARED

PROMISED = {
    "playouts_per_second", "playouts_per_second_all", "import_seconds", "first_move_seconds", "compile_seconds",
    "solve_seconds", "solve_win_seconds", "peer", "turns_microseconds",
}  # fmt: skip


@pytest.fixture
def in_no_time(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Every figure is found at once; what was asked for (quick or not) is noted."""
    asked: list[bool] = []
    real = measuring.measures

    def measures(*, quick: bool = False) -> dict[str, Callable[[], Measured]]:
        asked.append(quick)
        figures: dict[str, Measured] = {
            "solve_seconds": [0.01, 0.02, 1.5, None],
            "peer": {"hex_6x6": 54321.0},
        }
        return {name: lambda name=name: figures.get(name, 1234567.0) for name in real(quick=quick)}  # type: ignore[misc]

    monkeypatch.setattr(measuring, "measures", measures)
    return asked


def test_it_tells_one_json_object(in_no_time: list[bool], capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.bench(as_json=True) == 0
    out = capsys.readouterr().out
    told = json.loads(out)
    assert out.count("\n") == 1
    assert set(told) >= PROMISED
    assert told["solve_seconds"] == [0.01, 0.02, 1.5, None]
    assert in_no_time == [False]


def test_it_shows_a_table(in_no_time: list[bool], capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.bench(quick=True) == 0
    out = capsys.readouterr().out
    assert "1,234,567" in out
    assert "peer: hex_6x6" in out
    assert [f"solve_seconds: {free}" in out for free in SIZES] == [True] * len(SIZES)
    assert in_no_time == [True]


def test_the_positions_are_fixed_and_mixed() -> None:
    for free in SIZES:
        positions = fixed_positions(free)
        assert positions == fixed_positions(free)
        assert len(set(positions)) == measuring.POSITIONS
        assert {position.free_spaces for position in positions} == {free}
        assert {position.core[SHARED] for position in positions} == {0, 1}
        assert fixed_positions(free, 3) == positions[:3]


def test_figures_are_plausible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "LIMIT", 600.0)
    assert 10 < measuring.playouts_per_second(seconds=0.05) < 1e9
    small = measuring.solve_seconds("margin", (2, 1, 0, 0))
    assert [found is None for found in small] == [False, False, True, True]
    assert 0.05 < measuring.import_seconds(times=1) < 600


def test_what_takes_too_long_has_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "LIMIT", 0.0)
    assert measuring.solve_seconds("win", (0, 0, 2, 0)) == [None] * 4


def test_without_openspiel_there_is_no_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert measuring.peer() is None


def test_with_openspiel_its_games_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def load_game(described: str) -> Any:
        asked.append(described)
        return SimpleNamespace(new_initial_state=lambda: "start")

    spiel = SimpleNamespace(
        load_game=load_game,
        RandomRolloutEvaluator=lambda count, seed: (count, seed),
        MCTSBot=lambda game, evaluator, **options: SimpleNamespace(mcts_search=lambda state: None),
    )
    monkeypatch.setitem(sys.modules, "pyspiel", spiel)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    found = measuring.peer(seconds=0.001)
    assert found is not None
    assert set(found) == set(measuring.PEERS)
    assert all(rate > 0 for rate in found.values())
    assert asked == list(measuring.PEERS.values())
