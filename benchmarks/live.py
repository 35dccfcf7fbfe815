"""How soon a turn is seen, in a real browser on this machine: ``python -m benchmarks.live``.

Two windows play over a link. Measured from the click on a space until that space says that a piece lies there,
in the window of the player and in the other's. Beside it, as a baseline in the same windows and the same
minute, a bare request to the same server. The server keeps every turn (SQLite, synchronous=FULL) before it
tells anybody.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

_WATCH = """() => { window.seen = {};
  const look = new MutationObserver((changes) => { const now = Date.now() + performance.now() % 1;
    for (const change of changes) { const name = change.target.dataset?.space;
      if (name && !change.target.getAttribute('aria-label').endsWith('free.')) window.seen[name] ??= now; } });
  look.observe(document.querySelector('#board'), {subtree: true, attributeFilter: ['aria-label']}); }"""
_CLICK = """(name) => { const now = Date.now() + performance.now() % 1;
  document.querySelector(`[data-space=${name}]`).click(); return now; }"""
_BARE = """async () => { const began = performance.now(); await (await fetch('/robots.txt')).text();
  return performance.now() - began; }"""
_ROUNDS = 8


def _play(host: Page, friend: Page) -> tuple[list[float], list[float], list[float]]:
    own: list[float] = []
    others: list[float] = []
    bare: list[float] = []
    spaces = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]
    windows = [host, friend]
    for turn, name in enumerate(spaces[: 2 * _ROUNDS]):
        player, other = windows[turn % 2], windows[1 - turn % 2]
        player.wait_for_selector(f"[data-space={name}].offers")
        bare.append(player.evaluate(_BARE))
        clicked = player.evaluate(_CLICK, name)
        for window, times in ((player, own), (other, others)):
            window.wait_for_function("(name) => window.seen[name]", arg=name)
            times.append(window.evaluate("(name) => window.seen[name]", name) - clicked)
    return own, others, bare


def main() -> None:
    """Play and print medians and the worst of a few games."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [Path(sys.executable).with_name("oudjat"), "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"OUDJAT_DATABASE": f"sqlite:///{folder}/house.db"},
        )
        try:
            _measure(str(server.stdout.readline()).strip().rstrip("/") if server.stdout else "")
        finally:
            server.terminate()
            server.wait(30)


def _measure(url: str) -> None:
    own: list[float] = []
    others: list[float] = []
    bare: list[float] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("OUDJAT_CHROMIUM") or shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        for _ in range(4):
            host, friend = (chromium.new_context().new_page() for _ in range(2))
            host.goto(f"{url}/new")
            host.select_option("#seat2", "friend")
            host.select_option("#first", "1")
            host.click("form .primary")
            host.wait_for_selector("#link2")
            friend.goto(host.input_value("#link2"))
            for window in (host, friend):
                window.wait_for_selector("#draw, .bar")
                window.evaluate(_WATCH)
            time.sleep(0.3)
            for many, found in zip((own, others, bare), _play(host, friend), strict=True):
                many.extend(found)
        chromium.close()
    print(f"{'milliseconds':34} median   worst   of")
    for what, times in (
        ("click to seen, the same window", own),
        ("click to seen, the other's window", others),
        ("a bare request, the same window", bare),
    ):
        print(f"{what:34} {statistics.median(times):6.1f}  {max(times):6.1f}  {len(times):3}")


if __name__ == "__main__":
    main()
