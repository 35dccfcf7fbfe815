"""A wire to PostgreSQL that is cut in the middle of a commit."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Literal

import sqlalchemy as sa

from tests.timing import PATIENCE

Cut = Literal["before", "after"]


class Wire:
    """A way to a database through the loopback. ``cut`` is where the next commits are cut off: ``before`` the database
    hears of it, or ``after`` it did but before its answer comes; then the wire holds again, unless it ``stays_cut``."""

    def __init__(self, url: str) -> None:
        there = sa.make_url(url)
        self._there = Path(str(there.query["host"])) / ".s.PGSQL.5432"
        self.cuts: list[Cut] = []
        self.stays_cut = False
        self._is_cut = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.url = f"postgresql://{there.username}@127.0.0.1:{port}/{there.database}"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        """Take the wire away; whoever used it has hung up."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                if self._is_cut and self.stays_cut:
                    here.close()
                    continue
                carrier = threading.Thread(target=self._carry, args=(here,), daemon=True)
                self._threads.append(carrier)
                carrier.start()

    def _carry(self, here: socket.socket) -> None:
        with here, socket.socket(socket.AF_UNIX) as there:
            there.connect(str(self._there))
            answers = threading.Thread(target=_pour, args=(there, here), daemon=True)
            answers.start()
            with suppress(OSError):
                while data := here.recv(65_536):
                    if self.cuts and b"COMMIT\0" in data:
                        self._is_cut = True
                        if self.cuts.pop(0) == "after":
                            here.shutdown(socket.SHUT_WR)  # no answer comes through
                            there.sendall(data)
                            there.shutdown(socket.SHUT_WR)
                            answers.join(PATIENCE)
                        break
                    there.sendall(data)
            for end in (here, there):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            answers.join(PATIENCE)


def _pour(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            with suppress(OSError):
                target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
