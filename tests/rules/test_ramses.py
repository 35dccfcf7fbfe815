"""Every rule of Ramses by its number."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, strategies

from oudjat.rules.game import Draw, IllegalTurn, Outcome, Position, SetupError, UnreadableTurn, follow_all
from oudjat.rules.ramses import RAMSES, RamsesPosition, has_won, targets
from oudjat.rules.ramses.core import PLACES
from oudjat.rules.views import turns_in
from tests.rules.kit import pieces, refused, texts

# RA-1 drawn once more, by coordinates: 5 above 10, 22 below it
ROWS = (range(1, 6), range(6, 18), range(18, 23))
AT = {space: (row, column) for row, spaces in enumerate(ROWS) for column, space in enumerate(spaces)}
SPACE_AT = {at: space for space, at in AT.items()}
SPECIAL = {1, 18, 9, 13, 17}


def next_to(space: int) -> list[int]:
    row, column = AT[space]
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [SPACE_AT[at] for at in around if at in SPACE_AT]


def every_way(
    space: int, occupied: set[int], steps: int, behind: tuple[int, ...] = ()
) -> Iterator[list[int]]:
    if steps == 0:
        yield [*behind, space]
        return
    for near in next_to(space):
        if near not in occupied and near not in behind:
            yield from every_way(near, occupied, steps - 1, (*behind, space))


def steps_of(space: int, occupied: set[int]) -> int:
    in_row = sum(AT[other][0] == AT[space][0] for other in occupied)
    return max(in_row, sum(AT[other][1] == AT[space][1] for other in occupied))


def ends(space: int, occupied: set[int]) -> set[int]:
    return {way[-1] for way in every_way(space, occupied, steps_of(space, occupied))}


def slow_turns(own: set[int], other: set[int]) -> set[str]:
    """RA-3 to RA-6 from RULES.md, way by way."""
    found = set()
    for start in own:
        for end in ends(start, own | other):
            moved = own - {start} | {end}
            if len(moved & SPECIAL) == 3:
                found.add(f"{start}-{end}")
                continue
            for second in other:
                found |= {f"{start}-{end}/{second}-{last}" for last in ends(second, moved | other)}
    return found


def after(turns: str, **setup: object) -> Position:
    return follow_all(RAMSES.start(**setup), turns.split())  # type: ignore[arg-type]


def test_ra_1_the_board_and_what_touches() -> None:
    for space in range(1, 23):
        alone = 1 << PLACES[space]  # a piece alone on the board moves one
        reached = targets(alone, PLACES[space])
        assert {other for other in range(1, 23) if reached >> PLACES[other] & 1} == set(next_to(space))
    assert set(next_to(5)) == {4, 10}
    assert set(next_to(22)) == {21, 10}
    assert set(next_to(10)) == {9, 11, 5, 22}


def test_ra_1_the_board_as_it_is_drawn() -> None:
    view = RAMSES.start().view(None)
    assert (view.rows, view.columns) == (3, 12)
    assert [cell.name for cell in view.cells] == [str(space) for space in range(1, 23)]
    long = {cell.name: (cell.row, cell.column) for cell in view.cells if cell.columns == 8}
    assert long == {"5": (0, 4), "22": (2, 4)}
    assert {int(cell.name) for cell in view.cells if cell.mark == "cartouche"} == SPECIAL
    for text in ("3-23/4-5", "0-1", "3-04"):
        with pytest.raises(UnreadableTurn) as error:
            RAMSES.read(text)
        assert error.value.rule == "RA-1"


def test_ra_2_the_pieces_at_the_start_and_who_begins() -> None:
    position = RAMSES.start(first=2)
    assert (pieces(position, 1), pieces(position, 2)) == ({2, 3, 4, 5}, {19, 20, 21, 22})
    assert (RAMSES.start().to_move, position.to_move) == (1, 2)
    assert [(seat.colour, seat.shape) for seat in position.view(1).seats] == [
        ("light", "white-crown"),
        ("dark", "red-crown"),
    ]


def test_ra_3_first_an_own_piece_then_one_of_the_opponents() -> None:
    position = after("3-1/19-8")
    assert (pieces(position, 1), pieces(position, 2)) == ({1, 2, 4, 5}, {8, 20, 21, 22})
    assert (position.to_move, position.turns) == (2, 1)
    start = RAMSES.start()
    assert refused(start, "19-8/3-1").rule == "RA-3"
    assert refused(start, "3-1/4-6").rule == "RA-3"
    assert refused(start, "3-1").rule == "RA-3"
    with pytest.raises(IllegalTurn) as error:
        start.apply(Draw())
    assert error.value.rule == "RA-3"


def test_ra_4_row_or_column_whichever_is_more_itself_included() -> None:
    position = RAMSES.set_up((2, 6, 7, 10), (14, 18, 19, 5))
    for space, steps in ((6, 4), (14, 4), (2, 3), (7, 4), (18, 2), (5, 2), (19, 3)):
        assert steps_of(space, {2, 6, 7, 10, 14, 18, 19, 5}) == steps
    # 6 is shut in by 7 and 18 but for 1; 2 stands on its way there: it has no move of four
    assert not any(text.startswith("6-") for text in texts(position))
    # 10 moves four, along the row or round the corners; 14 would be four to the right, and is occupied
    assert {text.split("/")[0] for text in texts(position) if text.startswith("10-")} == {
        "10-4",
        "10-8",
        "10-21",
    }
    wrong = refused(position, "10-14/18-20")
    assert (wrong.rule, "14" in str(wrong)) == ("RA-4", True)
    wrong = refused(position, "10-13/18-20")
    assert (wrong.rule, "exactly 4" in str(wrong)) == ("RA-4", True)
    assert refused(position, "10-10/18-20").rule == "RA-4"


def test_ra_4_the_second_half_counts_after_the_first() -> None:
    # three in row 0: as 2 leaves it for row 1, two are left, and 4 moves two
    position = RAMSES.set_up((2, 20, 17, 15), (1, 4, 22, 12))
    assert "2-8/4-10" not in texts(position)
    assert {text for text in texts(position) if text.startswith("2-9/4-")} == {
        f"2-9/4-{end}" for end in ends(4, {9, 20, 17, 15, 1, 4, 22, 12})
    }
    assert steps_of(4, {2, 20, 17, 15, 1, 4, 22, 12}) == 3
    assert steps_of(4, {9, 20, 17, 15, 1, 4, 22, 12}) == 2
    assert refused(position, "2-9/4-6").rule == "RA-4"


def test_ra_4_never_twice_into_the_same_space() -> None:
    # four steps round 2, 1, 6, 7 would come back to where the piece began
    assert not any(text.split("/")[0] == "2-2" for text in texts(RAMSES.start()))
    # 16, 15 and 17 lie in a dead end: out and back is no way
    assert ends(17, {17, 1, 2}) == {16}
    assert ends(17, {17, 6, 7}) == {14}


def test_ra_5_three_special_squares_win_at_once_by_the_first_half() -> None:
    position = RAMSES.set_up((1, 18, 3, 22), (11, 12, 14, 15))
    assert "3-9" in texts(position)
    assert not any(text.startswith("3-9/") for text in texts(position))
    assert refused(position, "3-9/11-10").rule == "RA-5"
    won = position.follow(RAMSES.read("3-9"))
    assert (won.outcome, won.asks, won.to_move, won.turns) == (Outcome(None, (1,)), "nothing", None, 1)
    assert won.choices() == ()
    assert refused(won, "11-10/9-8").rule == "RA-5"


def test_ra_5_whoever_moved_them_there() -> None:
    position = RAMSES.set_up((8, 10, 20, 16), (1, 18, 3, 22))
    given_away = sorted(text for text in texts(position) if text.endswith("/3-9"))
    assert given_away
    assert position.follow(RAMSES.read(given_away[0])).outcome == Outcome(None, (2,))


def test_ra_6_who_cannot_make_both_halves_loses() -> None:
    shut_in = RAMSES.set_up((14, 15, 16, 17), (13, 2, 3, 4))
    assert (shut_in.outcome, shut_in.choices(), shut_in.asks) == (Outcome(None, (2,)), (), "nothing")
    assert refused(shut_in, "14-13/2-1").rule == "RA-6"
    # a first half after which the opponent is shut in is none
    position = RAMSES.set_up((2, 3, 4, 5), (14, 15, 16, 17))
    assert not any(text.startswith("5-13") for text in texts(position))
    assert refused(position, "5-13/14-12").rule == "RA-6"
    # dark's turn leaves light without one
    before = RAMSES.set_up((1, 9, 11, 15), (4, 6, 12, 20), to_move=2)
    assert slow_turns({7, 9, 11, 15}, {10, 6, 12, 20}) == set()
    assert before.follow(RAMSES.read("4-10/1-7")).outcome == Outcome(None, (2,))


THERE_AND_BACK = "3-1/19-8 8-19/1-3"


def test_ra_7_the_third_time_is_a_draw() -> None:
    once = after(THERE_AND_BACK)
    assert once.outcome is None
    assert once.options == {"repetition": "draw"}
    assert (once.barred(), once.view(1).barred) == ((), {})
    twice = follow_all(once, THERE_AND_BACK.split())
    assert (twice.outcome, twice.to_move, twice.choices()) == (Outcome(None, (1, 2)), None, ())
    assert refused(twice, "3-1/19-8").rule == "RA-7"


def test_ra_7_forbidden_repetition_is_shown_as_barred() -> None:
    position = after("3-1/19-8", options={"repetition": "forbid"})
    assert "8-19/1-3" not in texts(position)
    ((turn, why),) = position.barred()
    assert (turn.text, why.rule) == ("8-19/1-3", "RA-7")
    assert refused(position, "8-19/1-3").rule == "RA-7"
    view = position.view(2)
    assert view.barred == {"8": {"19": {"1": {"3": "8-19/1-3"}}}}
    assert set(turns_in(view.ways)) == texts(position)
    assert position.view(1).barred == {}


def test_ra_7_who_has_only_barred_turns_loses() -> None:
    start = RAMSES.start(options={"repetition": "forbid"})
    assert isinstance(start, RamsesPosition)
    successors = [start.apply(turn).core for turn in start.choices()]
    past = tuple((core[1], core[4], core[5]) for core in successors)
    stuck = replace(start, past=past)
    assert (stuck.outcome, stuck.choices(), len(stuck.barred())) == (Outcome(None, (2,)), (), len(successors))
    assert refused(stuck, "3-1/19-8").rule == "RA-6"
    assert replace(start, past=past[1:]).choices() == (start.choices()[0],)


def test_ra_7_400_turns_are_a_draw() -> None:
    position = RAMSES.set_up((1, 18, 3, 22), (11, 12, 14, 15), turns=399)
    assert position.follow(RAMSES.read("1-7/11-8")).outcome == Outcome(None, (1, 2))
    assert position.follow(RAMSES.read("3-9")).outcome == Outcome(None, (1,))
    assert refused(position.follow(RAMSES.read("1-7/11-8")), "12-11/7-8").rule == "RA-7"


def test_a_walk_goes_step_by_step_over_free_spaces() -> None:
    position = RAMSES.start()
    for turn in position.choices():
        own, other = ([int(name) for name in walk] for walk in position.walks(turn))
        assert turn.text == f"{own[0]}-{own[-1]}/{other[0]}-{other[-1]}"
        occupied = {2, 3, 4, 5, 19, 20, 21, 22}
        for walk in (own, other):
            assert walk in list(every_way(walk[0], occupied, steps_of(walk[0], occupied)))
            occupied = occupied - {walk[0]} | {walk[-1]}
    with pytest.raises(IllegalTurn):
        position.walks(RAMSES.read("3-4/19-8"))
    won = RAMSES.set_up((1, 18, 3, 22), (11, 12, 14, 15))
    assert won.walks(RAMSES.read("3-9")) == (("3", "4", "9"),)


def test_a_view_offers_ways_to_the_seat_that_is_to_move() -> None:
    position = RAMSES.start()
    view = position.view(1)
    assert set(turns_in(view.ways)) == texts(position)
    assert RAMSES.set_up((1, 18, 3, 22), (11, 12, 14, 15)).view(1).ways["3"] == {
        "5": {"11": {"3": "3-5/11-3", "7": "3-5/11-7", "20": "3-5/11-20"}},
        "7": {"11": {end: f"3-7/11-{end}" for end in ("2", "4", "8", "19", "21")}},
        "9": "3-9",
        "20": {"11": {end: f"3-20/11-{end}" for end in ("3", "5", "7", "9")}},
    }
    assert all(position.view(seat).ways == {} for seat in (None, 2))
    assert not any(cell.offers for cell in view.cells)


@pytest.mark.parametrize("text", ["", "3", "3-", "3-9/", "3/9", "3-9/4", "a-b", "3-9/-", "--", "3-9 ", "٣-9"])
def test_what_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(UnreadableTurn) as error:
        RAMSES.read(text)
    assert error.value.rule == "record"


def test_only_what_can_be_is_set_up() -> None:
    for light, dark in (
        ((1, 2, 3, 4), (4, 5, 6, 7)),
        ((1, 2, 3), (4, 5, 6, 7)),
        ((1, 2, 3, 23), (4, 5, 6, 7)),
        ((1, 18, 9, 2), (4, 5, 6, 7)),
        ((1, 2, 3, 4, 5), (6, 7, 8, 10)),
    ):
        with pytest.raises(SetupError):
            RAMSES.set_up(light, dark)
    with pytest.raises(SetupError):
        RAMSES.set_up((1, 2, 3, 4), (5, 6, 7, 8), turns=400)
    with pytest.raises(SetupError):
        RAMSES.start(options={"repetition": "never"})
    assert RAMSES.set_up((5, 4, 3, 2), (19, 20, 21, 22)) == RAMSES.start()


@given(spaces=strategies.permutations(range(1, 23)), to_move=strategies.integers(1, 2))
def test_the_turns_of_any_position_are_those_of_a_slow_second_generator(
    spaces: list[int], to_move: int
) -> None:
    light, dark = set(spaces[:4]), set(spaces[4:8])
    if len(light & SPECIAL) >= 3 or len(dark & SPECIAL) >= 3:
        return
    position = RAMSES.set_up(light, dark, to_move=to_move)
    own, other = (light, dark) if to_move == 1 else (dark, light)
    slow = slow_turns(own, other)
    assert texts(position) == slow
    assert len(position.choices()) == len(slow)
    assert bool(slow) == (position.outcome is None)


@given(seed=strategies.integers(0, 2**32), forbid=strategies.booleans(), first=strategies.integers(1, 2))
def test_what_holds_in_every_game(seed: int, forbid: bool, first: int) -> None:
    randomness = random.Random(seed)
    position: Position = RAMSES.start(first=first, options={"repetition": "forbid" if forbid else "draw"})
    stood = [(position.to_move, pieces(position, 1), pieces(position, 2))]
    while position.outcome is None:
        turn = randomness.choice(position.choices())
        assert RAMSES.read(turn.text) == turn
        position = position.apply(turn)
        light, dark = pieces(position, 1), pieces(position, 2)
        assert (len(light), len(dark), light & dark) == (4, 4, set())
        assert (len(light & SPECIAL) >= 3 or len(dark & SPECIAL) >= 3) <= (position.outcome is not None)
        mover = (first - 1 + position.turns) % 2 + 1
        stood.append((mover, light, dark))
        assert stood.count(stood[-1]) <= (1 if forbid else 3)
        assert (stood.count(stood[-1]) == 3) <= (position.outcome == Outcome(None, (1, 2)))
    assert position.turns <= 400 == RAMSES.limit


@given(seed=strategies.integers(0, 2**32))
def test_a_turn_is_taken_exactly_when_it_is_listed(seed: int) -> None:
    randomness = random.Random(seed)
    spaces = randomness.sample(range(1, 23), 8)
    if len(SPECIAL & set(spaces[:4])) >= 3 or len(SPECIAL & set(spaces[4:])) >= 3:
        return
    position = RAMSES.set_up(spaces[:4], spaces[4:])
    listed = texts(position)
    for _ in range(60):
        a, b, c, d = (randomness.randrange(1, 23) for _ in range(4))
        tried = randomness.choice((f"{a}-{b}", f"{spaces[0]}-{b}/{spaces[4]}-{d}", f"{a}-{b}/{c}-{d}"))
        if tried in listed:
            position.follow(RAMSES.read(tried))
        else:
            assert refused(position, tried).rule in ("RA-3", "RA-4", "RA-5", "RA-6")


def test_positions_are_values() -> None:
    one, other = after("3-1/19-8"), after("3-1/19-8")
    assert (one, hash(one)) == (other, hash(other))
    assert one != RAMSES.start()
    assert pickle.loads(pickle.dumps(one)) == one
    assert not has_won(0)
