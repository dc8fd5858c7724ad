"""What the hub needs from outside, as written contracts.

What a method returned from is on disk. Every method raises StoreError (an OSError too) with
a phrase naming fault and cure when the disk is full or the server away; whether a writing
method's work was kept is then not known: ask, then try again. Afterwards the store works again by
itself. Any thread may call it. Times are arguments: no store looks at a clock for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from scoreboard.tournament.protocol.audit_log import (
    Account,
    TournamentHeader,
    TournamentRecord,
)
from scoreboard.tournament.protocol.items import Dispute, Held, Item
from scoreboard.tournament.storage.change_feed import ChangeFeed


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """Now, as aware UTC."""
        ...


class Tournaments(Protocol):
    """Keeps the logbook of every tournament."""

    def create(self, tournament_id: str, name: str, at: datetime) -> None:
        """Begin an empty logbook; `at` is aware UTC. Raises ConflictError when the id is taken."""
        ...

    def headers(self) -> tuple[TournamentHeader, ...]:
        """All tournaments, newest first."""
        ...

    def append(
        self, tournament_id: str, expected: int, records: Sequence[TournamentRecord]
    ) -> None:
        """Append all of `records` or none, when the tournament has `expected` records already.

        Their hashes are kept, never computed. Tells news of the topic “tournament”.

        Raises:
            ConflictError: someone else was faster, or the records leave a gap.
            UnknownTournamentError: there is no such tournament (a LookupError too).
            ValueError: a body is not JSON.
        """
        ...

    def records(self, tournament_id: str, after: int = 0) -> tuple[TournamentRecord, ...]:
        """The records above the sequence `after`, in order. Raises UnknownTournamentError."""
        ...


class Deliveries(Protocol):
    """Keeps what the tables deliver: each item of a game exactly once, whatever the way did."""

    def take(self, table: str, game_id: str, items: Sequence[Item]) -> Held:
        """Keep the items that are not held yet, and answer what is held of the game now.

        Items may come late, twice and in any order. The game belongs to the table that first
        delivered of it. Tells news of the topic “game” when something new was kept.

        Raises:
            DisputedDeliveryError: items differ from the held ones of their sequences (a
                ConflictError too). They stand in `disputes`, with news of the topic “dispute”,
                and nowhere else; the others are kept, and the error carries the answer.
            ConflictError: the game is another table's; nothing is kept.
            ValueError: a body is not JSON; nothing is kept.
        """
        ...

    def held(self, game_id: str) -> Held:
        """What is held of a game; nothing of an unknown one."""
        ...

    def game(self, game_id: str, after: int = 0) -> tuple[Item, ...]:
        """The held items above the sequence `after`, in order, those above gaps too."""
        ...

    def table_of(self, game_id: str) -> str | None:
        """The table that delivers of a game; None for an unknown one."""
        ...

    def games_of(self, table: str) -> tuple[str, ...]:
        """The ids of the games that a table delivered of, first delivered first."""
        ...

    def disputes(self) -> tuple[Dispute, ...]:
        """What was offered for sequences that hold something else, each once, oldest first."""
        ...


class People(Protocol):
    """Keeps who may sign in and which tables are let in.

    Of sessions, tokens and codes it keeps the SHA-256 alone.
    """

    def add_account(self, account: Account) -> None:
        """Keep a new account. Raises ConflictError when the name is taken."""
        ...

    def set_password(self, name: str, password_hash: str) -> None:
        """Change an account's password hash. Raises UnknownAccountError (a LookupError too)."""
        ...

    def remove_account(self, name: str) -> None:
        """Forget an account. Raises UnknownAccountError."""
        ...

    def account(self, name: str) -> Account | None:
        """The account of this name, None where there is none."""
        ...

    def accounts(self) -> tuple[Account, ...]:
        """All accounts, by name."""
        ...

    def session_secret(self, candidate: str) -> str:
        """The secret that signs sessions: the first candidate that any process ever offered."""
        ...

    def end_session(self, session: str, until: datetime) -> None:
        """Let nobody in by this session any more; it is remembered before `until`."""
        ...

    def is_ended(self, session: str) -> bool:
        """Whether a session was ended."""
        ...

    def keep_token(self, table: str, token: str, until: datetime) -> None:
        """Let a table in by this token before `until`."""
        ...

    def table_of(self, token: str, at: datetime) -> str | None:
        """The table that this token lets in at the time `at`; None where it lets no one in."""
        ...

    def revoke_tokens(self, table: str) -> None:
        """Let a table in no longer, whatever tokens it has."""
        ...

    def offer_code(self, code: str, place: str, until: datetime) -> None:
        """Let one table join by this code before `until`; `place` is what it is told then.

        Codes that were offered for the place before and are not spent are forgotten.
        Raises ConflictError when the code was offered before.
        """
        ...

    def place_of(self, code: str) -> str | None:
        """The place that a code leads to, spent or not; None for an unknown one."""
        ...

    def join(self, code: str, table: str, token: str, at: datetime, until: datetime) -> str:
        """Spend the code, keep the table's token until `until`, answer the code's place.

        All or nothing: of two tables with the same code exactly one joins. A table that did
        not hear the answer may ask again with the same token.

        Raises:
            JoinRefusedError: the code is unknown, expired or spent by another.
        """
        ...

    def forget_expired(self, at: datetime) -> None:
        """Forget the tokens, codes and ended sessions that nobody can use from `at` on."""
        ...


class Presence(Protocol):
    """Knows when each table was heard last, whichever process heard it."""

    def note(self, table: str, at: datetime) -> None:
        """A table was heard at this time."""
        ...

    def heard(self, tables: Iterable[str]) -> Mapping[str, datetime]:
        """When these tables were heard last, those that ever were; ten seconds may be missing."""
        ...


class HubStore(Protocol):
    """All that a hub keeps."""

    @property
    def tournaments(self) -> Tournaments:
        """The logbooks."""
        ...

    @property
    def deliveries(self) -> Deliveries:
        """What the tables tell."""
        ...

    @property
    def people(self) -> People:
        """Who may come in."""
        ...

    @property
    def presence(self) -> Presence:
        """Who is there."""
        ...

    @property
    def change_feed(self) -> ChangeFeed:
        """What changed."""
        ...

    def close(self) -> None:
        """Let go of file, connections and threads."""
        ...
