"""What the runs tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Row:
    """What one run saw; times in milliseconds, processor time in microseconds a turn."""

    run: str
    database: str
    views: str
    tables: int
    turns: int = 0
    turns_a_second: float = 0.0
    others: dict[str, float] = field(default_factory=dict)
    acknowledged: dict[str, float] = field(default_factory=dict)
    server_us: float = 0.0
    database_us: float = 0.0
    client_us: float = 0.0
    megabytes: float = 0.0
    refused: int = 0
    late: int = 0
    finished: int = 0
    checked_turns: int = 0
    said: str = ""


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """p50, p95, p99 and the longest of times in seconds, in milliseconds."""
    ranked = sorted(times)
    if not ranked:
        return {}
    at = {f"p{share}": ranked[min(len(ranked) - 1, len(ranked) * share // 100)] for share in (50, 95, 99)}
    return {name: value * 1000 for name, value in (at | {"max": ranked[-1]}).items()}
