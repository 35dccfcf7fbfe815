"""The engine protocol: what it answers, that nothing breaks it, that the same asked twice is answered the same."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import oudjat
from oudjat.engine.levels import LEVELS
from oudjat.engine.protocol import Conversation, converse
from oudjat.engine.thought import Budget, Thought
from oudjat.rules.game import Draw, Position, Turn, follow_all
from oudjat.rules.isis_osiris import ISIS_OSIRIS
from oudjat.rules.registry import GAMES
from tests.timing import quickest

PROGRAM = [sys.executable, "-c", "from oudjat.cli import main; main()", "engine"]
ROOT = Path(__file__).parents[2]
HANDSHAKE = [
    f"id name Oudjat {oudjat.__version__}",
    f"games {' '.join(GAMES)}",
    f"levels {' '.join(LEVELS)}",
    "ready",
]


def run(text: bytes) -> tuple[int, list[str], str]:
    """What the program says to ``text``: status, lines, standard error."""
    done = subprocess.run(PROGRAM, input=text, capture_output=True, timeout=600, check=False)
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


def draws_first(
    start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None
) -> Thought:
    """A thought without a thinker: the last choice of all, which turns a tile over where it can."""
    position: Position = start
    for turn in turns:
        position = position.follow(turn)
    choices = position.choices()
    line = tuple(turn for turn in (ISIS_OSIRIS.read("Pd4"), Draw()) if turn in choices)
    return Thought(choices[-1], value=0.62, playouts=812345, line=line)


def talk(*lines: str, conversation: Conversation | None = None) -> list[str]:
    """What a conversation answers to these lines, all together."""
    conversation = conversation or Conversation(draws_first)
    return [answer for line in lines for answer in conversation.answer(line)]


def begun(*turns: str, settings: str = "") -> Conversation:
    """A conversation in which a game is being played."""
    conversation = Conversation(draws_first)
    assert talk(f"new isis-osiris {settings}", conversation=conversation) == ["ok"]
    assert talk(f"turns {' '.join(turns)}", conversation=conversation) == ["ok"]
    return conversation


def position_of(conversation: Conversation) -> Position:
    assert conversation.session is not None
    return conversation.session.position


# --- what is answered -----------------------------------------------------------------------------------


def test_the_transcript_of_the_protocol() -> None:
    best = list(LEVELS)[-1]
    conversation = Conversation(draws_first)
    for asked, answered in (
        ("oudjat", HANDSHAKE),
        (f"new isis-osiris players=2 variant=normal first=1 level={best} seed=7", ["ok"]),
        ("turns Pc3 +2d3", ["ok"]),
        ("go movetime 1000", ["info playouts 812345 value 0.6200 pv Pd4 draw", "best draw"]),
        ("drew -3", ["best -3f6"]),
        ("turns -3c4", ["ok"]),
        ("quit", []),
    ):
        assert conversation.answer(asked) == answered
    assert conversation.over
    assert position_of(conversation) == follow_all(ISIS_OSIRIS.start(), "Pc3 +2d3 -3c4".split())


def test_the_program_holds_the_conversation_line_by_line() -> None:
    process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin
    assert process.stdout

    def ask(line: str, lines: int = 1) -> list[str]:
        assert process.stdin
        assert process.stdout
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
        return [process.stdout.readline().decode().rstrip("\n") for _ in range(lines)]

    assert ask("oudjat", 4) == HANDSHAKE
    assert ask("new isis-osiris players=2 variant=normal first=1 level=priest seed=7") == ["ok"]
    assert ask("turns Pc3 +4d4") == ["ok"]
    (best,) = ask("go movetime 1000")
    assert best in {"best Pd3", "best Pc4", "best Pe4", "best Pd5"}
    assert ask("turns " + best.removeprefix("best ")) == ["ok"]
    process.stdin.write(b"quit\n")
    process.stdin.close()
    assert process.stdout.read() == b""
    assert process.wait(600) == 0
    process.stdout.close()


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        (b"", []),
        (b"quit", []),
        (b"\n  \n\t\r\nquit\n", []),
        (b"oudjat\r\nquit\r\n", HANDSHAKE),
        (b"\xef\xbb\xbfoudjat\nquit\noudjat\n", HANDSHAKE),
        (b"oudjat", HANDSHAKE),
    ],
)
def test_the_end_of_input_and_quit_end_the_program_with_status_0(text: bytes, answers: list[str]) -> None:
    assert run(text) == (0, answers, "")


def test_a_value_is_told_where_there_is_one() -> None:
    def knows(*_: object) -> Thought:
        return Thought(ISIS_OSIRIS.read("Pc3"), value=0.5, playouts=10)

    def knows_not(*_: object) -> Thought:
        return Thought(ISIS_OSIRIS.read("Pc3"))

    for think, answers in ((knows, ["info playouts 10 value 0.5000 pv Pc3", "best Pc3"]),
                           (knows_not, ["best Pc3"])):  # fmt: skip
        assert talk("new isis-osiris", "go", conversation=Conversation(think)) == ["ok", *answers]


def test_what_go_allows_reaches_the_level_and_reaches_it_again_for_a_drawn_value() -> None:
    asked: list[tuple[int, str, int, Budget | None]] = []

    def listens(
        start: Position, turns: Sequence[Turn], level: str, seed: int, budget: Budget | None
    ) -> Thought:
        asked.append((len(turns), level, seed, budget))
        return draws_first(start, turns, level, seed, budget)

    conversation = Conversation(listens)
    talk("new isis-osiris level=scribe seed=9", "turns Pc3", conversation=conversation)
    asked.clear()
    talk("go playouts 12 movetime 250", "drew +1", "go movetime 3600000", "go", conversation=conversation)
    budget = Budget(seconds=0.25, playouts=12)
    assert asked == [
        (1, "scribe", 9, budget),
        (3, "scribe", 9, budget),
        (1, "scribe", 9, Budget(seconds=3600.0)),
    ]
    talk("turns", "go", conversation=conversation)
    assert asked[-1] == (1, "scribe", 9, Budget())


def test_the_settings_of_a_game_are_those_of_its_records() -> None:
    conversation = begun(settings="players=3 variant=shared first=2 memory=open")
    assert position_of(conversation) == ISIS_OSIRIS.start(
        3, variant="shared", first=2, options={"memory": "open"}
    )
    assert conversation.session
    assert (conversation.session.level, conversation.session.seed) == (list(LEVELS)[-1], 0)


def test_a_drawn_value_is_forgotten_with_the_next_turns() -> None:
    conversation = begun("Pc3")
    assert talk("go", "drew +4", conversation=conversation)[1:] == ["best draw", "best +4f6"]
    assert talk("drew -4", conversation=conversation) == ["best -4f6"]  # what if another had come
    assert len(talk("turns Pd3", "drew +4", conversation=conversation)) == 2
    assert talk("drew +4", conversation=conversation)[0].startswith("error No value is awaited")
    assert position_of(conversation) == follow_all(ISIS_OSIRIS.start(), ["Pc3", "Pd3"])


def test_tiles_whose_value_is_withheld_are_accepted_and_played_on_by_every_level() -> None:
    for level in LEVELS:
        lines = [f"new isis-osiris level={level}", "turns ?c4 Pc3 ?d4", "go playouts 20"]
        *_, best = talk(*lines, conversation=Conversation())
        assert best.startswith(("best ", "error The level"))


def test_turns_are_taken_all_or_none() -> None:
    conversation = begun("Pc3")
    before = conversation.session
    assert talk("turns Pd3 Pd4 Pc3 Pa1", conversation=conversation) == [
        "error Turn 4, “Pc3”, breaks IO-9: c3 is not free; choose a space on which nothing lies."
    ]
    assert conversation.session is before


# --- what is refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", "There is no command “hello”; there is: oudjat, new, turns, go, drew, quit."),
        ("stop", "There is no command “stop”"),
        ("GO", "There is no command “GO”"),
        ("oudjat 2", "oudjat stands alone"),
        ("quit now", "quit stands alone"),
        ("new", "new takes a game"),
        ("new chess", "There is no game “chess”; there is: isis-osiris, isis, ramses, pharao, senet."),
        ("new isis-osiris players=5", "Isis & Osiris is for 2 to 4 players, not 5."),
        ("new isis-osiris players=two", "players takes a whole number from 1 to 99, not “two”."),
        ("new isis-osiris players=-2", "players takes a whole number"),
        ("new isis-osiris players=٢", "players takes a whole number"),
        ("new isis-osiris first=3", "Seat 3 cannot begin"),
        ("new isis-osiris variant=fast", "Isis & Osiris has no variant “fast”"),
        ("new isis-osiris level=god", "There is no level “god”; there is: novice, scribe"),
        ("new isis-osiris memory=lost", "The option memory cannot be “lost”"),
        ("new isis-osiris colour=red", "Isis & Osiris has no option “colour”."),
        ("new isis-osiris seed", "“seed” is not written key=value."),
        ("new isis-osiris =7", "“=7” is not written key=value."),
        ("new isis-osiris seed=1 seed=2", "seed stands twice."),
        ("new isis-osiris seed=1000000000000000001", "seed takes a whole number"),
        (f"new isis-osiris seed={'9' * 5000}", "The line holds a word of more than 64 characters."),
        ("turns Pg1", "Turn 3, “Pg1”, breaks IO-1: There is no space g1"),
        ("turns +5a1", "Turn 3, “+5a1”, breaks IO-2: There is no tile of +5"),
        ("turns Pc3", "Turn 3, “Pc3”, breaks IO-9: c3 is not free"),
        ("turns +4a1", "Turn 3, “+4a1”, breaks IO-2: No tile of +4 is left"),
        ("turns --", "Turn 3, “--”, breaks IO-20: You cannot pass"),
        ("turns draw", "Turn 3, “draw”, cannot be read"),
        ("turns Pa1 xyz", "Turn 4, “xyz”, cannot be read"),
        ("go 100", "go takes movetime MS and playouts N"),
        ("go movetime", "movetime takes a whole number from 1 to 3600000, not “”."),
        ("go movetime 0", "movetime takes a whole number"),
        ("go movetime 3600001", "movetime takes a whole number"),
        ("go movetime 1.5", "movetime takes a whole number"),
        ("go movetime 1e3", "movetime takes a whole number"),
        ("go movetime 9 movetime 9", "go takes movetime MS and playouts N, each at most once"),
        ("go playouts 1000000000001", "playouts takes a whole number from 1 to 1000000000000"),
        ("go playouts 5 movetime", "movetime takes a whole number"),
        ("go infinite", "go takes movetime"),
        ("drew -3", "No value is awaited"),
        ("drew", "drew takes the value that came"),
        ("turns Pa1\0", "The line holds characters that are no text."),
        ("turns Pa1\u2028", "The line holds characters that are no text."),
        ("turns\x0bPa1", "The line holds characters that are no text."),
        ("turns\rPa1", "The line holds characters that are no text."),
        ("turns P\ufffd1", "Turn 3, “P\ufffd1”, cannot be read"),
    ],
)
def test_what_cannot_be_followed_is_one_sentence_and_changes_nothing(line: str, said: str) -> None:
    conversation = begun("Pc3", "+4d3")
    before = conversation.session
    (answer,) = conversation.answer(line)
    assert answer.startswith(f"error {said}")
    assert answer.endswith(".")
    assert conversation.session == before
    assert talk("turns Pd4", conversation=conversation) == ["ok"]


def test_before_a_game_there_is_nothing_to_play() -> None:
    for line in ("turns Pc3", "turns", "go", "drew +1"):
        assert talk(line) == ["error No game is being played; begin one with new."]


def test_while_a_value_is_awaited_it_has_to_come_first() -> None:
    conversation = begun("Pc3", "+4d3")
    talk("go", conversation=conversation)
    before = conversation.session
    for line, said in (
        ("go", "A value is awaited"),
        ("drew +4", "“+4” cannot have come (IO-2): No tile of +4 is left"),
        ("drew +9", "“+9” cannot have come (IO-2): There is no tile of +9"),
        ("drew 3", "“3” cannot have come (IO-2)"),
        ("drew +3 +3", "drew takes the value that came"),
        ("drew ٣", "“٣” cannot have come"),
    ):
        (answer,) = talk(line, conversation=conversation)
        assert answer.startswith(f"error {said}")
        assert conversation.session == before
    assert talk("drew +3", conversation=conversation) == ["best +3f6"]


def test_a_finished_game_has_no_best_turn() -> None:
    conversation = begun()
    position = position_of(conversation)
    while position.choices():
        answers = talk("go", conversation=conversation)
        if answers[-1] == "best draw":
            came, _ = position.apply(Draw()).chance()[0]
            answers = talk(came.text, conversation=conversation)
        assert talk(answers[-1].replace("best", "turns"), conversation=conversation) == ["ok"]
        position = position_of(conversation)
    assert position.outcome is not None
    assert talk("go", conversation=conversation) == ["error The game is over; begin another with new."]
    assert talk("turns Pc3", conversation=conversation)[0].startswith("error Turn 37, “Pc3”, breaks IO-12")


def test_a_level_that_cannot_choose_says_so_in_a_sentence() -> None:
    def cannot(*_: object) -> Thought:
        raise ValueError("a value is missing")

    assert talk("new isis-osiris level=scribe", "go", conversation=Conversation(cannot)) == [
        "ok",
        "error The level scribe cannot choose here: a value is missing.",
    ]


def test_a_fault_of_the_engine_is_an_error_and_the_engine_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    calls = []

    def fails(*_: object) -> Thought:
        calls.append(1)
        if len(calls) == 2:
            raise RuntimeError("secret")
        return Thought(ISIS_OSIRIS.read("Pc3"))

    said = io.BytesIO()
    converse(io.BytesIO(b"new isis-osiris\ngo\ngo\n"), said, Conversation(fails))
    assert said.getvalue().decode().splitlines() == [
        "ok",
        "error The engine failed at this line: RuntimeError.",
        "best Pc3",
    ]
    assert "RuntimeError: secret" in capsys.readouterr().err


# --- the same again, and in time ------------------------------------------------------------------------


def test_the_same_seed_and_playouts_give_the_same_answers() -> None:
    lines = []
    for level in LEVELS:
        lines += [f"new isis-osiris level={level} seed=5"]
        for turns in ("Pc3 +2d3", "Pd4 -1c4", "+3e4 Pe3"):
            lines += [f"turns {turns}", "go playouts 60"]
    once, again = (talk(*lines, conversation=Conversation()) for _ in range(2))
    assert once == again
    assert sum(line.startswith("best ") for line in once) == 3 * len(LEVELS)
    in_a_process_of_its_own = run("\n".join(lines).encode())
    assert in_a_process_of_its_own == (0, once, "")


@pytest.mark.parametrize("level", LEVELS)
def test_movetime_is_kept(level: str) -> None:
    conversation = Conversation()
    talk(f"new isis-osiris level={level}", "turns Pc3 +2d3", conversation=conversation)

    def go() -> None:
        assert talk("go movetime 100", conversation=conversation)[-1].startswith("best ")

    assert quickest(go, 0.2) <= 0.2, "loose; the exact figure is measured elsewhere"


@pytest.mark.parametrize("game", GAMES)
def test_two_engines_play_a_game_by_the_example_controller(tmp_path: Path, game: str) -> None:
    engine = f"'{sys.executable}' -c 'from oudjat.cli import main; main()' engine"
    command = [sys.executable, "-W", "error", str(ROOT / "docs" / "example_controller.py")]
    done = subprocess.run(
        [*command, engine, "level=priest seed=1", engine, "level=novice seed=2", game],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "game.txt").write_text(done.stdout, encoding="utf-8")
    checked = subprocess.run(
        [*PROGRAM[:-1], "replay", str(tmp_path / "game.txt")], capture_output=True, timeout=600, check=False
    )
    assert checked.returncode == 0
    assert b": over after " in checked.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["nonesuch engine", "", "nonesuch engine", ""],
            "“nonesuch engine” cannot be started; is there such a program?",
        ),
        (["", "", "", ""], "“” cannot be started; is there such a program?"),
        (["oudjat engine"], "Name two players, each by a command and its settings, and perhaps a game."),
        (
            ["a", "", "b", "", "chess"],
            f"There is no game “chess”; there is: {', '.join(GAMES)}.",
        ),
    ],
)
def test_the_example_controller_says_in_a_sentence_what_is_wrong_with_its_command(
    arguments: list[str], said: str
) -> None:
    command = [sys.executable, "-W", "error", str(ROOT / "docs" / "example_controller.py"), *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{said}\n")
