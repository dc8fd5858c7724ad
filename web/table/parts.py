"""What the pages of one table may ask for, and how they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from flask import Response, request

from scoreboard.games import GAMES
from scoreboard.table.requests import Answer, TableRequest
from scoreboard.table.view import TableView
from web.shared.live import STRANGERS_PLACES, Watch
from web.shared.security import whole_number
from web.table.rights import Asker, who_asks

if TYPE_CHECKING:  # whoever makes these has loaded them
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


class StaleError(ValueError):
    """An act that refers to a view which the table no longer shows."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The one table behind the pages, in its parts; any thread may use them.

    Only `inbox` changes the table; of `session` a page reads nothing but the view. `live` is one
    of the session's announcers. `asker` says who sends the current web request. `addresses` gives
    what to type on a tablet now: a network may come and change it.
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

    def known(self) -> Mapping[str, Profile]:
        """The known players, by each of their names. Raises StoreError."""
        return self.store.profiles.by_name()

    def own_games(self, most: int | None = None) -> tuple[GameHeader, ...]:
        """The newest games that people here played among themselves: not the demo's."""
        if most is None:
            headers = self.store.headers()
        else:
            newest = (game.header for game in self.store.games(0, most))
            headers = tuple(header for header in newest if header is not None)
        return tuple(
            game
            for game in headers
            if game.game in GAMES and (is_own_game(game.game_id) or not self.facts.demo)
        )

    def submit(self, table_request: TableRequest) -> Answer:
        """Submit the request of the current web request; raises NoAnswerError.

        Its sender is noted with the records.
        """
        return self.inbox.submit(table_request, by=who_asks())

    def watch(self) -> Watch[TableView]:
        """Become a viewer, as the sender of the current web request. Raises FullError."""
        plays = self.asker().may("player")
        return self.live.watch({} if plays else {request.remote_addr: STRANGERS_PLACES})

    def expected(self) -> int:
        """The version that the sender of this form saw.

        A form on a page of its own may name the step of the game that it is about: then it fits
        until the game goes on, whatever the camera sees meanwhile.

        Raises:
            StaleError: the form is of another run of the table, or names no version.
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
    """Whether visitors play this game among themselves, so that the demo keeps out of it."""
    return game_id is not None and game_id.startswith(OWN_GAME)


def shown_names(names: tuple[str, ...], known: Mapping[str, Profile]) -> tuple[str, ...]:
    """These players' current names; the old ones if two became one person."""
    shown = tuple(known[name].name if name in known else name for name in names)
    return shown if len(set(shown)) == len(names) else names


def jpeg(picture: bytes, keeping: str) -> Response:
    """The picture, and how long a browser may keep it."""
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": keeping})
