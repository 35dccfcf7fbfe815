"""Reading, checking and writing records (FORMATS.md 1)."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, strategies

from oudjat.records import (
    Record,
    RecordError,
    read_records,
    replay,
    result_tags,
    setup_tags,
    summary,
    write_record,
)
from oudjat.rules.game import Draw, Drew
from oudjat.rules.isis_osiris import ISIS_OSIRIS

HEAD = '[Game "isis-osiris"]\n[Players "2"]\n\n'


def only(text: str) -> Record:
    (record,) = read_records(text)
    assert isinstance(record, Record), record
    return record


def refused(text: str) -> RecordError:
    (found,) = read_records(text)
    if isinstance(found, RecordError):
        return found
    with pytest.raises(RecordError) as error:
        replay(found)
    return error.value


def assert_replays_or_says_why(found: Record | RecordError) -> None:
    if isinstance(found, Record):
        try:
            replay(found)
        except RecordError as error:
            found = error
        else:
            return
    assert str(found)
    assert len(found.token) <= 40
    assert found.line >= 1


def random_record(seed: int, players: int = 2, variant: str = "normal", length: int | None = None) -> Record:
    randomness = random.Random(seed)
    first = randomness.randint(1, players)
    position = ISIS_OSIRIS.start(players, variant=variant, first=first)
    luck = ISIS_OSIRIS.luck(randomness)
    turns: list[str] = []
    while position.outcome is None and (length is None or len(turns) < length or position.asks != "choice"):
        step = position.comes(luck) if position.asks == "chance" else randomness.choice(position.choices())
        position = position.apply(step)
        if not isinstance(step, Draw | Drew):
            turns.append(step.text)
    tags = setup_tags(position, first=first) | result_tags(position.outcome)
    return Record(tuple(tags.items()), tuple(turns))


def test_comments_numbers_and_several_games() -> None:
    text = (
        '; two games\n[Game "isis-osiris"] ; the first\n[Players "2"]\n\n1. Pc3 2. +2d3 ; good\n3.-4c4 4... Pd4\n'
        '[Game "isis-osiris"]\n[Players "3"]\n\n'
    )
    one, other = read_records(text)
    assert isinstance(one, Record)
    assert isinstance(other, Record)
    assert one.turns == ("Pc3", "+2d3", "-4c4", "Pd4")
    assert (other.number, other.turns, other.tag("Players")) == (2, (), "3")
    assert replay(one).last.standing == (2 - 4, -4 + 2)


def test_unknown_tags_are_kept_and_written_back() -> None:
    text = HEAD[:-1] + '[Annotator "Ada \\"the eye\\" \\\\ Bo"]\n[Event "; no comment"]\n\nPc3\n'
    record = only(text)
    assert record.tag("Annotator") == 'Ada "the eye" \\ Bo'
    assert record.tag("Event") == "; no comment"
    assert write_record(record) == text


def test_withheld_values_leave_the_standing_open() -> None:
    record = only(HEAD + "Pc3 ?c4 Pa1 +2a2")
    told = summary(replay(record))
    assert told["scores"] is None
    assert told["markers"] is None
    assert told["reserves"] == [{"pieces": 6, "tiles": 11}, {"pieces": 8, "tiles": 9}]
    assert told["to_move"] == 1


@pytest.mark.parametrize(
    ("text", "turn", "rule", "token", "line"),
    [
        (HEAD + "Pc3\n\nPd3 Pc3", 3, "IO-9", "Pc3", 6),
        (HEAD + "Pc3 hello", 2, "record", "hello", 4),
        (HEAD + "Pc3 Pg9", 2, "IO-1", "Pg9", 4),
        (HEAD + "+4a1 +4b1", 2, "IO-2", "+4b1", 4),
        (HEAD + "--", 1, "IO-20", "--", 4),
        (HEAD + "Pc3 [Date", 2, "record", "[Date", 4),
        (HEAD + 'Pc3\n[Date "today"]', 2, "record", '[Date "today"]', 5),
        (HEAD + "Pc3 draw", 2, "record", "draw", 4),
        ("Pc3 Pd3", 0, "record", "Pc3", 1),
        ('[Players "2"]\n[Game', 0, "record", '[Players "2"]', 1),
        ('[Game "go"]', 0, "record", "Game go", 1),
        ('[Game "isis-osiris"]\n[Players "two"]', 0, "record", "Players two", 2),
        ('[Game "isis-osiris"]\n[Players "5"]', 0, "record", "Players 5", 2),
        ('[Game "isis-osiris"]\n[Players "2"]\n[Players "3"]', 0, "record", '[Players "3"]', 3),
        ('[Game "isis-osiris"]\n[Options "memory"]', 0, "record", "Options memory", 2),
        ('[Game "isis"]\n[Options "home=no home=no"]', 0, "record", "Options home=no home=no", 2),
        ('[Game "isis-osiris"]\n[First "3"]', 0, "record", "First 3", 2),
        ('[Game "isis-osiris"]\n[Scores "1 2"]\n\nPc3', 1, "record", "Scores 1 2", 2),
    ],
)
def test_a_fault_is_told_with_its_exact_place(text: str, turn: int, rule: str, token: str, line: int) -> None:
    error = refused(text)
    assert (error.turn, error.rule, error.token, error.line) == (turn, rule, token, line)
    assert str(error)


def test_scores_and_winners_are_checked_against_the_turns() -> None:
    record = random_record(1)
    assert record.tag("Scores")
    replay(record)
    for tag in ("Scores", "Winners"):
        wrong = tuple((key, "99 99" if key == tag else value) for key, value in record.tags)
        with pytest.raises(RecordError, match="the turns give"):
            replay(Record(wrong, record.turns))
        replay(Record(wrong, record.turns), upto=20)


def test_a_faulty_game_does_not_hide_the_next() -> None:
    found = list(read_records(HEAD + "Pc3\n[broken\n\n" + HEAD + "Pc3"))
    assert isinstance(found[0], RecordError)
    assert isinstance(found[1], Record)
    assert (found[0].number, found[1].number) == (1, 2)


@given(
    seed=strategies.integers(0, 2**32),
    players=strategies.sampled_from([2, 3, 4]),
    variant=strategies.sampled_from(["normal", "shared"]),
    length=strategies.none() | strategies.integers(0, 36),
)
def test_writing_is_canonical(seed: int, players: int, variant: str, length: int | None) -> None:
    written = write_record(random_record(seed, players, variant, length))
    read = only(written)
    assert write_record(read) == written
    replay(read)
    assert all(len(line) <= 80 for line in written.splitlines())
    head, _, turns = written.partition("\n\n")
    spaced = only(f"{head}\n\n{re.sub(' ', chr(10) + chr(9), turns)}")
    assert (spaced.tags, spaced.turns) == (read.tags, read.turns)


@given(
    strategies.lists(
        strategies.tuples(strategies.from_regex(r"\A[A-Z][A-Za-z0-9_]{0,8}\Z"), strategies.text()), max_size=5
    )
)
def test_any_tag_value_survives_writing_on_one_line(tags: list[tuple[str, str]]) -> None:
    named = {"Game": "isis-osiris"} | {name: value for name, value in tags if name != "Game"}
    written = write_record(Record(tuple(named.items()), ("Pc3",)))
    record = only(written)
    assert [name for name, _ in record.tags] == list(named)
    assert write_record(record) == written


@given(strategies.text() | strategies.text(alphabet='[]";\\ \n\r\tPabc123+-?Game".'))
def test_no_text_ends_in_anything_but_records_and_their_errors(text: str) -> None:
    for prefix in ("", HEAD):
        for found in read_records(prefix + text):
            assert_replays_or_says_why(found)


@given(strategies.binary(max_size=200), strategies.integers(0, 10_000))
def test_a_damaged_record_is_told(damage: bytes, at: int) -> None:
    whole = write_record(random_record(7)).encode()
    at %= len(whole)
    damaged = (whole[:at] + damage + whole[at + len(damage) :]).decode("utf-8", "replace")
    for found in read_records(damaged):
        assert_replays_or_says_why(found)
