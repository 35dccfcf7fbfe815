"""The house as an app: it can be installed, says so when there is no network, and keeps nothing that grows old."""

from __future__ import annotations

import shutil
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import oudjat
from tests.browser.conftest import ARGUMENTS, LONGEST, Visit, executable
from tests.browser.kit import open_table, place
from tests.serving import Server
from tests.timing import PATIENCE

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found;
}"""


def with_worker(page: Page) -> Page:
    """The page once the service worker answers for it."""
    page.wait_for_function("() => navigator.serviceWorker.controller")
    return page


def reload_until(page: Page, holds: Callable[[], bool], what: str) -> None:
    """Read a page anew until something holds soon afterwards: a browser looks for a new version with every page, but
    not while it is still looking because of an earlier one."""
    end = time.monotonic() + PATIENCE
    while True:
        page.reload()
        soon = time.monotonic() + PATIENCE / 8
        while time.monotonic() < soon:
            if holds():
                return
            time.sleep(0.05)
        assert time.monotonic() < end, what


@pytest.fixture
def installer(chromium: Browser, tmp_path: Path) -> Iterator[BrowserContext]:
    """A window with a profile of its own: in private ones nothing can be installed."""
    window = chromium.browser_type.launch_persistent_context(
        tmp_path / "profile", executable_path=executable(), args=ARGUMENTS, locale="de", timeout=2 * LONGEST
    )
    window.set_default_timeout(LONGEST)
    yield window
    window.close()


def test_it_can_be_installed(installer: BrowserContext, server: Server) -> None:
    page = installer.new_page()
    page.goto(server.url)
    with_worker(page)
    tools = installer.new_cdp_session(page)
    assert tools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    found = tools.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{server.url}/manifest.webmanifest?lang=de"
    assert '"Neuer Tisch"' in found["data"]


@pytest.mark.parametrize(("language", "rules"), [("en", "Rules"), ("de", "Regeln"), ("fr", "Règles")])
def test_the_manifest_speaks_the_readers_language_and_its_icons_are_what_it_says(
    server: Server, language: str, rules: str
) -> None:
    with httpx.Client(base_url=server.url) as http:
        answer = http.get("/manifest.webmanifest", params={"lang": language})
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest = answer.json()
        assert manifest["lang"] == language
        assert rules in [shortcut["name"] for shortcut in manifest["shortcuts"]]
        for shortcut in manifest["shortcuts"]:
            assert http.get(shortcut["url"]).status_code == 200
        for icon in manifest["icons"]:
            drawn = http.get(icon["src"])
            assert drawn.headers["content-type"] == icon["type"]
            if icon["sizes"] != "any":
                width, height = struct.unpack(">II", drawn.content[16:24])
                assert f"{width}x{height}" == icon["sizes"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The house cannot be reached."),
        ("de", "Das Haus ist nicht zu erreichen."),
        ("fr", "La maison est injoignable."),
    ],
)
def test_without_a_network_it_says_so_and_opens_by_itself_when_it_is_back(
    visit: Visit, language: str, said: str
) -> None:
    page = visit(f"/lang/{language}?back=/", expect_errors=True, locale="en")
    with_worker(page).reload()  # this time the worker sees which language is read
    page.wait_for_function(
        "async (language) => ((await (await caches.match('/language'))?.text()) ?? 'en') === language",
        arg=language,
    )
    page.context.set_offline(offline=True)
    page.goto(page.url.rstrip("/") + "/rules")
    expect(page.get_by_role("heading", level=1)).to_have_text(said)
    assert page.locator("html").get_attribute("lang") == language
    assert page.evaluate("getComputedStyle(document.querySelector('.sheet')).borderRadius") != "0px"
    page.context.set_offline(offline=False)
    expect(page.locator(".prose")).to_be_visible()
    assert page.url.endswith("/rules")


def test_what_is_shown_of_a_table_is_never_kept(visit: Visit) -> None:
    page = visit("/", expect_errors=True)
    with_worker(page)
    open_table(page, "me", "here")
    place(page, "c3")
    expect(page.locator("#log li")).to_have_count(1)
    page.evaluate("fetch(location.pathname.replace('/t/', '/api/tables/')).then((answer) => answer.json())")
    kept = page.evaluate(KEPT)
    assert {path for path in kept if not path.startswith("/static/")} == {"/offline"}
    page.context.set_offline(offline=True)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("The house cannot be reached.")
    assert page.evaluate("fetch(location.pathname.replace('/t/', '/api/tables/')).catch(() => 'no')") == "no"
    page.context.set_offline(offline=False)
    expect(page.get_by_role("button", name="c3, Green's green piece.")).to_be_visible()


def test_a_new_version_lets_go_of_the_files_of_the_old_one(visit: Visit, tmp_path: Path) -> None:
    server = Server(tmp_path / "house.db")
    page = visit("/", base=server.url, expect_errors=True)
    with_worker(page).reload()
    old = next(path for path in page.evaluate(KEPT) if path.endswith("/base.css"))
    server.stop()
    shutil.copytree(Path(oudjat.__file__).parent, tmp_path / "oudjat")
    with (tmp_path / "oudjat/house/static/base.css").open("a") as style:
        style.write(":root { --of-the-new-version: 1px; }\n")
    server = Server(server.database, server.port, environment={"PYTHONPATH": str(tmp_path)})
    reload_until(page, lambda: old not in page.evaluate(KEPT), "the old version's files are still kept")
    assert any(path.endswith("/base.css") for path in page.evaluate(KEPT))
    of_the_new_version = (
        "() => getComputedStyle(document.documentElement).getPropertyValue('--of-the-new-version') === '1px'"
    )
    page.wait_for_function(of_the_new_version)
    page.context.set_offline(offline=True)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("The house cannot be reached.")
    page.wait_for_function(of_the_new_version)
    assert server.stop() == 0
