"""Moves of an exact number of steps: orthogonally, with turns, never onto an occupied space, never into one twice.

A turn is such a move of an own piece and one of a piece of the opponent's.

A board is a set of bits, its rows one after another. The *place* of a space is its bit's number,
``1 + row * width + column``, where ``width`` is one more than the columns of the longest row: the place between two
rows is no space, so that no row's end touches the next row's beginning. Place 0 stands for "none".

The functions up to ``STEPPING`` are compiled with the core of the games that use them.
"""

from __future__ import annotations

from collections.abc import Iterable

NUMBERS = tuple(next((place for place in range(36) if (1 << place) % 37 == rest), 0) for rest in range(37))
"""The number of a bit is ``NUMBERS[bit % 37]``: the rests of the first 36 powers of two all differ."""


def count(bits: int) -> int:
    """How many bits are set.

    >>> count(0b1011)
    3
    """
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


def spread(bits: int, width: int) -> int:
    """Every place next to one of these, whether it is a space or not."""
    return bits << 1 | bits >> 1 | bits << width | bits >> width


def reach(free: int, start: int, width: int, steps: int) -> int:
    """Where a piece on the bit ``start`` can end that goes exactly ``steps`` (at least 1) over ``free`` spaces.

    The space that it leaves counts as one it has been on. Ways are tried one after another, those with the lower
    next place first, and the last two steps of all ways from one space are taken at once: on a board of squares
    no space is both one and two steps away from another.

    >>> bin(reach(0b1111110, 0b10, 10, 3))
    '0b10000'
    """
    free &= ~start
    if steps == 1:
        return spread(start, width) & free
    found = 0
    here = start
    trail = 0  # the numbers of the places left behind, 6 bits each
    left = steps
    untried = -1
    while True:
        near = spread(here, width) & free
        if left == 2:
            found |= spread(near, width) & free
            near = 0
        near &= untried
        if near:
            trail = trail << 6 | NUMBERS[here % 37]
            here = near & -near
            free ^= here
            left -= 1
            untried = -1
        elif left == steps:
            return found
        else:
            free ^= here
            untried = -(here << 1)  # only what lies beyond this one
            here = 1 << (trail & 63)
            trail >>= 6
            left += 1


def code_of(own_from: int, own_to: int, other_from: int, other_to: int) -> int:
    """A turn of two moves as a number of 24 bits, from places; 0 and 0 for one that is not made."""
    return own_from | own_to << 6 | other_from << 12 | other_to << 18


def own_from(code: int) -> int:
    """The place that the own piece leaves; 0 for none."""
    return code & 63


def own_to(code: int) -> int:
    """The place where the own piece ends; 0 for none."""
    return code >> 6 & 63


def other_from(code: int) -> int:
    """The place that the opponent's piece leaves; 0 for none."""
    return code >> 12 & 63


def other_to(code: int) -> int:
    """The place where the opponent's piece ends; 0 for none."""
    return code >> 18 & 63


STEPPING = (count, spread, reach, code_of, own_from, own_to, other_from, other_to)
"""What is compiled, in this order; a core that uses them also holds ``NUMBERS``."""


def bits_of(places: Iterable[int]) -> int:
    """These places as a set of bits.

    >>> bits_of((0, 3))
    9
    """
    return sum(1 << place for place in set(places))


def way(free: int, start: int, end: int, width: int, steps: int) -> tuple[int, ...]:
    """The places from ``start`` to ``end``, both included, that a piece goes through in exactly ``steps``: the first
    way when the lower next place is always tried first. Empty when there is none.

    >>> way(0b1111110, 1, 4, 10, 3)
    (1, 2, 3, 4)
    """
    if steps == 0:
        return (start,) if start == end else ()
    free &= ~(1 << start)
    for near in (start - width, start - 1, start + 1, start + width):
        if near >= 0 and free >> near & 1:
            further = way(free, near, end, width, steps - 1)
            if further:
                return (start, *further)
    return ()
