"""``oudjat serve`` as a process."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from oudjat.house.database import default_database
from oudjat.house.serve import addresses
from tests.serving import Player, Server
from tests.timing import PATIENCE

OUDJAT = Path(sys.executable).with_name("oudjat")


def refused(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [OUDJAT, "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env=os.environ | environment,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_what_keeps_it_from_serving_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"Port {port} is taken" in refused(
            "--port", str(port), "--database", f"sqlite:///{tmp_path}/x.db"
        )
    assert "no port 99999" in refused("--port", "99999")
    assert "no host" in refused("--host", "nowhere.invalid")
    assert "SQLite" in refused("--port", "0", "--database", "mysql://localhost/x")
    assert "cannot be used" in refused("--port", "0", "--database", "postgresql://127.0.0.1:1/x")
    assert refused("--port", "many")


def test_no_password_or_key_is_repeated_when_it_is_refused(tmp_path: Path) -> None:
    for url in (
        "postgresql:/ada:hunter-2@db.example/house",
        "postgresql://ada:hunter-2@db.example:port/house",
        "ada:hunter-2@db.example",
        "mysql://ada:hunter-2@db.example/house",
        "postgresql://ada:hunter-2@127.0.0.1:1/house",
        "postgresql://ada:hunter-2@@127.0.0.1:1/house",
        "postgresql://127.0.0.1:1/house?user=ada&password=hunter-2",
        "postgres//127.0.0.1:1/house?user=ada&password=hunter-2",
    ):
        said = refused("--port", "0", "--database", url)
        assert "hunter-2" not in said, url
        assert said.endswith(".\n"), url
        assert "hunter-2" not in refused("--port", "0", OUDJAT_DATABASE=url), url
    house = ("--port", "0", "--database", f"sqlite:///{tmp_path}/house.db")
    for key in ("hunter-2", "hunter-2" * 6, "A" * 43):
        said = refused(*house, OUDJAT_VAPID_KEY=key)
        assert "OUDJAT_VAPID_KEY is no key" in said
        assert key not in said
    assert "OUDJAT_SECRET is too short" in refused(*house, OUDJAT_SECRET="hunter-2")
    for limits in ("x", "nan", "-1"):
        assert "OUDJAT_LIMITS is “off”" in refused(*house, OUDJAT_LIMITS=limits)
    assert "no database address" in refused("--port", "0", "--database", "sqlite:////tmp/a%00b.db")
    assert "OUDJAT_ORIGIN is the address" in refused(*house, OUDJAT_ORIGIN="play.example.org")


def test_the_database_is_in_the_users_data_folder_unless_said_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OUDJAT_DATABASE", raising=False)
    assert re.fullmatch(r"sqlite:////.*oudjat.*\.db", default_database())
    monkeypatch.setenv("OUDJAT_DATABASE", "sqlite:////tmp/elsewhere.db")
    assert default_database() == "sqlite:////tmp/elsewhere.db"


def test_with_every_interface_it_prints_addresses_and_a_code_for_the_phone(tmp_path: Path) -> None:
    with subprocess.Popen(
        [OUDJAT, "serve", "--host", "0.0.0.0", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"OUDJAT_DATABASE": f"sqlite:///{tmp_path}/house.db"},
    ) as process:
        assert process.stdout
        assert process.stderr
        printed: list[str] = []
        while not printed or "127.0.0.1" not in printed[-1]:
            printed.append(process.stdout.readline().strip())
            assert printed[-1], "it does not begin"
        assert all(re.fullmatch(r"http://[\d.]+:\d+/", line) for line in printed)
        with httpx.Client(base_url=printed[-1], timeout=PATIENCE) as http:
            assert http.get("/").status_code == 200
            page = http.post("/new", data={"seat1": "me", "seat2": "friend"}, follow_redirects=True).text
            assert f'value="{printed[0]}t/' in page, (
                "a friend's link names an address that his device can reach"
            )
        process.terminate()
        said = process.stderr.read()
        assert process.wait(PATIENCE) == 0
    assert len(printed) == 1 or "█" in said or "▄" in said


def test_addresses_of_one_host() -> None:
    assert addresses("127.0.0.1", 8000) == ["http://127.0.0.1:8000/"]
    assert addresses("::1", 8000) == ["http://[::1]:8000/"]


def test_two_servers_on_one_database_do_not_overwrite_each_other(tmp_path: Path) -> None:
    one = Server(tmp_path / "house.db")
    other = Server(tmp_path / "house.db")
    player = Player(one.url)
    player.open({"kind": "me"}, {"kind": "here"}, first=1)
    second = Player(other.url)
    second.http.cookies.update(player.http.cookies)
    second.table = player.table
    seq = second.state()["seq"]
    assert player.submit("Pa1").status_code == 200
    late = second.submit("Pb2", seq)
    assert late.status_code == 409
    assert late.json()["state"]["board"]["turns"] == 1
    assert second.submit("Pb2").status_code == 200
    assert player.submit("Pc3", seq + 1).status_code == 409
    assert player.state() == second.state()
    for server in (one, other):
        assert server.stop() == 0
