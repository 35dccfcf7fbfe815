"""What is said of Pharao."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from oudjat.rules.game import N_, BoardView, Draw, Drew, Turn, Walk
from oudjat.rules.pharao import BOXED_IN, SURROUNDED, PharaoTurn
from oudjat.texts.catalog import Words
from oudjat.texts.tongues.tongue import MovingTongue, Options, opponent, threw

_NOTHING = "0"


class PharaoTongue(MovingTongue):
    """See :class:`~oudjat.texts.tongues.tongue.Tongue`."""

    summary = N_(
        "Throw two dice: one moves a piece of yours, the other one of your opponent's. Send his pieces into the water, "
        "or reach Happiness with your last one."
    )
    board = N_("Board: three rows of ten houses, 1 to 30 in an S")
    in_short = (
        N_(
            "Each turn throw both dice: the first is for a piece of yours, the second for one of the other's. (PH-3)"
        ),
        N_("A piece moves exactly as far as its die says, along rows and columns, over free houses. (PH-4)"),
        N_(
            "A piece moved onto 27 is in the water: bring one of yours onto 26 next turn, or it is lost. (PH-5)"
        ),
        N_("Who has lost all pieces loses. Who has one left wins when it ends its own move on 15. (PH-6)"),
        N_("Who throws a number and can move none of his pieces by it loses. (PH-6)"),
    )
    options: ClassVar[Options] = {
        "surround": (
            N_("Surrounding"),
            {
                "no": (
                    N_("No matter"),
                    N_("Who can move none of the other's pieces leaves that half of the turn out."),
                ),
                "yes": (N_("Loses"), N_("Who can move none of the other's pieces loses.")),
            },
        )
    }
    words_for_actions: ClassVar[Mapping[str, str]] = {"draw": N_("Throw the dice")}
    marks: ClassVar[Mapping[str, str]] = {
        "life": N_("Happiness"),
        "beauty": N_("Beauty"),
        "water": N_("the water"),
    }

    def turn_sentence(self, words: Words, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:
        match turn:
            case Draw():
                return words(N_("{name} throws the dice."), name=name)
            case Drew():
                return threw(words, turn, name)
            case PharaoTurn():
                return self._turned(words, turn, name, walks)
        raise TypeError(f"no sentence for {turn!r}")

    def _turned(self, words: Words, turn: PharaoTurn, name: str, walks: Sequence[Walk]) -> str:
        if turn.ending == BOXED_IN:
            return words(N_("{name} can move no piece, and has lost."), name=name)
        ways = [
            self.moved(words, (str(half.start), str(half.end))) for half in (turn.own, turn.other) if half
        ]
        match ways:
            case [own, other]:
                told = words(
                    N_("{name} moved {own}, then the other's {other}."), name=name, own=own, other=other
                )
            case [only] if turn.own:
                told = words(N_("{name} moved {own}."), name=name, own=only)
            case [only]:
                told = words(N_("{name} moved the other's {other}."), name=name, other=only)
            case _:
                told = words(N_("{name} moved nothing."), name=name)
        if len(walks) > len(ways):
            told += " " + words(N_("The piece in the water is lost."))
        if turn.ending == SURROUNDED:
            told += " " + words(N_("No piece of the other's can move: {name} has lost."), name=name)
        return told

    def asked(self, words: Words, view: BoardView, names: Sequence[str]) -> str:
        if not view.drawn:
            return words(N_("Throw the dice."))
        own, other = view.drawn.split(",")
        name = opponent(view, names)
        if not view.ways:
            return words(N_("You threw {own} and {other}: no piece can move."), own=own, other=other)
        if own == _NOTHING:
            return words(
                N_("You threw 0 for yourself. Move a piece of {name} by {other}."), name=name, other=other
            )
        if other == _NOTHING:
            return words(N_("Move one of your pieces by {own}."), own=own)
        return words(
            N_("Move one of your pieces by {own}, then one of {name} by {other}."),
            own=own,
            name=name,
            other=other,
        )

    def further(self, words: Words, view: BoardView, names: Sequence[str]) -> tuple[str, ...]:
        (where,) = super().further(words, view, names)
        if not view.drawn or view.drawn.startswith(_NOTHING):
            return (where,)
        other = view.drawn.split(",")[1]
        now = words(N_("Now a piece of {name}, by {other}."), name=opponent(view, names), other=other)
        return (where, now, where)

    def action_label(self, words: Words, action: str) -> str:
        if action in self.words_for_actions:
            return super().action_label(words, action)
        if action.endswith(":--"):
            return words(N_("Boxed in: give in"))
        return words(N_("Go on"))
