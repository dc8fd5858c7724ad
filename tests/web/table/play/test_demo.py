"""The demo evening follows the table."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from scoreboard.dice import Roll
from scoreboard.games.engine.game import Turn
from scoreboard.table.requests import (
    Corrected,
    GameOpened,
    GameResumed,
    TableRequest,
    TableStatus,
)
from scoreboard.table.view import Stage, TableView
from tests.scoreboard.table.fakes import Table
from tests.scoreboard.table.seen import seen
from tests.vision.learn.drawn_tiles import few_own_tiles
from tests.web.demo_evening import NotedDemo, NotingCamera, ToldCamera
from vision.learn.taught_sets import TaughtSets
from vision.read.tiles import TilesRecogniser
from web.table.parts import OWN_GAME
from web.table.play.demo import (
    OPENING,
    PATIENCE_SECONDS,
    Demo,
    dated_id,
    demo_reader,
    open_demo_reader,
    open_show,
    roll_for,
    step_for,
)
from web.table.play.tournament import tournament_game_id
from web.table.sets.taught_readers import default_sets_folder

NOW = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
RUMMIKUB = GameOpened("rummikub", ("North", "South"), {"clock": "off", "rounds": "1"})


def test_a_turn_shows_one_roll_after_the_other() -> None:
    """REROLL brings the turn's next roll, a score the next player's first."""
    stage = NotedDemo(OPENING)
    assert stage.shown == (0, 0)
    stage.table.enter("12345")
    stage.table.reroll()
    assert stage.shown == (0, 1)
    stage.table.enter("12345")
    stage.table.reroll()
    assert stage.shown == (0, 2)
    stage.table.enter("12345")
    stage.table.keep()
    assert stage.shown == (0, 2)
    stage.table.choose("score:large-straight")
    assert stage.shown == (1, 0)


def test_rolls_for_the_start_come_first() -> None:
    """Each player's roll looks different, and so does the first of the game."""
    stage = NotedDemo(GameOpened("yahtzee", ("North", "South"), {"start": "roll-off"}))
    assert stage.shown == (0, 0)
    stage.table.enter("12345")
    stage.table.keep()
    assert stage.shown == (1, 0)
    stage.table.enter("23456")
    stage.table.keep()
    assert stage.table.session.view.stage == "rolling"
    assert stage.shown == (2, 0)


def test_after_a_restart_it_goes_on_where_the_game_stands() -> None:
    """The stored game alone tells which roll is next."""
    first = NotedDemo(OPENING)
    first.table.enter("12345")
    first.table.keep()
    first.table.choose("score:large-straight")
    first.table.enter("13566")
    first.table.reroll()
    again = NotedDemo(store=first.table.store)
    again.table.session.resume_newest()
    assert again.shown == first.shown == (1, 1)


@pytest.mark.parametrize("players", [("North",), ("North", "South", "East")])
def test_taking_back_shows_the_roll_again(players: tuple[str, ...]) -> None:
    """UNDO leads back to the roll that is awaited then."""
    stage = NotedDemo(GameOpened("yahtzee", players, {"start": "first"}))
    stage.table.enter("12345")
    stage.table.reroll()
    stage.table.undo()
    assert stage.shown == (0, 0)


@pytest.mark.parametrize("stage", get_args(Stage))
def test_only_a_game_under_way_asks_for_rolls(stage: Stage) -> None:
    """When a game is over or put away, what lies on the table stays there."""
    turn = Turn(4, "rolling", 0, 1, 3, Roll.parse("12345"), None)
    view = TableView(version=1, stage=stage, status=TableStatus.STILL, turn=turn)
    expected = {"starting": (4, 0), "rolling": (4, 1), "choosing": (4, 0)}
    assert roll_for(view) == expected.get(stage)
    assert roll_for(replace(view, turn=None)) is None


def test_the_demo_keeps_out_of_a_game_that_people_play_themselves() -> None:
    """The table is empty, nobody rolls or plays for them, and the demo's next game goes on."""
    table = Table()
    camera = ToldCamera(sleep=lambda _seconds: None)
    camera.__enter__()
    demo = Demo(camera)
    done: list[TableRequest] = []
    table.session._announcers = (demo,)
    demo.start(done.append)
    table.session.receive(OPENING)
    assert camera.look()[0] is not None
    at_home, at_an_event = dated_id(NOW, OWN_GAME), tournament_game_id(1, 5, 1)
    for game, game_id in (
        ("yahtzee", at_home),
        ("rummikub", at_home + "b"),
        ("yahtzee", at_an_event),
    ):
        own = GameOpened(game, ("Ann", "Ben"), game_id=game_id)
        table.session.receive(own)
        assert demo_reader(table.view) == "dice"
        for _ in range(round(5 * PATIENCE_SECONDS * camera.frames_per_second)):
            assert camera.look()[0] is None
        assert done == []
    table.session.receive(OPENING)
    assert camera.look()[0] is not None


def test_the_line_says_what_to_press_next() -> None:
    """In a game of one's own how dice come onto the sheet, and no longer than that."""
    stage = NotedDemo(OPENING)
    demo = Demo(NotingCamera())
    assert str(demo.coming(stage.table.session.view)).startswith("Just watch")
    stage.table.session.receive(Corrected(Roll.parse("12345"), stage.table.session.view.version))
    assert "press REROLL" in str(demo.coming(stage.table.session.view))
    stage.table.session.receive(GameOpened("yahtzee", ("Ann",), game_id=dated_id(NOW, OWN_GAME)))
    assert "Enter by hand" in str(demo.coming(stage.table.session.view))
    stage.table.session.receive(Corrected(Roll.parse("12345"), stage.table.session.view.version))
    assert demo.coming(stage.table.session.view) is None


def test_each_show_begins_with_other_dice() -> None:
    """Shortly before the end of a game; a restart goes on with the same ones."""
    stage = NotedDemo()
    firsts = set()
    for _ in range(9):
        stage.table.session.receive(open_show(stage.table.store, NOW))
        assert stage.table.view.scoresheet is not None
        assert [stage.table.view.player, stage.table.view.scoresheet.current] == ["North", 0]
        firsts.add(stage.shown)
        again = NotedDemo(store=stage.table.store)
        again.table.session.receive(GameResumed(stage.table.view.game_id or ""))
        assert again.shown == stage.shown
    assert len(firsts) > 1


@pytest.fixture
def melded() -> NotedDemo:
    """North laid three tiles; South is to play."""
    stage = NotedDemo(RUMMIKUB)
    stage.table.choose("begin:0")
    stage.table.show(seen("K10 R10 B10", frame=1))
    stage.table.keep()
    return stage


def test_tables_are_named_by_what_is_awaited() -> None:
    """The draw for the start, then the turns: offer, seat and how many tiles lie there."""
    stage = NotedDemo(RUMMIKUB)
    assert stage.laid == ("tile-0-00", 0)
    stage.table.show(seen("R7", frame=1))
    stage.table.keep()
    assert stage.laid == ("tile-1-00", 0)
    stage.table.show(seen("R9", frame=2))
    stage.table.keep()
    assert stage.laid == ("", 0)  # South has no picture of a first meld
    stage.table.choose("draw")
    assert stage.laid == ("lay-0-00", 0)
    view = stage.table.view  # dice ask for no table; tiles are read by their reader
    assert demo_reader(view) == "tiles"
    assert demo_reader(replace(view, game="yahtzee")) == "dice"
    assert step_for(replace(view, game="yahtzee")) is None
    assert step_for(replace(view, turn=None)) is None


@pytest.fixture
def refused(melded: NotedDemo) -> NotedDemo:
    """South's tiles on the table break a rule."""
    melded.table.choose("overrule", "K10 R10 B10 O10, R3 R4 R5 R6")
    melded.table.choose("draw")
    assert melded.laid == ("lay-1-08", 0)
    melded.table.show(seen("K10 R10 B10 O10, R3 R4 R5 R6, R10 R11 R13", frame=3))
    return melded


def test_a_table_that_is_refused_is_mended_after_a_while(refused: NotedDemo) -> None:
    """Viewers see what is wrong, and then that it is put right, without pressing anything."""
    for _ in range(round(2 * PATIENCE_SECONDS * refused.camera.frames_per_second)):
        assert refused.laid == ("lay-1-08", 0)
        refused.camera.look()
    assert refused.laid == ("lay-1-08", 1)


def test_a_refused_table_is_mended_though_somebody_draws_against_it(refused: NotedDemo) -> None:
    """Else it lay there again at each turn, and both players drew tiles for ever."""
    refused.table.choose("draw")
    refused.table.choose("draw")
    assert refused.laid == ("lay-1-08", 1)


def test_the_rack_of_the_end_is_the_same_whatever_lies_there(melded: NotedDemo) -> None:
    """RK-11: how many tiles are on it is counted anew, so that they are those in the picture."""
    melded.table.choose("count:0", "3")
    melded.table.choose("draw")
    melded.table.show(seen("K10 R10 B10, R10 R11 R12", frame=2))
    melded.table.keep()
    assert melded.laid == ("rack-1-27", 0)
    melded.camera.look()
    assert melded.table.view.scoresheet is not None
    assert [cell.points for cell in melded.table.view.scoresheet.row("rack").cells] == [0, 6]


@pytest.mark.slow
def test_a_taught_set_reads_none_of_the_demos_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo's tiles are an ordinary set's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    TaughtSets(default_sets_folder()).save(few_own_tiles())
    assert isinstance(open_demo_reader("tiles"), TilesRecogniser)


def test_a_game_can_be_named_aloud() -> None:
    """The id has the day in it, and no two are the same."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-[0-9a-f]{6}", dated_id(NOW))
    assert dated_id(NOW) != dated_id(NOW)
