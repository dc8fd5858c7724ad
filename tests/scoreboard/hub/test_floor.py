"""Which games are played at which table."""

from __future__ import annotations

from scoreboard.hub.desk import HubDesk
from scoreboard.hub.floor import Floor
from scoreboard.hub.followed import Followed
from scoreboard.hub.place import Place
from scoreboard.hub.ports import Deliveries, HubStore
from scoreboard.hub.receiving import Receiving
from tests.scoreboard.hub.clocks import Ticking
from tests.scoreboard.hub.devices import quick_game
from tests.scoreboard.hub.halls import Hall

FOUR = (1, 2, 3, 4)


class Noting(Receiving):
    """Notes which games somebody asked for."""

    def __init__(self, deliveries: Deliveries, desk: HubDesk) -> None:
        super().__init__(deliveries, desk)
        self.followed: list[str] = []

    def follow(self, game_id: str) -> Followed:
        """Note it."""
        self.followed.append(game_id)
        return super().follow(game_id)


def test_games_of_other_rounds_are_left_alone(store: HubStore, clock: Ticking) -> None:
    """Once a game's round is known it is followed no more when another round is asked for."""
    hall = Hall(store, clock).begin()
    receiving = Noting(store.deliveries, hall.desk)
    floor, place = Floor(store.deliveries, receiving, hall.reception.feed), Place(hall.event, 1)
    seen = []
    for number in (1, 2, 3):
        hall.deliver(1, f"g{number}", quick_game(FOUR, "+60 -10 -20 -30", slot=(number, 1, 1)))
        floor.catch_up()
        seen.append([each.game_id for each in floor.games(place, number)])
        receiving.followed.clear()
        assert floor.newest(place, number, FOUR) == floor.games(place, number)[0]
        assert set(receiving.followed) == {f"g{number}"}
    assert seen == [["g1"], ["g2"], ["g3"]]
    assert [each.game_id for each in floor.games(place, 1)] == ["g1"]
