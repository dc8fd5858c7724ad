"""The stored games: the list of them, the bin, and each one written out."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from threading import Event
from typing import Any, Final, Literal
from zipfile import ZipFile

from scoreboard.errors import StoreError
from scoreboard.games import GAMES
from scoreboard.games.engine.printout import summary
from scoreboard.games.engine.transcript import (
    GameHeader,
    GameStatus,
    RecordedEvent,
    StoredGame,
    events_in_force,
    state_after,
)
from scoreboard.games.notation import export_text
from scoreboard.message import Message, message
from scoreboard.storage import SqlStore
from scoreboard.storage.score_photos import ScorePhoto
from scoreboard.table.game_repository import event_text, known_standings
from scoreboard.table.game_session import AnyGame, rulebook
from scoreboard.table.ports import Clock
from scoreboard.table.view import TableView
from scoreboard.worker import Worker, failure, reason
from web.shared.spreadsheet import Row
from web.table.history.game_log import GameLog, read_log
from web.table.history.spreadsheet import COLUMNS, box_rows

PAGE: Final = 50
BIN_STAY: Final = timedelta(days=7)  # how long a deleted game can be taken back
GameStanding = Literal["on the table", "unfinished", "abandoned", "finished", "damaged"]
ExportFormat = Literal["txt", "json", "raw"]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One stored game in the list: newest first, totals in seat order.

    `opened_at` is aware UTC, `totals` are the grand totals so far. For an unreadable game `fault`
    is the reason, and unknown values are empty. `deleted_at` (aware UTC) is when a game of the bin
    was put there. `reviewed`: pages show how it could have been played.
    """

    game_id: str
    title: Message
    players: tuple[str, ...]
    opened_at: datetime | None
    state: GameStanding
    totals: tuple[int, ...]
    fault: Message | None = None
    deleted_at: datetime | None = None
    reviewed: bool = False

    @property
    def kept_until(self) -> datetime | None:
        return None if self.deleted_at is None else self.deleted_at + BIN_STAY


@dataclass(frozen=True, slots=True)
class GamesPage:
    """Page `number` of the `pages` of the list of games, counted from 1."""

    games: tuple[GameSummary, ...]
    number: int = 1
    pages: int = 1


class Archive:
    """The games of one store; thread-safe.

    Each method raises StoreError when the store cannot be read.
    """

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    def summaries(self) -> tuple[GameSummary, ...]:
        """All games, newest first."""
        return self._summaries(self._store.games(by_time=True))

    def page(self, number: int, on_the_table: str | None) -> GamesPage:
        """A page of the games, newest first, the existing one nearest to `number`.

        `on_the_table` is the id of the current game.
        """
        pages = max(1, -(-self._store.count() // PAGE))
        shown = min(max(1, number), pages)
        listed = self._store.games((shown - 1) * PAGE, PAGE, by_time=True)
        return GamesPage(self._summaries(listed, on_the_table), shown, pages)

    def summary(self, game_id: str, on_the_table: str | None) -> GameSummary | None:
        return next(iter(self._summaries(self._store.games(ids=[game_id]), on_the_table)), None)

    def bin(self) -> tuple[GameSummary, ...]:
        """The games in the bin, the one deleted last first."""
        binned = self._summaries(self._store.games(in_bin=True))
        return tuple(sorted(binned, key=attrgetter("deleted_at"), reverse=True))

    def holds(self, game_id: str) -> bool:
        """Whether there is a game of that id, in the list or in the bin."""
        return any(self._store.games(ids=[game_id], in_bin=in_bin) for in_bin in (False, True))

    def played(self, game_id: str) -> tuple[GameHeader, tuple[Any, ...]]:
        """Who played what, and the events that count. Raises UnknownGameError, TranscriptError."""
        header, records, game = self._read(game_id)
        state_after(game, header, records)
        return header, events_in_force(records)

    def export(self, game_id: str, form: ExportFormat) -> str:
        """Write a game.

        `txt` is the notation, `json` the sheet's figures and all steps with times and sources;
        `raw` are the rows of the database, available for unreadable games too. Raises
        UnknownGameError, TranscriptError.
        """
        if form == "raw":
            return self._store.raw(game_id)
        header, records, game = self._read(game_id)
        state = state_after(game, header, records)
        match form:
            case "txt":
                return export_text(header, records)
            case "json":
                photos: dict[object, str] = {at: photo_name(at) for at in self.pictured(game_id)}
                done = game_steps(game, records)
                steps = [{**step, "photo": photos.get(step["step"])} for step in done]
                figures = {**summary(game, state), "steps": steps}
                return json.dumps(figures, ensure_ascii=False) + "\n"

    def log(self, game_id: str) -> GameLog:
        """What was done in a game, step by step. Raises UnknownGameError, TranscriptError."""
        header, records, game = self._read(game_id)
        return read_log(game, header, records)

    def pictured(self, game_id: str) -> frozenset[int]:
        return self._store.photos.steps(game_id)

    def photo(self, game_id: str, step: int) -> ScorePhoto | None:
        return next(iter(self._store.photos.of_game(game_id, step)), None)

    def photos_zip(self, game_id: str) -> bytes:
        """A game's photos as a zip, named as in its JSON, and `photos.json` with their readings."""
        photos = self._store.photos.of_game(game_id)
        packed = io.BytesIO()
        with ZipFile(packed, "w") as files:
            for photo in photos:
                files.writestr(photo_name(photo.step), photo.jpeg)
            known = [
                {"photo": photo_name(one.step), "taken_at": one.taken_at.isoformat(), **one.seen}
                for one in photos
            ]
            files.writestr("photos.json", json.dumps(known, ensure_ascii=False, indent=1) + "\n")
        return packed.getvalue()

    def boxes(self) -> Iterator[Row]:
        """All finished games under a head, the oldest first: a row a box.

        A game that cannot be read is left out.
        """
        yield COLUMNS
        for header, records, game in self._finished():
            results = self._store.finished.results([header.game_id])
            yield from box_rows(game, header, records, results.get(header.game_id, ()))

    def _finished(self) -> Iterator[tuple[GameHeader, tuple[RecordedEvent, ...], AnyGame]]:
        listed = tuple(reversed(self._store.games()))
        for one, standing in known_standings(self._store, listed):
            if isinstance(standing, GameStatus) and standing.finished:
                yield self._read(one.game_id)

    def _read(self, game_id: str) -> tuple[GameHeader, tuple[RecordedEvent, ...], AnyGame]:
        header = self._store.header(game_id)
        return header, self._store.events(game_id), rulebook(header.game)

    def _summaries(
        self, listed: Sequence[StoredGame], on_the_table: str | None = None
    ) -> tuple[GameSummary, ...]:
        summaries = []
        for one, standing in known_standings(self._store, listed):
            header = one.header
            known = None if header is None else GAMES.get(header.game)
            unknown = "?" if header is None else header.game
            found = GameSummary(
                game_id=one.game_id,
                title=message("{name}", name=unknown)
                if known is None or header is None
                else known.title_under(header.options),
                players=() if header is None else header.players,
                opened_at=None if header is None else header.opened_at,
                state=_state(standing, on_the_table=one.game_id == on_the_table),
                totals=() if isinstance(standing, Message) else standing.totals,
                fault=standing if isinstance(standing, Message) else None,
                deleted_at=one.deleted_at,
                reviewed=known is not None and known.review is not None,
            )
            summaries.append(found)
        return tuple(summaries)


def photo_name(step: int) -> str:
    """What the photo of a step is called in exports."""
    return f"step-{step:04}.jpg"


def game_steps(
    game: AnyGame, records: Sequence[RecordedEvent]
) -> Iterator[dict[str, int | str | None]]:
    """What was done, step by step, undone steps too.

    `confirmed_by` is None in the steps of an older Tablescore, which did not note it.
    """
    for step, (first, *more) in groupby(records, key=lambda record: record.step):
        acts = (event_text(game, record.event) for record in (first, *more))
        yield {
            "step": step,
            "recorded_at": first.recorded_at.isoformat(),
            "source": first.source,
            "confirmed_by": first.confirmed_by or None,
            "act": "; ".join(acts),
        }


def _state(standing: GameStatus | Message, *, on_the_table: bool) -> GameStanding:
    if isinstance(standing, Message):
        return "damaged"
    if standing.abandoned and not standing.finished:
        return "abandoned"  # on the table too: it can be resumed
    if on_the_table:
        return "on the table"
    return "finished" if standing.finished else "unfinished"


LOG: Final = logging.getLogger(__name__)
PAUSE_SECONDS: Final = 60.0
DAILY: Final = timedelta(days=1)  # the bin is looked through, and what was not backed up yet
ENDED: Final = frozenset({"finished", "abandoned"})
BACKUP: Final = "backup"


class Upkeep(Worker):
    """An announcer that backs the file up at each game's end, and checkpoints it each minute.

    A backup is also made when the table cannot record any more: the file may have been deleted, and
    the open data would be lost with the table. At the start and once a day the records missing in
    the newest backup are backed up, as after a power cut, and the games are deleted that were in
    the bin for seven days. At the start, each minute and at each game's end it lets `count` bring
    the statistics up to date. A failure is reported to the owner until the task succeeds, and does
    not keep the others from being done.
    """

    def __init__(
        self,
        store: SqlStore,
        clock: Clock,
        pause_seconds: float = PAUSE_SECONDS,
        count: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._count = count
        self._pause_seconds = pause_seconds
        self._view: TableView | None = None
        self._recorded: object = None
        self._looked_at: datetime | None = None
        self._due = Event()
        self._failed: dict[str, Exception] = {}
        super().__init__("upkeep", self._keep_up, wake=self._due.set)

    @property
    def faults(self) -> tuple[Message, ...]:
        """The last failures, and the age of the newest backup if backups fail."""
        failed = self._failed.copy()
        backup = failed.pop(BACKUP, None)
        others = tuple(failure(name, error) for name, error in failed.items())
        if backup is None:
            return others
        age = backup_age(self._store.backed_up_at(), self._clock())
        last = message("The last backup failed ({fault}). {age}", fault=reason(backup), age=age)
        return (last, *others)

    def announce(self, view: TableView) -> None:
        before, self._view = self._view, view
        if before is None:
            return
        ends = view.stage in ENDED and view.game_id == before.game_id
        pauses = view.paused is not None and before.paused is None
        if (ends and view.sequence > before.sequence) or pauses:
            self._due.set()

    def _keep_up(self) -> None:
        at = self._clock()
        if self._looked_at is None or at - self._looked_at >= DAILY:
            self._looked_at = at
            self._do("bin", self._empty_bin)
            self._do(BACKUP, self._back_up_what_is_not)
        self._do("statistics", self._count)
        due = self._due.wait(self._pause_seconds)
        self._due.clear()
        if self.stopping.is_set():
            return
        if due:
            self._do("statistics", self._count)  # before the backup, which can take seconds
            self._do(BACKUP, self._back_up)
        view = self._view
        now = (None, 0) if view is None else (view.game_id, view.sequence)
        if due or now != self._recorded:
            self._do("write-ahead log", self._store.checkpoint)
        self._recorded = now

    def _do(self, name: str, act: Callable[[], object]) -> None:
        try:
            act()
        except Exception as error:  # what fails must not keep the others from being done
            if repr(error) != repr(self._failed.get(name)):  # once is enough
                LOG.warning("%s: %s", name, error, exc_info=not isinstance(error, StoreError))
            self._failed[name] = error
        else:
            self._failed.pop(name, None)

    def _back_up(self) -> None:
        self._store.back_up(self._clock())

    def _back_up_what_is_not(self) -> None:
        if not self._store.is_backed_up():
            self._back_up()

    def _empty_bin(self) -> None:
        for game_id in self._store.empty_bin(self._clock() - BIN_STAY):
            LOG.info("deleted %s for good, after its days in the bin", game_id)


def backup_age(newest: datetime | None, now: datetime) -> Message:
    """How old the newest backup is."""
    if newest is None:
        return message("There is no backup yet.")
    days = (now - newest).days
    if days < 2:  # noqa: PLR2004 -- of yesterday: no number helps
        return message("The newest backup is less than two days old.")
    return message("The newest backup is {days} days old.", days=days)
