"""No leak, by property: whole games at twin houses that differ only in what a viewer may not know at that moment, and
every byte that leaves them is compared: answers with their headers, pages, streams, records, refusals, the log.

The promise, a hash of the salt and the luck, differs of necessity: it is made equal before the bytes are compared, and
nothing else is. Left out of the streams are beats, which only tell that time has passed, and the numbers of those who
watch. Both houses sign what they push with one key, give an account the same number, and time stands still in them.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies
from starlette.routing import Route

from oudjat.house import lobby, operations
from oudjat.rules.game import Draw, Game, Position
from oudjat.rules.registry import GAMES
from tests.house.twins import Answer, House, Spliced, Stream, Twins, Visitor, logged, plan
from tests.serving import legal
from tests.timing import PATIENCE

SEATS = (
    Visitor("seat 1", "first-seats-token-1", by_cookie=True, language="de"),
    Visitor("seat 2", "second-seats-token-2"),
    Visitor("seat 3", "third-seats-token-33", by_cookie=True, language="fr"),
    Visitor("seat 4", "fourth-seats-token-4"),
)
ONLOOKERS = (
    Visitor("spectator", "a-spectators-token-5"),
    Visitor("guest", language="fr"),
)
OPERATOR = Visitor("who runs the house", address="127.0.0.1")
PLACES = {"game": "isis-osiris", "code": "de", "number": "1", "key": "wrong-key", "name": "nobody"}
"""What stands for each part of a path but ``table``; a new one has to be added, or its routes are not tested."""
UNTOLD = ("/static/{version}/{name}", "/api/tables/{table}/events")
"""GET routes that are not asked here: files that are the same for all, and the streams, which are followed."""


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lobby, "FRESH", -1.0)  # what it shows does not depend on when it was read last
        patch.setattr(operations, "_PATIENCE", PATIENCE)  # nor whether it is ready on how busy the machine is
        patch.setenv("OUDJAT_LIMITS", "off")
        patch.setenv("OUDJAT_VAPID_KEY", "A" * 42 + "E")
        moment = time.time()
        patch.setattr(time, "time", lambda: moment)
        twins = Twins(tmp_path_factory.mktemp("twins"))
        yield twins
        twins.close()


@dataclass(frozen=True)
class Match:
    """What both houses play: a game of so many people, and so many steps of it, at a ``public`` table or at one that
    only its link leads to. Who sits at the seat ``signed_in`` has an account; with 0 somebody who looks on."""

    game: Game
    variant: str
    players: int
    options: dict[str, str]
    seed: int
    how: int
    steps: int
    public: bool = True
    signed_in: int = 1

    @property
    def start(self) -> Position:
        return self.game.start(self.players, variant=self.variant, options=self.options)

    async def people_at(self, house: House, name: str) -> tuple[Visitor, ...]:
        """Who comes to a house, the seats first: one of them signed in, under this name."""
        people = [*SEATS[: self.players], *ONLOOKERS]
        known = self.signed_in - 1 if self.signed_in else self.players
        people[known] = await house.sign_up(people[known], name)
        return tuple(people)


def matches(*games: str, **options: str) -> strategies.SearchStrategy[Match]:
    """Matches of these games; ``options`` hold for all."""

    def of(game: Game) -> strategies.SearchStrategy[Match]:
        players = strategies.sampled_from(game.players)
        return players.flatmap(lambda number: with_players(game, number))

    def with_players(game: Game, number: int) -> strategies.SearchStrategy[Match]:
        chosen = {
            option.key: strategies.sampled_from(
                [options[option.key]] if option.key in options else option.values
            )
            for option in game.options
        }
        return strategies.builds(
            Match,
            strategies.just(game),
            strategies.sampled_from(game.variants),
            strategies.just(number),
            strategies.fixed_dictionaries(chosen),
            strategies.integers(0, 2**32),
            strategies.integers(0, 2**32),
            strategies.integers(0, 70),
            strategies.booleans(),
            strategies.integers(0, number),
        )

    return strategies.sampled_from([GAMES[name] for name in games]).flatmap(of)


# --- what happens at both houses ------------------------------------------------------------------------


@dataclass
class Evening:
    """What one house sent: the answers to what was played, what streams brought that were open all along, everything
    that can be asked at the end, and the log."""

    played: list[Answer]
    streams: dict[str, bytes]
    asked: dict[tuple[str, str], Answer | bytes]
    log: list[str]


def evenings(twins: Twins, match: Match, *dealt: tuple[Sequence[str], Any, int]) -> tuple[Evening, Evening]:
    """Play the match at both houses, each with its luck, what deals that, and its salt."""
    name = f"Cleo {next(twins.numbers)}"
    houses = zip(twins.houses, dealt, strict=True)
    one, other = (twins.run(evening(house, match, name, *deal)) for house, deal in houses)
    return one, other


async def evening(
    house: House, match: Match, name: str, luck: Sequence[str], deal: Any, salt: int
) -> Evening:
    """Play the match at one house, where the luck is ``luck``, and take down all that it sends; ``name`` is that of the
    account."""
    house.dealer.deal(salt, deal)
    with logged() as log:
        people = await match.people_at(house, name)
        table = await sit_down(house, match, people)
        path = f"/api/tables/{table}"
        streams = {who.name: await house.follow(who, f"{path}/events", 0) for who in people}
        seq = (await house.ask(people[0], "GET", path)).json()["seq"]
        position, played = match.start, []
        for text in plan(match.start, tuple(luck), match.how, match.steps):
            who = people[(position.to_move or 1) - 1]
            played.append(await house.ask(who, "POST", f"{path}/turns", {"turn": text, "after": seq}))
            assert played[-1].status == 200, played[-1].body
            seq += 1
            position = step(position, text, luck)
        heard = {name: await stream.until(seq) for name, stream in streams.items()}
        asked = await everything(house, people, path, seq, position)
        for stream in streams.values():
            await stream.leave()
    return Evening(played, heard, asked, list(log))


async def sit_down(house: House, match: Match, people: Sequence[Visitor]) -> str:
    """Open the table and let everybody take his seat; its name."""
    seats = [{"kind": "me", "name": "Ada"}] + [{"kind": "friend"}] * (match.players - 1)
    wish = {
        "seats": seats,
        "game": match.game.id,
        "variant": match.variant,
        "options": match.options,
        "first": 1,
        "public": match.public,
    }
    opened = (await house.ask(people[0], "POST", "/api/tables", wish)).json()
    for seat in opened["seats"][1:]:
        path = f"/api/tables/{opened['table']}/seats/{seat['number']}"
        key = {"key": seat["key"] or "", "name": f"<Bo & {seat['number']}>"}
        assert (await house.ask(people[seat["number"] - 1], "POST", path, key)).status == 200
    return str(opened["table"])


def step(position: Position, text: str, luck: Sequence[str]) -> Position:
    """The position after one step of a plan."""
    turn = Draw() if text == "draw" else position.game.read(text)
    after = position.apply(turn)
    return after.apply(after.comes(tuple(luck))) if isinstance(turn, Draw) else after


async def everything(
    house: House, people: Sequence[Visitor], path: str, seq: int, position: Position
) -> dict[tuple[str, str], Answer | bytes]:
    """All that everybody can be told at this moment, by who asked for what."""
    asked: dict[tuple[str, str], Answer | bytes] = {}
    table = path.rpartition("/")[2]
    for who in people:
        for route in house.app.routes:
            assert isinstance(route, Route)
            if "GET" not in (route.methods or ()) or route.path in UNTOLD:
                continue
            if "{table}" in route.path or who.session or who.name in ("seat 1", "guest"):
                where = filled(route.path, table)
                asked[who.name, where] = await house.ask(who, "GET", where)
        for turn, after in refused(position, seq):
            body = {"turn": turn, "after": after}
            answer = await house.ask(who, "POST", f"{path}/turns", body)
            assert answer.status >= 400, answer.body
            asked[who.name, f"{turn} after {after}"] = answer
        for last in (None, 0, seq - 1):
            stream: Stream = await house.follow(who, f"{path}/events", last)
            asked[who.name, f"events after {last}"] = await stream.until(seq)
            await stream.leave()
        for further in ("seats/1", "seats/1/name", "pace", "again"):
            asked[who.name, further] = await house.ask(who, "POST", f"{path}/{further}", {"nonsense": 1})
    figures = await house.ask(OPERATOR, "GET", "/metrics")
    assert figures.status == 200
    named = [
        line.rpartition(b" ")[0] for line in figures.body.splitlines()
    ]  # their values are of time and luck
    asked[OPERATOR.name, "names of figures"] = b"\n".join(named)
    return asked


def filled(path: str, table: str) -> str:
    """A route's path with something in every gap."""
    return re.sub(r"{(\w+)(:\w+)?}", lambda gap: {**PLACES, "table": table}[gap[1]], path)


def refused(position: Position, seq: int) -> Iterator[tuple[str, int]]:
    """Turns that cannot be played now, each with the event that it answers."""
    yield from ((turn, seq) for turn in ("", "no turn", "drew +4", "drew 3,1", "drew 2", "?a1", "x" * 500))
    yield from ((turn, seq + 1) for turn in ("draw", "Pa1"))
    yield from ((turn, 0) for turn in ("no turn", "--"))
    taken = [cell.name for cell in position.view(None).cells if cell.lies]
    for space in taken[:3]:
        yield from ((f"{turn}{space}", seq) for turn in ("P", "+3", "-4"))
    if position.asks == "placing":
        yield "draw", seq
    elif position.game.thrown != "tiles":
        yield from ((turn, seq) for turn in ("3,1:5-8/22-21", "4:9-13"))


# --- what is compared -----------------------------------------------------------------------------------


def alike(one: Any, other: Any) -> None:
    """Hold what two houses sent against each other, all but the promise."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            alike(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for this, that in zip(one, other, strict=True):
            alike(this, that)
    elif isinstance(one, Answer):
        assert one.status == other.status
        assert one.headers == other.headers
        alike(one.body, other.body)
    elif isinstance(one, bytes):
        assert unpromised(one) == unpromised(other)
    else:
        assert one == other


def unpromised(sent: bytes) -> bytes:
    """What was sent with every promise made the same, in the table, its page and its record."""
    return re.sub(rb'("promise":"|\[Promise ")[0-9a-f]{64}"', rb'\1"', sent)


def two_lucks(match: Match) -> tuple[tuple[str, ...], tuple[str, ...], Any, Any]:
    """Two lucks of which the match uses the same part, with what deals each."""
    luck = match.game.luck(random.Random(match.seed))
    used = plan(match.start, luck, match.how, match.steps).count("draw")
    if match.game.thrown == "tiles":
        places = places_used(match, luck)
        coming = [place for place in range(len(luck)) if place not in places]
        other = shuffled(luck, coming, match.seed)
        return luck, other, luck, other
    counting = Counting(match.seed)
    match.game.luck(counting)
    each = counting.drawn // len(luck)

    def deal(then: int) -> Any:
        return lambda: Spliced(match.seed, used * each, then)

    return match.game.luck(deal(1)()), match.game.luck(deal(2)()), deal(1), deal(2)


class Counting(random.Random):
    """Counts the numbers that are drawn from it."""

    drawn = 0

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.drawn += 1
        return super().randrange(start)


def places_used(match: Match, luck: tuple[str, ...]) -> list[int]:
    """The places in a luck of tiles from which they were turned over, in that order."""
    names = tuple(map(str, range(len(luck))))
    position, places = match.start, []
    for text in plan(match.start, luck, match.how, match.steps):
        if text == "draw":
            drawing = position.apply(Draw())
            marked = tuple(f"+{name}" for name in names)
            places.append(int(drawing.comes(marked).outcome))
        position = step(position, text, luck)
    return places


def shuffled(luck: Sequence[str], places: list[int], seed: int) -> tuple[str, ...]:
    """The luck with what stands in these places in another order."""
    mixed = list(places)
    random.Random(seed + 1).shuffle(mixed)
    other = list(luck)
    for to, whence in zip(places, mixed, strict=True):
        other[to] = luck[whence]
    return tuple(other)


bounded = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@bounded
@given(match=matches("isis-osiris", "pharao", "senet"))
def test_what_comes_and_the_salt_are_in_no_byte_that_leaves_the_house(twins: Twins, match: Match) -> None:
    luck, other, deal, deal_other = two_lucks(match)
    one, two = evenings(twins, match, (luck, deal, 1), (other, deal_other, 2))
    alike(one.played, two.played)
    alike(one.streams, two.streams)
    alike(one.asked, two.asked)
    alike(one.log, two.log)


@bounded
@given(match=matches("isis-osiris", memory="strict"))
def test_what_lies_face_down_is_in_no_byte_either(twins: Twins, match: Match) -> None:
    luck = match.game.luck(random.Random(match.seed))
    places = places_used(match, luck)
    done = plan(match.start, luck, match.how, match.steps)
    in_hand = places[-1:] if done[-1:] == ["draw"] else []
    other = shuffled(luck, [place for place in range(len(luck)) if place not in in_hand], match.seed)
    one, two = evenings(twins, match, (luck, luck, 1), (other, other, 2))
    alike(one.asked, two.asked)
    alike(one.log, two.log)
    if done and done[-1] != "draw":
        alike(one.played[-1], two.played[-1])


@pytest.mark.parametrize(
    ("game", "level"),
    [("isis-osiris", "scribe"), ("isis-osiris", "priest"), ("pharao", "scribe"), ("senet", "novice")],
)
def test_bots_do_not_know_what_comes(twins: Twins, game: str, level: str) -> None:
    """What a bot does is as random as the salt, so here the salt is the same in both houses, and the order is not."""
    kept = 5  # turns with luck that are the same
    luck = GAMES[game].luck(random.Random(3))
    deals: list[Any] = [
        lambda: Spliced(3, 16 * kept, 1),
        lambda: Spliced(3, 16 * kept, 2),
    ]  # who moves may move again
    if GAMES[game].thrown == "tiles":
        deals = [luck, shuffled(luck, [*range(kept, 11), *range(11 + kept, 22)], 5)]
    told = []
    for house, deal in zip(twins.houses, deals, strict=True):
        house.dealer.deal(7, deal)
        told.append(twins.run(against_a_bot(house, game, level, kept - 1)))
    alike(*told)


async def against_a_bot(house: House, game: str, level: str, turns: int) -> bytes:
    """So many turns of a person and a bot, and what the stream told of them."""
    wish = {
        "seats": [{"kind": "me"}, {"kind": "bot", "level": level}],
        "game": game,
        "first": 1,
        "pace": "at-once",
    }
    state = (await house.ask(SEATS[0], "POST", "/api/tables", wish)).json()["state"]
    path = f"/api/tables/{state['table']}"
    stream = await house.follow(ONLOOKERS[1], f"{path}/events", 0)
    while state["board"]["turns"] < turns or not state["mine"]:
        if state["mine"]:
            turn = "draw" if "draw" in state["board"]["actions"] else legal(state)
            played = {"turn": turn, "after": state["seq"]}
            assert (await house.ask(SEATS[0], "POST", f"{path}/turns", played)).status == 200
        else:
            await asyncio.sleep(0.01)
        state = (await house.ask(SEATS[0], "GET", path)).json()
    sent = await stream.until(state["seq"])
    await stream.leave()
    return sent


def test_twins_that_differ_in_what_can_be_seen_are_not_alike(twins: Twins) -> None:
    match = Match(GAMES["isis-osiris"], "normal", 2, {"memory": "open"}, 1, 2, 9)
    luck = match.game.luck(random.Random(match.seed))
    one, two = evenings(twins, match, (luck, luck, 1), (luck[::-1], luck[::-1], 1))
    differ = [key for key in one.asked if one.asked[key] != two.asked[key]]
    assert {name for name, _ in differ} == {who.name for who in (*SEATS[:2], *ONLOOKERS)}
    assert any("/t/" in where for _, where in differ)
    assert any(where.endswith("/record") for _, where in differ)
    assert any(where == "/api/me/records" for _, where in differ)
    assert any("events" in where for _, where in differ)
