"""Two people at the end of a game: what one does never disturbs what the other looks at."""

from __future__ import annotations

import re

import segno
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.kit import (
    board_of,
    hold_scoring,
    hurry,
    move,
    my_move,
    open_table,
    place,
    skip_scoring,
    turn_over,
)
from tests.serving import Server


def finished(visit: Visit) -> tuple[Page, Page]:
    """A host and his friend whose game is over."""
    host = visit("/")
    open_table(host, "me", "friend")
    friend = visit(host.locator("#link2").input_value().removeprefix(host.url.rsplit("/t/", 1)[0]))
    friend.wait_for_selector("#board .space")
    hurry(host, friend, left=2)
    while my_move(host):
        move(host)
        if not my_move(friend):
            break
        move(friend)
    for page in (host, friend):
        skip_scoring(page)
    return host, friend


def modules(path: str, size: int) -> list[list[int]]:
    """The modules of a QR code that strokes of this path paint, 1 for a dark one."""
    found = [[0] * size for _ in range(size)]
    x, y = 0.0, 0.0
    for stroke, one, other in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", path):
        if stroke == "h":
            found[int(y)][int(x) : int(x + float(one))] = [1] * int(float(one))
            x += float(one)
        else:
            x, y = (float(one), float(other)) if stroke == "M" else (x + float(one), y + float(other))
    return found


def test_each_friends_link_stands_beside_it_as_a_code_that_a_phone_can_read(
    visit: Visit, server: Server
) -> None:
    page = visit("/", base=f"http://oudjat.test:{server.port}", expect_errors=True)
    open_table(page, "me", "friend", "friend")
    expect(page.locator("#invite .qr svg")).to_have_count(2)
    links = [page.locator(f"#link{number}").input_value() for number in (2, 3)]
    assert links[0] != links[1]
    for number, link in zip((2, 3), links, strict=True):
        assert link.startswith(f"http://oudjat.test:{server.port}/t/")
        code = page.locator(f".link[data-seat='{number}'] .qr svg")
        box = code.bounding_box()
        assert box
        assert box["width"] == box["height"] >= 96
        expected = segno.make(link, error="m")
        border = expected.default_border_size
        size = len(expected.matrix) + 2 * border
        assert code.get_attribute("viewBox") == f"0 0 {size} {size}"
        painted = modules(code.locator("path").get_attribute("d") or "", size)
        inside = [row[border:-border] for row in painted[border:-border]]
        assert inside == [list(row) for row in expected.matrix]
    page.goto(page.url.replace("oudjat.test", "127.0.0.1"))
    expect(page.locator(".qr")).to_have_count(0)


def test_watching_and_counting_go_on_while_the_other_sets_up_another_game(visit: Visit) -> None:
    host, friend = finished(visit)
    host.get_by_role("button", name="Watch it again").click()
    for _ in range(3):
        host.get_by_role("button", name="One turn on").click()
    before = board_of(host)
    friend.locator("details.settings summary").click()
    friend.fill("#my-name", "Bo")
    friend.get_by_role("button", name="Save").click()
    for page in (host, friend):
        expect(page.locator("#seats")).to_contain_text("Bo")
    assert board_of(host) == before
    expect(host.locator("#watch-said")).to_contain_text("Turn 3 of 36")
    host.get_by_role("button", name="Leave").click()
    expect(host.locator("#watch")).to_be_focused()
    assert board_of(host) == board_of(friend)
    hold_scoring(host)
    host.locator("#count").press("Enter")
    expect(host.locator("#skip")).to_be_focused()
    friend.fill("#my-name", "Cy")
    friend.get_by_role("button", name="Save").click()
    expect(host.locator("#seats")).to_contain_text("Cy")
    expect(host.locator(".counting")).to_have_count(1)
    host.keyboard.press("Escape")
    expect(host.locator("#result")).to_be_focused()
    old = host.url
    friend.get_by_role("button", name="Play again").click()
    expect(host.locator("#toast")).to_have_text("Cy has set up another game.")
    host.get_by_role("button", name="To the new game").click()
    friend.wait_for_url(lambda url: url != old)
    host.wait_for_url(friend.url)


def test_a_page_loaded_with_a_tile_in_hand_keeps_no_value_of_it(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "here")
    shown = turn_over(page)
    page.reload()
    expect(page.locator("#hand > .tile b")).to_have_text(shown)
    place(page, "c3")
    expect(page.get_by_role("button", name="c3, face-down tile.")).to_be_visible()
    left = page.evaluate("document.documentElement.outerHTML")
    assert '"drawn"' not in left
    assert f">{shown}<" not in left
    assert f"turned over {shown}" not in left


def test_passing_keeps_the_focus_on_the_page(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "here", variant="shared")
    while my_move(page):
        if page.locator("#pass").is_visible():
            page.locator("#pass").press("Enter")
            expect(page.locator("#log")).to_contain_text("passed")
            assert page.evaluate("document.activeElement.matches('.space')")
            return
        first = page.locator("#seats li").first.get_attribute("aria-current")
        move(page, tile=not first)
    raise AssertionError("the first seat, which only places pieces, has to pass at last")


def test_at_twice_the_size_the_board_is_not_covered(visit: Visit) -> None:
    page = visit("/", viewport={"width": 640, "height": 400}, device_scale_factor=2)
    open_table(page, "me", "here")
    for row in "654321":
        space = page.locator(f"[data-space=c{row}]")
        space.focus()
        covered = space.evaluate(
            """one => { const box = one.getBoundingClientRect();
              const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
              return !(seen && (one === seen || one.contains(seen))); }"""
        )
        assert not covered, f"c{row} has the focus under something else"


def test_forced_colours_leave_the_board_visible(visit: Visit) -> None:
    page = visit("/", forced_colors="active")
    open_table(page, "me", "here")
    edge = page.locator("[data-space=c3]").evaluate("one => getComputedStyle(one).borderTopWidth")
    assert float(edge.removesuffix("px")) >= 1
    due = page.locator(".seats li.due").evaluate("one => getComputedStyle(one).borderTopColor")
    other = page.locator(".seats li:not(.due)").evaluate("one => getComputedStyle(one).borderTopColor")
    assert due != other
