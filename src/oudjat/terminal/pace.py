"""How long things take on screen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds. ``thought``: before a bot's turn is seen; ``tile_shown``: how long the tile that a bot turned
    over lies open; ``scored``: for each piece of the scoring."""

    thought: float
    tile_shown: float
    scored: float


PACES = {
    "at-once": Pace(0, 0, 0.15),
    "natural": Pace(0.8, 1.7, 0.6),
    "slow": Pace(1.6, 3.0, 1.2),
}
"""The paces that a player may choose."""
