"""Subcommands for research: perft, and the experiments under ``oudjat research``."""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import App, Parameter

from oudjat.cli.common import app, known, say, within, words_for

DEEPEST = 100

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
    from oudjat.rules.game import N_, SetupError
    from oudjat.rules.perft import perft as count
    from oudjat.rules.registry import GAMES
    from oudjat.texts.speech import refusal

    words = words_for(None)
    if words is None:
        return 2
    if not known(words, "GAME", game, GAMES) or not within(words, "DEPTH", depth, DEEPEST):
        return 2
    chosen = dict(pair.partition("=")[::2] for pair in option)
    if not all("=" in pair for pair in option):
        say(words(N_("--option takes key=value, as in --option home=no.")))
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
