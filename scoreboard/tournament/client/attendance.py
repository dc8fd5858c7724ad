"""A table's memory of its event: as a value, in a file, and shared by its threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock

from scoreboard.errors import StoreError
from scoreboard.games.engine.transcript import GameHeader, Kinds, RecordedEvent
from scoreboard.message import message
from scoreboard.table.event import SeatScore
from scoreboard.text_files import sync_folder, write_whole
from scoreboard.tournament.model.scores import Score
from scoreboard.tournament.protocol.documents import WireError, text_of, value_from_text
from scoreboard.tournament.protocol.hub_update import HubUpdate
from scoreboard.tournament.protocol.items import (
    Body,
    DisputedBy,
    EventItem,
    Item,
    Opened,
    ResultAlone,
    SignedBy,
    body_of,
)


@dataclass(frozen=True, slots=True)
class Note:
    """A sign-off or dispute of an entrant when `after` of the game's events had happened.

    In a game whose result was entered, each result counts as an event. `why` says what is wrong
    with the result, None from one who agrees.
    """

    after: int
    entrant: int
    why: str | None = None

    @property
    def body(self) -> Body:
        """The body of the item that the hub gets."""
        return body_of(
            SignedBy(self.entrant) if self.why is None else DisputedBy(self.entrant, self.why)
        )


@dataclass(frozen=True, slots=True)
class EventGame:
    """A game of a round at this table; it is played once the table's store knows its id.

    `number` counts the games of the round; `players` and `entrants` are in seat order. The game's
    events stay in the table's own store: only sign-offs and disputes are kept here, and the
    results that were entered where there are no events.
    """

    game_id: str
    game: str
    round: int
    table: int
    number: int
    players: tuple[str, ...]
    entrants: tuple[int, ...]
    options: Mapping[str, str]
    notes: tuple[Note, ...] = ()
    results: tuple[tuple[SeatScore, ...], ...] = ()

    def noted(self, *notes: Note) -> EventGame:
        """The game with more sign-offs or disputes."""
        return replace(self, notes=(*self.notes, *notes))

    def entered(self, scores: tuple[SeatScore, ...]) -> EventGame:
        """The game with this result, the same game where it has it already."""
        known = self.results[-1:] == (scores,)
        return self if known else replace(self, results=(*self.results, scores))

    def entered_items(self) -> tuple[Item, ...]:
        """All items of a game whose result was entered: results and notes as they came."""
        bodies: list[Body] = []
        for happened, seats in enumerate(self.results, start=1):
            pairs = zip(self.entrants, seats, strict=True)
            scores = tuple(Score(who, each.score, each.fate) for who, each in pairs)
            result = ResultAlone(self.round, self.table, self.number, scores)
            bodies += [body_of(result), *self._noted_after(happened)]
        return _numbered(bodies)

    def items(
        self, header: GameHeader, records: Sequence[RecordedEvent], kinds: Kinds
    ) -> tuple[Item, ...]:
        """All items of the game, numbered: the opening, then events and notes as they came.

        Notes after events that are not among `records` are left out, so that of two looks at a
        game the shorter is always the beginning of the longer.
        """
        opened = Opened(
            header.game,
            header.players,
            header.opened_at,
            self.round,
            self.table,
            self.number,
            self.entrants,
            dict(header.options),
        )
        bodies = [body_of(opened), *self._noted_after(0)]
        for happened, record in enumerate(records, start=1):
            bodies += [body_of(EventItem.of(record, kinds)), *self._noted_after(happened)]
        return _numbered(bodies)

    def _noted_after(self, happened: int) -> Iterator[Body]:
        return (note.body for note in self.notes if note.after == happened)


def _numbered(bodies: Sequence[Body]) -> tuple[Item, ...]:
    return tuple(Item(sequence, body) for sequence, body in enumerate(bodies, start=1))


@dataclass(frozen=True, slots=True)
class Ticket:
    """A table's place at an event: the hub's address, the secret, and what it is called there.

    `address` is where the hub is reached (`https://hub.example:8443`), `place` the table's
    number at the event called `title`.
    """

    address: str
    token: str = field(repr=False)
    tournament_id: str
    title: str
    place: int

    def is_same_place(self, other: Ticket) -> bool:
        """Whether both are for one place at one event."""
        return (self.tournament_id, self.place) == (other.tournament_id, other.place)


@dataclass(frozen=True, slots=True)
class Attendance:
    """The ticket, the games of the event at this table, and the hub's last update.

    `put_away` are the messages of the director that need not be shown any more.
    """

    ticket: Ticket
    games: tuple[EventGame, ...] = ()
    word: HubUpdate | None = None
    put_away: tuple[int, ...] = ()

    def with_game(self, game: EventGame) -> Attendance:
        """With one more game."""
        return replace(self, games=(*self.games, game))

    def changed(self, game_id: str, change: Callable[[EventGame], EventGame]) -> Attendance:
        """With more known of a game."""
        games = (change(game) if game.game_id == game_id else game for game in self.games)
        return replace(self, games=tuple(games))

    def with_update(self, update: HubUpdate) -> Attendance:
        """After an update of the hub."""
        return replace(self, word=update)

    def without_message(self, number: int) -> Attendance:
        """With a message put away; those that the hub took away need no remembering."""
        standing = () if self.word is None else self.word.message_numbers
        put_away = {*self.put_away, number}.intersection(standing)
        return replace(self, put_away=tuple(sorted(put_away)))


class AttendanceFile:
    """One file; what `write` returned from is on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Attendance | None:
        """The attendance written last; None where the table takes part in no event.

        Raises:
            StoreError: the file is damaged or cannot be read.
        """
        try:
            return value_from_text(Attendance, self.path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, WireError) as error:
            raise StoreError(
                message(
                    "What this table knows of its event cannot be read: move {file} away and join "
                    "again.",
                    file=str(self.path),
                )
            ) from error

    def write(self, attendance: Attendance) -> None:
        """Keep it; a power cut leaves the old one or the new one.

        Raises:
            StoreError: the disk is full, or the folder cannot be written.
        """
        try:
            write_whole(self.path, text_of(attendance).encode())  # the ticket is a secret
        except OSError as error:
            raise self._unwritable(error) from error

    def forget(self) -> None:
        """Remember no event any more. Raises StoreError."""
        try:
            with suppress(FileNotFoundError):
                self.path.unlink()
                sync_folder(self.path.parent)
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> StoreError:
        return StoreError(
            message(
                "What belongs to the event cannot be kept in {folder} ({fault}): make room there.",
                folder=str(self.path.parent),
                fault=error.strerror or str(error),
            )
        )


class AttendanceBook:
    """Holds what the file holds, on disk before anyone sees it; any thread may call it."""

    def __init__(self, file: AttendanceFile) -> None:
        """Read the file. Raises StoreError where it is damaged."""
        self._file = file
        self._lock = RLock()
        self._now = file.read()
        self._left: Attendance | None = None

    @property
    def now(self) -> Attendance | None:
        """The current attendance, None where the table takes part in no event."""
        return self._now

    @property
    def games(self) -> tuple[EventGame, ...]:
        """The games of the event at this table."""
        now = self._now
        return () if now is None else now.games

    def begin(self, ticket: Ticket) -> Attendance:
        """Take part in an event: with its games where it was at this place before.

        Raises StoreError.
        """
        with self._lock:
            before = self._now or self._left
            is_back = before is not None and before.ticket.is_same_place(ticket)
            begun = replace(before, ticket=ticket) if before and is_back else Attendance(ticket)
            self._file.write(begun)
            self._now = begun
            return begun

    def change(self, change: Callable[[Attendance], Attendance]) -> None:
        """Replace what is known, if the table takes part in an event. Raises StoreError."""
        with self._lock:
            if self._now is None:
                return
            changed = change(self._now)
            if changed != self._now:
                self._file.write(changed)
                self._now = changed

    def forget(self) -> None:
        """Take part in no event any more. Raises StoreError.

        Its games are remembered until the table is switched off: who comes back goes on with them.
        """
        with self._lock:
            self._file.forget()
            self._left = self._now or self._left
            self._now = None
