"""Who sits where, as ``oudjat play --seats`` says it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from oudjat.rules.game import N_, Position, SetupError, options_in
from oudjat.rules.registry import GAMES
from oudjat.texts.catalog import Words
from oudjat.texts.speech import seat_names

LONGEST_NAME = 24


@dataclass(frozen=True, slots=True)
class Player:
    """Who holds a seat: a bot of ``level``, or (None) a person at this screen, perhaps with a ``name``."""

    name: str = ""
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that decides how a match goes, apart from what its people do."""

    players: tuple[Player, ...]
    seed: int
    game: str = "isis-osiris"
    variant: str = "normal"
    options: tuple[tuple[str, str], ...] = ()
    """The rules that the players set, by key and value; the others have their defaults."""
    first: int | None = None
    """The seat that begins; None draws lots (IO-6)."""

    def start(self, chance: random.Random) -> tuple[Position, int]:
        """The position before the first turn and the seat that begins. Raises :class:`SetupError`."""
        seats = len(self.players)
        first = chance.randrange(seats) + 1 if self.first is None else self.first
        game = GAMES[self.game]
        return game.start(seats, variant=self.variant, first=first, options=dict(self.options)), first


def read_seats(text: str, levels: Sequence[str]) -> tuple[Player, ...]:
    """The players that ``--seats`` names. Raises :class:`SetupError` for a seat that is neither ``me`` nor a level.

    >>> read_seats("me:Ada,scribe", ["scribe"])
    (Player(name='Ada', level=None), Player(name='', level='scribe'))
    """
    players = []
    for part in text.split(","):
        kind, _, name = part.strip().partition(":")
        shown = "".join(letter for letter in name if letter.isprintable()).strip()[:LONGEST_NAME]
        if kind == "me":
            players.append(Player(name=shown))
        elif kind in levels and not name:
            players.append(Player(level=kind))
        else:
            raise SetupError(
                N_("“{seat}” is no seat; write me, me:YourName, or a level: {levels}."),
                seat=part.strip()[:LONGEST_NAME],
                levels=", ".join(levels),
            )
    return tuple(players)


def read_first(text: str) -> int | None:
    """The seat that ``--first`` names, None for ``lot``. Raises :class:`SetupError`."""
    if text == "lot":
        return None
    if text.isascii() and text.isdigit():
        return int(text)
    raise SetupError(
        N_("--first takes the number of a seat, or lot, not “{first}”."), first=text[:LONGEST_NAME]
    )


def read_options(pairs: Sequence[str], memory: str | None = None) -> tuple[tuple[str, str], ...]:
    """The options that ``--option`` and its shorthand ``--memory`` name. Raises :class:`SetupError` for what is no
    pair and for an option named twice.

    >>> read_options(["home=no"])
    (('home', 'no'),)
    """
    all_pairs = pairs if memory is None else (*pairs, f"memory={memory}")
    return tuple(options_in(all_pairs, N_("--option takes key=value, as in --option home=no.")).items())


def names_of(players: Sequence[Player], colours: Sequence[str], words: Words) -> tuple[str, ...]:
    """What the seats are called, in seat order and all different: two scribes are Scribe 1 and Scribe 2."""
    return tuple(
        seat_names(
            words,
            ((player.name, colour, player.level) for player, colour in zip(players, colours, strict=True)),
        )
    )
