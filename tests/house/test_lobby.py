"""The lobby: open tables, quick pairing, tables to watch, and how many watch."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from oudjat.house import watchers
from oudjat.house.clocks import Clock
from oudjat.house.errors import HouseError
from oudjat.house.events import Ended, Opened, SeatPlan
from oudjat.house.lobby import pair
from oudjat.house.paint import Viewer
from oudjat.house.patience import PATIENCE, PATIENCE_PAIRING
from oudjat.house.requests import pairing_key
from oudjat.house.results import places_of
from oudjat.texts.catalog import words_in
from tests.databases import Database
from tests.house.lines import HeldLine
from tests.house.rooms import THREE, Room
from tests.serving import Player, Server, legal
from tests.timing import until, wait_until

ME, FRIEND, BOT = {"kind": "me"}, {"kind": "friend"}, {"kind": "bot", "level": "novice"}
CLOCK = {"kind": "game", "seconds": 600, "increment": 5}


def lobby(player: Player, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = player.http.get("/api/tables", params=query).json()
    return found


def shows(player: Player, part: str, table: str) -> bool:
    return table in [entry["table"] for entry in lobby(player)[part]]


def pairs(player: Player, **wish: Any) -> dict[str, Any]:
    answer = player.http.post("/api/pairing", json=wish)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    player.table = found["table"]
    return found


def test_an_open_table_is_found_joined_and_watched(server: Server) -> None:
    host, guest, spectator = (Player(server.url) for _ in range(3))
    opened = host.open({"kind": "me", "name": "Ada"}, FRIEND, BOT, public=True, clock=CLOCK, first=1)
    assert [seat["kind"] for seat in opened["seats"]] == ["person", "open", "bot"]
    assert [seat["key"] for seat in opened["seats"]] == [None] * 3
    wait_until(lambda: shows(guest, "open", host.table), "it does not stand in the lobby")
    entry = next(entry for entry in lobby(guest)["open"] if entry["table"] == host.table)
    assert [(seat["name"], seat["kind"]) for seat in entry["seats"]] == [
        ("Ada", "person"),
        ("Yellow", "free"),
        ("Novice", "bot"),
    ]
    assert entry["clock_said"] == "10 min + 5 s"
    guest.http.headers["accept-language"] = "de"
    assert next(e for e in lobby(guest)["open"] if e["table"] == host.table)["seats"][2]["name"] == "Novize"
    seat = f"/api/tables/{host.table}/seats/"
    assert host.http.post(f"{seat}2", json={}).status_code == 409, "one seat each"
    assert guest.http.post(f"{seat}3", json={}).status_code == 403, "a bot's seat is not open"
    assert guest.http.post(f"{seat}2", json={"name": "Bo"}).status_code == 200
    assert spectator.http.post(f"{seat}2", json={}).status_code == 409
    wait_until(lambda: shows(guest, "running", host.table), "nobody can watch it")
    assert not shows(guest, "open", host.table)


def test_a_private_table_stands_in_no_lobby(server: Server) -> None:
    host, stranger = Player(server.url), Player(server.url)
    host.open(ME, FRIEND)
    public = Player(server.url)
    public.open(ME, FRIEND, public=True)
    wait_until(lambda: shows(stranger, "open", public.table), "the public one does")
    assert host.table not in stranger.http.get("/api/tables").text


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A house in which nothing happens but what its test does."""
    own = Server(tmp_path / "house.db")
    yield own
    assert own.stop() == 0
    assert "Traceback" not in own.log.read_text()


@pytest.mark.parametrize("path", ["/api/tables", "/my-tables"])
def test_an_answer_without_change_ends_well_and_leaves_the_connection_open(own: Server, path: str) -> None:
    player = Player(own.url)
    player.open(ME, FRIEND)
    known = {"if-none-match": player.http.get(path).headers["etag"]}
    same = player.http.get(path, headers=known)
    assert (same.status_code, same.content) == (304, b"")
    assert "content-length" not in same.headers, "which would promise a body"
    assert player.http.get(path).status_code == 200


def test_the_lobby_is_sent_again_only_when_it_has_changed(own: Server) -> None:
    player = Player(own.url)
    first = player.http.get("/api/tables")
    tag = first.headers["etag"]
    for known in (tag, f"W/{tag}", f'"another", {tag}', "*"):  # a proxy that compresses makes a tag weak
        same = player.http.get("/api/tables", headers={"if-none-match": known})
        assert (same.status_code, same.content) == (304, b"")
    host = Player(own.url)
    host.open(ME, FRIEND, game="senet", public=True)
    old = {"if-none-match": tag}
    wait_until(lambda: player.http.get("/api/tables", headers=old).status_code == 200, "it stays the same")
    assert {entry["game"] for entry in lobby(player, game="senet")["open"]} == {"senet"}
    assert player.http.get("/api/tables", params={"game": "chess"}).status_code == 422


def test_all_games_of_ones_own_that_are_over_are_listed_page_by_page(server: Server) -> None:
    ada, stranger = Player(server.url), Player(server.url)
    assert "No game of yours is over yet." in stranger.http.get("/my-games").text
    over = []
    for _ in range(25):
        ada.open(ME, {"kind": "here"}, game="ramses", first=1)
        over.append(ada.table)
        assert ada.submit(legal(ada.state())).status_code == 200
        assert ada.http.post(f"/api/tables/{ada.table}/leave", json={}).status_code == 200
    ada.open(ME, {"kind": "here"})
    ada.table = over[0]
    said = ada.http.post(f"/api/tables/{over[0]}/talk", json={"phrase": "well-played"})
    assert said.status_code == 200, said.text
    account = {"name": f"Ada {over[0]}", "password": "a garden of papyrus"}
    assert ada.http.post("/api/me/sign-up", json=account).status_code == 201
    wait_until(
        lambda: over[0] in ada.http.get("/my-games?page=2").text, "her games come along, in their order"
    )
    first, second = (ada.http.get("/my-games", params={"page": page}).text for page in (1, 2))
    listed = [re.findall(r'data-table="(\w+)"', page) for page in (first, second)]
    assert listed == [over[:0:-1], over[:1]], "the latest first, and none that goes on"
    assert 'rel="next"' in first
    assert 'rel="prev"' in second
    assert "/my-games?page=" not in second
    assert "data-table" not in stranger.http.get("/my-games").text
    assert "There are no more." in ada.http.get("/my-games?page=3").text
    for page in ("0", "-1", "x", "1.5", "9999999", ""):
        assert ada.http.get("/my-games", params={"page": page}).status_code == 404, page


def test_two_who_ask_for_the_same_meet_and_others_do_not(server: Server) -> None:
    ada, bo, cy = (Player(server.url) for _ in range(3))
    waiting = pairs(ada, clock=CLOCK, name="Ada")
    assert waiting["state"]["status"] == "waiting"
    assert pairs(ada, clock=CLOCK)["table"] == waiting["table"], "asking again leads to the same table"
    other = pairs(cy, clock={"kind": "turn", "seconds": 60})
    assert other["table"] != waiting["table"]
    met = pairs(bo, clock=CLOCK, name="Bo")
    assert (met["table"], met["state"]["status"]) == (waiting["table"], "running")
    assert {seat["name"] for seat in met["state"]["seats"]} == {"Ada", "Bo"}
    assert pairs(Player(server.url), clock=CLOCK)["state"]["status"] == "waiting", "the next one waits again"


def test_a_rated_pairing_is_for_those_who_are_signed_in(server: Server) -> None:
    guest = Player(server.url)
    table = {"seats": [ME, FRIEND], "rated": True, "public": True}
    for answer in (
        guest.http.post("/api/pairing", json={"rated": True}),
        guest.http.post("/api/tables", json=table),
    ):
        assert answer.status_code == 401
        assert "Sign in" in answer.json()["error"]["message"]
    people = []
    for name in ("Neferu", "Meryt"):
        player = Player(server.url)
        account = {"name": name, "password": "a long enough secret"}
        player.http.post("/api/me/sign-up", json=account).raise_for_status()
        people.append(player)
    waiting = pairs(people[0], rated=True, clock=CLOCK)
    assert waiting["state"]["rated"]
    assert guest.http.post(f"/api/tables/{waiting['table']}/seats/2", json={}).status_code == 401
    assert pairs(people[1], rated=True, clock=CLOCK)["state"]["status"] == "running"
    refused = people[0].http.post("/api/tables", json={"seats": [ME, {"kind": "here"}], "rated": True})
    assert refused.status_code == 422


def test_many_at_the_same_moment_all_meet(server: Server) -> None:
    players = [Player(server.url) for _ in range(12)]
    wish = {"game": "senet", "clock": {"kind": "turn", "seconds": 3600}}
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda player: pairs(player, **wish), players))
    states = [player.state() for player in players]
    assert [state["status"] for state in states] == ["running"] * 12
    assert len({state["table"] for state in states}) == 6


@pytest.fixture
async def rooms(shared_database: Database) -> AsyncIterator[tuple[Room, Room]]:
    """Two processes' houses on one database."""
    both = Room(shared_database.url), Room(shared_database.url)
    for room in both:
        await room.wake()
    yield both
    for room in both:
        await room.close()


def wish(holder: str, players: int = 2, **more: Any) -> Opened:
    seats = (SeatPlan(holder=holder), *(SeatPlan() for _ in range(players - 1)))
    opened = Opened("isis-osiris", "normal", {}, 0, "at-once", seats, holder, public=True, **more)
    return Opened(
        **{name: getattr(opened, name) for name in opened.__struct_fields__}
        | {"pairing": pairing_key(opened)}
    )


async def test_two_processes_in_the_same_moment_bring_two_together(rooms: tuple[Room, Room]) -> None:
    for turn in range(10):
        holders = f"ada {turn}", f"bo {turn}"
        found = await asyncio.gather(
            *(
                pair(room.house, wish(holder), name="", bot_of="")
                for room, holder in zip(rooms, holders, strict=True)
            )
        )
        assert found[0].table.id == found[1].table.id
        table = (await rooms[0].house.live(found[0].table.id)).table
        assert {seat.holder for seat in table.seats} == set(holders)


async def test_three_come_together_too(rooms: tuple[Room, Room]) -> None:
    lives = [
        await pair(rooms[number % 2].house, wish(holder, 3), name=holder, bot_of="")
        for number, holder in enumerate(("ada", "bo", "cy"))
    ]
    assert len({live.table.id for live in lives}) == 1
    assert lives[2].table.status == "running"


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    room = Room(f"sqlite:///{tmp_path}/house.db")
    await room.wake()
    yield room
    await room.close()


async def test_a_table_whose_opener_has_gone_is_closed_and_one_whose_opener_waits_stays(room: Room) -> None:
    line = HeldLine()
    kept = await pair(room.house, wish("ada"), name="", bot_of="")
    following = asyncio.create_task(
        room.house.follow(kept.table.id, Viewer("ada", words_in("en")), None, line)
    )
    left = await room.table(seats=(SeatPlan(holder="bo"), SeatPlan()), public=True)
    private = await room.table(seats=(SeatPlan(holder="cy"), SeatPlan(key="k")))
    for _ in range(40):
        await room.pass_time(PATIENCE_PAIRING / 3)
        await asyncio.sleep(0)
    assert 40 * PATIENCE_PAIRING / 3 < PATIENCE
    assert kept.table.status == left.table.status == "waiting"
    line.go()
    await following
    await room.pass_time(PATIENCE)
    await room.pass_time(1)
    assert kept.table.ended == left.table.ended == Ended("abandoned")
    assert private.table.status == "waiting"
    with pytest.raises(HouseError) as refused:
        await room.house.take_seat(left, 2, key="", holder="dee", name="")
    assert refused.value.status == 409
    again = await pair(room.house, wish("bo"), name="", bot_of="")
    assert again.table.id != kept.table.id, "and nobody is led there"


def counts(line: HeldLine) -> list[str]:
    """How many watched, as it was told one after the other."""
    return re.findall(r'"count":(\d+)', b"".join(line.heard).decode())


async def test_how_many_watch_is_told_and_players_do_not_count(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchers, "BETWEEN", 0.01)
    live = await room.table(public=True)
    english = words_in("en")
    lines = {who: HeldLine() for who in ("ada", "bo", "fan", "fan again", "stranger", "other stranger")}
    holders = {"fan again": "fan", "stranger": None, "other stranger": None}

    async def comes(who: str) -> asyncio.Task[None]:
        viewer = Viewer(holders.get(who, who), english)
        task = asyncio.create_task(room.house.follow(live.table.id, viewer, None, lines[who]))
        await until(lambda: lines[who].heard, "he follows")
        await asyncio.sleep(0.05)
        return task

    tasks = [await comes(who) for who in lines]
    await until(lambda: counts(lines["ada"])[-1:] == ["3"], "three watch")
    assert b'event: watching\ndata: {"count":3}\n\n' in b"".join(lines["ada"].heard)
    assert "0" not in counts(lines["ada"])
    assert live.table.seq == 2, "no event of the table"
    for who in ("fan", "stranger", "other stranger"):
        lines[who].go()
    await until(lambda: counts(lines["ada"])[-1] == "1", "they have gone")
    for line in lines.values():
        line.go()
    await asyncio.gather(*tasks)


async def test_who_watches_with_another_process_counts_too(
    shared_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchers, "BETWEEN", 0.01)
    monkeypatch.setattr(watchers, "EXCHANGE", 0.05)
    rooms = Room(shared_database.url), Room(shared_database.url)
    for room in rooms:
        await room.wake()
    live = await rooms[0].table(public=True)
    lines = {who: HeldLine() for who in ("ada", "fan", "far fan")}
    tasks = [
        asyncio.create_task(
            rooms[who == "far fan"].house.follow(live.table.id, Viewer(who, words_in("en")), None, line)
        )
        for who, line in lines.items()
    ]

    for line in lines.values():
        await until(lambda: counts(line)[-1:] == ["2"], "both are counted")  # noqa: B023
    lines["fan"].go()
    for who in ("ada", "far fan"):
        await until(lambda: counts(lines[who])[-1] == "1", "one has gone")  # noqa: B023
    for line in lines.values():
        line.go()
    await asyncio.gather(*tasks)
    for room in rooms:
        await room.close()


async def test_the_places_that_ratings_count(room: Room) -> None:
    two = await room.table(Clock("turn", 20), "forfeit")
    assert places_of(two.table) is None
    for holder in ("ada", "bo"):
        await room.play(two, holder)
    await room.pass_time(30)
    assert places_of(two.table) == (2, 1)
    left = await room.table(Clock("turn", 20), "forfeit")
    await room.pass_time(30)
    assert left.table.status == "over"
    assert places_of(left.table) is None
    three = await room.table(Clock("turn", 20), "forfeit", THREE)
    room.thinkers.may.set()
    for holder in ("ada", "bo", "cy"):
        await room.play(three, holder)
    await room.pass_time(30)
    while three.table.status == "running":
        due = three.table.seat_due
        if due is None or due.bot:
            await asyncio.sleep(0.005)
        else:
            await room.play(three, due.holder or "")
    places = places_of(three.table)
    assert places is not None
    assert places[0] == 3
    outcome = three.table.playing.outcome
    assert outcome is not None
    assert outcome.scores is not None
    better = outcome.scores[1] >= outcome.scores[2]
    assert places[1:] in ((1, 2), (1, 1)) if better else places[1:] == (2, 1)
