"""A real server and a real Chromium for each file of browser tests.

Not for longer: while Playwright runs, its event loop holds the thread, and no asynchronous test could run there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.serving import Server

Visit = Callable[..., Page]
LONGEST = 60_000
"""Milliseconds until a test gives up waiting. Only one that fails waits so long: a slow machine may take its time."""
TOASTS_STAY = """{
  const later = window.setTimeout;
  window.setTimeout = (done, time, ...rest) => (time === 6000 ? 0 : later(done, time, ...rest));
}"""
"""What a page shows for six seconds it shows until it shows something else: a test may look later than that."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP oudjat.test 127.0.0.1",  # an address that no browser trusts
]


def executable() -> str | None:
    """The Chromium that is tested with; None for Playwright's own."""
    return os.environ.get("OUDJAT_CHROMIUM") or shutil.which("chromium") or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)


def complained(said: ConsoleMessage) -> bool:
    """Whether a page's console tells of a fault. Whether a game is rated yet, its page asks until it is."""
    not_yet = said.location["url"].endswith("/ratings") and "404" in said.text
    return said.type == "error" and not not_yet


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=LONGEST)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=ARGUMENTS, timeout=2 * LONGEST
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Visit]:
    """Open a page in a new window of a new person; at the end no page may have complained."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str = "/", *, base: str = "", expect_errors: bool = False, **context: Any) -> Page:
        settings = {"viewport": {"width": 1100, "height": 850}, "locale": "en", "reduced_motion": "reduce"}
        window = chromium.new_context(**(settings | context))
        window.set_default_timeout(LONGEST)
        window.add_init_script(TOASTS_STAY)
        contexts.append(window)
        page = window.new_page()
        if not expect_errors:
            page.on("console", lambda said: complaints.append(said.text) if complained(said) else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((base or server.url) + path)
        return page

    yield open_page
    for window in contexts:
        window.close()
    assert not complaints
