"""Two engines play a game over the engine protocol; the record goes to standard output.

    python docs/example_controller.py "oudjat engine" level=priest "oudjat engine" level=scribe
    python docs/example_controller.py "oudjat engine" level=priest "oudjat engine" level=scribe senet

Each player is a command that starts an engine, and what it is told with "new"; behind them may stand which game.
Any program that speaks the protocol can play. A command that cannot be started ends it with status 2.
"""

import shlex
import subprocess
import sys
from random import Random
from typing import NoReturn

from oudjat.records import Record, result_tags, setup_tags, write_record
from oudjat.rules.game import Draw, Position
from oudjat.rules.registry import game_named

MOVETIME = 100


def wrong(sentence: str) -> NoReturn:
    """Say in one sentence what is wrong with the command, and end."""
    print(sentence, file=sys.stderr)
    raise SystemExit(2)


class Engine:
    """A running engine."""

    def __init__(self, command: str) -> None:
        self.command = command
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(
                shlex.split(command), stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
            )
        except (OSError, ValueError, IndexError):
            wrong(f"“{command}” cannot be started; is there such a program?")

    def ask(self, line: str) -> str:
        """Say a line; the last line of the answer, without its first word."""
        assert self.process.stdin
        assert self.process.stdout
        print(line, file=self.process.stdin, flush=True)
        for answer in self.process.stdout:
            kind, _, rest = answer.strip().partition(" ")
            if kind == "error":
                raise SystemExit(f"{self.command} cannot follow “{line}”: {rest}")
            if kind in ("ok", "best", "ready"):
                return rest
        raise SystemExit(f"{self.command} has ended.")


if len(sys.argv) not in (5, 6):
    wrong("Name two players, each by a command and its settings, and perhaps a game.")
try:
    game = game_named((*sys.argv[5:], "isis-osiris")[0])
except KeyError as error:
    wrong(f"There is {error.args[0]}.")
players = [(sys.argv[1], sys.argv[2]), (sys.argv[3], sys.argv[4])]
engines = [Engine(command) for command, _ in players]
for engine, (_, settings) in zip(engines, players, strict=True):
    engine.ask("oudjat")
    engine.ask(f"new {game.id} players=2 {settings}")

position: Position = game.start()
luck = game.luck(Random())
turns: list[str] = []
while position.to_move:
    turn = engines[position.to_move - 1].ask(f"go movetime {MOVETIME}")
    if turn == "draw":
        came = position.apply(Draw()).comes(luck)
        turn = engines[position.to_move - 1].ask(f"drew {came.outcome}")
    position = position.follow(game.read(turn))  # raises where an engine breaks a rule
    turns.append(turn)
    for engine in engines:
        engine.ask(f"turns {turn}")

tags = setup_tags(position, first=1)
tags |= {f"Seat{seat}": " ".join(player) for seat, player in enumerate(players, 1)}
tags |= result_tags(position.outcome)
print(write_record(Record(tuple(tags.items()), tuple(turns))), end="")
for engine in engines:
    engine.process.communicate("quit\n")
