import pytest
from hypothesis import given
from hypothesis import strategies as st

from oudjat.texts.catalog import LANGUAGES, choose_language


@pytest.mark.parametrize(
    ("wishes", "chosen"),
    [
        ((), "en"),
        ((None, None), "en"),
        (("de",), "de"),
        (("fr", "de"), "fr"),
        ((None, "de"), "de"),
        (("xx", "fr"), "fr"),
        (("", "fr_FR.UTF-8"), "fr"),
        (("C.UTF-8",), "en"),
        (("POSIX", "de_DE@euro"), "de"),
        (("de-AT,de;q=0.9,en;q=0.8",), "de"),
        (("en;q=0.2, fr;q=0.9",), "fr"),
        (("fr;q=0, de;q=0.1",), "de"),
        (("fr;q=0",), "en"),
        (("it,es;q=0.9,fr-CA;q=0.1",), "fr"),
        (("DE",), "de"),
        (("zh-Hant-TW,*;q=0.5",), "en"),
        (("*",), "en"),
        (("de;q=nonsense",), "de"),
        (("fr;q=9999999",), "fr"),
        ((",,,;;;===,de",), "de"),
        (("../../etc/passwd",), "en"),
        (("{name}%s\x00",), "en"),
        (("d" * 100_000,), "en"),
    ],
)
def test_wishes(wishes: tuple[str | None, ...], chosen: str) -> None:
    assert choose_language(*wishes) == chosen


@given(st.lists(st.none() | st.text() | st.text("abdefr-_;q=.,*0123456789 "), max_size=3))
def test_whatever_is_asked_one_of_our_languages_is_chosen(wishes: list[str | None]) -> None:
    assert choose_language(*wishes) in LANGUAGES
