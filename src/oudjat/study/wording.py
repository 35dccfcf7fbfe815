"""Worths, costs and turns in the reader's words: what tables and pages say of a game that was analysed."""

from __future__ import annotations

from dataclasses import dataclass

from babel.numbers import format_decimal

from oudjat.engine.thought import Known
from oudjat.rules.game import N_, Draw, Turn
from oudjat.study.judged import JudgedTurn
from oudjat.study.summaries import Summary
from oudjat.study.worths import UNKNOWN, Worth
from oudjat.texts.catalog import Words
from oudjat.texts.speech import shown

ESTIMATE = "~"
"""Stands before what is no exact value."""
DASH = "–"
"""Stands for what is not known."""

GRADE_NAMES = {"blunder": N_("blunder"), "mistake": N_("mistake"), "inaccuracy": N_("inaccuracy")}
_GRADE_SAID = {"blunder": N_("A blunder."), "mistake": N_("A mistake."), "inaccuracy": N_("An inaccuracy.")}


@dataclass(frozen=True, slots=True)
class TurnSaid:
    """A turn that was weighed, in words: what it was worth to its player before and after, and of the latter the
    ``share`` of the win and the ``points`` by themselves (empty where there are none); the best turn, what this one
    cost, and how much luck it had (empty where there was none)."""

    played: str
    before: str
    after: str
    share: str
    points: str
    best: str
    cost: str
    luck: str


def turn_said(words: Words, turn: JudgedTurn, objective: str) -> TurnSaid:
    """What is said of a turn; estimates are marked."""
    before, after = turn.before, turn.after
    known_before, known_after = _known(words, turn.known_before), _known(words, turn.known_after)
    told = (
        known_before or worth_said(words, before),
        known_after or worth_said(words, after),
        known_after or amount_said(words, "win", after.win, "0"),
        "" if after.margin is None else amount_said(words, "margin", after.margin),
        cost_said(words, objective, turn.cost),
        luck_said(words, objective, turn.luck) if turn.luck else "",
    )
    mark = "" if turn.exact else ESTIMATE
    before_said, after_said, share, points, cost, luck = (
        text if text[:1] in ("", DASH) else mark + text for text in told
    )
    return TurnSaid(
        played=spelled(words, turn.played),
        before=before_said,
        after=after_said,
        share=share,
        points=points,
        best=_best(words, turn),
        cost=cost,
        luck=luck,
    )


def verdict(words: Words, turn: JudgedTurn, said: TurnSaid) -> str:
    """What is to be said of a turn by itself; by the share of the win, and with ``said`` by it too."""
    sentences = []
    if turn.cost.win is None:
        sentences.append(words(N_("The engine would have chosen: {best}."), best=spelled(words, turn.best)))
    elif not turn.better:
        sentences.append(words(N_("No turn was better.")))
    else:
        if turn.grade:
            sentences.append(words(_GRADE_SAID[turn.grade]))
        for better in turn.better:
            if better == turn.best:
                sentences.append(words(N_("Best: {best}."), best=spelled(words, better)))
            else:
                sentences.append(words(N_("Best with this tile: {turn}."), turn=spelled(words, better)))
        sentences.append(words(N_("This turn cost {cost} of the win."), cost=said.cost))
    if said.luck:
        sentences.append(words(N_("Luck with the tile: {luck}."), luck=said.luck))
    return " ".join(sentences)


def spelled(words: Words, turn: Turn) -> str:
    """A turn as records write it, with words for those that have no spelling there."""
    if isinstance(turn, Draw):
        return words(N_("turn over a tile"))
    if turn.text == "--":
        return words(N_("pass"))
    return shown(turn.text) if turn.text[:1] in "+-" else turn.text


def worth_said(words: Words, worth: Worth) -> str:
    """Points ahead, where there are points, and the share of the win."""
    if worth == UNKNOWN:
        return DASH
    share = amount_said(words, "win", worth.win, "0")
    return share if worth.margin is None else f"{amount_said(words, 'margin', worth.margin)} {share:>5}"


def cost_said(words: Words, objective: str, cost: Worth) -> str:
    """What a turn cost, by ``objective``."""
    return amount_said(words, objective, cost.of(objective), "0.00" if objective == "margin" else "0.0")


def mean_said(words: Words, objective: str, summary: Summary) -> str:
    """What a player's turns cost on average, where all are known: the last ones alone would tell little of him."""
    return cost_said(words, objective, summary.mean_cost) if summary.weighed == summary.turns else DASH


def summary_said(words: Words, objective: str, summary: Summary) -> dict[str, str]:
    """How a player did, in words."""
    worst = summary.worst
    return {
        "mean_cost": mean_said(words, objective, summary),
        "luck": luck_said(words, objective, summary.luck),
        "worst": f"{worst.turn}. {spelled(words, worst.played)}" if worst else "",
    }


def luck_said(words: Words, objective: str, luck: Worth) -> str:
    """What luck brought, by ``objective``, with its sign."""
    pattern = "+0.00;-0.00" if objective == "margin" else "+0.0;-0.0"
    return amount_said(words, objective, luck.of(objective), pattern)


def amount_said(words: Words, objective: str, amount: float | None, pattern: str = "") -> str:
    """Points with their sign, or a share in per cent; a dash for what is not known."""
    if amount is None:
        return DASH
    if objective == "win":
        return f"{_number(words, 100 * amount, pattern or '0.0')} %"
    return _number(words, amount, pattern or "+0.00;-0.00")


def _number(words: Words, number: float, pattern: str) -> str:
    """A number as the language writes it."""
    text = format_decimal(number, pattern, locale=words.language)
    return shown(text.lstrip("+-") if not text.strip("+-0.,") else text)


def _best(words: Words, turn: JudgedTurn) -> str:
    """The best choice, and the best placing of the tile that came, where it went elsewhere."""
    best = words(N_("tile")) if isinstance(turn.best, Draw) else spelled(words, turn.best)
    if turn.best_placing and turn.best_placing != turn.played:
        return f"{best}, {spelled(words, turn.best_placing)}"
    return best


def _known(words: Words, known: Known | None) -> str:
    """What exact play leads to, and when; nothing where no table tells."""
    if known is None:
        return ""
    if known.turns is None:
        return words(N_("draw"))
    return words({"win": N_("win in {turns}"), "loss": N_("loss in {turns}")}[known.value], turns=known.turns)
