"""The description of the API is complete and true, and what anybody may send it is answered as it says."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from starlette.routing import Route

from oudjat.house.followers import UNNUMBERED, Beat, Follower, unnumbered
from oudjat.house.openapi import describe
from oudjat.house.paint import Told, Viewer
from oudjat.house.store import Store
from oudjat.house.web import build
from oudjat.texts.catalog import words_in
from tests.house.lines import HeldLine
from tests.house.test_accounts import ask, sign_in, sign_up
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
CONFIGURATION = (ROOT / "schemathesis.toml").read_text("utf-8")
EVENTS = "/api/tables/{table}/events"
TABLES = ("--include-path-regex", "^/api/tables", "--exclude-path", EVENTS)
HEADERS = {
    "house-time",
    "retry-after",
    "preference-applied",
    "etag",
    "www-authenticate",
    "content-disposition",
}
ME = ("--include-path-regex", "^/api/me", "--exclude-path-regex", "sign-|sessions|passkeys|/api/me$")
"""What somebody who is signed in can do without signing out by it, or leaving."""
ANALYSIS = "/api/tables/{table}/analysis"
OVER = (
    *("--include-path-regex", "^/api/(tables/|players|leaderboard|channels)"),
    *("--exclude-path", EVENTS, "--exclude-path", ANALYSIS),  # they take their time
)
SESSIONS = ("--include-path-regex", "^/api/me/(sign-in|sign-up|sessions|passkeys)|^/api/channels/{channel}$")
DONE = [
    ("GET", "/api/tables/{table}/turns"),
    ("GET", "/api/tables/{table}/record"),
    ("GET", "/api/tables/{table}/ratings"),
    ("GET", "/api/tables/{table}/players"),
    ("POST", "/api/tables/{table}/again"),
    ("GET", "/api/players/{name}"),
    ("POST", "/api/channels/{channel}"),
    ("POST", "/api/channels/{channel}/test"),
    ("DELETE", "/api/channels/{channel}"),
    ("DELETE", "/api/me/sessions/{session}"),
    ("POST", "/api/me/passkeys/wish"),
    ("POST", "/api/me/sign-out"),
]
"""What can be done at a rated table that is over, and by a player who is known."""
SIGNING_OUT = ("--include-path-regex", "^/api/me/sign-out")


def test_every_route_is_described_and_nothing_else(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    app = build(store, randomness=Random(1))
    store.close()
    routes = {
        (route.path.replace(":seat}", "}"), method.lower())
        for route in app.routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in (route.methods or set()) - {"HEAD"}
    }
    described = {(path, method) for path, methods in describe()["paths"].items() for method in methods}
    assert routes - {("/api/openapi.json", "get")} == described


def test_every_reference_leads_somewhere_and_every_schema_is_used() -> None:
    described = describe()
    text = json.dumps(described)
    names = set(described["components"]["schemas"])
    referred = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert referred == names


def the_answer(player: Player, method: str, path: str, of: str, **request: Any) -> httpx.Response:
    """An answer whose status and whose headers are described, at the path ``of`` the description."""
    answer = player.http.request(method, path, **request)
    responses = describe()["paths"][of][method.lower()]["responses"]
    assert str(answer.status_code) in responses, (of, answer.text)
    headers = responses[str(answer.status_code)].get("headers", {})
    assert HEADERS & set(answer.headers) <= set(headers), of
    assert {name for name, header in headers.items() if header.get("required")} <= set(answer.headers), of
    return answer


def test_answers_have_the_headers_that_are_described(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db", environment={"OUDJAT_LIMITS": "1"})
    ada = Player(server.url)
    sign_up(ada, "Ada")
    seats = [{"kind": "me"}, {"kind": "bot", "level": "novice"}]
    opened = the_answer(
        ada, "POST", "/api/tables", "/api/tables", json={"seats": seats, "first": 1, "rated": True}
    )
    here, of = f"/api/tables/{opened.json()['table']}", "/api/tables/{table}"
    named = f"{of}/seats/{{number}}/name"
    assert the_answer(ada, "POST", f"{here}/seats/1/name", named, json={"name": "Bo"}).status_code == 409
    assert "house-time" in the_answer(ada, "GET", here, of).headers
    the_answer(ada, "POST", f"{here}/pace", f"{of}/pace", json={"pace": "slow"})
    the_answer(ada, "POST", f"{here}/talk", f"{of}/talk", json={"phrase": "hello"})
    turn = {"turn": "Pa1", "after": ada.http.get(here).json()["seq"]}
    least = {"prefer": "return=minimal"}
    done = the_answer(ada, "POST", f"{here}/turns", f"{of}/turns", json=turn, headers=least)
    assert "preference-applied" in done.headers
    the_answer(ada, "POST", f"{here}/turns", f"{of}/turns", json=turn)
    turn["turn"] = "Pb1"
    stale = the_answer(ada, "POST", f"{here}/turns", f"{of}/turns", json=turn)
    assert stale.status_code == 409
    assert "house-time" in stale.headers
    the_answer(ada, "GET", f"{here}/record", f"{of}/record")
    the_answer(ada, "GET", "/api/me/records", "/api/me/records")
    the_answer(ada, "GET", "/api/me/data", "/api/me/data")
    tag = the_answer(ada, "GET", "/api/tables", "/api/tables").headers["etag"]
    same = the_answer(ada, "GET", "/api/tables", "/api/tables", headers={"if-none-match": tag})
    assert same.status_code == 304
    unknown = {"authorization": "Bearer oudbot_unknown"}
    assert the_answer(ada, "GET", "/api/me", "/api/me", headers=unknown).status_code == 401
    asked = [200]
    while asked[-1] == 200 and len(asked) < 100:  # who asks slowly is allowed some more
        asked.append(the_answer(ada, "POST", "/api/me/passkeys/ask", "/api/me/passkeys/ask").status_code)
    assert asked[-1] == 429
    assert server.stop() == 0


def test_a_renamed_seat_of_an_open_table_tells_the_time_too(server: Server) -> None:
    ada = Player(server.url)
    ada.open({"kind": "me"}, {"kind": "here"})
    path = f"/api/tables/{ada.table}/seats/1/name"
    renamed = the_answer(ada, "POST", path, "/api/tables/{table}/seats/{number}/name", json={"name": "Bo"})
    assert renamed.status_code == 200


def test_a_stream_says_nothing_but_what_is_described(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    host, spectator = Player(server.url), Player(server.url)
    host.open({"kind": "me"}, {"kind": "here"}, clock={"kind": "turn", "seconds": 60})
    content = describe()["paths"][EVENTS]["get"]["responses"]["200"]["content"]["text/event-stream"]["schema"]
    schemas = {
        entry["$ref"].split("/")[-1] for entry in content["properties"]["data"]["contentSchema"]["anyOf"]
    }
    kinds: dict[str, type] = {"message": Told} | {name: data for data, name in UNNUMBERED.items()}
    assert set(content["properties"]["event"]["enum"]) == set(kinds)
    assert schemas == {data.__name__ for data in kinds.values()}
    heard: list[str] = []
    with (
        ThreadPoolExecutor() as pool,
        spectator.http.stream("GET", f"/api/tables/{host.table}/events") as stream,
    ):
        event = "message"
        for line in stream.iter_lines():
            field, _, value = line.partition(": ")
            if field == "event":
                event = value
            elif field == "data":
                msgspec.json.decode(value, type=kinds[event])
                if event == "watching" and event not in heard:
                    stopped = pool.submit(server.stop)
                heard.append(event)
                event = "message"
        assert stopped.result() == 0
    assert {"beat", *heard} == set(kinds), "a beat comes after 15 seconds only"


async def test_a_beat_is_one_of_what_is_described() -> None:
    line = HeldLine()
    one = Follower(Viewer(None, words_in("en")), line)
    one.beat()
    await asyncio.sleep(0)
    assert unnumbered(Beat()) in b"".join(line.heard)


def finds(server: Server, folder: Path, *arguments: str, first: str = "", further: str = "") -> str:
    """What schemathesis has found, with this before and after its configuration."""
    configuration = folder / "schemathesis.toml"
    configuration.write_text(first + CONFIGURATION + further, "utf-8")
    command = [str(SCHEMATHESIS), "--no-color", "--config-file", str(configuration), "run", *arguments]
    done = subprocess.run(
        [*command, "--seed", "5", "--request-timeout", f"{PATIENCE:.0f}", f"{server.url}/api/openapi.json"],
        capture_output=True, text=True, timeout=20 * PATIENCE, check=False, cwd=folder,
    )  # fmt: skip
    return "" if done.returncode == 0 else done.stdout[done.stdout.find("= FAILURES") :] + done.stderr


def cookies(player: Player) -> str:
    """What a browser sends with each request, as a header."""
    return "; ".join(f"{name}={value}" for name, value in player.http.cookies.items())


def test_schemathesis_finds_nothing_when_it_knows_no_table(server: Server, tmp_path: Path) -> None:
    found = finds(server, tmp_path, "--max-examples", "10", "--exclude-path", EVENTS)
    assert not found, found


BEATING = "from oudjat.house import followers\nfollowers.HEARTBEAT = 0.7"
"""For a server's ``beforehand``: a stream on which nothing happens says soon again that it is alive."""


def test_schemathesis_finds_nothing_at_a_table_of_its_own(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db", beforehand=BEATING)
    player = Player(server.url)
    opened = player.open({"kind": "me"}, {"kind": "here"}, {"kind": "bot", "level": "novice"}, first=1)
    known = f'\n[parameters]\n"path.table" = "{opened["table"]}"\n'
    known += f'[headers]\nAuthorization = "Bearer {opened["token"]}"\n'
    found = finds(server, tmp_path, "--max-examples", "15", *TABLES, further=known)
    assert not found, found
    streams = ("--max-examples", "3", "--include-path", EVENTS)
    read = "max-stream-events = 4\n"  # of each stream, which has no end
    found = finds(server, tmp_path, *streams, first=read, further=known)
    assert not found, found
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


def test_schemathesis_finds_nothing_at_an_account_of_its_own(server: Server, tmp_path: Path) -> None:
    player = Player(server.url)
    wish = {"name": "Ada", "password": "as long as the river"}
    assert player.http.post("/api/me/sign-up", json=wish).status_code == 201
    bot = player.http.post("/api/me/bots", json={"name": "Ibis"}).json()["bot"]
    known = f'\n[parameters]\n"path.bot" = "{bot}"\n[headers]\nCookie = "{cookies(player)}"\n'
    found = finds(server, tmp_path, "--max-examples", "10", *ME, further=known)
    assert not found, found


def test_schemathesis_finds_nothing_at_a_rated_table_that_is_over_nor_of_its_players(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db", environment={"OUDJAT_LOOPBACK_WEBHOOKS": "1"})
    ada = Player(server.url)
    sign_up(ada, "Ada")
    ada.open({"kind": "me"}, {"kind": "bot", "level": "novice"}, rated=True, first=1, game="ramses")
    ada.wait_for_turn()
    here = f"/api/tables/{ada.table}"
    for turn in range(2):
        state = ada.wait_for_turn()
        assert ada.submit(legal(state), state["seq"]).status_code == 200, turn
    ada.wait_for_turn()
    assert ada.http.post(f"{here}/resign", json={}).status_code == 200
    wait_until(lambda: ada.http.get(f"{here}/ratings").status_code == 200, "the table is rated")
    hook = {"url": "http://127.0.0.1:9/hook", "kind": "json"}  # nobody listens there
    channel = ada.http.post("/api/channels/webhook", json=hook).json()["channel"]["id"]
    sign_in(Player(server.url), "Ada")  # a second session, to be ended
    session = next(one["id"] for one in ask(ada, "GET", "/api/me")["sessions"] if not one["here"])
    names = {"table": ada.table, "name": "Ada", "channel": channel, "session": session, "number": 1}
    known = "\n[parameters]\n" + "".join(
        f'"path.{name}" = {json.dumps(value)}\n' for name, value in names.items()
    )
    known += f'[headers]\nCookie = "{cookies(ada)}"\n'
    for run in (("--exclude-method", "DELETE", *OVER), SESSIONS, SIGNING_OUT):
        found = finds(server, tmp_path, "--max-examples", "8", *run, further=known)
        assert not found, found
    figures = Player(server.url).http.get("/metrics").text
    for method, route in DONE:
        counted = rf'oudjat_requests_total{{method="{method}",route="{re.escape(route)}",status="20.'
        assert re.search(counted, figures), f"{method} {route} was only ever refused"
    assert server.stop() == 0


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 16_000,
        b'{"seats":' + b"[" * 7_000 + b"1.0" + b"]" * 7_000 + b"}",
        b'{"seats":[],"first":1e400}',
        b'{"seats":[],"game":"\\ud800"}',
        b"\xff\xfe",
        b"null",
        b"",
    ],
    ids=["deep", "deep with a number", "beyond numbers", "half a letter", "no text", "null", "nothing"],
)
def test_a_body_that_no_generator_thinks_of_is_refused_in_a_sentence(server: Server, body: bytes) -> None:
    answer = Player(server.url).http.post("/api/tables", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].endswith(".")


def test_a_whole_number_may_be_written_with_a_point(server: Server) -> None:
    seats = '[{"kind": "me"}, {"kind": "here"}]'
    answer = Player(server.url).http.post("/api/tables", content=f'{{"seats": {seats}, "first": 2.0}}')
    assert answer.status_code == 201
    assert answer.json()["state"]["board"]["to_move"] == 2
    assert (
        Player(server.url).http.post("/api/tables", content='{"seats": [], "first": 2.5}').status_code == 400
    )


@pytest.mark.parametrize("table", ["%00", "%ff%fe", "..%2f..", "x" * 6000, "%E2%80%AEabc", "O0l1"])
def test_a_table_that_cannot_be_is_not_there(server: Server, table: str) -> None:
    answer = Player(server.url).http.get(f"/api/tables/{table}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"


def test_what_cannot_be_done_says_what_can(server: Server) -> None:
    http = Player(server.url).http
    for path, methods in describe()["paths"].items():
        answer = http.request("TRACE", path.replace("{number}", "1"))
        assert answer.status_code == 405
        assert set(answer.headers["allow"].lower().split(", ")) - {"head"} == set(methods)
