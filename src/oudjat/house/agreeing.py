"""Several processes at one table: who is overtaken judges again by what has become of it."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from oudjat.house.errors import HouseError
from oudjat.rules.game import N_

_TRIES = 4  # to do something at a table while other processes do something there too
_P = ParamSpec("_P")
_T = TypeVar("_T")

MOVED_ON = N_("The table has moved on since; look at the board again.")


class Overtaken(HouseError):
    """Another process was faster at this table. What it did is known now, so that one can judge again."""

    def __init__(self) -> None:
        super().__init__(409, MOVED_ON)


def until_agreed(act: Callable[_P, Awaitable[_T]]) -> Callable[_P, Coroutine[Any, Any, _T]]:
    """Judge again by the table as it has become, when another process was faster."""

    @functools.wraps(act)
    async def tried(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        for _ in range(_TRIES - 1):
            with suppress(Overtaken):
                return await act(*args, **kwargs)
        return await act(*args, **kwargs)

    return tried
