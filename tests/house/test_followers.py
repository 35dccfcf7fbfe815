"""Streams: who does not read is cut off and comes back to what he missed; silence is told from death; lean programs."""

from __future__ import annotations

import asyncio
import http.client
import time
from urllib.parse import urlsplit

from oudjat.house.followers import Follower, Heart
from oudjat.house.paint import Viewer
from oudjat.texts.catalog import words_in
from tests.house.lines import HeldLine
from tests.serving import Player, Server
from tests.timing import PATIENCE

ME = {"kind": "me"}


def follower(line: HeldLine) -> Follower:
    return Follower(Viewer(None, words_in("en")), line)


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_what_was_missed_comes_first_and_all_in_order() -> None:
    line = HeldLine()
    one = Follower(Viewer(None, words_in("en")), line, [b"0", b"1"])
    one.send(b"2")  # it happens while he is still told what he missed
    stays = asyncio.create_task(one.stay())
    await settle()
    one.send(b"3")
    await settle()
    one.end()
    await stays
    heard, bye, _ = b"".join(line.heard).rpartition(b"event: bye")
    assert bye
    assert heard.startswith(b"retry: 1000\n\n0123retry: ")
    assert line.hung_up


async def test_who_lets_too_many_messages_wait_is_cut_off() -> None:
    line = HeldLine()
    one = follower(line)
    stays = asyncio.create_task(one.stay())
    await settle()
    line.reads.clear()
    for number in range(1000):
        one.send(b"%d," % number)
        await asyncio.sleep(0)
    line.reads.set()
    await stays
    told = b"".join(line.heard)
    assert line.hung_up
    assert b"\n\n0," in told
    assert b"999," not in told


async def test_who_reads_nothing_for_a_whole_beat_is_cut_off() -> None:
    line = HeldLine()
    one = follower(line)
    stays = asyncio.create_task(one.stay())
    await settle()
    one.beat()
    await settle()
    assert b"event: beat" in line.heard[-1]
    line.reads.clear()
    one.send(b"news")
    await settle()
    for _ in range(2):
        one.beat()
        await settle()
    line.reads.set()
    await stays
    assert line.hung_up


async def test_who_goes_leaves_nothing_behind() -> None:
    line = HeldLine()
    one = follower(line)
    stays = asyncio.create_task(one.stay())
    await settle()
    line.reads.clear()
    one.send(b"news")
    await settle()
    line.go()
    await stays
    await settle()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_the_heart_beats_for_those_who_follow_only() -> None:
    line = HeldLine()
    one, heart = follower(line), Heart()
    heart.join(one)
    for _ in range(15):
        heart.beat()
    await settle()
    assert b"".join(line.heard).count(b"event: beat") == 1
    heart.leave(one)
    for _ in range(15):
        heart.beat()
    await settle()
    assert b"".join(line.heard).count(b"event: beat") == 1


def test_a_program_may_do_without_views(server: Server) -> None:
    ann = Player(server.url)
    ann.open(ME, {"kind": "here"}, first=1)
    path = f"/api/tables/{ann.table}"
    body = {"turn": "Pa1", "after": ann.state()["seq"]}
    lean = ann.http.post(f"{path}/turns", json=body, headers={"prefer": "respond-async, return=minimal"})
    assert lean.headers["preference-applied"] == "return=minimal"
    assert lean.json() == {"again": False, "seq": body["after"] + 1, "state": None}
    again = ann.http.post(f"{path}/turns", json=body)
    assert again.json()["again"]
    assert again.json()["seq"] == again.json()["state"]["seq"] == body["after"] + 1
    refused = ann.http.post(
        f"{path}/turns", json=body | {"turn": "Pb1"}, headers={"prefer": "return=minimal"}
    )
    assert refused.status_code == 409
    assert refused.json()["state"]["seq"] == body["after"] + 1
    with ann.http.stream("GET", f"{path}/events", params={"views": "none", "after": 1}) as stream:
        data = (line for line in stream.iter_lines() if line.startswith("data: "))
        heard = [next(data) for _ in range(2)]
    assert '"turn":"Pa1"' in heard[-1]
    assert all('"view":null' in event for event in heard)


def test_a_connection_without_requests_stays_open(server: Server) -> None:
    """uvicorn by itself closes it after five seconds."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE)
    connection.request("GET", "/robots.txt")
    connection.getresponse().read()
    socket = connection.sock
    time.sleep(5.5)
    connection.request("GET", "/robots.txt")
    assert connection.getresponse().status == 200
    assert connection.sock is socket
    connection.close()
