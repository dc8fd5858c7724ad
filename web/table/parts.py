"""What the pages of one table may ask for, who may, and how they answer, faults too."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from flask import (
    Flask,
    Response,
    abort,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.exceptions import Forbidden, HTTPException

from scoreboard.errors import ScoreboardError
from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.storage.devices import Device
from scoreboard.table.requests import Answer, TableRequest
from scoreboard.table.view import TableView
from web.shared.faults import has_links, plain_answer
from web.shared.live import STRANGERS_PLACES, Watch
from web.shared.security import READING_METHODS, whole_number
from web.shared.words import translate

if TYPE_CHECKING:  # what makes these has loaded them
    from scoreboard.games.engine.transcript import GameHeader
    from scoreboard.storage import SqlStore
    from scoreboard.storage.profiles import Profile
    from scoreboard.table.inbox import Inbox
    from scoreboard.table.ports import Clock
    from scoreboard.table.session import TableSession
    from vision.watch.pipeline import Pictures
    from web.shared.live import LiveViews
    from web.shared.plan import Facts

STATUSES: Final = {
    "done": HTTPStatus.OK,
    "unchanged": HTTPStatus.OK,
    "stale": HTTPStatus.CONFLICT,
    "refused": HTTPStatus.UNPROCESSABLE_ENTITY,
}
A_DAY: Final = "private, max-age=86400, immutable"
OWN_GAME: Final = "own-"  # how the id of a game begins to which the demo shows no pictures
_PLAYED_BY_PEOPLE: Final = re.compile(rf"{OWN_GAME}|r\d+-t\d+-g\d+-")  # the latter at an event


class StaleError(ValueError):
    """An act that refers to a view which the table no longer shows."""


Role = Literal["stranger", "watcher", "guest", "player", "owner"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)  # each may do what those before it may


@dataclass(frozen=True, slots=True)
class Asker:
    """The sender of a request: their role, and the device known by its cookie."""

    role: Role
    here: bool = False
    device: Device | None = None

    @property
    def called(self) -> str:
        """The sender as stored: `here` at the table's own machine, the device's id, or empty."""
        if self.here:
            return "here"
        return "" if self.device is None else self.device.device_id

    def may(self, needed: Role) -> bool:
        return suffices(self.role, needed)


class NotAllowedError(Forbidden):
    """A request of a device without the right; `needed` is the role with it."""

    def __init__(self, needed: Role) -> None:
        super().__init__()
        self.needed = needed


def suffices(role: Role, needed: Role) -> bool:
    """Whether a role includes the `needed` one."""
    return ROLES.index(role) >= ROLES.index(needed)


def who_asks() -> str:
    """The sender of the current request for storage with events; see `Asker.called`."""
    asker: Asker = g.asker
    return asker.called


@dataclass(frozen=True, slots=True)
class Parts:
    """The one table behind the pages, in its parts; any thread may use them.

    Only `inbox` changes the table; of `session` a page reads nothing but the view. `live` is one
    of the session's announcers. `asker` is who sends the current web request. `addresses` gives
    what to type on a tablet now: a network may come and change it. `code` gives the digits that let
    a phone in; they stay valid while a page that shows them asks.
    """

    inbox: Inbox
    session: TableSession
    pictures: Pictures
    store: SqlStore
    live: LiveViews
    clock: Clock
    facts: Facts
    asker: Callable[[], Asker]
    addresses: Callable[[], tuple[str, ...]]
    code: Callable[[], str]

    def known(self) -> Mapping[str, Profile]:
        """The known players, by each of their names. Raises StoreError."""
        return self.store.profiles.by_name()

    def own_games(self, most: int | None = None) -> tuple[GameHeader, ...]:
        """The newest games that people here played among themselves: not the demo's."""
        newest = () if most is None else (game.header for game in self.store.games(0, most))
        return tuple(
            game
            for game in (self.store.headers() if most is None else newest)
            if game is not None and game.game in GAMES
            if is_own_game(game.game_id) or not self.facts.demo
        )

    def submit(self, table_request: TableRequest) -> Answer:
        """Submit the request of the current web request, with its sender. Raises NoAnswerError."""
        return self.inbox.submit(table_request, by=who_asks())

    def watch(self) -> Watch[TableView]:
        """Become a viewer, as the sender of the current web request. Raises FullError."""
        plays = self.asker().may("player")
        return self.live.watch({} if plays else {request.remote_addr: STRANGERS_PLACES})

    def expected(self) -> int:
        """The version that the sender of this form saw. Raises StaleError for another run's.

        A form on a page of its own may name the step of the game that it is about: then it fits
        until the game goes on, whatever the camera sees meanwhile.
        """
        run, _, written = request.form.get("seen", "").partition(".")
        version = whole_number(written)
        if run != self.live.run or version is None:
            raise StaleError(f"A form that is not of the run {self.live.run} was sent.")
        view = self.session.view
        return view.version if request.form.get("step") == step_of(view) else version


def step_of(view: TableView) -> str:
    """The step of the game that the table is at."""
    return f"{view.game_id}.{view.sequence}"


def is_own_game(game_id: str | None) -> bool:
    """Whether people play this game among themselves, so that the demo keeps out of it."""
    return game_id is not None and _PLAYED_BY_PEOPLE.match(game_id) is not None


def shown(template: str, status: int | None = None, /, **values: object) -> Response:
    """The page of that template; with a `fault` its status is 422, unless another is given."""
    usual = HTTPStatus.UNPROCESSABLE_ENTITY if values.get("fault") else HTTPStatus.OK
    return make_response(render_template(template, **values), status or usual)


def to(endpoint: str, **values: Any) -> Response:
    """The way on to a page after an act, which loading that page again does not repeat."""
    return make_response(redirect(url_for(endpoint, **values), HTTPStatus.SEE_OTHER))


def jpeg(picture: bytes | None, keeping: str) -> Response:
    """The picture, and how long a browser may keep it; 404 without one."""
    kept = {"Cache-Control": keeping}
    return Response(picture or abort(404), mimetype="image/jpeg", headers=kept)


def newest_jpeg(picture: bytes | None) -> Response:
    """The newest picture, which no browser keeps; before the first 204, which is no fault."""
    return jpeg(picture, "no-store") if picture else Response(status=HTTPStatus.NO_CONTENT)


def checked_jpeg(picture: bytes | None, keeping: str) -> Response:
    """As `jpeg`, but asked for each time, and sent only when it has changed."""
    answer = jpeg(picture, keeping)
    answer.add_etag()
    answer.make_conditional(request)
    return answer


FAULTS: Final = {
    400: message("The table did not understand that. Go back and try it from the page."),
    403: message(
        "That came from another web site, or from no page at all; only this page may act."
    ),
    404: message("There is no such page at this table."),
    405: message("That address only takes what the page’s own buttons send."),
    413: message("That is too large: a photo may have 25 MB, a form much less."),
    415: message("The table did not understand that. Go back and try it from the page."),
    421: message(
        "The table does not answer to this address. Use the one that it showed at its start, "
        "or allow this name in the settings."
    ),
    500: message("Something went wrong inside the table. What was confirmed is kept."),
}


def explain_faults(app: Flask) -> None:
    """Answer every error of the application with a page, or a script with the same words."""

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Response:
        status = error.code or 500
        if status < 500:  # noqa: PLR2004 -- else it is a fault of ours, and logged with its trace
            level = logging.DEBUG if request.method in READING_METHODS else logging.INFO
            page = request.endpoint or "no page"
            app.logger.log(level, "refused with %s: %s %s", status, request.method, page)
        return fault_answer(status, FAULTS.get(status, FAULTS[500 if status >= 500 else 400]))  # noqa: PLR2004

    @app.errorhandler(ScoreboardError)
    def tell(error: ScoreboardError) -> Response:
        app.logger.warning("The page refused an act: %s", error)
        return fault_answer(HTTPStatus.UNPROCESSABLE_ENTITY, error.message)


def fault_answer(status: int, fault: Message) -> Response:
    """The fault in words with its status."""
    if "application/json" in request.accept_mimetypes.values():
        return make_response(jsonify(verdict="refused", notice=translate(fault)), status)
    if not has_links():
        return plain_answer(status, fault)
    # who asks is not looked up for it: the store may be the fault
    return shown("fault.html", status, status=status, fault=fault, may=lambda _role: False)
