"""Why a turn of Isis is refused: the rule that forbids it, and a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Sequence

from oudjat.rules.game import N_, IllegalTurn, Turn
from oudjat.rules.isis.core import (
    ALL,
    ARRIVED,
    CLAIM_JUST_MOVED,
    EXITS,
    FIRST_OF_HEAVEN,
    HOME,
    JUST_MOVED,
    NEUTRAL,
    NO_PIECE,
    PIECE,
    PLAYERS,
    RANK_ALL,
    THRONES,
    TO_MOVE,
    ends_from,
    homes_open,
    neutral_below,
    occupied,
    onward_ends,
)
from oudjat.rules.isis.paths import steps_from
from oudjat.rules.isis.turns import Move, Pass, Personalize, place_of

OVER = N_("The game is over; no more turns can be taken.")
BARRED = N_("{turn} would bring back an earlier position of this game; choose another turn.")
_NO_PASS = N_("You cannot pass while you have a turn; move or personalize a piece.")
_NOT_ISIS = N_("“{turn}” is no turn of Isis; move a piece, personalize one, or pass if you can do neither.")

_NOBODY = N_("No piece stands on {square}; choose a square with a piece that you may move.")
_NONE_BELOW = N_("No neutral piece is in the Underworld; move another piece.")
_OTHERS = N_("The piece on {square} is another player's, and only its owner may move it; choose another.")
_OWN_UNMARKED = N_("The piece on {square} is your own; write *{turn} to move it.")
_OWNS_NONE = N_("You own no piece yet; write the turn without the * to move a neutral one.")
_OWN_ELSEWHERE = N_("Your own piece is on {place}, not on {square}; write *{place}-… to move it.")
_OWN_BELOW = N_("Your own piece is in the Underworld, not on {square}; write *0-… to move it.")
_JUST_MOVED = N_("The previous player has just moved the piece on {square}; move another one.")

_HOME_CLOSED = N_("At this table no piece is sent home into the Underworld; choose another turn.")
_NOT_ALL_OWN = N_("A piece is sent home only when every player owns one; choose another turn.")
_NO_WAY_HOME = N_(
    "The piece on {square} does not come home, through 16 or 17, in exactly {count} steps, the Underworld being the "
    "last; choose another turn."
)

_TAKEN = N_("A piece stands on {end}; choose a free square.")
_NEUTRAL_THRONE = N_("Only a personalized piece enters a throne; personalize the piece first.")
_THRONE_DOOR = N_(
    "A throne is entered only from the Heavenly Realm, through its door; choose another square."
)
_BACKWARD = N_(
    "A move that starts outside the Heavenly Realm never goes underworldward; choose another square."
)
_BLOCKED = N_(
    "Other pieces block every way of {count} squares from {square} to {end}; choose another square."
)
_NOT_SO_FAR = N_("A piece on {square} moves exactly {count} squares now, and {end} cannot be reached so.")
_NOT_SO_FAR_OUT = N_(
    "A piece leaving the Underworld moves exactly {count} squares now, and {end} cannot be reached so; the exit is "
    "the first."
)

_CLAIM_HEAVEN = N_(
    "Only a neutral piece on a square from 39 to 50 can be personalized; move a piece instead."
)
_CLAIM_TAKEN = N_("The piece on {square} is personalized already; choose a neutral one.")
_CLAIM_SECOND = N_("You own a piece already; a player personalizes only one.")
_CLAIM_JUST_MOVED = N_(
    "The previous player has just moved the piece on {square}, and at this table it cannot be personalized in the "
    "next turn; choose another."
)


def over(core: Sequence[int]) -> IllegalTurn:
    """The refusal of every turn once the game is over."""
    ranked = occupied(core) & THRONES or (core[RANK_ALL] and core[ARRIVED] == core[PLAYERS])
    return IllegalTurn("IS-13" if ranked else "IS-14", OVER)


def why_not(core: Sequence[int], turn: Turn) -> IllegalTurn:
    """The refusal of a turn that the core does not list here."""
    match turn:
        case Move():
            return _why_not_start(core, turn) or _why_not_end(core, turn)
        case Personalize(square):
            return _why_not_personalize(core, square)
        case Pass():
            return IllegalTurn("IS-12", _NO_PASS)
    return IllegalTurn("IS-4", _NOT_ISIS, turn=turn.text)


def _why_not_start(core: Sequence[int], move: Move) -> IllegalTurn | None:
    """Why this piece may not be moved at all, or None if it may."""
    start = move.start
    mine = core[PIECE + core[TO_MOVE]]
    if move.own:
        if mine == NO_PIECE:
            return IllegalTurn("IS-4", _OWNS_NONE)
        if mine == 0 != start:
            return IllegalTurn("IS-4", _OWN_BELOW, square=start)
        return IllegalTurn("IS-4", _OWN_ELSEWHERE, square=start, place=mine) if mine != start else None
    if start == 0:
        return None if neutral_below(core) else IllegalTurn("IS-4", _NONE_BELOW)
    if not core[NEUTRAL] >> start & 1:
        if start == mine:
            return IllegalTurn("IS-4", _OWN_UNMARKED, square=start, turn=move.text)
        if occupied(core) >> start & 1:
            return IllegalTurn("IS-4", _OTHERS, square=start)
        return IllegalTurn("IS-4", _NOBODY, square=start)
    return IllegalTurn("IS-8", _JUST_MOVED, square=start) if start == core[JUST_MOVED] else None


def _why_not_end(core: Sequence[int], move: Move) -> IllegalTurn:
    """Why a piece that may be moved does not come where this move ends."""
    start, end = move.start, move.end
    steps = steps_from(core, start)
    if end == 0 != start:
        return _why_not_home(core, start, steps)
    if occupied(core) >> end & 1:
        return IllegalTurn("IS-7", _TAKEN, end=end)
    if THRONES >> end & 1:
        if not move.own:
            return IllegalTurn("IS-7", _NEUTRAL_THRONE)
        if start < FIRST_OF_HEAVEN:
            return IllegalTurn("IS-7", _THRONE_DOOR)
    if end and 0 < start < FIRST_OF_HEAVEN and place_of(end)[1] < place_of(start)[1]:
        return IllegalTurn("IS-7", _BACKWARD)
    empty = ALL & ~(1 << start)
    ends = ends_from(empty, start, steps, 1) if start else onward_ends(empty, EXITS, steps - 1)
    if ends >> end & 1:
        return IllegalTurn("IS-7", _BLOCKED, square=start, end=end, count=steps)
    if start:
        return IllegalTurn("IS-6", _NOT_SO_FAR, square=start, end=end, count=steps)
    return IllegalTurn("IS-5", _NOT_SO_FAR_OUT, end=end, count=steps)


def _why_not_home(core: Sequence[int], start: int, steps: int) -> IllegalTurn:
    if not core[HOME]:
        return IllegalTurn("IS-11", _HOME_CLOSED)
    if not homes_open(core):
        return IllegalTurn("IS-11", _NOT_ALL_OWN)
    return IllegalTurn("IS-11", _NO_WAY_HOME, square=start, count=steps)


def _why_not_personalize(core: Sequence[int], square: int) -> IllegalTurn:
    if core[PIECE + core[TO_MOVE]] != NO_PIECE:
        return IllegalTurn("IS-9", _CLAIM_SECOND)
    if not core[NEUTRAL] >> square & 1:
        if square and occupied(core) >> square & 1:
            return IllegalTurn("IS-9", _CLAIM_TAKEN, square=square)
        return IllegalTurn("IS-9", _CLAIM_HEAVEN)
    if square < FIRST_OF_HEAVEN or core[CLAIM_JUST_MOVED]:
        return IllegalTurn("IS-9", _CLAIM_HEAVEN)
    return IllegalTurn("IS-9", _CLAIM_JUST_MOVED, square=square)
