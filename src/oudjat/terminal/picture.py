"""From the table to its picture: what is drawn at a moment, and where every part of the screen is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.widgets import Static

from oudjat.rules.game import N_, BoardView
from oudjat.rules.registry import GAMES
from oudjat.terminal import captions
from oudjat.terminal.colours import DAY, NIGHT
from oudjat.terminal.diary import diary
from oudjat.terminal.fit import LEAST_HEIGHT, LEAST_WIDTH, Fit, fit
from oudjat.terminal.hand import BIG_TILE
from oudjat.terminal.scene import Scene
from oudjat.texts.catalog import Words

if TYPE_CHECKING:
    from oudjat.terminal.table import TableScreen

_THROW_WIDTH = 22
_LEAST_SEATS, _MOST_SEATS = 26, 40


def scene_of(table: TableScreen, room: Fit) -> Scene:
    """What is drawn of a table now."""
    match, names, words, choosing = table.match, table.names, table.words, table.choosing
    view, ceremony = match.view(), table.ceremony
    cells = choosing.cells()
    here = next((cell for cell in cells if cell.name == table.cursor), None)
    notice = table.notice or (captions.below(match, ceremony, here, names, words) if here else "")
    thrower, thrown = match.thrown or (None, None)
    return Scene(
        view=view,
        names=names,
        words=words,
        palette=DAY if table.light else NIGHT,
        fit=room,
        cursor=table.cursor,
        mine=not view.over and not match.bot_to_move,
        told=diary(match, names, words),
        prompt=captions.asked(match, ceremony, choosing, names, words),
        notice=notice,
        keys=captions.keys(ceremony, words, choosing),
        title=captions.title(match, words),
        ceremony=ceremony,
        cells=cells,
        chosen=choosing.made,
        offered=frozenset(choosing.offered),
        barred=frozenset(choosing.barred),
        walked=frozenset() if choosing.made else frozenset(space for walk in match.walked for space in walk),
        thrown=thrown,
        thrower=thrower,
        throws=captions.throws(view, words),
    )


def room_for(size: Size, view: BoardView) -> Fit | None:
    """How the screen is shared out for this game; None when it is too small."""
    tracks = has_scores(view)
    return fit(*size, rows=view.rows, columns=view.columns, players=view.players, tracks=tracks)


def has_scores(view: BoardView) -> bool:
    """Whether the game is scored on tracks."""
    return GAMES[view.game].markers(0) is not None


def make_room(table: TableScreen, room: Fit | None, view: BoardView, words: Words) -> None:
    """Give every part its size, or say that the terminal is too small."""
    small = table.query_one("#small", Static)
    small.display = room is None
    for part in ("#title", "#main", "#prompt", "#keys"):
        table.query_one(part).display = room is not None
    if room is None:
        needed = N_("The board needs {width} × {height} characters: enlarge the window, or add --plain.")
        small.update(words(needed, width=LEAST_WIDTH, height=LEAST_HEIGHT))
        return
    main, side = table.query_one("#main").styles, table.query_one("#side").styles
    main.layout = "vertical" if room.below else "horizontal"
    main.height = room.main_height
    side.width, side.height = room.side_width, room.side_height
    side.padding = (room.above, 0, 0, 0)
    table.query_one("#prompt").styles.height = room.prompt_height
    above = room.above if room.below else (room.main_height - room.board_height) // 2
    for part, wide in (
        ("#board", room.board_width),
        ("#plus", room.track_width),
        ("#minus", room.track_width),
    ):
        styles = table.query_one(part).styles
        styles.width, styles.height = wide, room.board_height
        styles.margin = (above, 0, 0, (room.side_width - wide) // 2 if room.below else 0)
    for track in ("#plus", "#minus"):
        table.query_one(track).display = has_scores(view)
    table.query_one("#hand").display = view.thrown is not None
    if room.below:
        _side_by_side(table, room, view)
    else:
        _one_below_the_other(table, view)


def _one_below_the_other(table: TableScreen, view: BoardView) -> None:
    """The seats, the hand and the log beside the board."""
    table.query_one("#side").styles.layout = "vertical"
    rows = 2 if any(seat.reserve for seat in view.seats) or has_scores(view) else 1
    heights: dict[str, int | str] = {
        "#seats": rows * view.players + 1,
        "#hand": BIG_TILE[1] + 1,
        "#log": "1fr",
    }
    for part, height in heights.items():
        styles = table.query_one(part).styles
        styles.width, styles.height = "100%", height


def _side_by_side(table: TableScreen, room: Fit, view: BoardView) -> None:
    """The seats, the hand and the log below the board."""
    table.query_one("#side").styles.layout = "horizontal"
    seats = min(max(_LEAST_SEATS, room.side_width // 4), _MOST_SEATS)
    hand = _THROW_WIDTH if view.thrown else 0
    widths = {"#seats": seats, "#hand": hand, "#log": room.side_width - seats - hand}
    for part, width in widths.items():
        styles = table.query_one(part).styles
        styles.width, styles.height = width, "100%"
