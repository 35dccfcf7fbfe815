"""How a game is written down: reading, checking and writing records (FORMATS.md 1).

A record is header tags, a blank line, then turns. Reading never gives up on a file: each game in it comes out
as a :class:`Record` or as the :class:`RecordError` that says where it goes wrong, and the next game is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from oudjat.rules.game import N_, Game, Outcome, Position, SetupError, TurnError, options_in
from oudjat.rules.registry import GAMES

WIDTH = 80
"""Turns are written in lines of at most this many characters."""

_PARTS = re.compile(
    r"""(?P<space>\s+)
      | (?P<comment>;[^\n]*)
      | \[[ \t]*(?P<tag>[A-Za-z][A-Za-z0-9_]*)[ \t]+"(?P<value>(?:[^"\\\r\n]|\\["\\])*)"[ \t]*\]
      | (?P<broken>\[[^\n]*)
      | (?P<token>[^\s;\[]+)""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"\d+\.+", re.ASCII)
_MOST_SHOWN = 40


class RecordError(TurnError):
    """Where a record goes wrong.

    ``number`` counts the games of the file from 1, ``turn`` the turns of the game from 1 (0: its tags),
    ``token`` is the text at fault, ``line`` the line of the file from 1; ``rule`` as in :class:`TurnError`.
    """

    def __init__(
        self,
        rule: str,
        template: str,
        *,
        number: int,
        turn: int,
        token: str,
        line: int,
        gaps: Mapping[str, str | int] = MappingProxyType({}),
    ) -> None:
        super().__init__(rule, template, **gaps)
        self.number = number
        self.turn = turn
        self.token = token
        self.line = line


@dataclass(frozen=True, slots=True)
class Record:
    """A game as written: its tags in their order and its turns as spelled, not yet checked against the rules.

    ``number`` is its place in the file, from 1; ``tag_lines`` and ``turn_lines`` are the lines of its tags and of
    its turns, empty when it was not read from a file.
    """

    tags: tuple[tuple[str, str], ...]
    turns: tuple[str, ...]
    number: int = 1
    tag_lines: tuple[int, ...] = ()
    turn_lines: tuple[int, ...] = ()

    def tag(self, name: str, default: str | None = None) -> str | None:
        """The value of a tag, or ``default``."""
        return next((value for key, value in self.tags if key == name), default)

    def line_of_tag(self, name: str) -> int:
        """The line of a tag, of the first one when this one is not there; 0 when not read from a file."""
        named = (line for (key, _), line in zip(self.tags, self.tag_lines, strict=False) if key == name)
        return next(named, self.tag_lines[0] if self.tag_lines else 0)

    def line_of_turn(self, turn: int) -> int:
        """The line of a turn, counted from 1; 0 when not read from a file."""
        return self.turn_lines[turn - 1] if turn <= len(self.turn_lines) else 0


@dataclass(frozen=True, slots=True)
class Replayed:
    """A checked record: the game, and the position after each number of turns from 0."""

    record: Record
    game: Game
    positions: tuple[Position, ...]

    @property
    def last(self) -> Position:
        """The position at the end of the record."""
        return self.positions[-1]


@dataclass(slots=True)
class _Draft:
    """A game being read."""

    tags: list[tuple[str, str]] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)
    tag_lines: list[int] = field(default_factory=list)
    turn_lines: list[int] = field(default_factory=list)
    error: RecordError | None = None


def read_records(text: str) -> Iterator[Record | RecordError]:
    """Every game in a file's text, in order; one that cannot be read comes as the error that says why.

    >>> [record.turns for record in read_records('[Game "isis-osiris"] 1. Pc3 +2d3 ; a start')]
    [('Pc3', '+2d3')]
    """
    draft: _Draft | None = None
    number = 0
    line = 1

    def finished() -> Iterator[Record | RecordError]:
        if draft:
            yield draft.error or Record(
                tuple(draft.tags), tuple(draft.turns), number, tuple(draft.tag_lines), tuple(draft.turn_lines)
            )

    for part in _PARTS.finditer(text):
        kind, found = part.lastgroup, part[0]
        if kind == "value":  # a whole tag
            name = part["tag"]
            if name == "Game":
                yield from finished()
                number += 1
                draft = _Draft()
            if draft is None:
                number += 1
                draft = _Draft()
                draft.error = _error(N_('A game begins with [Game "..."].'), number, 0, found, line)
            elif not draft.error:
                draft.error = _why_not_tag(draft, name, number, found, line)
            draft.tags.append((name, re.sub(r"\\(.)", r"\1", part["value"])))
            draft.tag_lines.append(line)
        elif kind in ("broken", "token"):
            token = found
            if kind == "token":
                token = _NUMBER.sub("", found, count=1) if _NUMBER.match(found) else found
            if token:
                if draft is None:
                    number += 1
                    draft = _Draft()
                    draft.error = _error(N_('A game begins with [Game "..."].'), number, 0, token, line)
                if kind == "broken" and not draft.error:
                    draft.error = _error(
                        N_('This is no tag; a tag is written [Name "value"] on one line.'),
                        number,
                        len(draft.turns) + 1 if draft.turns else 0,
                        token,
                        line,
                    )
                draft.turns.append(token)
                draft.turn_lines.append(line)
        line += found.count("\n")
    yield from finished()


def _error(template: str, number: int, turn: int, token: str, line: int) -> RecordError:
    return RecordError(
        "record", template, number=number, turn=turn, token=token[:_MOST_SHOWN].rstrip(), line=line
    )


def _why_not_tag(draft: _Draft, name: str, number: int, found: str, line: int) -> RecordError | None:
    if draft.turns:
        return _error(
            N_('A tag stands after the turns; another game begins with [Game "..."].'),
            number,
            len(draft.turns) + 1,
            found,
            line,
        )
    if any(key == name for key, _ in draft.tags):
        return _error(N_("This tag stands twice in one game."), number, 0, found, line)
    return None


def write_record(record: Record) -> str:
    """The canonical text of a record: reading it and writing it again gives the same text.

    >>> print(write_record(Record((("Game", "isis-osiris"), ("Players", "2")), ("Pc3", "+2d3"))), end="")
    [Game "isis-osiris"]
    [Players "2"]
    <BLANKLINE>
    Pc3 +2d3
    """
    lines = [f'[{name} "{_escape(value)}"]' for name, value in record.tags]
    lines.append("")
    row = ""
    for turn in record.turns:
        if row and len(row) + 1 + len(turn) > WIDTH:
            lines.append(row)
            row = turn
        else:
            row = f"{row} {turn}" if row else turn
    if row:
        lines.append(row)
    return "\n".join(lines) + "\n"


def _escape(value: str) -> str:
    """A tag's value on one line, quotes and backslashes marked."""
    one_line = " ".join(value.split()) if re.search(r"[\r\n]", value) else value
    return one_line.replace("\\", "\\\\").replace('"', '\\"')


def start_of(record: Record) -> Position:
    """The position before a record's first turn, as its tags say. Raises :class:`RecordError`."""
    game_id = record.tag("Game") or ""

    def wrong(template: str, tag: str, /, **gaps: str | int) -> RecordError:
        return RecordError(
            "record",
            template,
            number=record.number,
            turn=0,
            token=f"{tag} {record.tag(tag)}"[:_MOST_SHOWN],
            line=record.line_of_tag(tag),
            gaps=gaps,
        )

    def whole_number(tag: str, default: str) -> int:
        text = record.tag(tag, default) or ""
        if not re.fullmatch(r"\d{1,3}", text, re.ASCII):
            raise wrong(N_("The tag {tag} holds a whole number."), tag, tag=tag)
        return int(text)

    if game_id not in GAMES:
        raise wrong(N_("There is no game “{game}”; there is: {known}."), "Game", game=game_id[:_MOST_SHOWN],
                    known=", ".join(GAMES))  # fmt: skip
    players, first = whole_number("Players", "2"), whole_number("First", "1")
    not_a_pair = N_("Options are written key=value, separated by spaces.")
    try:
        options = options_in((record.tag("Options") or "").split(), not_a_pair)
        return GAMES[game_id].start(
            players, variant=record.tag("Variant", "normal") or "", first=first, options=options
        )
    except SetupError as error:
        raise wrong(error.template, error.tag, **error.gaps) from None


def replay(record: Record, upto: int | None = None) -> Replayed:
    """Check a record turn by turn against the rules, the first ``upto`` turns or all of them.

    Scores and Winners are checked when they are there and every turn was played.
    Raises :class:`RecordError` at the first fault.
    """
    position = start_of(record)
    game = position.game
    positions = [position]
    turns = record.turns if upto is None else record.turns[: max(0, upto)]
    for turn, token in enumerate(turns, 1):
        try:
            position = position.follow(game.read(token))
        except TurnError as error:
            raise RecordError(
                error.rule,
                error.template,
                number=record.number,
                turn=turn,
                token=token[:_MOST_SHOWN],
                line=record.line_of_turn(turn),
                gaps=error.gaps,
            ) from None
        positions.append(position)
    if len(turns) == len(record.turns):
        _check_result(record, position)
    return Replayed(record, game, tuple(positions))


def _check_result(record: Record, position: Position) -> None:
    """Scores and Winners belong to a finished game and say what its turns give."""
    outcome = position.outcome
    for tag in ("Scores", "Winners"):
        written = record.tag(tag)
        if written is None:
            continue
        found = _result_tag(tag, outcome)
        if outcome is None and not record.tag("Termination"):
            template = N_("The tag {tag} belongs to a finished game, and this one goes on.")
        elif found is not None and written.split() != found.split():
            template = N_("The tag {tag} says {written}, the turns give {found}.")
        else:
            continue
        raise RecordError(
            "record",
            template,
            number=record.number,
            turn=len(record.turns),
            token=f"{tag} {written}"[:_MOST_SHOWN],
            line=record.line_of_tag(tag),
            gaps={"tag": tag, "written": written[:_MOST_SHOWN], "found": found or ""},
        )


def _result_tag(tag: str, outcome: Outcome | None) -> str | None:
    """What the turns give for Scores or Winners, None when they do not tell."""
    if outcome is None:
        return None
    numbers = outcome.scores if tag == "Scores" else outcome.winners or None
    return None if numbers is None else " ".join(map(str, numbers))


def result_tags(outcome: Outcome | None) -> dict[str, str]:
    """The tags Scores and Winners of a finished game, as far as they are known; none of one that goes on."""
    return {tag: text for tag in ("Scores", "Winners") if (text := _result_tag(tag, outcome)) is not None}


def early_end_tags(why: str, winners: Sequence[int]) -> dict[str, str]:
    """The tags of a game that ended before its turns end it, by ``resignation``, ``time forfeit`` or ``abandoned``:
    they say who wins by that, and no scores.

    >>> early_end_tags("resignation", (2,))
    {'Winners': '2', 'Termination': 'resignation'}
    """
    won = {"Winners": " ".join(map(str, winners))} if winners else {}
    return won | {"Termination": why}


def setup_tags(position: Position, *, first: int) -> dict[str, str]:
    """The tags that say how a game was set up; options only where they differ from the default."""
    tags = {"Game": position.game.id, "Variant": position.variant, "Players": str(position.players)}
    defaults = {option.key: option.values[0] for option in position.game.options}
    changed = [f"{key}={value}" for key, value in position.options.items() if value != defaults[key]]
    if first != 1:
        tags["First"] = str(first)
    if changed:
        tags["Options"] = " ".join(changed)
    return tags


def seat_tag(name: str, level: str | None) -> str:
    """What the tag of a seat says: its player's name, or a bot's level in every language the same.

    >>> seat_tag("Ada", None), seat_tag("Schreiber", "scribe")
    ('Ada', 'Bot: scribe')
    """
    return f"Bot: {level}" if level else name


def summary(replayed: Replayed) -> dict[str, object]:
    """What ``oudjat replay --json`` tells of a checked record (FORMATS.md 2)."""
    position = replayed.last
    reserves = position.reserves()
    standing = position.standing
    outcome = position.outcome
    return {
        "game": replayed.game.id,
        "variant": position.variant,
        "players": position.players,
        "turns": position.turns,
        "over": outcome is not None,
        "to_move": position.to_move,
        "free": position.free_spaces,
        "reserves": None
        if reserves is None
        else [{"pieces": reserve.pieces, "tiles": reserve.tiles} for reserve in reserves],
        "scores": None if standing is None else list(standing),
        "markers": None if standing is None else [replayed.game.markers(score) for score in standing],
        "winners": list(outcome.winners) or None if outcome else None,
    }


def error_summary(error: RecordError) -> Mapping[str, object]:
    """What ``oudjat replay --json`` tells of a faulty record (FORMATS.md 2), with its line besides."""
    return {
        "error": {
            "game": error.number,
            "turn": error.turn,
            "token": error.token,
            "rule": error.rule,
            "message": str(error),
            "line": error.line,
        }
    }
