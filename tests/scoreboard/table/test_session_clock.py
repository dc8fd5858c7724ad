"""A timed turn at the table: the clock runs, stands, warns, and is over (RK-7)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from scoreboard.games.engine.transcript import Abandoned
from scoreboard.games.rummikub.acts import TileDrawn, TurnEnded, TurnFailed, TurnReopened
from scoreboard.games.rummikub.tiles import NO_TILES
from scoreboard.table.button_actions import ConfirmPolicy
from scoreboard.table.game_session import SWITCH_CLOCK, TurnClock
from scoreboard.table.requests import GameOpened, GameResumed
from tests.scoreboard.table.fakes import EVENING, Table, reading
from tests.scoreboard.table.seen import seen

MELD = "K10 R10 B10"


def played(**options: str) -> Table:
    """Rummikub of Ann and Ben, who takes the first turn after Ann's meld."""
    table = Table().begin("rummikub", "Ann", "Ben", **options)
    table.choose("begin:0")
    table.choose("lay", MELD)
    return table


def clock(table: Table) -> TurnClock:
    shown = table.view.clock
    assert shown is not None
    return shown


def test_the_first_turn_of_a_round_waits_for_a_press() -> None:
    """Players still take their tiles: the clock stands until KEEP starts it."""
    table = Table()
    table.send(GameOpened("rummikub", ("Ann", "Ben"), {}))
    assert table.view.clock is None
    table.choose("begin:0")
    assert clock(table) == TurnClock(60, 60.0, "fail")
    assert table.tick(500).verdict == "unchanged"
    table.keep()
    assert clock(table).since is not None


def test_every_further_turn_is_timed_from_its_beginning() -> None:
    """RK-7: the clock of the next turn runs at once, with a whole minute."""
    table = played()
    assert clock(table).left == 60
    assert clock(table).ends_at is not None
    assert table.view.keep is not None
    assert str(table.view.keep) == "Stop the clock"


def test_a_pause_stops_the_time() -> None:
    table = played()
    table.clock.advance(19)
    table.keep()
    assert clock(table).left == pytest.approx(40)
    assert str(table.view.keep) == "Resume the clock"
    assert table.tick(900).verdict == "unchanged"
    table.keep()
    table.clock.advance(9)
    table.keep()
    assert clock(table).left == pytest.approx(30)


def test_who_arranges_what_was_laid_stops_the_time() -> None:
    """By the server, once: another who opens the editor does not let it run again."""
    table = played()
    table.clock.advance(19)
    for verdict in ("done", "unchanged"):
        assert table.choose(SWITCH_CLOCK, "stop").verdict == verdict
        assert clock(table).left == pytest.approx(40)
    assert table.tick(900).verdict == "unchanged"


def test_ten_seconds_before_the_end_it_is_reported() -> None:
    """Lamp and sound hang on this; only the change is announced, not each second."""
    table = played()
    assert table.tick(30).verdict == "unchanged"
    assert not clock(table).urgent
    assert table.tick(20).verdict == "done"
    assert clock(table).urgent
    assert table.tick(3).verdict == "unchanged"


def test_when_the_time_is_up_the_penalty_is_booked() -> None:
    """RK-7: three tiles; the table waits to be put back, and the clock's work is recorded."""
    table = played()
    assert table.tick(61).verdict == "done"
    assert table.events[-1] == TurnFailed("Ben", 3)
    last = table.store.events("game-1")[-1]
    assert (last.source, last.confirmed_by) == ("clock", "table")
    assert table.view.clock is None
    assert table.view.player == "Ben"
    assert [heap.pieces for heap in table.view.piece_groups] == [("K10", "R10", "B10")]
    table.choose("restored")
    assert table.view.player == "Ann"
    assert clock(table).since is None


def test_a_time_bank_makes_the_turn_longer_before_it_fails() -> None:
    """RK-7: the clock goes on where it was up, and warns again."""
    table = played(bank="1")
    table.tick(55)
    assert clock(table).urgent
    table.tick(6)
    assert table.events[-1] == TurnReopened("Ben")
    longer = clock(table)
    assert (longer.limit, longer.urgent) == (90, False)
    assert longer.left_at(table.clock()) == pytest.approx(28)
    table.tick(30)
    assert clock(table).limit == 120
    table.tick(30)
    assert table.events[-1:] == [TurnFailed("Ben", 3)]


def test_another_act_in_the_same_turn_leaves_the_clock_alone() -> None:
    """Counting a rack anew is no new turn."""
    table = played()
    before = clock(table)
    table.clock.advance(10)
    table.choose("count:0", "10")
    assert clock(table) == before


def test_undo_gives_the_turn_a_fresh_standing_clock() -> None:
    """What was taken back took time; the players start the clock when they are ready."""
    table = played()
    table.clock.advance(20)
    table.undo()
    assert table.view.player == "Ann"
    assert clock(table) == TurnClock(60, 60.0, "fail")


def test_without_a_clock_nothing_is_timed() -> None:
    table = played(clock="off")
    assert table.view.clock is None
    assert table.view.keep is None
    assert table.keep().verdict == "refused"
    assert table.tick(1000).verdict == "unchanged"


def test_the_second_button_draws_a_tile() -> None:
    """RK-6: REROLL passes the turn with a tile from the pool."""
    table = played()
    table.reroll()
    assert isinstance(table.events[-1], TileDrawn)
    assert table.view.player == "Ann"


def test_the_second_button_has_no_meaning_while_racks_are_reported() -> None:
    """Nothing is guessed: the press is answered, and the page tells what to do."""
    table = played(turns="scores", clock="off")
    answer = table.reroll()
    assert answer.verdict == "refused"
    assert "page" in str(answer.notice)


def test_a_game_put_away_is_not_timed() -> None:
    table = played()
    table.abandon()
    assert isinstance(table.events[-1], Abandoned)
    assert table.view.clock is None
    table.send(GameResumed("game-1"))
    assert clock(table).since is None


def test_what_cannot_be_read_is_refused_with_an_example() -> None:
    table = played()
    answer = table.choose("lay", "K10 X3")
    assert answer.verdict == "refused"
    assert "X3" in str(answer.notice)
    assert table.choose("lay").verdict == "refused"


@pytest.mark.parametrize("days", [-9000, 9000])
def test_a_turn_lasts_as_long_as_it_lasts(days: int) -> None:
    """The time of day is set by years in the middle of it; the record alone shows that (D9)."""
    table = played()
    table.clock.advance(20)
    table.time_of_day.now += timedelta(days=days)
    assert table.tick(15).verdict == "unchanged"
    table.keep()
    assert clock(table).left == pytest.approx(24)
    table.choose("draw")
    recorded_at = table.store.events("game-1")[-1].recorded_at
    assert recorded_at == EVENING + timedelta(days=days)


def test_patience_is_not_ended_by_the_time_of_day() -> None:
    """A sure reading waits its five seconds, whatever time it is (D9)."""
    table = Table(policy=ConfirmPolicy(seconds=5, confidence=0.95)).opened()
    table.show(reading("66666"))
    table.time_of_day.now += timedelta(days=9000)
    table.tick()
    assert table.events == []
    table.tick(5)
    assert table.events


def test_a_clock_that_stands_ends_never() -> None:
    assert TurnClock(60, 40.0, "fail").ends_at is None


def started(**options: str) -> Table:
    """Rummikub of Ann and Ben by clock and scores; Ann's clock runs."""
    table = Table().begin("rummikub", "Ann", "Ben", turns="clock", **options)
    table.choose("begin:0")
    table.keep()
    return table


def buttons(table: Table) -> tuple[str, ...]:
    return tuple(str(each) for each in (table.view.keep, table.view.reroll, table.view.undo))


def test_by_clock_and_scores_keep_is_for_the_next_player() -> None:
    """CS-1: KEEP starts the clock of a round, then passes on; the next player's runs at once."""
    table = Table().begin("rummikub", "Ann", "Ben", turns="clock")
    table.choose("begin:0")
    assert buttons(table)[:2] == ("Start the clock", "Draw a tile and pass")
    table.keep()
    assert buttons(table)[0] == "Pass on to Ben"
    table.clock.advance(30)
    table.keep()
    assert table.events[-1] == TurnEnded("Ann")
    assert table.view.player == "Ben"
    assert clock(table).left_at(table.clock()) == 59
    table.reroll()
    assert table.events[-1:] == [TileDrawn("Ben", NO_TILES)]
    assert table.view.player == "Ann"
    table.undo()
    assert (table.view.player, buttons(table)[0]) == ("Ben", "Start the clock")


def test_by_clock_and_scores_the_page_stops_the_clock() -> None:
    """The doorbell rings: KEEP passes on, so the page has a button of its own."""
    table = started()
    table.clock.advance(20)
    table.choose(SWITCH_CLOCK)
    assert clock(table).since is None
    assert buttons(table)[0] == "Resume the clock"
    assert table.tick(900).verdict == "unchanged"
    table.choose(SWITCH_CLOCK)
    assert clock(table).since is not None
    assert len(table.events) == 1
    assert started(clock="off").choose(SWITCH_CLOCK).verdict == "refused"


@pytest.mark.parametrize(
    ("button", "drawn"), [("keep", ("3 0", "3 0")), ("reroll", ("1 0", "0 0"))]
)
def test_by_clock_and_scores_time_up_costs_three_tiles_or_one(
    button: str, drawn: tuple[str, str]
) -> None:
    """RK-7, RK-18: three where the table was in disorder, one where nothing had been moved."""
    table = started()
    table.tick(61)
    assert table.events[-1] == TurnFailed("Ann", 3)
    assert table.view.turn is not None
    assert table.view.turn.awaited is not None
    assert str(table.view.turn.awaited.large) == "+3"
    assert getattr(table, button)().verdict == "stale"  # it was meant for the next player
    getattr(table, button)()
    sheet = table.view.scoresheet
    assert sheet is not None
    rows = (sheet.row("drawn"), sheet.row("penalties"))
    assert tuple(" ".join(str(cell.points) for cell in row.cells) for row in rows) == drawn
    assert (table.view.player, clock(table).since) == ("Ben", None)


def test_by_clock_and_scores_without_a_clock_keep_passes_on() -> None:
    """CS-1: a family with a sand glass takes turns all the same."""
    table = Table().begin("rummikub", "Ann", "Ben", turns="clock", clock="off")
    table.choose("begin:0")
    table.keep()
    assert table.view.player == "Ben"


def test_a_rack_at_the_end_is_read_by_the_camera() -> None:
    """RK-11: by clock and scores no camera looks at the table, but it reads the racks."""
    table = started()
    table.choose("rummikub:0")
    table.show(seen("K7 R12"))
    assert buttons(table)[0] == "Ben’s rack, tile by tile: 2 tiles, 19 points"
    table.keep()
    sheet = table.view.scoresheet
    assert sheet is not None
    assert [cell.points for cell in sheet.row("grand").cells] == [19, -19]
