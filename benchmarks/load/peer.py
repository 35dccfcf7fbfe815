"""boardgame.io 0.50 keeping its games in files, measured as the house is. It is installed by npm into a temporary
folder; where there is no npm or no network, the run says so."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.load.house import megabytes_of, processor_seconds_of
from benchmarks.load.rows import Row, percentiles

_SCRIPT = Path(__file__).with_name("peer.mjs")
_PACKAGE = {
    "private": True,
    "dependencies": {"boardgame.io": "0.50.2", "node-persist": "3.1.3", "socket.io-client": "4.8.1"},
    "overrides": {"koa-compose": "4.1.0"},  # with newer ones its server answers 404 to everything
}
_PATIENCE = 300.0


class NoPeer(Exception):
    """The peer cannot be measured here."""


def install(folder: Path) -> None:
    """Install the peer. Raises :class:`NoPeer`."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise NoPeer("there is no npm here")
    (folder / "package.json").write_text(json.dumps(_PACKAGE))
    shutil.copy(_SCRIPT, folder)
    try:
        subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--loglevel=error"],
            cwd=folder,
            check=True,
            capture_output=True,
            timeout=_PATIENCE,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise NoPeer(f"npm cannot install it: {error}") from error


def played(run: str, *, tables: int, rate: float, seconds: float) -> Row:
    """Play at a peer of its own; ``rate`` 0 is as fast as it goes. Raises :class:`NoPeer`."""
    row = Row(run, "files", "full", tables)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        install(folder)
        (folder / "games").mkdir()
        server = _node(folder, "serve", str(folder / "games"))
        try:
            port = _line(server, "port ").split()[1]
            client = _node(folder, "play", port, str(tables), str(rate), str(seconds))
            try:
                _line(client, "counting")
                used, began = processor_seconds_of(server.pid), processor_seconds_of(client.pid)
                time.sleep(seconds)
                served, asked = (
                    processor_seconds_of(server.pid) - used,
                    processor_seconds_of(client.pid) - began,
                )
                row.megabytes = megabytes_of(server.pid)
                found = json.loads(_line(client, "{"))
            finally:
                client.kill()
                client.wait()
        finally:
            server.kill()
            server.wait()
    row.turns = found["turns"]
    row.turns_a_second = found["turns"] / found["seconds"]
    row.others = percentiles([took / 1000 for took in found["others"]])
    row.acknowledged = percentiles([took / 1000 for took in found["own"]])
    row.server_us = served / max(1, row.turns) * 1e6
    row.client_us = asked / max(1, row.turns) * 1e6
    return row


def _node(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["node", _SCRIPT.name, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _line(process: subprocess.Popen[str], beginning: str) -> str:
    """The next line that a process prints with this beginning. Raises :class:`NoPeer` when it ends before."""
    assert process.stdout
    for line in process.stdout:
        if line.startswith(beginning):
            return line
    raise NoPeer("it ended before it was measured")
