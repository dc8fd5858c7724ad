"""The figures of finished games: kept up to date beside the table, and what it tells of records."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from scoreboard.errors import StoreError, UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Setup, settled
from scoreboard.games.engine.scoresheet import Row
from scoreboard.games.engine.transcript import (
    GameHeader,
    GameStatus,
    RecordedEvent,
    events_in_force,
)
from scoreboard.games.finished import (
    FinishedGame,
    finished_games,
    just_scored_five_alike,
    race,
    rules_key,
)
from scoreboard.games.records import PlayerRecord, end_records, yahtzee_record
from scoreboard.message import Message
from scoreboard.table.game_repository import known_standings
from scoreboard.table.game_session import AnyGame, rulebook
from scoreboard.table.ports import Clock
from scoreboard.table.view import TableView

if TYPE_CHECKING:
    from scoreboard.storage import SqlStore
    from scoreboard.storage.finished_games import GameKind

BATCH: Final = 50  # games that are read and kept at once
FIVE_ALIKE: Final = ("yahtzee", "yams", "chase-off")  # the boxes for it
LOG: Final = logging.getLogger(__name__)


def work_out(
    store: SqlStore,
    ids: Sequence[str],
    games: Mapping[str, AnyGame] = GAMES,
    dice: str = "",
    since: datetime | None = None,
) -> Iterator[tuple[str, bool]]:
    """Replay these games and keep their players' figures; each id with whether it can be read.

    `dice` is the name of the dice of the games that were finished `since` then.

    Raises:
        StoreError: the store cannot be read or written.
    """
    for start in range(0, len(ids), BATCH):
        rows: dict[str, tuple[int, Sequence[FinishedGame]]] = {}
        listed = store.games(ids=ids[start : start + BATCH])
        for one, standing in known_standings(store, games, listed):
            rows[one.game_id] = (0, ())
            if isinstance(standing, GameStatus) and standing.finished:
                header, records = store.header(one.game_id), store.events(one.game_id)
                parts = with_luck(rulebook(games, header.game), header, records)
                if since is not None and parts[0].finished_at >= since:
                    parts = tuple(replace(part, dice=dice) for part in parts)
                rows[one.game_id] = (len(records), parts)
            yield one.game_id, isinstance(standing, GameStatus)
        store.finished.keep(rows)


def with_luck(
    game: AnyGame, header: GameHeader, records: Sequence[RecordedEvent]
) -> tuple[FinishedGame, ...]:
    """Each player's part of a finished game, with luck and costs where they can be worked out.

    Raises:
        TranscriptError: the records contradict each other.
    """
    from scoreboard.games.advice.dice_values import load  # noqa: PLC0415 -- loads numpy
    from scoreboard.games.advice.luck import luck_of  # noqa: PLC0415 -- as above

    parts = finished_games(game, header, records)
    values = load(game, header.options) if game.has_dice else None
    if values is None:
        return parts
    setup = Setup(header.players, header.options)
    of_players = luck_of(values, game, setup, events_in_force(records))
    return tuple(
        replace(part, luck=found.luck, costs=found.cost) if part.total is not None else part
        for part, found in zip(parts, of_players, strict=True)
    )


class Statistics:
    """The figures of the games in one store; any thread may call it.

    `dice` is the name of the set of dice that is played with from now on; `missing` is how many
    games are still to be worked out.
    """

    def __init__(
        self,
        store: SqlStore,
        clock: Clock,
        dice: str = "",
        games: Mapping[str, AnyGame] = GAMES,
    ) -> None:
        self.finished: Final = store.finished
        self._store = store
        self._games = games
        self._dice = dice
        self._since = clock()
        self._unreadable: set[str] = set()
        self._lock = Lock()
        self.missing = 0
        self._told: tuple[tuple[object, ...], tuple[Message, ...]] = ((), ())

    def bring_up_to_date(self) -> None:
        """Work out what is missing or old. Raises StoreError."""
        ids = [each for each in self.finished.stale() if each not in self._unreadable]
        self.missing = len(ids)
        for game_id, is_read in work_out(self._store, ids, self._games, self._dice, self._since):
            self.missing -= 1
            if not is_read:
                self._unreadable.add(game_id)

    def race(self, game_id: str) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
        """The players of a game, and their totals after each round.

        Raises:
            UnknownGameError: there is no such game.
            TranscriptError: it cannot be read.
            StoreError: the store cannot be read.
        """
        header = self._store.header(game_id)
        game = rulebook(self._games, header.game)
        return header.players, race(game, header, self._store.events(game_id))

    def cost_of_game(self, game: str, player: str) -> float:
        """What a player's decisions cost in a game of that rulebook, on average.

        0.0 where no game tells it; what fails is only logged.
        """
        try:
            for kind in self.finished.kinds(player):
                if kind.game == game:
                    for summary in self.finished.players(kind, names=[player]):
                        return summary.costs or 0.0
        except StoreError as error:
            LOG.warning("no costs of decisions: %s", error)
        return 0.0

    def records(self, view: TableView) -> tuple[Message, ...]:
        """The records that fell just now, as lines for the table; what fails is only logged."""
        turn = view.turn
        at_start = turn is not None and turn.phase == "rolling" and turn.rolls_made == 0
        if view.game_id is None or not (view.stage == "finished" or at_start):
            return ()
        key = (view.game_id, view.sequence)
        with self._lock:
            if self._told[0] != key:
                try:
                    self._told = (key, tuple(self._records(view.game_id)))
                except (StoreError, UnknownGameError) as error:
                    LOG.warning("no records: %s", error)
                    return ()
            return self._told[1]

    def _records(self, game_id: str) -> Iterator[Message]:
        from scoreboard.storage.finished_games import GameKind  # noqa: PLC0415 -- loads the database

        header, records = self._store.header(game_id), self._store.events(game_id)
        game = rulebook(self._games, header.game)
        yahtzee = just_scored_five_alike(game, header, records)
        shown = {known: one.name for known, one in self._store.profiles.by_name().items()}
        parts = [
            replace(part, name=shown.get(part.name, part.name))
            for part in finished_games(game, header, records)
        ]
        names = [part.name for part in parts]
        is_over = parts[0].place is not None
        if yahtzee is None and not is_over:
            return
        kind = GameKind(header.game, rules_key(game, header.options))
        this_year = replace(kind, season=str(parts[0].finished_at.astimezone().year))
        figures = self.finished.players(kind, names=names, without=game_id)
        of_year = self.finished.players(this_year, names=names, without=game_id)
        yahtzees = {each.name: each.yahtzees or 0 for each in of_year}
        streaks = self.finished.streaks(kind, names, game_id)
        before = {
            each.name: PlayerRecord(
                each.best, yahtzees.get(each.name, 0), *streaks.get(each.name, (0, 0))
            )
            for each in figures
        }
        for part in parts:
            if yahtzee is not None and part.name == shown.get(yahtzee, yahtzee):
                what = five_alike_name(kind) or game.title
                known = before.get(part.name, PlayerRecord())
                yield yahtzee_record(part.name, what, known, part)
        if is_over:
            best = self.finished.best_games(kind, most=1, without=game_id)
            yield from end_records(game.title, best[0].total if best else None, before, parts)


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
    """What such games call five dice alike; None without dice."""
    return next((row.label for row in boxes_of(kind) if row.key in FIVE_ALIKE), None)
