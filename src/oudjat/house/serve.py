"""``oudjat serve``: the web house as a process."""

from __future__ import annotations

import errno
import functools
import logging
import os
import random
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass

import segno
import uvicorn

from oudjat.house.database import default_database
from oudjat.house.limits import limits_wished
from oudjat.house.logs import LogFormat, set_up_log
from oudjat.house.origin import Origin, origin_wished
from oudjat.house.push import key_wished
from oudjat.house.signed import secret_wished
from oudjat.house.store import Store, StoreError
from oudjat.house.web import build
from oudjat.house.workers import Workers
from oudjat.rules.game import N_
from oudjat.texts.catalog import Words

_LOG = logging.getLogger(__name__)

KEEP_ALIVE = 75
GOODBYE = 3
"""Seconds that open requests have to end when the server is told to stop."""
UNREAD = 40
"""Seconds after which a connection is closed whose other side takes nothing of what was sent, where the system can
be told so (Linux): streams have their heartbeats sent in that time, so that a vanished reader is found out."""


THINKERS = 2
"""Processes that think for the bots, shared by all workers, of whom each has at least one."""


def addresses(host: str, port: int) -> list[str]:
    """Where browsers find a server that listens on ``host``: for all interfaces, this machine's own addresses."""
    if host not in ("0.0.0.0", "::", ""):  # noqa: S104
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}/"]
    found = [f"http://{address}:{port}/" for address in _own_addresses()]
    return [*found, f"http://127.0.0.1:{port}/"]


def _own_addresses() -> list[str]:
    """This machine's addresses in its networks, the one that reaches furthest first. Nothing is sent."""
    found: list[str] = []
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # a documentation address: only asks which interface would be used
            found.append(probe.getsockname()[0])
        except OSError:
            pass
    try:
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found.append(str(address[0]))
    except OSError:
        pass
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD * 1000)
        listener.bind((host, port))
        listener.listen(2048)
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener


def _allow_many_connections() -> None:
    """Let this process have as many connections open as the system lets it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@dataclass(frozen=True, slots=True)
class _House:
    """What a process needs to know to serve a house."""

    database: str
    public_address: str | None
    thinkers: int
    log: LogFormat

    def work(self, listener: socket.socket, ready: Callable[[], None]) -> None:
        """As a worker: serve until told to stop."""
        set_up_log(self.log)
        try:
            store = Store(self.database)
        except StoreError as error:
            _LOG.error("%s", error)
            sys.exit(1)
        self.serve(store, listener, ready)

    def serve(self, store: Store, listener: socket.socket, ready: Callable[[], None]) -> None:
        """Serve until told to stop; lets go of the store then."""
        app = build(
            store,
            randomness=random.SystemRandom(),
            workers=self.thinkers,
            public_address=self.public_address,
        )
        proxies = os.environ.get("OUDJAT_PROXIES", "")  # whose word on a request's address is taken
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=GOODBYE,
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=proxies,
        )
        server = _Server(config, ready)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stopped)
        with closing(listener):
            server.run(sockets=[listener])
        if not server.started:
            sys.exit(1)


def serve(
    host: str, port: int, database: str | None, words: Words, *, workers: int = 1, log: LogFormat = "text"
) -> int:
    """Serve with so many worker processes until told to stop; returns the exit status, 2 when it cannot begin (said on
    standard error).

    ``words`` is the language of what is said to who started it.
    """
    set_up_log(log)
    _allow_many_connections()
    database = database or default_database()
    try:
        listener = _listen(host, port)
    except socket.gaierror:
        return _cannot(words(N_("There is no host “{host}” on this machine."), host=host))
    except OverflowError:
        return _cannot(words(N_("There is no port {port}; ports are 0 to 65535."), port=port))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            taken = N_("Port {port} is taken; stop what uses it, or choose another with --port {other}.")
            return _cannot(words(taken, port=port, other=port + 1))
        reason = error.strerror or str(error)
        cannot = N_("Oudjat cannot listen on {host}, port {port}: {reason}.")
        return _cannot(words(cannot, host=host, port=port, reason=reason))
    with closing(listener):
        try:
            origin, *_ = origin_wished(), secret_wished(), key_wished(os.environ), limits_wished()
            store = Store(database)
        except StoreError as error:
            return _cannot(words(error.template, **error.gaps))
        if workers > 1:
            store.close()
            if not store.shared:
                return _cannot(
                    words(N_("Several workers need PostgreSQL: they cannot share an SQLite file."))
                )
        where = addresses(host, listener.getsockname()[1])
        everywhere = host in ("0.0.0.0", "::", "")  # noqa: S104
        public = where[0] if everywhere and len(where) > 1 and not origin else None
        house = _House(database, public, max(1, THINKERS // workers), log)
        announce = functools.partial(_announce, where, words, origin, code_of=public)
        if workers > 1:
            return Workers(workers, listener, house.work, announce).run()
        house.serve(store, listener, announce)
        return 0


def _announce(where: list[str], words: Words, origin: Origin | None, code_of: str | None) -> None:
    if origin:
        opened = words(N_("Oudjat is open at {address}, and listens at:"), address=origin.address)
    else:
        opened = words(N_("Oudjat is open. Play at:"))
    print(opened, file=sys.stderr)
    for address in where:
        print(f"  {address}", flush=True)
    if code_of:
        print(words(N_("Or point a phone in the same network here:")), file=sys.stderr)
        segno.make(code_of, error="l").terminal(out=sys.stderr, compact=True)
    print(words(N_("Ctrl-C closes the house; every game is kept.")), file=sys.stderr, flush=True)


class _Server(uvicorn.Server):
    """A server that says when it answers, and ends the streams first when told to stop."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        house = getattr(getattr(self.config.app, "state", None), "house", None)
        if house is not None:
            await house.close()
        await super().shutdown(sockets)


def _stopped(_number: int, _frame: object) -> None:
    """The server raises the signal that stopped it once more when all is put away: then there is nothing to do."""


def _cannot(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2
