"""What is said of Isis & Osiris. Of a placed tile never the value: that was said when it was turned over (IO-21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from oudjat.rules.game import N_, BoardView, Cell, Draw, Drew, Turn, Walk
from oudjat.rules.isis_osiris import SPACE_NAMES, Pass, PlacePiece, PlaceTile, spell_value
from oudjat.texts.catalog import Words
from oudjat.texts.speech import shown
from oudjat.texts.tongues.tongue import Options, Tongue

_PIECE_HERE = {
    "green": N_("{space}, {name}'s green piece."),
    "yellow": N_("{space}, {name}'s yellow piece."),
    "black": N_("{space}, {name}'s black piece."),
    "violet": N_("{space}, {name}'s violet piece."),
}
_SPOKEN = {
    "+1": N_("plus one"),
    "+2": N_("plus two"),
    "+3": N_("plus three"),
    "+4": N_("plus four"),
    "-1": N_("minus one"),
    "-2": N_("minus two"),
    "-3": N_("minus three"),
    "-4": N_("minus four"),
}


_OPTIONS: Options = {
    "variant": (
        N_("Tiles"),
        {
            "normal": (
                N_("A stock each"),
                N_("The normal game: everybody has face-down tiles of his own."),
            ),
            "shared": (
                N_("A shared stock"),
                N_("The variant: all 22 tiles lie in one stock for everybody."),
            ),
        },
    ),
    "memory": (
        N_("Memory"),
        {
            "strict": (
                N_("Strict"),
                N_("Once placed, a tile shows its value to nobody until the end."),
            ),
            "open": (N_("Open"), N_("Values stay visible: for learning and for a friendly game.")),
        },
    ),
}


def spoken_value(words: Words, face: str) -> str:
    """A tile's value for ears: "plus three"."""
    return words(_SPOKEN[face])


class IsisOsirisTongue(Tongue):
    """See :class:`Tongue`."""

    summary = N_(
        "Every tile is seen once, then it lies face down. Place your pieces where you remember the good ones."
    )
    board = N_("Board, columns a to f, rows 1 to 6")
    in_short = (
        N_(
            "On your turn, either place one of your pieces on a free space, or turn over a tile. (IO-7, IO-8)"
        ),
        N_(
            "Everybody sees the tile that is turned over; then you place it face down on a free space. (IO-8)"
        ),
        N_("Nothing on the board ever moves. Remember what lies where. (IO-9)"),
        N_("The game ends when the board is full; then all tiles are turned face up. (IO-12, IO-13)"),
        N_("A piece is worth the sum of the tiles beside it, above, below, left and right. (IO-13)"),
        N_("Most points wins. (IO-16)"),
    )
    options: ClassVar[Options] = _OPTIONS
    words_for_actions: ClassVar[Mapping[str, str]] = {"draw": N_("Turn over a tile"), "--": N_("Pass")}

    def cell_label(self, words: Words, cell: Cell, view: BoardView, names: Sequence[str]) -> str:
        lies = cell.lies
        if lies is None:
            return words(N_("{space}, free."), space=cell.name)
        if lies.kind == "piece" and lies.seat is not None:
            colour = view.seats[lies.seat - 1].colour
            return words(_PIECE_HERE[colour], space=cell.name, name=names[lies.seat - 1])
        if lies.face is None:
            return words(N_("{space}, face-down tile."), space=cell.name)
        return words(N_("{space}, tile {value}."), space=cell.name, value=spoken_value(words, lies.face))

    def turn_sentence(self, words: Words, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:  # noqa: ARG002
        match turn:
            case PlacePiece(space):
                return words(N_("{name} placed a piece on {space}."), name=name, space=SPACE_NAMES[space])
            case Draw():
                return words(N_("{name} turned over a tile."), name=name)
            case Drew(outcome):
                value = spoken_value(words, outcome)
                return words(N_("{name} turned over {value}."), name=name, value=value)
            case PlaceTile(_, space):
                return words(N_("{name} placed the tile on {space}."), name=name, space=SPACE_NAMES[space])
            case Pass():
                return words(N_("{name} passed."), name=name)
        raise TypeError(f"no sentence for {turn!r}")

    def whole_turn_sentence(self, words: Words, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:  # noqa: ARG002
        """See :meth:`Tongue.whole_turn_sentence`; of a tile its value only when the turn given still tells it."""
        if isinstance(turn, Drew):  # in hand: the turn is not whole yet
            return words(N_("{name} turned over {value}."), name=name, value=shown(turn.outcome))
        if not isinstance(turn, PlaceTile):
            return self.turn_sentence(words, turn, name)
        space = SPACE_NAMES[turn.space]
        if turn.value is None:
            return words(N_("{name} turned over a tile and placed it on {space}."), name=name, space=space)
        value = shown(spell_value(turn.value))
        return words(
            N_("{name} turned over {value} and placed it on {space}."), name=name, value=value, space=space
        )

    def opening(self, words: Words, turn: Turn) -> str:
        if isinstance(turn, PlacePiece):
            return words(N_("A piece on {space}"), space=SPACE_NAMES[turn.space])
        if isinstance(turn, PlaceTile):
            return words(N_("A tile on {space}"), space=SPACE_NAMES[turn.space])
        return super().opening(words, turn)

    def asked(self, words: Words, view: BoardView, names: Sequence[str]) -> str:  # noqa: ARG002
        if view.drawn:
            return words(N_("Place {value} face down on a free space."), value=shown(view.drawn))
        if "--" in view.actions:
            return words(N_("You have nothing to place and must pass."))
        if "draw" not in view.actions:
            return words(N_("You have no tile left: place a piece."))
        if not any(cell.offers for cell in view.cells):
            return words(N_("You have no piece left: turn over a tile."))
        return words(N_("Place a piece, or turn over a tile."))

    def waited_for(self, words: Words, view: BoardView, name: str) -> str:
        if view.drawn:
            return words(
                N_("{name} turned over {value} and is placing it."), name=name, value=shown(view.drawn)
            )
        return super().waited_for(words, view, name)
