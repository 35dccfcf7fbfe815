"""The games in which pieces move, in a real browser."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from oudjat.records import Record, read_records, replay
from oudjat.rules.views import turns_in
from tests.browser.conftest import Visit
from tests.browser.test_people import violations
from tests.timing import wait_until

GAMES = {"isis": 3, "ramses": 2, "pharao": 2, "senet": 2}
"""Each with so many seats."""

TO_THE_END = """
  async () => {
    Object.defineProperty(document, "hidden", { value: true }); // the first turns have shown what moves; now
    Element.prototype.animate = () => ({ finished: Promise.resolve() }); // nobody looks on, and nothing waits
    const found = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    for (let at = 0; at < 60_000 && document.querySelector("#over").hidden; at++) {
      await new Promise((done) => setTimeout(done, 4));
      if (!document.querySelector(".bar.mine")) continue;
      const next = found("#draw, #pass")[0] ?? found("#choices button").at(-1) ?? found(".space.offers").at(-1);
      next?.click();
    }
  }
"""
"""Goes on by clicks, as fast as the page answers: always the last that is offered."""


def sit_down(page: Page, game: str, opponents: str = "bot:priest") -> None:
    """From anywhere: a new table of this game, the reader first."""
    page.goto("/".join(page.url.split("/")[:3]) + f"/new?game={game}")
    for number in range(2, GAMES[game] + 1):
        page.select_option(f"#seat{number}", opponents)
    page.select_option("#first", "1")
    page.select_option("#pace", "at-once")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".bar.mine")).to_be_visible()


CHOOSE_ONE = """(latest) => {
  if (document.querySelector("#log").innerText !== latest) return "whole";
  const all = [...document.querySelectorAll("#pass, #choices button, .space.offers")];
  const offered = all.filter((one) => one.checkVisibility());
  if (!document.querySelector(".bar.mine") || !offered.length) return "";
  const toast = document.querySelector("#toast");
  const before = toast.textContent;
  offered.at(-1).click();
  return toast.textContent === before ? "" : toast.textContent;
}"""
"""Chooses the last that is offered, unless the turn is whole; all in one step, so that nothing changes in between.
Gives what the page has against it."""


def take_turn(page: Page) -> None:
    """A turn by clicks: throw, then choose what is offered last until the turn is whole."""
    latest = page.locator("#log").inner_text()
    if page.locator("#draw").is_visible():
        page.locator("#draw").click()
        expect(page.locator("#hand .thrown:not(.used)")).to_be_visible()
        expect(page.locator("#log")).not_to_have_text(latest, use_inner_text=True)
        latest = page.locator("#log").inner_text()

    def is_whole() -> bool:
        prompt = page.locator("#prompt").inner_text()
        told = page.evaluate(CHOOSE_ONE, latest)
        assert told in ("", "whole"), prompt
        page.wait_for_timeout(20)
        return bool(told)

    wait_until(is_whole, "the turn becomes whole")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(visit: Visit, game: str) -> None:
    page = visit("/")
    sit_down(page, game)
    for _ in range(2):
        take_turn(page)
        page.wait_for_selector(".bar.mine")
    page.evaluate(TO_THE_END)
    expect(page.locator("#over")).to_be_visible()
    expect(page.locator("#result")).to_contain_text(re.compile("wins|draw"))
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    (record,) = read_records(download.value.path().read_text())
    assert isinstance(record, Record)
    assert record.tag("Players") == str(GAMES[game])
    assert replay(record).last.outcome is not None
    page.get_by_role("button", name="Watch it again").click()
    expect(page.locator("#watch-said")).to_contain_text(f"Turn 0 of {len(record.turns)}")
    start = page.locator(".piece").count()
    page.get_by_role("button", name="Last turn").click()
    assert page.locator(".piece").count() <= start
    page.keyboard.press("Escape")
    expect(page.locator("#over")).to_be_visible()


def test_a_turn_of_four_choices_by_keyboard_and_back(visit: Visit) -> None:
    page = visit("/")
    sit_down(page, "ramses", "here")
    page.locator("[data-space='2']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_have_text("Where does it go?")
    expect(page.locator("[data-space='2']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#ears p").last).to_have_text("Where does it go?")
    page.keyboard.press("Escape")
    expect(page.locator(".space.chosen")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")  # on 8
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_have_text("Now a piece of Dark.")
    expect(page.locator("[data-space='8'] .piece")).to_be_visible()  # as it would stand
    expect(page.locator("[data-space='2'] .piece")).to_have_count(0)
    page.locator("#back").press("Enter")
    expect(page.locator("[data-space='2'] .piece")).to_be_visible()
    for space in ("2", "8", "19"):
        page.locator(f"[data-space='{space}']").press("Enter")
    page.locator(".space.offers").first.press("Enter")
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator(".space.last")).to_have_count(1)
    expect(page.locator("#prompt")).to_contain_text("Dark, your turn.")


def with_friend(visit: Visit, game: str) -> tuple[Page, Page, str]:
    """The windows of a host, who begins, and of his friend, and the address of their table in the API."""
    host = visit("/")
    base = host.url.rstrip("/")
    wish = {"game": game, "seats": [{"kind": "me"}, {"kind": "friend"}], "first": 1}
    opened = host.request.post(f"{base}/api/tables", data=wish).json()
    host.goto(base + opened["path"])
    friend = visit(opened["seats"][1]["path"])
    friend.wait_for_url(base + opened["path"])
    expect(host.locator(".bar.mine")).to_be_visible()
    return host, friend, f"{base}/api/tables/{opened['table']}"


def test_what_was_chosen_of_a_turn_stays_while_somebody_says_something(visit: Visit) -> None:
    host, friend, table = with_friend(visit, "ramses")
    for space in ("2", "8"):
        host.locator(f"[data-space='{space}']").press("Enter")
    assert friend.request.post(f"{table}/talk", data={"phrase": "good-luck"}).ok
    expect(host.locator("#talk li")).to_have_count(1)
    expect(host.locator(".space.chosen")).to_have_count(2)
    expect(host.locator("[data-space='8'] .piece")).to_be_visible()
    expect(host.locator("[data-space='2'] .piece")).to_have_count(0)
    for space in ("19", "6"):
        host.locator(f"[data-space='{space}']").press("Enter")
    expect(host.locator("#log li")).to_have_count(1)
    expect(host.locator(".space.chosen")).to_have_count(0)


def test_a_choice_that_is_no_space_keeps_the_focus_while_somebody_says_something(visit: Visit) -> None:
    """IS-9."""
    host, friend, table = with_friend(visit, "isis")
    chance = Random(1)
    while True:
        state, other = (page.request.get(table).json() for page in (host, friend))
        ways = state["board"]["ways"] if state["mine"] else other["board"]["ways"]
        own = next((piece for piece, on in state["board"]["ways"].items() if "!" in on), None)
        if state["mine"] and own:
            break
        turn = {"turn": chance.choice(turns_in(ways)), "after": state["seq"]}
        assert (host if state["mine"] else friend).request.post(f"{table}/turns", data=turn).ok
    expect(host.locator("#log li")).to_have_count(state["board"]["turns"])
    host.locator(f"[data-space='{own}']").press("Enter")
    choice = host.get_by_role("button", name="Make it yours")
    choice.focus()
    assert friend.request.post(f"{table}/talk", data={"phrase": "good-luck"}).ok
    expect(host.locator("#talk li")).to_have_count(1)
    expect(choice).to_be_focused()
    choice.press("Enter")
    expect(host.locator("#log li")).to_have_count(state["board"]["turns"] + 1)


def test_what_cannot_be_chosen_says_why(visit: Visit) -> None:
    page = visit("/")
    sit_down(page, "senet", "here")
    page.locator("[data-space='30']").click(force=True)
    expect(page.locator("#toast")).to_contain_text("Throw the sticks.")
    page.locator("#draw").click()
    expect(page.locator(".space.offers").first).to_be_visible()
    page.locator("[data-space='30']").click(force=True)
    expect(page.locator("#toast")).to_have_text("On 30 is nothing that you can move now.")
    page.locator(".space.offers").first.click()
    page.locator("[data-space='30']").click(force=True)
    expect(page.locator("#toast")).to_have_text("It cannot go to 30.")


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1280)])
def test_boards_are_for_everybody(visit: Visit, scheme: str, width: int) -> None:
    """axe finds nothing, nothing scrolls sideways, and every space is large enough to be hit."""
    page = visit("/", color_scheme=scheme, viewport={"width": width, "height": 700})
    for game in GAMES:
        sit_down(page, game, "here")
        page.locator("#draw:visible, .space.offers").first.click()
        expect(page.locator("#hand .thrown:not(.used), .space.chosen").first).to_be_visible()
        assert violations(page) == [], game
        assert page.evaluate("document.documentElement.scrollWidth") <= width, game
        small = page.evaluate(
            """() => [...document.querySelectorAll('.space')].map((space) => space.getBoundingClientRect())
                .filter((box) => box.width < 24 || box.height < 24).length"""
        )
        assert small == 0, game


def test_the_pages_of_each_game_are_in_three_languages(visit: Visit) -> None:
    page = visit("/")
    base = page.url.rstrip("/")
    for language, title in (("en", "Rules"), ("de", "Regeln"), ("fr", "Règles")):
        page.goto(f"{base}/lang/{language}?back=/rules/isis")
        expect(page).to_have_title(re.compile(f"^{title}"))
        for game in GAMES:
            page.goto(f"{base}/rules/{game}")
            expect(page.locator("article h1")).to_be_visible()
            page.goto(f"{base}/new?game={game}")
            expect(page.locator("fieldset.seats select")).to_have_count(7 if game == "isis" else 2)
