"""A tiny tournament runs through the whole benchmark of scale."""

from __future__ import annotations

import json
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.scale_event import Figures, Size, measured
from tests.benchmarks.scale_games import NAMES, OPTIONS, Sitting, parcel, presses_of, scripts
from tests.benchmarks.scale_page import draw_picture, kept, page
from tests.benchmarks.scale_viewers import States
from tests.postgres import find_programs

TINY = Size("tiny", 2, rounds=3, viewers=2, pressed=20, press_seconds=0.02)
PROGRAMS = find_programs()
needs_postgresql = pytest.mark.skipif(PROGRAMS is None, reason="PostgreSQL's programs are missing")


@pytest.fixture(scope="module")
def figures() -> Figures:
    """The measurements of a tiny tournament."""
    assert PROGRAMS is not None
    return measured(TINY, PROGRAMS, scripts(2))


@needs_postgresql
def test_a_tiny_event_is_kept_whole(figures: Figures) -> None:
    """The hub keeps every event, and every board shows every result of the last round."""
    per_round = sum(script.events + 5 for script in scripts(2))
    assert figures.events == 3 * per_round
    assert figures.disk > 0
    watched = figures.paced.watched
    assert watched is not None
    assert watched.missed == 0
    assert len(watched.to_boards) == TINY.viewers * TINY.tables


@needs_postgresql
def test_the_page_tells_what_was_measured(figures: Figures, tmp_path: Path) -> None:
    """It has a column per size, a verdict, and a picture that never varies."""
    text = page([figures, figures], figures)
    assert "| | tiny | tiny |" in text
    assert f"| {figures.events:,} | {figures.events:,} |" in text
    files = tmp_path / "one.svg", tmp_path / "other.svg"
    for file in files:
        draw_picture([figures, figures], file)
    assert files[0].read_bytes() == files[1].read_bytes()


@needs_postgresql
def test_floors_are_held(figures: Figures) -> None:
    """Each limit counts by itself: events a second, and from table to board."""
    told = replace(figures.fast.told, live_items=3000, live_seconds=10.0)
    assert figures.paced.watched is not None
    watched = replace(figures.paced.watched, to_boards=array("d", [0.4] * 20))
    good = replace(
        figures,
        fast=replace(figures.fast, told=told),
        paced=replace(figures.paced, watched=watched),
    )
    assert kept(good) == (True, True)
    slow = replace(good, fast=replace(good.fast, told=replace(told, live_seconds=10.1)))
    assert kept(slow) == (False, True)


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
    later = {"round-3-table-13": '<li id="round-3-table-13" class="board-table phase-unsigned">'}
    assert states.number(f"event: pieces\ndata: {json.dumps(later)}\n\n".encode()) == 1
    assert states.shown[1] == {(3, 13)}
