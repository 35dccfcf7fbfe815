"""The page of an analysis: what each turn was worth, in a table, a graph and words, turn by turn on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.kit import small_targets
from tests.browser.test_narrow import WIDEST, beyond
from tests.browser.test_people import violations
from tests.serving import Player, Server

HERE = {"kind": "here"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    quick = "import oudjat.house.analyses as found; found.A_THOUGHT, found.A_SOLUTION, found.NICENESS = 0.003, 0.02, 0"
    server = Server(tmp_path_factory.mktemp("analysis") / "house.db", beforehand=quick)
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="module")
def games(server: Server) -> dict[str, str]:
    """The paths of tables that are over."""
    paths = {}
    for name, game, others in (("two", "isis-osiris", 1), ("ramses", "ramses", 1), ("three", "isis", 2)):
        ada = Player(server.url)
        opened = ada.open({"kind": "me", "name": WIDEST}, *[HERE] * others, game=game)
        ada.play_out(tiles_first=name == "two")
        ada.http.close()
        paths[name] = str(opened["path"])
    return paths


def finished(page: Page) -> None:
    """Wait until every turn has been analysed."""
    expect(page.locator("#progress-bar")).to_be_hidden()
    expect(page.locator("#retry")).to_be_hidden()
    assert "…" not in page.locator("#turns").inner_text()


def test_a_finished_table_leads_to_its_analysis_and_back(visit: Visit, games: dict[str, str]) -> None:
    page = visit(games["two"])
    page.get_by_role("link", name="Analyse the game").click()
    finished(page)
    expect(page.locator("#turns tr")).to_have_count(36)
    expect(page.locator("#progress-said")).to_contain_text("Every turn has been analysed.")
    expect(page.locator("#ears")).to_contain_text("Every turn has been analysed.")
    expect(page.locator("#graph")).to_be_visible()
    expect(page.locator("#graph")).to_have_attribute(
        "aria-label", re.compile(r"Share of the win of W+ .*: \d+ %, ")
    )
    expect(page.locator("#players tr")).to_have_count(2)
    page.get_by_role("link", name="To the table").click()
    expect(page.locator("#over")).to_be_visible()


def test_turns_are_walked_by_mouse_keys_and_graph(visit: Visit, games: dict[str, str]) -> None:
    page = visit(games["two"] + "/analysis")
    finished(page)
    page.locator("#turns tr:nth-child(5) button").click()
    expect(page.locator("#watch-said")).to_contain_text("Turn 5 of 36:")
    expect(page.locator("#turns tr[aria-current]")).to_have_count(1)
    expect(page.locator("#turns tr:nth-child(5)")).to_have_attribute("aria-current", "true")
    assert page.locator(".space > .lies").count() == 5
    page.keyboard.press("ArrowRight")
    expect(page.locator("#watch-said")).to_contain_text("Turn 6 of 36:")
    expect(page.locator("#ears")).to_contain_text(page.locator("#verdict").inner_text())
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#watch-said")).to_contain_text("Turn 4 of 36:")
    page.locator("[data-space=c3]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.space") == "d3", "arrows on the board walk the board"
    expect(page.locator("#watch-said")).to_contain_text("Turn 4 of 36:")
    box = page.locator("#graph").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + 10)
    expect(page.locator("#watch-said")).to_contain_text("Turn 18 of 36:")
    page.locator("#watch-first").click()
    expect(page.locator("#watch-said")).to_contain_text("The empty board.")
    expect(page.locator("#verdict")).to_have_text("")


def test_what_would_have_been_better_is_marked_on_the_board(visit: Visit, games: dict[str, str]) -> None:
    page = visit(games["ramses"] + "/analysis")
    finished(page)
    marked = 0
    rows = page.locator("#turns tr")
    for number in range(rows.count()):
        rows.nth(number).locator("button").click()
        best = rows.nth(number).locator(".best").inner_text()
        named = {int(space) for space in re.findall(r"\d+", best)}
        better = page.locator(".space.better").evaluate_all(
            "all => all.map((one) => Number(one.dataset.space))"
        )
        assert set(better) == named
        assert (f"Best: {best}." in page.locator("#verdict").inner_text()) == bool(best)
        marked += bool(named)
    assert marked, "nobody plays Ramses so well"
    expect(page.locator("#progress-said")).to_contain_text("All exact.")
    dearest = page.locator("#players button").first
    turn = dearest.inner_text().partition(".")[0]
    dearest.click()
    expect(page.locator("#watch-said")).to_contain_text(f"Turn {turn} of")


def test_a_game_of_three_has_no_graph_and_names_what_the_engine_would_choose(
    visit: Visit, games: dict[str, str]
) -> None:
    page = visit(games["three"] + "/analysis")
    finished(page)
    expect(page.locator("#graph")).to_have_count(0)
    expect(page.locator("#players tr")).to_have_count(3)
    page.locator("#watch-first").click()
    would = page.locator("#verdict", has_text="The engine would have chosen: ")
    for _ in range(page.locator("#turns tr").count()):
        page.locator("#watch-on").click()
        if would.count():
            break
    expect(would).to_be_visible()


def test_an_analysis_that_does_not_come_can_be_asked_for_again(visit: Visit, games: dict[str, str]) -> None:
    page = visit("/", expect_errors=True)
    page.route(
        "**/analysis", lambda route: route.abort() if "/api/" in route.request.url else route.continue_()
    )
    page.goto("/".join(page.url.split("/")[:3]) + games["two"] + "/analysis")
    expect(page.locator("#progress-said")).to_have_text("The analysis did not come. Please try again.")
    page.unroute("**/analysis")
    page.get_by_role("button", name="Try again").click()
    finished(page)


@pytest.mark.parametrize(
    ("scheme", "width", "language"), [("light", 320, "de"), ("dark", 768, "fr"), ("light", 1280, "en")]
)
def test_the_page_is_for_everybody(
    visit: Visit, games: dict[str, str], scheme: str, width: int, language: str
) -> None:
    window = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}, "locale": language}
    page = visit("/", **window)
    for name, path in games.items():
        page.goto("/".join(page.url.split("/")[:3]) + path + "/analysis")
        finished(page)
        page.locator("#turns tr:nth-child(3) button").click()
        assert violations(page) == [], name
        assert beyond(page) == [], name
        assert [one for one in small_targets(page) if 'class="space' not in one] == [], name
