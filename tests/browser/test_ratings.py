"""A rated game between two people who are signed in, and what the pages then say of them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.kit import hurry, move, my_move, skip_scoring, small_targets
from tests.browser.test_accounts import sign_up
from tests.browser.test_people import violations
from tests.serving import Server, legal
from tests.timing import wait_until


@pytest.fixture(scope="module")
def server(servers: tuple[Server, Server]) -> Server:
    return servers[0]


def rated_table(host: Page, guest: Page, base: str, elsewhere: str) -> None:
    """Both are signed in; the host opens a rated table, and the guest comes by its link, at another server."""
    seats = [{"kind": "me"}, {"kind": "friend"}]
    opened = host.request.post(
        f"{base}/api/tables", data={"seats": seats, "rated": True, "first": 1, "pace": "at-once"}
    ).json()
    host.goto(base + opened["path"])
    guest.goto(elsewhere + opened["seats"][1]["path"])
    for page in (host, guest):
        expect(page.locator(".space")).to_have_count(36)
        expect(page.locator("#seats")).to_contain_text("Pieces left")


def test_a_rated_game_between_two_accounts_on_two_servers(
    visit: Visit, servers: tuple[Server, Server]
) -> None:
    here, there = (server.url for server in servers)
    ada, bo = visit("/", base=here), visit("/", base=there)
    sign_up(ada, here, "Ada of Thebes")
    sign_up(bo, there, "Bo of Memphis")
    with ada.expect_navigation():  # the page is drawn anew when it is kept
        ada.locator("input[name=shows_memory]").click()
    expect(ada.locator("input[name=shows_memory]")).to_be_checked()
    rated_table(ada, bo, here, there)
    assert my_move(ada)
    move(ada, tile=True)
    assert my_move(bo)
    move(bo)
    assert my_move(ada)
    hurry(ada, bo, left=2)
    for page in (ada, bo, ada, bo):
        if my_move(page):
            move(page)
    for page in (ada, bo):
        skip_scoring(page)
        expect(page.locator("#rated li")).to_have_count(2)
        expect(page.locator("#rated li").first).to_contain_text("Ada of Thebes: 1000 →")
        assert violations(page) == []
    ada.locator("#rated a").first.click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Ada of Thebes")
    expect(ada.get_by_role("heading", name="Isis & Osiris")).to_be_visible()
    expect(ada.get_by_role("img")).to_be_visible()
    expect(ada.locator(".played li")).to_have_count(1)
    expect(ada.locator(".openings tbody tr")).to_have_count(1)
    ada.locator(".played .with a").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Bo of Memphis")
    ada.go_back()
    ada.locator(".played a").first.click()
    expect(ada.locator("#over")).to_be_visible()
    rated_table(ada, bo, here, there)
    for page in (ada, bo):
        expect(page.locator("#seats .rating")).to_have_text([re.compile(r"\d+\?")] * 2)
        assert violations(page) == []
    move(ada)
    expect(bo.locator("#seats li.due")).to_have_attribute("data-seat", "2")
    expect(bo.locator("#seats .rating")).to_have_count(2)


@pytest.mark.parametrize(("scheme", "width", "language"), [("light", 320, "de"), ("dark", 1280, "fr")])
def test_the_pages_about_players_are_for_everybody(
    visit: Visit, server: Server, scheme: str, width: int, language: str
) -> None:
    page = visit("/", color_scheme=scheme, viewport={"width": width, "height": 800}, locale=language)
    name = f"{'W' * 20}{language}{width % 100}"
    answer = page.request.post(
        f"{server.url}/api/me/sign-up", data={"name": name, "password": "a garden of papyrus"}
    )
    assert answer.status == 201
    for _ in range(5):
        seats = [{"kind": "me"}, {"kind": "bot", "level": "novice"}]
        opened = page.request.post(
            f"{server.url}/api/tables",
            data={"seats": seats, "rated": True, "first": 1, "pace": "at-once", "game": "ramses"},
        ).json()
        page.goto(f"{server.url}{opened['path']}")
        hurry_one(page, server.url, opened["table"])
    for path in (f"/players/{name}", "/players?game=ramses", "/players/novice", "/players"):
        page.goto(server.url + path)
        page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
        assert violations(page) == [], path
        assert too_wide(page) == [], path
        assert letter_by_letter(page) == [], path
        assert small_targets(page) == [], path
    page.goto(f"{server.url}/players?game=ramses")
    expect(page.locator(".best .mine")).to_contain_text(name)
    expect(page.locator(".best a[href='/players/novice']")).to_be_visible()


def too_wide(page: Page) -> list[str]:
    """What of a page does not fit into its window."""
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
          [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth)
            .map((one) => one.outerHTML.slice(0, 120))"""
    )
    return found


def letter_by_letter(page: Page) -> list[str]:
    """What stands in more lines than it has words, with a few letters in each."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter((one) => {
          if (one.children.length || !one.checkVisibility() || one.closest("svg")) return false;
          const text = document.createRange();
          text.selectNodeContents(one);
          const lines = new Set([...text.getClientRects()].map(({ top }) => Math.round(top)));
          const said = one.textContent.trim();
          return lines.size > Math.max(3, said.split(/\\s+/).length, said.length / 4);
        }).map((one) => one.outerHTML)"""
    )
    return found


def hurry_one(page: Page, base: str, table: str) -> None:
    """One turn against the bot, then give up, and wait until that is rated."""
    path = f"{base}/api/tables/{table}"

    def rated() -> bool:
        state = page.request.get(path).json()
        if state["status"] == "over":
            return page.request.get(f"{path}/ratings").ok
        if state["mine"] and state["board"]["turns"] > 0:
            page.request.post(f"{path}/resign", data={})
        elif state["mine"]:
            page.request.post(f"{path}/turns", data={"turn": legal(state), "after": state["seq"]})
        return False

    wait_until(rated, "the table is not rated")
