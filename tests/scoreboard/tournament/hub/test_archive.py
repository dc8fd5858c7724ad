"""The games of an event, out of one hub and into another."""

from __future__ import annotations

import pytest

from scoreboard.errors import ConflictError, NotationError
from scoreboard.tournament.hub.archive import Archive
from scoreboard.tournament.hub.tournament_service import TournamentService
from scoreboard.tournament.protocol.audit_log import UnknownTournamentError
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.hub.clocks import Ticking
from tests.scoreboard.tournament.hub.devices import quick_game, signed_by
from tests.scoreboard.tournament.hub.events import KEY
from tests.scoreboard.tournament.hub.halls import Hall

FOUR, OTHERS = (1, 2, 3, 4), (5, 6, 7, 8)
FIRST = quick_game(FOUR, "+60 -10 -20 -30", *signed_by(FOUR))
SECOND = quick_game(OTHERS, "+6 -1 -2 -3", slot=(1, 2, 1))


@pytest.fixture
def hall(store: SqlHubStore, clock: Ticking) -> Hall:
    """Two tables that have delivered a game each, the second not all of it."""
    hall = Hall(store, clock).begin()
    hall.deliver(1, "g1", FIRST)
    hall.deliver(2, "g2", SECOND[:1])
    return hall


def test_games_move_to_another_hub(hall: Hall, clock: Ticking, other: SqlHubStore) -> None:
    """Beside the record: there they are as they were delivered, twice taken over or once."""
    archive = Archive(hall.store.deliveries, hall.service)
    exported = archive.export_games(hall.event)
    service = TournamentService(other, clock, KEY)
    service.take_over(hall.service.export(hall.event))
    there = Archive(other.deliveries, service)
    assert there.take_over_games(hall.event, exported) == 2
    assert there.take_over_games(hall.event, exported) == 2
    assert there.export_games(hall.event) == exported
    assert other.deliveries.game("g1") == FIRST
    assert service.snapshot(hall.event) == hall.service.snapshot(hall.event)


def test_other_games_of_the_same_name_are_refused(hall: Hall) -> None:
    """What is held stays, and the contradiction is told."""
    archive = Archive(hall.store.deliveries, hall.service)
    exported = archive.export_games(hall.event)
    with pytest.raises(ConflictError):
        archive.take_over_games(hall.event, exported.replace("Player 1", "Player 9"))
    assert hall.store.deliveries.game("g1") == FIRST


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "[]",
        '{"table": 1}',
        '{"table": 1, "game_id": "g", "items": [1]}',
        '{"table": 1, "game_id": "g", "items": [], "more": 1}',
        '{"table": 2, "table": 1, "game_id": "g", "items": []}',
        '{"table": 1, "game_id": "g", "items": [{"sequence": 1, "body": {}, "more": 1}]}',
        f'{{"table": {"9" * 5000}, "game_id": "g", "items": []}}',
        "[" * 100_000,
    ],
)
def test_what_is_no_game_is_named_by_its_line(hall: Hall, text: str) -> None:
    """The first line that cannot be read."""
    archive = Archive(hall.store.deliveries, hall.service)
    with pytest.raises(NotationError, match="Line 3 is no game"):
        archive.take_over_games(hall.event, f"{archive.export_games(hall.event)}{text}\n")


def test_games_belong_to_an_event(hall: Hall) -> None:
    """An unknown one has none, and takes none."""
    archive = Archive(hall.store.deliveries, hall.service)
    with pytest.raises(UnknownTournamentError):
        archive.export_games("gone")
    with pytest.raises(UnknownTournamentError):
        archive.take_over_games("gone", "")
