"""What tables deliver is kept, followed, and brought to the desk when there is a result."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

from scoreboard.tournament.hub.derived_commands import Claim, next_command
from scoreboard.tournament.hub.game_replays import GameReplays
from scoreboard.tournament.hub.place import Place
from scoreboard.tournament.hub.ports import Deliveries
from scoreboard.tournament.hub.replayed_game import ReplayedGame
from scoreboard.tournament.hub.rights import table_actor
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.model.authority import RefusedOrderError
from scoreboard.tournament.protocol.items import Delivery, DisputedDeliveryError, Receipt

LOG: Final = logging.getLogger(__name__)


class Ingestion:
    """Takes deliveries in. Any thread may use it, and several processes one store.

    Every item is on disk before anything follows from it, and what follows is asked for anew
    until it is done: what a killed hub left undone is done when the table sends again, when
    somebody looks at the tables, or at the next start. Every method raises StoreError where the
    store is away.
    """

    def __init__(self, deliveries: Deliveries, service: TournamentService) -> None:
        self._deliveries = deliveries
        self._service = service
        self._following = GameReplays(deliveries)

    def take(self, place: Place, delivery: Delivery) -> Receipt:
        """Keep what is new of a delivery, give the orders that follow, and say what is held.

        Raises:
            ConflictError: the game is another table's; nothing is kept.
        """
        game_id, items = delivery.game_id, delivery.items
        try:
            held = self._deliveries.take(str(place), game_id, items)
        except DisputedDeliveryError as error:
            self.examine(place, game_id)
            return Receipt(error.held, tuple(sorted({each.sequence for each in error.disputes})))
        self._settle(place, self._following.heard(game_id, items, held.through))
        return Receipt(held)

    def known(self, game_id: str) -> ReplayedGame:
        """A game as far as this process has followed it."""
        return self._following.known(game_id)

    def follow(self, game_id: str) -> ReplayedGame:
        """A game, read anew where this process has let it go."""
        return self._following.caught_up(game_id, 1)

    def examine(self, place: Place, game_id: str, through: int | None = None) -> ReplayedGame:
        """Follow a table's game as far as it is held, and give the orders still to be given.

        Where this process has followed it as far as `through`, nothing is read.
        """
        replayed_game = self._following.caught_up(game_id, through)
        self._settle(place, replayed_game)
        return replayed_game

    def examine_all(self, tournament_id: str) -> None:
        """Examine the games of the last round: so a hub heals at its start what a kill cut off."""
        last = self._service.snapshot(tournament_id).state.last_round
        for table in last.draw.tables if last is not None else ():
            self.examine_round(Place(tournament_id, table.number), last.number if last else 0)

    def examine_round(self, place: Place, number: int) -> tuple[str, ...]:
        """Examine a table's games of a round, and answer their ids, the first delivered first."""
        found: list[str] = []
        for game_id in reversed(self._deliveries.games_of(str(place))):
            opened = self._following.caught_up(game_id).opened
            if opened is not None and opened.round < number:
                break
            found.append(game_id)
        self.settle(place, map(self._following.known, found))
        return tuple(reversed(found))

    def settle(self, place: Place, games: Iterable[ReplayedGame]) -> None:
        """Give what a table's games ask for, by what this process knows of the event.

        In the order of their numbers: one that came too early waited for those before it.
        """
        for replayed_game in sorted(games, key=lambda game: game.number):
            snapshot = self._service.known(place.tournament_id, 0)
            if next_command(snapshot.state, place.table, replayed_game) is not None:
                self._settle(place, replayed_game)

    def _settle(self, place: Place, replayed_game: ReplayedGame) -> None:
        """Give order after order until the game asks for no more, or one is refused."""
        if not replayed_game.has_ended:
            return
        refused: Claim | None = None
        snapshot = self._service.known(place.tournament_id, 0)
        if (
            next_command(snapshot.state, place.table, replayed_game) is None
        ):  # perhaps for want of news
            snapshot = self._service.snapshot(place.tournament_id)
        while (claim := next_command(snapshot.state, place.table, replayed_game)) not in {
            None,
            refused,
        }:
            try:
                snapshot = self._service.give(place.tournament_id, claim, table_actor(place.table))
            except RefusedOrderError as error:
                LOG.info("Game %s at %s: %s", replayed_game.game_id, place, error)
                refused, snapshot = claim, self._service.snapshot(place.tournament_id)
