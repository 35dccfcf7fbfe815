"""What is said of Ramses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from oudjat.rules.game import N_, BoardView, Turn, Walk
from oudjat.rules.ramses import RamsesTurn
from oudjat.texts.catalog import Words
from oudjat.texts.tongues.tongue import DRAW, FORBID, MovingTongue, Options, opponent


class RamsesTongue(MovingTongue):
    """See :class:`~oudjat.texts.tongues.tongue.Tongue`."""

    summary = N_(
        "Move one of your crowns, then one of your opponent's. Stand on three of the five cartouches, or leave the "
        "other without a move. A duel without any luck."
    )
    board = N_("Board: three rows, spaces 1 to 22")
    in_short = (
        N_("On your turn move one of your own pieces, then one of your opponent's. (RA-3)"),
        N_(
            "A piece moves as many squares as pieces stand in its row or its column, whichever is more. (RA-4)"
        ),
        N_("Spaces 5 and 22 lie above and below 10. (RA-1)"),
        N_("Who stands on three of the five cartouches wins: 1, 9, 13, 17, 18. (RA-5)"),
        N_("Who cannot make both moves loses. (RA-6)"),
    )
    options: ClassVar[Options] = {
        "repetition": (
            N_("Repetition"),
            {"draw": DRAW, "forbid": FORBID},
        )
    }
    words_for_actions: ClassVar[Mapping[str, str]] = {}
    marks: ClassVar[Mapping[str, str]] = {"cartouche": N_("cartouche")}

    def turn_sentence(self, words: Words, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:
        if not isinstance(turn, RamsesTurn):
            raise TypeError(f"no sentence for {turn!r}")
        own = self.moved(words, walks[0] if walks else (str(turn.own.start), str(turn.own.end)))
        if turn.other is None:
            return words(N_("{name} moved {own}."), name=name, own=own)
        other = self.moved(words, (str(turn.other.start), str(turn.other.end)))
        return words(N_("{name} moved {own}, then the other's {other}."), name=name, own=own, other=other)

    def asked(self, words: Words, view: BoardView, names: Sequence[str]) -> str:
        return words(N_("Move one of your pieces, then one of {name}."), name=opponent(view, names))

    def further(self, words: Words, view: BoardView, names: Sequence[str]) -> tuple[str, ...]:
        (where,) = super().further(words, view, names)
        return (where, words(N_("Now a piece of {name}."), name=opponent(view, names)), where)
