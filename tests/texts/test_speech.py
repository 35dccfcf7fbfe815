"""What is said of positions and turns, in three languages."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from oudjat.engine.levels import LEVELS
from oudjat.rules.game import BoardView, Draw, Drew, IllegalTurn, Position, Turn
from oudjat.rules.isis_osiris import ISIS_OSIRIS, Pass, PlacePiece, PlaceTile
from oudjat.texts import speech, tongues
from oudjat.texts.catalog import Words, words_in
from oudjat.texts.tongues.isis_osiris import spoken_value
from tests.texts.kit import LANGUAGES, played, played_out

NAMES = ("Ada", "Bo", "Cy", "Di")
NARROW = "\N{NARROW NO-BREAK SPACE}"


def fine(sentence: str) -> None:
    """A sentence has no gap, no ASCII minus before a digit, and no space at its ends."""
    assert sentence == sentence.strip()
    assert sentence
    assert not re.search(r"[{}]|-\d|None", sentence), sentence


def each_in_three_languages(*expected: str) -> list[tuple[Words, str]]:
    return [(words_in(language), text) for language, text in zip(LANGUAGES, expected, strict=True)]


def label(words: Words, position: Position, space: str) -> str:
    view = position.view(None)
    return tongues.cell_label(words, view.cell(space), view, NAMES)


@pytest.mark.parametrize(
    ("space", "memory", "said"),
    [
        ("a1", "strict", ("a1, free.", "a1, frei.", "a1, libre.")),
        (
            "c3",
            "strict",
            ("c3, Ada's green piece.", "c3, grüner Spielstein von Ada.", "c3, pion vert, Ada."),
        ),
        ("c4", "strict", ("c4, face-down tile.", "c4, verdeckte Tafel.", "c4, plaque cachée.")),
        ("c4", "open", ("c4, tile minus three.", "c4, Tafel minus drei.", "c4, plaque moins trois.")),
    ],
)
def test_spaces(space: str, memory: str, said: tuple[str, ...]) -> None:
    position = played("Pc3", "-3c4", memory=memory)
    for words, text in each_in_three_languages(*said):
        assert label(words, position, space) == text


def test_every_colour_has_its_own_piece() -> None:
    position = played("Pa1", "Pb1", "Pc1", "Pd1", players=4)
    for language in LANGUAGES:
        said = {label(words_in(language), position, space)[2:] for space in ("a1", "b1", "c1", "d1")}
        assert len(said) == 4


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        (
            PlacePiece(0),
            (
                "Ada placed a piece on a1.",
                "Ada hat einen Spielstein auf a1 gelegt.",
                "Ada a posé un pion en a1.",
            ),
        ),
        (Draw(), ("Ada turned over a tile.", "Ada hat eine Tafel aufgedeckt.", "Ada a retourné une plaque.")),
        (
            Drew("-4"),
            (
                "Ada turned over minus four.",
                "Ada hat minus vier aufgedeckt.",
                "Ada a retourné un moins quatre.",
            ),
        ),
        (
            PlaceTile(-4, 0),
            (
                "Ada placed the tile on a1.",
                "Ada hat die Tafel auf a1 gelegt.",
                "Ada a posé la plaque en a1.",
            ),
        ),
        (Pass(), ("Ada passed.", "Ada hat gepasst.", "Ada a passé son tour.")),
    ],
)
def test_turns(turn: Turn, said: tuple[str, ...]) -> None:
    for words, text in each_in_three_languages(*said):
        assert tongues.turn_sentence(words, ISIS_OSIRIS.id, turn, "Ada") == text


def test_whole_turns_tell_a_value_only_when_it_is_public() -> None:
    """IO-21."""
    for words in map(words_in, LANGUAGES):
        hidden = tongues.whole_turn_sentence(words, ISIS_OSIRIS.id, PlaceTile(None, 0), "Ada")
        shown = tongues.whole_turn_sentence(words, ISIS_OSIRIS.id, PlaceTile(-2, 0), "Ada")
        fine(hidden)
        fine(shown)
        assert not re.search(r"\d(?<!a1)", hidden.replace("a1", ""))
        assert "−2" in shown
        assert tongues.whole_turn_sentence(words, ISIS_OSIRIS.id, Pass(), "Ada") == tongues.turn_sentence(
            words, ISIS_OSIRIS.id, Pass(), "Ada"
        )


def test_a_turn_of_another_kind_has_no_sentence() -> None:
    with pytest.raises(TypeError):
        tongues.turn_sentence(words_in("en"), ISIS_OSIRIS.id, Turn(), "Ada")


def asked(position: Position, **how: bool) -> list[str]:
    view = position.view(position.to_move)
    return [
        tongues.prompt(words_in(language), view, NAMES, **({"mine": True} | how)) for language in LANGUAGES
    ]


def test_prompts_of_a_beginning() -> None:
    start = played()
    assert asked(start) == [
        "Your turn. Place a piece, or turn over a tile.",
        "Du bist dran. Lege einen Spielstein oder decke eine Tafel auf.",
        "À vous de jouer. Posez un pion, ou retournez une plaque.",
    ]
    assert asked(start, several=True)[1].startswith("Ada, du bist dran. ")
    assert asked(start, mine=False) == ["Ada is to move.", "Ada ist am Zug.", "C’est à Ada de jouer."]


def test_prompts_with_a_tile_in_hand() -> None:
    position = played("draw", "drew -2")
    assert asked(position) == [
        "Your turn. Place −2 face down on a free space.",
        "Du bist dran. Lege −2 verdeckt auf ein freies Feld.",
        "À vous de jouer. Posez −2 face cachée sur une case libre.",
    ]
    for sentence in asked(position, mine=False):
        fine(sentence)
        assert "−2" in sentence


def test_every_prompt_of_whole_games_is_a_sentence() -> None:
    seen: set[str] = set()
    for view in views_of_a_game("shared") + views_of_a_game("normal"):
        for language in LANGUAGES:
            for mine in (True, False):
                sentence = tongues.prompt(words_in(language), view, NAMES, mine=mine)
                fine(sentence)
                seen.add(re.sub(r"[+−]\d", "±", sentence))
    for last in (
        "You have nothing to place and must pass.",
        "You have no tile left: place a piece.",
        "You have no piece left: turn over a tile.",
    ):
        assert f"Your turn. {last}" in seen


def views_of_a_game(variant: str) -> list[BoardView]:
    """Views of a game in which Ada places pieces as long as she can, and Bo tiles."""
    position: Position = ISIS_OSIRIS.start(2, variant=variant)
    luck = tuple(f"{value:+d}" for value in (1, 2, -1, -2) for _ in range(2)) + ("+2", "-2") * 4 + ("+3",) * 2
    luck += ("-3",) * 2 + ("+4", "-4")
    views = []
    while position.outcome is None:
        views.append(position.view(position.to_move))
        if position.asks == "chance":
            position = position.apply(position.comes(luck))
            continue
        choices = position.choices()
        position = position.apply(choices[0] if position.to_move == 1 else choices[-1])
    return [*views, position.view(None)]


def test_results() -> None:
    view = played_out(1).view(None)

    def end(winners: tuple[int, ...], *scores: int | None) -> list[str]:
        seats = tuple(replace(seat, score=score) for seat, score in zip(view.seats, scores, strict=True))
        told = replace(view, seats=seats, winners=winners)
        return [tongues.result(words_in(language), told, NAMES) for language in LANGUAGES]

    assert end((1,), 12, 3) == [
        "Ada wins with 12 points.",
        "Ada gewinnt mit 12 Punkten.",
        "Ada gagne avec 12 points.",
    ]
    assert end((2,), -5, -1) == [
        "Bo wins with −1 point.",
        "Bo gewinnt mit −1 Punkt.",
        "Bo gagne avec −1 point.",
    ]
    assert end((1, 2), 7, 7) == [
        "Ada and Bo share the win with 7 points each.",
        "Ada und Bo teilen sich den Sieg mit je 7 Punkten.",
        "Ada et Bo se partagent la victoire à 7 points.",
    ]
    assert end((), None, None)[1] == "Die Partie ist zu Ende."


def test_lists_of_names() -> None:
    assert [speech.listed(words_in("de"), NAMES[:count]) for count in range(5)] == [
        "",
        "Ada",
        "Ada und Bo",
        "Ada, Bo und Cy",
        "Ada, Bo, Cy und Di",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_of_a_game_is_told_in_whole_sentences(language: str, players: int) -> None:
    position, words = played_out(players, players), words_in(language)
    view = position.view(None)
    fine(tongues.result(words, view, NAMES))
    assert tongues.prompt(words, view, NAMES, mine=False) == tongues.result(words, view, NAMES)
    sentences = speech.scoring_sentences(words, ISIS_OSIRIS.scoring(position), NAMES)
    assert len(sentences) == players
    for sentence, name, seat in zip(sentences, NAMES, view.seats, strict=False):
        fine(sentence)
        assert sentence.startswith(name)
        assert sentence.endswith(f"{speech.shown(seat.score or 0)}.")
    for cell in view.cells:
        fine(tongues.cell_label(words, cell, view, NAMES))


def test_refusals_name_their_rule_and_show_a_real_minus() -> None:
    error = IllegalTurn("IO-8", "The tile that is turned over shows {value}; place that one.", value="-2")
    assert [speech.refusal(words_in(language), error) for language in LANGUAGES] == [
        "The tile that is turned over shows −2; place that one. (IO-8)",
        "Die aufgedeckte Tafel zeigt −2; lege diese. (IO-8)",
        f"La plaque retournée montre −2{NARROW}; posez celle-là. (IO-8)",
    ]
    unread = IllegalTurn("record", "There is no game “{game}” here.", game="at-once")
    assert speech.refusal(words_in("de"), unread) == "Ein Spiel „at-once“ gibt es hier nicht."


def test_seats_are_called_by_name_by_level_or_by_colour() -> None:
    for words, level, colour in zip(
        map(words_in, LANGUAGES), ("Priest", "Priester", "Prêtre"), ("Yellow", "Gelb", "Jaune"), strict=True
    ):
        assert speech.seat_name(words, name="Ada", colour="yellow", level=None) == "Ada"
        assert speech.seat_name(words, name="", colour="yellow", level="priest") == level
        assert speech.seat_name(words, name="", colour="yellow", level=None) == colour


def test_every_level_has_a_name_and_a_sentence() -> None:
    assert list(speech.LEVEL_NAMES) == list(LEVELS)
    assert list(speech.LEVEL_SENTENCES) == list(LEVELS)
    for words in map(words_in, LANGUAGES):
        for level in LEVELS:
            assert words(speech.LEVEL_NAMES[level]) in words(speech.LEVEL_SENTENCES[level])


def test_numbers_for_eyes_and_ears() -> None:
    assert [speech.shown(number, signed=True) for number in (-3, 0, 3)] == ["−3", "0", "+3"]
    for language in LANGUAGES:
        said = {spoken_value(words_in(language), f"{value:+d}") for value in (-4, -3, -2, -1, 1, 2, 3, 4)}
        assert len(said) == 8
        assert not any(re.search(r"\d", text) for text in said)


def test_seats_are_all_called_differently_whatever_their_names() -> None:
    words = words_in("en")
    for names in (["Ada 1", "Ada", "Ada"], ["Scribe 2", "", ""], ["Ada", "Ada", "Ada 2", "Ada"]):
        levels = [None if name else "scribe" for name in names]
        seats = [(name, "green", level) for name, level in zip(names, levels, strict=True)]
        called = speech.seat_names(words, seats)
        assert len(set(called)) == len(names), called
