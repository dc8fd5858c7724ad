"""Keys that are reckoned from the hub's secret, so that no process has to keep or share them."""

from __future__ import annotations

import hmac
from base64 import b32encode
from hashlib import sha256
from typing import Final

from scoreboard.tournament.model.hash_chain import SigningKey

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
