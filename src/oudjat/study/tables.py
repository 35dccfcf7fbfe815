"""What was solved and analysed, for people: tables on standard output."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from oudjat.engine.endgame import Solution
from oudjat.records import Replayed
from oudjat.rules.game import N_
from oudjat.study.judged import JudgedTurn
from oudjat.study.summaries import Summary
from oudjat.study.wording import amount_said, cost_said, luck_said, mean_said, spelled, turn_said
from oudjat.texts.catalog import Words
from oudjat.texts.speech import LEVEL_NAMES, seat_names

PLAIN_WIDTH = 100
"""How wide a table is that goes to a file or another program."""
LONGEST_NAME = 14


def names_in(words: Words, replayed: Replayed) -> list[str]:
    """What the players of a record are called, in seat order; long names are cut."""
    seats: list[tuple[str, str, str | None]] = []
    for seat in range(1, replayed.last.players + 1):
        name = "".join(filter(str.isprintable, replayed.record.tag(f"Seat{seat}") or "")).strip()
        level = name.removeprefix("Bot: ")
        bot = name != level and level in LEVEL_NAMES
        name = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        seats.append(("" if bot else name, replayed.game.colours[seat - 1], level if bot else None))
    return seat_names(words, seats)


def tell_solution(words: Words, solution: Solution, names: Sequence[str], to_move: int) -> None:
    """Print what each player can expect, and what each turn is worth to the one to move (his seat, from 1)."""
    objective = solution.objective
    heading = words.count(
        "{number} free space, {name} to move. What each player can expect from perfect play:",
        "{number} free spaces, {name} to move. What each player can expect from perfect play:",
        solution.free,
        name=names[to_move - 1],
    )
    players = _table((words(N_("player")), "left"), (_title(words, objective), "right"))
    for name, worth in zip(names, solution.value, strict=True):
        players.add_row(name, amount_said(words, objective, worth))
    turns = _table((words(N_("turn")), "left"), (_title(words, objective), "right"))
    for turn, worth in solution.best:
        turns.add_row(spelled(words, turn), amount_said(words, objective, worth))
    _print(heading, players, turns)


def tell_analysis(
    words: Words, judged: Sequence[JudgedTurn], told: Sequence[Summary], names: Sequence[str], objective: str
) -> None:
    """Print every turn of a game, then how each player did."""
    turns = _table_of_turns(words, judged, names, objective)
    legend = (
        []
        if all(turn.exact for turn in judged)
        else [words(N_("~ stands before estimates; all else is exact."))]
    )
    _print(turns, *legend, _table_of_players(words, told, names, objective))


def _table_of_turns(
    words: Words, judged: Sequence[JudgedTurn], names: Sequence[str], objective: str
) -> Table:
    """Worths are those to the player whose turn it was."""
    turns = _table(
        ("", "right"),
        (words(N_("player")), "left"),
        (words(N_("turn")), "left"),
        (words(N_("before")), "right"),
        (words(N_("after")), "right"),
        (words(N_("best")), "left"),
        (words(N_("cost")), "right"),
        (words(N_("luck")), "right"),
    )
    for turn in judged:
        said = turn_said(words, turn, objective)
        turns.add_row(
            str(turn.turn),
            names[turn.seat - 1],
            said.played,
            said.before,
            said.after,
            said.best,
            said.cost,
            said.luck,
        )
    return turns


def _table_of_players(words: Words, told: Sequence[Summary], names: Sequence[str], objective: str) -> Table:
    players = _table(
        (words(N_("player")), "left"),
        (words(N_("turns")), "right"),
        (words(N_("mean cost")), "right"),
        (words(N_("luck")), "right"),
        (words(N_("dearest turn")), "left"),
    )
    for summary in told:
        worst = summary.worst
        players.add_row(
            names[summary.seat - 1],
            str(summary.turns),
            mean_said(words, objective, summary),
            luck_said(words, objective, summary.luck),
            f"{worst.turn}. {spelled(words, worst.played)} ({cost_said(words, objective, worst.cost)})"
            if worst
            else "",
        )
    return players


def _print(*parts: str | Table) -> None:
    """Sentences and tables, on a terminal in its width and colours; without the blanks that fill lines up."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    texts = []
    for part in parts:
        with console.capture() as capture:
            console.print(part)
        texts.append("\n".join(line.rstrip() for line in capture.get().splitlines()).strip("\n"))
    print("\n\n".join(texts))


def _table(*columns: tuple[str, str]) -> Table:
    """With a title and a side for each column."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    for title, side in columns:
        table.add_column(title, justify="right" if side == "right" else "left", no_wrap=True)
    return table


def _title(words: Words, objective: str) -> str:
    return words(N_("share of the win")) if objective == "win" else words(N_("points ahead"))
