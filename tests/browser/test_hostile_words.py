"""What hostile people write, in every field there is, and every page that shows it to themselves and to others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from oudjat.house.requests import clean_name
from tests.browser.conftest import Visit
from tests.browser.test_accounts import PASSWORD, authenticator
from tests.serving import Server, legal
from tests.timing import wait_until

HOSTILE = [
    '"><svg/onload=hurt()>',
    "<b id=hurt><script>hurt",
    "';hurt();'{{313*7}}${7}",
    "\u202egnp.live\u202c\u2066x",
    "<img src=x onerror=hurt",
    "Ŵ" * 24,
]
ME, HERE, FRIEND = {"kind": "me"}, {"kind": "here"}, {"kind": "friend"}
STAYS = """{
  const often = window.setInterval;
  window.setInterval = (done, ...rest) => (location.pathname === "/offline" ? 0 : often(done, ...rest));
}"""
"""The page for when there is no network does not lead on by itself, which it would do once the house answers."""
MISLEADING = re.compile("[\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Somebody:
    """A person in a window of his own, who asks the house without its pages too."""

    page: Page
    base: str

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        answer = self.page.request.post(self.base + path, data=body)
        assert answer.status == status, (path, answer.text())
        return answer.json()

    def get(self, path: str) -> Any:
        return self.page.request.get(self.base + path).json()

    def sign_up(self, name: str) -> str:
        """Returns how the house calls him."""
        shown: str = self.post("/api/me/sign-up", 201, name=name, password=PASSWORD)["name"]
        assert not MISLEADING.search(shown)
        return shown

    def moves(self, table: str) -> None:
        state = self.get(f"/api/tables/{table}")
        self.post(f"/api/tables/{table}/turns", turn=legal(state), after=state["seq"])

    def sees(self, path: str, said: str = "") -> None:
        """The page, as it comes and as it is shown, is what its makers wrote; ``said`` stands there as text."""
        answer = self.page.request.get(self.base + path)
        raw = answer.text()
        for sign in ("<svg/onload", "<svgonload", "<b id=hurt", "<bid=hurt", "<img src=x", "<imgsrc=x"):
            assert sign not in raw, path
        if path.startswith("/nowhere"):
            return  # a browser would complain that it is not there
        assert answer.ok, path
        self.page.goto(self.base + path)
        if "/seat/" in path:
            self.page.wait_for_url(
                re.compile(r"/t/\w+$")
            )  # the link has seated him, or leads on to the table
        if said:
            wait_until(lambda: " ".join(said.split()) in _shown(self.page), f"{said} at {path}")
        found: dict[str, Any] = self.page.evaluate(
            """() => ({
              hurt: window.wasHurt ?? false,
              made: document.querySelectorAll('#hurt, img, [onload], [onerror]').length,
              calculated: (document.body?.innerText ?? '').includes('2191'),
              wide: Boolean(document.body) && document.documentElement.scrollWidth > innerWidth,
            })"""
        )
        assert found == {"hurt": False, "made": 0, "calculated": False, "wide": False}, path


def _shown(page: Page) -> str:
    """All that can be read on a page: its text, its fields, and what is said of it where it is linked."""
    found: str = page.evaluate(
        """() => [document.body?.innerText ?? '',
          ...[...document.querySelectorAll('input')].map(one => one.value),
          ...[...document.querySelectorAll('meta[property]')].map(one => one.content)].join(' ')"""
    )
    return " ".join(found.split())


def make_passkey(host: Somebody, label: str) -> str:
    """A passkey of this label; as the house calls it."""
    host.page.goto(f"{host.base}/me")
    me: dict[str, Any] = host.page.evaluate(
        """async label => {
          const post = async (path, body) => (await fetch(path, { method: "POST", body: JSON.stringify(body) })).json();
          const { options } = await post("/api/me/passkeys/wish", {});
          const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
          const credential = (await navigator.credentials.create({ publicKey })).toJSON();
          return post("/api/me/passkeys", { credential, label });
        }""",
        label,
    )
    found: str = me["passkeys"][0]["label"]
    return found


def add_webhook(host: Somebody, written: str) -> str:
    """Webhooks at whose host, and in whose path, stands what was written, as far as an address can hold that; the host
    of the last, or nothing where none was taken."""
    mark = re.sub(r"[\s?#@:]", "", written)
    named = bool(re.fullmatch(r"\w+", mark))
    host.post("/api/channels/webhook", 201 if named else 422, kind="json", url=f"https://{mark}.example/")
    path = mark.isprintable()
    host.post("/api/channels/webhook", 201 if path else 422, kind="json", url=f"https://hooks.example/{mark}")
    return "hooks.example" if path else ""


def talk(host: Somebody, friend: Somebody, table: dict[str, Any], written: str) -> str:
    """The friend sits down by the form, and both say what was written; what is read of it."""
    path = table["seats"][2]["path"]
    assert friend.page.request.post(friend.base + path, form={"name": written}).ok
    for who, seat in ((host, 1), (friend, 3)):
        state = who.post(f"/api/tables/{table['table']}/talk", text=written, seat=seat)["state"]
    said: str = state["talk"][-1]["said"]
    assert not MISLEADING.search(said)
    return said


def play_rated(host: Somebody, rival: Somebody, server: Server) -> dict[str, Any]:
    """A rated game at a public table, which the rival wins soon; both are listed among the best."""
    seats = [ME, FRIEND]
    opened: dict[str, Any] = host.post("/api/tables", 201, seats=seats, rated=True, public=True, first=1)
    rival.post(f"/api/tables/{opened['table']}/seats/2")
    for who in (host, rival, host, rival):
        who.moves(opened["table"])
    host.post(f"/api/tables/{opened['table']}/resign")
    wait_until(lambda: "seats" in host.get(f"/api/tables/{opened['table']}/ratings"), "it counts")
    server.database.execute("update ratings set games = 5")
    return opened


@pytest.fixture
def base(server: Server) -> str:
    """The server by a name: passkeys belong to names, not to addresses."""
    return server.url.replace("127.0.0.1", "localhost")


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_whatever_a_person_writes_is_shown_as_what_it_is(
    visit: Visit, server: Server, base: str, number: int
) -> None:
    """Every field that a person can write, and every page that shows it; the page's own check is that no console
    complains of a script that was refused."""
    written = HOSTILE[number].replace("/", "")  # no name has slashes
    host, friend, rival, stranger = (Somebody(visit("/", base=base), base) for _ in range(4))
    for one in (host, friend, rival, stranger):
        one.page.add_init_script("window.hurt = () => { window.wasHurt = true; }")
        one.page.add_init_script(STAYS)
    authenticator(host.page)
    name = host.sign_up(written[:22] + f" {number}")
    other = rival.sign_up(written[:21] + f" r{number}")
    host.post("/api/me/bots", 201, name=f"{written[:21]} b{number}")
    bot = host.get("/api/me")["bots"][0]
    host.post(f"/api/me/bots/{bot['id']}/tokens", 201, label=written)
    label = make_passkey(host, written)
    webhook = add_webhook(host, written)
    private = host.post("/api/tables", 201, seats=[ME | {"name": written}, HERE, FRIEND], first=1)
    host.post(f"/api/tables/{private['table']}/seats/2/name", name=f"{written[:20]} II")
    said = talk(host, friend, private, written)
    waiting = host.post("/api/tables", 201, seats=[ME, FRIEND], public=True)
    inviting = host.post("/api/tables", 201, seats=[ME, FRIEND])
    over = play_rated(host, rival, server)

    called = clean_name(written)
    pages = [
        (host, "/", ""),
        (host, "/my-tables", ""),
        (host, "/my-games", name),
        (host, "/me", label),
        (host, "/me", bot["name"]),
        (host, "/me?again", name),
        (host, "/new", name),
        (host, "/offline", ""),
        (host, "/notices", webhook),
        (host, f"/nowhere?x={quote(written)}", ""),
        (host, private["path"], said),
        (friend, private["path"], said),
        (friend, "/new", called),
        (friend, inviting["seats"][1]["path"], called),
        (stranger, inviting["seats"][1]["path"], name),
        (stranger, "/", name),
        (stranger, waiting["path"], name),
        (stranger, f"{waiting['path']}/board.svg", ""),
        (stranger, over["path"], other),
        (host, over["path"], name),
        (stranger, "/players", other),
        (stranger, f"/players/{quote(name, safe='')}", other),
        (host, f"/players/{quote(other, safe='')}", name),
    ]
    for who, path, text in pages:
        who.sees(path, text)
    stranger.page.goto(base + over["path"])
    expect(stranger.page.locator("meta[property='og:description']")).to_have_attribute(
        "content", re.compile(re.escape(other))
    )
