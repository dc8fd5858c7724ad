"""Who may ask for what: the host, the origin and the size of every request, and the headers.

A web page of somebody else, open in a browser that reaches the table, may do nothing. What the
device itself may do, by its cookie, is decided in `web.table.people.access`, and at a hub in
`web.hub.access`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Request, Response, request
from werkzeug.exceptions import Forbidden, MisdirectedRequest
from werkzeug.routing import IntegerConverter

from scoreboard.typed_numbers import MOST_DIGITS
from web.shared.addresses import parsed_address

LARGEST_FORM_BYTES: Final = 64 * 1024
LARGEST_PHOTO_BYTES: Final = 25 * 1024 * 1024
READING_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# RFC 9110, section 7.2: a name or an address, and perhaps a port; nothing else is in it.
HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([\w.-]{1,253}))(?::[0-9]{0,5})?", re.ASCII)
WHOLE_NUMBER: Final = re.compile(rf"[0-9]{{1,{MOST_DIGITS}}}")

# Nothing is loaded from elsewhere, and nothing runs or styles inline.
CONTENT_POLICY: Final = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
)
HEADERS: Final = {
    "Content-Security-Policy": "; ".join(CONTENT_POLICY),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    # no-referrer would make browsers send `Origin: null` with our own forms
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
FRAMED: Final = {  # by the pages of the same host: Home Assistant shows an add-on in its own
    "Content-Security-Policy": "; ".join((*CONTENT_POLICY[:-1], "frame-ancestors 'self'")),
    "X-Frame-Options": "SAMEORIGIN",
}
INGRESS: Final = "tablescore.ingress"  # in the environment of what Home Assistant passed on
INGRESS_PATH: Final = re.compile(r"(?:/[\w-]+)+", re.ASCII)


def guard(app: Flask, allowed_hosts: frozenset[str]) -> None:
    """Check every request of the application and harden every response."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_FORM_BYTES
    app.url_map.converters["int"] = WholeNumberConverter

    @app.before_request
    def check() -> None:
        require_known_host(request, allowed_hosts)
        require_own_page(request)

    @app.after_request
    def harden(response: Response) -> Response:
        policies = HEADERS | (FRAMED if by_ingress() else {})
        for name, value in policies.items():  # the page of the camera has a policy of its own
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def behind_ingress(app: WSGIApplication, supervisor: str) -> WSGIApplication:
    """The application, also below the path by which Home Assistant's Supervisor passes requests on.

    Only one that comes from the address `supervisor`, and names such a path, is believed which host
    and scheme the browser used. The Supervisor lets nobody through who is not signed in, so that no
    foreign name leads here. X-Forwarded-For is not read: no caller comes from loopback by it.
    """
    known = parsed_address(supervisor)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("HTTP_X_INGRESS_PATH", "")
        by_it = parsed_address(environ.get("REMOTE_ADDR", "")) == known
        if known is not None and by_it and INGRESS_PATH.fullmatch(path):
            scheme = environ.get("HTTP_X_FORWARDED_PROTO", "").partition(",")[0].strip()
            host = environ.get("HTTP_X_FORWARDED_HOST", "").partition(",")[0].strip()
            environ["SCRIPT_NAME"], environ["HTTP_HOST"] = path, host
            environ["wsgi.url_scheme"] = "https" if scheme == "https" else "http"
            environ[INGRESS] = environ.get("HTTP_X_REMOTE_USER_ID", "")
        return app(environ, start_response)

    return answer


def by_ingress() -> bool:
    """Whether Home Assistant passed this request on; its person's id is in the environment."""
    return INGRESS in request.environ


def require_known_host(asked: Request, allowed_hosts: frozenset[str]) -> None:
    """Refuse a name that a foreign name server points here (DNS rebinding).

    An address cannot be pointed elsewhere: the one by which the request came is always known, even
    if the machine got it after the start. Home Assistant has names of its own. Raises
    MisdirectedRequest if the Host header names none of `allowed_hosts`, nor that address.
    """
    name = host_name(asked.headers.get("Host", ""))
    if name in allowed_hosts or (name and INGRESS in asked.environ):
        return
    address = parsed_address(name)
    if address is None or address != parsed_address(asked.environ["SERVER_NAME"]):
        raise MisdirectedRequest


def host_name(host: str) -> str:
    """The name in a Host header: lower case, without port, brackets and closing dot; "" for none.

    What is more than a name and a port (`evil@127.0.0.1`, `127.0.0.1#x`) is none.
    """
    found = HOST.fullmatch(host)
    return "" if found is None else (found[1] or found[2]).lower().removesuffix(".")


class WholeNumberConverter(IntegerConverter):
    """`<int:...>` in an address: what has more digits than a database's numbers is not found."""

    regex = WHOLE_NUMBER.pattern


def whole_number(text: str) -> int | None:
    """A number in a form or an address, None for anything else and for more than 18 digits."""
    found = WHOLE_NUMBER.fullmatch(text)
    return None if found is None else int(found[0])


def require_own_page(asked: Request) -> None:
    """Refuse what another web site makes a player's browser send.

    A changing request must come from a page of this very host: its Origin shows it, or, when the
    browser leaves that out, Sec-Fetch-Site. Another site may link here, no more. Raises Forbidden
    if it does not.
    """
    site, origin = asked.headers.get("Sec-Fetch-Site"), asked.headers.get("Origin")
    if asked.method in READING_METHODS:
        linked = asked.headers.get("Sec-Fetch-Mode") == "navigate"
        allowed = linked or site in {None, "same-origin", "none"}
    elif origin is None:
        allowed = site == "same-origin"
    else:
        own = f"{asked.scheme}://{asked.headers.get('Host', '')}"
        allowed = site in {None, "same-origin"} and origin == own
    if not allowed:
        raise Forbidden
