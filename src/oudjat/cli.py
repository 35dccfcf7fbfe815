"""The program: ``oudjat`` and its subcommands (FORMATS.md 2).

Exit status: 0 done; 1 the answer is "no"; 2 wrong usage or unreadable input. Results go to standard output,
messages for people to standard error. What a subcommand needs is imported when it runs, so that ``--help`` and
``replay`` start at once.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CycloptsError, Parameter

import oudjat

if TYPE_CHECKING:
    from oudjat.records import RecordError
    from oudjat.texts.catalog import Words

app = App(
    name="oudjat",
    version=oudjat.__version__,
    help="Play, study and research Isis & Osiris, the game of placing and remembering.",
    result_action="return_value",
)


_STANDARD_INPUT = "(standard input)"
"""What stands for ``-`` among the arguments, which the argument parser would take for an option."""


def _say(message: str) -> None:
    print(message, file=sys.stderr)


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

    words = _words(None)
    if words is None:
        return 2
    if not files:
        _say(words(N_("Name at least one file of records; - reads standard input.")))
        return 2
    if upto is not None and upto < 0:
        _say(words(N_("--upto takes a number of turns, 0 or more.")))
        return 2
    status = 0
    for file, text in _texts(files, words):
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
                    _say(_fault(words, file, error))
            else:
                if not as_json:
                    print(_in_words(words, file, found.number, told))
            if as_json:
                print(json.dumps(told, ensure_ascii=False, separators=(",", ":")))
        if not games:
            _say(words(N_('{file} holds no game; a game begins with [Game "..."].'), file=str(file)))
            status = 2
    return status


@app.command
def play(
    game: Annotated[str, Parameter(help="Which game; isis-osiris.")] = "isis-osiris",
    *,
    seats: Annotated[
        str, Parameter(help="Who plays, 2 to 4: me, me:YourName, or a level of bot.")
    ] = "me,scribe",
    variant: Annotated[str, Parameter(help="normal, or shared: one stock for all.")] = "normal",
    memory: Annotated[str, Parameter(help="strict, or open: placed values stay visible.")] = "strict",
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

    Example: oudjat play --seats me:Ada,scribe,novice
    """
    from oudjat.terminal.start import Wish
    from oudjat.terminal.start import play as play_in_terminal

    return play_in_terminal(
        Wish(game, seats, variant, memory, first, seed, pace, plain=plain, lang=lang, record=record)
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

    words = _words(lang)
    if words is None or not _known(words, "GAME", game, GAMES):
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

    words = _words(lang)
    if words is None:
        return 2
    for level in LEVELS:
        print(f"{level}: {words(LEVEL_SENTENCES[level])}")
    return 0


def _words(lang: str | None) -> Words | None:
    """The words of the language asked for, else of the environment's; None, and a sentence on standard error,
    when it is none of ours."""
    from oudjat.texts.catalog import LANGUAGES, choose_language, words_in

    words = words_in(choose_language(lang, os.environ.get("LC_ALL"), os.environ.get("LANG")))
    return words if _known(words, "--lang", words.language if lang is None else lang, LANGUAGES) else None


def _known(words: Words, option: str, value: str, known: Iterable[str]) -> bool:
    """Whether ``value`` is among ``known``; if not, a sentence on standard error says what is."""
    from oudjat.rules.game import N_

    if value in known:
        return True
    sentence = N_("{option} cannot be “{value}”; choose one of: {known}.")
    _say(words(sentence, option=option, value=value[:40], known=", ".join(known)))
    return False


def _texts(files: tuple[Path, ...], words: Words) -> Iterator[tuple[Path, str | None]]:
    """Each file with its text; None, and a sentence on standard error, where it cannot be read. Bytes that are
    no UTF-8 are kept as replacement characters: the turn that holds them will be refused in its place."""
    from oudjat.rules.game import N_

    for file in files:
        try:
            data = sys.stdin.buffer.read() if str(file) == _STANDARD_INPUT else file.read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            _say(words(N_("{file} cannot be read: {reason}."), file=str(file), reason=reason))
            yield file, None
        else:
            yield file, data.decode("utf-8-sig", errors="replace")


def _fault(words: Words, file: Path, error: RecordError) -> str:
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

    scores = words(N_("withheld")) if told["scores"] is None else ", ".join(map(shown, told["scores"]))
    if told["over"]:
        sentence = N_(
            "{file}: game {number}: over after {turns} turns; points: {scores}; won by seat {winners}."
        )
    else:
        sentence = N_("{file}: game {number}: {turns} turns, seat {seat} to move; points so far: {scores}.")
    return words(
        sentence,
        file=str(file),
        number=number,
        turns=told["turns"],
        seat=told["to_move"] or 0,
        scores=scores,
        winners=", ".join(map(str, told["winners"] or ())) or "?",
    )


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
) -> int:
    """Open the web house.

    Example: oudjat serve --host 0.0.0.0 --database sqlite:////tmp/games.db
    """
    from oudjat.house.serve import serve

    words = _words(None)
    return 2 if words is None else serve(host, port, database, words)


def _give_up_output() -> None:
    """Let what is still to be written go nowhere, so that leaving does not try again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: list[str] | None = None) -> None:
    """Run the program with the given arguments (default: the process's) and exit with its status."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["replay"]:
        given = [_STANDARD_INPUT if argument == "-" else argument for argument in given]
    try:
        status = app(given, exit_on_error=False, print_error=True)
        sys.stdout.flush()
    except CycloptsError:
        sys.exit(2)  # the error was printed
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # "oudjat replay ... | head": whoever read has gone
        _give_up_output()
        sys.exit(0)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _give_up_output()
        _say(f"The answer cannot be written: {error.strerror}.")
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)
