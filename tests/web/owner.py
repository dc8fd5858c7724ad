"""The browser of the table's own machine: whoever comes over loopback brings the table's key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask
from flask.testing import FlaskClient

from web.shared.addresses import is_loopback

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def with_own_key(app: Flask) -> WSGIApplication:
    """The application, for browsers of which each on loopback opened the link of the start text.

    One that shows another cookie of the table, or comes from elsewhere, is as it is.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        name, sent = f"device-{environ['SERVER_PORT']}=", environ.get("HTTP_COOKIE", "")
        if is_loopback(environ["REMOTE_ADDR"]) and name not in sent:
            own = f"{name}{app.secret_key!s}"
            environ["HTTP_COOKIE"] = f"{sent}; {own}" if sent else own
        return app.wsgi_app(environ, start_response)

    return answer


class OwnersClient(FlaskClient):
    """The test client as such a browser; a plain `FlaskClient` is one that was told nothing."""

    def __init__(self, application: Flask, *others: Any, **named: Any) -> None:
        super().__init__(application, *others, **named)
        self._answer = with_own_key(application)

    def run_wsgi_app(self, environ: WSGIEnvironment, buffered: bool = False) -> Any:  # noqa: FBT001, FBT002 -- as werkzeug's
        """Send a request, with the key where it comes from this machine."""
        told, self.application = self.application, self._answer  # type: ignore[assignment]
        try:
            return super().run_wsgi_app(environ, buffered)
        finally:
            self.application = told
