"""The hub's pages as a WSGI application."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin, urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from babel.dates import format_time
from flask import Blueprint, Flask, Response, make_response, render_template, request, url_for
from flask_babel import get_locale
from jinja2 import FileSystemLoader
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from scoreboard.errors import ConflictError, ScoreboardError, StoreError
from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.tournament.hub.tournament_service import (
    NotAllowedError,
    TooMuchError,
    UnknownTokenError,
)
from scoreboard.tournament.model.bracket_layout import bracket_ahead, bracket_around
from scoreboard.tournament.model.disputes import objection_message, penalty_message
from scoreboard.tournament.model.entries import free_places, replacement_message, takes_sign_ups
from scoreboard.tournament.model.format_text import FormatError, printed_plan
from scoreboard.tournament.model.round_draw import matches_of
from scoreboard.tournament.model.scores import shown_points
from scoreboard.tournament.model.standings import team_standings
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.protocol.audit_log import (
    JoinRefusedError,
    UnknownAccountError,
    UnknownTournamentError,
)
from scoreboard.tournament.protocol.documents import WireError, document_of
from scoreboard.tournament.protocol.hub_update import LocalizedText, Refused
from scoreboard.tournament.protocol.trf import has_trf
from scoreboard.worker import worker_faults
from web.hub import (
    accounts,
    desk,
    entries,
    event_life,
    events,
    exports,
    hall,
    live_parts,
    player,
    public_api,
    registry,
    results,
    slips,
    tables,
)
from web.hub.access import Visitor, door_limits, guard, visitor
from web.hub.format_form import SYSTEMS
from web.hub.forms import page_again, refuse_stale, sent_form
from web.hub.hub import Hub, here, public_address
from web.hub.progress import current_name, round_name, seated_tables, standing_now
from web.hub.public_api import by_section, shown_events
from web.hub.rankings import by_stage, stage_title
from web.shared.addresses import parsed_address
from web.shared.faults import (
    FaultTellingApp,
    has_links,
    health_views,
    open_static_files,
    plain_answer,
)
from web.shared.qr_code import qr_code
from web.shared.words import HUB_LANGUAGES, add_translations, language_views, translate

FAULTS: Final = {
    400: message("Go back and try again from the page: the hub could not read this request."),
    401: message("Sign in first: only the director and the referee may do this."),
    403: message(
        "Sign in, or ask the director: you are not allowed to do this, or the "
        "request came from another website."
    ),
    404: message("Check the address, or scan the code again: this hub has no such page."),
    405: message("Use the buttons on the page: this address accepts nothing else."),
    413: message(
        "Send a smaller file: a list of entries can have up to 2 MB, photos of slips 32 MB"
        " together, an exported event 64 MB."
    ),
    421: message(
        "The hub does not answer to this address. Use the one that it showed at its start, or "
        "name this one with --address."
    ),
    429: message("Too many tries. Wait a minute, then try again."),
    500: message("Something went wrong inside the hub. What was confirmed is kept."),
    503: message("The hub cannot answer just now. Try again in a moment."),
}
SERVER_FAULT: Final = 500
HANG_SECONDS: Final = 5.0  # ten times what a loaded Pi takes for any act
KINDS: Final[Sequence[tuple[type[Exception], int, str]]] = (
    (UnknownTournamentError, 404, "unknown"),
    (UnknownAccountError, 404, "unknown"),
    (UnknownTokenError, 401, "unknown-token"),
    (NotAllowedError, 403, "not-allowed"),
    (JoinRefusedError, 403, "refused"),
    (TooMuchError, 413, "too-large"),
    (WireError, 400, "misread"),
    (ConflictError, 409, "conflict"),
    (StoreError, 503, "store"),
)
LOGGED: Final = ("tournament_id", "number", "round_number", "table", "game", "game_id", "answer")
NAMES: Final = {
    401: "unknown-token", 403: "refused", 404: "unknown", 413: "too-large", 421: "address",
    429: "too-often", 503: "busy",
}  # fmt: skip
KEY_DIGITS: Final = 16  # of the hub's key, for people to compare
FORMAT_NAMES: Final[tuple[Message, ...]] = (
    message("Blind high score"), message("Club evening"), message("League"),
    message("Round robin"), message("Rummikub national"), message("Tong Tong cup"),
    message("Yahtzee duel Swiss"), message("Yahtzee evening"),
)  # fmt: skip
WEB: Final = Path(__file__).parents[1]
VIEWS: Final = (
    accounts.door_views, accounts.people_views,
    desk.desk_views, desk.ending_views, desk.proposed_views, desk.round_views,
    entries.check_in_views, entries.entry_views, entries.sign_up_views,
    event_life.events_views, event_life.life_views, event_life.manage_views,
    events.board_views, events.chart_views, events.event_views, events.spectator_views,
    exports.export_views, exports.sheet_views,
    hall.clock_views, hall.message_views,
    live_parts.live_views,
    player.player_views, player.short_views,
    public_api.fact_views,
    registry.registry_views, registry.season_views,
    results.penalty_views, results.result_views, results.score_views,
    slips.slip_views,
    tables.api_views, tables.table_views,
)  # fmt: skip


def logged_request() -> str:
    """The request in the words of the log: `POST player.answer (winter-open-1f2e, 3, sign)`.

    An address may hold a player's key, the set-up secret or a table's code: only values that are
    known to be none of these are logged.
    """
    values = request.view_args or {}
    logged = ", ".join(str(values[name]) for name in LOGGED if name in values)
    return f"{request.method} {request.endpoint or 'no page'}{f' ({logged})' if logged else ''}"


def explain_faults(app: Flask) -> None:
    """Answer every error of the application with a page, or a document under `/api/`."""

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Response:
        status = error.code or SERVER_FAULT
        if status < SERVER_FAULT:
            level = logging.DEBUG if request.endpoint is None else logging.INFO
            app.logger.log(level, "refused with %s: %s", status, logged_request())
        fault = FAULTS.get(status, FAULTS[500 if status >= SERVER_FAULT else 400])
        return fault_answer(status, NAMES.get(status, "fault"), (fault,))

    @app.errorhandler(ScoreboardError)
    def answer(error: ScoreboardError) -> Response:
        found = ((status, kind) for each, status, kind in KINDS if isinstance(error, each))
        status, kind = next(found, (422, "refused"))
        if status >= SERVER_FAULT:
            app.logger.warning("The hub could not answer: %s", error)
        else:
            # not its words: they may quote what was typed
            name, words = type(error).__name__, error.message.template
            app.logger.info("refused with %s: %s (%s): %s", status, logged_request(), name, words)
        faults = error.faults if isinstance(error, FormatError) else (error.message,)
        if not wants_document() and (page := page_again(app, error, status, faults)) is not None:
            return page
        return fault_answer(status, kind, faults)


def wants_document() -> bool:
    """Whether the client asked for JSON rather than a page."""
    return "application/json" in request.accept_mimetypes.values()


def fault_answer(status: int, kind: str, faults: Sequence[Message]) -> Response:
    """The response that explains the faults."""
    if request.path.startswith("/api/"):
        # only the table knows its readers' language: it gets English, and the message with its gaps
        refused = Refused(kind, str(faults[0]), LocalizedText.of(faults[0]))
        return make_response(document_of(refused), status)
    if wants_document():
        return make_response({"error": kind, "message": translate(faults[0])}, status)
    if not has_links():
        return plain_answer(status, faults[0])
    before = urlsplit(request.referrer or "")
    is_ours = before.netloc == request.host and before.path != here()
    back = before.path if is_ours else url_for("events.show")
    # who asks is not looked up for it: the store may be the fault
    page = render_template(
        "fault.html", status=status, faults=faults, back=back, visitor=lambda: Visitor("stranger")
    )
    return make_response(page, status)


def add_helpers(app: Flask, hub: Hub) -> None:
    """Give the templates what they print: points, QR codes, round names, the visitor."""
    by_their_names = (
        bracket_ahead, bracket_around, by_stage, current_name, events.fitted,
        format_name, free_places, hall.addressed, hall.current_tables, has_trf, here, matches_of,
        objection_message, penalty_message, printed_plan, replacement_message, round_name,
        seated_tables, sent_form, shown_points, stage_title, standing_now, takes_sign_ups,
        team_standings, urljoin, worker_faults,
    )  # fmt: skip
    app.jinja_env.globals.update(
        {each.__name__: each for each in by_their_names},
        address=lambda: public_address(hub.settings, request.host_url),
        event_marks=hub.store.event_marks.of,
        events_under=lambda section: by_section(shown_events(hub))[section],
        games=GAMES,
        settings=hub.settings,
        key_id=hub.service.key[:KEY_DIGITS],
        messages_of=hub.store.messages.of,
        presence_of=partial(entries.presence_of, hub),
        ready_made=hall.READY_MADE,
        seasons=hub.store.players.seasons,
        slip_photos=partial(slips.slip_photos, hub),
        square=qr_code,
        tiebreaks=TIEBREAKS,
        visitor=lambda: visitor(hub),
    )
    for name in ("parts", "charts", "drawings"):
        app.jinja_env.globals[name] = app.jinja_env.get_template(f"{name}.html").module
    app.jinja_env.filters["time_of_day"] = time_of_day


def format_name(name: str) -> Message | str:
    """A format's name; that of a preset or a system in the reader's language."""
    known = (each for each in (*FORMAT_NAMES, *SYSTEMS.values()) if each.template == name)
    return next(known, name)


def time_of_day(at: datetime) -> str:
    """Hours and minutes as the reader writes them, in this machine's time zone."""
    return str(format_time(at.astimezone(), "HH:mm", locale=get_locale() or "en"))


class HubApp(FaultTellingApp):
    """The application, whose log contains no secret that an address holds."""

    def log_exception(self, exc_info: Any) -> None:
        """Log a fault of ours; Flask would log the address, a player's key included."""
        self.logger.error("Exception at %s", logged_request(), exc_info=exc_info)


def hub_health(hub: Hub, hang_seconds: float = HANG_SECONDS) -> Blueprint:
    """`/healthz` of a hub."""
    asking = ThreadPoolExecutor(1, "healthz")  # however many ask, one waits for the database
    reason = f"the hub’s database did not answer within {hang_seconds:g} seconds, or failed"

    def answers() -> bool:
        try:
            asking.submit(hub.store.people.accounts).result(hang_seconds)
        except (TimeoutError, ScoreboardError) as error:
            logging.getLogger(__name__).warning("the hub’s database: %s", error or "no answer")
            return False
        return True

    return health_views(answers, reason, right="anyone")


def create_hub_app(hub: Hub, secret: str) -> Flask:
    """Make the application; `secret` signs sessions. Raises ValueError for a path of a page."""
    app = HubApp(__name__)
    app.secret_key = secret
    app.jinja_loader = FileSystemLoader([WEB / "hub" / "templates", WEB / "table" / "templates"])
    add_translations(app, HUB_LANGUAGES)
    add_helpers(app, hub)
    guard(app, hub)
    explain_faults(app)
    refuse_stale(app, hub)
    static = WEB / "table" / "static"  # style and icon, shared with the table
    app.register_blueprint(Blueprint("look", __name__, static, "/look"))
    app.register_blueprint(language_views("anyone", accounts.wanted_page))
    app.register_blueprint(hub_health(hub))
    for views in VIEWS:
        app.register_blueprint(views(hub))
    open_static_files(app, "anyone")
    door_limits(app, hub)
    app.wsgi_app = believing(app.wsgi_app, hub.settings.proxies)  # type: ignore[assignment,method-assign]
    if path := hub.settings.path:
        own = {rule.rule.split("/")[1] for rule in app.url_map.iter_rules()}
        if taken := own.intersection(path.strip("/").split("/")):
            raise ValueError(
                f"No proxy can tell /{taken.pop()} in --address from the hub's own page of that "
                "name: choose another path, as in https://hub.example.org/cup."
            )
        app.wsgi_app = below(path, app.wsgi_app)  # type: ignore[assignment,method-assign]
    return app


def believing(app: WSGIApplication, proxies: Collection[str]) -> WSGIApplication:
    """The application, informed of caller and https by these proxies only."""
    if not proxies:
        return app
    known = frozenset(map(parsed_address, proxies))
    informed = ProxyFix(app, x_for=1, x_proto=1)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        by_proxy = parsed_address(environ.get("REMOTE_ADDR", "")) in known
        return (informed if by_proxy else app)(environ, start_response)

    return answer


def below(path: str, app: WSGIApplication) -> WSGIApplication:
    """Serve an application below a path, whether or not the proxy before it takes the path off."""
    path = path.encode().decode("latin-1")  # as WSGI has paths

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        asked = environ["PATH_INFO"]
        if f"{asked}/".startswith(f"{path}/"):
            environ["PATH_INFO"] = asked.removeprefix(path)
        environ["SCRIPT_NAME"] = path
        return app(environ, start_response)

    return serve
