"""Turns for large pictures: one at a time, senders one after the other, and who is refused."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest

from tests.patience import PATIENCE_SECONDS, until
from web.table.camera.uploads import FairLock, PictureRefusedError, PictureTurns

PHONE, TABLET, CAMERA = "192.0.2.7", "192.0.2.8", "192.0.2.9"


def waiting_for(lock: FairLock) -> int:
    """How many have asked for it and do not hold it yet."""
    return len(lock._queue) - 1


class Decoder:
    """Counts the pictures that are decoded at once."""

    def __init__(self) -> None:
        self.most = 0
        self._alive = 0
        self._lock = Lock()

    def __call__(self) -> None:
        with self._lock:
            self._alive += 1
            self.most = max(self.most, self._alive)
        time.sleep(0.002)
        with self._lock:
            self._alive -= 1


def test_one_picture_is_decoded_at_a_time() -> None:
    """However many send at once."""
    turns, decode = PictureTurns(), Decoder()

    def send(sender: str) -> None:
        with turns.admitted(sender):
            for _ in range(5):
                with turns.turn():
                    decode()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, [f"192.0.2.{number}" for number in range(8)]))
    assert decode.most == 1


def test_who_sends_many_pictures_lets_others_in_between() -> None:
    """Another sender waits for one picture of theirs at most."""
    turns, begun = PictureTurns(), Event()
    read: list[str] = []

    def flood() -> None:
        with turns.admitted(PHONE):
            for number in range(4):
                with turns.turn():
                    read.append(f"flood {number}")
                    begun.set()
                    if number == 0:
                        until(lambda: waiting_for(turns) == 1)

    with ThreadPoolExecutor(1) as pool:
        flooding = pool.submit(flood)
        assert begun.wait(PATIENCE_SECONDS)
        with turns.admitted(TABLET), turns.turn():
            read.append("honest")
        flooding.result()
    assert read == ["flood 0", "honest", "flood 1", "flood 2", "flood 3"]


def test_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    """Whoever waits longest is next."""
    lock = FairLock()
    got: list[int] = []

    def ask(number: int) -> None:
        with lock.turn():
            got.append(number)

    with ThreadPoolExecutor(5) as pool, lock.turn():
        for number in range(5):
            pool.submit(ask, number)
            until(lambda number=number: waiting_for(lock) == number + 1)  # type: ignore[misc]
    assert got == [0, 1, 2, 3, 4]


def test_a_sender_is_admitted_once_at_a_time() -> None:
    """The second picture is refused in words; after the first it is taken.

    So is one more sender than have threads of the page.
    """
    turns = PictureTurns(most_senders=2)
    with turns.admitted(PHONE):
        with pytest.raises(PictureRefusedError, match="Your earlier picture is still being read"):
            turns.admitted(PHONE).__enter__()
        with turns.admitted(TABLET), pytest.raises(PictureRefusedError, match="Many pictures"):
            turns.admitted(CAMERA).__enter__()
        with turns.admitted(CAMERA):
            pass
    with turns.admitted(PHONE):
        pass


def test_a_picture_that_fails_gives_its_turn_back() -> None:
    """And its sender may send another one."""
    turns = PictureTurns()
    for _ in range(2):
        with pytest.raises(ValueError, match="no picture"), turns.admitted(PHONE), turns.turn():
            raise ValueError("no picture")
