"""How the table sees the dice: the page with the four ways, and the network that phones take.

The table starts again with what is chosen: another camera, open to the home network or closed.
"""
# ruff: noqa: PLC0415 -- OpenCV is loaded once it is asked for, as in the wiring

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from flask import Blueprint, Response, abort, request

from hardware.camera import CameraParts, public_name
from hardware.errors import CameraError
from scoreboard.message import Message, message
from web.shared.clocks import utc_now
from web.shared.plan import CLOSED, OPENED, chosen_on_page, keep_chosen
from web.table.camera.camera_page import CameraDesk
from web.table.camera.camera_setup import NOT_STORED
from web.table.parts import Parts, shown, to

BY_PHONE: Final = frozenset({"phone", "upload"})
NAMED_ELSEWHERE: Final = message(
    "This table was started with another camera. Start it without one, then choose this one here."
)


def ways_views(desk: CameraDesk, parts: Parts) -> Blueprint:
    """`/ways`, where an owner chooses a camera, or opens and closes the network."""
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
