"""Subcommands about the web house: serve, and verify, which holds its records to what they promised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from oudjat.cli.common import app, say, texts, within, words_for
from oudjat.cli.games import fault

if TYPE_CHECKING:
    from oudjat.house.fair import Held
    from oudjat.records import Record, RecordError
    from oudjat.texts.catalog import Words

MOST_WORKERS = 64


@app.command
def serve(
    *,
    host: Annotated[
        str, Parameter(help="Where to listen; 0.0.0.0 for everybody in your network.")
    ] = "127.0.0.1",
    port: Annotated[int, Parameter(help="The port; 0 takes a free one.")] = 8000,
    database: Annotated[
        str | None,
        Parameter(help="Where games are kept; default: SQLite in your data folder.", show_default=False),
    ] = None,
    workers: Annotated[int, Parameter(help="Processes that serve; more than one need PostgreSQL.")] = 1,
    log: Annotated[
        Literal["text", "json"], Parameter(help="How the log is written: for people, or one object a line.")
    ] = "text",
) -> int:
    """Open the web house.

    Example: oudjat serve --host 0.0.0.0 --database sqlite:////tmp/games.db
    """
    from oudjat.house.serve import serve

    words = words_for(None)
    if words is None or not within(words, "--workers", workers, MOST_WORKERS):
        return 2
    return serve(host, port, database, words, workers=workers, log=log)


@app.command
def verify(
    *files: Annotated[Path, Parameter(help="Files of records; - reads standard input.")],
    promise: Annotated[
        str | None,
        Parameter(help="The promise that you wrote down at the beginning.", show_default=False),
    ] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object a game.")] = False,
) -> int:
    """Check that a game was played with the luck that was promised: the hash, the order, every turn.

    A record that you download from a table after the end carries what it takes. Exit status: 0 fair; 1 not, or a
    turn is illegal; 2 unreadable, or nothing is promised or opened in the file.

    Example: oudjat verify game.txt --promise 16da622074f1145f6f92646318cf9c87b38bb1b5bcc249b660f871f1014380ef
    """
    from oudjat.records import read_records
    from oudjat.rules.game import N_

    words = words_for(None)
    if words is None:
        return 2
    if not files:
        say(words(N_("Name at least one file of records; - reads standard input.")))
        return 2
    status = 0
    for file, text in texts(files, words):
        games = [_verify(words, file, found, promise, as_json=as_json) for found in read_records(text or "")]
        if text is not None and not games:
            say(words(N_('{file} holds no game; a game begins with [Game "..."].'), file=str(file)))
        status = max(status, *games) if games else 2
    return status


def _verify(
    words: Words, file: Path, found: Record | RecordError, promise: str | None, *, as_json: bool
) -> int:
    """Hold one game to its promise and tell how that went; the exit status it stands for."""
    from oudjat.house.fair import NothingToCheck, hold
    from oudjat.records import Record, RecordError, error_summary

    try:
        if not isinstance(found, Record):
            raise found
        held = hold(found, promise)
    except RecordError as error:
        unknown = isinstance(error, NothingToCheck) or not isinstance(found, Record)
        told = {"fair": None if unknown else False} | dict(error_summary(error))
        if not as_json:
            say(fault(words, file, error))
        status = 2 if unknown else 1
    else:
        told = {
            "fair": True,
            "game": held.game.id,
            "promise": held.promise,
            "seen": held.seen,
            "turns": held.turns,
            "brought": held.brought,
        }
        if not as_json:
            print(_verified(words, file, found.number, held))
        status = 0
    if as_json:
        print(json.dumps(told, ensure_ascii=False, separators=(",", ":")))
    return status


def _verified(words: Words, file: Path, number: int, held: Held) -> str:
    """That a game is fair, and what was checked, for people."""
    from oudjat.rules.game import N_

    if held.promise is None:
        sentence = N_(
            "{file}: game {number}: {turns} turns, each legal. Nothing in this game is left to luck, so there is "
            "nothing to promise."
        )
    elif held.seen:
        sentence = N_(
            "{file}: game {number}: fair. The luck is the one promised at the beginning; {turns} turns are legal, "
            "and in {brought} of them came what it gives."
        )
    else:
        sentence = N_(
            "{file}: game {number}: fair, if {promise} is what the table promised at the beginning. {turns} turns are "
            "legal, and in {brought} of them came what the luck gives."
        )
    return words(
        sentence,
        file=str(file),
        number=number,
        turns=held.turns,
        brought=held.brought,
        promise=held.promise or "",
    )
