"""The pages for letting in a device, and for an owner to manage all devices."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from flask import Blueprint, Flask, Response, abort, render_template, request

from scoreboard.errors import NotationError
from scoreboard.message import Message, message
from scoreboard.storage.devices import DeviceRole
from web.shared.qr_code import qr_code
from web.shared.security import by_ingress
from web.shared.words import translate
from web.table.parts import NotAllowedError, Parts, Role, fault_answer, shown, to, who_asks
from web.table.people.access import Access, give_cookie, is_own_key
from web.table.people.devices import LONGEST_NAME, PairingCode, PairingRefusedError

if TYPE_CHECKING:
    from hardware.cameras.phone import PhoneCamera

ROLES_GIVEN: Final[Mapping[str, Message]] = {
    "player": message("may play"),
    "owner": message("may do everything"),
}
WATCHING: Final = {
    "open": message("Everybody who has the address may watch."),
    "code": message("Only devices that were let in, or that have a watch-only link, may watch."),
    "closed": message("Only devices that were let in may watch; watch-only links don’t work."),
}
OLD_KEY: Final = message(
    "This link is not this table’s. Open the one that its terminal showed at the start."
)
OLD_LINK: Final = message("This link no longer works. Ask for a new one at the table.")
# By what a browser calls itself, the first that fits.
DEVICE_NAMES: Final = (
    (("iPad", "Tablet"), message("Tablet")),
    (("iPhone", "Mobile"), message("Phone")),
    (("Android",), message("Tablet")),
    (("",), message("Computer")),
)
NOT_ALLOWED: Final[Mapping[Role, Message]] = {
    "watcher": message(
        "This table shows itself only to devices that were let in. Let this one in with the code "
        "that the table shows."
    ),
    "guest": message(
        "This device sees only the game that is on the table. For earlier games let it in with the "
        "code that the table shows, or have an owner open them on the page “Devices”."
    ),
    "player": message(
        "Watching only. To play, let this device in with the code that the table shows."
    ),
    "owner": message(
        "Only an owner may do this: open the link with “/here/” that the table’s terminal showed "
        "at its start, or have an owner make this device one on the page “Devices”."
    ),
}


def device_views(parts: Parts, access: Access, phone: PhoneCamera | None) -> Blueprint:
    """`/pair`, `/w/...` and `/devices`; a device let in becomes the `phone` that is awaited."""
    views = Blueprint("devices", __name__)

    @views.get("/w", right="stranger")
    def ask_to_watch() -> str:
        return render_template("watch_link.html", asks=True)

    @views.post("/w", right="stranger")
    @views.get("/w/<secret>", right="stranger")  # of links that were made before
    def watch(secret: str = "") -> Response:
        secret = secret or request.form.get("secret", "")
        link = access.devices.of(secret)
        if link is None or link.role != "watcher":
            return fault_answer(HTTPStatus.NOT_FOUND, OLD_LINK)
        if access.watching == "closed":
            raise NotAllowedError("watcher")
        # A page, no redirect: a browser sends the cookie only with what our own pages ask for.
        answer = shown("watch_link.html")
        if not access.asker().may("player"):
            give_cookie(answer, secret)
        return answer

    @views.get("/here/<key>/", defaults={"page": ""}, right="stranger")
    @views.get("/here/<key>/<path:page>", right="stranger")
    def be_here(key: str, page: str) -> Response:
        if not is_own_key(key):
            return fault_answer(HTTPStatus.NOT_FOUND, OLD_KEY)
        answer = shown("watch_link.html", here=True, page=page)
        give_cookie(answer, key)
        if "kiosk" in request.args:  # a screen at the table, whose system has no keyboard
            answer.set_cookie("kiosk", "yes", httponly=True, samesite="Strict")
        return answer

    _add_ways_in(views, parts, access, phone)
    _add_owners_pages(views, parts, access)
    return views


def _add_ways_in(views: Blueprint, parts: Parts, access: Access, phone: PhoneCamera | None) -> None:
    @views.get("/pair", right="stranger")
    def ask_in() -> str:
        return render_template("pair.html", **pair_form(parts, access))

    @views.post("/pair", right="stranger")
    def let_in() -> Response:
        if access.asker().may("player"):  # a code is not spent on who is in
            return to("table.show")
        code, name = request.form.get("code", ""), request.form.get("name", "")
        try:
            _, secret = access.pairing.let_in(code, name, request.remote_addr or "")
        except (PairingRefusedError, NotationError) as error:
            return shown("pair.html", **pair_form(parts, access, error.message, name))
        awaited = phone is not None and not phone.in_use
        answer = to("phone.show", _anchor="start") if awaited else to("table.show")
        give_cookie(answer, secret)
        return answer

    @views.post("/pair/ask", right="stranger")
    def ask_for_a_code() -> Response:
        if not access.asker().may("player"):
            try:
                access.pairing.ask()
            except PairingRefusedError as error:
                return shown("pair.html", **pair_form(parts, access, error.message))
        return to("devices.ask_in")


def _add_owners_pages(views: Blueprint, parts: Parts, access: Access) -> None:
    devices = access.devices

    @views.get("/devices", right="owner")
    def show() -> str:
        return devices_page(parts, access)

    @views.post("/devices/code", right="owner")
    def new_code() -> Response:
        access.pairing.new_code(given_role(request.form.get("role", "player")))
        return to("devices.show")

    @views.get("/devices/asked", right="owner")
    def asked() -> str:
        return render_template("asked_code.html")

    @views.post("/devices/asked/decline", right="owner")
    def decline() -> Response:
        access.pairing.decline()
        return to("table.show")

    @views.post("/devices/earlier", right="owner")
    def show_earlier() -> Response:
        access.show_earlier(shown=request.form.get("shown") == "yes")
        return to("devices.show")

    @views.post("/devices/links", right="owner")
    def make_link() -> str:
        device, secret = devices.add(request.form.get("name", ""), "watcher")
        return devices_page(parts, access, (device.name, f"{own_address(parts)}w#{secret}"))

    @views.post("/devices/others", right="owner")
    def revoke_others() -> Response:
        devices.revoke_all_but(who_asks())
        return to("devices.show")

    @views.post("/devices/<device_id>", right="owner")
    def change(device_id: str) -> Response:
        name, role = request.form.get("name", ""), given_role(request.form.get("role", ""))
        devices.change(device_id, name, role)
        return to("devices.show")

    @views.post("/devices/<device_id>/revoke", right="owner")
    def revoke(device_id: str) -> Response:
        devices.revoke(device_id)
        return to("devices.show")


def given_role(text: str) -> DeviceRole:
    """The role that a form gives a device; 400 for one that no form gives."""
    return cast("DeviceRole", text) if text in ROLES_GIVEN else abort(HTTPStatus.BAD_REQUEST)


def devices_page(parts: Parts, access: Access, link: tuple[str, str] | None = None) -> str:
    """All devices and links, the code that lets one in now, and a new `link`, by name."""
    let_in, asker = access.devices.let_in(), access.asker()
    return render_template(
        "devices.html",
        reachable=bool(parts.addresses()),
        shown=shown_code(parts, access, access.pairing.code()),
        wrong=access.pairing.wrong_tries(),
        devices=[device for device in let_in if device.role != "watcher"],
        links=[device for device in let_in if device.role == "watcher"],
        own=None if asker.device is None else asker.device.device_id,
        roles=ROLES_GIVEN,
        watching=access.watching,
        watching_words=WATCHING[access.watching],
        shows_earlier=access.shows_earlier,
        longest_name=LONGEST_NAME,
        link=link,
        backed_up_at=parts.store.backed_up_at(),
        link_square=None if link is None else qr_code(link[1]),
    )


def shown_code(parts: Parts, access: Access, code: PairingCode | None) -> dict[str, object] | None:
    """A code for an owner's page: to type at an address, or to scan; and for how long."""
    if code is None:
        return None
    address = f"{own_address(parts)}pair"
    return {
        "code": code,
        "address": address,
        "square": qr_code(f"{address}#{code.digits}"),
        "seconds": access.pairing.seconds_left(code),
    }


def show_asked_codes(app: Flask, parts: Parts, access: Access) -> None:
    """Let every page of an owner, the table's own machine among them, show the code asked for."""

    def asked_code() -> dict[str, object] | None:
        owns = access.asker().may("owner")
        return shown_code(parts, access, access.pairing.asked()) if owns else None

    app.jinja_env.globals["asked_code"] = asked_code


def own_address(parts: Parts) -> str:
    """Where other devices reach the page: as the asking one does, if it is another one."""
    others = parts.addresses() if parts.asker().here or by_ingress() else ()
    return next(iter(others), request.host_url)


def pair_form(
    parts: Parts, access: Access, fault: Message | None = None, name: str | None = None
) -> dict[str, object]:
    """The fields of the form by which a device asks to be let in."""
    agent = request.user_agent.string
    likely = next(words for marks, words in DEVICE_NAMES if any(mark in agent for mark in marks))
    return {
        "fault": fault,
        "name": translate(likely) if name is None else name,
        "asker": parts.asker(),
        "longest_name": LONGEST_NAME,
        "has_panel": not parts.facts.buttons_simulated,
        "asked": access.pairing.asked() is not None,
    }


def explain_refusals(app: Flask, parts: Parts, access: Access) -> None:
    """Explain to a device without a right how it can be let in."""

    @app.errorhandler(NotAllowedError)
    def refuse(error: NotAllowedError) -> Response:
        words = NOT_ALLOWED[error.needed]
        if "application/json" in request.accept_mimetypes.values():
            return fault_answer(HTTPStatus.FORBIDDEN, words)
        return shown(
            "not_allowed.html",
            HTTPStatus.FORBIDDEN,
            words=words,
            needed=error.needed,
            asks_in=error.needed != "owner",
            **pair_form(parts, access),
        )
