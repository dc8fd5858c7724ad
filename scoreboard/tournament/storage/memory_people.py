"""Accounts, tokens and codes in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from threading import RLock

from scoreboard.tournament.protocol.access import Account, JoinRefusedError, UnknownAccountError
from scoreboard.tournament.storage.encoding import digest
from scoreboard.tournament.storage.refusals import account_taken, code_taken


@dataclass(frozen=True, slots=True)
class _Token:
    table: str
    until: datetime


@dataclass(frozen=True, slots=True)
class _Code:
    place: str
    until: datetime
    spent_on: tuple[str, str] | None = None  # the table, and its token's digest


class MemoryPeople:
    """Keeps the contract of `scoreboard.tournament.hub.ports.People`."""

    def __init__(self, lock: RLock) -> None:
        self._lock = lock
        self._accounts: dict[str, Account] = {}
        self._secret: str | None = None
        self._tokens: dict[str, _Token] = {}
        self._codes: dict[str, _Code] = {}
        self._ended: dict[str, datetime] = {}

    def add_account(self, account: Account) -> None:
        """Keep a new account. Raises ConflictError when the name is taken."""
        with self._lock:
            if account.name in self._accounts:
                raise account_taken(account.name)
            self._accounts[account.name] = account

    def set_password(self, name: str, password_hash: str) -> None:
        """Change an account's password hash. Raises UnknownAccountError."""
        with self._lock:
            if name not in self._accounts:
                raise UnknownAccountError(name)
            self._accounts[name] = replace(self._accounts[name], password_hash=password_hash)

    def remove_account(self, name: str) -> None:
        """Forget an account. Raises UnknownAccountError."""
        with self._lock:
            if self._accounts.pop(name, None) is None:
                raise UnknownAccountError(name)

    def account(self, name: str) -> Account | None:
        """The account of this name, None where there is none."""
        with self._lock:
            return self._accounts.get(name)

    def accounts(self) -> tuple[Account, ...]:
        """All accounts, by name."""
        with self._lock:
            return tuple(sorted(self._accounts.values(), key=lambda account: account.name))

    def session_secret(self, candidate: str) -> str:
        """The secret that signs sessions: the first candidate that was ever offered."""
        with self._lock:
            self._secret = self._secret or candidate
            return self._secret

    def end_session(self, session: str, until: datetime) -> None:
        """Let nobody in by this session any more; it is remembered before `until`."""
        with self._lock:
            self._ended.setdefault(digest(session), until)

    def is_ended(self, session: str) -> bool:
        """Whether a session was ended."""
        with self._lock:
            return digest(session) in self._ended

    def keep_token(self, table: str, token: str, until: datetime) -> None:
        """Let a table in by this token before `until`."""
        with self._lock:
            self._tokens.setdefault(digest(token), _Token(table, until))

    def table_of(self, token: str, at: datetime) -> str | None:
        """The table that this token lets in at the time `at`; None where it lets no one in."""
        with self._lock:
            kept = self._tokens.get(digest(token))
        return kept.table if kept is not None and at < kept.until else None

    def revoke_tokens(self, table: str) -> None:
        """Let a table in no longer, whatever tokens it has."""
        with self._lock:
            self._tokens = {
                key: token for key, token in self._tokens.items() if token.table != table
            }

    def offer_code(self, code: str, place: str, until: datetime) -> None:
        """Let one table join by this code before `until`, and by no unspent one of before.

        Raises ConflictError for a known code.
        """
        with self._lock:
            if digest(code) in self._codes:
                raise code_taken()
            self._codes = {
                key: kept
                for key, kept in self._codes.items()
                if kept.place != place or kept.spent_on is not None
            }
            self._codes[digest(code)] = _Code(place, until)

    def place_of(self, code: str) -> str | None:
        """The place that a code leads to, spent or not; None for an unknown one."""
        with self._lock:
            kept = self._codes.get(digest(code))
        return None if kept is None else kept.place

    def join(self, code: str, table: str, token: str, at: datetime, until: datetime) -> str:
        """Spend the code, keep the table's token until `until`, answer the code's place.

        Raises:
            JoinRefusedError: the code is unknown, expired or spent by another.
        """
        spender = (table, digest(token))
        with self._lock:
            kept = self._codes.get(digest(code))
            if kept is not None and kept.spent_on == spender:
                return kept.place
            if kept is None or kept.spent_on is not None or at >= kept.until:
                raise JoinRefusedError
            self._codes[digest(code)] = replace(kept, spent_on=spender)
            self.keep_token(table, token, until)
            return kept.place

    def forget_expired(self, at: datetime) -> None:
        """Forget the tokens, codes and ended sessions that nobody can use from `at` on."""
        with self._lock:
            self._tokens = {key: one for key, one in self._tokens.items() if at < one.until}
            self._codes = {key: one for key, one in self._codes.items() if at < one.until}
            self._ended = {key: until for key, until in self._ended.items() if at < until}
