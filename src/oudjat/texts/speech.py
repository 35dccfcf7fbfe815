"""What is said of every game, for eyes and ears: numbers, names, scores, results, refusals.

Every display speaks through these functions and through the games' own (:mod:`oudjat.texts.tongues`), so that the
web, the terminal and a screen reader say the same. ``names`` are the seats' names in seat order, already in the
reader's language (see :func:`seat_name`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from oudjat.rules.game import N_, BoardView, ScoredPiece, TurnError
from oudjat.texts.catalog import Words

COLOUR_NAMES = {
    "green": N_("Green"),
    "yellow": N_("Yellow"),
    "black": N_("Black"),
    "violet": N_("Violet"),
    "turquoise": N_("Turquoise"),
    "red": N_("Red"),
    "white": N_("White"),
    "light": N_("Light"),
    "dark": N_("Dark"),
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

_NUMBER = re.compile(r"-\d+", re.ASCII)

SOMEONE = N_("Someone")
"""Who has deleted his account."""
WAITING = N_("Waiting for everybody to sit down.")
SAT_DOWN = N_("{name} sat down.")
AGAIN = N_("{name} has set up another game.")
BEGINS = N_("All are here. {name} begins.")
LEFT = N_("{name} left the table.")
TIMED_OUT = N_("{name} has no time left.")
STOOD_IN = N_("A bot plays on for {name}: the {level}.")
RETURNED = N_("{name} is back.")
RESIGNED = N_("{name} resigns.")


PHRASES = {
    "hello": N_("Hello!"),
    "good-luck": N_("Good luck!"),
    "have-fun": N_("Have fun!"),
    "well-remembered": N_("Well remembered!"),
    "well-played": N_("Well played!"),
    "oh-no": N_("Oh no!"),
    "i-forgot": N_("I have forgotten where it lies."),
    "moment": N_("One moment, please."),
    "your-turn": N_("It is your turn."),
    "sorry": N_("Sorry!"),
    "good-game": N_("Good game!"),
    "thanks": N_("Thank you!"),
    "again": N_("Another game?"),
    "bye": N_("I have to go. Goodbye!"),
}
"""Ready phrases for talk at a table, by name: each reader gets them in his language."""
SAYS = N_("{name}: {said}")


def shown(number: int | str, *, signed: bool = False) -> str:
    """A number for eyes, with a real minus sign.

    >>> shown(-3), shown("+4"), shown(7), shown(7, signed=True)
    ('−3', '+4', '7', '+7')
    """
    text = f"{number:+d}" if signed and isinstance(number, int) and number else str(number)
    return text.replace("-", "\N{MINUS SIGN}")


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


def listed(words: Words, names: Sequence[str]) -> str:
    """Names joined: "Ada", "Ada and Bo", "Ada, Bo and Cy"."""
    if len(names) < 2:
        return "".join(names)
    return words(N_("{most} and {last}"), most=", ".join(names[:-1]), last=names[-1])


def result(words: Words, view: BoardView, names: Sequence[str]) -> str:
    """Who won, and with how many points where the game has points and they are public."""
    if not view.winners:
        return words(N_("The game is over."))
    winners = listed(words, [names[seat - 1] for seat in view.winners])
    best = view.seats[view.winners[0] - 1].score
    if best is None:
        if len(view.winners) > 1:
            return words(N_("A draw between {names}."), names=winners)
        return words(N_("{name} wins."), name=winners)
    # Translators: stands after "with"; the number may be negative.
    points = words.count("{number} point", "{number} points", best).replace("-", "\N{MINUS SIGN}")
    if len(view.winners) > 1:
        return words(N_("{names} share the win with {points} each."), names=winners, points=points)
    return words(N_("{name} wins with {points}."), name=winners, points=points)


def clock_said(words: Words, kind: str, seconds: int, increment: int) -> str:
    """How long players may take, in a few words; empty where there is no clock.

    >>> from oudjat.texts.catalog import words_in
    >>> clock_said(words_in("en"), "game", 600, 5), clock_said(words_in("en"), "turn", 90, 0)
    ('10 min + 5 s', '90 s a turn')
    >>> clock_said(words_in("en"), "days", 172800, 0)
    '2 days a turn'
    """
    if kind == "days":
        return words.count("{number} day a turn", "{number} days a turn", seconds // 86_400)
    span = words(N_("{minutes} min"), minutes=seconds // 60)
    if seconds % 60:
        span = words(N_("{seconds} s"), seconds=seconds)
    if kind == "turn":
        return words(N_("{span} a turn"), span=span)
    if kind == "game":
        return words(N_("{span} + {increment} s"), span=span, increment=increment) if increment else span
    return ""


def on_time_said(words: Words, on_time: str) -> str:
    """What becomes of a seat whose time runs out, ``on_time`` as tables say it: ``bot:LEVEL`` or ``forfeit``."""
    kind, _, level = on_time.partition(":")
    if kind == "bot":
        return words(
            N_("When somebody's time runs out, a bot plays on: the {level}."), level=words(LEVEL_NAMES[level])
        )
    return words(N_("Who runs out of time has lost."))


def early_end(words: Words, why: str, winners: Sequence[str]) -> str:
    """How a table ended before the game did, ``why`` as records write it."""
    name = listed(words, winners)
    if why == "resignation":
        return words(N_("{name} wins, for the other resigned."), name=name)
    if why == "time forfeit":
        return words(N_("{name} wins on time."), name=name)
    return words(N_("The table was left without a result."))


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
