"""The game of Isis & Osiris: what it is, how it begins, its luck and its scoring."""

from __future__ import annotations

from collections.abc import Mapping

from oudjat.rules.game import Game, Option, Position, Randomness, ScoredPiece, Turn
from oudjat.rules.isis_osiris.core import (
    ALL_TILES,
    BOARD,
    DEALT,
    FREE,
    HOW_MANY,
    LEAST_TILE,
    PIECES,
    PLAYERS,
    SHARED,
    SIZE,
    SPACES,
    TILES,
    TO_MOVE,
    UNSEEN,
    VALUES,
    tile_value,
    worth,
)
from oudjat.rules.isis_osiris.position import IsisOsirisPosition
from oudjat.rules.isis_osiris.turns import (
    COLOURS,
    READING_ORDER,
    SHAPES,
    SPACE_NAMES,
    PlacePiece,
    PlaceTile,
    first_alike,
    neighbours,
    read_turn,
    spell_value,
)


class IsisOsiris(Game):
    """The declaration of Isis & Osiris; ``ISIS_OSIRIS`` is its one instance."""

    id = "isis-osiris"
    name = "Isis & Osiris"
    version = 1
    players = range(2, 5)
    colours = COLOURS
    shapes = SHAPES
    variants = ("normal", "shared")
    options = (Option("memory", "IO-21", ("strict", "open")),)
    chance = "the order of the tiles"
    thrown = "tiles"
    hidden = "the values of placed tiles, after they were seen"
    turn_rule = "IO-11"

    def start(
        self,
        players: int = 2,
        *,
        variant: str = "normal",
        first: int = 1,
        options: Mapping[str, str] | None = None,
    ) -> IsisOsirisPosition:
        """IO-4, IO-6, IO-17: see :meth:`Game.start`."""
        chosen = self.check_setup(players, variant, first, options)
        pieces, tiles = DEALT[players]
        shared = variant == "shared"
        state = [0] * SIZE
        state[PLAYERS] = players
        state[SHARED] = int(shared)
        state[TO_MOVE] = first - 1
        state[FREE] = SPACES
        for seat in range(players):
            state[PIECES + seat] = pieces
            state[TILES + seat] = 0 if shared else tiles
        if shared:
            state[TILES] = ALL_TILES
        for value in VALUES:
            state[UNSEEN + 4 + value] = HOW_MANY[abs(value)]
        return IsisOsirisPosition(tuple(state), chosen["memory"])

    def luck(self, randomness: Randomness) -> tuple[str, ...]:
        """The 22 tiles in the order in which they are dealt and turned over."""
        tiles = [spell_value(value) for value in VALUES for _ in range(HOW_MANY[abs(value)])]
        randomness.shuffle(tiles)
        return tuple(tiles)

    def read(self, text: str) -> Turn:
        """See :meth:`Game.read`.

        >>> ISIS_OSIRIS.read("-1a6")
        PlaceTile(value=-1, space=30)
        """
        return read_turn(text)

    def opening(self, turn: Turn) -> Turn:
        """The first space in the order a1, b1, ... among the eight that turning and mirroring the board makes of this
        one; whatever tile it was.

        >>> [ISIS_OSIRIS.opening(ISIS_OSIRIS.read(text)).text for text in ("Pf6", "Pe2", "+3d4", "--")]
        ['Pa1', 'Pb2', '?c3', '--']
        """
        if isinstance(turn, PlacePiece):
            return PlacePiece(first_alike(turn.space))
        return PlaceTile(None, first_alike(turn.space)) if isinstance(turn, PlaceTile) else turn

    def markers(self, score: int) -> int:
        """IO-15: past 20 one +/-20 marker, past 40 a second, whichever the sign.

        >>> [ISIS_OSIRIS.markers(score) for score in (20, 21, -20, -21, 40, 41)]
        [0, 1, 0, 1, 1, 2]
        """
        return max(0, abs(score) - 1) // 20

    def scoring(self, position: Position) -> tuple[ScoredPiece, ...]:
        """IO-14, colour by colour, each colour's pieces in reading order from the top left of the board."""
        if not isinstance(position, IsisOsirisPosition) or position.free_spaces or position.standing is None:
            return ()
        steps: list[ScoredPiece] = []
        for seat in range(1, position.players + 1):
            total = 0
            for space in READING_ORDER:
                if position.core[BOARD + space] != seat:
                    continue
                counting = [
                    (SPACE_NAMES[near], spell_value(tile_value(position.core[BOARD + near])))
                    for near in neighbours(space)
                    if position.core[BOARD + near] >= LEAST_TILE
                ]
                here = worth(position.core, space)
                total += here
                taken = self.markers(total)
                mark = total - 20 * taken if total > 0 else total + 20 * taken
                steps.append(ScoredPiece(seat, SPACE_NAMES[space], tuple(counting), here, total, taken, mark))
        return tuple(steps)


ISIS_OSIRIS = IsisOsiris()
IsisOsirisPosition.game = ISIS_OSIRIS
