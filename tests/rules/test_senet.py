"""Every rule of Senet by its number."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies

from oudjat.rules.game import (
    Draw,
    Drew,
    IllegalTurn,
    Outcome,
    Position,
    SetupError,
    UnreadableTurn,
    read_step,
)
from oudjat.rules.senet import SENET, SenetPosition
from tests.rules.kit import after, pieces, refused, texts, thrown


def swappable(house: int, other: set[int]) -> bool:
    """SE-3, SE-5: whether the piece of ``other`` on this house can be swapped."""
    beside = {house - 1, house + 1} & set(range(1, 26))
    return house <= 25 and not beside & other


def passes_block(start: int, end: int, other: set[int]) -> bool:
    between = list(range(min(start, end) + 1, max(start, end)))
    return any(
        all(house in other and house <= 25 for house in between[at : at + 3])
        for at in range(len(between) - 2)
    )


def may_end(start: int, end: int, own: set[int], other: set[int]) -> bool:
    if end in own or end < 1:
        return False
    if end in other and not swappable(end, other):
        return False
    return not passes_block(start, end, other)


def slow_turns(own: set[int], other: set[int], throw: int) -> dict[str, tuple[set[int], set[int]]]:
    """SE-3 to SE-7 from RULES.md, piece by piece: every turn with the pieces that it leads to."""
    found: dict[str, tuple[set[int], set[int]]] = {}
    bears_off = not any(house <= 10 for house in own)
    for start in own:
        left = own - {start}
        end = start + throw
        if start <= 25:
            if end <= 26 and may_end(start, end, own, other):
                swapped = other - {end} | {start} if end in other else other
                found[f"{throw}:{start}-{end}"] = (left | {end}, swapped)
        elif (start == 26 and throw == 5) or start == 30 or (start in (28, 29) and start + throw == 31):
            if bears_off:
                found[f"{throw}:{start}-off"] = (left, other)
        elif start == 26 and throw == 1:
            free = [house for house in range(1, 16) if house not in own | other]
            if free:
                found["1:26-27"] = (left | {max(free)}, other)
        elif start == 26 and end not in own | other:
            found[f"{throw}:26-{end}"] = (left | {end}, other)
    if found:
        return found
    for start in own:
        end = start - throw
        if start <= 25 and may_end(start, end, own, other):
            swapped = other - {end} | {start} if end in other else other
            found[f"{throw}:{start}-{end}"] = (own - {start} | {end}, swapped)
    return found or {f"{throw}:--": (own, other)}


@pytest.mark.parametrize("number", [5, 7, 10])
def test_se_1_the_first_houses_are_filled_alternately_the_first_player_on_the_odd_ones(number: int) -> None:
    options = {"pieces": str(number)}
    odd, even = set(range(1, 2 * number, 2)), set(range(2, 2 * number + 1, 2))
    light_first = SENET.start(options=options)
    assert (pieces(light_first, 1), pieces(light_first, 2), light_first.to_move) == (odd, even, 1)
    dark_first = SENET.start(first=2, options=options)
    assert (pieces(dark_first, 1), pieces(dark_first, 2), dark_first.to_move) == (even, odd, 2)
    assert dark_first.options == options


def test_se_1_thirty_houses_in_an_s() -> None:
    assert SENET.start() == SENET.start(options={"pieces": "5"})
    view = SENET.start().view(None)
    assert (view.rows, view.columns, len(view.cells)) == (3, 10, 30)
    at = {int(cell.name): (cell.row, cell.column) for cell in view.cells}
    assert (at[1], at[10], at[11], at[20], at[21], at[30]) == ((0, 0), (0, 9), (1, 9), (1, 0), (2, 0), (2, 9))
    assert {cell.name: cell.mark for cell in view.cells if cell.mark} == {
        "15": "life",
        "26": "beauty",
        "27": "water",
        "28": "three",
        "29": "two",
        "30": "horus",
    }
    for text in ("1:0-1", "1:30-31", "1:09-10"):
        with pytest.raises(UnreadableTurn) as error:
            SENET.read(text)
        assert error.value.rule == "SE-1"


def test_se_2_the_sticks_and_their_chances() -> None:
    throwing = SENET.start().apply(Draw())
    assert (throwing.asks, throwing.choices()) == ("chance", ())
    sticks = Counter(sum(sides) or 5 for sides in product((0, 1), repeat=4))
    assert {int(came.outcome): probability for came, probability in throwing.chance()} == {
        throw: Fraction(cases, 16) for throw, cases in sticks.items()
    }
    for text in ("drew 0", "drew 6", "drew 4,1"):
        with pytest.raises(UnreadableTurn) as error:
            throwing.apply(read_step(SENET, text))
        assert error.value.rule == "SE-2"
    with pytest.raises(UnreadableTurn) as error:
        SENET.read("6:9-15")
    assert error.value.rule == "SE-2"


def test_se_2_a_throw_and_its_turn_in_order() -> None:
    position = SENET.start()
    throwing, placing = position.apply(Draw()), thrown(position, 4)
    assert (placing.asks, placing.view(None).drawn) == ("placing", "4")
    turn = SENET.read("4:9-13")
    for where, step in ((position, Drew("4")), (position, turn), (throwing, turn), (placing, Draw())):
        with pytest.raises(IllegalTurn) as error:
            where.apply(step)
        assert error.value.rule == "SE-2"
    assert refused(placing, "2:9-11").rule == "SE-2"
    assert placing.apply(turn) == position.follow(turn) == placing.follow(turn)


@pytest.mark.parametrize(
    ("turn", "next_seat"), [("1:9-10", 1), ("2:9-11", 2), ("3:9-12", 2), ("4:9-13", 1), ("5:9-14", 1)]
)
def test_se_2_another_throw_after_1_4_and_5(turn: str, next_seat: int) -> None:
    position = SENET.set_up((9,), (20,)).follow(SENET.read(turn))
    assert (position.to_move, position.turns, position.asks) == (next_seat, 1, "choice")


def test_se_3_along_the_path_by_the_throw_onto_a_free_house() -> None:
    start = SENET.start()
    assert texts(start, 4) == {"4:7-11", "4:9-13"}
    assert pieces(after(start, "4:9-13"), 1) == {1, 3, 5, 7, 13}
    assert refused(start, "4:9-12").rule == "SE-3"
    assert refused(start, "4:8-12").rule == "SE-3"  # a piece of the opponent's
    assert refused(start, "4:5-9").rule == "SE-3"  # onto a piece of one's own
    assert refused(start, "2:9-9").rule == "SE-3"


def test_se_3_an_enemy_piece_alone_is_swapped() -> None:
    position = after(SENET.start(), "1:9-10")
    assert (pieces(position, 1), pieces(position, 2)) == ({1, 3, 5, 7, 10}, {2, 4, 6, 8, 9})
    assert position.walks(SENET.read("1:5-6")) == (("5", "6"), ("6", "5"))


def test_se_3_of_a_pair_none_is_swapped() -> None:
    position = SENET.set_up((8, 9), (12, 13, 10))
    assert texts(position, 3) == {"3:8-11"}
    wrong = refused(position, "3:9-12")
    assert (wrong.rule, "12" in str(wrong)) == ("SE-3", True)
    assert refused(position, "4:8-12").rule == "SE-3"
    assert "2:8-10" in texts(position, 2)
    # the last house of the way has its neighbour on 26, which makes no pair
    assert "2:23-25" in texts(SENET.set_up((23,), (25, 26)), 2)
    assert "2:23-25" not in texts(SENET.set_up((23,), (25, 24)), 2)


def test_se_3_three_in_a_row_are_not_passed() -> None:
    position = SENET.set_up((10, 9, 8), (11, 12, 13))
    assert texts(position, 4) == {"4:8-4", "4:9-5", "4:10-6"}
    wrong = refused(position, "4:10-14")
    assert (wrong.rule, "from 11" in str(wrong)) == ("SE-3", True)
    assert "5:9-14" not in texts(position, 5)
    assert "5:10-15" not in texts(position, 5)
    # two can be passed, and one's own three
    assert "4:10-14" in texts(SENET.set_up((10,), (11, 12)), 4)
    assert "4:10-14" in texts(SENET.set_up((10, 11, 12, 13), (1,)), 4)
    # 26 makes no block
    assert "4:22-26" in texts(SENET.set_up((22,), (24, 25, 28)), 4)
    assert texts(SENET.set_up((22,), (23, 24, 25)), 4) == {"4:22-18"}


def test_se_4_beauty_by_exact_throw() -> None:
    position = SENET.set_up((24, 12), (1,))
    assert "2:24-26" in texts(position, 2)
    assert texts(position, 3) == {"3:12-15"}
    assert refused(position, "3:24-27").rule == "SE-4"
    assert refused(position, "4:24-28").rule == "SE-4"
    assert refused(position, "5:24-off").rule == "SE-4"


def test_se_4_from_beauty() -> None:
    position = SENET.set_up((26, 20), (1,))
    assert pieces(after(position, "2:26-28"), 1) == {28, 20}
    assert pieces(after(position, "3:26-29"), 1) == {29, 20}
    assert pieces(after(position, "4:26-30"), 1) == {30, 20}
    assert pieces(after(position, "5:26-off"), 1) == {20}
    assert pieces(after(position, "1:26-27"), 1) == {15, 20}
    assert refused(position, "3:26-28").rule == "SE-4"
    assert refused(position, "2:26-off").rule == "SE-4"
    assert refused(position, "1:26-15").rule == "SE-4"


def test_se_5_out_of_the_water_to_rebirth_or_the_nearest_free_house_before() -> None:
    position = SENET.set_up((26, 15), (14, 12, 16))
    fallen = after(position, "1:26-27")
    assert pieces(fallen, 1) == {13, 15}
    assert position.walks(SENET.read("1:26-27")) == (("26", "27"), ("27", "13"))
    assert fallen.to_move == 1
    # with ten a side no house may be left to take it
    options = {"pieces": "10"}
    full = SENET.set_up((26, 1, 3, 5, 7, 9, 11, 13, 15), (2, 4, 6, 8, 10, 12, 14, 20), options=options)
    assert "1:26-27" not in texts(full, 1)
    assert refused(full, "1:26-27").rule == "SE-5"


def test_se_5_the_last_three_houses() -> None:
    position = SENET.set_up((28, 29, 30), (1,))
    assert texts(position, 1) == {"1:30-off"}
    assert texts(position, 2) == {"2:29-off", "2:30-off"}
    assert texts(position, 3) == {"3:28-off", "3:30-off"}
    assert texts(position, 4) == {"4:30-off"}
    assert texts(position, 5) == {"5:30-off"}
    assert refused(position, "2:28-off").rule == "SE-5"
    assert refused(position, "1:29-30").rule == "SE-5"
    assert position.walks(SENET.read("3:28-off")) == (("28", "29", "30", "off"),)


@pytest.mark.parametrize(
    ("taken", "turn"), [(26, "2:24-26"), (28, "2:26-28"), (29, "3:26-29"), (30, "4:26-30")]
)
def test_se_5_nobody_is_swapped_from_26_28_29_and_30(taken: int, turn: str) -> None:
    start = int(turn[2:4])
    position = SENET.set_up((start, 12), (taken, 1))
    assert turn not in texts(position, int(turn[0]))
    assert refused(position, turn).rule == "SE-5"
    own = SENET.set_up((start, taken, 12), (1,))
    assert turn not in texts(own, int(turn[0]))
    assert refused(own, turn).rule in ("SE-3", "SE-5")


def test_se_6_a_throw_is_used_if_any_piece_can_move_forward() -> None:
    position = SENET.set_up((20, 28), (1,))
    assert refused(position, "3:--").rule == "SE-6"
    assert refused(position, "3:20-17").rule == "SE-6"
    assert texts(position, 3) == {"3:20-23", "3:28-off"}
    assert texts(SENET.set_up((25, 28), (1,)), 3) == {"3:28-off"}  # bearing off counts
    assert texts(SENET.set_up((25, 26), (1,)), 1) == {"1:26-27"}  # so does the water


def test_se_6_else_a_piece_moves_backward_under_the_same_conditions() -> None:
    position = SENET.set_up((25, 28), (23, 1))
    moved = after(position, "2:25-23")
    assert (pieces(moved, 1), pieces(moved, 2), moved.to_move) == ({23, 28}, {25, 1}, 2)
    assert position.walks(SENET.read("2:25-23")) == (("25", "24", "23"), ("23", "25"))
    assert texts(SENET.set_up((25,), (22, 23)), 2) == {"2:--"}  # a pair
    assert texts(SENET.set_up((25,), (22, 23, 24)), 4) == {"4:--"}  # a block
    assert texts(SENET.set_up((25,), (21, 22, 23)), 5) == {"5:--"}
    assert texts(SENET.set_up((25,), (21, 22)), 5) == {"5:25-20"}
    assert texts(SENET.set_up((2,), (3, 4, 5)), 2) == {"2:--"}  # not before house 1
    assert texts(SENET.set_up((2,), (3, 4, 5)), 1) == {"1:2-1"}
    assert refused(SENET.set_up((25,), (22, 23)), "2:25-23").rule == "SE-3"
    assert after(SENET.set_up((25,), (1,)), "4:25-21").to_move == 1  # and another throw
    assert texts(SENET.set_up((29,), (1,)), 3) == {"3:--"}  # only from 1 to 25


@pytest.mark.parametrize("throw", [1, 2, 3, 4, 5])
def test_se_6_a_lost_throw_passes_also_after_1_4_and_5(throw: int) -> None:
    position = SENET.set_up((1,), (2, 3, 4, 5, 6))
    lost = after(position, f"{throw}:--")
    assert texts(position, throw) == {f"{throw}:--"}
    assert (lost.to_move, lost.turns, lost.outcome) == (2, 1, None)
    assert position.walks(SENET.read(f"{throw}:--")) == ()


def test_se_7_none_is_borne_off_with_a_piece_on_the_first_ten() -> None:
    position = SENET.set_up((26, 28, 30, 10), (2,))
    for throw in range(1, 6):
        assert not any(text.endswith("off") for text in texts(position, throw))
    for turn in ("5:26-off", "3:28-off", "1:30-off"):
        assert refused(position, turn).rule == "SE-7"
    assert "3:28-off" in texts(SENET.set_up((26, 28, 11), (2,)), 3)


def test_se_7_the_first_to_bear_off_all_wins() -> None:
    position = SENET.set_up((30,), (29, 1))
    won = after(position, "4:30-off")
    assert (won.outcome, won.asks, won.to_move) == (Outcome(None, (1,)), "nothing", None)
    assert (won.choices(), won.view(1).ways, pieces(won, 1)) == ((), {}, set())
    assert refused(won, "2:29-off").rule == "SE-7"
    with pytest.raises(IllegalTurn) as error:
        won.walks(SENET.read("2:29-off"))
    assert error.value.rule == "SE-7"


def test_se_8_the_game_says_that_it_is_one_reconstruction() -> None:
    import oudjat.rules.senet

    assert "reconstruction among several (SE-8)" in (oudjat.rules.senet.__doc__ or "")


def test_a_view_offers_ways_and_actions_to_the_seat_that_is_to_move() -> None:
    start = SENET.start()
    assert (start.view(1).actions, start.view(2).actions, start.view(None).actions) == (("draw",), (), ())
    placing = thrown(start, 4)
    view = placing.view(1)
    assert (view.thrown, view.drawn, view.actions, view.barred) == ("sticks", "4", (), {})
    assert view.ways == {"7": {"11": "4:7-11"}, "9": {"13": "4:9-13"}}
    assert placing.view(2).ways == {}
    assert thrown(SENET.set_up((26,), (1,)), 5).view(1).ways == {"26": {"off": "5:26-off"}}
    lost = thrown(SENET.set_up((29,), (1,)), 3).view(1)
    assert (lost.ways, lost.actions) == ({}, ("3:--",))


def test_the_luck_of_a_game_is_1000_throws_that_come_again() -> None:
    luck = SENET.luck(random.Random(1))
    assert len(luck) == 1000
    assert set(luck) == {"1", "2", "3", "4", "5"}
    position = SENET.set_up((9,), (8,), turns=1002).apply(Draw())
    assert position.comes(luck) == Drew(luck[2])
    assert SENET.limit is None
    with pytest.raises(ValueError, match="nothing is being thrown"):
        SENET.start().comes(luck)


@pytest.mark.parametrize("text", ["", "4", "4:", "9-13", "4:9", "4:9-", "4:off-9", "4:9-13/2-3", "--", "4:-"])
def test_what_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(UnreadableTurn) as error:
        SENET.read(text)
    assert error.value.rule == "record"


def test_only_what_can_be_is_set_up() -> None:
    for light, dark in (
        ((1, 2), (2, 3)),
        ((), (1,)),
        ((27,), (1,)),
        ((1, 2, 3, 4, 5, 6), (7,)),
        ((31,), (1,)),
    ):
        with pytest.raises(SetupError):
            SENET.set_up(light, dark)
    with pytest.raises(SetupError):
        SENET.set_up((1,), (2,), turns=-1)
    with pytest.raises(SetupError):
        SENET.start(options={"pieces": "6"})
    assert SENET.set_up((1, 2, 3, 4, 5, 6), (7,), options={"pieces": "7"}).turns == 0


HOUSES = [house for house in range(1, 31) if house != 27]


@given(
    houses=strategies.permutations(HOUSES),
    counts=strategies.tuples(strategies.integers(1, 10), strategies.integers(1, 10)),
    low=strategies.integers(0, 20),
    to_move=strategies.integers(1, 2),
    throw=strategies.integers(1, 5),
)
@settings(max_examples=200)
def test_the_turns_of_any_position_and_what_they_lead_to_by_a_slow_second_way(
    houses: list[int], counts: tuple[int, int], low: int, to_move: int, throw: int
) -> None:
    near = [house for house in houses if house > low] + [house for house in houses if house <= low]
    own, other = set(near[: counts[0]]), set(near[counts[0] : sum(counts)])
    sides = (own, other) if to_move == 1 else (other, own)
    position = SENET.set_up(*sides, to_move=to_move, options={"pieces": "10"})
    slow = slow_turns(own, other, throw)
    placing = thrown(position, throw)
    assert texts(position, throw) == set(slow)
    for turn in placing.choices():
        came = placing.apply(turn)
        assert (pieces(came, to_move), pieces(came, 3 - to_move)) == slow[turn.text]
        again = throw in (1, 4, 5) and not turn.text.endswith("--")
        if came.outcome is None:
            assert came.to_move == (to_move if again else 3 - to_move)
        else:
            assert came.outcome == Outcome(None, (to_move,))
        assert (came.outcome is None) == bool(pieces(came, to_move))


@given(seed=strategies.integers(0, 2**32), number=strategies.sampled_from(["5", "7", "10"]))
@settings(max_examples=10)
def test_what_holds_in_every_game(seed: int, number: str) -> None:
    randomness = random.Random(seed)
    position: Position = SENET.start(first=seed % 2 + 1, options={"pieces": number})
    luck = SENET.luck(randomness)
    left = [int(number), int(number)]
    while position.outcome is None:
        assert position.turns < 5000, "a random game ends"
        position = position.apply(Draw())
        position = position.apply(position.comes(luck))
        turn = randomness.choice(position.choices())
        assert SENET.read(turn.text) == turn
        borne_off = turn.text.endswith("off")
        seat = (position.to_move or 0) - 1
        position = position.apply(turn)
        left[seat] -= borne_off
        lying = [cell.lies for cell in position.view(None).cells if cell.lies]
        assert [sum(lies.seat == seat for lies in lying) for seat in (1, 2)] == left
        assert position.view(None).cell("27").lies is None
    assert 0 in left


@given(seed=strategies.integers(0, 2**32))
def test_a_turn_is_taken_exactly_when_it_is_listed(seed: int) -> None:
    randomness = random.Random(seed)
    houses = randomness.sample(HOUSES, 12)
    throw = randomness.randrange(1, 6)
    position = SENET.set_up(houses[:6], houses[6:], options={"pieces": "7"})
    listed = texts(position, throw)
    placing = thrown(position, throw)
    tried = {f"{throw}:{start}-{end}" for start in houses[:7] for end in (*range(1, 31), "off")}
    for text in (*tried, f"{throw}:--"):
        if text in listed:
            placing.apply(SENET.read(text))
        else:
            assert refused(placing, text).rule in ("SE-3", "SE-4", "SE-5", "SE-6", "SE-7")


def test_positions_are_values() -> None:
    one, other = thrown(SENET.start(), 4), thrown(SENET.start(), 4)
    assert (one, hash(one)) == (other, hash(other))
    assert isinstance(one, SenetPosition)
    assert one != SENET.start()
    assert pickle.loads(pickle.dumps(one)) == one
