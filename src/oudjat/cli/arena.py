"""Subcommands where bots meet: match, engine."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from oudjat.cli.common import app, known, pairs, say, within, words_for

if TYPE_CHECKING:
    from oudjat.research.matches import Match, Result
    from oudjat.texts.catalog import Words

MOST_GAMES = 1_000_000
MOST_JOBS = 1_000
INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells know it."""


@app.command
def engine() -> int:
    r"""Answer the engine protocol on standard input and output, for programs.

    Example: printf 'oudjat\nquit\n' | oudjat engine
    """
    from oudjat.engine.protocol import converse

    converse(sys.stdin.buffer, sys.stdout.buffer)
    return 0


@app.command
def match(
    *levels: Annotated[
        str,
        Parameter(
            help="Who plays, as many as the game is for; a level may be named twice. pharaoh@1000 takes 1000 ms."
        ),
    ],
    games: Annotated[int, Parameter(help="How many games.")],
    game: Annotated[str, Parameter(help="Which game, by its name in records.")] = "isis-osiris",
    variant: Annotated[str, Parameter(help="normal, or shared: one stock for all.")] = "normal",
    option: Annotated[
        tuple[str, ...], Parameter(negative="", help="A rule to set, as key=value; may stand several times.")
    ] = (),
    movetime: Annotated[int | None, Parameter(help="Milliseconds a decision may take.")] = None,
    playouts: Annotated[int | None, Parameter(help="Games a level may try a decision.")] = None,
    seed: Annotated[int, Parameter(help="Another seed plays other games.")] = 0,
    jobs: Annotated[
        int | None, Parameter(help="Games at a time; default: one a processor core.", show_default=False)
    ] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object.")] = False,
    records: Annotated[Path | None, Parameter(help="Write the games to this file.")] = None,
) -> int:
    """Play levels against each other, seats rotating, and tell who is how much stronger.

    Example: oudjat match priest scribe --games 100 --records games.txt
    """
    from oudjat.engine.protocol import LONGEST_MOVETIME, MOST_PLAYOUTS
    from oudjat.engine.thought import Budget
    from oudjat.research.matches import Match

    words = words_for(None)
    if words is None:
        return 2
    jobs = jobs if jobs is not None else os.cpu_count() or 1
    numbers = (
        ("--games", games, MOST_GAMES),
        ("--movetime", movetime, LONGEST_MOVETIME),
        ("--playouts", playouts, MOST_PLAYOUTS),
        ("--jobs", jobs, MOST_JOBS),
    )
    if not all(within(words, option, number, most) for option, number, most in numbers):
        return 2
    seconds = None if movetime is None else movetime / 1000
    options = pairs(words, option)
    if options is None:
        return 2
    planned = Match(levels, games, game, variant, Budget(seconds, playouts), seed, tuple(options.items()))
    if not _can_be(words, planned):
        return 2
    return _play(words, planned, jobs, records, as_json=as_json)


def _can_be(words: Words, planned: Match) -> bool:
    """Whether there is such a match; if not, a sentence on standard error."""
    from oudjat.engine.protocol import LONGEST_MOVETIME
    from oudjat.research.matches import participants, split
    from oudjat.rules.game import SetupError
    from oudjat.rules.registry import GAMES
    from oudjat.texts.speech import refusal

    everybody = participants()
    if not known(words, "--game", planned.game, GAMES):
        return False
    for level in planned.levels:
        name, movetime = split(level)
        if not known(words, "LEVEL", name, everybody):
            return False
        if not within(words, "LEVEL@", movetime, LONGEST_MOVETIME):
            return False
    try:
        planned.start()
    except SetupError as error:
        say(refusal(words, error))
        return False
    return True


def _play(words: Words, planned: Match, jobs: int, records: Path | None, *, as_json: bool) -> int:
    """Play the match and tell what came out, also when it was stopped; the exit status."""
    from oudjat.research.standings import summary
    from oudjat.research.tables import tell
    from oudjat.rules.game import N_

    results: list[Result] = []
    began = perf_counter()
    status = 0
    try:
        _gather(planned, jobs, records, results)
    except KeyboardInterrupt:
        status = INTERRUPTED
        say(words(N_("The match was stopped.")))
    except BrokenExecutor:
        status = 1
        say(words(N_("The match was stopped: a process in which it was played has died.")))
    except OSError as error:
        if records is None:
            raise
        status = 2
        sentence = N_("The record cannot be written to {file}: {reason}.")
        say(words(sentence, file=str(records), reason=error.strerror or str(error)))
    seconds = perf_counter() - began
    if results and as_json:
        print(json.dumps(summary(planned, results, seconds), separators=(",", ":")))
    elif results:
        tell(words, planned, results, seconds)
    return status


def _gather(planned: Match, jobs: int, records: Path | None, results: list[Result]) -> None:
    """Play the match into ``results``, with a progress bar when a person looks on, and into the file."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    from oudjat.research.record_file import RecordFile
    from oudjat.research.workers import play_match

    console = Console(stderr=True)
    columns = (
        "{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with ExitStack() as stack:
        file = stack.enter_context(RecordFile(records, planned, date.today())) if records else None
        bar = stack.enter_context(Progress(*columns, console=console, disable=not console.is_terminal))
        task = bar.add_task(" : ".join(planned.levels), total=planned.games)
        for result in stack.enter_context(closing(play_match(planned, jobs))):
            results.append(result)
            bar.advance(task)
            if file:
                file.add(result)
