"""Subcommands about games: replay, play, rules, levels."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from oudjat.cli.common import app, known, say, texts, words_for

if TYPE_CHECKING:
    from oudjat.records import RecordError
    from oudjat.texts.catalog import Words


@app.command
def replay(
    *files: Annotated[Path, Parameter(help="Files of records; - reads standard input.")],
    upto: Annotated[int | None, Parameter(help="Only the first N turns of each game.")] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="One JSON object a game.")] = False,
) -> int:
    """Check records turn by turn against the rules and tell the outcome.

    Example: oudjat replay games.txt --json
    """
    from oudjat.records import Record, RecordError, error_summary, read_records, replay, summary
    from oudjat.rules.game import N_

    words = words_for(None)
    if words is None:
        return 2
    if not files:
        say(words(N_("Name at least one file of records; - reads standard input.")))
        return 2
    if upto is not None and upto < 0:
        say(words(N_("--upto takes a number of turns, 0 or more.")))
        return 2
    status = 0
    for file, text in texts(files, words):
        if text is None:
            status = 2
            continue
        games = 0
        for found in read_records(text):
            games += 1
            try:
                if not isinstance(found, Record):
                    raise found
                told = summary(replay(found, upto))
            except RecordError as error:
                status = max(status, 1)
                told = dict(error_summary(error))
                if not as_json:
                    say(fault(words, file, error))
            else:
                if not as_json:
                    print(_in_words(words, file, found.number, told))
            if as_json:
                print(json.dumps(told, ensure_ascii=False, separators=(",", ":")))
        if not games:
            say(words(N_('{file} holds no game; a game begins with [Game "..."].'), file=str(file)))
            status = 2
    return status


@app.command
def play(
    game: Annotated[
        str, Parameter(help="Which game: isis-osiris, isis, ramses, pharao or senet.")
    ] = "isis-osiris",
    *,
    seats: Annotated[
        str,
        Parameter(
            help="Who plays, as many as the game is for: each me, me:YourName, or a level of bot. Two play, but for "
            "isis-osiris (2 to 4) and isis (2 to 7)."
        ),
    ] = "me,scribe",
    variant: Annotated[
        str, Parameter(help="normal, or in isis-osiris shared: one stock for all.")
    ] = "normal",
    option: Annotated[
        tuple[str, ...],
        Parameter(
            help="A rule of the game, as key=value; again for a further one. isis-osiris: memory. isis: "
            "claim_just_moved, cast_out, home, rank_all, repetition. ramses: repetition. pharao: surround. senet: "
            "pieces.",
            negative="",
            show_default=False,
        ),
    ] = (),
    memory: Annotated[
        str | None,
        Parameter(
            help="In isis-osiris: strict, or open: placed values stay visible. The same as --option memory=...",
            show_default=False,
        ),
    ] = None,
    first: Annotated[str, Parameter(help="Which seat begins, or lot.")] = "lot",
    seed: Annotated[int | None, Parameter(help="The same seed deals the same game.")] = None,
    pace: Annotated[
        str | None, Parameter(help="How fast bots act: at-once, natural or slow.", show_default=False)
    ] = None,
    plain: Annotated[
        bool, Parameter(negative="", help="Line by line, for screen readers and scripts.")
    ] = False,
    lang: Annotated[str | None, Parameter(help="en, de or fr.")] = None,
    record: Annotated[Path | None, Parameter(help="Write the game's record to this file at the end.")] = None,
) -> int:
    """Play a game in the terminal, alone against bots or several people at one screen.

    Examples: oudjat play --seats me:Ada,scribe,novice

    oudjat play senet --option pieces=7
    """
    from oudjat.terminal.start import Wish
    from oudjat.terminal.start import play as play_in_terminal

    return play_in_terminal(
        Wish(
            game,
            seats,
            variant,
            memory,
            first,
            seed,
            pace,
            plain=plain,
            lang=lang,
            record=record,
            option=option,
        )
    )


@app.command
def rules(
    game: Annotated[str, Parameter(help="Which game; isis-osiris.")] = "isis-osiris",
    *,
    lang: Annotated[str | None, Parameter(help="en, de or fr.")] = None,
) -> int:
    """Show the rules of a game; as plain Markdown when they go to a file or another program.

    Example: oudjat rules isis-osiris --lang de
    """
    from oudjat.rules.registry import GAMES
    from oudjat.texts.pages import rules_for_terminal, rules_markdown

    words = words_for(lang)
    if words is None or not known(words, "GAME", game, GAMES):
        return 2
    language = words.language
    text = rules_for_terminal(game, language) if sys.stdout.isatty() else rules_markdown(game, language)
    print(text, end="")
    return 0


@app.command
def levels(*, lang: Annotated[str | None, Parameter(help="en, de or fr.")] = None) -> int:
    """List the levels of bots, from the weakest to the strongest, with a sentence about each.

    Example: oudjat levels --lang fr
    """
    from oudjat.engine.levels import LEVELS
    from oudjat.texts.speech import LEVEL_SENTENCES

    words = words_for(lang)
    if words is None:
        return 2
    for level in LEVELS:
        print(f"{level}: {words(LEVEL_SENTENCES[level])}")
    return 0


def fault(words: Words, file: Path, error: RecordError) -> str:
    """Where a record goes wrong and why, for people."""
    from oudjat.rules.game import N_
    from oudjat.texts.speech import refusal

    sentence = N_("{file}, line {line}: game {number}, turn {turn}, “{token}”: {why}")
    return words(
        sentence,
        file=str(file),
        line=error.line,
        number=error.number,
        turn=error.turn,
        token=error.token,
        why=refusal(words, error),
    )


def _in_words(words: Words, file: Path, number: int, told: dict[str, Any]) -> str:
    """How a checked record stands, for people."""
    from oudjat.rules.game import N_
    from oudjat.texts.speech import shown

    has_points = told["reserves"] is not None
    if told["over"]:
        sentence = N_("{file}: game {number}: over after {turns} turns; won by seat {winners}.")
        if has_points:
            sentence = N_(
                "{file}: game {number}: over after {turns} turns; points: {scores}; won by seat {winners}."
            )
        elif len(told["winners"] or ()) > 1:
            sentence = N_(
                "{file}: game {number}: over after {turns} turns; drawn or ranked: seats {winners}."
            )
    else:
        sentence = N_("{file}: game {number}: {turns} turns, seat {seat} to move.")
        if has_points:
            sentence = N_(
                "{file}: game {number}: {turns} turns, seat {seat} to move; points so far: {scores}."
            )
    return words(
        sentence,
        file=str(file),
        number=number,
        turns=told["turns"],
        seat=told["to_move"] or 0,
        scores=words(N_("withheld")) if told["scores"] is None else ", ".join(map(shown, told["scores"])),
        winners=", ".join(map(str, told["winners"] or ())) or "?",
    )
