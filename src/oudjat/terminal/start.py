"""``oudjat play``: from what was asked on the command line to a match on a face."""

from __future__ import annotations

import io
import os
import random
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TextIO

from oudjat.engine.levels import LEVELS
from oudjat.records import write_record
from oudjat.rules.game import N_, SetupError
from oudjat.rules.registry import GAMES
from oudjat.terminal.match import Match
from oudjat.terminal.pace import PACES
from oudjat.terminal.plain import PlainFace
from oudjat.terminal.seating import Setup, names_of, read_first, read_options, read_seats
from oudjat.texts.catalog import LANGUAGES, Words, choose_language, words_in
from oudjat.texts.speech import refusal


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player asked for on the command line, as written there."""

    game: str = "isis-osiris"
    seats: str = "me,scribe"
    variant: str = "normal"
    memory: str | None = None
    first: str = "lot"
    seed: int | None = None
    pace: str | None = None
    plain: bool = False
    lang: str | None = None
    record: Path | None = None
    option: tuple[str, ...] = ()


def play(wish: Wish, environment: Mapping[str, str] = os.environ) -> int:
    """Play as wished. Gives the exit status: 0, or 2 with one sentence on standard error."""
    words = words_in(choose_language(wish.lang, environment.get("LC_ALL"), environment.get("LANG")))
    try:
        setup = read_wish(wish)
        match = Match(setup)
        if not wish.plain and not _has_terminal():
            raise SetupError(N_("The full screen needs a terminal; add --plain to play line by line."))
        if wish.record and not wish.record.parent.is_dir():
            raise SetupError(
                N_("There is no folder {folder} to keep the record in."), folder=str(wish.record.parent)
            )
        if wish.record and wish.record.is_dir():
            raise SetupError(N_("{file} is a folder; name a file for the record."), file=str(wish.record))
    except SetupError as error:
        print(refusal(words, error), file=sys.stderr)
        return 2
    names = names_of(setup.players, [seat.colour for seat in match.position.view(None).seats], words)
    pace = PACES[wish.pace or ("at-once" if wish.plain else "natural")]
    played, failed = [match], 0
    if wish.plain:
        try:
            PlainFace(match, names, words, _lines(), sys.stdout, pace).play()
        except KeyboardInterrupt:
            print(words(N_("You left the game before its end.")))
    else:
        from oudjat.terminal.app import PlayApp  # the full screen is loaded only when it is shown

        app = PlayApp(
            match,
            names,
            words,
            pace,
            again=_deal_again,
            light=_light_terminal(environment),
            colourless="NO_COLOR" in environment,
        )
        app.run()
        played, failed = app.played, app.return_code or 0
    return _keep(played, names, words, wish.record) or failed


def read_wish(wish: Wish) -> Setup:
    """The setup that was asked for. Raises :class:`SetupError` with what does not exist."""
    for option, value, known in (
        ("GAME", wish.game, list(GAMES)),
        ("--lang", wish.lang or "en", list(LANGUAGES)),
        ("--pace", wish.pace or "natural", list(PACES)),
    ):
        if value not in known:
            raise SetupError(
                N_("{option} cannot be “{value}”; choose one of: {known}."),
                option=option,
                value=value,
                known=", ".join(known),
            )
    setup = Setup(
        players=read_seats(wish.seats, list(LEVELS)),
        seed=secrets.randbits(64) if wish.seed is None else wish.seed,
        game=wish.game,
        variant=wish.variant,
        options=read_options(wish.option, wish.memory),
        first=read_first(wish.first),
    )
    setup.start(random.Random(setup.seed))
    return setup


def _deal_again(match: Match) -> Match:
    """The next match of a sitting: the same players, new luck."""
    return Match(replace(match.setup, seed=random.Random(f"{match.setup.seed} again").getrandbits(64)))


def _keep(played: list[Match], names: tuple[str, ...], words: Words, file: Path | None) -> int:
    """Write the records where it was asked for: of each match of the sitting that was begun."""
    if file is None:
        return 0
    begun = [match for match in played if match.turns] or played[:1]
    text = "\n".join(write_record(match.record(names, date.today())) for match in begun)
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        sentence = N_("The record cannot be written to {file}: {reason}.")
        print(words(sentence, file=str(file), reason=error.strerror or str(error)), file=sys.stderr)
        return 2
    return 0


def _has_terminal() -> bool:
    """Whether a full screen can be shown; Textual reads standard input and draws on standard error."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def _lines() -> TextIO:
    """Standard input; bytes that are no UTF-8 become replacement characters, a closed one is at its end."""
    if sys.stdin is None:
        return io.StringIO()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin


def _light_terminal(environment: Mapping[str, str]) -> bool:
    """Whether the terminal says that its ground is light (COLORFGBG, as rxvt, Konsole and others set it)."""
    return environment.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
