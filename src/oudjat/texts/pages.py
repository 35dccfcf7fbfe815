"""Long texts: the rules of each game in each language, kept as Markdown."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

_RULES = Path(__file__).parent / "rules"


def rules_markdown(game_id: str, language: str) -> str:
    """A game's rules in our words, as Markdown. Raises FileNotFoundError when there are none."""
    return (_RULES / f"{game_id}.{language}.md").read_text(encoding="utf-8")


@cache
def rules_html(game_id: str, language: str) -> str:
    """A game's rules as HTML."""
    return str(MarkdownIt("commonmark").enable("table").render(rules_markdown(game_id, language)))
