"""A waiting player is told: in the tab, by a bell, by the system while no page is open; and the page where he asks
for it.

A headless Chromium has no push service to subscribe with. So the page gets a subscription of ours, whose messages come
to an endpoint of ours; what arrives there sealed is opened and handed to the service worker as the browser would.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, Page, Worker, expect

from tests.browser.conftest import LONGEST, Visit
from tests.browser.kit import open_table, place
from tests.browser.test_people import violations
from tests.endpoints import Browser, Endpoint, endpoint
from tests.serving import Server
from tests.timing import wait_until

SUBSCRIPTION = """
  const wish = %s;
  const found = { endpoint: wish.endpoint, toJSON: () => ({ keys: wish }) };
  PushManager.prototype.subscribe = async (asked) => ((window.asked = asked), found);
  PushManager.prototype.getSubscription = async () => (window.asked ? found : null);
"""
SHOWN = """async () => (await self.registration.getNotifications())
  .map(({ title, body, tag, lang, data, icon }) => ({ title, body, tag, lang, path: data.path, icon }))"""
BELL = """
  localStorage.setItem("sound", "on");
  window.rung = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function () { rung.push(this.frequency.value); return start.call(this); };
"""
REFUSED = """() => {
  Notification.requestPermission = async () => {
    Object.defineProperty(Notification, "permission", { get: () => "denied" });
    return "denied";
  };
}"""
HIDDEN = """
  Object.defineProperty(document, "hidden", { get: () => true });
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(
        tmp_path_factory.mktemp("told") / "house.db", environment={"OUDJAT_LOOPBACK_WEBHOOKS": "1"}
    )
    yield server
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.fixture
def post() -> Iterator[Endpoint]:
    with endpoint() as found:
        yield found


def worker_of(context: BrowserContext) -> Worker:
    (page, *_) = context.pages
    wait_until(lambda: bool(page.evaluate("1") and context.service_workers), "there is a service worker")
    return context.service_workers[0]


def deliver(page: Page, server: Server, message: Any) -> None:
    """Hand a message to the service worker, as the browser does with what its push service brings."""
    tools = page.context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated", lambda told: registrations.extend(told["registrations"])
    )
    tools.send("ServiceWorker.enable")
    wait_until(lambda: bool(page.evaluate("1") and registrations), "the registration is told")
    for registration in registrations:
        tools.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": server.url,
                "registrationId": registration["registrationId"],
                "data": json.dumps(message),
            },
        )


def test_a_browser_asks_on_a_click_and_is_told_with_the_page_closed(
    chromium: Chromium, server: Server, post: Endpoint, visit: Visit
) -> None:
    browser = Browser(f"{post.url}/browser")
    context = chromium.new_context(locale="en", permissions=["notifications"])
    context.set_default_timeout(LONGEST)
    context.add_init_script(SUBSCRIPTION % json.dumps(browser.wish()))
    page = context.new_page()
    page.goto(server.url)
    open_table(page, "me", "friend", first="2")
    link = page.locator("#link2").input_value()
    page.get_by_role("link", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.locator("details.settings summary").click()
    page.get_by_role("link", name="Dites-moi quand c’est mon tour").click()
    page.get_by_role("button", name="M’avertir dans ce navigateur").click()
    expect(page.get_by_role("heading", name="Ce navigateur", exact=True)).to_be_focused()
    asked = page.evaluate("window.asked")
    push_key = page.request.get(f"{server.url}/api/channels").json()["push_key"]
    assert asked == {"userVisibleOnly": True, "applicationServerKey": push_key}
    page.get_by_role("button", name="Faire un essai").click()
    expect(page.get_by_text("Envoyé. Le message devrait arriver")).to_be_visible()
    assert browser.opens(post.wait_for(1)[0], push_key)["title"] == "Voici comment la maison vous avertit"
    worker = worker_of(context)
    blank = context.new_page()
    blank.goto(f"{server.url}/robots.txt")
    page.close()  # from now on no page of the house is open
    friend = visit(link.removeprefix(server.url))
    friend.wait_for_selector("#board .space")
    message = browser.opens(post.wait_for(2)[1], push_key)
    deliver(blank, server, message)
    place(friend, "c3")
    message = browser.opens(post.wait_for(3)[2], push_key)
    deliver(blank, server, message)
    wait_until(
        lambda: [one["title"] for one in worker.evaluate(SHOWN)] == ["À vous de jouer"], "the newer one only"
    )
    (shown,) = worker.evaluate(SHOWN)
    table = link.removeprefix(server.url).partition("/seat/")[0]
    assert shown["path"] == table
    assert shown["body"].startswith("Isis & Osiris avec ")
    assert shown["lang"] == "fr"
    assert shown["icon"].endswith("/icon-192.png")
    opened = worker.evaluate(
        """async () => {
          const [notification] = await self.registration.getNotifications();
          const opened = new Promise((done) => (self.clients.openWindow = async (path) => done(path)));
          self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
          return opened;
        }"""
    )
    assert opened == table
    wait_until(lambda: worker.evaluate(SHOWN) == [], "the notification is closed")
    context.close()


def test_a_browser_with_another_address_lets_the_house_know(
    chromium: Chromium, server: Server, post: Endpoint
) -> None:
    first, second = Browser(f"{post.url}/first"), Browser(f"{post.url}/second")
    context = chromium.new_context(locale="en", permissions=["notifications"])
    context.set_default_timeout(LONGEST)
    context.add_init_script(SUBSCRIPTION % json.dumps(first.wish()))
    page = context.new_page()
    page.goto(f"{server.url}/notices")
    page.get_by_role("button", name="Tell me in this browser").click()
    page.locator("select[name=when]").select_option("away")
    expect(page.get_by_text("Saved.")).to_be_visible()
    worker_of(context).evaluate(
        """([old, now]) => {
          const event = new ExtendableEvent("pushsubscriptionchange");
          event.oldSubscription = { endpoint: old.endpoint };
          event.newSubscription = { toJSON: () => ({ endpoint: now.endpoint, keys: now }) };
          self.dispatchEvent(event);
        }""",
        [first.wish(), second.wish()],
    )
    channels = f"{server.url}/api/channels"
    wait_until(
        lambda: (
            [one["address"] for one in page.request.get(channels).json()["channels"]] == [second.endpoint]
        ),
        "the new address in place of the old",
    )
    assert page.request.get(channels).json()["channels"][0]["away_only"] is True
    context.close()


def test_webhooks_are_added_changed_tried_and_removed(visit: Visit, server: Server, post: Endpoint) -> None:
    page = visit("/notices", timezone_id="Asia/Tokyo", expect_errors=True)
    page.fill("#webhook-url", "http://192.168.0.1/")
    page.get_by_role("button", name="Add this webhook").click()
    expect(page.locator("#webhook-said")).to_contain_text("begins with https://")
    expect(page.locator("#webhook-url")).to_be_focused()
    page.fill("#webhook-url", f"{post.url}/hook")
    page.locator("#webhook-kind").focus()
    expect(page.locator("#webhook-kind")).to_have_value("json")
    page.get_by_role("button", name="Add this webhook").press("Enter")
    expect(page.get_by_role("heading", name="A program: 127.0.0.1")).to_be_focused()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("Sent. It should be there")).to_be_visible()
    assert post.wait_for(1)[0].json()["kind"] == "test"
    post.statuses = [500]
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("did not take the message (it answered 500)")).to_be_visible()
    page.locator("select[name=how]").select_option(label="once a day at 7:00 AM")
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.locator("select[name=how]")).to_have_value("7")
    kept = page.request.get(f"{server.url}/api/channels").json()["channels"][0]
    assert (kept["digest_hour"], kept["zone"]) == (7, "Asia/Tokyo")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".channel")).to_have_count(0)
    expect(page.locator("#told-elsewhere")).to_be_focused()
    page.reload()
    expect(page.locator(".channel")).to_have_count(0)


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "de"), ("light", "fr")])
def test_the_page_is_for_everybody(
    visit: Visit, server: Server, post: Endpoint, scheme: str, language: str
) -> None:
    page = visit("/notices", color_scheme=scheme, locale=language, viewport={"width": 320, "height": 640})
    assert violations(page) == []
    page.fill("#webhook-url", f"{post.url}/hook")
    page.locator("#webhook button").click()
    expect(page.locator(".channel")).to_have_count(1)
    post.statuses = [404]
    page.locator("[data-do=test]").click()
    expect(page.locator(".channel .said")).to_contain_text("404")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    heights = page.locator("main :is(button, select, input)").evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().height)"
    )
    assert min(heights) >= 43.9


def test_a_browser_that_may_not_or_cannot_is_told_so(visit: Visit) -> None:
    page = visit("/notices")
    page.evaluate(REFUSED)
    page.get_by_role("button", name="Tell me in this browser").click()
    expect(page.get_by_text("does not let the house tell you anything")).to_be_visible()
    expect(page.get_by_role("button", name="Tell me in this browser")).to_be_hidden()
    page.context.add_init_script("delete window.PushManager")
    page.reload()
    expect(page.get_by_text("This browser cannot be told.")).to_be_visible()


def sign_of(page: Page) -> str:
    found: str = page.locator("link[rel=icon]").evaluate("(link) => link.href")
    return found


def test_the_tab_the_bell_and_the_sign_tell_in_the_background(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "me", "friend", first="2")
    friend = visit(page.locator("#link2").input_value().partition("/t/")[2].join(["/t/", ""]))
    friend.wait_for_selector("#board .space")
    page.context.add_init_script(BELL + HIDDEN)
    page.reload()
    title, sign = page.title(), sign_of(page)
    assert page.evaluate("document.hidden")
    place(friend, "c3")
    page.wait_for_function("() => document.title === '● Your turn · Oudjat'")
    page.wait_for_function("() => rung.length >= 2")
    assert 880 in page.evaluate("rung")
    assert sign_of(page) != sign
    place(page, "d3")
    expect(page.locator("#log li")).to_have_count(2)
    assert page.title() == title
    assert sign_of(page) == sign
    assert page.evaluate("rung.filter((frequency) => frequency === 880).length") == 1
