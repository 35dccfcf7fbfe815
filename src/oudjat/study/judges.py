"""Who says what a position is worth: the solver where it has the answer in time, a level's estimate elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from oudjat.engine.choosing import think
from oudjat.engine.endgame import OutOfTime, solve
from oudjat.engine.thought import Budget, Thought
from oudjat.rules.game import Draw, Position, Turn
from oudjat.rules.isis_osiris import ISIS_OSIRIS, IsisOsirisPosition
from oudjat.study.worths import NOTHING, UNKNOWN, Worth, final_worths

Think = Callable[[Position, Sequence[Turn], str, int, Budget | None], Thought]
"""How a level thinks: :func:`oudjat.engine.choosing.think` and whatever else keeps its promise."""

AT_ONCE = 4
"""Positions with so many free spaces or fewer are always solved: it takes less than a moment."""
DIGITS = 9
"""Exact worths that are the same in so many digits after the point are equal."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position and how it came about: whole turns from ``start``, and at the end perhaps the steps of one."""

    start: IsisOsirisPosition
    turns: tuple[Turn, ...]
    position: IsisOsirisPosition

    def then(self, turn: Turn) -> Moment:
        """The moment after one more step or whole turn. Raises IllegalTurn."""
        return Moment(self.start, (*self.turns, turn), self.position.follow(turn))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a moment is worth to each seat, in seat order, and the ``best`` turn of the player to move (None: the
    game is over, or chance has to speak). ``turns`` says what turns are worth to him: all of them when the
    verdict is ``exact``, else none."""

    seats: tuple[Worth, ...]
    best: Turn | None
    turns: Mapping[Turn, Worth]
    exact: bool


@dataclass(slots=True)
class Judge:
    """Gives verdicts on the moments of a game.

    A position is solved, for points and for the win, where that takes at most ``limit`` seconds each; once it
    took longer, positions with as many free spaces or more are not tried again. The others are estimated by
    ``level``, within ``budget`` each. ``objective`` says which of the two best turns is called best.
    """

    level: str
    budget: Budget
    limit: float
    objective: str = "margin"
    seed: int = 0
    think: Think = think
    _hopeless: dict[bool, int] = field(default_factory=dict)
    """With so many free spaces a position takes too long to be solved; by whether a tile lies open."""

    def verdict(self, moment: Moment) -> Verdict:
        """On any moment but one in which chance has to speak."""
        position = moment.position
        if position.outcome is not None:
            return Verdict(final_worths(position.outcome, position.players), None, {}, exact=True)
        return self._solved(position) or self._estimated(moment, self.budget)

    def drawing(self, moment: Moment) -> Worth:
        """An estimate of what turning over a tile is worth to the player to move."""
        assert moment.position.to_move is not None
        return self._drawn(moment, self.budget)[moment.position.to_move - 1]

    def _solved(self, position: IsisOsirisPosition) -> Verdict | None:
        """None when it takes too long."""
        in_hand = position.asks == "placing"
        if position.free_spaces >= self._hopeless.get(in_hand, position.free_spaces + 1):
            return None
        try:
            limit = None if position.free_spaces <= AT_ONCE else self.limit
            return solved(position, self.objective, limit)
        except OutOfTime:
            self._hopeless[in_hand] = position.free_spaces
            return None

    def _estimated(self, moment: Moment, budget: Budget) -> Verdict:
        choices = moment.position.choices()
        if choices == (Draw(),):
            return Verdict(self._drawn(moment, budget), Draw(), {}, exact=False)
        if len(choices) == 1:  # nothing to think about, so nothing is said of it: see what comes after
            return replace(self.verdict(moment.then(choices[0])), best=choices[0], turns={}, exact=False)
        thought = self.think(moment.start, moment.turns, self.level, self.seed, budget)
        return estimated(moment.position, thought)

    def _drawn(self, moment: Moment, budget: Budget) -> tuple[Worth, ...]:
        """What each seat can expect when a tile is turned over: the budget is shared out by how likely each is."""
        drawing = moment.then(Draw())
        seats = (NOTHING,) * moment.position.players
        for came, chance in drawing.position.chance():
            part = float(chance)
            verdict = self._estimated(drawing.then(came), part_of(budget, part))
            seats = tuple(sum_ + seat.times(part) for sum_, seat in zip(seats, verdict.seats, strict=True))
        return seats


def solved(position: IsisOsirisPosition, objective: str, limit: float | None) -> Verdict:
    """The verdict of exact play, for points and for the win. Raises :class:`OutOfTime` when either takes longer
    than ``limit`` seconds (None: as long as it takes)."""
    win, margin = (solve(position, wanted, limit=limit, jobs=None) for wanted in ("win", "margin"))
    shares = dict(win.best)
    turns = {turn: Worth(points, shares[turn]) for turn, points in margin.best}
    other = "win" if objective == "margin" else "margin"

    def liking(turn: Turn) -> tuple[float, float]:
        worth = turns[turn]
        return round(worth.of(objective) or 0.0, DIGITS), worth.of(other) or 0.0

    seats = tuple(map(Worth, margin.value, win.value))
    return Verdict(seats, max(turns, key=liking), turns, exact=True)


def estimated(position: IsisOsirisPosition, thought: Thought) -> Verdict:
    """The verdict of a level that had more than one turn to choose from; of two players the one can expect what
    the other cannot. What the level does not reckon is not known."""
    assert position.to_move is not None
    worth = Worth(thought.margin, thought.value)
    seats = [UNKNOWN] * position.players
    seats[position.to_move - 1] = worth
    if position.players == 2:
        seats[2 - position.to_move] = Worth(0.0, 1.0) - worth
    return Verdict(tuple(seats), thought.turn, {}, exact=False)


def reckons(level: str) -> bool:
    """Whether a level says what its turns are worth."""
    thought = think(ISIS_OSIRIS.start(), (), level, 0, Budget(playouts=1))
    return thought.value is not None


def part_of(budget: Budget, part: float) -> Budget:
    """So much of a budget, at least one playout."""
    seconds, playouts = budget.seconds, budget.playouts
    return Budget(
        None if seconds is None else seconds * part,
        None if playouts is None else max(1, round(playouts * part)),
    )
