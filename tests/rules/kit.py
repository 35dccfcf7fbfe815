"""What the tests of every game's rules ask of a position."""

from __future__ import annotations

import pytest

from oudjat.rules.game import Draw, Drew, IllegalTurn, Position, follow_all


def pieces(position: Position, seat: int) -> set[int]:
    """The spaces of a seat's pieces, on a board whose spaces are numbered."""
    lying = {cell.name: cell.lies for cell in position.view(None).cells}
    return {int(name) for name, lies in lying.items() if lies and lies.seat == seat}


def after(position: Position, turns: str) -> Position:
    """The position after whole turns, separated by blanks."""
    return follow_all(position, turns.split())


def thrown(position: Position, throw: object) -> Position:
    """The position with this throw to use."""
    return position.apply(Draw()).apply(Drew(str(throw)))


def texts(position: Position, throw: object = None) -> set[str]:
    """The turns that can be taken; with a throw, when this comes."""
    return {turn.text for turn in (position if throw is None else thrown(position, throw)).choices()}


def refused(position: Position, turn: str) -> IllegalTurn:
    """Why this turn cannot be taken; it must not be listed either."""
    assert turn not in texts(position)
    with pytest.raises(IllegalTurn) as refusal:
        position.follow(position.game.read(turn))
    return refusal.value
