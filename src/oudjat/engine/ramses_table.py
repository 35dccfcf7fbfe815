"""Ramses solved: a table that knows of every position whether it is won, lost or drawn, and in how many turns.

A *placement* is where the eight pieces stand, seen from the player to move: which 8 of the 22 spaces are taken (a
rank of 319,770) and which 4 of these 8 hold his pieces (a rank of 70), 22,383,900 in all. Ranks count sets of
equal size in the order of their numbers (the combinatorial number system). Who begins is all one: the two sides
differ in nothing but where they stand.

The board is the same upside down (spaces 1 to 5 for 18 to 22), so that a file keeps of a placement and its mirror
image only the one with the smaller number. The table that comes along was made by ``oudjat research solve-ramses``
(:mod:`oudjat.research.ramses`); the variable OUDJAT_RAMSES names the file of another.
"""

from __future__ import annotations

import errno
import logging
import lzma
import os
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from oudjat.engine.thought import Known
from oudjat.rules.ramses import PLACES, RamsesPosition
from oudjat.rules.ramses.core import DARK, LIGHT, TO_MOVE

SPACES = 22
PIECES = 8
OWN = 4
TAKEN = comb(SPACES, PIECES)
SPLITS = comb(PIECES, OWN)
PLACEMENTS = TAKEN * SPLITS
VARIABLE = "OUDJAT_RAMSES"
_LOG = logging.getLogger(__name__)

Codes = NDArray[np.int8]
"""A result in 8 bits: turns + 1 for a win of the player to move, minus that for a loss, 0 for a draw."""

_TOP = (1 << 5) - 1  # spaces 1 to 5, as bits
_FROM_BOTTOM = 17  # from space 18 to its mirror image
_ALONG = Path(__file__).with_name("ramses_table.xz")
_BITS = {place: space for space, place in enumerate(PLACES[1:])}


def known_from(code: int) -> Known:
    """What a code of the table says.

    >>> known_from(4), known_from(-1), known_from(0).value
    (Known(value='win', turns=3), Known(value='loss', turns=0), 'draw')
    """
    if code == 0:
        return Known("draw", None)
    return Known("win" if code > 0 else "loss", abs(code) - 1)


def rank(bits: int) -> int:
    """How many sets with as many bits have a smaller number.

    >>> rank(0b111), rank(0b1011), rank(0b1101)
    (0, 1, 2)
    """
    found, size = 0, 0
    for bit in range(bits.bit_length()):
        if bits >> bit & 1:
            size += 1
            found += comb(bit, size)
    return found


def placement(own: int, other: int) -> int:
    """The number of a placement, from the spaces of the player to move and of the other as bits (space 1 is bit 0).

    >>> placement(0b1111, 0b11110000), placement(0b11110000, 0b1111)
    (0, 69)
    """
    taken, split, at = own | other, 0, 0
    for bit in range(SPACES):
        if taken >> bit & 1:
            split |= (own >> bit & 1) << at
            at += 1
    return rank(taken) * SPLITS + rank(split)


def mirrored(spaces: int) -> int:
    """These spaces on the board turned upside down, as bits.

    >>> mirrored(0b1) == 1 << 17, mirrored(1 << 9) == 1 << 9
    (True, True)
    """
    middle = spaces & ~(_TOP | _TOP << _FROM_BOTTOM)
    return middle | (spaces & _TOP) << _FROM_BOTTOM | spaces >> _FROM_BOTTOM & _TOP


def placement_of(position: RamsesPosition) -> int:
    """The number of a position's placement, or of its mirror image if that is smaller."""
    own = _by_space(position.core[LIGHT + position.core[TO_MOVE]])
    other = _by_space(position.core[DARK - position.core[TO_MOVE]])
    return min(placement(own, other), placement(mirrored(own), mirrored(other)))


def _by_space(places: int) -> int:
    return sum(1 << space for place, space in _BITS.items() if places >> place & 1)


def check_place(file: Path) -> None:
    """Raises OSError where :func:`write_table` could keep no table, and leaves what is there as it is."""
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    unfinished = _unfinished(file)
    unfinished.touch()
    unfinished.unlink()


def write_table(file: Path, codes: Codes) -> None:
    """Keep a table: whole, or not at all. Raises OSError."""
    unfinished = _unfinished(file)
    unfinished.write_bytes(lzma.compress(codes.tobytes(), preset=9 | lzma.PRESET_EXTREME))
    unfinished.replace(file)


def _unfinished(file: Path) -> Path:
    return file.with_name(f"{file.name}.part")


def read_table(file: Path) -> Codes:
    """The codes that a file keeps, one a placement. Raises OSError, or ValueError when it holds no such table."""
    try:
        codes = np.frombuffer(lzma.decompress(file.read_bytes()), np.int8)
    except lzma.LZMAError:
        codes = np.empty(0, np.int8)
    if codes.shape != (PLACEMENTS,):
        raise ValueError(f"{file} holds no table of Ramses")
    return codes


@cache
def table() -> Codes:
    """The table, read once a process: the one that OUDJAT_RAMSES names, or that comes along. When the variable names
    no table, one sentence in the log says so and why."""
    named = os.environ.get(VARIABLE)
    if named:
        try:
            return read_table(Path(named))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it holds something else"
            _LOG.warning(
                "%s: no table of Ramses can be read from %s (%s); the one that comes along is used.",
                VARIABLE, named, reason,
            )  # fmt: skip
    return read_table(_ALONG)


def known(position: RamsesPosition) -> Known | None:
    """What perfect play leads to from a position in which a third repetition is a draw; None where repetition is
    forbidden, which the table does not reckon with.

    >>> from oudjat.rules.ramses import RAMSES
    >>> known(RAMSES.start())
    Known(value='draw', turns=None)
    """
    if position.options["repetition"] != "draw":
        return None
    return known_from(int(table()[placement_of(position)]))
