"""What docs/deploy.md says is tried: nginx before two servers, a backup and its restoring on both databases."""

from __future__ import annotations

import re
import shutil
import socket
import sqlite3
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from benchmarks.load.house import Port

from tests.databases import Database, PostgreSQL
from tests.serving import Player, Server, legal
from tests.timing import PATIENCE, wait_until

CONFIGURATION = Path(__file__).parents[2] / "docs" / "deploy" / "nginx.conf"
ME, FRIEND = {"kind": "me"}, {"kind": "friend"}


@contextmanager
def nginx_before(
    servers: tuple[Server, Server], folder: Path, changed: Callable[[str], str] = str
) -> Iterator[str]:
    """An nginx with the configuration of the page, on the loopback; yields its address."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("there is no nginx here")
    kept = Port()  # till the end
    port = kept.number
    text = CONFIGURATION.read_text("utf-8")
    for here, there in (
        ("127.0.0.1:8001", f"127.0.0.1:{servers[0].port}"),
        ("127.0.0.1:8002", f"127.0.0.1:{servers[1].port}"),
        ("127.0.0.1:8080", f"127.0.0.1:{port}"),
        ("/run/nginx.pid", f"{folder}/nginx.pid"),
        ("/var/log/nginx/error.log", f"{folder}/error.log"),
    ):
        assert here in text
        text = text.replace(here, there)
    text = changed(text)
    (folder / "nginx.conf").write_text(text)
    process = subprocess.Popen(
        [program, "-p", folder, "-c", folder / "nginx.conf", "-g", "daemon off;"], stderr=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: _listens(port), "nginx begins")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_game_through_nginx_before_two_servers_of_which_one_dies(
    shared_database: Database, tmp_path: Path
) -> None:
    environment = {"OUDJAT_PROXIES": "127.0.0.1"}
    servers = (
        Server(shared_database, environment=environment),
        Server(shared_database, environment=environment),
    )
    with nginx_before(servers, tmp_path) as address:
        host, friend = Player(address), Player(address)
        key = host.open(ME, FRIEND)["seats"][1]["key"]
        friend.table = host.table
        assert friend.http.post(f"/api/tables/{host.table}/seats/2", json={"key": key}).status_code == 200
        assert (
            host.http.post("/t/nowhere/seat/1/x", headers={"origin": "http://elsewhere"}).status_code == 403
        )
        stream = host.events()
        seen = next(stream)["seq"]
        for _ in range(6):
            player = host if host.state()["mine"] else friend
            answer = player.submit(legal(player.state()))
            assert answer.status_code == 200
            while seen < answer.json()["seq"]:
                seen = next(stream)["seq"]  # at once: nothing is buffered on the way
        assert host.http.get("/metrics").status_code == 404
        assert host.http.get("/health").status_code == 200
        servers[0].kill()
        while (state := host.state())["status"] != "over":
            player = host if state["mine"] else friend
            assert player.submit(legal(player.state()), state["seq"]).status_code == 200
    assert servers[1].stop() == 0


def test_nginx_with_https_as_its_comments_say(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl here")
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=play.example.org",
         "-addext", "subjectAltName=DNS:play.example.org", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    one, two = Port(), Port()
    plain, secure = one.number, two.number

    def with_https(text: str) -> str:
        """What is behind a # is there, but for sentences, and for IPv6, which not every machine has."""
        text = re.sub(
            r"^( +)# ((?: *)(?:server|listen|return|ssl_|\}).*)$", r"\1\2", text, flags=re.MULTILINE
        )
        text = re.sub(r"^ +listen \[::\].*$", "", text, flags=re.MULTILINE)
        for here, there in (
            ("listen 80;", f"listen 127.0.0.1:{plain};"),
            ("listen 443 ssl", f"listen 127.0.0.1:{secure} ssl"),
            ("/etc/letsencrypt/live/play.example.org/", f"{tmp_path}/"),
        ):
            assert here in text
            text = text.replace(here, there)
        return text

    server = Server(tmp_path / "house.db", environment={"OUDJAT_PROXIES": "127.0.0.1"})
    trusted = ssl.create_default_context(cafile=certificate)
    curl = httpx.Client(verify=trusted, http2=False, timeout=PATIENCE)
    name = {"host": "play.example.org"}
    with nginx_before((server, server), tmp_path, with_https), curl:
        moved = curl.get(f"http://127.0.0.1:{plain}/new?game=senet", headers=name)
        assert (moved.status_code, moved.headers["location"]) == (
            301,
            "https://play.example.org/new?game=senet",
        )
        there = {"sni_hostname": "play.example.org"}
        seats = {"seats": [ME, FRIEND]}
        for path, body in (("/", None), ("/api/tables", seats)):
            answer = curl.request(
                "POST" if body else "GET", f"https://127.0.0.1:{secure}{path}", json=body,
                headers=name | {"origin": "https://play.example.org"}, extensions=there,
            )  # fmt: skip
            assert answer.is_success, answer.text
    assert server.stop() == 0


def test_the_backup_of_the_unit_keeps_fourteen(tmp_path: Path) -> None:
    if shutil.which("sqlite3") is None:
        pytest.skip("there is no program sqlite3 here")
    backup = tmp_path / "backup"
    backup.mkdir()
    with closing(sqlite3.connect(tmp_path / "house.db")) as house:
        house.execute("create table kept (what)")
        house.commit()
    (tmp_path / "house.db.secret").write_text("secret")
    older = [f"house-2020-01-{day:02}-040000.db" for day in range(1, 16)]
    for name in older:
        (backup / name).touch()
        (backup / f"{name}.secret").touch()
    unit = (CONFIGURATION.parent / "oudjat-backup.service").read_text("utf-8")
    commands = re.findall(r"^ExecStart=/bin/sh -ec '(.+)'$", unit, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        plain = command.replace("\\'", "'").replace("%%", "%").replace("$$", "$")
        subprocess.run(["/bin/sh", "-ec", plain], cwd=tmp_path, check=True)
    kept = sorted(file.name for file in backup.iterdir())
    copies = [name for name in kept if name.endswith(".db")]
    assert kept == sorted([*copies, *(f"{name}.secret" for name in copies)])
    assert (len(copies), copies[:13]) == (14, older[2:])
    with closing(sqlite3.connect(backup / copies[-1])) as copy:
        assert copy.execute("select name from sqlite_master").fetchall() == [("kept",)]
    assert (backup / f"{copies[-1]}.secret").read_text() == "secret"


def test_a_backup_of_sqlite_is_restored_as_the_page_says_beside_what_the_lost_one_left(
    tmp_path: Path,
) -> None:
    """The server dies, its latest turns stand in the log of the database only, and the copy is put in its place."""
    house, backup = tmp_path / "house.db", tmp_path / "backup"
    backup.mkdir()
    server = Server(house)
    player = Player(server.url)
    player.open(ME, {"kind": "here"}, first=1)
    assert player.submit("Pa1").status_code == 200
    with closing(sqlite3.connect(house)) as connection:
        connection.execute("vacuum into ?", (str(backup / "house.db"),))
    shutil.copy2(tmp_path / "house.db.secret", backup)
    assert player.submit("Pb2").status_code == 200
    server.kill()
    left = [tmp_path / "house.db-wal", tmp_path / "house.db-shm"]
    assert left[0].stat().st_size > 0
    page = " ".join((CONFIGURATION.parents[1] / "deploy.md").read_text("utf-8").split())
    assert (
        "stop the server, put the copy in the place of `house.db`, remove `house.db-wal` and `house.db-shm`, put "
        "`house.db.secret` back beside it, let both files belong to `oudjat`, and start it" in page
    )
    shutil.copy2(backup / "house.db", house)
    shutil.copy2(backup / "house.db.secret", tmp_path)
    for file in left:
        file.unlink()
    _goes_on(server.again(), player)


def test_what_git_does_not_keep_comes_into_no_image() -> None:
    root = CONFIGURATION.parents[2]
    ignored = (root / ".dockerignore").read_text("utf-8").splitlines()
    for pattern in [".git/", *(root / ".gitignore").read_text("utf-8").split()]:
        name = pattern.rstrip("/")
        assert name in ignored or f"**/{name}" in ignored, pattern


def test_a_backup_of_sqlite_made_while_it_is_played_restores_every_game(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    player = Player(server.url)
    player.open(ME, {"kind": "here"}, first=1)
    assert player.submit("Pa1").status_code == 200
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(tmp_path / "house.db")) as connection:
        connection.execute("vacuum into ?", (str(copy),))
    shutil.copy(tmp_path / "house.db.secret", tmp_path / "copy.db.secret")
    assert player.submit("Pb2").status_code == 200
    assert server.stop() == 0
    _goes_on(Server(copy), player)


def test_a_backup_of_postgresql_made_while_it_is_played_restores_every_game(
    postgresql: PostgreSQL, shared_database: Database, tmp_path: Path
) -> None:
    server = Server(shared_database)
    player = Player(server.url)
    player.open(ME, {"kind": "here"}, first=1)
    assert player.submit("Pa1").status_code == 200
    file = tmp_path / "oudjat.dump"
    postgresql.run("pg_dump", "--format=custom", f"--file={file}", shared_database.url)
    assert player.submit("Pb2").status_code == 200
    assert server.stop() == 0
    restored = postgresql.database(tmp_path / "restored.log")
    postgresql.run("pg_restore", "--no-owner", f"--dbname={restored.url}", str(file))
    _goes_on(Server(restored), player)
    postgresql.drop(restored)


def _goes_on(server: Server, player: Player) -> None:
    """At the restored house the table stands as it did, and goes on."""
    there = Player(server.url)
    there.http.cookies.update(dict(player.http.cookies.items()))  # for any port
    there.table = player.table
    assert there.state()["board"]["turns"] == 1
    assert there.submit("Pc3").status_code == 200
    assert there.http.get(f"/t/{there.table}").status_code == 200
    assert server.stop() == 0


def test_the_page_says_which_parts_are_tried() -> None:
    page = (CONFIGURATION.parents[1] / "deploy.md").read_text("utf-8")
    assert re.search(r"^\| nginx .* tried", page, re.MULTILINE)
    assert re.search(r"^\| systemd .* not tried", page, re.MULTILINE)
