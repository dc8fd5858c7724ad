"""The page on which a phone becomes the table's camera, and its frames.

A frame names its exposure on the table's own clock: each answer gives the phone a mark of that
clock, from which it counts on. So a delayed frame is known to be old.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort, jsonify, request

from hardware.errors import CameraError
from vision.errors import PhotoError
from web.shared.qr_code import qr_code
from web.shared.security import whole_number
from web.table.parts import Parts, fault_answer

if TYPE_CHECKING:
    from markupsafe import Markup

    from hardware.cameras.phone import PhoneCamera

LARGEST_FRAME_BYTES: Final = 1024 * 1024
SENDER: Final = re.compile("[0-9-]{1,32}", re.ASCII)  # a device names itself, at random


def phone_views(page_around: Callable[[], Response], phone: PhoneCamera) -> Blueprint:
    """`/camera`, for which `page_around` draws the table page as well, and `/camera/frame`."""
    views = Blueprint("phone", __name__, url_prefix="/camera")

    @views.get("", right="player")
    def show() -> Response:
        page = page_around()
        page.headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
        return page

    @views.post("/frame", right="player")
    def take() -> Response:
        request.max_content_length = LARGEST_FRAME_BYTES
        sender, exposed = request.args.get("sender", ""), whole_number(request.args.get("at", ""))
        if exposed is None or not SENDER.fullmatch(sender):
            abort(HTTPStatus.BAD_REQUEST)
        take_over = request.args.get("instead") == "yes"
        try:
            phone.put(request.get_data(), sender, exposed / 1000, take_over=take_over)
        except CameraError as error:
            return fault_answer(HTTPStatus.CONFLICT, error.message)
        except PhotoError as error:
            return fault_answer(HTTPStatus.BAD_REQUEST, error.message)
        return jsonify(mark=int(phone.now() * 1000))

    return views


def way_to_camera(parts: Parts) -> tuple[str, Markup] | None:
    """The address where a phone becomes the camera, also as a QR code; None off the network."""
    address = next((f"{each}camera" for each in parts.addresses()), None)
    return None if address is None else (address, qr_code(address))
