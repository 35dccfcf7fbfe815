"""The page of an analysis: what each turn was worth, in a table, a graph and words, turn by turn on the board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.kit import small_targets
from tests.browser.test_narrow import WIDEST, beyond
from tests.browser.test_people import violations
from tests.serving import QUICK_ANALYSES, Player, Server

HERE = {"kind": "here"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("analysis") / "house.db", beforehand=QUICK_ANALYSES)
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="module")
def games(server: Server) -> dict[str, str]:
    """The paths of tables that are over."""
    paths = {}
    for name, game, others in (("two", "isis-osiris", 1), ("ramses", "ramses", 1), ("three", "isis", 2)):
        ada = Player(server.url)
        opened = ada.open({"kind": "me", "name": WIDEST}, *[HERE] * others, game=game, first=1)
        ada.play_out(tiles_first=name == "two")
        ada.http.close()
        paths[name] = str(opened["path"])
    return paths


def finished(page: Page) -> None:
    """Wait until every turn has been analysed."""
    expect(page.locator("#turns tr")).not_to_have_count(0)
    expect(page.locator("#progress-bar")).to_be_hidden()
    expect(page.locator("#retry")).to_be_hidden()
    expect(page.locator("#turns")).not_to_contain_text("…")


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


def test_of_a_tile_the_better_choice_or_the_better_place_is_marked(
    visit: Visit, games: dict[str, str]
) -> None:
    page = visit(games["two"] + "/analysis")
    finished(page)
    address = page.url.replace("/t/", "/api/tables/")
    kinds = set()
    for told in map(json.loads, filter(None, page.request.get(address).text().splitlines())):
        if "turn" not in told:
            continue
        page.locator(f"#turns tr:nth-child({told['turn']}) button").click()
        marked = page.locator(".space.better").evaluate_all("all => all.map((one) => one.dataset.space)")
        verdict, placing = page.locator("#verdict").inner_text(), told["best_placing"]
        if told["cost"] < 0.0005:
            kind, right = "good", []
            assert not told["better"]
        elif told["best"] not in ("draw", told["played"]):
            kind, right = "piece", [told["best"][-2:]]
            assert f"Best: {told['best']}." in verdict
        elif placing and placing != told["played"]:
            kind, right = "placing", [placing[-2:]]
            assert f"Best with this tile: {placing.replace('-', '−')}." in verdict
        else:
            kind, right = "drawing", []
            assert "Best: turn over a tile." in verdict
        assert marked == right, told
        kinds.add(kind)
    assert kinds > {"good"}, "nobody plays so well"


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
    page = visit("/", expect_errors=True, service_workers="block")  # past one, nothing can be held back
    page.route(
        "**/analysis", lambda route: route.abort() if "/api/" in route.request.url else route.continue_()
    )
    page.goto("/".join(page.url.split("/")[:3]) + games["two"] + "/analysis")
    expect(page.locator("#progress-said")).to_have_text("The analysis did not come. Please try again.")
    page.unroute("**/analysis")
    page.get_by_role("button", name="Try again").click()
    finished(page)


def test_an_analysis_that_breaks_off_is_gone_on_with_and_no_row_is_filled_twice(
    visit: Visit, games: dict[str, str]
) -> None:
    base = visit("/").url.rstrip("/")
    whole = visit("/").request.get(f"{base}/api{games['two'].replace('/t/', '/tables/')}/analysis").text()
    page = visit("/", expect_errors=True, service_workers="block")  # past one, nothing can be exchanged
    lines = [line for line in whole.splitlines(keepends=True) if '"turn"' in line]
    error = json.dumps({"error": {"message": "This analysis broke off; please try again."}})
    page.route("**/api/**/analysis", lambda route: route.fulfill(body="".join(lines[:30]) + error + "\n"))
    page.goto(base + games["two"] + "/analysis")
    expect(page.locator("#progress-said")).to_have_text("This analysis broke off; please try again.")
    rows = [re.sub(r"\s+", " ", row) for row in page.locator("#turns tr").all_inner_texts()]
    assert violations(page) == []
    page.unroute("**/api/**/analysis")
    page.get_by_role("button", name="Try again").focus()
    page.keyboard.press("Enter")
    finished(page)
    assert page.evaluate("document.activeElement.id") == "weighed"
    again = [re.sub(r"\s+", " ", row) for row in page.locator("#turns tr").all_inner_texts()]
    assert again[6:] == rows[6:]


def test_a_page_of_a_proxy_is_not_shown_as_it_is(visit: Visit, games: dict[str, str]) -> None:
    page = visit("/", expect_errors=True, service_workers="block")  # past one, nothing can be exchanged
    page.route("**/api/**/analysis", lambda route: route.fulfill(status=502, body="<html>Bad gateway</html>"))
    page.goto(page.url.rstrip("/") + games["two"] + "/analysis")
    expect(page.locator("#progress-said")).to_have_text("The analysis did not come. Please try again.")


def test_the_rows_are_one_stop_and_walked_up_and_down(visit: Visit, games: dict[str, str]) -> None:
    page = visit(games["two"] + "/analysis")
    finished(page)
    assert page.locator("#turns button[tabindex='0']").count() == 1
    page.locator("#turns tr:nth-child(4) button").click()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#turns tr:nth-child(5) button")).to_be_focused()
    expect(page.locator("#watch-said")).to_contain_text("Turn 5 of 36:")
    expect(page.locator("#watch-at")).to_have_attribute("aria-valuetext", "Turn 5 of 36")
    page.keyboard.press("Home")
    expect(page.locator("#turns tr:nth-child(1) button")).to_be_focused()


def test_on_a_phone_a_chosen_turn_brings_the_board_into_sight(visit: Visit, games: dict[str, str]) -> None:
    page = visit(games["two"] + "/analysis", viewport={"width": 320, "height": 640})
    finished(page)
    page.locator("#turns tr:nth-child(12) button").click()
    box = page.locator("#board").bounding_box()
    assert box
    assert box["y"] + box["height"] > 100


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
