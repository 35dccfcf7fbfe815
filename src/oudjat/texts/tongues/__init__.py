"""The games' own sentences: one tongue a game, and the ways in which displays ask them."""

from __future__ import annotations

from collections.abc import Sequence

from oudjat.rules.game import N_, BoardView, Cell, Turn, Walk
from oudjat.texts.catalog import Words
from oudjat.texts.tongues.isis import IsisTongue
from oudjat.texts.tongues.isis_osiris import IsisOsirisTongue
from oudjat.texts.tongues.pharao import PharaoTongue
from oudjat.texts.tongues.ramses import RamsesTongue
from oudjat.texts.tongues.senet import SenetTongue
from oudjat.texts.tongues.tongue import Tongue

TONGUES: dict[str, Tongue] = {
    "isis-osiris": IsisOsirisTongue(),
    "isis": IsisTongue(),
    "ramses": RamsesTongue(),
    "pharao": PharaoTongue(),
    "senet": SenetTongue(),
}
"""The tongue of each game, by its id."""


def cell_label(words: Words, cell: Cell, view: BoardView, names: Sequence[str]) -> str:
    """What a space says of itself: "c4, face-down tile."."""
    return TONGUES[view.game].cell_label(words, cell, view, names)


def turn_sentence(words: Words, game: str, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:
    """What happened in a game of this id, as it is announced to everybody when it happens."""
    return TONGUES[game].turn_sentence(words, turn, name, walks)


def whole_turn_sentence(words: Words, game: str, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:
    """A whole turn as the log keeps it."""
    return TONGUES[game].whole_turn_sentence(words, turn, name, walks)


def prompt(words: Words, view: BoardView, names: Sequence[str], *, mine: bool, several: bool = False) -> str:
    """What is asked and of whom. ``mine``: of the reader; ``several``: the reader plays more than one seat,
    so he is called by the seat's name."""
    if view.to_move is None:
        return result(words, view, names)
    name = names[view.to_move - 1]
    tongue = TONGUES[view.game]
    if not mine:
        return tongue.waited_for(words, view, name)
    yours = words(N_("{name}, your turn."), name=name) if several else words(N_("Your turn."))
    return f"{yours} {tongue.asked(words, view, names)}"


def result(words: Words, view: BoardView, names: Sequence[str]) -> str:
    """Who won, and with how many points where that is public."""
    return TONGUES[view.game].result(words, view, names)


def further(words: Words, view: BoardView, names: Sequence[str]) -> tuple[str, ...]:
    """What is asked when one choice of a turn is made, then two, and so on; empty where one is enough."""
    return TONGUES[view.game].further(words, view, names)


def action_label(words: Words, view: BoardView, action: str) -> str:
    """What a button for a choice that is no space says."""
    return TONGUES[view.game].action_label(words, action)
