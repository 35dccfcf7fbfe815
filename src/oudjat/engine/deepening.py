"""A search deepens turn by turn, until its time or its number of positions is used up.

It knows what lies before everybody's eyes: a core, the positions of the game so far, and the turns to choose from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oudjat.engine.alarm import Alarm
from oudjat.engine.binding import bound, worth_of
from oudjat.engine.raw import handle

FOREVER = 1 << 60


@dataclass(frozen=True, slots=True)
class Root:
    """Where a search begins: the game, the core, the turns to choose from by their codes, and the earlier positions
    of the game by their cores. ``bars`` says what comes of a position that comes back: 1 a turn that brings it back
    is not taken, 0 it is a draw, -1 nothing."""

    game_id: str
    core: tuple[int, ...]
    codes: tuple[int, ...]
    past: tuple[tuple[int, ...], ...] = ()
    bars: int = -1


@dataclass(frozen=True, slots=True)
class Looked:
    """What a search found: every turn's code with what it is worth to the player to move (from -1 to 1; a bound for
    all but the first unless all were asked for), best first; how many turns deep; how many positions it tried; and
    the play that it expects."""

    worths: tuple[tuple[int, float], ...]
    depth: int
    tried: int
    line: tuple[int, ...]


def deepen(
    root: Root,
    *,
    depth: int | None = None,
    positions: int | None = None,
    seconds: float | None = None,
    all_of_them: bool = False,
) -> Looked:
    """Search until ``depth`` turns ahead, at most so many ``positions`` or ``seconds``, but at least one turn ahead.

    With ``all_of_them`` every turn's worth is exact for the depth reached, which takes longer. Among turns of equal
    worth the one that stands first in ``root.codes`` stays first. Without ``seconds`` the same arguments give the
    same answer.

    >>> from oudjat.rules.ramses import RAMSES
    >>> core = RAMSES.set_up((1, 18, 10, 5), (2, 3, 4, 19)).core
    >>> deepen(Root("ramses", core, (16 + 1 + 1,)), depth=1).depth
    1
    """
    search = _Search(root)
    with Alarm(seconds, search.stop):
        return search.run(depth, positions, all_of_them=all_of_them)


class _Search:
    """The memory of a search and its iterations."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.at: Any = bound(root.game_id)
        at = self.at
        self.whole, self.real = np.zeros(at.INTS, np.int64), np.zeros(at.FLOATS)
        self.handles = handle(self.whole), handle(self.real)
        self.state = self.whole[at.STATES : at.STATES + at.SIZE]
        self.after = self.whole[at.STATES + at.SIZE : at.STATES + 2 * at.SIZE]
        self.state[:] = root.core
        self.whole[at.BARS] = root.bars
        weights = worth_of(root.game_id).WEIGHTS
        self.real[at.WEIGHTS : at.WEIGHTS + len(weights)] = weights
        self.many = root.core[at.PLAYERS] > 2
        if root.bars >= 0:
            for core in root.past:
                at.remember(self.handles[0], at.key_of(np.array(core, np.int64)))
            self.whole[at.PATH] = at.key_of(self.state)

    def stop(self) -> None:
        """Let the search end soon."""
        self.whole[self.at.STOP] = 1

    @property
    def stopped(self) -> bool:
        return bool(self.whole[self.at.STOP])

    def run(self, depth: int | None, positions: int | None, *, all_of_them: bool) -> Looked:
        """Iterate; see :func:`deepen`."""
        at = self.at
        self.whole[at.MOST_TRIED] = FOREVER
        worths = [(code, self._at_first_sight(code)) for code in self.root.codes]
        worths.sort(key=_worth, reverse=True)
        self.whole[at.MOST_TRIED] = FOREVER if positions is None else positions
        if self.whole[at.TRIED] >= self.whole[at.MOST_TRIED]:
            self.stop()
        reached = 1
        last = at.DEEPEST - 3 if depth is None else min(depth, at.DEEPEST - 3)
        while reached < last and not self.stopped and not self._decided(worths):
            deeper = self._iteration([code for code, _ in worths], reached + 1, all_of_them=all_of_them)
            looked_at = {code for code, _ in deeper}
            if deeper:
                worths = sorted(deeper, key=_worth, reverse=True) + [
                    (code, worth) for code, worth in worths if code not in looked_at
                ]
            if not self.stopped:
                reached += 1
        return Looked(tuple(worths), reached, int(self.whole[at.TRIED]), self._line(worths[0][0]))

    def _decided(self, worths: Sequence[tuple[int, float]]) -> bool:
        """Whether nothing is gained by looking further: a win is found, or all is lost."""
        return bool(abs(worths[0][1]) > self.at.CERTAIN)

    def _at_first_sight(self, code: int) -> float:
        at, mover = self.at, self.root.core[self.at.TO_MOVE]
        at.take(self.handles[0], 0, code)
        self.whole[at.TRIED] += 1
        if self._is_drawn():
            return 2.0 / int(self.root.core[at.PLAYERS]) - 1.0
        return float(at.outlook(self.after, mover, 1, self.real[at.ROOM :]))

    def _iteration(self, codes: Sequence[int], depth: int, *, all_of_them: bool) -> list[tuple[int, float]]:
        """The worth of as many turns as could be looked at."""
        found: list[tuple[int, float]] = []
        best = -1.0
        for code in codes:
            worth = self._value(code, depth - 1, -1.0 if all_of_them else best)
            if self.stopped:
                break
            found.append((code, worth))
            best = max(best, worth)
        return found

    def _value(self, code: int, depth: int, low: float) -> float:
        at, mover = self.at, self.root.core[self.at.TO_MOVE]
        at.take(self.handles[0], 0, code)
        if self._is_drawn():
            return 2.0 / int(self.root.core[at.PLAYERS]) - 1.0
        if self.many:
            at.look_all(*self.handles, 1, depth, low)
            return float(self.real[at.SHARES + at.MOST_SEATS + mover])
        if self.after[at.TO_MOVE] == mover and not self.after[at.WINNERS]:
            return float(at.look(*self.handles, 1, depth, low, 1.0))
        return -float(at.look(*self.handles, 1, depth, -1.0, -low))

    def _is_drawn(self) -> bool:
        at = self.at
        if self.root.bars != 0 or self.after[at.WINNERS]:
            return False
        return bool(at.comes_back(self.handles[0], 1, at.key_of(self.after)))

    def _line(self, code: int) -> tuple[int, ...]:
        """The play that the table expects, beginning with a turn; that turn alone where there is no table."""
        at, line = self.at, [code]
        if self.many or len(at.THROWS) > 1:
            return (code,)
        state, found = self.state.copy(), np.zeros(at.MOST_TURNS, np.int64)
        table = self.whole[at.TABLE :]
        for _ in range(at.DEEPEST):
            at.play(state, line[-1])
            key = at.full_key(state, at.key_of(state))
            place = key >> 8 & at.TABLE_PLACES - 1
            follow = int(table[2 * place + 1]) >> 16
            listed = at.list_turns(state, found)
            if table[2 * place] != key or follow not in found[:listed] or len(line) > 7:
                break
            line.append(follow)
        return tuple(line)


def _worth(weighed: tuple[int, float]) -> float:
    return weighed[1]
