"""The subcommand that opens the web house: serve."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from oudjat.cli.common import app, words_for


@app.command
def serve(
    *,
    host: Annotated[
        str, Parameter(help="Where to listen; 0.0.0.0 for everybody in your network.")
    ] = "127.0.0.1",
    port: Annotated[int, Parameter(help="The port; 0 takes a free one.")] = 8000,
    database: Annotated[
        str | None,
        Parameter(help="Where games are kept; default: SQLite in your data folder.", show_default=False),
    ] = None,
) -> int:
    """Open the web house.

    Example: oudjat serve --host 0.0.0.0 --database sqlite:////tmp/games.db
    """
    from oudjat.house.serve import serve

    words = words_for(None)
    return 2 if words is None else serve(host, port, database, words)
