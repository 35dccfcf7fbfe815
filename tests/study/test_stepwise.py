"""A game analysed turn by turn: gone on with, begun anew, always the same."""

from __future__ import annotations

import pytest

from oudjat.records import write_record
from oudjat.rules.game import TurnError
from oudjat.study.stepwise import Wish, next_turn
from tests.study.kit import random_record

ENDGAME = Wish(write_record(random_record(5, free=0)), seconds=0.002, limit=0.02)
OTHER = Wish(write_record(random_record(6, free=0)), seconds=0.002, limit=0.02)


def test_turns_come_from_the_last_to_the_first_and_then_no_more() -> None:
    numbers: list[int] = []
    while turn := next_turn(ENDGAME, len(numbers)):
        numbers.append(turn.turn)
    assert numbers == list(range(36, 0, -1))
    assert next_turn(ENDGAME, len(numbers)) is None


def test_what_is_begun_anew_anywhere_goes_on_from_there() -> None:
    exact = [next_turn(ENDGAME, told) for told in range(4)]
    assert all(turn and turn.exact for turn in exact)
    assert next_turn(OTHER, 0) != exact[0]
    assert next_turn(ENDGAME, 2) == exact[2]
    assert next_turn(ENDGAME, 3) == exact[3]
    assert next_turn(ENDGAME, 1) == exact[1]


def test_a_record_that_breaks_a_rule_is_refused() -> None:
    with pytest.raises(TurnError):
        next_turn(Wish('[Game "isis-osiris"]\n[Players "2"]\n\nPa1 Pa1 *\n', 0.01, 0.01), 0)
