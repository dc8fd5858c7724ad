"""The figures of finished games: kept up to date in the background, and the records they give."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

from scoreboard.errors import StoreError, UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.advice.dice_values import load
from scoreboard.games.advice.luck import PlayerLuck, luck_of
from scoreboard.games.engine.game import Setup, settled
from scoreboard.games.engine.scoresheet import Row
from scoreboard.games.engine.transcript import (
    GameHeader,
    GameStatus,
    RecordedEvent,
    TranscriptError,
    events_in_force,
)
from scoreboard.games.finished import (
    FinishedGame,
    end_records,
    finished_games,
    five_alike_record,
    just_scored_five_alike,
)
from scoreboard.message import Message
from scoreboard.storage import SqlStore
from scoreboard.storage.finished_games import GameKind, SqlFinishedGames
from scoreboard.table.game_repository import known_standings
from scoreboard.table.game_session import AnyGame, rulebook
from scoreboard.table.ports import Clock
from scoreboard.table.view import TableView

BATCH: Final = 50  # games that are read and kept at once
LOG: Final = logging.getLogger(__name__)


def work_out(
    store: SqlStore,
    ids: Sequence[str],
    advice: Path | None,
    dice: str = "",
    since: datetime | None = None,
) -> Iterator[tuple[str, bool]]:
    """Replay these games and keep their players' figures; each id with whether it can be read.

    `advice` is the folder of the tables that were made here, `dice` the name of the dice of the
    games that were finished `since` then. Raises StoreError.
    """
    for start in range(0, len(ids), BATCH):
        rows: dict[str, tuple[int, Sequence[FinishedGame]]] = {}
        listed = store.games(ids=ids[start : start + BATCH])
        for one, standing in known_standings(store, listed):
            rows[one.game_id], is_read = (0, ()), isinstance(standing, GameStatus)
            if isinstance(standing, GameStatus) and standing.finished:
                header = store.header(one.game_id)
                try:
                    records = store.events(one.game_id)
                    game, read = rulebook(header.game), store.photos.read(one.game_id)
                    luck = luck_in(game, header, records, advice)
                    parts = with_luck(finished_games(game, header, records, read), luck)
                except TranscriptError:  # damaged since its standing was kept
                    parts, records, is_read = (), (), False
                if since is not None and parts and parts[0].finished_at >= since:
                    parts = tuple(replace(part, dice=dice) for part in parts)
                rows[one.game_id] = (len(records), parts)
            yield one.game_id, is_read
        store.finished.keep(rows)


def luck_in(
    game: AnyGame, header: GameHeader, records: Sequence[RecordedEvent], advice: Path | None
) -> tuple[PlayerLuck, ...]:
    """Each player's luck and decisions, in seat order; empty if best play is not known.

    Best play comes from the shipped tables, and from those in the folder `advice`. Raises
    TranscriptError.
    """
    values = load(game, header.options, advice) if game.has_dice else None
    if values is None:
        return ()
    return luck_of(values, game, Setup(header.players, header.options), events_in_force(records))


def with_luck(
    parts: Iterable[FinishedGame], luck: Iterable[PlayerLuck]
) -> tuple[FinishedGame, ...]:
    """Each player's part of a finished game, with luck and costs if they are known."""
    return tuple(
        replace(part, luck=one.luck, costs=one.cost) if one and part.total is not None else part
        for part, one in zip_longest(parts, luck)
    )


def records_at_end(
    finished: SqlFinishedGames, title: Message, parts: Sequence[FinishedGame]
) -> Iterator[Message]:
    """The lines for a game of that title that ended, its players named as they are shown.

    Raises StoreError.
    """
    one, names = parts[0], tuple(part.name for part in parts)
    kind = GameKind(one.game, one.rules, names=names, before=one.finished_at)
    yield from end_records(title, *finished.records(kind), parts)


class Statistics:
    """The figures of the games in one store; thread-safe.

    `dice` is the name of the current set of dice, `advice` the folder of the tables of advice made
    here; `missing` is how many games are still to be computed.
    """

    def __init__(
        self, store: SqlStore, clock: Clock, dice: str = "", advice: Path | None = None
    ) -> None:
        self.finished: Final = store.finished
        self._store = store
        self.advice: Final = advice
        self._dice = dice
        self._since = clock()
        self._unreadable: set[str] = set()
        self.missing = 0
        self._told = lru_cache(maxsize=1)(lambda game_id, _: tuple(self._records(game_id)))

    def bring_up_to_date(self) -> None:
        """Work out what is missing or old. Raises StoreError."""
        ids = [each for each in self.finished.stale() if each not in self._unreadable]
        self.missing = len(ids)
        for game_id, is_read in work_out(self._store, ids, self.advice, self._dice, self._since):
            self.missing -= 1
            if not is_read:
                self._unreadable.add(game_id)

    def records(self, view: TableView) -> tuple[Message, ...]:
        """The records that fell just now, as lines for the table; a failure is only logged."""
        turn = view.turn
        at_start = turn is not None and turn.phase == "rolling" and turn.rolls_made == 0
        if view.game_id is None or not (view.stage == "finished" or at_start):
            return ()
        try:
            return self._told(view.game_id, view.sequence)
        except (StoreError, UnknownGameError) as error:
            LOG.warning("no records: %s", error)
            return ()

    def _records(self, game_id: str) -> Iterator[Message]:
        header, records = self._store.header(game_id), self._store.events(game_id)
        game = rulebook(header.game)
        title = game.title_under(header.options)
        parts = finished_games(game, header, records)
        scorer = just_scored_five_alike(game, header, records)
        if scorer is not None:
            part = parts[header.players.index(scorer)]
            at, names = part.finished_at, (part.name,)
            of_year = GameKind(part.game, part.rules, str(at.astimezone().year), names, at)
            before = sum(each.yahtzees or 0 for each in self.finished.players(of_year))
            what = five_alike_name(of_year) or title
            yield five_alike_record(part.name, what, before + (part.yahtzees or 0))
        if parts[0].place is not None:
            yield from records_at_end(self.finished, title, parts)


def house_rules(kind: GameKind) -> tuple[Message, ...]:
    """The house rules of such games in words, but for those at their default."""
    choices = settled(GAMES[kind.game].options, dict(parse_qsl(kind.rules)))
    return tuple(choice.printed for choice in choices.values() if choice.printed)


def boxes_of(kind: GameKind) -> tuple[Row, ...]:
    """The boxes of such games' sheet, none of a game without dice."""
    game = GAMES[kind.game]
    if not game.has_dice:
        return ()
    state = game.start(Setup(("-",), dict(parse_qsl(kind.rules))))
    return tuple(row for row in game.scoresheet(state).rows if row.kind == "box")


def five_alike_name(kind: GameKind) -> Message | None:
    """The name of five of a kind in such games; None without dice."""
    key = GAMES[kind.game].five_alike
    return next((row.label for row in boxes_of(kind) if row.key == key), None)
