"""What came out of matches and experiments, for people: tables on standard output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import isinf

from babel.numbers import format_decimal
from rich.console import Console
from rich.table import Table

from oudjat.research.estimates import Estimate
from oudjat.research.matches import Match, Result
from oudjat.research.rulings import Figures
from oudjat.research.standings import comparisons, standings
from oudjat.rules.game import N_
from oudjat.texts.catalog import Words
from oudjat.texts.speech import shown

PLAIN_WIDTH = 100
"""How wide a table is that goes to a file or another program."""


def tell(words: Words, match: Match, results: Sequence[Result], seconds: float) -> None:
    """Print how the players stand after ``results``, at least one game, which took so many seconds."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    console.print(_table_of_standings(words, match, results))
    console.print(_table_of_comparisons(words, match, results))
    said = words.count(
        "{number} game in {seconds} s.",
        "{number} games in {seconds} s.",
        len(results),
        seconds=_number(words, seconds),
    )
    console.print(said)


def tell_rulings(words: Words, found: Sequence[Figures]) -> None:
    """Print what was counted for each way to set a game up."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    table = _table(
        words(N_("ruling")),
        words(N_("players")),
        words(N_("games")),
        words(N_("decided")),
        words(N_("turns")),
        words(N_("longest")),
        words(N_("passes a game")),
        words(N_("wins by seat (seat 1 begins)")),
    )
    for figures in found:
        tried = figures.tried
        table.add_row(
            words(N_("as it is")) if tried.option is None else str(tried),
            str(tried.players),
            str(figures.games),
            f"{_number(words, 100 * figures.ended, '0')} %",
            _number(words, figures.turns),
            str(figures.longest),
            _number(words, figures.passes, "0.00"),
            " ".join(_number(words, 100 * share, "0") for share in figures.wins),
        )
    console.print(table)


def _table_of_standings(words: Words, match: Match, results: Sequence[Result]) -> Table:
    interval = words(N_("interval (95 %)"))
    table = _table(
        words(N_("level")),
        words(N_("wins")),
        words(N_("share")),
        interval,
        words(N_("mean margin")),
        interval,
    )
    for name, standing in zip(_names(match), standings(match, results), strict=True):
        margin = standing.margin
        table.add_row(
            name,
            _number(words, standing.wins),
            *_percents(words, standing.share),
            *(("", "") if margin is None else _signed(words, margin)),
        )
    return table


def _table_of_comparisons(words: Words, match: Match, results: Sequence[Result]) -> Table:
    table = _table(
        words(N_("level")),
        words(N_("against")),
        words(N_("share ahead")),
        words(N_("Elo difference")),
        words(N_("interval (95 %)")),
    )
    for (name, other), comparison in zip(
        combinations(_names(match), 2), comparisons(match, results), strict=True
    ):
        share, _ = _percents(words, comparison.share)
        table.add_row(name, other, share, *_signed(words, comparison.elo, "0"))
    return table


def _names(match: Match) -> list[str]:
    """What the tables call the players: their levels, numbered where one plays more than once."""
    seen: Counter[str] = Counter()
    names = []
    for level in match.levels:
        seen[level] += 1
        names.append(f"{level} ({seen[level]})" if match.levels.count(level) > 1 else level)
    return names


def _table(*titles: str) -> Table:
    table = Table()
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number else "left", no_wrap=not number)
    return table


def _number(words: Words, number: float, pattern: str = "0.0") -> str:
    """A number as the language writes it; endless ones too."""
    if isinf(number):
        return "∞" if number > 0 else "−∞"
    return shown(format_decimal(number, pattern, locale=words.language))


def _percents(words: Words, share: Estimate) -> tuple[str, str]:
    """A share and its interval, in per cent."""
    value, low, high = (_number(words, 100 * part) for part in (share.value, share.low, share.high))
    return f"{value} %", f"{_between(words, low, high)} %"


def _signed(words: Words, estimate: Estimate, pattern: str = "0.0") -> tuple[str, str]:
    """A difference and its interval, each with its sign."""
    value, low, high = (
        _number(words, part, f"+{pattern};-{pattern}")
        for part in (estimate.value, estimate.low, estimate.high)
    )
    return value, _between(words, low, high)


def _between(words: Words, low: str, high: str) -> str:
    return words(N_("{low} to {high}"), low=low, high=high)
