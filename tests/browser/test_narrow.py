"""Small windows, large text, long names: nothing scrolls sideways, and what matters is not cut off."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ARGUMENTS, LONGEST, Visit, executable
from tests.browser.kit import hurry, move, my_move, skip_scoring, small_targets
from tests.browser.test_accounts import sign_up
from tests.browser.test_people import violations
from tests.serving import Server

GAMES = ("isis-osiris", "isis", "ramses", "pharao", "senet")
WIDEST = "W" * 24
PAGES = (
    "/",
    "/new",
    "/new?game=isis",
    "/new?game=senet",
    *(f"/rules/{game}" for game in GAMES),
    "/me",
    "/players",
    "/players/novice",
    "/fair",
    "/notices",
)


def set_up(page: Page, *names: str, game: str = "isis-osiris", **wish: object) -> str:
    """A table of this game where the reader plays for the first of these names and bots for "novice"; its path."""
    base = "/".join(page.url.split("/")[:3])
    seats = [
        {"kind": "bot", "level": name} if name == "novice" else {"kind": "here" if at else "me", "name": name}
        for at, name in enumerate(names)
    ]
    body = {"game": game, "seats": seats, "first": 1, "pace": "at-once", **wish}
    opened = page.request.post(f"{base}/api/tables", data=body).json()
    page.goto(base + opened["path"])
    path: str = opened["path"]
    return path


def beyond(page: Page) -> list[str]:
    """What of a page reaches beyond the right edge of its window; empty where it cannot be scrolled sideways."""
    page.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
          [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth)
            .map((one) => one.outerHTML.slice(0, 120))"""
    )
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_long_name_without_spaces_fits_a_small_table(visit: Visit, game: str) -> None:
    page = visit("/", viewport={"width": 320, "height": 640})
    set_up(page, WIDEST, WIDEST, game=game)
    expect(page.locator("#prompt")).to_contain_text(WIDEST)
    assert beyond(page) == [], "playing"
    if game == "isis-osiris":
        hurry(page, left=1)
        while my_move(page):
            move(page)
    else:
        page.request.post(page.url.replace("/t/", "/api/tables/") + "/leave", data={})
    skip_scoring(page)
    assert beyond(page) == [], "over"
    page.goto("/".join(page.url.split("/")[:3]))
    expect(page.locator("#my-tables")).to_contain_text(WIDEST)
    assert beyond(page) == [], "the front page"
    page.goto("/".join(page.url.split("/")[:3]) + "/my-games")
    expect(page.locator("main li")).to_contain_text(WIDEST)
    assert beyond(page) == [], "games that are over"


def test_a_long_name_without_spaces_fits_every_small_page(visit: Visit, server: Server) -> None:
    page = visit("/", viewport={"width": 320, "height": 640})
    sign_up(page, server.url, WIDEST)
    set_up(page, WIDEST, "novice", public=True)
    stranger = visit("/", viewport={"width": 320, "height": 640})
    expect(stranger.locator("#lobby-running")).to_contain_text(WIDEST)
    for path in ("/", "/me", f"/players/{WIDEST}", "/players", "/notices", "/new"):
        for one in (page, stranger):
            one.goto(server.url + path)
            assert beyond(one) == [], path


@pytest.fixture
def large(chromium: Browser, server: Server) -> Iterator[Page]:
    """A page in a window of 320 pixels of a browser whose text is twice as large."""
    sets = "--blink-settings=defaultFontSize=32"
    browser = chromium.browser_type.launch(
        executable_path=executable(), args=[*ARGUMENTS, sets], timeout=2 * LONGEST
    )
    page = browser.new_page(viewport={"width": 320, "height": 640}, reduced_motion="reduce")
    page.set_default_timeout(LONGEST)
    page.goto(server.url)
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    yield page
    browser.close()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_no_page_scrolls_sideways_with_text_twice_as_large(
    large: Page, server: Server, language: str
) -> None:
    large.goto(f"{server.url}/lang/{language}?back=/")
    for path in PAGES:
        large.goto(server.url + path)
        assert beyond(large) == [], path
    large.goto(f"{server.url}/rules/isis")
    assert violations(large) == []


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_tables_are_whole_with_text_twice_as_large(large: Page, server: Server, language: str) -> None:
    large.goto(f"{server.url}/lang/{language}?back=/")
    for game in GAMES:
        for names in (("Ada", "novice"), ("Ada", "novice", "novice", "novice"), (WIDEST, WIDEST)):
            if len(names) > 2 and game not in ("isis-osiris", "isis"):
                continue
            set_up(large, *names, game=game)
            expect(large.locator(".bar.mine")).to_be_visible()
            assert beyond(large) == [], (game, names)
            assert large.locator(".frame").evaluate("one => one.offsetWidth") > 290, (game, names)
            assert cut(large, "button:not(.space), .seats small") == [], (game, names)


def cut(page: Page, what: str) -> list[str]:
    """Of these elements, those whose text does not fit into them or into what holds them."""
    found: list[str] = page.evaluate(
        """(what) => [...document.querySelectorAll(what)].filter((one) => {
          if (!one.checkVisibility()) return false;
          const text = document.createRange();
          text.selectNodeContents(one);
          const { left, right } = text.getBoundingClientRect();
          return [one, one.parentElement, one.closest("li") ?? one].some((box) => {
            const { left: from, right: to } = box.getBoundingClientRect();
            return left < from - 1 || right > to + 1;
          });
        }).map((one) => one.outerHTML.slice(0, 120))""",
        what,
    )
    return found


@pytest.mark.parametrize(("width", "height"), [(320, 640), (360, 740), (390, 844)])
@pytest.mark.parametrize("game", GAMES[1:])
def test_boards_on_which_pieces_move_use_the_height_of_a_small_window(
    visit: Visit, game: str, width: int, height: int
) -> None:
    page = visit("/", viewport={"width": width, "height": height})
    set_up(page, "Ada", "novice", game=game)
    expect(page.locator(".bar.mine")).to_be_visible()
    least = min(page.locator(".space").evaluate_all("all => all.map((one) => one.offsetHeight)"))
    rows = 16 if game == "isis" else 12 if game == "ramses" else 10
    room = (
        height - 104 - 135
    ) / rows - 5  # between the seats and the bar, without what is between the spaces
    assert least >= min(44, max(28, int(room)))
    assert page.locator(".frame").evaluate("one => one.getBoundingClientRect().bottom") <= height
    assert beyond(page) == []


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_four_at_a_small_table_are_told_apart(visit: Visit, language: str) -> None:
    page = visit("/", viewport={"width": 320, "height": 640}, locale=language)
    set_up(page, "Ada", "novice", "novice", "novice")
    names = page.locator("#seats .called")
    expect(names).to_have_count(4)
    whole = "all => all.every((one) => one.scrollHeight < one.clientHeight + 3 && one.scrollWidth <= one.clientWidth)"
    assert names.evaluate_all(whole)
    assert small_targets(page) == []


@pytest.mark.parametrize(("width", "language"), [(320, "fr"), (768, "fr"), (768, "en"), (1280, "de")])
@pytest.mark.parametrize("others", [1, 3])
def test_a_long_name_leaves_room_for_you(visit: Visit, width: int, language: str, others: int) -> None:
    page = visit("/", viewport={"width": width, "height": 800}, locale=language)
    set_up(page, "Wilhelmina Magdalena Mar", *["novice"] * others)
    expect(page.locator("#seats small")).to_have_count(1)
    assert cut(page, "#seats small") == []
    assert beyond(page) == []
