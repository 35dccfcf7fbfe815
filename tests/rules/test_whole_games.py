"""What holds in every position of every game: state machines that play whole games."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from oudjat.records import Record, read_records, replay, setup_tags, write_record
from oudjat.rules.game import Draw, Drew, IllegalTurn, Position, Turn
from oudjat.rules.isis_osiris import ISIS_OSIRIS, PlacePiece, PlaceTile

PIECES = {2: 8, 3: 6, 4: 5}
TILES = {2: 11, 3: 7, 4: 5}


def naive_scores(turns: list[tuple[int, Turn]], players: int) -> list[int]:
    """IO-13 counted a second way: by coordinates, from the turns alone."""
    pieces = [(seat, turn.space % 6, turn.space // 6) for seat, turn in turns if isinstance(turn, PlacePiece)]
    tiles = {
        (turn.space % 6, turn.space // 6): turn.value or 0 for _, turn in turns if isinstance(turn, PlaceTile)
    }
    scores = [0] * players
    for seat, column, row in pieces:
        for (tile_column, tile_row), value in tiles.items():
            if abs(column - tile_column) + abs(row - tile_row) == 1:
                scores[seat - 1] += value
    return scores


class WholeGame(RuleBasedStateMachine):
    """Plays any legal step and checks what must always hold."""

    @initialize(
        players=strategies.sampled_from([2, 3, 4]),
        variant=strategies.sampled_from(["normal", "shared"]),
        seed=strategies.integers(0, 2**32),
        data=strategies.data(),
    )
    def begin(self, players: int, variant: str, seed: int, data: strategies.DataObject) -> None:
        first = data.draw(strategies.integers(1, players))
        self.position: Position = ISIS_OSIRIS.start(players, variant=variant, first=first)
        self.first = first
        self.luck = ISIS_OSIRIS.luck(random.Random(seed))
        self.turns: list[tuple[int, Turn]] = []

    @precondition(lambda self: self.position.asks in ("choice", "placing"))
    @rule(data=strategies.data())
    def choose(self, data: strategies.DataObject) -> None:
        turn = data.draw(strategies.sampled_from(self.position.choices()))
        if not isinstance(turn, Draw):
            self.turns.append((self.position.to_move or 0, turn))
        self.position = self.position.apply(turn)

    @precondition(lambda self: self.position.asks == "chance")
    @rule()
    def chance(self) -> None:
        came = self.position.comes(self.luck)
        assert came in [outcome for outcome, _ in self.position.chance()]
        self.position = self.position.apply(came)

    @precondition(lambda self: self.position.asks in ("choice", "placing"))
    @rule(steps=strategies.integers(1, 25), seed=strategies.integers(0, 2**32))
    def play_on(self, steps: int, seed: int) -> None:
        """Many steps at once, so that games come to their end."""
        randomness = random.Random(seed)
        for _ in range(steps):
            if self.position.asks == "chance":
                self.chance()
            elif self.position.outcome is None:
                turn = randomness.choice(self.position.choices())
                if not isinstance(turn, Draw):
                    self.turns.append((self.position.to_move or 0, turn))
                self.position = self.position.apply(turn)

    @precondition(lambda self: self.position.asks == "nothing")
    @rule()
    def over(self) -> None:
        outcome = self.position.outcome
        assert outcome is not None
        assert outcome.scores == self.position.standing
        assert outcome.winners

    @invariant()
    def board_and_reserve_are_what_was_dealt(self) -> None:
        reserves = self.position.reserves()
        assert reserves is not None
        view = self.position.view(None)
        lying = [cell.lies for cell in view.cells if cell.lies]
        pieces = Counter(lies.seat for lies in lying if lies.kind == "piece")
        players = self.position.players
        for seat in range(1, players + 1):
            assert pieces[seat] + reserves[seat - 1].pieces == PIECES[players]
        tiles = sum(lies.kind == "tile" for lies in lying) + (self.position.asks in ("chance", "placing"))
        if self.position.variant == "shared":
            assert tiles + reserves[0].tiles == 22
        else:
            assert tiles + sum(reserve.tiles for reserve in reserves) == TILES[players] * players
        assert (self.position.outcome is not None) == (len(lying) == 36)

    @invariant()
    def scores_equal_a_second_computation(self) -> None:
        assert list(self.position.standing or ()) == naive_scores(self.turns, self.position.players)

    @invariant()
    def the_chances_sum_to_one(self) -> None:
        chance = self.position.chance()
        assert bool(chance) == (self.position.asks == "chance")
        assert not chance or sum(probability for _, probability in chance) == 1

    @invariant()
    def the_record_replays_to_the_same_position(self) -> None:
        if self.position.asks in ("chance", "placing"):
            return
        tags = setup_tags(self.position, first=self.first)
        record = Record(tuple(tags.items()), tuple(turn.text for _, turn in self.turns))
        written = write_record(record)
        (read,) = read_records(written)
        assert isinstance(read, Record)
        assert write_record(read) == written
        assert replay(read).last == self.position

    @invariant()
    def a_turn_is_legal_exactly_when_it_is_listed(self) -> None:
        listed = set(self.position.choices())
        every = [PlacePiece(space) for space in range(36)]
        for turn in [*every, Draw(), ISIS_OSIRIS.read("--")]:
            try:
                self.position.apply(turn)
                assert turn in listed
            except IllegalTurn:
                assert turn not in listed

    @invariant()
    def a_view_offers_only_to_the_seat_that_is_to_move(self) -> None:
        for seat in (None, *range(1, self.position.players + 1)):
            view = self.position.view(seat)
            offered = {text for cell in view.cells for text in cell.offers} | set(view.actions)
            mine = seat is not None and seat == self.position.to_move
            assert offered == ({turn.text for turn in self.position.choices()} if mine else set())


TestWholeGame = WholeGame.TestCase
TestWholeGame.settings = settings(max_examples=40, stateful_step_count=8, deadline=None)


@given(
    players=strategies.sampled_from([2, 3, 4]),
    variant=strategies.sampled_from(["normal", "shared"]),
    seeds=strategies.tuples(strategies.integers(0, 2**32), strategies.integers(0, 2**32)),
    how=strategies.integers(0, 2**32),
    length=strategies.integers(0, 100),
)
def test_positions_that_differ_in_hidden_tiles_only_give_equal_strict_views(
    players: int, variant: str, seeds: tuple[int, int], how: int, length: int
) -> None:
    twins = [ISIS_OSIRIS.start(players, variant=variant) for _ in seeds]
    lucks = [ISIS_OSIRIS.luck(random.Random(seed)) for seed in seeds]
    randomness = random.Random(how)
    for _ in range(length):
        if twins[0].asks == "chance":
            twins = [twin.apply(twin.comes(luck)) for twin, luck in zip(twins, lucks, strict=True)]
            continue
        if not twins[0].choices():
            break
        at = randomness.randrange(len(twins[0].choices()))
        twins = [twin.apply(twin.choices()[at]) for twin in twins]
        if twins[0].asks == "choice":  # nothing is in hand: all that differs is hidden
            for seat in (None, *range(1, players + 1)):
                assert twins[0].view(seat) == twins[1].view(seat)


def test_positions_are_values() -> None:
    one = ISIS_OSIRIS.start().apply(ISIS_OSIRIS.read("Pc3"))
    other = ISIS_OSIRIS.start().apply(ISIS_OSIRIS.read("Pc3"))
    assert one == other
    assert hash(one) == hash(other)
    assert one != ISIS_OSIRIS.start()
    before = one.view(1)
    one.apply(Draw()).apply(Drew("+1"))
    assert one.view(1) == before
