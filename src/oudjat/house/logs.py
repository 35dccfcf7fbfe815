"""What a server writes about itself: lines for people, or one JSON object a line for machines.

■ No line holds a token, a key, a cookie, a name or somebody's address: nothing of a request is logged, and of what a
database says only what names no value.
"""

from __future__ import annotations

import asyncio
import logging
import re
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal

import msgspec

LogFormat = Literal["text", "json"]
"""How lines are written."""

_VALUES = re.compile(
    r"^\s*(?:DETAIL|CONTEXT):.*\n?", re.MULTILINE
)  # PostgreSQL quotes there what it was given


class _Lines(logging.Formatter):
    def formatException(
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        return _VALUES.sub("", super().formatException(ei))


class _Objects(_Lines):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "process": record.process or 0,
        }
        if table := getattr(record, "table", None):
            line["table"] = str(table)
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def _went_wrong(record: logging.LogRecord) -> bool:
    """Whether a line tells of more than a request that was ended because the house closes."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def set_up_log(kind: LogFormat) -> None:
    """Write what happens to standard error from now on, from level info up."""
    handler = logging.StreamHandler()
    handler.setFormatter(
        _Objects() if kind == "json" else _Lines("%(asctime)s %(levelname)s [%(process)d] %(message)s")
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it writes addresses whole
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_went_wrong)
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # what it warns of is raised too, and told there
