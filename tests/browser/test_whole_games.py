"""Whole games in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from oudjat.records import Record, read_records, replay
from tests.browser.conftest import Visit
from tests.browser.kit import board_of, hold_scoring, is_over, move, my_move, open_table, place


def downloaded(page: Page) -> Record:
    """The record behind the link of a finished game; it replays."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    (record,) = read_records(download.value.path().read_text())
    assert isinstance(record, Record)
    assert replay(record).last.outcome is not None
    return record


def test_play_now_and_the_scribe_answers(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".space")).to_have_count(36)
    assert my_move(page)
    before = board_of(page)
    move(page)
    page.wait_for_function("(before) => document.querySelectorAll('#log li').length >= before", arg=2)
    assert board_of(page) != before


def test_two_windows_over_a_link_one_by_keyboard_only(visit: Visit) -> None:
    host, friend = visit("/"), None
    open_table(host, "me", "friend")
    expect(host.locator("#prompt")).to_have_text("Waiting for everybody to sit down.")
    link = host.locator("#link2").input_value()
    friend = visit(link.removeprefix(host.url.rsplit("/t/", 1)[0]))
    friend.wait_for_url(re.compile(r"/t/\w+$"))
    expect(host.locator("#invite")).to_be_hidden()
    friend.locator("#board").wait_for()
    turns = 0
    while my_move(host):
        move(host, tile=turns % 2 == 0)
        if not my_move(friend):
            break
        by_keyboard(friend, tile=turns % 2 == 1)
        turns += 1
    assert turns == 18
    for page in (host, friend):
        page.keyboard.press("Escape")
        expect(page.locator("#over")).to_be_visible()
    assert host.locator("#result").inner_text() == friend.locator("#result").inner_text()
    assert board_of(host) == board_of(friend)
    assert all("free" not in label and "face-down" not in label for label in board_of(host))
    record = downloaded(host)
    assert len(record.turns) == 36
    # the friend goes on by keyboard: another game, where the host finds him
    friend.locator("#again").focus()
    friend.keyboard.press("Enter")
    friend.wait_for_url(
        lambda url: record.tag("Game") is not None and not url.endswith(host.url.rsplit("/", 1)[1])
    )
    host.get_by_role("button", name="To the new game").click()
    host.wait_for_url(friend.url)
    expect(host.locator(".seats .due")).to_have_count(1)


def by_keyboard(page: Page, *, tile: bool) -> None:
    """A turn without the mouse: tab to the board, walk to a space that offers something, Enter; T turns over."""
    if page.evaluate("!document.activeElement.closest('#board')"):
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("!!document.activeElement.closest('#board')"):
                break
    offers = page.locator(".space.offers")
    if page.locator("#draw").is_visible() and (tile or offers.count() == 0):
        page.keyboard.press("t")
        expect(page.locator("#draw")).to_be_hidden()
    target = offers.first.get_attribute("data-space") or ""
    for _ in range(12):
        here = page.evaluate("document.activeElement.dataset.space")
        if here == target:
            break
        if here[0] != target[0]:
            page.keyboard.press("ArrowRight" if here[0] < target[0] else "ArrowLeft")
        else:
            page.keyboard.press("ArrowUp" if here[1] < target[1] else "ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(f"[data-space={target}]")).not_to_have_attribute("aria-label", f"{target}, free.")


@pytest.mark.parametrize(
    ("seats", "variant"),
    [
        (("me", "bot:novice", "here"), "normal"),
        (("me", "bot:novice", "bot:scribe", "here"), "normal"),
        (("me", "here", "bot:novice"), "shared"),
        (("me", "here", "here", "here"), "shared"),
    ],
)
def test_three_and_four_seats_and_the_shared_stock(
    visit: Visit, seats: tuple[str, ...], variant: str
) -> None:
    page = visit("/")
    open_table(page, *seats, variant=variant)
    turns = 0
    while my_move(page):
        move(page, tile=turns % 3 != 0)
        turns += 1
    page.keyboard.press("Escape")
    expect(page.locator("#over")).to_be_visible()
    expect(page.locator("#scores tr")).to_have_count(len(seats))
    record = downloaded(page)
    assert record.tag("Players") == str(len(seats))
    assert record.tag("Variant") == variant


def test_the_scoring_runs_and_the_game_is_watched_again(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "here", memory="open")
    hold_scoring(page)
    turns = 0
    while my_move(page):
        if page.locator(".space.counting").count():
            break
        move(page, tile=turns % 2 == 0)
        turns += 1
    assert turns == 36
    expect(page.locator(".space.counting")).to_have_count(1)
    expect(page.locator("#prompt")).to_have_text("The pieces are being counted.")
    expect(page.locator(".seats .won")).to_have_count(0)
    pieces = page.locator(".space > .piece").count()
    for _ in range(pieces):  # faster by click
        expect(page.locator("#over")).to_be_hidden()
        place(page, "a1")
    expect(page.locator("#over")).to_be_visible()
    assert page.locator(".seats .won").count() in (1, 2)
    expect(page.locator("#ears p").last).to_have_text(page.locator("#result").inner_text())
    board = board_of(page)
    page.get_by_role("button", name="Watch it again").click()
    expect(page.locator("#watch-said")).to_contain_text("Turn 0 of 36")
    assert all(label.endswith("free.") for label in board_of(page))
    page.get_by_role("button", name="One turn on").click()
    assert sum(not label.endswith("free.") for label in board_of(page)) == 1
    page.get_by_role("button", name="Last turn").click()
    assert board_of(page) == board
    page.keyboard.press("Escape")
    expect(page.locator("#over")).to_be_visible()
    page.get_by_role("button", name="Show the scoring").click()
    expect(page.locator("#skip")).to_be_visible()
    page.get_by_role("button", name="Skip the scoring").click()
    expect(page.locator("#over")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Show the scoring").click()
    expect(page.locator("#skip")).to_be_visible()
    expect(page.locator("#over")).to_be_visible()  # it has gone on by itself
    assert is_over(page)
