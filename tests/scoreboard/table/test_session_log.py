"""The log of the table: one line for each request, and a press that did nothing explains itself."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

import pytest

from scoreboard.dice import Roll
from scoreboard.message import message
from scoreboard.table import requests
from scoreboard.table.inbox import Inbox
from scoreboard.table.proposal import Health, Light
from tests.scoreboard.table.fakes import FailingStore, Table, reading

GLARE: Final = message("The light glares.")


@pytest.fixture
def table(caplog: pytest.LogCaptureFixture) -> Table:
    """Two players, the first roll awaited; what was logged until then is forgotten."""
    caplog.set_level(logging.INFO, "scoreboard")
    table = Table().opened()
    caplog.clear()
    return table


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    lines = [record.getMessage() for record in caplog.records]
    caplog.clear()
    return lines


def test_a_turn_is_reported_line_by_line(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.roll("33516")
    table.reroll()
    table.roll("33222")
    table.keep()
    table.keep()
    table.undo()
    assert logged(caplog) == [
        "reading 33516 (confidence 0.99, picture 7): waits to be confirmed",
        "recorded game-1 step 1 (button): roll 13356",
        "press REROLL (button), game game-1: done, Roll again",
        "reading 33222 (confidence 0.99, picture 7): waits to be confirmed",
        "recorded game-1 step 2 (button): roll 22233; keep 22233",
        "press KEEP (button), game game-1: done, Keep all five",
        "recorded game-1 step 4 (button): score full-house 25",
        "press KEEP (button), game game-1: done, Full house: 25",
        "recorded game-1 step 5 (button): undo 4",
        "press UNDO (button), game game-1: done, take back 25 in Full house for North",
    ]


def test_a_press_too_early_is_explained(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.send(requests.Proposed(reading("33516")))
    table.clock.advance(0.1)
    table.keep()
    assert logged(caplog)[-1] == (
        "press KEEP (button), game game-1: "
        "too early: what the button means had changed less than 0.3 s before"
    )


def test_a_press_without_a_roll_is_explained(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.keep()
    table.undo()
    assert logged(caplog) == [
        (
            "press KEEP (button), game game-1: nothing to do: "
            "No new roll seen yet: roll the dice, or type the roll in."
        ),
        "press UNDO (button), game game-1: nothing to do: There is nothing left to undo.",
    ]


def test_a_press_that_only_asks_reports_what_it_asked(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """A doubt is shown first; the log has the doubt twice, as read and as asked."""
    table.show(reading("33516", doubts=(GLARE,)))
    table.keep()
    assert logged(caplog) == [
        (
            "reading 33516 (confidence 0.99, picture 7; doubts: The light glares.): "
            "waits to be confirmed"
        ),
        "press KEEP (button), game game-1: done, asked: The light glares.",
    ]


def test_a_reading_that_is_not_offered_is_reported(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.show(reading("3351?"))
    table.undo()
    table.show(reading("3351?"))
    assert logged(caplog)[1:] == [
        "press UNDO (button), game game-1: done, the reading is rejected",
        "reading 3351? (confidence 0.99, picture 7): nothing new",
    ]


def test_a_full_disk_is_reported_and_nothing_is_called_recorded(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "scoreboard")
    store = FailingStore()
    table = Table(store).opened()
    table.roll("33516")
    caplog.clear()
    store.full = True
    table.keep()
    assert logged(caplog) == [
        "press KEEP (button), game game-1: refused (StoreError): The disk is full; make room."
    ]


def test_a_stale_page_is_reported(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    seen = table.view.version
    table.roll("33516")
    logged(caplog)
    table.send(requests.Pressed(requests.Action.KEEP, table.clock(), seen))
    assert logged(caplog) == [
        (
            "press KEEP (page), game game-1: "
            "stale: the table has changed since the page that sent it was shown"
        )
    ]


@pytest.mark.parametrize(
    ("request_", "line"),
    [
        (
            requests.GameOpened("yahtzee", ("Anna", "Boris")),
            "open yahtzee for 2, game game-2: done",
        ),
        (
            requests.GameOpened("chess", ("Anna",)),
            (
                "open chess for 1, game game-1: refused (NotOfferedError): "
                "There is no game called “chess” here."
            ),
        ),
        (
            requests.GameOpened("yahtzee", ("Anna", "Boris"), {"start": "youngest"}),
            "open yahtzee for 2, game game-1: refused (RuleViolationError ",
        ),
        (
            requests.GameResumed("game-1"),
            "resume game-1, game game-1: nothing to do: it changes nothing here",
        ),
        (
            requests.GameDeleted("g9"),
            "delete g9, game game-1: refused (UnknownGameError): No stored game is called “g9”.",
        ),
        (
            requests.PlayerDeleted("p1", ("Boris",)),
            "delete a player, game game-1: done",
        ),
        (
            requests.BothButtonsHeld(Table().clock()),
            "KEEP and REROLL held (button), game game-1: nothing to do: it changes nothing here",
        ),
        (
            requests.ResultDisputed("g1", 3, "Boris moved a die"),
            (
                "dispute the result of g1 by 3, game game-1: refused (NotOfferedError): "
                "No event result is waiting to be signed here."
            ),
        ),
    ],
)
def test_each_request_is_one_line(
    table: Table, caplog: pytest.LogCaptureFixture, request_: requests.TableRequest, line: str
) -> None:
    """What was asked for, and what came of it; no reason that a player wrote."""
    table.send(request_)
    lines = logged(caplog)
    assert lines[-1].startswith(line)
    assert not any("Boris" in each for each in lines)


def test_what_a_page_asks_for_is_reported(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    version = table.view.version
    table.send(requests.Chosen("score:aces", version))
    table.act(requests.Corrected(Roll.parse("13356"), version))
    table.reroll()
    table.send(requests.KeepMarked(0, True, table.view.version))  # noqa: FBT003 -- as posted
    table.abandon()
    assert logged(caplog) == [
        "choose score:aces, game game-1: refused: That cannot be done now.",
        "enter 13356, game game-1: done",
        "recorded game-1 step 1 (button): roll 13356",
        "press REROLL (button), game game-1: done, Roll again",
        "die 1 kept, game game-1: done",
        "recorded game-1 step 2 (page): put away",
        "put the game away, game game-1: done",
    ]


def test_a_camera_that_is_lost_and_a_view_that_worsens_are_reported(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """Why nothing is read stands in the log; that dice move does not."""
    table.send(requests.TableStatusChanged(requests.TableStatus.MOVING))
    table.send(
        requests.TableStatusChanged(requests.TableStatus.LOST, message("The camera is unplugged."))
    )
    table.send(requests.HealthChanged(Health(Light.RED, (GLARE,))))
    assert logged(caplog) == [
        "camera lost: The camera is unplugged.",
        "view red: The light glares.",
    ]


def test_a_press_is_reported_through_the_inbox_too(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """The one thread that changes the table writes the lines, in the order of the requests."""
    inbox = Inbox(table.session)
    inbox.start()
    inbox.post(requests.Proposed(replace(reading("33516"), frame=8)))
    inbox.submit(requests.Pressed(requests.Action.UNDO, table.clock(), table.view.version + 1))
    inbox.stop()
    assert [line.partition(":")[0] for line in logged(caplog)] == [
        "reading 33516 (confidence 0.99, picture 8)",
        "press UNDO (page), game game-1",
    ]
