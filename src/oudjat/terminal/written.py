"""Boards and choices as plain text."""

from __future__ import annotations

from collections.abc import Sequence

from oudjat.rules.game import N_, BoardView, Cell, Draw, Lies, UnreadableTurn
from oudjat.terminal.board import lettered
from oudjat.terminal.choosing import Choosing
from oudjat.texts.catalog import Words
from oudjat.texts.tongues import action_label

_FREE, _NEUTRAL, _TILE = ".", "o", "#"


def board_table(view: BoardView, names: Sequence[str], words: Words) -> str:
    """The board as a small table of text: a seat's number for its piece, o for a neutral one, # for a face-down tile,
    . for free. Where spaces have numbers, each stands before what lies there."""
    rows = _lettered(view) if lettered(view) else _numbered(view)
    pieces = ", ".join(
        words(N_("{number} {name}'s piece"), number=number, name=name) for number, name in enumerate(names, 1)
    )
    lying = [lies for cell in view.cells for lies in (cell.lies, *cell.pile) if lies]
    if view.thrown == "tiles":
        rows.append(words(N_("{pieces}, # face-down tile, . free."), pieces=pieces))
    elif any(lies.seat is None for lies in lying):
        rows.append(words(N_("{pieces}, o a neutral piece, . free."), pieces=pieces))
    else:
        rows.append(words(N_("{pieces}, . free."), pieces=pieces))
    return "\n".join(rows)


def _lettered(view: BoardView) -> list[str]:
    grid = {(cell.row, cell.column): cell for cell in view.cells}
    columns = [grid[0, column].name[:1] for column in range(view.columns)]
    rows = ["  " + "".join(f"{letter:>3}" for letter in columns)]
    for row in range(view.rows):
        signs = "".join(f"{_sign(grid[row, column].lies):>3}" for column in range(view.columns))
        rows.append(f"{grid[row, 0].name[1:]:>2}{signs}")
    return rows


def _numbered(view: BoardView) -> list[str]:
    rows = []
    for row in range(view.rows):
        places = [""] * view.columns
        for cell in view.cells:
            if cell.row == row:
                text = f"{cell.name:>2}:{_signs(cell)}"
                wide = 5 * cell.columns
                places[cell.column : cell.column + cell.columns] = [
                    text.ljust(wide),
                    *[""] * (cell.columns - 1),
                ]
            elif cell.row < row < cell.row + cell.rows:
                places[cell.column] = " " * 5 * cell.columns
        rows.append("".join(places).rstrip())
    return rows


def _signs(cell: Cell) -> str:
    return "".join(_sign(lies) for lies in cell.pile) or _sign(cell.lies)


def _sign(lies: Lies | None) -> str:
    if lies is None:
        return _FREE
    if lies.kind == "tile":
        return lies.face or _TILE
    return str(lies.seat) if lies.seat else _NEUTRAL


def moves(choosing: Choosing, words: Words) -> str:
    """What can be chosen now, a line for each piece: where it can go, or what else can be done with it.

    >>> from oudjat.rules.ramses import RAMSES
    >>> from oudjat.texts.catalog import words_in
    >>> print(moves(Choosing(RAMSES.start().view(1)), words_in("en")).splitlines()[0])
    2: 8, 10
    """
    view, spaces = choosing.view, {cell.name for cell in choosing.view.cells}

    def named(choice: str) -> str:
        return choice if choice in spaces else f"{choice} ({action_label(words, view, choice)})"

    lines = []
    here = choosing.next()
    if sum(choice in spaces for choice in choosing.made) % 2:  # a piece is chosen: where it can go
        lines.append(", ".join(map(named, here)))
    else:
        lines += [
            f"{named(choice)}: {', '.join(map(named, on)) if isinstance(on, dict) else ''}".rstrip(": ")
            for choice, on in here.items()
        ]
    if not choosing.made:
        lines += [
            f"{'pass' if action != Draw().text else 'throw'}: {action_label(words, view, action)}"
            for action in view.actions
        ]
    return "\n".join(lines)


def no_space(view: BoardView, name: str) -> UnreadableTurn:
    """That the board has no such space, and which it has."""
    if lettered(view):
        return UnreadableTurn(
            "record", N_("There is no space {space}; columns are a to f, rows 1 to 6."), space=name
        )
    numbers = sorted(int(cell.name) for cell in view.cells)
    return UnreadableTurn(
        "record",
        N_("There is no space {space}; spaces are {first} to {last}."),
        space=name,
        first=numbers[0],
        last=numbers[-1],
    )
