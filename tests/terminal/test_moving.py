"""Games in which pieces move, on the full screen."""

from datetime import date

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from oudjat.records import read_records, replay, write_record
from oudjat.rules.game import Draw
from oudjat.rules.registry import GAMES
from oudjat.terminal.app import PlayApp
from oudjat.terminal.board import Board
from oudjat.terminal.hand import Hand
from oudjat.terminal.match import Match
from oudjat.terminal.numbered import BARRED, TARGET, TRAIL
from oudjat.texts.catalog import LANGUAGES, words_in
from oudjat.texts.tongues import TONGUES
from tests.terminal.kit import BOT, ME, a_match, an_app, played_until, screen_text, scripted, settle

MOVING = [game for game in GAMES if GAMES[game].thrown != "tiles"]
SMALL, LARGE = (80, 24), (120, 40)


@pytest.fixture(autouse=True)
def any_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here is the table, not how well bots play."""
    monkeypatch.setattr(Match, "thinking", scripted)


def go(app: PlayApp, space: str) -> None:
    """Put the cursor on a space."""
    cell = app.match.view().cell(space)
    app.table.row, app.table.column = cell.row, cell.column


def made(app: PlayApp) -> list[str]:
    """What is chosen of the turn so far."""
    return list(app.table.choosing.made)


def way_of(ways: dict[str, object], turn: str) -> list[str]:
    """The choices of a turn."""
    for choice, on in ways.items():
        if on == turn:
            return [choice]
        further = way_of(on, turn) if isinstance(on, dict) else []
        if further:
            return [choice, *further]
    return []


async def take_by_keys(pilot: Pilot[None], app: PlayApp) -> None:
    """A person takes one step."""
    turn, before = scripted(app.match)(), len(app.match.happened)
    way = way_of(app.match.view().ways, turn.text)
    if not way:
        await pilot.press("t" if turn == Draw() else "enter")
    for choice in way:
        if choice in app.table.choosing.others:
            await pilot.press(str(app.table.choosing.others.index(choice) + 1))
        else:
            go(app, choice)
            await pilot.press("enter")
    assert app.match.happened[before].turn == turn


@pytest.mark.parametrize("game", MOVING)
async def test_a_game_to_its_end_against_a_bot(game: str) -> None:
    whole = played_until(a_match((ME, BOT), seed=22, game=game), 2000)
    match = played_until(a_match((ME, BOT), seed=22, game=game), whole.position.turns - 6)
    app = an_app(match)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot, app)
        while not match.over:
            await take_by_keys(pilot, app)
            await settle(pilot, app)
        assert app.table.finished
        text = screen_text(app)
        assert "wins." in text or "A draw" in text
        assert "A play again" in text
        assert "face up" not in text
        await pilot.press("w", "left", "a")
        assert len(app.played) == 2
    assert match.turns == whole.turns
    (game_again,) = read_records(write_record(match.record(("Ada", "Bot"), date(2026, 11, 29))))
    assert replay(game_again).last.outcome == match.position.outcome  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "size", "language"),
    [
        *((game, SMALL, language) for game in ("isis", "pharao") for language in LANGUAGES),
        *((game, SMALL, "en") for game in ("ramses", "senet")),
        *((game, LARGE, "en") for game in ("isis", "senet")),
    ],
)
async def test_everything_fits(game: str, size: tuple[int, int], language: str) -> None:
    seats = (ME,) * GAMES[game].players[-1]
    match = played_until(a_match(seats, game=game), 9)
    app = an_app(match, language=language)
    async with app.run_test(size=size) as pilot:
        for key in ("t", "enter", "left", "question_mark"):
            await pilot.press(key)
            for screen in app.screen_stack:
                for widget in screen.walk_children(Widget):
                    assert screen.region.contains_region(widget.region), widget
            assert "…" not in screen_text(app), key
        last = words_in(language)(TONGUES[game].in_short[-1])
        assert last[-20:].rpartition(" ")[2] in screen_text(app)


async def test_a_piece_then_its_target_and_taking_back() -> None:
    """RA-3."""
    app = an_app(a_match((ME, ME), game="ramses"))
    async with app.run_test(size=SMALL) as pilot:
        go(app, "2")
        await pilot.press("enter")
        text = screen_text(app)
        assert text.count(TARGET) == 2
        assert "Where does it go?" in text
        assert "Escape take back" in text
        go(app, "11")
        await pilot.press("enter")
        assert "It cannot go to 11." in screen_text(app)
        go(app, "8")
        await pilot.press("enter")
        assert "Now a piece of " in screen_text(app)
        assert app.table.choosing.cells()[7].lies is not None  # it stands there already
        assert app.match.turns == []
        await pilot.press("backspace")
        assert made(app) == ["2"]
        go(app, "2")
        await pilot.press("enter")  # chosen again
        assert made(app) == []
        go(app, "8")
        await pilot.press("enter")  # only one piece can go there
        assert made(app) == ["2", "8"]
        go(app, "3")
        await pilot.press("enter")  # another piece
        assert made(app) == ["3"]
        await pilot.press("escape")
        assert made(app) == []
        assert app.screen is app.table
        for space in ("2", "8", "19", "6"):
            go(app, space)
            await pilot.press("enter")
        assert [turn.text for turn in app.match.turns] == ["2-8/19-6"]
        text = screen_text(app)
        assert TRAIL in text
        assert TARGET not in text
        await pilot.press("escape")
        assert "not finished" in screen_text(app)


async def test_the_cursor_steps_over_long_spaces_and_a_click_is_enter() -> None:
    app = an_app(a_match((ME, ME), game="ramses"))
    async with app.run_test(size=SMALL) as pilot:
        go(app, "5")
        await pilot.press("down")
        assert app.table.cursor == "10"
        await pilot.press("right", "right", "up")
        assert app.table.cursor == "5"
        await pilot.press("left", "up", "right", "right")
        assert app.table.cursor == "5"
        board = app.table.query_one(Board)
        assert board.space_at(71, 0) == "5"
        assert board.space_at(72, 0) is None
        await pilot.click(Board, offset=(6 + 2, 1))
        assert made(app) == ["2"]


async def test_a_barred_target_is_marked_and_says_why() -> None:
    """RA-7."""
    match = a_match((ME, ME), game="ramses", options=(("repetition", "forbid"),))
    chance = 0
    while not match.view().barred:
        assert not match.over
        back = match.turns[-1].text.split("/")[::-1] if match.turns else []
        turns = {turn.text: turn for turn in match.position.choices()}
        undone = "/".join("-".join(half.split("-")[::-1]) for half in back)
        match.take(turns.get(undone) or list(turns.values())[chance % len(turns)])
        chance += 7
    app = an_app(match)
    barred = match.position.barred()[0][0].text
    way = way_of(match.view().barred, barred)
    async with app.run_test(size=SMALL) as pilot:
        for space in way[:-1]:
            go(app, space)
            await pilot.press("enter")
        if way[-1] in app.table.choosing.barred:
            assert BARRED in screen_text(app)
        go(app, way[-1])
        await pilot.press("enter")
        assert f"{barred} would bring back" in screen_text(app)
        assert "(RA-7)" in screen_text(app)


async def test_a_throw_is_drawn_and_used() -> None:
    """SE-2, SE-3."""
    app = an_app(a_match((ME, ME), game="senet", seed=2))
    async with app.run_test(size=LARGE) as pilot:
        text = screen_text(app)
        assert "T Throw the sticks" in text
        assert "▒▒" not in text
        await pilot.click(Hand, offset=(3, 0))
        thrown = app.match.view().drawn
        assert thrown
        text = screen_text(app)
        assert text.count("▒▒") == 2 * (4 - int(thrown) % 5)
        assert f"You threw {thrown}" in text
        await pilot.press("t")
        assert "(SE-2)" in screen_text(app)
    app = an_app(a_match((ME, ME), game="pharao", seed=2))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("enter")
        own, other = (app.match.view().drawn or "").split(",")
        assert f"│  {own}  │  │  {other}  │" in screen_text(app)


async def test_what_is_no_space_has_a_number() -> None:
    """IS-9."""
    match = a_match((ME, ME), game="isis")
    while not any("!" in on for on in match.view().ways.values()):
        match.take(scripted(match)())
    piece = next(choice for choice, on in match.view().ways.items() if "!" in on)
    app = an_app(match)
    async with app.run_test(size=SMALL) as pilot:
        go(app, piece)
        await pilot.press("9", "enter")
        others = app.table.choosing.others
        assert f"{others.index('!') + 1} Make it yours" in screen_text(app)
        await pilot.press(str(others.index("!") + 1))
        assert app.match.turns[-1].text == f"{piece}!"
        colour = app.match.view().seats[app.match.happened[-1].seat - 1].colour
        assert f"▟{ {'green': 'Ψ', 'yellow': '☼'}[colour] }▙" in screen_text(app)


async def test_nothing_else_to_do_is_done_by_enter() -> None:
    match = a_match((ME, ME), game="pharao")
    while not (match.view().drawn and not match.view().ways):
        match.take(scripted(match)())
    app = an_app(match)
    async with app.run_test(size=SMALL) as pilot:
        assert "Enter Go on" in screen_text(app)
        turns = match.position.turns
        await pilot.press("enter")
        assert match.position.turns == turns + 1


async def test_a_bot_is_waited_for_and_its_throw_is_seen() -> None:
    app = an_app(a_match((ME, BOT), game="senet", first=2), pace=type(an_app.__defaults__[0])(60, 60, 60))  # type: ignore[index]
    async with app.run_test(size=SMALL) as pilot:
        await app.workers.wait_for_complete()
        await pilot.press("enter")
        assert "wait for Novice" in screen_text(app)
        app.table._bot_takes(Draw())
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.match.view().drawn
        assert "╰╯" in screen_text(app)


async def test_the_title_tells_what_is_played_differently() -> None:
    app = an_app(a_match((ME, ME), game="isis", options=(("home", "no"),)))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert "Isis · The way home: Closed" in screen_text(app)
