"""Ramses solved backwards, against searches forwards."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numba.core import config

from oudjat.cli import main
from oudjat.engine.ramses_table import (
    PLACEMENTS,
    SPLITS,
    check_place,
    known,
    known_from,
    mirrored,
    placement,
    placement_of,
    rank,
    read_table,
    table,
    write_table,
)
from oudjat.engine.thought import Known
from oudjat.research.ramses import Tables, make_tables
from oudjat.research.ramses_kernels import half_sweep, moved, ones, spread_out, state_sweep
from oudjat.rules.ramses import RAMSES, TO_MOVE, WINNERS, RamsesPosition


def forward(position: RamsesPosition, turns: int) -> Known | None:
    """What perfect play leads to within so many turns, by plain search; None when nobody can force an end."""
    if position.outcome is not None:  # only by a turn of the other, or because none is left
        won = position.outcome.winners == (position.core[TO_MOVE] + 1,)
        return Known("win" if won else "loss", 0)
    if turns == 0:
        return None
    longest = 0
    undecided = False
    best: int | None = None
    for turn in position.choices():
        after = position.apply(turn)
        here = forward(after, turns - 1)
        if here is None or here.turns is None:
            undecided = True
        elif here.value == "loss":
            best = min(best or 99, here.turns + 1)
        else:
            longest = max(longest, here.turns + 1)
    if best is not None:
        return Known("win", best)
    return None if undecided else Known("loss", longest)


def random_position(randomness: random.Random) -> RamsesPosition | None:
    """Any placement of the pieces in which nobody has won."""
    spaces = randomness.sample(range(1, 23), 8)
    try:
        return RAMSES.set_up(spaces[:4], spaces[4:], to_move=randomness.choice((1, 2)))
    except ValueError:
        return None


def positions(seed: int, count: int) -> list[RamsesPosition]:
    randomness = random.Random(seed)
    found: list[RamsesPosition] = []
    while len(found) < count:
        position = random_position(randomness)
        if position is not None:
            found.append(position)
    return found


def test_what_is_decided_soon_is_found_by_a_search_forwards() -> None:
    decided = 0
    for position in positions(1, 400):
        told = known(position)
        assert told is not None
        if told.turns is not None and told.turns <= 1:
            assert forward(position, told.turns) == told
            decided += 1
        else:
            assert forward(position, 0) is None
    assert decided > 100


def test_every_result_follows_from_those_one_turn_later() -> None:
    """With this for all positions and the count of turns the table is right: it cannot justify itself in a circle."""
    for position in positions(2, 60):
        told, later = known(position), [after(position, turn.text) for turn in position.choices()]
        ends = {
            value: [found.turns + 1 for found in later if found.value == value and found.turns is not None]
            for value in ("win", "loss")
        }
        wins, losses = ends["loss"], ends["win"]
        if wins:
            assert told == Known("win", min(wins))
        elif len(losses) == len(later):
            assert told == Known("loss", max(losses, default=0))
        else:
            assert told == Known("draw", None)


def after(position: RamsesPosition, turn: str) -> Known:
    """What is known after a turn, for the player who is to move then."""
    following = position.follow(RAMSES.read(turn))
    if following.outcome is not None and following.core[WINNERS]:
        won = following.outcome.winners == (following.core[TO_MOVE] + 1,)
        return Known("win" if won else "loss", 0)
    told = known(following)
    assert told is not None
    return told


def test_the_longest_way_to_a_win_is_25_turns_and_the_beginning_a_draw() -> None:
    codes = table()
    assert (int(codes.max()), int(codes.min())) == (26, -25)
    assert known(RAMSES.start(first=2)) == Known("draw", None)
    assert known(RAMSES.start(options={"repetition": "forbid"})) is None


def test_ranks_count_the_sets_of_a_size_in_order() -> None:
    numbered = sorted(sum(1 << bit for bit in bits) for bits in combinations(range(9), 4))
    assert [rank(bits) for bits in numbered] == list(range(len(numbered)))
    assert placement(0b1111 << 18, 0b1111 << 14) == PLACEMENTS - 1


def test_kernels_of_the_sweeps_move_pieces_as_sets_do() -> None:
    randomness = random.Random(3)
    for _ in range(200):
        spaces = sorted(randomness.sample(range(22), 8))
        own = randomness.sample(range(8), 4)
        split = sum(1 << piece for piece in own)
        taken = sum(1 << space for space in spaces)
        assert spread_out(taken, split) == sum(1 << spaces[piece] for piece in own)
        piece = randomness.choice(own)
        end = randomness.choice([space for space in range(22) if space not in spaces])
        left = taken ^ 1 << spaces[piece]
        after_split = moved(split, piece, ones(left & (1 << end) - 1), 1)
        expected = spread_out(taken, split) ^ 1 << spaces[piece] ^ 1 << end
        assert spread_out(left | 1 << end, after_split) == expected


SOME = 200


def half_way_from(tables: Tables, sets: int) -> set[int]:
    """The sets of taken spaces that a move can lead to from the first ``sets`` of them, by rank."""
    found = set()
    for at in range(sets):
        taken = int(tables.sets[at])
        pieces = [space for space in range(22) if taken >> space & 1]
        for piece, space in enumerate(pieces):
            ends = [end for end in range(22) if int(tables.targets[at, piece]) >> end & 1]
            found |= {int(tables.ranks[taken ^ 1 << space | 1 << end]) for end in ends}
    return found


@pytest.mark.skipif(vars(config)["DISABLE_JIT"], reason="works out a third of a million sets")
def test_the_first_sweep_finds_who_has_no_turn() -> None:
    tables = make_tables()
    codes, halves = np.zeros(PLACEMENTS, np.int8), np.zeros(PLACEMENTS, np.int8)
    given = (tables.sets, tables.ranks, tables.targets, tables.splits, tables.split_ranks)
    for at in half_way_from(tables, SOME):
        half_sweep(at, at + 1, 0, *given, codes, halves)
    won, lost = state_sweep(0, SOME, 0, *given, halves, codes)
    stuck = np.flatnonzero(codes)
    assert won == 0
    assert lost == len(stuck) > 0
    for place in (*stuck[:20].tolist(), *range(0, SOME * SPLITS, 1_500)):
        spaces = [space for space in range(22) if tables.sets[place // SPLITS] >> space & 1]
        own = [spaces[piece] + 1 for piece in range(8) if tables.splits[place % SPLITS] >> piece & 1]
        other = [space + 1 for space in spaces if space + 1 not in own]
        try:
            position = RAMSES.set_up(own, other)
        except ValueError:
            continue
        assert (position.choices() == ()) == (place in stuck)


def test_a_table_is_kept_whole_and_nothing_else_is_taken_for_one(tmp_path: Path) -> None:
    file = tmp_path / "ramses.xz"
    file.write_bytes(b"no table")
    with pytest.raises(ValueError, match="holds no table"):
        read_table(file)
    codes = np.zeros(PLACEMENTS, np.int8)
    codes[7] = -3
    write_table(file, codes)
    assert (read_table(file) == codes).all()
    assert [kept.name for kept in tmp_path.iterdir()] == ["ramses.xz"]


def test_a_named_file_that_is_no_table_is_told_and_the_one_that_comes_along_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "other.xz"
    write_table(other, np.ones(PLACEMENTS, np.int8))
    broken = tmp_path / "broken.xz"
    broken.write_bytes(b"no table")
    for named, reason in (
        (broken, "it holds something else"),
        (tmp_path / "none", "No such file or directory"),
    ):
        monkeypatch.setenv("OUDJAT_RAMSES", str(named))
        table.cache_clear()
        assert known(RAMSES.start()) == known(RAMSES.start(first=2)) == Known("draw", None)
        assert [record.getMessage() for record in caplog.records] == [
            f"OUDJAT_RAMSES: no table of Ramses can be read from {named} ({reason}); the one that comes along is used."
        ]
        caplog.clear()
    monkeypatch.setenv("OUDJAT_RAMSES", str(other))
    table.cache_clear()
    assert known(RAMSES.start()) == Known("win", 0)
    assert not caplog.records
    monkeypatch.undo()
    table.cache_clear()


def test_where_no_table_can_be_kept_nothing_is_solved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.setattr("oudjat.research.ramses.solve", None)  # would take minutes
    there = tmp_path / "there"
    there.mkdir()
    for out, reason in (
        (there, "Is a directory"),
        (tmp_path / "none" / "table", "No such file or directory"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["research", "solve-ramses", "--out", str(out)])
        assert ended.value.code == 2
        assert capsys.readouterr().err == f"The table cannot be written to {out}: {reason}.\n"
    kept = tmp_path / "kept"
    kept.write_bytes(b"as it was")
    check_place(kept)
    check_place(tmp_path / "new")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kept", "there"]
    assert kept.read_bytes() == b"as it was"


def test_codes_say_value_and_turns() -> None:
    assert [known_from(code) for code in (0, 1, -3)] == [
        Known("draw", None),
        Known("win", 0),
        Known("loss", 2),
    ]


def test_the_mirror_image_is_the_same_position() -> None:
    upside = RAMSES.set_up((1, 2, 10, 5), (18, 19, 7, 8))
    down = RAMSES.set_up((18, 19, 10, 22), (1, 2, 7, 8))
    assert placement_of(upside) == placement_of(down)
    assert {mirrored(1 << space) for space in range(22)} == {1 << space for space in range(22)}
