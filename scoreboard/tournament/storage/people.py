"""Accounts of people, ended sessions, tokens of tables and join codes, in a database."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from scoreboard.errors import ConflictError
from scoreboard.message import message
from scoreboard.storage.database import Database
from scoreboard.tournament.protocol.audit_log import Account, JoinRefusedError, UnknownAccountError
from scoreboard.tournament.storage.tables import (
    ACCOUNTS,
    CODES,
    ENDED_SESSIONS,
    SECRETS,
    TOKENS,
    digest,
    written_time,
)

SESSIONS: Final = "sessions"
_LET_IN: Final = select(TOKENS.c.table_name).where(
    TOKENS.c.token_sha256 == bindparam("token_sha256"), TOKENS.c.until > bindparam("at")
)


class SqlPeople:
    """Accounts, and tables that were let in; each call is one transaction.

    Of sessions, tokens and codes it stores only the SHA-256.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_account(self, account: Account) -> None:
        """Keep a new account. Raises ConflictError when the name is taken, StoreError."""
        row = {"name": account.name, "role": account.role, "password_hash": account.password_hash}
        with self._database.writing() as connection:
            try:
                connection.execute(insert(ACCOUNTS).values(row))
            except IntegrityError as error:
                raise ConflictError(
                    message("Somebody is called “{name}” already.", name=account.name)
                ) from error

    def set_password(self, name: str, password_hash: str) -> None:
        """Change an account's password hash. Raises UnknownAccountError, StoreError."""
        changed = update(ACCOUNTS).where(ACCOUNTS.c.name == name)
        with self._database.writing() as connection:
            if not connection.execute(changed.values(password_hash=password_hash)).rowcount:
                raise UnknownAccountError(name)

    def remove_account(self, name: str) -> None:
        """Forget an account. Raises UnknownAccountError, StoreError."""
        with self._database.writing() as connection:
            if not connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.name == name)).rowcount:
                raise UnknownAccountError(name)

    def account(self, name: str) -> Account | None:
        """The account of this name, or None. Raises StoreError."""
        found = self._accounts(select(ACCOUNTS).where(ACCOUNTS.c.name == name))
        return found[0] if found else None

    def accounts(self) -> tuple[Account, ...]:
        """All accounts, by name. Raises StoreError."""
        found = self._accounts(select(ACCOUNTS))
        return tuple(sorted(found, key=lambda account: account.name))  # no server's collation

    def session_secret(self, candidate: str) -> str:
        """The secret that signs sessions: the first candidate that any process ever offered.

        Raises:
            StoreError: the database cannot be written.
        """
        row = {"purpose": SESSIONS, "secret": candidate}
        query = select(SECRETS.c.secret).where(SECRETS.c.purpose == SESSIONS)
        with self._database.writing() as connection:
            connection.execute(self._database.dialect.insert_missing(SECRETS).values(row))
            secret: str = connection.execute(query).scalar_one()
        return secret

    def end_session(self, session: str, until: datetime) -> None:
        """Invalidate this session; that is remembered until `until`.

        Raises:
            StoreError: the database cannot be written.
        """
        row = {"session_sha256": digest(session), "until": written_time(until)}
        self._database.write(self._database.dialect.insert_missing(ENDED_SESSIONS).values(row))

    def is_ended(self, session: str) -> bool:
        """Whether a session was ended. Raises StoreError."""
        this = ENDED_SESSIONS.c.session_sha256 == digest(session)
        return bool(self._database.rows(select(ENDED_SESSIONS.c.until).where(this)))

    def table_of(self, token: str, at: datetime) -> str | None:
        """The table that this token lets in at the time `at`, else None. Raises StoreError."""
        asked = {"token_sha256": digest(token), "at": written_time(at)}
        return self._database.value(_LET_IN, asked)

    def token_hashes(self, table: str, at: datetime) -> tuple[str, ...]:
        """The SHA-256 of each token that lets this table in at the time `at`. Raises StoreError."""
        theirs = TOKENS.c.table_name == table, TOKENS.c.until > written_time(at)
        rows = self._database.rows(select(TOKENS.c.token_sha256).where(*theirs))
        return tuple(each.token_sha256 for each in rows)

    def revoke_tokens(self, table: str) -> None:
        """Invalidate all tokens of a table. Raises StoreError."""
        self._database.write(delete(TOKENS).where(TOKENS.c.table_name == table))

    def offer_code(self, code: str, place: str, until: datetime) -> None:
        """Let one table join by this code before `until`; `place` is its answer.

        Codes offered earlier for the place and not spent are deleted.

        Raises:
            ConflictError: the code was offered before.
            StoreError: the database cannot be written.
        """
        row = {"code_sha256": digest(code), "place": place, "until": written_time(until)}
        older = delete(CODES).where(CODES.c.place == place, CODES.c.spent_by.is_(None))
        with self._database.writing() as connection:
            try:
                connection.execute(older.where(CODES.c.code_sha256 != row["code_sha256"]))
                connection.execute(insert(CODES).values(row))
            except IntegrityError as error:
                raise ConflictError(
                    message("This code was offered before; draw another one.")
                ) from error

    def place_of(self, code: str) -> str | None:
        """The place that a code leads to, spent or not; None for an unknown. Raises StoreError."""
        query = select(CODES.c.place).where(CODES.c.code_sha256 == digest(code))
        return self._database.value(query)

    def join(self, code: str, table: str, token: str, at: datetime, until: datetime) -> str:
        """Spend the code, store the table's token until `until`, answer the code's place.

        All or nothing: of two tables with the same code exactly one joins. A table that did not get
        the answer may ask again with the same token.

        Raises:
            JoinRefusedError: the code is unknown, expired or spent by another.
            StoreError: the database cannot be written.
        """
        code_key, token_key = digest(code), digest(token)
        spent = (
            update(CODES)
            .where(
                CODES.c.code_sha256 == code_key,
                CODES.c.spent_by.is_(None),
                CODES.c.until > written_time(at),
            )
            .values(spent_by=table, spent_token_sha256=token_key)
        )
        with self._database.writing() as connection:
            if connection.execute(spent).rowcount:
                row = {"token_sha256": token_key, "table_name": table, "until": written_time(until)}
                connection.execute(self._database.dialect.insert_missing(TOKENS).values(row))
            place: str | None = connection.execute(
                select(CODES.c.place).where(
                    CODES.c.code_sha256 == code_key,
                    CODES.c.spent_by == table,
                    CODES.c.spent_token_sha256 == token_key,
                )
            ).scalar_one_or_none()
        if place is None:
            raise JoinRefusedError
        return place

    def forget_expired(self, at: datetime) -> None:
        """Delete the tokens, codes and ended sessions that have expired by `at`.

        Raises:
            StoreError: the database cannot be written.
        """
        tables = (TOKENS, CODES, ENDED_SESSIONS)
        self._database.write(
            *(delete(each).where(each.c.until <= written_time(at)) for each in tables)
        )

    def _accounts(self, query: Select[Any]) -> tuple[Account, ...]:
        return tuple(Account(*row) for row in self._database.rows(query))
