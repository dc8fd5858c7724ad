"""Which games are played at which table, kept up to date by the news."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from scoreboard.hub.feed import Feed
from scoreboard.hub.followed import Followed
from scoreboard.hub.place import Place
from scoreboard.hub.ports import Deliveries
from scoreboard.hub.receiving import Receiving
from scoreboard.news import News


class Floor:
    """The games at the tables, as all processes together were told. Any thread may use it.

    What this process took in itself is known without reading; of other processes' games it reads
    what is new when somebody looks. Every method that reads raises StoreError where the store is
    away; the next one reads again.
    """

    def __init__(self, deliveries: Deliveries, receiving: Receiving, feed: Feed) -> None:
        self._deliveries = deliveries
        self._receiving = receiving
        self._feed = feed
        self._read = feed.last
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
            for each in self._feed.newest(self._read):
                self._hear(each)
                self._read = each.sequence

    def newest(self, place: Place, number: int, seats: Sequence[int]) -> Followed | None:
        """The game that a table plays, or played last, in a round.

        One of those who sit there now comes before one of others, from a draw that was undone.
        """
        games = reversed(self.games(place, number))
        return max(games, key=lambda game: (game.is_among(seats), game.number), default=None)

    def games(self, place: Place, number: int) -> tuple[Followed, ...]:
        """A table's games of a round, in the order in which they came."""
        if place not in self._scanned:
            found = self._receiving.examine_round(place, number)
            with self._noting:
                self._games[place] = dict.fromkeys((*found, *self._games.get(place, {})))
                self._scanned.add(place)
        ids = tuple(self._games.get(place, ()))
        followed = [self._follow(each) for each in ids if self._rounds.get(each, number) == number]
        return tuple(game for game in followed if game.opened and game.opened.round == number)

    def is_contradicted(self, game_id: str) -> bool:
        """Whether a table told two stories of a game, of which the first is kept."""
        if self._contradicted is None:
            self._contradicted = {each.game_id for each in self._deliveries.disputes()}
        return game_id in self._contradicted

    def _follow(self, game_id: str) -> Followed:
        """A game, whose round is remembered: long events have more games than are held."""
        game = self._receiving.follow(game_id)
        if game.opened is not None:
            self._rounds[game_id] = game.opened.round
        return game

    def _hear(self, news: News) -> None:
        if news.topic == "dispute" and self._contradicted is not None:
            self._contradicted.add(news.about)
        if news.topic != "game" or self._receiving.known(news.about).through >= news.through:
            return
        name = self._deliveries.table_of(news.about)
        if name is not None:
            place = Place.parse(name)
            self.played(place, news.about)
            self._receiving.examine(place, news.about, news.through)
