"""How fast records are checked: 10,000 random records of 36 turns through ``oudjat replay --json``.

python -m benchmarks.replay --records 10000 --profile
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter

from rich.console import Console
from rich.progress import track

from oudjat.records import Record, read_records, replay, result_tags, setup_tags, summary, write_record
from oudjat.rules.game import Draw, Position
from oudjat.rules.isis_osiris import ISIS_OSIRIS

PROFILED = 300
"""How many records are enough to see where the time goes."""


def random_record(randomness: Random) -> str:
    """The text of a whole random game of two players, with its scores and winners."""
    position: Position = ISIS_OSIRIS.start()
    luck = ISIS_OSIRIS.luck(randomness)
    tags = setup_tags(position, first=1)
    turns = []
    while position.asks == "choice":
        choices = position.choices()
        turn = choices[-1] if Draw() in choices and randomness.random() < 0.5 else randomness.choice(choices)
        position = position.apply(turn)
        if isinstance(turn, Draw):
            position = position.apply(position.comes(luck))
            turn = randomness.choice(position.choices())
            position = position.apply(turn)
        turns.append(turn.text)
    return write_record(Record(tuple((tags | result_tags(position.outcome)).items()), tuple(turns)))


def main() -> None:
    """Write the records, time one call of the program, and on request show the hottest functions."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--records", type=int, default=10_000)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--profile", action="store_true", help="also show where the time goes")
    asked = reader.parse_args()
    console = Console(highlight=False)
    randomness = Random(asked.seed)
    texts = [
        random_record(randomness) for _ in track(range(asked.records), "Writing records", console=console)
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.txt"
        file.write_text("\n".join(texts), "utf-8")
        began = perf_counter()
        command = [sys.executable, "-c", "from oudjat.cli import main; main()", "replay", str(file), "--json"]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        took = perf_counter() - began
    lines = len(done.stdout.splitlines())
    console.print(f"{lines} records in {took:.1f} s, {took / max(lines, 1) * 1000:.2f} ms a record")
    if asked.profile:
        profile = cProfile.Profile()
        profile.enable()
        for record in read_records("\n".join(texts[:PROFILED])):
            if isinstance(record, Record):
                summary(replay(record))
        profile.disable()
        pstats.Stats(profile).sort_stats("tottime").print_stats(15)


if __name__ == "__main__":
    main()
