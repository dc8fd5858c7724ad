"""The table's health on its way to the page."""

from __future__ import annotations

from datetime import UTC, datetime

from scoreboard.message import message
from scoreboard.storage import MemoryStore
from scoreboard.table.proposal import HEALTHY, Health, Light
from scoreboard.table.requests import Action, GameOpened, HealthChanged, Pressed
from scoreboard.table.session import TableSession

NOW = datetime(2026, 5, 1, tzinfo=UTC)
DARK = Health(Light.RED, (message("It is too dark."),))


def session() -> TableSession:
    """A table without a game."""
    return TableSession(MemoryStore(), lambda: NOW, [], lambda: "g1")


def test_the_view_shows_how_well_the_table_is_seen() -> None:
    """Unknown at first; then what the camera's side said last, a new game or not."""
    table = session()
    unseen = table.view.health
    assert unseen is None
    table.receive(HealthChanged(DARK))
    assert table.view.health == DARK
    table.receive(GameOpened("yahtzee", ("North",)))
    assert table.view.health == DARK
    assert table.receive(HealthChanged(DARK)).verdict == "unchanged"
    table.receive(HealthChanged(None))
    assert table.view.health is None


def test_a_press_aimed_before_the_light_changed_still_counts() -> None:
    """What the light says is nothing that a tap depends on."""
    table = session()
    table.receive(GameOpened("yahtzee", ("North",), {"start": "first"}))
    seen = table.view.version
    table.receive(HealthChanged(HEALTHY))
    assert table.view.version > seen
    assert table.receive(Pressed(Action.KEEP, NOW, seen)).verdict == "refused"
