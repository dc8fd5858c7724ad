"""The errors of the scoreboard: one small family, each also a kind of the standard library."""

from __future__ import annotations

from scoreboard.message import Message, message


class ScoreboardError(Exception):
    """Something the scoreboard refuses; `message` tells the player why and what cures it."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class NotationError(ScoreboardError, ValueError):
    """A text that is not in the notation of the value it should name."""


class RuleViolationError(ScoreboardError, ValueError):
    """An act that the rulebook refuses; `rule` is the identifier of the rule that refuses it."""

    def __init__(self, rule: str, message: Message) -> None:
        super().__init__(message)
        self.rule = rule


class StoreError(ScoreboardError, OSError):
    """Events could not be kept or read; `message` names what is wrong and its cure."""


class SchemaError(StoreError):
    """A database that another version of Tablescore, or another program, wrote."""


class ConflictError(ScoreboardError, ValueError):
    """A game moved on, or its id was taken, since the writer looked."""


class UnknownGameError(ScoreboardError, LookupError):
    """No stored game has this id, or it is `in_bin`."""

    def __init__(self, game_id: str, *, in_bin: bool = False) -> None:
        super().__init__(
            message("Game “{game_id}” is in the bin: take it back first.", game_id=game_id)
            if in_bin
            else message("No stored game is called “{game_id}”.", game_id=game_id)
        )


class NoAnswerError(ScoreboardError, TimeoutError):
    """The table did not answer in time; whether the act was done is not known."""


class NotOfferedError(ScoreboardError, ValueError):
    """An act that the rulebook does not offer now."""
