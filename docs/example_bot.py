"""A bot that plays one game against the Scribe by the API: python docs/example_bot.py [address]

It remembers every tile that it sees, places pieces beside good ones, and gives bad ones to the others.
"""
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


def play(house: str) -> str:
    """Play a whole game; the sentence that says who won."""
    seats = [{"kind": "me", "name": "Example"}, {"kind": "bot", "level": "scribe"}]
    opened = ask(f"{house}/api/tables", "", {"seats": seats, "pace": "at-once"})
    table, token = f"{house}/api/tables/{opened['table']}", opened["token"]
    request = Request(f"{table}/events?after=0", headers={"authorization": f"Bearer {token}"})
    known, hand = dict[str, int](), 0
    with urlopen(request, timeout=60) as events:
        for told in (json.loads(line[6:]) for line in events if line.startswith(b"data: ")):
            view = told.get("view")  # a heart beat is empty
            hand = int(told.get("drawn") or hand)
            if told.get("kind") == "turn" and told["turn"].startswith("?"):
                known[told["turn"][1:]] = hand
            if view and view["status"] == "over":
                return str(view["result"])
            if view and view["mine"]:
                ask(f"{table}/turns", token, {"turn": best(view["board"], known, 1), "after": view["seq"]})
    raise SystemExit("The house has closed.")


print(play(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"))
