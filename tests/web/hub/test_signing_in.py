"""Guessing passwords: how many tries reach the hash, how many are hashed at once, who waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from io import BytesIO
from itertools import islice
from typing import Literal

import pytest
from argon2 import PasswordHasher

from tests.patience import PATIENCE_SECONDS
from tests.web.hub.house import OWN, PASSWORD, Hall
from web.hub.limits import MINUTE, Limit, RateLimiter
from web.hub.passwords import MOST_HASHED, MOST_WAITING

PHONE = "10.0.0.7"


class WatchedHasher(PasswordHasher):
    """Hashes as quickly as may be, counts, and holds every check until it is let go."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.go_on = threading.Event()
        self.checked = self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 -- argon2's name
        """Check once the test lets it."""
        with self._lock:
            self.checked += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        self.go_on.wait(PATIENCE_SECONDS)
        try:
            return super().verify(hash, password)
        finally:
            with self._lock:
                self.at_once -= 1


def tried(hall: Hall, address: str, password: str = "wrong", name: str = "Dana") -> int:  # noqa: S107
    """The status that a try to sign in from this address gets."""
    answer = hall.app.test_client().post(
        "/sign-in",
        data={"name": name, "password": password},
        headers=OWN,
        environ_overrides={"REMOTE_ADDR": address},
    )
    return answer.status_code


def at_once(hasher: WatchedHasher, tries: int, attempt: Callable[[int], int]) -> list[int]:
    """What so many tries are answered that come together; those that wait are let go at last."""
    with ThreadPoolExecutor(tries) as pool:
        under_way = [pool.submit(attempt, number) for number in range(tries)]
        done = as_completed(under_way, PATIENCE_SECONDS)
        refused = [each.result() for each in islice(done, tries - MOST_HASHED - MOST_WAITING)]
        hasher.go_on.set()
        return refused + [each.result() for each in done]


@pytest.fixture
def watched() -> tuple[Hall, WatchedHasher]:
    """A hub with a director, and its hasher."""
    hasher = WatchedHasher()
    hall = Hall(hasher=hasher)
    hall.account("Dana", "director")
    return hall, hasher


def test_of_many_guesses_at_once_ten_reach_the_hash(watched: tuple[Hall, WatchedHasher]) -> None:
    """A try is counted before it is looked at: asking together is no way around the limit."""
    hall, hasher = watched
    answers = at_once(hasher, 40, lambda _: tried(hall, PHONE))
    assert hasher.checked <= 10
    assert answers.count(401) == hasher.checked
    assert tried(hall, PHONE) == 401 or hasher.checked == 10


def test_two_hashes_run_at_once_and_few_wait(watched: tuple[Hall, WatchedHasher]) -> None:
    """Whoever comes when six wait is told that the hub is busy, and keeps no thread of it."""
    hall, hasher = watched
    answers = at_once(hasher, 20, lambda number: tried(hall, f"10.0.0.{number}"))
    assert hasher.most_at_once <= MOST_HASHED
    assert answers.count(503) == 20 - MOST_HASHED - MOST_WAITING
    assert answers.count(401) == MOST_HASHED + MOST_WAITING


def test_the_director_at_the_hub_waits_for_a_turn_however_many_do(
    watched: tuple[Hall, WatchedHasher],
) -> None:
    """A flood from the hall does not keep whoever sits at the machine out."""
    hall, hasher = watched
    with ThreadPoolExecutor(MOST_HASHED + MOST_WAITING + 1) as pool:
        crowd = [
            pool.submit(tried, hall, f"10.0.0.{number}")
            for number in range(MOST_HASHED + MOST_WAITING)
        ]
        while hall.hub.passwords._asking < len(crowd):
            time.sleep(0.01)
        director = pool.submit(tried, hall, "127.0.0.1", PASSWORD)
        hasher.go_on.set()
        assert director.result(PATIENCE_SECONDS) == 303
        assert {each.result() for each in crowd} == {401}


def test_wrong_tries_from_the_hall_never_lock_out_the_hub_itself() -> None:
    """Under a name as under an address: elsewhere the name has to wait, on loopback it has not."""
    hall = Hall()
    hall.account("Dana", "director")
    tries = [tried(hall, f"10.0.{number // 9}.1") for number in range(27)]
    assert tries == [401] * 20 + [429] * 7
    assert tried(hall, PHONE, PASSWORD) == 429
    assert tried(hall, "127.0.0.1", PASSWORD) == 303


def test_a_right_password_is_given_back() -> None:
    """However often somebody signs in rightly, nobody has to wait for it."""
    hall = Hall()
    hall.account("Dana", "director")
    assert {tried(hall, PHONE, PASSWORD) for _ in range(30)} == {303}


@pytest.mark.parametrize("announced", [65, 5000])
def test_a_sign_in_that_breaks_off_is_refused_unchecked(announced: int) -> None:
    """A body of which only half came is no form, whatever stands in its half."""
    hall = Hall()
    hall.account("Dana", "director")
    answer = hall.app.test_client().post(
        "/sign-in",
        headers=OWN | {"Content-Type": "application/x-www-form-urlencoded"},
        environ_overrides={
            "CONTENT_LENGTH": str(announced),
            "wsgi.input": BytesIO(b"name=Dana&password=half"),
            "wsgi.input_terminated": True,  # as gunicorn has it
        },
    )
    assert answer.status_code == 400


def test_tries_are_counted_by_the_minute_and_forgotten() -> None:
    """By a clock that only goes on; a try that was refused counts for nothing."""
    now = [0.0]
    limiter = RateLimiter(lambda: now[0])
    limits = (Limit(("door", PHONE), ((2, MINUTE), (3, 10 * MINUTE))),)
    assert [limiter.take(limits) for _ in range(3)] == [True, True, False]
    limiter.give_back(limits)
    assert [limiter.take(limits) for _ in range(2)] == [True, False]
    now[0] = 61.0
    assert [limiter.take(limits) for _ in range(2)] == [True, False]
    now[0] = 601.0
    assert limiter.take(limits)


def test_a_limit_that_is_reached_takes_nothing_from_the_others() -> None:
    """An address that has to wait uses up no name."""
    limiter = RateLimiter(lambda: 0.0)
    address, name = Limit(("door", PHONE), ((1, MINUTE),)), Limit(("name", "Dana"), ((2, MINUTE),))
    assert [limiter.take((address, name)) for _ in range(5)] == [True, False, False, False, False]
    assert limiter.take((name,))
