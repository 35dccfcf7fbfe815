"""How long a table waits for anybody when who opened it is not there."""

from __future__ import annotations

from oudjat.house.table import Table

PATIENCE = 15 * 60.0
"""Seconds that a public table waits when who opened it has closed the page."""

PATIENCE_PAIRING = 60.0
"""The same for one who asked for a quick pairing: nobody wants to meet who is not there."""

PATIENCE_DAYS = 7 * 86_400.0
"""The same where players have days for each turn, and need not be there to begin."""


def patience_with(table: Table) -> float | None:
    """For how many seconds this table waits when who opened it is not there; None for ever: friends have its link, or
    nobody is waited for."""
    if table.status != "waiting" or not table.opened.public:
        return None
    if table.opened.clock.kind == "days":
        return PATIENCE_DAYS
    return PATIENCE_PAIRING if table.opened.pairing else PATIENCE
