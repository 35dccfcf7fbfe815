"""What the rules that run on a core tell of it as a value: the turns that it lists, and what one of them leads to.

The functions of a core write into sequences that are handed to them, so that they can be compiled as they are.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Protocol


class CoreRules(Protocol):
    """The module ``core`` of a game whose core lists its turns itself."""

    @property
    def MOST_TURNS(self) -> int:
        """So many turns at most can be taken in a position."""

    def list_turns(self, state: Sequence[int], found: MutableSequence[int], /) -> int:
        """Write the code of every turn into ``found``; how many."""

    def play(self, state: MutableSequence[int], code: int, /) -> None:
        """Take a turn, unchecked."""


def listed(rules: CoreRules, core: Sequence[int]) -> list[int]:
    """The codes of the turns, in the order in which the core lists them.

    >>> from oudjat.rules.ramses import RAMSES, core
    >>> len(listed(core, RAMSES.start().core))
    60
    """
    found = [0] * rules.MOST_TURNS
    return found[: rules.list_turns(core, found)]


def after(rules: CoreRules, core: Sequence[int], code: int) -> tuple[int, ...]:
    """The core after a turn, unchecked.

    >>> from oudjat.rules.ramses import RAMSES, core
    >>> start = RAMSES.start().core
    >>> after(core, start, listed(core, start)[0])[core.TURNS]
    1
    """
    state = list(core)
    rules.play(state, code)
    return tuple(state)
