import pytest
from rich.cells import cell_len

from oudjat.rules.registry import GAMES
from oudjat.terminal.ceremony import Ceremony
from oudjat.terminal.colours import DAY, NEUTRAL, NIGHT, SIGNS
from oudjat.terminal.drawings import slab, tile
from oudjat.terminal.fit import fit
from oudjat.terminal.pieces import GLYPHS, mark, piece
from oudjat.terminal.scene import clipped, wrapped
from tests.terminal.kit import BOT, a_match


def text(rows: list[list[tuple[str, object]]]) -> list[str]:
    return ["".join(run for run, _ in row) for row in rows]


SHAPES = sorted({shape for game in GAMES.values() for shape in game.shapes})


@pytest.mark.parametrize("tall", range(2, 8))
def test_every_drawing_fills_its_space_exactly(tall: int) -> None:
    for palette in (DAY, NIGHT):
        for wide in (2 * tall - 1, 2 * tall, 2 * tall + 1):
            for shape in SHAPES:
                for colour in (*SIGNS, NEUTRAL):
                    rows = text(piece(shape, colour, (wide, tall), palette, palette.sunk))  # type: ignore[arg-type]
                    assert [cell_len(row) for row in rows] == [wide] * tall
            for name in (*GLYPHS, "way-in"):
                rows = text(mark(name, wide, tall, palette.ink, palette.sunk))  # type: ignore[arg-type]
                assert [cell_len(row) for row in rows] == [wide] * tall
        for face in (None, "+1", "-4"):
            wide = 2 * tall + 3
            rows = text(slab(tile(face, wide - 2, tall - 1, palette), wide, palette))  # type: ignore[arg-type]
            assert [cell_len(row) for row in rows] == [wide] * (tall + 1)


@pytest.mark.parametrize("tall", [2, 3, 5])
@pytest.mark.parametrize("game", GAMES)
def test_pieces_differ_without_any_colour(game: str, tall: int) -> None:
    wide = 2 * tall + 1
    looks = list(zip(GAMES[game].shapes, GAMES[game].colours, strict=True))
    if len(set(GAMES[game].shapes)) == 1:
        looks.append((GAMES[game].shapes[0], NEUTRAL))
    drawn = {tuple(text(piece(*look, (wide, tall), DAY, DAY.sunk))) for look in looks}  # type: ignore[arg-type]
    assert len(drawn) == len(looks)
    assert text(tile("+2", 2 * tall, tall, DAY)) != text(tile("-2", 2 * tall, tall, DAY))  # type: ignore[arg-type]


def luminance(colour: str) -> float:
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("palette", [DAY, NIGHT], ids=["day", "night"])
def test_text_has_contrast_enough(palette: object) -> None:
    look = DAY if palette is DAY else NIGHT
    pairs = [
        (ink, ground) for ink in (look.ink, look.faint, look.gold) for ground in (look.paper, look.ground)
    ]
    pairs += [(look.plus, look.paper), (look.minus, look.paper), (look.wood_ink, look.wood)]
    pairs += [(look.stone_plus, look.stone), (look.stone_minus, look.stone), (look.stone_ink, look.stone)]
    pairs += [(look.marks[colour], look.plates[colour]) for colour in SIGNS]
    pairs += [(look.tints[colour], look.paper) for colour in SIGNS]
    pairs += [(ground.ink, ground.colour) for ground in look.grounds.values()]
    signs = [(ground.lit, ground.colour) for ground in look.grounds.values()]
    for ink, ground in pairs + signs:
        light, dark = sorted((luminance(ink), luminance(ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= (4.5 if (ink, ground) in pairs else 3), (ink, ground)


def test_the_board_grows_with_the_terminal() -> None:
    assert fit(79, 24, rows=6, columns=6, players=2) is None
    assert fit(80, 23, rows=6, columns=6, players=2) is None
    for players in (2, 3, 4):
        small = fit(80, 24, rows=6, columns=6, players=players)
        assert small is not None
        assert (small.cell_width, small.cell_height) == (7, 3)
    large = fit(120, 40, rows=6, columns=6, players=4)
    assert large is not None
    assert (large.cell_width, large.cell_height) == (11, 5)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60), (300, 24)])
def test_every_board_fits_and_leaves_room(game: str, size: tuple[int, int]) -> None:
    start = GAMES[game].start(2).view(None)
    room = fit(*size, rows=start.rows, columns=start.columns, players=GAMES[game].players[-1])
    assert room is not None
    assert room.below == (start.columns > 2 * start.rows)
    assert room.board_width <= size[0]
    assert room.side_height >= max(6, GAMES[game].players[-1])
    assert 1 + room.main_height + room.prompt_height + 1 == size[1]


def test_lines_are_broken_at_spaces() -> None:
    assert wrapped("Ada placed a piece on c4.", 11) == ["Ada placed", "a piece on", "c4."]
    assert wrapped("abcdefgh ij", 4) == ["abcd", "efgh", "ij"]
    assert clipped("abcdef", 4) == "abc…"


def test_the_ceremony_counts_every_piece_once_and_ends_with_the_scores() -> None:
    """IO-14."""
    match = a_match((BOT, BOT))
    while not match.over:
        match.take(match.thinking()())
    ceremony = Ceremony(match.game.scoring(match.position))
    moments = 0
    while not ceremony.done:
        assert len(ceremony.taken) == max(0, ceremony.at - 1)
        ceremony = ceremony.next()
        moments += 1
    assert moments == len(ceremony.steps) + 1
    assert match.position.outcome is not None
    assert match.position.outcome.scores == (ceremony.total(1), ceremony.total(2))
    assert ceremony.next() == ceremony
    assert Ceremony(ceremony.steps).skipped() == ceremony
