"""What stands around the board: title, seats, the turned tile or the stock, the log, prompt and keys."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style
from textual.message import Message

from oudjat.rules.game import N_, SeatView
from oudjat.rules.registry import GAMES
from oudjat.terminal.board import standing
from oudjat.terminal.colours import SIGNS, Palette, style
from oudjat.terminal.drawings import HEAVY, LIGHT, Rows, framed, numeral, tile
from oudjat.terminal.match import can_turn_over
from oudjat.terminal.scene import Painted, Scene, clipped, wrapped
from oudjat.texts.speech import shown

BIG_TILE = (11, 5)


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
        sign = (
            f" {SIGNS[seat.colour]} ",
            style(palette.marks[seat.colour], palette.plates[seat.colour], bold=True),
        )
        arrow = (" ▸" if turn else " *" if won else "  ", gold)
        name = clipped(scene.names[seat.number - 1], width - 6)
        first = [arrow, sign, (" ", plain), (name, gold if turn or won else Style(bold=True))]
        score = standing(scene, seat.number) if scene.view.over or seat.score is not None else None
        if scene.view.over and score is not None:
            return [first, self.score(scene, seat, score)]
        reserve = seat.reserve
        if reserve is None:
            return [first, []]
        tint = Style(color=palette.tints[seat.colour], bold=True)
        second = [("   ", plain), (SIGNS[seat.colour] * reserve.pieces, tint)]
        second.append((f" {reserve.pieces}", faint))
        if scene.view.variant != "shared":
            second += [("  ", plain), (f"▒{reserve.tiles}", plain)]
        if score is not None:  # open memory
            second.append((f"  {shown(score, signed=True)}", Style(color=palette.ink, bold=True)))
        return [first, second]

    def score(self, scene: Scene, seat: SeatView, score: int) -> list[tuple[str, Style]]:
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


class Hand(Painted):
    """The tile that is turned over, large, for everybody; or the stock, where a click turns one over."""

    class TurnOver(Message):
        """The stock was clicked."""

    def ground(self, palette: Palette) -> str:
        return palette.paper

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        palette, view = scene.palette, scene.view
        wide, tall = BIG_TILE
        body = tile(view.drawn, wide - 2, tall - 2, palette)
        offered = scene.mine and can_turn_over(view)
        edge = palette.stone_edge
        line = HEAVY if view.drawn or offered else LIGHT
        if view.over:
            return self.counted(scene)
        if not stock_left(scene) and not view.drawn:
            return []
        picture = framed(body, wide, line, style(edge, palette.stone))
        said = self.said(scene, width - wide - 2, offered=offered)
        for row, text in zip(picture, said, strict=False):
            row.insert(0, (" ", Style()))
            row.append((" ", Style()))
            row.append(text)
        return picture

    def counted(self, scene: Scene) -> Rows:
        """While the scoring runs: what the piece that is being counted is worth, large."""
        step = scene.ceremony.current if scene.ceremony and scene.scoring else None
        if step is None:
            return []
        palette, colour = scene.palette, scene.colour(step.seat)
        tint = Style(color=palette.tints[colour], bold=True)
        look = Style(color=palette.value(f"{step.worth:+d}"), bold=True)
        digits = numeral(f"{step.worth:+d}" if step.worth else "0")
        return [
            [(f"  {SIGNS[colour]} {step.space}", tint)],
            [],
            *([("  ", look), (row, look)] for row in digits),
        ]

    def said(self, scene: Scene, width: int, *, offered: bool) -> list[tuple[str, Style]]:
        """What stands beside the picture, in five short rows."""
        palette, words = scene.palette, scene.words
        left = stock_left(scene)
        if scene.view.drawn:
            text, look = words(N_("turned over")), Style(color=palette.gold, bold=True)
        elif offered:
            text, look = words(N_("T turns over a tile")), Style(color=palette.gold, bold=True)
        else:
            text, look = "", Style(color=palette.faint)
        lines = wrapped(text, max(1, width))[:4]
        faint = Style(color=palette.faint)
        rows = [(line, look) for line in lines] + [("", faint)] * (4 - len(lines))
        count = "" if left is None else f"▒ {left}"
        return [*rows, (clipped(count, width), faint)]

    def on_click(self) -> None:
        """A click on the stock turns a tile over."""
        self.post_message(self.TurnOver())


def stock_left(scene: Scene) -> int | None:
    """Tiles in the stock that the seat to move draws from; None when nobody is to move."""
    seat = scene.view.to_move
    reserve = scene.view.seats[seat - 1].reserve if seat else None
    return reserve.tiles if reserve else None


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

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        palette = scene.palette
        gold = Style(color=palette.gold if scene.mine or scene.view.over else palette.ink, bold=True)
        return [
            [(clipped(f" ▸ {scene.prompt}", width), gold)],
            [(clipped(f"   {scene.notice}", width), Style(color=palette.ink))],
        ]


class Keys(Painted):
    """The keys that do something now."""

    def paint(self, scene: Scene, width: int, height: int) -> Rows:  # noqa: ARG002
        return [[(clipped(f" {scene.keys}", width), Style(color=scene.palette.faint))]]
