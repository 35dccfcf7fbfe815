"""Whatever is said to the engine, it answers in one sentence or follows, and the game stays whole."""

from __future__ import annotations

import os
import re
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from oudjat.engine.protocol import LONGEST_LINE, Conversation
from oudjat.rules.game import Draw
from oudjat.rules.isis_osiris import ISIS_OSIRIS
from tests.engine.test_protocol import HANDSHAKE, begun, draws_first, position_of, run, talk

WORDS = st.sampled_from(
    "oudjat new turns go drew quit stop isis-osiris chess players=2 players=3 players=0 variant=shared first=2 "
    "memory=open level=novice level= seed=7 seed=x movetime playouts 1 20 0 -1 99999999999999999999 Pc3 Pd4 "
    "+2d3 -4a1 ?c4 -- Pz9 +3 -2 draw = “ \0 \r \x85 é 𓂀 \ud800".split(" ")
)
GARBAGE = st.one_of(
    st.lists(WORDS, max_size=7).map(" ".join),
    st.text(max_size=60),
    st.binary(max_size=60).map(lambda data: data.decode("utf-8", errors="replace")),
    st.text("9", min_size=1, max_size=6000).map(lambda digits: f"go playouts {digits}"),
)


@given(lines=st.lists(GARBAGE, max_size=30))
@example(lines=["new isis-osiris", "turns " + "Pc3 " * 3000, "go", "drew +3"])
def test_whatever_is_said_one_error_answers_it_or_it_is_followed(lines: list[str]) -> None:
    conversation = Conversation(draws_first)
    for line in lines:
        before = conversation.session
        answers = conversation.answer(line)
        assert all(answer.isprintable() and len(answer) < 400 for answer in answers)
        if answers and answers[0].startswith("error"):
            assert len(answers) == 1
            assert answers[0].endswith(".")
            assert conversation.session is before
        elif not answers:
            assert conversation.over or not line.strip(" \t\r\n")
            conversation.over = False


@given(
    seed=st.integers(0, 1000),
    settings=st.sampled_from(["", "players=3", "variant=shared players=4"]),
    garbage=st.lists(GARBAGE, max_size=40),
)
def test_garbage_between_the_turns_of_a_game_leaves_the_game_as_it_was(
    seed: int, settings: str, garbage: list[str]
) -> None:
    chance = Random(seed)
    conversation = begun(settings=settings)
    position = position_of(conversation)
    while choices := position.choices():
        line = garbage.pop() if garbage else ""
        if not re.match(r" *(new|turns)\b", line):
            conversation.answer(line)
            assert position_of(conversation) == position
        turn = chance.choice(choices).text
        if turn == "draw":
            talk("go", conversation=conversation)
            came, _ = chance.choice(position.apply(Draw()).chance())
            turn = talk(came.text, conversation=conversation)[0].removeprefix("best ")
        position = position.follow(ISIS_OSIRIS.read(turn))
        assert talk(f"turns {turn}", conversation=conversation) == ["ok"]
        assert position_of(conversation) == position


def test_the_program_survives_bytes_of_all_kinds() -> None:
    shapes = [
        b"\xff\xfe\x00garbage", b"\0" * 100, b"turns \xc3\x28", b"new isis-osiris level=novice",
        b"turns Pc3 \x00 Pd4", os.urandom(3000).replace(b"\n", b"") + b"!",
        b"turns " + b"Pc3 " * 1000, b"x" * LONGEST_LINE, b"x" * (LONGEST_LINE + 1), b"x" * (10 * LONGEST_LINE),
        b"go movetime " + b"9" * 10_000, b"new isis-osiris seed=" + b"1" * 6000, b"go playouts 1",
    ]  # fmt: skip
    status, lines, errors = run(b"\n".join([*shapes, b"oudjat", b""]))
    assert (status, errors) == (0, "")
    assert len(lines) == len(shapes) + 4
    followed = {number for number, line in enumerate(lines) if not line.startswith("error ")}
    assert followed == {3, 12, *range(13, 17)}
    assert lines[9] == f"error The line is longer than {LONGEST_LINE} bytes."
    assert lines[-4:] == HANDSHAKE
