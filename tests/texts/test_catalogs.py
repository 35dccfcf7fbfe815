"""The sentences of the code and their translations go together; script/texts brings them together."""

from __future__ import annotations

import re

import pytest

from oudjat.texts.catalog import words_in
from tests.texts.kit import TRANSLATIONS, catalog, forms, gaps, marked, pairs

NARROW = "\N{NARROW NO-BREAK SPACE}"
TERMS = {  # the word in English, in German, in French
    r"\btiles?\b": ("Tafel", "plaque"),
    r"\bpieces?\b": ("Spielstein", "pion"),
    r"\ba (free )?space\b|\bfree space\b": ("Feld", "case"),
    r"\bstock\b": ("Vorrat", "réserve"),
    r"±20 marker": ("±20-Marke", "marqueur ±20"),
    r"\bface-down tile\b": ("verdeckte", "cachée"),
    r"\b(turn over|turned over|turns over) a tile\b": ("auf", ""),
}


def test_sentences_are_found() -> None:
    assert len(marked()) > 200
    assert {"Play now", "{space}, free.", ("{number} point", "{number} points")} <= marked()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_sentence_is_in_the_catalog_and_nothing_else(language: str) -> None:
    there = catalog(language)
    known = {
        message.id if isinstance(message.id, str) else tuple(message.id) for message in there if message.id
    }
    assert known == marked(), "run script/texts, then translate what is new"
    assert not there.obsolete
    assert not [message.id for message in there if message.id and message.fuzzy]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_sentence_is_translated_in_every_form(language: str) -> None:
    there = catalog(language)
    for message in there:
        if message.id:
            strings = forms(message.string)
            assert all(strings), message.id
            assert len(strings) == (there.num_plurals if message.pluralizable else 1), message.id


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_gaps_are_those_of_the_english_sentence(language: str) -> None:
    for english, translated in pairs(language):
        assert gaps(translated) == gaps(english), english


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_sentence_ends_as_the_english_one_and_names_the_same_rules(language: str) -> None:
    for english, translated in pairs(language):
        for sign in ".:…?":
            assert translated.endswith(sign) == english.endswith(sign), english
        assert re.findall(r"IO-\d+", translated) == re.findall(r"IO-\d+", english), english
        assert translated == " ".join(translated.split(" ")).strip(), english


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_quotes_and_spaces_are_those_of_the_language(language: str) -> None:
    for english, translated in pairs(language):
        assert ('"' in translated) == ('"' in english), english
        assert "'" not in translated, english
        if language == "de":
            assert translated.count("„") == translated.count("“") == english.count("“"), english
            assert "”" not in translated, english
        else:
            assert translated.count("«" + NARROW) == translated.count(NARROW + "»") == english.count("“"), (
                english
            )
            assert not re.search(r"[“”„]|\S [;:!»]|« |[\w)»}][;:!?](?=\s|$)|\S \?$", translated), english


@pytest.mark.parametrize(("language", "place"), [("de", 0), ("fr", 1)])
def test_the_words_of_the_game_are_always_the_same(language: str, place: int) -> None:
    for english, translated in pairs(language):
        said = re.sub(r"\{\w+\}", "", english)
        for word, terms in TERMS.items():
            if re.search(word, said, re.IGNORECASE):
                assert terms[place].lower() in translated.lower(), english


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [
        ("en", 1, "1 point"),
        ("en", -1, "-1 point"),
        ("en", 0, "0 points"),
        ("de", 1, "1 Punkt"),
        ("de", 0, "0 Punkten"),
        ("de", -12, "-12 Punkten"),
        ("fr", 0, "0 point"),
        ("fr", -1, "-1 point"),
        ("fr", -2, "-2 points"),
        ("fr", 21, "21 points"),
    ],
)
def test_counted_things(language: str, number: int, said: str) -> None:
    assert words_in(language).count("{number} point", "{number} points", number) == said


def test_a_language_that_does_not_exist_is_refused() -> None:
    with pytest.raises(KeyError):
        words_in("tlh")
