"""The sentences around the board at a moment of the match."""

from __future__ import annotations

from collections.abc import Sequence

from oudjat.rules.game import N_
from oudjat.terminal.ceremony import Ceremony
from oudjat.terminal.match import Match
from oudjat.texts.catalog import Words
from oudjat.texts.tongues import cell_label, prompt


def asked(match: Match, ceremony: Ceremony | None, names: Sequence[str], words: Words) -> str:
    """What is asked and of whom, what is being counted, or who has won."""
    if ceremony is not None and not ceremony.done:
        return ceremony.sentence(words, names)
    mine = not match.over and not match.bot_to_move
    return prompt(words, match.view(), names, mine=mine, several=match.people > 1)


def below(match: Match, ceremony: Ceremony | None, space: str, names: Sequence[str], words: Words) -> str:
    """What lies where the cursor is; nothing more once the scoring has begun."""
    if ceremony is not None:
        return ""
    view = match.view()
    return cell_label(words, view.cell(space), view, names)


def title(match: Match, words: Words) -> str:
    """The game's name, and what is played differently."""
    told = [match.game.name]
    if match.position.variant == "shared":
        told.append(words(N_("shared stock")))
    if match.position.options.get("memory") == "open":
        told.append(words(N_("open memory")))
    return " · ".join(told)


def keys(ceremony: Ceremony | None, words: Words) -> str:
    """The keys that do something now."""
    if ceremony is None:
        return words(N_("←↑↓→ walk   Enter place   T turn over a tile   ? keys   Q leave"))
    if ceremony.done:
        return words(N_("A play again   W watch the scoring again   Q leave"))
    return words(N_("Space next   Escape skip"))
