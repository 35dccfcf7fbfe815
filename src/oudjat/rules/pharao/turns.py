"""The throws and turns of Pharao with their spelling (FORMATS.md 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from oudjat.rules.errors import N_, UnreadableTurn
from oudjat.rules.halves import Half
from oudjat.rules.pharao import core as rules
from oudjat.rules.stepping import other_from, other_to, own_from, own_to
from oudjat.rules.thirty_houses import read_house
from oudjat.rules.throwing import ThrownTurn


@dataclass(frozen=True, slots=True)
class PharaoTurn(ThrownTurn):
    """PH-3: a throw, an own piece's move and one of the opponent's; None for a half in which nothing moves.

    ``ending`` says how far it comes: WHOLE, FIRST, BOXED_IN or SURROUNDED of the core.
    """

    own: Half | None = None
    other: Half | None = None
    ending: int = rules.WHOLE

    @property
    def text(self) -> str:
        throw = spell_throw(self.hand)
        if self.ending == rules.BOXED_IN:
            return f"{throw}:--"
        first = self.own.text if self.own else "-"
        if self.ending == rules.FIRST:
            return f"{throw}:{first}"
        if self.ending == rules.SURROUNDED:
            return f"{throw}:{first}/--"
        return f"{throw}:{first}/{self.other.text if self.other else '-'}"


def turn_of(hand: int, code: int) -> PharaoTurn:
    """The turn that the core writes as this number, made with this throw."""
    return PharaoTurn(
        hand,
        _half(own_from(code), own_to(code)),
        _half(other_from(code), other_to(code)),
        rules.ending(code),
    )


def _half(start: int, end: int) -> Half | None:
    return Half(rules.PLACES.index(start), rules.PLACES.index(end)) if start else None


def spell_throw(hand: int) -> str:
    """``3,1``: the own die, the other die."""
    return f"{rules.own_die(hand)},{rules.other_die(hand)}"


def read_throw(text: str) -> int:
    """PH-3: what the core holds for ``3,1``. Raises :class:`UnreadableTurn`."""
    if not re.fullmatch(r"[0-4],[0-2]", text, re.ASCII):
        raise UnreadableTurn(
            "PH-3",
            N_("“{throw}” is no throw; the first die shows 0 to 4, the second 0 to 2, as in 3,1."),
            throw=text[:40],
        )
    return rules.hand_of(int(text[0]), int(text[2]))


_TURN = re.compile(r"(\d+,\d+):(?:(--)|(-|\d+-\d+)(?:/(--|-|\d+-\d+))?)", re.ASCII)


def read_turn(text: str) -> PharaoTurn:
    """The turn that ``text`` spells. Raises :class:`UnreadableTurn`: PH-1 for a house, PH-3 for a throw that does
    not exist, else ``record``.

    >>> read_turn("0,1:-/22-21").other, read_turn("3,1:16-15").ending
    (Half(start=22, end=21), 1)
    """
    parts = _TURN.fullmatch(text)
    if not parts:
        raise UnreadableTurn(
            "record",
            N_("“{text}” is no turn; write 3,1:5-8/22-21, with - where nothing moves."),
            text=text[:40],
        )
    throw, boxed_in, first, second = parts.groups()
    hand = read_throw(throw)
    if boxed_in:
        return PharaoTurn(hand, ending=rules.BOXED_IN)
    if second is None:
        return PharaoTurn(hand, _read_half(first), ending=rules.FIRST)
    if second == "--":
        return PharaoTurn(hand, _read_half(first), ending=rules.SURROUNDED)
    return PharaoTurn(hand, _read_half(first), _read_half(second))


def _read_half(text: str) -> Half | None:
    if text == "-":
        return None
    start, end = text.split("-")
    return Half(read_house(start, "PH-1"), read_house(end, "PH-1"))
