"""Passwords: hashed with argon2, checked in the same time whether or not there is an account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from werkzeug.exceptions import ServiceUnavailable

from scoreboard.errors import NotationError
from scoreboard.message import message
from scoreboard.tournament.protocol.audit_log import Account

SHORTEST: Final = 10
LONGEST: Final = 200
MOST_HASHED: Final = 2  # at once: each takes 64 MiB, and the processor from every page
MOST_WAITING: Final = 6  # each holds a thread that serves pages


class Passwords:
    """Makes and checks the hashes that an account keeps. Any thread may use it."""

    def __init__(self, hasher: PasswordHasher) -> None:
        self._hasher = hasher
        self._nobodys = hasher.hash("nobody's password")
        self._turns = BoundedSemaphore(MOST_HASHED)
        self._lock = Lock()
        self._asking = 0

    def hashed(self, password: str) -> str:
        """What is kept of a password.

        Raises:
            NotationError: it has fewer than 10 or more than 200 characters.
        """
        if not SHORTEST <= len(password) <= LONGEST:
            raise NotationError(
                message(
                    "A password has {least} to {most} characters: four words are a good one.",
                    least=SHORTEST,
                    most=LONGEST,
                )
            )
        with self._turn(waits=True):
            return self._hasher.hash(password)

    def opens(self, account: Account | None, password: str, *, waits: bool = False) -> bool:
        """Whether it is the account's password; never where there is no account.

        `waits` for a turn however many wait already.

        Raises:
            ServiceUnavailable: many are being checked, and more wait.
        """
        kept = self._nobodys if account is None else account.password_hash
        with self._turn(waits=waits):
            try:
                return self._hasher.verify(kept, password[: LONGEST + 1]) and account is not None
            except (VerificationError, InvalidHashError):
                return False

    @contextmanager
    def _turn(self, *, waits: bool) -> Iterator[None]:
        with self._lock:
            if self._asking >= MOST_HASHED + MOST_WAITING and not waits:
                raise ServiceUnavailable
            self._asking += 1
        try:
            with self._turns:
                yield
        finally:
            with self._lock:
                self._asking -= 1
