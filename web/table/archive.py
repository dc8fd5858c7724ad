"""The stored games: the list of them, and each one written out."""

from __future__ import annotations

import csv
import io
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final, Literal

from scoreboard.errors import StoreError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Game
from scoreboard.games.engine.printout import score_table, summary
from scoreboard.games.engine.transcript import GameHeader, GameStatus, StoredGame, state_after
from scoreboard.games.notation import export_text
from scoreboard.message import Message, message
from scoreboard.table.game_repository import known_standings
from scoreboard.table.game_session import rulebook
from scoreboard.table.ports import Clock, EventStore
from scoreboard.table.view import TableView

if TYPE_CHECKING:
    from scoreboard.storage import SqlStore


PAGE: Final = 50
GameStanding = Literal["on the table", "unfinished", "abandoned", "finished", "damaged"]
ExportFormat = Literal["txt", "json", "csv", "raw"]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One stored game in the list: newest first, totals in seat order.

    `opened_at` is aware UTC, `totals` are the grand totals so far. Of a game that cannot be read
    `fault` says why, and what is not known is left empty.
    """

    game_id: str
    title: Message
    players: tuple[str, ...]
    opened_at: datetime | None
    state: GameStanding
    totals: tuple[int, ...]
    fault: Message | None = None


@dataclass(frozen=True, slots=True)
class GamesPage:
    """Page `number` of the `pages` of the list of games, counted from 1."""

    games: tuple[GameSummary, ...]
    number: int = 1
    pages: int = 1


class Archive:
    """The games of one store; any thread may call it.

    Each method raises StoreError when the store cannot be read.
    """

    def __init__(self, store: EventStore, games: Mapping[str, Game[Any, Any, Any]] = GAMES) -> None:
        self._store = store
        self._games = games

    def summaries(self) -> tuple[GameSummary, ...]:
        """All games, newest first."""
        return self._summaries(self._store.games())

    def page(self, number: int, on_the_table: str | None) -> GamesPage:
        """A page of the games, newest first; of those that there are the nearest to `number`.

        `on_the_table` is the id of the game that lies there now.
        """
        pages = max(1, -(-self._store.count() // PAGE))
        shown = min(max(1, number), pages)
        listed = self._store.games((shown - 1) * PAGE, PAGE)
        return GamesPage(self._summaries(listed, on_the_table), shown, pages)

    def summary(self, game_id: str, on_the_table: str | None) -> GameSummary | None:
        """The game of that id, None where there is none."""
        found = self._summaries(self._store.games(ids=[game_id]), on_the_table)
        return found[0] if found else None

    def headers(self, most: int) -> tuple[GameHeader, ...]:
        """Who played what by which rules: the newest games, newest first, that can be read."""
        listed = self._store.games(0, most)
        return tuple(one.header for one in listed if one.header is not None)

    def holds(self, game_id: str) -> bool:
        """Whether there is a game of that id."""
        return bool(self._store.games(ids=[game_id]))

    def delete(self, game_id: str) -> None:
        """Forget a game for good. Raises UnknownGameError."""
        self._store.delete(game_id)

    def export(self, game_id: str, form: ExportFormat) -> str:
        """Write a game.

        `txt` is the notation, `csv` the sheet, `json` the sheet's figures; `raw` are the rows of
        the database, which can be had of a game that cannot be read too.

        Raises:
            UnknownGameError: there is no game of that id.
            TranscriptError: the game cannot be read.
        """
        if form == "raw":
            return self._store.raw(game_id)
        header, records = self._store.header(game_id), self._store.events(game_id)
        game = rulebook(self._games, header.game)
        state = state_after(game, header, records)
        match form:
            case "txt":
                return export_text(header, records)
            case "csv":
                rows = score_table(game.scoresheet(state))
                text = io.StringIO()
                csv.writer(text, lineterminator="\n").writerows(rows)
                return text.getvalue()
            case "json":
                return json.dumps(summary(game, state), ensure_ascii=False) + "\n"

    def _summaries(
        self, listed: Sequence[StoredGame], on_the_table: str | None = None
    ) -> tuple[GameSummary, ...]:
        summaries = []
        for one, standing in known_standings(self._store, self._games, listed):
            header = one.header
            known = None if header is None else self._games.get(header.game)
            unknown = "?" if header is None else header.game
            found = GameSummary(
                game_id=one.game_id,
                title=message("{name}", name=unknown) if known is None else known.title,
                players=() if header is None else header.players,
                opened_at=None if header is None else header.opened_at,
                state="damaged",
                totals=(),
            )
            if isinstance(standing, Message):
                found = replace(found, fault=standing)
            else:
                state = _state(standing, on_the_table=one.game_id == on_the_table)
                found = replace(found, state=state, totals=standing.totals)
            summaries.append(found)
        return tuple(summaries)


def _state(standing: GameStatus, *, on_the_table: bool) -> GameStanding:
    if standing.abandoned and not standing.finished:
        return "abandoned"  # on the table too: it can be resumed
    if on_the_table:
        return "on the table"
    return "finished" if standing.finished else "unfinished"


LOG: Final = logging.getLogger(__name__)
PAUSE_SECONDS: Final = 60.0
STOP_SECONDS: Final = 0.5
ENDED: Final = frozenset({"finished", "abandoned"})


class Upkeep:
    """An announcer that backs the file up at each game's end, and checkpoints it each minute.

    A backup is also made when the table cannot record any more: the file may have been deleted,
    and what is open goes with the table. A backup that fails is logged; play goes on.
    """

    def __init__(self, store: SqlStore, clock: Clock, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._store = store
        self._clock = clock
        self._pause_seconds = pause_seconds
        self._view: TableView | None = None
        self._due = Event()
        self._stopping = False
        self._thread = Thread(target=self._run, name="upkeep", daemon=True)

    def start(self) -> None:
        """Begin; call it once, after any fork."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; a backup that is being made may be left out."""
        self._stopping = True
        self._due.set()
        self._thread.join(STOP_SECONDS)

    def announce(self, view: TableView) -> None:
        """Take the newest view."""
        before, self._view = self._view, view
        if before is None:
            return
        ends = view.stage in ENDED and view.game_id == before.game_id
        pauses = view.paused is not None and before.paused is None
        if (ends and view.sequence > before.sequence) or pauses:
            self._due.set()

    def _run(self) -> None:
        recorded: object = None
        while True:
            due = self._due.wait(self._pause_seconds)
            self._due.clear()
            if self._stopping:
                return
            view = self._view
            now = (None, 0) if view is None else (view.game_id, view.sequence)
            try:
                if due:
                    self._store.back_up(self._clock())
                if due or now != recorded:
                    self._store.checkpoint()
            except StoreError as error:
                LOG.warning("%s", error)
            recorded = now
