"""Accounts by the API, on real servers: signing up and in, games that come along, sessions, bots, leaving."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from oudjat.house import handovers as handovers_module
from oudjat.house import schema, web
from oudjat.house import sessions as sessions_module
from oudjat.house import store as store_module
from oudjat.house.accounts import MOST_BOTS, Accounts
from oudjat.house.errors import HouseError
from oudjat.house.events import Opened, SeatPlan
from oudjat.house.handovers import Handovers
from oudjat.house.push import unpadded
from oudjat.house.sessions import MOST_TOKENS, Sessions
from oudjat.house.signed import Signer
from oudjat.house.static import STATIC_PATH
from oudjat.house.store import Store
from oudjat.records import Record, read_records, replay
from tests.databases import Database
from tests.house.rooms import Room
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE, until, wait_until

ME, BOT, FRIEND, HERE = (
    {"kind": "me"},
    {"kind": "bot", "level": "novice"},
    {"kind": "friend"},
    {"kind": "here"},
)
PASSWORD = "a garden of papyrus"


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name for the person of this test."""
    return f"Ada {abs(hash(request.node.name)) % 10**9:09}"


def ask(player: Player, method: str, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = player.http.request(method, path, json=body)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def sign_up(player: Player, name: str, password: str = PASSWORD) -> dict[str, Any]:
    """Sign up; the table where the player sits as a guest has come along then."""
    me = ask(player, "POST", "/api/me/sign-up", 201, name=name, password=password)
    if player.table:
        wait_until(lambda: bool(player.state()["you"]), "his seat comes along")
    return me


def sign_in(player: Player, name: str, password: str = PASSWORD) -> dict[str, Any]:
    return ask(player, "POST", "/api/me/sign-in", name=name, password=password)


def bot_of(owner: Player, url: str, name: str) -> tuple[Player, dict[str, Any]]:
    made = ask(owner, "POST", "/api/me/bots", 201, name=name)
    bot = Player(url)
    bot.http.headers["authorization"] = f"Bearer {made['token']}"
    return bot, made


def test_signing_up_takes_the_guests_games_along_to_every_device(server: Server, name: str) -> None:
    laptop, phone, friend = Player(server.url), Player(server.url), Player(server.url)
    opened = laptop.open(ME, FRIEND, first=1)
    key = opened["seats"][1]["key"]
    me = sign_up(laptop, name)
    assert (me["kind"], me["name"], me["has_password"]) == ("person", name, True)
    assert "oudjat" not in laptop.http.cookies
    assert laptop.state()["you"] == [1]
    assert laptop.state()["invitations"] == [{"seat": 2, "key": key}]
    sign_in(phone, name.upper())
    phone.table = friend.table = laptop.table
    assert phone.state()["you"] == [1]
    friend.http.post(f"/api/tables/{laptop.table}/seats/2", json={"key": key}).raise_for_status()
    state = phone.state()
    assert phone.submit(legal(state)).status_code == 200
    assert laptop.state()["seq"] == state["seq"] + 1
    assert f"/t/{laptop.table}" in phone.http.get("/").text


def test_a_stream_opened_as_a_guest_goes_on_as_the_players(server: Server, name: str) -> None:
    player = Player(server.url)
    player.open(ME, HERE, first=1)
    before = player.state()["seq"]
    stream = player.events(before - 1)
    assert next(stream)["view"]["mine"]
    other_tab = Player(server.url)
    other_tab.http.cookies = player.http.cookies
    sign_up(other_tab, name)
    assert next(stream)["kind"] == "held"
    held = next(stream)
    assert (held["kind"], held["view"]["you"], held["view"]["mine"]) == ("held", [1, 2], True)
    other_tab.table = player.table
    assert other_tab.submit(legal(held["view"]), before).status_code == 200, (
        "a turn chosen before is not stale"
    )
    assert next(stream)["view"]["you"] == [1, 2]


def test_games_come_along_even_when_the_server_is_killed_meanwhile(database: Database, name: str) -> None:
    server = Server(database)
    player = Player(server.url)
    tables = [player.open(ME, HERE)["table"] for _ in range(3)]
    sign_up(player, name)
    wait_until(lambda: not database.execute("select * from handovers"), "all have come along")
    me = ask(player, "GET", "/api/me")
    cookies = dict(player.http.cookies)
    server.kill()
    # as if it had ended before the last table was reached
    guest = database.execute(f"select body from events where seq = 1 and table_id = '{tables[2]}'")[0][0]
    holder = json.loads(guest)["by"]
    account = database.execute(f"select holder from accounts where id = '{me['id']}'")[0][0]
    database.execute(
        f"delete from events where table_id = '{tables[2]}' and seq > 2",
        f"update seats set holder = '{holder}' where table_id = '{tables[2]}'",
        f"insert into handovers (holder, heir) values ('{holder}', '{account}')",
    )
    server = server.again()
    player = Player(server.url)
    player.http.cookies.update(cookies)
    player.table = tables[2]
    wait_until(lambda: player.state()["you"] == [1, 2], "the last table comes along too")
    wait_until(lambda: not database.execute("select * from handovers"), "and it is done")
    for player.table in tables:
        assert player.state()["you"] == [1, 2]
    assert server.stop() == 0


def test_a_name_is_one_persons_however_it_is_written(server: Server, name: str) -> None:
    sign_up(Player(server.url), name)
    wide = "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in name)
    for other in (name, name.upper(), f"  {name} ", wide):
        answer = Player(server.url).http.post(
            "/api/me/sign-up", json={"name": other, "password": "another one of mine"}
        )
        assert answer.status_code == 409, other


@pytest.mark.parametrize(
    "wrong", ["", "   ", "...", "a/b", "..\\x", "scribe", "Schreiber", "Quelqu’un", "x" * 25, "\u202e\u200b"]
)
def test_a_name_that_misleads_or_is_none_is_refused(server: Server, wrong: str) -> None:
    answer = Player(server.url).http.post("/api/me/sign-up", json={"name": wrong, "password": PASSWORD})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "wrong",
    ["", "short", "password123", "PassWord123", "aaaaaaaaaaaa", "x" * 201, "Ada Lovelace", "ａｄａ lovelace"],
)
def test_a_password_that_anybody_would_try_is_refused(server: Server, wrong: str) -> None:
    answer = Player(server.url).http.post("/api/me/sign-up", json={"name": "Ada Lovelace", "password": wrong})
    assert answer.status_code == 422


def test_a_wrong_password_is_told_as_an_unknown_name_is(server: Server, name: str) -> None:
    sign_up(Player(server.url), name)
    answers = [
        Player(server.url).http.post("/api/me/sign-in", json={"name": who, "password": "not this one"})
        for who in (name, "Nobody of this name")
    ]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].json() == answers[1].json()
    assert all("set-cookie" not in answer.headers for answer in answers)


def test_a_long_password_of_any_letters_is_taken_as_every_keyboard_spells_it(
    server: Server, name: str
) -> None:
    password = "né\u0301e 𓂀 " + "x" * 140
    sign_up(Player(server.url), name, password)
    composed = "né\u0301e 𓂀 ".replace("e\u0301", "é") + "x" * 140
    sign_in(Player(server.url), name, composed)


def test_the_session_cookie_is_signed_closed_to_scripts_and_new_at_each_sign_in(
    server: Server, name: str
) -> None:
    player = Player(server.url)
    answer = player.http.post("/api/me/sign-up", json={"name": name, "password": PASSWORD})
    told = next(
        value for value in answer.headers.get_list("set-cookie") if value.startswith("oudjat_session=")
    )
    assert "httponly" in told.lower()
    assert "samesite=lax" in told.lower()
    assert "; secure" not in told.lower(), "http on the loopback"
    first = player.http.cookies["oudjat_session"]
    sign_in(player, name)
    second = player.http.cookies["oudjat_session"]
    assert first != second
    old = Player(server.url)
    old.http.cookies.set("oudjat_session", first)
    assert ask(old, "GET", "/api/me")["kind"] == "guest", "the one before has ended"
    payload, _, signature = second.partition(".")
    for forged in (payload, f"{payload}.", f"{payload}.{'0' * len(signature)}", f"A{second}", "." * 900):
        forger = Player(server.url)
        forger.http.headers["cookie"] = f"oudjat_session={forged}"
        assert ask(forger, "GET", "/api/me")["kind"] == "guest"


def test_behind_https_the_session_cookie_is_secure(tmp_path: Path, name: str) -> None:
    server = Server(tmp_path / "house.db", environment={"OUDJAT_PROXIES": "127.0.0.1"})
    answer = httpx.post(
        f"{server.url}/api/me/sign-up",
        json={"name": name, "password": PASSWORD},
        headers={"x-forwarded-proto": "https"},
        timeout=PATIENCE,
    )
    assert answer.status_code == 201
    assert "; secure" in answer.headers["set-cookie"].lower()
    assert server.stop() == 0


def test_a_clock_that_is_wrong_for_a_moment_signs_nobody_out_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, months = Store(f"sqlite:///{tmp_path / 'house.db'}"), 200 * 24 * 3600
    truly = time.time

    def freshly() -> Sessions:
        return Sessions(store, Signer(b"a secret of the house"))

    async def evening() -> None:
        accounts = Accounts(store)
        ada, bo = await accounts.make("Ada"), await accounts.make("Bo")
        cookie = await freshly().begin(ada.id, browser="", instead_of=None, guest=None)
        for wrong in (months, -months):
            with monkeypatch.context() as patch:
                patch.setattr(time, "time", lambda wrong=wrong: truly() + wrong)
                for account in (bo, ada, bo):
                    await freshly().begin(account.id, browser="", instead_of=None, guest=None)
            assert await freshly().find(cookie), "when the clock is right again, so is everything else"
        with monkeypatch.context() as patch:
            patch.setattr(time, "time", lambda: truly() + 2 * months)
            assert await freshly().find(cookie) is None, "what is too old is not believed all the same"
            assert await accounts.sessions_of(ada.id) == []

    asyncio.run(evening())
    store.close()


def test_who_comes_again_stays_signed_in_for_as_long_as_at_the_beginning(tmp_path: Path, name: str) -> None:
    server = Server(tmp_path / "house.db")
    player = Player(server.url)
    sign_up(player, name)
    session = player.http.cookies["oudjat_session"]
    assert "set-cookie" not in player.http.get("/me").headers, "not at each request"
    server.stop()
    server.database.execute("update sessions set seen_at = seen_at - 89 * 86400")
    server = server.again()
    assert "set-cookie" not in player.http.get(f"{STATIC_PATH}/base.css").headers, (
        "nor in what every cache may keep"
    )
    server.database.execute("update sessions set seen_at = seen_at - 89 * 86400")
    server.stop()
    server = server.again()
    kept = player.http.get("/").headers["set-cookie"]
    assert kept.startswith(f"oudjat_session={session}; ")
    assert "Max-Age=7776000" in kept
    assert "httponly" in kept.lower()
    assert "set-cookie" not in player.http.get("/").headers
    server.stop()
    server.database.execute("update sessions set seen_at = seen_at - 89 * 86400")
    server = server.again()
    left = player.http.post("/api/me/sign-out").headers.get_list("set-cookie")
    assert [cookie.split(";")[0] for cookie in left] == ['oudjat_session=""'], "who leaves is not kept"
    assert server.stop() == 0


def test_signing_out_here_and_everywhere(server: Server, name: str) -> None:
    devices = [Player(server.url) for _ in range(4)]
    sign_up(devices[0], name)
    for device in devices[1:]:
        sign_in(device, name)
    me = ask(devices[0], "GET", "/api/me")
    assert len(me["sessions"]) == 4
    assert [session["here"] for session in me["sessions"]].count(True) == 1
    copy = dict(devices[1].http.cookies)
    ask(devices[1], "POST", "/api/me/sign-out")
    devices[1].http.cookies.update(copy)
    assert ask(devices[1], "GET", "/api/me")["kind"] == "guest", "the cookie itself is worth nothing any more"
    other = next(session for session in ask(devices[0], "GET", "/api/me")["sessions"] if not session["here"])
    ask(devices[0], "DELETE", f"/api/me/sessions/{other['id']}")
    ask(devices[0], "DELETE", f"/api/me/sessions/{other['id']}", 404)
    assert len(ask(devices[0], "GET", "/api/me")["sessions"]) == 2
    copy = dict(devices[0].http.cookies)
    ask(devices[0], "POST", "/api/me/sign-out-everywhere")
    devices[0].http.cookies.update(copy)
    assert {ask(device, "GET", "/api/me")["kind"] for device in devices} == {"guest"}


def test_signing_out_ends_the_streams_too(server: Server, name: str) -> None:
    player, other = Player(server.url), Player(server.url)
    sign_up(player, name)
    sign_in(other, name)
    player.open(ME, FRIEND)
    stream = player.events()
    assert next(stream)["view"]["you"] == [1]
    ask(other, "POST", "/api/me/sign-out-everywhere")
    assert list(stream) == []
    assert player.state()["you"] == []


def test_signing_out_reaches_another_server_on_the_same_database(database: Database, name: str) -> None:
    one = Server(database)
    two = Server(database)
    here, there = Player(one.url), Player(two.url)
    sign_up(here, name)
    there.http.cookies.set("oudjat_session", here.http.cookies["oudjat_session"])
    assert ask(there, "GET", "/api/me")["name"] == name, "one secret for both"
    there.table = here.open(ME, FRIEND)["table"]
    stream = there.events()
    assert next(stream)["view"]["you"] == [1]
    ask(here, "POST", "/api/me/sign-out-everywhere")
    wait_until(lambda: ask(there, "GET", "/api/me")["kind"] == "guest", "the other server notices")
    assert list(stream) == []
    assert one.stop() == two.stop() == 0


@pytest.mark.parametrize("leaving", ["signing out", "revoking", "deleting"])
async def test_who_is_signed_out_elsewhere_is_not_let_in_again_by_what_was_remembered(
    shared_database: Database, monkeypatch: pytest.MonkeyPatch, leaving: str
) -> None:
    monkeypatch.setattr(sessions_module, "STALE", 600.0)  # what is remembered does not go by itself
    monkeypatch.setattr(web, "STALE", 0.05)
    stores = [Store(shared_database.url), Store(shared_database.url)]
    here, there = (Sessions(store, Signer(b"s" * 32)) for store in stores)
    accounts = Accounts(stores[0])
    ada = await accounts.make("Ada")
    horus = await accounts.make("Horus", owner=ada.id)
    cookie = await here.begin(ada.id, browser="", instead_of=None, guest=None)
    token = await here.make_token(horus.id, "")
    assert await there.find(cookie)
    assert await there.find_bot(token)
    left: list[str] = []
    house: Any = SimpleNamespace(leave=left.append)
    taken_up: list[str] = []
    handovers: Any = SimpleNamespace(take_up=lambda *holders: taken_up.extend(holders))
    mine = {"signing out": [ada.holder], "revoking": [horus.holder]}.get(leaving, [ada.holder, horus.holder])
    sweeping = asyncio.create_task(web._end_streams(there, house, handovers))
    await asyncio.sleep(0.2)
    assert left == []
    match leaving:
        case "signing out":
            await here.end(ada.id)
        case "revoking":
            await accounts.revoke(horus.id, (await accounts.tokens_of(ada.id))[0].id)
        case _:
            await accounts.delete(ada.id)
    await until(lambda: len(left) >= 2 * len(mine), "the other process notices")
    await asyncio.sleep(0.2)  # and does nothing more
    sweeping.cancel()
    assert sorted(left) == sorted(mine * 2), "each stream is ended, and once more"
    assert sorted(taken_up) == sorted(mine), "what is on its way from him is taken up"
    assert (await there.find(cookie) is None) == (ada.holder in mine)
    assert (await there.find_bot(token) is None) == (horus.holder in mine)
    for store in stores:
        store.close()


def test_the_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path, name: str) -> None:
    server = Server(tmp_path / "house.db")
    secret = tmp_path / "house.db.secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    kept = secret.read_bytes()
    assert len(kept) >= 32
    player = Player(server.url)
    sign_up(player, name)
    server.kill()
    server = server.again()
    assert secret.read_bytes() == kept
    assert ask(player, "GET", "/api/me")["name"] == name
    assert server.stop() == 0
    assert kept.decode() not in server.log.read_text()


def test_secrets_from_the_environment_lie_nowhere_else(database: Database, name: str) -> None:
    point = ec.generate_private_key(ec.SECP256R1())
    key = unpadded(point.private_numbers().private_value.to_bytes(32, "big"))
    secrets = {"OUDJAT_SECRET": "a secret from outside", "OUDJAT_VAPID_KEY": key}
    server = Server(database, environment=secrets)
    player = Player(server.url)
    sign_up(player, name)
    public = point.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    assert ask(player, "GET", "/api/channels")["push_key"] == unpadded(public)
    assert not {"secret", "vapid"} & {row[0] for row in database.execute("select key from meta")}
    assert list(database.log.parent.glob("*.secret")) == []
    assert server.stop() == 0
    other = Server(
        database, server.port, environment=secrets | {"OUDJAT_SECRET": "another secret from outside"}
    )
    assert ask(player, "GET", "/api/me")["kind"] == "guest"
    assert other.stop() == 0
    server = server.again()
    assert ask(player, "GET", "/api/me")["name"] == name
    assert server.stop() == 0
    assert key not in server.log.read_text()


def test_a_new_password_signs_out_everywhere_else(server: Server, name: str) -> None:
    here, there = Player(server.url), Player(server.url)
    sign_up(here, name)
    sign_in(there, name)
    ask(here, "POST", "/api/me/password", password="another garden")
    assert ask(there, "GET", "/api/me")["kind"] == "guest"
    assert ask(here, "GET", "/api/me")["name"] == name
    ask(Player(server.url), "POST", "/api/me/sign-in", 401, name=name, password=PASSWORD)
    sign_in(there, name, "another garden")


def test_who_signed_in_long_ago_signs_in_again_before_what_matters(tmp_path: Path, name: str) -> None:
    server = Server(tmp_path / "house.db")
    player = Player(server.url)
    sign_up(player, name)
    server.stop()
    with closing(sqlite3.connect(tmp_path / "house.db")) as database, database:
        database.execute("update sessions set made_at = made_at - 7200")
    server = server.again()
    for method, path, body in (
        ("POST", "/api/me/password", {"password": "another garden"}),
        ("POST", "/api/me/passkeys/wish", {}),
        ("DELETE", "/api/me", {"name": name}),
    ):
        refused = ask(player, method, path, 401, **body)
        assert "Sign in again" in refused["error"]["message"]
    sign_in(player, name)
    ask(player, "POST", "/api/me/password", password="another garden")
    assert server.stop() == 0


def test_a_new_name_holds_at_once_and_the_old_one_is_free(server: Server, name: str) -> None:
    player = Player(server.url)
    sign_up(player, name)
    renamed = f"Bo{name[3:]}"
    assert ask(player, "POST", "/api/me/name", name=renamed)["name"] == renamed
    assert player.open(ME, BOT)["state"]["seats"][0]["name"] == renamed
    sign_up(Player(server.url), name)
    ask(player, "POST", "/api/me/name", 409, name=name)


def test_a_bot_plays_by_its_token_under_its_own_name(server: Server, name: str) -> None:
    owner = Player(server.url)
    sign_up(owner, name)
    bot, made = bot_of(owner, server.url, f"Horus{name[3:]}")
    assert made["token"].startswith("oudbot_")
    assert made["token"] not in owner.http.get("/me").text, "shown once"
    opened = bot.open(ME, BOT, first=1)
    seat = opened["state"]["seats"][0]
    assert (seat["name"], seat["bot_of"], seat["kind"]) == (f"Horus{name[3:]}", name, "person")
    assert opened["token"] is None
    assert bot.play_out()["status"] == "over"
    owner.table = bot.table
    assert owner.state()["you"] == [], "its games are its own"
    tokens = ask(owner, "GET", "/api/me")["bots"][0]["tokens"]
    assert tokens[0]["used_on"]


def test_a_revoked_token_is_refused_and_does_not_become_a_guests(server: Server, name: str) -> None:
    owner = Player(server.url)
    sign_up(owner, name)
    bot, made = bot_of(owner, server.url, f"Horus{name[3:]}")
    second = ask(owner, "POST", f"/api/me/bots/{made['bot']}/tokens", 201, label="at home")
    bot.open(ME, BOT)
    tokens = ask(owner, "GET", "/api/me")["bots"][0]["tokens"]
    assert [token["label"] for token in tokens] == ["", "at home"]
    ask(owner, "DELETE", f"/api/me/bots/{made['bot']}/tokens/{tokens[0]['id']}")
    answer = bot.http.get(f"/api/tables/{bot.table}")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert bot.http.post("/api/tables", json={"seats": [ME, BOT]}).status_code == 401
    bot.http.headers["authorization"] = f"Bearer {second['token']}"
    assert bot.state()["you"] == [1]


def test_a_bot_cannot_care_for_accounts_and_nobody_for_anothers_bots(server: Server, name: str) -> None:
    owner, other = Player(server.url), Player(server.url)
    sign_up(owner, name)
    sign_up(other, f"Eve{name[3:]}")
    bot, made = bot_of(owner, server.url, f"Horus{name[3:]}")
    assert ask(bot, "GET", "/api/me")["kind"] == "bot"
    ask(bot, "POST", "/api/me/bots", 403, name="Another")
    ask(bot, "POST", "/api/me/password", 403, password=PASSWORD)
    ask(bot, "DELETE", "/api/me", 403, name=f"Horus{name[3:]}")
    ask(other, "POST", f"/api/me/bots/{made['bot']}/tokens", 404, label="mine now")
    ask(other, "DELETE", f"/api/me/bots/{made['bot']}", 404)
    ask(Player(server.url), "POST", "/api/me/sign-in", 401, name=f"Horus{name[3:]}", password="")


async def test_no_more_bots_and_tokens_than_there_can_be_however_many_ask_at_once(
    shared_database: Database,
) -> None:
    stores = [Store(shared_database.url) for _ in range(4)]
    people = [Accounts(store) for store in stores]
    for round_number in range(4):
        owner = await people[0].make(f"Owner {round_number}")
        names = [f"Bot {round_number} {number}" for number in range(MOST_BOTS + 3)]
        for name in names[: MOST_BOTS - 1]:
            await people[0].make(name, owner=owner.id)
        last = zip(people, names[MOST_BOTS - 1 :], strict=True)
        made = await asyncio.gather(
            *(each.make(name, owner=owner.id) for each, name in last), return_exceptions=True
        )
        assert [error.status for error in made if isinstance(error, HouseError)] == [409] * 3
        bots = await people[0].bots_of(owner.id)
        assert len(bots) == MOST_BOTS
    asking = [
        Sessions(stores[number % 4], Signer(b"s" * 32)).make_token(bots[0].id, "") for number in range(30)
    ]
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert sum(isinstance(token, str) for token in answers) == MOST_TOKENS
    assert len(await people[0].tokens_of(owner.id)) == MOST_TOKENS
    for store in stores:
        store.close()


def test_guests_tokens_go_on_working(server: Server) -> None:
    player = Player(server.url)
    token = player.open(ME, BOT)["token"]
    program = Player(server.url)
    program.http.headers["authorization"] = f"Bearer {token}"
    program.table = player.table
    assert program.state()["you"] == [1]
    assert ask(program, "GET", "/api/me")["kind"] == "guest"


def test_all_my_games_as_records_and_all_that_is_kept_of_me(server: Server, name: str) -> None:
    player = Player(server.url)
    player.open(ME, BOT)
    finished = player.play_out()
    sign_up(player, name)
    player.open(ME, FRIEND)
    player.open(ME, HERE)
    answer = player.http.get("/api/me/records")
    assert "attachment" in answer.headers["content-disposition"]
    games = list(read_records(answer.text))
    assert len(games) == 2, "a table that has not begun has no record"
    for game in games:
        assert isinstance(game, Record)
        assert replay(game).record == game
    first = games[0]
    assert isinstance(first, Record)
    assert first.tag("Scores") == " ".join(str(seat["score"]) for seat in finished["board"]["seats"])
    data = ask(player, "GET", "/api/me/data")
    assert data["me"]["name"] == name
    assert [(own["seats"], own["status"]) for own in data["tables"]] == [
        ([1], "over"),
        ([1], "waiting"),
        ([1, 2], "running"),
    ]
    assert Player(server.url).http.get("/api/me/records").status_code == 401


def everything(database: Database) -> str:
    """All that is in a database, as text."""
    list_tables = (
        "select tablename from pg_tables where schemaname = 'public'"
        if database.is_postgresql
        else "select name from sqlite_master where type = 'table'"
    )
    tables = [row[0] for row in database.execute(list_tables)]
    return repr([list(database.execute(f"select * from {table}")) for table in tables])


def test_who_leaves_is_someone_everywhere_and_his_name_is_nowhere(database: Database, name: str) -> None:
    server = Server(database)
    player, friend = Player(server.url), Player(server.url)
    guest_name = f"Guest {name[4:]}"
    friend.table = player.open(ME | {"name": guest_name}, FRIEND, ME, first=2)["table"]
    sign_up(player, name)
    bot, _ = bot_of(player, server.url, f"Horus{name[3:]}")
    key = player.state()["invitations"][0]["key"]
    bot.http.post(f"/api/tables/{friend.table}/seats/2", json={"key": key}).raise_for_status()
    player.http.post(f"/api/tables/{player.table}/seats/3/name", json={"name": f"Alias {name[4:]}"})
    names = [seat["name"] for seat in friend.state()["seats"]]
    assert names == [guest_name, f"Horus{name[3:]}", f"Alias {name[4:]}"]
    assert name[4:] in everything(database)
    stream = friend.events()
    next(stream)
    ask(player, "DELETE", "/api/me", 422, name="someone else")
    ask(player, "DELETE", "/api/me", name=name)
    assert [next(stream)["kind"] for _ in range(4)] == ["ended", "gone", "gone", "gone"]
    assert [seat["name"] for seat in friend.state()["seats"]] == ["Someone 1", "Someone 2", "Someone 3"]
    assert player.state()["you"] == []
    assert bot.http.get("/api/me").status_code == 401
    ask(player, "POST", "/api/me/sign-in", 401, name=name, password=PASSWORD)
    wait_until(lambda: name[4:] not in everything(database), "he is forgotten")
    assert server.stop() == 0
    assert name[4:] not in everything(database)
    if not database.is_postgresql:
        for file in database.log.parent.iterdir():
            assert name[4:].encode() not in file.read_bytes(), file
    server = server.again()
    seats = Player(server.url).http.get(f"/api/tables/{friend.table}").json()["seats"]
    assert [seat["name"] for seat in seats] == ["Someone 1", "Someone 2", "Someone 3"]
    sign_up(Player(server.url), name)
    assert server.stop() == 0


def test_who_leaves_gives_up_what_he_plays_and_is_forgotten_where_he_sat_once(
    database: Database, name: str
) -> None:
    server = Server(database)
    leaver, friend, host = Player(server.url), Player(server.url), Player(server.url)
    sign_up(leaver, name)
    for other, seats in ((friend, (ME, FRIEND)), (host, (ME, FRIEND, FRIEND))):
        key = other.open(*seats, first=1)["seats"][1]["key"]
        path = f"/api/tables/{other.table}"
        leaver.http.post(f"{path}/seats/2", json={"key": key}).raise_for_status()
        assert other.state()["seats"][1]["name"] == name
    leaver.http.post(f"/api/tables/{host.table}/leave").raise_for_status()
    leaver.table = friend.table
    for player in (friend, leaver):
        assert player.submit(legal(player.state())).status_code == 200
    ask(leaver, "DELETE", "/api/me", name=name)
    wait_until(lambda: name[4:] not in everything(database), "he is forgotten")
    state = friend.state()
    assert state["status"] == "over"
    assert state["seats"][1]["name"] == "Someone"
    assert 'Seat2 "Someone"' in friend.http.get(f"/api/tables/{friend.table}/record").text
    assert host.state()["status"] == "waiting"
    assert server.stop() == 0
    assert name[4:] not in everything(database)


def test_who_is_deleted_at_one_server_keeps_nothing_he_does_at_the_other(
    shared_database: Database, name: str
) -> None:
    for_long = "from oudjat.house import sessions\nsessions.STALE = 600.0"
    one, two = (Server(shared_database, beforehand=for_long) for _ in range(2))
    here, there = Player(one.url), Player(two.url)
    sign_up(here, name)
    bot, made = bot_of(here, one.url, f"Horus{name[3:]}")
    there.http.cookies.update(here.http.cookies)
    bot_there = Player(two.url)
    bot_there.http.headers.update(bot.http.headers)
    assert ask(there, "GET", "/api/me")["name"] == name, "the other server believes that until this is over"
    assert ask(bot_there, "GET", "/api/me")["kind"] == "bot"
    ask(here, "DELETE", "/api/me", name=name)
    pairing = {"game": "pharao", "rated": True, "clock": {"kind": "turn", "seconds": 77}}
    ask(there, "POST", "/api/pairing", 403, **pairing)
    ask(bot_there, "POST", "/api/pairing", 403, **pairing)
    ask(there, "POST", "/api/tables", 403, seats=[ME, FRIEND])
    ask(there, "POST", "/api/me/bots", 403, name=f"Seth{name[3:]}")
    ask(there, "POST", f"/api/me/bots/{made['bot']}/tokens", 404, label="")
    ask(there, "POST", "/api/me/name", 403, name=f"Seth{name[3:]}")
    ask(there, "POST", "/api/me/password", 403, password=PASSWORD)
    ask(there, "POST", "/api/channels/webhook", 403, url="https://example.com/", kind="json")
    assert one.stop() == two.stop() == 0
    assert name[4:] not in everything(shared_database)
    for kept in ("accounts", "channels", "tokens", "passwords", "sessions", "seats"):
        assert not shared_database.execute(f"select * from {kept}"), kept
    assert "Traceback" not in shared_database.log.read_text()


async def handed_over(room: Room) -> None:
    end = time.monotonic() + PATIENCE
    while await room.store.rows(sa.select(schema.handovers)):
        assert time.monotonic() < end, "seats are on their way for ever"
        await asyncio.sleep(0.05)


async def test_a_seat_that_a_deleted_player_has_got_all_the_same_is_swept_up(
    shared_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody_knows = asyncio.Event()  # until then he is known to be gone
    monkeypatch.setattr(handovers_module, "_everybody_knows", everybody_knows.wait)
    room = Room(shared_database.url)
    accounts, handovers = Accounts(room.store), Handovers(room.house)
    ada = await accounts.make("Ada")
    refuse = store_module._refuse_vanished
    monkeypatch.setattr(
        store_module, "_refuse_vanished", lambda *_: None
    )  # as where that was under way already
    seats = (SeatPlan("Ada", holder=ada.holder), SeatPlan())
    opened = Opened("isis-osiris", "normal", {}, 1, "at-once", seats, ada.holder, public=True, pairing="one")
    await handovers.hand_over(*await accounts.delete(ada.id))
    live = await room.house.open_table(opened)
    monkeypatch.setattr(store_module, "_refuse_vanished", refuse)
    with pytest.raises(HouseError, match="deleted"):
        await room.house.open_table(opened)
    assert live.table.status == "waiting"
    everybody_knows.set()
    await handed_over(room)
    assert (live.table.status, live.table.seats[0].gone) == ("over", True)
    assert "Ada" not in everything(shared_database)
    assert await room.store.rows(sa.select(schema.tables).where(schema.tables.c.pairing.is_not(None))) == []
    await handovers.close()
    await room.close()


async def test_a_guests_seat_on_its_way_to_a_deleted_account_becomes_nobodys(
    shared_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handovers_module, "STALE", 0.1)
    room = Room(shared_database.url)
    accounts, handovers = Accounts(room.store), Handovers(room.house)
    live = await room.table(seats=(SeatPlan("A guest", holder="guest"), SeatPlan(level="novice")))
    ada = await accounts.make("Ada")
    sessions = Sessions(room.store, Signer(b"s" * 32))
    await sessions.begin(ada.id, browser="", instead_of=None, guest="guest")
    await accounts.delete(ada.id)
    await handovers.resume()
    await handed_over(room)
    assert live.table.seats[0].gone
    assert "A guest" not in everything(shared_database)
    await handovers.close()
    await room.close()


@pytest.mark.parametrize("was", ["started", "isis-osiris"], ids=["no event", "no game"])
def test_a_damaged_table_keeps_nobody_from_his_others(database: Database, name: str, was: str) -> None:
    server = Server(database)
    player = Player(server.url)
    sign_up(player, name)
    damaged, sound = (player.open(ME, HERE, first=1)["table"] for _ in range(2))
    assert server.stop() == 0
    changed = f"replace(body, '{was}', 'unheard-of') where table_id = '{damaged}'"
    database.execute(f"update events set body = {changed}")
    server = server.again()
    for path in ("/", "/my-tables", "/"):
        shown = player.http.get(path)
        assert shown.status_code == 200
        assert (f"/t/{sound}" in shown.text, f"/t/{damaged}" in shown.text) == (True, False)
    assert len(list(read_records(player.http.get("/api/me/records").text))) == 1
    assert [own["table"] for own in ask(player, "GET", "/api/me/data")["tables"]] == [damaged, sound]
    assert database.log.read_text().count(f"Table {damaged} cannot be read") == 1, (
        "and it is written down once"
    )
    ask(player, "DELETE", "/api/me", name=name)

    def seats() -> list[str]:
        found = Player(server.url).http.get(f"/api/tables/{sound}").json()["seats"]
        return [seat["name"] for seat in found]

    wait_until(lambda: seats() == ["Someone 1", "Someone 2"], "he leaves the others all the same")
    assert server.stop() == 0
