"""What many ask at the same time is done in one go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition, Event

import pytest

from scoreboard.errors import ConflictError, StoreError
from scoreboard.message import message
from scoreboard.tournament.storage.batcher import Batcher
from tests.scoreboard.storage.racing import race

PATIENCE_SECONDS = 60
REFUSED = ConflictError(message("Not that one."))


class Work:
    """Squares of numbers; the first go lasts until so many wait for the next one."""

    def __init__(self, waiting: int) -> None:
        self.goes: list[list[int]] = []
        self._begun = Event()
        self._asked = Condition()
        self._count, self._waiting = 0, waiting
        self.gathering = Batcher(self.squares, lambda number: number % 10)

    def squares(self, numbers: Sequence[int]) -> list[int | Exception]:
        """Refuses 13, and fails with 99 in it."""
        self.goes.append(list(numbers))
        if len(self.goes) == 1:
            self._begun.set()
            self._wait_until_asked()
        if 99 in numbers:
            raise StoreError(message("The disk is full."))
        return [REFUSED if number == 13 else number * number for number in numbers]

    def first(self) -> None:
        assert self.gathering.ask(1) == 1

    def later(self, number: int, *, refused: bool = False) -> Callable[[], None]:
        def ask() -> None:
            self._begun.wait(PATIENCE_SECONDS)
            with self._asked:
                self._count += 1
                self._asked.notify_all()
            if refused:
                with pytest.raises((ConflictError, StoreError)):
                    self.gathering.ask(number)
            else:
                assert self.gathering.ask(number) == number * number

        return ask

    def _wait_until_asked(self) -> None:
        with self._asked:
            self._asked.wait_for(lambda: self._count == self._waiting, PATIENCE_SECONDS)
        while len(self.gathering._waiting) < self._waiting:
            Event().wait(0.001)


def test_those_who_come_meanwhile_are_served_together() -> None:
    """While the first is served the others gather, and all of them are the second go."""
    work = Work(5)
    acts = [work.first, *(work.later(number) for number in range(2, 7))]
    assert race(acts) == [None] * 6
    assert [sorted(go) for go in work.goes] == [[1], [2, 3, 4, 5, 6]]


def test_two_of_one_key_are_served_one_after_the_other() -> None:
    """A go has one ask of a key at most; the other is in the next."""
    work = Work(3)
    assert race([work.first, *(work.later(number) for number in (2, 12, 3))]) == [None] * 4
    assert sorted(map(len, work.goes)) == [1, 1, 2]
    assert {2, 12} not in [set(go) for go in work.goes]


def test_who_is_refused_is_refused_alone() -> None:
    """The others of the same go have their answers."""
    work = Work(3)
    acts = [work.first, work.later(2), work.later(13, refused=True), work.later(4)]
    assert race(acts) == [None] * 4
    assert len(work.goes) == 2


def test_what_cannot_be_done_keeps_no_other_from_being_done() -> None:
    """A go that fails is tried again, each ask by itself."""
    work = Work(3)
    acts = [work.first, work.later(2), work.later(99, refused=True), work.later(4)]
    assert race(acts) == [None] * 4
    assert sorted(work.goes[1]) == [2, 4, 99]
    assert sorted(map(tuple, work.goes[2:])) == [(2,), (4,), (99,)]
    assert work.gathering.ask(3) == 9


def test_before_each_go_it_rests() -> None:
    """What comes during the rest is in the go that follows."""
    rests: list[int] = []
    goes: list[list[int]] = []

    def work(numbers: Sequence[int]) -> list[int]:
        goes.append(list(numbers))
        return list(numbers)

    gathering = Batcher(work, lambda number: number, lambda: rests.append(len(goes)))
    assert [gathering.ask(1), gathering.ask(2)] == [1, 2]
    assert rests == [0, 1]
    assert goes == [[1], [2]]
