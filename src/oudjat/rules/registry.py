"""Every game that Oudjat plays: one line each."""

from __future__ import annotations

from oudjat.rules.game import Game
from oudjat.rules.isis import ISIS
from oudjat.rules.isis_osiris import ISIS_OSIRIS
from oudjat.rules.pharao import PHARAO
from oudjat.rules.ramses import RAMSES
from oudjat.rules.senet import SENET

GAMES: dict[str, Game] = {game.id: game for game in (ISIS_OSIRIS, ISIS, RAMSES, PHARAO, SENET)}


def game_named(game_id: str) -> Game:
    """The game with this id. Raises KeyError with the ids that exist."""
    if game_id not in GAMES:
        raise KeyError(f"no game “{game_id}”; there is: {', '.join(GAMES)}")
    return GAMES[game_id]
