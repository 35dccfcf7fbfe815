"""The rules pages: every rule has its place, in three languages alike."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from oudjat.rules.registry import GAMES
from oudjat.texts.pages import rules_html, rules_markdown
from tests.texts.kit import LANGUAGES

RULING = {"en": "Ruling.", "de": "Unsere Regelung.", "fr": "Notre règle."}
RULES = {
    "isis-osiris": ("IO", 21),
    "isis": ("IS", 14),
    "ramses": ("RA", 7),
    "pharao": ("PH", 7),
    "senet": ("SE", 8),
}
"""What the numbers of a game's rules begin with, and how many there are."""
RULINGS = {
    "isis-osiris": {"IO-15", "IO-16", "IO-20", "IO-21"},
    "isis": {"IS-8", "IS-9", "IS-10", "IS-11", "IS-14"},
    "ramses": {"RA-1", "RA-4", "RA-7"},
    "pharao": {"PH-2", "PH-4", "PH-5", "PH-6", "PH-7"},
    "senet": {"SE-7", "SE-8"},
}


def rules_named(game: str, text: str) -> list[str]:
    return re.findall(rf"\b{RULES[game][0]}-\d+", text)


def kinds(game: str, language: str) -> list[str]:
    """The page as a row of its parts, opened one after another, without what they say."""
    tokens = MarkdownIt("commonmark").enable("table").parse(rules_markdown(game, language))
    return [f"{token.type} {token.tag}" for token in tokens if token.nesting == 1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_can_be_looked_up(game: str, language: str) -> None:
    letters, last = RULES[game]
    text = rules_markdown(game, language)
    assert set(re.findall(r"\b[A-Z]{2}-\d+", text)) == {
        f"{letters}-{number}" for number in range(1, last + 1)
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_our_rulings_are_marked_and_say_which_rule(game: str, language: str) -> None:
    quotes = re.findall(r"^> (.*)$", rules_markdown(game, language), re.MULTILINE)
    assert all(quote.startswith(f"**{RULING[language]}**") for quote in quotes)
    assert {rule for quote in quotes for rule in rules_named(game, quote)} == RULINGS[game]
    assert len(quotes) == len(RULINGS[game])


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_of_a_game_are_built_alike(game: str) -> None:
    english = kinds(game, "en")
    assert english.count("heading_open h1") == 1
    assert english[0] == "heading_open h1"
    assert {kind for kind in english if kind.startswith("heading")} == {"heading_open h1", "heading_open h2"}
    assert english.count("table_open table") == 2
    for language in LANGUAGES:
        assert kinds(game, language) == english


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_name_the_same_rules_and_numbers_in_the_same_order(game: str) -> None:
    def rules_of(language: str) -> list[str]:
        return rules_named(game, rules_markdown(game, language))

    def numbers(language: str) -> list[str]:
        return sorted(re.findall(r"[+−±]?\d+", rules_markdown(game, language)))

    for language in LANGUAGES:
        assert rules_of(language) == rules_of("en")
        assert numbers(language) == numbers("en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_numbers_have_a_real_minus_sign_and_there_is_no_html(game: str, language: str) -> None:
    text = rules_markdown(game, language)
    assert not re.search(r"(?<![\w:-])-\d", text)
    assert not re.search(r"<[a-z/!]", text)
    assert "&lt;" not in rules_html(game, language)
    assert "<table>" in rules_html(game, language)


@pytest.mark.parametrize("game", GAMES)
def test_french_punctuation_never_begins_a_line(game: str) -> None:
    text = rules_markdown(game, "fr")
    without_tables = re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)
    assert not re.search(r" [;:!?»]|« |'", without_tables)
