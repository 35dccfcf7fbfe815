"""The API as programs use it, against a real server."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from oudjat.house.requests import clean_name
from oudjat.records import Record, read_records, replay
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE, wait_until

ME, BOT, FRIEND, HERE = (
    {"kind": "me"},
    {"kind": "bot", "level": "novice"},
    {"kind": "friend"},
    {"kind": "here"},
)


@pytest.fixture
def alone(server: Server) -> Player:
    """A player with both seats of a table: nothing happens there without him."""
    player = Player(server.url)
    player.open(ME, HERE, first=1)
    return player


def unchanged(player: Player, before: dict[str, Any]) -> bool:
    return player.state() == before


@pytest.mark.parametrize(
    ("seats", "variant"),
    [((ME, BOT), "normal"), ((ME, BOT, BOT), "shared"), ((ME, BOT, HERE, BOT), "normal")],
)
def test_a_whole_game_against_bots_and_its_record(
    server: Server, seats: tuple[dict[str, str], ...], variant: str
) -> None:
    player = Player(server.url)
    player.open(*seats, variant=variant)
    state = player.play_out(tiles_first=True)
    assert state["status"] == "over"
    assert state["result"]
    record = player.http.get(f"/api/tables/{player.table}/record").text
    (read,) = read_records(record)
    assert isinstance(read, Record)
    last = replay(read).last
    assert last.outcome is not None
    assert [seat["score"] for seat in state["board"]["seats"]] == list(last.outcome.scores or ())
    assert read.tag("Seat1") == "Green"


def test_a_friend_is_seated_by_the_key_and_plays(server: Server) -> None:
    host, friend = Player(server.url), Player(server.url)
    opened = host.open(ME, FRIEND, first=2)
    assert opened["state"]["status"] == "waiting"
    friend.table = host.table
    seat = f"/api/tables/{host.table}/seats/2"
    assert host.submit("Pc3").status_code == 409
    assert friend.http.post(seat, json={"key": "wrong"}).status_code == 403
    key = opened["seats"][1]["key"]
    taken = friend.http.post(seat, json={"key": key, "name": "  Bo  "})
    assert taken.status_code == 200
    assert taken.json()["state"]["seats"][1]["name"] == "Bo"
    assert friend.http.post(seat, json={"key": key}).status_code == 200, (
        "one's own seat again changes nothing"
    )
    third = Player(server.url)
    refused = third.http.post(seat, json={"key": key})
    assert refused.status_code == 409
    assert friend.submit("Pc3").status_code == 200
    assert host.submit("Pd3").status_code == 200
    assert "key" not in third.http.get(f"/api/tables/{host.table}").text.replace("invitations", "")


def test_an_invitation_names_who_opened_the_table_wherever_he_sits(server: Server) -> None:
    host = Player(server.url)
    opened = host.open(FRIEND, {"kind": "me", "name": "Ada"})
    page = Player(server.url).http.get(opened["seats"][0]["path"]).text
    assert "Ada invites you" in page


def test_an_illegal_turn_names_the_rule_in_the_readers_language(server: Server, alone: Player) -> None:
    alone.submit("Pc3")
    before = alone.state()
    said = {}
    for language in ("en", "de", "fr"):
        alone.http.headers["accept-language"] = language
        answer = alone.submit("Pc3", before["seq"])
        assert answer.status_code == 422
        error = answer.json()["error"]
        assert error["rule"] == "IO-9"
        said[language] = error["message"]
    assert len(set(said.values())) == 3
    assert all("c3" in message for message in said.values())
    alone.http.headers["accept-language"] = "en"
    assert unchanged(alone, before)


@pytest.mark.parametrize("turn", ["", "Pz9", "hello", "+3c4 ", "drew +4", "P" * 5000, "\x00", "−3c4"])
def test_an_unreadable_turn_is_refused(alone: Player, turn: str) -> None:
    before = alone.state()
    answer = alone.submit(turn, before["seq"])
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]
    assert unchanged(alone, before)


def test_a_tile_cannot_be_placed_unturned_nor_its_value_chosen(alone: Player) -> None:
    before = alone.state()
    for turn in ("+4c3", "?c3"):
        answer = alone.submit(turn, before["seq"])
        assert (answer.status_code, answer.json()["error"]["rule"]) == (422, "IO-8")
    assert unchanged(alone, before)
    drawn = alone.submit("draw").json()["state"]["board"]["drawn"]
    other = "+1" if drawn != "+1" else "-1"
    answer = alone.submit(f"{other}c3")
    assert (answer.status_code, answer.json()["error"]["rule"]) == (422, "IO-8")
    assert alone.submit("Pc3").json()["error"]["rule"] == "IO-8"
    assert alone.submit(f"{drawn}c3").status_code == 200


def test_a_turn_out_of_turn_a_stranger_and_a_stale_turn(server: Server) -> None:
    host, friend, stranger = Player(server.url), Player(server.url), Player(server.url)
    key = host.open(ME, FRIEND, first=1)["seats"][1]["key"]
    friend.table = stranger.table = host.table
    friend.http.post(f"/api/tables/{host.table}/seats/2", json={"key": key})
    before = host.state()
    answer = friend.submit("Pc3")
    assert (answer.status_code, answer.json()["error"]["rule"]) == (409, "IO-11")
    assert stranger.submit("Pc3").status_code == 403
    assert unchanged(host, before)
    assert host.submit("Pc3", before["seq"]).status_code == 200
    stale = friend.submit("Pd4", before["seq"])
    assert stale.status_code == 409
    assert stale.json()["state"]["seq"] == before["seq"] + 1
    assert friend.submit("Pd4", before["seq"] + 99).status_code == 409
    assert friend.submit("Pd4", -1).status_code == 409


def test_the_same_submission_twice_takes_effect_once(alone: Player) -> None:
    seq = alone.state()["seq"]
    for turn in ("draw", "Pc3"):
        first = alone.submit(turn, seq).json()
        second = alone.submit(turn, seq).json()
        if turn == "draw":
            assert (first["again"], second["again"]) == (False, True)
            assert first["state"] == second["state"]
            seq = first["state"]["seq"]
            placed = alone.submit(legal(first["state"]), seq).json()
            seq = placed["state"]["seq"]
        else:
            assert (first["again"], second["again"]) == (False, True)
            assert first["state"] == second["state"]


def test_a_submission_sent_again_later_tells_nothing_of_what_lies_face_down(alone: Player) -> None:
    seq = alone.state()["seq"]
    drawn = alone.submit("draw", seq).json()["state"]["board"]["drawn"]
    assert alone.submit(f"{drawn}c3", seq + 1).status_code == 200
    assert alone.submit(f"{drawn}c3", seq + 1).json()["again"] is True
    assert alone.submit("Pd4", seq + 2).status_code == 200
    guesses = [
        alone.submit(f"{value}c3", seq + 1) for value in ("+1", "+2", "+3", "+4", "-1", "-2", "-3", "-4")
    ]
    assert {answer.status_code for answer in guesses} == {409}
    assert len({answer.text for answer in guesses}) == 1


def test_two_turns_in_the_same_moment_one_wins_and_the_other_is_told(alone: Player, server: Server) -> None:
    seq = alone.state()["seq"]
    answers: list[int] = []

    def send(turn: str) -> None:
        answers.append(alone.submit(turn, seq).status_code)

    threads = [threading.Thread(target=send, args=(f"P{space}",)) for space in ("a1", "b2", "c3", "d4")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409, 409, 409]
    assert alone.state()["board"]["turns"] == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"turn": 1, "after": 1}',
        b'{"turn": "Pc3"}',
        b'{"turn":"Pc3","after":1,"x":1}',
        b"\xff",
    ],
)
def test_a_broken_body_is_400(alone: Player, body: bytes) -> None:
    before = alone.state()
    answer = alone.http.post(f"/api/tables/{alone.table}/turns", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]
    assert unchanged(alone, before)


def test_a_wrong_body_is_explained_in_the_readers_language(alone: Player) -> None:
    path = f"/api/tables/{alone.table}/turns"
    said = set()
    for language in ("en", "de", "fr"):
        answer = alone.http.post(path, json={"turn": 7, "after": 1}, headers={"accept-language": language})
        message = answer.json()["error"]["message"]
        assert "$.turn" in message
        assert "Expected" not in message
        said.add(message)
    assert len(said) == 3


def test_numbers_beyond_reason_and_broken_headers_are_no_server_errors(alone: Player) -> None:
    huge = "9" * 5000
    table = alone.table
    for wrong in (huge, "-1", "٣", "x"):
        assert alone.http.get(f"/api/tables/{table}/events", params={"after": wrong}).status_code == 400
    assert alone.http.get(f"/api/tables/{table}/events", headers={"last-event-id": huge}).status_code == 400
    assert alone.http.get(f"/api/tables/{table}/events?views=some").status_code == 400
    assert alone.http.get(f"/t/{table}/seat/{huge}/key").status_code == 404
    assert alone.http.post(f"/api/tables/{table}/seats/{huge}", json={"key": "x"}).status_code == 404
    answer = alone.http.post(f"/api/tables/{table}/turns", json={}, headers={"origin": "http://["})
    assert answer.status_code == 403
    assert alone.submit("Pc3", -1).status_code == 409


def test_a_withheld_tile_cannot_be_placed_for_the_one_in_hand(alone: Player) -> None:
    drawn = alone.submit("draw").json()["state"]["board"]["drawn"]
    message = alone.submit("?c3").json()["error"]["message"]
    assert drawn.replace("-", "−") in message


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("\u0300" * 24, ""),
        ("e\u0301" + "\u0300" * 20, "\u00e9\u0300\u0300"),
        ("\u3164\u115f", ""),
        ("a\u202eb", "ab"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("Zoë", "Zoë"),
    ],
)
def test_names_are_kept_as_they_can_be_seen(name: str, kept: str) -> None:
    assert clean_name(name) == kept


def test_an_oversize_body_is_413(alone: Player) -> None:
    path = f"/api/tables/{alone.table}/turns"
    assert alone.http.post(path, content=b" " * 20_000).status_code == 413

    def chunks() -> Iterator[bytes]:
        yield from (b" " * 1000 for _ in range(20))

    assert alone.http.post(path, content=chunks()).status_code == 413


def test_unknown_tables_pages_and_methods(server: Server) -> None:
    player = Player(server.url)
    for path in ("/api/tables/nowhere", "/api/tables/nowhere/events", "/api/nothing", "/static/x/y.js"):
        answer = player.http.get(path)
        assert answer.status_code == 404, path
    assert player.http.get("/api/nothing").json()["error"]["message"]
    assert "<html" in player.http.get("/t/nowhere").text
    assert player.http.get("/t/nowhere").status_code == 404
    assert player.http.put("/api/tables").status_code == 405


@pytest.mark.parametrize("path", ["/new?game=isis", "/my-games?page=2", "/players?game=senet&variant=normal"])
def test_another_language_leads_to_the_same_page(server: Server, path: str) -> None:
    player = Player(server.url)
    page = player.http.get(f"{path}&lang=fr").text
    assert '<html lang="fr">' in page
    (german,) = re.findall(r'href="(/lang/de[?][^"]+)"', page)
    answer = player.http.get(unescape(german))
    assert answer.headers["location"] == path
    assert '<html lang="de">' in player.http.get(path).text


@pytest.mark.parametrize(
    "wish",
    [
        {"seats": []},
        {"seats": [ME]},
        {"seats": [ME] * 5},
        {"seats": [ME, BOT], "variant": "chess"},
        {"seats": [ME, BOT], "options": {"memory": "loud"}},
        {"seats": [ME, BOT], "game": "go"},
        {"seats": [ME, BOT], "first": 3},
        {"seats": [ME, {"kind": "bot", "level": "god"}]},
        {"seats": [BOT, FRIEND]},
        {"seats": [{"kind": "me", "name": "x" * 500}, BOT]},
    ],
)
def test_a_table_that_cannot_be_is_422(server: Server, wish: dict[str, Any]) -> None:
    answer = Player(server.url).http.post("/api/tables", json=wish)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


def test_requests_of_other_sites_are_refused(alone: Player) -> None:
    before = alone.state()
    path = f"/api/tables/{alone.table}/turns"
    body = {"turn": "Pc3", "after": before["seq"]}
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert alone.http.post(path, json=body, headers=headers).status_code == 403
    assert unchanged(alone, before)


def test_who_comes_back_gets_exactly_what_he_missed(alone: Player) -> None:
    first = alone.state()["seq"]
    drawn = alone.submit("draw").json()["state"]["board"]["drawn"]
    alone.submit(f"{drawn}c3")
    alone.submit("Pd4")
    missed = list(islice(alone.events(first), 3))
    assert [told["seq"] for told in missed] == [first + 1, first + 2, first + 3]
    assert [told["kind"] for told in missed] == ["drew", "turn", "turn"]
    assert missed[0]["drawn"] is None, "the tile lies face down by now"
    assert missed[1]["turn"] == "?c3"
    assert drawn not in str(missed[0]["said"])
    assert missed[-1]["view"]["seq"] == first + 3
    assert [told["seq"] for told in islice(alone.events(first + 2), 1)] == [first + 3]
    (now,) = islice(alone.events(), 1)
    assert now["seq"] == first + 3


def test_a_follower_sees_the_tile_while_it_is_in_hand(alone: Player, server: Server) -> None:
    spectator = Player(server.url)
    spectator.table = alone.table
    stream = spectator.events()
    next(stream)
    drawn = alone.submit("draw").json()["state"]["board"]["drawn"]
    told = next(stream)
    assert (told["kind"], told["drawn"]) == ("drew", drawn)
    assert told["view"]["board"]["actions"] == []
    (missed,) = islice(alone.events(told["seq"] - 1), 1)
    assert missed["drawn"] == drawn, "a reload shows it still"


def test_strict_memory_withholds_in_record_and_view_until_the_end(alone: Player) -> None:
    drawn = alone.submit("draw").json()["state"]["board"]["drawn"]
    alone.submit(f"{drawn}c3")
    record = alone.http.get(f"/api/tables/{alone.table}/record").text
    assert record.endswith("\n?c3\n")
    state = alone.state()
    assert state["salt"] is None
    assert state["luck"] is None
    assert re.fullmatch(r"[0-9a-f]{64}", state["promise"])
    assert alone.http.get(f"/api/tables/{alone.table}/turns").status_code == 409
    over = alone.play_out()
    from oudjat.house.fair import promise_of

    assert promise_of(over["salt"], tuple(over["luck"])) == over["promise"] == state["promise"]
    frames = alone.http.get(f"/api/tables/{alone.table}/turns").json()["turns"]
    assert frames[0]["turn"] == f"{drawn}c3"
    assert len(frames) == 36


def test_again_sets_up_the_same_players_once(server: Server) -> None:
    host, friend = Player(server.url), Player(server.url)
    key = host.open(ME, FRIEND)["seats"][1]["key"]
    friend.table = host.table
    friend.http.post(f"/api/tables/{host.table}/seats/2", json={"key": key, "name": "Bo"})
    assert host.http.post(f"/api/tables/{host.table}/again").status_code == 409
    threads = [threading.Thread(target=player.play_out) for player in (host, friend)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    one = host.http.post(f"/api/tables/{host.table}/again").json()["table"]
    other = friend.http.post(f"/api/tables/{host.table}/again").json()["table"]
    assert one == other
    friend.table = one
    state = friend.state()
    assert state["status"] == "running"
    assert state["you"] == [2]
    assert state["seats"][1]["name"] == "Bo"


@pytest.mark.parametrize("public", [False, True])
def test_again_without_who_is_gone_waits_for_somebody_new(server: Server, public: bool) -> None:
    host, friend, new = (Player(server.url) for _ in range(3))
    wish = {"name": f"Bo {public}", "password": "as long as the river"}
    assert friend.http.post("/api/me/sign-up", json=wish).status_code == 201
    opened = host.open(ME, FRIEND, {"kind": "bot", "level": "priest"}, first=1, public=public)
    seat = f"/api/tables/{host.table}/seats/2"
    assert friend.http.post(seat, json={"key": opened["seats"][1]["key"] or ""}).status_code == 200
    assert host.http.post(f"/api/tables/{host.table}/leave").status_code == 200
    left = friend.http.request("DELETE", "/api/me", json={"name": wish["name"]})
    assert left.status_code == 200
    wait_until(lambda: wish["name"] not in str(host.state()), "his seat is nobody's")
    again = host.http.post(f"/api/tables/{host.table}/again")
    host.table = new.table = again.json()["table"]
    state = host.state()
    assert state["status"] == "waiting"
    assert [seat["kind"] for seat in state["seats"]] == ["person", "open", "bot"]
    keys = [invitation["key"] for invitation in state["invitations"]]
    assert len(keys) == (0 if public else 1)
    assert new.state()["invitations"] == []
    taken = new.http.post(f"/api/tables/{new.table}/seats/2", json={"key": keys[0] if keys else ""})
    assert taken.json()["state"]["status"] == "running"


def test_again_after_a_table_that_never_began_keeps_a_seat_for_the_friend(server: Server) -> None:
    host = Player(server.url)
    host.open(ME, FRIEND)
    assert host.http.post(f"/api/tables/{host.table}/leave").status_code == 200
    host.table = host.http.post(f"/api/tables/{host.table}/again").json()["table"]
    assert len(host.state()["invitations"]) == 1


def test_names_and_pace(alone: Player, server: Server) -> None:
    path = f"/api/tables/{alone.table}"
    markup = "<b>Ada</b>"
    assert (
        alone.http.post(f"{path}/seats/1/name", json={"name": markup}).json()["state"]["seats"][0]["name"]
        == markup
    )
    assert f">{markup}<" not in alone.http.get(f"/t/{alone.table}").text
    assert Player(server.url).http.post(f"{path}/seats/1/name", json={"name": "x"}).status_code == 403
    assert alone.http.post(f"{path}/seats/9/name", json={"name": "x"}).status_code == 404
    assert alone.http.post(f"{path}/pace", json={"pace": "slow"}).json()["state"]["pace"] == "slow"
    assert alone.http.post(f"{path}/pace", json={"pace": "mad"}).status_code == 400
    assert Player(server.url).http.post(f"{path}/pace", json={"pace": "slow"}).status_code == 403


def test_security_headers_are_everywhere(server: Server) -> None:
    player = Player(server.url)
    for path in ("/", "/new", "/rules", "/t/nowhere", "/api/nothing", "/api/openapi.json"):
        headers = player.http.get(path).headers
        policy = headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_the_description_names_every_route(server: Server) -> None:
    from oudjat.house.web import build  # noqa: F401 - its routes are what the description must cover

    described = Player(server.url).http.get("/api/openapi.json").json()
    house = Path(__file__).parents[2] / "src/oudjat/house"
    source = "".join(file.read_text() for file in house.glob("*.py"))
    written = {
        (path, method.lower()) for method, path in re.findall(r'"""(GET|POST|DELETE) (/api/\S+)"""', source)
    }
    assert written == {
        (path, method) for path, operations in described["paths"].items() for method in operations
    }
