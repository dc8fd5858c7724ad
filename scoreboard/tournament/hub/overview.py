"""All tables of an event at one look, those that somebody has to see to first."""

from __future__ import annotations

from dataclasses import dataclass

from scoreboard.tournament.hub.active_games import ActiveGames
from scoreboard.tournament.hub.ingestion import Ingestion
from scoreboard.tournament.hub.place import Place
from scoreboard.tournament.hub.ports import Clock, Presence
from scoreboard.tournament.hub.progress import progress_of
from scoreboard.tournament.hub.replayed_game import ReplayedGame
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.table_state import TableState
from scoreboard.tournament.hub.table_status import Signs, table_state, with_hearing
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.tournament import Round


@dataclass(frozen=True, slots=True)
class _Seen:
    """How a table did when it was worked out last, and out of what."""

    version: int
    signs: Signs
    state: TableState

    def is_of(
        self, version: int, replayed_game: ReplayedGame | None, *, contradicted: bool
    ) -> bool:
        """Whether nothing is new since: a followed game that went on is another value."""
        same = self.signs.followed is replayed_game and self.signs.contradicted == contradicted
        return same and self.version == version


class Overview:
    """How the tables do. Any thread may use it. Methods raise StoreError where the store is away.

    A look costs what is new since the last one, and very little for each table.
    """

    def __init__(
        self,
        service: TournamentService,
        ingestion: Ingestion,
        active_games: ActiveGames,
        presence: Presence,
        clock: Clock,
    ) -> None:
        self._service = service
        self._ingestion = ingestion
        self._active_games = active_games
        self._presence = presence
        self._clock = clock
        self._seen: dict[Place, _Seen] = {}

    def tables(self, tournament_id: str) -> tuple[TableState, ...]:
        """How each table of the last round does, those with problems first, then by number."""
        self._active_games.catch_up()
        snapshot = self._service.snapshot(tournament_id)
        played = snapshot.state.last_round
        if played is None:
            return ()
        places = [Place(tournament_id, table.number) for table in played.draw.tables]
        heard, now = self._presence.heard(map(str, places)), self._clock()
        states = (
            with_hearing(self._state(snapshot, played, place, table), heard.get(str(place)), now)
            for place, table in zip(places, played.draw.tables, strict=True)
        )
        return tuple(sorted(states, key=lambda each: (not each.problems, each.number)))

    def _state(
        self, snapshot: TournamentSnapshot, played: Round, place: Place, table: TableSeats
    ) -> TableState:
        """How a table does: worked out anew where something is new.

        What a killed hub left undone of its games is done; the next look shows it.
        """
        replayed_game = self._active_games.newest(place, played.number, table.seats)
        contradicted = replayed_game is not None and self._active_games.is_contradicted(
            replayed_game.game_id
        )
        seen, version = self._seen.get(place), snapshot.changes.last(place.table)
        if seen is not None and seen.is_of(version, replayed_game, contradicted=contradicted):
            return seen.state
        before = None if seen is None else seen.signs.progress
        progress = None if replayed_game is None else progress_of(replayed_game, before)
        signs = Signs(replayed_game, progress, contradicted)
        self._ingestion.settle(place, self._active_games.games(place, played.number))
        state = table_state(snapshot.state, played, table, signs)
        self._seen[place] = _Seen(version, signs, state)
        return state
