"""What strangers and programs that mean no good cannot do: other sites' requests, too many requests."""

from __future__ import annotations

import random
import re
from pathlib import Path

import httpx
import pytest
from starlette.routing import Route

from oudjat.house.limits import KINDS, LIMITS, Limits, TooMany
from oudjat.house.origin import origin_named
from oudjat.house.store import Store, StoreError
from oudjat.house.web import build
from tests.serving import Player, Server
from tests.timing import PATIENCE

ME, HERE, BOT = {"kind": "me"}, {"kind": "here"}, {"kind": "bot", "level": "novice"}


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> list[Route]:
    """Every route of the application."""
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('routes') / 'house.db'}")
    app = build(store, randomness=random.Random(1))
    store.close()
    return [route for route in app.routes if isinstance(route, Route)]


def changing(routes: list[Route]) -> list[tuple[str, str]]:
    """Method and a path of each route that changes something."""
    return [
        (method, re.sub(r"\{[^}]+\}", "1", route.path))
        for route in routes
        for method in sorted((route.methods or set()) - {"GET", "HEAD"})
    ]


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
    ],
    ids=str,
)
def test_no_route_changes_anything_for_a_page_of_another_site(
    server: Server, routes: list[Route], headers: dict[str, str]
) -> None:
    asked = changing(routes)
    assert len(asked) > 25
    http = Player(server.url).http
    for method, path in asked:
        answer = http.request(method, path, json={}, headers=headers)
        assert answer.status_code == 403, (method, path, answer.text)
        assert "another site" in answer.text, (method, path)


def test_every_route_for_people_and_programs_has_a_limit(routes: list[Route]) -> None:
    free = {route.path for route in routes if not hasattr(route.endpoint, "__wrapped__")}
    assert free == {"/static/{version}/{name}", "/health", "/ready", "/metrics"}
    there = {
        (method, re.sub(r":\w+", "", route.path)) for route in routes for method in route.methods or set()
    }
    assert set(KINDS) <= there
    assert set(KINDS.values()) <= set(LIMITS)


def until_refused(server: Server, **headers: str) -> list[int]:
    """The statuses with which one who throws his cookie away is answered as he opens tables, until it is too much: who
    is slow is allowed some more."""
    http = Player(server.url).http
    statuses: list[int] = []
    while 429 not in statuses and len(statuses) < 100:
        http.cookies.clear()
        wish = {"seats": [ME, HERE]}
        statuses.append(http.post("/api/tables", json=wish, headers=headers).status_code)
    return statuses


def test_too_many_requests_are_told_how_long_to_wait(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db", environment={"OUDJAT_LIMITS": "0.1"})
    player = Player(server.url)
    player.open(ME, BOT)
    answers = [player.http.post("/api/tables", json={"seats": [ME, BOT]}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    refused = answers[-1]
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.json()["error"]["message"].startswith("That was too much at once.")
    assert player.http.get("/").status_code == 200, "looking is another thing"
    tries = [
        player.http.post("/api/me/sign-in", json={"name": "Ada", "password": "guess"}).status_code
        for _ in range(3)
    ]
    assert tries == [401, 429, 429], "whatever the address allows, a name is not guessed at"
    assert 429 in until_refused(server), "nor does it help to throw the cookie away"
    assert server.stop() == 0


def test_a_name_is_guessed_at_no_more_often_for_being_spelled_otherwise(tmp_path: Path) -> None:
    environment = {"OUDJAT_LIMITS": "0.1", "OUDJAT_PROXIES": "127.0.0.1"}
    server = Server(tmp_path / "house.db", environment=environment)
    same = (
        "Ada Lovelace",
        "ADA LOVELACE",
        "Ada\u200b Lovelace",
        "Ａｄａ　Lovelace",
        " Ada   Lovelace ",
        "A\u00adda Lovelace",
    )
    statuses = [
        httpx.post(
            f"{server.url}/api/me/sign-in",
            json={"name": name, "password": "guess"},
            headers={"x-forwarded-for": f"198.51.100.{number}"},
            timeout=PATIENCE,
        ).status_code
        for number, name in enumerate((*same, "Bo"))
    ]
    assert statuses == [401, *[429] * (len(same) - 1), 401]
    assert server.stop() == 0


def test_an_address_is_the_connections_unless_a_trusted_proxy_says_otherwise(tmp_path: Path) -> None:
    for proxies in ("", "127.0.0.1"):
        environment = {"OUDJAT_LIMITS": "0.1", "OUDJAT_PROXIES": proxies}
        server = Server(tmp_path / f"house{proxies}.db", environment=environment)
        one, other = (
            until_refused(server, **{"x-forwarded-for": f"198.51.100.{number}"}) for number in (1, 2)
        )
        assert one[:13] == [201] * 12 + [429] or one[:13] == [201] * 13
        assert one[-1] == other[-1] == 429
        assert (len(other) > 12) == bool(proxies)
        assert server.stop() == 0


def test_a_house_that_is_told_its_address_holds_to_it_whatever_its_proxy_passes_on(tmp_path: Path) -> None:
    address = "https://play.example.org"
    server = Server(tmp_path / "house.db", environment={"OUDJAT_ORIGIN": f"{address}/"})
    player = Player(server.url)
    player.http.headers["origin"] = address  # and as Host what the proxy calls it
    form = {"seat1": "me", "seat2": "friend"}
    opened = player.http.post("/new", data=form)
    assert opened.status_code == 303
    assert "; secure" in opened.headers["set-cookie"].lower()
    guest = opened.headers["set-cookie"].partition(";")[0]
    page = player.http.get(opened.headers["location"], headers={"cookie": guest}).text
    assert f'value="{address}/t/' in page, "the link for a friend"
    assert re.findall('property="og:url" content="([^"]*)"', page) in (
        [],
        [address + opened.headers["location"]],
    )
    assert re.findall('property="og:image" content="([^"]*/)static', page) == [f"{address}/"]
    asked = player.http.post("/api/me/passkeys/wish", json={"name": "Ada"})
    assert asked.json()["options"]["rp"]["id"] == "play.example.org"
    assert "; secure" in asked.headers["set-cookie"].lower()
    webhook = {"kind": "json", "url": "https://hooks.example.org/x"}
    assert player.http.post("/api/channels/webhook", json=webhook).status_code == 201
    assert [row[0] for row in server.database.execute("select base from channels")] == [address]
    signed_up = player.http.post("/api/me/sign-up", json={"name": "Ada", "password": "a garden of papyrus"})
    assert "; secure" in signed_up.headers["set-cookie"].lower()
    for elsewhere in (server.url, "https://elsewhere.example", "https://play.example.org.evil.example"):
        assert player.http.post("/new", data=form, headers={"origin": elsewhere}).status_code == 403
    assert server.stop() == 0


@pytest.mark.parametrize(
    "wish",
    ["play.example.org", "ftp://play.example.org", "https://", "https://a/b", "https://a:b", "https://u@a"],
)
def test_what_is_no_address_of_a_house_is_refused_in_a_sentence(wish: str) -> None:
    with pytest.raises(StoreError, match="OUDJAT_ORIGIN is the address of the house"):
        origin_named(wish)


@pytest.mark.parametrize(
    ("wish", "address"),
    [
        ("https://play.example.org", "https://play.example.org/"),
        ("HTTPS://Play.Example.Org:443/", "https://play.example.org/"),
        ("http://play.example.org:8080", "http://play.example.org:8080/"),
        ("http://[2001:DB8::1]:80", "http://[2001:db8::1]/"),
    ],
)
def test_an_address_is_written_as_browsers_do(wish: str, address: str) -> None:
    assert origin_named(wish).address == address


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills_again() -> None:
    clock = Clock()
    limits = Limits(clock=clock)
    most, every = LIMITS["open"][0].most, LIMITS["open"][0].every
    for _ in range(most):
        limits.take("open", person="ada", address="198.51.100.1")
    with pytest.raises(TooMany) as refused:
        limits.take("open", person="ada", address="198.51.100.1")
    assert refused.value.seconds == every
    limits.take("open", person="bo", address="198.51.100.1")
    clock.now += every
    limits.take("open", person="ada", address="198.51.100.1")
    with pytest.raises(TooMany):
        limits.take("open", person="ada")
    clock.now += 1e6
    for _ in range(most):
        limits.take("open", person="ada")


def test_buckets_take_a_bounded_room_and_those_in_use_are_kept() -> None:
    clock = Clock()
    limits = Limits(clock=clock)
    for _ in range(LIMITS["open"][0].most):
        limits.take("open", person="ada")
    for number in range(120_000):
        limits.take("look", person=f"guest {number}")
    with pytest.raises(TooMany):
        limits.take("open", person="ada")


@pytest.mark.parametrize("wish", ["off", "1000000"])
def test_limits_can_be_lifted(tmp_path: Path, wish: str) -> None:
    server = Server(tmp_path / "house.db", environment={"OUDJAT_LIMITS": wish})
    player = Player(server.url)
    player.http.headers["authorization"] = "Bearer one-and-the-same-guest"
    statuses = {
        player.http.post("/api/me/sign-in", json={"name": "A", "password": "b"}).status_code
        for _ in range(12)
    }
    assert statuses == {401}
    assert server.stop() == 0
