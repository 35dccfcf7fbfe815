"""Bots take legal turns, the same for the same seed, know only what they may, and see the obvious."""

from random import Random

import pytest

from oudjat.engine.choosing import choose
from oudjat.engine.levels import LEVELS
from oudjat.engine.memory import PERFECT, believe
from oudjat.rules.game import Draw, Drew, Turn
from oudjat.rules.isis_osiris import (
    BOARD,
    FREE_SPACE,
    ISIS_OSIRIS,
    SPACE_NAMES,
    SPACE_NUMBERS,
    SPACES,
    IsisOsirisPosition,
    Pass,
    PlacePiece,
    PlaceTile,
    neighbours,
)

KINDS = [(players, variant) for variant in ISIS_OSIRIS.variants for players in ISIS_OSIRIS.players]


def play(levels: list[str], variant: str, seed: int) -> tuple[IsisOsirisPosition, list[Turn]]:
    """A whole game among ``levels``; every turn is checked by the rules."""
    start = ISIS_OSIRIS.start(len(levels), variant=variant)
    luck = ISIS_OSIRIS.luck(Random(seed))
    position = start
    turns: list[Turn] = []
    while position.to_move is not None:
        level = levels[position.to_move - 1]
        turn = choose(start, turns, level, seed)
        assert turn in position.choices()
        if isinstance(turn, Draw):
            position = position.apply(turn)
            came = position.comes(luck)
            position = position.apply(came)
            turn = choose(start, [*turns, Draw(), came], level, seed)
            assert turn in position.choices()
        position = position.apply(turn)
        turns.append(turn)
    return position, turns


def after(*texts: str) -> list[Turn]:
    """Whole turns as spelled."""
    return [ISIS_OSIRIS.read(text) for text in texts]


@pytest.mark.parametrize(("players", "variant"), KINDS)
def test_whole_games_are_legal_and_end(players: int, variant: str) -> None:
    names = list(LEVELS)
    for seed in range(3):
        position, turns = play([names[(seed + seat) % len(names)] for seat in range(players)], variant, seed)
        assert position.free_spaces == 0
        assert sum(not isinstance(turn, Pass) for turn in turns) == SPACES


def test_the_same_seed_plays_the_same_game_and_another_seed_another() -> None:
    levels = ["scribe", "priest"]
    assert play(levels, "normal", 7)[1] == play(levels, "normal", 7)[1]
    assert len({tuple(play(levels, "normal", seed)[1][:4]) for seed in range(6)}) > 1


def test_levels_stand_from_the_weakest_to_the_strongest() -> None:
    assert list(LEVELS) == ["novice", "scribe", "priest", "vizier", "pharaoh"]


def test_an_unknown_level_is_named_with_those_that_exist() -> None:
    with pytest.raises(KeyError, match=r"no level “god”; there is: novice, scribe, priest"):
        choose(ISIS_OSIRIS.start(), [], "god", seed=1)


def test_nothing_can_be_chosen_while_chance_is_asked_or_after_the_end() -> None:
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(ISIS_OSIRIS.start(), [Draw()], "priest", seed=1)
    _, turns = play(["novice", "novice"], "normal", 1)
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(ISIS_OSIRIS.start(), turns, "priest", seed=1)


def test_the_pass_is_taken_when_nothing_else_is_left() -> None:
    start = ISIS_OSIRIS.start(2, variant="shared")
    tiles = [
        text
        for value, count in ((1, 2), (2, 6), (3, 2), (4, 1))
        for sign in "+-"
        for text in [f"{sign}{value}"] * count
    ]
    # Seat 1 places its 8 pieces and 8 tiles, seat 2 the other 14 tiles and 2 pieces; then seat 1 has nothing left.
    mine = ["P"] * 8 + tiles[:8]
    theirs = [*tiles[8:22], "P", "P"]
    spaces = iter(SPACE_NAMES)
    turns = after(*(what + next(spaces) for pair in zip(mine, theirs, strict=True) for what in pair))
    assert choose(start, turns, "scribe", seed=1) == Pass()


@pytest.mark.parametrize("level", list(LEVELS))
def test_what_a_bot_has_forgotten_does_not_change_its_turn(level: str) -> None:
    """Two games that differ only in values that the bot does not recall look the same to it."""
    compared = 0
    for seed in range(6):
        start = ISIS_OSIRIS.start()
        _, turns = play(["novice", "novice"], "normal", seed)
        turns = turns[:20]
        seat = 1
        beliefs = believe(turns, LEVELS[level].memory, seed, seat)
        placed = [number for number, turn in enumerate(turns) if isinstance(turn, PlaceTile)]
        for one in placed:
            for other in placed:
                twin = list(turns)
                first, second = turns[one], turns[other]
                assert isinstance(first, PlaceTile)
                assert isinstance(second, PlaceTile)
                twin[one] = PlaceTile(second.value, first.space)
                twin[other] = PlaceTile(first.value, second.space)
                if first.value == second.value or believe(twin, LEVELS[level].memory, seed, seat) != beliefs:
                    continue
                compared += 1
                assert choose(start, twin, level, seed) == choose(start, turns, level, seed)
    assert (compared > 0) == (LEVELS[level].memory != PERFECT)


def test_a_withheld_value_is_played_around() -> None:
    turns = after("?c3", "Pd3", "?e3", "Pb3")
    for level in LEVELS:
        assert choose(ISIS_OSIRIS.start(), turns, level, seed=2) in position_after(turns).choices()


def position_after(turns: list[Turn]) -> IsisOsirisPosition:
    position = ISIS_OSIRIS.start()
    for turn in turns:
        position = position.follow(turn)
    return position


@pytest.mark.parametrize("seed", range(5))
def test_the_priest_takes_the_space_between_plus_four_and_plus_three(seed: int) -> None:
    turns = after("+4c3", "-2a6", "+3e3", "-2f6")
    assert choose(ISIS_OSIRIS.start(), turns, "priest", seed) == PlacePiece(SPACE_NUMBERS["d3"])


@pytest.mark.parametrize("seed", range(5))
def test_the_priest_puts_a_bad_tile_beside_the_opponents_piece(seed: int) -> None:
    turns = after("Pa1", "Pe5", "Pb6", "Pf1")
    turn = choose(ISIS_OSIRIS.start(), [*turns, Draw(), Drew("-3")], "priest", seed)
    assert isinstance(turn, PlaceTile)
    assert {SPACE_NAMES[near] for near in neighbours(turn.space)} & {"e5", "f1"}
    assert not {SPACE_NAMES[near] for near in neighbours(turn.space)} & {"a1", "b6"}


@pytest.mark.parametrize("seed", range(5))
def test_the_priest_puts_a_good_tile_beside_its_own_pieces(seed: int) -> None:
    turns = after("Pc3", "Pa6", "Pe3", "Pf6")
    turn = choose(ISIS_OSIRIS.start(), [*turns, Draw(), Drew("+4")], "priest", seed)
    assert turn == PlaceTile(4, SPACE_NUMBERS["d3"])


def best_expectation(position: IsisOsirisPosition, seat: int) -> float:
    """The margin that ``seat`` (of two) can expect when both play perfectly to the end, by the plain rules."""
    standing = position.standing
    assert standing is not None
    if position.asks == "nothing":
        return standing[seat - 1] - standing[2 - seat]
    if position.asks == "chance":
        return sum(
            float(share) * best_expectation(position.apply(came), seat) for came, share in position.chance()
        )
    best = max if position.to_move == seat else min
    return best(best_expectation(position.apply(turn), seat) for turn in position.choices())


@pytest.mark.parametrize("seed", range(8))
def test_the_priest_decides_the_last_spaces_right(seed: int) -> None:
    start = ISIS_OSIRIS.start()
    _, turns = play(["scribe", "scribe"], "normal", seed)
    for left in range(1, LEVELS["priest"].sight + 1):
        so_far = turns[: SPACES - left]
        position = position_after(so_far)
        seat = position.to_move
        assert seat is not None
        chosen = choose(start, so_far, "priest", seed)
        assert best_expectation(position.apply(chosen), seat) == pytest.approx(
            best_expectation(position, seat)
        )
    assert sum(position.core[BOARD + space] == FREE_SPACE for space in range(SPACES)) == 2


@pytest.mark.parametrize(
    ("stronger", "weaker"), [("scribe", "novice"), ("priest", "scribe"), ("vizier", "priest")]
)
def test_a_stronger_level_mostly_wins(stronger: str, weaker: str) -> None:
    margins = []
    for seed in range(40):
        seat = seed % 2
        levels = [weaker, weaker]
        levels[seat] = stronger
        scores = play(levels, "normal", seed)[0].standing
        assert scores is not None
        margins.append(scores[seat] - scores[1 - seat])
    assert sum(margin > 0 for margin in margins) > len(margins) / 2
    assert sum(margins) > 0
