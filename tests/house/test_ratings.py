"""Ratings on real servers: what counts, once, and what everybody may see of players."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from oudjat.house import leaving
from oudjat.house.players import LEAST_RECALLS, Players
from oudjat.house.ratings import ESTABLISHED, LEVEL, Ratings
from oudjat.house.schema import rated_tables, rating_changes, ratings
from oudjat.house.store import Store
from oudjat.texts.catalog import words_in
from tests.databases import Database
from tests.house.rooms import Room
from tests.house.test_accounts import FRIEND, HERE, ME, ask, bot_of, sign_up
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE, wait_until

NOVICE = {"kind": "bot", "level": "novice"}


@pytest.fixture
def people(server: Server, request: pytest.FixtureRequest) -> list[Player]:
    """Four people who are signed in; ``people[0].name`` and so on are their names."""
    return signed_up(server, f"{abs(hash(request.node.name)) % 10**8}", 4)


def signed_up(server: Server, ending: str, number: int) -> list[Player]:
    players = [Player(server.url) for _ in range(number)]
    for player, first in zip(players, ("Ada", "Bo", "Cy", "Di"), strict=False):
        sign_up(player, f"{first} {ending}")
    return players


def name_of(player: Player) -> str:
    return str(ask(player, "GET", "/api/me")["name"])


def open_rated(host: Player, *guests: Player, **wish: Any) -> str:
    """A rated table at which all of them sit, in this order."""
    opened = host.open(ME, *([FRIEND] * len(guests)), rated=True, first=1, **wish)
    for number, guest in enumerate(guests, 2):
        guest.table = host.table
        key = opened["seats"][number - 1]["key"]
        guest.http.post(f"/api/tables/{host.table}/seats/{number}", json={"key": key}).raise_for_status()
    return host.table


def resign(player: Player) -> None:
    player.http.post(f"/api/tables/{player.table}/resign", json={}).raise_for_status()


def lost_to(loser: Player, winner: Player) -> str:
    """A rated table of two at which the second gives up."""
    table = open_rated(winner, loser)
    play_a_round(winner, loser)
    resign(loser)
    return table


def ratings_of(player: Player, table: str) -> dict[str, Any]:
    """What a table did, as soon as it is known."""
    answers: list[httpx.Response] = []

    def there() -> bool:
        answers.append(player.http.get(f"/api/tables/{table}/ratings"))
        return answers[-1].status_code == 200

    wait_until(there, "the table is rated")
    found: dict[str, Any] = answers[-1].json()
    return found


def play_a_round(*players: Player) -> None:
    for player in players:
        assert player.submit(legal(player.state())).status_code == 200


def page_of(player: Player, name: str) -> dict[str, Any]:
    return ask(player, "GET", f"/api/players/{name}")


def play_whole(*players: Player) -> dict[str, Any]:
    """A whole game, tiles first and anywhere, so that there is something to remember when the pieces come."""
    chance = Random(1)
    state = players[0].state()
    while state["status"] != "over":
        player = players[state["board"]["to_move"] - 1]
        mine = player.state()
        offers = [turn for cell in mine["board"]["cells"] for turn in cell["offers"]]
        turn = "draw" if "draw" in mine["board"]["actions"] else chance.choice(offers)
        answer = player.submit(turn, mine["seq"])
        assert answer.status_code == 200, answer.text
        state = answer.json()["state"]
    return state


def test_a_whole_rated_game_raises_who_won_and_lowers_who_lost(server: Server, people: list[Player]) -> None:
    ada, bo = people[:2]
    table = open_rated(ada, bo)
    state = play_whole(ada, bo)
    found = ratings_of(ada, table)
    scores = [seat["score"] for seat in state["board"]["seats"]]
    assert [seat["place"] for seat in found["seats"]] == [
        1 + sum(other > score for other in scores) for score in scores
    ]
    assert all(seat["before"] == 1000 for seat in found["seats"])
    if scores[0] != scores[1]:
        first, last = sorted(found["seats"], key=lambda seat: seat["place"])
        assert first["after"] > 1000 > last["after"]
    page = page_of(bo, name_of(ada))
    (record,) = page["records"]
    assert record["rating"]["games"] == 1
    assert record["rating"]["rating"] == found["seats"][0]["after"] == record["points"][-1]["rating"]
    assert not record["rating"]["established"]
    assert record["openings"][0]["games"] == 1
    assert page["games"][0]["table"] == table
    assert ask(ada, "GET", "/api/me/data")["ratings"] == [record["rating"]]


def test_the_lobby_tells_how_strong_those_at_rated_tables_are(server: Server, people: list[Player]) -> None:
    ada, bo, cy = people[:3]
    seats = ratings_of(ada, lost_to(bo, ada))["seats"]
    strong, weak = (seat["after"] for seat in sorted(seats, key=lambda seat: seat["seat"]))
    ada.open(ME, FRIEND, {"kind": "bot", "level": "novice"}, rated=True, public=True)
    bo.open(ME, FRIEND, rated=True, public=True)
    cy.open(ME, FRIEND, rated=True, public=True, game="senet")
    hidden = Player(server.url)
    hidden.http.cookies.update(ada.http.cookies)
    hidden.open(ME | {"name": "Nobody"}, FRIEND, public=True)
    bot, _ = bot_of(cy, server.url, f"{name_of(cy)} II")
    bot.open(ME, FRIEND, public=True)

    def told() -> dict[str, list[tuple[str, int | None, str]]]:
        return {
            entry["table"]: [(seat["kind"], seat["rating"], seat["rating_said"]) for seat in entry["seats"]]
            for entry in ada.http.get("/api/tables").json()["open"]
        }

    tables = [player.table for player in (ada, bo, cy, hidden, bot)]
    wait_until(lambda: set(tables) <= set(told()), "they stand in the lobby")
    free, unknown = ("free", None, ""), ("person", None, "")
    assert told()[ada.table] == [("person", strong, f"{strong}?"), free, ("bot", None, "")]
    assert told()[bo.table] == [("person", weak, f"{weak}?"), free]
    assert told()[cy.table] == [unknown, free], "of another game nothing is known of him"
    assert told()[hidden.table] == [unknown, free], "there people play under any name"
    assert told()[bot.table] == [("bot", None, ""), free]
    assert f"rating {strong}, from few games" in ada.http.get("/").text


def test_it_is_told_who_plays_at_a_rated_table_and_how_strong_he_is(
    server: Server, people: list[Player]
) -> None:
    ada, bo = people[:2]
    strong = ratings_of(ada, lost_to(bo, ada))["seats"][0]["after"]
    name = name_of(ada)
    opened = ada.open(ME, FRIEND, {"kind": "bot", "level": "scribe"}, FRIEND, rated=True)
    path = f"/api/tables/{ada.table}/players"
    bot, _ = bot_of(bo, server.url, f"{name} II")
    cy = people[2]
    for number, player in ((2, bot), (4, cy)):
        key = {"key": opened["seats"][number - 1]["key"]}
        ask(player, "POST", f"/api/tables/{ada.table}/seats/{number}", **key)
    assert ask(ada, "POST", "/api/me/name", name=f"{name} III")["name"] == f"{name} III"
    ask(cy, "DELETE", "/api/me", name=name_of(cy))
    wait_until(lambda: ask(bo, "GET", path)["seats"][3]["kind"] is None, "his account is gone")
    person, program, level, gone = ask(bo, "GET", path)["seats"]
    assert (person["seat"], person["name"], person["kind"]) == (1, name, "person"), "as he sits here"
    assert (person["rating"]["rating"], person["rating_said"]) == (strong, f"{strong}?")
    assert person["rating_told"] == f"rating {strong}, from few games"
    assert not person["rating"]["established"]
    assert (program["name"], program["kind"], program["rating"]) == (f"{name} II", "bot", None)
    assert (level["seat"], level["kind"]) == (3, "level")
    assert (gone["name"], gone["rating"]) == ("Someone", None)
    bo.http.headers["accept-language"] = "de"
    assert ask(bo, "GET", path)["seats"][2]["name"] == "Schreiber"
    ada.open(ME, FRIEND)
    for table in (ada.table, "nowhere"):
        refused = bo.http.get(f"/api/tables/{table}/players")
        assert refused.status_code == 404, "who plays at other tables under which name is his own affair"


def test_how_much_a_player_remembers_is_shown_while_he_lets_it_be(
    server: Server, people: list[Player]
) -> None:
    ada, bo = people[:2]
    for _ in range(2):
        table = open_rated(ada, bo)
        play_whole(ada, bo)
        ratings_of(ada, table)

    def memory() -> dict[str, Any] | None:
        (record,) = page_of(bo, name_of(ada))["records"]
        found: dict[str, Any] | None = record["memory"]
        shown = bo.http.get(f"/players/{name_of(ada)}").text
        assert ("Remembers" in shown) == (found is not None)
        if found:
            assert f"<dt>Remembers</dt><dd>{found['percent']} %</dd>" in shown
        return found

    assert memory() is None, "until he lets it be shown"
    ask(ada, "POST", "/api/me/options", shows_memory=True)
    found = memory()
    assert found is not None
    assert LEAST_RECALLS <= found["placements"] <= 14
    assert 0 <= found["percent"] <= 100
    ask(ada, "POST", "/api/me/options", shows_memory=False)
    assert memory() is None


def test_each_variant_has_ratings_and_a_list_of_its_own(server: Server, people: list[Player]) -> None:
    ada, bo = people[:2]

    def best(variant: str) -> list[tuple[str, int, int]]:
        found = ask(ada, "GET", f"/api/leaderboard?game=isis-osiris&variant={variant}")["players"]
        ours = (name_of(ada), name_of(bo))
        return [
            (ranked["player"]["name"], ranked["rating"], ranked["games"])
            for ranked in found
            if ranked["player"]["name"] in ours
        ]

    def rating_in(variant: str) -> dict[str, Any]:
        records = page_of(bo, name_of(ada))["records"]
        (rating,) = (one["rating"] for one in records if one["rating"]["variant"] == variant)
        return dict(rating)

    def play(variant: str, loser: Player) -> None:
        for _ in range(ESTABLISHED):
            table = open_rated(ada, bo, variant=variant)
            play_a_round(ada, bo)
            resign(loser)
            ratings_of(ada, table)

    play("normal", bo)
    list_before, rating_before = best("normal"), rating_in("normal")
    assert [name for name, _, _ in list_before] == [name_of(ada), name_of(bo)]
    assert best("shared") == []
    play("shared", ada)
    assert (best("normal"), rating_in("normal")) == (list_before, rating_before)
    assert [(name, games) for name, _, games in best("shared")] == [
        (name_of(bo), ESTABLISHED),
        (name_of(ada), ESTABLISHED),
    ]
    assert rating_in("shared")["rating"] < rating_before["rating"]


async def test_favourite_openings_come_by_how_often_and_with_how_many_were_won(tmp_path: Path) -> None:
    played = [("Pa1", 1), ("Pb2", 2), ("Pa1", 2), ("Pb2", 1), ("Pb2", 1), ("?c3", 1), ("", 1)]
    played += [("Pc3", 2), ("Pa2", 3), ("Pa3", 1)]
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    game = {"player": f"{LEVEL}scribe", "game": "isis-osiris", "variant": "normal"}
    rating = {"mu": 25.0, "sigma": 8.0, "shown": 1040, "games": len(played)}
    changes = [
        game
        | {
            "table_id": f"table{at}",
            "seat": 1,
            "place": place,
            "before": 1000,
            "after": 1000,
            "at": float(at),
        }
        | {"opening": opening, "recall": 0.0, "recalls": 0}
        for at, (opening, place) in enumerate(played)
    ]

    def write(connection: sa.Connection) -> None:
        connection.execute(sa.insert(ratings).values(game | rating))
        connection.execute(sa.insert(rating_changes), changes)

    await store.transact(write)
    page = await Players(store).page("scribe", words_in("en"))
    assert [(one.turn, one.said, one.games, one.won) for one in page.records[0].openings] == [
        ("Pb2", "A piece on b2", 3, 2),
        ("Pa1", "A piece on a1", 2, 1),
        ("?c3", "A tile on c3", 1, 1),
        ("Pa2", "A piece on a2", 1, 0),
        ("Pa3", "A piece on a3", 1, 1),
    ]
    store.close()


def test_who_gives_up_is_last_also_among_four(server: Server, people: list[Player]) -> None:
    table = open_rated(*people)
    play_a_round(*people)
    resign(people[2])
    resign(people[0])
    state = people[1].state()
    while state["status"] != "over":
        due = state["board"]["to_move"]
        if due in (2, 4):
            player = people[due - 1]
            mine = player.state()
            if mine["mine"]:
                assert player.submit(legal(mine), mine["seq"]).status_code == 200
        state = people[1].state()
    places = [seat["place"] for seat in ratings_of(people[0], table)["seats"]]
    assert (places[0], places[2]) == (3, 4)
    assert set(places) in ({1, 2, 3, 4}, {1, 3, 4})


def test_a_resigned_game_counts_and_one_without_result_does_not(server: Server, people: list[Player]) -> None:
    ada, bo = people[:2]
    left = open_rated(ada, bo)
    ada.http.post(f"/api/tables/{left}/leave").raise_for_status()
    table = open_rated(ada, bo)
    play_a_round(ada, bo)
    resign(ada)
    seats = ratings_of(ada, table)["seats"]
    assert [seat["place"] for seat in seats] == [2, 1]
    assert seats[1]["after"] > 1000 > seats[0]["after"]
    assert ada.http.get(f"/api/tables/{left}/ratings").status_code == 404
    assert page_of(ada, name_of(bo))["records"][0]["rating"]["games"] == 1


def test_a_rated_table_has_three_days_for_each_turn_where_no_other_clock_is_chosen(
    server: Server, people: list[Player]
) -> None:
    ada, bo = people[:2]
    open_rated(ada, bo)
    clock = ada.state()["clock"]
    assert (clock["kind"], clock["seconds"], clock["on_time"]) == ("days", 3 * 86_400, "forfeit")
    open_rated(ada, bo, clock={"kind": "turn", "seconds": 60}, on_time="forfeit")
    assert ada.state()["clock"]["kind"] == "turn"
    ada.open(ME, FRIEND)
    assert ada.state()["clock"] is None


def test_unrated_tables_change_nothing(server: Server, people: list[Player]) -> None:
    ada = people[0]
    ada.open(ME, HERE)
    play_a_round(ada, ada)
    resign(ada)
    assert ada.http.get(f"/api/tables/{ada.table}/ratings").status_code == 404
    assert page_of(ada, name_of(ada))["records"] == []


def test_the_houses_bots_are_players_too(server: Server, people: list[Player]) -> None:
    ada = people[0]
    ada.open(ME, NOVICE, NOVICE, rated=True, first=1)
    play_a_round(ada)
    resign(ada)
    wait_until(lambda: ada.state()["status"] == "over", "the bots play to the end")
    seats = ratings_of(ada, ada.table)["seats"]
    assert [seat["player"]["kind"] for seat in seats] == ["person", "level", "level"]
    assert seats[1]["after"] == seats[2]["after"]
    novice = ada.http.get("/api/players/novice", headers={"accept-language": "de"}).json()
    assert novice["player"] == {"name": "Novize", "kind": "level", "path": "/players/novice"}
    assert novice["records"][0]["rating"]["games"] == 1


def test_nobody_wins_against_himself(server: Server, people: list[Player]) -> None:
    ada, bo = people[:2]
    bot, _ = bot_of(ada, server.url, f"Horus {name_of(ada)[4:]}")
    opened = ada.open(ME, FRIEND, FRIEND, rated=True, first=1)
    keys = [seat["key"] for seat in opened["seats"]]
    again = ada.http.post(f"/api/tables/{ada.table}/seats/2", json={"key": keys[1]})
    assert again.status_code == 409, "one seat each"
    assert ada.http.post("/api/tables", json={"seats": [ME, ME], "rated": True}).status_code == 422
    guest = Player(server.url).http.post(f"/api/tables/{ada.table}/seats/2", json={"key": keys[1]})
    assert guest.status_code == 401, "signed in only"
    table = open_rated(ada, bot)
    play_a_round(ada, bot)
    resign(bot)
    other = open_rated(bo, bot)
    play_a_round(bo, bot)
    resign(bot)
    seats = ratings_of(bo, other)["seats"]
    assert [seat["player"]["kind"] for seat in seats] == ["person", "bot"]
    assert ada.http.get(f"/api/tables/{table}/ratings").status_code == 404, "his own bot does not count"
    assert page_of(ada, f"Horus {name_of(ada)[4:]}")["owner"] == name_of(ada)


def test_at_a_rated_table_everybody_plays_under_his_own_name(server: Server, people: list[Player]) -> None:
    ada, bo = people[:2]
    opened = ada.open(ME | {"name": "Somebody else"}, FRIEND, rated=True)
    bo.table = ada.table
    taken = {"key": opened["seats"][1]["key"], "name": "Another"}
    bo.http.post(f"/api/tables/{ada.table}/seats/2", json=taken).raise_for_status()
    renamed = ada.http.post(f"/api/tables/{ada.table}/seats/1/name", json={"name": "Nobody"})
    assert renamed.status_code == 409
    assert [seat["name"] for seat in ada.state()["seats"]] == [name_of(ada), name_of(bo)]


def test_each_table_counts_once_in_the_order_of_the_ends_whatever_happens(database: Database) -> None:
    server = Server(database)
    ada, bo = signed_up(server, "Noether", 2)
    tables = []
    for loser in (ada, bo, ada):
        tables.append(open_rated(ada, bo))
        play_a_round(ada, bo)
        resign(loser)
        ratings_of(ada, tables[-1])
    before = [ratings_of(ada, table) for table in tables]
    standing = page_of(ada, "Ada Noether")["records"]
    server.kill()
    # as if all servers had ended before any was rated
    database.execute("delete from ratings", "delete from rating_changes", "delete from rated_tables")
    servers = [Server(database), Server(database)]
    ada = Player(servers[1].url)
    assert [ratings_of(ada, table) for table in tables] == before
    assert page_of(ada, "Ada Noether")["records"] == standing
    counted = database.execute("select table_id, count(*) from rating_changes group by table_id")
    assert sorted(tuple(row) for row in counted) == sorted((table, 2) for table in tables)
    assert [server.stop() for server in servers] == [0, 0]


async def test_a_table_that_cannot_be_read_leaves_no_other_unrated(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    room = Room(database.url)
    names = [(await room.table(rated=True)).table.id for _ in range(3)]
    for name in names:
        live = await room.house.live(name)
        for holder in ("ada", "bo"):
            await room.play(live, holder)
        await leaving.resign(room.house, live, "bo", None)
    database.execute(f"update events set body = '{{}}' where table_id = '{names[1]}' and seq = 3")
    rating = asyncio.create_task(Ratings(room.store).work())
    rated = sa.select(rated_tables.c.table_id)
    end = time.monotonic() + PATIENCE
    while len(await room.store.rows(rated)) < 2:
        assert time.monotonic() < end, "the others are rated"
        await asyncio.sleep(0.02)
    assert set(await room.store.scalars(rated)) == {names[0], names[2]}
    assert names[1] in caplog.text
    assert not rating.done()
    rating.cancel()
    await room.close()


def test_the_best_are_those_who_have_played_enough(server: Server, people: list[Player]) -> None:
    ada, bo, cy = people[:3]
    for _ in range(ESTABLISHED):
        table = open_rated(ada, bo, game="ramses")
        play_a_round(ada, bo)
        resign(bo)
        ratings_of(ada, table)
    open_rated(ada, cy, game="ramses")
    play_a_round(ada, cy)
    resign(cy)
    ratings_of(ada, ada.table)
    best = ask(ada, "GET", "/api/leaderboard?game=ramses")["players"]
    assert [(ranked["place"], ranked["player"]["name"]) for ranked in best] == [
        (1, name_of(ada)),
        (2, name_of(bo)),
    ]
    assert best[0]["rating"] > best[1]["rating"]
    assert best[0]["games"] == ESTABLISHED + 1
    assert page_of(ada, name_of(cy))["records"][0]["rating"]["games"] == 1
    for path in ("/api/leaderboard?game=chess", "/api/leaderboard?variant=odd", "/api/players/Nobody%20here"):
        assert ada.http.get(path).status_code == 404, path
    for path in ("/players?game=ramses", f"/players/{name_of(ada)}", "/players", "/players/scribe"):
        answer = ada.http.get(path)
        assert answer.status_code == 200, path
    assert ada.http.get("/players/Nobody%20here").status_code == 404


def test_who_leaves_goes_from_the_lists_and_the_others_keep_what_they_won(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    ada, bo = signed_up(server, "Curie", 2)
    table = open_rated(ada, bo)
    play_a_round(ada, bo)
    resign(bo)
    before = ratings_of(ada, table)["seats"]
    ask(bo, "DELETE", "/api/me", name="Bo Curie")
    after = ratings_of(ada, table)["seats"]
    assert after[0] == before[0]
    assert after[1]["player"] == {"name": "Someone", "kind": None, "path": None}
    assert ada.http.get("/api/players/Bo%20Curie").status_code == 404
    assert server.stop() == 0
    with closing(sqlite3.connect(tmp_path / "house.db")) as database:
        assert database.execute("select count(*) from ratings").fetchone() == (1,)
