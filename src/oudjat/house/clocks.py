"""The clocks of a table: who may still take how long. Pure; time comes with the events, in seconds of the house's time.

The house's time (``house.timekeeper``) never jumps and stands still while no process of the house runs. An event that
moves a clock carries the moment it happened at; what each seat has left is folded from these moments alone.

On time-out a seat's turn is played by a bot, or the seat forfeits, as the table says. Who lets a bot play on can come
back when the bot has played the turn in which his time ran out, never in that turn itself: so nobody wins time by
letting it run out. He then has a full turn where each turn has its time; where the game has, the increment or
:data:`ON_RETURN` seconds, whichever is more, but not more than the game began with.
"""

from __future__ import annotations

from copy import copy
from typing import Literal

import msgspec

ClockKind = Literal["none", "turn", "game", "days"]

GRACE = 1.0
"""Seconds for the way from a player to the house: a turn that comes so long after his time ran out still counts."""

ON_RETURN = 30.0
"""Seconds that who comes back to a game clock has at least."""

A_DAY = 86_400


class Clock(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How long players may take: as long as they like (``none``), ``seconds`` for each turn (``turn``, and ``days`` in
    whole days), or ``seconds`` for the whole game and ``increment`` more after each turn (``game``)."""

    kind: ClockKind = "none"
    seconds: int = 0
    increment: int = 0

    @property
    def on_return(self) -> float:
        """Seconds that a seat has when its player comes back."""
        if self.kind == "game":
            return float(min(self.seconds, max(self.increment, ON_RETURN)))
        return float(self.seconds)


NO_CLOCK = Clock()
RATED_CLOCK = Clock("days", 3 * A_DAY)
"""That of rated tables for which no other one is chosen: nobody can leave a game hanging that he would lose."""

BOUNDS: dict[ClockKind, tuple[range, range]] = {
    "none": (range(1), range(1)),
    "turn": (range(3, 3600 + 1), range(1)),
    "game": (range(5, 3 * 3600 + 1), range(180 + 1)),
    "days": (range(A_DAY, 14 * A_DAY + 1, A_DAY), range(1)),
}
"""The seconds and the increments that each kind of clock can have."""


OFFERED = {
    f"{clock.kind}:{clock.seconds}+{clock.increment}" if clock.kind != "none" else "none": clock
    for clock in (
        NO_CLOCK,
        *(
            Clock("game", minutes * 60, increment)
            for minutes, increment in ((3, 2), (5, 5), (10, 5), (20, 10))
        ),
        *(Clock("turn", seconds) for seconds in (30, 60, 180)),
        *(Clock("days", days * A_DAY) for days in (1, 2, 3, 7)),
    )
}
"""The clocks that forms offer, by the names they have there."""


class Clocks(msgspec.Struct):
    """What each seat has ``left``, in seconds at the moment ``since``, from which on the clock of seat ``running``
    runs (None: of nobody). Nothing left is never less than 0."""

    clock: Clock
    left: list[float]
    running: int | None = None
    since: float = 0.0

    @classmethod
    def of(cls, clock: Clock, seats: int) -> Clocks:
        """The clocks of a table before its first turn."""
        return cls(clock, [float(clock.seconds)] * seats)

    def copy(self) -> Clocks:
        """These clocks apart from what happens to them later."""
        copied = copy(self)
        copied.left = list(self.left)
        return copied

    def move(self, at: float) -> None:
        """Let time go on to the moment ``at``; one before the last moment known costs nobody anything."""
        if self.running is not None:
            left = self.left[self.running - 1]
            self.left[self.running - 1] = max(0.0, left - max(0.0, at - self.since))
        self.since = at

    def run(self, seat: int | None) -> None:
        """From now on the clock of ``seat`` runs."""
        self.running = seat if self.clock.kind != "none" else None

    def turn_played(self, seat: int) -> None:
        """The player of ``seat`` has played a turn; a bot in his place has no clock."""
        if self.clock.kind == "game":
            self.left[seat - 1] += self.clock.increment
        else:
            self.left[seat - 1] = float(self.clock.seconds)

    def ran_out(self, seat: int) -> None:
        """The time of ``seat`` is over."""
        self.left[seat - 1] = 0.0

    def came_back(self, seat: int) -> None:
        """The player of ``seat`` plays himself again."""
        self.left[seat - 1] = self.clock.on_return

    @property
    def over_at(self) -> float | None:
        """The moment from which on no turn of the running seat counts any more; None while no clock runs."""
        if self.running is None:
            return None
        return self.since + self.left[self.running - 1] + GRACE
