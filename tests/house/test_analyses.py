"""Games that are over, analysed for whoever asks: turn by turn, one game at a time, in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from oudjat.house import analyses
from oudjat.house.analyses import Analyses, Analysis
from oudjat.house.errors import HouseError
from oudjat.records import read_records, write_record
from oudjat.study.judged import JudgedTurn
from tests.house.test_thinkers import kill_workers, workers
from tests.serving import QUICK_ANALYSES, Player, Server, legal
from tests.study.kit import random_record
from tests.timing import PATIENCE, until, wait_until

ME, HERE = {"kind": "me"}, {"kind": "here"}
ENDS = [write_record(random_record(seed)) for seed in range(3)]


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates are looked at by other tests: here they need not be good."""
    monkeypatch.setattr(analyses, "A_THOUGHT", 0.003)
    monkeypatch.setattr(analyses, "A_SOLUTION", 0.02)
    monkeypatch.setattr(analyses, "NICENESS", 0)


@pytest.fixture
async def kept() -> AsyncIterator[Analyses]:
    kept = Analyses()
    yield kept
    await kept.close()


async def heard(kept: Analyses, analysis: Analysis) -> list[JudgedTurn | int | None]:
    return [told async for told in kept.follow(analysis)]


def numbers(told: list[JudgedTurn | int | None]) -> list[int]:
    return [turn.turn for turn in told if isinstance(turn, JudgedTurn)]


async def test_each_game_is_analysed_once_and_one_after_the_other(kept: Analyses) -> None:
    first, second = (kept.of(f"t{number}", ENDS[number], 36) for number in (0, 1))
    told = await asyncio.gather(heard(kept, first), heard(kept, first), heard(kept, second))
    assert [numbers(turns) for turns in told] == [list(range(36, 0, -1))] * 3
    assert 1 in told[2], "the second was told that a game comes first"
    assert first.whole
    assert kept.of("t0", ENDS[0], 36) is first
    assert numbers(await heard(kept, first)) == list(range(36, 0, -1))


async def test_who_has_gone_is_not_worked_for(kept: Analyses) -> None:
    first, left, last = (kept.of(f"t{number}", ENDS[number], 36) for number in range(3))
    gone = asyncio.create_task(heard(kept, left))
    await until(lambda: left.followers == 1, "somebody follows")
    gone.cancel()
    await until(lambda: left.left, "he has gone")
    await asyncio.gather(heard(kept, first), heard(kept, last))
    assert not left.turns
    assert left.ended
    again = kept.of("t1", ENDS[1], 36)
    assert again is not left
    assert len(numbers(await heard(kept, again))) == 36


async def test_a_game_whose_last_reader_goes_is_left_when_others_wait(kept: Analyses) -> None:
    left, other = kept.of("left", ENDS[0], 36), kept.of("other", ENDS[1], 36)
    leaving = asyncio.create_task(heard(kept, left))
    staying = asyncio.create_task(heard(kept, other))
    await until(lambda: left.turns, "it has begun")
    leaving.cancel()
    assert len(numbers(await staying)) == 36
    assert left.ended
    assert not left.whole


@pytest.mark.parametrize("steps", range(6))
async def test_who_goes_just_as_something_comes_has_gone(
    kept: Analyses, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    monkeypatch.setattr(kept, "_work_off", asyncio.Event().wait)
    analysis = kept.of("t", ENDS[0], 36)
    following = asyncio.create_task(heard(kept, analysis))
    await until(lambda: analysis.followers, "somebody follows")
    analysis.change()
    for _ in range(steps):
        await asyncio.sleep(0)
    following.cancel()
    await asyncio.wait({following}, timeout=PATIENCE)
    assert analysis.left
    assert following.cancelled()


async def test_a_process_that_cannot_be_started_is_tried_again_for_the_next(
    kept: Analyses, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_given: object, **_named: object) -> None:
        raise BlockingIOError("no process is left")

    with monkeypatch.context() as without:
        without.setattr(analyses, "Thinkers", none_left)
        refused = kept.of("t0", ENDS[0], 36)
        assert numbers(await heard(kept, refused)) == []
        assert not refused.whole
    assert len(numbers(await heard(kept, kept.of("t0", ENDS[0], 36)))) == 36


async def test_what_is_kept_is_bounded_by_its_turns(kept: Analyses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "_MOST_KEPT", 80)
    first, second, third = (kept.of(f"t{number}", ENDS[number], 36) for number in range(3))
    await asyncio.gather(*(heard(kept, analysis) for analysis in (first, second, third)))
    assert kept.of("t2", ENDS[2], 36) is third
    assert kept.of("t1", ENDS[1], 36) is second
    assert kept.of("t0", ENDS[0], 36) is not first


async def test_too_many_have_to_come_back(kept: Analyses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "_MOST_WAITING", 2)
    for number in range(2):
        kept.of(f"t{number}", ENDS[0], 36)
    with pytest.raises(HouseError) as refused:
        kept.of("t2", ENDS[0], 36)
    assert refused.value.status == 503
    assert kept.of("t1", ENDS[0], 36), "who waits already is not refused"


async def test_a_worker_that_dies_is_replaced_and_no_turn_is_missing(kept: Analyses) -> None:
    analysis = kept.of("t", ENDS[0], 36)
    following = asyncio.create_task(heard(kept, analysis))
    await until(lambda: len(analysis.turns) >= 3, "some turns are there")
    kill_workers(os.getpid())
    assert numbers(await following) == list(range(36, 0, -1))


async def test_who_follows_is_told_when_the_house_closes(kept: Analyses) -> None:
    analysis = kept.of("t", ENDS[0], 36)
    following = asyncio.create_task(heard(kept, analysis))
    await until(lambda: analysis.followers, "somebody follows")
    await kept.close()
    await following
    assert analysis.ended
    with pytest.raises(HouseError):
        kept.of("other", ENDS[1], 36)


async def test_who_waits_is_told_too_when_the_house_closes_before_anything_has_begun(kept: Analyses) -> None:
    analyses = [kept.of(f"t{number}", ENDS[number], 36) for number in range(2)]
    await kept.close()
    assert [analysis.ended for analysis in analyses] == [True, True]
    assert [await heard(kept, analysis) for analysis in analyses] == [[], []]


# --- over the API --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("analyses") / "house.db", beforehand=QUICK_ANALYSES)
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


def lines_of(player: Player) -> list[dict[str, Any]]:
    answer = player.http.get(f"/api/tables/{player.table}/analysis")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in answer.text.splitlines() if line]


@pytest.mark.parametrize("game", ["isis-osiris", "ramses", "senet"])
def test_every_turn_is_told_as_the_record_has_it(server: Server, game: str) -> None:
    ada = Player(server.url, "de")
    ada.open(ME, HERE, game=game)
    ada.play_out(tiles_first=game == "isis-osiris")
    *turns, last = (line for line in lines_of(ada) if "waiting" not in line)
    record = next(read_records(ada.http.get(f"/api/tables/{ada.table}/record").text))
    assert [turn["played"] for turn in turns[::-1]] == list(record.turns)  # type: ignore[union-attr]
    assert [turn["turn"] for turn in turns] == list(range(len(turns), 0, -1))
    assert all(turn["objective"] == "win" for turn in turns)
    assert all(turn["said"]["verdict"] for turn in turns)
    for turn in turns:
        assert bool(turn["better"]) == (turn["cost"] >= 0.0005), turn
        assert set(turn["better"]) <= {turn["best"], turn["best_placing"]} - {turn["played"]}
    assert [player["turns"] for player in last["players"]] == [
        sum(turn["seat"] == seat for turn in turns) for seat in (1, 2)
    ]
    if game == "isis-osiris":
        assert turns[0]["exact"]
        assert any("Glück mit der Tafel" in turn["said"]["verdict"] for turn in turns)
    if game == "ramses":
        assert all(turn["exact"] for turn in turns)


def test_to_ask_for_the_head_alone_begins_nothing(server: Server) -> None:
    ada = Player(server.url)
    ada.open(ME, HERE, game="ramses")
    ada.play_out()
    before = workers(server.process.pid)  # also of an analysis that is just ending
    answer = ada.http.head(f"/api/tables/{ada.table}/analysis")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert set(workers(server.process.pid)) <= set(before)
    assert ada.http.post(f"/api/tables/{ada.table}/analysis").status_code == 405


def test_a_game_that_goes_on_is_not_analysed(server: Server) -> None:
    ada = Player(server.url)
    ada.open(ME, HERE)
    ada.submit("Pa1")
    for path in (f"/api/tables/{ada.table}/analysis", f"/t/{ada.table}/analysis"):
        answer = ada.http.get(path)
        assert answer.status_code == 409
        assert "A game can be analysed when it is over." in answer.text
    assert ada.http.get("/api/tables/nowhere/analysis").status_code == 404


def test_a_game_that_was_given_up_is_analysed_with_its_tiles_face_up(server: Server) -> None:
    ada = Player(server.url)
    ada.open(ME, HERE, options={"memory": "strict"})
    for _ in range(3):
        ada.submit("draw")
        ada.submit(legal(ada.state()))
    ada.submit("draw")
    assert ada.http.post(f"/api/tables/{ada.table}/resign", json={"seat": 2}).status_code == 200
    turns = [line for line in lines_of(ada) if "turn" in line]
    assert [turn["turn"] for turn in turns] == [3, 2, 1]
    assert all(turn["played"][0] in "+-" for turn in turns)


@pytest.mark.parametrize(("other", "drawn"), [("here", False), ("here", True), ("friend", False)])
def test_a_game_without_a_turn_has_nothing_to_analyse(server: Server, other: str, drawn: bool) -> None:
    ada = Player(server.url)
    ada.open(ME, {"kind": other})
    if drawn:
        assert ada.submit("draw").status_code == 200
    assert ada.http.post(f"/api/tables/{ada.table}/leave").status_code == 200
    assert ada.state()["status"] == "over"
    answer = ada.http.get(f"/api/tables/{ada.table}/analysis")
    assert answer.status_code == 409
    assert "nothing to analyse" in answer.json()["error"]["message"]


def test_a_server_that_stops_lets_go_of_who_follows(tmp_path: Path) -> None:
    slow = "import oudjat.house.analyses as found; found.A_THOUGHT, found.A_GAME = 1.0, 1e6"
    server = Server(tmp_path / "house.db", beforehand=slow)
    ada = Player(server.url)
    ada.open(ME, HERE)
    for _ in range(4):
        ada.submit("draw")
        ada.submit(legal(ada.state()))
    ada.http.post(f"/api/tables/{ada.table}/resign", json={"seat": 2})
    of_bots = set(workers(server.process.pid))
    with ada.http.stream("GET", f"/api/tables/{ada.table}/analysis") as stream:
        wait_until(lambda: not set(workers(server.process.pid)) <= of_bots, "it is being analysed")
        server.process.send_signal(signal.SIGTERM)
        lines = [json.loads(line) for line in stream.iter_lines() if line]
    assert lines[-1]["error"]["message"] == "This analysis broke off; please try again."
    assert server.stop() == 0
