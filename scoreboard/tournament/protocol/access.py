"""Who may do what at the hub: the accounts of people, and how a table is let in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from scoreboard.errors import ScoreboardError
from scoreboard.message import Message, message

AccountRole = Literal["director", "referee"]
ACCOUNT_ROLES: Final[tuple[AccountRole, ...]] = get_args(AccountRole)


class UnknownAccountError(ScoreboardError, LookupError):
    """No account has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(message("Nobody is called “{name}” here.", name=name))


class JoinRefusedError(ScoreboardError, PermissionError):
    """A code that lets no table in; told what to do where it is not spent or out of date."""

    def __init__(self, told: Message | None = None) -> None:
        spent = message("This code is spent or out of date; ask the director for a new one.")
        super().__init__(told or spent)


@dataclass(frozen=True, slots=True)
class Account:
    """A person who signs in; `password_hash` is what the hub made of the password."""

    name: str
    role: AccountRole
    password_hash: str
