"""Every game that Oudjat plays: one line each."""

from __future__ import annotations

from oudjat.rules.game import Game
from oudjat.rules.isis_osiris import ISIS_OSIRIS

GAMES: dict[str, Game] = {game.id: game for game in (ISIS_OSIRIS,)}


def game_named(game_id: str) -> Game:
    """The game with this id. Raises KeyError with the ids that exist."""
    if game_id not in GAMES:
        raise KeyError(f"no game “{game_id}”; there is: {', '.join(GAMES)}")
    return GAMES[game_id]
