"""What is said of Isis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from oudjat.rules.game import N_, BoardView, Cell, Turn, Walk
from oudjat.rules.isis import PIECES, Move, Pass, Personalize
from oudjat.texts.catalog import Words
from oudjat.texts.speech import listed
from oudjat.texts.tongues.tongue import DRAW, FORBID, MovingTongue, Options

UNDERWORLD = "0"

_OPTIONS: Options = {
    "claim_just_moved": (
        N_("Making a piece your own"),
        {
            "yes": (N_("Any neutral piece"), N_("Also the one that the player before you has just moved.")),
            "no": (
                N_("Not the last one moved"),
                N_("Not the one that the player before you has just moved."),
            ),
        },
    ),
    "cast_out": (
        N_("A piece that is cast out"),
        {
            "stays": (N_("Stays its owner's"), N_("It begins again in the Underworld, and is still yours.")),
            "reverts": (N_("Becomes neutral"), N_("It belongs to nobody again, and you may choose another.")),
        },
    ),
    "home": (
        N_("The way home"),
        {
            "yes": (
                N_("Open"),
                N_("Once everybody owns a piece, pieces may be sent back to the Underworld."),
            ),
            "no": (N_("Closed"), N_("No piece is sent back to the Underworld; it can only be cast out.")),
        },
    ),
    "rank_all": (
        N_("The end"),
        {
            "no": (N_("First on a throne"), N_("The game is over when somebody reaches a throne.")),
            "yes": (N_("Full ranking"), N_("The others play on until every place is taken.")),
        },
    ),
    "repetition": (
        N_("Repetition"),
        {
            "forbid": FORBID,
            "draw": DRAW,
        },
    ),
}


class IsisTongue(MovingTongue):
    """See :class:`~oudjat.texts.tongues.tongue.Tongue`."""

    summary = N_(
        "Seven jars that belong to nobody walk out of the Underworld. Make one your own in the Heavenly Realm, and be "
        "the first on a throne. For two to seven players, without any luck."
    )
    board = N_("Board: the Underworld, squares 1 to 50, from the Underworld to the thrones")
    in_short = (
        N_("On your turn move a neutral piece or your own, orthogonally and never back. (IS-4, IS-7)"),
        N_("From the Underworld a piece moves as many squares as there are pieces in it. (IS-5)"),
        N_("Everywhere else it moves as many squares as there are pieces outside. (IS-6)"),
        N_("The neutral piece that the player before you moved is not yours to move. (IS-8)"),
        N_("Instead of moving, make a neutral piece in the Heavenly Realm your own. (IS-9)"),
        N_("A heavenly piece that cannot move is cast out into the Underworld. (IS-10)"),
        N_("Who first brings his own piece onto a throne wins. (IS-13)"),
    )
    options: ClassVar[Options] = _OPTIONS
    words_for_actions: ClassVar[Mapping[str, str]] = {
        "!": N_("Make it yours"),
        "*": N_("Your own piece"),
        "--": N_("Pass"),
    }
    marks: ClassVar[Mapping[str, str]] = {
        "way-out": N_("way out of the Underworld"),
        "way-in": N_("way into the Underworld"),
        "star": N_("Heavenly Realm"),
        "throne": N_("throne"),
    }

    def cell_label(self, words: Words, cell: Cell, view: BoardView, names: Sequence[str]) -> str:
        if cell.name != UNDERWORLD:
            return super().cell_label(words, cell, view, names)
        neutral = sum(lies.seat is None for lies in cell.pile)
        owners = listed(words, [names[lies.seat - 1] for lies in cell.pile if lies.seat])
        if owners:
            return words(
                N_("Underworld: neutral pieces {number}, and a piece each of {names}."),
                number=neutral,
                names=owners,
            )
        return words(N_("Underworld: neutral pieces {number}."), number=neutral)

    def space_named(self, words: Words, space: str) -> str:
        return words(N_("the Underworld")) if space == UNDERWORLD else space

    def turn_sentence(self, words: Words, turn: Turn, name: str, walks: Sequence[Walk] = ()) -> str:
        match turn:
            case Move(0, end, own):
                sentence = (
                    N_("{name} brought the own piece out to {end}.")
                    if own
                    else N_("{name} brought a piece out to {end}.")
                )
                told = words(sentence, name=name, end=end)
            case Move(start, 0, _):
                told = words(N_("{name} sent the piece on {start} home."), name=name, start=start)
            case Move(start, end, own):
                sentence = (
                    N_("{name} moved the own piece from {start} to {end}.")
                    if own
                    else N_("{name} moved a neutral piece from {start} to {end}.")
                )
                told = words(sentence, name=name, start=start, end=end)
            case Personalize(square):
                told = words(N_("{name} now owns the piece on {square}."), name=name, square=square)
            case Pass():
                told = words(N_("{name} passed."), name=name)
            case _:
                raise TypeError(f"no sentence for {turn!r}")
        cast_out = [walk[0] for walk in walks[isinstance(turn, Move) :]]
        if not cast_out:
            return told
        squares = ", ".join(cast_out)
        return told + " " + words(N_("Cast out into the Underworld: {squares}."), squares=squares)

    def asked(self, words: Words, view: BoardView, names: Sequence[str]) -> str:  # noqa: ARG002
        if "--" in view.actions:
            return words(N_("No piece can move: you must pass."))
        under = len(view.cell(UNDERWORLD).pile)
        out = PIECES - under
        own = any("!" in further for further in view.ways.values())
        if not out:
            return words(N_("Bring a piece out of the Underworld; it goes {under} squares."), under=under)
        sentence = N_("Move a piece; it goes as far as pieces are out: {out}.")
        if under:
            sentence = N_("Move a piece: outside it goes {out}, from the Underworld {under}.")
        told = words(sentence, out=out, under=under)
        return told + " " + words(N_("Or make one in the Heavenly Realm your own.")) if own else told

    def result(self, words: Words, view: BoardView, names: Sequence[str]) -> str:
        if not view.ranked:
            return super().result(words, view, names)
        told = [names[seat - 1] for seat in view.winners]
        order = ", ".join(told[: view.ranked])
        if view.ranked == len(told):
            return words(N_("The game is over. In the order of arrival: {names}."), names=order)
        return words(
            N_("The game is over. In the order of arrival: {names}; then {others}, who share what is left."),
            names=order,
            others=listed(words, told[view.ranked :]),
        )
