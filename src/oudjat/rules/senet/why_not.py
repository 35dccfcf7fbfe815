"""Why a turn of Senet cannot be taken: the rule and what to do instead."""

from __future__ import annotations

from collections.abc import Collection

from oudjat.rules.errors import N_, IllegalTurn
from oudjat.rules.layout import DARK, LIGHT, TO_MOVE
from oudjat.rules.senet.core import (
    BEAUTY,
    FIRST_TEN,
    HORUS,
    LOST,
    OFF,
    blocks,
    paired,
    rebirth,
)
from oudjat.rules.senet.turns import SenetTurn


def why_not(core: tuple[int, ...], turn: SenetTurn, listed: Collection[SenetTurn]) -> IllegalTurn:
    """The rule that forbids a turn, made with what was thrown, which is not one of those ``listed`` here."""
    only = next(iter(listed))
    if turn.start == LOST:
        return IllegalTurn(
            "SE-6", N_("You have a move with this throw, such as {turn}; take one."), turn=only.text
        )
    own, other = core[LIGHT + core[TO_MOVE]], core[DARK - core[TO_MOVE]]
    if not own >> turn.start & 1:
        return IllegalTurn(
            "SE-3", N_("None of your pieces stands on {house}; move one of yours."), house=turn.start
        )
    if turn.start >= BEAUTY:
        return _why_not_late(own, other, turn)
    if turn.end > BEAUTY:
        return IllegalTurn(
            "SE-4", N_("A piece ends on house 26 before it goes beyond it; it needs the exact throw.")
        )
    if abs(turn.end - turn.start) != turn.hand:
        return IllegalTurn(
            "SE-3",
            N_("The piece on {house} moves {throw} houses along the path; {end} is not so far."),
            house=turn.start,
            throw=turn.hand,
            end=turn.end,
        )
    if turn.end < turn.start and only.end > only.start:
        return IllegalTurn(
            "SE-6",
            N_("Nobody moves backward who can move forward; take a move such as {turn}."),
            turn=only.text,
        )
    return _why_not_there(own, other, turn)


def _why_not_there(own: int, other: int, turn: SenetTurn) -> IllegalTurn:
    """What stands in the way of a move by the throw from a house on the way."""
    if own >> turn.end & 1:
        return IllegalTurn("SE-3", N_("A piece of yours stands on {house}; end elsewhere."), house=turn.end)
    if turn.end == BEAUTY:
        if other >> BEAUTY & 1:
            return IllegalTurn(
                "SE-5", N_("House 26 is taken, and nobody is swapped from there; move another piece.")
            )
    elif paired(other) >> turn.end & 1:
        return IllegalTurn(
            "SE-3",
            N_(
                "The piece on {house} has another of its side beside it and cannot be swapped; end elsewhere."
            ),
            house=turn.end,
        )
    low, high = sorted((turn.start, turn.end))
    three = next((house for house in range(low + 1, high - 2) if blocks(other) >> house & 1), 0)
    assert three, f"{turn.text} is legal and not listed"
    return IllegalTurn(
        "SE-3",
        N_("Three pieces in a row, from {house} on, cannot be passed; move another piece."),
        house=three,
    )


def _why_not_late(own: int, other: int, turn: SenetTurn) -> IllegalTurn:
    """Why the piece on 26 to 30 does not go there."""
    if turn.start == BEAUTY:
        due = OFF if turn.hand == OFF - BEAUTY else BEAUTY + turn.hand
        if turn.end != due:
            return IllegalTurn(
                "SE-4",
                N_(
                    "From house 26 a 1 leads to 27, the water, a 2 to 28, a 3 to 29, a 4 to 30, and a 5 off the board."
                ),
            )
    elif turn.end != OFF or (turn.start < HORUS and turn.hand != OFF - turn.start):
        return IllegalTurn(
            "SE-5", N_("House 28 is left by a 3, 29 by a 2 and 30 by any throw, and only off the board.")
        )
    if turn.end == OFF:
        assert own & FIRST_TEN, f"{turn.text} is legal and not listed"
        return IllegalTurn(
            "SE-7",
            N_("No piece is borne off while one of yours is on houses 1 to 10; bring that one on first."),
        )
    if turn.hand == 1:
        assert not rebirth(own | other), f"{turn.text} is legal and not listed"
        return IllegalTurn("SE-5", N_("No house up to 15 is free to take the piece out of the water."))
    return IllegalTurn(
        "SE-5",
        N_("House {house} is taken, and nobody is swapped from there; move another piece."),
        house=turn.end,
    )
