"""The errors of the scoreboard: one small family, each also a kind of the standard library."""

from __future__ import annotations

from scoreboard.phrase import Phrase


class ScoreboardError(Exception):
    """Something the scoreboard refuses; `phrase` tells the player why and what cures it."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(str(phrase))
        self.phrase = phrase


class NotationError(ScoreboardError, ValueError):
    """A text that is not in the notation of the value it should name."""


class RuleViolationError(ScoreboardError, ValueError):
    """An act that the rulebook refuses; `rule` is the identifier of the rule that refuses it."""

    def __init__(self, rule: str, phrase: Phrase) -> None:
        super().__init__(phrase)
        self.rule = rule
