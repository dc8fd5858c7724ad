"""Keys made from the hub's secret, passwords hashed with argon2, and names of accounts."""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from threading import BoundedSemaphore, Lock
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from werkzeug.exceptions import ServiceUnavailable

from scoreboard.errors import NotationError
from scoreboard.message import message
from scoreboard.tournament.model.record_signature import SigningKey
from scoreboard.tournament.protocol.access import Account

LETTERS: Final = 16  # of five bits each
CODE_LETTERS: Final = 6


class Keys:
    """The keys of one hub, all made from the secret that signs its sessions."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    @property
    def set_up(self) -> str:
        """Who has it may make the first director; told on the terminal while there is none."""
        return self._of("set-up")

    @property
    def viewing(self) -> str:
        """The short code of an event that is not open to everybody."""
        return self._of("viewing")[:CODE_LETTERS]

    @property
    def signing(self) -> SigningKey:
        """What the hub signs the records of its events with."""
        return SigningKey(hmac.digest(self._secret, b"signing", sha256))

    @property
    def cookie(self) -> str:
        """What the cookie of a session is called: another hub of the same host has another."""
        return f"tablescore-hub-{self._of('cookie')[:CODE_LETTERS]}"

    def player(self, tournament_id: str, entrant: int, name: str) -> str:
        """The key of a player's own page, whose `name` is the one that they were entered with.

        Somebody who goes on for them has another; a spelling that is corrected changes nothing.
        """
        return self._of("player", tournament_id, str(entrant), name)

    def stamp(self, password_hash: str) -> str:
        """What a session remembers of a password, so that a new one ends all sessions."""
        return self._of("session", password_hash)

    def _of(self, *words: str) -> str:
        digest = hmac.digest(self._secret, "\n".join(words).encode(), sha256)
        return b32encode(digest).decode().lower()[:LETTERS]


def same(given: str, wanted: str) -> bool:
    """Whether two keys are the same, in a time that tells nothing."""
    return hmac.compare_digest(given.strip().lower().encode(), wanted.encode())


SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
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
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise NotationError(
                message(
                    "Choose a password of {least} to {most} characters; four words make a good "
                    "one.",
                    least=SHORTEST_PASSWORD,
                    most=LONGEST_PASSWORD,
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
                return (
                    self._hasher.verify(kept, password[: LONGEST_PASSWORD + 1])
                    and account is not None
                )
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


LONGEST_NAME: Final = 40


def account_name(text: str) -> str:
    """Check an account's name and return it without surrounding blanks.

    Raises:
        NotationError: it is empty, longer than 40 characters, or has a slash or a line break.
    """
    name = text.strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or "/" in name:
        raise NotationError(
            message("Choose a name of 1 to {most} characters, without a slash.", most=LONGEST_NAME)
        )
    return name
