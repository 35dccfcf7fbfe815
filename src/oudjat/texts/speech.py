"""What is said of a game, for eyes and ears: spaces, turns, prompts, scores, results.

Every display speaks through these functions, so that the web, the terminal and a screen reader say the same.
``names`` are the seats' names in seat order, already in the reader's language (see :func:`seat_name`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from oudjat.rules.game import N_, BoardView, Cell, Draw, Drew, ScoredPiece, Turn, TurnError
from oudjat.rules.isis_osiris import SPACE_NAMES, Pass, PlacePiece, PlaceTile, spell_value
from oudjat.texts.catalog import Words

COLOUR_NAMES = {
    "green": N_("Green"),
    "yellow": N_("Yellow"),
    "black": N_("Black"),
    "violet": N_("Violet"),
}
LEVEL_NAMES = {
    "novice": N_("Novice"),
    "scribe": N_("Scribe"),
    "priest": N_("Priest"),
    "vizier": N_("Vizier"),
    "pharaoh": N_("Pharaoh"),
}
LEVEL_SENTENCES = {
    "novice": N_("The Novice forgets a tile after a few turns and minds only its own points."),
    "scribe": N_("The Scribe forgets as people do and weighs what you may do next."),
    "priest": N_("The Priest forgets nothing and keeps tiles for later."),
    "vizier": N_("The Vizier forgets nothing and knows what a position is worth."),
    "pharaoh": N_("The Pharaoh searches far ahead and plays the end perfectly."),
}
"""What each level is, in a sentence."""

_PIECE_HERE = {
    "green": N_("{space}, {name}'s green piece."),
    "yellow": N_("{space}, {name}'s yellow piece."),
    "black": N_("{space}, {name}'s black piece."),
    "violet": N_("{space}, {name}'s violet piece."),
}
_SPOKEN = {
    "+1": N_("plus one"),
    "+2": N_("plus two"),
    "+3": N_("plus three"),
    "+4": N_("plus four"),
    "-1": N_("minus one"),
    "-2": N_("minus two"),
    "-3": N_("minus three"),
    "-4": N_("minus four"),
}

_NUMBER = re.compile(r"-\d+", re.ASCII)

WAITING = N_("Waiting for everybody to sit down.")
SAT_DOWN = N_("{name} sat down.")
AGAIN = N_("{name} has set up another game.")
BEGINS = N_("All are here. {name} begins.")


def shown(number: int | str, *, signed: bool = False) -> str:
    """A number for eyes, with a real minus sign.

    >>> shown(-3), shown("+4"), shown(7), shown(7, signed=True)
    ('−3', '+4', '7', '+7')
    """
    text = f"{number:+d}" if signed and isinstance(number, int) and number else str(number)
    return text.replace("-", "\N{MINUS SIGN}")


def spoken_value(words: Words, face: str) -> str:
    """A tile's value for ears: "plus three"."""
    return words(_SPOKEN[face])


def seat_name(words: Words, *, name: str, colour: str, level: str | None) -> str:
    """How a seat is called: the name its player gave, else the bot's level, else the colour."""
    if name:
        return name
    return words(LEVEL_NAMES[level]) if level else words(COLOUR_NAMES[colour])


def seat_names(words: Words, seats: Iterable[tuple[str, str, str | None]]) -> list[str]:
    """What the seats are called, in seat order and all different: two scribes are Scribe 1 and Scribe 2.

    ``seats`` gives the name, colour and level of each, as :func:`seat_name` takes them.
    """
    names = [seat_name(words, name=name, colour=colour, level=level) for name, colour, level in seats]
    often = Counter(names)
    told: list[str] = []
    for name in names:
        number = 1
        called = f"{name} 1" if often[name] > 1 else name
        while called in told or (called != name and called in often):
            number += 1
            called = f"{name} {number}"
        told.append(called)
    return told


def cell_label(words: Words, cell: Cell, view: BoardView, names: Sequence[str]) -> str:
    """What a space says of itself: "c4, face-down tile."."""
    lies = cell.lies
    if lies is None:
        return words(N_("{space}, free."), space=cell.name)
    if lies.kind == "piece" and lies.seat is not None:
        colour = view.seats[lies.seat - 1].colour
        return words(_PIECE_HERE[colour], space=cell.name, name=names[lies.seat - 1])
    if lies.face is None:
        return words(N_("{space}, face-down tile."), space=cell.name)
    return words(N_("{space}, tile {value}."), space=cell.name, value=spoken_value(words, lies.face))


def turn_sentence(words: Words, turn: Turn, name: str) -> str:
    """What happened, for everybody. Of a placed tile never the value: that was said when it was turned over."""
    match turn:
        case PlacePiece(space):
            return words(N_("{name} placed a piece on {space}."), name=name, space=SPACE_NAMES[space])
        case Draw():
            return words(N_("{name} turned over a tile."), name=name)
        case Drew(outcome):
            return words(N_("{name} turned over {value}."), name=name, value=spoken_value(words, outcome))
        case PlaceTile(_, space):
            return words(N_("{name} placed the tile on {space}."), name=name, space=SPACE_NAMES[space])
        case Pass():
            return words(N_("{name} passed."), name=name)
    raise TypeError(f"no sentence for {turn!r}")


def whole_turn_sentence(words: Words, turn: Turn, name: str) -> str:
    """A whole turn as the log keeps it: of a tile its value only when the turn given still tells it."""
    if isinstance(turn, Drew):  # in hand: the turn is not whole yet
        return words(N_("{name} turned over {value}."), name=name, value=shown(turn.outcome))
    if not isinstance(turn, PlaceTile):
        return turn_sentence(words, turn, name)
    space = SPACE_NAMES[turn.space]
    if turn.value is None:
        return words(N_("{name} turned over a tile and placed it on {space}."), name=name, space=space)
    value = shown(spell_value(turn.value))
    return words(
        N_("{name} turned over {value} and placed it on {space}."), name=name, value=value, space=space
    )


def prompt(words: Words, view: BoardView, names: Sequence[str], *, mine: bool, several: bool = False) -> str:
    """What is asked and of whom. ``mine``: of the reader; ``several``: the reader plays more than one seat,
    so he is called by the seat's name."""
    if view.to_move is None:
        return result(words, view, names)
    name = names[view.to_move - 1]
    if not mine:
        if view.drawn:
            return words(
                N_("{name} turned over {value} and is placing it."), name=name, value=shown(view.drawn)
            )
        return words(N_("{name} is to move."), name=name)
    yours = words(N_("{name}, your turn."), name=name) if several else words(N_("Your turn."))
    if view.drawn:
        asked = words(N_("Place {value} face down on a free space."), value=shown(view.drawn))
    elif "--" in view.actions:
        asked = words(N_("You have nothing to place and must pass."))
    elif "draw" not in view.actions:
        asked = words(N_("You have no tile left: place a piece."))
    elif not any(cell.offers for cell in view.cells):
        asked = words(N_("You have no piece left: turn over a tile."))
    else:
        asked = words(N_("Place a piece, or turn over a tile."))
    return f"{yours} {asked}"


def listed(words: Words, names: Sequence[str]) -> str:
    """Names joined: "Ada", "Ada and Bo", "Ada, Bo and Cy"."""
    if len(names) < 2:
        return "".join(names)
    return words(N_("{most} and {last}"), most=", ".join(names[:-1]), last=names[-1])


def result(words: Words, view: BoardView, names: Sequence[str]) -> str:
    """Who won, and with how many points where that is public."""
    winners = listed(words, [names[seat - 1] for seat in view.winners])
    best = view.seats[view.winners[0] - 1].score if view.winners else None
    if best is None:
        return words(N_("The game is over."))
    # Translators: stands after "with"; the number may be negative.
    points = words.count("{number} point", "{number} points", best).replace("-", "\N{MINUS SIGN}")
    if len(view.winners) > 1:
        return words(N_("{names} share the win with {points} each."), names=winners, points=points)
    return words(N_("{name} wins with {points}."), name=winners, points=points)


def scoring_sentences(words: Words, steps: Sequence[ScoredPiece], names: Sequence[str]) -> list[str]:
    """The scoring for ears, one sentence a colour: what each piece brings, and the total (IO-14)."""
    sentences = []
    for seat, group in groupby(steps, key=lambda step: step.seat):
        pieces = list(group)
        brought = ", ".join(
            words(N_("{space} {worth}"), space=step.space, worth=shown(step.worth, signed=True))
            for step in pieces
        )
        last = pieces[-1]
        sentence = N_("{name}: {pieces}; together {total}.")
        if last.markers:  # IO-15
            sentence = N_(
                "{name}: {pieces}; together {total}: ±20 markers taken {markers}, on the track {mark}."
            )
        sentences.append(
            words(
                sentence,
                name=names[seat - 1],
                pieces=brought,
                total=shown(last.total),
                markers=last.markers,
                mark=shown(last.mark),
            )
        )
    return sentences


def refusal(words: Words, error: TurnError) -> str:
    """Why a turn was refused, with the rule's number where there is one.

    >>> from oudjat.texts.catalog import words_in
    >>> refusal(words_in("en"), TurnError("IO-2", "No tile of {value} is left.", value="-4"))
    'No tile of −4 is left. (IO-2)'
    """
    gaps = {key: shown(gap) if _NUMBER.fullmatch(str(gap)) else gap for key, gap in error.gaps.items()}
    sentence = words(error.template, **gaps)
    return sentence if error.rule == "record" else f"{sentence} ({error.rule})"
