"""The solver of endgames against a plain memo search, and what holds of exact play on every board."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oudjat.engine import endgame_root
from oudjat.engine.endgame import OBJECTIVES, Objective, OutOfTime, Solution, solve
from oudjat.engine.endgame_boards import MOST_SPACES, tile_sets
from oudjat.engine.endgame_last import KINDS as KINDS_OF_TILES
from oudjat.engine.measuring import fixed_positions
from oudjat.rules.game import Draw, read_step
from oudjat.rules.isis_osiris import (
    BOARD,
    ISIS_OSIRIS,
    MOST_SEATS,
    PIECES,
    SHARED,
    SIDE,
    SPACES,
    TILES,
    TO_MOVE,
    IsisOsirisPosition,
    Pass,
    PlacePiece,
    PlaceTile,
)
from tests.engine import plain_memo
from tests.engine.plain_memo import GOLDEN, by_the_rules, random_endgame
from tests.timing import quickest

KINDS = [(players, variant) for players in ISIS_OSIRIS.players for variant in ISIS_OSIRIS.variants]
GOLDEN_CASES: list[dict[str, Any]] = json.loads(GOLDEN.read_text("utf-8"))["cases"]
CLOSE = 1e-9

each_kind = pytest.mark.parametrize(("players", "variant"), KINDS)
each_objective = pytest.mark.parametrize("objective", OBJECTIVES)


def random_position(seed: int, players: int, variant: str, free: int) -> IsisOsirisPosition:
    """With a tile in hand every third time."""
    return random_endgame(seed, players, variant, free, in_hand=seed % 3 == 2).position


@st.composite
def positions(draw: st.DrawFn, most: int = 5) -> IsisOsirisPosition:
    """Of all numbers of players and both variants, with at most so many free spaces."""
    players, variant = draw(st.sampled_from(KINDS))
    seed, free = draw(st.integers(0, 10_000)), draw(st.integers(1, most))
    return random_endgame(seed, players, variant, free, in_hand=draw(st.booleans())).position


def assert_sound(solution: Solution, position: IsisOsirisPosition) -> None:
    """What every solution promises of itself."""
    assert position.to_move is not None
    assert solution.free == position.free_spaces
    assert len(solution.value) == position.players
    worths = [worth for _, worth in solution.best]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] == pytest.approx(solution.value[position.to_move - 1], abs=CLOSE)
    turns = [turn for turn, _ in solution.best]
    assert len(turns) == len(set(turns))
    assert set(turns) == set(position.choices())
    if solution.objective == "win":
        assert sum(solution.value) == pytest.approx(1, abs=CLOSE)
        assert all(-CLOSE <= worth <= 1 + CLOSE for worth in worths)
    elif position.players == 2:
        assert sum(solution.value) == pytest.approx(0, abs=CLOSE)
    assert solution.states >= 0
    assert solution.seconds >= 0


def assert_solves_as_the_plain_memo(position: IsisOsirisPosition, objective: Objective) -> None:
    right, solution = plain_memo.solve(position, objective), solve(position, objective)
    assert_sound(solution, position)
    assert solution.objective == objective
    assert solution.value == pytest.approx(right.value, abs=CLOSE)
    assert dict(solution.best) == pytest.approx(right.turns, abs=CLOSE)


# --- the plain memo itself ------------------------------------------------------------------------------


@each_kind
@each_objective
def test_the_plain_memo_is_right_by_the_rules(players: int, variant: str, objective: Objective) -> None:
    for free in (1, 2, 3):
        for seed in range(6 if free < 3 else 2):
            position = random_position(seed, players, variant, free)
            right = [float(part) for part in by_the_rules(position, objective)]
            answer = plain_memo.solve(position, objective)
            assert answer.value == pytest.approx(right, abs=1e-12)
            assert set(answer.turns) == set(position.choices())
            for turn, worth in answer.turns.items():
                after = by_the_rules(position.apply(turn), objective)[position.core[TO_MOVE]]
                assert worth == pytest.approx(float(after), abs=1e-12)


# --- against it -----------------------------------------------------------------------------------------


@each_kind
@each_objective
def test_small_endgames_are_exact(players: int, variant: str, objective: Objective) -> None:
    for free, seeds in ((1, 20), (2, 20), (3, 15), (4, 6), (5, 2)):
        for seed in range(seeds):
            assert_solves_as_the_plain_memo(random_position(seed, players, variant, free), objective)


SIX_FREE = {"normal": {2: 5, 3: 3, 4: 9}, "shared": {2: 5, 3: 9, 4: 2}}
"""Seeds of mixed positions that the plain memo solves in about a second."""


@each_kind
def test_six_free_spaces_are_exact(players: int, variant: str) -> None:
    position = random_position(SIX_FREE[variant][players], players, variant, 6)
    for objective in OBJECTIVES:
        assert_solves_as_the_plain_memo(position, objective)


@each_objective
def test_passes_are_exact(objective: Objective) -> None:
    """IO-20: seats with nothing left wait while the others fill the board."""
    for players, now, seeds in (
        (2, True, (3, 12, 13, 57)),
        (2, False, (4, 10, 11, 59)),
        (3, True, (0, 26, 54, 59)),
        (3, False, (2, 4, 5, 57)),
        (4, True, (40, 49)),
        (4, False, (0, 2, 5, 58)),
    ):
        for seed in seeds:
            position = random_position(seed, players, "shared", 4)
            assert (Pass() in position.choices()) == now
            assert plain_memo.solve(position, objective).passes
            assert_solves_as_the_plain_memo(position, objective)


@pytest.mark.parametrize(
    "case", GOLDEN_CASES, ids=lambda case: f"{case['players']}-{case['variant']}-{case['free']}"
)
@each_objective
def test_larger_endgames_are_exact(case: dict[str, Any], objective: Objective) -> None:
    position = ISIS_OSIRIS.start(case["players"], variant=case["variant"], first=case["first"])
    for text in case["turns"]:
        position = position.follow(read_step(ISIS_OSIRIS, text))
    solution = solve(position, objective)
    assert_sound(solution, position)
    assert solution.value == pytest.approx(case[objective]["value"], abs=CLOSE)
    worths = {turn.text: worth for turn, worth in solution.best}
    assert worths == pytest.approx(case[objective]["best"], abs=CLOSE)


@pytest.mark.parametrize(("number", "worth"), [(8, 13.455357142857), (17, 3.604444444444)])
def test_a_turn_remembered_from_another_board_is_not_played_on_a_taken_space(
    number: int, worth: float
) -> None:
    """Boards that are worth the same share what is remembered, but not the names of their spaces.

    The values are those of a search of every state without bounds.
    """
    solution = solve(fixed_positions(10, 20)[number])
    assert {turn.text: value for turn, value in solution.best}["draw"] == pytest.approx(worth, abs=CLOSE)


def test_a_bound_that_a_float_misses_by_its_last_digit_is_not_kept_as_the_value() -> None:
    """The value is that of all boards without bounds; alpha-beta once found -7.475."""
    solution = solve(random_endgame(2, 2, "shared", 10, in_hand=True).position)
    worths = {turn.text: worth for turn, worth in solution.best}
    assert worths["+2e3"] == pytest.approx(-7.430555555556, abs=CLOSE)


@pytest.mark.parametrize("variant", ISIS_OSIRIS.variants)
def test_board_by_board_is_the_same_as_state_by_state(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    positions_here = [random_position(seed, 2, variant, 7) for seed in range(8)]
    by_boards = [solve(position) for position in positions_here]
    monkeypatch.setattr(endgame_root, "BOARDS_FROM", 0)
    for position, found in zip(positions_here, by_boards, strict=True):
        assert dict(found.best) == pytest.approx(dict(solve(position).best), abs=CLOSE)
    monkeypatch.setattr(endgame_root, "BOARDS_FROM", 5)
    monkeypatch.setattr(endgame_root, "SMALLEST_ROOM", 10)  # too little: state by state after all
    for position, found in zip(positions_here, by_boards, strict=True):
        assert dict(found.best) == pytest.approx(dict(solve(position).best), abs=CLOSE)


@pytest.mark.parametrize("variant", ISIS_OSIRIS.variants)
@pytest.mark.parametrize("octets", [1 << 22, 1 << 24])
def test_large_endgames_are_searched_to_the_same_values(
    variant: str, octets: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when room for boards runs short again and again; small positions are taken for large ones."""
    positions_here = [random_position(seed, 2, variant, free) for free in (7, 8) for seed in range(8)]
    right = [solve(position) for position in positions_here]
    monkeypatch.setattr(endgame_root, "LARGE", 7)
    monkeypatch.setattr(endgame_root, "MANY", 6)
    monkeypatch.setattr(endgame_root, "LARGE_BYTES", octets)
    for position, found in zip(positions_here, right, strict=True):
        assert dict(solve(position).best) == pytest.approx(dict(found.best), abs=CLOSE)


@given(
    st.tuples(*[st.integers(0, 3)] * KINDS_OF_TILES),
    st.integers(endgame_root.LARGE, MOST_SPACES),
    st.integers(1, 64),
)
@settings(max_examples=20)
def test_all_threads_together_keep_to_the_memory(unseen: tuple[int, ...], free: int, threads: int) -> None:
    slots, room = endgame_root.sizes(tile_sets(unseen, free), free, threads)
    at_work = min(threads, free + KINDS_OF_TILES)
    assert slots & (slots - 1) == 0
    assert at_work * (endgame_root.SLOT_BYTES * slots + 8 * room) <= endgame_root.LARGE_BYTES
    assert 8 * room >= endgame_root.LARGE_BYTES // at_work // 3


# --- what holds on every board --------------------------------------------------------------------------

Move = Callable[[int, int], tuple[int, int]]
LAST = SIDE - 1
SYMMETRIES: dict[str, Move] = {
    "mirrored": lambda column, row: (LAST - column, row),
    "upside down": lambda column, row: (column, LAST - row),
    "turned": lambda column, row: (row, LAST - column),
    "across": lambda column, row: (row, column),
}


def moved(space: int, move: Move) -> int:
    column, row = move(space % SIDE, space // SIDE)
    return column + SIDE * row


def moved_position(position: IsisOsirisPosition, move: Move) -> IsisOsirisPosition:
    core = list(position.core)
    for space in range(SPACES):
        core[BOARD + moved(space, move)] = position.core[BOARD + space]
    return IsisOsirisPosition(tuple(core))


def rotated(row: Sequence[int]) -> list[int]:
    """What belongs to each seat goes to the next one, the last seat's to the first."""
    return [row[-1], *row[:-1]]


def with_the_seats_rotated(position: IsisOsirisPosition) -> IsisOsirisPosition:
    """Every seat's pieces, stock and turn belong to the next seat; with two players they change colours."""
    core, players = list(position.core), position.players
    core[PIECES : PIECES + players] = rotated(core[PIECES : PIECES + players])
    if not core[SHARED]:
        core[TILES : TILES + players] = rotated(core[TILES : TILES + players])
    core[TO_MOVE] = (core[TO_MOVE] + 1) % players
    for space in range(SPACES):
        if 0 < core[BOARD + space] <= MOST_SEATS:
            core[BOARD + space] = core[BOARD + space] % players + 1
    return IsisOsirisPosition(tuple(core))


@given(positions(), st.sampled_from(sorted(SYMMETRIES)), st.sampled_from(OBJECTIVES))
def test_a_board_turned_or_mirrored_is_worth_the_same(
    position: IsisOsirisPosition, symmetry: str, objective: Objective
) -> None:
    move = SYMMETRIES[symmetry]
    solution, other = solve(position, objective), solve(moved_position(position, move), objective)
    assert other.value == pytest.approx(solution.value, abs=CLOSE)
    there = {}
    for turn, worth in solution.best:
        match turn:
            case PlacePiece(space):
                there[PlacePiece(moved(space, move))] = worth
            case PlaceTile(value, space):
                there[PlaceTile(value, moved(space, move))] = worth  # type: ignore[index]
            case _:
                there[turn] = worth  # type: ignore[index]
    assert dict(other.best) == pytest.approx(there, abs=CLOSE)


@given(positions(), st.sampled_from(OBJECTIVES))
def test_who_owns_which_colour_does_not_matter(position: IsisOsirisPosition, objective: Objective) -> None:
    solution, other = solve(position, objective), solve(with_the_seats_rotated(position), objective)
    assert list(other.value) == pytest.approx([solution.value[-1], *solution.value[:-1]], abs=CLOSE)
    assert dict(other.best) == pytest.approx(dict(solution.best), abs=CLOSE)


@given(positions(), st.sampled_from(OBJECTIVES))
def test_a_position_is_worth_what_its_best_turn_leads_to(
    position: IsisOsirisPosition, objective: Objective
) -> None:
    solution = solve(position, objective)
    assert_sound(solution, position)
    seat = position.core[TO_MOVE]
    for turn, worth in solution.best[:3]:
        after = position.apply(turn)
        if after.asks == "chance":
            values = [
                float(share) * solve(after.apply(came), objective).value[seat]
                for came, share in after.chance()
            ]
            assert worth == pytest.approx(sum(values), abs=CLOSE)
        elif after.outcome is None:
            assert worth == pytest.approx(solve(after, objective).value[seat], abs=CLOSE)


@given(positions())
@settings(max_examples=10)
def test_the_number_of_processes_does_not_matter(position: IsisOsirisPosition) -> None:
    alone, together = solve(position, jobs=1), solve(position, jobs=2)
    assert together.value == pytest.approx(alone.value, abs=CLOSE)
    assert dict(together.best) == pytest.approx(dict(alone.best), abs=CLOSE)


# --- what cannot be solved ------------------------------------------------------------------------------


@each_objective
@pytest.mark.parametrize("players", ISIS_OSIRIS.players)
@pytest.mark.parametrize("limit", [0.0, 0.3])
def test_the_limit_is_kept(players: int, objective: Objective, limit: float) -> None:
    solve(random_position(1, players, "normal", 3), objective)  # nothing is left to be compiled or loaded

    def give_up() -> None:
        with pytest.raises(OutOfTime) as caught:
            solve(ISIS_OSIRIS.start(players), objective, limit=limit)
        assert caught.value.limit == limit

    longest = 1.1 * limit + 0.1
    assert limit <= quickest(give_up, longest) <= longest


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    position = random_position(4, 2, "normal", 5)
    assert solve(position, limit=60).best == solve(position).best


def test_what_is_no_endgame_is_refused_with_a_sentence() -> None:
    over = random_endgame(1, 2, "normal", 0).position
    withheld = ISIS_OSIRIS.start().follow(ISIS_OSIRIS.read("?c4"))
    drawing = random_endgame(1, 2, "normal", 20).position.apply(Draw())
    for position in (over, withheld, drawing):
        with pytest.raises(ValueError, match=r"^\w.* .*\w"):
            solve(position)
    with pytest.raises(ValueError, match="glory"):
        solve(random_position(1, 2, "normal", 3), "glory")  # type: ignore[arg-type]
