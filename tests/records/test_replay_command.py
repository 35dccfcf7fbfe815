"""``oudjat replay`` as people and scripts call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oudjat.records import write_record
from tests.records.test_records import HEAD, random_record

CASES = Path(__file__).parent / "cases"
OUDJAT = Path(sys.executable).with_name("oudjat")


def run(*arguments: object, text: bytes = b"") -> tuple[int, list[dict[str, Any]], str]:
    done = subprocess.run(
        [OUDJAT, "replay", *map(str, arguments)], input=text, capture_output=True, timeout=600, check=False
    )
    assert b"Traceback" not in done.stderr
    lines = done.stdout.decode().splitlines()
    return done.returncode, [json.loads(line) for line in lines if line.startswith("{")], done.stderr.decode()


def test_the_cases_with_their_right_answers() -> None:
    answers = json.loads((CASES / "records" / "answers.json").read_text())
    status, told, _ = run("--json", *(CASES / "records" / answer["file"] for answer in answers))
    assert status == 0
    for answer, line in zip(answers, told, strict=True):
        assert {key: line[key] for key in answer if key != "file"} == {
            key: answer[key] for key in answer if key != "file"
        }


def test_the_spoilt_cases_are_refused_where_they_are_spoilt() -> None:
    answers = json.loads((CASES / "spoilt" / "answers.json").read_text())
    status, told, _ = run("--json", *(CASES / "spoilt" / answer["file"] for answer in answers))
    assert status == 1
    for answer, line in zip(answers, told, strict=True):
        assert line["error"]["turn"] == answer["turn"]
        assert line["error"]["rule"] in answer["rules"]
        assert line["error"]["message"]


def test_every_random_game_replays(tmp_path: Path) -> None:
    kinds = [(players, variant) for players in (2, 3, 4) for variant in ("normal", "shared")]
    games = [random_record(seed, *kind) for kind in kinds for seed in range(1000)]
    file = tmp_path / "games.txt"
    file.write_text("\n".join(write_record(game) for game in games))
    status, told, _ = run("--json", file)
    assert status == 0
    assert len(told) == len(games)
    assert all(line["over"] for line in told)


def test_upto_stops_early(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_record(random_record(3)))
    for upto in (0, 5, 36, 99):
        status, (told,), _ = run("--json", "--upto", upto, file)
        assert status == 0
        assert told["turns"] == min(upto, 36)
        assert told["over"] == (upto >= 36)


def test_people_get_sentences(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(HEAD + "Pc3")
    bad.write_text(HEAD + "Pc3 Pc3")
    status, _, said = run(good, bad)
    assert status == 1
    assert "line 4" in said
    assert "IO-9" in said


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff\xfe" * 50, b"hello", b"PK\x03\x04" + bytes(range(256)), b"[" * 9999]
)
def test_a_file_that_is_no_record_never_ends_in_a_traceback(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    status, _, said = run(file)
    assert status in (1, 2)
    assert said.strip()


def test_what_cannot_be_read_is_2_and_the_others_are_still_checked(tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_text(HEAD + "Pc3")
    status, told, said = run("--json", tmp_path / "nowhere.txt", tmp_path, good)
    assert status == 2
    assert len(told) == 1
    assert said.count("cannot be read") == 2
    assert run()[0] == 2
    assert run("--nonsense")[0] == 2
    assert run("--upto", "x", good)[0] == 2
    assert run("--upto", "-1", good)[0] == 2


def test_standard_input() -> None:
    status, told, _ = run("--json", "-", text=(HEAD + "Pc3").encode())
    assert (status, told[0]["turns"]) == (0, 1)
