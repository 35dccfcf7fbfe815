"""What the rules say no with: a rule's number and a sentence that a display can translate."""

from __future__ import annotations


def N_(sentence: str) -> str:
    """Mark a sentence for translation where it is shown; gives it back unchanged."""
    return sentence


class TurnError(ValueError):
    """A turn that cannot be taken here.

    ``rule`` is the rule's number in RULES.md, or ``record`` for text that cannot be read. ``template`` is the
    English sentence with named gaps and ``gaps`` fills them, so that a display can translate it first.
    """

    def __init__(self, rule: str, template: str, **gaps: str | int) -> None:
        super().__init__(template.format(**gaps))
        self.rule = rule
        self.template = template
        self.gaps = gaps

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_error, (type(self), self.rule, self.template, self.gaps))


def _rebuild_error(kind: type[TurnError], rule: str, template: str, gaps: dict[str, str | int]) -> TurnError:
    return kind(rule, template, **gaps)


class IllegalTurn(TurnError):
    """A turn that can be read but that a rule forbids in this position."""


class UnreadableTurn(TurnError):
    """Text that is no turn of this game at all; ``rule`` is ``record``, or the rule that names what exists."""


class SetupError(TurnError):
    """A number of players, variant, first seat or option that the game does not have.

    ``tag`` is the tag of a record that says it: ``Players``, ``Variant``, ``First`` or ``Options``.
    """

    def __init__(self, template: str, *, tag: str = "Game", **gaps: str | int) -> None:
        super().__init__("record", template, **gaps)
        self.tag = tag

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_setup_error, (self.template, self.tag, self.gaps))


def _rebuild_setup_error(template: str, tag: str, gaps: dict[str, str | int]) -> SetupError:
    return SetupError(template, tag=tag, **gaps)
