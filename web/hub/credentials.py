"""Keys made from the hub's secret, passwords hashed with argon2, and names of accounts."""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from threading import BoundedSemaphore, Lock
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from werkzeug.exceptions import ServiceUnavailable

from scoreboard.errors import NotationError
from scoreboard.players import is_printable
from scoreboard.tournament.hub.admission import SIGNS
from scoreboard.tournament.model.hash_chain import SigningKey
from scoreboard.tournament.protocol.audit_log import Account

LETTERS: Final = 16  # of five bits each
CODE_LETTERS: Final = 6
SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
MOST_HASHED: Final = 2  # at once: each takes 64 MiB, and processor time from every page
MOST_WAITING: Final = 6  # each holds a thread that serves pages
LONGEST_NAME: Final = 40


class Keys:
    """The keys of a hub, all derived from its secret, so that processes share none."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()
        # lets its holder create the first director; printed while there is none
        self.set_up: Final = self._of("set-up")
        # the short code that lets spectators in, where viewing is not open
        self.viewing: Final = self._of("viewing")[:CODE_LETTERS]
        # the hub signs the records of its events with it
        self.signing: Final = SigningKey(hmac.digest(self._secret, b"signing", sha256))
        # the name of the session cookie, which differs between hubs on one host
        self.cookie: Final = f"tablescore-hub-{self._of('cookie')[:CODE_LETTERS]}"

    def player(self, tournament_id: str, entrant: int, name: str) -> str:
        """The key of a player's page, by the name of their entry: a replacement gets another."""
        return self._of("player", tournament_id, str(entrant), name)

    def short(self, tournament_id: str, entrant: int, name: str) -> str:
        """A short code for the same page as `player`, of 46 bits: `ACDEF-34679`."""
        words = "\n".join(("short", tournament_id, str(entrant), name)).encode()
        drawn = int.from_bytes(hmac.digest(self._secret, words, sha256), "big")
        signs = "".join(SIGNS[drawn // len(SIGNS) ** place % len(SIGNS)] for place in range(10))
        return f"{signs[:5]}-{signs[5:]}"

    def stamp(self, password_hash: str) -> str:
        """A stamp of the password in each session, so that a new password ends them all."""
        return self._of("session", password_hash)

    def browser(self, browser: str, name: str) -> str:
        """Proves that this browser was signed in by that name before."""
        return self._of("browser", browser, name)

    def _of(self, *words: str) -> str:
        digest = hmac.digest(self._secret, "\n".join(words).encode(), sha256)
        return b32encode(digest).decode().lower()[:LETTERS]


def same(given: str, wanted: str) -> bool:
    """Whether two keys are equal, compared in constant time."""
    return hmac.compare_digest(given.strip().lower().encode(), wanted.encode())


class Passwords:
    """Makes and checks password hashes, an absent account's as slowly; thread-safe."""

    def __init__(self, hasher: PasswordHasher) -> None:
        self._hasher = hasher
        self._of_no_account = hasher.hash("nobody's password")
        self._turns = BoundedSemaphore(MOST_HASHED)
        self._lock = Lock()
        self._asking = 0

    def hashed(self, password: str) -> str:
        """Hash a password of 10 to 200 characters for storage. Raises NotationError for others."""
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise NotationError.worded(
                "Choose a password of {least} to {most} characters; four words make a good one.",
                least=SHORTEST_PASSWORD,
                most=LONGEST_PASSWORD,
            )
        with self._turn(waits=True):
            return self._hasher.hash(password)

    def opens(self, account: Account | None, password: str, *, waits: bool = False) -> bool:
        """Whether it is the account's; full queues raise ServiceUnavailable, unless it `waits`."""
        kept = self._of_no_account if account is None else account.password_hash
        with self._turn(waits=waits), suppress(VerificationError, InvalidHashError):
            self._hasher.verify(kept, password[: LONGEST_PASSWORD + 1])  # raises for a wrong one
            return account is not None
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


def account_name(text: str) -> str:
    """The name of 1 to 40 characters without a slash, stripped. Raises NotationError."""
    name = text.strip()
    if not 1 <= len(name) <= LONGEST_NAME or not is_printable(name) or "/" in name:
        raise NotationError.worded(
            "Choose a name of 1 to {most} characters, without a slash.", most=LONGEST_NAME
        )
    return name
