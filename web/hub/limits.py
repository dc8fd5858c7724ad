"""How often somebody may try a door: counted in the memory of each process by itself.

With N workers a guesser gets N times as many tries; argon2 and the length of the codes bear that.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock
from typing import Any, Final

from flask import Flask, Response, abort, g, request

from web.security import is_from_loopback

WRONG: Final = frozenset({401, 403, 404, 422})
MOST_KEPT: Final = 10_000  # keys; above that those without a recent try are forgotten
MINUTE: Final = 60.0
HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many tries within so many seconds, for each pair of `rates`, under one key."""

    key: tuple[str, str]
    rates: tuple[tuple[int, float], ...]


class RateLimiter:
    """Counts tries before they are made. Any thread may use it; `now` is in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = Lock()
        self._tries: dict[tuple[str, str], deque[float]] = {}

    def take(self, limits: Sequence[Limit]) -> bool:
        """Count a try under each of the limits, or under none of them where one is reached."""
        now = self._now()
        with self._lock:
            if len(self._tries) > MOST_KEPT:
                self._forget(now - HOUR)
            if any(self._is_reached(limit, now) for limit in limits):
                return False
            for limit in limits:
                most = max(tries for tries, _ in limit.rates)
                self._tries.setdefault(limit.key, deque(maxlen=most)).append(now)
            return True

    def give_back(self, limits: Sequence[Limit]) -> None:
        """Take back a try that was counted under these limits."""
        with self._lock:
            for limit in limits:
                if tries := self._tries.get(limit.key):
                    tries.pop()

    def _is_reached(self, limit: Limit, now: float) -> bool:
        tries = self._tries.get(limit.key, ())
        return any(sum(at > now - seconds for at in tries) >= most for most, seconds in limit.rates)

    def _forget(self, before: float) -> None:
        self._tries = {
            key: tries for key, tries in self._tries.items() if tries and tries[-1] > before
        }


def door_limits(app: Flask) -> None:
    """Limit the wrong tries at every door of the application.

    A try counts before it is looked at, else many that come at once would all be let through. One
    that was right is given back: a whole hall of tables may join from behind one router.
    """
    limiter = RateLimiter()
    _count(app, limiter, "doors.enter", _sign_in_limits)
    _count(app, limiter, "doors.make_director", _door_limits)
    _count(app, limiter, "doors.show_code", _door_limits)
    _count(app, limiter, "api.join", _join_limits)

    @app.after_request
    def give_back(answer: Response) -> Response:
        if answer.status_code not in WRONG:
            limiter.give_back(g.pop("counted", ()))
        return answer


def _count(
    app: Flask, limiter: RateLimiter, endpoint: str, limits_of: Callable[[], tuple[Limit, ...]]
) -> None:
    view = app.view_functions[endpoint]

    def counted(**values: Any) -> Any:
        limits = limits_of()
        if not limiter.take(limits):
            abort(HTTPStatus.TOO_MANY_REQUESTS)
        g.counted = limits
        return view(**values)

    app.view_functions[endpoint] = counted


def _door_limits() -> tuple[Limit, ...]:
    return (Limit(("door", request.remote_addr or ""), ((10, MINUTE), (60, HOUR))),)


def _sign_in_limits() -> tuple[Limit, ...]:
    """By the address and by the name; whoever sits at the hub itself is never locked out by name.

    One address alone does not use up what a name bears.
    """
    if is_from_loopback(request):
        return _door_limits()
    name = request.form.get("name", "").strip()
    return (*_door_limits(), Limit(("name", name), ((20, MINUTE), (120, HOUR))))


def _join_limits() -> tuple[Limit, ...]:
    return (Limit(("join", request.remote_addr or ""), ((30, MINUTE),)),)
