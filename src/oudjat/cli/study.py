"""Subcommands to learn from games: solve, analyse."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from oudjat.cli.common import app, known, say, texts, within, words_for
from oudjat.cli.games import fault

if TYPE_CHECKING:
    from oudjat.records import Replayed
    from oudjat.study.judged import JudgedTurn
    from oudjat.study.judges import Judge
    from oudjat.texts.catalog import Words

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells know it."""
MOST_MILLISECONDS = 3_600_000
MOST_PLAYOUTS = 10**12
A_THOUGHT = 500
"""Milliseconds for an estimate, when nothing else is said."""


@app.command
def solve(
    file: Annotated[Path, Parameter(help="A file of unfinished records; - reads standard input.")],
    /,
    *,
    objective: Annotated[
        str, Parameter(help="What the players play for: margin (points ahead), or win.")
    ] = "margin",
    limit: Annotated[
        float | None,
        Parameter(help="Give up after so many seconds a game; default: never.", show_default=False),
    ] = None,
    upto: Annotated[int | None, Parameter(help="The position after the first N turns of each game.")] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object a game.")] = False,
) -> int:
    """Find the best turns at the end of unfinished games by exact play to their end.

    Example: oudjat solve game.txt --objective win --limit 60
    """
    from oudjat.rules.game import N_
    from oudjat.study.worths import OBJECTIVES

    words = words_for(None)
    if words is None or not known(words, "--objective", objective, OBJECTIVES):
        return 2
    if not _seconds(words, limit):
        return 2
    if upto is not None and upto < 0:
        say(words(N_("--upto takes a number of turns, 0 or more.")))
        return 2

    began = perf_counter()

    def study(replayed: Replayed) -> int:
        nonlocal began
        status = _solve(words, replayed, objective, limit, began, as_json=as_json)
        began = perf_counter()
        return status

    return _each_game(words, file, study, upto=upto, as_json=as_json)


@app.command
def analyse(
    file: Annotated[Path, Parameter(help="A file of records; - reads standard input.")],
    /,
    *,
    level: Annotated[
        str | None,
        Parameter(help="Whose estimates count; default: the strongest level's.", show_default=False),
    ] = None,
    objective: Annotated[
        str, Parameter(help="What costs and best turns are told by: margin (points ahead), or win.")
    ] = "margin",
    movetime: Annotated[
        int | None,
        Parameter(help="Milliseconds for an estimate; default: 500.", show_default=False),
    ] = None,
    playouts: Annotated[int | None, Parameter(help="Games to be tried for an estimate.")] = None,
    limit: Annotated[float, Parameter(help="Seconds in which a position is solved, or else estimated.")] = 3,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object a turn.")] = False,
) -> int:
    """Tell of every turn of a game what it was worth, what would have been best, and what was luck.

    Example: oudjat analyse game.txt --movetime 1000
    """
    from oudjat.engine.levels import LEVELS
    from oudjat.engine.thought import Budget
    from oudjat.study.worths import OBJECTIVES

    words = words_for(None)
    if words is None or not known(words, "--objective", objective, OBJECTIVES):
        return 2
    level = list(LEVELS)[-1] if level is None else level
    whole = (("--movetime", movetime, MOST_MILLISECONDS), ("--playouts", playouts, MOST_PLAYOUTS))
    if not _seconds(words, limit) or not all(within(words, *number) for number in whole):
        return 2
    if not known(words, "--level", level, LEVELS):
        return 2
    from oudjat.study.judges import Judge, reckons  # what is compiled is loaded only when it is needed

    if not reckons(level):
        known(words, "--level", level, [name for name in LEVELS if reckons(name)])
        return 2
    if movetime is None and playouts is None:
        movetime = A_THOUGHT
    budget = Budget(None if movetime is None else movetime / 1000, playouts)

    def study(replayed: Replayed) -> int:
        judge = Judge(level, budget, limit, objective)
        return _analyse(words, replayed, judge, as_json=as_json)

    return _each_game(words, file, study, as_json=as_json)


def _each_game(
    words: Words, file: Path, study: Callable[[Replayed], int], *, upto: int | None = None, as_json: bool
) -> int:
    """Study every game of a file that keeps the rules, its first ``upto`` turns or all; the exit status, the
    worst of all."""
    from oudjat.records import Record, RecordError, error_summary, read_records, replay
    from oudjat.rules.game import N_

    ((_, text),) = texts((file,), words)
    if text is None:
        return 2
    statuses = []
    for found in read_records(text):
        try:
            if not isinstance(found, Record):
                raise found
            statuses.append(study(replay(found, upto)))
        except RecordError as error:
            statuses.append(1)
            if as_json:
                _print_json(error_summary(error))
            else:
                say(fault(words, file, error))
        except KeyboardInterrupt:
            say(words(N_("Stopped.")))
            return INTERRUPTED
    if not statuses:
        say(words(N_('{file} holds no game; a game begins with [Game "..."].'), file=str(file)))
    return max(statuses, default=2)


def _solve(
    words: Words, replayed: Replayed, objective: str, limit: float | None, began: float, *, as_json: bool
) -> int:
    """Solve the position at the end of a game and tell of it; the exit status. The limit counts from ``began``."""
    from rich.console import Console

    from oudjat.engine.endgame import Objective, OutOfTime, solve
    from oudjat.rules.game import N_
    from oudjat.study.analysis import NotStudied, studied
    from oudjat.study.judges import AT_ONCE
    from oudjat.study.tables import names_in, tell_solution
    from oudjat.study.told import solution_told
    from oudjat.texts.speech import refusal

    number = replayed.record.number
    try:
        position = studied(replayed)[-1]
        if position.to_move is None:
            raise NotStudied("record", N_("The game is over: there is nothing left to solve."))
        left = _left(limit, began) if position.free_spaces > AT_ONCE else None
        waiting = words(N_("Solving game {number}; Ctrl-C stops."), number=number)
        with Console(stderr=True).status(waiting):
            wanted: Objective = "win" if objective == "win" else "margin"
            solution = solve(position, wanted, limit=left, jobs=None)
    except NotStudied as refused:
        return _no(words, number, str(refused), refusal(words, refused), as_json=as_json)
    except OutOfTime:
        sentence = N_("Not solved within {seconds} s; give it more time with --limit.")
        seconds = f"{limit:g}"
        reason = sentence.format(seconds=seconds)
        return _no(words, number, reason, words(sentence, seconds=seconds), as_json=as_json)
    if as_json:
        _print_json(solution_told(solution))
    else:
        tell_solution(words, solution, names_in(words, replayed), position.to_move)
    return 0


def _left(limit: float | None, began: float) -> float | None:
    """What is left of a limit that counts from ``began``: loading the solver is waited for too, but leaves it half
    of the time."""
    return None if limit is None else max(limit / 2, limit - (perf_counter() - began))


def _analyse(words: Words, replayed: Replayed, judge: Judge, *, as_json: bool) -> int:
    """Analyse a game and tell of it; the exit status."""
    from oudjat.study.analysis import NotStudied
    from oudjat.study.summaries import summaries
    from oudjat.study.tables import names_in, tell_analysis
    from oudjat.study.told import turn_told
    from oudjat.texts.speech import refusal

    number, objective = replayed.record.number, judge.objective
    if replayed.positions[0].standing is None:
        objective = "win"  # there are no points to be ahead by
    try:
        judged = _judged(words, replayed, judge)
    except NotStudied as refused:
        return _no(words, number, str(refused), refusal(words, refused), as_json=as_json)
    if as_json:
        for turn in judged:
            _print_json(turn_told(number, turn, objective))
    elif judged:
        names = names_in(words, replayed)
        tell_analysis(words, judged, summaries(judged, len(names), objective), names, objective)
    return 0


def _judged(words: Words, replayed: Replayed, judge: Judge) -> list[JudgedTurn]:
    """The turns of a game in order, weighed, with a progress bar when a person looks on."""
    from rich.console import Console
    from rich.progress import Progress

    from oudjat.rules.game import N_
    from oudjat.study.analysis import analyse

    console = Console(stderr=True)
    found: list[JudgedTurn] = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        name = words(N_("Game {number}"), number=replayed.record.number)
        task = bar.add_task(name, total=len(replayed.positions) - 1)
        for turn in analyse(replayed, judge):
            found.append(turn)
            bar.advance(task)
    return found[::-1]


def _no(words: Words, number: int, reason: str, told: str, *, as_json: bool) -> int:
    """Say why a game cannot be studied: ``reason`` in English to programs, ``told`` to people. The exit status."""
    from oudjat.rules.game import N_
    from oudjat.study.told import error_told

    if as_json:
        _print_json(error_told(number, reason))
    else:
        say(words(N_("Game {number}: {why}"), number=number, why=told))
    return 1


def _seconds(words: Words, limit: float | None) -> bool:
    """Whether a limit is a time or not given; if not, a sentence on standard error."""
    from oudjat.rules.game import N_

    if limit is None or (isfinite(limit) and limit >= 0):
        return True
    say(words(N_("{option} takes a number of seconds, 0 or more."), option="--limit"))
    return False


def _print_json(told: object) -> None:
    print(json.dumps(told, ensure_ascii=False, separators=(",", ":")))
    sys.stdout.flush()
