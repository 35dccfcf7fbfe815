"""Nothing that leaves the house depends on what is hidden: twin tables that differ only in luck, byte by byte."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, strategies
from msgspec import structs

from oudjat.house import events as stored
from oudjat.house.api import failure
from oudjat.house.errors import HouseError
from oudjat.house.events import Came, Event, Held, Opened, Played, SeatPlan, Started
from oudjat.house.fair import promise_of
from oudjat.house.openapi import describe
from oudjat.house.paint import Painted, Viewer, as_view, encode_view, frames_of, names_at, tell, view_of
from oudjat.house.table import Table
from oudjat.records import write_record
from oudjat.rules.game import Draw, Drew
from oudjat.rules.isis_osiris import ISIS_OSIRIS
from oudjat.texts.catalog import LANGUAGES, words_in

HOUSE = Path(stored.__file__).parent
KNOW_THE_LUCK = {"fair.py", "house.py", "paint.py", "table.py"}
"""The files that name what is secret: where it is dealt, folded, painted at the end, and checked."""
VIEWERS = (None, "holder1", "holder2", "stranger")


def twin_tables(variant: str, seeds: tuple[int, int], how: int, length: int) -> list[Table]:
    """Two tables at which the same was done, with different tiles; nothing is in hand at the end."""
    opened = Opened(
        "isis-osiris",
        variant,
        {"memory": "strict"},
        1,
        "natural",
        (SeatPlan("Ada", holder="holder1"), SeatPlan("", holder="holder2"), SeatPlan("", level="scribe")),
        "holder1",
    )
    lucks = [ISIS_OSIRIS.luck(random.Random(seed)) for seed in seeds]
    promise = promise_of("salt", lucks[0])  # the hash is public and tells nothing; one for both
    tables = []
    for luck in lucks:
        randomness = random.Random(how)
        events: list[Event] = [opened, Started(1, luck, "salt", promise)]
        position = ISIS_OSIRIS.start(3, variant=variant)
        for _ in range(length):
            choices = position.choices()
            if not choices:
                break
            seat = position.to_move or 0
            step = choices[randomness.randrange(len(choices))]
            position = position.apply(step)
            if isinstance(step, Draw):
                came: Drew = position.comes(luck)
                events.append(Came(seat, came.outcome))
                position = position.apply(came)
                step = position.choices()[randomness.randrange(len(position.choices()))]
                position = position.apply(step)
            events.append(Played(seat, step.text))
        tables.append(Table.from_events("table", events))
    return tables


@given(
    variant=strategies.sampled_from(["normal", "shared"]),
    seeds=strategies.tuples(strategies.integers(0, 2**32), strategies.integers(0, 2**32)),
    how=strategies.integers(0, 2**32),
    length=strategies.integers(0, 30),
)
def test_before_the_end_every_viewer_gets_the_same_bytes_whatever_the_tiles(
    variant: str, seeds: tuple[int, int], how: int, length: int
) -> None:
    one, other = twin_tables(variant, seeds, how, length)
    assert one.status == "running"
    for language in LANGUAGES:
        for holder in VIEWERS:
            viewer = Viewer(holder, words_in(language))
            assert encode_view(view_of(one, viewer)) == encode_view(view_of(other, viewer))
            for seq in range(1, one.seq + 1):
                told = [encode_view(tell(table, seq, viewer, with_view=False)) for table in (one, other)]
                assert told[0] == told[1]
            assert frames_of(one, viewer.words) == frames_of(other, viewer.words) == ()
        records = [
            write_record(table.record(names_at(table, words_in(language)), date(2026, 1, 1)))
            for table in (one, other)
        ]
        assert records[0] == records[1]


def test_nothing_but_a_view_can_be_encoded_whatever_the_type_checker_was_told() -> None:
    table, _ = twin_tables("normal", (1, 2), 3, 10)
    viewer = Viewer(None, words_in("en"))
    wrong: list[Any] = [*table.events, table, table.position, table.started, b"{}", {}, (), None]
    assert any(isinstance(event, Started) for event in wrong)
    for anything in wrong:
        with pytest.raises(TypeError, match="does not leave the house"):
            encode_view(anything)
    encoded = encode_view(view_of(table, viewer))
    told = structs.replace(tell(table, 1, viewer, with_view=False), view=as_view(encoded))
    assert encode_view(told) == encode_view(tell(table, 1, viewer, with_view=True))
    also_wrong: list[Any] = [bytes(encoded), bytearray(encoded), encode_view(told), b'{"luck":["+3"]}']
    for raw in also_wrong:
        with pytest.raises(TypeError, match="only what encode_view wrote"):
            as_view(raw)


def test_an_answer_carries_no_other_state_than_a_view() -> None:
    table, _ = twin_tables("normal", (1, 2), 3, 10)
    refused, secret = HouseError(409, "Too late."), [table.started, table, table.position, b"{}"]
    for state in cast(list[Any], secret):
        with pytest.raises(TypeError, match="does not leave the house"):
            failure(refused, "Too late.", state)
    assert failure(refused, "Too late.", view_of(table, Viewer(None, words_in("en")))).status_code == 409


def test_after_the_end_everything_is_told() -> None:
    one, other = twin_tables("normal", (1, 2), 3, 60)
    assert one.status == other.status == "over"
    viewer = Viewer(None, words_in("en"))
    assert encode_view(view_of(one, viewer)) != encode_view(view_of(other, viewer))
    assert view_of(one, viewer).luck is not None


def test_what_was_painted_for_one_is_given_to_nobody_who_sees_less() -> None:
    """Whoever looks first: who opened the table, by now with another account and without a seat, alone sees its
    keys."""
    plans = (SeatPlan("", level="scribe"), SeatPlan("", key="KEY"))
    opened = Opened("isis-osiris", "normal", {}, 1, "natural", plans, "guest")
    table = Table.from_events("table", [opened, Held(1, "guest", "account")])
    for first in ("account", "stranger", None):
        painted = Painted(table)
        painted.view(Viewer(first, words_in("en")))
        for holder in ("account", "stranger", None):
            viewer = Viewer(holder, words_in("en"))
            for seen in (painted.view(viewer), painted.message(2, viewer, with_view=True)):
                assert (b"KEY" in seen) == (holder == "account")


def test_a_key_is_shown_to_who_opened_the_table_only() -> None:
    plans = (SeatPlan("", holder="holder1"), SeatPlan("", key="KEY"))
    table = Table.from_events("table", [Opened("isis-osiris", "normal", {}, 1, "natural", plans, "holder1")])
    for holder in VIEWERS:
        seen = msgspec.json.encode(view_of(table, Viewer(holder, words_in("en")))).decode()
        assert ("KEY" in seen) == (holder == "holder1")
        assert "holder1" not in seen


def schemas_reached(name: str, schemas: dict[str, Any]) -> Iterator[str]:
    """The schema of this name and all that it refers to."""
    found, waiting = set[str](), [name]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            yield here
            text = msgspec.json.encode(schemas[here]).decode()
            waiting += [part.split('"')[0] for part in text.split("#/components/schemas/")[1:]]


def test_no_answer_has_a_place_for_an_event_as_it_is_stored() -> None:
    """Answers are of the types of the house's faces; what is stored, with its secrets, is of others."""
    described = describe()
    schemas = described["components"]["schemas"]
    secret = {kind.__name__ for kind in vars(stored).values() if isinstance(kind, type)} - {"Clock"}
    assert {"Opened", "Started", "Came", "Played", "SeatPlan"} <= secret
    for methods in described["paths"].values():
        for operation in methods.values():
            for answer in operation["responses"].values():
                sent = msgspec.json.encode(answer).decode().split("#/components/schemas/")[1:]
                for name in (part.split('"')[0] for part in sent):
                    assert not secret & set(schemas_reached(name, schemas)), name


def test_the_luck_and_the_salt_are_named_where_they_are_dealt_and_painted_only() -> None:
    """What is painted is made from views; whoever wants to send a secret past them has to name it first."""
    for file in sorted(HOUSE.glob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & {"luck", "salt"}
        assert not named or file.name in KNOW_THE_LUCK, file.name
        uses = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & {
            "encode_event",
            "Started",
        }
        if "starlette.responses" in file.read_text("utf-8"):
            assert not uses, f"{file.name} answers people and handles what is stored"
