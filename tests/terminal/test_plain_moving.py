"""Games in which pieces move, line by line."""

import io
import re
from pathlib import Path

import pytest

from oudjat.cli import main
from oudjat.records import Record, read_records, replay
from oudjat.rules.game import Draw, SetupError
from oudjat.rules.registry import GAMES
from oudjat.terminal.choosing import Choosing
from oudjat.terminal.match import Match
from oudjat.terminal.pace import PACES
from oudjat.terminal.plain import PlainFace
from oudjat.terminal.seating import read_options
from oudjat.terminal.start import Wish, play
from oudjat.terminal.typed import typed
from oudjat.texts.catalog import words_in
from tests.terminal.kit import BOT, ME, a_match, first_way, played_until, scripted

MOVING = [game for game in GAMES if GAMES[game].thrown != "tiles"]


def said_to(match: Match, said: str) -> str:
    out = io.StringIO()
    PlainFace(match, ("Ada", "Bo"), words_in("en"), io.StringIO(said), out, PACES["at-once"]).play()
    return out.getvalue()


@pytest.mark.parametrize("game", MOVING)
def test_a_whole_game_of_bots_and_its_record(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Match, "thinking", scripted)
    file = tmp_path / "game.txt"
    wish = Wish(game, "novice,novice", plain=True, seed=22, lang="en", record=file)
    assert play(wish, {}) == 0
    written = capsys.readouterr()
    assert written.err == ""
    assert "wins." in written.out or "A draw" in written.out
    assert "The board is full" not in written.out
    (record,) = read_records(file.read_text(encoding="utf-8"))
    assert isinstance(record, Record)
    assert replay(record).last.outcome is not None


@pytest.mark.parametrize("game", MOVING)
def test_a_whole_game_typed_against_a_bot(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn as it is written without its throw, and now and then one choice after another."""
    monkeypatch.setattr(Match, "thinking", scripted)
    whole = played_until(a_match((ME, BOT), seed=22, game=game), 2000)
    said = []
    for step in whole.happened:
        if step.seat == 1 and step.turn == Draw():
            said.append("throw")
        elif step.seat == 1 and not step.turn.text.startswith("drew"):
            turn = step.turn.text
            said.append("pass" if turn.endswith(("--", ":-/-")) else turn.rpartition(":")[2])
    match = a_match((ME, BOT), seed=22, game=game)
    told = said_to(match, "\n".join(said))
    assert match.turns == whole.turns
    assert "no command" not in told


def test_choices_typed_one_after_another() -> None:
    match = a_match((ME, ME), game="ramses")
    told = said_to(match, "2\nback\n2-8\nmoves\n19\n6\n")
    assert [turn.text for turn in match.turns] == ["2-8/19-6"]
    assert "Where does it go?\n8, 10\n" in told
    assert "Now a piece of Bo.\n19: 2, 6\n21: 12\n22: 13\n" in told


def test_a_throw_comes_first_and_may_be_left_out() -> None:
    match = a_match((ME, ME), game="senet", seed=2)
    told = said_to(match, "1-2\nthrow\nthrow\n4:1-2\n1-3\nquit\n")
    assert "Throw first; then take a turn with what comes. (SE-2)" in told
    assert "Ada threw 1." in told
    assert "1 was thrown, not 4" in told
    assert told.count("(SE-2)") >= 3


def test_what_is_asked_is_answered() -> None:
    told = said_to(
        a_match((ME, ME), game="isis"),
        "help\nmoves\nboard\nwhat is 0\n44?\n77?\n77\n15\n0-13!\nfoo\npass\n0-99\nlog\nrules\n0-13\nboard\nquit\n",
    )
    for sentence in (
        "0-13: take a turn, whole as here or one choice after another.",
        "0: 13, 14",
        " 0:ooooooo",
        "44, throne, free.",
        "There is no space 77; spaces are 0 to 50.",
        "On 15 is nothing that you can move now.",
        "“foo” is no command",
        "(IS-12)",
        "(IS-1)",
        "Nothing has happened yet.",
        "(IS-13)",
        "Ada brought a piece out to 13.",
        "13:o",
        "o a neutral piece",
        "You left the game before its end.",
    ):
        assert sentence in told, sentence
    assert "throw" not in told
    for game in ("ramses", "pharao", "senet"):
        told = said_to(a_match((ME, ME), game=game), "help\nboard\nmoves\npass\nrules\nquit\n")
        assert ("throw, t: Throw" in told) == bool(GAMES[game].thrown)
        assert " 2:" in told
        assert "You cannot pass while there is something to do." in told


@pytest.mark.parametrize("game", MOVING)
def test_every_turn_can_be_typed(game: str) -> None:
    match = a_match((ME, ME), game=game)
    for _ in range(60):
        if match.over:
            break
        view = match.view()
        for turn in match.position.choices():
            assert typed(Choosing(view), turn.text) == turn.text
        way = first_way(view)
        if way:
            found = typed(Choosing(view), " ".join(way))
            assert found in [turn.text for turn in match.position.choices()]
        match.take(scripted(match)())


def test_options_are_pairs_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert read_options(["pieces=7"], None) == (("pieces", "7"),)
    assert read_options([], "open") == (("memory", "open"),)
    with pytest.raises(SetupError, match="memory is set twice"):
        read_options(["memory=strict"], "open")
    for wish, told in (
        (Wish("senet", option=("pieces",)), "key=value"),
        (Wish("senet", option=("pieces=6",)), "5, 7, 10"),
        (Wish("senet", memory="open"), "no option “memory”"),
        (Wish("senet", "me,me,me"), "Senet is for 2 players, not 3"),
        (Wish("isis", ",".join(["me"] * 8)), "2 to 7 players"),
    ):
        assert play(wish, {"LC_ALL": "en"}) == 2
        error = capsys.readouterr().err
        assert told in error
        assert error.count("\n") == 1


def test_the_help_names_every_game_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["play", "--help"])
    assert not left.value.code
    told = re.sub(r"[\s│]+", " ", capsys.readouterr().out)
    for game in GAMES.values():
        assert f"{game.id}: {', '.join(option.key for option in game.options)}." in told
        least, most = game.players[0], game.players[-1]
        assert (f"{game.id} ({least} to {most})" in told) == (most > 2)
