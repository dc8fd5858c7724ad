"""A quiet server for pages under test, which ends what it was telling a browser that went away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ANSWER = "tests.answer"


@dataclass
class Answer:
    """What an application tells, to be closed once, whoever comes first."""

    parts: Iterable[bytes]
    closed: bool = False

    def __iter__(self) -> Iterator[bytes]:
        """What the application tells."""
        return iter(self.parts)

    def close(self) -> None:
        """End it, and with it the file or the feed behind it."""
        if not self.closed and hasattr(self.parts, "close"):
            self.parts.close()
        self.closed = True


class QuietHandler(WSGIRequestHandler):
    """Serves without a line for every request."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""

    def connection_dropped(
        self, _error: BaseException, environ: WSGIEnvironment | None = None
    ) -> None:
        """Close what was being told: werkzeug leaves it open where reading the rest fails."""
        if environ is not None and ANSWER in environ:
            environ[ANSWER].close()


def remembered(app: WSGIApplication) -> WSGIApplication:
    """The application, with its answer left where the handler finds it."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[ANSWER] = parts = Answer(app(environ, start_response))
        return parts

    return answer


def server_of(app: WSGIApplication, port: int = 0, host: str = "127.0.0.1") -> BaseWSGIServer:
    """A server with a thread for each request, at that port or a free one."""
    parts = remembered(app)
    return make_server(host, port, parts, threaded=True, request_handler=QuietHandler)
