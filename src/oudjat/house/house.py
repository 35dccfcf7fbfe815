"""The house: tables that live, the journey of a turn, and those who follow.

A turn's way: :meth:`House.submit` -> the rules -> the store, one transaction -> the table in memory -> each
follower, painted for him. Whatever fails before the store has it leaves everything as it was.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

import msgspec

from oudjat.house.agreeing import MOVED_ON, Overtaken, until_agreed
from oudjat.house.alarms import Alarms
from oudjat.house.analyses import Analyses
from oudjat.house.errors import HouseError
from oudjat.house.events import (
    Again,
    Came,
    Event,
    Gone,
    Held,
    Opened,
    Pace,
    Paced,
    Played,
    Renamed,
    Returned,
    Seated,
    SeatPlan,
    Started,
    free_seat,
)
from oudjat.house.fair import promise_of
from oudjat.house.followers import Follower, Heart, HouseTime, Line, unnumbered
from oudjat.house.leaving import came_back
from oudjat.house.listing import LISTED, listing_of
from oudjat.house.lobby import Lobby
from oudjat.house.news import ANEW, Stored
from oudjat.house.paint import Painted, Viewer
from oudjat.house.store import Append, Conflict, InDoubt, Store, StoreError, Vanished
from oudjat.house.table import Seat, Table, bot_seed
from oudjat.house.thinkers import Thinkers
from oudjat.house.watchers import Watchers
from oudjat.rules.game import N_, Drew, TurnError, UnreadableTurn, read_step
from oudjat.rules.registry import game_named

_LOG = logging.getLogger(__name__)

PACES: dict[Pace, tuple[float, float]] = {"at-once": (0.0, 0.0), "natural": (0.9, 1.8), "slow": (2.0, 3.5)}
"""Seconds that a bot takes before it chooses, and for showing a tile before it places it."""

MOST_IDLE = 500
"""How many tables that nobody follows are kept in memory."""

BETWEEN_TRIES = 2.0
"""Seconds until a bot's turn that failed is tried again."""

OVERDUE = 5.0
"""Seconds after which a bot's turn is taken over from another process, which has died or is too busy."""

BETWEEN_SWEEPS = 2.0
"""Seconds between looks for bots that are overdue."""

_T = TypeVar("_T")
_MOST_ASKED = 500  # tables in one question to the database

_ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


@dataclass(slots=True, eq=False)
class Live:
    """A table in memory, with the lock that orders what happens there."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    followers: set[Follower] = field(default_factory=set)
    bots: asyncio.Task[None] | None = None
    alarm: asyncio.TimerHandle | None = None
    watchers: int = 0


Observer = Callable[[Table, tuple[Event, ...]], None]
"""Told of a table and of the events that have just led to it, stored by this process; it must not wait."""


class House:
    """All tables of one process. Others may keep theirs in the same store: what they do is heard and told here.

    ``randomness`` deals (a ``random.SystemRandom`` in earnest); ``store`` keeps; ``thinkers`` think for the bots;
    ``observers`` are told what happened after those who follow the table; ``events_heard`` counts what other processes
    stored. ``monotonic`` counts the seconds for the clocks.
    """

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        randomness: Random,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self._thinkers = thinkers
        self._randomness = randomness
        self._live: dict[str, Live] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._heart = Heart()
        self._watchers = Watchers(store, self.lives)
        self._endless: list[asyncio.Task[Any]] = []
        self.closing = False
        self.observers: list[Observer] = []
        self.events_heard = 0
        self._unreadable: set[str] = set()
        self.alarms = Alarms(self, monotonic)
        self.lobby = Lobby(store)
        self.analyses = Analyses()

    async def wake(self) -> None:
        """Let the clocks run, hear what other processes do, and go on at the tables where a bot has been due since one
        of them stopped: at once where there is no other."""
        await self.alarms.timekeeper.start()
        self._endless.append(self._task(self.store.listen(self._heard, self._missed)))
        self._endless.append(self._task(self._watchers.exchange()))
        if not self.store.shared:
            await self._take_over_bots(0.0)
        self._endless.append(self._task(self._sweep()))

    async def close(self) -> None:
        """Send everybody home: end the streams and the bots' turns. Stored events stay."""
        self.closing = True
        for live in self._live.values():
            for follower in live.followers:
                follower.part()
            if live.bots:
                live.bots.cancel()
            self.alarms.stop(live)
        for task in self._endless:
            task.cancel()
        self._watchers.close()
        await self.alarms.close()
        await self.analyses.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def live(self, table_id: str, *, fresh: bool = True) -> Live:
        """The table of this id, as new as any answer that any process gave; with ``fresh`` false, as new as what was
        heard here, without a look into the store. Raises :class:`HouseError` 404.

        To be used at once: a table that nobody follows and nobody holds by its lock can be let go of, and come
        back as another object. Not to be asked for by who holds its lock.
        """
        live = self._live.get(table_id)
        if live is None:
            stored = await self.store.load(table_id) if set(table_id) <= set(_ID_LETTERS) else []
            if not stored:
                raise HouseError(404, N_("There is no such table. Was the link copied whole?"))
            live = self._live.setdefault(table_id, Live(Table.from_events(table_id, stored)))
            self._forget_idle(live)
            self.alarms.set(live)
            fresh = True  # what was stored between the reading and this moment was not heard
        if fresh and self.store.shared:
            await self._look(live)
        return live

    async def readable(self, table_id: str) -> Live | None:
        """The table of this id, as new as what was heard here. None where what is stored of it cannot be read, which is
        written down once: one damaged table keeps nobody from the others."""
        try:
            return await self.live(table_id, fresh=False)
        except ValueError:
            self.unreadable(table_id)
            return None

    def unreadable(self, table_id: str) -> None:
        """Write down, once, that what is stored of a table cannot be read, with the exception that is being handled."""
        if table_id not in self._unreadable:
            self._unreadable.add(table_id)
            _LOG.exception("Table %s cannot be read.", table_id, extra={"table": table_id})

    def lives(self) -> list[Live]:
        """Every table that this process has in memory."""
        return list(self._live.values())

    def _forget_idle(self, newest: Live) -> None:
        """Let go of tables that nobody follows and that have nothing to do; the store has them."""
        idle = [
            live
            for live in self._live.values()
            if live is not newest and not live.followers and not live.bots and not live.lock.locked()
        ]
        for live in idle[: max(0, len(idle) - MOST_IDLE)]:
            self.alarms.stop(live)
            del self._live[live.table.id]

    # --- what people do ---------------------------------------------------------------------------------

    async def open_table(self, opened: Opened, table_id: str = "") -> Live:
        """Open a table, of a new id if none is given; when nobody is waited for, its game begins at once.

        Raises :class:`Overtaken` when there is a table of that id, and
        :class:`~oudjat.rules.game.SetupError` for what the game does not have.
        """
        game_named(opened.game).start(
            len(opened.seats), variant=opened.variant, first=max(opened.first, 1), options=opened.options
        )
        table_id = table_id or self._new_id(self._randomness)
        live = self._live[table_id] = Live(Table.planned(table_id, opened))
        self._forget_idle(live)
        try:
            async with live.lock:
                await self.record(live, opened, *([self._start(live.table)] if live.table.ready else []))
        except HouseError:
            if not live.table.seq:
                del self._live[table_id]
            raise
        return live

    @until_agreed
    async def take_seat(
        self, live: Live, number: int, *, key: str, holder: str, name: str, bot_of: str = ""
    ) -> None:
        """Seat a friend who brings the seat's key, or anybody at a seat that is open to all. Taking one's own seat
        again changes nothing.

        Raises :class:`HouseError`: 404 no such seat, 403 wrong key, 409 somebody sits there.
        """
        async with live.lock:
            seat = self._seat(live, number)
            if seat.holder == holder:
                return
            open_to_all = live.table.opened.public and seat.key is None and seat.level is None
            if not open_to_all and (seat.key is None or seat.key != key):
                raise HouseError(403, N_("This link opens no seat at this table."))
            if live.table.status == "over":
                raise HouseError(409, N_("This table is closed."))
            if (live.table.opened.public or live.table.opened.rated) and live.table.seats_of(holder):
                raise HouseError(409, N_("You have a seat at this table already."))
            if seat.taken:
                raise HouseError(409, N_("Somebody sits here already; you can watch the game."))
            seated = Seated(number, holder, name, bot_of)
            others = all(other.taken for other in live.table.seats if other is not seat)
            await self.record(live, seated, *([self._start(live.table)] if others else []))

    @until_agreed
    async def submit(self, live: Live, holder: str | None, text: str, after: int) -> Painted | None:
        """Play a turn, or turn a tile over (``draw``), for the seat whose turn it is.

        ``after`` is the number of the last event that the player knew. The same submission twice takes effect
        once. Returns the table as the turn left it, None when it had taken effect before. Raises
        :class:`HouseError`: 403 not a player here, 409 stale, not his turn or not running, 422 against the rules,
        503 not stored.
        """
        async with live.lock:
            if after > live.table.seq and self.store.shared:  # he knows what we have not heard yet
                await self._catch_up(live)
            table = live.table
            if not table.seats_of(holder):
                raise HouseError(403, N_("You have no seat at this table; you can watch."))
            if not 0 <= after <= table.seq:
                raise HouseError(409, MOVED_ON)
            if _was_taken(table, holder, text, after):
                return None
            if table.status == "waiting":
                raise HouseError(409, N_("The game begins when everybody has sat down."))
            if any(isinstance(event, Came | Played | Started) for event in table.events[after:]):
                raise HouseError(409, MOVED_ON)
            if await self.alarms.ran_out(live):
                table = live.table
            if table.ended:
                raise HouseError(409, N_("The game is over."))
            due = table.seat_due
            if due is not None and due.holder != holder:
                raise HouseError(409, N_("It is not your turn."), rule=table.playing.game.turn_rule)
            moment = self.alarms.moment(table)
            back: tuple[Returned, ...] = came_back(due, moment) if due else ()
            try:
                turn = read_step(table.playing.game, text)
                if isinstance(turn, Drew):
                    raise UnreadableTurn("record", N_("Write “draw”: what comes then is not yours to say."))
                event = table.event_of(turn, moment)
            except TurnError as error:
                raise HouseError(422, error.template, rule=error.rule, **error.gaps) from None
            return await self.record(live, *back, event)

    @until_agreed
    async def rename(self, live: Live, number: int, holder: str | None, name: str) -> None:
        """Call one's seat by a name. Raises :class:`HouseError`: 403 at another's seat, 409 at a rated table."""
        async with live.lock:
            seat = self._seat(live, number)
            if number not in live.table.seats_of(holder):
                raise HouseError(403, N_("This is not your seat."))
            if live.table.opened.rated:
                raise HouseError(409, N_("At a rated table you play under the name of your account."))
            if seat.name != name:
                await self.record(live, Renamed(number, name))

    @until_agreed
    async def set_pace(self, live: Live, holder: str | None, paced: Paced) -> None:
        """Set how long the bots take. Raises :class:`HouseError` 403 for who has no seat here."""
        async with live.lock:
            self._player(live, holder)
            if live.table.pace != paced.pace:
                await self.record(live, paced)

    @until_agreed
    async def again(self, live: Live, holder: str | None) -> str:
        """The table of another game with the same players, set up now or by another player before. Who is gone for
        good leaves his seat to somebody new.

        Raises :class:`HouseError`: 403 for who has no seat here, 409 while the game goes on.
        """
        async with live.lock:
            table = live.table
            self._player(live, holder)
            if table.again:
                return table.again
            if table.status != "over":
                raise HouseError(409, N_("This game is not over yet."))
            seats = tuple(_seat_again(seat, public=table.opened.public) for seat in table.seats)
            following = msgspec.structs.replace(
                table.opened, pace=table.pace, seats=seats, by=holder or "", pairing=None
            )
            table_id = self._new_id(Random(f"again {table.id} {table.started and table.started.salt}"))
            if table_id not in self._live:
                with suppress(Overtaken):  # another player set it up in this moment
                    await self.open_table(following, table_id)
            await self.record(live, Again(table_id, table.seats_of(holder)[0]))
            return table_id

    async def hand_over(self, table_id: str, holder: str, heir: str) -> None:
        """Let ``heir`` have every seat of ``holder`` at a table. Doing it again changes nothing.

        Raises :class:`HouseError` when that cannot be stored.
        """
        await self._at_his_seats(table_id, holder, lambda seat: Held(seat.number, holder, heir))

    async def vacate(self, table_id: str, holder: str) -> None:
        """Say at a table that ``holder`` is gone for good: from now on he can do nothing there.

        Raises :class:`HouseError` when that cannot be stored.
        """
        await self._at_his_seats(table_id, holder, lambda seat: None if seat.gone else Gone(seat.number))

    async def read_anew(self, table_id: str) -> None:
        """Read again what is stored of a table, if this process has it in memory. Who follows it is told what others
        have stored meanwhile."""
        live = self._live.get(table_id)
        if live is None:
            return
        async with live.lock:
            stored = await self.store.load(table_id)
            if len(stored) > live.table.seq:
                self._go_on(live, stored[live.table.seq :])
            live.table = Table.from_events(table_id, stored)

    @until_agreed
    async def _at_his_seats(
        self, table_id: str, holder: str, happens: Callable[[Seat], Held | Gone | None]
    ) -> None:
        """Let something happen at each seat of ``holder``, whoever else plays on there meanwhile."""
        live = await self.live(table_id)
        async with live.lock:
            mine = [seat for seat in live.table.seats if seat.holder == holder]
            new = [event for event in map(happens, mine) if event]
            if new:
                await self.record(live, *new)

    def leave(self, holder: str) -> None:
        """End the open streams of a holder; whoever may still follow comes back at once."""
        for live in self._live.values():
            for follower in live.followers:
                if follower.viewer.holder == holder:
                    follower.end()

    # --- who follows ------------------------------------------------------------------------------------

    async def follow(
        self, table_id: str, viewer: Viewer, after: int | None, line: Line, *, views: bool = True
    ) -> None:
        """Send a table's events to one follower, as Server-Sent Events, until he goes or the house closes.

        ``after`` is the number of the last event he has: he gets exactly what he missed, then what happens.
        None: the last event. With ``views`` the newest event brings the table as it is.
        """
        live = await self.live(table_id, fresh=False)
        table = live.table
        if after is None or after > table.seq:
            after = table.seq - 1
        painted = Painted(table)
        now = HouseTime(self.alarms.time.now())
        missed = [unnumbered(now)] if table.clocks.clock.kind != "none" else []
        missed += [
            painted.message(seq, viewer, with_view=views and seq == table.seq)
            for seq in range(after + 1, table.seq + 1)
        ]
        follower = Follower(viewer, line, missed, views=views)
        live.followers.add(follower)
        self._heart.join(follower)
        self._watchers.changed(live)
        if self.closing:
            follower.end()
        try:
            await follower.stay()
        finally:
            live.followers.discard(follower)
            self._heart.leave(follower)
            self._watchers.changed(live)

    def present(self) -> set[str]:
        """The players who have a table of this process open."""
        return {
            follower.viewer.holder
            for live in self._live.values()
            for follower in live.followers
            if follower.viewer.holder
        }

    # --- how it happens ---------------------------------------------------------------------------------

    async def record(self, live: Live, *new: Event) -> Painted:
        """Store events, then let them have happened and tell them; the caller holds the table's lock. Finishes even
        when whoever asked has gone. Raises :class:`HouseError`: :class:`Overtaken`, or 503 not stored.
        """
        return await asyncio.shield(self._task(self._store_and_tell(live, new)))

    async def _store_and_tell(self, live: Live, new: tuple[Event, ...]) -> Painted:
        table = live.table
        first = table.seq + 1
        ahead = table.after(new)
        before = [None if first == 1 else seat.holder for seat in table.seats]
        changed = [seat for seat, holder in zip(ahead.seats, before, strict=True) if seat.holder != holder]
        painted = Painted(ahead)
        loop = asyncio.get_running_loop()

        def paint() -> None:  # while the disk writes
            if not loop.is_closed():
                loop.call_soon_threadsafe(_messages, painted, live.followers, first)

        append = Append(
            table.id,
            first,
            new,
            ahead.status,
            bot_due=ahead.bot_due,
            holders=tuple((seat.number, seat.holder) for seat in changed if seat.holder),
            deadline=self.alarms.deadline(ahead),
            vacated=tuple(seat.number for seat in changed if not seat.holder),
            listing=listing_of(ahead) if any(isinstance(event, LISTED) for event in new) else None,
            writing=paint,
        )
        at = {"table": table.id}
        try:
            await self.store.append(append)
        except Conflict as error:
            await self._catch_up(live)
            raise Overtaken from error
        except Vanished as error:
            raise HouseError(403, N_("Somebody who would sit here has just deleted his account.")) from error
        except InDoubt as error:
            _LOG.error(
                "Table %s: whether event %d is stored is not known: %s", table.id, first, error, extra=at
            )
            self._task(self._settle(live))
            raise HouseError(
                503,
                N_(
                    "It is not known yet whether this was saved. Look at the board in a moment before you try again."
                ),
            ) from error
        except StoreError as error:
            _LOG.error("Table %s: event %d is not stored: %s", table.id, first, error, extra=at)
            raise HouseError(
                503, N_("This could not be saved, so it has not happened. Please try again in a moment.")
            ) from error
        live.table = ahead
        self._tell(live, first, painted)
        for observer in self.observers:
            observer(ahead, new)
        if not self.closing:
            self.alarms.set(live)
        if len(ahead.steps) != len(table.steps) or not table.bot_due:
            self._let_bots_play(live)  # who has brought a bot's turn about plays it
        return painted

    # --- what other processes do ------------------------------------------------------------------------

    def _heard(self, news: Sequence[Stored]) -> None:
        """Other processes have stored events: go on at those tables that are live here."""
        for stored in news:
            live = self._live.get(stored.table_id)
            if live and stored.seq == ANEW:
                self._task(self.read_anew(stored.table_id))
                continue
            if live is None or stored.seq <= live.table.seq:
                continue
            if live.table.seq + len(stored.events) == stored.seq and not live.lock.locked():
                self._go_on(live, stored.events)
            else:
                self._task(self._catch_up_to(live, stored.seq))

    def _missed(self) -> None:
        """Anything may have been stored unheard."""
        self._task(self._catch_up_everywhere())

    async def _catch_up_everywhere(self) -> None:
        ids = list(self._live)
        with suppress(StoreError):  # then listening begins anew, and so does this
            for start in range(0, len(ids), _MOST_ASKED):
                newest = await self.store.newest(ids[start : start + _MOST_ASKED])
                for table_id, seq in newest.items():
                    if live := self._live.get(table_id):
                        await self._catch_up_to(live, seq)

    async def _catch_up_to(self, live: Live, seq: int) -> None:
        async with live.lock:
            if live.table.seq < seq:
                await self._catch_up(live)

    async def _look(self, live: Live) -> None:
        """Look into the store whether another process has gone on at this table."""
        if await self.store.load(live.table.id, after=live.table.seq):
            async with live.lock:
                await self._catch_up(live)

    async def _settle(self, live: Live) -> None:
        """Look at a table until the store answers."""
        while not self.closing:
            try:
                await self._look(live)
            except StoreError:
                await asyncio.sleep(BETWEEN_TRIES)
            else:
                return

    async def _catch_up(self, live: Live) -> None:
        """Take what another process has stored at this table, whose lock is held, and tell it."""
        self._go_on(live, await self.store.load(live.table.id, after=live.table.seq))

    def _go_on(self, live: Live, events: Sequence[Event]) -> None:
        """Let events have happened that another process has stored and told its observers of."""
        known = live.table
        live.table = known.after(events)
        self.events_heard += len(events)
        for event in events:
            self.alarms.time.hear(getattr(event, "at", 0.0))
        self.alarms.set(live)
        self._tell(live, known.seq + 1, Painted(live.table))
        if live.bots and len(live.table.steps) != len(known.steps):
            live.bots.cancel()  # who has brought a bot's turn about plays it
            live.bots = None

    async def _sweep(self) -> None:
        """Take over from processes that have died, again and again."""
        while True:
            await asyncio.sleep(BETWEEN_SWEEPS)
            with suppress(StoreError):  # the next sweep finds them too
                await self._take_over_bots(OVERDUE)

    async def _take_over_bots(self, seconds: float) -> None:
        for table_id in await self.store.take_over_bots(seconds):
            try:
                self._let_bots_play(await self.live(table_id))
            except (HouseError, ValueError, StoreError):
                _LOG.exception("Table %s cannot go on.", table_id, extra={"table": table_id})

    def _tell(self, live: Live, first: int, painted: Painted) -> None:
        """Send the new events from number ``first`` on to all followers, from the table as it is ``painted``."""
        _recognize(live.followers, live.table.events[first - 1 :])
        for follower, message in _messages(painted, live.followers, first):
            follower.send(message)

    def _new_id(self, randomness: Random) -> str:
        return "".join(_ID_LETTERS[randomness.randrange(len(_ID_LETTERS))] for _ in range(10))

    def _start(self, table: Table) -> Started:
        """Deal: fix who begins and all the luck of the game, and promise it by its hash."""
        game = game_named(table.opened.game)
        first = table.opened.first or self._randomness.randrange(len(table.seats)) + 1
        luck = game.luck(self._randomness)
        salt = f"{self._randomness.getrandbits(128):032x}"
        return Started(first, luck, salt, promise_of(salt, luck), self.alarms.moment(table))

    def _seat(self, live: Live, number: int) -> Seat:
        if not 1 <= number <= len(live.table.seats):
            raise HouseError(404, N_("There is no seat {number} at this table."), number=number)
        return live.table.seats[number - 1]

    def _player(self, live: Live, holder: str | None) -> None:
        if not live.table.seats_of(holder):
            raise HouseError(403, N_("You have no seat at this table; you can watch."))

    def _let_bots_play(self, live: Live) -> None:
        if live.table.bot_due and live.bots is None and not self.closing:
            live.bots = self._task(self._play_bots(live))

    async def _play_bots(self, live: Live) -> None:
        """Play for the bots until a person is due or the game is over."""
        loop = asyncio.get_running_loop()
        try:
            while (seat := live.table.seat_due) is not None and seat.bot and live.table.start:
                steps = live.table.turns
                began = loop.time()
                salt = live.table.started.salt if live.table.started else ""
                turn = await self._thinkers.choose(
                    live.table.start, steps, seat.bot, bot_seed(salt, seat.number)
                )
                placing = live.table.playing.asks == "placing"
                await asyncio.sleep(max(0.0, PACES[live.table.pace][placing] - (loop.time() - began)))
                async with live.lock:
                    if live.table.turns == steps and live.table.bot_due:
                        await self.record(live, live.table.event_of(turn, self.alarms.moment(live.table)))
        except Overtaken:
            return  # another process plays on
        except Exception:
            # the disk may be full, the workers may die, the engine may err: the table must go on all the same
            at = {"table": live.table.id}
            _LOG.exception("Table %s: a bot's turn is tried again.", live.table.id, extra=at)
            await asyncio.sleep(BETWEEN_TRIES)
        finally:
            if live.bots is asyncio.current_task():
                live.bots = None
        self._let_bots_play(live)

    def _task(self, coroutine: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error and not isinstance(error, HouseError):
            _LOG.error("Something went wrong at a table.", exc_info=error)


def _recognize(followers: Iterable[Follower], new: Iterable[Event]) -> None:
    """Know those who follow a table by the accounts to which their seats have gone."""
    heirs = {event.was: event.holder for event in new if isinstance(event, Held)}
    for follower in followers if heirs else ():
        if follower.viewer.holder in heirs:
            follower.viewer = replace(follower.viewer, holder=heirs[follower.viewer.holder])


def _messages(painted: Painted, followers: Iterable[Follower], first: int) -> list[tuple[Follower, bytes]]:
    """What is to be sent to whom of a table's events from number ``first`` on."""
    newest = painted.table.seq
    return [
        (follower, painted.message(seq, follower.viewer, with_view=follower.views and seq == newest))
        for follower in followers
        for seq in range(first, newest + 1)
    ]


def _seat_again(seat: Seat, *, public: bool) -> SeatPlan:
    """A seat as another game with the same players has it. Where nobody is who could play, it waits: for a friend who
    brings its key, or at a public table for anybody."""
    if seat.taken and not seat.gone:
        return SeatPlan(seat.name, seat.level, seat.holder, bot_of=seat.bot_of)
    return free_seat(public=public)


def _was_taken(table: Table, holder: str | None, text: str, after: int) -> bool:
    """Whether this very submission took effect before: it is the first move after what its sender knew, and his
    latest. What he did before that is not told again: it may lie face down by now."""
    moves = [
        (number, event)
        for number, event in enumerate(table.events[after:], after + 1)
        if isinstance(event, Came | Played)
    ]
    mine = [
        (number, event)
        for number, event in moves
        if table.seats[event.seat - 1].holder == holder and table.did_himself(event.seat, number)
    ]
    if not mine or moves[0] != mine[-1]:
        return False
    _, first = moves[0]
    return text == ("draw" if isinstance(first, Came) else first.turn)
