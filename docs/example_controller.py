"""Two engines play a game over the engine protocol; the record goes to standard output.

    python docs/example_controller.py "oudjat engine" level=priest "oudjat engine" level=scribe
    python docs/example_controller.py "oudjat engine" level=priest "oudjat engine" level=scribe senet

Each player is a command that starts an engine, and what it is told with "new"; behind them may stand which game.
Any program that speaks the protocol can play.
"""

import shlex
import subprocess
import sys
from random import Random

from oudjat.records import Record, result_tags, setup_tags, write_record
from oudjat.rules.game import Draw, Position
from oudjat.rules.registry import game_named

MOVETIME = 100


class Engine:
    """A running engine."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

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


game = game_named((*sys.argv[5:], "isis-osiris")[0])
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
