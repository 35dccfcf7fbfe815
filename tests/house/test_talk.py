"""Talk at a table: phrases in every reader's language, free text among friends only, and not without end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oudjat.texts.catalog import LANGUAGES, words_in
from oudjat.texts.speech import PHRASES
from tests.serving import Player, Server

ME, FRIEND = {"kind": "me"}, {"kind": "friend"}


def two(server: Server, *, public: bool = False) -> tuple[Player, Player]:
    """Ada, and Bo, who reads German."""
    ada, bo = Player(server.url), Player(server.url, "de")
    opened = ada.open({"kind": "me", "name": "Ada"}, FRIEND, first=1, public=public)
    bo.table = ada.table
    body = {"name": "Bo"} | ({} if public else {"key": opened["seats"][1]["key"]})
    assert bo.http.post(f"/api/tables/{ada.table}/seats/2", json=body).status_code == 200
    return ada, bo


def say(player: Player, **what: Any) -> int:
    return player.http.post(f"/api/tables/{player.table}/talk", json=what).status_code


def talk(player: Player) -> list[tuple[int, str]]:
    return [(line["seat"], line["said"]) for line in player.state()["talk"]]


def test_a_phrase_is_read_by_everybody_in_his_language(server: Server) -> None:
    ada, bo = two(server, public=True)
    stranger = Player(server.url, "fr")
    stranger.table = ada.table
    told = bo.events(bo.state()["seq"])
    assert say(ada, phrase="well-remembered") == 200
    first = next(told)
    assert (first["kind"], first["seat"], first["said"]) == ("said", 1, "Ada: Gut gemerkt!")
    assert talk(ada) == [(1, "Well remembered!")]
    assert talk(bo) == [(1, "Gut gemerkt!")]
    assert talk(stranger) == [(1, words_in("fr")(PHRASES["well-remembered"]))]


def test_free_text_is_for_friends_and_never_for_who_only_watches(server: Server) -> None:
    ada, bo = two(server)
    stranger = Player(server.url)
    stranger.table = ada.table
    told = stranger.events(stranger.state()["seq"])
    assert say(ada, text="  c3 was  yours,\nwasn’t it? <b>") == 200
    assert talk(bo) == [(1, "c3 was yours, wasn’t it? <b>")]
    assert talk(stranger) == []
    assert "yours" not in str(next(told))
    assert "yours" not in stranger.http.get(f"/t/{ada.table}").text
    page = bo.http.get(f"/t/{ada.table}").text
    assert "<b>" not in page.partition('id="view"')[2].partition("</script>")[0]
    public, _ = two(server, public=True)
    assert say(public, text="hello") == 403
    assert "yours" not in ada.http.get(f"/api/tables/{ada.table}/record").text


def test_who_does_not_play_does_not_talk(server: Server) -> None:
    ada, bo = two(server)
    stranger = Player(server.url)
    stranger.table = ada.table
    assert say(stranger, phrase="hello") == 403
    assert say(bo, phrase="hello", seat=1) == 403


@pytest.mark.parametrize(
    "what",
    [
        {},
        {"phrase": "curse"},
        {"text": "\u200b \u2800"},
        {"text": "x" * 201},
        {"phrase": "hello", "text": "hello"},
        {"phrase": 1},
        {"say": "hello"},
    ],
)
def test_what_cannot_be_said_is_refused(server: Server, what: dict[str, Any]) -> None:
    ada, _ = two(server)
    before = ada.state()
    assert say(ada, **what) in (400, 422)
    assert ada.state() == before


def test_talk_does_not_make_a_turn_stale_and_comes_through_a_restart_of_the_stream(server: Server) -> None:
    ada, bo = two(server)
    before = ada.state()["seq"]
    assert say(bo, phrase="good-luck") == 200
    assert ada.submit("Pc3", before).status_code == 200
    assert [event["kind"] for _, event in zip(range(2), ada.events(before), strict=False)] == ["said", "turn"]


def test_who_talks_without_end_is_told_to_wait(tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db", environment={"OUDJAT_LIMITS": "1"})
    ada, bo = two(server)
    path, greeting = f"/api/tables/{ada.table}/talk", {"phrase": "hello"}
    answers = [ada.http.post(path, json=greeting)]
    while answers[-1].status_code == 200 and len(answers) < 100:  # who is slow may say some more
        answers.append(ada.http.post(path, json=greeting))
    assert [answer.status_code for answer in answers[:10]] == [200] * 10
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert say(bo, phrase="hello") == 200, "the other may still talk"
    assert server.stop() == 0


def test_every_phrase_is_there_in_every_language() -> None:
    for language in LANGUAGES:
        said = [words_in(language)(phrase) for phrase in PHRASES.values()]
        assert len(set(said)) == len(PHRASES)
