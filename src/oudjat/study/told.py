"""What was solved and analysed, for programs: what ``--json`` prints (FORMATS.md 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from oudjat.engine.thought import Known
from oudjat.study.judged import JudgedTurn
from oudjat.study.summaries import Summary
from oudjat.study.worths import Worth

if TYPE_CHECKING:
    from oudjat.engine.endgame import Solution

DIGITS = 9
"""Worths are told with so many digits after the point."""

Told = dict[str, object]


def solution_told(solution: Solution) -> Told:
    """What ``oudjat solve --json`` prints."""
    return {
        "objective": solution.objective,
        "free": solution.free,
        "value": [_number(part) for part in solution.value],
        "best": [{"turn": turn.text, "value": _number(worth)} for turn, worth in solution.best],
        "states": solution.states,
        "seconds": round(solution.seconds, 3),
    }


def turn_told(game: int, judged: JudgedTurn, objective: str) -> Told:
    """What ``oudjat analyse --json`` prints of a turn; ``game`` counts the games of the file from 1. The costs
    are those by ``objective``; ``grade`` is None where the turn was good."""
    placing, luck = judged.cost_of_placing, judged.luck
    return {
        "game": game,
        "turn": judged.turn,
        "seat": judged.seat,
        "played": judged.played.text,
        "exact": judged.exact,
        "before": _worth(judged.before),
        "after": _worth(judged.after),
        "objective": objective,
        "best": judged.best.text,
        "best_placing": judged.best_placing.text if judged.best_placing else None,
        "cost": _number(judged.cost.of(objective)),
        "cost_of_choice": _number(judged.cost_of_choice.of(objective)),
        "cost_of_placing": _number(placing.of(objective)) if placing else None,
        "luck": _worth(luck) if luck else None,
        "grade": judged.grade or None,
        "known": {"before": _known(judged.known_before), "after": _known(judged.known_after)}
        if judged.known_before
        else None,
    }


def summary_told(summary: Summary, objective: str) -> Told:
    """How a player did, by ``objective``; ``worst`` is the number of his dearest turn, and
    the mean that of the turns that could be ``weighed``."""
    return {
        "seat": summary.seat,
        "turns": summary.turns,
        "weighed": summary.weighed,
        "mean_cost": _number(summary.mean_cost.of(objective)),
        "luck": _number(summary.luck.of(objective)),
        "worst": summary.worst.turn if summary.worst else None,
    }


def error_told(game: int, message: str) -> Mapping[str, object]:
    """What is printed of a game that cannot be solved or analysed."""
    return {"error": {"game": game, "message": message}}


def _known(known: Known | None) -> Told | None:
    return None if known is None else {"value": known.value, "turns": known.turns}


def _worth(worth: Worth) -> Told:
    return {"margin": _number(worth.margin), "win": _number(worth.win)}


def _number(number: float | None) -> float | None:
    """Rounded, and never -0.0."""
    return None if number is None else round(number, DIGITS) + 0.0
