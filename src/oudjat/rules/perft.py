"""How many different sequences of turns begin a game: the count by which rules written twice are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from oudjat.rules.game import Draw, Position, Turn


def whole_turns(position: Position) -> Iterator[Turn]:
    """Every whole turn that can come next, as a record writes it: a choice that needs chance once for each thing
    that chance can bring, however likely. None when the game is over.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> len(list(whole_turns(ISIS_OSIRIS.start())))  # 36 pieces, and 8 values on 36 spaces
    324
    """
    for turn in position.choices():
        if not isinstance(turn, Draw):
            yield turn
            continue
        asked = position.apply(turn)
        for came, _ in asked.chance():
            yield from asked.apply(came).choices()


def perft(position: Position, depth: int) -> Iterator[int]:
    """For each number of turns from 1 to ``depth`` how many different sequences of so many turns can be played from
    ``position``. Games that end earlier count no longer.

    >>> from oudjat.rules.isis_osiris import ISIS_OSIRIS
    >>> list(perft(ISIS_OSIRIS.start(), 1))
    [324]
    """
    reached = Counter({position: 1})  # equal positions are gone on from once
    for turns in range(1, depth + 1):
        count = 0
        following: Counter[Position] = Counter()
        for here, ways in reached.items():
            for turn in whole_turns(here):
                count += ways
                if turns < depth:
                    following[here.follow(turn)] += ways
        yield count
        reached = following
