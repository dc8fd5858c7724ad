"""Result slips: printed for a round, read from photographs, entered by a referee."""

from __future__ import annotations

from base64 import b32encode
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import Message, message
from scoreboard.table.tournament_view import Fate
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.storage.unrecorded import MOST_SLIP_PHOTO_BYTES
from scoreboard.typed_numbers import typed_number
from vision.read import slip_layout
from vision.read.slip_layout import Rows, SlipCode
from web.hub.forms import back, give
from web.hub.hub import Hub, event_page
from web.hub.progress import numbered_round
from web.hub.results import FATE_WORDS, ResultPlace, typed_results

if TYPE_CHECKING:
    from vision.capture.frame import Image
    from vision.read.slips import SlipReader, SlipRow

LARGEST_PHOTOS_BYTES: Final = 32 * 1024 * 1024  # together
_QUALITIES: Final = (80, 60, 40)


@dataclass(frozen=True, slots=True)
class PrintedSlip:
    """A slip of a table, as it is printed."""

    code: SlipCode
    seats: tuple[int, ...]

    @classmethod
    def of_table(
        cls, tournament_id: str, played: Round, table: TableSeats, rows: Rows
    ) -> Iterator[PrintedSlip]:
        """The slips for the games of a table; none for a table too large for one."""
        at_once = slip_layout.SlipLayout.most_games(len(table.seats), rows)
        event, seats = _short(tournament_id, 4), len(table.seats)
        for first in range(1, played.games + 1, at_once) if at_once else ():
            games = min(at_once, played.games + 1 - first)
            at = (played.number, table.number, first, games)
            check = _short(repr((tournament_id, *at, table.seats)), 5)
            yield cls(SlipCode(event, *at, seats, check, rows), table.seats)


def _short(text: str, size: int) -> str:
    """A digest of a text in that many letters and digits."""
    return b32encode(sha256(text.encode()).digest()).decode()[:size]


def marks_path() -> str:
    """The four corner marks of a slip, as the path of an SVG."""
    marks = range(len(slip_layout.MARKS))
    modules = (module for mark in marks for module in slip_layout.dark_modules(mark))
    return "".join(f"M{x:.3f} {y:.3f}h{w:.3f}v{h:.3f}h-{w:.3f}z" for x, y, w, h in modules)


@dataclass(frozen=True, slots=True)
class SlipLine:
    """A row of a slip: its score, "?" where in doubt, and in millimetres its boxes and `doubts`."""

    game: int
    seat: int
    score: str
    row: tuple[float, float]
    doubts: Sequence[tuple[float, float]]
    fate: Fate = "played"


@dataclass(frozen=True, slots=True)
class WaitingSlip:
    """A slip that waits for the referee; its table is seated as when it was printed.

    `unsound` are the games whose scores do not add up to 0, or have another sum below.
    """

    photo: int
    code: SlipCode
    place: ResultPlace
    lines: tuple[SlipLine, ...]
    unsound: frozenset[int] = frozenset()

    @property
    def games(self) -> range:
        return range(self.code.game, self.code.game + self.code.games)


def slip_views(hub: Hub) -> Blueprint:
    """`/e/<id>/slips`."""
    views = Blueprint("slips", __name__, url_prefix="/e/<tournament_id>/slips")

    @cache
    def reader() -> SlipReader:
        from vision.read.slips import load_slip_reader  # noqa: PLC0415 -- heavy; most need none

        return load_slip_reader()

    @views.get("", right="referee")
    def show(tournament_id: str) -> Response:
        return _page(hub, tournament_id)

    @views.post(
        "", right="referee", page="slips.show", most_bytes=LARGEST_PHOTOS_BYTES, seen="nothing"
    )
    def read(tournament_id: str) -> AnyResponse:
        sent = [each for each in request.files.getlist("photo") if each.filename]
        faults = [] if sent else [message("Take a photo or choose some first.")]
        for photo in sent:
            name, found = str(photo.filename), take_in(hub, tournament_id, photo.read(), reader())
            faults += [message("{file}: {fault}", file=name, fault=each) for each in found]
        if faults:
            return _page(hub, tournament_id, faults)
        return back("slips.show", tournament_id=tournament_id)

    @views.get("/<int:photo>.jpg", right="referee")
    def photo(tournament_id: str, photo: int) -> Response:
        jpeg = hub.store.slip_photos.jpeg(tournament_id, photo) or abort(404)
        return Response(jpeg, mimetype="image/jpeg")

    @views.post("/<int:photo>", right="referee", page="slips.show", seen="nothing")
    def save(tournament_id: str, photo: int) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        waiting = waiting_slips(hub, tournament_id, state)
        for slip in (each for each in waiting if each.photo == photo):
            give(hub, tournament_id, *typed_results(hub, slip.place))
            hub.store.slip_photos.keep(tournament_id, photo)
        return back("slips.show", tournament_id=tournament_id)

    @views.post("/<int:photo>/discard", right="referee", page="slips.show", seen="nothing")
    def discard(tournament_id: str, photo: int) -> AnyResponse:
        hub.store.slip_photos.discard(tournament_id, photo)
        return back("slips.show", tournament_id=tournament_id)

    return views


def _page(hub: Hub, tournament_id: str, faults: Sequence[Message] = ()) -> Response:
    snapshot = hub.service.snapshot(tournament_id)
    slips = waiting_slips(hub, tournament_id, snapshot.state)
    known = {"fates": FATE_WORDS, "size": (slip_layout.WIDTH, slip_layout.HEIGHT)}
    page = event_page("slips.html", snapshot, slips=slips, faults=faults, **known)
    return make_response(page, HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK)


def take_in(hub: Hub, tournament_id: str, sent: bytes, reader: SlipReader) -> Iterator[Message]:
    """Read the slips in a photo and store each until the referee has checked it; the refusals."""
    from vision.capture.photo import open_photo  # noqa: PLC0415 -- heavy; most need none
    from vision.errors import PhotoError  # noqa: PLC0415 -- likewise

    try:
        slips = reader.read(open_photo(sent))
    except PhotoError as error:
        yield error.message
        return
    if not slips:
        yield message(
            "No slip was found. Take the photo again, with the four marks in the slip's corners."
        )
    state = hub.service.snapshot(tournament_id).state
    for slip in slips:
        code = slip.code
        if code is None:
            yield message("The code on a slip can't be read. Take a closer photo, in good light.")
        elif code.event != _short(tournament_id, 4):
            yield message("This slip belongs to another event.")
        elif place_of(tournament_id, state, code) is None:
            yield message(
                "The slip of table {table}, round {round}, was printed before the seating was"
                " changed. Enter its result by hand.",
                table=code.table,
                round=code.round,
            )
        else:
            seen = [_seen(row) for row in slip.rows]
            jpeg = small_jpeg(slip.image)
            hub.store.slip_photos.add(tournament_id, str(code), hub.clock(), jpeg, seen)


def _seen(row: SlipRow) -> list[Any]:
    """A row as the store keeps it: its game and what follows in a SlipLine, the seat from 0."""
    text = "".join(box.label if box.is_sure else "?" for box in row.boxes)
    doubts = [box.area[:2] for box in row.boxes if not box.is_sure]
    return [row.game, row.seat, text, row.boxes[0].area[:2], doubts]


def place_of(tournament_id: str, state: Tournament, code: SlipCode) -> ResultPlace | None:
    """The table that a slip was printed for; None if other players sit there now."""
    played = numbered_round(state, code.round)
    table = None if played is None else played.table(code.table)
    if played is None or table is None:
        return None
    printed = PrintedSlip.of_table(tournament_id, played, table, code.rows)
    return ResultPlace(state, played, table) if code in {slip.code for slip in printed} else None


def waiting_slips(hub: Hub, tournament_id: str, state: Tournament) -> Iterator[WaitingSlip]:
    """The slips that were read and not entered yet, except those of an earlier seating."""
    for photo in hub.store.slip_photos.waiting(tournament_id):
        code = SlipCode.parse(photo.code)
        place = None if code is None else place_of(tournament_id, state, code)
        if code is not None and place is not None:
            seats, sums = place.seats.seats, defaultdict[int, list[str]](list)
            for game, _, score, *_ in photo.seen if code.rows == "S" else ():
                sums[game].append(score)
            unsound = frozenset(game for game, scores in sums.items() if not adds_up(scores))
            lines = (
                SlipLine(game, seats[seat], *rest)
                for game, seat, *rest in photo.seen
                if seat < len(seats)
            )
            yield WaitingSlip(photo.taken, code, place, tuple(lines), unsound)


def adds_up(scores: Sequence[str]) -> bool:
    """Whether what is read of a game's scores, and of their sum below, is 0; an empty box is 0."""
    *own, below = (typed_number(each or "0") for each in scores)
    return None in own or sum(filter(None, own)) == 0 == below


def slip_photos(hub: Hub, tournament_id: str, place: ResultPlace) -> tuple[int, ...]:
    """The photos kept with the results of a table."""
    at = tournament_id, place.round, place.seats
    printed = (slip for rows in slip_layout.ROWS for slip in PrintedSlip.of_table(*at, rows))
    return hub.store.slip_photos.kept(tournament_id, [str(slip.code) for slip in printed])


def small_jpeg(image: Image) -> bytes:
    """A slip as JPEG of at most MOST_SLIP_PHOTO_BYTES."""
    from vision.capture.photo import encode_jpeg  # noqa: PLC0415 -- heavy; most need none

    tried = (encode_jpeg(image, quality) for quality in _QUALITIES)
    return next(jpeg for jpeg in tried if len(jpeg) <= MOST_SLIP_PHOTO_BYTES)
