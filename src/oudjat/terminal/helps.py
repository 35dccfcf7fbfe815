"""What the terminal says about itself: the keys, the commands. The game in short is the tongue's."""

from __future__ import annotations

import re

from oudjat.rules.game import N_, Draw, Game, Ways
from oudjat.texts.catalog import Words
from oudjat.texts.tongues import TONGUES


def fills_board(game: Game) -> bool:
    """Whether turns put something on the board; in the other games pieces move on it."""
    return game.thrown == "tiles"


def keys_of(game: Game, words: Words) -> list[tuple[str, str]]:
    """Keys of the full screen and what each does. A mouse click on a space does what Enter does there."""
    draw = TONGUES[game.id].words_for_actions.get(Draw().text)
    keys = [(words(N_("Arrow keys")), words(N_("walk over the board")))]
    if fills_board(game):
        keys += [
            (words(N_("Enter")), words(N_("place a piece, or the tile that is turned over"))),
            (words(N_("T")), words(N_("turn over a tile"))),
        ]
    else:
        keys.append((words(N_("Enter")), words(N_("choose a piece, then where it goes"))))
        if draw:
            keys.append((words(N_("T")), words(draw)))
        keys += [
            ("1–9", words(N_("choose what stands beside the number, below the board"))),
            (words(N_("Escape, Backspace")), words(N_("take a choice back"))),
        ]
    return [
        *keys,
        (words(N_("L")), words(N_("light or dark"))),
        (words(N_("?")), words(N_("these keys"))),
        (words(N_("Q, Escape")), words(N_("leave"))),
    ]


def commands_of(game: Game, words: Words) -> list[tuple[str, str]]:
    """Commands of ``--plain`` and what each does; the commands are the same in every language."""
    draw = TONGUES[game.id].words_for_actions.get(Draw().text)
    space = "c3"
    if fills_board(game):
        commands = [
            ("c3, Pc3", words(N_("place a piece on c3, or the tile that is turned over"))),
            ("draw", words(N_("turn over a tile"))),
            ("pass", words(N_("pass, when you have nothing to place"))),
        ]
    else:
        turn = example(game)
        commands = [(turn, words(N_("take a turn, whole as here or one choice after another")))]
        space = re.split(r"\D+", turn)[-1]
        if draw:
            commands.append(("throw, t", words(draw)))
        if draw or "--" in TONGUES[game.id].words_for_actions:
            commands.append(("pass", words(N_("go on, when nothing can move"))))
        commands += [
            ("back", words(N_("take a choice back"))),
            ("moves", words(N_("say what can be done now"))),
        ]
    return [
        *commands,
        ("board", words(N_("show the board as a table"))),
        (f"what is {space}, {space}?", words(N_("say what lies on {space}"), space=space)),
        ("log", words(N_("say what has happened"))),
        ("rules", words(N_("the rules in short"))),
        ("help", words(N_("these commands"))),
        ("quit", words(N_("leave"))),
    ]


def example(game: Game) -> str:
    """A turn as one may begin a game, as it is written once the throw is seen.

    >>> from oudjat.rules.registry import GAMES
    >>> example(GAMES["isis"])
    '0-13'
    """
    position = game.start(game.players[0])
    if Draw() in position.choices():
        position = position.apply(Draw())
        thrown = [position.apply(drew) for drew, _ in position.chance()]
        position = next(after for after in reversed(thrown) if after.view(after.to_move).ways)
    found: Ways | str = position.view(position.to_move).ways
    while not isinstance(found, str):
        found = next(iter(found.values()))
    return without_throw(found)


def without_throw(turn: str) -> str:
    """A turn without what was thrown for it.

    >>> without_throw("4:9-13"), without_throw("19!")
    ('9-13', '19!')
    """
    return turn.rpartition(":")[2]
