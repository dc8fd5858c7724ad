"""Passwords: hashed with argon2, checked in the same time whether or not there is an account."""

from __future__ import annotations

from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from scoreboard.access import Account
from scoreboard.errors import NotationError
from scoreboard.phrase import phrase

SHORTEST: Final = 10
LONGEST: Final = 200


class Passwords:
    """Makes and checks the hashes that an account keeps."""

    def __init__(self, hasher: PasswordHasher) -> None:
        self._hasher = hasher
        self._nobodys = hasher.hash("nobody's password")

    def hashed(self, password: str) -> str:
        """What is kept of a password.

        Raises:
            NotationError: it has fewer than 10 or more than 200 characters.
        """
        if not SHORTEST <= len(password) <= LONGEST:
            raise NotationError(
                phrase(
                    "A password has {least} to {most} characters: four words are a good one.",
                    least=SHORTEST,
                    most=LONGEST,
                )
            )
        return self._hasher.hash(password)

    def opens(self, account: Account | None, password: str) -> bool:
        """Whether it is the account's password; never where there is no account."""
        kept = self._nobodys if account is None else account.password_hash
        try:
            return self._hasher.verify(kept, password[: LONGEST + 1]) and account is not None
        except (VerificationError, InvalidHashError):
            return False
