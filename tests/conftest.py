"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile(os.environ.get("OUDJAT_HYPOTHESIS", "quick"))


@pytest.fixture(autouse=True)
def _players_go_home() -> Iterator[None]:
    from tests.serving import send_players_home

    yield
    send_players_home()
