"""Clocks, resigning, quick pairing and talk, as people at two screens have them."""

from __future__ import annotations

import re
import time
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.kit import move, my_move, place
from tests.browser.test_people import violations
from tests.serving import Server, legal
from tests.timing import wait_until


def open_clocked(page: Page, *seats: str, clock: str = "game:300+5", on_time: str = "bot:novice") -> None:
    """A new table with a clock, made by the form."""
    page.goto("/".join(page.url.split("/", 3)[:3]) + "/new")
    for number, seat in enumerate(seats, 1):
        page.select_option(f"#seat{number}", seat)
    page.select_option("#clock", clock)
    if clock != "none":
        page.select_option("#on_time", on_time)
    page.select_option("#first", "1")
    page.select_option("#pace", "at-once")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".space")).to_have_count(36)


def in_turn(page: Page, *spaces: str) -> None:
    """Whole turns at one screen, one after another, from the beginning of a game."""
    for number, space in enumerate(spaces, 1):
        place(page, space)
        expect(page.locator("#log li")).to_have_count(number)


def short_table(page: Page, clock: dict[str, object], *seats: str, **wish: object) -> list[str]:
    """A table with a clock shorter than any the form offers; returns the friends' links."""
    base = "/".join(page.url.split("/", 3)[:3])
    body = {
        "seats": [{"kind": kind, "name": name} for kind, _, name in (seat.partition(":") for seat in seats)],
        "clock": clock,
        "first": 1,
        "pace": "at-once",
        **wish,
    }
    opened = page.request.post(f"{base}/api/tables", data=body).json()
    page.goto(base + opened["path"])
    return [seat["path"] for seat in opened["seats"] if seat["path"]]


def test_the_clock_of_who_is_to_move_runs_and_the_other_stands(visit: Visit) -> None:
    host = visit("/")
    began = time.monotonic()
    open_clocked(host, "me", "friend")
    friend = visit(host.locator("#link2").input_value().removeprefix(host.url.rsplit("/t/", 1)[0]))
    mine, other = (host.locator(f"[data-clock='{seat}']") for seat in (1, 2))
    expect(mine).to_have_class(re.compile("runs"))
    expect(mine).to_have_text(re.compile(r"4:\d\d"))
    expect(other).to_have_text("5:00")
    assert violations(host) == []
    place(host, "a1")
    expect(friend.locator("[data-clock='2']")).to_have_class(re.compile("runs"))
    expect(friend.locator("[data-clock='1']")).to_have_text(re.compile(r"5:0\d|4:\d\d"))
    friend.reload()
    theirs = friend.locator("[data-clock='2']")
    expect(theirs).to_have_text(re.compile(r"4:\d\d"))
    seconds = int(theirs.inner_text().split(":")[1])
    assert 240 + seconds >= 299 - (time.monotonic() - began), "no more time is taken than has passed"


def test_days_are_shown_as_days(visit: Visit) -> None:
    page = visit("/", locale="de")
    open_with = page.request.post(
        "/".join(page.url.split("/", 3)[:3]) + "/api/tables",
        data={
            "seats": [{"kind": "me"}, {"kind": "here"}],
            "first": 1,
            "clock": {"kind": "days", "seconds": 3 * 86_400},
        },
    ).json()
    page.goto(page.url.rstrip("/") + open_with["path"])
    expect(page.locator("[data-clock='2']")).to_have_text("3 Tage")
    expect(page.locator("[data-clock='1']")).to_have_text("2 Tage")


def test_time_runs_out_a_bot_plays_on_and_the_player_comes_back(visit: Visit) -> None:
    host = visit("/")
    (link,) = short_table(
        host, {"kind": "game", "seconds": 30, "increment": 180}, "me:Ada", "friend", on_time="bot:novice"
    )
    friend = visit(link)  # from now on the host's time runs too
    assert my_move(host)
    place(host, "a1")
    expect(friend.locator("#seats")).to_contain_text("Ada")
    expect(friend.locator("#ears")).to_contain_text("Your turn")
    expect(friend.locator("#return")).to_be_visible()
    expect(host.locator("#seats")).to_contain_text("a bot plays")
    expect(host.locator("#ears")).to_contain_text("A bot plays on for Yellow")
    expect(host.locator("#log li")).to_have_count(2)
    friend.locator("#return").click()
    expect(host.locator("#seats")).not_to_contain_text("a bot plays")
    expect(host.locator("#ears")).to_contain_text("Yellow is back.")
    expect(friend.locator("#return")).to_be_hidden()


def test_ears_are_told_when_time_runs_low(visit: Visit) -> None:
    page = visit("/")
    short_table(page, {"kind": "turn", "seconds": 20}, "me:Ada", "here")
    expect(page.locator("[data-clock='1']")).to_have_class(re.compile("low"))
    expect(page.locator("#ears")).to_contain_text("10 seconds left.")


def test_resigning_a_game_of_three_hands_the_seat_to_a_bot(visit: Visit) -> None:
    host = visit("/")
    open_clocked(host, "me", "here", "here")
    in_turn(host, "a1", "b1", "c1")
    host.locator("details.settings summary").click()
    host.get_by_role("button", name="Resign").click()
    dialog = host.get_by_role("dialog", name="Resign?")
    expect(dialog).to_contain_text("you come last")
    assert violations(host) == []
    host.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(host.locator("#seats")).not_to_contain_text("a bot plays")
    host.get_by_role("button", name="Resign").click()
    dialog.get_by_role("button", name="Resign").click()
    expect(host.locator("#seats li").first).to_contain_text("a bot plays")
    expect(host.locator("#log li")).to_have_count(4)
    assert my_move(host)
    move(host)
    expect(host.locator("#log li")).to_have_count(5)


def test_resigning_a_game_of_two_ends_it(visit: Visit) -> None:
    host = visit("/")
    open_clocked(host, "me", "here")
    host.locator("details.settings summary").click()
    expect(host.get_by_role("button", name="Leave without a result")).to_be_visible()
    in_turn(host, "a1", "b1")
    expect(host.get_by_role("button", name="Leave without a result")).to_be_hidden()
    host.get_by_role("button", name="Resign").click()
    host.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(host.locator("#result")).to_have_text("Yellow wins, for the other resigned.")
    expect(host.locator("#count")).to_be_hidden()
    host.get_by_role("button", name="Watch it again").click()
    expect(host.locator("#watch-said")).to_contain_text("Turn 0 of 2")
    assert violations(host) == []


def test_two_who_ask_for_a_pairing_in_the_same_moment_meet(visit: Visit) -> None:
    windows = [visit("/"), visit("/", locale="fr")]
    for window, button in zip(windows, ("Find a partner", "Trouver un partenaire"), strict=True):
        window.get_by_role("button", name=button).click(no_wait_after=True)
    for window in windows:
        window.wait_for_url("**/t/*")
        expect(window.locator("#open-seats")).to_be_hidden()
        expect(window.locator(".clock.runs")).to_have_count(1)
    assert windows[0].url == windows[1].url


def test_who_waits_can_stop_and_the_lobby_shows_who_waits(visit: Visit) -> None:
    host, other = visit("/"), visit("/")
    host.select_option("#pair-game", "senet")
    host.get_by_role("button", name="Find a partner").click()
    expect(host.get_by_role("heading", name="A partner is looked for")).to_be_visible()
    table = host.url.rpartition("/")[2]
    seat = other.locator(f"#lobby-open [data-table='{table}']")
    expect(seat).to_be_visible()
    assert violations(other) == []
    host.get_by_role("button", name="Wait no longer").click()
    expect(host.get_by_role("heading", name="Play with others")).to_be_visible()
    expect(seat).to_have_count(0)


def test_an_open_table_is_joined_from_the_lobby_and_watched(visit: Visit) -> None:
    host, guest, fan = visit("/"), visit("/"), visit("/")
    host.goto(host.url + "new")
    host.select_option("#seat2", "friend")
    host.check("input[name=public][value=yes]")
    host.get_by_role("button", name="Open the table").click()
    expect(host.locator("#keep-open")).to_contain_text("stands in the lobby")
    assert violations(host) == []
    table = host.url.rpartition("/")[2]
    fan.goto(host.url)
    expect(fan.get_by_role("button", name="Sit down")).to_be_visible()
    guest.locator(f"#lobby-open [data-table='{table}']").click()
    for window in (host, guest):
        expect(window.locator("#open-seats")).to_be_hidden()
    expect(fan.get_by_role("button", name="Sit down")).to_be_hidden()
    for window in (host, guest, fan):
        expect(window.locator("#watchers")).to_have_text(re.compile("One person watches."))
    expect(fan.locator("#talk-form")).to_be_hidden()
    fan.goto(fan.url.split("/t/")[0] + "/")
    expect(host.locator("#watchers")).to_be_hidden()
    expect(fan.locator(f"#lobby-running [data-table='{table}']")).to_be_visible()


def test_the_front_page_keeps_up_with_ones_own_tables(visit: Visit) -> None:
    mine, guest = visit("/"), visit("/")
    base = mine.url.rstrip("/")
    expect(mine.get_by_role("heading", name="Your tables")).to_be_hidden()
    seats = [{"kind": "me"}, {"kind": "friend"}]
    opened = mine.request.post(
        f"{base}/api/tables", data={"seats": seats, "public": True, "first": 2, "game": "senet"}
    ).json()
    table = opened["table"]
    own = mine.locator(f"#my-tables [data-table='{table}']")
    expect(own).to_contain_text("Senet")
    every = mine.get_by_role("link", name="All your games that are over")
    every.focus()
    expect(mine.locator(f"#lobby-open [data-table='{table}']")).to_have_text("Your table")
    expect(guest.locator(f"#lobby-open [data-table='{table}']")).to_have_text("Sit down")
    path = f"{base}/api/tables/{table}"
    state = guest.request.post(f"{path}/seats/2", data={}).json()["state"]
    expect(mine.locator(f"#lobby-running [data-table='{table}']")).to_be_visible()
    expect(every).to_be_focused()
    own.focus()
    while state["mine"]:
        sent = guest.request.post(f"{path}/turns", data={"turn": legal(state), "after": state["seq"]})
        state = sent.json()["state"]
    expect(own).to_contain_text("Your turn.")
    expect(own).to_be_focused()
    mine.locator(f"#lobby-running [data-table='{table}']").click()
    expect(mine.locator("#prompt")).to_contain_text("your turn", ignore_case=True)


LOOKS = """{
  const often = window.setInterval;
  window.setInterval = (done, time) => (time === 4000 ? ((window.look = done), 0) : often(done, time));
}"""
"""After the page has come its lobby is looked at when a test says so: ``look()`` ends when what came is shown."""


def lobby_unanswered(visit: Visit, base: str) -> Page:
    """The front page as the house has drawn it; what its script asks of the lobby is not answered."""
    page = visit(
        "/rules", base=base, expect_errors=True, service_workers="block"
    )  # past one, nothing is held back
    page.add_init_script(LOOKS)
    page.route("**/api/tables", lambda route: route.abort())
    page.goto(base)
    return page


def test_what_has_not_changed_in_the_lobby_is_not_drawn_anew(visit: Visit, tmp_path: Path) -> None:
    """Nobody's click goes astray because the list is exchanged under it."""
    server = Server(tmp_path / "own.db")
    host = visit("/", base=server.url)
    wishes: list[dict[str, object]] = [
        {"seats": [{"kind": "me"}, {"kind": "friend"}], "game": "senet"},
        {"seats": [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "novice"}]},
    ]
    for wish in wishes:
        assert host.request.post(f"{server.url}/api/tables", data={"public": True, **wish}).ok

    def stand_there(waiting: int, running: int) -> bool:
        """Whether so many tables stand in the lobby, which is read once a second at most."""
        lobby = host.request.get(f"{server.url}/api/tables").json()
        return (len(lobby["open"]), len(lobby["running"])) == (waiting, running)

    wait_until(lambda: stand_there(1, 1), "they stand in the lobby")
    page = lobby_unanswered(visit, server.url)
    drawn = page.locator("#lobby-open li, #lobby-running li")
    expect(drawn).to_have_count(2)
    drawn.evaluate_all("all => all.forEach((one) => (one.kept = true))")
    page.unroute("**/api/tables")
    page.evaluate("look()")
    kept = "all => all.map((one) => one.kept ?? false)"
    assert drawn.evaluate_all(kept) == [True, True]
    another = {"seats": [{"kind": "me"}, {"kind": "friend"}], "game": "ramses", "public": True}
    assert host.request.post(f"{server.url}/api/tables", data=another).ok
    wait_until(lambda: stand_there(2, 1), "it stands in the lobby")
    page.evaluate("look()")
    expect(drawn).to_have_count(3)
    assert drawn.evaluate_all(kept) == [False, True, True], "the others are not drawn anew for it"
    for window in (host, page):
        window.context.close()
    assert server.stop() == 0


def test_what_came_while_the_lobby_was_away_is_shown_when_it_is_back(visit: Visit, server: Server) -> None:
    """Of two answers one is lost: the other is not taken for shown."""
    page = lobby_unanswered(visit, server.url)
    wish = {"seats": [{"kind": "me"}, {"kind": "friend"}], "game": "senet"}
    table = page.request.post(f"{server.url}/api/tables", data=wish).json()["table"]
    with page.expect_response("**/my-tables"):
        page.evaluate("look()")
    page.unroute("**/api/tables")
    page.evaluate("look()")
    expect(page.locator(f"#my-tables [data-table='{table}']")).to_be_visible()


def test_a_phrase_is_read_in_two_languages_and_a_player_can_be_muted(visit: Visit) -> None:
    host = visit("/")
    open_clocked(host, "me", "friend", clock="none")
    friend = visit(
        host.locator("#link2").input_value().removeprefix(host.url.rsplit("/t/", 1)[0]), locale="de"
    )
    expect(friend.locator("#seats")).to_contain_text("(du)")
    host.select_option("#talk-phrase", "good-luck")
    host.get_by_role("button", name="Say it").click()
    expect(friend.locator("#talk li")).to_have_text(["Grün Viel Glück!"])
    expect(friend.locator("#ears")).to_contain_text("Grün: Viel Glück!")
    expect(host.locator("#talk li")).to_have_text(["Green Good luck!"])
    friend.fill("#talk-text", "Wo war <b>die</b> +4?")
    friend.get_by_role("button", name="Sagen").click()
    expect(host.locator("#talk li").first).to_have_text("Yellow Wo war <b>die</b> +4?")
    expect(host.locator("#toast")).to_have_text("Yellow: Wo war <b>die</b> +4?")
    host.locator("details.settings summary").click()
    host.get_by_label("Do not hear Yellow").focus()
    friend.fill("#talk-text", "Und die −3?")
    friend.get_by_role("button", name="Sagen").click()
    expect(host.locator("#talk li").first).to_have_text("Yellow Und die −3?")
    expect(host.get_by_label("Do not hear Yellow")).to_be_focused()
    host.get_by_label("Do not hear Yellow").check()
    expect(host.get_by_label("Do not hear Yellow")).to_be_focused()
    expect(host.locator("#talk li")).to_have_text(["Green Good luck!"])
    host.reload()
    expect(host.locator("#talk li")).to_have_text(["Green Good luck!"])
    host.locator("details.settings summary").click()
    host.locator("#talk-on").uncheck()
    expect(host.locator("#talk-fold")).to_be_hidden()


def test_who_waits_is_told_in_the_title_when_it_is_his_turn(visit: Visit) -> None:
    host = visit("/")
    open_clocked(host, "me", "friend", clock="turn:60+0")
    friend = visit(host.locator("#link2").input_value().removeprefix(host.url.rsplit("/t/", 1)[0]))
    expect(host).to_have_title(re.compile("● Your turn"))
    expect(friend).not_to_have_title(re.compile("●"))
    place(host, "a1")
    expect(friend).to_have_title(re.compile("● Your turn"))
