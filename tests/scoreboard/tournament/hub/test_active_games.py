"""Which games are played at which table."""

from __future__ import annotations

from scoreboard.tournament.hub.active_games import ActiveGames
from scoreboard.tournament.hub.ingestion import Ingestion
from scoreboard.tournament.hub.place import Place
from scoreboard.tournament.hub.ports import Deliveries, HubStore
from scoreboard.tournament.hub.replayed_game import ReplayedGame
from scoreboard.tournament.hub.tournament_service import TournamentService
from tests.scoreboard.tournament.hub.clocks import Ticking
from tests.scoreboard.tournament.hub.devices import quick_game
from tests.scoreboard.tournament.hub.halls import Hall

FOUR = (1, 2, 3, 4)


class Noting(Ingestion):
    """Notes which games somebody asked for."""

    def __init__(self, deliveries: Deliveries, service: TournamentService) -> None:
        super().__init__(deliveries, service)
        self.followed: list[str] = []

    def follow(self, game_id: str) -> ReplayedGame:
        """Note it."""
        self.followed.append(game_id)
        return super().follow(game_id)


def test_games_of_other_rounds_are_left_alone(store: HubStore, clock: Ticking) -> None:
    """Once a game's round is known it is followed no more when another round is asked for."""
    hall = Hall(store, clock).begin()
    ingestion = Noting(store.deliveries, hall.service)
    active_games, place = (
        ActiveGames(store.deliveries, ingestion, store.change_feed),
        Place(hall.event, 1),
    )
    seen = []
    for number in (1, 2, 3):
        hall.deliver(1, f"g{number}", quick_game(FOUR, "+60 -10 -20 -30", slot=(number, 1, 1)))
        active_games.catch_up()
        seen.append([each.game_id for each in active_games.games(place, number)])
        ingestion.followed.clear()
        assert active_games.newest(place, number, FOUR) == active_games.games(place, number)[0]
        assert set(ingestion.followed) == {f"g{number}"}
    assert seen == [["g1"], ["g2"], ["g3"]]
    assert [each.game_id for each in active_games.games(place, 1)] == ["g1"]
