"""The fair shuffle: what a table promises before its first turn, opens at its end, and how a record is held to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from random import Random

from oudjat.house.events import Started
from oudjat.records import Record, RecordError, replay
from oudjat.rules.game import N_, Draw, Game, Position, Turn

NOT_FAIR = N_("Turn {turn} brought {came}; by the luck that was promised it is {due}.")
WITHHELD = N_("Turn {turn} does not say what came; an opened record says it.")
_NO_PROMISE = N_("This record holds no promise; download it from a table where luck has a part.")
_NOT_OPENED = N_("This record was given out before the end: salt and luck are not opened yet.")
_NOT_THE_HASH = N_("The hash of salt and luck is {hash}, not the promise.")
_NOT_WHAT_WAS_SEEN = N_("The promise in the record is not the one that was seen at the beginning.")
_NO_LUCK = N_("The luck is none that this game can have.")


def promise_of(salt: str, luck: tuple[str, ...]) -> str:
    """The hash that a table publishes before its first turn: SHA-256 of the salt, a colon and the luck joined
    by spaces. At the end salt and luck are shown, and anybody can make it again.

    >>> promise_of("00", ("+1", "-4"))[:12]
    '16da622074f1'
    """
    return hashlib.sha256(f"{salt}:{' '.join(luck)}".encode()).hexdigest()


def fair_tags(started: Started | None, *, over: bool) -> dict[str, str]:
    """What a record carries to be held to its promise: the promise, and from the end on what opens it. Nothing
    for a game without luck."""
    if started is None or not started.luck:
        return {}
    opened = {"Salt": started.salt, "Luck": " ".join(started.luck)} if over else {}
    return {"Promise": started.promise} | opened


class NotFair(RecordError):
    """The record is not what was promised; ``turn`` is the first that differs, 0 when it is the promise itself."""


class NothingToCheck(RecordError):
    """The record does not carry what it takes."""


@dataclass(frozen=True, slots=True)
class Held:
    """A record that is what was promised: so many ``turns``, in ``brought`` of them luck had a part. ``promise`` is
    None in a game without luck; ``seen`` tells whether it was compared with one from the beginning."""

    game: Game
    promise: str | None
    turns: int
    brought: int
    seen: bool


def hold(record: Record, seen: str | None = None) -> Held:
    """Hold a record to its promise: every turn is legal, the hash of salt and luck is the promise (and the promise
    the one that was ``seen`` at the beginning, when given), and whatever came is what the luck gives, in order.

    Raises :class:`NothingToCheck`, :class:`NotFair`, or another :class:`RecordError` for an illegal turn.
    """
    replayed = replay(record)
    game = replayed.game
    if game.chance is None:
        return Held(game, None, len(record.turns), 0, seen=False)
    promise, salt, luck_written = (record.tag(name) for name in ("Promise", "Salt", "Luck"))
    if promise is None:
        raise _at(record, NothingToCheck, _NO_PROMISE, tag="Game")
    if salt is None or luck_written is None:
        raise _at(record, NothingToCheck, _NOT_OPENED, tag="Promise")
    luck = tuple(luck_written.split())
    if promise_of(salt, luck) != promise:
        raise _at(record, NotFair, _NOT_THE_HASH, tag="Promise", hash=promise_of(salt, luck))
    if seen is not None and promise != seen.strip().lower():
        raise _at(record, NotFair, _NOT_WHAT_WAS_SEEN, tag="Promise")
    if not _possible(game, luck):
        raise _at(record, NotFair, _NO_LUCK, tag="Luck")
    brought = 0
    for number, token in enumerate(record.turns, 1):
        position = replayed.positions[number - 1]
        turn = game.read(token)
        if turn in position.choices():
            continue
        came, due = _came(position, turn), position.apply(Draw()).comes(luck).outcome
        brought += 1
        if came != due:
            raise NotFair(
                "fair",
                WITHHELD if came is None else NOT_FAIR,
                number=record.number,
                turn=number,
                token=token,
                line=record.line_of_turn(number),
                gaps={"turn": number} if came is None else {"turn": number, "came": came, "due": due},
            )
    return Held(game, promise, len(record.turns), brought, seen=seen is not None)


def _came(position: Position, turn: Turn) -> str | None:
    """What chance brought for a whole ``turn`` that cannot be taken without; None when the turn withholds it."""
    drawing = position.apply(Draw())
    outcomes = (drew for drew, _ in drawing.chance() if turn in drawing.apply(drew).choices())
    return next((drew.outcome for drew in outcomes), None)


def _possible(game: Game, luck: tuple[str, ...]) -> bool:
    """Whether a game can have this luck: these tiles in another order, or so many throws of its dice or sticks."""
    some = game.luck(Random(0))
    if game.thrown == "tiles":
        return sorted(luck) == sorted(some)
    throws = {drew.outcome for drew, _ in game.start().apply(Draw()).chance()}
    return len(luck) == len(some) and throws.issuperset(luck)


def _at(record: Record, kind: type[RecordError], template: str, *, tag: str, **gaps: str) -> RecordError:
    """A fault of the whole record, told at one of its tags."""
    token = f"{tag} {record.tag(tag)}"[:40]
    return kind(
        "fair", template, number=record.number, turn=0, token=token, line=record.line_of_tag(tag), gaps=gaps
    )
