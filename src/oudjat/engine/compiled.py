"""The core of Isis & Osiris compiled with Numba: the same functions that the rules run, not a second writing.

Each function of ``CORE`` in :mod:`oudjat.rules.isis_osiris` gets a *twin*: the same code, with globals that
hold the rules' numbers and the other twins. Twins live in a module of their own, so that the rules import no
Numba, and so that compiled twins and kernels find each other as module globals, which Numba's disk cache needs.

A compiled core is an array of ``CORE_TYPE``, laid out as the rules say. With ``NUMBA_DISABLE_JIT=1`` everything
here is plain Python.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from oudjat.engine.stale import drop_stale, sources
from oudjat.rules.isis_osiris import core as rules
from oudjat.rules.isis_osiris import neighbours

CORE_TYPE = np.int16
Core = NDArray[np.int16]

P = ParamSpec("P")
T = TypeVar("T")

_TWINS = ModuleType("oudjat.engine._compiled_isis_osiris", "The compiled twins of the rules' core.")


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """``function`` compiled when it is first called, and kept in the disk cache for every later process.

    It lets other Python threads run meanwhile, and a division by zero in it gives an infinity.
    """
    return cast(Callable[P, T], njit(cache=True, nogil=True, error_model="numpy")(function))


def float_kernel(function: Callable[P, T]) -> Callable[P, T]:
    """A kernel whose sums of floats may be taken in any order, so that the processor takes several at once.

    Neither infinities nor "not a number" may occur in it.
    """
    fastmath = {"nnan", "nsz", "reassoc", "contract", "arcp"}
    return cast(
        Callable[P, T], njit(cache=True, nogil=True, error_model="numpy", fastmath=fastmath)(function)
    )


def twin(function: Callable[..., T]) -> Callable[..., T]:
    """The compiled twin of one of the rules' core functions. Raises KeyError for any other function.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS, worth
    >>> twin(worth)(core_array(ISIS_OSIRIS.start().core), 14)
    0
    """
    return cast(Callable[..., T], vars(_TWINS)[function.__name__])


def core_array(core: Sequence[int]) -> Core:
    """A core as the compiled functions take it: a new array of shape (SIZE,) and type ``CORE_TYPE``."""
    return np.array(core, CORE_TYPE)


def neighbour_table() -> NDArray[np.int64]:
    """For every space its neighbours by index, shape (36, 4), filled up with -1 at the edges."""
    table = np.full((rules.SPACES, 4), -1, np.int64)
    for space in range(rules.SPACES):
        near = neighbours(space)
        table[space, : len(near)] = near
    return table


def neighbour_masks() -> NDArray[np.int64]:
    """For every space its neighbours as a set of bits, shape (36,)."""
    return np.array([sum(1 << near for near in neighbours(space)) for space in range(rules.SPACES)], np.int64)


def _make_twins() -> None:
    names: dict[str, Any] = vars(_TWINS)
    names.update({name: value for name, value in vars(rules).items() if isinstance(value, int)})
    sys.modules[_TWINS.__name__] = _TWINS
    for function in rules.CORE:
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        copy.__module__ = _TWINS.__name__
        copy.__doc__ = function.__doc__
        names[function.__name__] = kernel(copy)


def cache_folders() -> set[Path]:
    """Where Numba keeps what it compiles from the rules and from this package; empty when it is switched off."""
    ours = (vars(_TWINS)[rules.worth.__name__], kernel(neighbour_table))
    return {Path(function.stats.cache_path) for function in ours if hasattr(function, "stats")}


_make_twins()
drop_stale(sources(), cache_folders())  # before the first kernel is looked up in the cache

why_not_piece = twin(rules.why_not_piece)
why_not_turn_over = twin(rules.why_not_turn_over)
why_not_drew = twin(rules.why_not_drew)
why_not_tile = twin(rules.why_not_tile)
why_not_pass = twin(rules.why_not_pass)
next_seat = twin(rules.next_seat)
place_piece = twin(rules.place_piece)
turn_over = twin(rules.turn_over)
drew = twin(rules.drew)
place_tile = twin(rules.place_tile)
add_scores = twin(rules.add_scores)
