"""How a table shows where its link is shown: a title, a sentence, a picture, and nothing that is nobody's business."""

from __future__ import annotations

import random
import re
import struct
from html import unescape
from xml.etree import ElementTree as ET

from hypothesis import given, settings, strategies

from oudjat.house.picture import HEIGHT, WIDTH, svg_of
from oudjat.rules.game import Draw
from oudjat.rules.registry import GAMES
from tests.serving import Player, Server

ME, HERE, FRIEND = {"kind": "me", "name": "<Ada & Bo>"}, {"kind": "here", "name": "Cy"}, {"kind": "friend"}


def tags(player: Player, language: str = "en") -> dict[str, str]:
    """What a page says of itself to those who show its link."""
    page = Player(player.http.base_url.join("/").__str__(), language).http.get(f"/t/{player.table}").text
    found = re.findall(r'<meta (?:property|name)="((?:og:|twitter:)?[\w:]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in found}


def test_a_public_table_is_shown_with_who_plays_and_its_board(server: Server) -> None:
    host = Player(server.url)
    host.open(ME, HERE, FRIEND, public=True, first=1)
    assert tags(host)["og:description"] == "<Ada & Bo>, Cy would like to play Isis & Osiris. Sit down!"
    guest = Player(server.url)
    guest.table = host.table
    seat = f"/api/tables/{host.table}/seats/3"
    assert guest.http.post(seat, json={"key": "", "name": "Dee"}).status_code == 200
    said = {language: tags(host, language)["og:description"] for language in ("en", "de", "fr")}
    assert said["en"] == "<Ada & Bo>, Cy, Dee are playing Isis & Osiris. Watch them."
    assert len(set(said.values())) == 3
    found = tags(host)
    assert found["og:title"] == "Isis & Osiris"
    assert found["description"] == found["og:description"]
    assert found["og:image"].startswith(f"{server.url}/t/{host.table}/board.png?")
    png = host.http.get(found["og:image"])
    assert png.headers["content-type"] == "image/png"
    assert png.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png.content[16:24]) == (WIDTH, HEIGHT)
    drawn = host.http.get(f"/t/{host.table}/board.svg")
    assert drawn.headers["content-type"] == "image/svg+xml"
    host.submit("Pc3")
    assert host.http.get(f"/t/{host.table}/board.svg").text != drawn.text
    assert tags(host)["og:image"] != found["og:image"]


def test_of_a_table_by_link_nothing_is_told_but_its_game(server: Server) -> None:
    host = Player(server.url)
    host.open(ME, HERE, first=1)
    host.submit("Pc3")
    found = tags(host)
    assert found["og:description"] == "A table of Isis & Osiris. Open it to play or to watch."
    assert "Ada" not in " ".join(found.values())
    for kind in ("svg", "png"):
        picture = host.http.get(f"/t/{host.table}/board.{kind}")
        assert picture.status_code == 307
        assert found["og:image"] == server.url + picture.headers["location"]
    assert host.http.get(found["og:image"]).headers["content-type"] == "image/png"


@settings(max_examples=15)
@given(
    game=strategies.sampled_from(list(GAMES.values())),
    seed=strategies.integers(0, 2**32),
    steps=strategies.integers(0, 60),
    data=strategies.data(),
)
def test_every_position_is_drawn_from_what_a_spectator_sees(game, seed, steps, data) -> None:  # type: ignore[no-untyped-def]
    randomness = random.Random(seed)
    luck = game.luck(randomness)
    players = data.draw(strategies.sampled_from(game.players))
    position = game.start(players, variant=data.draw(strategies.sampled_from(game.variants)))
    for _ in range(steps):
        if position.outcome is not None:
            break
        choices = position.choices() or (position.comes(luck),)
        position = position.apply(Draw() if Draw() in choices else randomness.choice(choices))
    view = position.view(None)
    drawing = ET.fromstring(svg_of(view))
    assert len(drawing) > len(view.cells)
    assert "class=" not in svg_of(view), "a picture has no style sheet"
