"""What a player types in ``--plain``, as a step of the game."""

from __future__ import annotations

import re

from oudjat.rules.game import N_, BoardView, Draw, UnreadableTurn
from oudjat.rules.views import turns_in
from oudjat.terminal.captions import not_chosen
from oudjat.terminal.choosing import Choosing
from oudjat.terminal.helps import without_throw
from oudjat.terminal.match import Match, can_draw, meant, unbound
from oudjat.terminal.written import no_space

_MOST_SHOWN = 40


def placing(view: BoardView, text: str) -> str:
    """The step that a line spells on a board that is filled; a bare space is what choosing it means.

    Raises :class:`UnreadableTurn` for what is no step.
    """
    named = [cell for cell in view.cells if cell.name == text.removeprefix("p")]
    if named:
        # Pc3 with a tile in hand asks for a piece, and is refused as one
        return f"P{named[0].name}" if text.startswith("p") else meant(view, named[0])
    if re.fullmatch(r"p?[a-z]\d+", text, re.ASCII):
        return f"P{text.removeprefix('p')}"  # no such space, and the rules say so
    if not re.fullmatch(r"[+-]\d+[a-z]\d+", text, re.ASCII):
        raise no_command(text)
    return text


def typed(choosing: Choosing, text: str) -> Choosing | str | None:
    """The turn that a line spells, whole or by its choices, with or without the throw; the choices so far when it
    is only the beginning of one; None when it is neither.

    >>> from oudjat.rules.ramses import RAMSES
    >>> begun = typed(Choosing(RAMSES.start().view(1)), "2-8")
    >>> begun.made, typed(begun, "19-6"), typed(begun, "2-8/19-6"), typed(begun, "2-3")
    (('2', '8'), '2-8/19-6', '2-8/19-6', None)
    """
    turns = {turn for on in (choosing.view.ways, choosing.view.barred) for turn in turns_in(on)}
    turns.update(choosing.view.actions)
    whole = [turn for turn in turns if text in (turn, without_throw(turn))]
    if whole:
        return whole[0]
    choices = re.findall(r"\d+|[^\d\s/>→-]+", text)
    for made in dict.fromkeys((choosing.made, ())):
        found: Choosing | str | None = Choosing(choosing.view, made)
        for choice in choices:
            if not isinstance(found, Choosing) or choice not in {**found.next(), **found.next(barred=True)}:
                found = None
                break
            found = found.choose(choice)
        if choices and found is not None:
            return found
    return None


def spelled(match: Match, choosing: Choosing, text: str) -> str:
    """A line that is no turn which can be taken now, so that the rules can say why not: with the throw, when it was
    left out. Raises :class:`UnreadableTurn` for what is nothing like a turn."""
    view = choosing.view
    thrown = view.drawn
    if view.thrown and thrown is None and can_draw(view):
        thrown = match.position.apply(Draw()).chance()[0][0].outcome  # any will do: one must throw first
    elif text in (cell.name for cell in view.cells):
        raise not_chosen(choosing, text)
    elif text.isdigit():
        raise no_space(view, text[:_MOST_SHOWN])
    if not re.fullmatch(r"[*\d][\d,:*!/>off-]*", text, re.ASCII):
        raise no_command(text)
    return text if thrown is None or ":" in text else f"{thrown}:{text}"


def passing(match: Match) -> str:
    """The turn that passes, or goes on where nothing can move. Raises :class:`UnreadableTurn` in games that know
    no pass, unless there is nothing else to do."""
    for turn in unbound(match.view()):
        return turn
    try:
        return match.game.read("--").text  # the rules say why not now
    except UnreadableTurn:
        raise UnreadableTurn("record", N_("You cannot pass while there is something to do.")) from None


def no_command(text: str) -> UnreadableTurn:
    """That a line is nothing at all."""
    return UnreadableTurn(
        "record", N_("“{text}” is no command; write help for all of them."), text=text[:_MOST_SHOWN]
    )
