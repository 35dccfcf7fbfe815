"""Subcommands for research: perft, and the experiments under ``oudjat research``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from oudjat.cli.common import app, known, pairs, say, within, words_for

if TYPE_CHECKING:
    from oudjat.texts.catalog import Words

DEEPEST = 100
MOST_JOBS = 1_000
MOST_GAMES = 1_000_000

research = App(name="research", help="Experiments: games solved, rulings weighed by play.")
app.command(research)


@app.command
def perft(
    game: Annotated[str, Parameter(help="Which game, as in oudjat rules.")],
    depth: Annotated[int, Parameter(help="How many turns.")],
    *,
    players: Annotated[int, Parameter(help="How many play.")] = 2,
    variant: Annotated[str, Parameter(help="normal, or another that the game has.")] = "normal",
    option: Annotated[
        tuple[str, ...], Parameter(negative="", help="A rule to set, as key=value; may stand several times.")
    ] = (),
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object.")] = False,
) -> int:
    """Count the different sequences of turns that begin a game; each different tile or throw counts once.

    Example: oudjat perft isis 4 --players 3 --option home=no
    """
    from oudjat.rules.game import SetupError
    from oudjat.rules.perft import perft as count
    from oudjat.rules.registry import GAMES
    from oudjat.texts.speech import refusal

    words = words_for(None)
    if words is None:
        return 2
    if not known(words, "GAME", game, GAMES) or not within(words, "DEPTH", depth, DEEPEST):
        return 2
    chosen = pairs(words, option)
    if chosen is None:
        return 2
    try:
        position = GAMES[game].start(players, variant=variant, options=chosen)
    except SetupError as error:
        say(refusal(words, error))
        return 2
    counts = []
    for turns, sequences in enumerate(count(position, depth), 1):
        counts.append(sequences)
        if not as_json:
            print(f"{turns} {sequences}", flush=True)
    if as_json:
        print(json.dumps({"game": game, "players": players, "perft": counts}, separators=(",", ":")))
    return 0


@research.command(name="solve-ramses")
def solve_ramses(
    *,
    out: Annotated[Path | None, Parameter(help="Keep the table in this file.")] = None,
    jobs: Annotated[
        int | None, Parameter(help="Threads; default: one a processor core.", show_default=False)
    ] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object.")] = False,
) -> int:
    """Solve Ramses: work out all its positions from the end backwards, in minutes. The pharaoh plays from the result.

    Example: oudjat research solve-ramses --json
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from oudjat.engine.ramses_table import PLACEMENTS, check_place, known_from, placement_of, write_table
    from oudjat.research.ramses import Swept, solve
    from oudjat.rules.game import N_
    from oudjat.rules.ramses import RAMSES

    words = words_for(None)
    if words is None or not within(words, "--jobs", jobs, MOST_JOBS):
        return 2
    if out is not None and not _kept(words, out, partial(check_place, out)):
        return 2
    began = perf_counter()
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(words(N_("Solving Ramses")), total=None)

        def tell(swept: Swept) -> None:
            sentence = N_("Decided in {turns} turns: {won} won, {lost} lost")
            bar.update(task, description=words(sentence, turns=swept.turns, won=swept.won, lost=swept.lost))

        codes = solve(jobs or os.cpu_count() or 1, tell)
    if out is not None and not _kept(words, out, partial(write_table, out, codes)):
        return 2
    beginning = known_from(int(codes[placement_of(RAMSES.start())]))
    told = {"value": beginning.value, "turns": beginning.turns, "states": 2 * PLACEMENTS}
    if as_json:
        print(json.dumps(told | {"seconds": round(perf_counter() - began, 1)}, separators=(",", ":")))
    elif beginning.turns is None:
        print(words(N_("{states} positions solved: the beginning is a draw."), states=2 * PLACEMENTS))
    else:
        sentence = {
            "win": N_("{states} positions solved: who begins wins in {turns} turns."),
            "loss": N_("{states} positions solved: who begins loses in {turns} turns."),
        }[beginning.value]
        print(words(sentence, states=2 * PLACEMENTS, turns=beginning.turns))
    return 0


def _kept(words: Words, file: Path, keep: Callable[[], None]) -> bool:
    """Whether the table can be kept in this file; if not, a sentence on standard error."""
    from oudjat.rules.game import N_

    try:
        keep()
    except OSError as error:
        sentence = N_("The table cannot be written to {file}: {reason}.")
        say(words(sentence, file=str(file), reason=error.strerror or str(error)))
        return False
    return True


@research.command
def rulings(
    game: Annotated[str, Parameter(help="Which game, as in oudjat rules.")],
    *,
    games: Annotated[int, Parameter(help="How many games each way of playing.")] = 100,
    level: Annotated[str, Parameter(help="Who plays, at every seat.")] = "scribe",
    seed: Annotated[int, Parameter(help="Another seed plays other games.")] = 0,
    jobs: Annotated[
        int | None, Parameter(help="Games at a time; default: one a processor core.", show_default=False)
    ] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object a way.")] = False,
) -> int:
    """Play every ruling that can be set otherwise, with every number of players, and count what comes of it.

    Example: oudjat research rulings isis --games 200
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    from oudjat.engine.levels import LEVELS
    from oudjat.research.rulings import figures, match_of, ways_to_try
    from oudjat.research.tables import tell_rulings
    from oudjat.research.workers import play_match
    from oudjat.rules.registry import GAMES

    words = words_for(None)
    if words is None or not (known(words, "GAME", game, GAMES) and known(words, "--level", level, LEVELS)):
        return 2
    if not (within(words, "--games", games, MOST_GAMES) and within(words, "--jobs", jobs, MOST_JOBS)):
        return 2
    ways = list(ways_to_try(GAMES[game]))
    console = Console(stderr=True)
    found = []
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(GAMES[game].name, total=games * len(ways))
        for way in ways:
            results = []
            for result in play_match(
                match_of(game, way, level=level, games=games, seed=seed), jobs or os.cpu_count() or 1
            ):
                results.append(result)
                bar.advance(task)
            found.append(figures(way, results))
            if as_json:
                print(json.dumps(asdict(found[-1]), separators=(",", ":")), flush=True)
    if not as_json:
        tell_rulings(words, found)
    return 0
