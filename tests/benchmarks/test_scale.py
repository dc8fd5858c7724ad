"""A tiny tournament runs through the whole benchmark of scale."""

from __future__ import annotations

import json

import pytest

from tests.benchmarks.scale import Size, measured
from tests.benchmarks.scale_boards import States
from tests.benchmarks.scale_tables import NAMES, OPTIONS, Sitting, parcel, presses_of, scripts
from tests.postgres import find_programs

TINY = Size(2, rounds=3, viewers=2, pressed=20, press_seconds=0.02)
PROGRAMS = find_programs()


@pytest.mark.skipif(PROGRAMS is None, reason="PostgreSQL's programs are missing")
def test_a_tiny_event_is_kept_whole() -> None:
    """The hub keeps every event, and every board shows every result of the last round."""
    assert PROGRAMS is not None
    games = scripts(2)
    figures = measured(TINY, PROGRAMS, games)
    assert figures.items == 3 * sum(script.events + 5 for script in games)
    assert figures.watched.missed == 0
    assert len(figures.watched.to_boards) == TINY.viewers * TINY.tables
    lines = {each.what: each for each in figures.lines(TINY, promised=True)}
    assert lines["2 tables: events a second, one by one"].promised == "at least 300"
    assert lines["2 tables: results that a board never showed"].kept


def test_a_game_is_delivered_in_parts_or_whole() -> None:
    """Both give the same items in order; the press before the signatures ends the game."""
    script = scripts(1)[0]
    players = ("Kim", "Söderberg", 'O"Neill', "Ito")
    sitting = Sitting(2, 7, (4, 3, 2, 1), players, OPTIONS)
    presses = presses_of(script, sitting)
    whole = json.loads(parcel(sitting, presses).body)
    parts = [json.loads(parcel(sitting, [press]).body) for press in presses]
    assert whole["game_id"] == sitting.game_id
    assert [item for part in parts for item in part["items"]] == whole["items"]
    assert [item["sequence"] for item in whole["items"]] == list(range(1, script.events + 6))
    assert not any(name in str(whole) for name in NAMES)
    assert [parcel(sitting, [press]).ends for press in presses].index(True) == len(presses) - 5


def test_a_board_shows_which_results_are_in() -> None:
    """Results are read from the hub's state; the same state has the same number."""
    states = States()
    part = (
        '<li id="round-3-table-12" class="board-table phase-done"></li>'
        '<li id="round-3-table-13" class="board-table phase-waiting"></li>'
    )
    event = f"event: state\ndata: {json.dumps(part)}\n\n".encode()
    assert states.number(event) == states.number(event) == 0
    assert states.shown[0] == {(3, 12)}
