"""What the house says no with."""

from __future__ import annotations

from oudjat.rules.game import TurnError


class HouseError(TurnError):
    """A request that cannot be met: the HTTP ``status``, a sentence with gaps, and the rule if one forbids it."""

    def __init__(self, status: int, template: str, *, rule: str = "record", **gaps: str | int) -> None:
        super().__init__(rule, template, **gaps)
        self.status = status
