"""Players over all tournaments: places and ratings, derived from the records, stored nowhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from threading import Lock

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.scores import Points
from scoreboard.tournament.model.season import RatedGame, Rating, rated, rated_games
from scoreboard.tournament.model.standings import qualifying_results, standings_of
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.players import PlayerList


@dataclass(frozen=True, slots=True)
class FinishedTournament:
    """A finished tournament for the registry: by name place and points, and the games."""

    snapshot: TournamentSnapshot
    ended: datetime
    placed: Mapping[str, tuple[int, Points]]
    games: tuple[RatedGame, ...]


@dataclass(frozen=True, slots=True)
class TournamentPlace:
    """A player's result in a tournament, and their rating before and after it."""

    event: FinishedTournament
    place: int
    points: Points
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class Registry:
    """All players, and by their ids their results and current ratings."""

    known: PlayerList
    places: Mapping[str, Sequence[TournamentPlace]]
    ratings: Mapping[str, Rating]


class Registrar:
    """Keeps the registry up to date with a hub's tournaments; thread-safe."""

    def __init__(self, store: SqlHubStore, service: TournamentService) -> None:
        self._store = store
        self._service = service
        self._lock = Lock()
        self._finished: dict[str, FinishedTournament] = {}
        self._seen: dict[str, int] = {}  # versions whose names are registered
        self._newest: tuple[object, Registry] | None = None

    def counted(self) -> tuple[TournamentSnapshot, ...]:
        """The tournaments that count: no tests, and none in the bin. Raises StoreError."""
        marks = self._store.event_marks.all().items()
        out = {name for name, each in marks if each.test or each.deleted_at is not None}
        events = self._service.tournaments()
        return tuple(each for each in events if each.header.tournament_id not in out)

    def known(self) -> PlayerList:
        """All players who entered a tournament, without places and ratings. Raises StoreError."""
        with self._lock:
            self._register(self.counted())
            return self._store.players.all()

    def current(self) -> Registry:
        """The registry now. Raises StoreError."""
        with self._lock:
            snapshots = self.counted()
            self._register(snapshots)
            finished = [self._event(each) for each in snapshots if each.state.finished]
            events = sorted(finished, key=lambda each: each.ended)
            basis = [each.snapshot.head for each in events], self._store.players.all()
            if self._newest is None or self._newest[0] != basis:
                self._newest = basis, _registry(basis[1], events)
            return self._newest[1]

    def _register(self, snapshots: tuple[TournamentSnapshot, ...]) -> None:
        """Register new players; a corrected spelling stays the same person's."""
        clubs: dict[str, str] = {}
        corrected: dict[str, str] = {}
        for snapshot in snapshots:
            if self._seen.get(snapshot.header.tournament_id) != snapshot.version:
                for held in snapshot.state.holders.values():
                    clubs.update((each.name, "") for each in held)
                    corrected.update((each.entered_as, each.name) for each in held)
                clubs.update((each.name, each.club) for each in snapshot.state.entrants)
        self._store.players.add_missing(clubs, corrected)
        self._seen = {each.header.tournament_id: each.version for each in snapshots}

    def _event(self, snapshot: TournamentSnapshot) -> FinishedTournament:
        name, state = snapshot.header.tournament_id, snapshot.state
        kept = self._finished.get(name)
        if kept is None or kept.snapshot.head != snapshot.head:
            # a finished event's newest record is its end, but for what may follow on it
            records = self._store.tournaments.records(name, snapshot.version)
            totals, rows = qualifying_results(state).totals, standings_of(state).rows
            placed = {state.named(row.entrant): (row.place, totals[row.entrant]) for row in rows}
            kept = FinishedTournament(snapshot, records[-1].recorded_at, placed, rated_games(state))
            self._finished[name] = kept
        return kept


def _registry(known: PlayerList, events: Sequence[FinishedTournament]) -> Registry:
    """Everybody's places, and their ratings with each tournament as one rating period."""
    owner = cache(known.owner)
    ratings: dict[str, Rating] = {}
    rated_in: dict[str, int] = {}
    places: dict[str, list[TournamentPlace]] = defaultdict(list)

    def at(period: int, player: str) -> Rating:
        return ratings.get(player, Rating()).rested(period - rated_in.get(player, period))

    for period, event in enumerate(events):
        games: dict[str, list[tuple[Rating, float]]] = defaultdict(list)
        for game in event.games:
            one, other = owner(game.one), owner(game.other)
            if one and other and one != other:
                games[one].append((at(period, other), game.outcome))
                games[other].append((at(period, one), 1 - game.outcome))
        after = {player: rated(at(period, player), theirs) for player, theirs in games.items()}
        for name, reached in event.placed.items():
            if player := owner(name):
                was = at(period, player)
                places[player].append(TournamentPlace(event, *reached, was, after.get(player, was)))
        ratings.update(after)
        rated_in.update(dict.fromkeys(after, period + 1))
    return Registry(known, places, {player: at(len(events), player) for player in ratings})
