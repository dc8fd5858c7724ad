"""The table page: the whole, the part that changes, the stream of states, and its pictures."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Final

from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import NotationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import OfferKind
from scoreboard.games.engine.scoresheet import Row, Scoresheet
from scoreboard.message import Message, message
from scoreboard.table.proposal import UNREAD, Point
from scoreboard.table.requests import Answer, TableRequest, TableStatus
from scoreboard.table.view import ShownPiece, ShownPieces, ShownProposal, TableView
from web.shared.live import (
    BEAT,
    STRANGERS_PLACES,
    SharedDrawing,
    Watch,
    event_stream,
    server_sent,
)
from web.shared.security import whole_number
from web.shared.words import language, translate
from web.table.camera.phone import way_to_camera
from web.table.people.access import Access, Role, suffices, who_asks
from web.table.play import table_words
from web.table.play.demo import EVENINGS, is_own_game
from web.table.scoreboard_strip import name_size, player_tiles

if TYPE_CHECKING:  # whoever makes these has loaded them
    from hardware.cameras.phone import PhoneCamera
    from scoreboard.storage import SqlStore
    from scoreboard.storage.profiles import Profile
    from scoreboard.table.inbox import Inbox
    from scoreboard.table.ports import Clock
    from scoreboard.table.session import TableSession
    from scoreboard.tournament.client.event_client import EventClient
    from vision.watch.pictures import Pictures
    from web.shared.certificates import TableCertificate
    from web.shared.live import LiveViews
    from web.shared.plan import Facts
    from web.table.camera.camera_page import CameraDesk
    from web.table.camera.tray import FixedTray
    from web.table.camera.uploads import Uploads
    from web.table.history.archive import Archive
    from web.table.history.statistics import Statistics
    from web.table.play.coach import Coach, CoachCard
    from web.table.play.demo import Demo
    from web.table.play.win_chances import WinChances
    from web.table.sets.training_jobs import TrainingJobs

STATUSES: Final = {
    "done": HTTPStatus.OK,
    "unchanged": HTTPStatus.OK,
    "stale": HTTPStatus.CONFLICT,
    "refused": HTTPStatus.UNPROCESSABLE_ENTITY,
}
# The camera of the page asks for a new picture as long as what it shows may change.
CHANGING: Final = frozenset(
    {TableStatus.NOTHING, TableStatus.MOVING, TableStatus.READING, TableStatus.STILL}
)

LOG: Final = logging.getLogger(__name__)
ROLLING: Final = frozenset({"starting", "rolling", "choosing"})
_LONGEST_TABLE: Final = 2000  # characters: twice what all tiles of the largest box need
_CROP_SIDES: Final = 2.0  # of the piece's longer side: some of its neighbours help to find it


class StaleError(ValueError):
    """An act that refers to a view which the table no longer shows."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a person wrote into a form that was refused, and why.

    `act` is `roll` or the key of an open offer.
    """

    act: str
    text: str
    fault: Message

    @classmethod
    def of(cls, fields: Mapping[str, str], fault: Message) -> Written | None:
        """Read it from a form's fields; None where nothing is written in it."""
        if "roll" in fields:
            return cls("roll", fields["roll"], fault)
        if "filling" in fields:
            return cls(fields.get("offer", ""), fields["filling"], fault)
        return None


@dataclass(frozen=True, slots=True)
class Table:
    """The one table behind the page, in its parts; any thread may use them.

    Only `inbox` changes the table; of `session` a page reads nothing but the view. `live` is one
    of the session's announcers. `addresses` gives what to type on a tablet now: a network may come
    and change it. `allowed_hosts` are the names by which the page may be called: lower case,
    without port and brackets. `uploads` is None unless the camera waits for players' photos,
    `phone` unless a phone is its live camera, `event` where the table has no place to remember
    one, `demo` where none runs, `statistics` and `store` where no database keeps the
    games, `certificate` where the page is not served over https. `access` decides who may do what,
    `machine_faults` are what its owner should mend, `backed_up_at` is when the newest backup was
    made. Pages speak if it `speaks`, KEEP held for `long_press` seconds is REROLL.
    `chances` are what the big screen shows of them, None where it shows none.
    """

    inbox: Inbox
    session: TableSession
    pictures: Pictures
    archive: Archive
    live: LiveViews
    clock: Clock
    facts: Facts
    allowed_hosts: frozenset[str]
    addresses: Callable[[], tuple[str, ...]] = tuple
    uploads: Uploads | None = None
    phone: PhoneCamera | None = None
    tray: FixedTray | None = None
    camera: CameraDesk | None = None
    lessons: TrainingJobs | None = None
    event: EventClient | None = None
    demo: Demo | None = None
    statistics: Statistics | None = None
    access: Access = field(default_factory=Access.forgetful)
    certificate: TableCertificate | None = None
    store: SqlStore | None = None
    machine_faults: Callable[[], tuple[Message, ...]] = tuple
    backed_up_at: Callable[[], datetime | None] = lambda: None
    speaks: bool = True
    long_press: float | None = None
    coach: Coach | None = None
    chances: WinChances | None = None

    def known(self) -> Mapping[str, Profile]:
        """Who the players are that it knows, by each of their names. Raises StoreError."""
        return {} if self.store is None else self.store.profiles.by_name()

    def submit(self, table_request: TableRequest) -> Answer:
        """Hand over what the current web request asks for; raises NoAnswerError.

        Who asks is noted with what is recorded.
        """
        return self.inbox.submit(table_request, by=who_asks())

    def watch(self) -> Watch[TableView]:
        """Become a viewer, as whoever sent the current web request. Raises FullError."""
        plays = self.access.asker().may("player")
        return self.live.watch({} if plays else {request.remote_addr: STRANGERS_PLACES})


class Showing:
    """Draws one table by a template; each state once for those who may do the same.

    What is `alike` for all has nothing to press.
    """

    def __init__(
        self, table: Table, template: str = "table_live.html", *, alike: bool = False
    ) -> None:
        self.table = table
        self._template = template
        self._alike = alike
        self._drawing = SharedDrawing(self._draw)

    def document(self, view: TableView) -> dict[str, str | int]:
        """What the page's script gets: the table's run, the version and the HTML."""
        html = self._drawn(view, self._role())
        now = int(self.table.clock().timestamp() * 1000)
        return {
            "run": self.table.live.run,
            "version": view.version,
            "now": now,
            "stopwatch": stopwatch(),
            "html": html,
        }

    def page(
        self,
        status: int = HTTPStatus.OK,
        notice: Message | None = None,
        refused: Written | None = None,
        template: str = "table_page.html",
    ) -> Response:
        """The whole table page, with a notice for this reader alone; or another one around it.

        What was `refused` stands in its field again, with the fault, where it is still asked for.
        """
        view, now = self.table.session.view, int(self.table.clock().timestamp() * 1000)
        role = self._role()
        html = self._draw(view, role, refused) if refused else self._drawn(view, role)
        lost = refused if refused is not None and not is_asked(view, refused.act) else None
        return make_response(
            render_template(
                template,
                live=html,
                view=view,
                said=notice,
                lost=lost,
                now=now,
                stopwatch=stopwatch(),
            ),
            status,
        )

    def answer(self, answer: Answer) -> AnyResponse:
        """The answer to an act: a document for the script, a page for a plain form.

        A notice that the table shows to all is not repeated. The script's document holds the
        verdict, under status 200: browsers report any other as an error of the page, and a press
        that came too late is none.
        """
        status, view = STATUSES[answer.verdict], self.table.session.view
        notice = None if answer.notice == view.notice else answer.notice
        if "application/json" in request.accept_mimetypes.values():
            words = translate(notice) if notice else None
            document = self.document(view)
            return make_response(jsonify(verdict=answer.verdict, notice=words, **document))
        if status is HTTPStatus.OK:
            if notice is None:
                return redirect(url_for("table.show"), HTTPStatus.SEE_OTHER)
            return self.page(status, notice)
        refused = Written.of(request.form, answer.notice) if answer.notice else None
        in_place = refused is not None and is_asked(view, refused.act)
        return self.page(status, None if in_place else notice, refused)

    def submit(self, table_request: TableRequest) -> AnyResponse:
        """Hand the request to the table and answer its sender."""
        return self.answer(self.table.submit(table_request))

    def expected(self) -> int:
        """The version that the sender of this form saw.

        A form on a page of its own may name the step of the game that it is about: then it fits
        until the game goes on, whatever the camera sees meanwhile.

        Raises:
            StaleError: the form is of another run of the table, or names no version.
        """
        run, _, written = request.form.get("seen", "").partition(".")
        version = whole_number(written)
        if run != self.table.live.run or version is None:
            raise StaleError(f"A form that is not of the run {self.table.live.run} was sent.")
        view = self.table.session.view
        return view.version if request.form.get("step") == step_of(view) else version

    def stale(self, _error: StaleError) -> AnyResponse:
        """Answer a form that was left over from before a restart."""
        LOG.info("stale: %s, from a page of before the last start", request.endpoint)
        notice = message("The table was restarted. Here is how it stands now.")
        return self.answer(Answer("stale", self.table.session.view.version, notice))

    def _coach(self, view: TableView) -> CoachCard | None:
        """What the coach says; nothing on a page that is alike for all, the big screen."""
        coach = self.table.coach
        return None if coach is None or self._alike else coach.card(view)

    def _drawn(self, view: TableView, role: Role) -> str:
        store = self.table.store
        revision = store.profiles.revision if store else 0
        beside = revision, self._coach(view), self._proposes_area()
        return self._drawing.of(view, language(), role, beside)

    def _proposes_area(self) -> bool:
        return self.table.tray is not None and self.table.tray.proposed is not None

    def _role(self) -> Role:
        asker = self.table.access.asker()
        if self._alike:  # but for players' photos
            return "owner" if asker.may("guest") else "watcher"
        return asker.role

    def _draw(self, view: TableView, role: Role, refused: Written | None = None) -> str:
        told = view  # the words are the same for all
        plays = self._alike or suffices(role, "player")
        view = told if plays else only_watched(told)
        own_game = self.table.facts.demo and is_own_game(view.game_id)
        pictured = not own_game and (view.game in EVENINGS or not self.table.facts.demo)
        awaited = None if view.turn is None else view.turn.awaited
        watched = awaited is not None and awaited.expected is not None and pictured
        tiles = player_tiles(view.scoresheet, self.table.known())
        phone_missing = self.table.phone is not None and view.status is TableStatus.LOST
        headline = table_words.event_headline(told) or table_words.headline(told)
        return render_template(
            self._template,
            may=partial(suffices, role),
            tag="button" if plays else "span",
            view=view,
            refused=refused,
            run=self.table.live.run,
            facts=self.table.facts,
            uploads=self.table.uploads is not None,
            old_photo=self.table.uploads is not None and view.read_elsewhere,
            phone_missing=phone_missing,
            way_to_camera=way_to_camera(self.table) if phone_missing else None,
            headline=headline,
            headline_size=name_size(view.player or translate(headline)),
            progress=table_words.progress(told),
            instruction=table_words.event_instruction(told) or table_words.instruction(told),
            coming=self.table.demo and self.table.demo.coming(told),
            own_game=own_game,
            coach=self._coach(told),
            records=self.table.statistics.records(told) if self.table.statistics else (),
            resting=table_words.is_resting(view),
            left_behind=table_words.is_left_behind(view),
            signs=table_words.signs(view),
            roll_number=table_words.current_roll_number(view.turn) if view.turn else 0,
            buttons=table_words.button_meanings(view),
            sight=(table_words.PIECES_STATUS if watched else table_words.STATUS)[view.status],
            light=table_words.light(view),
            light_words=table_words.LIGHTS.get(table_words.light(view)),
            reads_again=plays and not own_game and table_words.reads_again(view),
            narrows=suffices(role, "owner") and self._proposes_area(),
            calibrates=suffices(role, "owner") and can_calibrate(self.table),
            moving_picture=view.status in CHANGING,
            tiles=tiles,
            colours={tile.name: tile.colour for tile in tiles},
            panes=sheet_panes(view.preview or view.scoresheet),
            paper_title=GAMES[view.game].title if view.game else "Tablescore",
            asking=table_words.offer_of(view, view.asking),
            fouls=tuple(offer for offer in view.offers if OfferKind.FOUL.is_kind_of(offer.key)),
            leaves=any(OfferKind.LEAVE.is_kind_of(offer.key) for offer in view.offers),
            dice_in_order=table_words.dice_in_order(view),
            doubts_about_dice=table_words.doubts_about_dice(view.proposal),
            doubts_about_pieces=table_words.doubts_about_pieces,
            own_labels=table_words.own_labels,
            step=step_of(view),
            played_keys=table_words.played_keys(view),
            drawable=table_words.drawable(view),
            clock_face=table_words.clock_face,
            watched=watched,
            kind=view.reader if view.reader in {"cards", "own"} else "tiles",
            corners=corners,
            foot=foot,
            crop=crop,
            in_words=in_words,
        )


def only_watched(view: TableView) -> TableView:
    """The view for a device that may only watch: the same, and nothing can be done in it."""
    sheet, preview, proposal = view.scoresheet, view.preview, view.proposal
    return replace(
        view,
        offers=(),
        pointer=None,
        asking=None,
        scoresheet=None if sheet is None else sheet.without_offers,
        preview=None if preview is None else preview.without_offers,
        proposal=None if proposal is None else replace(proposal, questions=()),
    )


def corners(piece: ShownPiece) -> str:
    """The piece's corners as an SVG polygon has them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in piece.quad)


def foot(piece: ShownPiece) -> tuple[float, float, float]:
    """Where the piece's tag begins, left and top, and its width, in pixels of the picture."""
    left, right = min(x for x, _ in piece.quad), max(x for x, _ in piece.quad)
    return left, max(y for _, y in piece.quad), right - left


def crop(points: Iterable[Point], found: ShownProposal | ShownPieces) -> str:
    """The part of the picture round a die or piece with these corners, as an SVG view box."""
    across, down = zip(*points, strict=True)
    largest = max(max(across) - min(across), max(down) - min(down))
    side = min(_CROP_SIDES * largest, found.width, found.height)
    left, top = (
        min(max(0.0, (min(edges) + max(edges) - side) / 2), whole - side)
        for edges, whole in ((across, found.width), (down, found.height))
    )
    return f"{left:.1f} {top:.1f} {side:.1f} {side:.1f}"


def in_words(piece: ShownPiece) -> Message:
    """The piece in words, and why a person should look at it."""
    if piece.label == UNREAD:
        return message("not readable")
    if piece.inferred:
        return message("{piece}, inferred from the rules", piece=piece.label)
    if piece.doubtful:
        return message("{piece}, doubtful", piece=piece.label)
    return message("{piece}", piece=piece.label)


def step_of(view: TableView) -> str:
    """The step of the game that the table is at."""
    return f"{view.game_id}.{view.sequence}"


def can_calibrate(table: Table) -> bool:
    """Whether the page that calibrates a tray can change it, or has something to show."""
    if table.tray is None:
        return False
    return table.tray.obstacle is None or table.tray.outline is not None


def is_asked(view: TableView, act: str) -> bool:
    """Whether the page has a field for this act just now: `roll`, or the key of an open offer."""
    if act == "roll":
        return view.stage in ROLLING
    return any(offer.key == act and offer.entry is not None for offer in view.offers)


SHORT_SHEET: Final = 6  # rows


def sheet_panes(sheet: Scoresheet | None) -> tuple[tuple[Row, ...], ...]:
    """The sheet's rows in two panes side by side, split between sections near the middle.

    A short sheet is one pane, so that its columns have room for the names.
    """
    rows = () if sheet is None else sheet.rows
    if len(rows) <= SHORT_SHEET:
        return (rows,) if rows else ()
    borders = [at for at in range(1, len(rows)) if rows[at - 1].section != rows[at].section]
    if not borders:
        return (rows,)
    middle = min(borders, key=lambda at: abs(len(rows) - 2 * at))
    return rows[:middle], rows[middle:]


def stopwatch() -> int:
    """Milliseconds of this device's stopwatch, which no change of its time of day touches."""
    return int(monotonic() * 1000)


A_DAY = "private, max-age=86400, immutable"


def table_views(showing: Showing) -> Blueprint:
    """`/`, `/live`, `/picture/...`, and `/sets`: which of the sets given are legal."""
    views = Blueprint("table", __name__)

    @views.get("/")
    def show() -> Response:
        return showing.page()

    @views.get("/live")
    def live() -> Response:
        return event_stream(showing.table.watch, partial(states, showing))

    @views.get("/sets")
    def sets() -> AnyResponse:
        text = request.args.get("text", "")
        if len(text) > _LONGEST_TABLE:
            abort(400)
        game = GAMES.get(showing.table.session.view.game or "")
        try:
            verdicts = () if game is None else game.judge_sets(text)
        except NotationError as error:
            return make_response(jsonify(fault=translate(error.message)), 422)
        return jsonify(
            sets=[
                {"stands": each.stands, "fault": each.fault and translate(each.fault)}
                for each in verdicts
            ]
        )

    @views.get("/picture/<run>/<int:frame>.jpg")
    def picture(run: str, frame: int) -> Response:
        known = run == showing.table.live.run
        kept = showing.table.pictures.picture(frame) if known else None
        return jpeg(kept.jpeg, A_DAY) if kept else abort(404)

    @views.get("/picture/latest.jpg")
    def latest_picture() -> Response:
        latest = showing.table.pictures.latest()
        return jpeg(latest.jpeg, "no-store") if latest else Response(status=HTTPStatus.NO_CONTENT)

    return views


def jpeg(picture: bytes, keeping: str) -> Response:
    """The picture, and how long a browser may keep it."""
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": keeping})


def states(showing: Showing, watch: Watch[TableView]) -> Iterator[str]:
    """The events of one viewer: states, and heartbeats between.

    They end when its rights change: it asks again then, and gets the page of its new ones.
    """
    access = showing.table.access
    role = access.asker().role
    yield "retry: 1000\n\n"
    for view in watch:
        if access.asker().role != role:
            return
        if view is None:
            yield BEAT
        else:
            document = showing.document(view)
            identity = f"{document['run']}.{document['version']}"
            yield server_sent("table", document, identity)
