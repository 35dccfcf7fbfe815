"""Accounts in the browser: passkeys by a virtual authenticator, passwords, bots, leaving"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.kit import open_table, place, small_targets
from tests.browser.test_people import violations
from tests.serving import Server
from tests.timing import wait_until

PASSWORD = "a garden of papyrus"


@pytest.fixture
def base(server: Server) -> str:
    """The server by a name: passkeys belong to names, not to addresses."""
    return server.url.replace("127.0.0.1", "localhost")


def authenticator(page: Page) -> CDPSession:
    """A device with a finger that is always there."""
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return tools


def sign_up(page: Page, base: str, name: str) -> None:
    page.goto(f"{base}/me")
    page.get_by_label("How you want to be called").fill(name)
    page.locator("#up-password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up with a password").click()
    is_at_home(page, name)


def is_at_home(page: Page, name: str) -> None:
    """Wait until the page of whoever is called so has come, with its script."""
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.wait_for_load_state()


def drawn_anew(page: Page, press: Locator) -> None:
    """Press what the house keeps something by, and wait until the page has come again, with its script."""
    with page.expect_navigation():
        press.click()


def test_a_passkey_signs_up_out_and_in_again_without_a_name(visit: Visit, base: str) -> None:
    page = visit("/me", base=base, expect_errors=True)
    authenticator(page)
    page.get_by_label("How you want to be called").fill("Hatshepsut")
    page.get_by_role("button", name="Sign up with a passkey").click()
    is_at_home(page, "Hatshepsut")
    expect(page.locator("header .me")).to_have_text("Hatshepsut")
    page.get_by_role("button", name="Remove the passkey").click()
    expect(page.locator("#complaint")).to_contain_text("set a password first")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator("header .me")).to_have_text("Sign in")
    page.goto(f"{base}/me")
    page.get_by_role("button", name="Sign in with a passkey").click()
    is_at_home(page, "Hatshepsut")
    page.get_by_text("Set a password").click()
    page.get_by_label("New password").fill(PASSWORD)
    drawn_anew(page, page.get_by_role("button", name="Save").nth(1))
    expect(page.get_by_text("Change the password")).to_be_visible()
    drawn_anew(page, page.get_by_role("button", name="Remove the passkey"))
    expect(page.get_by_role("button", name="Remove the passkey")).to_have_count(0)


def test_an_answer_to_a_passkeys_question_is_good_once(visit: Visit, server: Server, base: str) -> None:
    page = visit("/me", base=base, expect_errors=True)
    authenticator(page)
    page.get_by_label("How you want to be called").fill("Thutmose")
    page.get_by_role("button", name="Sign up with a passkey").click()
    is_at_home(page, "Thutmose")
    statuses = page.evaluate(
        """async () => {
          const post = (path, body) => fetch(path, { method: "POST", body: JSON.stringify(body) });
          const { options } = await (await post("/api/me/passkeys/ask", {})).json();
          const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
          const credential = (await navigator.credentials.get({ publicKey })).toJSON();
          const spoilt = structuredClone(credential);
          spoilt.response.signature = spoilt.response.signature.replace(/^..../, "AAAA");
          window.answer = async (one) => (await post("/api/me/passkeys/answer", { credential: one })).status;
          window.credential = credential;
          const found = [];
          for (const one of [spoilt, { id: "unknown" }, {}, credential]) found.push(await answer(one));
          return found;
        }"""
    )
    assert statuses == [401, 401, 401, 200]
    assert page.evaluate("answer(credential)") == 401, "its counter has gone on"
    server.database.execute("update passkeys set sign_count = 0")
    assert page.evaluate("answer(credential)") == 422, "nor is it good where a device counts nothing"


def test_without_a_name_of_its_own_the_house_offers_passwords_only(visit: Visit) -> None:
    page = visit("/me")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("passkey"))).to_have_count(0)
    expect(page.get_by_text("Passkeys work where the house has a name")).to_be_visible()


def test_who_has_to_sign_in_for_a_rated_table_comes_back_to_it(visit: Visit, base: str) -> None:
    host, guest = visit("/me", base=base), visit("/", base=base, expect_errors=True)
    sign_up(host, base, "Tiye")
    seats = [{"kind": "me"}, {"kind": "friend"}]
    opened = host.request.post(
        f"{base}/api/tables", data={"seats": seats, "rated": True, "public": True, "first": 1}
    ).json()
    guest.locator(f"#lobby-open [data-table='{opened['table']}']").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Sign in to play a rated game.")
    assert violations(guest) == []
    with guest.expect_navigation():
        guest.get_by_role("link", name="Sign in or sign up").click()
    guest.get_by_label("How you want to be called").fill("Senusret")
    guest.locator("#up-password").fill(PASSWORD)
    guest.get_by_role("button", name="Sign up with a password").click()
    guest.wait_for_url(f"{base}{opened['path']}")
    guest.goto(f"{base}/me?then=https://elsewhere.example/t/abc")
    assert guest.locator("[data-then]").first.get_attribute("data-then") in ("/", "/me")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_enter_in_a_field_sends_the_password_with_passkeys_and_without(
    visit: Visit, server: Server, host: str
) -> None:
    page = visit("/me", base=server.url.replace("127.0.0.1", host))
    name = f"Meritaten of {host}"
    page.locator("#up-name").fill(name)
    page.locator("#up-password").fill(PASSWORD)
    expect(page.locator("[data-passkey=make]")).to_be_visible(visible=host == "localhost")
    page.locator("#up-password").press("Enter")
    is_at_home(page, name)
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator("header .me")).to_have_text("Sign in")
    page.goto(server.url.replace("127.0.0.1", host) + "/me")
    page.locator("#in-name").fill(name)
    page.locator("#in-password").fill(PASSWORD)
    page.locator("#in-password").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_before_its_script_has_come_a_form_sends_nothing(visit: Visit, server: Server) -> None:
    page = visit("/rules", expect_errors=True, service_workers="block")  # past one, nothing can be held back
    page.route("**/me.js", lambda route: route.abort())
    page.goto(f"{server.url}/me")
    page.locator("#in-name").fill("Hatshepsut")
    page.locator("#in-password").fill(PASSWORD)
    page.locator("#in-password").press("Enter")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_timeout(300)
    assert page.url == f"{server.url}/me"
    expect(page.locator("#in-password")).to_have_value(PASSWORD)


def test_a_guests_game_comes_along_while_its_tab_stays_open(visit: Visit, server: Server) -> None:
    table = visit("/")
    open_table(table, "me", "here")
    place(table, "c3")
    expect(table.locator("#log li")).to_have_count(1)
    page = table.context.new_page()
    page.goto(f"{server.url}/me")
    expect(page.get_by_text("The table that you have in this browser comes along.")).to_be_visible()
    sign_up(page, server.url, "Nefertari")
    state = table.url.replace("/t/", "/api/tables/")
    wait_until(lambda: bool(table.request.get(state).json()["mine"]), "the seat has come along")
    place(table, "c4")
    expect(table.locator("#log li:nth-last-child(2)")).to_contain_text("c4")
    phone = visit("/me", expect_errors=True)
    phone.locator("#in-name").fill("nefertari")
    phone.locator("#in-password").fill("not this one")
    phone.get_by_role("button", name="Sign in", exact=True).click()
    expect(phone.locator("form[data-api*=sign-in] .complaint")).to_contain_text("do not belong together")
    phone.locator("#in-password").fill(PASSWORD)
    phone.get_by_role("button", name="Sign in", exact=True).click()
    is_at_home(phone, "Nefertari")
    phone.goto(table.url)
    expect(phone.locator("#log li")).not_to_have_count(0)
    expect(phone.get_by_role("button", name="Turn over a tile")).to_be_visible()


def test_a_bots_token_is_shown_once_and_can_be_revoked(visit: Visit, server: Server) -> None:
    page = visit("/")
    sign_up(page, server.url, "Senenmut")
    page.get_by_label("Name of the new bot").fill("Sobek")
    page.get_by_role("button", name="New bot").click()
    expect(page.locator("#token")).to_have_value(re.compile("oudbot_.+"))
    token = page.locator("#token").input_value()
    drawn_anew(page, page.get_by_role("button", name="Close"))
    expect(page.get_by_role("heading", name="Sobek")).to_be_visible()
    assert token not in page.content()
    headers = {"authorization": f"Bearer {token}"}
    browser = visit("/")
    me = browser.request.get(f"{server.url}/api/me", headers=headers).json()
    assert (me["kind"], me["name"]) == ("bot", "Sobek")
    opened = browser.request.post(
        f"{server.url}/api/tables",
        headers=headers,
        data={"seats": [{"kind": "me"}, {"kind": "bot", "level": "novice"}]},
    ).json()
    browser.goto(server.url + opened["path"])
    expect(browser.locator("#seats")).to_contain_text("Sobek (bot of Senenmut)")
    drawn_anew(page, page.get_by_role("button", name="Revoke the token"))
    expect(page.get_by_role("button", name="Revoke the token")).to_have_count(0)
    assert browser.request.get(f"{server.url}/api/me", headers=headers).status == 401


def test_leaving_is_confirmed_by_ones_name(visit: Visit, server: Server) -> None:
    page = visit("/", expect_errors=True)
    sign_up(page, server.url, "Akhenaten")
    open_table(page, "me", "friend")
    table = page.url
    page.goto(f"{server.url}/me")
    page.locator("summary", has_text="Delete my account").click()
    page.get_by_label("Write your name to confirm").fill("Aten")
    page.get_by_role("button", name="Delete my account").click()
    expect(page.locator(".leave .complaint")).to_contain_text("Write your name as it stands here")
    page.get_by_label("Write your name to confirm").fill("Akhenaten")
    page.get_by_role("button", name="Delete my account").click()
    expect(page.locator("header .me")).to_have_text("Sign in")
    page.goto(table)
    expect(page.locator("#seats")).to_contain_text("Someone")
    page.reload()  # it may have come before the table was told
    expect(page.locator("#seats")).to_contain_text("Someone")
    assert "Akhenaten" not in page.content()


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1280)])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_page_about_oneself_is_for_everybody(
    visit: Visit, base: str, scheme: str, width: int, language: str
) -> None:
    page = visit(
        "/me", base=base, color_scheme=scheme, viewport={"width": width, "height": 800}, locale=language
    )
    authenticator(page)
    expect(page.locator("[data-passkeys=yes]").first).to_be_visible()

    def check(where: str) -> None:
        assert violations(page) == [], where
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        assert small_targets(page) == [], where

    check("signed out")
    page.locator("#up-name").fill(f"{'W' * 20}{language}{width % 100}")
    drawn_anew(page, page.locator("[data-passkey=make]"))
    expect(page.locator("[data-signed-in]")).to_be_visible()
    page.locator("form[data-api='POST /api/me/bots'] input").fill(f"{'M' * 20}{language}{width % 100}")
    page.locator("form[data-api='POST /api/me/bots'] button").click()
    expect(page.locator("#token-sheet")).to_be_visible()
    check("a token")
    with page.expect_navigation():
        page.keyboard.press("Escape")
    expect(page.locator(".bot h3")).to_be_visible()
    page.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    check("signed in")
    page.goto(f"{base}/me?again")
    check("once more")
