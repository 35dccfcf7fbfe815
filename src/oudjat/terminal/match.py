"""A match at this screen: the rules, the luck, the bots, and what was played. Both faces stand on it.

Nothing here draws, waits or reads; a bot's thinking is one call (:meth:`Match.think`) that a face may make on
another thread, from a snapshot of the match.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from oudjat.engine.choosing import choose
from oudjat.records import Record, result_tags, seat_tag, setup_tags
from oudjat.rules.game import (
    N_,
    BoardView,
    Cell,
    Draw,
    Drew,
    Game,
    IllegalTurn,
    Position,
    Turn,
    Walk,
    read_step,
)
from oudjat.terminal.seating import Player, Setup


@dataclass(frozen=True, slots=True)
class Happened:
    """A step that was taken, by which seat, and how it moved pieces. ``after``: how many whole turns were complete
    after it."""

    seat: int
    turn: Turn
    after: int
    walks: tuple[Walk, ...] = ()


@dataclass(slots=True)
class Match:
    """A game under way. The seed decides all luck: who begins, the tiles, what bots make of chance."""

    setup: Setup
    start: Position = field(init=False)
    first: int = field(init=False)
    position: Position = field(init=False)
    turns: list[Turn] = field(init=False, default_factory=list)
    pending: list[Turn] = field(init=False, default_factory=list)
    """Steps of the turn that is not complete: a tile turned over, and its value."""
    happened: list[Happened] = field(init=False, default_factory=list)
    _luck: tuple[str, ...] = field(init=False)
    _seen: tuple[Position, BoardView] | None = field(init=False, default=None)
    _bot_seeds: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Raises :class:`oudjat.rules.game.SetupError` for a setup that the game does not have."""
        chance = random.Random(self.setup.seed)
        self.start, self.first = self.setup.start(chance)
        self.position = self.start
        self._luck = self.game.luck(chance)
        self._bot_seeds = tuple(chance.getrandbits(32) for _ in self.setup.players)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.start.game

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""
        return self.position.outcome is not None

    @property
    def player(self) -> Player | None:
        """Whose turn it is; None when the game is over."""
        seat = self.position.to_move
        return None if seat is None else self.setup.players[seat - 1]

    @property
    def bot_to_move(self) -> bool:
        """Whether the turn is a bot's."""
        return self.player is not None and self.player.level is not None

    @property
    def people(self) -> int:
        """How many seats are held by people at this screen."""
        return sum(player.level is None for player in self.setup.players)

    def view(self) -> BoardView:
        """What may be on the screen now: what the person to move may know, or else what everybody may."""
        if self._seen is None or self._seen[0] is not self.position:
            viewer = None if self.bot_to_move else self.position.to_move
            self._seen = (self.position, self.position.view(viewer))
        return self._seen[1]

    @property
    def thrown(self) -> tuple[int, str] | None:
        """Who had chance speak last and what came, whether or not it has been used; None before anything came."""
        for step in reversed(self.happened):
            if isinstance(step.turn, Drew):
                return step.seat, step.turn.outcome
        return None

    @property
    def walked(self) -> tuple[Walk, ...]:
        """How the last whole turn moved pieces."""
        steps = (step for step in reversed(self.happened) if not isinstance(step.turn, Draw | Drew))
        return next((step.walks for step in steps), ())

    def take(self, turn: Turn) -> None:
        """Take a step for the seat to move; when it asks for chance, chance speaks at once.

        Raises :class:`IllegalTurn`; the match stays as it is.
        """
        self._apply(turn)
        if self.position.asks == "chance":
            self._apply(self.position.comes(self._luck))

    def _apply(self, turn: Turn) -> None:
        seat = self.position.to_move or 0
        after = self.position.apply(turn)
        walks = self.position.walks(turn)
        if after.turns > self.position.turns:
            self.turns.append(turn)  # the last step of a turn is the turn as a record writes it
            self.pending.clear()
        else:
            self.pending.append(turn)
        self.position = after
        self.happened.append(Happened(seat, turn, after.turns, walks))

    def thinking(self) -> Callable[[], Turn]:
        """What the bot to move has to work out, as a call that touches nothing of this match.

        Raises ValueError when no bot is to move.
        """
        seat, player = self.position.to_move, self.player
        if seat is None or player is None or player.level is None:
            raise ValueError("no bot is to move")
        start, history = self.start, (*self.turns, *self.pending)
        level, seed = player.level, self._bot_seeds[seat - 1]
        return lambda: choose(start, history, level, seed)

    def record(self, names: Sequence[str], today: date) -> Record:
        """The record so far. IO-21: of an unfinished strict game placed values are withheld."""
        tags = setup_tags(self.start, first=self.first)
        for number, (player, name) in enumerate(zip(self.setup.players, names, strict=True), 1):
            tags[f"Seat{number}"] = seat_tag(name, player.level)
        tags["Date"] = today.isoformat()
        tags |= result_tags(self.position.outcome)
        return Record(tuple(tags.items()), tuple(turn.text for _, turn in self.public_turns()))

    def public_turns(self) -> list[tuple[Happened, Turn]]:
        """The last step of every whole turn, and the turn as everybody may read it now (IO-21)."""
        return [
            (step, self.position.public_turn(step.turn))
            for before, step in zip((0, *(step.after for step in self.happened)), self.happened, strict=False)
            if step.after > before
        ]


def meant(view: BoardView, cell: Cell) -> str:
    """The step, spelled, that choosing a space means on a board that is filled: what it offers, or what would be
    tried there in vain."""
    if cell.offers:
        return cell.offers[0]
    return f"{view.drawn}{cell.name}" if view.drawn else f"P{cell.name}"


def try_step(match: Match, text: str, names: Sequence[str]) -> None:
    """Take the step that a person asks for. Raises :class:`oudjat.rules.game.TurnError` with the reason."""
    if match.bot_to_move:
        raise IllegalTurn(
            "record",  # whose turn it is needs no rule
            N_("It is not your turn; wait for {name}."),
            name=names[(match.position.to_move or 1) - 1],
        )
    match.take(read_step(match.game, text))


def can_draw(view: BoardView) -> bool:
    """Whether the viewer may turn over a tile, or throw, now."""
    return Draw().text in view.actions


def unbound(view: BoardView) -> tuple[str, ...]:
    """The turns that are bound to no space, and are all that can be done when there are any: a pass, a lost throw."""
    return tuple(turn for turn in view.actions if turn != Draw().text)
