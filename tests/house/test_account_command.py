"""``oudjat account`` as a process, beside running servers and without: the people of a house, for who runs it."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.databases import Database
from tests.house.test_accounts import FRIEND, HERE, ME, PASSWORD, ask, bot_of, everything, sign_in, sign_up
from tests.serving import Player, Server, legal
from tests.texts.kit import LANGUAGES
from tests.timing import PATIENCE, wait_until

OUDJAT = Path(sys.executable).with_name("oudjat")


def account(
    database: Database | str, *arguments: str, typed: str = "", language: str = "en", **environment: str
) -> subprocess.CompletedProcess[str]:
    url = database if isinstance(database, str) else database.url
    return subprocess.run(
        [OUDJAT, "account", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        input=typed,
        timeout=PATIENCE,
        check=False,
        env={"LANG": f"{language}.UTF-8", "OUDJAT_DATABASE": url, "HOME": "/nowhere", "PYTHONUTF8": "1"}
        | environment,
    )


def refused(database: Database | str, *arguments: str, **more: Any) -> str:
    """The sentence with which something is refused."""
    done = account(database, *arguments, **more)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.strip()


def test_a_new_password_signs_in_and_the_old_one_and_the_old_sessions_do_not(database: Database) -> None:
    server = Server(database)
    ada, other, again = Player(server.url), Player(server.url), Player(server.url)
    sign_up(ada, "Ada")
    sign_up(other, "Bo")
    ada.open(ME, HERE, first=1)
    stream = ada.events()
    assert next(stream)["view"]["you"] == [1, 2]
    done = account(database, "password", "ADA")
    assert done.returncode == 0, done.stderr
    password = done.stdout.strip()
    assert re.fullmatch(r"([a-z]{4}-){3}[a-z]{4}", password)
    assert password not in done.stderr
    assert done.stderr == "“Ada” is signed out everywhere, and signs in with:\n"
    ask(again, "POST", "/api/me/sign-in", 401, name="Ada", password=PASSWORD)
    assert sign_in(again, "Ada", password)["name"] == "Ada"
    wait_until(lambda: ask(ada, "GET", "/api/me")["kind"] == "guest", "the session goes on")
    assert list(stream) == [], "the stream of who is signed out ends"
    assert ask(again, "GET", "/api/me")["kind"] == "person"
    assert ask(other, "GET", "/api/me")["name"] == "Bo", "and nobody else is concerned"
    assert account(database, "password", "Ada").stdout.strip() != password
    assert password not in everything(database)
    assert server.stop() == 0


def test_who_is_removed_leaves_his_running_games_at_every_server(shared_database: Database) -> None:
    servers = Server(shared_database), Server(shared_database)
    for number, server in enumerate(servers):
        _remove_from_a_running_game(shared_database, server, f"Adalgisa {number}")
    assert [server.stop() for server in servers] == [0, 0]
    assert "Adalgisa" not in everything(shared_database)
    assert "Traceback" not in shared_database.log.read_text()


def test_who_is_removed_leaves_his_running_games(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    _remove_from_a_running_game(server.database, server, "Adalgisa")
    assert server.stop() == 0
    assert "Adalgisa" not in everything(server.database)
    assert "Traceback" not in server.log.read_text()


def _remove_from_a_running_game(database: Database, server: Server, name: str) -> None:
    ada, friend = Player(server.url), Player(server.url)
    sign_up(ada, name)
    bot, _ = bot_of(ada, server.url, f"Bot of {name}")
    seats = friend.open(ME, FRIEND, FRIEND, first=1)["seats"]
    for number, player in ((2, ada), (3, bot)):
        key = seats[number - 1]["key"]
        player.http.post(f"/api/tables/{friend.table}/seats/{number}", json={"key": key}).raise_for_status()
    ada.table = bot.table = friend.table
    for player in (friend, ada, bot):
        assert player.submit(legal(player.state())).status_code == 200
    assert [seat["name"] for seat in friend.state()["seats"]][1:] == [name, f"Bot of {name}"]
    done = account(database, "remove", name, "--yes")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"“{name}” is gone; the games stay as those of “someone”.\n"
    wait_until(lambda: name not in str(friend.state()), "his name stays at the table")
    assert [seat["name"] for seat in friend.state()["seats"]][1:] == ["Someone 1", "Someone 2"]
    assert friend.state()["status"] == "running", "bots play on"
    wait_until(lambda: ask(ada, "GET", "/api/me")["kind"] == "guest", "he is still signed in")
    wait_until(lambda: bot.http.get("/api/me").status_code == 401, "his bot is still known")
    wait_until(lambda: not database.execute("select * from handovers"), "it never ends")


def test_the_next_start_takes_out_who_was_removed_while_no_server_ran(database: Database) -> None:
    server = Server(database)
    ada, friend = Player(server.url), Player(server.url)
    sign_up(ada, "Adalgisa")
    key = friend.open(ME, FRIEND, first=1)["seats"][1]["key"]
    ada.http.post(f"/api/tables/{friend.table}/seats/2", json={"key": key}).raise_for_status()
    assert server.stop() == 0
    assert account(database, "remove", "adalgisa", "--yes").returncode == 0
    server = server.again()
    wait_until(lambda: "Adalgisa" not in str(friend.state()), "his name stays at the table")
    sign_up(Player(server.url), "Adalgisa")
    assert server.stop() == 0


def test_removing_asks_for_the_name_once_more(database: Database) -> None:
    server = Server(database)
    sign_up(Player(server.url), "Ada")
    for typed in ("", "\n", "yes\n", "ada\n"):
        done = account(database, "remove", "Ada", typed=typed)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.endswith("This is another name; nothing has been removed.\n")
    assert ask(Player(server.url), "POST", "/api/me/sign-in", name="Ada", password=PASSWORD)
    assert account(database, "remove", "Ada", typed="Ada\n").returncode == 0
    ask(Player(server.url), "POST", "/api/me/sign-in", 401, name="Ada", password=PASSWORD)
    assert server.stop() == 0


def test_renaming_follows_the_players_own_rules(database: Database) -> None:
    server = Server(database)
    ada = Player(server.url)
    sign_up(ada, "Ada")
    sign_up(Player(server.url), "Bo")
    assert refused(database, "rename", "Ada", "BO") == "Somebody has this name already; choose another."
    assert refused(database, "rename", "Ada", "Novice") == "The house itself uses this name; choose another."
    assert "slashes" in refused(database, "rename", "Ada", "a/b")
    assert "at most" in refused(database, "rename", "Ada", "a" * 500)
    done = account(database, "rename", "ada", "  Grace   Hopper ")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "“Ada” is now called “Grace Hopper”.\n")
    wait_until(lambda: ask(ada, "GET", "/api/me")["name"] == "Grace Hopper", "the server never knows")
    assert sign_in(Player(server.url), "grace hopper")["name"] == "Grace Hopper"
    assert server.stop() == 0


def test_everybody_is_listed_without_a_secret(database: Database) -> None:
    server = Server(database)
    assert account(database, "list").stderr == "Nobody has an account here yet.\n"
    ada = Player(server.url)
    me = sign_up(ada, "Ada")
    bot, made = bot_of(ada, server.url, "Horus")
    sign_up(Player(server.url), "Bo")
    empty = "''::bytea" if database.is_postgresql else "x''"
    database.execute(
        "insert into ratings (player, game, variant, mu, sigma, shown, games) values "
        f"('{me['id']}', 'isis', 'normal', 25, 8, 1500, 3), ('{me['id']}', 'pharao', 'normal', 25, 8, 1500, 4)",
        f"delete from sessions where account <> '{me['id']}'",
        "insert into passkeys (id, account, public_key, sign_count, label, made_at) "
        f"select 'one', '{me['id']}', {empty}, 0, '', 1",
    )
    done = account(database, "list", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = map(json.loads, done.stdout.splitlines())
    moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    assert re.fullmatch(moment, first.pop("since"))
    assert re.fullmatch(moment, first.pop("seen"))
    assert first == {"name": "Ada", "has_password": True, "passkeys": 1, "bots": ["Horus"], "rated_games": 7}
    assert (second["name"], second["seen"], second["rated_games"], second["bots"]) == ("Bo", None, 0, [])
    shown = account(database, "list").stdout.splitlines()
    assert [len(shown), shown[0].split()[0]] == [3, "Name"]
    assert re.fullmatch(r"Ada +\S+ +\S+ +Password, 1 passkey +7 +Horus", shown[1])
    assert re.fullmatch(r"Bo +\S+ +– +Password +0 +–", shown[2])
    for secret in (made["token"], me["id"], "argon2"):
        assert secret not in done.stdout + "".join(shown)
    assert account(database, "list", language="de").stdout.startswith("Name  Seit ")
    assert refused(database, "password", "Horus").startswith("“Horus” is a bot and has no password")
    assert bot.http.get("/api/me").json()["kind"] == "bot"
    assert server.stop() == 0


def test_a_terminal_that_knows_few_letters_shows_what_it_can(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    sign_up(Player(server.url), "Žofie")
    assert server.stop() == 0
    done = account(server.database, "list", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u017dofie" in done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_name_is_told_in_a_sentence(tmp_path: Path, language: str) -> None:
    server = Server(tmp_path / "house.db")
    assert server.stop() == 0
    for arguments in (["password", "Nemo"], ["rename", "Nemo", "Ada"], ["remove", "Nemo", "--yes"]):
        assert "Nemo" in refused(server.database, *arguments, language=language)
    assert account(server.database, "password", "a" * 500).returncode == 2


def test_a_database_that_cannot_be_opened_is_told_in_a_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "folder" / "house.db"
    assert str(missing) in refused(f"sqlite:///{missing}", "list")
    assert not missing.parent.exists(), "and no empty house is made"
    text = tmp_path / "text.db"
    text.write_text("no database " * 500)
    assert "cannot be used" in refused(f"sqlite:///{text}", "list")
    assert "no database address" in refused("somewhere", "remove", "Ada")
    assert "cannot be used" in refused("postgresql://nobody@127.0.0.1:9/house", "password", "Ada")
    assert "neither" in refused("mysql://here/house", "list")
    newer = Database.file(tmp_path / "newer.db")
    Server(newer).stop()
    with closing(sqlite3.connect(tmp_path / "newer.db")) as connection, connection:
        connection.execute("update alembic_version set version_num = 'v99'")
    assert "newer version" in refused(newer, "list")
    assert account(newer, "rename", "Ada").returncode == 2, "a name is missing"


@pytest.mark.parametrize("command", ["list", "password", "rename", "remove"])
def test_help_has_an_example(command: str) -> None:
    done = account("", command, "--help")
    assert done.returncode == 0
    assert f"Example: oudjat account {command}" in done.stdout
