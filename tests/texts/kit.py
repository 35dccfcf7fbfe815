"""What the tests of the texts share."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from oudjat.rules.game import Draw, Position
from oudjat.rules.isis_osiris import ISIS_OSIRIS

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "oudjat"
LANGUAGES = ("en", "de", "fr")
TRANSLATIONS = ("de", "fr")

Sentence = str | tuple[str, ...]
"""A sentence, or one for 1 and one for many."""


@cache
def marked() -> frozenset[Sentence]:
    """Every sentence that the code and the templates mark."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    found = extract_from_dir(SOURCES, methods, options, keywords={"N_": None, "_": None, "count": (1, 2)})
    return frozenset(message if isinstance(message, str) else tuple(message) for _, _, message, _, _ in found)


@cache
def catalog(language: str) -> Catalog:
    """A language's file as it is."""
    with (SOURCES / "texts" / "locales" / language / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(sentence: str | Iterable[str] | None) -> tuple[str, ...]:
    """The sentence in each of its forms."""
    return (sentence,) if isinstance(sentence, str) else tuple(sentence or ())


def pairs(language: str) -> list[tuple[str, str]]:
    """Every English sentence with its translation, form by form."""
    return [
        pair
        for message in catalog(language)
        if message.id
        for pair in zip(forms(message.id), forms(message.string), strict=True)
    ]


def gaps(sentence: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def played(*turns: str, players: int = 2, memory: str = "strict", variant: str = "normal") -> Position:
    """The position after these turns; "draw" and "drew +3" are the steps of a turn."""
    position: Position = ISIS_OSIRIS.start(players, options={"memory": memory}, variant=variant)
    for text in turns:
        step, _, value = text.partition(" ")
        if step == "draw":
            position = position.apply(Draw())
        elif step == "drew":
            position = position.apply(next(drew for drew, _ in position.chance() if drew.outcome == value))
        else:
            position = position.follow(ISIS_OSIRIS.read(text))
    return position


def played_out(seed: int, players: int = 2) -> Position:
    """The end of a game in which everybody does anything."""
    chance = random.Random(seed)
    luck = ISIS_OSIRIS.luck(chance)
    position: Position = ISIS_OSIRIS.start(players)
    while position.outcome is None:
        turn = position.comes(luck) if position.asks == "chance" else chance.choice(position.choices())
        position = position.apply(turn)
    return position
