"""Which games are played at which table, kept up to date by the news."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from scoreboard.tournament.hub.ingestion import Ingestion
from scoreboard.tournament.hub.place import Place
from scoreboard.tournament.hub.ports import Deliveries
from scoreboard.tournament.hub.replayed_game import ReplayedGame
from scoreboard.tournament.protocol.audit_log import ChangeEvent
from scoreboard.tournament.storage.change_feed import ChangeFeed


class ActiveGames:
    """The games at the tables, as all processes together were told. Any thread may use it.

    What this process took in itself is known without reading; of other processes' games it reads
    what is new when somebody looks. Every method that reads raises StoreError where the store is
    away; the next one reads again.
    """

    def __init__(self, deliveries: Deliveries, ingestion: Ingestion, feed: ChangeFeed) -> None:
        self._deliveries = deliveries
        self._ingestion = ingestion
        self._feed = feed
        self._read = feed.latest()
        self._following = Lock()
        self._noting = Lock()
        self._games: dict[Place, dict[str, None]] = {}
        self._rounds: dict[str, int] = {}  # of games that were opened, so that none is read for it
        self._scanned: set[Place] = set()
        self._contradicted: set[str] | None = None

    def played(self, place: Place, game_id: str) -> None:
        """This process has taken in items of a table's game."""
        with self._noting:
            self._games.setdefault(place, {})[game_id] = None

    def catch_up(self) -> None:
        """Follow what all processes were told since somebody looked last."""
        with self._following:
            for each in self._feed.since(self._read):
                self._hear(each)
                self._read = each.sequence

    def newest(self, place: Place, number: int, seats: Sequence[int]) -> ReplayedGame | None:
        """The game that a table plays, or played last, in a round.

        One of those who sit there now comes before one of others, from a draw that was undone.
        """
        games = reversed(self.games(place, number))
        return max(games, key=lambda game: (game.is_among(seats), game.number), default=None)

    def games(self, place: Place, number: int) -> tuple[ReplayedGame, ...]:
        """A table's games of a round, in the order in which they came."""
        if place not in self._scanned:
            found = self._ingestion.examine_round(place, number)
            with self._noting:
                self._games[place] = dict.fromkeys((*found, *self._games.get(place, {})))
                self._scanned.add(place)
        ids = tuple(self._games.get(place, ()))
        replayed_game = [
            self._follow(each) for each in ids if self._rounds.get(each, number) == number
        ]
        return tuple(game for game in replayed_game if game.opened and game.opened.round == number)

    def is_contradicted(self, game_id: str) -> bool:
        """Whether a table told two stories of a game, of which the first is kept."""
        if self._contradicted is None:
            self._contradicted = {each.game_id for each in self._deliveries.disputes()}
        return game_id in self._contradicted

    def _follow(self, game_id: str) -> ReplayedGame:
        """A game, whose round is remembered: long events have more games than are held."""
        game = self._ingestion.follow(game_id)
        if game.opened is not None:
            self._rounds[game_id] = game.opened.round
        return game

    def _hear(self, change: ChangeEvent) -> None:
        if change.topic == "dispute" and self._contradicted is not None:
            self._contradicted.add(change.about)
        if change.topic != "game" or self._ingestion.known(change.about).through >= change.through:
            return
        name = self._deliveries.table_of(change.about)
        if name is not None:
            place = Place.parse(name)
            self.played(place, change.about)
            self._ingestion.examine(place, change.about, change.through)
