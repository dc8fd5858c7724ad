"""Players over all events: who they are, what they reached, and how they are rated.

Places and ratings are worked out from the events' own records and stored nowhere: a correction, a
reopened event or a deleted one changes them by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.ratings import RatedGame, Rating, rated, rated_games
from scoreboard.tournament.model.scores import Points
from scoreboard.tournament.model.standings import qualifying_results, standings_of
from scoreboard.tournament.storage.hub_store import SqlHubStore
from scoreboard.tournament.storage.players import PlayerList


@dataclass(frozen=True, slots=True)
class EventPlace:
    """What a player reached in an event, `before` and `after` which they had these ratings."""

    tournament_id: str
    title: str
    ended: datetime
    place: int
    players: int
    points: Points
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class Registry:
    """All players as they stand now, by their id."""

    known: PlayerList
    places: Mapping[str, tuple[EventPlace, ...]] = field(default_factory=dict)
    ratings: Mapping[str, Rating] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _FinishedEvent:
    tournament_id: str
    version: int
    title: str
    ended: datetime
    placed: Mapping[str, tuple[int, Points]]
    games: tuple[RatedGame, ...]


class Registrar:
    """Keeps the registry up to date with the events of a hub; safe for threads."""

    def __init__(self, store: SqlHubStore, service: TournamentService) -> None:
        self._store = store
        self._service = service
        self._lock = Lock()
        self._finished: dict[str, _FinishedEvent] = {}
        self._seen: dict[str, int] = {}  # versions whose names are registered
        self._newest: tuple[object, Registry] | None = None

    def known(self) -> PlayerList:
        """Everybody who entered an event, without places and ratings. Raises StoreError."""
        with self._lock:
            self._register(self._service.tournaments())
            return self._store.players.all()

    def current(self) -> Registry:
        """The registry now. Raises StoreError."""
        with self._lock:
            snapshots = self._service.tournaments()
            self._register(snapshots)
            events = sorted(
                (self._event(each) for each in snapshots if each.state.finished),
                key=lambda each: (each.ended, each.tournament_id),
            )
            known = self._store.players.all()
            basis = [(each.tournament_id, each.version) for each in events], known
            if self._newest is None or self._newest[0] != basis:
                self._newest = basis, _registry(known, events)
            return self._newest[1]

    def _register(self, snapshots: tuple[TournamentSnapshot, ...]) -> None:
        clubs: dict[str, str] = {}
        for snapshot in snapshots:
            if self._seen.get(snapshot.header.tournament_id) != snapshot.version:
                state = snapshot.state
                held = [each.name for holders in state.holders.values() for each in holders]
                clubs.update(dict.fromkeys(held, ""))
                clubs.update((each.name, each.club) for each in state.entrants)
        self._store.players.add_missing(clubs)
        self._seen = {each.header.tournament_id: each.version for each in snapshots}

    def _event(self, snapshot: TournamentSnapshot) -> _FinishedEvent:
        """What a finished event brings the registry, worked out once."""
        header, state = snapshot.header, snapshot.state
        kept = self._finished.get(header.tournament_id)
        if kept is None or kept.version != snapshot.version:
            # a finished event's newest record is its end, but for what may follow on it
            records = self._store.tournaments.records(header.tournament_id, snapshot.version)
            totals, names = qualifying_results(state).totals, state.names
            placed = {
                names[row.entrant]: (row.place, totals[row.entrant])
                for row in standings_of(state).rows
            }
            kept = _FinishedEvent(
                header.tournament_id,
                snapshot.version,
                state.title,
                records[-1].recorded_at,
                placed,
                rated_games(state),
            )
            self._finished[header.tournament_id] = kept
        return kept


def _registry(known: PlayerList, events: list[_FinishedEvent]) -> Registry:
    """Everybody's places, and their ratings with each event as one rating period."""
    ratings: dict[str, tuple[Rating, int]] = {}  # and after how many periods
    places: dict[str, list[EventPlace]] = defaultdict(list)
    for period, event in enumerate(events):

        def before(player: str, period: int = period) -> Rating:
            rating, since = ratings.get(player, (Rating(), period))
            return rating.rested(period - since)

        games: dict[str, list[tuple[Rating, float]]] = defaultdict(list)
        for game in event.games:
            one, other = known.owner(game.one) or "", known.owner(game.other) or ""
            if one and other and one != other:
                games[one].append((before(other), game.outcome))
                games[other].append((before(one), 1 - game.outcome))
        after = {player: rated(before(player), theirs) for player, theirs in games.items()}
        for name, (place, points) in event.placed.items():
            if player := known.owner(name):
                was = before(player)
                places[player].append(
                    EventPlace(
                        event.tournament_id,
                        event.title,
                        event.ended,
                        place,
                        len(event.placed),
                        points,
                        was,
                        after.get(player, was),
                    )
                )
        ratings.update({player: (each, period + 1) for player, each in after.items()})
    newest = {
        player: rating.rested(len(events) - since) for player, (rating, since) in ratings.items()
    }
    return Registry(known, {player: tuple(each) for player, each in places.items()}, newest)
