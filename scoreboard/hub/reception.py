"""The reception of a hub: everything that tables ask, and how all of them do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from json import dumps
from time import monotonic
from typing import Final

from scoreboard.delivery import Held
from scoreboard.hub.claiming import obstacle
from scoreboard.hub.desk import HubDesk
from scoreboard.hub.feed import Feed
from scoreboard.hub.floor import Floor
from scoreboard.hub.joining import Joining
from scoreboard.hub.look import Look
from scoreboard.hub.overview import Overview
from scoreboard.hub.place import Place
from scoreboard.hub.ports import Clock, HubStore
from scoreboard.hub.receiving import Receiving
from scoreboard.hub.refusals import TooMuchError, UnknownTokenError
from scoreboard.hub.table_state import TableState
from scoreboard.hub.wording import word_for
from scoreboard.news import News
from scoreboard.phrase import Phrase, phrase
from scoreboard.wire.delivering import Delivery, Receipt
from scoreboard.wire.joining import Joined, JoinRequest
from scoreboard.wire.word import Greeting, Word

MOST_OF_A_GAME: Final = 10_000  # items; a long game with much taken back has a tenth of it
LARGEST_ITEM: Final = 16_384  # characters; a table of Rummikub with all tiles has a thirtieth
MOST_GAMES_AT_A_TABLE: Final = 1_000  # of an event: a season of evenings has half of it


class Reception:
    """Answers tables. Any thread may use it, and several processes one store.

    Every method raises StoreError where the store is away; those that take a token raise
    UnknownTokenError (a PermissionError too) for one that lets nobody in.
    """

    def __init__(self, store: HubStore, desk: HubDesk, joining: Joining, clock: Clock) -> None:
        self._deliveries = store.deliveries
        self._desk = desk
        self._joining = joining
        self._presence = store.presence
        self._clock = clock
        self.feed = self._feed = Feed(store.newsroom)
        self._receiving = Receiving(store.deliveries, desk)
        self._floor = Floor(store.deliveries, self._receiving, self._feed)
        self._overview = Overview(desk, self._receiving, self._floor, store.presence, clock)

    def examine_all(self) -> None:
        """Do what a hub that was killed left undone; once, at the start."""
        for look in self._desk.tournaments():
            if not look.state.finished:
                self._receiving.examine_all(look.header.tournament_id)

    def join(self, request: JoinRequest) -> Joined:
        """Let a table in by its code. Raises JoinRefusedError."""
        place = self._joining.join(request)
        self._presence.note(str(place), self._clock())
        title = self._desk.look(place.tournament_id).header.title
        return Joined(place.tournament_id, title, place.table)

    def greet(self, token: str, greeting: Greeting) -> Word:
        """What a table has to know that comes back, with what the hub misses of its games."""
        place = self._heard(token)
        missed = {
            game_id: self._missed(place, game_id, last) for game_id, last in greeting.games.items()
        }
        wanted = {game_id: held for game_id, held in missed.items() if held is not None}
        return self._word(place, self._desk.look(place.tournament_id), wanted)

    def deliver(self, token: str, delivery: Delivery) -> Receipt:
        """Take items in; nothing of a delivery that is refused is kept.

        Raises:
            ConflictError: the game is another table's.
            TooMuchError: an item, a game or the number of games is beyond all bounds.
        """
        place = self._heard(token)
        self._require_bounded(place, delivery)
        receipt = self._receiving.take(place, delivery)
        self._floor.played(place, delivery.game_id)
        followed = self._receiving.known(delivery.game_id)
        if followed.opened is not None and followed.has_ended:
            self._receiving.settle(place, self._floor.games(place, followed.opened.round))
        return receipt

    def _require_bounded(self, place: Place, delivery: Delivery) -> None:
        """Let no device fill the hub's disk, by mistake or not. Raises TooMuchError."""
        for item in delivery.items:
            if item.sequence > MOST_OF_A_GAME:
                raise TooMuchError(
                    phrase("A game has at most {most} items: begin a new one.", most=MOST_OF_A_GAME)
                )
            if len(dumps(item.body)) > LARGEST_ITEM:
                raise TooMuchError(
                    phrase(
                        "Item {sequence} is larger than {most} characters: it is none of a game.",
                        sequence=item.sequence,
                        most=LARGEST_ITEM,
                    )
                )
        begun = self._receiving.known(delivery.game_id).through
        if begun or self._deliveries.table_of(delivery.game_id) is not None:
            return
        if len(self._deliveries.games_of(str(place))) >= MOST_GAMES_AT_A_TABLE:
            raise TooMuchError(
                phrase(
                    "This table has told of {most} games: report further results by hand.",
                    most=MOST_GAMES_AT_A_TABLE,
                )
            )

    def hear_word(self, token: str, after: int, wait_seconds: float) -> Word:
        """The word for a table as soon as there is one later than `after`.

        When the time passes without, the last one again.
        """
        place, end = self._heard(token), monotonic() + wait_seconds
        seen = self._feed.last
        look = self._desk.look(place.tournament_id)
        while look.changes.last(place.table) <= after and (left := end - monotonic()) > 0:
            if news := self._feed.hear(seen, left, partial(self._is_word, place, after)):
                seen = news[-1].sequence
                look = self._desk.known(place.tournament_id, _version(news, place) or 0)
        return self._word(place, look, {})

    def tables(self, tournament_id: str) -> tuple[TableState, ...]:
        """How each table of the last round does, those with problems first, then by number."""
        return self._overview.tables(tournament_id)

    def hear(self, after: int, wait_seconds: float) -> tuple[News, ...]:
        """The news above `after`, in order; waits for the first of them."""
        return self._feed.hear(after, wait_seconds)

    def _is_word(self, place: Place, after: int, news: Sequence[News]) -> bool:
        """Whether the news are a word for a table: most tell of others. Raises StoreError."""
        version = _version(news, place)
        if version is None:
            return False
        look = self._desk.known(place.tournament_id, version)
        return look.changes.last(place.table) > after

    def _heard(self, token: str) -> Place:
        place = self._joining.table_of(token)
        if place is None:
            raise UnknownTokenError
        self._presence.note(str(place), self._clock())
        return place

    def _missed(self, place: Place, game_id: str, last: int) -> Held | None:
        """What is held of a table's game, None where nothing of it is missing.

        A game that is all here is examined: a hub that was killed may not have come to that.
        """
        held = self._deliveries.held(game_id)
        if held.through < last:
            return held
        if self._deliveries.table_of(game_id) == str(place):
            self._receiving.examine(place, game_id, last)
        return None

    def _word(self, place: Place, look: Look, wanted: dict[str, Held]) -> Word:
        return word_for(look, place.table, wanted, self._problem(place, look))

    def _problem(self, place: Place, look: Look) -> Phrase | None:
        played = look.state.last_round
        seated = None if played is None else played.table(place.table)
        if played is None or seated is None:
            return None
        followed = self._floor.newest(place, played.number, seated.seats)
        return None if followed is None else obstacle(look.state, place.table, followed)


def _version(news: Sequence[News], place: Place) -> int | None:
    """The newest version of a place's tournament of which the news tell, None where none does."""
    told = (each for each in reversed(news) if each.topic == "tournament")
    return next((each.through - 1 for each in told if each.about == place.tournament_id), None)
