"""What every registered game promises: the same suite for all, and nothing that one of them may lack."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction

import pytest

from oudjat.records import Record, RecordError, read_records, replay, result_tags, setup_tags, write_record
from oudjat.rules.game import (
    Draw,
    Drew,
    IllegalTurn,
    Position,
    SetupError,
    Turn,
    UnreadableTurn,
    follow_all,
    read_step,
)
from oudjat.rules.perft import perft, whole_turns
from oudjat.rules.registry import GAMES
from oudjat.rules.views import turns_in
from oudjat.texts.catalog import LANGUAGES, words_in
from oudjat.texts.pages import rules_markdown
from oudjat.texts.tongues import TONGUES, cell_label, further, prompt, turn_sentence, whole_turn_sentence
from tests.rules.golden import FILES, FOLDER, random_steps

EVERY_GAME = pytest.mark.parametrize("game_id", GAMES)
NAMES = ("Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Guy")


def setups(game_id: str) -> list[Position]:
    """Beginnings with the least and the most players, every variant, and each option set to each value."""
    game = GAMES[game_id]
    fewest, most = game.players[0], game.players[-1]
    return [
        game.start(fewest),
        *(game.start(most, variant=variant, first=most) for variant in game.variants),
        *(
            game.start(fewest, options={option.key: value})
            for option in game.options
            for value in option.values[1:]
        ),
    ]


def games_of(game_id: str) -> list[list[tuple[Position, Turn, Position]]]:
    """A random game from each beginning."""
    return [list(random_steps(start, random.Random(7))) for start in setups(game_id)]


@EVERY_GAME
def test_a_game_declares_itself(game_id: str) -> None:
    game = GAMES[game_id]
    assert game.id == game_id
    assert game.players[0] == 2
    assert len(game.colours) == len(game.shapes) == game.players[-1]
    assert len(set(game.colours)) == len(game.colours)
    assert (game.thrown is None) == (game.chance is None) == (game.luck(random.Random(1)) == ())
    assert game.start().turns == 0
    for wrong in (
        {"players": game.players[-1] + 1},
        {"variant": "nowhere"},
        {"first": 3},
        {"options": {"nothing": "yes"}},
        *({"options": {option.key: "perhaps"}} for option in game.options),
    ):
        with pytest.raises(SetupError):
            game.start(**wrong)  # type: ignore[arg-type]


@EVERY_GAME
def test_whole_games_keep_what_every_position_promises(game_id: str) -> None:
    game = GAMES[game_id]
    for steps in games_of(game_id):
        for at, (before, turn, after) in enumerate(steps):
            assert game is before.game
            assert before.to_move is not None
            assert before.outcome is None
            assert turn == (read_step(game, turn.text))
            assert before.apply(turn) == after
            assert hash(before.apply(turn)) == hash(after)
            assert after.turns == before.turns + (not isinstance(turn, Draw | Drew))
            if before.asks == "chance":
                assert sum(chance for _, chance in before.chance()) == Fraction(1)
                assert turn in [came for came, _ in before.chance()]
                assert before.choices() == ()
            else:
                assert turn in before.choices()
                assert before.chance() == ()
            if at % 16 == 0:
                assert pickle.loads(pickle.dumps(after)) == after
        last = steps[-1][2]
        assert last.to_move is None
        assert last.asks == "nothing"
        assert last.choices() == ()
        assert last.outcome is not None
        assert last.outcome.winners
        if game.limit:
            assert last.turns <= game.limit
        with pytest.raises(IllegalTurn):
            last.apply(steps[-1][1])


@EVERY_GAME
def test_what_was_told_of_a_turn_stays_so_until_the_game_is_over(game_id: str) -> None:
    """A house keeps the sentences of earlier turns, and makes them anew at the end only."""
    for steps in games_of(game_id):
        told = {turn: after.public_turn(turn) for _, turn, after in steps[:-1]}
        for _, _, later in steps[:-1:7]:
            assert all(later.public_turn(turn) == public for turn, public in told.items())


@EVERY_GAME
def test_a_turn_is_legal_exactly_when_it_is_listed(game_id: str) -> None:
    """Turns of one position are tried in others; what is not listed is refused with a rule of this game."""
    (steps, *_) = games_of(game_id)
    prefix = {"isis-osiris": "IO", "isis": "IS", "ramses": "RA", "pharao": "PH", "senet": "SE"}[game_id]
    everything = [turn for before, _, _ in steps[::9] for turn in before.choices()]
    sample = random.Random(3).sample(everything, min(60, len(everything)))
    for before, _, _ in steps[::7]:
        listed = set(before.choices())
        for turn in sample:
            if turn in listed:
                before.apply(turn)
                continue
            with pytest.raises(IllegalTurn) as refused:
                before.apply(turn)
            assert refused.value.rule.startswith(f"{prefix}-"), turn
            assert str(refused.value)


@EVERY_GAME
def test_a_record_with_any_illegal_turn_says_which_rule_in_a_sentence(game_id: str) -> None:
    """Whatever gaps a refusal has, a record's error can be told."""
    told = set()
    for steps in games_of(game_id):
        start = steps[0][0]
        tags = tuple(setup_tags(start, first=start.to_move or 1).items())
        turns = [turn.text for _, turn, _ in steps if not isinstance(turn, Draw | Drew)]
        for at in range(0, min(len(turns), 60), 10):
            before = follow_all(start, turns[:at])
            listed = {turn.text for turn in whole_turns(before)}
            for bad in random.Random(at).sample(turns, min(12, len(turns))):
                if bad in listed:
                    continue
                with pytest.raises(RecordError) as refused:
                    replay(Record(tags, (*turns[:at], bad)))
                error = refused.value
                assert error.turn == at + 1
                assert error.token == bad
                assert "{" not in str(error)
                told.add(error.template)
    assert len(told) >= 2


@EVERY_GAME
def test_views_tell_exactly_the_turns(game_id: str) -> None:
    """What a board offers, by one choice, by several or by none, are the turns; and nobody else is offered any."""
    for steps in games_of(game_id)[:2]:
        for before, _, _ in steps[::5]:
            view = before.view(before.to_move)
            offered = (
                [turn for cell in view.cells for turn in cell.offers]
                + list(view.actions)
                + turns_in(view.ways)
            )
            assert sorted(offered) == sorted(turn.text for turn in before.choices())
            barred = [turn.text for turn, _ in before.barred()]
            assert sorted(turns_in(view.barred)) == sorted(barred)
            for spectator in (None, before.players if before.to_move == 1 else 1):
                seen = before.view(spectator)
                assert not seen.actions
                assert not seen.ways
                assert not any(cell.offers for cell in seen.cells)
            assert view.options == dict(before.options)
            assert len({cell.name for cell in view.cells}) == len(view.cells)
            places = [
                (row, column)
                for cell in view.cells
                for row in range(cell.row, cell.row + cell.rows)
                for column in range(cell.column, cell.column + cell.columns)
            ]
            assert len(set(places)) == len(places)
            assert max(row for row, _ in places) < view.rows
            assert max(column for _, column in places) < view.columns


@EVERY_GAME
def test_walks_lead_from_where_a_piece_stood_to_where_it_stands(game_id: str) -> None:
    for steps in games_of(game_id)[:2]:
        for before, turn, after in steps:
            if isinstance(turn, Draw | Drew):
                continue
            seen, then = before.view(None), after.view(None)
            names = {cell.name for cell in seen.cells}
            for walk in before.walks(turn):
                assert len(walk) >= 2
                assert set(walk[:-1]) <= names
            for walk in before.walks(turn)[-1:]:
                if walk[-1] in names:
                    end = then.cell(walk[-1])
                    assert end.lies or end.pile


@EVERY_GAME
def test_records_are_read_back_byte_for_byte(game_id: str) -> None:
    for steps in games_of(game_id):
        start, last = steps[0][0], steps[-1][2]
        turns = tuple(turn.text for _, turn, _ in steps if not isinstance(turn, Draw | Drew))
        assert follow_all(start, turns) == last
        tags = setup_tags(start, first=start.to_move or 1) | result_tags(last.outcome)
        text = write_record(Record(tuple(tags.items()), turns))
        (found,) = read_records(text)
        assert isinstance(found, Record)
        assert write_record(found) == text
        assert replay(found).last == last


@EVERY_GAME
def test_what_is_no_turn_is_refused_with_a_sentence(game_id: str) -> None:
    for text in (
        "",
        "x",
        "1-1-1",
        "99",
        "-",
        "٣-٤",
        "P",
        "+9z9",
        "1:1:1",
        "0-99",
        "*",
        "!",
        "4-10/",
        "7,7:1-2/3-4",
    ):
        with pytest.raises(UnreadableTurn) as refused:
            GAMES[game_id].read(text)
        assert str(refused.value).endswith(".")


@EVERY_GAME
def test_every_step_has_its_sentences_in_three_languages(game_id: str) -> None:
    for language in LANGUAGES:
        words = words_in(language)
        rules_markdown(game_id, language)
        tongue = TONGUES[game_id]
        for sentence in (tongue.summary, tongue.board, *tongue.in_short):
            assert words(sentence)
        options = {option.key: option.values for option in GAMES[game_id].options}
        for key, values in options.items():
            called, helps = tongue.options[key]
            assert words(called)
            assert set(helps) == set(values)
    words = words_in("en")
    for steps in games_of(game_id)[:3]:
        for before, turn, _ in steps[::3]:
            view = before.view(before.to_move)
            said = [cell_label(words, cell, view, NAMES) for cell in view.cells]
            said += [prompt(words, view, NAMES, mine=mine) for mine in (True, False)]
            said += further(words, view, NAMES)
            walks = before.walks(turn) if before.asks != "chance" else ()
            said += [
                turn_sentence(words, game_id, turn, "Ada", walks),
                whole_turn_sentence(words, game_id, turn, "Ada", walks),
            ]
            assert all(sentence and "{" not in sentence for sentence in said)


def plainly(position: Position, depth: int) -> int:
    """Sequences of so many turns, each gone through by itself."""
    turns = list(whole_turns(position))
    return len(turns) if depth == 1 else sum(plainly(position.follow(turn), depth - 1) for turn in turns)


@pytest.mark.parametrize(("game_id", "depth"), [("isis-osiris", 1), ("isis", 5), ("ramses", 2), ("senet", 3)])
def test_perft_counts_every_sequence_once(game_id: str, depth: int) -> None:
    start = GAMES[game_id].start()
    assert list(perft(start, depth))[-1] == plainly(start, depth)
    assert len(set(whole_turns(start))) == plainly(start, 1)


@pytest.mark.parametrize("name", FILES)
def test_golden_files_are_what_the_rules_give(name: str) -> None:
    make, game = FILES[name]
    assert (FOLDER / name).read_text(encoding="utf-8") == make(game)


def test_no_golden_file_is_left_over() -> None:
    assert {file.name for file in FOLDER.glob("*.txt")} == set(FILES)
