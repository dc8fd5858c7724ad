"""Https support: devices learn to trust the page, install it, and know when it is away.

Over plain http the network gets only the page that explains how to trust the table; this machine
itself, whose requests no network carries, is served either way (docs/decisions/0032-https.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Flask, Response, render_template, request

from web.shared.addresses import is_loopback
from web.shared.faults import asked_rule
from web.shared.security import by_ingress
from web.table.parts import to

if TYPE_CHECKING:
    from web.shared.certificates import TableCertificate


def require_https(app: Flask) -> None:
    """Redirect plain http from other devices to the page that explains how to trust."""

    @app.before_request
    def check() -> Response | None:
        rule = asked_rule()
        over_http, caller = rule is not None and rule.over_http, request.remote_addr or ""
        # it never left this machine if it came from the address that it reached
        is_own = is_loopback(caller) or caller == request.environ["SERVER_NAME"]
        if request.is_secure or over_http or is_own or by_ingress():
            return None
        page = "camera" if request.endpoint == "phone.show" else None
        return to("https.trust", to=page)


def https_views(certificate: TableCertificate) -> Blueprint:
    """`/certificate`: how a device trusts the table, and the files it needs for that."""
    views = Blueprint("https", __name__, url_prefix="/certificate")

    @views.get("", right="stranger", over_http=True)
    def trust() -> str:
        return render_template(
            "trust.html",
            fingerprint=certificate.authority.fingerprint,
            table_address=f"https://{request.host}/",
            for_camera=request.args.get("to") == "camera",
        )

    @views.get("/tablescore.crt", right="stranger", over_http=True)
    def download() -> Response:
        return Response(certificate.authority.pem, mimetype="application/x-x509-ca-cert")

    return views


def install_views() -> Blueprint:
    """The web app manifest, the service worker, and the page that this shows without a network."""
    views = Blueprint("install", __name__)

    @views.get("/manifest.webmanifest", right="stranger")
    def manifest() -> Response:
        written = render_template("manifest.webmanifest")
        return Response(written, mimetype="application/manifest+json")

    @views.get("/service-worker.js", right="stranger")
    def service_worker() -> Response:  # here, because it serves what is below its own address
        return Response(render_template("service_worker.js"), mimetype="text/javascript")

    @views.get("/not-reached", right="stranger")
    def not_reached() -> str:
        return render_template("not_reached.html")

    return views
