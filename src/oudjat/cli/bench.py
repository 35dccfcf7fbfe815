"""The subcommand that measures: bench."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from oudjat.cli.common import app

if TYPE_CHECKING:
    from oudjat.engine.measuring import Measured


@app.command
def bench(
    *,
    quick: Annotated[bool, Parameter(negative="", help="Fewer positions and repetitions.")] = False,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object.")] = False,
) -> int:
    """Measure how fast the engine is on this machine; takes some minutes.

    Example: oudjat bench --quick --json
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TimeElapsedColumn

    from oudjat.engine.measuring import measures
    from oudjat.engine.warm import warm

    console = Console(stderr=True, highlight=False)
    warm(console)
    planned = measures(quick=quick)
    found: dict[str, Measured] = {}
    with Progress(
        "{task.description}", BarColumn(), TimeElapsedColumn(), console=console, transient=True,
        disable=not console.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("", total=len(planned))
        for name, measure in planned.items():
            progress.update(task, description=name)
            found[name] = measure()
            progress.advance(task)
    if as_json:
        print(json.dumps(found, separators=(",", ":")))
    else:
        _show(found)
    return 0


def _show(found: dict[str, Measured]) -> None:
    """A table; what is measured at several sizes or for several games is a row each."""
    from rich.console import Console
    from rich.table import Table

    from oudjat.engine.measuring import SIZES

    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in found.items():
        match value:
            case dict():
                for game, number in value.items():
                    table.add_row(f"{name}: {game}", shown(number))
            case list():
                for free, seconds in zip(SIZES, value, strict=True):
                    table.add_row(f"{name}: {free}", shown(seconds))
            case _:
                table.add_row(name, shown(value))
    Console(highlight=False).print(table)


def shown(number: float | None) -> str:
    """A number for people: with separators when it is large, a dash when there is none.

    >>> shown(2512345), shown(0.0123), shown(None)
    ('2,512,345', '0.0123', '–')
    """
    if number is None:
        return "–"
    return f"{number:,.0f}" if number >= 1000 else f"{number:g}"
