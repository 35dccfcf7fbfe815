"""Sentences in English, German and French: gettext catalogs, read from their ``.po`` files.

English sentences are the keys. The ``.po`` files are the only source: they are read when a language is first
asked for, so no compiled catalog can be stale.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.core import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""Every language with its own name for itself; the first is the language of the sentences in the code."""

_LOCALES = Path(__file__).parent / "locales"


@dataclass(frozen=True, slots=True)
class Words:
    """A language to speak in.

    >>> words_in("en")("{name} passed.", name="Ada")
    'Ada passed.'
    """

    language: str
    catalog: NullTranslations
    _found: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, sentence: str, /, **gaps: str | int) -> str:
        """``sentence`` in this language, its named gaps filled."""
        found = self._found.get(sentence)
        if found is None:
            found = self._found[sentence] = self.catalog.gettext(sentence)
        return found.format(**gaps) if gaps else found

    def count(self, one: str, many: str, number: int, /, **gaps: str | int) -> str:
        """The sentence that fits ``number``, which fills the gap ``{number}``. Both are written as plain strings
        in the call, where ``script/texts`` finds them.

        >>> words_in("en").count("{number} point", "{number} points", -1)
        '-1 point'
        """
        return self.catalog.ngettext(one, many, abs(number)).format(number=number, **gaps)


@cache
def words_in(language: str) -> Words:
    """The words of one of :data:`LANGUAGES`. Raises KeyError for another."""
    if language not in LANGUAGES:
        raise KeyError(language)
    file = _LOCALES / language / "messages.po"
    if not file.exists():
        return Words(language, NullTranslations())
    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return Words(language, GNUTranslations(compiled))


_LONGEST_WISH = 100
"""Letters of a wish that is remembered with its answer; what browsers send is shorter."""


def choose_language(*wishes: str | None) -> str:
    """The first wish that can be met: a language code, an ``Accept-Language`` header or a ``LANG`` value.

    >>> choose_language(None, "fr-CA,fr;q=0.9,en;q=0.5"), choose_language("de_AT.UTF-8"), choose_language("xx")
    ('fr', 'de', 'en')
    """
    for wish in wishes:
        if wish:
            found = _known_wish(wish) if len(wish) <= _LONGEST_WISH else _language_for(wish)
            if found:
                return found
    return next(iter(LANGUAGES))


def _language_for(wish: str) -> str | None:
    ranked: list[tuple[float, str]] = []
    for part in wish.split(","):
        code, _, quality = part.strip().partition(";q=")
        code = re.split(r"[.@]", code)[0].replace("-", "_")
        if re.fullmatch(r"[A-Za-z]{2,3}(_[A-Za-z0-9]+)*", code):
            weight = float(quality) if re.fullmatch(r"[01](\.\d{1,3})?", quality, re.ASCII) else 1.0
            if weight > 0:
                ranked.append((-weight, code))
    ranked.sort(key=lambda entry: entry[0])
    found = negotiate_locale([code for _, code in ranked], list(LANGUAGES))
    return found.partition("_")[0].lower() if found else None


_known_wish = lru_cache(maxsize=1024)(_language_for)
