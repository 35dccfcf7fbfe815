"""What has happened in a match, in sentences: the log of both faces."""

from __future__ import annotations

from collections.abc import Sequence

from oudjat.rules.game import Drew
from oudjat.terminal.match import Match
from oudjat.texts.catalog import Words
from oudjat.texts.tongues import whole_turn_sentence


def diary(match: Match, names: Sequence[str], words: Words) -> list[tuple[int, str]]:
    """Every turn so far: its seat and a sentence about it.

    A tile in hand is told with its value; once it lies on the board the sentence tells only where (IO-21), so
    that scrolling back remembers nothing for anybody.
    """
    game = match.game.id
    told = [
        (step.seat, whole_turn_sentence(words, game, turn, names[step.seat - 1], step.walks))
        for step, turn in match.public_turns()
    ]
    seat = match.position.to_move
    if seat is not None:
        told += [
            (seat, whole_turn_sentence(words, game, step, names[seat - 1]))
            for step in match.pending
            if isinstance(step, Drew)
        ]
    return told
