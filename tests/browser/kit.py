"""What people do at a table."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.serving import legal
from tests.timing import PATIENCE


def open_table(
    page: Page, *seats: str, variant: str = "normal", memory: str = "strict", first: str = "1"
) -> None:
    """From anywhere: a new table with these seats (``me``, ``friend``, ``here``, ``bot:novice``)."""
    page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + "/new")
    for number in range(1, 5):
        page.select_option(f"#seat{number}", seats[number - 1] if number <= len(seats) else "none")
    page.check(f"input[name=variant][value={variant}]")
    page.check(f"input[name=memory][value={memory}]")
    page.select_option("#first", first)
    page.select_option("#pace", "at-once")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".space")).to_have_count(36)


def place(page: Page, space: str) -> None:
    """Click a space, whatever it offers."""
    page.locator(f"[data-space={space}]").click(force=True)


def turn_over(page: Page) -> str:
    """Turn a tile over; returns its value as shown."""
    page.get_by_role("button", name="Turn over a tile").click()
    face = page.locator("#hand > .tile b")
    expect(face).to_be_visible()
    return face.inner_text()


def is_over(page: Page) -> bool:
    return page.locator("#skip").is_visible() or page.locator("#over").is_visible()


def my_move(page: Page) -> bool:
    """Wait until this page may move (True) or the game is over (False)."""
    page.wait_for_function(
        """() => !document.querySelector('#skip').hidden || !document.querySelector('#over').hidden
           || document.querySelector('.bar.mine')"""
    )
    return not is_over(page)


def skip_scoring(page: Page) -> None:
    """Wait for the end of the game and for its result; a scoring that still runs is skipped."""
    page.wait_for_function(
        "() => !document.querySelector('#skip').hidden || !document.querySelector('#over').hidden"
    )
    page.evaluate("() => document.querySelector('#skip').click()")
    expect(page.locator("#over")).to_be_visible()


def hold_scoring(page: Page) -> None:
    """From now on each piece of a scoring waits for a click, or for the scoring to be skipped."""
    page.evaluate(
        """() => {
          const later = window.setTimeout;
          window.setTimeout = (done, time, ...rest) => (time === 600 ? 0 : later(done, time, ...rest));
        }"""
    )


def move(page: Page, *, tile: bool = False) -> None:
    """One turn by mouse: a tile when wished or when nothing else is left, on the first space offered."""
    draw = page.locator("#draw")
    if page.locator("#pass").is_visible():
        turns = page.locator("#log li").count()
        page.locator("#pass").click()
        expect(page.locator("#log li")).not_to_have_count(turns)
        return
    offers = page.locator(".space.offers")
    if draw.is_visible() and (tile or offers.count() == 0):
        draw.click()
        expect(draw).to_be_hidden()
    target = page.locator(f"[data-space={offers.first.get_attribute('data-space')}]")
    target.click()
    expect(target).not_to_have_class(re.compile("offers"))


def at_rest(page: Page) -> None:
    """Wait until nothing fades, flips or slides: what is half there has other colours and stands elsewhere."""
    page.wait_for_function("() => !document.getAnimations().some(({ playState }) => playState === 'running')")


def hurry(*pages: Page, left: int) -> None:
    """Play on by the interface for programs, for everybody whose window is given, until ``left`` spaces are free; the
    windows show it as it comes."""
    table = "/api" + pages[0].url[pages[0].url.index("/t/") :].replace("/t/", "/tables/")
    base = pages[0].url.split("/t/")[0]
    played = 0
    until = time.monotonic() + PATIENCE
    while True:
        states = [page.request.get(base + table).json() for page in pages]
        state = next((state for state in states if state["mine"]), None)
        if state is None:
            assert any(seat["kind"] == "bot" for seat in states[0]["seats"])
            assert time.monotonic() < until, "the bots play"
            time.sleep(0.02)
            continue
        until = time.monotonic() + PATIENCE
        played = state["board"]["turns"]
        if 36 - played <= left and not state["board"]["drawn"]:
            break
        page = pages[states.index(state)]
        turn = {"turn": legal(state), "after": state["seq"]}
        answer = page.request.post(f"{base}{table}/turns", data=turn)
        assert answer.ok or answer.status == 409  # a click before may only now have come to the table
    for page in pages:
        expect(page.locator("#log li")).to_have_count(played)


def board_of(page: Page) -> list[str]:
    """What every space says of itself."""
    labels: list[str] = page.locator(".space").evaluate_all(
        "spaces => spaces.map(space => space.getAttribute('aria-label'))"
    )
    return labels


def small_targets(page: Page) -> list[str]:
    """What can be clicked or touched and is too small for a finger."""
    small: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, a, select, input, summary')]
            .filter(one => one.checkVisibility() && !one.closest('.prose, p, .skip, .unseen'))
            .map(one => [(one.closest('label') ?? one).getBoundingClientRect(), one.outerHTML])
            .filter(([box]) => box.width < 43.9 || box.height < 43.9)
            .map(([box, html]) => `${box.width}x${box.height} ${html.slice(0, 90)}`)"""
    )
    return small
