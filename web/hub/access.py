"""Who asks, what they may open and how often they may try; an address without a right is closed."""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from threading import Lock
from typing import Final, Literal

from flask import Flask, Response, abort, g, redirect, request, session, url_for
from werkzeug.exceptions import BadRequest, Forbidden, Unauthorized
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.tournament.hub.tournament_service import NotAllowedError
from scoreboard.tournament.protocol.audit_log import Account, Actor, UnknownTournamentError
from web.hub.credentials import same
from web.hub.hub import Hub
from web.shared import security
from web.shared.faults import PageRule, asked_rule

# Pages for “anyone” that change something check a password, a secret or a code themselves; viewers
# change one thing: they sign up.
Right = Literal["anyone", "viewer", "player", "table", "referee", "director"]

SESSION_LIFETIME: Final = timedelta(hours=14)
KNOWN_FOR: Final = timedelta(days=365)
NAME: Final = "name"
STAMP: Final = "stamp"
SESSION: Final = "session"
ENDED_FOR: Final = SESSION_LIFETIME + timedelta(hours=1)  # when its cookies have expired anyway
MAY_VIEW: Final = "may-look"
BROWSER: Final = "browser"  # any number: many share an address
VisitorRole = Literal["director", "referee", "viewer", "stranger"]
LARGEST_FORM_BYTES: Final = 64 * 1024
LARGEST_UPLOAD_BYTES: Final = 64 * 1024 * 1024  # the most that a view declares
BEARER: Final = "Bearer "
OF_TABLES: Final = "api."  # they send a token or a code, which no browser adds on its own
WRONG: Final = frozenset({401, 403, 404, 422})
MOST_KEPT: Final = 10_000  # keys; beyond that, keys without a recent try are dropped
MINUTE: Final = 60.0
HOUR: Final = 3600.0
Rates = tuple[tuple[int, float], ...]  # tries, and the seconds in which they may be made
RATES: Final[Mapping[str, Rates]] = {
    "door": ((10, MINUTE), (60, HOUR)),
    "name": ((20, MINUTE), (120, HOUR)),
    "short": ((30, MINUTE), (200, HOUR)),
    "sign-up": ((20, MINUTE), (100, HOUR)),
    "join": ((30, MINUTE),),
}


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor; `name` is the account's, empty without an account."""

    role: VisitorRole
    name: str = ""

    @property
    def directs(self) -> bool:
        return self.role == "director"

    @property
    def decides(self) -> bool:
        return self.role in {"director", "referee"}

    @property
    def actor(self) -> Actor:
        """The visitor as the audit log names them. Raises LookupError without an account."""
        if self.role == "director" or self.role == "referee":  # noqa: PLR1714 -- narrows the type
            return Actor(self.role, self.name)
        raise LookupError(self.role)


def visitor(hub: Hub) -> Visitor:
    """The visitor of this request, looked up once."""
    if "visitor" not in g:
        account = _account(hub)
        knows_code = same(session.get(MAY_VIEW, ""), hub.keys.viewing)
        if account is not None or knows_code:
            session.modified = True  # renews the cookie; that of an ended session is never renewed
        may_view = knows_code or hub.settings.viewers == "open"
        other: VisitorRole = "viewer" if may_view else "stranger"
        g.visitor = Visitor(account.role, account.name) if account else Visitor(other)
    known: Visitor = g.visitor
    return known


def signed_in(hub: Hub, account: Account) -> None:
    """Start a session for the account."""
    session.clear()
    session.permanent = True
    session[NAME] = account.name
    session[STAMP] = hub.keys.stamp(account.password_hash)
    session[SESSION] = secrets.token_urlsafe()
    g.pop("visitor", None)


def remember(hub: Hub, answer: AnyResponse, name: str) -> AnyResponse:
    """Count this browser's next tries at that name separately; see `known_browser`."""
    browser = secrets.token_hex(8)
    answer.set_cookie(
        f"{hub.keys.cookie}-known",
        f"{browser}.{hub.keys.browser(browser, name)}",
        max_age=KNOWN_FOR,
        path=f"{request.script_root}/",
        httponly=True,
        samesite="Strict",
        secure=hub.settings.address.startswith("https://"),
    )
    return answer


def known_browser(hub: Hub, name: str) -> str:
    """The id, or "", of a browser once signed in by that name: others' tries do not lock it."""
    shown = request.cookies.get(f"{hub.keys.cookie}-known", "")
    browser, _, proof = shown.partition(".")
    return browser if same(proof, hub.keys.browser(browser, name)) else ""


def signed_out(hub: Hub) -> None:
    """End the session, so that copies of its cookie stop working. Raises StoreError."""
    if SESSION in session:
        now = hub.clock()
        hub.store.people.forget_expired(now)
        hub.store.people.end_session(session[SESSION], now + ENDED_FOR)
    session.clear()
    g.pop("visitor", None)


def _account(hub: Hub) -> Account | None:
    people = hub.store.people
    if SESSION not in session or people.is_ended(session[SESSION]):
        return None
    account = people.account(session[NAME])
    valid = account and same(session[STAMP], hub.keys.stamp(account.password_hash))
    return account if valid else None


def guard(app: Flask, hub: Hub) -> None:
    """Check every request of the application and harden every response."""
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_FORM_BYTES,
        MAX_FORM_MEMORY_SIZE=LARGEST_UPLOAD_BYTES,
        SESSION_COOKIE_NAME=hub.keys.cookie,
        SESSION_COOKIE_PATH=f"{hub.settings.path}/",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=hub.settings.address.startswith("https://"),
        PERMANENT_SESSION_LIFETIME=SESSION_LIFETIME,
        SESSION_REFRESH_EACH_REQUEST=False,  # see `visitor`
    )

    app.url_map.converters["int"] = security.WholeNumberConverter

    @app.before_request
    def check() -> AnyResponse | None:
        security.require_known_host(request, hub.settings.allowed_hosts)
        rule = asked_rule()
        if rule is None:  # no such page, which everybody may know
            return None
        request.max_content_length = rule.most_bytes or LARGEST_FORM_BYTES
        by_table = rule.endpoint.startswith(OF_TABLES)
        if not by_table:
            security.require_own_page(request)
        require_text((request.path, *request.args.values()))
        door = _checked(hub, rule)
        if door is None and not by_table:
            asked = None if rule.binned else (request.view_args or {}).get("tournament_id")
            if asked is not None and hub.store.event_marks.of(asked).deleted_at is not None:
                raise UnknownTournamentError(asked)  # the pages of an event in the bin are hidden
            require_text(request.form.values())  # read only from visitors who may send it
            g.let_in = True
        return door

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers.extend(security.HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def require_text(typed: Iterable[str]) -> None:
    """Refuse a zero byte, which no keyboard types and no database stores. Raises BadRequest."""
    if any("\0" in each for each in typed):
        raise BadRequest


def bearer() -> str:
    """The token that a table sent, or ""."""
    given = request.headers.get("Authorization", "")
    return given.removeprefix(BEARER).strip() if given.startswith(BEARER) else ""


def _checked(hub: Hub, rule: PageRule) -> AnyResponse | None:
    match rule.right:
        case "anyone":
            return None
        case "viewer":
            session.setdefault(BROWSER, secrets.token_hex(4))
            return None if visitor(hub).role != "stranger" else _asked_in("doors.look")
        case "referee":
            return None if visitor(hub).decides else _asked_in("doors.sign_in")
        case "director":
            who = visitor(hub)
            if who.role == "referee":
                raise NotAllowedError.worded(
                    "Ask a director to do this: {name} is signed in as a referee, who enters, "
                    "settles and corrects results.",
                    name=who.name,
                )
            return None if who.directs else _asked_in("doors.sign_in")
        case "player":
            _require_player(hub, rule)
        case "table":
            if not bearer():  # the table API checks whose token it is
                raise Unauthorized
        case _:
            raise Forbidden
    return None


def _asked_in(endpoint: str) -> AnyResponse:
    """To the sign-in page for a reader; refuse a program, and what would change something."""
    if request.path.startswith("/api/"):
        raise NotAllowedError.worded(
            "Ask the director for the viewing code, and send it to /look first."
        )
    if request.method not in security.READING_METHODS:
        raise Forbidden if request.endpoint is None else Unauthorized
    wanted = request.script_root + request.full_path.rstrip("?")
    return redirect(url_for(endpoint, next=wanted), HTTPStatus.SEE_OTHER)


def _require_player(hub: Hub, rule: PageRule) -> None:
    asked = request.view_args or {}
    number, state = asked["number"], hub.service.snapshot(asked["tournament_id"]).state
    names = dict(state.entered_as)
    if rule.waiting:
        names |= {each.number: each.name for each in state.waiting}
    if number not in names:
        abort(HTTPStatus.NOT_FOUND)
    wanted = hub.keys.player(asked["tournament_id"], number, names[number])
    if not same(asked["key"], wanted):
        abort(HTTPStatus.NOT_FOUND)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most as many tries as each of `rates` allows, under one key."""

    key: tuple[str, str]
    rates: Rates


class RateLimiter:
    """Counts tries before they are made; thread-safe. `now` is in seconds.

    Each process counts in its own memory, so N workers allow N times as many tries; argon2 and the
    length of the codes can bear that.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = Lock()
        self._tries: dict[tuple[str, str], deque[float]] = {}

    def take(self, limits: Sequence[Limit]) -> bool:
        """Count a try under every limit; count none and return False if one is reached."""
        now = self._now()
        with self._lock:
            if len(self._tries) > MOST_KEPT:
                kept = self._tries.items()
                self._tries = {key: at for key, at in kept if at and at[-1] > now - HOUR}
            for limit in limits:
                made = self._tries.get(limit.key, ())
                for most, seconds in limit.rates:
                    if sum(at > now - seconds for at in made) >= most:
                        return False
            for limit in limits:
                most = max(tries for tries, _ in limit.rates)
                self._tries.setdefault(limit.key, deque(maxlen=most)).append(now)
            return True

    def give_back(self, limits: Sequence[Limit]) -> None:
        with self._lock:
            for limit in limits:
                if tries := self._tries.get(limit.key):
                    tries.pop()


def door_limits(app: Flask, hub: Hub) -> None:
    """Limit wrong tries wherever a password, a code or a token is checked.

    A try counts before it is checked, or many at once would all pass. A right one is given back,
    since a whole hall of tables may join from behind one router.
    """
    limiter = RateLimiter()

    @app.before_request
    def count() -> None:
        rule = asked_rule()
        if rule is not None and rule.tries:
            limits = _sign_in_limits(hub) if rule.tries == "sign-in" else (_limit(rule.tries),)
            if not limiter.take(limits):
                abort(HTTPStatus.TOO_MANY_REQUESTS)
            g.counted = limits

    @app.after_request
    def give_back(answer: Response) -> Response:
        if answer.status_code not in WRONG:
            limiter.give_back(g.pop("counted", ()))
        return answer


def _limit(kind: str) -> Limit:
    return Limit((kind, request.remote_addr or ""), RATES[kind])


def _sign_in_limits(hub: Hub) -> tuple[Limit, ...]:
    """The limit of a known browser; else by address and name: one address alone closes no name."""
    name = request.form.get("name", "").strip()
    if known := known_browser(hub, name):
        return (Limit(("browser", known), RATES["door"]),)
    return _limit("door"), Limit(("name", name), RATES["name"])
