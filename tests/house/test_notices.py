"""Who waits is told: by Web Push and webhooks to an endpoint of our own, once, in time, and nothing that is stale."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oudjat.house import notices as notices_module
from oudjat.house.channels import MOST_CHANNELS, Channel, adding, channels_where
from oudjat.house.errors import HouseError
from oudjat.house.sender import Sender, Unsent
from oudjat.house.store import Store
from tests.databases import Database
from tests.endpoints import Browser, Endpoint, endpoint
from tests.house.rooms import Room
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE, wait_until

LOOPBACK = {"OUDJAT_LOOPBACK_WEBHOOKS": "1", "OUDJAT_VAPID_SUBJECT": "mailto:host@example.org"}
PATIENT = f"from oudjat.house import sender\nsender._CONNECT = sender._IN_ALL = {PATIENCE}"
"""For a server's ``beforehand``: a message that is taken late is not sent once more."""
NOW = "update notices set due_at = 0"
"""Time that passes: what waits is due."""


@pytest.fixture
def post() -> Iterator[Endpoint]:
    with endpoint() as found:
        yield found


@pytest.fixture
def server(database: Database) -> Iterator[Server]:
    server = Server(database, environment=LOOPBACK, beforehand=PATIENT)
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


def channel(player: Player, kind: str, address: Any, **when: Any) -> str:
    """Let a player be told; the channel's id."""
    path, wish = (
        ("push", address.wish(**when))
        if kind == "push"
        else ("webhook", {"url": address, "kind": kind, **when})
    )
    answer = player.http.post(f"/api/channels/{path}", json=wish)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["channel"]["id"]
    return found


def channels(player: Player) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = player.http.get("/api/channels").json()["channels"]
    return found


def invited(url: str, host: Player, language: str = "en", **wish: Any) -> tuple[Player, dict[str, str]]:
    """A friend, and the way to his seat at a table that the host opens."""
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "friend"}]
    opened = host.open(*seats, **{"first": 2, **wish})
    friend = Player(url, language)
    friend.table = host.table
    return friend, {"key": opened["seats"][1]["key"], "name": "Bo"}


def sit_down(friend: Player, key: dict[str, str]) -> None:
    assert friend.http.post(f"/api/tables/{friend.table}/seats/2", json=key).status_code == 200


def play(player: Player) -> None:
    state = player.wait_for_turn()
    assert player.submit(legal(state), state["seq"]).status_code == 200


def later(zone: str = "UTC") -> int:
    """An hour of the day that does not come while a test runs."""
    return 7 if datetime.now(ZoneInfo(zone)).hour >= 13 else 19


def waiting(server: Server) -> int:
    return int(server.database.execute("select count(*) from notices")[0][0])


def test_a_browser_is_told_sealed_and_signed(server: Server, post: Endpoint) -> None:
    host = Player(server.url, "de")
    browser = Browser(f"{post.url}/browser")
    channel(host, "push", browser)
    friend, key = invited(server.url, host)
    sit_down(friend, key)
    push_key = host.http.get("/api/channels").json()["push_key"]
    message = browser.opens(post.wait_for(1)[0], push_key)
    assert message == {
        "title": "Die Partie beginnt",
        "body": "Isis & Osiris mit Bo",
        "path": f"/t/{host.table}",
        "tag": host.table,
        "lang": "de",
    }
    play(friend)
    posted = post.wait_for(2)[1]
    assert browser.opens(posted, push_key)["title"] == "Du bist dran"
    assert posted.headers["topic"] == host.table
    assert int(posted.headers["ttl"]) > 3600
    claims = posted.headers["authorization"].partition("t=")[2].split(".")[1]
    told = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    assert told["aud"] == post.url
    assert told["sub"] == "mailto:host@example.org"
    wait_until(lambda: waiting(server) == 0, "what was told is told no more")


def test_nobody_is_told_what_he_does_himself_or_of_bots(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    channel(host, "json", f"{post.url}/host")
    host.open({"kind": "me"}, {"kind": "bot", "level": "novice"})
    play(host)
    host.wait_for_turn()
    host.open({"kind": "me"}, {"kind": "here"})
    play(host)
    friend, key = invited(server.url, host, first=1)
    channel(friend, "json", f"{post.url}/friend")
    sit_down(friend, key)
    assert post.wait_for(1)[0].json()["kind"] == "turn"
    play(host)
    assert [one.path for one in post.wait_for(2)] == ["/host", "/friend"]


def test_each_kind_of_webhook_gets_what_it_reads(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    for kind in ("discord", "slack", "json"):
        channel(host, kind, f"{post.url}/{kind}?wait=true")
    friend, key = invited(server.url, host)
    sit_down(friend, key | {"name": "*<@B> & o"})
    told = {one.path: one for one in post.wait_for(3)}
    link = f"{server.url}/t/{host.table}"
    discord = told["/discord?wait=true"].json()
    assert discord["content"] == f"**The game begins**\nIsis & Osiris with \\*\\<@B\\> & o\n<{link}>"
    assert discord["allowed_mentions"] == {"parse": []}
    slack = told["/slack?wait=true"].json()
    assert slack["text"] == f"*The game begins*\nIsis &amp; Osiris with *&lt;@B&gt; &amp; o\n<{link}>"
    plain = told["/json?wait=true"].json()
    assert plain["kind"] == "began"
    assert plain["url"] == link
    assert plain["body"] == "Isis & Osiris with *<@B> & o"


def test_the_end_of_a_game_is_told_to_who_did_not_end_it(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    friend, key = invited(server.url, host, game="ramses")
    sit_down(friend, key)
    for player in (host, friend):
        channel(player, "json", f"{post.url}/{'host' if player is host else 'friend'}", digest_hour=later())
    players = [friend, host]
    while (state := players[0].state())["status"] != "over":
        play(players[0] if state["mine"] else players[1])
    over = "select channels.address from notices join channels on channels.id = channel where notices.kind = 'over'"
    wait_until(lambda: len(server.database.execute(over)) == 1, "one of the two is told")
    ended_by = "host" if players[0].state()["board"]["turns"] % 2 == 0 else "friend"
    assert server.database.execute(over) != [(f"{post.url}/{ended_by}",)]


def test_who_has_days_is_told_when_they_run_out(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    channel(host, "json", f"{post.url}/host")
    friend, key = invited(server.url, host, clock={"kind": "days", "seconds": 86_400})
    sit_down(friend, key)
    post.wait_for(1)
    for number in range(2):
        play(friend)
        assert post.wait_for(2 + 2 * number)[-1].json()["kind"] == "turn"
        wait_until(lambda: waiting(server) == 1, "the warning waits")
        (due,) = server.database.execute("select due_at - created_at from notices")[0]
        assert due == pytest.approx(12 * 3600, abs=60)
        if number == 0:
            server.database.execute(NOW)
            told = post.wait_for(3)[2].json()
            assert (told["kind"], told["title"]) == ("time", "Your time is running out")
        play(host)
    server.database.execute(NOW)
    wait_until(lambda: waiting(server) == 0, "he has played: no warning")
    assert len(post.posted) == 4


def test_a_turn_that_was_played_meanwhile_is_not_told(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    friend, key = invited(server.url, host)
    sit_down(friend, key)
    channel(host, "json", f"{post.url}/host")
    post.statuses, post.headers = [503, 503], {"retry-after": "3600"}
    play(friend)
    post.wait_for(1)
    wait_until(
        lambda: server.database.execute("select tries from notices") == [(1,)], "it is tried again later"
    )
    server.database.execute(NOW)
    post.wait_for(2)
    wait_until(lambda: server.database.execute("select tries from notices") == [(2,)], "and again")
    play(host)
    server.database.execute(NOW)
    wait_until(lambda: waiting(server) == 0, "there is nothing left to be told")
    play(friend)
    assert [one.json()["kind"] for one in post.wait_for(3)] == ["turn"] * 3


def test_what_could_not_be_delivered_survives_a_crash_and_comes_once(
    database: Database, post: Endpoint
) -> None:
    server = Server(database, environment=LOOPBACK, beforehand=PATIENT)
    host = Player(server.url)
    friend, key = invited(server.url, host)
    sit_down(friend, key)
    channel(host, "json", f"{post.url}/host", digest_hour=later())
    play(friend)
    wait_until(lambda: waiting(server) == 1, "it is written down")
    server.kill()
    database.execute(NOW)
    server = server.again()
    assert post.wait_for(1)[0].json()["parts"][0]["kind"] == "turn"
    wait_until(lambda: waiting(server) == 0, "it is told")
    assert server.stop() == 0


def test_a_digest_is_one_message_for_all_tables(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    hour = later("Europe/Paris")
    hook = channel(host, "discord", f"{post.url}/host", digest_hour=hour, zone="Europe/Paris")
    for _ in range(2):
        friend, key = invited(server.url, host)
        sit_down(friend, key)
        play(friend)
    turns = "select count(*) from notices where kind = 'turn'"
    wait_until(lambda: server.database.execute(turns) == [(2,)], "one notice a table waits")
    (due,) = {row[0] for row in server.database.execute("select due_at from notices")}
    assert datetime.fromtimestamp(due, ZoneInfo("Europe/Paris")).strftime("%H:%M") == f"{hour:02}:00"
    server.database.execute(NOW)
    content = post.wait_for(1)[0].json()["content"]
    assert content.startswith("**News from 2 tables**\n")
    assert content.count("Your turn: Isis & Osiris with Bo <http") == 2
    friend, key = invited(server.url, host)
    sit_down(friend, key)
    wait_until(lambda: waiting(server) == 1, "gathered for tomorrow")
    host.http.post(f"/api/channels/{hook}", json={"digest_hour": None})
    assert "The game begins" in post.wait_for(2)[1].json()["content"]


def test_who_wants_it_is_told_only_while_he_is_away(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    friend, key = invited(server.url, host)
    sit_down(friend, key)
    channel(host, "json", f"{post.url}/away", away_only=True)
    channel(host, "json", f"{post.url}/always")
    stream = host.events()
    next(stream)
    play(friend)
    assert post.wait_for(1)[0].path == "/always"
    wait_until(lambda: len(server.database.execute("select holder from presence")) == 1, "he is seen")
    server.database.execute(NOW)
    wait_until(
        lambda: server.database.execute("select due_at from notices")[0][0] > 0, "it waits while he is here"
    )
    stream.close()  # type: ignore[attr-defined]
    seen = "update presence set seen_at = 0"

    def told() -> bool:  # he has gone, and time passes
        server.database.execute(seen, NOW)
        return len(post.posted) == 2

    wait_until(told, "he is away and has not played")
    assert post.posted[1].path == "/away"


def test_two_servers_deliver_each_notice_once(database: Database, post: Endpoint) -> None:
    servers = [Server(database, environment=LOOPBACK, beforehand=PATIENT) for _ in range(2)]
    host = Player(servers[0].url)
    hooks = [channel(host, "json", f"{post.url}/{number}", digest_hour=later()) for number in range(6)]
    for _ in range(5):
        friend, key = invited(servers[0].url, host)
        sit_down(friend, key)
    wait_until(lambda: waiting(servers[0]) == 30, "all is written down")
    database.execute("update channels set digest_hour = null", NOW)
    wait_until(lambda: waiting(servers[0]) == 0, "all is told")
    told = [(one.path, one.json()["url"]) for one in post.wait_for(30)]
    assert len(set(told)) == 30
    assert len(hooks) == 6
    for server in servers:
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()


def test_a_browser_that_has_gone_is_forgotten_and_a_webhook_is_stopped(
    server: Server, post: Endpoint
) -> None:
    host = Player(server.url)
    channel(host, "push", Browser(f"{post.url}/browser"))
    hook = channel(host, "json", f"{post.url}/hook")
    post.statuses = [410, 410]
    friend, key = invited(server.url, host)
    sit_down(friend, key)
    post.wait_for(2)
    wait_until(lambda: [one["stopped"] for one in channels(host)] == [True], "one gone, one stopped")
    play(friend)
    post.statuses = [404]
    tried = host.http.post(f"/api/channels/{hook}/test").json()
    assert tried["sent"] is False
    assert "404" in tried["said"]
    assert channels(host)[0]["stopped"]
    assert host.http.post(f"/api/channels/{hook}/test").json()["sent"]
    assert not channels(host)[0]["stopped"]
    assert post.wait_for(4)[3].json()["kind"] == "test"


def test_an_address_that_is_gone_gets_nothing_of_what_else_was_due(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    friend, key = invited(server.url, host)
    sit_down(friend, key)
    channel(host, "json", f"{post.url}/hook")
    post.statuses = [410]
    server.database.execute(
        "insert into notices (channel, holder, table_id, kind, seat, seq, created_at, due_at, tries, claimed_until) "
        f"select id, holder, '{host.table}', 'began', 2, 2, 0, 0, 0, 0 from channels, (select 1 union select 2) two"
    )
    wait_until(lambda: channels(host)[0]["stopped"] and waiting(server) == 0, "stopped, and nothing waits")
    post.wait_for(1)


def test_after_failures_in_a_row_a_webhook_is_stopped(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    friend, key = invited(server.url, host)
    sit_down(friend, key)
    channel(host, "json", f"{post.url}/hook")
    for number in range(4):
        post.statuses = [400]
        play(friend)
        post.wait_for(number + 1)
        play(host)
    wait_until(lambda: channels(host)[0]["stopped"], "it is stopped")


def test_a_subscription_that_changes_keeps_its_wishes(server: Server, post: Endpoint) -> None:
    host = Player(server.url)
    first = Browser(f"{post.url}/first")
    channel(host, "push", first, away_only=True, digest_hour=8, zone="Asia/Tokyo")
    second = Browser(f"{post.url}/second")
    channel(host, "push", second, replaces=first.endpoint)
    (only,) = channels(host)
    assert only["address"] == second.endpoint
    assert (only["away_only"], only["digest_hour"], only["zone"]) == (True, 8, "Asia/Tokyo")
    other = Player(server.url)
    channel(other, "push", second)
    assert channels(host) == []
    assert len(channels(other)) == 1


def test_another_players_channels_cannot_be_touched(server: Server, post: Endpoint) -> None:
    host, other = Player(server.url), Player(server.url)
    hook = channel(host, "json", f"{post.url}/host")
    channel(other, "json", f"{post.url}/host")
    assert len(channels(other)) == 1
    for answer in (
        other.http.post(f"/api/channels/{hook}", json={"away_only": True}),
        other.http.delete(f"/api/channels/{hook}"),
        other.http.post(f"/api/channels/{hook}/test"),
        Player(server.url).http.delete(f"/api/channels/{hook}"),
    ):
        assert answer.status_code == 404
    foreign = {"origin": "https://elsewhere.example"}
    assert host.http.delete(f"/api/channels/{hook}", headers=foreign).status_code == 403
    assert host.http.delete(f"/api/channels/{hook}").json()["channels"] == []
    assert len(channels(other)) == 1
    assert post.posted == []


def test_an_account_takes_a_guests_channels_along_and_they_go_with_it(server: Server, post: Endpoint) -> None:
    guest = Player(server.url)
    channel(guest, "json", f"{post.url}/hook", away_only=True)
    friend, key = invited(server.url, guest)
    account = {"name": "Ada", "password": "correct horse battery"}
    assert guest.http.post("/api/me/sign-up", json=account).status_code == 201
    wait_until(lambda: [one["away_only"] for one in channels(guest)] == [True], "his channel has come along")
    assert guest.http.get("/api/me/data").json()["channels"] == channels(guest)
    wait_until(lambda: guest.state()["you"] == [1], "his seats have come along")
    sit_down(friend, key)
    assert post.wait_for(1)[0].json()["kind"] == "began"
    assert guest.http.request("DELETE", "/api/me", json={"name": "Ada"}).status_code == 200
    wait_until(lambda: not server.database.execute("select * from channels"), "nothing is kept of him")
    wait_until(lambda: waiting(server) == 0, "nothing waits for him")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_makes_no_sense_is_refused_in_a_sentence(server: Server) -> None:
    host = Player(server.url)
    browser = Browser("https://push.example/x").wish()
    for path, wish in (
        ("push", browser | {"auth": "short"}),
        ("push", browser | {"p256dh": "BAAA"}),
        ("push", browser | {"zone": "Mars/Olympus"}),
        ("push", browser | {"zone": "../../etc/passwd"}),
        ("push", browser | {"endpoint": "javascript:alert(1)"}),
        ("webhook", {"kind": "json", "url": "https://"}),
        ("webhook", {"kind": "json", "url": "http://example.org/"}),
        ("webhook", {"kind": "json", "url": "https://me:secret@example.org/"}),
        ("webhook", {"kind": "json", "url": "https://example.org:99999/"}),
        ("webhook", {"kind": "json", "url": "https://example.org/" + "x" * 2000}),
        ("webhook", {"kind": "json", "url": "https://<b>hurt.example/"}),
        ("webhook", {"kind": "json", "url": "https://%65xample.org/"}),
        ("push", browser | {"endpoint": "https://a;b.example/"}),
    ):
        answer = host.http.post(f"/api/channels/{path}", json=wish)
        assert answer.status_code == 422, wish
        assert answer.json()["error"]["message"].endswith(".")
    hook = {"kind": "json", "url": "https://example.org/"}
    for wrong in ({"digest_hour": 24}, {"kind": "fax"}):
        assert host.http.post("/api/channels/webhook", json=hook | wrong).status_code == 400
    for number in range(12):
        channel(host, "json", f"https://example.org/{number}")
    full = host.http.post("/api/channels/webhook", json={"kind": "json", "url": "https://example.org/x"})
    assert full.status_code == 422


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://10.1.2.3/x",
        "https://192.168.0.1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://[64:ff9b::7f00:1]/x",
        "https://[fe80::1]/x",
        "https://0.0.0.0/x",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://100.64.0.1/x",
        "https://224.0.0.1/x",
    ],
)
async def test_nothing_is_sent_into_private_networks(url: str) -> None:
    sender = Sender()
    with pytest.raises(Unsent, match="open internet"):
        await sender.post(url, b"{}", {})
    await sender.close()


async def test_a_name_that_leads_home_is_refused_when_it_is_connected_to(post: Endpoint) -> None:
    asked: list[str] = []

    async def first_outside_then_home(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["192.0.2.1"] if len(asked) > 9 else ["9.9.9.9", "127.0.0.1"]

    sender = Sender(resolve=first_outside_then_home)
    sender.check("https://rebinding.example/x")
    with pytest.raises(Unsent, match="open internet"):
        await sender.post(f"https://rebinding.example:{post.url.rpartition(':')[2]}/x", b"{}", {})
    with pytest.raises(Unsent, match="begins with https"):
        await sender.post(f"{post.url}/x", b"{}", {})
    await sender.close()
    assert asked == ["rebinding.example"], "the address that was looked at is the one that is connected to"
    assert post.posted == []


async def test_a_host_of_other_letters_is_named_as_the_network_knows_it(post: Endpoint) -> None:
    sender = Sender(loopback=True)
    there = post.url.replace("127.0.0.1", "\u24dbocalhost")
    await sender.post(f"{there}/h\u00f6k", b"{}", {})
    await sender.close()
    (posted,) = post.posted
    assert posted.headers["host"] == f"localhost:{post.url.rpartition(':')[2]}"
    assert posted.path == "/h%C3%B6k"


async def test_redirections_are_not_followed(post: Endpoint) -> None:
    sender = Sender(loopback=True)
    post.statuses = [302]
    post.headers = {"location": f"{post.url}/elsewhere"}
    with pytest.raises(Unsent, match="302"):
        await sender.post(f"{post.url}/here", b"{}", {})
    await sender.close()
    assert [one.path for one in post.posted] == ["/here"]


@given(
    now=st.datetimes(datetime(2024, 1, 1), datetime(2035, 1, 1)),
    hour=st.integers(0, 23),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Chatham", "Asia/Kolkata"]),
)
def test_a_digest_is_due_at_its_hour_within_a_day(now: datetime, hour: int, zone: str) -> None:
    instant = now.replace(tzinfo=ZoneInfo("UTC")).timestamp()
    hook = Channel("", "", "json", "", "", "", False, hour, zone, "en", "", 0, False, 0.0)
    due = hook.due(instant)
    assert instant < due <= instant + timedelta(hours=25.1).total_seconds()
    there = datetime.fromtimestamp(due, ZoneInfo(zone))
    assert there.hour in (hour, hour + 1), "an hour that a clock change leaves out is the next one"
    assert there.minute in (0, 30)


def test_the_key_of_the_house_stays_the_same(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    key = Player(server.url).http.get("/api/channels").json()["push_key"]
    assert server.stop() == 0
    server = server.again()
    assert Player(server.url).http.get("/api/channels").json()["push_key"] == key
    assert server.stop() == 0


async def test_no_more_channels_than_there_can_be_however_many_a_guest_asks_for_at_once(
    shared_database: Database,
) -> None:
    stores = [Store(shared_database.url) for _ in range(4)]

    def wish(number: int) -> Channel:
        address = f"http://127.0.0.1/{number}"
        return Channel(
            "", "guest", "json", address, "", "", False, None, "UTC", "en", "", 0, False, float(number)
        )

    asking = [stores[number % 4].transact(adding(wish(number))) for number in range(2 * MOST_CHANNELS)]
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert [error.status for error in answers if isinstance(error, HouseError)] == [422] * MOST_CHANNELS
    assert len(await stores[0].rows(channels_where())) == MOST_CHANNELS
    for store in stores:
        store.close()


@pytest.mark.parametrize("steps", range(8))
async def test_a_house_that_closes_just_as_something_is_due_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    waiting, either = asyncio.Event(), notices_module._either

    async def waits(event: asyncio.Event, seconds: float) -> None:
        waiting.set()
        await either(event, seconds)

    monkeypatch.setattr(notices_module, "_either", waits)
    room = Room(f"sqlite:///{tmp_path}/house.db")
    notices = notices_module.notices_for(room.house, {})
    await notices.start()
    await waiting.wait()
    await asyncio.sleep(0.01)
    notices._due.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        await notices.close()
    await room.close()
