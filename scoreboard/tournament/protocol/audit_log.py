"""A hub's data apart from the games: its audit log, accounts, and changes, as values.

The audit log of a tournament has one record an event, each with the hash of the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, get_args

from scoreboard.errors import ConflictError, NotationError, ScoreboardError
from scoreboard.message import Message, message

ActorRole = Literal["director", "referee", "table", "player", "hub"]
ACTOR_ROLES: Final[tuple[ActorRole, ...]] = get_args(ActorRole)
AccountRole = Literal["director", "referee"]
ACCOUNT_ROLES: Final[tuple[AccountRole, ...]] = get_args(AccountRole)
Topic = Literal["tournament", "game", "dispute"]


class UnknownTournamentError(ScoreboardError, LookupError):
    """No stored tournament has this id."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(
            message(
                "No stored tournament is called “{tournament_id}”.", tournament_id=tournament_id
            )
        )


class OutdatedError(ConflictError):
    """The data changed since the request was decided on."""

    def __init__(self) -> None:
        super().__init__(
            message(
                "Nothing was done: something has changed since this page was shown, or the button "
                "was pressed twice. Check what is there now, then press again."
            )
        )


@dataclass(frozen=True, slots=True)
class Actor:
    """The giver of a command: the role, and the name of an account, a table or a player."""

    role: ActorRole
    name: str


@dataclass(frozen=True, slots=True)
class TournamentSummary:
    """The fixed part of a tournament; `created_at` in UTC, else NotationError."""

    tournament_id: str
    name: str
    created_at: datetime

    def __post_init__(self) -> None:
        _require_utc(self.created_at)


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """One event of a tournament in the audit log.

    `sequence` counts from 1 without gaps; `recorded_at` is aware UTC, else NotationError; `body` is
    a JSON document; `previous` and `hash` chain the records (`model.hash_chain`), and `key` with
    `signature` identify the hub that wrote it, empty for an older one.
    """

    sequence: int
    recorded_at: datetime
    actor: Actor
    body: Mapping[str, Any]
    previous: str
    hash: str
    key: str = ""
    signature: str = ""

    def __post_init__(self) -> None:
        _require_utc(self.recorded_at)


def _require_utc(at: datetime) -> None:
    if at.utcoffset() != timedelta(0):
        raise NotationError(message("A recorded time needs its time zone, and that is UTC."))


class UnknownAccountError(ScoreboardError, LookupError):
    """No account has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(message("Nobody is called “{name}” here.", name=name))


class JoinRefusedError(ScoreboardError, PermissionError):
    """The code lets no table in; `reason` names the cure, unless it is spent or expired."""

    def __init__(self, reason: Message | None = None) -> None:
        spent = message("This code is spent or out of date; ask the director for a new one.")
        super().__init__(reason or spent)


@dataclass(frozen=True, slots=True)
class Account:
    """A person who signs in; `password_hash` is the hub's hash of the password."""

    name: str
    role: AccountRole
    password_hash: str


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """A change notification: `about` now has entries up to `through`.

    `sequence` counts all changes of a store from 1 without gaps. `about` is the id of the
    tournament or game; `through` is its new end: the last record's sequence of a tournament, all
    items without gaps of a game, the disputed item's sequence.
    """

    sequence: int
    topic: Topic
    about: str
    through: int
