"""Several processes on one PostgreSQL: players on different ones see each other, and nothing happens twice."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oudjat.house import house as house_module
from oudjat.house import store as store_module
from oudjat.house.errors import HouseError
from oudjat.house.events import Opened, Paced, Played, SeatPlan
from oudjat.house.handovers import forget
from oudjat.house.house import House
from oudjat.house.leaving import leave
from oudjat.house.news import Stored, spell
from oudjat.house.paint import Viewer
from oudjat.house.requests import Say
from oudjat.house.store import Store
from oudjat.house.talk import say
from oudjat.rules.game import Draw, Position, Turn
from oudjat.texts.catalog import words_in
from tests.databases import Database
from tests.house.lines import HeldLine
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE, until, wait_until
from tests.wire import Wire

ME, FRIEND, HERE = {"kind": "me"}, {"kind": "friend"}, {"kind": "here"}
BOT = {"kind": "bot", "level": "novice"}


def elsewhere(player: Player, server: Server) -> Player:
    """The same player at another server."""
    there = Player(server.url)
    there.http.cookies.update(player.http.cookies)
    there.table = player.table
    return there


def seated(servers: tuple[Server, Server], **wish: Any) -> tuple[Player, Player]:
    """A player at the first server and his friend, who takes his seat at the second."""
    host, friend = (Player(server.url) for server in servers)
    key = host.open(ME, FRIEND, first=1, **wish)["seats"][1]["key"]
    friend.table = host.table
    taken = friend.http.post(f"/api/tables/{host.table}/seats/2", json={"key": key, "name": "Bo"})
    assert taken.status_code == 200, taken.text
    return host, friend


def test_players_on_two_servers_see_each_others_turns_on_their_streams(
    servers: tuple[Server, Server],
) -> None:
    host, friend = seated(servers)
    assert host.state()["seats"][1]["name"] == "Bo", "a seat taken there is seen here at once"
    here, there = host.events(), friend.events()
    assert next(here)["seq"] == next(there)["seq"]
    for turn, space in enumerate(("a1", "b2", "c3", "d4")):
        player, other = (host, friend) if turn % 2 == 0 else (friend, host)
        assert player.submit(f"P{space}").status_code == 200
        told = [next(here), next(there)]
        assert told[0]["seq"] == told[1]["seq"]
        assert all(f"P{space}" in str(one) for one in told)
        assert other.state()["board"]["turns"] == turn + 1
    renamed = host.http.post(f"/api/tables/{host.table}/seats/1/name", json={"name": "Ada"})
    assert renamed.status_code == 200
    assert next(there)["seq"] == next(here)["seq"]
    assert friend.state()["seats"][0]["name"] == "Ada"


def test_a_stream_at_one_server_follows_turns_posted_at_the_other(servers: tuple[Server, Server]) -> None:
    player = Player(servers[0].url)
    player.open(ME, HERE, first=1)
    there = elsewhere(player, servers[1])
    stream = player.events()
    last = next(stream)["seq"]
    for space in ("a1", "b2", "c3"):
        answer = there.submit(f"P{space}", last)
        assert answer.status_code == 200, "what was told here is known there"
        last = next(stream)["seq"]


def test_the_same_submission_at_both_servers_takes_effect_once(servers: tuple[Server, Server]) -> None:
    player = Player(servers[0].url)
    player.open(ME, HERE, first=1)
    both = player, elsewhere(player, servers[1])
    with ThreadPoolExecutor(2) as pool:
        for number, space in enumerate(("a1", "b2", "c3", "d4", "e5")):
            after = player.state()["seq"]
            answers = list(pool.map(lambda one: one.submit(f"P{space}", after), both))  # noqa: B023
            assert [answer.status_code for answer in answers] == [200, 200]
            assert sorted(answer.json()["again"] for answer in answers) == [False, True]
            assert [one.state()["board"]["turns"] for one in both] == [number + 1] * 2


def test_two_turns_in_the_same_moment_at_two_servers_one_wins(servers: tuple[Server, Server]) -> None:
    player = Player(servers[0].url)
    player.open(ME, HERE, first=1)
    both = player, elsewhere(player, servers[1])
    with ThreadPoolExecutor(2) as pool:
        for here, there in (("a1", "b2"), ("c3", "d4"), ("e5", "f6")):
            after = player.state()["seq"]
            answers = list(
                pool.map(lambda one, turn: one.submit(turn, after), both, (f"P{here}", f"P{there}"))  # noqa: B023
            )
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            assert len({one.state()["seq"] for one in both}) == 1


def test_friends_who_sit_down_at_once_at_two_servers_both_sit(servers: tuple[Server, Server]) -> None:
    host = Player(servers[0].url)
    keys = [seat["key"] for seat in host.open(ME, FRIEND, FRIEND)["seats"][1:]]
    friends = [Player(server.url) for server in servers]
    with ThreadPoolExecutor(2) as pool:
        answers = list(
            pool.map(
                lambda friend, number, key: friend.http.post(
                    f"/api/tables/{host.table}/seats/{number}", json={"key": key, "name": f"F{number}"}
                ),
                friends,
                (2, 3),
                keys,
            )
        )
    assert [answer.status_code for answer in answers] == [200, 200]
    state = host.state()
    assert [seat["name"] for seat in state["seats"][1:]] == ["F2", "F3"]
    assert state["status"] == "running"


def test_another_game_asked_for_at_two_servers_is_one_game(servers: tuple[Server, Server]) -> None:
    host, friend = seated(servers, game="ramses")
    both = host, friend
    while (state := host.state())["status"] != "over":
        player = host if state["mine"] else friend
        assert player.submit(legal(player.state())).status_code == 200
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda one: one.http.post(f"/api/tables/{one.table}/again"), both))
    assert len({answer.json()["table"] for answer in answers}) == 1
    for one in both:
        one.table = answers[0].json()["table"]
    assert host.state()["seq"] == friend.state()["seq"]


def test_a_game_across_two_servers_survives_the_death_of_one(shared_database: Database) -> None:
    one, other = Server(shared_database), Server(shared_database)
    host, friend = Player(one.url), Player(other.url)
    key = host.open(ME, BOT, FRIEND, BOT)["seats"][2]["key"]
    friend.table = host.table
    friend.http.post(f"/api/tables/{host.table}/seats/3", json={"key": key})
    for _ in range(4):
        state = wait_for_either(host, friend)
        player = host if state["mine"] else friend
        assert player.submit(legal(player.state())).status_code == 200
    one.kill()
    host = elsewhere(host, other)
    while (state := wait_for_either(host, friend))["status"] != "over":
        player = host if state["mine"] else friend
        assert player.submit(legal(player.state())).status_code == 200
    seqs = [event["seq"] for event in replayed(friend, state["seq"])]
    assert seqs == list(range(1, state["seq"] + 1)), "every event once, in order"
    assert other.stop() == 0


def wait_for_either(host: Player, friend: Player) -> dict[str, Any]:
    """The table as the host sees it when one of the two is to move, or the game is over."""
    wait_until(
        lambda: bool(host.state()["mine"] or friend.state()["mine"] or host.state()["status"] == "over"),
        "bots play on",
    )
    return host.state()


def replayed(player: Player, last: int) -> Iterator[dict[str, Any]]:
    for told in player.events(0):
        yield told
        if told["seq"] == last:
            return


class Thoughts:
    """Takes the first turn there is; or thinks for ever, as a process does that was stopped."""

    def __init__(self, *, forever: bool = False) -> None:
        self.forever = forever
        self.thoughts = 0

    async def choose(self, start: Position, steps: tuple[Turn, ...], level: str, seed: int) -> Turn:
        self.thoughts += 1
        if self.forever:
            await asyncio.Event().wait()
        position = start
        for step in steps:
            position = position.follow(step)
        return next((turn for turn in position.choices() if turn != Draw()), Draw())


ALONE = Opened("isis-osiris", "normal", {}, 1, "at-once", (SeatPlan(holder="h"),) * 2, "h")
WITH_BOT = msgspec.structs.replace(ALONE, seats=(SeatPlan(holder="h"), SeatPlan(level="novice")))


@pytest.fixture
async def houses(shared_database: Database) -> AsyncIterator[list[House]]:
    """Two houses on one database, as two processes have them; they do not hear each other before they wake."""
    thinkers: list[Any] = [Thoughts(), Thoughts()]
    both = [House(Store(shared_database.url), each, random.Random(1)) for each in thinkers]
    yield both
    for house in both:
        await house.close()
        house.store.close()


async def test_who_knows_more_than_this_process_makes_it_look(houses: list[House]) -> None:
    here, there = houses
    table = (await here.open_table(ALONE)).table.id
    stale = await there.live(table)
    live = await here.live(table)
    await here.submit(live, "h", "Pa1", live.table.seq)
    known = live.table.seq
    assert stale.table.seq < known
    assert await there.submit(await there.live(table, fresh=False), "h", "Pb2", known)
    assert stale.table.seq == known + 1
    assert (await here.live(table)).table.seq == known + 1, "what is asked for is as new as any answer"


async def test_a_submission_repeated_at_a_process_that_has_not_heard_takes_effect_once(
    houses: list[House],
) -> None:
    here, there = houses
    table = (await here.open_table(ALONE)).table.id
    stale = await there.live(table)
    after = stale.table.seq
    assert await here.submit(await here.live(table), "h", "Pa1", after)
    assert await there.submit(stale, "h", "Pa1", after) is None, "it had taken effect before"
    with pytest.raises(HouseError, match="moved on"):
        await there.submit(stale, "h", "Pb2", after)


async def test_what_was_stored_unheard_is_told_when_listening_begins(houses: list[House]) -> None:
    here, there = houses
    table = (await here.open_table(ALONE)).table.id
    line = HeldLine()
    heard = line.heard
    follower = asyncio.create_task(there.follow(table, Viewer(None, words_in("en")), None, line))
    await until(lambda: len(heard) > 0, "he follows")
    live = await here.live(table)
    await here.submit(live, "h", "Pa1", live.table.seq)
    assert not any(b"Pa1" in message for message in heard)
    await there.wake()
    await until(lambda: b"Pa1" in b"".join(heard), "he is told")
    await here.submit(live, "h", "Pb2", live.table.seq)
    await until(lambda: b"Pb2" in b"".join(heard), "he hears")
    await there.close()
    await follower


async def test_what_a_deleted_player_said_is_forgotten_by_every_process(houses: list[House]) -> None:
    here, there = houses
    for house in houses:
        await house.wake()
    seats = (SeatPlan("Ada", holder="ada"), SeatPlan(key="key of bo"), SeatPlan(key="key of cy"))
    live = await here.open_table(msgspec.structs.replace(ALONE, seats=seats, by="ada"))
    await here.take_seat(live, 2, key="key of bo", holder="bo", name="Bo")
    await say(here, live, "bo", Say(text="words of Bo"))
    await leave(here, live, "bo")
    await here.take_seat(live, 2, key="key of bo", holder="bo", name="Bo again")
    await say(here, live, "ada", Say(text="words of Ada"))
    await here.take_seat(live, 3, key="key of cy", holder="cy", name="Cy")
    other = await here.open_table(msgspec.structs.replace(ALONE, seats=seats, by="ada"))
    await here.take_seat(other, 2, key="key of bo", holder="bo", name="Bo")
    await say(here, other, "bo", Say(text="words of Bo"))
    await leave(here, other, "bo")
    known = [await there.live(table.table.id) for table in (live, other)]
    for table in (live, other):
        await forget(here, table.table.id, "bo")
    for far, near in zip(known, (live, other), strict=True):
        await until(lambda: "Bo" not in repr(far.table), "there it is forgotten too")  # noqa: B023
        assert "Bo" not in repr(near.table)
        stored = await here.store.load(near.table.id)
        assert stored == near.table.events == far.table.events
    assert "words of Ada" in repr(live.table)
    with pytest.raises(HouseError, match="Only players"):
        await say(there, known[0], "bo", Say(text="words of Bo"))
    with pytest.raises(HouseError, match="not your seat"):
        await there.rename(known[0], 2, "bo", "Bo")


async def test_to_read_a_table_anew_tells_its_followers_what_others_have_stored(houses: list[House]) -> None:
    here, there = houses
    live = await here.open_table(ALONE)
    line = HeldLine()
    following = asyncio.create_task(
        here.follow(live.table.id, Viewer("h", words_in("en")), live.table.seq, line, views=False)
    )
    await until(lambda: live.followers, "he follows")
    far = await there.live(live.table.id)
    await there.set_pace(far, "h", Paced("slow"))  # unheard: this house has not woken
    await here.read_anew(live.table.id)
    assert live.table.pace == "slow"
    await until(lambda: b"paced" in b"".join(line.heard), "he is told")
    following.cancel()


async def test_a_turn_of_which_nothing_was_known_is_told_when_it_turns_out_to_be_there(
    houses: list[House], shared_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "PATIENCE", 0.3)
    monkeypatch.setattr(house_module, "BETWEEN_TRIES", 0.05)
    wire = Wire(shared_database.url)
    thinkers: Any = Thoughts()
    house = House(Store(wire.url), thinkers, random.Random(3))
    live = await house.open_table(ALONE)
    line = HeldLine()
    follower = asyncio.create_task(house.follow(live.table.id, Viewer(None, words_in("en")), None, line))
    await until(lambda: len(line.heard) > 0, "he follows")
    wire.stays_cut, wire.cuts = True, ["after"]
    seq = live.table.seq
    with pytest.raises(HouseError, match="not known yet"):
        await house.submit(live, "h", "Pa1", seq)
    assert live.table.seq == seq
    wire.stays_cut = False
    await until(lambda: b"Pa1" in b"".join(line.heard), "he is told")
    assert await house.submit(live, "h", "Pa1", seq) is None, "and it is not done again"
    await house.close()
    await follower
    house.store.close()
    wire.close()


async def test_a_bot_whose_process_is_gone_is_taken_over_by_one_other(
    houses: list[House], shared_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_module, "OVERDUE", 0.1)
    monkeypatch.setattr(house_module, "BETWEEN_SWEEPS", 0.05)
    here, there = houses
    hanging: Any = Thoughts(forever=True)
    gone = House(Store(shared_database.url), hanging, random.Random(2))
    live = await gone.open_table(WITH_BOT)
    await gone.submit(live, "h", "Pa1", live.table.seq)
    for house in (here, there):
        await house.wake()
    table = live.table.id
    for turn in ("Pb2", "Pc3", "Pd4"):
        await until_due(here, table)
        found = await here.live(table)
        await here.submit(found, "h", turn, found.table.seq)
    await until_due(here, table)
    events = await here.store.load(table)
    assert sum(isinstance(event, Played) for event in events) == 8
    await gone.close()
    gone.store.close()


async def until_due(house: House, table: str) -> None:
    """Wait until the person is to move."""
    end = time.monotonic() + PATIENCE
    while not ((seat := (await house.live(table)).table.seat_due) and seat.holder):
        assert time.monotonic() < end, "the bot plays"
        await asyncio.sleep(0.01)


@given(
    st.lists(
        st.builds(
            Stored,
            st.text("abc", min_size=1, max_size=10),
            st.integers(1, 10**6),
            st.lists(st.builds(Played, st.integers(1, 4), st.text(max_size=600)), max_size=5).map(tuple),
        ),
        max_size=200,
    )
)
def test_news_fits_into_notifications_and_is_read_as_it_was_told(stored: list[Stored]) -> None:
    told = [msgspec.json.decode(news, type=tuple[str, list[Stored]]) for news in spell("me", stored)]
    assert all(len(news.encode()) < 8000 for news in spell("me", stored))
    heard = [one for _, several in told for one in several]
    assert [(one.table_id, one.seq) for one in heard] == [(one.table_id, one.seq) for one in stored]
    assert all(one.events in ((), other.events) for one, other in zip(heard, stored, strict=True))
