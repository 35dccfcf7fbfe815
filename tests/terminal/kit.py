"""What the tests of the terminal share: matches, apps, and reading the screen as text."""

import random
from collections.abc import Callable
from dataclasses import replace

from textual.pilot import Pilot

from oudjat.rules.game import BoardView, Turn, Ways
from oudjat.terminal.app import PlayApp
from oudjat.terminal.match import Match
from oudjat.terminal.pace import Pace
from oudjat.terminal.seating import Player, Setup, names_of
from oudjat.texts.catalog import words_in

STILL = Pace(0, 0, 60)  # the scoring waits for keys
ME = Player("Ada")
BOT = Player(level="novice")


def a_match(players: tuple[Player, ...] = (ME, BOT), seed: int = 3, **setup: object) -> Match:
    return Match(Setup(players, seed, **({"first": 1} | setup)))  # type: ignore[arg-type]


def an_app(match: Match, pace: Pace = STILL, language: str = "en", **how: bool) -> PlayApp:
    words = words_in(language)
    names = names_of(match.setup.players, [seat.colour for seat in match.view().seats], words)
    return PlayApp(match, names, words, pace, again=lambda last: Match(last.setup), **how)


def screen_text(app: PlayApp) -> str:
    """The screen as characters, row by row."""
    width, height = app.size
    rows = [[" "] * width for _ in range(height)]
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        rows[y] = list(strip.text.ljust(width))
    return "\n".join("".join(row) for row in rows)


def first_way(view: BoardView) -> list[str]:
    """The choices of the first turn that can be taken."""
    choices: list[str] = []
    here: Ways | str = view.ways
    while isinstance(here, dict) and here:
        choice = next(iter(here))
        choices.append(choice)
        here = here[choice]
    return choices


def scripted(match: Match) -> Callable[[], Turn]:
    """A bot that knows no game: it takes any turn."""
    position = match.position
    chance = random.Random(f"{match.setup.seed} {position.turns}")
    return lambda: chance.choice(position.choices())


def played_until(match: Match, turns: int) -> Match:
    """The match after some turns of no sense."""
    while match.position.turns < turns and not match.over:
        match.take(scripted(match)())
    return match


def nearly_over(match: Match) -> Match:
    """Play a match of people until one space is free and a piece or a tile is in reserve for it."""
    bots = Match(replace(match.setup, players=(BOT,) * len(match.setup.players)))
    while bots.position.free_spaces != 1:
        bots.take(bots.thinking()())
        step = bots.happened[len(match.happened)].turn
        match.take(step)
    return match


async def settle(pilot: Pilot[None], app: PlayApp) -> None:
    """Wait until a person has to do something."""
    await pilot.pause()
    while app.match.bot_to_move:
        await app.workers.wait_for_complete()
        await pilot.pause()


async def walk_to(pilot: Pilot[None], app: PlayApp, space: str) -> None:
    """Walk the cursor by arrow keys."""
    cell = app.match.view().cell(space)
    down, right = cell.row - app.table.row, cell.column - app.table.column
    keys = ["down" if down > 0 else "up"] * abs(down) + ["right" if right > 0 else "left"] * abs(right)
    if keys:
        await pilot.press(*keys)


def nearest_free(app: PlayApp) -> str:
    """The free space that is the fewest keys away."""
    free = [cell for cell in app.match.view().cells if cell.lies is None]
    return min(
        free, key=lambda cell: abs(cell.row - app.table.row) + abs(cell.column - app.table.column)
    ).name


async def play_by_keys(pilot: Pilot[None], app: PlayApp, seed: int = 1) -> None:
    """Play to the end of the game by keyboard alone."""
    chance = random.Random(seed)
    await settle(pilot, app)
    while not app.match.over:
        view = app.match.view()
        if view.drawn is None and "--" not in view.actions:
            can_place = any(cell.offers for cell in view.cells)
            if "draw" in view.actions and (not can_place or chance.random() < 0.5):
                await pilot.press("t")
        await walk_to(pilot, app, nearest_free(app))
        await pilot.press("enter")
        await settle(pilot, app)
