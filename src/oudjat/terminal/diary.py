"""What has happened in a match, in sentences: the log of both faces."""

from __future__ import annotations

from collections.abc import Sequence

from oudjat.rules.game import N_, Drew
from oudjat.terminal.match import Match
from oudjat.texts.catalog import Words
from oudjat.texts.speech import shown, whole_turn_sentence


def diary(match: Match, names: Sequence[str], words: Words) -> list[tuple[int, str]]:
    """Every turn so far: its seat and a sentence about it.

    A tile in hand is told with its value; once it lies on the board the sentence tells only where (IO-21), so
    that scrolling back remembers nothing for anybody.
    """
    told = [(seat, whole_turn_sentence(words, turn, names[seat - 1])) for seat, turn in match.public_turns()]
    seat = match.position.to_move
    if seat is not None:
        told += [
            (seat, words(N_("{name} turned over {value}."), name=names[seat - 1], value=shown(step.outcome)))
            for step in match.pending
            if isinstance(step, Drew)
        ]
    return told
