"""What those who run a house ask it, and what it writes about itself."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from oudjat.house import store as store_module
from oudjat.house.store import Store, StoreError
from tests.databases import Database, PostgreSQL
from tests.endpoints import Browser, endpoint
from tests.serving import Player, Server
from tests.timing import PATIENCE, until, wait_until

ME, HERE, FRIEND = {"kind": "me"}, {"kind": "here"}, {"kind": "friend"}


PATIENT = f"from oudjat.house import operations\noperations._PATIENCE = {PATIENCE}"
"""For a server's ``beforehand``: a database that answers late answers all the same."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("house")
    server = Server(folder / "house.db", 0, "--log", "json", beforehand=PATIENT)
    yield server
    assert server.stop() == 0


def counted(url: str) -> dict[str, float]:
    """What a server counts: each sample by its name and labels."""
    text = httpx.get(f"{url}/metrics", timeout=PATIENCE).text
    return {
        " ".join(
            [sample.name, *(f"{key}={value}" for key, value in sorted(sample.labels.items()))]
        ): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_health_and_readiness(server: Server) -> None:
    for path in ("/health", "/ready"):
        answer = httpx.get(server.url + path, timeout=PATIENCE)
        assert (answer.status_code, answer.text) == (200, "ok\n")
        assert answer.headers["cache-control"] == "no-store"


def test_a_house_without_its_database_is_alive_and_not_ready(tmp_path: Path) -> None:
    cluster = PostgreSQL()
    try:
        server = Server(cluster.database(tmp_path / "house.log"))
        cluster.stop()
        assert httpx.get(f"{server.url}/health", timeout=PATIENCE).status_code == 200
        assert httpx.get(f"{server.url}/ready", timeout=PATIENCE).status_code == 503
        cluster.start()
        wait_until(
            lambda: httpx.get(f"{server.url}/ready", timeout=PATIENCE).status_code == 200, "it is ready again"
        )
        assert server.stop() == 0
    finally:
        cluster.remove()


def test_what_happens_is_counted(server: Server) -> None:
    player = Player(server.url)
    player.open(ME, HERE, first=1)
    before = counted(server.url)
    assert player.submit("Pa1").status_code == 200
    assert player.submit("Pa1").status_code == 422
    assert player.submit("Pb2", 0).status_code == 409
    stream = player.events()
    next(stream)
    after = counted(server.url)

    def more(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    assert more("oudjat_turns_total") == 1
    assert more("oudjat_refused_turns_total status=422") == 1
    assert more("oudjat_refused_turns_total status=409") == 1
    turns = "method=POST route=/api/tables/{table}/turns"
    assert more(f"oudjat_requests_total {turns} status=200") == 1
    assert more(f"oudjat_request_seconds_count {turns}") == 3
    assert more("oudjat_append_seconds_count") >= 1
    assert more("oudjat_append_group_count") >= 1
    assert after["oudjat_live_tables"] >= 1
    assert after["oudjat_open_streams"] >= 1
    assert player.table not in httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text, (
        "no label tells of a table"
    )


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_the_figures_are_for_this_machine(server: Server, header: str) -> None:
    refused = httpx.get(f"{server.url}/metrics", headers={header: "192.0.2.1"}, timeout=PATIENCE)
    assert refused.status_code == 403
    assert "oudjat_" not in refused.text


def test_workers_count_together_and_what_they_hear_of_each_other(shared_database: Database) -> None:
    server = Server(shared_database, 0, "--workers", "2", environment={"OUDJAT_METRICS": "public"})
    player = Player(server.url)
    player.open(ME, HERE, first=1)
    for space in ("a1", "b2", "c3", "d4", "e5", "f6"):
        with httpx.Client(base_url=server.url, cookies=player.http.cookies, timeout=PATIENCE) as anew:
            seq = player.state()["seq"]
            turn = {"turn": f"P{space}", "after": seq}
            assert anew.post(f"/api/tables/{player.table}/turns", json=turn).status_code == 200
    assert counted(server.url)["oudjat_turns_total"] == 6, "whichever worker is asked"
    figures = f"{server.url}/metrics"
    forwarded = httpx.get(figures, headers={"X-Forwarded-For": "192.0.2.1"}, timeout=PATIENCE)
    assert forwarded.status_code == 200, "as its keeper wished"
    assert server.stop() == 0


SECRETS = {
    "token": "tok_SECRETSECRETSECRET1",
    "cookie": "cook_SECRETSECRETSECRET2",
    "name": "Nofretete",
    "key": "key-SECRET-3",
    "password": "hunter2-SECRET-4",
    "address": "203.0.113.77",
    "query": "query-SECRET-5",
    "agent": "agent-SECRET-6",
    "referrer": "referrer-SECRET-7",
    "wrong password": "hunter3-SECRET-8",
    "webhook": "hook-SECRET-9",
    "push endpoint": "push-SECRET-10",
    "address that nobody hears": "hook-SECRET-11",
    "label": "label-SECRET-12",
}


def test_the_log_is_one_object_a_line_and_tells_no_secret(database: Database) -> None:
    environment = {"OUDJAT_PROXIES": "127.0.0.1", "OUDJAT_LOOPBACK_WEBHOOKS": "1"}
    server = Server(database, 0, "--log", "json", environment=environment)
    player = Player(server.url)
    opened = player.open(dict(ME, name=SECRETS["name"]), FRIEND)
    key = opened["seats"][1]["key"]
    player.http.headers.update(
        {
            "x-forwarded-for": SECRETS["address"],
            "user-agent": SECRETS["agent"],
            "referer": f"http://elsewhere/{SECRETS['referrer']}",
        }
    )
    token = {"authorization": f"Bearer {SECRETS['token']}"}
    with httpx.Client(base_url=server.url, cookies={"oudjat": SECRETS["cookie"]}, timeout=PATIENCE) as other:
        other.get(f"/t/{player.table}/seat/2/{SECRETS['key']}")
    table = f"/api/tables/{player.table}"
    player.http.get(f"{table}?q={SECRETS['query']}", headers=token)
    player.http.post(f"{table}/turns", json={"turn": SECRETS["query"], "after": 1}, headers=token)
    player.http.post(f"{table}/seats/2", json={"key": SECRETS["key"], "name": SECRETS["name"]})
    signed_in = _Known(server)
    given = signed_in.signs_in() | signed_in.makes_a_bot() | signed_in.is_told_in_vain()
    player.http.post("/api/tables", content=SECRETS["password"].encode())
    player.http.get(f"/nowhere/{SECRETS['query']}")
    _break(server, database)
    renamed = player.http.post(f"{table}/seats/1/name", json={"name": SECRETS["name"] + " II"})
    assert renamed.status_code in (500, 503)
    given |= signed_in.signs_in(broken=True)
    _break(server, database, mend=True)
    assert server.stop() == 0
    lines = [line for line in server.log.read_text().splitlines() if line.startswith("{")]
    told = [json.loads(line) for line in lines]
    assert any(line.get("table") == player.table and line["level"] == "error" for line in told)
    assert {
        line["message"].partition(": ")[2] for line in told if line["message"].startswith("Channel ")
    } == {
        "{host} did not take the message (it answered {status}).",
        "{host} cannot be reached.",
    }, "it says what went wrong, and not where"
    assert all({"time", "level", "message"} <= line.keys() for line in told)
    log = server.log.read_text()
    holder = [row[0] for row in database.execute("select holder from seats")]
    assert len(given) >= 8
    for secret in (*SECRETS.values(), key, player.http.cookies["oudjat"], *holder, *given):
        assert secret not in log


class _Known:
    """Somebody who is signed in, and does all that brings secrets into the house; each step gives those it brought."""

    def __init__(self, server: Server) -> None:
        self._player = Player(server.url)
        self._url = server.url
        self._log = server.log
        self._post("/api/me/sign-up", 201, name=SECRETS["name"], password=SECRETS["password"])

    def _post(self, path: str, *statuses: int, **body: Any) -> Any:
        answer = self._player.http.post(path, json=body)
        assert answer.status_code in statuses, answer.text
        return answer.json()

    def signs_in(self, *, broken: bool = False) -> set[str]:
        cookies = {self._player.http.cookies["oudjat_session"]}
        for password, statuses in (("wrong password", (401,)), ("password", (200, 503 if broken else 200))):
            self._post("/api/me/sign-in", *statuses, name=SECRETS["name"], password=SECRETS[password])
        cookies.add(self._player.http.cookies["oudjat_session"])
        return {part for cookie in cookies for part in cookie.split(".")}

    def makes_a_bot(self) -> set[str]:
        made = self._post("/api/me/bots", 201, name=SECRETS["name"] + " III")
        self._post(f"/api/me/bots/{made['bot']}/tokens", 201, label=SECRETS["label"])
        bot = Player(self._url)
        for token, status in ((made["token"], 200), (made["token"] + "x", 401)):
            bot.http.headers["authorization"] = f"Bearer {token}"
            assert bot.http.get("/api/me").status_code == status
        return {made["token"]}

    def is_told_in_vain(self) -> set[str]:
        """A webhook and a browser that take no message, and a webhook where nobody listens."""
        with endpoint() as post, socket.create_server(("127.0.0.1", 0)) as silent:
            post.statuses, post.headers = [500, 500], {"retry-after": "3600"}
            nowhere = f"http://127.0.0.1:{silent.getsockname()[1]}/{SECRETS['address that nobody hears']}"
            silent.close()
            browser = Browser(f"{post.url}/{SECRETS['push endpoint']}").wish()
            self._post("/api/channels/push", 201, **browser)
            for address in (f"{post.url}/{SECRETS['webhook']}", nowhere):
                self._post("/api/channels/webhook", 201, kind="json", url=address)
            opened = self._player.open(ME, FRIEND, first=2)
            path, key = f"/api/tables/{opened['table']}/seats/2", {"key": opened["seats"][1]["key"]}
            assert Player(self._url).http.post(path, json=key).status_code == 200
            post.wait_for(2)
            tried = '"message":"Channel '
            wait_until(lambda: self._log.read_text().count(tried) >= 3, "it is written down that each failed")
        return {browser["p256dh"], browser["auth"], key["key"]}


def _break(server: Server, database: Database, *, mend: bool = False) -> None:
    """Let nothing be stored, or again."""
    if database.is_postgresql and mend:
        database.execute("drop trigger broken on events")
    elif database.is_postgresql:
        database.execute(
            "create function fail() returns trigger language plpgsql as "
            "$$ begin raise exception 'no' using detail = new.body; end $$",
            "create trigger broken before insert on events for each row execute function fail()",
        )
    else:
        written = max(file.stat().st_size for file in server.log.parent.glob("house.db*"))
        size = resource.RLIM_INFINITY if mend else written  # the log has room still
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_only_its_owner_can_read_what_a_house_keeps(tmp_path: Path) -> None:
    folder = tmp_path / "of its own"
    server = Server(Database(f"sqlite:///{folder}/house.db", tmp_path / "house.log"))
    files = {"house.db", "house.db-wal", "house.db-shm", "house.db.secret"}
    assert {file.name for file in folder.iterdir()} == files
    assert {oct(file.stat().st_mode & 0o777) for file in folder.iterdir()} == {oct(0o600)}
    assert folder.stat().st_mode & 0o777 == 0o700
    assert server.stop() == 0


def test_a_house_whose_file_is_gone_takes_nothing_more(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db", beforehand=PATIENT)
    player = Player(server.url)
    player.open(ME, HERE, first=1)
    assert player.submit("Pa1").status_code == 200
    (tmp_path / "house.db").rename(tmp_path / "elsewhere.db")
    assert httpx.get(f"{server.url}/ready", timeout=PATIENCE).status_code == 503
    assert player.submit("Pb2").status_code == 503
    assert player.state()["board"]["turns"] == 1
    (tmp_path / "elsewhere.db").rename(tmp_path / "house.db")
    assert httpx.get(f"{server.url}/ready", timeout=PATIENCE).status_code == 200
    assert player.submit("Pb2").status_code == 200
    assert server.stop() == 0


async def test_a_house_whose_database_takes_nothing_is_not_ready(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/house.db")
    at_work, go_on = threading.Event(), threading.Event()

    def long_work(_connection: object) -> None:
        at_work.set()
        go_on.wait(PATIENCE)

    await store.ready()
    working = asyncio.create_task(store.transact(long_work))
    await asyncio.to_thread(at_work.wait, PATIENCE)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store_module, "_LONGEST_WRITE", -1.0)
        with pytest.raises(StoreError):
            await store.ready()
        go_on.set()
        await working
        await until(lambda: store._at_work_since is None, "the writer waits for more work")
        await store.ready()
    store.close()


def test_who_goes_in_the_middle_of_a_request_is_no_fault_of_the_house(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    where = ("127.0.0.1", int(server.url.rpartition(":")[2].strip("/")))
    head = b"POST /api/pairing HTTP/1.1\r\nhost: x\r\ncontent-length: 90\r\n\r\n{"
    for _ in range(5):
        with socket.create_connection(where) as connection:
            connection.sendall(head)
    with socket.create_connection(where) as slow:  # and one who is still there when the house closes
        slow.sendall(head)
        broken_off = "oudjat_requests_total method=POST route=/api/pairing status=400"
        wait_until(lambda: counted(server.url).get(broken_off) == 5, "all five are counted")
        assert server.stop() == 0
    said = server.log.read_text()
    assert "Traceback" not in said
    assert "went wrong" not in said
    assert "failed" not in said


def test_whoever_asks_for_the_head_of_a_stream_gets_no_more(server: Server) -> None:
    player = Player(server.url)
    player.open(ME, HERE, first=1)
    answer = player.http.head(f"/api/tables/{player.table}/events")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert player.http.get("/health").status_code == 200
