"""The few sentences that the pages' scripts say by themselves, in the reader's language."""

from __future__ import annotations

from oudjat.rules.game import N_
from oudjat.study.wording import GRADE_NAMES
from oudjat.texts.catalog import Words
from oudjat.texts.speech import SAYS

_SENTENCES = {
    "reconnecting": N_("The connection is lost. Reconnecting …"),
    "connected": N_("Connected again."),
    "not_sent": N_("This did not reach the table. Please try again."),
    "copied": N_("Copied."),
    "copy": N_("Copy the link"),
    "your_turn_title": N_("Your turn"),
    "counting": N_("The pieces are being counted."),
    "turn_of": N_("Turn {turn} of {turns}"),
    "turn_says": N_("{where}: {said}"),
    "to_the_new_game": N_("To the new game"),
    "start": N_("The empty board."),
    "not_free": N_("{space} is not free."),
    "turn_first": N_("You have no piece left. Turn over a tile first."),
    "not_you": N_("It is not your turn."),
    "marker": N_("±20 marker"),
    "thrown": N_("Thrown: {value}"),
    "not_this": N_("On {space} is nothing that you can move now."),
    "not_there": N_("It cannot go to {space}."),
    "pieces_left": N_("Pieces left: {number}"),
    "tiles_left": N_("Tiles left: {number}"),
    "you": N_("(you)"),
    "rated": N_("{name}: {before} → {after}"),
    "bot_of": N_("(bot of {name})"),
    "time_left": N_("Time left"),
    "seconds_left": N_("{seconds} seconds left."),
    "bot_plays": N_("a bot plays"),
    "begun_title": N_("The game has begun"),
    "one_watches": N_("One person watches."),
    "many_watch": N_("{count} people watch."),
    "mute": N_("Do not hear {name}"),
    "says": SAYS,
    "saved": N_("Saved."),
    "fair_yes": N_("Nothing speaks against it: this was played as promised."),
    "fair_not": N_("This was not played as promised."),
    "fair_hash": N_("The hash of salt and luck is the promise."),
    "fair_other_hash": N_("The hash of salt and luck is not the promise, but {hash}."),
    "fair_seen": N_("It is the promise that this browser saw before the first turn."),
    "fair_seen_late": N_(
        "It is the promise that this browser saw, but first after {turn} turns; ask somebody who was there before."
    ),
    "fair_seen_other": N_("During the game this browser saw another promise: {promise}."),
    "fair_unseen": N_(
        "This browser was not there during the game, so it cannot tell whether the promise is that of the beginning."
    ),
    "fair_tiles": N_("All {number} tiles that were turned over came in the promised order."),
    "fair_throws": N_("All {number} throws are the promised ones, in their order."),
    "fair_other": N_("In turn {turn} came {came}; {due} was promised."),
}


_LOBBY = {
    "free": N_("free"),
    "bot": N_("bot"),
    "no_clock": N_("no clock"),
    "rated": N_("rated"),
    "sit_down": N_("Sit down"),
    "watch": N_("Watch"),
    "your_table": N_("Your table"),
    "to_yours": N_("To your table of {game}"),
    "sit_with": N_("Sit down with {players}: {game}"),
    "watch_these": N_("Watch {players}: {game}"),
}


_ANALYSIS = {
    "turn_of": _SENTENCES["turn_of"],
    "turn_says": _SENTENCES["turn_says"],
    "start": _SENTENCES["start"],
    "marker": _SENTENCES["marker"],
    "one_before": N_("One game is analysed before this one."),
    "many_before": N_("{number} games are analysed before this one."),
    "looking": N_("The engine looks at every turn, from the last to the first."),
    "so_far": N_("Analysed: {number} of {turns} turns"),
    "whole": N_("Every turn has been analysed."),
    "not_reached": N_("The analysis did not come. Please try again."),
    "graph": N_("Share of the win of {name} after each turn: {shares}."),
    "exact_from": N_("Exact from turn {turn} on"),
    "all_exact": N_("All exact"),
    "blunder": GRADE_NAMES["blunder"],
    "mistake": GRADE_NAMES["mistake"],
    "inaccuracy": GRADE_NAMES["inaccuracy"],
}


def analysis_words(words: Words) -> dict[str, str]:
    """What the page of an analysis says by itself."""
    return {key: words(sentence) for key, sentence in _ANALYSIS.items()}


def lobby_words(words: Words) -> dict[str, str]:
    """What the lobby's script says by itself."""
    return {key: words(sentence) for key, sentence in _LOBBY.items()}


_ABOUT_ONESELF = {
    "not_sent": N_("The house was not reached. Please try again."),
    "no_passkey": N_("No passkey was used. Try again, or use a password."),
    "copied": N_("Copied."),
    "again": N_("Sign in again"),
}


def me_words(words: Words) -> dict[str, str]:
    """What the page about oneself says by itself."""
    return {key: words(sentence) for key, sentence in _ABOUT_ONESELF.items()}


def script_words(words: Words) -> dict[str, str]:
    """Each sentence of a table by its key, gaps unfilled."""
    return {key: words(sentence) for key, sentence in _SENTENCES.items()}
