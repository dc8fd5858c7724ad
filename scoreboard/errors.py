"""The errors of the scoreboard: one small family, each also a kind of the standard library."""

from __future__ import annotations

from typing import Self

from scoreboard.message import Message, message


class MessageError(Exception):
    """An error whose `message` tells the player the reason and the cure, translated."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message

    @classmethod
    def worded(cls, template: str, **values: str | float | Message) -> Self:
        """The error with a `message` of these; the catalogue's extraction looks for it, too."""
        return cls(message(template, **values))


class ScoreboardError(MessageError):
    """A refusal of the scoreboard."""


class NotationError(ScoreboardError, ValueError):
    """A text is not in the notation of its value."""


class RuleViolationError(ScoreboardError, ValueError):
    """The rulebook refuses an act; `rule` is the identifier of the rule."""

    def __init__(self, rule: str, message: Message) -> None:
        super().__init__(message)
        self.rule = rule


def refused(template: str, rule: str, /, **values: str | float | Message) -> RuleViolationError:
    """The refusal by that rule, worded as by `message`; the catalogue's extraction looks for it."""
    return RuleViolationError(rule, message(template, **values))


class StoreError(ScoreboardError, OSError):
    """Events could not be stored or read; `message` names the fault and its cure."""


class SchemaError(StoreError):
    """Another version of Tablescore, or another program, wrote the database."""


class ConflictError(ScoreboardError, ValueError):
    """A game changed, or its id was taken, since the writer looked."""


class UnknownGameError(ScoreboardError, LookupError):
    """No stored game has this id, or it is `in_bin`."""

    def __init__(self, game_id: str, *, in_bin: bool = False) -> None:
        super().__init__(
            message("Game “{game_id}” is in the bin: take it back first.", game_id=game_id)
            if in_bin
            else message("No stored game is called “{game_id}”.", game_id=game_id)
        )


class NoAnswerError(ScoreboardError, TimeoutError):
    """The table did not answer in time; the act may or may not be done."""


class NotOfferedError(ScoreboardError, ValueError):
    """The rulebook does not offer this act now."""
