"""The sentences around the board at a moment of the match."""

from __future__ import annotations

from collections.abc import Sequence

from oudjat.rules.game import N_, BoardView, Cell, UnreadableTurn
from oudjat.terminal.ceremony import Ceremony
from oudjat.terminal.choosing import Choosing
from oudjat.terminal.match import Match, can_draw, unbound
from oudjat.texts.catalog import Words
from oudjat.texts.tongues import TONGUES, action_label, cell_label, further, prompt

_GAP = "   "


def asked(
    match: Match, ceremony: Ceremony | None, choosing: Choosing, names: Sequence[str], words: Words
) -> str:
    """What is asked and of whom, what is being counted, or who has won."""
    if ceremony is not None and not ceremony.done:
        return ceremony.sentence(words, names)
    return question(match, choosing, names, words)


def question(match: Match, choosing: Choosing, names: Sequence[str], words: Words) -> str:
    """What is asked of whom, when something may have been chosen of the turn."""
    view = match.view()
    asks = further(words, view, names) if choosing.made else ()
    if asks:
        return asks[min(len(choosing.made), len(asks)) - 1]
    mine = not match.over and not match.bot_to_move
    return prompt(words, view, names, mine=mine, several=match.people > 1)


def below(match: Match, ceremony: Ceremony | None, cell: Cell, names: Sequence[str], words: Words) -> str:
    """What lies where the cursor is; nothing more once the scoring has begun."""
    if ceremony is not None and ceremony.steps:
        return ""
    return cell_label(words, cell, match.view(), names)


def not_chosen(choosing: Choosing, space: str) -> UnreadableTurn:
    """Why nothing happens when this space is chosen."""
    sentence = N_("It cannot go to {space}.")
    if not choosing.made:
        sentence = N_("On {space} is nothing that you can move now.")
    return UnreadableTurn("record", sentence, space=space)


def title(match: Match, words: Words) -> str:
    """The game's name, and what is played differently."""
    tongue, game = TONGUES[match.game.id], match.game
    told = [game.name]
    usual = {option.key: option.values[0] for option in game.options} | {"variant": game.variants[0]}
    for key, value in {"variant": match.position.variant, **match.position.options}.items():
        if value != usual[key] and key in tongue.options:
            name, values = tongue.options[key]
            told.append(f"{words(name)}: {words(values[value][0])}")
    return " · ".join(told)


def keys(ceremony: Ceremony | None, words: Words, choosing: Choosing | None = None) -> str:
    """The keys that do something now."""
    if ceremony is not None:
        if not ceremony.done:
            return words(N_("Space next   Escape skip"))
        if ceremony.steps:
            return words(N_("A play again   W watch the scoring again   Q leave"))
        return words(N_("A play again   Q leave"))
    if choosing is None or choosing.view.thrown == "tiles":
        return words(N_("←↑↓→ walk   Enter place   T turn over a tile   ? keys   Q leave"))
    view = choosing.view
    if unbound(view) and not view.ways:
        enter = f"{words(N_('Enter'))} {action_label(words, view, unbound(view)[0])}"
        return _GAP.join((enter, words(N_("? keys   Q leave"))))
    if throws(view, words) and not view.ways:
        return _GAP.join((f"T {throws(view, words)}", words(N_("? keys   Q leave"))))
    said = [f"{number} {action_label(words, view, choice)}" for number, choice in numbered(choosing)]
    sentence = N_("←↑↓→ walk   Enter choose   ? keys   Q leave")
    if choosing.made:
        sentence = N_("Enter choose   Escape take back   ? keys")
    return _GAP.join((*said, words(sentence)))


def numbered(choosing: Choosing) -> list[tuple[int, str]]:
    """What can be chosen now by a number key, because it is no space."""
    return list(enumerate(choosing.others[:9], 1))


def throws(view: BoardView, words: Words) -> str:
    """What T does now, when it does something."""
    return action_label(words, view, "draw") if can_draw(view) else ""
