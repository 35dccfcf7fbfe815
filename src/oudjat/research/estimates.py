"""How sure a result is: means, shares and Elo differences with their 95 % intervals.

The games of a block share their luck (:mod:`oudjat.research.matches`), so they are not independent; the blocks
are. All variances here are therefore those of blocks, as chess engines are tested by the scores of pairs of
games, whose variance is smaller than that of as many single games (the "pentanomial" model of Fishtest, after
M. Van den Bergh). With N games in B blocks, y the sum and n the number of games of a block, the mean m = Σy / N
has the variance of a ratio estimate (W. G. Cochran, *Sampling Techniques*, 3rd ed. 1977, ch. 6 and 9A):

    B / (B - 1) * Σ (y - m n)² / N²

Elo difference d and expected share p belong together by p = 1 / (1 + 10^(-d/400)) (A. Elo, *The Rating of
Chessplayers*, 1978).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import NormalDist

Blocks = Sequence[Sequence[float]]
"""What each game gave, block by block; no block is empty."""

CONFIDENCE = 0.95
_FEW = {1: 12.7062, 2: 4.3027}
"""Student's t where the expansion is too coarse."""
_NORMAL = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval, any of which can be infinite."""

    value: float
    low: float
    high: float


def mean_of(blocks: Blocks) -> Estimate:
    """The mean of all games, by Student's t over the blocks; with a single block the interval has no bounds.

    >>> found = mean_of([[4.0, -2.0], [6.0, 0.0], [1.0, 3.0]])
    >>> round(found.low, 2), found.value, round(found.high, 2)
    (-0.48, 2.0, 4.48)
    """
    games = sum(map(len, blocks))
    mean = sum(map(sum, blocks)) / games
    freedom = len(blocks) - 1
    if not freedom:
        return Estimate(mean, -inf, inf)
    half = students_t(freedom) * sqrt(_spread(blocks, mean) * len(blocks) / freedom) / games
    return Estimate(mean, mean - half, mean + half)


def share_of(blocks: Blocks) -> Estimate:
    """The mean of results from 0 to 1: a share of games won.

    The interval is Wilson's (1927) for as many independent games as would be equally sure: p(1-p) over the
    variance (the design effect of L. Kish, *Survey Sampling*, 1965). To the squares of the blocks that were seen
    one is added, of a block whose games are independent: so few blocks that happen to agree do not look sure,
    and where games are in fact independent the variance comes out right. Where all or none was won, Wilson's
    interval for the number of games is the bound.

    >>> round(share_of([[1.0, 1.0]] * 10).low, 3)
    0.839
    >>> round(share_of([[1.0, 0.0]] * 10).low, 3)  # the luck decides each block, and nothing else
    0.431
    """
    games = sum(map(len, blocks))
    share = sum(map(sum, blocks)) / games
    single = share * (1 - share)
    variance = (_spread(blocks, share) + single * games / len(blocks)) / games**2
    return wilson(share, single / variance if variance else games)


def _spread(blocks: Blocks, mean: float) -> float:
    """The squared distances of the blocks from what the mean lets expect of them, summed."""
    return sum((sum(block) - mean * len(block)) ** 2 for block in blocks)


def wilson(share: float, games: float) -> Estimate:
    """Wilson's interval of a share seen in so many independent games.

    >>> found = wilson(0.5, 100)
    >>> round(found.low, 4), round(found.high, 4)
    (0.4038, 0.5962)
    """
    square = _NORMAL**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = (_NORMAL / (1 + square / games)) * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return Estimate(share, 0.0 if share == 0 else middle - half, 1.0 if share == 1 else middle + half)


def elo_of(share: Estimate) -> Estimate:
    """The Elo difference that belongs to a share of games; infinite where all or none was won.

    >>> found = elo_of(Estimate(0.75, 0.5, 1.0))
    >>> round(found.value, 1), found.low, found.high
    (190.8, 0.0, inf)
    """
    return Estimate(_elo(share.value), _elo(share.low), _elo(share.high))


def _elo(share: float) -> float:
    if share in (0, 1):
        return inf if share else -inf
    return 400 * log10(share / (1 - share))


def students_t(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t, by the expansion 26.7.5 of Abramowitz & Stegun, *Handbook of
    Mathematical Functions* (1964): to three digits from three degrees of freedom on.

    >>> round(students_t(4), 2), round(students_t(10), 3), round(students_t(100), 3)
    (2.78, 2.228, 1.984)
    """
    if freedom in _FEW:
        return _FEW[freedom]
    x = _NORMAL
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))
