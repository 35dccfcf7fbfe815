"""Long texts: the rules of each game and what the house tells of itself, in each language, kept as Markdown."""

from __future__ import annotations

from functools import cache
from io import StringIO
from pathlib import Path

from markdown_it import MarkdownIt

_RULES = Path(__file__).parent / "rules"
_HOUSE = Path(__file__).parent / "house"
_WIDEST = 88
_NO_BREAK, _STANDS_FOR_IT = "\N{NARROW NO-BREAK SPACE}", "\ue000"


def rules_markdown(game_id: str, language: str) -> str:
    """A game's rules in our words, as Markdown. Raises FileNotFoundError when there are none."""
    return (_RULES / f"{game_id}.{language}.md").read_text(encoding="utf-8")


@cache
def rules_html(game_id: str, language: str) -> str:
    """A game's rules as HTML."""
    return _html(rules_markdown(game_id, language))


@cache
def house_html(page: str, language: str) -> str:
    """What the house tells on a page of its own, as HTML: ``fair``. Raises FileNotFoundError for no such page."""
    return _html((_HOUSE / f"{page}.{language}.md").read_text(encoding="utf-8"))


def _html(markdown: str) -> str:
    html = str(MarkdownIt("commonmark").enable("table").render(markdown))
    # what is wider than its window scrolls in its own box, by keys too
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>')
    return html.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


def rules_for_terminal(game_id: str, language: str) -> str:
    """A game's rules laid out for the terminal at standard output, in lines that are comfortable to read."""
    from rich.console import Console  # the web house does without
    from rich.markdown import Markdown

    terminal = Console()
    pen = Console(
        file=StringIO(),
        width=min(terminal.width, _WIDEST),
        force_terminal=True,
        color_system=terminal.color_system,  # type: ignore[arg-type]
        no_color=terminal.no_color,
    )
    # Rich would break lines at every kind of space.
    text = rules_markdown(game_id, language).replace(_NO_BREAK, _STANDS_FOR_IT)
    with pen.capture() as capture:
        pen.print(Markdown(text))
    return capture.get().replace(_STANDS_FOR_IT, _NO_BREAK)
