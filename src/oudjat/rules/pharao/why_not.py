"""Why a turn of Pharao cannot be taken: the rule and what to do instead."""

from __future__ import annotations

from collections.abc import Collection

from oudjat.rules.errors import N_, IllegalTurn
from oudjat.rules.halves import Grid
from oudjat.rules.layout import DARK, HAND, LIGHT, TO_MOVE
from oudjat.rules.pharao.core import (
    BOXED_IN,
    FIRST,
    PLACES,
    SURROUNDED,
    WATER,
    WIDTH,
    left_after,
    other_die,
    own_die,
)
from oudjat.rules.pharao.turns import PharaoTurn

GRID = Grid(PLACES, WIDTH, "PH-4")


def why_not(core: tuple[int, ...], turn: PharaoTurn, listed: Collection[PharaoTurn]) -> IllegalTurn:
    """The rule that forbids a turn, made with what was thrown, which is not one of those ``listed`` here."""
    only = next(iter(listed))
    if only.ending == BOXED_IN:
        return IllegalTurn(
            "PH-6",
            N_("None of your pieces can move {steps}: you are boxed in, and write {turn}."),
            steps=own_die(turn.hand),
            turn=only.text,
        )
    if turn.ending == BOXED_IN:
        return IllegalTurn(
            "PH-6", N_("You are not boxed in; take one of your turns, such as {turn}."), turn=only.text
        )
    wrong = _why_not_own(core, turn)
    if wrong:
        return wrong
    alike = [other for other in listed if other.own == turn.own]
    if alike[0].ending == FIRST:
        return IllegalTurn("PH-6", N_("The game ends with this half; write {turn}."), turn=alike[0].text)
    if turn.ending == FIRST:
        return IllegalTurn(
            "PH-3", N_("This is half a turn; go on with the second, such as {turn}."), turn=alike[0].text
        )
    return _why_not_other(core, turn, alike)


def _why_not_own(core: tuple[int, ...], turn: PharaoTurn) -> IllegalTurn | None:
    """Why the first half cannot be made; None when it can."""
    steps = own_die(core[HAND])
    if steps == 0:
        if turn.own is None:
            return None
        return IllegalTurn("PH-3", N_("Your die shows 0: no piece of yours moves; write - for this half."))
    if turn.own is None:
        return IllegalTurn("PH-3", N_("Your die shows {steps}; move one of your pieces."), steps=steps)
    own, other = core[LIGHT + core[TO_MOVE]], core[DARK - core[TO_MOVE]]
    if not own >> PLACES[turn.own.start] & 1:
        return IllegalTurn(
            "PH-3",
            N_("None of your pieces stands on {house}; first move one of yours."),
            house=turn.own.start,
        )
    if PLACES[turn.own.end] == WATER:
        return IllegalTurn("PH-5", N_("Nobody may end his own move in the water, on 27; end elsewhere."))
    return GRID.why_not(own | other, turn.own, steps)


def _why_not_other(core: tuple[int, ...], turn: PharaoTurn, alike: list[PharaoTurn]) -> IllegalTurn:
    """Why the second half cannot be made; ``alike`` are the legal turns with the same first half."""
    steps = other_die(core[HAND])
    if steps == 0:
        return IllegalTurn(
            "PH-3",
            N_("The second die shows 0: no piece of the opponent's moves; write {turn}."),
            turn=alike[0].text,
        )
    if alike[0].other is None:
        return IllegalTurn(
            "PH-6",
            N_("No piece of the opponent's can move {steps}; write {turn}."),
            steps=steps,
            turn=alike[0].text,
        )
    if turn.other is None:
        return IllegalTurn(
            "PH-6" if turn.ending == SURROUNDED else "PH-3",
            N_("The second die shows {steps}, and a piece of the opponent's can move so; move it."),
            steps=steps,
        )
    start, end = (turn.own.start, turn.own.end) if turn.own else (0, 0)
    own, other = left_after(core, PLACES[start], PLACES[end]), core[DARK - core[TO_MOVE]]
    if not other >> PLACES[turn.other.start] & 1:
        return IllegalTurn(
            "PH-3",
            N_("No piece of the opponent's stands on {house}; the second half moves one of his."),
            house=turn.other.start,
        )
    wrong = GRID.why_not(own | other, turn.other, steps)
    assert wrong, f"{turn.text} is legal and not listed"
    return wrong
