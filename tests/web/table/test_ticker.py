"""The thread that tells the time does so only while somebody waits for it."""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Event

from scoreboard.table.requests import TableRequest, Ticked
from web.table.ticker import Ticker

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def test_it_ticks_while_a_turn_is_timed() -> None:
    """Each tick carries the time; when no turn is timed nothing is posted."""
    posted, enough = list[TableRequest](), Event()

    def post(table_request: TableRequest) -> None:
        posted.append(table_request)
        if len(posted) == 3:
            enough.set()

    timed = iter([False, True, True, False, True])
    ticker = Ticker(lambda: NOON, lambda: next(timed, False), pause_seconds=0.001)
    ticker.start(post)
    assert enough.wait(10)
    ticker.stop()
    assert posted == [Ticked(NOON)] * 3


def test_it_can_be_stopped_before_it_was_started() -> None:
    """A table that fails to start closes all the same."""
    Ticker(lambda: NOON, lambda: True).stop()
