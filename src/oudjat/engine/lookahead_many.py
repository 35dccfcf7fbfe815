"""Looking ahead where more than two play: max^n, in which each seat seeks what is best for itself.

Bound to each game in which so many play, as :mod:`oudjat.engine.lookahead` is.
"""

from __future__ import annotations

from oudjat.engine.lookahead import (
    BARS,
    CERTAIN,
    DEEPEST,
    FOUND,
    MOST_SEATS,
    ROOM,
    SCORES,
    SEATS,
    SHARES,
    STATES,
    STOP,
    best_first,
    comes_back,
    key_of,
    outlooks,
    take,
    unfold,
)
from oudjat.engine.raw import Handle, floats_from, ints, ints_from
from oudjat.rules.ramses.core import MOST_TURNS, PLAYERS, SIZE, TO_MOVE, WINNERS

RANKED = -1
"""A game's own, as in ``lookahead``."""


def see(whole: Handle, real: Handle, ply: int) -> int:
    """Put what the position at a ply is worth to each seat at first sight into its place; gives how many seats."""
    room = floats_from(real, ROOM)
    shares = floats_from(real, SHARES + ply * MOST_SEATS)
    players = outlooks(ints_from(whole, STATES + ply * SIZE), ply, room)
    for seat in range(players):
        shares[seat] = room[SEATS + seat]
    return players


def look_all(whole: Handle, real: Handle, ply: int, depth: int, floor: float) -> int:
    """Put what the position at a ply is worth to each seat, ``depth`` turns ahead, into its place; gives the seat to
    move.

    ``floor`` is what the one who led here has already: it ends where the seat to move has so much that he cannot gain.
    """
    head = ints(whole)
    state = ints_from(whole, STATES + ply * SIZE)
    mover = state[TO_MOVE]
    if head[STOP]:
        return mover
    if depth <= 0 or state[WINNERS] or ply >= DEEPEST - 2:
        see(whole, real, ply)
        return mover
    found = ints_from(whole, FOUND + ply * MOST_TURNS)
    scores = floats_from(real, SCORES + ply * MOST_TURNS)
    shares = floats_from(real, SHARES + ply * MOST_SEATS)
    after = ints_from(whole, STATES + (ply + 1) * SIZE)
    shares_after = floats_from(real, SHARES + (ply + 1) * MOST_SEATS)
    players = state[PLAYERS]
    most = (
        2.0 if RANKED < 0 or not state[RANKED] else float(players)
    )  # all that seats can have together, from -1 up
    enough = min(CERTAIN, most - 2.0 - floor)
    count = unfold(whole, real, ply, enough if depth == 1 else CERTAIN)
    if count == 0:
        see(whole, real, ply)
        return mover
    best_first(found, scores, count)
    if depth == 1 or scores[0] >= CERTAIN:
        take(whole, ply, found[0])
        see(whole, real, ply + 1)
        for seat in range(players):
            shares[seat] = shares_after[seat]
        shares[mover] = scores[0]
        return mover
    best = -2.0
    for number in range(count):
        take(whole, ply, found[number])
        if head[BARS] == 0 and after[WINNERS] == 0 and comes_back(whole, ply + 1, key_of(after)):
            for seat in range(players):
                shares_after[seat] = 2.0 / players - 1.0
        else:
            look_all(whole, real, ply + 1, depth - 1, best)
        if head[STOP]:
            return mover
        if shares_after[mover] > best:
            best = shares_after[mover]
            for seat in range(players):
                shares[seat] = shares_after[seat]
            if best >= enough:
                break
    return mover


BOUND = (see, look_all)
