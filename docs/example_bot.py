"""A bot that plays a whole game by the API: python docs/example_bot.py [address [token]]

With a bot's token a rated game of 5 min + 5 s with whoever asks for one, else one against the Scribe."""
# ruff: noqa: S310 - the address is the caller's own

import json
import sys
from typing import Any
from urllib.request import Request, urlopen


def ask(address: str, token: str, body: dict[str, Any]) -> dict[str, Any]:
    """POST ``body`` and give the answer; every refusal raises urllib's HTTPError."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    with urlopen(Request(address, json.dumps(body).encode(), headers), timeout=30) as answer:
        return dict(json.load(answer))


def best(board: dict[str, Any], known: dict[str, int], me: int) -> str:
    """The space that brings most; turning over a tile when no space brings anything."""
    at = {(cell["row"], cell["column"]): cell for cell in board["cells"]}

    def gain(cell: dict[str, Any]) -> int:
        total = 0
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = at.get((cell["row"] + down, cell["column"] + right))
            if near and near["lies"] and near["lies"]["kind"] == "piece":
                total += int(board["drawn"] or 0) * (1 if near["lies"]["seat"] == me else -1)
            elif near and not board["drawn"]:
                total += known.get(near["name"], 0)
        return total

    cell = max((cell for cell in board["cells"] if cell["offers"]), key=gain, default=None)
    turns = cell["offers"] if cell and (gain(cell) > 0 or not board["actions"]) else board["actions"]
    return str(turns[0])


def play(house: str = "http://127.0.0.1:8000", token: str = "") -> str:
    """Play a whole game; the sentence that says who won."""
    rated = {"rated": True, "clock": {"kind": "game", "seconds": 300, "increment": 5}}
    us = {"seats": [{"kind": "me", "name": "Example"}, {"kind": "bot", "level": "scribe"}], "pace": "at-once"}
    opened = ask(f"{house}/api/{'pairing' if token else 'tables'}", token, rated if token else us)
    table, token = f"{house}/api/tables/{opened['table']}", token or opened["token"]
    request = Request(f"{table}/events", headers={"authorization": f"Bearer {token}", "last-event-id": "0"})
    known, hand = dict[str, int](), 0
    with urlopen(request, timeout=60) as events:
        for told in (json.loads(line[6:]) for line in events if line.startswith(b"data: ")):
            view, hand = told.get("view"), int(told.get("drawn") or hand)  # a heart beat is empty
            if told.get("kind") == "turn" and told["turn"].startswith("?"):
                known[told["turn"][1:]] = hand
            if view and view["status"] == "over":
                return str(view["result"])
            if view and view["mine"]:
                turn = best(view["board"], known, view["you"][0])
                ask(f"{table}/turns", token, {"turn": turn, "after": view["seq"]})
    raise SystemExit("The house has closed.")


print(play(*sys.argv[1:]))
