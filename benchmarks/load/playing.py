"""Tables of Isis & Osiris with both players: which turns they take, what they must hear, what must stand at the end.

The few rules that matter here (pieces and tiles go on free spaces, a tile is turned over first) are kept by a model
of the client's own, so that a server that errs is found out.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import msgspec

from benchmarks.load.wire import Stream, Wire
from oudjat.records import Record, read_records

SPACES = tuple(f"{column}{row}" for row in range(1, 7) for column in "abcdef")
PIECES, TILES = 8, 11
BEGUN = 3
"""A table's first events: opened, seated, started."""


class Fault(Exception):
    """The server did something that it must not do."""


class Told(msgspec.Struct):
    seq: int
    kind: str
    turn: str | None = None
    drawn: str | None = None


class Reason(msgspec.Struct):
    status: int
    rule: str | None
    message: str


class Refusal(msgspec.Struct):
    error: Reason


class Taken(msgspec.Struct):
    again: bool


class OpenedSeat(msgspec.Struct):
    key: str | None = None


class Opened(msgspec.Struct):
    table: str
    token: str
    seats: list[OpenedSeat]


class Seated(msgspec.Struct):
    token: str


class Lies(msgspec.Struct):
    kind: str
    seat: int | None


class Cell(msgspec.Struct):
    name: str
    lies: Lies | None


class Board(msgspec.Struct):
    cells: list[Cell]


class Shown(msgspec.Struct):
    seq: int
    status: str
    board: Board


_TOLD = msgspec.json.Decoder(Told)
_TAKEN = msgspec.json.Decoder(Taken)
_REFUSAL = msgspec.json.Decoder(Refusal)


@dataclass(slots=True)
class Figures:
    """What a run counts while ``counting``; times are in seconds from submitting a turn."""

    counting: bool = False
    turns: int = 0
    acknowledged: array[float] = field(default_factory=lambda: array("d"))
    others: array[float] = field(default_factory=lambda: array("d"))
    refused: int = 0
    late: int = 0
    finished: int = 0
    checked_turns: int = 0


@dataclass(frozen=True, slots=True)
class Manner:
    """How the players use the API: whole views as the pages do, or lean; one turn in ``refused`` is preceded by one
    that must be refused (0: none)."""

    lean: bool = False
    refused: int = 50


class Match:
    """A table and its two players."""

    def __init__(
        self, wires: tuple[Wire, Wire], manner: Manner, figures: Figures, randomness: Random
    ) -> None:
        self._wires = wires
        self._manner = manner
        self._figures = figures
        self._randomness = randomness
        self._streams: list[Stream] = []
        self._tokens = ("", "")
        self._seat = 0
        self._board: dict[str, str] = {}
        self._free = list(SPACES)
        self._left = [[PIECES, TILES], [PIECES, TILES]]
        self._hand: str | None = None
        self._drawn: str | None = None
        self._heard = [BEGUN, BEGUN]
        self._acknowledged = True
        self._sent_at = 0.0
        self._turn = ""
        self.id = ""
        self.seq = BEGUN
        self.turns: list[str] = []
        self.ready: Callable[[Match], None] = lambda _match: None
        self.due = 0.0

    @property
    def over(self) -> bool:
        return not self._free

    async def begin(self) -> None:
        """Open the table, seat the friend and follow it with both."""
        host, friend = self._wires
        seats = b'{"seats":[{"kind":"me"},{"kind":"friend"}],"first":1}'
        status, body = await host.fetch(host.request("POST", "/api/tables", body=seats))
        if status != 201:
            raise Fault(f"a table cannot be opened: {status} {body[:200]!r}")
        opened = msgspec.json.decode(body, type=Opened)
        self.id = opened.table
        key = b'{"key":"%s"}' % str(opened.seats[1].key).encode()
        status, body = await friend.fetch(friend.request("POST", f"/api/tables/{self.id}/seats/2", body=key))
        if status != 200:
            raise Fault(f"a friend cannot sit down: {status} {body[:200]!r}")
        self._tokens = (opened.token, msgspec.json.decode(body, type=Seated).token)
        for seat, wire in enumerate(self._wires):
            await self._follow(seat, wire)

    async def _follow(self, seat: int, wire: Wire) -> None:
        query = f"?after={BEGUN}" + ("&views=none" if self._manner.lean else "")
        request = wire.request("GET", f"/api/tables/{self.id}/events{query}", self._tokens[seat])
        self._streams.append(await wire.follow(request, lambda seq, data: self._hear(seat, seq, data)))

    # --- turns ------------------------------------------------------------------------------------------

    def submit(self) -> None:
        """Take the next turn; ``ready`` is called when it is acknowledged and both players have it."""
        if self._manner.refused and not self._randomness.randrange(self._manner.refused):
            self._submit_wrong()
        else:
            self._submit_right()

    def _submit_right(self) -> None:
        pieces, tiles = self._left[self._seat]
        if self._hand:
            self._turn = self._hand + self._choose()
        elif self._randomness.randrange(pieces + tiles) < pieces:
            self._turn = "P" + self._choose()
        else:
            self._turn = "draw"
        self.seq += 1
        self._acknowledged = False
        self._sent_at = time.perf_counter()
        self._post(self._seat, self._turn, self.seq - 1, self._answered)

    def _post(self, seat: int, turn: str, after: int, answered: Callable[[int, bytes], None]) -> None:
        body = b'{"turn":"%s","after":%d}' % (turn.encode(), after)
        more = "prefer: return=minimal\r\n" if self._manner.lean else ""
        wire = self._wires[seat]
        path = f"/api/tables/{self.id}/turns"
        wire.ask(wire.request("POST", path, self._tokens[seat], body, more), answered)

    def _choose(self) -> str:
        return self._free[self._randomness.randrange(len(self._free))]

    def _answered(self, status: int, body: bytes) -> None:
        took = time.perf_counter() - self._sent_at
        if status != 200 or _TAKEN.decode(body).again:
            raise Fault(f"{self.id}: {self._turn} after {self.seq - 1}: {status} {body[:300]!r}")
        if self._figures.counting:
            self._figures.turns += 1
            self._figures.acknowledged.append(took)
        self._acknowledged = True
        self._go_on()

    def _hear(self, seat: int, seq: int, data: bytes) -> None:
        took = time.perf_counter() - self._sent_at
        if seq < 0:
            if self._streams:
                raise Fault(f"{self.id}: the stream of seat {seat + 1} has ended")
            return
        told = _TOLD.decode(data)
        right = ("drew", "draw") if self._turn == "draw" else ("turn", self._public(self._turn))
        if seq != self.seq or self._heard[seat] != seq - 1 or (told.kind, told.turn) != right:
            raise Fault(
                f"{self.id}: seat {seat + 1} heard {seq} {told.kind} {told.turn}, not {self.seq} {right}"
            )
        self._heard[seat] = seq
        if seat != self._seat and self._figures.counting:
            self._figures.others.append(took)
        self._drawn = told.drawn
        self._go_on()

    def _public(self, turn: str) -> str:
        """A turn as everybody reads it: a tile without its value until the game is over."""
        return turn if turn[0] == "P" or len(self._free) == 1 else f"?{turn[-2:]}"

    def _go_on(self) -> None:
        if not self._acknowledged or min(self._heard) < self.seq:
            return
        if self._turn == "draw":
            self._hand = self._drawn
            self._left[self._seat][1] -= 1
        else:
            space = self._turn[-2:]
            self._free.remove(space)
            self._board[space] = "tile" if self._hand else "piece"
            if not self._hand:
                self._left[self._seat][0] -= 1
            self._hand = None
            self._seat = 1 - self._seat
            self.turns.append(self._turn)
        self.ready(self)

    # --- turns that must be refused ---------------------------------------------------------------------

    def _submit_wrong(self) -> None:
        """Submit what must be refused, with its reason; then what is right."""
        seat = self._seat
        piece = f"P{self._choose()}"
        wrong: list[tuple[int, str, int, int, str | None]] = [
            (1 - seat, piece, self.seq, 409, "IO-11"),
            (seat, "Pz9", self.seq, 422, "IO-1"),
        ]
        if self._board and (self._hand or self._left[seat][0]):
            turn = (self._hand or "P") + next(iter(self._board))
            wrong.append((seat, turn, self.seq, 422, "IO-9"))
        if self.seq > BEGUN:
            wrong.append((seat, "--", self.seq - 1, 409, None))
        who, turn, after, status, rule = wrong[self._randomness.randrange(len(wrong))]

        def refused(answered: int, body: bytes) -> None:
            if answered != status:
                raise Fault(
                    f"{self.id}: {turn} after {after} was answered {answered}, not {status}: {body[:300]!r}"
                )
            reason = _REFUSAL.decode(body).error
            if reason.rule != rule or not reason.message:
                raise Fault(f"{self.id}: {turn} after {after} was refused with {reason}, not by {rule}")
            self._figures.refused += 1
            self._submit_right()

        self._post(who, turn, after, refused)

    # --- the end ----------------------------------------------------------------------------------------

    async def check(self) -> None:
        """Compare the table and its record with what was acknowledged. Raises :class:`Fault`."""
        wire = self._wires[self._randomness.randrange(2)]
        status, body = await wire.fetch(wire.request("GET", f"/api/tables/{self.id}", self._tokens[0]))
        if status != 200:
            raise Fault(f"{self.id}: the table cannot be read: {status} {body[:200]!r}")
        shown = msgspec.json.decode(body, type=Shown)
        lies = {cell.name: cell.lies.kind for cell in shown.board.cells if cell.lies}
        if shown.seq != self.seq or lies != self._board or (shown.status == "over") != self.over:
            raise Fault(f"{self.id}: {shown.seq} {shown.status} {lies}, not {self.seq} {self._board}")
        status, body = await wire.fetch(wire.request("GET", f"/api/tables/{self.id}/record"))
        if status != 200:
            raise Fault(f"{self.id}: the record cannot be read: {status} {body[:200]!r}")
        record = next(read_records(body.decode()), None)
        turns = list(record.turns) if isinstance(record, Record) else []
        mine = [turn if turn[0] == "P" or self.over else f"?{turn[-2:]}" for turn in self.turns]
        if turns != mine:
            raise Fault(f"{self.id}: the record has {turns}, not {mine}")
        self._figures.checked_turns += self.seq - BEGUN

    def close(self) -> None:
        """Leave the table."""
        streams, self._streams = self._streams, []
        for stream in streams:
            stream.close()
