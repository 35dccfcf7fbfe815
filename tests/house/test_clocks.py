"""Clocks at tables: what is left, what happens on time-out, who comes back, resigning and leaving."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, strategies

from oudjat.house.clocks import BOUNDS, GRACE, NO_CLOCK, Clock, Clocks
from oudjat.house.errors import HouseError
from oudjat.house.events import (
    Ended,
    Event,
    Opened,
    Played,
    Resigned,
    Returned,
    SeatPlan,
    Started,
    StoodIn,
    TimedOut,
)
from oudjat.house.house import Live
from oudjat.house.leaving import leave, resign, take_back
from oudjat.house.schema import events
from oudjat.house.table import Table
from oudjat.house.timekeeper import BEAT
from oudjat.records import Record, read_records, replay
from oudjat.rules.game import Draw
from oudjat.rules.isis_osiris import ISIS_OSIRIS
from tests.databases import Database
from tests.house.rooms import THREE, TWO, Room
from tests.serving import Player, Server
from tests.timing import until, wait_until

GAME = Clock("game", 60, 5)
TURN = Clock("turn", 20)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    room = Room(f"sqlite:///{tmp_path}/house.db")
    await room.wake()
    yield room
    await room.close()


def kinds(live: Live, last: int) -> list[type[Event]]:
    return [type(event) for event in live.table.events[-last:]]


async def test_a_turn_takes_from_the_clock_and_brings_the_increment(room: Room) -> None:
    live = await room.table(GAME)
    room.seconds.now += 10
    await room.play(live, "ada")
    assert live.table.clocks.left == [55.0, 60.0]
    assert live.table.clocks.running == 2
    room.seconds.now += 2
    await room.play(live, "bo", "draw")
    assert live.table.clocks.left == [55.0, 58.0]
    room.seconds.now += 3
    await room.play(live, "bo")
    assert live.table.clocks.left == [55.0, 60.0]
    other = await room.table(TURN)
    room.seconds.now += 10
    await room.play(other, "ada")
    assert other.table.clocks.left == [20.0, 20.0]


async def test_a_turn_that_is_only_a_little_late_counts(room: Room) -> None:
    live = await room.table(GAME)
    await room.pass_time(60 + GRACE / 2)
    await room.play(live, "ada")
    assert live.table.clocks.left == [5.0, 60.0]
    assert live.table.steps


async def test_on_time_out_a_bot_plays_the_turn_and_its_player_can_come_back_after_it(room: Room) -> None:
    live = await room.table(GAME)
    await room.play(live, "ada")
    await room.play(live, "bo", "draw")
    await room.pass_time(60 + GRACE)
    assert kinds(live, 2) == [TimedOut, StoodIn]
    assert live.table.seats[1].stand_in == "priest"
    for attempt in (take_back(room.house, live, "bo", None), room.play(live, "bo")):
        with pytest.raises(HouseError) as refused:
            await attempt
        assert refused.value.status == 409
    with pytest.raises(HouseError):
        await room.play(live, "ada")
    await room.bot_plays(live)
    assert room.thinkers.levels == ["priest"]
    assert live.table.playing.turns == 2
    assert live.table.clocks.left == [65.0, 0.0]
    await take_back(room.house, live, "bo", 2)
    assert live.table.clocks.left[1] == 30.0
    assert live.table.clocks.running == 1
    await take_back(room.house, live, "bo", 2)
    assert kinds(live, 2) == [Played, Returned], "who is there already changes nothing"


async def test_the_next_turn_of_a_player_takes_his_seat_back_too(room: Room) -> None:
    live = await room.table(TURN)
    await room.pass_time(20 + GRACE)
    await room.bot_plays(live)
    await room.play(live, "bo")
    assert live.table.bot_due
    await room.play(live, "ada")
    assert kinds(live, 2) == [Returned, Played]
    assert not live.table.seats[0].stand_in
    room.thinkers.may.set()
    await asyncio.sleep(0.05)
    assert live.table.playing.turns == 3, "the bot that thought in his place keeps still"


async def test_a_late_turn_that_the_bot_has_played_is_not_taken_for_its_players_own(room: Room) -> None:
    live = await room.table(TURN)
    known = live.table.seq
    await room.pass_time(20 + GRACE)
    await room.bot_plays(live)
    played = live.table.events[-1]
    assert isinstance(played, Played)
    with pytest.raises(HouseError) as refused:
        await room.house.submit(live, "ada", played.turn, known)
    assert refused.value.status == 409
    assert live.table.seats[0].stand_in, "he is not back"
    await room.play(live, "bo")
    known = live.table.seq
    await room.play(live, "ada", "draw")
    await room.pass_time(20 + GRACE)
    await room.bot_plays(live)
    assert await room.house.submit(live, "ada", "draw", known) is None, (
        "that was his own, whoever placed the tile"
    )
    drawn = live.table.events[-1]
    assert isinstance(drawn, Played)
    with pytest.raises(HouseError):
        await room.house.submit(live, "ada", drawn.turn, known + 2)


async def test_who_never_comes_back_is_played_on_to_the_end(room: Room) -> None:
    live = await room.table(TURN)
    room.thinkers.may.set()
    while live.table.status == "running":
        if live.table.bot_due:
            await asyncio.sleep(0.01)
        elif live.table.seat_due and live.table.seat_due.number == 1:
            await room.pass_time(20 + GRACE)
        else:
            await room.play(live, "bo")
    assert live.table.ended is None
    assert sum(isinstance(event, TimedOut) for event in live.table.events) == 1


@pytest.mark.parametrize("clock", [GAME, TURN, Clock("days", 2 * 86_400)])
async def test_a_forfeit_of_two_is_won_by_the_other(room: Room, clock: Clock) -> None:
    live = await room.table(clock, "forfeit")
    await room.play(live, "ada")
    await room.play(live, "bo")
    await room.pass_time(clock.seconds + 5 + GRACE)
    assert live.table.status == "over"
    assert live.table.ended == Ended("time forfeit", (2,))
    assert live.table.clocks.running is None
    with pytest.raises(HouseError) as refused:
        await room.play(live, "ada")
    assert refused.value.status == 409


async def test_who_never_began_forfeits_nothing(room: Room) -> None:
    live = await room.table(GAME, "forfeit")
    await room.play(live, "ada")
    await room.pass_time(61 + GRACE)
    assert live.table.ended == Ended("abandoned")


async def test_a_forfeit_of_three_is_played_on_by_the_novice_for_good(room: Room) -> None:
    live = await room.table(TURN, "forfeit", THREE)
    for holder in ("ada", "bo", "cy"):
        await room.play(live, holder)
    await room.pass_time(20 + GRACE)
    assert live.table.events[-1] == StoodIn(1, "novice", for_good=True)
    await room.bot_plays(live)
    assert room.thinkers.levels == ["novice"]
    with pytest.raises(HouseError):
        await take_back(room.house, live, "ada", None)
    await room.play(live, "bo")
    assert live.table.gave_up == (1,)


async def test_resigning(room: Room) -> None:
    two = await room.table(NO_CLOCK)
    await resign(room.house, two, "bo", None)
    assert kinds(two, 2) == [Resigned, Ended]
    assert two.table.ended == Ended("resignation", (1,))
    three = await room.table(NO_CLOCK, seats=THREE)
    await resign(room.house, three, "ada", None)
    assert three.table.events[-1] == StoodIn(1, "priest", for_good=True)
    assert three.table.status == "running"
    await room.bot_plays(three)
    assert room.thinkers.levels == ["priest"]
    await room.play(three, "bo")
    for number in (None, 1, 2):
        with pytest.raises(HouseError):
            await resign(room.house, three, "ada", number)


async def test_a_table_can_be_left_until_everybody_has_played(room: Room) -> None:
    live = await room.table(NO_CLOCK)
    await room.play(live, "ada")
    await leave(room.house, live, "bo")
    assert live.table.ended == Ended("abandoned")
    begun = await room.table(NO_CLOCK)
    await room.play(begun, "ada")
    await room.play(begun, "bo")
    with pytest.raises(HouseError) as refused:
        await leave(room.house, begun, "bo")
    assert refused.value.status == 409
    waiting = await room.table(NO_CLOCK, seats=(TWO[0], SeatPlan(key="k"), SeatPlan(key="l")))
    await room.house.take_seat(waiting, 2, key="k", holder="bo", name="Bo")
    await leave(room.house, waiting, "bo")
    assert waiting.table.status == "waiting"
    assert not waiting.table.seats[1].taken
    await room.house.take_seat(waiting, 2, key="k", holder="bo", name="Bo")
    assert waiting.table.seats[1].taken
    await leave(room.house, waiting, "ada")
    assert waiting.table.status == "over"


async def test_the_systems_time_may_jump(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    live = await room.table(GAME, "forfeit")
    for offset in (1e6, -1e9, 3600.0):
        monkeypatch.setattr(time, "time", lambda offset=offset: 1.8e9 + offset)
        await room.pass_time(1)
        for holder in ("ada", "bo"):
            await room.play(live, holder)
    assert live.table.clocks.left == [72.0, 75.0]
    assert live.table.status == "running"


async def test_no_clock_runs_while_the_house_is_down(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/house.db"
    room = Room(database)
    await room.wake()
    live = await room.table(GAME, "forfeit")
    await room.pass_time(20)
    room.store.close()  # and the process is gone: nothing is put away
    again = Room(database)
    again.seconds.now = 5.0  # another machine, up for a moment
    await again.wake()
    found = await again.house.live(live.table.id)
    assert found.table == live.table
    await again.pass_time(30)
    await again.play(found, "ada")
    assert found.table.clocks.left[0] == 15.0
    await again.close()


async def test_a_table_that_nobody_has_in_memory_times_out(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/house.db"
    one, other = Room(database), Room(database)
    for room in (one, other):
        await room.wake()
    live = await one.table(TURN, "forfeit")
    for holder in ("ada", "bo"):
        await one.play(live, holder)
    await other.house.alarms.timekeeper.beat()
    await other.pass_time(20 + GRACE + 1)
    found = await other.house.live(live.table.id)
    assert found.table.ended == Ended("time forfeit", (2,))
    with pytest.raises(HouseError):
        await one.play(live, "ada")
    assert live.table.events == found.table.events, "and happens once"
    for room in (one, other):
        await room.close()


async def test_a_table_that_cannot_be_read_lets_the_others_time_out(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/house.db"
    one, other = Room(database), Room(database)
    await one.wake()
    tables = [await one.table(TURN, "forfeit") for _ in range(3)]
    for live in tables:
        await one.play(live, "ada")
        await one.play(live, "bo")
    faulty = min(live.table.id for live in tables)

    def spoil(connection: sa.Connection) -> None:
        connection.execute(sa.update(events).where(events.c.table_id == faulty).values(body=b"{}"))

    await one.store.transact(spoil)
    await other.wake()
    await other.pass_time(20 + GRACE + 1)
    for live in tables:
        if live.table.id != faulty:
            assert (await other.house.live(live.table.id)).table.ended
    for room in (one, other):
        await room.close()


async def test_processes_agree_on_the_time_by_what_they_hear_of_each_other(shared_database: Database) -> None:
    one, other = Room(shared_database.url), Room(shared_database.url)
    await one.wake()
    earlier = await one.table(GAME)
    await one.pass_time(40)
    other.seconds.now = 5.0  # its machine has not been up for long
    await other.wake()
    assert other.house.alarms.time.now() >= 40
    one.seconds.now += 1.5  # not written down yet
    live = await one.table(GAME, "forfeit")
    there = await other.house.live(live.table.id)
    for room in (one, other):
        room.seconds.now += 10
    await one.play(live, "ada")
    await until(lambda: there.table.seq == live.table.seq, "it is heard")
    assert other.house.alarms.time.now() == one.house.alarms.time.now()
    for room in (one, other):
        room.seconds.now += 20
    await other.play(there, "bo")
    await until(lambda: live.table.seq == there.table.seq, "it is heard")
    assert live.table.clocks == there.table.clocks
    assert live.table.clocks.left == [55.0, 45.0]
    for room in (one, other):
        await room.pass_time(60 + GRACE)
    await until(lambda: live.table.seq == there.table.seq, "it is heard")
    assert live.table.ended == there.table.ended == Ended("time forfeit", (2,))
    assert sum(isinstance(event, TimedOut) for event in live.table.events) == 1
    await until(lambda: earlier.table.seats[0].stand_in, "whichever process looked after it")
    for room in (one, other):
        await room.close()


# --- what holds whatever happens --------------------------------------------------------------------------

CLOCKS = strategies.sampled_from([GAME, TURN, Clock("days", 86_400), Clock("game", 5, 180)])


@given(
    clock=CLOCKS,
    on_time=strategies.sampled_from(["bot:novice", "forfeit"]),
    how=strategies.lists(
        strategies.tuples(
            strategies.sampled_from(["played", "draw", "timed out", "returned", "resigned"]),
            strategies.integers(1, 3),
            strategies.floats(-100, 200_000),
        ),
        max_size=60,
    ),
)
def test_what_is_left_is_never_less_than_nothing_nor_more_than_the_rules_give(
    clock: Clock, on_time: str, how: list[tuple[str, int, float]]
) -> None:
    opened = Opened("isis-osiris", "normal", {}, 1, "at-once", THREE, "ada", clock, on_time)
    table = Table.from_events("t", [opened, Started(1, ISIS_OSIRIS.luck(random.Random(1)), "s", "p", 0.0)])
    at, played = 0.0, [0, 0, 0]
    for what, number, seconds in how:
        at += seconds
        due = table.seat_due
        if due is None:
            break
        if what == "played":
            step = next(turn for turn in table.playing.choices() if turn != Draw())
            played[due.number - 1] += not due.bot
            table.take(table.event_of(step, at))
        elif what == "draw" and Draw() in table.playing.choices():
            table.take(table.event_of(Draw(), at))
        elif what == "timed out" and not due.bot:
            table.take(TimedOut(due.number, at))
            table.take(StoodIn(due.number, "novice"))
        elif what == "returned" and table.seats[number - 1].stand_in and not table.seats[number - 1].owed:
            table.take(Returned(number, at))
        elif what == "resigned":
            table.take(Resigned(number, at))
            table.take(StoodIn(number, "novice", for_good=True))
        for left, turns in zip(table.clocks.left, played, strict=True):
            most = clock.seconds + turns * clock.increment
            assert 0.0 <= left <= most
        running = table.clocks.running
        assert running is None or not table.seats[running - 1].bot
    again = Table.from_events("t", table.events)
    assert again.clocks == table.clocks


@given(clock=CLOCKS, moments=strategies.lists(strategies.floats(0, 1e6)))
def test_time_that_goes_back_costs_nobody_anything(clock: Clock, moments: list[float]) -> None:
    clocks = Clocks.of(clock, 2)
    clocks.run(1)
    for moment in sorted(moments, reverse=True):
        clocks.move(moment)
    assert clocks.left[0] >= max(0.0, clock.seconds - max(moments, default=0.0))
    assert clocks.left[1] == clock.seconds


def test_every_clock_of_the_form_is_within_bounds() -> None:
    for kind, (seconds, increments) in BOUNDS.items():
        assert Clock(kind, seconds[0], increments[0]).seconds in seconds


# --- over the wire ----------------------------------------------------------------------------------------


def two_players(server: Server, **wish: Any) -> tuple[Player, Player]:
    ada, bo = Player(server.url), Player(server.url)
    opened = ada.open({"kind": "me", "name": "Ada"}, {"kind": "friend"}, first=1, **wish)
    bo.table = ada.table
    seat = f"/api/tables/{ada.table}/seats/2"
    assert bo.http.post(seat, json={"key": opened["seats"][1]["key"], "name": "Bo"}).status_code == 200
    return ada, bo


def nearly_over(database: Database, table: str) -> None:
    """Let time pass until two seconds before that of who is to move at a table is over: the house carries its time on
    from the latest that any process of it has written down."""
    (deadline,) = database.execute(f"select deadline from tables where id = '{table}'")[0]
    database.execute(
        f"insert into meta (key, value) values ('time', '{deadline - 2}') "
        "on conflict (key) do update set value = excluded.value"
    )


def test_time_runs_out_and_the_record_says_who_won(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    ada, bo = two_players(server, clock={"kind": "turn", "seconds": 600}, on_time="forfeit")
    shown = ada.http.get(f"/api/tables/{ada.table}")
    clock = shown.json()["clock"]
    assert (clock["kind"], clock["running"], clock["left"]) == ("turn", 1, [600.0, 600.0])
    assert float(shown.headers["house-time"]) >= clock["since"]
    assert ada.submit("Pc3").status_code == 200
    drawn = bo.submit("draw").json()["state"]["board"]["drawn"]
    assert bo.submit(f"{drawn}d3").status_code == 200
    assert ada.submit("draw").status_code == 200
    nearly_over(server.database, ada.table)
    wait_until(lambda: ada.state()["status"] == "over", "time does not run out")
    state = bo.state()
    assert state["ended"] == "time forfeit"
    assert state["board"]["winners"] == [2]
    assert state["result"] == "Bo wins on time."
    assert state["salt"]
    text = ada.http.get(f"/api/tables/{ada.table}/record").text
    assert '[Winners "2"]\n[Termination "time forfeit"]' in text
    (record,) = read_records(text)
    assert isinstance(record, Record)
    assert replay(record).last.turns == 2
    assert "?" not in " ".join(record.turns)
    turns = bo.http.get(f"/api/tables/{ada.table}/turns").json()["turns"]
    assert [turn["turn"] for turn in turns] == list(record.turns) == ["Pc3", f"{drawn}d3"]
    assert server.stop() == 0


def test_after_a_kill_9_the_clock_has_run_only_while_the_house_did(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    ada, bo = two_players(server, clock={"kind": "game", "seconds": 600}, on_time="forfeit")
    began = time.monotonic()
    assert ada.submit("Pc3").status_code == 200
    before = bo.state()["clock"]
    server.kill()
    ran = time.monotonic() - began
    time.sleep(BEAT)  # without a server: nobody is charged for it
    began = time.monotonic()
    server = server.again()
    after = bo.http.get(f"/api/tables/{bo.table}")
    assert after.json()["clock"] == before
    assert bo.submit("Pd3").status_code == 200
    ran += time.monotonic() - began
    assert 600 - ran - 0.1 <= bo.state()["clock"]["left"][1] <= 600
    assert server.stop() == 0


@pytest.mark.parametrize(
    "wish",
    [
        {"clock": {"kind": "turn", "seconds": 2}},
        {"clock": {"kind": "turn", "seconds": 30, "increment": 1}},
        {"clock": {"kind": "none", "seconds": 1}},
        {"clock": {"kind": "days", "seconds": 100_000}},
        {"clock": {"kind": "game", "seconds": 10**9}},
        {"clock": {"kind": "sand"}},
        {"clock": {"kind": "turn", "seconds": "30"}},
        {"clock": {"kind": "turn", "seconds": 30, "more": 1}},
        {"clock": {"kind": "turn", "seconds": 30}, "on_time": "bot:nobody"},
        {"clock": {"kind": "turn", "seconds": 30}, "on_time": "explode"},
    ],
)
def test_a_clock_that_there_is_not_is_refused(server: Server, wish: dict[str, Any]) -> None:
    answer = Player(server.url).http.post(
        "/api/tables", json={"seats": [{"kind": "me"}, {"kind": "here"}], **wish}
    )
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["message"].endswith(".")


def test_resigning_leaving_and_coming_back_over_the_api(server: Server) -> None:
    ada, bo = two_players(server)
    stranger = Player(server.url)
    path = f"/api/tables/{ada.table}"
    for what in ("resign", "return", "leave"):
        assert stranger.http.post(f"{path}/{what}", json={}).status_code == 403, what
    assert bo.http.post(f"{path}/resign", json={"seat": 1}).status_code == 403
    assert bo.http.post(f"{path}/return", json={}).status_code == 200, "nobody stands in: nothing to do"
    told = bo.events(bo.state()["seq"])
    assert ada.http.post(f"{path}/resign", json={}).status_code == 200
    assert [(event["kind"], event["said"]) for event in (next(told), next(told))] == [
        ("resigned", "Ada resigns."),
        ("ended", "Bo wins, for the other resigned."),
    ]
    assert ada.http.post(f"{path}/resign", json={}).status_code == 409
    assert ada.http.post(f"{path}/leave", json={}).status_code == 409
    assert ada.http.post(f"{path}/again", json={}).status_code == 201


@pytest.mark.parametrize(("wish", "level"), [("bot:priest", "priest"), ("forfeit", "novice")])
def test_the_bot_that_plays_on_is_of_the_level_that_the_table_was_opened_with(
    server: Server, wish: str, level: str
) -> None:
    ada = Player(server.url)
    ada.open({"kind": "me"}, {"kind": "here"}, {"kind": "here"}, on_time=wish, first=2)
    resigned = ada.http.post(f"/api/tables/{ada.table}/resign", json={"seat": 1})
    seat = resigned.json()["state"]["seats"][0]
    assert (seat["stand_in"], seat["gave_up"]) == (level, True)
