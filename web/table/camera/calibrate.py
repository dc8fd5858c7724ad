"""The page that calibrates a tray or a play area: taps on its picture, or a search for it."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, jsonify, request
from werkzeug.datastructures import MultiDict

from scoreboard.message import Message, message
from web.shared.security import whole_number
from web.shared.words import translate
from web.table.camera.tray import Corner, FixedTray, Kind
from web.table.parts import A_DAY, jpeg, shown, to

CORNERS: Final = range(8)  # the most that a play area has; a tray has four
NO_NUMBER: Final = message("A corner is two numbers from 0 to 100, across and down.")


def calibrate_views(tray: FixedTray, life: str) -> Blueprint:
    """`/calibrate` and what its page shows and asks; `life` names this run of the table."""
    views = Blueprint("calibrate", __name__)

    @views.get("/calibrate", right="owner")
    def show() -> Response:
        outline = tray.outline
        return page(tray, life, tray.take(), () if outline is None else outline.around)

    @views.post("/calibrate", right="owner")
    def keep() -> Response:
        number, corners = _form(request.form)
        kind = _kind(request.form)
        fault = NO_NUMBER if corners is None else tray.keep(number, kind, corners)
        return _done(tray, life, fault, number, corners or ())

    @views.post("/calibrate/find", right="owner")
    def find() -> Response:
        number, _ = _form(request.form)
        found = tray.find(number)
        if isinstance(found, Message):
            return page(tray, life, number, (), found)
        return page(tray, life, number, found, found=True)

    @views.post("/calibrate/proposed", right="owner")
    def keep_proposed() -> Response:
        return _done(tray, life, tray.keep_proposed(), 0, ())

    @views.post("/calibrate/forget", right="owner")
    def forget() -> Response:
        return _done(tray, life, tray.forget(), _form(request.form)[0], ())

    @views.get("/calibrate/<run>/<int:number>.jpg", right="owner")
    def photo(run: str, number: int) -> Response:
        kept = tray.photo(number) if run == life else None
        return jpeg(kept, A_DAY)

    @views.get("/calibrate/<run>/<int:number>/preview.jpg", right="owner")
    def preview(run: str, number: int) -> Response:
        corners = _corners(request.args) or ()
        kept = tray.preview(number, corners) if run == life else None
        return jpeg(kept, A_DAY)

    @views.get("/calibrate/fault", right="owner")
    def fault() -> Response:
        corners = _corners(request.args)
        kind = _kind(request.args)
        words = NO_NUMBER if corners is None else tray.fault(kind, corners)
        return jsonify(fault=None if words is None else translate(words))

    return views


def page(  # noqa: PLR0913 -- what one page shows, each named where it is called
    tray: FixedTray,
    life: str,
    number: int | None,
    corners: tuple[Corner, ...],
    fault: Message | None = None,
    *,
    found: bool = False,
) -> Response:
    """The page with a picture to tap on and the corners as far as they are known."""
    written = [(f"{100 * x:.2f}", f"{100 * y:.2f}") for x, y in corners]
    if request.method == "POST" and _corners(request.form) is None:  # as it was typed
        fields = request.form
        written = list(zip(fields.getlist("x"), fields.getlist("y"), strict=False))
    kind = _kind(request.form) if request.method == "POST" else tray.kind or "tray"
    return shown(
        "calibrate.html",
        tray=tray,
        kind=kind,
        number=number if number is None or tray.photo(number) else tray.take(),
        run=life,
        written=written,
        places=CORNERS,
        fault=fault,
        numbers_fault=fault is NO_NUMBER,
        found=found,
    )


def _done(
    tray: FixedTray,
    life: str,
    fault: Message | None,
    number: int,
    corners: tuple[Corner, ...],
) -> Response:
    """Go on to the page as it is now; else show it again with the fault."""
    if fault is None:
        return to("calibrate.show")
    return page(tray, life, number, corners, fault)


def _form(fields: MultiDict[str, str]) -> tuple[int, tuple[Corner, ...] | None]:
    """The number of the picture, and the corners; None for those that are no numbers."""
    return whole_number(fields.get("photo", "")) or 0, _corners(fields)


def _kind(fields: MultiDict[str, str]) -> Kind:
    return "area" if fields.get("kind") == "area" else "tray"


def _corners(fields: MultiDict[str, str]) -> tuple[Corner, ...] | None:
    """The corners as shares, from their percentages; places left empty are left out."""
    written = zip(fields.getlist("x"), fields.getlist("y"), strict=False)
    try:
        return tuple((float(x) / 100, float(y) / 100) for x, y in written if x or y)
    except ValueError:
        return None
