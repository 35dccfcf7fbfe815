"""What is said of Senet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from oudjat.rules.game import N_, BoardView, Draw, Drew, Turn, Walk
from oudjat.rules.senet import LOST, OFF, WATER, SenetTurn
from oudjat.texts.catalog import Words
from oudjat.texts.tongues.tongue import MovingTongue, Options, threw


class SenetTongue(MovingTongue):
    """See :class:`~oudjat.texts.tongues.tongue.Tongue`."""

    summary = N_(
        "One of the oldest board games that came down to us: throw the sticks, run the long S, swap places, fear the "
        "water, and be the first to bear your pieces off."
    )
    board = N_("Board: three rows of ten houses, 1 to 30 in an S")
    in_short = (
        N_("Throw the four sticks: 1 to 5 houses; 1, 4 and 5 throw again. (SE-2)"),
        N_("A piece goes along the S onto a free house, or swaps places with a piece of the other's. (SE-3)"),
        N_("Two side by side cannot be swapped; three in a row cannot be passed. (SE-3)"),
        N_("Every piece stops on 26 first. 27 is the water: back to 15. (SE-4, SE-5)"),
        N_("28 is left with a 3, 29 with a 2, 30 with any throw. (SE-5)"),
        N_(
            "Nothing is borne off while you have pieces on 1 to 10. Who is first to bear all off wins. (SE-7)"
        ),
    )
    options: ClassVar[Options] = {
        "pieces": (
            N_("Pieces"),
            {
                "5": (N_("Five a side"), N_("The usual game.")),
                "7": (N_("Seven a side"), N_("More blocks, a longer game.")),
                "10": (N_("Ten a side"), N_("A crowd: the longest game.")),
            },
        )
    }
    words_for_actions: ClassVar[Mapping[str, str]] = {
        "draw": N_("Throw the sticks"),
        "off": N_("Bear it off"),
    }
    marks: ClassVar[Mapping[str, str]] = {
        "life": N_("Rebirth"),
        "beauty": N_("Beauty"),
        "water": N_("the water"),
        "three": N_("left with a 3"),
        "two": N_("left with a 2"),
        "horus": N_("left with any throw"),
    }

    def turn_sentence(self, words: Words, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:
        match turn:
            case Draw():
                return words(N_("{name} throws the sticks."), name=name)
            case Drew():
                return threw(words, turn, name)
            case SenetTurn(start=start) if start == LOST:
                return words(N_("{name} cannot move; the throw is lost."), name=name)
            case SenetTurn(start=start, end=end) if end == OFF:
                return words(N_("{name} bore off the piece on {start}."), name=name, start=start)
            case SenetTurn(start=start, end=end):
                told = words(
                    N_("{name} moved {own}."), name=name, own=self.moved(words, (str(start), str(end)))
                )
                if len(walks) < 2:
                    return told
                to = walks[1][-1]
                sentence = N_("The piece there goes back to {space}.")
                if end == WATER:
                    sentence = N_("Out of the water it goes back to {space}.")
                elif end < start:
                    sentence = N_("The piece there goes on to {space}.")
                return f"{told} {words(sentence, space=to)}"
        raise TypeError(f"no sentence for {turn!r}")

    def asked(self, words: Words, view: BoardView, names: Sequence[str]) -> str:  # noqa: ARG002
        if not view.drawn:
            return words(N_("Throw the sticks."))
        if not view.ways:
            return words(N_("You threw {value} and cannot move."), value=view.drawn)
        return words(N_("You threw {value}: move a piece."), value=view.drawn)

    def action_label(self, words: Words, action: str) -> str:
        if action in self.words_for_actions:
            return super().action_label(words, action)
        return words(N_("Go on"))
