"""Posts messages to addresses that people gave: never into a private network, never along a redirection."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

import httpx

from oudjat.house.errors import HouseError
from oudjat.rules.game import N_

LONGEST_ADDRESS = 1_000
_CONNECT, _IN_ALL = 5.0, 12.0  # seconds
_MOST_OPEN = 32
_LONGEST_WAIT = 3600.0
_HOST = re.compile(r"[a-z0-9_.-]+")
_NAT64 = IPv6Network("64:ff9b::/96")

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a host."""


class Unsent(Exception):
    """A message was not taken. ``template`` and ``gaps`` say why, ``again`` whether it may be tried again, ``gone``
    whether there is nobody at the address any more, ``wait`` for how many seconds the other side wants peace."""

    def __init__(
        self,
        template: str,
        gaps: Mapping[str, str | int],
        *,
        again: bool = False,
        gone: bool = False,
        wait: float = 0.0,
    ) -> None:
        super().__init__(template.format(**gaps))
        self.template, self.gaps = template, gaps
        self.again, self.gone, self.wait = again, gone, wait


async def addresses_of(host: str, port: int) -> list[str]:
    """What the system's resolver knows."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet at large, also where one address wraps another.

    >>> [is_public(one) for one in ("9.9.9.9", "10.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1")]
    [True, False, False, False, False]
    """
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if found in _NAT64:
            inner = IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            found = inner
    return found.is_global and not found.is_multicast


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class _Target:
    parts: SplitResult
    host: str
    port: int

    @property
    def named(self) -> str:
        """The host as a request names it, in ASCII, with the port where one was given."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.parts.port is None else f"{host}:{self.parts.port}"


class Sender:
    """Posts to addresses of others. ``loopback`` also lets it post to this machine, without TLS, for trying out."""

    def __init__(self, *, loopback: bool = False, resolve: Resolve = addresses_of) -> None:
        self._loopback = loopback
        self._resolve = resolve
        self._http = httpx.AsyncClient(
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(_IN_ALL, connect=_CONNECT),
            # no connection is kept: they are made by address, and two hosts may share one
            limits=httpx.Limits(max_connections=_MOST_OPEN, max_keepalive_connections=0),
        )

    async def close(self) -> None:
        """Let go of every connection."""
        await self._http.aclose()

    def check(self, url: str) -> None:
        """Refuse what can be no address of a message. Raises :class:`HouseError` 422."""
        self._target(url)

    def _target(self, url: str) -> _Target:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
            host = host.encode("idna").decode() if not host.isascii() else host
        except ValueError:
            raise _no_address() from None
        if (
            len(url) > LONGEST_ADDRESS
            or not (_HOST.fullmatch(host) or _is_address(host))
            or parts.username is not None
            or not url.isprintable()
            or " " in url
        ):
            raise _no_address()
        if parts.scheme != "https" and not (parts.scheme == "http" and self._loopback and _is_loopback(host)):
            raise _no_address()
        return _Target(parts, host, port)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Post a message; returns when it was taken. Raises :class:`Unsent`, saying why it was not."""
        try:
            target = self._target(url)
            async with asyncio.timeout(_IN_ALL):
                status, wait = await self._post(target, body, headers)
        except HouseError as error:
            raise Unsent(error.template, error.gaps) from None
        except (OSError, TimeoutError, httpx.HTTPError):
            raise Unsent(N_("{host} cannot be reached."), {"host": target.host}, again=True) from None
        told: dict[str, str | int] = {"host": target.host, "status": status}
        if status in (404, 410):
            raise Unsent(N_("{host} knows no such address any more (it answered {status})."), told, gone=True)
        if not 200 <= status < 300:
            again = status in (408, 429) or status >= 500
            refused = N_("{host} did not take the message (it answered {status}).")
            raise Unsent(refused, told, again=again, wait=wait)

    async def _post(self, target: _Target, body: bytes, headers: Mapping[str, str]) -> tuple[int, float]:
        """Connect to an address that was looked at, and to no other. The answer's status, and how long it asks to
        wait; its body is not read."""
        allowed = self._loopback and _is_loopback(target.host)
        found = await self._resolve(target.host, target.port)
        if not found or not (allowed or all(is_public(address) for address in found)):
            raise HouseError(
                422, N_("{host} is not in the open internet; nothing is sent there."), host=target.host
            )
        parts = target.parts
        error: httpx.TransportError | None = None
        for address in found[:2]:
            there = f"[{address}]" if ":" in address else address
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            request = self._http.build_request(
                "POST",
                f"{parts.scheme}://{there}:{target.port}{path}",
                content=body,
                headers={**headers, "host": target.named, "user-agent": "Oudjat", "connection": "close"},
                extensions={"sni_hostname": target.host},
            )
            try:
                answer = await self._http.send(request, stream=True)
            except httpx.ConnectError as failed:
                error = failed
                continue
            await answer.aclose()
            return answer.status_code, _seconds(answer.headers.get("retry-after", ""))
        raise error or httpx.ConnectError("no address")


def _seconds(retry_after: str) -> float:
    return min(float(retry_after), _LONGEST_WAIT) if retry_after.isascii() and retry_after.isdigit() else 0.0


def _no_address() -> HouseError:
    return HouseError(422, N_("This is no address that messages can be sent to; it begins with https://."))
