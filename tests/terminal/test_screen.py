import re

import pytest
from textual.widget import Widget

from oudjat.terminal.board import Board
from oudjat.terminal.hand import Hand
from oudjat.terminal.seating import Player
from tests.terminal.kit import (
    BOT,
    ME,
    STILL,
    a_match,
    an_app,
    nearly_over,
    play_by_keys,
    screen_text,
    settle,
    walk_to,
)
from tests.timing import until

SMALL = (80, 24)


@pytest.mark.parametrize(
    ("players", "variant", "size"),
    [
        ((ME, BOT), "normal", SMALL),
        ((ME, BOT, BOT), "normal", SMALL),
        ((ME, BOT, Player("Bo"), BOT), "normal", SMALL),
        ((ME, BOT, BOT), "shared", SMALL),
    ],
)
async def test_a_whole_game_by_keyboard_to_the_result(
    players: tuple[Player, ...], variant: str, size: tuple[int, int]
) -> None:
    app = an_app(a_match(players, variant=variant))
    async with app.run_test(size=size) as pilot:
        await play_by_keys(pilot, app)
        steps = app.match.game.scoring(app.match.position)
        assert app.table.ceremony is not None
        assert "face up" in screen_text(app)
        for step in steps:
            await pilot.press("space")
            assert f", {step.space}: " in screen_text(app)
        await pilot.press("space")
        assert app.table.finished
        text = screen_text(app)
        assert re.search(r"wins? with −?\d+ points?|share the win", text)
        for score in app.match.position.outcome.scores or ():  # type: ignore[union-attr]
            assert f"{score:+d}".replace("-", "−") in text or score == 0


async def test_the_scoring_can_be_skipped_watched_again_and_followed_by_another_game() -> None:
    app = an_app(nearly_over(a_match((ME, ME))))
    async with app.run_test(size=SMALL) as pilot:
        await play_by_keys(pilot, app)
        await pilot.press("escape")
        assert app.table.finished
        await pilot.press("w")
        assert app.table.ceremony is not None
        assert app.table.ceremony.at == 0
        await pilot.press("escape", "a")
        assert len(app.played) == 2
        assert app.match.turns == []
        assert "Place a piece" in screen_text(app)


async def test_the_scoring_runs_by_itself() -> None:
    app = an_app(nearly_over(a_match((ME, ME))))
    async with app.run_test(size=SMALL) as pilot:
        app.table.pace = type(STILL)(0, 0, 0.01)
        await play_by_keys(pilot, app)
        await until(lambda: app.table.finished, "the scoring goes on")


async def test_a_turned_tile_is_shown_large_then_covered_everywhere() -> None:
    """IO-8, IO-21."""
    app = an_app(a_match((ME, ME), seed=4))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("t")
        value = (app.match.view().drawn or "").replace("-", "−")
        text = screen_text(app)
        assert f"{value}." in text  # the log
        assert f"Place {value} face down" in text
        assert "█" in text
        await walk_to(pilot, app, "b2")
        assert value in screen_text(app).splitlines()[15]  # under the cursor, as what Enter would place
        await pilot.press("enter")
        text = screen_text(app)
        assert "‹◉›─" in text.splitlines()[15]
        assert not re.search(r"[+−][1-4]\b(?!\d)", _without_tracks(text))


def _without_tracks(text: str) -> str:
    return re.sub(r"^ *\+\d+[·\w]*|[·\w☼†]*− ?\d+|·+ *−\d+", "", text, flags=re.MULTILINE)


async def test_strict_memory_leaks_nothing_on_any_screen_of_a_game() -> None:
    """IO-21: two games that differ only in their tiles look alike, but for the tile in hand."""
    screens = []
    for seed in (5, 6):
        app = an_app(a_match((ME, ME, ME), seed=seed))
        seen = []
        async with app.run_test(size=(120, 40)) as pilot:
            for number, space in enumerate(["d3", "d2", "c2", "b2", "b3"]):
                if number % 2:
                    await pilot.press("t")
                await walk_to(pilot, app, space)
                await pilot.press("enter")
                seen.append(screen_text(app))
        screens.append(seen)
    assert screens[0] == screens[1]


async def test_a_click_places_and_a_click_on_the_stock_turns_over() -> None:
    app = an_app(a_match((ME, ME)))
    async with app.run_test(size=SMALL) as pilot:
        board = app.table.query_one(Board)
        await pilot.click(Board, offset=(2 + 7 * 4 + 3, 1 + 3 * 5 + 1))  # e1
        assert [turn.text for turn in app.match.turns] == ["Pe1"]
        await pilot.click(Hand, offset=(4, 2))
        value = app.match.view().drawn
        assert value
        await pilot.click(Board, offset=(3, 1))  # a6
        assert app.match.turns[-1].text == f"{value}a6"
        await pilot.click(Board, offset=(0, 0))  # the rim
        assert len(app.match.turns) == 2
        assert board.space_at(43, 18) == "f1"


async def test_what_cannot_be_done_says_why_with_its_rule() -> None:
    app = an_app(a_match((ME, ME)))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("enter", "enter")
        assert "(IO-9)" in screen_text(app)
        await pilot.press("t", "t")
        assert "(IO-8)" in screen_text(app)
        assert len(app.match.turns) == 1
        await pilot.press("left")
        assert "(IO-8)" not in screen_text(app)


async def test_a_bot_on_its_turn_is_waited_for() -> None:
    """IO-11."""
    app = an_app(a_match(first=2), pace=type(STILL)(60, 60, 60))
    async with app.run_test(size=SMALL) as pilot:
        await app.workers.wait_for_complete()
        await pilot.press("enter")
        assert "wait for Novice" in screen_text(app)
        await pilot.press("question_mark")
        assert app.match.turns == []
        app.table._bot_takes(app.match.thinking()())  # behind an open window
        await settle(pilot, app)
        await pilot.press("escape")
        assert app.match.happened


async def test_leaving_is_asked_while_a_game_goes_on() -> None:
    app = an_app(a_match())
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("escape")
        assert "not finished" in screen_text(app)
        await pilot.press("escape")
        assert app.screen is app.table
        await pilot.press("q", "enter")
    assert not app.is_running
    assert app.return_code == 0


@pytest.mark.parametrize("size", [SMALL, (81, 24), (100, 30), (120, 40), (200, 60)])
@pytest.mark.parametrize("seats", [2, 4])
async def test_everything_fits(size: tuple[int, int], seats: int) -> None:
    app = an_app(a_match((ME,) * seats))
    async with app.run_test(size=size) as pilot:
        for key in ("t", "question_mark"):
            await pilot.press(key)
            for screen in app.screen_stack:
                for widget in screen.walk_children(Widget):
                    assert screen.region.contains_region(widget.region), widget
                    assert not widget.show_vertical_scrollbar
                    assert not widget.show_horizontal_scrollbar


async def test_a_small_terminal_is_told_what_is_needed_and_grows() -> None:
    app = an_app(a_match())
    async with app.run_test(size=(60, 20)) as pilot:
        assert "80 × 24" in screen_text(app)
        await pilot.press("down", "enter")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Your turn" in screen_text(app)


@pytest.mark.parametrize("small", [(79, 24), (60, 20), (30, 10), (20, 5), (10, 3)])
async def test_a_window_made_small_and_large_again_during_a_game_goes_on(small: tuple[int, int]) -> None:
    app = an_app(a_match())
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("enter", "left", "enter")
        await pilot.resize_terminal(*small)
        await pilot.pause()
        await pilot.press("left", "enter")
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert "Your turn" in screen_text(app) or "your turn" in screen_text(app)


async def test_no_color_shows_the_same_characters_without_any_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = an_app(a_match((ME,) * 4), colourless=True)
    async with app.run_test(size=SMALL) as pilot:
        for key in ("enter", "left", "enter", "left", "enter", "down", "enter", "down"):
            await pilot.press(key)
        text = screen_text(app)
        assert all(f"█ {sign} █" in text for sign in "Ψ☼Ж†")
        shown = app.screen._compositor.render_strips()
        for strip in shown:
            for segment in strip.apply_filter(app._filters[-1], app.screen.background_colors[1]):
                if segment.style is not None:
                    assert segment.style.color is None or segment.style.color.is_default
                    assert segment.style.bgcolor is None or segment.style.bgcolor.is_default


async def test_day_and_night() -> None:
    app = an_app(a_match(), light=True)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert app.theme == "day"
        by_day = screen_text(app)
        await pilot.press("l")
        assert app.theme == "night"
        assert screen_text(app) == by_day
