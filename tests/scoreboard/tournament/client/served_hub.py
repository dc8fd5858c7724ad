"""The fake hub behind real HTTP on a free port of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from scoreboard.tournament.client.http_hub import HubAwayError, HubRefusedError, NotInvitedError
from scoreboard.tournament.protocol.documents import WireError, text_of, value_from_text
from scoreboard.tournament.protocol.hub_update import Greeting, JoinRequest, LocalizedText, Refused
from scoreboard.tournament.protocol.items import Delivery
from tests.scoreboard.tournament.client.fakes import BadWay


class Handler(BaseHTTPRequestHandler):
    """Answers the four addresses of the protocol."""

    protocol_version = "HTTP/1.1"
    way: BadWay
    callers: set[tuple[str, int]]

    def setup(self) -> None:
        super().setup()
        self.callers.add(self.client_address)

    def do_POST(self) -> None:
        self._answered()

    def do_GET(self) -> None:
        self._answered()

    def log_message(self, *_words: object) -> None:
        """Tell nobody."""

    def _answered(self) -> None:
        try:
            self._send(HTTPStatus.OK, self._answer())
        except NotInvitedError as error:
            self._send(HTTPStatus.UNAUTHORIZED, Refused("unknown table", str(error)))
        except HubRefusedError as error:
            self._send(
                HTTPStatus.CONFLICT, Refused("refused", str(error), LocalizedText.of(error.message))
            )
        except WireError as error:
            self._send(HTTPStatus.BAD_REQUEST, Refused("malformed", str(error)))
        except HubAwayError as error:
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, Refused("busy", str(error)))

    def _answer(self) -> object:
        length = int(self.headers.get("Content-Length", "0"))
        asked, body = urlsplit(self.path), self.rfile.read(length)
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        match asked.path.removeprefix("/api/v1/").split("/"):
            case ["join"]:
                return self.way.join(value_from_text(JoinRequest, body))
            case ["greet"]:
                return self.way.greet(token, value_from_text(Greeting, body))
            case ["games", _, "items"]:
                return self.way.deliver(token, value_from_text(Delivery, body))
            case ["word"]:
                query = parse_qs(asked.query)
                after, wait = int(query["after"][0]), float(query["wait"][0])
                heard = query.get("messages", [""])[0].split(",")
                return self.way.next_update(token, after, wait, tuple(int(n) for n in heard if n))
        return Refused("unknown", "There is no such address.")

    def _send(self, status: HTTPStatus, value: object) -> None:
        text = text_of(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@contextmanager
def served(way: BadWay, callers: set[tuple[str, int]] | None = None) -> Iterator[str]:
    """The address of the hub, for as long as it is served; `callers` gets each connection."""
    bound = {"way": way, "callers": set() if callers is None else callers}
    handler = type("BoundHandler", (Handler,), bound)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
