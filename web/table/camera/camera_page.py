"""The pages that set the camera up: which one, its settings, a test throw; tray or play area.

OpenCV is loaded once the page is asked for, as in the wiring.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, jsonify, render_template, request
from werkzeug.datastructures import MultiDict

from hardware.camera import AdjustableCamera, Camera, CameraParts, ControlRange, public_name
from hardware.errors import CameraError
from scoreboard.message import Message, message
from scoreboard.table.proposal import Light
from scoreboard.table.requests import TableStatus
from scoreboard.table.view import TableView
from vision.errors import WeightsError
from web.shared.clocks import utc_now
from web.shared.plan import CLOSED, OPENED, StartAgain, chosen_on_page, keep_chosen
from web.shared.security import whole_number
from web.shared.settings import WHOLE, Corner, SettingsError
from web.shared.words import translate
from web.table.camera.camera_setup import NOT_STORED, CameraSetup
from web.table.camera.tray import FixedTray, Kind
from web.table.parts import A_DAY, Parts, jpeg, newest_jpeg, shown, to

if TYPE_CHECKING:
    from vision.read.observation import Recogniser

LIVE: Final = frozenset({"webcam", "picamera", "stream", "phone"})
SIZES: Final = ((640, 480), (1280, 720), (1280, 960), (1640, 1232), (1920, 1080), (2304, 1296))
ROTATIONS: Final = {str(degrees): degrees for degrees in range(0, 360, 90)}
EDGES: Final = ("left", "top", "right", "bottom")
EDGE_WORDS: Final = (message("left"), message("top"), message("right"), message("bottom"))
MEASURED: Final = (message("Brightness"), message("Glare"), message("Sharpness"))
SMALLEST: Final = message("Smallest die")
NEARER: Final = message("The dice are small in the picture: bring the camera nearer.")
SIDE: Final = 960
QUALITY: Final = 80

LABELS: Final[Mapping[str, Message]] = {
    "focus": message("Focus"),
    "exposure": message("Exposure in milliseconds"),
    "white_balance": message("White balance in kelvin"),
}
NO_PICTURE: Final = message("No picture has come from the camera yet; wait a moment and try again.")
TOO_NARROW: Final = message("Leave at least a tenth of the picture’s width and height.")
LIGHTS: Final = {
    Light.GREEN: message("Camera OK"),
    Light.AMBER: message("Please fix:"),
    Light.RED: message("Nothing is read now:"),
    None: None,
}
NO_NUMBER: Final = message("That is no number; nothing was changed.")


@dataclass(frozen=True, slots=True)
class Tested:
    """What a test throw read: in which frame, the picture with the dice marked, and any doubts."""

    frame: int
    picture: bytes
    read: str
    doubts: tuple[Message, ...]


@dataclass(slots=True)
class CameraDesk:
    """The table's camera behind its page; thread-safe.

    `open_reader` opens the table's current reader: its own is used by the camera's thread.
    `start_again` ends the table and starts it with other options; None if that is impossible.
    """

    camera: Camera
    setup: CameraSetup
    open_reader: Callable[[], Recogniser]
    start_again: StartAgain | None = None
    tested: Tested | None = None

    @property
    def is_live(self) -> bool:
        """Whether its picture can be turned and cropped."""
        return self.setup.source.partition(":")[0] in LIVE

    @property
    def ranges(self) -> Mapping[str, ControlRange]:
        return self.camera.ranges if isinstance(self.camera, AdjustableCamera) else {}

    def test(self, parts: Parts) -> Message | None:
        """Read the dice on the table once; gives the obstacle, if any."""
        from vision.capture.photo import encode_small
        from vision.evaluate.annotation import draw_observation
        from vision.quality.tray import narrowed

        newest = parts.pictures.whole()
        if newest is None:
            return NO_PICTURE
        frame = narrowed(*newest)
        try:
            found = self.open_reader()(frame)
        except WeightsError as error:
            return error.message
        picture = encode_small(draw_observation(frame.image, found), SIDE, QUALITY)
        labels = " ".join(sorted(each.label for each in found.detections))
        doubts = found.doubts if found.hindrance is None else (found.hindrance,)
        self.tested = Tested(frame.sequence, picture, labels, doubts)
        return None

    def change(self, fields: Mapping[str, str]) -> Message | None:
        """Change the settings in a form; gives the reason they are not set, or not stored."""
        values: dict[str, Any] = {}
        try:
            for name, limits in self.ranges.items():
                values[name] = "auto"
                if f"{name}-auto" not in fields and name in fields:
                    values[name] = number = float(fields[name])
                    if not limits.low <= number <= limits.high:
                        return message(
                            "{name}: a number from {low} to {high}.",
                            name=LABELS[name],
                            low=f"{limits.low:g}",
                            high=f"{limits.high:g}",
                        )
            if "size" in fields:
                values["size"] = tuple(map(int, fields["size"].split()))
            values["rotation"] = ROTATIONS[fields.get("rotation", "0")]
            off = [float(fields.get(edge) or 0) / 100 for edge in EDGES]
        except (ValueError, KeyError):
            return NO_NUMBER
        values["crop"] = (off[0], off[1], 1 - off[2], 1 - off[3]) if any(off) else ()
        try:
            return self.setup.set(values)
        except SettingsError:
            return TOO_NARROW


def figures(parts: Parts) -> Iterator[tuple[bool, Message, str, str]]:
    """Of each measure of the newest picture: is it good, its name, its value and what is enough."""
    from vision.capture.frame import PlayArea
    from vision.quality.health import FAULTS, measure
    from vision.read.dice import smallest_die

    newest = parts.pictures.whole()
    if newest is None:
        return
    image, outline = newest[0].image, newest[1]
    found = measure(image, area=outline if isinstance(outline, PlayArea) else None)
    dark, burnt, blurred = (fault.amber_from for fault in FAULTS[:3])
    shown = (
        (f"{found.brightness:.0f}", f"≥ {255 - dark:.0f}"),
        (f"{100 * found.burnt:.1f} %", f"≤ {100 * burnt:.0f} %"),
        ("–" if found.sharpness is None else f"{found.sharpness:.2f}", f"≥ {1 / blurred:.2f}"),
    )
    for fault, name, (value, enough) in zip(FAULTS[:3], MEASURED, shown, strict=True):
        yield value != "–" and fault.badness(found) < fault.amber_from, name, value, enough
    proposal = parts.session.view.proposal
    boxes = () if proposal is None else [die.box for die in proposal.dice if die.box is not None]
    if proposal is not None and boxes:
        pixels = min(min(right - left, bottom - top) for left, top, right, bottom in boxes)
        smallest = smallest_die((proposal.height, proposal.width))
        yield pixels >= smallest, SMALLEST, f"{pixels:.0f} px", f"≥ {math.ceil(smallest)} px"


def light(view: TableView) -> Light | None:
    """The light of the table's health; None while it is not watched."""
    if view.health is None or view.status in {TableStatus.LOST, TableStatus.NOTHING}:
        return None
    return view.health.light


def seen(parts: Parts) -> dict[str, Any]:
    """The data of `camera_view.html`: the light, what would mend it, and the figures."""
    from vision.read.dice import TOO_LOW

    view, rows = parts.session.view, tuple(figures(parts))
    cures = [NEARER] if any(name is SMALLEST and not good for good, name, *_ in rows) else []
    cures += [TOO_LOW] if view.proposal is not None and TOO_LOW in view.proposal.doubts else []
    found = light(view)
    if found is not None:
        found = Light.AMBER if cures and found is Light.GREEN else found
        cures = [*(view.health.reasons if view.health else ()), *cures]
    return {"view": view, "light": found, "cures": cures, "rows": rows}


def page_of(
    desk: CameraDesk, parts: Parts, tray: FixedTray, fault: Message | None = None
) -> Response:
    """The whole page, with the reason the camera could not be set."""
    newest, now = parts.pictures.whole(), asdict(desk.setup.controls())
    left, top, right, bottom = now["crop"] or WHOLE
    cut = (100 * left, 100 * top, 100 - 100 * right, 100 - 100 * bottom)
    return shown(
        "camera_setup.html",
        desk=desk,
        parts=parts,
        tray=tray,
        now=now,
        cut=zip(EDGES, EDGE_WORDS, cut, strict=True),
        size=None if newest is None else newest[0].image.shape[1::-1],
        outline=None if newest is None else newest[1],
        sizes=SIZES,
        labels=LABELS,
        fault=fault,
        **seen(parts),
    )


def camera_views(desk: CameraDesk, parts: Parts, tray: FixedTray) -> Blueprint:
    """`/camera-setup` and what its page shows and asks."""
    views = Blueprint("camera_setup", __name__, url_prefix="/camera-setup")
    page = partial(page_of, desk, parts, tray)

    @views.get("", right="owner")
    def show() -> Response:
        return page()

    @views.post("", right="owner")
    def change() -> Response:
        fault = desk.change(request.form)
        return page(fault) if fault else to("camera_setup.show")

    @views.post("/test", right="owner")
    def test() -> Response:
        fault = desk.test(parts)
        return page(fault) if fault else to("camera_setup.show", _anchor="test")

    @views.get("/view", right="owner")
    def view() -> str:
        return render_template("camera_view.html", **seen(parts))

    @views.get("/now.jpg", right="owner")
    def now() -> Response:
        from vision.capture.photo import encode_small

        newest = parts.pictures.whole()
        return newest_jpeg(newest and encode_small(newest[0].image, SIDE, QUALITY))

    @views.get("/<run>/<int:frame>.jpg", right="owner")
    def tested(run: str, frame: int) -> Response:
        found = desk.tested
        if found is None or (run, frame) != (parts.live.run, found.frame):
            abort(HTTPStatus.NOT_FOUND)
        return jpeg(found.picture, A_DAY)

    return views


CORNERS: Final = range(8)  # the most that a play area has; a tray has four
NO_CORNER: Final = message("A corner is two numbers from 0 to 100, across and down.")


def calibrate_views(tray: FixedTray, life: str) -> Blueprint:
    """`/calibrate` and what its page shows and asks; `life` names this run of the table."""
    views = Blueprint("calibrate", __name__, url_prefix="/calibrate")
    page = partial(calibration_page, tray, life)

    def gone_on(fault: Message | None) -> Response:
        return page(fault) if fault else to("calibrate.show")

    @views.get("", right="owner")
    def show() -> Response:
        return page()

    @views.post("", right="owner")
    def keep() -> Response:
        number, kind, corners = _number(request.form), _kind(request.form), _corners(request.form)
        return gone_on(NO_CORNER if corners is None else tray.keep(number, kind, corners))

    @views.post("/find", right="owner")
    def find() -> Response:
        found = tray.find(_number(request.form))
        return page(found) if isinstance(found, Message) else page(found=found)

    @views.post("/proposed", right="owner")
    def keep_proposed() -> Response:
        return gone_on(tray.keep_proposed())

    @views.post("/forget", right="owner")
    def forget() -> Response:
        return gone_on(tray.forget())

    @views.get("/<run>/<int:number>.jpg", right="owner")
    def photo(run: str, number: int) -> Response:
        return jpeg(tray.photo(number) if run == life else None, A_DAY)

    @views.get("/<run>/<int:number>/preview.jpg", right="owner")
    def preview(run: str, number: int) -> Response:
        corners = _corners(request.args) or ()
        return jpeg(tray.preview(number, corners) if run == life else None, A_DAY)

    @views.get("/fault", right="owner")
    def fault() -> Response:
        corners = _corners(request.args)
        words = NO_CORNER if corners is None else tray.fault(_kind(request.args), corners)
        return jsonify(fault=words and translate(words))

    return views


def calibration_page(
    tray: FixedTray, life: str, fault: Message | None = None, found: tuple[Corner, ...] = ()
) -> Response:
    """The page with a picture to tap on; its corners are those found, as typed, or in use."""
    fields, kind, number = request.form, tray.kind or "tray", _number(request.form)
    corners = found or (() if tray.outline is None else tray.outline.around)
    written = [(f"{100 * x:.2f}", f"{100 * y:.2f}") for x, y in corners]
    if request.method == "POST":
        kind = _kind(fields)
        typed = zip(fields.getlist("x"), fields.getlist("y"), strict=False)
        written = written if found else list(typed)
    return shown(
        "calibrate.html",
        tray=tray,
        kind=kind,
        number=number if tray.photo(number) else tray.take(),
        run=life,
        written=written,
        places=CORNERS,
        fault=fault,
        numbers_fault=fault is NO_CORNER,
        found=found,
    )


def _number(fields: MultiDict[str, str]) -> int:
    """The number of the picture; 0, which none has, without one."""
    return whole_number(fields.get("photo", "")) or 0


def _kind(fields: MultiDict[str, str]) -> Kind:
    return "area" if fields.get("kind") == "area" else "tray"


def _corners(fields: MultiDict[str, str]) -> tuple[Corner, ...] | None:
    """The corners as shares, from their percentages, but for empty places; None for no numbers."""
    written = zip(fields.getlist("x"), fields.getlist("y"), strict=False)
    try:
        return tuple((float(x) / 100, float(y) / 100) for x, y in written if x or y)
    except ValueError:
        return None


BY_PHONE: Final = frozenset({"phone", "upload"})
NAMED_ELSEWHERE: Final = message(
    "This table was started with another camera. Start it without one, then choose this one here."
)


def ways_views(desk: CameraDesk, parts: Parts) -> Blueprint:
    """`/ways`, where an owner chooses a camera, or opens and closes the network.

    The table starts again with what is chosen.
    """
    views = Blueprint("ways", __name__, url_prefix="/ways")

    def page(fault: Message | None = None) -> Response:
        return shown("ways.html", parts=parts, cameras=tuple(plugged_cameras()), fault=fault)

    @views.get("", right="player")
    def show() -> Response:
        if not parts.asker().may("owner"):  # who chooses no camera types the dice in
            return to("setup.show", pictures="no")
        return page()

    @views.post("", right="owner")
    def choose() -> Response:
        if desk.start_again is None:
            abort(404)
        source, network = request.form.get("source"), {"yes": OPENED, "no": CLOSED}
        if source == "stream":
            source = f"stream:{request.form.get('address', '').strip()}"
        options = network.get(request.form.get("open", ""), ())
        if source in BY_PHONE and not parts.facts.open_to_network:
            options = OPENED
        if fault := _obstacle(source, desk.setup.source):
            return page(fault)
        keeps = options == CLOSED or (options == OPENED and "keep" in request.form)
        try:
            keep_chosen(source=source, is_open=options == OPENED if keeps else None)
        except OSError:
            return page(NOT_STORED)
        # an address may hold a password, which no list of programs may show
        named = () if source is None or source.startswith("stream:") else ("--camera", source)
        desk.start_again(*named, *options)
        names = request.form.getlist("name") if parts.facts.demo and source else None
        return shown("starts_again.html", names=names, next=request.form.get("next"))

    return views


def _obstacle(source: str | None, now: str) -> Message | None:
    """The reason why that camera cannot take the place of the one used now, if any."""
    from hardware.cameras import open_camera
    from vision.capture.photo import open_photo

    if not source:
        return None
    if source.startswith("stream:") and now != public_name(chosen_on_page().camera.source):
        return NAMED_ELSEWHERE
    try:
        open_camera(source, CameraParts(open_photo, utc_now))
    except CameraError as error:
        return error.message
    return None


def plugged_cameras() -> Iterator[tuple[str, str]]:
    """The cameras at this machine, as `--camera` names them, and what they are called."""
    from hardware.cameras.picamera import found_pi_cameras
    from hardware.cameras.webcam import plugged_webcams

    for number, model in enumerate(found_pi_cameras()):
        yield f"picamera:{number}" if number else "picamera", model
    for each in plugged_webcams():
        yield f"webcam:{each.by_id or each.number}", each.model
