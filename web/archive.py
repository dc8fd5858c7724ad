"""The stored games: the list of them, and each one written out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any, Final

from scoreboard.game import Game, Setup, replay
from scoreboard.games import GAMES
from scoreboard.notation import export_text
from scoreboard.summary import score_table, summary
from scoreboard.table.ports import EventStore
from scoreboard.transcript import GameHeader, RecordedEvent, is_abandoned, records_in_force
from web.table import ExportFormat, GameStanding, GameSummary

GRAND_TOTAL: Final = "grand"


class Archive:
    """The games of one store, read only; any thread may call it.

    Each method raises StoreError when the store cannot be read.
    """

    def __init__(self, store: EventStore, games: Mapping[str, Game[Any, Any, Any]] = GAMES) -> None:
        self._store = store
        self._games = games

    def summaries(self, on_the_table: str | None = None) -> tuple[GameSummary, ...]:
        """All games, newest first; `on_the_table` is the id of the one that is played now."""
        return tuple(self._summary(header, on_the_table) for header in self._store.headers())

    def holds(self, game_id: str) -> bool:
        """Whether there is a game of that id."""
        return any(header.game_id == game_id for header in self._store.headers())

    def export(self, game_id: str, form: ExportFormat) -> str:
        """Write a game: `txt` is the notation, `csv` the sheet, `json` the sheet's figures.

        Raises:
            UnknownGameError: there is no game of that id.
        """
        header, records = self._store.header(game_id), self._store.events(game_id)
        game = self._games[header.game]
        match form:
            case "txt":
                return export_text(header, records)
            case "csv":
                return _comma_separated(score_table(game.scoresheet(_state(game, header, records))))
            case "json":
                figures = summary(game, _state(game, header, records))
                return json.dumps(figures, ensure_ascii=False) + "\n"

    def _summary(self, header: GameHeader, on_the_table: str | None) -> GameSummary:
        game, records = self._games[header.game], self._store.events(header.game_id)
        state = _state(game, header, records)
        return GameSummary(
            game_id=header.game_id,
            title=game.title,
            players=header.players,
            opened_at=header.opened_at,
            state=_standing(
                finished=game.outcome(state) is not None,
                abandoned=is_abandoned(records),
                on_the_table=header.game_id == on_the_table,
            ),
            totals=tuple(
                cell.points or 0 for cell in game.scoresheet(state).row(GRAND_TOTAL).cells
            ),
        )


def _state(
    game: Game[Any, Any, Any], header: GameHeader, records: tuple[RecordedEvent, ...]
) -> Any:
    events = (record.event for record in records_in_force(records))
    return replay(game, Setup(header.players, header.options), events)


def _standing(*, finished: bool, abandoned: bool, on_the_table: bool) -> GameStanding:
    if on_the_table:
        return "on the table"
    if finished:
        return "finished"
    return "abandoned" if abandoned else "unfinished"


def _comma_separated(rows: tuple[tuple[str, ...], ...]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
