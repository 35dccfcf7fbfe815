"""What a player has chosen of his turn: a piece, where it goes, and so on, until a turn is whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from oudjat.rules.game import BoardView, Cell, Draw, Ways


@dataclass(frozen=True, slots=True)
class Choosing:
    """The choices ``made`` of what ``view`` offers.

    >>> from oudjat.rules.ramses import RAMSES
    >>> begun = Choosing(RAMSES.start().view(1)).choose("2")
    >>> begun.made, begun.offered
    (('2',), ('8', '10'))
    """

    view: BoardView
    made: tuple[str, ...] = ()

    def next(self, made: Sequence[str] | None = None, *, barred: bool = False) -> Ways:
        """What can be chosen after some choices, or what only the course of the game forbids there."""
        here = self.view.barred if barred else self.view.ways
        for choice in self.made if made is None else made:
            further = here.get(choice)
            here = further if isinstance(further, dict) else {}
        return here

    @property
    def offered(self) -> tuple[str, ...]:
        """What can be chosen next."""
        return tuple(self.next())

    @property
    def barred(self) -> tuple[str, ...]:
        """What would be chosen next in turns of which the course of the game forbids every one."""
        return tuple(choice for choice in self.next(barred=True) if choice not in self.next())

    @property
    def others(self) -> tuple[str, ...]:
        """What can be chosen next that is no space, and the turns that are bound to none; without ``draw``."""
        spaces = {cell.name for cell in self.view.cells}
        unbound = () if self.made else tuple(turn for turn in self.view.actions if turn != Draw().text)
        return tuple(choice for choice in self.offered if choice not in spaces) + unbound

    def choose(self, name: str) -> Choosing | str | None:
        """Choose something. Gives the spelled turn when it is whole, itself further on when more has to be chosen,
        None when this cannot be chosen.

        What was chosen last is taken back when it is chosen again; another piece begins anew; a target alone is
        enough where only one piece can go there. A turn that only the course of the game forbids is given too:
        the rules say why not.
        """
        if name in self.view.actions and not self.made:
            return name
        if self.made[-1:] == (name,) and name not in self.next():
            return self.back()
        for kept in range(len(self.made), -1, -1):
            made = self.made[:kept]
            here = self.next(made)
            if name in here:
                return self._take((*made, name), here[name])
            if kept == len(self.made):
                alone = [choice for choice, on in here.items() if isinstance(on, dict) and name in on]
                if len(alone) == 1:
                    return self._take((*made, alone[0], name), here[alone[0]][name])
        return self._forbidden(name)

    def _take(self, made: tuple[str, ...], found: Ways | str) -> Choosing | str:
        return found if isinstance(found, str) else replace(self, made=made)

    def _forbidden(self, name: str) -> Choosing | str | None:
        """A turn that the course of the game forbids and that this choice ends; or the piece with only such turns."""
        for made in (self.made, ()):
            here = self.next(made, barred=True)
            if name in here:
                return self._take((*made, name), here[name])
            for on in here.values():
                if isinstance(on, dict) and isinstance(on.get(name), str):
                    return str(on[name])
        return None

    def back(self) -> Choosing:
        """Without the last choice."""
        return replace(self, made=self.made[:-1])

    def cells(self) -> tuple[Cell, ...]:
        """The board as it would be after what was chosen."""
        there = {cell.name: cell for cell in self.view.cells}
        spaces = [choice for choice in self.made if choice in there]
        for start, end in zip(spaces[::2], spaces[1::2], strict=False):
            left = there[start]
            moved = left.lies or (left.pile[0] if left.pile else None)
            there[start] = structs.replace(left, lies=None, pile=left.pile[1:])
            there[end] = structs.replace(there[end], lies=moved)
        return tuple(there.values())
