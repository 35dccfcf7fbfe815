"""In the terminal a sentence has as much room as it has."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from oudjat.rules.isis_osiris import ISIS_OSIRIS
from oudjat.terminal import captions
from oudjat.terminal.ceremony import Ceremony
from oudjat.terminal.hand import BIG_TILE
from oudjat.terminal.scene import wrapped
from oudjat.texts.catalog import words_in
from tests.terminal.kit import ME, a_match, an_app, screen_text
from tests.texts.kit import LANGUAGES, TRANSLATIONS, pairs, played_out

SMALL = (80, 24)
LEAST_SIDE = 20
BESIDE_THE_TILE = LEAST_SIDE - BIG_TILE[0] - 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_fit_on_one_line(language: str) -> None:
    words = words_in(language)
    ceremony = Ceremony(ISIS_OSIRIS.scoring(played_out(1)))
    for moment in (None, ceremony, ceremony.skipped()):
        assert cell_len(captions.keys(moment, words)) < SMALL[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sentence", ["turned over", "T turns over a tile"])
def test_what_stands_beside_the_tile_is_not_broken(language: str, sentence: str) -> None:
    said = words_in(language)(sentence)
    lines = wrapped(said, BESIDE_THE_TILE)
    assert len(lines) <= 4
    assert " ".join(lines) == said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 4])
async def test_nothing_is_cut_off_at_80_by_24(language: str, seats: int) -> None:
    app = an_app(a_match((ME,) * seats), language=language)
    async with app.run_test(size=SMALL) as pilot:
        for keys in (["enter"], ["enter"], ["t"], ["t"], ["left"], ["enter"]):
            await pilot.press(*keys)
            assert "…" not in screen_text(app), keys
        await pilot.press("question_mark")
        last = words_in(language)("Most points wins. (IO-16)")
        assert last in screen_text(app)
        await pilot.press("escape", "q")
        assert words_in(language)("The game is not finished.") in screen_text(app)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_refusal_fits_below_the_prompt(language: str) -> None:
    refusals = {
        english: translated
        for english, translated in pairs(language)
        if english.startswith(("You have no", "The shared stock", "A tile is", "The tile that"))
    }
    assert len(refusals) >= 7
    for english, translated in refusals.items():
        assert cell_len(f"   {translated} (IO-20)") <= SMALL[0], english
