"""For everybody: axe, small screens, keyboards, three languages, light pages, no foreign hosts."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import Visit
from tests.browser.kit import (
    at_rest,
    hold_scoring,
    hurry,
    move,
    my_move,
    open_table,
    place,
    skip_scoring,
    small_targets,
    turn_over,
)

WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
HEADERS = 400
"""Bytes of an answer beside its body, about."""
MOST_BYTES = 150_000
FLOWN = """() => {
  window.flown = 0;
  const seen = ({ addedNodes }) => (flown += [...addedNodes].filter((one) => one.className === "flying").length);
  new MutationObserver((all) => all.forEach(seen)).observe(document.body, { childList: true });
}"""
"""Counts what flies over the page from now on: it may be gone before anybody looks."""


def violations(page: Page) -> list[dict[str, Any]]:
    at_rest(page)
    found = Axe().run(page, options=WCAG).response["violations"]
    return [{"id": one["id"], "where": [node["html"][:160] for node in one["nodes"]]} for one in found]


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1280)])
def test_axe_finds_nothing_on_any_page(visit: Visit, scheme: str, width: int) -> None:
    page = visit("/", color_scheme=scheme, viewport={"width": width, "height": 800})
    assert violations(page) == []
    for path in ("/new", "/rules", "/rules?lang=fr"):
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + path)
        assert violations(page) == [], path
    open_table(page, "me", "friend", "bot:novice")
    assert violations(page) == [], "waiting"
    link = page.locator("#link2").input_value()
    page.goto(link)
    assert violations(page) == [], "invitation"
    open_table(page, "me", "here", "here", memory="open")
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    place(page, "c3")
    expect(page.locator("#log li")).to_have_count(1)
    turn_over(page)
    assert violations(page) == [], "a tile in hand"
    place(page, "c4")
    expect(page.locator("#log li")).to_have_count(2)
    hurry(page, left=1)
    hold_scoring(page)
    while my_move(page):
        move(page)
    expect(page.locator(".space.counting")).to_have_count(1)
    assert violations(page) == [], "scoring"
    skip_scoring(page)
    assert violations(page) == [], "over"
    page.get_by_role("button", name="Watch it again").click()
    page.get_by_role("button", name="One turn on").click()
    assert violations(page) == [], "watching"
    page.goto(page.url.split("/t/")[0] + "/")
    assert violations(page) == [], "home with tables"
    page.get_by_role("link", name="All your games that are over").click()
    page.wait_for_url("**/my-games")
    expect(page.locator("main li")).to_have_count(1)
    assert violations(page) == [], "games that are over"


def test_axe_finds_nothing_on_an_error_page(visit: Visit) -> None:
    page = visit("/t/nowhere", expect_errors=True)
    assert violations(page) == []
    expect(page.get_by_role("heading")).to_contain_text("no such table")


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_nothing_scrolls_sideways_at_320_and_targets_are_large(visit: Visit, language: str) -> None:
    page = visit("/", viewport={"width": 320, "height": 640})
    base = page.url.rstrip("/")

    def check(where: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, where
        assert small_targets(page) == [], where

    open_table(page, "me", "friend", "here", "bot:priest")
    table = page.url
    link = page.locator("#link2").input_value()
    page.goto(f"{base}/lang/{language}?back=/")
    for path in ("/", "/new", "/rules", "/t/nowhere"):
        if path != "/t/nowhere":
            page.goto(base + path)
            check(path)
    page.goto(link)
    check("invitation")
    page.goto(table)
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    check("waiting")
    page.goto(f"{base}/lang/en?back=/new")
    open_table(page, "me", "here", "here", "here")
    page.goto(f"{base}/lang/{language}?back={page.url.removeprefix(base)}")
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    page.locator("#draw").click()
    expect(page.locator("#hand > .tile b")).to_be_visible()
    check("playing")
    place(page, "c3")
    expect(page.locator("#log li")).to_have_count(1)
    hurry(page, left=1)
    while my_move(page):
        move(page)
    skip_scoring(page)
    check("over")
    page.locator("#watch").click()
    expect(page.locator("#watching")).to_be_visible()
    check("watching")
    page.goto(f"{base}/my-games")
    expect(page.locator("main li")).to_have_count(1)
    check("games that are over")


@pytest.mark.parametrize(
    ("locale", "play", "draw", "free"),
    [
        ("en", "Play now", "Turn over a tile", "free"),
        ("de-DE", "Jetzt spielen", "Eine Tafel aufdecken", "frei"),
        ("fr-FR", "Jouer maintenant", "Retourner une plaque", "libre"),
    ],
)
def test_the_browsers_language_picks_and_a_link_changes_it(
    visit: Visit, locale: str, play: str, draw: str, free: str
) -> None:
    page = visit("/", locale=locale)
    assert page.locator("html").get_attribute("lang") == locale[:2]
    page.get_by_role("button", name=play, exact=True).click()
    # the scribe may begin, and take any space
    expect(page.get_by_role("button", name=re.compile(rf"^[a-f][1-6], {free}\.$"))).not_to_have_count(0)
    expect(page.locator("#draw")).to_have_text(draw)
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("button", name=re.compile(r"^[a-f][1-6], free\.$"))).not_to_have_count(0)
    page.get_by_role("link", name="Français").click()
    expect(page.locator("#draw")).to_have_text("Retourner une plaque")


def test_a_table_is_light_and_asks_no_other_host(visit: Visit) -> None:
    page = visit("/")
    base = page.url
    open_table(page, "me", "bot:priest")
    table = page.url
    fresh = visit("/new")
    responses: list[Response] = []
    fresh.on("response", lambda response: responses.append(response))  # noqa: PLW0108 - Playwright marks what it calls
    fresh.goto(table)
    expect(fresh.locator(".space")).to_have_count(36)
    fresh.wait_for_timeout(300)
    assert {urlsplit(response.url).netloc for response in responses} == {urlsplit(base).netloc}
    sizes: dict[str, int] = fresh.evaluate(
        """() => Object.fromEntries(["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
          .map(({ name, decodedBodySize }) => [name, decodedBodySize]))"""
    )
    whole = {url: size for url, size in sizes.items() if "/events" not in url}
    (script,) = (size for url, size in whole.items() if url.endswith("/table.js"))
    assert min(whole[table], script) > 10_000, "the browser tells sizes"
    assert 20_000 < sum(whole.values()) + HEADERS * len(whole) < MOST_BYTES


def test_every_turn_is_announced_once_and_focus_stays(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "here")
    ears = page.locator("#ears p")
    page.locator("[data-space=c3]").focus()
    page.keyboard.press("Enter")
    expect(ears).to_have_count(1)
    expect(ears.last).to_contain_text("Green placed a piece on c3.")
    page.keyboard.press("t")
    expect(ears).to_have_count(2)
    expect(ears.last).to_contain_text("Yellow turned over ")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(ears).to_have_count(2)
    expect(ears.last).to_contain_text("Yellow placed the tile on c4.")
    expect(ears.first).to_contain_text("Green placed a piece on c3.")
    assert page.evaluate("document.activeElement.dataset.space") == "c4"


def test_what_cannot_be_done_says_why(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "here")
    place(page, "c3")
    expect(page.get_by_role("button", name="c3, Green's green piece.")).to_be_visible()
    place(page, "c3")
    expect(page.locator("#toast")).to_have_text("c3 is not free.")
    page.locator("[data-space=c3]").press("?")
    expect(page.locator("details.settings")).to_have_attribute("open", "")


def test_names_with_markup_are_shown_as_written(visit: Visit) -> None:
    page = visit("/new")
    name = "<img src=x onerror=1>"
    page.fill("#name", name)
    page.select_option("#seat2", "here")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#seats .name").first).to_have_text(name)
    page.reload()
    expect(page.locator("#seats .name").first).to_have_text(name)
    page.goto(page.url.split("/t/")[0] + "/")
    expect(page.locator(".mine")).to_contain_text(name)
    assert page.locator("img").count() == 0


def test_motion_for_those_who_like_it_ends_where_it_should(visit: Visit) -> None:
    page = visit("/", reduced_motion="no-preference")
    open_table(page, "me", "here")
    turn_over(page)
    page.evaluate(FLOWN)
    place(page, "c3")
    page.wait_for_function("() => flown === 1")
    expect(page.locator(".flying")).to_have_count(0)
    expect(page.locator("[data-space=c3] .tile")).to_be_visible()
    place(page, "c4")
    expect(page.locator("[data-space=c4] svg")).to_be_visible()
