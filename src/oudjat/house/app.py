"""The house as an app that can be installed: its manifest, its service worker, the page shown without a network."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from oudjat.house import pages
from oudjat.house.requests import Guest, guest_of
from oudjat.house.static import STATIC_PATH, text_of
from oudjat.rules.game import N_
from oudjat.texts.catalog import LANGUAGES, Words

_PAPYRUS = "#f4ecd8"
_OFFLINE = "/offline"
_OF_THE_OFFLINE_PAGE = ("base.css", "home.css", "stars.svg", "icon.svg", "app.js", "offline.js")
_ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable-192.png", "192x192", "image/png", "maskable"),
    ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
)
_SHORTCUTS = (("/new", N_("New table")), ("/rules", N_("Rules")))


def _manifest_in(words: Words) -> dict[str, Any]:
    return {
        "id": "/",
        "name": "Oudjat",
        "short_name": "Oudjat",
        "description": words(N_("Isis & Osiris: place, remember, and find out what it was worth.")),
        "lang": words.language,
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": _PAPYRUS,
        "background_color": _PAPYRUS,
        "categories": ["games"],
        "icons": [
            {"src": f"{STATIC_PATH}/{name}", "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in _ICONS
        ],
        "shortcuts": [{"name": words(name), "url": path} for path, name in _SHORTCUTS],
    }


async def manifest(request: Request) -> Response:
    """GET /manifest.webmanifest?lang=CODE: what the app is called and looks like, in the reader's language."""
    return JSONResponse(
        _manifest_in(guest_of(request).words),
        media_type="application/manifest+json",
        headers={"cache-control": "no-cache"},
    )


def _worker() -> str:
    """The service worker. It begins with what it has to know of this version of the house, so that browsers take
    it for a new one whenever a file has changed."""
    pages_offline = {language: f"{_OFFLINE}?lang={language}" for language in LANGUAGES}
    house = {
        "files": f"{STATIC_PATH}/",
        "offline": pages_offline,
        "keep": [*pages_offline.values(), *(f"{STATIC_PATH}/{name}" for name in _OF_THE_OFFLINE_PAGE)],
    }
    return f"const HOUSE = {json.dumps(house)};\n{text_of('sw.js')}"


async def worker(_request: Request) -> Response:
    """GET /sw.js"""
    return Response(
        _worker(),
        media_type="text/javascript",
        headers={"cache-control": "no-cache", "service-worker-allowed": "/"},
    )


async def offline(request: Request) -> Response:
    """GET /offline: the page that the service worker keeps for when no other can be had."""
    return pages.page(
        request, "offline.html", Guest(None, None, guest_of(request).words)
    )  # it is kept: no names
