"""Every rule of Pharao by its number."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, strategies

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
from oudjat.rules.pharao import DANGER, PHARAO, THROWS, WINNERS, PharaoPosition
from oudjat.rules.views import turns_in
from tests.rules.kit import after, pieces, refused, texts, thrown

# the board drawn once more, by coordinates
ROWS = (list(range(1, 11)), list(range(20, 10, -1)), list(range(21, 31)))
AT = {house: (row, column) for row, houses in enumerate(ROWS) for column, house in enumerate(houses)}
HOUSE_AT = {at: house for house, at in AT.items()}


def every_way(
    house: int, occupied: set[int], steps: int, behind: tuple[int, ...] = ()
) -> Iterator[list[int]]:
    if steps == 0:
        yield [*behind, house]
        return
    row, column = AT[house]
    for at in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        near = HOUSE_AT.get(at, house)
        if near not in occupied and near not in behind and near != house:
            yield from every_way(near, occupied, steps - 1, (*behind, house))


def ends(house: int, occupied: set[int], steps: int) -> set[int]:
    return {way[-1] for way in every_way(house, occupied, steps)}


After = tuple[frozenset[int], frozenset[int], bool, str | None]
"""The mover's pieces, the opponent's, whether one of the opponent's is in danger, who has won."""


def slow_turns(
    own: set[int], other: set[int], throw: str, danger: bool, surround: bool
) -> Iterator[tuple[str, After]]:
    """PH-3 to PH-6 from RULES.md, way by way: every turn and what it leads to."""
    mine, theirs = (int(die) for die in throw.split(","))
    firsts = {(house, end) for house in own for end in ends(house, own | other, mine) if end != 27}
    if mine and not firsts:
        yield f"{throw}:--", (frozenset(own), frozenset(other), False, "opponent")
        return
    for start, end in firsts if mine else {(0, 0)}:
        first = f"{start}-{end}" if mine else "-"
        moved = own - {start} | {end} if mine else set(own)
        if mine and end == 15 and len(own) == 1:
            yield f"{throw}:{first}", (frozenset(moved), frozenset(other), False, "mover")
            continue
        if danger and end != 26:
            moved -= {27}
        if not moved:
            yield f"{throw}:{first}", (frozenset(), frozenset(other), False, "opponent")
            continue
        seconds = {(house, last) for house in other for last in ends(house, moved | other, theirs)}
        if theirs == 0 or not seconds:
            lost = bool(theirs) and surround
            after = (frozenset(moved), frozenset(other), False, "opponent" if lost else None)
            yield f"{throw}:{first}/{'--' if lost else '-'}", after
            continue
        for house, last in seconds:
            after = (frozenset(moved), frozenset(other - {house} | {last}), last == 27, None)
            yield f"{throw}:{first}/{house}-{last}", after


def test_ph_1_thirty_houses_in_an_s_with_life_beauty_and_water() -> None:
    view = PHARAO.start().view(None)
    assert (view.rows, view.columns) == (3, 10)
    assert {int(cell.name): (cell.row, cell.column) for cell in view.cells} == AT
    assert [int(cell.name) for cell in view.cells] == [house for row in ROWS for house in row]
    assert {cell.name: cell.mark for cell in view.cells if cell.mark} == {
        "15": "life",
        "26": "beauty",
        "27": "water",
    }
    for text in ("1,1:0-1/2-3", "1,1:31-30/2-3", "1,1:05-6/2-3"):
        with pytest.raises(UnreadableTurn) as error:
            PHARAO.read(text)
        assert error.value.rule == "PH-1"


def test_ph_2_the_pieces_at_the_start_and_who_begins() -> None:
    position = PHARAO.start(first=2)
    assert (pieces(position, 1), pieces(position, 2)) == ({2, 3, 4, 5}, {22, 23, 24, 25})
    assert (PHARAO.start().to_move, position.to_move) == (1, 2)
    assert [(seat.colour, seat.shape) for seat in position.view(1).seats] == [
        ("light", "cone"),
        ("dark", "spindle"),
    ]


def test_ph_3_the_dice_and_their_chances() -> None:
    position = PHARAO.start()
    assert (position.asks, position.choices(), position.chance()) == ("choice", (Draw(),), ())
    throwing = position.apply(Draw())
    assert (throwing.asks, throwing.choices(), throwing.to_move) == ("chance", (), 1)
    chance = {came.outcome: probability for came, probability in throwing.chance()}
    assert sum(chance.values()) == 1
    dice = Counter(f"{own},{other}" for own in (0, 0, 1, 2, 3, 4) for other in (0, 0, 1, 1, 2, 2))
    assert chance == {throw: Fraction(cases, 36) for throw, cases in dice.items()}
    assert sum(weight for _, weight in THROWS) == 36
    for text in ("drew 5,0", "drew 1,3", "drew 3", "drew 3,1 "):
        with pytest.raises(UnreadableTurn):
            throwing.apply(read_step(PHARAO, text))
    with pytest.raises(UnreadableTurn) as error:
        PHARAO.read("3,3:5-8/22-21")
    assert error.value.rule == "PH-3"


def test_ph_3_a_throw_and_its_turn_in_order() -> None:
    position = PHARAO.start()
    throwing = position.apply(Draw())
    placing = throwing.apply(Drew("3,1"))
    assert (placing.asks, placing.view(2).drawn, placing.turns) == ("placing", "3,1", 0)
    steps = {"draw": Draw(), "drew": Drew("3,1"), "turn": PHARAO.read("3,1:5-8/22-21")}
    wrong = ((position, "drew"), (position, "turn"), (throwing, "draw"), (throwing, "turn"))
    for where, step in (*wrong, (placing, "draw"), (placing, "drew")):
        with pytest.raises(IllegalTurn) as error:
            where.apply(steps[step])
        assert error.value.rule == "PH-3"
    assert refused(throwing, "3,1:5-8/22-21").rule == "PH-3"
    assert refused(placing, "3,2:5-8/22-20").rule == "PH-3"
    played = placing.apply(steps["turn"])
    assert played == position.follow(steps["turn"]) == placing.follow(steps["turn"])
    assert (played.to_move, played.turns, played.asks, played.view(2).drawn) == (2, 1, "choice", None)


def test_ph_3_first_an_own_piece_then_one_of_the_opponents_exactly_as_thrown() -> None:
    start = PHARAO.start()
    position = after(start, "3,1:5-8/22-21")
    assert (pieces(position, 1), pieces(position, 2)) == ({2, 3, 4, 8}, {21, 23, 24, 25})
    for wrong in (
        "3,1:22-21/5-6",
        "3,1:5-8/4-5",
        "3,1:-/22-21",
        "3,1:5-8/-",
        "3,1:5-8",
        "0,1:5-6/22-21",
        "3,0:5-8/22-21",
    ):
        assert refused(start, wrong).rule == "PH-3", wrong


def test_ph_3_a_zero_moves_nothing() -> None:
    start = PHARAO.start()
    assert texts(start, "0,0") == {"0,0:-/-"}
    assert all(text.startswith("0,1:-/2") for text in texts(start, "0,1"))
    assert all(text.endswith("/-") for text in texts(start, "3,0"))
    assert after(start, "0,0:-/-").turns == 1
    assert refused(start, "0,0:--").rule == "PH-6"


def test_ph_4_orthogonally_with_turns_and_never_over_an_occupied_house() -> None:
    position = PHARAO.set_up((14,), (13, 8))
    # 14 lies between 7 above, 27 below, 15 and the occupied 13
    assert {text.split("/")[0] for text in texts(position, "2,1")} == {
        f"2,1:14-{end}" for end in (6, 26, 28, 16)
    }
    assert refused(position, "2,1:14-12/8-9").rule == "PH-4"
    assert refused(position, "1,1:14-13/8-9").rule == "PH-4"
    assert refused(position, "1,1:14-14/8-9").rule == "PH-4"
    assert refused(position, "1,1:14-15/8-7").rule == "PH-6"  # the only piece wins on 15
    assert refused(position, "1,1:14-7/8-7").rule == "PH-4"


def test_ph_4_never_twice_into_the_same_house() -> None:
    assert 14 not in ends(14, {14}, 4)
    assert "4,0:14-14/-" not in texts(PHARAO.set_up((14, 1), (30,)), "4,0")
    dead_end = PHARAO.set_up((1,), (2, 19, 21))
    assert texts(dead_end, "1,0") == {"1,0:1-20/-"}
    assert texts(dead_end, "3,0") == {"3,0:--"}


def test_ph_4_passing_over_the_special_houses_means_nothing() -> None:
    # between occupied houses the only way of the piece on 25 leads over 26 and 27, that of 16 over 15
    position = PHARAO.set_up((25, 1), (24, 16, 15, 14))
    moved = after(position, "3,0:25-28/-")
    assert pieces(moved, 1) == {28, 1}
    assert moved.outcome is None


def test_ph_5_an_enemy_piece_moved_into_the_water_is_lost_unless_it_is_rescued() -> None:
    position = after(PHARAO.set_up((1, 2), (28, 25, 9)), "1,1:1-20/28-27")
    assert pieces(position, 2) == {27, 25, 9}
    lost = after(position, "1,0:9-10/-")
    assert pieces(lost, 2) == {25, 10}
    assert lost.outcome is None
    rescued = after(position, "1,0:25-26/-")
    assert pieces(rescued, 2) == {27, 26, 9}
    by_itself = after(position, "1,0:27-26/-")
    assert pieces(by_itself, 2) == {26, 25, 9}
    away = after(position, "1,0:27-14/-")
    assert pieces(away, 2) == {14, 25, 9}


def test_ph_5_rescued_by_another_it_is_safe_until_it_is_moved() -> None:
    position = after(PHARAO.set_up((1, 2), (28, 25, 9)), "1,1:1-20/28-27 1,0:25-26/- 1,0:2-3/- 1,0:26-25/-")
    assert pieces(position, 2) == {27, 25, 9}
    # moved out and in again, it is in danger again
    again = after(position, "1,1:3-4/27-28 1,0:9-10/- 1,1:4-5/28-27 1,0:10-9/-")
    assert pieces(again, 2) == {25, 9}


def test_ph_5_it_is_lost_at_once_with_a_zero() -> None:
    position = after(PHARAO.set_up((1, 2), (28, 25, 9)), "1,1:1-20/28-27 0,0:-/-")
    assert pieces(position, 2) == {25, 9}
    assert position.outcome is None


def test_ph_5_one_that_stood_on_26_already_does_not_count() -> None:
    position = after(PHARAO.set_up((1, 2), (28, 26, 9)), "1,1:1-20/28-27")
    assert pieces(after(position, "1,0:9-10/-"), 2) == {26, 10}


def test_ph_5_it_leaves_as_the_half_ends_before_the_second() -> None:
    # dark's piece in the water goes before dark moves light's piece onto its house
    position = after(PHARAO.set_up((14, 2), (28, 25, 9)), "1,1:2-3/28-27")
    turned = after(position, "1,1:9-10/14-27")
    assert (pieces(turned, 1), pieces(turned, 2)) == ({3, 27}, {25, 10})
    assert pieces(after(turned, "0,0:-/-"), 1) == {3}


def test_ph_5_only_in_its_owners_next_turn() -> None:
    position = PHARAO.set_up((27, 1), (30, 10))
    assert pieces(after(position, "1,0:1-2/-"), 1) == {27, 2}
    assert pieces(after(PHARAO.set_up((27, 1), (30, 10), danger=True), "1,0:1-2/-"), 1) == {2}


def test_ph_5_nobody_ends_an_own_move_in_the_water() -> None:
    position = PHARAO.set_up((28, 1), (30, 10))
    assert not any("-27" in text for text in texts(position, "1,0"))
    assert refused(position, "1,0:28-27/-").rule == "PH-5"


def test_ph_6_who_has_lost_all_his_pieces_loses() -> None:
    position = PHARAO.set_up((27,), (30, 10), danger=True)
    assert texts(position, "0,1") == {"0,1:-"}
    assert refused(position, "0,1:-/30-29").rule == "PH-6"
    lost = after(position, "0,1:-")
    assert (lost.outcome, lost.to_move, lost.asks) == (Outcome(None, (2,)), None, "nothing")
    assert pieces(lost, 1) == set()
    for turn in ("0,1:-/10-9", "0,0:-/-"):
        assert refused(lost, turn).rule == "PH-6"
    # with any other number it can leave the water by itself
    assert after(position, "1,0:27-28/-").outcome is None


def test_ph_6_the_last_piece_wins_on_15_by_its_own_move() -> None:
    position = PHARAO.set_up((17,), (30, 10))
    assert "2,1:17-15" in texts(position, "2,1")
    won = after(position, "2,1:17-15")
    assert (won.outcome, won.turns) == (Outcome(None, (1,)), 1)
    assert refused(position, "2,1:17-15/30-29").rule == "PH-6"
    # moved there by the opponent it does not win, nor does a second piece
    assert after(PHARAO.set_up((17,), (30, 10), to_move=2), "1,2:30-29/17-15").outcome is None
    assert after(PHARAO.set_up((17, 1), (30, 10)), "2,1:17-15/30-29").outcome is None
    assert after(PHARAO.set_up((15,), (30, 10)), "0,0:-/-").outcome is None
    # straight out of the water
    assert after(PHARAO.set_up((27,), (30,), danger=True), "2,1:27-15").outcome == Outcome(None, (1,))


def test_ph_6_down_to_one_by_the_water_it_takes_a_later_move() -> None:
    position = PHARAO.set_up((27, 17), (30, 10), danger=True)
    assert "2,0:17-15" not in texts(position, "2,0")
    turned = after(position, "2,0:17-15/-")
    assert (turned.outcome, pieces(turned, 1)) == (None, {15})
    assert after(turned, "0,0:-/- 2,0:15-17/- 0,0:-/- 2,0:17-15").outcome == Outcome(None, (1,))


def test_ph_6_boxed_in_loses() -> None:
    position = PHARAO.set_up((1,), (2, 20, 30))
    assert texts(position, "3,1") == {"3,1:--"}
    assert refused(position, "3,1:1-4/30-29").rule == "PH-6"
    assert after(position, "3,1:--").outcome == Outcome(None, (2,))
    assert refused(PHARAO.start(), "3,1:--").rule == "PH-6"
    assert texts(position, "0,0") == {"0,0:-/-"}
    # the only house it could reach is the water
    water = PHARAO.set_up((28,), (13, 29, 1))
    assert texts(water, "1,0") == {"1,0:--"}
    # asked before the water takes a piece
    drowning = after(PHARAO.set_up((27, 28), (26, 14, 29, 13), danger=True), "4,0:--")
    assert (drowning.outcome, pieces(drowning, 1)) == (Outcome(None, (2,)), {27, 28})


def test_ph_6_a_surrounded_opponent() -> None:
    houses = (2, 20, 12, 29), (1,)
    left_out = PHARAO.set_up(*houses)
    assert "1,1:12-13/-" in texts(left_out, "1,1")
    assert refused(left_out, "1,1:12-13/1-21").rule == "PH-6"
    assert refused(left_out, "1,1:12-13/--").rule == "PH-6"
    assert after(left_out, "1,1:12-13/-").outcome is None
    surround = PHARAO.set_up(*houses, options={"surround": "yes"})
    assert surround.options == {"surround": "yes"}
    assert {text for text in texts(surround, "1,1") if "12-13" in text} == {"1,1:12-13/--"}
    lost = after(surround, "1,1:12-13/--")
    assert (lost.outcome, pieces(lost, 1)) == (Outcome(None, (2,)), {2, 20, 13, 29})
    assert refused(surround, "1,1:12-13/-").rule == "PH-6"
    # other first halves let it out, and are as legal
    assert "1,1:2-3/1-2" in texts(surround, "1,1")
    assert refused(surround, "1,1:2-3/--").rule == "PH-6"
    # a 0 asks for nothing
    assert after(surround, "1,0:12-13/-").outcome is None
    assert texts(surround, "0,1") == {"0,1:-/--"}


def test_ph_7_400_turns_are_a_draw() -> None:
    position = PHARAO.set_up((17,), (30, 10), turns=399)
    drawn = after(position, "0,0:-/-")
    assert drawn.outcome == Outcome(None, (1, 2))
    assert refused(drawn, "0,0:-/-").rule == "PH-7"
    assert after(position, "2,1:17-15").outcome == Outcome(None, (1,))
    assert PHARAO.limit == 400


def test_a_walk_goes_step_by_step_and_the_lost_piece_last() -> None:
    position = after(PHARAO.set_up((14, 2), (28, 25, 9)), "1,1:2-3/28-27")
    turn = PHARAO.read("2,1:9-11/14-27")
    assert position.walks(turn) == (("9", "10", "11"), ("14", "27"), ("27", "off"))
    assert thrown(position, "2,1").walks(turn) == position.walks(turn)
    assert position.walks(PHARAO.read("0,0:-/-")) == (("27", "off"),)
    assert position.walks(PHARAO.read("1,0:27-26/-")) == (("27", "26"),)
    assert position.walks(Draw()) == ()
    assert PHARAO.set_up((1,), (2, 20)).walks(PHARAO.read("3,1:--")) == ()
    with pytest.raises(IllegalTurn):
        position.walks(PHARAO.read("2,1:9-12/14-27"))


def test_a_view_offers_ways_and_actions_to_the_seat_that_is_to_move() -> None:
    start = PHARAO.start()
    assert start.view(1).actions == ("draw",)
    assert (start.view(2).actions, start.view(None).actions) == ((), ())
    placing = thrown(start, "1,1")
    view = placing.view(1)
    assert (view.thrown, view.drawn) == ("dice", "1,1")
    assert set(turns_in(view.ways)) == texts(placing)
    assert view.ways["5"]["6"]["22"]["21"] == "1,1:5-6/22-21"
    assert (placing.view(2).ways, view.actions, view.barred) == ({}, (), {})
    assert thrown(start, "0,1").view(1).ways["22"]["21"] == "0,1:-/22-21"
    assert thrown(start, "1,0").view(1).ways["5"]["6"] == "1,0:5-6/-"
    assert thrown(start, "0,0").view(1).actions == ("0,0:-/-",)
    assert thrown(PHARAO.set_up((1,), (2, 20)), "3,1").view(1).actions == ("3,1:--",)
    assert not any(cell.offers for cell in view.cells)


def test_the_luck_of_a_game_is_400_throws() -> None:
    luck = PHARAO.luck(random.Random(1))
    assert len(luck) == 400
    assert set(luck) == {f"{own},{other}" for own in range(5) for other in range(3)}
    position = after(PHARAO.start(), "0,0:-/- 0,0:-/-").apply(Draw())
    assert position.comes(luck) == Drew(luck[2])
    assert position.comes(luck[:2]) == Drew(luck[0])
    with pytest.raises(ValueError, match="nothing is being thrown"):
        PHARAO.start().comes(luck)


@pytest.mark.parametrize(
    "text", ["", "3,1", "3,1:", "5-8/22-21", "3:5-8", "3,1:5-8/", "3,1:5/6", "--", "3,1:/22-21", "3,1:---"]
)
def test_what_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(UnreadableTurn) as error:
        PHARAO.read(text)
    assert error.value.rule == "record"


def test_only_what_can_be_is_set_up() -> None:
    for light, dark in (((1, 2), (2, 3)), ((), (1,)), ((1, 2, 3, 4, 5), (6,)), ((0,), (1,)), ((31,), (1,))):
        with pytest.raises(SetupError):
            PHARAO.set_up(light, dark)
    with pytest.raises(SetupError):
        PHARAO.set_up((1,), (27,), danger=True)
    with pytest.raises(SetupError):
        PHARAO.set_up((1,), (2,), turns=400)
    assert PHARAO.set_up((5, 4, 3, 2), (22, 23, 24, 25)) == PHARAO.start()


@given(
    houses=strategies.permutations(range(1, 31)),
    counts=strategies.tuples(strategies.integers(1, 4), strategies.integers(1, 4)),
    in_the_water=strategies.booleans(),
    surround=strategies.sampled_from(["no", "yes"]),
    to_move=strategies.integers(1, 2),
    throw=strategies.sampled_from([f"{own},{other}" for own in range(5) for other in range(3)]),
)
def test_the_turns_of_any_position_and_what_they_lead_to_by_a_slow_second_way(
    houses: list[int], counts: tuple[int, int], in_the_water: bool, surround: str, to_move: int, throw: str
) -> None:
    if in_the_water:
        houses = [27, *(house for house in houses if house != 27)]
    own, other = set(houses[: counts[0]]), set(houses[counts[0] : sum(counts)])
    danger = 27 in own and in_the_water
    sides = (own, other) if to_move == 1 else (other, own)
    position = PHARAO.set_up(*sides, to_move=to_move, danger=danger, options={"surround": surround})
    slow = dict(slow_turns(own, other, throw, danger, surround == "yes"))
    placing = thrown(position, throw)
    assert texts(placing) == set(slow)
    assert len(placing.choices()) == len(slow)
    for turn in placing.choices():
        came = placing.apply(turn)
        mine, theirs, in_danger, winner = slow[turn.text]
        assert isinstance(came, PharaoPosition)
        assert (pieces(came, to_move), pieces(came, 3 - to_move)) == (set(mine), set(theirs))
        assert came.core[DANGER] == (3 - to_move if in_danger else 0)
        assert came.outcome == (
            None if winner is None else Outcome(None, (to_move if winner == "mover" else 3 - to_move,))
        )


@given(
    seed=strategies.integers(0, 2**32),
    surround=strategies.sampled_from(["no", "yes"]),
    behind=strategies.sampled_from([0, 320, 350, 380, 395]),
)
def test_what_holds_in_every_game(seed: int, surround: str, behind: int) -> None:
    randomness = random.Random(seed)
    houses = randomness.sample(range(1, 31), 8)
    left = [randomness.randrange(1, 5), randomness.randrange(1, 5)]
    position: Position = PHARAO.set_up(
        houses[: left[0]],
        houses[4 : 4 + left[1]],
        to_move=seed % 2 + 1,
        turns=behind,
        options={"surround": surround},
    )
    luck = PHARAO.luck(randomness)
    while position.outcome is None:
        assert position.turns < 400
        position = position.apply(Draw())
        position = position.apply(position.comes(luck))
        turn = randomness.choice(position.choices())
        assert PHARAO.read(turn.text) == turn
        position = position.apply(turn)
        lying = [cell.lies for cell in position.view(None).cells if cell.lies]
        for seat in (0, 1):
            pieces_left = sum(lies.seat == seat + 1 for lies in lying)
            assert left[seat] - 1 <= pieces_left <= left[seat]
            left[seat] = pieces_left
    assert position.outcome.winners in ((1,), (2,), (1, 2))


@given(seed=strategies.integers(0, 2**32))
def test_a_turn_is_taken_exactly_when_it_is_listed(seed: int) -> None:
    randomness = random.Random(seed)
    houses = randomness.sample(range(1, 31), 6)
    position = PHARAO.set_up(
        houses[:3],
        houses[3:],
        danger=27 in houses[:3],
        options={"surround": randomness.choice(("no", "yes"))},
    )
    own, other = randomness.randrange(5), randomness.randrange(3)
    placing = thrown(position, f"{own},{other}")
    listed = texts(placing)
    for _ in range(60):
        a, b, c, d = (randomness.randrange(1, 31) for _ in range(4))
        start = randomness.choice((a, *houses[:3]))
        second = randomness.choice((c, *houses[3:]))
        first = randomness.choice((f"{start}-{b}", "-"))
        last = randomness.choice((f"/{second}-{d}", "/-", "", "/--"))
        tried = randomness.choice((f"{own},{other}:{first}{last}", f"{own},{other}:--"))
        if tried in listed:
            placing.follow(PHARAO.read(tried))
        else:
            assert refused(placing, tried).rule in ("PH-3", "PH-4", "PH-5", "PH-6")


def test_positions_are_values() -> None:
    one, other = thrown(PHARAO.start(), "3,1"), thrown(PHARAO.start(), "3,1")
    assert (one, hash(one)) == (other, hash(other))
    assert one != PHARAO.start()
    assert PHARAO.start().apply(Draw()) != PHARAO.start()
    assert pickle.loads(pickle.dumps(one)) == one
    assert isinstance(one, PharaoPosition)
    assert one.core[WINNERS] == 0
