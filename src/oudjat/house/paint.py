"""What a follower sees of a table, in his language. ■ The only way from a table to the outside.

:class:`TableView` and :class:`Told` are the types that leave the server; both are made from
``position.view(seat)`` and from what everybody at the table may know.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast, overload

import msgspec
from msgspec import structs

from oudjat.house.clocks import ClockKind
from oudjat.house.events import (
    Again,
    Came,
    Ended,
    Ending,
    Event,
    Gone,
    Held,
    Left,
    Opened,
    Paced,
    Played,
    Renamed,
    Resigned,
    Returned,
    Said,
    Seated,
    Started,
    StoodIn,
    TimedOut,
)
from oudjat.house.table import Status, Step, Table
from oudjat.rules.game import BoardView, Cell, Draw, Drew, Lies, Position, ScoredPiece, Walk, Ways
from oudjat.rules.registry import game_named
from oudjat.texts import speech, tongues
from oudjat.texts.catalog import Words, words_in


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: the holder of seats, or a spectator (None), and the language he reads."""

    holder: str | None
    words: Words


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits at a seat, for everybody; ``you`` is true for the viewer's own, ``bot_of`` names the person whose
    program plays there. ``stand_in`` is the level of the bot that plays for a person now, for good where he
    ``gave_up``."""

    number: int
    name: str
    colour: str
    kind: Literal["person", "bot", "open"]
    level: str | None
    you: bool
    bot_of: str | None
    stand_in: str | None = None
    gave_up: bool = False


class ClockView(msgspec.Struct, frozen=True):
    """The clocks of a table: of which ``kind``, and what happens ``on_time``-out (``bot:LEVEL`` or ``forfeit``).

    ``left`` are the seconds that each seat has at the moment ``since`` of the house's time, from which on the clock of
    seat ``running`` runs. What time it is in the house stands in the header ``house-time`` of every answer with a
    table, and in the event ``time`` with which the stream of a table with a clock begins.
    """

    kind: ClockKind
    seconds: int
    increment: int
    on_time: str
    left: tuple[float, ...]
    running: int | None
    since: float


class TalkLine(msgspec.Struct, frozen=True):
    """Something that the player of a seat said, with event ``seq``; ``ready`` for a phrase, which is in the reader's
    language."""

    seq: int
    seat: int
    said: str
    ready: bool


class Invitation(msgspec.Struct, frozen=True):
    """A seat that waits for a friend, and the key that opens it; only who opened the table sees these."""

    seat: int
    key: str


class TableView(msgspec.Struct, frozen=True):
    """A table as one viewer may see it.

    ``seq`` is the number of the last event. ``labels`` say what each cell of ``board`` is, in the same order;
    ``prompt`` what is asked and of whom, ``further`` what is asked when one choice of a turn is made, then two, and
    so on; ``actions`` what each choice that is no space is called. ``walks`` are the ways that the last turn moved
    pieces. ``log`` holds one sentence a turn. ``mine`` is true when the viewer is to
    move. ``scoring`` holds the steps of the scoring when the game is over, ``scoring_said`` a sentence a seat.
    ``promise`` is the hash published before the first turn; ``luck`` and ``salt`` are opened at the end.
    ``clock`` is None where players have all the time they like. ``ended`` says what ended the table before the game;
    while it is ``abortable``, players can leave it without a result. ``talk`` is what was said last; free text only
    players see, and only at a table that is not ``public`` they can write any.
    """

    table: str
    seq: int
    status: Status
    pace: str
    you: tuple[int, ...]
    seats: tuple[SeatInfo, ...]
    board: BoardView
    labels: tuple[str, ...]
    prompt: str
    further: tuple[str, ...]
    actions: dict[str, str]
    mine: bool
    walks: tuple[Walk, ...]
    log: tuple[str, ...]
    scoring: tuple[ScoredPiece, ...]
    scoring_said: tuple[str, ...]
    result: str
    again: str | None
    invitations: tuple[Invitation, ...]
    promise: str | None
    salt: str | None
    luck: tuple[str, ...] | None
    clock: ClockView | None
    ended: Ending | None
    abortable: bool
    public: bool
    rated: bool
    talk: tuple[TalkLine, ...]


class Told(msgspec.Struct, frozen=True):
    """One event as a follower may know it now, with the table as it then is (``view``; None when a later event
    of the same sending brings it). ``turn`` is spelled as in a record, ``drawn`` what was turned over or thrown,
    ``walks`` the ways of the pieces it moved, ``said`` the sentence for everybody."""

    seq: int
    kind: str
    seat: int | None
    turn: str | None
    drawn: str | None
    walks: tuple[Walk, ...]
    said: str
    view: TableView | None


class Change(msgspec.Struct, frozen=True):
    """What lies on a space after a turn that changed it, and what the space says of itself."""

    name: str
    lies: Lies | None
    pile: tuple[Lies, ...]
    label: str


class Frame(msgspec.Struct, frozen=True):
    """A turn of a finished game, for watching it again: what it changed, how pieces moved, and the sentence."""

    seat: int
    turn: str
    said: str
    changes: tuple[Change, ...]
    walks: tuple[Walk, ...] = ()


_JSON = msgspec.json.Encoder()


class EncodedView(bytes):
    """A :class:`TableView` as :func:`encode_view` wrote it, which alone makes these."""

    __slots__ = ()


@overload
def encode_view(view: TableView) -> EncodedView: ...
@overload
def encode_view(view: Told) -> bytes: ...
def encode_view(view: TableView | Told) -> bytes:
    """JSON of something that may leave the server. Raises :class:`TypeError` for every other type, as for an event
    as it is stored, whatever the type checker was told."""
    kind = type(view)
    if kind is TableView:
        return EncodedView(_JSON.encode(view))
    if kind is Told:
        return _JSON.encode(view)
    raise TypeError(f"{kind.__name__} does not leave the house")


def names_at(table: Table, words: Words) -> tuple[str, ...]:
    """The seats' names in the reader's language, in seat order."""
    return _names(
        words.language,
        table.opened.game,
        tuple([(words(speech.SOMEONE) if seat.gone else seat.name, seat.level) for seat in table.seats]),
    )


@lru_cache(maxsize=4096)
def _names(language: str, game: str, seats: tuple[tuple[str, str | None], ...]) -> tuple[str, ...]:
    colours = game_named(game).colours
    named = ((name, colour, level) for (name, level), colour in zip(seats, colours, strict=False))
    return tuple(speech.seat_names(words_in(language), named))


def _labels(words: Words, board: BoardView, names: tuple[str, ...]) -> tuple[str, ...]:
    """What each cell says of itself. Most cells are as they were at the last turn, so what was said of them is
    kept."""
    known = _known_labels(words.language, board.game, names)
    labels = tuple(map(known.get, board.cells))
    if None in labels:
        for cell, label in zip(board.cells, labels, strict=True):
            if label is None:
                known[cell] = tongues.cell_label(words, cell, board, names)
        labels = tuple(map(known.get, board.cells))
    return cast(tuple[str, ...], labels)


@lru_cache(maxsize=512)
def _known_labels(_language: str, _game: str, _names: tuple[str, ...]) -> dict[Cell, str]:
    return {}


def _position(table: Table) -> Position:
    """The table's position, or before its start the empty board."""
    opened = table.opened
    return table.position or game_named(opened.game).start(
        len(table.seats), variant=opened.variant, first=max(opened.first, 1), options=opened.options
    )


def view_of(table: Table, viewer: Viewer) -> TableView:
    """The table as ``viewer`` may see it."""
    words = viewer.words
    position = _position(table)
    mine = table.seats_of(viewer.holder)
    waiting = table.status == "waiting"
    seat = table.seat_due
    due = seat.number if seat and seat.number in mine and not seat.stand_in else None
    board = _ended_board(table, table.ended) if table.ended else position.view(due)
    names = names_at(table, words)
    over = table.status == "over"
    steps = () if table.ended else position.game.scoring(position)
    secret = table.started if over else None
    return TableView(
        table=table.id,
        seq=table.seq,
        status=table.status,
        pace=table.pace,
        you=mine,
        seats=tuple(
            SeatInfo(
                seat.number,
                names[seat.number - 1],
                board.seats[seat.number - 1].colour,
                "bot" if seat.level else "person" if seat.holder else "open",
                seat.level,
                seat.number in mine,
                seat.bot_of or None,
                seat.stand_in,
                seat.gave_up,
            )
            for seat in table.seats
        ),
        board=board,
        labels=_labels(words, board, names),
        prompt=words(speech.WAITING)
        if waiting
        else result_of(table, board, words, names)
        if table.ended
        else tongues.prompt(words, board, names, mine=due is not None, several=len(mine) > 1),
        further=() if due is None else tongues.further(words, board, names),
        actions={action: tongues.action_label(words, board, action) for action in _actions_in(board)},
        mine=due is not None,
        walks=table.steps[-1].walks if table.steps else (),
        log=log_of(table, words, names),
        scoring=steps,
        scoring_said=tuple(speech.scoring_sentences(words, steps, names)),
        result=result_of(table, board, words, names) if over else "",
        again=table.again,
        invitations=tuple(
            Invitation(seat.number, seat.key)
            for seat in table.seats
            if waiting and seat.key and not seat.taken and viewer.holder == table.by
        ),
        promise=table.started.promise if table.started else None,
        salt=secret.salt if secret else None,
        luck=secret.luck if secret else None,
        clock=_clock_view(table),
        ended=table.ended.why if table.ended else None,
        abortable=table.abortable,
        public=table.opened.public,
        rated=table.opened.rated,
        talk=_talk(table, words, free_text=bool(mine)),
    )


def _talk(table: Table, words: Words, *, free_text: bool) -> tuple[TalkLine, ...]:
    return tuple(
        TalkLine(
            seq,
            line.seat,
            words(speech.PHRASES[line.phrase]) if line.phrase else line.text,
            bool(line.phrase),
        )
        for seq, line in table.talk[-_MOST_TALK:]
        if line.phrase or (line.text and free_text)
    )


def _ended_board(table: Table, ended: Ended) -> BoardView:
    """The board of a table that ended before the game: nothing is hidden, nothing to be played."""
    return msgspec.structs.replace(
        _position(table).view(None),
        options=dict((table.start or _position(table)).options),
        to_move=None,
        asks="nothing",
        over=True,
        winners=ended.winners,
    )


def _clock_view(table: Table) -> ClockView | None:
    clocks = table.clocks
    clock = clocks.clock
    if clock.kind == "none":
        return None
    return ClockView(
        clock.kind,
        clock.seconds,
        clock.increment,
        table.opened.on_time,
        tuple(round(left, 3) for left in clocks.left),
        clocks.running,
        clocks.since,
    )


def result_of(table: Table, board: BoardView, words: Words, names: Sequence[str]) -> str:
    """How a table that is over ended."""
    if table.ended is None:
        return tongues.result(words, board, names)
    return speech.early_end(words, table.ended.why, [names[seat - 1] for seat in table.ended.winners])


def _actions_in(board: BoardView) -> list[str]:
    """Every choice on a board that is no space, each once."""
    if not board.ways and not board.barred:
        return list(board.actions)
    spaces = {cell.name for cell in board.cells}
    found = dict.fromkeys(board.actions)
    waiting: list[Ways] = [board.ways, board.barred]
    while waiting:
        for choice, further in waiting.pop().items():
            if choice not in spaces:
                found[choice] = None
            if not isinstance(further, str):
                waiting.append(further)
    return list(found)


@dataclass(slots=True)
class _Log:
    """The sentences of a table's first steps, each step with what is said of it (None: nothing)."""

    names: tuple[str, ...]
    over: bool
    steps: list[Step]
    said: list[str]


_logs: OrderedDict[tuple[str, str], _Log] = OrderedDict()  # by table and language, the last used at last
_MOST_LOGS = 2048
_MOST_TALK = 40


def log_of(table: Table, words: Words, names: tuple[str, ...]) -> tuple[str, ...]:
    """One sentence a turn. What a tile showed is told only while it is in hand, or when it is no secret."""
    key = (table.id, words.language)
    over = table.status == "over"
    log = _logs.get(key)
    if log is None or log.names != names or log.over != over:
        log = _logs[key] = _Log(names, over, [], [])
        while len(_logs) > _MOST_LOGS:
            _logs.popitem(last=False)
    _logs.move_to_end(key)
    while log.steps and not (
        len(log.steps) <= len(table.steps) and log.steps[-1] is table.steps[len(log.steps) - 1]
    ):
        if not isinstance(log.steps.pop().turn, Draw):
            log.said.pop()
    for step in table.steps[len(log.steps) :]:
        log.steps.append(step)
        if not isinstance(step.turn, Draw):
            log.said.append(_logged(table, step, words, names))
    return tuple(log.said)


def _logged(table: Table, step: Step, words: Words, names: Sequence[str]) -> str:
    turn = table.playing.public_turn(step.turn)
    return tongues.whole_turn_sentence(words, table.opened.game, turn, names[step.seat - 1], step.walks)


def tell(table: Table, seq: int, viewer: Viewer, *, with_view: bool) -> Told:
    """Event ``seq`` as ``viewer`` may know it now: a tile that was turned over and placed since, without its
    value while that is secret (IO-21)."""
    told = _tell_all(table, seq, viewer.words)
    return structs.replace(told, view=view_of(table, viewer)) if with_view else told


def _tell_all(table: Table, seq: int, words: Words) -> Told:
    """What everybody may know of event ``seq``, without the table as it then is."""
    event = table.events[seq - 1]
    names = names_at(table, words)
    seat, turn, drawn = _facts(table, seq, event)
    walks: tuple[Walk, ...] = ()
    said = ""
    if isinstance(event, Came):
        step = Drew(drawn) if drawn else Draw()
        said = tongues.turn_sentence(words, table.opened.game, step, names[event.seat - 1])
    elif isinstance(event, Played):
        took = next(step for step in reversed(table.steps) if step.seq == seq)
        walks = took.walks
        public = table.playing.public_turn(took.turn)
        said = tongues.turn_sentence(words, table.opened.game, public, names[event.seat - 1], walks)
    elif isinstance(event, StoodIn):
        level = words(speech.LEVEL_NAMES[event.level])
        said = words(speech.STOOD_IN, name=names[event.seat - 1], level=level)
    elif isinstance(event, Said) and event.phrase:
        phrase = words(speech.PHRASES[event.phrase])
        said = words(speech.SAYS, name=names[event.seat - 1], said=phrase)
    elif isinstance(event, Ended):
        said = speech.early_end(words, event.why, [names[seat - 1] for seat in event.winners])
    elif type(event) in _SENTENCES and seat is not None:
        said = words(_SENTENCES[type(event)], name=names[seat - 1])
    return Told(seq, _kind(event), seat, turn, drawn, walks, said, None)


class Painted:
    """A table as it is at one moment, painted and encoded once for all who see the same."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._own_eyes = {table.by, *(seat.holder for seat in table.seats)}
        self._views: dict[tuple[str | None, str], EncodedView] = {}
        self._told: dict[tuple[int, str], Told] = {}
        self._messages: dict[tuple[int, str | None, str, bool], bytes] = {}

    def view(self, viewer: Viewer) -> EncodedView:
        """The table as ``viewer`` may see it, as JSON."""
        key = self._eyes(viewer), viewer.words.language
        if key not in self._views:
            self._views[key] = encode_view(view_of(self.table, viewer))
        return self._views[key]

    def message(self, seq: int, viewer: Viewer, *, with_view: bool) -> bytes:
        """Event ``seq`` for ``viewer`` as Server-Sent Events write it; see :func:`tell`."""
        key = (seq, self._eyes(viewer) if with_view else None, viewer.words.language, with_view)
        if key not in self._messages:
            told = self._told.get((seq, viewer.words.language))
            if told is None:
                told = self._told[seq, viewer.words.language] = _tell_all(self.table, seq, viewer.words)
            if with_view:
                told = structs.replace(told, view=as_view(self.view(viewer)))
            self._messages[key] = b"id: %d\ndata: %s\n\n" % (seq, encode_view(told))
        return self._messages[key]

    def _eyes(self, viewer: Viewer) -> str | None:
        """Whose eyes he sees the table with: those of a player or of who opened it, or everybody's."""
        return viewer.holder if viewer.holder in self._own_eyes else None


def as_view(encoded: EncodedView) -> TableView:
    """A view that is encoded already, where a view stands in what is to be encoded. Raises :class:`TypeError` for bytes
    of any other origin."""
    if type(encoded) is not EncodedView:
        raise TypeError("only what encode_view wrote stands for a view")
    return cast(TableView, msgspec.Raw(encoded))


_SENTENCES: dict[type[Event], str] = {
    Seated: speech.SAT_DOWN,
    Left: speech.LEFT,
    Started: speech.BEGINS,
    TimedOut: speech.TIMED_OUT,
    Returned: speech.RETURNED,
    Resigned: speech.RESIGNED,
    Again: speech.AGAIN,
}
"""What is said of events that need no more than the name of their seat."""


def _kind(event: Event) -> str:
    return str(type(event).__struct_config__.tag)


def _facts(table: Table, seq: int, event: Event) -> tuple[int | None, str | None, str | None]:
    """Seat, turn and drawn value of an event, as far as everybody may know them now."""
    match event:
        case Came(seat, value):
            return seat, "draw", value if _drawn_is_public(table, seq) else None
        case Played(seat, text):
            return seat, table.playing.public_turn(table.playing.game.read(text)).text, None
        case (
            Seated(seat)
            | Left(seat)
            | Renamed(seat)
            | Again(seat=seat)
            | Held(seat)
            | Gone(seat)
            | Said(seat)
        ):
            return seat, None, None
        case TimedOut(seat) | StoodIn(seat) | Returned(seat) | Resigned(seat):
            return seat, None, None
        case Started(first):
            return first, None, None
        case Opened() | Paced() | Ended():
            return None, None, None


def _drawn_is_public(table: Table, seq: int) -> bool:
    """Whether what came with event ``seq`` may be told now: it is in hand, or its turn is told in full."""
    for event in table.events[seq:]:
        if isinstance(event, Played):
            turn = table.playing.game.read(event.turn)
            return table.playing.public_turn(turn) == turn
    return True


def frames_of(table: Table, words: Words) -> tuple[Frame, ...]:
    """Every turn of a finished game, for watching it again; none while it goes on."""
    if table.status != "over" or table.start is None:
        return ()
    names = names_at(table, words)
    position = table.start.revealed()
    before = position.view(None)
    frames = []
    for step in table.steps:
        position = position.follow(step.turn)
        after = position.view(None)
        changes = tuple(
            _change(words, cell, after, names)
            for cell, was in zip(after.cells, before.cells, strict=True)
            if (cell.lies, cell.pile) != (was.lies, was.pile)
        )
        said = tongues.whole_turn_sentence(
            words, table.opened.game, step.turn, names[step.seat - 1], step.walks
        )
        frames.append(Frame(step.seat, step.turn.text, said, changes, step.walks))
        before = after
    return tuple(frames)


def beginning_of(table: Table, words: Words) -> tuple[Change, ...]:
    """Every space before the first turn of a finished game; none while it goes on."""
    if table.status != "over" or table.start is None:
        return ()
    view = table.start.view(None)
    names = names_at(table, words)
    return tuple(_change(words, cell, view, names) for cell in view.cells)


def _change(words: Words, cell: Cell, view: BoardView, names: Sequence[str]) -> Change:
    return Change(cell.name, cell.lies, cell.pile, tongues.cell_label(words, cell, view, names))
