"""The fair shuffle in a real browser: what it saw, what it reckons, and what it says when a house cheats."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from oudjat.house.fair import hold
from oudjat.records import Record, read_records
from tests.browser.conftest import Visit
from tests.browser.kit import skip_scoring
from tests.browser.test_people import violations
from tests.serving import Server

FAIR = "Nothing speaks against it: this was played as promised."
NOT_FAIR = "This was not played as promised."
SAW_IT = "It is the promise that this browser saw before the first turn."


PLAY = """async ([table, most]) => {
  const turns = (ways) => (typeof ways === "string" ? [ways] : Object.values(ways).flatMap(turns));
  for (let step = 0; step < most; step++) {
    const { status, seq, board } = await (await fetch(table)).json();
    if (status === "over") return;
    const [turn] = [...board.actions, ...board.cells.flatMap((cell) => cell.offers), ...turns(board.ways)];
    const answer = await fetch(`${table}/turns`, { method: "POST", body: JSON.stringify({ turn, after: seq }) });
    if (!answer.ok) throw new Error(await answer.text());
  }
}"""
"""Takes so many steps at a table all of whose seats are the page's own, a tile whenever that is possible."""
OPEN = (
    """async (wish) => (await fetch("/api/tables", { method: "POST", body: JSON.stringify(wish) })).json()"""
)


def open_by_api(page: Page, game: str = "isis-osiris", **wish: Any) -> str:
    """A table with both seats of the page's own, and the page there; returns its path in the API."""
    wish = {"seats": [{"kind": "me"}, {"kind": "here"}], "game": game, "first": 1} | wish
    opened = page.evaluate(OPEN, wish)
    page.goto("/".join(page.url.split("/")[:3]) + opened["path"])
    expect(page.locator("#prompt")).not_to_be_empty()
    return f"/api/tables/{opened['table']}"


def play(page: Page, table: str, most: int = 1_000) -> None:
    page.evaluate(PLAY, [table, most])


def check(page: Page) -> list[str]:
    """What the page says when it is asked to check; what it said before is taken away."""
    skip_scoring(page)
    page.locator("#checked").evaluate("list => list.replaceChildren()")
    page.locator("#check").click()
    expect(page.locator("#checked .verdict")).to_be_visible()
    return page.locator("#checked li").all_inner_texts()


@pytest.mark.parametrize(
    ("game", "wish", "came"),
    [
        ("isis-osiris", {}, "All 22 tiles that were turned over came in the promised order."),
        (
            "isis-osiris",
            {"variant": "shared", "seats": [{"kind": "me"}, {"kind": "here"}, {"kind": "here"}]},
            "All 22 tiles that were turned over came in the promised order.",
        ),
        ("senet", {}, r"All \d+ throws are the promised ones, in their order."),
    ],
)
def test_a_finished_table_is_checked_in_the_browser_and_by_its_record(
    visit: Visit, game: str, wish: dict[str, Any], came: str
) -> None:
    page = visit("/")
    table = open_by_api(page, game, **wish)
    play(page, table)
    page.reload()
    verdict, hashed, saw, order = check(page)
    assert (verdict, hashed, saw) == (FAIR, "The hash of salt and luck is the promise.", SAW_IT)
    assert re.fullmatch(came, order)
    assert page.locator("#checked .good").count() == 3
    assert FAIR in page.locator("#ears").inner_text()
    assert violations(page) == []
    (record,) = read_records(page.evaluate("async (path) => (await fetch(path)).text()", f"{table}/record"))
    assert isinstance(record, Record)
    hold(record, page.locator("#promise").text_content())


def test_a_browser_says_what_it_cannot_tell(visit: Visit) -> None:
    player, late, stranger = visit("/"), visit("/"), visit("/")
    table = open_by_api(player, first=2)
    play(player, table, 3)
    late.goto(player.url)
    expect(late.locator("#promise")).not_to_be_empty()
    play(player, table)
    for page in (late, stranger):
        page.goto(player.url)
    assert check(player)[2] == SAW_IT
    assert check(late)[2].startswith("It is the promise that this browser saw, but first after 2 turns;")
    verdict, _, saw, _ = check(stranger)
    assert verdict == FAIR
    assert saw.startswith("This browser was not there during the game")
    assert stranger.locator("#checked .unknown").count() == late.locator("#checked .unknown").count() == 1


def test_a_house_that_exchanges_a_tile_or_a_promise_is_found_out(visit: Visit) -> None:
    page = visit("/", service_workers="block")  # past one, nothing can be exchanged
    table = open_by_api(page)
    play(page, table)

    def exchange(route: Route) -> None:
        told = route.fetch().json()
        turn = told["turns"][4]["turn"]
        told["turns"][4]["turn"] = ("-4" if turn[:2] != "-4" else "+4") + turn[2:]
        route.fulfill(json=told)

    page.reload()
    page.route("**/turns", exchange)
    verdict, *_, order = check(page)
    assert verdict == NOT_FAIR
    assert re.fullmatch(r"In turn 5 came [+−]4; [+−]\d was promised\.", order)
    page.unroute("**/turns")
    kept = json.loads(page.evaluate("() => localStorage.promises"))
    kept[table.rpartition("/")[2]]["promise"] = "0" * 64
    page.evaluate("(kept) => localStorage.setItem('promises', kept)", json.dumps(kept))
    verdict, _, saw, _ = check(page)
    assert verdict == NOT_FAIR
    assert saw == f"During the game this browser saw another promise: {'0' * 64}."


def test_a_browser_without_a_hash_of_its_own_reckons_it_by_ours(visit: Visit, server: Server) -> None:
    page = visit("/", base=f"http://oudjat.test:{server.port}", expect_errors=True)
    assert page.evaluate("() => [isSecureContext, crypto.subtle === undefined]") == [False, True]
    table = open_by_api(page)
    play(page, table)
    page.reload()
    assert check(page)[:3] == [FAIR, "The hash of salt and luck is the promise.", SAW_IT]


def test_our_hash_is_that_of_the_browser_at_every_length(visit: Visit) -> None:
    page = visit("/rules")
    styles = page.locator("link[rel=stylesheet]").first.get_attribute("href") or ""
    differ = page.evaluate(
        """async (module) => {
          const { ownSha256, sha256 } = await import(module);
          const differ = [];
          for (let length = 0; length < 300; length++) {
            const letter = (_, i) => String.fromCodePoint(33 + ((i * 7919 + length) % 900));
            const text = Array.from({ length }, letter).join("");
            if (ownSha256(new TextEncoder().encode(text)) !== (await sha256(text))) differ.push(length);
          }
          return differ;
        }""",
        styles.replace("base.css", "sha256.js"),
    )
    assert differ == []


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_page_that_explains_it(visit: Visit, language: str) -> None:
    page = visit("/rules/senet", locale=language)
    page.locator(".doors a[href='/fair']").click()
    page.wait_for_url("**/fair")
    expect(page.locator("h1")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == language
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    page.wait_for_function("() => innerWidth === 320")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
