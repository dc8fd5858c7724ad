"""Accounts of people, tables that were let in, and the last contact of each table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from sqlalchemy import Delete, Update, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from scoreboard.errors import ConflictError
from scoreboard.storage.database import Database
from scoreboard.tournament.protocol.audit_log import Account, JoinRefusedError, UnknownAccountError
from scoreboard.tournament.storage.tables import (
    ACCOUNTS,
    CODES,
    ENDED_SESSIONS,
    PRESENCE,
    SECRETS,
    TOKENS,
    digest,
    written_time,
)

SESSIONS: Final = "sessions"
KEPT_EVERY: Final = timedelta(seconds=10)  # a table speaks far more often than somebody looks
WRITTEN_EVERY: Final = timedelta(seconds=1)  # of many tables one transaction keeps what is due
_LET_IN: Final = select(TOKENS.c.table_name).where(
    TOKENS.c.token_sha256 == bindparam("token_sha256"), TOKENS.c.until > bindparam("at")
)
_LATER: Final = (
    update(PRESENCE)
    .where(PRESENCE.c.table_name == bindparam("table"), PRESENCE.c.heard_at < bindparam("at"))
    .values(heard_at=bindparam("at"))
)


class SqlPeople:
    """Accounts, and of sessions, tokens and codes the SHA-256; any method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_account(self, account: Account) -> None:
        """Keep a new account. Raises ConflictError when the name is taken."""
        with self._database.writing() as connection:
            try:
                connection.execute(insert(ACCOUNTS).values(asdict(account)))
            except IntegrityError as error:
                raise ConflictError.worded(
                    "Somebody is called “{name}” already.", name=account.name
                ) from error

    def set_password(self, name: str, password_hash: str) -> None:
        """Change an account's password hash. Raises UnknownAccountError."""
        self._change_account(name, update(ACCOUNTS).values(password_hash=password_hash))

    def remove_account(self, name: str) -> None:
        """Forget an account. Raises UnknownAccountError."""
        self._change_account(name, delete(ACCOUNTS))

    def _change_account(self, name: str, change: Update | Delete) -> None:
        with self._database.writing() as connection:
            if not connection.execute(change.where(ACCOUNTS.c.name == name)).rowcount:
                raise UnknownAccountError(name)

    def account(self, name: str) -> Account | None:
        """The account of this name, or None."""
        rows = self._database.rows(select(ACCOUNTS).where(ACCOUNTS.c.name == name))
        return Account(*rows[0]) if rows else None

    def accounts(self) -> tuple[Account, ...]:
        """All accounts, by name."""
        found = (Account(*row) for row in self._database.rows(select(ACCOUNTS)))
        return tuple(sorted(found, key=lambda account: account.name))  # no server's collation

    def session_secret(self, candidate: str) -> str:
        """The secret that signs sessions: the first candidate that any process ever offered."""
        row = {"purpose": SESSIONS, "secret": candidate}
        query = select(SECRETS.c.secret).where(SECRETS.c.purpose == SESSIONS)
        with self._database.writing() as connection:
            connection.execute(self._database.dialect.insert_missing(SECRETS).values(row))
            secret: str = connection.execute(query).scalar_one()
        return secret

    def end_session(self, session: str, until: datetime) -> None:
        """Invalidate this session; that is remembered until `until`."""
        row = {"session_sha256": digest(session), "until": written_time(until)}
        self._database.write(self._database.dialect.insert_missing(ENDED_SESSIONS).values(row))

    def is_ended(self, session: str) -> bool:
        """Whether a session was ended."""
        this = ENDED_SESSIONS.c.session_sha256 == digest(session)
        return bool(self._database.rows(select(ENDED_SESSIONS.c.until).where(this)))

    def table_of(self, token: str, at: datetime) -> str | None:
        """The table that this token lets in at the time `at`, else None."""
        asked = {"token_sha256": digest(token), "at": written_time(at)}
        return self._database.value(_LET_IN, asked)

    def token_hashes(self, table: str, at: datetime) -> tuple[str, ...]:
        """The SHA-256 of each token that lets this table in at the time `at`."""
        theirs = TOKENS.c.table_name == table, TOKENS.c.until > written_time(at)
        rows = self._database.rows(select(TOKENS.c.token_sha256).where(*theirs))
        return tuple(each.token_sha256 for each in rows)

    def revoke_tokens(self, table: str) -> None:
        """Invalidate all tokens of a table."""
        self._database.write(delete(TOKENS).where(TOKENS.c.table_name == table))

    def offer_code(self, code: str, place: str, until: datetime) -> None:
        """Let one table join `place` by this code, by no older one. Raises ConflictError."""
        row = {"code_sha256": digest(code), "place": place, "until": written_time(until)}
        older = delete(CODES).where(CODES.c.place == place, CODES.c.spent_by.is_(None))
        with self._database.writing() as connection:
            try:
                connection.execute(older.where(CODES.c.code_sha256 != row["code_sha256"]))
                connection.execute(insert(CODES).values(row))
            except IntegrityError as error:
                raise ConflictError.worded(
                    "This code was offered before; draw another one."
                ) from error

    def place_of(self, code: str) -> str | None:
        """The place that a code leads to, spent or not; None for an unknown one."""
        query = select(CODES.c.place).where(CODES.c.code_sha256 == digest(code))
        return self._database.value(query)

    def join(self, code: str, table: str, token: str, at: datetime, until: datetime) -> str:
        """Spend the code, store the table's token until `until`, answer the code's place.

        All or nothing: of two tables with the same code exactly one joins. A table that did not get
        the answer may ask again with the same token. Raises JoinRefusedError if the code is
        unknown, expired or spent by another.
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
        """Delete the tokens, codes and ended sessions that have expired by `at`."""
        tables = (TOKENS, CODES, ENDED_SESSIONS)
        expired = (delete(each).where(each.c.until <= written_time(at)) for each in tables)
        self._database.write(*expired)


class Presence:
    """The last contact of each table, within this process. Thread-safe."""

    def __init__(self) -> None:
        self._contacts: dict[str, datetime] = {}

    def note(self, table: str, at: datetime) -> None:
        self._contacts[table] = max(at, self._contacts.get(table, at))

    def last_contacts(self, tables: Iterable[str]) -> dict[str, datetime]:
        return {table: self._contacts[table] for table in tables if table in self._contacts}


class SqlPresence(Presence):
    """The last contact with any process, up to ten seconds old: few writes for many tables."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self._lock = Lock()
        self._kept: dict[str, datetime] = {}
        self._due: set[str] = set()
        self._written_at: datetime | None = None

    def note(self, table: str, at: datetime) -> None:
        with self._lock:
            super().note(table, at)
            kept = self._kept.get(table)
            if kept is None or at - kept >= KEPT_EVERY:
                self._due.add(table)
            written_at = self._written_at
            just_written = written_at is not None and abs(at - written_at) < WRITTEN_EVERY
            if just_written or not self._due:
                return
            self._written_at = at
            due = {each: self._contacts[each] for each in self._due}
        # where writing fails they stay due
        rows = [{"table_name": each, "heard_at": written_time(due[each])} for each in sorted(due)]
        later = [{"table": row["table_name"], "at": row["heard_at"]} for row in rows]
        with self._database.writing() as connection:
            connection.execute(self._database.dialect.insert_missing(PRESENCE), rows)
            connection.execute(_LATER, later)
        with self._lock:
            self._kept |= due
            self._due -= due.keys()

    def last_contacts(self, tables: Iterable[str]) -> dict[str, datetime]:
        wanted = set(tables)
        with self._database.reading() as connection:
            rows = connection.execute(select(PRESENCE).where(PRESENCE.c.table_name.in_(wanted)))
            found = {row.table_name: datetime.fromisoformat(row.heard_at) for row in rows}
        with self._lock:
            own = super().last_contacts(wanted)
        return found | {table: max(at, found.get(table, at)) for table, at in own.items()}
