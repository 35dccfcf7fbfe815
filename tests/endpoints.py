"""A push service and webhooks of our own: what is posted to them is kept, and opened as a browser would."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from oudjat.house.push import unpadded
from tests.timing import wait_until


@dataclass(frozen=True)
class Posted:
    """One message as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Endpoint:
    """Takes what is posted, and answers with ``statuses`` in turn, then with 201."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.posted: list[Posted] = []
        self.statuses: list[int] = []
        self.headers: dict[str, str] = {}

    def wait_for(self, number: int) -> Sequence[Posted]:
        """All messages, once there are so many."""
        wait_until(lambda: len(self.posted) >= number, f"{number} messages")
        assert len(self.posted) == number
        return self.posted


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # so many may come in one moment; one who finds no room would come again later


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """An endpoint on the loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status = found.statuses.pop(0) if found.statuses else 201
            found.posted.append(Posted(self.path, headers, body))
            self.send_response(status)
            for name, value in found.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with _Server(("127.0.0.1", 0), Handler) as server:
        found = Endpoint(f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield found
        finally:
            server.shutdown()


@dataclass
class Browser:
    """The keys of a browser that has subscribed."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    def wish(self, **more: Any) -> dict[str, Any]:
        """What it asks the house for."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": unpadded(point), "auth": unpadded(self.auth)}
        return {"endpoint": self.endpoint, **keys, **more}

    def opens(self, posted: Posted, push_key: str) -> Any:
        """What a message says, once its signature by the house of this key has been checked."""
        assert posted.headers["content-encoding"] == "aes128gcm"
        signed = posted.headers["authorization"]
        assert signed.endswith(f",k={push_key}")
        assert Vapid02.verify(signed)
        opened = http_ece.decrypt(
            posted.body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        return json.loads(opened)
