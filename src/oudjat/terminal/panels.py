"""What stands around the board: title, seats, the log, prompt and keys. What luck brings: ``hand``."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style

from oudjat.rules.game import N_, SeatView
from oudjat.rules.registry import GAMES
from oudjat.terminal.board import standing
from oudjat.terminal.colours import SIGNS, Palette, style
from oudjat.terminal.drawings import Rows
from oudjat.terminal.scene import Painted, Scene, clipped, wrapped
from oudjat.texts.speech import shown

Row = list[tuple[str, Style]]
_MOST_SIGNS = 7


class Title(Painted):
    """The game's name, and how it is played."""

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        palette = scene.palette
        left = f" ‹◉› {scene.title}"
        right = scene.words(N_("? keys")) + " "
        gap = " " * max(1, width - cell_len(left) - cell_len(right))
        ink = style(palette.gold, palette.ground, bold=True)
        return [[(left, ink), (gap + right, style(palette.faint, palette.ground))]]


class Seats(Painted):
    """Who plays, whose turn it is, and what each has still to place."""

    def ground(self, palette: Palette) -> str:
        return palette.paper

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        rows: Rows = []
        for seat in scene.view.seats:
            rows += self.seat(scene, seat, width)
        return rows

    def seat(self, scene: Scene, seat: SeatView, width: int) -> Rows:
        """Two rows a seat: its name; its reserves, or its score where that is public."""
        palette = scene.palette
        turn = scene.view.to_move == seat.number
        won = seat.number in scene.view.winners and (scene.ceremony is None or scene.ceremony.done)
        plain, faint = Style(color=palette.ink), Style(color=palette.faint)
        gold = Style(color=palette.gold, bold=True)
        sign = palette.chip(seat.colour)
        arrow = (" ▸" if turn else " *" if won else "  ", gold)
        name = clipped(scene.names[seat.number - 1], width - 6)
        first = [arrow, sign, (" ", plain), (name, gold if turn or won else Style(bold=True))]
        score = standing(scene, seat.number) if scene.view.over or seat.score is not None else None
        if scene.view.over and score is not None:
            return [first, self.score(scene, seat, score)]
        reserve = seat.reserve
        if reserve is None:
            return [self.on_board(scene, seat, first, width)]
        tint = Style(color=palette.tints[seat.colour], bold=True)
        second = [("   ", plain), (SIGNS[seat.colour] * reserve.pieces, tint)]
        second.append((f" {reserve.pieces}", faint))
        if scene.view.variant != "shared":
            second += [("  ", plain), (f"▒{reserve.tiles}", plain)]
        if score is not None:  # open memory
            second.append((f"  {shown(score, signed=True)}", Style(color=palette.ink, bold=True)))
        return [first, second]

    def on_board(self, scene: Scene, seat: SeatView, first: Row, width: int) -> Row:
        """The row of a seat without reserves: its name, and at the end of the row its pieces on the board."""
        lying = [lies for cell in scene.view.cells for lies in (cell.lies, *cell.pile) if lies]
        number = sum(lies.seat == seat.number for lies in lying)
        pieces = SIGNS[seat.colour] * number if number <= _MOST_SIGNS else f"{SIGNS[seat.colour]} {number}"
        *before, (name, look) = first
        room = width - 9 - len(pieces)
        tint = Style(color=scene.palette.tints[seat.colour], bold=True)
        return [*before, (clipped(name, room).ljust(room), look), (" ", Style()), (pieces, tint)]

    def score(self, scene: Scene, seat: SeatView, score: int) -> Row:
        """The score, and a chip for each +/-20 marker that lies beside the track (IO-15)."""
        palette = scene.palette
        side = palette.plus if score >= 0 else palette.minus
        chips = GAMES[scene.view.game].markers(score) or 0
        row = [("     ", Style()), (shown(score, signed=True), Style(color=side, bold=True))]
        sign = "+20" if score > 0 else "−20"
        for _ in range(chips):
            row += [
                (" ", Style()),
                (f"[{sign}]", style(palette.marks[seat.colour], palette.plates[seat.colour])),
            ]
        return row


class Log(Painted):
    """What has happened, the newest at the bottom."""

    def ground(self, palette: Palette) -> str:
        return palette.paper

    def paint(self, scene: Scene, width: int, height: int) -> Rows:
        palette = scene.palette
        rows: Rows = []
        for seat, sentence in scene.told[-height:]:
            colour = scene.colour(seat)
            sign = (SIGNS[colour], Style(color=palette.tints[colour], bold=True))
            for index, line in enumerate(wrapped(sentence, width - 4)):
                rows.append([(" ", Style()), sign if index == 0 else (" ", Style()), (f" {line}", Style())])
        return rows[-height:] if height else []


class Prompt(Painted):
    """What is asked and of whom; below it, what the cursor is on or why something cannot be done."""

    def ground(self, palette: Palette) -> str:
        return palette.paper

    def paint(self, scene: Scene, width: int, height: int) -> Rows:
        palette = scene.palette
        gold = Style(color=palette.gold if scene.mine or scene.view.over else palette.ink, bold=True)
        notice = filled(scene.notice, width - 4, height - 1)
        prompt = filled(scene.prompt, width - 4, height - max(1, len(notice)))
        rows: Rows = [[(("   " if at else " ▸ ") + line, gold)] for at, line in enumerate(prompt)]
        return rows + [[(f"   {line}", Style(color=palette.ink))] for line in notice]


def filled(text: str, width: int, most: int) -> list[str]:
    """``text`` in at most ``most`` lines; what is too long for them ends in an ellipsis."""
    lines = wrapped(text, width)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], clipped(" ".join(lines[most - 1 :]), width)]


class Keys(Painted):
    """The keys that do something now."""

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        return [[(clipped(f" {scene.keys}", width), Style(color=scene.palette.faint))]]
