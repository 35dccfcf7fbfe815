"""Pages as a screen reader has them: every stage of a game for players, spectators and guests, and a whole game by
keyboard from the accessibility tree alone. What is face down is nowhere in a page, for nobody."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.kit import (
    at_rest,
    hurry,
    move,
    my_move,
    open_table,
    place,
    skip_scoring,
    turn_over,
)
from tests.browser.test_moving_games import sit_down
from tests.browser.test_people import violations
from tests.serving import legal
from tests.timing import wait_until

WHERE = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
LEFT = """() => {
  const kept = [document.documentElement.outerHTML, ...Object.values(localStorage), ...Object.values(sessionStorage)];
  const moves = ({ effect }) => JSON.stringify([effect.getKeyframes(), effect.target.outerHTML]);
  const moving = document.getAnimations().map(moves);
  return [...kept, history.state && JSON.stringify(history.state), ...moving].join("\\n");
}"""
"""All that a page holds, and what moves on it."""


def heard(page: Page) -> str:
    """The page's accessibility tree, as text."""
    return page.locator("body").aria_snapshot()


def is_whole(page: Page, *, plays: bool) -> None:
    """The parts that a table's page has at any time, whoever looks; only a player is offered to act."""
    said = heard(page)
    for part in (
        'list "Players"',
        'region "Board"',
        'grid "Board, columns a to f, rows 1 to 6"',
        'list "What happened',
    ):
        assert part in said, part
    assert len(re.findall(r"gridcell \"[a-f][1-6], ", said)) == 36
    assert ("Turn over a tile" in said) <= plays
    assert page.locator("#ears[aria-live=polite]").count() == 1
    assert violations(page) == []


def test_every_stage_of_a_game_is_whole_for_player_spectator_and_guest(visit: Visit) -> None:
    player, spectator, guest = visit("/"), visit("/"), visit("/")
    open_table(spectator, "me", "here")  # somebody whom the house knows, from another table
    open_table(player, "me", "friend")
    everybody = (player, spectator, guest)
    for page in (spectator, guest):
        page.goto(player.url)
        expect(page.locator(".space")).to_have_count(36)
    for page in everybody:
        is_whole(page, plays=False)
    friend = visit("/")
    friend.goto(player.locator("#link2").input_value())
    friend.wait_for_url(re.compile(r"/t/\w+$"))
    for page in everybody:
        expect(page.locator("#prompt")).not_to_contain_text("Waiting")
        is_whole(page, plays=page is player)
    shown = turn_over(player)
    for page in everybody:
        expect(page.locator("#hand > .tile b")).to_have_text(shown)
        is_whole(page, plays=page is player)
    place(player, "c3")
    for page in everybody:
        expect(page.get_by_role("button", name="c3, face-down tile.")).to_be_visible()
        is_whole(page, plays=page is player)
    hurry(player, friend, left=1)
    while my_move(friend):
        move(friend)
    for page in everybody:
        skip_scoring(page)
        is_whole(page, plays=False)
        page.get_by_role("button", name="Watch it again").click()
        page.get_by_role("button", name="One turn on").click()
        is_whole(page, plays=False)


def test_a_whole_game_by_keyboard_from_the_accessibility_tree_alone(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "bot:novice")
    turns = 0
    while listen(page):
        to_the_board(page)
        said = heard(page)
        if 'button "Turn over a tile"' in said and (turns % 2 or "no piece left" in said):
            page.keyboard.press("t")
            expect(page.get_by_role("button", name="Turn over a tile")).to_be_hidden()
        to_a_free_space(page)
        space = page.evaluate(WHERE)[:2]
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"{space}, free.")).to_have_count(0)
        turns += 1
    assert turns == 18
    assert re.search(r'heading ".* (wins|share the win) with .*" \[(active|level=2)', heard(page))


def listen(page: Page) -> bool:
    """Wait until it is the reader's turn (True), or the game is over (False)."""
    found: list[bool] = []

    def is_told() -> bool:
        said = heard(page)
        if 'button "Play again"' in said:
            found.append(False)
        elif 'button "Skip the scoring"' in said:
            page.keyboard.press("Escape")
        elif re.search('paragraph: "?Your turn.', said):
            found.append(True)
        return bool(found)

    wait_until(is_told, "something is to be done, or the game is over")
    return found[0]


def to_the_board(page: Page) -> None:
    """Tab until a space has the focus."""
    for _ in range(40):
        if re.match(r"[a-f][1-6], ", page.evaluate(WHERE) or ""):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the board cannot be reached")


def to_a_free_space(page: Page) -> None:
    """Walk the board with the arrow keys, row by row, until a space says that it is free."""
    for _ in range(5):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
    for step in range(36):
        if page.evaluate(WHERE).endswith(", free."):
            return
        row, column = divmod(step, 6)
        page.keyboard.press("ArrowDown" if column == 5 else "ArrowLeft" if row % 2 else "ArrowRight")
    raise AssertionError("no space is free")


def test_what_lies_face_down_is_in_no_page_whatever_it_is(visit: Visit) -> None:
    """Two tables at which other tiles came: once they are placed and have come to rest the pages are the same."""
    left: dict[str, list[str]] = {}
    while len(left) < 2:
        player, spectator, guest = (visit("/", reduced_motion="no-preference") for _ in range(3))
        open_table(player, "me", "here")
        for page in (spectator, guest):
            page.goto(player.url)
            expect(page.locator(".space")).to_have_count(36)
        shown = turn_over(player)
        for page in (spectator, guest):
            expect(page.locator("#hand > .tile b")).to_have_text(shown)
        place(player, "c3")
        pages = (player, spectator, guest)
        for page in pages:
            expect(page.locator("#watchers")).to_have_text("2 people watch.")
            expect(page.get_by_role("button", name="c3, face-down tile.")).to_be_visible()
            expect(page.locator("#hand > .tile")).to_have_count(0)
            at_rest(page)
        left[shown] = [unnamed(page.evaluate(LEFT), player.url) for page in pages]
    one, other = left.values()
    assert one == other


def unnamed(left: str, address: str) -> str:
    """What is left in a page, without the table's name, its promise and the house's time, which differ of
    necessity."""
    table = address.rpartition("/")[2]
    timeless = re.sub(r'(id="now">)[\d.]+', r"\1NOW", left.replace(table, "TABLE"))
    return re.sub(r"[0-9a-f]{64}", "PROMISE", timeless)


SAID = """() => {
  window.said = [];
  const keep = ({ addedNodes }) => addedNodes.forEach((one) => said.push(one.textContent));
  new MutationObserver((all) => all.forEach(keep)).observe(document.querySelector("#ears"), { childList: true });
}"""
"""Keeps what is said from now on."""

FOCUS_AT_THE_END = """() => new MutationObserver(() => {
  if (!document.querySelector("#over").hidden) window.atTheEnd ??= document.activeElement.id || "nothing";
}).observe(document.querySelector("#over"), { attributes: true })"""
"""Keeps what has the focus when the result appears."""


@pytest.mark.parametrize("what", ["leave", "resign"])
def test_how_a_table_ended_is_said_once(visit: Visit, what: str) -> None:
    page, spectator = visit("/"), visit("/")
    open_table(page, "me", "bot:novice")
    if what == "resign":
        hurry(page, left=30)
    spectator.goto(page.url)
    table = page.url.replace("/t/", "/api/tables/")
    for one in (page, spectator):
        expect(one.locator(".space")).to_have_count(36)
        one.evaluate(SAID)
    assert page.request.post(f"{table}/{what}", data={}).ok
    for one in (page, spectator):
        expect(one.locator("#result")).to_be_focused()
        result = one.locator("#result").inner_text()
        said = one.evaluate("said")
        assert [sentence for sentence in said if result in sentence] == said[-1:], said


def test_a_table_that_never_began_offers_no_check(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "friend")
    table = page.url
    page.locator("#wait-no-longer").click()
    expect(page.locator(".doors").first).to_be_visible()
    page.goto(table)
    expect(page.locator("#over")).to_be_visible()
    expect(page.locator("#check")).to_be_hidden()


def test_the_result_has_the_focus_as_soon_as_it_is_shown(visit: Visit) -> None:
    """The last piece may still walk then, for a player and for who watches."""
    page, spectator = (visit("/", reduced_motion="no-preference") for _ in range(2))
    sit_down(page, "ramses", "here")
    spectator.goto(page.url)
    for one in (page, spectator):
        one.evaluate(FOCUS_AT_THE_END)
    table = page.url.replace("/t/", "/api/tables/")
    while (state := page.request.get(table).json())["status"] != "over":
        for one in (page, spectator):
            expect(one.locator("#log li")).to_have_count(state["board"]["turns"])
        answer = page.request.post(f"{table}/turns", data={"turn": legal(state), "after": state["seq"]})
        assert answer.ok
    for one in (page, spectator):
        expect(one.locator("#over")).to_be_visible()
        assert one.evaluate("atTheEnd") == "result"
