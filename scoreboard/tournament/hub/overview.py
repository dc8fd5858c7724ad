"""The state of all tables of a tournament, those that need attention first, and of their games."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, Literal

from scoreboard.message import Message, message
from scoreboard.tournament.hub.admission import TableSeat
from scoreboard.tournament.hub.ingestion import Ingestion, obstacle
from scoreboard.tournament.hub.replay import ReplayedGame
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.table_updates import Results, coming_game, results_at
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.protocol.audit_log import ChangeEvent
from scoreboard.tournament.protocol.items import Opened, ResultAlone
from scoreboard.tournament.storage.change_feed import ChangeFeed
from scoreboard.tournament.storage.deliveries import SqlDeliveries
from scoreboard.tournament.storage.people import Presence

LOG: Final = logging.getLogger(__name__)
SILENT_AFTER: Final = timedelta(minutes=2)


class ActiveGames:
    """The tables' games, others' read only when asked for; thread-safe. Raises StoreError."""

    def __init__(self, deliveries: SqlDeliveries, ingestion: Ingestion, feed: ChangeFeed) -> None:
        self._deliveries = deliveries
        self._ingestion = ingestion
        self._feed = feed
        self._read = feed.latest()
        self._catching_up = Lock()
        self._noting = Lock()
        self._games: dict[TableSeat, dict[str, None]] = {}
        self._rounds: dict[str, int] = {}  # of games that were opened, so that none is read for it
        self._scanned: set[TableSeat] = set()
        self._behind: dict[str, int] = {}  # how far games are held that other processes took in
        self._contradicted: set[str] | None = None

    def played(self, place: TableSeat, game_id: str) -> None:
        """This process has taken in items of a table's game."""
        with self._noting:
            self._games.setdefault(place, {})[game_id] = None

    def catch_up(self) -> None:
        """Note the deliveries to all processes since the last call."""
        with self._catching_up:
            for each in self._feed.since(self._read):
                self._take_in(each)
                self._read = each.sequence

    def newest(self, place: TableSeat, number: int, seats: Sequence[int]) -> ReplayedGame | None:
        """A table's last game in a round, one of the entrants seated there now before others."""
        games = reversed(self.games(place, number))
        return max(games, key=lambda game: (game.is_among(seats), game.number), default=None)

    def games(self, place: TableSeat, number: int) -> tuple[ReplayedGame, ...]:
        """A table's games of a round, in order of delivery."""
        if place not in self._scanned:
            delivered = self._ingestion.examine_round(place, number)
            with self._noting:
                self._games[place] = dict.fromkeys((*delivered, *self._games.get(place, {})))
                self._scanned.add(place)
        ids = tuple(self._games.get(place, ()))
        found: list[ReplayedGame] = []
        for game_id in ids:
            of_round = self._round_of(game_id)
            if of_round == number or (of_round is None and game_id == ids[-1]):
                replay = self._ingestion.replays.caught_up(game_id, self._behind.get(game_id, 1))
                # one that begins wrongly is shown as such until the next
                if of_round or replay.fault:
                    found.append(replay)
        return tuple(found)

    def _round_of(self, game_id: str) -> int | None:
        """Its round, None before that is known: long events have more games than are held."""
        if game_id not in self._rounds:
            opened = self._ingestion.replays.opened(game_id)
            if opened is None:
                return None
            self._rounds[game_id] = opened.round
        return self._rounds[game_id]

    def is_contradicted(self, game_id: str) -> bool:
        """Whether a table delivered two versions of a game, of which the first is kept."""
        if self._contradicted is None:
            self._contradicted = {each.game_id for each in self._deliveries.disputes()}
        return game_id in self._contradicted

    def _take_in(self, change: ChangeEvent) -> None:
        if change.topic == "dispute" and self._contradicted is not None:
            self._contradicted.add(change.about)
        replays = self._ingestion.replays
        if change.topic != "game" or replays.known(change.about).through >= change.through:
            return
        name = self._deliveries.table_of(change.about)
        if name is not None:
            self._behind[change.about] = change.through
            self.played(TableSeat.parse(name), change.about)


TablePhase = Literal["drawn", "waiting", "playing", "unsigned", "disputed", "done"]


@dataclass(frozen=True, slots=True)
class GameProgress:
    """The running game: totals in seat order, the turn from 1 and who is in it, or None."""

    game_id: str
    number: int
    players: tuple[str, ...]
    totals: tuple[int, ...]
    turn: int | None
    player: str | None
    over: bool


@dataclass(frozen=True, slots=True)
class TableState:
    """A table of the current rounds.

    Phases: "drawn" (the round has not begun), "waiting" (a game is to be begun), "playing",
    "unsigned" (all played, not all signed), "disputed", "done". `last_contact` is that of its
    device, None where there was none; `problems` are those that need attention, each with its
    cure. `result_alone`: its device delivered its last game's result without the moves.
    """

    number: int
    phase: TablePhase
    progress: GameProgress | None = None
    last_contact: datetime | None = None
    problems: tuple[Message, ...] = ()
    result_alone: bool = False


def progress_of(replay: ReplayedGame, before: GameProgress | None = None) -> GameProgress | None:
    """The progress of a game, the one `before` within a turn; None where there is no sheet."""
    try:
        opened, rulebook = replay.opened, replay.rulebook
        if not isinstance(opened, Opened) or rulebook is None:
            return None
        turn = rulebook.turn(replay.state)
        seated = None if turn.player is None else opened.players[turn.player]
        progress = GameProgress(
            game_id=replay.game_id,
            number=opened.number,
            players=opened.players,
            totals=(),
            turn=None if seated is None else turn.number + 1,
            player=seated,
            over=replay.outcome is not None,
        )
        if before is not None and replace(before, totals=()) == progress:
            return before
        last = rulebook.scoresheet(replay.state).rows[-1]  # adds all up
        return replace(progress, totals=tuple(cell.points or 0 for cell in last.cells))
    except Exception as error:  # noqa: BLE001 -- a table may send any events, in any order
        LOG.warning("Game %s has no sheet: %r", replay.game_id, error)
        return None


def with_contact(table: TableState, at: datetime | None, now: datetime) -> TableState:
    """The same table with its device's last contact, which may be a problem too."""
    if at is None or now - at <= SILENT_AFTER:
        return replace(table, last_contact=at)
    silence = message(
        "No contact with its device for {minutes} minutes: check its network.",
        minutes=(now - at) // timedelta(minutes=1),
    )
    return replace(table, last_contact=at, problems=(*table.problems, silence))


@dataclass(frozen=True, slots=True)
class _Seen:
    """The inputs of a table's state; `contradicted`: there are two versions of the game."""

    version: int
    game: ReplayedGame | None
    progress: GameProgress | None
    contradicted: bool


def _phase(played: Round, results: Results, *, running: bool, all_played: bool) -> TablePhase:
    phases = {reported.phase for reported in results.values()}
    if "disputed" in phases:
        return "disputed"
    if played.phase != "running":
        return "drawn" if played.phase == "drawn" else "done"
    if not all_played:
        return "playing" if running else "waiting"
    return "unsigned" if "reported" in phases else "done"


def _problems(state: Tournament, table: int, results: Results, seen: _Seen) -> Iterator[Message]:
    for game, reported in results.items():
        if reported.phase == "disputed":
            yield message("Game {game} is disputed: have the referee settle it.", game=game)
    if seen.game is not None and (problem := obstacle(state, table, seen.game)):
        yield problem
    if seen.contradicted:
        yield message("Its device told two stories of a game: the first one counts, ask there.")


class Overview:
    """The state of the tables, computed anew where it changed; thread-safe. Raises StoreError."""

    def __init__(
        self,
        service: TournamentService,
        ingestion: Ingestion,
        active_games: ActiveGames,
        presence: Presence,
        clock: Callable[[], datetime],
    ) -> None:
        self._service = service
        self._ingestion = ingestion
        self._active_games = active_games
        self._presence = presence
        self._clock = clock
        self._seen: dict[TableSeat, tuple[_Seen, TableState]] = {}

    def tables(self, tournament_id: str) -> tuple[TableState, ...]:
        """The states of all tables, each in its newest current round, those with problems first."""
        self._active_games.catch_up()
        snapshot = self._service.snapshot(tournament_id)
        newest = {
            TableSeat(tournament_id, table.number): (played, table)
            for played in snapshot.state.current_rounds
            for table in played.draw.tables
        }
        contacts, now = self._presence.last_contacts(map(str, newest)), self._clock()
        states = (
            with_contact(self._state(snapshot, played, place, table), contacts.get(str(place)), now)
            for place, (played, table) in newest.items()
        )
        return tuple(sorted(states, key=lambda each: (not each.problems, each.number)))

    def table(self, tournament_id: str, number: int) -> TableState:
        """The state of one table of the current rounds. Raises LookupError."""
        self._active_games.catch_up()
        snapshot = self._service.snapshot(tournament_id)
        played = snapshot.state.round_at(number)
        seated = None if played is None else played.table(number)
        if played is None or seated is None:
            raise LookupError(number)
        return self._state(snapshot, played, TableSeat(tournament_id, number), seated)

    def _state(
        self, snapshot: TournamentSnapshot, played: Round, place: TableSeat, table: TableSeats
    ) -> TableState:
        """A table's state, recomputed if something is new; of a closed round no game is read."""
        closed = played.phase == "closed"
        game = None if closed else self._active_games.newest(place, played.number, table.seats)
        contradicted = game is not None and self._active_games.is_contradicted(game.game_id)
        before, version = None, snapshot.changes.last(place.table)
        if place in self._seen:
            was, shown = self._seen[place]
            # a replayed game that went on is another value
            if (was.version, was.contradicted) == (version, contradicted) and was.game is game:
                return shown
            before = was.progress
        progress = None if game is None else progress_of(game, before)
        seen = _Seen(version, game, progress, contradicted)
        if game is not None:
            self._ingestion.settle(place, self._active_games.games(place, played.number))
        state, results = snapshot.state, results_at(played, table.number)
        number, games = coming_game(state, played, table, results)
        running = progress is not None and progress.number == number
        shown = TableState(
            number=table.number,
            phase=_phase(played, results, running=running, all_played=number > games),
            progress=progress,
            problems=tuple(_problems(state, table.number, results, seen)),
            result_alone=game is not None and isinstance(game.opened, ResultAlone),
        )
        self._seen[place] = seen, shown
        return shown
