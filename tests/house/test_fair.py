"""What a table promised is what was played: opened records are held to it, whatever a house might exchange."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies

from oudjat.house.events import Started
from oudjat.house.fair import Held, NotFair, NothingToCheck, fair_tags, hold, promise_of
from oudjat.records import Record, RecordError, read_records, result_tags, setup_tags, write_record
from oudjat.rules.game import Draw
from oudjat.rules.registry import GAMES
from oudjat.texts.catalog import LANGUAGES
from oudjat.texts.pages import house_html
from tests.timing import PATIENCE

OUDJAT = Path(sys.executable).with_name("oudjat")
WITH_LUCK = [
    (game.id, variant, players)
    for game in GAMES.values()
    if game.chance
    for variant in game.variants
    for players in game.players
]


def played(game_id: str, variant: str, players: int, seed: int, salt: str = "5a17") -> Record:
    """A whole game at random, as the house gives it out after the end, read from its text."""
    game, randomness = GAMES[game_id], random.Random(seed)
    luck = game.luck(randomness)
    position, turns = game.start(players, variant=variant), []
    while position.outcome is None:
        if position.asks == "chance":
            position = position.apply(position.comes(luck))
        else:
            turn = randomness.choice(position.choices())
            position = position.apply(turn)
            turns += [] if isinstance(turn, Draw) else [turn.text]
    opened = fair_tags(Started(1, luck, salt, promise_of(salt, luck)), over=True)
    tags = setup_tags(position, first=1) | result_tags(position.outcome) | opened
    (record,) = read_records(write_record(Record(tuple(tags.items()), tuple(turns))))
    assert isinstance(record, Record)
    return record


def with_tags(record: Record, **tags: str | None) -> Record:
    """The record with other tags; None takes one away."""
    changed = dict(record.tags) | {name: value for name, value in tags.items() if value is not None}
    return replace(
        record, tags=tuple((key, changed[key]) for key in changed if tags.get(key, "") is not None)
    )


def promising(record: Record, luck: list[str]) -> Record:
    """The record of a house that promised another luck."""
    salt = record.tag("Salt") or ""
    return with_tags(record, Luck=" ".join(luck), Promise=promise_of(salt, tuple(luck)))


@given(kind=strategies.sampled_from(WITH_LUCK), seed=strategies.integers(0, 2**32))
def test_a_game_played_with_the_promised_luck_is_fair(kind: tuple[str, str, int], seed: int) -> None:
    record = played(*kind, seed)
    held = hold(record, record.tag("Promise"))
    assert held.turns == len(record.turns)
    assert held.brought == sum(not re.match("P|--", turn) for turn in record.turns)
    assert held.seen


def uses(record: Record, kind: tuple[str, str, int]) -> list[tuple[int, int]]:
    """The turns in which luck has a part, each with the place in the luck that it uses, as the page tells it."""
    game, variant, players = kind
    if game != "isis-osiris":
        return [(number, number - 1) for number in range(1, len(record.turns) + 1)]
    each = 0 if variant == "shared" else 22 // players
    begins = [0] * players
    found = []
    for number, turn in enumerate(record.turns, 1):
        stock = (number - 1) % players if each else 0
        if turn[0] in "+-" and turn != "--":
            found.append((number, stock * each + begins[stock]))
            begins[stock] += 1
    return found


@given(
    kind=strategies.sampled_from(WITH_LUCK),
    seed=strategies.integers(0, 2**32),
    places=strategies.tuples(strategies.floats(0, 0.999), strategies.floats(0, 0.999)),
)
def test_exchanged_luck_is_found_in_the_first_turn_that_differs(
    kind: tuple[str, str, int], seed: int, places: tuple[float, float]
) -> None:
    record = played(*kind, seed)
    luck = (record.tag("Luck") or "").split()
    one, other = (int(place * min(len(luck), len(record.turns) + 2)) for place in places)
    exchanged = list(luck)
    exchanged[one], exchanged[other] = luck[other], luck[one]
    differ = [number for number, place in uses(record, kind) if luck[place] != exchanged[place]]
    if not differ:
        assert hold(promising(record, exchanged)).turns == len(record.turns)
        return
    with pytest.raises(NotFair, match=f"Turn {differ[0]} brought") as found:
        hold(promising(record, exchanged))
    assert (found.value.turn, found.value.token) == (differ[0], record.turns[differ[0] - 1])


@pytest.mark.parametrize("kind", WITH_LUCK, ids=lambda kind: "-".join(map(str, kind)))
def test_every_other_fault_is_told_apart(kind: tuple[str, str, int]) -> None:
    record = played(*kind, 11)
    luck = (record.tag("Luck") or "").split()
    with pytest.raises(NotFair, match="hash"):
        hold(with_tags(record, Salt="5a18"))
    with pytest.raises(NotFair, match="hash"):
        hold(with_tags(record, Luck=" ".join(luck[::-1])))
    with pytest.raises(NotFair, match="beginning"):
        hold(record, promise_of("another", tuple(luck)))
    with pytest.raises(NotFair, match="none that this game can have"):
        hold(promising(record, luck[:-1]))
    with pytest.raises(NotFair, match="none that this game can have"):
        hold(promising(record, [*luck[:-1], "+9"]))
    with pytest.raises(NothingToCheck, match="no promise"):
        hold(with_tags(record, Promise=None))
    with pytest.raises(NothingToCheck, match="before the end"):
        hold(with_tags(record, Luck=None))
    with pytest.raises(RecordError) as illegal:
        hold(replace(record, turns=(record.turns[0], *record.turns)))
    assert not isinstance(illegal.value, NotFair | NothingToCheck)


def test_a_withheld_value_is_not_fair_in_an_opened_record() -> None:
    record = played("isis-osiris", "normal", 2, 3)
    number = next(i for i, turn in enumerate(record.turns) if turn[0] in "+-")
    turns = [*record.turns[:number], f"?{record.turns[number][-2:]}", *record.turns[number + 1 :]]
    withheld = with_tags(replace(record, turns=tuple(turns)), Scores=None, Winners=None)
    with pytest.raises(NotFair, match="does not say") as error:
        hold(withheld)
    assert error.value.turn == number + 1


@pytest.mark.parametrize("game", [game.id for game in GAMES.values() if not game.chance])
def test_a_game_without_luck_promises_nothing(game: str) -> None:
    record = played(game, "normal", 2, 4)
    assert record.tag("Promise") is None
    assert hold(record) == Held(GAMES[game], None, len(record.turns), 0, seen=False)


def test_the_command_says_it_in_its_status_and_in_sentences(tmp_path: Path) -> None:
    fair = played("isis-osiris", "shared", 3, 5)
    luck = (fair.tag("Luck") or "").split()
    records = {
        "fair": fair,
        "exchanged": promising(fair, luck[::-1]),
        "unopened": with_tags(fair, Luck=None),
        "isis": played("isis", "normal", 2, 4),
    }
    for name, record in records.items():
        (tmp_path / name).write_text(write_record(record), "utf-8")
    (tmp_path / "nothing").write_text("no game", "utf-8")

    def verify(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(OUDJAT), "verify", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=PATIENCE
        )

    done = verify("fair", "--promise", fair.tag("Promise") or "")
    assert (done.returncode, done.stderr) == (0, "")
    assert "fair: game 1: fair. The luck is the one promised" in done.stdout
    assert f"fair, if {fair.tag('Promise')} is what" in verify("fair").stdout
    assert verify("fair", "--promise", "0" * 64).returncode == 1
    assert "Nothing in this game is left to luck" in verify("isis").stdout
    number, place = next(
        use for use in uses(fair, ("isis-osiris", "shared", 3)) if luck[use[1]] != luck[21 - use[1]]
    )
    told = verify("exchanged")
    assert (told.returncode, told.stdout) == (1, "")
    assert f"turn {number}, “{fair.turns[number - 1]}”: Turn {number} brought {luck[place]}" in told.stderr
    for name in ("unopened", "nothing", "not there"):
        assert verify(name).returncode == 2
        assert verify(name).stderr.strip()
    assert verify("fair", "exchanged", "unopened").returncode == 2
    objects = [
        json.loads(line) for line in verify("fair", "exchanged", "unopened", "--json").stdout.splitlines()
    ]
    assert [told["fair"] for told in objects] == [True, False, None]
    assert objects[0]["brought"] == hold(fair).brought
    assert objects[1]["error"]["turn"] == number


def test_the_example_on_the_page_is_true_in_every_language() -> None:
    for language in LANGUAGES:
        page = house_html("fair", language)
        salt, luck, text, promise = re.findall(r"<li>[^<]+: <code>(.*?)</code></li>", page)
        assert text == f"{salt}:{luck}"
        assert promise_of(salt, tuple(luck.split())) == promise
