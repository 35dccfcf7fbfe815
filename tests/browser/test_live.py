"""Reload, back, a second tab, a lost connection, a restarted server: the table is as it was."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.kit import board_of, move, my_move, open_table, place, turn_over
from tests.serving import Server
from tests.timing import wait_until

ACT = """() => {
  const next = document.querySelector(".space.offers") ?? document.querySelector("#draw:not([hidden])");
  if (document.querySelector(".bar.mine")) next?.click();
}"""
"""Takes the first space that is offered, else a tile, in one step: what a click before has sent may be told any moment,
and then that space is no longer free."""


def test_a_tile_in_hand_survives_a_reload_and_a_placed_one_is_hidden(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "here")
    shown = turn_over(page)
    page.reload()
    expect(page.locator("#hand > .tile b")).to_have_text(shown)
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.locator("#hand > .tile b")).to_have_text(shown)
    place(page, "c3")
    expect(page.get_by_role("button", name="c3, face-down tile.")).to_be_visible()
    expect(second.get_by_role("button", name="c3, face-down tile.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="c3, face-down tile.")).to_be_visible()
    for window in (page, second):
        expect(window.locator("#hand > .tile")).to_have_count(0)
        assert shown not in window.locator("#log").inner_text()
        assert shown not in window.locator("#ears").inner_text()


def test_back_and_forward_show_the_true_board(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "here")
    place(page, "a1")
    expect(page.locator("#log li")).to_have_count(1)
    page.goto("about:blank")
    page.go_back()
    expect(page.locator("#log li")).to_have_count(1)
    place(page, "b1")
    expect(page.locator("#log li")).to_have_count(2)
    assert board_of(page)[-6:-4] == ["a1, Green's green piece.", "b1, Yellow's yellow piece."]


def test_a_lost_connection_comes_back_and_misses_nothing(visit: Visit) -> None:
    page = visit("/", expect_errors=True)
    open_table(page, "me", "here")
    second = page.context.new_page()
    second.goto(page.url)
    other = visit("/")
    other.goto(page.url)
    place(page, "a1")
    for window in (page, second, other):
        expect(window.locator("#log li")).to_have_count(1)
    page.context.set_offline(offline=True)
    expect(page.locator("#connection")).to_contain_text("Reconnecting")
    place(page, "b1")
    expect(page.locator("#toast")).to_contain_text("did not reach")
    expect(page.get_by_role("button", name="b1, free.")).to_be_visible()
    page.context.set_offline(offline=False)
    expect(page.locator("#connection")).to_be_empty()
    place(second, "c1")
    for window in (page, second, other):
        expect(window.locator("#log li")).to_have_count(2)
    assert board_of(page) == board_of(other) == board_of(second)


def test_a_restarted_server_finds_the_table_and_the_page_finds_the_server(
    visit: Visit, tmp_path: Path
) -> None:
    server = Server(tmp_path / "own.db")
    page = visit("/", base=server.url, expect_errors=True)
    open_table(page, "me", "bot:novice", "bot:novice")
    assert my_move(page)
    shown = turn_over(page)
    server.kill()
    server = server.again()
    expect(page.locator("#hand > .tile b")).to_have_text(shown)
    place(page, "c3")
    expect(page.locator("#log li")).to_have_count(3)  # the bots have played on
    assert my_move(page)
    move(page)
    labels = board_of(page)
    assert labels[20] == "c3, face-down tile."
    assert server.stop() == 0


def test_a_spectator_sees_and_cannot_play(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "here")
    spectator = visit("/")
    spectator.goto(page.url)
    expect(spectator.locator("#draw")).to_be_hidden()
    place(spectator, "a1")
    expect(spectator.locator("#toast")).to_have_text("It is not your turn.")
    shown = turn_over(page)
    expect(spectator.locator("#hand > .tile b")).to_have_text(shown)
    place(page, "d4")
    expect(spectator.get_by_role("button", name="d4, face-down tile.")).to_be_visible()
    expect(page.get_by_role("button", name="a1, free.")).to_be_visible()


def test_the_same_browser_finds_its_seats_and_its_own_link_seats_nobody(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "friend")
    table = page.url
    link = page.locator("#link2").input_value()
    page.goto(link)
    expect(page.get_by_role("heading")).to_contain_text("invites you")
    assert "/seat/2/" in page.url, "one's own link waits for a click"
    page.goto(page.url.split("/t/")[0] + "/")
    page.locator(".mine a").first.click()
    page.wait_for_url(table)


def test_a_link_without_script_offers_a_button(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "friend")
    link = page.locator("#link2").input_value()
    plain = visit("/", java_script_enabled=False)
    plain.goto(link)
    expect(page.locator("#invite")).to_be_visible()
    plain.fill("#name", "Bo")
    plain.get_by_role("button", name="Sit down and play").click()
    expect(page.locator("#seats")).to_contain_text("Bo")


def test_who_clicks_while_bots_still_move_stays_on_the_true_board(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "bot:novice", "bot:novice")
    for _ in range(20):
        if not my_move(page):
            break
        taken = page.locator(".space:not(.offers)")
        page.evaluate(ACT)
        for _ in range(8):  # a restless player: clicks while the bots' tiles are still being shown
            taken.first.click(force=True)
            page.wait_for_timeout(60)

    def shows_the_true_board() -> bool:
        state = page.evaluate(
            "fetch(`/api${location.pathname.replace('/t/', '/tables/')}`).then(answer => answer.json())"
        )
        return (page.locator("#log li").count(), board_of(page)) == (len(state["log"]), state["labels"])

    wait_until(shows_the_true_board, "the page shows the board as the house has it")
