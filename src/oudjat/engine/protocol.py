"""The line protocol of engines, after chess's UCI (FORMATS.md 3): a controller asks, the engine answers.

:class:`Conversation` is the engine's side, line by line and without any stream, so that it can be tested and
put behind other transports; :func:`converse` holds it over two streams of bytes.

The engine plays nothing by itself. The game is what ``turns`` have said; ``go`` and ``drew`` only ask about it:

    go -> best TURN                      nothing more is open
    go -> best draw, drew V -> best VTURN    the value V is kept until the next turns, new or go

A line that cannot be followed changes nothing and is answered by one line ``error MESSAGE``. The messages are
English: they are for programs and for those who write them.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

import oudjat
from oudjat.engine.levels import LEVELS
from oudjat.engine.thought import Budget, Thought
from oudjat.rules.game import Draw, Drew, Position, Turn, TurnError
from oudjat.rules.registry import GAMES

Think = Callable[[Position, Sequence[Turn], str, int, Budget | None], Thought]
"""How a level thinks: :func:`oudjat.engine.choosing.think` and whatever else keeps its promise."""

LONGEST_LINE = 65_536
"""So many bytes may a line have; a whole game has fewer than 300."""
LONGEST_WORD = 64
LONGEST_MOVETIME = 3_600_000
MOST_PLAYOUTS = 10**12
MOST_SEED = 10**18


class ProtocolError(ValueError):
    """A line that cannot be followed; its message is a whole sentence."""


@dataclass(frozen=True, slots=True)
class Session:
    """A game being played: the position before the first turn, the turns so far, who thinks.

    ``asked`` is what the last ``go`` may spend when it was answered by ``best draw``, and ``awaited`` says that
    the value has not come yet.
    """

    start: Position
    level: str
    seed: int
    turns: tuple[Turn, ...] = ()
    asked: Budget | None = None
    awaited: bool = False
    after: Position | None = None

    @property
    def position(self) -> Position:
        """The position after the turns so far."""
        return self.after or self.start


class Conversation:
    """The engine's side of a talk with a controller.

    >>> conversation = Conversation()
    >>> conversation.answer("new isis-osiris level=priest seed=7"), conversation.answer("turns Pc3 +4d4")
    (['ok'], ['ok'])
    >>> conversation.answer("go"), conversation.answer("turns Pc3")
    (['best Pe4'], ['error Turn 3, “Pc3”, breaks IO-9: c3 is not free; choose a space on which nothing lies.'])
    """

    def __init__(self, think: Think | None = None) -> None:
        """``think`` chooses the turns; None: the levels of :mod:`oudjat.engine.choosing`."""
        self.session: Session | None = None
        self.over = False
        self._think = think
        self._ready: set[tuple[str, str, int]] = set()
        self._commands: dict[str, Callable[[list[str]], list[str]]] = {
            "oudjat": self._introduce,
            "new": self._new,
            "turns": self._turns,
            "go": self._go,
            "drew": self._drew,
            "quit": self._quit,
        }

    def answer(self, line: str) -> list[str]:
        """The lines that answer ``line``: none for a blank one and for ``quit``, else one or two.

        A line that cannot be followed is answered by one line that begins with ``error``, and ``session`` stays
        as it was. After ``quit`` the conversation is ``over``.
        """
        try:
            words = _words(line)
            if not words:
                return []
            command, *arguments = words
            if command not in self._commands:
                raise ProtocolError(
                    f"There is no command “{command}”; there is: {', '.join(self._commands)}."
                )
            return self._commands[command](arguments)
        except ProtocolError as error:
            return [f"error {error}"]

    def _introduce(self, arguments: list[str]) -> list[str]:
        _takes_nothing("oudjat", arguments)
        return [
            f"id name Oudjat {oudjat.__version__}",
            f"games {' '.join(GAMES)}",
            f"levels {' '.join(LEVELS)}",
            "ready",
        ]

    def _new(self, arguments: list[str]) -> list[str]:
        if not arguments:
            raise ProtocolError("new takes a game and key=value, as in: new isis-osiris players=2 seed=7.")
        game_id, *settings = arguments
        if game_id not in GAMES:
            raise ProtocolError(f"There is no game “{game_id}”; there is: {', '.join(GAMES)}.")
        chosen = _pairs(settings)
        players = _number("players", chosen.pop("players", "2"), 1, 99)
        first = _number("first", chosen.pop("first", "1"), 1, 99)
        seed = _number("seed", chosen.pop("seed", "0"), 0, MOST_SEED)
        variant = chosen.pop("variant", "normal")
        level = chosen.pop("level", list(LEVELS)[-1])
        if level not in LEVELS:
            raise ProtocolError(f"There is no level “{level}”; there is: {', '.join(LEVELS)}.")
        try:
            start = GAMES[game_id].start(players, variant=variant, first=first, options=chosen)
        except TurnError as error:
            raise ProtocolError(str(error)) from None
        session = Session(start, level, seed)
        self._get_ready(session)
        self.session = session
        return ["ok"]

    def _turns(self, arguments: list[str]) -> list[str]:
        session = self._playing()
        position, added = session.position, list[Turn]()
        for text in arguments:
            try:
                turn = position.game.read(text)
                position = position.follow(turn)
            except TurnError as error:
                place = f"Turn {len(session.turns) + len(added) + 1}, “{text}”,"
                fault = "cannot be read" if error.rule == "record" else f"breaks {error.rule}"
                raise ProtocolError(f"{place} {fault}: {error}") from None
            added.append(turn)
        turns = (*session.turns, *added)
        self.session = replace(session, turns=turns, after=position, asked=None, awaited=False)
        return ["ok"]

    def _go(self, arguments: list[str]) -> list[str]:
        session = self._playing()
        budget = _budget(arguments)
        if session.awaited:
            raise ProtocolError("A value is awaited: say what came with drew, or what was played with turns.")
        if session.position.outcome is not None:
            raise ProtocolError("The game is over; begin another with new.")
        thought = self._thought(session, (), budget)
        drawing = isinstance(thought.turn, Draw)
        self.session = replace(session, asked=budget if drawing else None, awaited=drawing)
        return [*_info(thought), f"best {thought.turn.text}"]

    def _drew(self, arguments: list[str]) -> list[str]:
        session = self._playing()
        if len(arguments) != 1:
            raise ProtocolError("drew takes the value that came, as in: drew -3.")
        if session.asked is None:
            raise ProtocolError(
                "No value is awaited: drew comes after “best draw” and before the next turns."
            )
        came = Drew(arguments[0])
        try:
            session.position.apply(Draw()).apply(came)
        except TurnError as error:
            raise ProtocolError(f"“{came.outcome}” cannot have come ({error.rule}): {error}") from None
        thought = self._thought(session, (Draw(), came), session.asked)
        self.session = replace(session, awaited=False)
        return [f"best {thought.turn.text}"]

    def _quit(self, arguments: list[str]) -> list[str]:
        _takes_nothing("quit", arguments)
        self.over = True
        return []

    def _playing(self) -> Session:
        if self.session is None:
            raise ProtocolError("No game is being played; begin one with new.")
        return self.session

    def _thought(self, session: Session, steps: tuple[Turn, ...], budget: Budget) -> Thought:
        try:
            return self._thinker()(
                session.start, (*session.turns, *steps), session.level, session.seed, budget
            )
        except ValueError as error:
            raise ProtocolError(f"The level {session.level} cannot choose here: {error}.") from None

    def _thinker(self) -> Think:
        if self._think is None:
            from oudjat.engine.choosing import think

            return think
        return self._think

    def _get_ready(self, session: Session) -> None:
        """Load what the level needs before its clock runs: a first thought in this process takes longer."""
        needed = (session.start.game.id, session.level, session.start.players)
        if needed not in self._ready:
            self._ready.add(needed)
            if self._think is None:
                from oudjat.engine.choosing import get_ready  # takes a moment

                ready: Callable[[], object] = partial(get_ready, session.start, session.level)
            else:
                budget = Budget(seconds=0.001, playouts=1)
                ready = partial(self._think, session.start, (), session.level, session.seed, budget)
            try:
                ready()
            except ValueError:
                return  # go will say what is the matter


def _words(line: str) -> list[str]:
    """The words of a line; tabs and a carriage return at its end are white space."""
    line = line.rstrip("\r\n").replace("\t", " ")
    if not line.isprintable():
        raise ProtocolError("The line holds characters that are no text.")
    words = line.split(" ")
    if max(map(len, words)) > LONGEST_WORD:
        raise ProtocolError(f"The line holds a word of more than {LONGEST_WORD} characters.")
    return [word for word in words if word]


def _takes_nothing(command: str, arguments: list[str]) -> None:
    if arguments:
        raise ProtocolError(f"{command} stands alone on its line.")


def _pairs(settings: list[str]) -> dict[str, str]:
    """``key=value`` by key, each key once."""
    chosen: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not (key and equals and value):
            raise ProtocolError(f"“{setting}” is not written key=value.")
        if key in chosen:
            raise ProtocolError(f"{key} stands twice.")
        chosen[key] = value
    return chosen


def _number(name: str, text: str, least: int, most: int) -> int:
    """The whole number from ``least`` to ``most`` that ``text`` spells."""
    if re.fullmatch(r"\d{1,19}", text, re.ASCII) and least <= int(text) <= most:
        return int(text)
    raise ProtocolError(f"{name} takes a whole number from {least} to {most}, not “{text}”.")


def _budget(arguments: list[str]) -> Budget:
    """What ``go`` allows: ``movetime MS``, ``playouts N``, both or nothing."""
    seconds: float | None = None
    playouts: int | None = None
    for name, text in zip(arguments[::2], [*arguments[1::2], ""], strict=False):
        if name == "movetime" and seconds is None:
            seconds = _number(name, text, 1, LONGEST_MOVETIME) / 1000
        elif name == "playouts" and playouts is None:
            playouts = _number(name, text, 1, MOST_PLAYOUTS)
        else:
            raise ProtocolError("go takes movetime MS and playouts N, each at most once: go movetime 1000.")
    return Budget(seconds, playouts)


def _info(thought: Thought) -> list[str]:
    """What the level reckoned, where it reckons a value."""
    if thought.value is None:
        return []
    line = " ".join(turn.text for turn in thought.line or (thought.turn,))
    return [f"info playouts {thought.playouts} value {thought.value:.4f} pv {line}"]


def converse(source: BinaryIO, sink: BinaryIO, conversation: Conversation | None = None) -> None:
    """Answer each line of ``source`` on ``sink``, at once, until ``quit`` or the end.

    Lines are UTF-8 and end with a line feed. Whatever comes, each line that is not blank gets its answer: should
    the engine itself fail, that is an ``error`` too, with the details on standard error.
    """
    conversation = conversation or Conversation()
    for line in _lines(source):
        if line is None:
            answers = [f"error The line is longer than {LONGEST_LINE} bytes."]
        else:
            try:
                answers = conversation.answer(line.decode("utf-8-sig", errors="replace"))
            except Exception as error:
                traceback.print_exc(file=sys.stderr)
                answers = [f"error The engine failed at this line: {type(error).__name__}."]
        for answer in answers:
            sink.write(answer.encode() + b"\n")
        sink.flush()
        if conversation.over:
            return


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Every line of ``source``; None for one that is too long, however long."""
    while line := source.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while (rest := source.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None
