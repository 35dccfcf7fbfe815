"""Every rule of Isis by its number."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies

from oudjat.rules.cores import after as core_after
from oudjat.rules.game import Draw, IllegalTurn, Lies, Outcome, SetupError, UnreadableTurn, follow_all
from oudjat.rules.isis import (
    ISIS,
    LIMIT,
    MOST_TURNS,
    IsisPosition,
    Move,
    Pass,
    around,
    code_of,
    core,
    squares_of,
    turn_from,
)
from oudjat.rules.isis.position import key_of
from tests.rules.kit import refused
from tests.rules.slow_isis import DOORS, DRAWN_BOARD, PLACES, Slow, neighbours, pile, standing


def after(turns: str, players: int = 2, **setup: object) -> IsisPosition:
    position = follow_all(ISIS.start(players, **setup), turns.split())  # type: ignore[arg-type]
    assert isinstance(position, IsisPosition)
    return position


def played(position: IsisPosition, turns: str) -> IsisPosition:
    end = follow_all(position, turns.split())
    assert isinstance(end, IsisPosition)
    return end


def texts(position: IsisPosition) -> list[str]:
    return [turn.text for turn in position.choices()]


def ends(position: IsisPosition, start: str) -> list[int]:
    """Where the moves from ``start`` (with its ``*``) end."""
    return [
        int(text.partition("-")[2])
        for text in texts(position)
        if text.startswith(f"{start}-") and text != "--"
    ]


OPTIONS = strategies.fixed_dictionaries(
    {option.key: strategies.sampled_from(option.values) for option in ISIS.options}
)


def somewhere(randomness: random.Random, players: int, options: dict[str, str]) -> IsisPosition:
    """A position with pieces anywhere, more often in the Heavenly Realm."""
    squares = [square for square in range(1, 51) if square not in DOORS]
    while True:
        weights = [4 if square >= 39 else 1 for square in squares]
        out = set(randomness.choices(squares, weights, k=randomness.randint(1, 7)))
        own: dict[int, int] = {}
        for seat in range(1, players + 1):
            if randomness.random() < 0.7 and (out or 7 - len(own) > 0) and len(own) < 7:
                own[seat] = out.pop() if out and randomness.random() < 0.8 else 0
        try:
            return ISIS.set_up(sorted(out), own, players=players, options=options)
        except ValueError:
            continue  # too many pieces, or one that would have been cast out


@settings(max_examples=60)
@given(strategies.integers(0, 2**32), strategies.integers(2, 7), OPTIONS, strategies.booleans())
def test_the_listed_turns_are_exactly_those_of_the_slow_rules(
    seed: int, players: int, options: dict[str, str], anywhere: bool
) -> None:
    randomness = random.Random(seed)
    position = somewhere(randomness, players, options) if anywhere else ISIS.start(players, options=options)
    just_moved = 0
    dropped: tuple[int, ...] = ()
    for _ in range(20):
        slow = Slow.of(position, just_moved)
        legal = {turn.text for turn in position.choices()} - {"--"}
        barred = {turn.text for turn, _ in position.barred()}
        assert (legal | barred) == slow.turns(dropped) - {"--"}
        turn = randomness.choice(position.choices())
        assert position.follow(ISIS.read(turn.text)) == position.apply(turn)
        if turn.text.endswith(("-44", "-45")):
            dropped = (*dropped, position.to_move or 0)
        slow.take(turn.text)
        position = position.apply(turn)
        assert standing(position) == slow.stands
        assert sorted(pile(position), key=str) == sorted(slow.below, key=str)
        just_moved = slow.just_moved
        if position.outcome:
            break


@settings(max_examples=4)
@given(strategies.integers(0, 2**32), strategies.integers(2, 7), OPTIONS)
def test_a_random_game_keeps_seven_pieces_repeats_nothing_and_ends(
    seed: int, players: int, options: dict[str, str]
) -> None:
    randomness = random.Random(seed)
    position = ISIS.start(players, options=options)
    seen = set()
    while position.outcome is None:
        turn = randomness.choice(position.choices())
        assert len(position.choices()) <= MOST_TURNS
        way = position.walks(turn)
        position = position.apply(turn)
        if isinstance(turn, Move):
            assert (way[0][0], way[0][-1]) == (str(turn.start), str(turn.end))
            assert all(end == "0" for _, end in way[1:])
        stands = standing(position)
        assert len(stands) + len(pile(position)) == 7
        owners = [seat for seat in (*stands.values(), *pile(position)) if seat]
        assert len(owners) == len(set(owners))
        key = key_of(position.core)
        if options["repetition"] == "forbid" and not isinstance(turn, Pass):
            assert key not in seen
        seen.add(key)
    assert position.turns <= LIMIT
    assert position.outcome.winners
    assert (position.choices(), position.barred()) == ((), ())


# --- the rules one by one


def test_is_1_the_realms_have_38_and_12_squares() -> None:
    view = ISIS.start().view(None)
    squares = [cell for cell in view.cells if cell.name != "0"]
    heaven = [cell for cell in squares if cell.mark in ("star", "throne")]
    assert {int(cell.name) for cell in heaven} == set(range(39, 51))
    assert len(squares) - len(heaven) == 38
    assert [cell.name for cell in heaven if cell.mark == "throne"] == ["44", "45"]
    for text in ("0-51", "51!", "*99-1", "100000-3"):
        with pytest.raises(UnreadableTurn) as error:
            ISIS.read(text)
        assert error.value.rule == "IS-1"


def test_is_2_squares_touch_as_the_board_is_drawn() -> None:
    for square in PLACES:
        assert set(squares_of(around(1 << square))) == neighbours(square)
    assert neighbours(44) == {48}
    assert neighbours(13) == {11, 15}
    assert neighbours(16) == {15, 17, 20}, "beside the Underworld, whose way in is IS-11's"
    assert sum(len(neighbours(square)) for square in PLACES) // 2 == 6 + 6 + 2 + 9 * 3 + 8 * 4 - 5


def test_is_2_the_underworld_opens_only_to_1_and_2_and_from_16_and_17() -> None:
    assert ends(ISIS.set_up([3, 4, 5, 6, 7, 8]), "0") == [1, 2]
    assert 0 not in ends(ISIS.set_up([1], {1: 0, 2: 0}), "1")
    assert 0 in ends(ISIS.set_up([16], {1: 0, 2: 0}), "16")


def test_is_3_seven_neutral_pieces_start_in_the_underworld() -> None:
    for players in ISIS.players:
        position = ISIS.start(players, first=players)
        assert pile(position) == [None] * 7
        assert standing(position) == {}
        assert position.to_move == players
    for players in (1, 8):
        with pytest.raises(SetupError):
            ISIS.start(players)


def test_is_4_a_player_moves_a_neutral_piece_or_his_own() -> None:
    position = ISIS.set_up([20], {1: 22, 2: 26})
    assert {text.split("-")[0] for text in texts(position)} == {"0", "20", "*22"}
    assert refused(position, "23-31").rule == "IS-4"
    assert refused(position, "22-30").rule == "IS-4"
    assert refused(position, "*20-28").rule == "IS-4"
    assert refused(position, "*0-5").rule == "IS-4"
    assert refused(ISIS.set_up([], {1: 0}), "*20-28").rule == "IS-4"
    full = ISIS.set_up([1, 2, 3, 4, 5, 6, 7])
    assert refused(full, "0-9").rule == "IS-4"
    with pytest.raises(IllegalTurn) as error:
        position.apply(Draw())
    assert error.value.rule == "IS-4"


def test_is_5_a_piece_leaves_by_as_many_squares_as_pieces_were_in_the_underworld() -> None:
    assert texts(after("")) == ["0-13", "0-14"]
    assert ends(after("0-13"), "0") == [11, 12]
    assert ends(after("0-13 0-11"), "0") == [9, 10]
    assert ends(ISIS.set_up([13], {1: 0, 2: 0}), "*0") == [11, 12], "personalized pieces count too"
    refusal = refused(after(""), "0-15")
    assert (refusal.rule, refusal.gaps["count"]) == ("IS-5", 7)
    assert refused(after(""), "0-0").rule == "IS-5"
    assert refused(after(""), "0-44").rule == "IS-7"


def test_is_6_a_piece_moves_as_many_squares_as_pieces_are_out() -> None:
    position = after("0-13 0-11")
    assert ends(position, "13") == [16, 19]
    refusal = refused(position, "13-17")
    assert (refusal.rule, refusal.gaps["count"]) == ("IS-6", 2)


def test_is_7_the_worked_example() -> None:
    position = ISIS.set_up([19, 9, 8, 38])
    assert pile(position) == [None] * 3
    assert ends(position, "19") == [24, 26, 27, 29, 32, 35]


def test_is_7_occupied_squares_block() -> None:
    assert refused(ISIS.set_up([19, 27]), "19-27").rule == "IS-7"
    blocked = ISIS.set_up([3, 5])
    assert ends(blocked, "3") == []
    assert refused(blocked, "3-7").rule == "IS-7"
    assert ends(ISIS.set_up([1, 20, 21]), "0") == [8], "1 is taken, 2 is open"
    assert refused(ISIS.set_up([1, 20, 21]), "0-7").rule == "IS-7"


def test_is_7_only_from_the_heavenly_realm_moves_go_underworldward() -> None:
    assert refused(ISIS.set_up([27, 1]), "27-19").rule == "IS-7"
    assert ends(ISIS.set_up([36, 1]), "36") == [38, 39, 41]  # 44 is walled off
    assert ends(ISIS.set_up([40, 1]), "40") == [32, 35, 37, 42, 43]


def test_is_7_no_square_is_entered_twice() -> None:
    # the pocket 47-48-49-50 is closed by 43 and 46: the piece on 47 cannot turn back in it
    assert ends(ISIS.set_up([47, 43, 46]), "47") == [50]
    assert 15 not in ends(ISIS.set_up([15, 1]), "15"), "up and down again is no move"
    assert 47 not in ends(ISIS.set_up([47, 1]), "47"), "nor is it to and fro"


def test_is_7_a_throne_is_entered_by_a_personalized_piece_through_its_door() -> None:
    assert ends(ISIS.set_up([], {1: 48}), "*48") == [44, 47, 49]
    assert ends(ISIS.set_up([48]), "48") == [47, 49]
    assert refused(ISIS.set_up([48]), "48-44").rule == "IS-7"
    assert refused(ISIS.set_up([], {1: 36}), "*36-44").rule == "IS-7"
    assert refused(ISIS.set_up([1], {1: 48}), "*48-44").rule == "IS-6", "by exact count"
    assert 44 not in ends(ISIS.set_up([], {1: 40}), "*40")
    assert 44 not in ends(ISIS.set_up([], {1: 43}), "*43")


def test_is_8_the_same_neutral_piece_is_not_moved_twice_in_succession() -> None:
    position = after("0-13")
    assert refused(position, "13-15").rule == "IS-8"
    assert ends(position, "13") == []
    assert ends(after("0-13 0-11"), "13") == [16, 19]
    own = played(ISIS.set_up([20], {1: 11}, just_moved=20), "*11-15")
    assert ends(own, "20"), "a personalized piece was moved, no neutral one"
    home = played(ISIS.set_up([17], {1: 30, 2: 0}), "17-0")
    assert ends(home, "0"), "pieces in the Underworld cannot be told apart"
    refused_home = played(ISIS.set_up([15], {1: 0, 2: 0}), "15-16")
    assert refused(refused_home, "16-0").rule == "IS-8"


def test_is_9_a_neutral_piece_in_the_heavenly_realm_is_personalized() -> None:
    position = ISIS.set_up([19, 39, 47])
    assert [text for text in texts(position) if "!" in text] == ["39!", "47!"]
    assert refused(position, "19!").rule == "IS-9"
    assert refused(position, "0!").rule == "IS-9"
    claimed = played(position, "39!")
    assert standing(claimed)[39] == 1
    assert claimed.to_move == 2
    for turn, rule in (("39-43", "IS-4"), ("39!", "IS-9"), ("*39-43", "IS-4")):
        assert refused(claimed, turn).rule == rule
    again = played(claimed, "47!")
    assert refused(again, "19!").rule == "IS-9"
    assert "second" not in texts(again)
    assert refused(played(claimed, "0-7"), "47!").rule == "IS-9", "one piece a player"


def test_is_9_option_claim_just_moved() -> None:
    moved = {
        option: played(ISIS.set_up([36], options={"claim_just_moved": option}), "36-40")
        for option in ("yes", "no")
    }
    assert "40!" in texts(moved["yes"])
    assert refused(moved["no"], "40!").rule == "IS-9"
    assert "40!" in texts(played(moved["no"], "0-11")), "only the next player may not"


def test_is_10_a_blocked_piece_is_cast_out_at_the_end_of_the_turn() -> None:
    position = ISIS.set_up([39, 42, 46])
    turn = ISIS.read("39-48")
    assert standing(position.apply(turn)) == {42: None, 48: None}
    assert position.walks(turn) == (("39", "43", "47", "48"), ("46", "0"))
    assert len(pile(position.apply(turn))) == 5


def test_is_10_a_changed_number_casts_out() -> None:
    position = ISIS.set_up([47, 43, 46])
    assert standing(played(position, "0-7")) == {43: None, 46: None, 7: None}
    assert position.walks(ISIS.read("0-7"))[1:] == (("47", "0"),)


def test_is_10_the_next_player_may_move_a_piece_cast_out() -> None:
    position = ISIS.set_up([23, 20, 29, 18, 46, 50], {2: 2})
    assert pile(position) == []
    cast_out = played(position, "20-42")
    assert pile(cast_out) == [None]
    assert refused(cast_out, "42-26").rule == "IS-8"
    assert ends(cast_out, "0") == [1]


def test_is_10_a_way_onto_a_throne_is_a_move_of_a_personalized_piece() -> None:
    kept = played(ISIS.set_up([39, 42], {1: 46}), "39-48")
    assert standing(kept) == {42: None, 46: 1, 48: None}
    assert 45 in ends(played(kept, "42-33"), "*46")


def test_is_10_option_cast_out() -> None:
    for option, owner in (("stays", 2), ("reverts", None)):
        position = played(ISIS.set_up([43, 46], {2: 47}, options={"cast_out": option}), "0-7")
        assert standing(position) == {7: None, 43: None, 46: None}
        assert pile(position) == [None, None, None, owner]
        assert ("43!" in texts(position)) == (option == "reverts")
        assert bool(ends(position, "*0")) == (option == "stays")


def test_is_10_a_piece_that_only_the_ban_holds_stays() -> None:
    position = played(ISIS.set_up([40, 1], players=3), "40-42")
    assert 42 in standing(position), "it has a move, though the next player may not make it"


def test_is_11_once_all_own_a_piece_pieces_go_home_by_exact_count() -> None:
    position = ISIS.set_up([17], {1: 30, 2: 0})
    assert "17-0" in texts(position), "17, 16, 0"
    assert pile(played(position, "17-0")) == [None] * 5 + [2]
    assert "*20-0" in texts(ISIS.set_up([1], {1: 20, 2: 0})), "underworldward"
    assert "*13-0" in texts(ISIS.set_up([1, 2], {1: 13, 2: 0})), "13, 15, 16, 0"
    assert refused(ISIS.set_up([17, 1], {1: 30, 2: 0}), "1-0").rule == "IS-11"
    assert refused(ISIS.set_up([17], {1: 30}), "17-0").rule == "IS-11"
    assert refused(ISIS.set_up([17], {1: 30, 2: 0}, options={"home": "no"}), "17-0").rule == "IS-11"
    assert position.walks(ISIS.read("17-0")) == (("17", "16", "0"),)
    ranked = ISIS.set_up([17], {1: 30, 2: 0}, players=3, arrived=[3], options={"rank_all": "yes"})
    assert "17-0" in texts(ranked), "who has arrived need not own one"


def test_is_12_who_has_no_turn_passes_and_nobody_else() -> None:
    own = {1: 3, 2: 5, 3: 7, 4: 9, 5: 11, 6: 13}
    position = ISIS.set_up([20], own, players=7, to_move=7, just_moved=20)
    assert texts(position) == ["--"]
    assert position.view(7).actions == ("--",)
    assert refused(position, "20-48").rule == "IS-8"
    passed = played(position, "--")
    assert (passed.to_move, passed.turns) == (1, 1)
    assert ends(passed, "20"), "the pass ends the ban of IS-8"
    assert refused(ISIS.start(), "--").rule == "IS-12"


def test_is_13_the_first_on_a_throne_wins() -> None:
    position = played(ISIS.set_up([47], {1: 46, 2: 20}), "*46-45")
    assert position.outcome == Outcome(None, (1,))
    assert (position.to_move, position.asks, position.choices()) == (None, "nothing", ())
    assert standing(position)[45] == 1
    assert position.view(1).winners == (1,)
    assert {refused(position, turn).rule for turn in ("--", "47-43", "47!", "0-5")} == {"IS-13"}


def test_is_13_option_rank_all() -> None:
    options = {"rank_all": "yes"}
    position = ISIS.set_up([], {1: 48, 2: 20}, players=3, options=options)
    assert position.walks(ISIS.read("*48-45")) == (("48", "49", "45"), ("45", "0"))
    first = played(position, "*48-45")
    assert (first.outcome, first.to_move, standing(first), pile(first)) == (None, 2, {20: 2}, [None] * 6)
    assert played(first, "0-11 0-9").to_move == 2, "seat 1 has dropped out"
    end = played(ISIS.set_up([], {1: 48}, players=3, arrived=[3], options=options), "*48-44")
    assert end.outcome == Outcome(None, (3, 1, 2), 3)
    assert refused(end, "--").rule == "IS-13"
    drawn = played(
        ISIS.set_up([], {1: 48}, players=4, arrived=[3], turns=LIMIT - 1, options=options), "*48-49"
    )
    assert drawn.outcome == Outcome(None, (3, 1, 2, 4), 1)
    assert refused(drawn, "--").rule == "IS-14"


TO_AND_FRO = "*47-49 *50-42 *49-47 *42-50"


def test_is_14_no_turn_brings_back_an_earlier_position() -> None:
    begin = ISIS.set_up([], {1: 47, 2: 50})
    position = played(begin, "*47-49 *50-42 *49-47")
    assert [(turn.text, why.rule) for turn, why in position.barred()] == [("*42-50", "IS-14")]
    assert refused(position, "*42-50").rule == "IS-14"
    assert position.view(2).barred == {"42": {"50": "*42-50"}}
    assert position.view(1).barred == {}
    assert played(begin, "*47-49 *50-42 *49-46").barred() == ()


def test_is_14_who_has_only_barred_turns_passes() -> None:
    position = after("0-13")
    past = frozenset(
        (key_of(core_after(core, position.core, code_of(turn))), 1) for turn in position.choices()
    )
    stuck = replace(position, past=past)
    assert texts(stuck) == ["--"]
    assert [turn.text for turn, _ in stuck.barred()] == ["0-11", "0-12"]
    assert played(stuck, "--").to_move == 1


def test_is_14_option_repetition_draw() -> None:
    begin = ISIS.set_up([], {1: 47, 2: 50}, options={"repetition": "draw"})
    twice = played(begin, TO_AND_FRO)
    assert (twice.outcome, twice.barred()) == (None, ())
    assert played(twice, "*47-49 *50-42 *49-47").outcome is None
    drawn = played(twice, TO_AND_FRO)
    assert (drawn.outcome, drawn.to_move) == (Outcome(None, (1, 2)), None)
    assert refused(drawn, "*47-49").rule == "IS-14"


def test_is_14_400_turns_are_a_draw_between_all_but_a_win_counts() -> None:
    position = ISIS.set_up([20], {1: 47}, players=3, turns=LIMIT - 1)
    drawn = played(position, "20-28")
    assert drawn.outcome == Outcome(None, (1, 2, 3))
    assert refused(drawn, "--").rule == "IS-14"
    assert played(position, "*47-44").outcome == Outcome(None, (1,))


# --- what a display needs, and what cannot be read or set up


def test_the_view_draws_the_board() -> None:
    view = ISIS.set_up([20], {2: 30, 1: 0}).view(None)
    assert (view.rows, view.columns, len(view.cells)) == (4, 16, 51)
    names = DRAWN_BOARD.replace(".", "").split()
    assert [cell.name for cell in view.cells] == [*names[:16], "0", *names[16:]]
    for cell in view.cells[:16] + view.cells[17:]:
        assert (cell.row, cell.column, cell.rows, cell.columns) == (*PLACES[int(cell.name)], 1, 1)
    below = view.cell("0")
    assert (below.row, below.column, below.rows, below.columns, below.walls) == (1, 0, 2, 7, "nesw")
    assert below.pile == (*(Lies("piece"),) * 4, Lies("piece", seat=1))
    assert (view.cell("20").lies, view.cell("30").lies) == (Lies("piece"), Lies("piece", seat=2))
    assert {cell.name: cell.doors for cell in view.cells if cell.doors} == {
        "1": "s",
        "2": "n",
        "16": "w",
        "17": "w",
        "44": "e",
        "45": "e",
    }
    marks = {cell.name: cell.mark for cell in view.cells if cell.mark and cell.mark != "star"}
    assert marks == {
        "1": "way-out",
        "2": "way-out",
        "16": "way-in",
        "17": "way-in",
        "44": "throne",
        "45": "throne",
    }
    assert {cell.name for cell in view.cells if cell.walls} == {"0", "44", "45"}
    assert [(seat.colour, seat.shape) for seat in view.seats] == [("green", "jar"), ("yellow", "jar")]
    assert dict(view.options) == {option.key: option.values[0] for option in ISIS.options}


def test_the_view_gives_ways_to_the_player_to_move_alone() -> None:
    position = ISIS.set_up([40, 17], {1: 0, 2: 0})
    ways = position.view(1).ways
    assert isinstance(ways["0"], dict)
    assert ways["0"]["*"] == {"9": "*0-9", "10": "*0-10"}
    assert ways["0"]["9"] == "0-9"
    assert isinstance(ways["17"], dict)
    assert ways["17"]["0"] == "17-0"
    for seat in (None, 2):
        assert (position.view(seat).ways, position.view(seat).actions) == ({}, ())
    claim = ISIS.set_up([43], {2: 0}).view(1).ways["43"]
    assert isinstance(claim, dict)
    assert claim["!"] == "43!"


def test_walks_go_step_by_step() -> None:
    assert after("").walks(ISIS.read("0-14")) == (("0", "2", "4", "6", "8", "10", "12", "14"),)
    assert ISIS.set_up([43]).walks(ISIS.read("43!")) == ()
    with pytest.raises(IllegalTurn):
        after("").walks(ISIS.read("0-15"))
    for turn in (
        turn for turn in ISIS.set_up([19, 9, 8, 38]).choices() if isinstance(turn, Move) and turn.start
    ):
        way = [int(square) for square in ISIS.set_up([19, 9, 8, 38]).walks(turn)[0]]
        assert len(way) == len(set(way)) == 5
        assert all(near in neighbours(here) for here, near in pairwise(way))


def test_a_position_is_a_value() -> None:
    position = after("0-13 0-11")
    assert position == after("0-13 0-11") == pickle.loads(pickle.dumps(position))
    assert hash(position) == hash(after("0-13 0-11"))
    assert position != after("0-13 0-12")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "13",
        "0-",
        "-13",
        "0--13",
        "00-13",
        "0-013",
        "19 !",
        "*19!",
        "!19",
        "* 0-13",
        "0-13 ",
        "**0-1",
        "-",
    ],
)
def test_what_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(UnreadableTurn) as error:
        ISIS.read(text)
    assert error.value.rule == "record"


@pytest.mark.parametrize("text", ["0-13", "19-27", "*48-44", "*0-13", "19!", "17-0", "*21-0", "--"])
def test_turns_are_read_back_from_text_and_code(text: str) -> None:
    turn = ISIS.read(text)
    assert turn.text == text
    assert turn_from(code_of(turn)) == turn
    assert 0 <= code_of(turn) < 2**31


def test_set_up_refuses_what_cannot_stand() -> None:
    ranked = {"rank_all": "yes"}
    for wrong in (
        {"neutral": [5, 5]},
        {"neutral": [5], "own": {1: 5}},
        {"neutral": [44]},
        {"neutral": [0]},
        {"neutral": [51]},
        {"neutral": [1, 2, 3, 4, 5, 6, 7, 8]},
        {"neutral": [1, 2, 3, 4, 5, 6, 7], "own": {1: 0}},
        {"own": {3: 5}},
        {"just_moved": 5},
        {"arrived": [2], "players": 3},
        {"arrived": [1], "players": 3, "options": ranked},
        {"arrived": [2], "options": ranked},
        {"arrived": [2], "own": {2: 5}, "players": 3, "options": ranked},
        {"turns": LIMIT},
        {"neutral": [43, 47, 48]},
        {"players": 8},
        {"options": {"home": "maybe"}},
    ):
        with pytest.raises(ValueError, match=r"."):
            ISIS.set_up(**wrong)


def test_is_13_a_draw_before_anybody_arrived_is_no_ranking() -> None:
    from oudjat.rules.isis.core import ARRIVED, WINNERS, end_in_draw

    position = ISIS.start(3, options={"rank_all": "yes"})
    state = list(position.core)
    end_in_draw(state)
    outcome = type(position)(tuple(state)).outcome
    assert outcome is not None
    assert (outcome.winners, outcome.ranked) == ((1, 2, 3), 0)
    assert state[WINNERS] == 0b111
    assert state[ARRIVED] == 0
