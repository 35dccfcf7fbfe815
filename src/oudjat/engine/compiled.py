"""The cores of the games compiled with Numba: the same functions that the rules run, not a second writing.

Each function of ``CORE`` in a game's core gets a *twin*: the same code, with globals that hold the rules' numbers
and the other twins. The twins of a game live in a module of their own, so that the rules import no Numba, and so
that compiled twins and kernels find each other as module globals, which Numba's disk cache needs.

A compiled core of Isis & Osiris is an array of ``CORE_TYPE``, laid out as the rules say; those of the other games
hold sets of bits and take ``WIDE``. With ``NUMBA_DISABLE_JIT=1`` everything
here is plain Python.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from oudjat.engine.stale import drop_stale, kernel_files, sources
from oudjat.rules.game import Game
from oudjat.rules.isis_osiris import core as rules
from oudjat.rules.isis_osiris import neighbours
from oudjat.rules.registry import GAMES

CORE_TYPE = np.int16
Core = NDArray[np.int16]
WIDE = np.int64


def core_of(game: Game) -> ModuleType:
    """The module with a game's core: the one called ``core`` beside the game's declaration."""
    return import_module(f"{type(game).__module__.rpartition('.')[0]}.core")


CORES = tuple(core_of(game) for game in GAMES.values())

P = ParamSpec("P")
T = TypeVar("T")


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


def twins_of(core: ModuleType) -> ModuleType:
    """The compiled twins of a game's core, under the names of the rules' own functions. Made once a process.

    >>> from oudjat.rules.ramses import core as ramses
    >>> twins_of(ramses).has_won(ramses.SPECIAL)
    True
    """
    name = f"{__package__}._compiled_{core.__name__.split('.')[-2]}"
    if name not in sys.modules:
        sys.modules[name] = _made(core, ModuleType(name, f"The compiled twins of {core.__name__}."))
    return sys.modules[name]


def _made(core: ModuleType, twins: ModuleType) -> ModuleType:
    names: dict[str, Any] = vars(twins)
    game = core.__name__.split(".")[-2]
    names.update({name: value for name, value in vars(core).items() if isinstance(value, int | tuple)})
    for function in core.CORE:
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        copy.__module__ = twins.__name__
        copy.__qualname__ = (
            f"{game}.{function.__name__}"  # Numba keeps twins of functions that games share by it
        )
        copy.__doc__ = function.__doc__
        names[function.__name__] = kernel(copy)
    return twins


def twin(function: Callable[..., T]) -> Callable[..., T]:
    """The compiled twin of one of the core functions of Isis & Osiris. Raises KeyError for any other function.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS, worth
    >>> twin(worth)(core_array(ISIS_OSIRIS.start().core), 14)
    0
    """
    return cast(Callable[..., T], vars(twins_of(rules))[function.__name__])


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


def cache_folders() -> set[Path]:
    """Where Numba keeps what it compiles from the rules and from this package; empty when it is switched off."""
    of_each_file = {function.__code__.co_filename: function for core in CORES for function in core.CORE}
    compiled = [kernel(function) for function in (neighbour_table, *of_each_file.values())]
    folders = {Path(function.stats.cache_path) for function in compiled if hasattr(function, "stats")}
    rooms = {file.parent for file in kernel_files()}
    beside = {room / folder.name for folder in folders for room in rooms}
    return folders | {folder for folder in beside if folder.is_dir()}


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
