"""How often somebody may try a door: counted in the memory of each process by itself.

With N workers a guesser gets N times as many tries; argon2 and the length of the codes bear that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Flask, Response
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

DOOR_LIMIT: Final = "10 per minute; 60 per hour"
JOIN_LIMIT: Final = "30 per minute"
WRONG: Final = frozenset({401, 403, 404, 422})


def door_limits(app: Flask) -> None:
    """Limit the wrong tries at every door of the application, by the address that asks.

    What was right counts for nothing: a whole hall of tables may join from behind one router.
    """
    limiter = Limiter(get_remote_address, storage_uri="memory://", headers_enabled=False)
    limiter.init_app(app)
    tries = limiter.shared_limit(DOOR_LIMIT, scope="doors", deduct_when=_was_wrong)
    joins = limiter.limit(JOIN_LIMIT, deduct_when=_was_wrong)
    for endpoint in ("doors.enter", "doors.make_director", "doors.show_code"):
        _wrap(app, endpoint, tries)
    _wrap(app, "api.join", joins)


def _wrap(app: Flask, endpoint: str, limit: Callable[[Any], Any]) -> None:
    app.view_functions[endpoint] = limit(app.view_functions[endpoint])


def _was_wrong(answer: Response) -> bool:
    return answer.status_code in WRONG
