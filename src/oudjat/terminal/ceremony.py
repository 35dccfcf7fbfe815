"""The scoring as it is shown: piece by piece, colour by colour, each taken off when it is counted (IO-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from oudjat.rules.game import N_, ScoredPiece
from oudjat.texts.catalog import Words
from oudjat.texts.speech import shown


@dataclass(frozen=True, slots=True)
class Ceremony:
    """A moment of the scoring: at 0 all tiles have just been turned face up, then the pieces are counted one
    by one, and one past the last of them everything is counted."""

    steps: tuple[ScoredPiece, ...]
    at: int = 0

    @property
    def current(self) -> ScoredPiece | None:
        """The piece that is being counted; None before the first and after the last."""
        return self.steps[self.at - 1] if 0 < self.at <= len(self.steps) else None

    @property
    def taken(self) -> frozenset[str]:
        """The spaces whose pieces have been counted and taken off."""
        return frozenset(step.space for step in self.steps[: max(0, self.at - 1)])

    @property
    def done(self) -> bool:
        """Whether everything is counted."""
        return self.at > len(self.steps)

    def next(self) -> Ceremony:
        """The next moment; the last one stays."""
        return self if self.done else replace(self, at=self.at + 1)

    def skipped(self) -> Ceremony:
        """The last moment."""
        return replace(self, at=len(self.steps) + 1)

    def total(self, seat: int) -> int:
        """What the seat's pieces counted so far have brought."""
        return next((step.total for step in reversed(self.steps[: self.at]) if step.seat == seat), 0)

    def sentence(self, words: Words, names: Sequence[str]) -> str:
        """What is being counted, as a sum."""
        step = self.current
        if step is None:
            return words(N_("The board is full. All tiles are turned face up."))
        terms = " ".join(shown(value) for _, value in step.tiles) or "0"
        return words(
            N_("{name}, {space}: {terms} makes {worth}; together {total}."),
            name=names[step.seat - 1],
            space=step.space,
            terms=terms,
            worth=shown(step.worth, signed=True),
            total=shown(step.total, signed=True),
        )
