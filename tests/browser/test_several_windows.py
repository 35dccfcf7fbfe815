"""One player in several windows, on several devices: one true board, and one turn at a time."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.kit import board_of, open_table, place
from tests.timing import wait_until


def held_turns(*pages: Page) -> list[Route]:
    """Turns that these windows send from now on, held back until somebody lets them go."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    for page in pages:
        page.route("**/turns", hold)
    return held


def with_friend(visit: Visit, page: Page) -> Page:
    """The friend's window at the table of ``page``."""
    link = page.locator("#link2").input_value()
    friend = visit(link.removeprefix(page.url.partition("/t/")[0]), expect_errors=True)
    friend.wait_for_selector("#board .space")
    return friend


def test_two_turns_in_the_same_moment_one_wins_and_the_other_is_told(visit: Visit) -> None:
    page = visit("/", expect_errors=True, service_workers="block")  # past one, nothing can be held back
    open_table(page, "me", "friend")
    friend = with_friend(visit, page)
    second = page.context.new_page()
    second.goto(page.url)
    for window in (page, second):
        expect(window.locator("#bar.mine")).to_be_visible()
    held = held_turns(page, second)
    place(page, "c3")
    place(second, "d4")

    def both_sent() -> bool:
        page.wait_for_timeout(10)
        return len(held) == 2

    wait_until(both_sent, "both windows have sent their turn")
    for route in held:
        route.continue_()
    for window in (page, second, friend):
        expect(window.locator("#log li")).to_have_count(1)
    wait_until(lambda: sum(_moved_on(window) for window in (page, second)) == 1, "one is told, and one only")
    assert board_of(page) == board_of(second) == board_of(friend)


def _moved_on(window: Page) -> bool:
    window.wait_for_timeout(10)
    return "moved on" in window.locator("#ears").inner_text()


def test_two_devices_of_one_player_show_one_board_also_after_a_lost_connection(visit: Visit) -> None:
    account = {"name": "Ada", "password": "correct horse battery"}
    phone = visit("/", expect_errors=True)
    base = phone.url.rstrip("/")
    assert phone.request.post(f"{base}/api/me/sign-up", data=account).ok
    laptop = visit("/", expect_errors=True)
    assert laptop.request.post(f"{base}/api/me/sign-in", data=account).ok
    open_table(phone, "me", "friend")
    friend = with_friend(visit, phone)
    laptop.goto(phone.url)
    for window in (phone, laptop):
        expect(window.locator("#bar.mine")).to_be_visible()
    phone.context.set_offline(offline=True)
    expect(phone.locator("#connection")).to_contain_text("Reconnecting")
    place(laptop, "a1")
    expect(friend.locator("#bar.mine")).to_be_visible()
    place(friend, "b1")
    expect(laptop.locator("#log li")).to_have_count(2)
    place(phone, "c1")
    expect(phone.locator("#toast")).to_contain_text("did not reach")
    phone.context.set_offline(offline=False)
    expect(phone.locator("#connection")).to_be_empty()
    expect(phone.locator("#log li")).to_have_count(2)
    place(phone, "c1")
    for window in (phone, laptop, friend):
        expect(window.locator("#log li")).to_have_count(3)
    assert board_of(phone) == board_of(laptop) == board_of(friend)
