"""What was solved and analysed, for people: tables on standard output."""

from __future__ import annotations

from collections.abc import Sequence

from babel.numbers import format_decimal
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from oudjat.engine.endgame import Solution
from oudjat.engine.ramses_table import Known
from oudjat.records import Replayed
from oudjat.rules.game import N_, Draw, Turn
from oudjat.study.analysis import Summary
from oudjat.study.judged import JudgedTurn
from oudjat.study.worths import UNKNOWN, Worth
from oudjat.texts.catalog import Words
from oudjat.texts.speech import LEVEL_NAMES, seat_names, shown

PLAIN_WIDTH = 100
"""How wide a table is that goes to a file or another program."""
LONGEST_NAME = 14

ESTIMATE = "~"
"""Stands before what is no exact value."""
DASH = "–"
"""Stands for what is not known."""


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
        players.add_row(name, _amount(words, objective, worth))
    turns = _table((words(N_("turn")), "left"), (_title(words, objective), "right"))
    for turn, worth in solution.best:
        turns.add_row(_spelled(words, turn), _amount(words, objective, worth))
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
        mark = "" if turn.exact else ESTIMATE
        told = (
            _known(words, turn.known_before) or _worth(words, turn.before),
            _known(words, turn.known_after) or _worth(words, turn.after),
            _cost(words, objective, turn.cost),
            _luck(words, objective, turn.luck) if turn.luck else "",
        )
        before, after, cost, luck = (text if text[:1] in ("", DASH) else mark + text for text in told)
        turns.add_row(
            str(turn.turn),
            names[turn.seat - 1],
            _spelled(words, turn.played),
            before,
            after,
            _best(words, turn),
            cost,
            luck,
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
            _cost(words, objective, summary.mean_cost),
            _luck(words, objective, summary.luck),
            f"{worst.turn}. {_spelled(words, worst.played)} ({_cost(words, objective, worst.cost)})"
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


def _best(words: Words, turn: JudgedTurn) -> str:
    """The best choice, and the best placing of the tile that came, where it went elsewhere."""
    best = words(N_("tile")) if isinstance(turn.best, Draw) else _spelled(words, turn.best)
    if turn.best_placing and turn.best_placing != turn.played:
        return f"{best}, {_spelled(words, turn.best_placing)}"
    return best


def _spelled(words: Words, turn: Turn) -> str:
    """A turn as records write it, with words for those that have no spelling there."""
    if isinstance(turn, Draw):
        return words(N_("turn over a tile"))
    if turn.text == "--":
        return words(N_("pass"))
    return shown(turn.text) if turn.text[:1] in "+-" else turn.text


def _known(words: Words, known: Known | None) -> str:
    """What exact play leads to, and when; nothing where no table tells."""
    if known is None:
        return ""
    if known.turns is None:
        return words(N_("draw"))
    return words({"win": N_("win in {turns}"), "loss": N_("loss in {turns}")}[known.value], turns=known.turns)


def _worth(words: Words, worth: Worth) -> str:
    if worth == UNKNOWN:
        return DASH
    if worth.margin is None:
        return f"{_amount(words, 'win', worth.win, '0'):>5}"
    return f"{_amount(words, 'margin', worth.margin)} {_amount(words, 'win', worth.win, '0'):>5}"


def _cost(words: Words, objective: str, cost: Worth) -> str:
    return _amount(words, objective, cost.of(objective), "0.00" if objective == "margin" else "0.0")


def _luck(words: Words, objective: str, luck: Worth) -> str:
    return _amount(
        words, objective, luck.of(objective), "+0.00;-0.00" if objective == "margin" else "+0.0;-0.0"
    )


def _amount(words: Words, objective: str, amount: float | None, pattern: str = "") -> str:
    """Points with their sign, or a share in per cent; a dash for what is not known."""
    if amount is None:
        return DASH
    if objective == "win":
        return f"{_number(words, 100 * amount, pattern or '0.0')} %"
    return _number(words, amount, pattern or "+0.00;-0.00")


def _number(words: Words, number: float, pattern: str) -> str:
    """A number as the language writes it."""
    text = format_decimal(number, pattern, locale=words.language)
    return shown(text.lstrip("+-") if not text.strip("+-0.,") else text)
