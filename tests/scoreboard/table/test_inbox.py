"""The inbox: many threads put messages in, one works through them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, current_thread

import pytest

from scoreboard.errors import NoAnswerError
from scoreboard.message import Message, message
from scoreboard.table.inbox import FAULT, HANGING_SECONDS, Inbox
from scoreboard.table.requests import Answer, TableRequest, TableStatus, TableStatusChanged, Ticked
from scoreboard.worker import Worker
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.table.fakes import EVENING

MOVING = TableStatusChanged(TableStatus.MOVING)
FATAL = Ticked(EVENING)


class Receiver:
    """A session that counts, waits when told to, and fails on a tick."""

    def __init__(self) -> None:
        self.received: list[TableRequest] = []
        self.senders: list[str] = []
        self.threads: set[str] = set()
        self.told: list[Message] = []
        self.open = Event()
        self.open.set()
        self.waiting = Event()
        self.deaf = False

    def receive(self, table_request: TableRequest, by: str) -> Answer:
        if not self.open.is_set():
            self.waiting.set()
        self.open.wait()
        self.threads.add(current_thread().name)
        if table_request == FATAL:
            raise ZeroDivisionError
        self.received.append(table_request)
        self.senders.append(by)
        return Answer(notice=message("{count}", count=len(self.received)))

    def notify(self, notice: Message) -> Answer:
        if self.deaf:
            raise ZeroDivisionError
        self.told.append(notice)
        return Answer("refused", notice)


@contextmanager
def running(receiver: Receiver) -> Iterator[Inbox]:
    inbox = Inbox(receiver)
    inbox.start()
    try:
        yield inbox
    finally:
        receiver.open.set()
        inbox.stop()


def test_what_is_posted_is_worked_through_before_the_end() -> None:
    receiver = Receiver()
    with running(receiver) as inbox:
        for _ in range(20):
            inbox.post(MOVING)
    assert receiver.received == [MOVING] * 20


def test_the_session_learns_who_sent_a_message_and_its_answer_comes_back() -> None:
    receiver = Receiver()
    with running(receiver) as inbox:
        assert str(inbox.submit(MOVING, by="here").notice) == "1"
        inbox.post(MOVING)
        assert str(inbox.submit(MOVING, by="phone-1").notice) == "3"
    assert receiver.senders == ["here", "", "phone-1"]


def test_one_thread_works_for_all() -> None:
    receiver = Receiver()
    with running(receiver) as inbox:
        threads = [Thread(target=inbox.submit, args=(MOVING,)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(receiver.received) == 20
    assert receiver.threads == {"inbox"}


def test_a_fault_is_reported_then_logged_and_the_inbox_lives_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    receiver = Receiver()
    with running(receiver) as inbox, caplog.at_level(logging.ERROR):
        assert inbox.submit(FATAL) == Answer("refused", FAULT)
        assert inbox.submit(MOVING).verdict == "done"
    assert receiver.told == [FAULT]
    assert "ZeroDivisionError" in caplog.text


def test_a_fault_that_cannot_be_shown_does_not_end_the_inbox(
    caplog: pytest.LogCaptureFixture,
) -> None:
    receiver = Receiver()
    receiver.deaf = True
    with running(receiver) as inbox, caplog.at_level(logging.ERROR):
        assert inbox.submit(FATAL).notice == FAULT
        assert inbox.submit(MOVING).verdict == "done"
    assert "could not be shown" in caplog.text


def test_no_answer_in_time_is_an_error() -> None:
    receiver = Receiver()
    receiver.open.clear()
    with running(receiver) as inbox, pytest.raises(TimeoutError, match="check the page"):
        inbox.submit(MOVING, timeout_seconds=0.01)


def test_an_inbox_that_does_not_run_answers_at_once() -> None:
    inbox = Inbox(Receiver())
    inbox.stop()
    with pytest.raises(NoAnswerError, match="not running"):
        inbox.submit(MOVING)


class StuckWorker(Worker):
    """A worker that is still at it, and notes how long somebody would wait for it."""

    waited: float | None = None

    def stop(self, timeout_seconds: float | None = None) -> None:
        """Don't wait."""
        self.waited = timeout_seconds


def test_the_end_waits_for_a_stuck_session_a_second() -> None:
    """Others may want half a second each, and Ctrl-C ends the table within two."""
    inbox, stuck = Inbox(Receiver()), StuckWorker("inbox", Receiver)
    inbox._worker = stuck
    inbox.stop()
    assert stuck.waited == 1.0


def test_it_lives_until_one_message_takes_too_long() -> None:
    receiver, now = Receiver(), [0.0]
    inbox = Inbox(receiver, lambda: now[0])
    lived = [inbox.alive]
    inbox.start()
    inbox.submit(MOVING)
    now[0] += 3600
    lived.append(inbox.alive)
    receiver.open.clear()
    inbox.post(MOVING)
    assert receiver.waiting.wait(PATIENCE_SECONDS)
    lived.append(inbox.alive)
    now[0] += HANGING_SECONDS + 1
    lived.append(inbox.alive)
    receiver.open.set()
    inbox.submit(MOVING)
    lived.append(inbox.alive)
    inbox.stop()
    lived.append(inbox.alive)
    assert lived == [False, True, True, False, True, False]
