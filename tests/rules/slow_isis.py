"""The rules of Isis written a second time, slowly: every way is walked, square by square, over coordinates.

For the tests to compare with; made from RULES.md and from what everybody sees of a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from oudjat.rules.isis import IsisPosition

DRAWN_BOARD = """
  1   3   5   7   9  11  13  15  19  23  27  31  35  39  43  47
  .   .   .   .   .   .   .  16  20  24  28  32  36  40  44  48
  .   .   .   .   .   .   .  17  21  25  29  33  37  41  45  49
  2   4   6   8  10  12  14  18  22  26  30  34  38  42  46  50
"""
PLACES = {
    int(name): (row, column)
    for row, line in enumerate(DRAWN_BOARD.strip("\n").splitlines())
    for column, name in enumerate(line.split())
    if name != "."
}
AT = {place: square for square, place in PLACES.items()}
DOORS = {44: 48, 45: 49}  # each throne and the only square that touches it


def neighbours(square: int) -> set[int]:
    """IS-2 by coordinates."""
    row, column = PLACES[square]
    touching = {
        AT.get(place, 0)
        for place in ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
    }
    return {
        near
        for near in touching
        if near and DOORS.get(near, square) == square and DOORS.get(square, near) == near
    }


def standing(position: IsisPosition) -> dict[int, int | None]:
    """Every square with a piece and whose it is, as everybody sees it."""
    return {
        int(cell.name): cell.lies.seat
        for cell in position.view(None).cells
        if cell.lies and cell.lies.kind == "piece"
    }


def pile(position: IsisPosition) -> list[int | None]:
    return [lies.seat for lies in position.view(None).cell("0").pile]


@dataclass
class Slow:
    """A position by what everybody sees, the options and the piece that the previous player has just moved."""

    stands: dict[int, int | None]
    below: list[int | None]
    seat: int
    others: list[int]
    options: dict[str, str]
    just_moved: int = 0

    @classmethod
    def of(cls, position: IsisPosition, just_moved: int = 0) -> Slow:
        core_gone = position.outcome.winners if position.outcome else ()
        seats = [seat for seat in range(1, position.players + 1) if seat not in core_gone]
        return cls(
            standing(position),
            pile(position),
            position.to_move or 0,
            seats,
            dict(position.options),
            just_moved,
        )

    def walk(
        self, start: int, steps: int, *, back: bool, thrones: bool, so_far: tuple[int, ...]
    ) -> Iterator[int]:
        """IS-7: the ends of all ways."""
        if steps == 0:
            yield start
            return
        for near in sorted(neighbours(start)):
            if near in self.stands or near in so_far or (near in DOORS and not thrones):
                continue
            if not back and PLACES[near][1] < PLACES[start][1]:
                continue
            yield from self.walk(near, steps - 1, back=back, thrones=thrones, so_far=(*so_far, near))

    def ends(self, start: int, owner: int | None) -> Iterator[int]:
        """IS-6, IS-7."""
        yield from self.walk(
            start,
            len(self.stands),
            back=start >= 39,
            thrones=owner is not None and start >= 39,
            so_far=(start,),
        )

    def turns(self, dropped: tuple[int, ...]) -> set[str]:
        owners = set(self.stands.values()) | set(self.below)
        everybody = all(seat in owners for seat in self.others if seat not in dropped)
        found = set()
        for owner in (None, self.seat):
            mark = "*" if owner else ""
            if owner in self.below:  # IS-5
                for door in (1, 2):
                    if door not in self.stands:
                        way = self.walk(door, len(self.below) - 1, back=False, thrones=False, so_far=(door,))
                        found |= {f"{mark}0-{end}" for end in way}
            for square in [square for square, whose in self.stands.items() if whose == owner]:
                if owner or square != self.just_moved:  # IS-8
                    found |= {f"{mark}{square}-{end}" for end in self.ends(square, owner)}
                    last = len(self.stands) - 1
                    if everybody and self.options["home"] == "yes":  # IS-11
                        way = self.walk(square, last, back=True, thrones=False, so_far=(square,))
                        found |= {f"{mark}{square}-0" for end in way if end in (16, 17)}
        if self.seat not in owners:  # IS-9
            may = (square for square, whose in self.stands.items() if whose is None and square >= 39)
            just = self.options["claim_just_moved"] == "no"
            found |= {f"{square}!" for square in may if not (just and square == self.just_moved)}
        return found or {"--"}  # IS-12

    def take(self, turn: str) -> None:
        """The turn and what follows from it, but for its winner's piece."""
        self.just_moved = 0
        if turn.endswith("!"):
            self.stands[int(turn[:-1])] = self.seat
        elif turn != "--":
            start, end = (int(square) for square in turn.strip("*").split("-"))
            owner = self.seat if turn.startswith("*") else None
            if start:
                del self.stands[start]
            else:
                self.below.remove(owner)
            if end in DOORS and self.options["rank_all"] == "yes":
                self.below.append(None)
            elif end:
                self.stands[end] = owner
                self.just_moved = 0 if owner else end
            else:
                self.below.append(owner)
            if end in DOORS and self.options["rank_all"] == "no":
                return
        while stuck := [
            square
            for square, owner in self.stands.items()
            if square >= 39 and next(self.ends(square, owner), None) is None
        ]:  # IS-10
            for square in stuck:
                owner = self.stands.pop(square)
                self.below.append(owner if self.options["cast_out"] == "stays" else None)
        if self.just_moved not in self.stands:
            self.just_moved = 0
