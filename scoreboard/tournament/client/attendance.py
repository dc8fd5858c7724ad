"""A table's memory of its tournament: as a value, in a file, and shared by its threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock

from scoreboard.errors import StoreError
from scoreboard.games.engine.transcript import GameHeader, Kinds, RecordedEvent
from scoreboard.table.tournament_view import SeatScore
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
    """An entrant's signature or dispute after the first `after` of the game's events.

    In a game whose result was entered, each result counts as an event. `why` is the fault of the
    result, None for a signature.
    """

    after: int
    entrant: int
    why: str | None = None

    @property
    def body(self) -> Body:
        """The body of its item for the hub."""
        who, why = self.entrant, self.why
        return body_of(SignedBy(who) if why is None else DisputedBy(who, why))


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A game of a round at this table; it is played once the table's store knows its id.

    `number` counts the games of the round; `players` and `entrants` are in seat order. The game's
    events stay in the table's own store: only signatures and disputes are kept here, and the
    results entered without events.
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

    def noted(self, *notes: Note) -> TournamentGame:
        """The game with more signatures or disputes."""
        return replace(self, notes=(*self.notes, *notes))

    def entered(self, scores: tuple[SeatScore, ...]) -> TournamentGame:
        """The game with this result, unchanged if it has it already."""
        known = self.results[-1:] == (scores,)
        return self if known else replace(self, results=(*self.results, scores))

    def entered_items(self) -> tuple[Item, ...]:
        """All items of a game whose result was entered: results and notes in order."""
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
        """All items of the game, numbered: the opening, then events and notes in order.

        Notes after events that are not among `records` are left out, so that of two reads of a game
        the shorter is always the beginning of the longer.
        """
        place = self.round, self.table, self.number
        named = header.game, header.players, header.opened_at
        opened = Opened(*named, *place, self.entrants, dict(header.options))
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
    """A table's place at a tournament: the hub's address, the secret, and the tournament's title.

    `address` is the hub's (`https://hub.example:8443`), `place` the table's number at the
    tournament called `title`.
    """

    address: str
    token: str = field(repr=False)
    tournament_id: str
    title: str
    place: int


@dataclass(frozen=True, slots=True)
class Attendance:
    """The ticket, the tournament's games at this table, and the hub's last update.

    `put_away` are the director's dismissed messages.
    """

    ticket: Ticket
    games: tuple[TournamentGame, ...] = ()
    word: HubUpdate | None = None
    put_away: tuple[int, ...] = ()

    def changed(self, game_id: str, edit: Callable[[TournamentGame], TournamentGame]) -> Attendance:
        games = (edit(game) if game.game_id == game_id else game for game in self.games)
        return replace(self, games=tuple(games))

    def without_message(self, number: int) -> Attendance:
        """With a message dismissed; those that the hub took away are dropped."""
        current = () if self.word is None else self.word.message_numbers
        put_away = {*self.put_away, number}.intersection(current)
        return replace(self, put_away=tuple(sorted(put_away)))


class AttendanceFile:
    """One file; when `write` returns, it is on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Attendance | None:
        """The attendance written last; None without a tournament. Raises StoreError if damaged."""
        try:
            return value_from_text(Attendance, self.path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, WireError) as error:
            raise StoreError.worded(
                "What this table knows of its event cannot be read: move {file} away and join "
                "again.",
                file=str(self.path),
            ) from error

    def write(self, attendance: Attendance) -> None:
        """Store it; after a power cut the old or the new one is left. Raises StoreError."""
        try:
            write_whole(self.path, text_of(attendance).encode())  # the ticket is a secret
        except OSError as error:
            raise self._unwritable(error) from error

    def forget(self) -> None:
        """Delete the file. Raises StoreError."""
        try:
            with suppress(FileNotFoundError):
                self.path.unlink()
                sync_folder(self.path.parent)
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> StoreError:
        return StoreError.worded(
            "What belongs to the event cannot be kept in {folder} ({fault}): make room there.",
            folder=str(self.path.parent),
            fault=error.strerror or str(error),
        )


class AttendanceBook:
    """The file's content, which is on disk before it is visible; thread-safe."""

    def __init__(self, file: AttendanceFile) -> None:
        """Read the file. Raises StoreError if it is damaged."""
        self._file = file
        self._lock = RLock()
        self._now = file.read()
        self._left: Attendance | None = None

    @property
    def now(self) -> Attendance | None:
        """The current attendance, None without a tournament."""
        return self._now

    @property
    def games(self) -> tuple[TournamentGame, ...]:
        now = self._now
        return () if now is None else now.games

    def begin(self, ticket: Ticket) -> Attendance:
        """Take part, with the table's games if it was at this place before. Raises StoreError."""
        with self._lock:
            begun, before = Attendance(ticket), self._now or self._left
            place = ticket.tournament_id, ticket.place
            if before and (before.ticket.tournament_id, before.ticket.place) == place:
                begun = replace(before, ticket=ticket)
            self._file.write(begun)
            self._now = begun
            return begun

    def change(self, change: Callable[[Attendance], Attendance]) -> None:
        """Replace the attendance, if there is one. Raises StoreError."""
        with self._lock:
            if self._now is None:
                return
            changed = change(self._now)
            if changed != self._now:
                self._file.write(changed)
                self._now = changed

    def forget(self) -> None:
        """Leave the tournament. Raises StoreError.

        Its games are remembered until the table is switched off: a table that comes back goes on
        with them.
        """
        with self._lock:
            self._file.forget()
            self._left = self._now or self._left
            self._now = None
