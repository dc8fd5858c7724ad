"""Home Assistant's part of an add-on's ingress: a proxy below a path, for who is signed in.

What it sets and strips is what Home Assistant's core and Supervisor do, of 2026: the path, the host
and the scheme that the browser used, who is signed in; and the browser's own word on these is lost.
"""

from __future__ import annotations

import http.client
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

SUPERVISOR = "172.30.32.2"
PREFIX = "/api/hassio_ingress/abc"
PANEL = "/tablescore"  # Home Assistant's own page, which has the add-on in a frame
PERSON = "5f2c1e7d"  # who is signed in
LOST = {"connection", "content-length", "transfer-encoding", "content-encoding", "keep-alive"}
OURS = ("x-remote-user-", "x-ingress-path", "x-test-address")


class Ingress:
    """The application that passes everything below `PREFIX` on to the port of a table."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.stray: list[str] = []  # what was asked for outside: a link that lost its prefix

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Pass a request on, and its answer back as it comes."""
        path = environ["PATH_INFO"].encode("latin-1").decode()
        if path == PANEL:
            start_response("200 OK", [("Content-Type", "text/html")])
            return (f'<!doctype html><iframe src="{PREFIX}/"></iframe>'.encode(),)
        if not path.startswith(f"{PREFIX}/"):
            self.stray.append(path)
            start_response("404 NOT FOUND", [])
            return ()
        query = environ.get("QUERY_STRING", "")
        inner = f"{path.removeprefix(PREFIX)}{'?' if query else ''}{query}"
        table = http.client.HTTPConnection("127.0.0.1", self.port)
        body, method = environ["wsgi.input"], environ["REQUEST_METHOD"]
        content = body.read(int(environ.get("CONTENT_LENGTH") or 0))
        # as `ingress_stream` has it: the Supervisor takes the length off, and sends in chunks
        parts = iter([content]) if method == "POST" else None
        chunked = {"transfer-encoding": "chunked"} if parts else {}
        sent = _sent(environ) | chunked
        table.request(method, inner, parts, sent, encode_chunked=bool(parts))
        answer = table.getresponse()
        kept = [each for each in answer.getheaders() if each[0].lower() not in LOST]
        start_response(f"{answer.status} {HTTPStatus(answer.status).phrase.upper()}", kept)
        return _told(table, answer)


def _sent(environ: WSGIEnvironment) -> dict[str, str]:
    named = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    sent = {
        name: value
        for name, value in named.items()
        if not name.startswith(OURS) and name not in LOST
    }
    return {
        **sent,
        "connection": "close",
        "content-type": environ.get("CONTENT_TYPE", ""),
        "x-forwarded-for": f"{environ['REMOTE_ADDR']}, 172.30.32.1",
        "x-forwarded-host": environ["HTTP_HOST"],
        "x-forwarded-proto": "http",
        "x-ingress-path": PREFIX,
        "x-remote-user-id": PERSON,
        "x-test-address": SUPERVISOR,
    }


def _told(table: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> Iterator[bytes]:
    try:
        while part := answer.read1():
            yield part
    finally:
        table.close()
