"""A rating over time as a drawing: where everything stands in it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 16, 16, 36
_STEPS = (50, 100, 200, 500, 1000)
_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Plot:
    """A line through ``points`` (x, y) in a picture of :data:`WIDTH` by :data:`HEIGHT`, and horizontal ``lines`` with
    the rating that each stands for."""

    points: tuple[tuple[float, float], ...]
    lines: tuple[tuple[float, int], ...]
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def path(self) -> str:
        """The line, as SVG draws it."""
        return "M" + "L".join(f"{x:g} {y:g}" for x, y in self.points)


def plot_of(ratings: Sequence[int]) -> Plot:
    """A line through ratings in their order, one for each game.

    >>> plot_of([1000, 1100]).path
    'M72 204L624 16'
    """
    step = next(
        (step for step in _STEPS if (max(ratings) - min(ratings)) / step < _MOST_LINES - 1), _STEPS[-1]
    )
    low = min(ratings) // step * step
    high = max(-(-max(ratings) // step) * step, low + step)
    inner = HEIGHT - _TOP - _BOTTOM

    def across(number: int) -> float:
        many = len(ratings) - 1
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * (number / many if many else 1), 1)

    def down(rating: float) -> float:
        return round(_TOP + inner * (high - rating) / (high - low), 1)

    return Plot(
        tuple((across(number), down(rating)) for number, rating in enumerate(ratings)),
        tuple((down(rating), rating) for rating in range(low, high + 1, step)),
    )
