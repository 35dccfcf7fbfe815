"""What a game's own sentences are: the face that every tongue shows to the displays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from oudjat.rules.game import N_, BoardView, Cell, Drew, Turn, Walk
from oudjat.texts.catalog import Words
from oudjat.texts.speech import result, shown

Options = Mapping[str, tuple[str, Mapping[str, tuple[str, str]]]]
"""For each option its name, and for each of its values a word and a sentence of help."""


FORBID = (N_("Forbidden"), N_("No turn may bring back an earlier position of this game."))
DRAW = (N_("A draw"), N_("The third time that a position stands, the game is a draw."))
"""The two ways to deal with repeated positions: what each is called, and a sentence of help."""


class Tongue(ABC):
    """The sentences of one game. ``name`` is a player's, ``names`` are all in seat order, in the reader's language."""

    summary: ClassVar[str]
    """What the game is, in a sentence or two, for who has never seen it."""
    board: ClassVar[str]
    """What the board is called for who cannot see it."""
    in_short: ClassVar[tuple[str, ...]]
    """The rules that one must know to begin."""
    options: ClassVar[Options]
    """The game's options for people; the variant stands under ``variant`` where there are several."""
    words_for_actions: ClassVar[Mapping[str, str]]
    """What a button for a choice that is no space says: ``draw``, ``--``, ``!``, ``off``."""

    @abstractmethod
    def cell_label(self, words: Words, cell: Cell, view: BoardView, names: Sequence[str]) -> str:
        """What a space says of itself: "c4, face-down tile."."""

    @abstractmethod
    def turn_sentence(self, words: Words, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:
        """What happened, as it is announced to everybody when it happens."""

    def whole_turn_sentence(self, words: Words, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:
        """A whole turn as the log keeps it, chance included."""
        return self.turn_sentence(words, turn, name, walks)

    def opening(self, words: Words, turn: Turn) -> str:  # noqa: ARG002
        """What a first turn is called, see :meth:`oudjat.rules.game.Game.opening`."""
        return shown(turn.text)

    @abstractmethod
    def asked(self, words: Words, view: BoardView, names: Sequence[str]) -> str:
        """What is asked of the player to move, whose view this is."""

    def further(self, words: Words, view: BoardView, names: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """What is asked when one choice of a turn is made, then two, and so on; empty where one is enough."""
        return ()

    def waited_for(self, words: Words, view: BoardView, name: str) -> str:  # noqa: ARG002
        """What the others read while ``name`` is to move."""
        return words(N_("{name} is to move."), name=name)

    def action_label(self, words: Words, action: str) -> str:
        """What a button for a choice that is no space says."""
        return words(self.words_for_actions[action])

    def result(self, words: Words, view: BoardView, names: Sequence[str]) -> str:
        """Who won."""
        return result(words, view, names)


class MovingTongue(Tongue):
    """What games share in which pieces move from space to space."""

    marks: ClassVar[Mapping[str, str]] = {}
    """What the signs on the board are called, behind the name of a space."""

    def further(self, words: Words, view: BoardView, names: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """See :meth:`Tongue.further`: when a piece is chosen, the space where it goes."""
        return (words(N_("Where does it go?")),)

    def cell_label(self, words: Words, cell: Cell, view: BoardView, names: Sequence[str]) -> str:  # noqa: ARG002
        where = self.space_named(words, cell.name)
        mark = self.marks.get(cell.mark or "")
        if mark:
            where = words(N_("{space}, {mark}"), space=where, mark=words(mark))
        if cell.lies is None:
            return words(N_("{space}, free."), space=where)
        if cell.lies.seat is None:
            return words(N_("{space}, a neutral piece."), space=where)
        return words(N_("{space}, {name}'s piece."), space=where, name=names[cell.lies.seat - 1])

    def space_named(self, words: Words, space: str) -> str:  # noqa: ARG002
        """How a space is called within a sentence."""
        return space

    def moved(self, words: Words, walk: Walk) -> str:
        """A way of a piece, for eyes: "9 → 13"."""
        return words(
            N_("{start} → {end}"),
            start=self.space_named(words, walk[0]),
            end=self.space_named(words, walk[-1]),
        )


def opponent(view: BoardView, names: Sequence[str]) -> str:
    """What the opponent of the player to move is called, in a game for two."""
    return names[2 - (view.to_move or 1)]


def threw(words: Words, turn: Drew, name: str) -> str:
    """What a throw brought: "Ada threw 3 and 1."."""
    return words(N_("{name} threw {value}."), name=name, value=thrown(words, turn.outcome))


def thrown(words: Words, outcome: str) -> str:
    """A throw, for eyes and ears: "3 and 1"."""
    own, comma, other = outcome.partition(",")
    return words(N_("{most} and {last}"), most=shown(own), last=shown(other)) if comma else shown(own)
