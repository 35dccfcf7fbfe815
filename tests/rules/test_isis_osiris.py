"""Every rule of Isis & Osiris by its number."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, strategies

from oudjat.rules.game import (
    Draw,
    Drew,
    IllegalTurn,
    Position,
    SetupError,
    Turn,
    UnreadableTurn,
    follow_all,
    read_step,
)
from oudjat.rules.isis_osiris import ISIS_OSIRIS, SPACE_NAMES, IsisOsirisPosition, PlacePiece, PlaceTile
from tests.rules.kit import refused

EVERY_KIND = [(players, variant) for players in (2, 3, 4) for variant in ("normal", "shared")]


def after(turns: str, players: int = 2, **setup: object) -> Position:
    return follow_all(ISIS_OSIRIS.start(players, **setup), turns.split())  # type: ignore[arg-type]


def play_out(position: Position, randomness: random.Random) -> tuple[Position, list[Turn]]:
    """A whole random game and its steps."""
    luck = ISIS_OSIRIS.luck(randomness)
    steps: list[Turn] = []
    while position.outcome is None:
        step = position.comes(luck) if position.asks == "chance" else randomness.choice(position.choices())
        steps.append(step)
        position = position.apply(step)
    return position, steps


def test_io_1_the_board_has_36_spaces_a1_to_f6_with_row_1_at_the_bottom() -> None:
    view = ISIS_OSIRIS.start().view(None)
    assert (view.rows, view.columns, len(view.cells)) == (6, 6, 36)
    assert {cell.name for cell in view.cells} == {
        f"{column}{row}" for column in "abcdef" for row in range(1, 7)
    }
    assert view.cells[0].name == "a6"
    assert view.cells[-1].name == "f1"
    with pytest.raises(UnreadableTurn) as error:
        ISIS_OSIRIS.read("Pg3")
    assert error.value.rule == "IO-1"


def test_io_2_22_tiles_two_ones_six_twos_two_threes_one_four_and_the_same_negative() -> None:
    tiles = Counter(ISIS_OSIRIS.luck(random.Random(1)))
    assert tiles == {"+1": 2, "+2": 6, "+3": 2, "+4": 1, "-1": 2, "-2": 6, "-3": 2, "-4": 1}
    assert refused(after("+4a1"), "+4b1").rule == "IO-2"
    with pytest.raises(UnreadableTurn) as error:
        ISIS_OSIRIS.read("+5a1")
    assert error.value.rule == "IO-2"


def test_io_2_all_backs_are_the_same() -> None:
    hidden = [after(f"{value}c3").view(1).cell("c3").lies for value in ("+1", "-4", "+3")]
    assert hidden[0] == hidden[1] == hidden[2]


def test_io_3_four_colours_in_seat_order() -> None:
    assert [seat.colour for seat in ISIS_OSIRIS.start(4).view(1).seats] == [
        "green",
        "yellow",
        "black",
        "violet",
    ]


@pytest.mark.parametrize(("players", "pieces", "tiles"), [(2, 8, 11), (3, 6, 7), (4, 5, 5)])
def test_io_4_what_is_dealt(players: int, pieces: int, tiles: int) -> None:
    reserves = ISIS_OSIRIS.start(players).reserves()
    assert reserves is not None
    assert [(reserve.pieces, reserve.tiles) for reserve in reserves] == [(pieces, tiles)] * players


def test_io_5_nobody_sees_a_stock_not_even_his_own() -> None:
    position = after("Pa1 Pa2")
    views = [position.view(seat) for seat in (None, 1, 2)]
    for view in views:
        assert not any(face in repr(view) for face in ("'+1'", "'+2'", "'-1'", "'-2'"))


def test_io_6_the_named_seat_begins() -> None:
    assert [ISIS_OSIRIS.start(3, first=first).to_move for first in (1, 2, 3)] == [1, 2, 3]
    with pytest.raises(SetupError):
        ISIS_OSIRIS.start(3, first=4)


def test_io_7_a_piece_goes_to_any_free_space() -> None:
    position = ISIS_OSIRIS.start()
    for space in SPACE_NAMES:
        lies = position.apply(ISIS_OSIRIS.read(f"P{space}")).view(None).cell(space).lies
        assert lies is not None
        assert (lies.kind, lies.seat) == ("piece", 1)


def test_io_8_a_tile_turned_over_is_seen_by_all_and_must_be_placed() -> None:
    turned = ISIS_OSIRIS.start().apply(Draw()).apply(Drew("+3"))
    assert [turned.view(seat).drawn for seat in (None, 1, 2)] == ["+3", "+3", "+3"]
    assert {turn.text for turn in turned.choices()} == {f"+3{space}" for space in SPACE_NAMES}
    for forbidden in ("Pc3", "+2c3", "--"):
        with pytest.raises(IllegalTurn) as error:
            turned.apply(ISIS_OSIRIS.read(forbidden))
        assert error.value.rule == "IO-8"
    with pytest.raises(IllegalTurn) as twice:
        turned.apply(Draw())
    assert twice.value.rule == "IO-8"
    placed = turned.apply(ISIS_OSIRIS.read("+3c3"))
    assert placed.view(1).drawn is None
    assert placed.to_move == 2


def test_io_8_a_tile_is_turned_over_before_it_is_placed() -> None:
    with pytest.raises(IllegalTurn) as error:
        ISIS_OSIRIS.start().apply(ISIS_OSIRIS.read("+3c3"))
    assert error.value.rule == "IO-8"


def test_io_8_every_unseen_tile_is_equally_likely() -> None:
    chance = dict(after("+4a1 +2b1").apply(Draw()).chance())
    assert sum(chance.values()) == 1
    assert Drew("+4") not in chance
    assert chance[Drew("+2")] == Fraction(5, 20)
    assert chance[Drew("-4")] == Fraction(1, 20)


def test_io_9_a_space_is_taken_once() -> None:
    position = after("Pc3 +2d3")
    assert refused(position, "Pc3").rule == "IO-9"
    assert refused(position, "Pd3").rule == "IO-9"
    assert refused(position, "+1c3").rule == "IO-9"
    assert "c3" in str(refused(position, "Pc3"))


def test_io_10_without_tiles_a_piece_and_without_pieces_a_tile() -> None:
    tiles_gone = after(
        "+1a1 Pa2 +1b1 Pb2 +2c1 Pc2 +2d1 Pd2 +2e1 Pe2 +2f1 Pf2 +2a3 Pa4 +2b3 Pb4 "
        "+3c3 -1c4 +3d3 -1d4 +4e3 -2e4"
    )
    assert refused(tiles_gone, "-2a5").rule == "IO-10"
    assert all(isinstance(turn, PlacePiece) for turn in tiles_gone.choices())
    pieces_gone = tiles_gone.follow(ISIS_OSIRIS.read("Pa5"))
    assert refused(pieces_gone, "Pb5").rule == "IO-10"
    assert [turn.text for turn in pieces_gone.choices()] == ["draw"]


def test_io_11_the_turn_goes_round_the_table() -> None:
    assert [after(turns, 3, first=2).to_move for turns in ("", "Pa1", "Pa1 Pb1", "Pa1 Pb1 Pc1")] == [
        2,
        3,
        1,
        2,
    ]


def test_io_12_the_game_ends_with_the_last_space() -> None:
    position, _ = play_out(ISIS_OSIRIS.start(), random.Random(5))
    assert (position.asks, position.to_move, position.choices()) == ("nothing", None, ())
    for turn in ("Pa1", "+1a1", "--"):
        assert refused(position, turn).rule == "IO-12"
    with pytest.raises(IllegalTurn) as error:
        position.apply(Draw())
    assert error.value.rule == "IO-12"


def test_io_13_a_piece_is_worth_its_orthogonal_tiles_and_pieces_count_nothing() -> None:
    assert after("Pc3 Pa1 +4c4 Pb4 -1d3 Pd2 +2b2").standing == (3, 3)
    # green's c3 touches +4 and -1, its diagonal neighbour b2 counts nothing; yellow has b4 at +4 and d2 at -1
    assert after("Pa1").standing == (0, 0)


def test_io_14_scoring_goes_piece_by_piece_colour_by_colour() -> None:
    position, _ = play_out(ISIS_OSIRIS.start(3), random.Random(2))
    steps = ISIS_OSIRIS.scoring(position)
    assert [step.seat for step in steps] == sorted(step.seat for step in steps)
    for seat, score in enumerate(position.standing or (), 1):
        mine = [step for step in steps if step.seat == seat]
        assert sum(step.worth for step in mine) == score == mine[-1].total
    for step in steps:
        assert step.worth == sum(int(value) for _, value in step.tiles)
    assert ISIS_OSIRIS.scoring(ISIS_OSIRIS.start()) == ()


@pytest.mark.parametrize(
    ("score", "markers"), [(0, 0), (20, 0), (21, 1), (40, 1), (41, 2), (-20, 0), (-21, 1), (-41, 2)]
)
def test_io_15_markers_past_20_and_past_40(score: int, markers: int) -> None:
    assert ISIS_OSIRIS.markers(score) == markers


def test_io_15_the_track_shows_only_what_is_beyond_a_marker() -> None:
    """Green lays every plus tile on squares of one shade, yellow its pieces between them."""
    middle_first = sorted(range(36), key=lambda space: abs(space % 6 - 2.5) + abs(space // 6 - 2.5))
    light = [space for space in middle_first if (space % 6 + space // 6) % 2 == 0]
    dark = [space for space in middle_first if space not in light]
    plus = iter("+4 +3 +3 +2 +2 +2 +2 +2 +2 +1 +1".split())
    minus = iter("-1 -1 -2 -2 -2 -2 -2 -2 -3 -3 -4".split())
    position: Position = ISIS_OSIRIS.start()
    while position.outcome is None:
        green = position.to_move == 1
        reserve = (position.reserves() or ())[0 if green else 1]
        free = [name for name in SPACE_NAMES if position.view(None).cell(name).lies is None]
        wanted = [SPACE_NAMES[space] for space in (light if green else dark) if SPACE_NAMES[space] in free]
        far = [SPACE_NAMES[space] for space in reversed(middle_first) if SPACE_NAMES[space] in free]
        if green:
            turn = f"{next(plus)}{(wanted or far)[0]}" if reserve.tiles else f"P{far[0]}"
        else:
            turn = f"P{(wanted or far)[0]}" if reserve.pieces else f"{next(minus)}{far[0]}"
        position = position.follow(ISIS_OSIRIS.read(turn))
    steps = [step for step in ISIS_OSIRIS.scoring(position) if step.seat == 2]
    assert max(step.total for step in steps) > 40, "the game was made so that yellow passes 20 and 40"
    for step in steps:
        assert step.markers == (0 if step.total <= 20 else 1 if step.total <= 40 else 2)
        assert step.mark == step.total - 20 * step.markers
    final = position.view(None).seats[1]
    assert (final.score, final.markers) == (steps[-1].total, steps[-1].markers)


def test_io_16_equal_best_scores_share_the_win_also_negative_ones() -> None:
    shared, negative = False, False
    for seed in range(400):
        position, _ = play_out(ISIS_OSIRIS.start(), random.Random(seed))
        outcome = position.outcome
        assert outcome is not None
        assert outcome.scores is not None
        best = max(outcome.scores)
        assert outcome.winners == tuple(seat for seat in (1, 2) if outcome.scores[seat - 1] == best)
        shared |= len(outcome.winners) == 2
        negative |= best < 0
    assert shared, "400 games hold a shared win"
    assert negative, "400 games hold one that is won with minus points"


def test_io_17_and_18_the_shared_stock_is_everybodys() -> None:
    position = after("+1a1 -2a2 Pa3", 3, variant="shared")
    reserves = position.reserves()
    assert reserves is not None
    assert [(reserve.pieces, reserve.tiles) for reserve in reserves] == [(6, 20), (6, 20), (5, 20)]


def test_io_19_a_used_up_shared_stock_leaves_pieces() -> None:
    tiles = "+1 +1 +2 +2 +2 +2 +2 +2 +3 +3 +4 -1 -1 -2 -2 -2 -2 -2 -2 -3 -3 -4".split()
    turns = " ".join(tile + space for tile, space in zip(tiles, SPACE_NAMES, strict=False))
    position = after(turns, variant="shared")
    assert refused(position, "+1f6").rule == "IO-19"
    assert {turn.text[0] for turn in position.choices()} == {"P"}


def test_io_20_without_a_piece_one_takes_a_tile_and_with_neither_one_passes() -> None:
    pieces = " ".join(f"P{space}" for space in SPACE_NAMES[:16])
    position = after(pieces, variant="shared")
    assert refused(position, "Pf6").rule == "IO-20"
    assert refused(position, "--").rule == "IO-20"
    assert [turn.text for turn in position.choices()] == ["draw"]
    # four players: 20 pieces and 22 tiles; green has none left when the stock is empty
    tiles = "+1 +1 +2 +2 +2 +2 +2 +2 +3 +3 +4 -1 -1 -2 -2 -2 -2 -2 -2 -3 -3 -4".split()
    spaces = iter(SPACE_NAMES)
    game = ISIS_OSIRIS.start(4, variant="shared")
    for _ in range(5):
        game = game.follow(ISIS_OSIRIS.read(f"P{next(spaces)}"))
        for _ in range(3):
            game = game.follow(ISIS_OSIRIS.read(f"{tiles.pop()}{next(spaces)}"))
    while tiles:
        game = game.follow(ISIS_OSIRIS.read(f"{tiles.pop()}{next(spaces)}"))
    while game.to_move != 1:
        game = game.follow(ISIS_OSIRIS.read(f"P{next(spaces)}"))
    assert [turn.text for turn in game.choices()] == ["--"]
    assert refused(game, f"P{next(spaces)}").rule == "IO-20"
    passed = game.follow(ISIS_OSIRIS.read("--"))
    assert (passed.to_move, passed.turns) == (2, game.turns + 1)


def test_io_21_strict_memory_hides_placed_values_until_the_end_and_open_shows_them() -> None:
    strict, shown = after("+3c3 Pc4"), after("+3c3 Pc4", options={"memory": "open"})
    assert strict.view(1).cell("c3").lies == after("-4c3 Pc4").view(1).cell("c3").lies
    assert strict.view(1).seats[1].score is None
    lies = shown.view(1).cell("c3").lies
    assert lies is not None
    assert (lies.face, shown.view(1).seats[1].score) == ("+3", 3)
    assert strict.public_turn(ISIS_OSIRIS.read("+3c3")).text == "?c3"
    assert shown.public_turn(ISIS_OSIRIS.read("+3c3")).text == "+3c3"
    assert strict.revealed().view(None).cell("c3").lies == lies
    over, _ = play_out(ISIS_OSIRIS.start(), random.Random(3))
    assert all(cell.lies and (cell.lies.kind == "piece" or cell.lies.face) for cell in over.view(None).cells)


def test_the_worked_example_of_the_rulebook() -> None:
    # green: A beside -1 and -2, B beside +4, -1 and -2; the third player's piece beside +1 and +2
    position = after("Pa1 -1a2 +1f6 Pc3 -2b1 +2e5 +4c4 -1d3 Pf5 -2b3", 3)
    assert position.standing is not None
    scored = {step: position.standing[step] for step in range(3)}
    assert scored[0] == -3 + 1
    assert scored[2] == 3


@pytest.mark.parametrize(
    "text", ["", "c3", "Pc", "P33", "pc3", "PC3", "P c3", "+3", "3c4", "++3c4", "Pc3 ", "-", "---"]
)
def test_what_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(UnreadableTurn) as error:
        ISIS_OSIRIS.read(text)
    assert error.value.rule == "record"


def test_setup_errors_name_what_does_not_exist() -> None:
    for wrong in (
        {"players": 5},
        {"variant": "chess"},
        {"options": {"memory": "loud"}},
        {"options": {"speed": "fast"}},
    ):
        with pytest.raises(SetupError):
            ISIS_OSIRIS.start(**wrong)


def test_steps_are_read_back() -> None:
    for text in ("draw", "drew +3", "Pc3", "+3c4", "?a1", "--"):
        assert read_step(ISIS_OSIRIS, text).text == text


@pytest.mark.parametrize(("players", "variant"), EVERY_KIND)
def test_1000_random_games_of_each_kind_end_within_their_counts(players: int, variant: str) -> None:
    randomness = random.Random(f"{players} {variant}")
    for _ in range(1000):
        position, steps = play_out(ISIS_OSIRIS.start(players, variant=variant), randomness)
        assert isinstance(position, IsisOsirisPosition)
        whole = [step for step in steps if not isinstance(step, Draw | Drew)]
        assert position.turns == len(whole)
        assert 36 <= len(whole) <= 42


# --- openings that are alike ------------------------------------------------------------------------------


def turned(space: int) -> int:
    """Where a space comes to lie when the board is turned by a quarter."""
    row, column = divmod(space, 6)
    return column * 6 + 5 - row


def mirrored(space: int) -> int:
    row, column = divmod(space, 6)
    return row * 6 + 5 - column


def all_alike(space: int) -> set[int]:
    """The spaces that turning and mirroring makes of one."""
    found: set[int] = set()
    for lies in (space, mirrored(space)):
        found |= {lies, turned(lies), turned(turned(lies)), turned(turned(turned(lies)))}
    return found


SPACE = strategies.integers(0, 35)
TILE = strategies.sampled_from([-4, -3, -2, -1, 1, 2, 3, 4])


@given(space=SPACE, other=SPACE, value=TILE, unlike=TILE)
def test_openings_are_one_exactly_when_turning_and_mirroring_makes_them_one(
    space: int, other: int, value: int, unlike: int
) -> None:
    opening = ISIS_OSIRIS.opening
    piece, tile = opening(PlacePiece(space)), opening(PlaceTile(value, space))
    assert (opening(PlacePiece(other)) == piece) == (other in all_alike(space))
    assert (opening(PlaceTile(unlike, other)) == tile) == (other in all_alike(space))
    assert piece != tile
    first = SPACE_NAMES[min(all_alike(space))]
    assert (piece.text, tile.text) == (f"P{first}", f"?{first}")
    assert opening(piece) == piece
    assert opening(tile) == tile
