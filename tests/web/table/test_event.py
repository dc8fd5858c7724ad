"""A running table at an event: it comes in by its page, and remembers it over a restart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from flask.testing import FlaskClient

from hardware.pins import Pins
from scoreboard.storage.memory import MemoryStore
from tests.scoreboard.tournament.client.fakes import SITTING, WORD, BadWay, FakeHub, wait_for
from tests.scoreboard.tournament.client.served_hub import served
from tests.web.process import SEEN
from web.plan import Plan
from web.settings import CameraSettings, Settings, TableSettings
from web.table.event import event_game_id, open_event_desk
from web.wiring import RunningTable

OWN = {"Origin": "http://localhost"}
NO_PINS = Pins(None, "no pins in this test")


@contextmanager
def running(folder: Path, camera: str = "upload") -> Iterator[FlaskClient]:
    """A running table's page; all of it is stopped at the end."""
    database = TableSettings(f"sqlite:///{folder / 'games.sqlite3'}")
    table = RunningTable(
        Plan.of(Settings(camera=CameraSettings(camera), table=database)), 0, NO_PINS
    )
    try:
        yield table.app.test_client()
    finally:
        table.close()


def page(client: FlaskClient) -> str:
    """The table page."""
    return client.get("/").get_data(as_text=True)


def begin(client: FlaskClient) -> None:
    """Tap the button that begins the game."""
    shown = page(client)
    seen = SEEN.search(shown)
    assert seen is not None
    game = shown.split('name="game" value="')[1].split('"')[0]
    form = {"seen": seen[1], "game": game}
    assert client.post("/event/begin", data=form, headers=OWN).status_code == 303


def test_a_table_joins_plays_and_is_still_there_after_a_restart(tmp_path: Path) -> None:
    """The seats, the game and the ticket are there without the hub."""
    way = BadWay(FakeHub())
    with served(way) as address, running(tmp_path) as client:
        form = {"address": address, "code": "ABCD"}
        assert client.post("/event/join", data=form, headers=OWN).status_code == 303
        wait_for(lambda: "Begin game 1 of 2" in page(client))
        begin(client)
        wait_for(lambda: "Connected to the hub" in page(client))
        wait_for(lambda: bool(way.hub.deliveries.games_of("5")))
    kept = json.loads((tmp_path / "games.event.json").read_text(encoding="utf-8"))
    assert kept["ticket"]["address"] == address
    with running(tmp_path) as client:
        wait_for(lambda: "Cut off from the hub" in page(client))
        assert "Anna’s turn" in page(client)


def test_the_demo_evening_makes_room_for_an_event(tmp_path: Path) -> None:
    """After a restart the demo opens no game of its own while an event is waited for."""
    way = BadWay(FakeHub(replace(WORD, sitting=replace(SITTING, rounds_phase="drawn"))))
    with served(way) as address:
        desk = open_event_desk(f"sqlite:///{tmp_path / 'games.sqlite3'}", MemoryStore())
        assert desk is not None
        desk.join(address, "ABCD")
        desk.stop()
        with running(tmp_path, camera="") as client:
            wait_for(lambda: "Sit down as named" in page(client))
            assert "North" not in page(client)


def test_a_table_that_forgets_its_games_takes_part_in_no_event() -> None:
    """Without a file beside the database there is no door."""
    assert open_event_desk("memory:", MemoryStore()) is None


def test_games_of_an_event_are_named_by_their_place() -> None:
    """And by enough chance for many tables."""
    names = {event_game_id(2, 17, 1) for _ in range(100)}
    assert len(names) == 100
    assert all(name.startswith("r2-t17-g1-") for name in names)
