"""The table page: the whole, the part that changes, its stream and pictures; the big screen."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request

from scoreboard.errors import NotationError, StoreError, UnknownGameError
from scoreboard.games import DICE_GAMES, GAMES
from scoreboard.games.engine.game import OfferKind
from scoreboard.games.engine.transcript import TranscriptError
from scoreboard.message import Message, message
from scoreboard.table.requests import Answer, TableRequest, TableStatus
from scoreboard.table.view import TableView
from web.shared.addresses import is_loopback
from web.shared.live import BEAT, SharedDrawing, Watch, event_stream, server_sent
from web.shared.qr_code import qr_code
from web.shared.security import by_ingress, host_name
from web.shared.words import language, translate
from web.table.camera.camera_page import LIGHTS, light
from web.table.history.evening import BestTurn, best_turn
from web.table.history.game_log import read_log
from web.table.parts import (
    A_DAY,
    STATUSES,
    Parts,
    Role,
    StaleError,
    is_own_game,
    jpeg,
    newest_jpeg,
    shown,
    step_of,
    suffices,
    to,
)
from web.table.play import table_words
from web.table.play.demo import DICE_STAGES, EVENINGS
from web.table.scoreboard_strip import name_size, player_tiles, sheet_panes

if TYPE_CHECKING:  # what makes these has loaded them
    from markupsafe import Markup

    from scoreboard.storage import SqlStore
    from web.table.camera.wing import CameraWing
    from web.table.history.statistics import Statistics
    from web.table.play.coach import Coach, CoachCard
    from web.table.play.demo import Demo
    from web.table.play.win_chances import WinChances

# The camera of the page asks for a new picture as long as what it shows may change.
CHANGING: Final = frozenset(
    {TableStatus.NOTHING, TableStatus.MOVING, TableStatus.READING, TableStatus.STILL}
)

LOG: Final = logging.getLogger(__name__)
_LONGEST_TABLE: Final = 2000  # characters: twice what all tiles of the largest box need


@dataclass(frozen=True, slots=True)
class Written:
    """A refused form's input, with the reason; `act` is `roll` or the key of an open offer."""

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
class Extras:
    """What the table page shows besides the game; `demo` is None where none runs."""

    camera: CameraWing
    statistics: Statistics
    coach: Coach
    demo: Demo | None = None


class Showing:
    """Draws a table by a template, once for equal rights; one `for_all` has nothing to press."""

    def __init__(
        self,
        parts: Parts,
        extras: Extras,
        template: str = "table_live.html",
        *,
        for_all: bool = False,
    ) -> None:
        self.parts = parts
        self.extras = extras
        self._template = template
        self._for_all = for_all
        self._drawing = SharedDrawing(self._draw)

    def document(self, view: TableView) -> dict[str, str | int]:
        """What the page's script gets: the table's run, the version and the HTML."""
        html = self._drawn(view, self._role())
        return {"run": self.parts.live.run, "version": view.version, **self._times(), "html": html}

    def page(
        self,
        status: int = HTTPStatus.OK,
        notice: Message | None = None,
        refused: Written | None = None,
        template: str = "table_page.html",
    ) -> Response:
        """The whole table page, with a notice for this reader alone; or another one around it.

        A `refused` input is in its field again, with the fault, where it is still asked for.
        """
        view, role = self.parts.session.view, self._role()
        html = self._draw(view, role, refused) if refused else self._drawn(view, role)
        lost = refused if refused is not None and not is_asked(view, refused.act) else None
        return shown(
            template,
            status,
            live=html,
            facts=self.parts.facts,
            view=view,
            said=notice,
            lost=lost,
            **self._times(),
        )

    def answer(self, answer: Answer) -> Response:
        """The answer to an act: a document for the script, a page for a plain form.

        A notice that the table shows to all is not repeated. The script's document holds the
        verdict, under status 200: browsers report any other as an error of the page, and a press
        that came too late is none.
        """
        status, view = STATUSES[answer.verdict], self.parts.session.view
        notice = None if answer.notice == view.notice else answer.notice
        if "application/json" in request.accept_mimetypes.values():
            words = translate(notice) if notice else None
            document = self.document(view)
            return jsonify(verdict=answer.verdict, notice=words, **document)
        if status is HTTPStatus.OK:
            if notice is None:
                return to("table.show")
            return self.page(status, notice)
        refused = Written.of(request.form, answer.notice) if answer.notice else None
        in_place = refused is not None and is_asked(view, refused.act)
        return self.page(status, None if in_place else notice, refused)

    def submit(self, table_request: TableRequest) -> Response:
        return self.answer(self.parts.submit(table_request))

    def stale(self, _error: StaleError) -> Response:
        """Answer a form that was left over from before a restart."""
        LOG.info("stale: %s, from a page of before the last start", request.endpoint)
        notice = message("The table was restarted. Here is how it stands now.")
        return self.answer(Answer("stale", notice))

    def code(self) -> str:
        """The code that lets a phone in, where the page of an owner waits for one, else none."""
        waits = self._awaits_phone(self.parts.session.view) and not self._for_all
        return self.parts.code() if waits and self._role() == "owner" else ""

    def _times(self) -> dict[str, int]:
        """The time, and a stopwatch that no change of the time touches, both in milliseconds."""
        now, stopwatch = self.parts.clock().timestamp(), monotonic()
        return {"now": int(now * 1000), "stopwatch": int(stopwatch * 1000)}

    def _awaits_phone(self, view: TableView) -> bool:
        camera = self.extras.camera
        if camera.uploads is not None:
            return self.parts.pictures.latest() is None
        return camera.phone is not None and view.status is TableStatus.LOST

    def _coach(self, view: TableView) -> CoachCard | None:
        return None if self._for_all else self.extras.coach.card(view)

    def _drawn(self, view: TableView, role: Role) -> str:
        revision = self.parts.store.profiles.revision
        others = revision, self._coach(view), self._proposes_area(), self.code()
        return self._drawing.of(view, language(), role, others)

    def _proposes_area(self) -> bool:
        return self.extras.camera.tray.proposed is not None

    def _role(self) -> Role:
        asker = self.parts.asker()
        if self._for_all:  # but for players' photos
            return "owner" if asker.may("guest") else "watcher"
        return asker.role

    def _draw(self, view: TableView, role: Role, refused: Written | None = None) -> str:
        full = view  # from which the words are the same for all
        plays = self._for_all or suffices(role, "player")
        view = full if plays else only_watched(full)
        own_game = self.parts.facts.demo and (view.event is not None or is_own_game(view.game_id))
        pictured = not own_game and (view.game in EVENINGS or not self.parts.facts.demo)
        awaited = None if view.turn is None else view.turn.awaited
        watched = awaited is not None and awaited.expected is not None and pictured
        tiles = player_tiles(view.scoresheet, self.parts.known())
        camera = self.extras.camera
        coach = self._coach(full)
        page = "pair" if camera.phone is None else "camera"
        phone_missing = self._awaits_phone(view) and (page == "camera" or role == "owner")
        headline = table_words.tournament_headline(full) or table_words.headline(full)
        return render_template(
            self._template,
            may=partial(suffices, role),
            tag="button" if plays else "span",
            view=view,
            refused=refused,
            run=self.parts.live.run,
            facts=self.parts.facts,
            uploads=camera.uploads is not None,
            old_photo=camera.uploads is not None
            and (view.read_elsewhere or (view.proposal is not None and view.proposal.by_hand)),
            phone_missing=phone_missing,
            way_in=way_in(self.parts, page, self.code()) if phone_missing else None,
            headline=headline,
            headline_size=name_size(view.player or translate(headline)),
            progress=table_words.progress(full),
            instruction=table_words.tournament_instruction(full) or table_words.instruction(full),
            coming=self.extras.demo and self.extras.demo.coming(full),
            press=self.extras.demo and self.extras.demo.press(full),
            own_game=own_game,
            coach=coach,
            moment=best_moment(self.parts.store, full),
            records=self.extras.statistics.records(full),
            resting=table_words.between_games(view) is not None,
            left_behind=table_words.is_left_behind(view),
            signs=table_words.signs(view),
            roll_number=table_words.current_roll_number(view.turn) if view.turn else 0,
            buttons=table_words.button_meanings(view, coach.best if coach else None),
            sight=(table_words.PIECES_STATUS if watched else table_words.STATUS)[view.status],
            light=light(view),
            light_words=LIGHTS.get(light(view)),
            reads_again=plays and not own_game and table_words.reads_again(view),
            narrows=suffices(role, "owner") and self._proposes_area(),
            calibrates=suffices(role, "owner")
            and (camera.tray.obstacle is None or camera.tray.outline is not None),
            moving_picture=view.status in CHANGING,
            tiles=tiles,
            colours={tile.name: tile.colour for tile in tiles},
            panes=sheet_panes(view.preview or view.scoresheet),
            paper_title=GAMES[view.game].title_under(view.options) if view.game else "Tablescore",
            asking=table_words.offer_of(view, view.asking),
            fouls=tuple(offer for offer in view.offers if OfferKind.FOUL.is_kind_of(offer.key)),
            leaves=any(OfferKind.LEAVE.is_kind_of(offer.key) for offer in view.offers),
            dice_in_order=table_words.dice_in_order(view),
            step=step_of(view),
            played_keys={offer.key for offer in view.offers if offer.piece is not None},
            drawable=table_words.drawable(view),
            watched=watched,
            kind=view.reader if view.reader in {"cards", "own"} else "tiles",
            clock_face=table_words.clock_face,
            doubts_about_pieces=table_words.doubts_about_pieces,
        )


def best_moment(store: SqlStore, view: TableView) -> BestTurn | None:
    """A finished game's best turn, with its photo if there is one; a failure is only logged."""
    sheet, game = view.scoresheet, DICE_GAMES.get(view.game or "")
    if view.stage != "finished" or sheet is None or game is None or view.game_id is None:
        return None
    try:
        log = read_log(game, store.header(view.game_id), store.events(view.game_id))
        photos = store.photos.steps(view.game_id)
    except (StoreError, UnknownGameError, TranscriptError) as error:
        LOG.warning("no best moment: %s", error)
        return None
    return best_turn(view.game_id, sheet.players, log, photos)


def only_watched(view: TableView) -> TableView:
    """The view for a device that may only watch: the same, without offers."""
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


def way_in(parts: Parts, page: str, code: str) -> tuple[str, Markup] | None:
    """The page's address for a phone, and its QR code, with the code; None off the network."""
    address = next((f"{each}{page}" for each in parts.addresses()), None)
    if address is None:
        return None
    return address, qr_code(f"{address}#{code}" if code else address)


def is_asked(view: TableView, act: str) -> bool:
    """Whether the page has a field for this act just now: `roll`, or the key of an open offer."""
    if act == "roll":
        return view.stage in DICE_STAGES
    return any(offer.key == act and offer.entry is not None for offer in view.offers)


def table_views(showing: Showing) -> Blueprint:
    """`/`, `/live`, `/picture/...`, and `/sets`: which of the sets given are legal."""
    views = Blueprint("table", __name__)

    @views.get("/", right="watcher")
    def show() -> Response:
        return showing.page()

    @views.get("/live", right="watcher")
    def live() -> Response:
        return event_stream(showing.parts.watch, partial(states, showing))

    @views.get("/sets", right="player")
    def sets() -> Response:
        text = request.args.get("text", "")
        if len(text) > _LONGEST_TABLE:
            abort(400)
        game = GAMES.get(showing.parts.session.view.game or "")
        try:
            verdicts = () if game is None else game.judge_sets(text)
        except NotationError as error:
            return make_response(jsonify(fault=translate(error.message)), 422)
        return jsonify(
            sets=[
                {"stands": each.meanings, "fault": each.fault and translate(each.fault)}
                for each in verdicts
            ]
        )

    @views.get("/picture/<run>/<int:frame>.jpg", right="watcher")
    def picture(run: str, frame: int) -> Response:
        known = run == showing.parts.live.run
        kept = showing.parts.pictures.picture(frame) if known else None
        return jpeg(kept.jpeg if kept else None, A_DAY)

    @views.get("/picture/latest.jpg", right="watcher")
    def latest_picture() -> Response:
        latest = showing.parts.pictures.latest()
        return newest_jpeg(latest.jpeg if latest else None)

    return views


def states(showing: Showing, watch: Watch[TableView]) -> Iterator[str]:
    """The events of one viewer, heartbeats between, until its rights change: then it asks again."""
    asker = showing.parts.asker
    role, code = asker().role, ""
    yield "retry: 1000\n\n"
    for view in watch:
        if asker().role != role:
            return
        before, code = code, showing.code()  # which is asked for at each beat: so it stays valid
        if view is None and code == before:
            yield BEAT
        else:
            document = showing.document(view or showing.parts.session.view)
            identity = f"{document['run']}.{document['version']}"
            yield server_sent("table", document, identity)


def big_screen_views(parts: Parts, extras: Extras, win_chances: WinChances | None) -> Blueprint:
    """`/tv` and below: everything that players look up, large, and nothing to press."""
    views = Blueprint("tv", __name__)
    showing = Showing(parts, extras, "tv_live.html", for_all=True)

    @views.get("/tv", right="watcher")
    def show() -> str:
        state = showing.document(parts.session.view)
        return render_template(
            "tv_page.html",
            state=state,
            shows_chances=win_chances is not None,
            **_chances(parts, win_chances),
            **joining(parts),
        )

    @views.get("/tv/join", right="watcher")
    def join() -> str:
        return render_template("tv_join.html", **joining(parts))

    @views.get("/tv/chances", right="watcher")
    def chances() -> str:
        return render_template("tv_chances.html", **_chances(parts, win_chances)).strip()

    @views.get("/tv/live", right="watcher")
    def live() -> Response:
        return event_stream(parts.watch, partial(states, showing))

    return views


def _chances(parts: Parts, win_chances: WinChances | None) -> dict[str, Any]:
    tiles = player_tiles(parts.session.view.scoresheet, parts.known())
    tile_of = {tile.name: tile for tile in tiles}
    newest = None if win_chances is None else win_chances.newest
    if newest is not None and any(each.name not in tile_of for each in newest.players):
        newest = None  # the table has just gone on to another game
    return {"chances": newest, "tile_of": tile_of}


def joining(parts: Parts) -> dict[str, Any]:
    """The screen's data for joining by phone, on the page that asks whether to play or to watch.

    It is the address under which this screen itself was opened, which is known to work. A screen at
    the table's own machine shows the first one of the network, and `follows` it: a network may come
    after the screen was opened. `open` is false if the table serves this machine alone.
    """
    follows = is_loopback(host_name(request.host)) or by_ingress()
    address = next(iter(parts.addresses()), None) if follows else request.host_url
    return {
        "follows": follows,
        "open": parts.facts.open_to_network or address is not None,
        "address": address,
        "code": None if address is None else qr_code(f"{address}pair"),
    }
