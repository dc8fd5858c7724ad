"""The hub over HTTP/1.1: one request a call, answers of a bounded size, no redirections.

Connections are kept and used again, so that a table's calls reach one process of the hub.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Final, TypeVar
from unicodedata import normalize
from urllib.parse import parse_qs, unquote, urlsplit

from urllib3 import Timeout, connection_from_url
from urllib3.exceptions import HTTPError

from scoreboard.errors import NotationError, ScoreboardError
from scoreboard.message import message
from scoreboard.tournament.client.attendance import Ticket
from scoreboard.tournament.protocol import hub_update
from scoreboard.tournament.protocol.documents import WireError, text_of, value_from_text
from scoreboard.tournament.protocol.items import Delivery, PhotoReceipt, Receipt

ANSWER_SECONDS: Final = 10.0
MOST_CONNECTIONS: Final = 4  # kept; a table waits for an update on one, and delivers on another
LARGEST_ANSWER_BYTES: Final = 1024 * 1024
# One sentence whatever is there, so that no one learns from a table which ports are open.
AWAY: Final = message(
    "No hub answers at this address: check the address, whether the hub runs, and the network."
)
UNINVITED: Final = message("The hub does not know this table any more; join again with a new code.")
TRY_AGAIN: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
NO_TICKET: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
SCHEMES: Final = frozenset({"http", "https"})
HUB_PORT: Final = 8100
HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}")  # a name, or of IPv6
# The path below which the hub is, and the code of a link; other pages of a hub lead to it as well
LINK: Final = re.compile(
    r"(.*?)/?(?:/join/([^/]+)/?|/(?:e|join|new|p|people|players|seasons|sign-in|api)(?:/.*)?)?"
)
ValueT = TypeVar("ValueT")


class HubAwayError(ScoreboardError, ConnectionError):
    """No answer came; the hub may or may not have received the request. Try again."""


class HubRefusedError(ScoreboardError, PermissionError):
    """The hub refuses the table or the request: trying again changes nothing."""


class NotInvitedError(HubRefusedError):
    """The hub does not know the table's ticket, or not any more."""


class HttpHub:
    """A hub at an address such as `http://10.0.0.7:8080`; thread-safe.

    Every method raises HubAwayError without an answer, HubRefusedError for a refusal, and
    NotInvitedError for an invalid ticket.
    """

    def __init__(self, address: str, answer_seconds: float = ANSWER_SECONDS) -> None:
        parts = urlsplit(address)
        self._base = f"{parts.path.rstrip('/')}/api/v1"
        self._host = parts.netloc.removesuffix(":80")
        self._answer_seconds = answer_seconds
        self._connections = connection_from_url(address, maxsize=MOST_CONNECTIONS)

    def join(self, request: hub_update.JoinRequest) -> hub_update.Joined:
        """Spend a code for a place."""
        return self._post(hub_update.Joined, "join", request)

    def knows(self, ticket: Ticket) -> bool:
        """Whether the hub knows the table's token, asked without showing it."""
        nonce, known = token_urlsafe(), sha256(ticket.token.encode()).hexdigest()
        challenge = hub_update.Challenge(ticket.tournament_id, ticket.place, nonce)
        answer = self._post(hub_update.Proof, "prove", challenge)
        return hub_update.proof_of(known, nonce, self._host) in answer.proofs

    def greet(self, token: str, greeting: hub_update.Greeting) -> hub_update.HubUpdate:
        """Send the list of this table's games."""
        return self._post(hub_update.HubUpdate, "greet", greeting, token)

    def deliver(self, token: str, delivery: Delivery) -> Receipt:
        """Send items of a game."""
        return self._post(Receipt, f"games/{delivery.game_id}/items", delivery, token)

    def send_photo(self, token: str, jpeg: bytes) -> PhotoReceipt:
        """Send the last roll's photo for spectators."""
        return self._answer(PhotoReceipt, "photo", token, jpeg)

    def next_update(
        self, token: str, after: int, wait_seconds: float, heard: tuple[int, ...] = ()
    ) -> hub_update.HubUpdate:
        """The newest update, or the next one; `heard` are the messages that the table has."""
        messages = ",".join(map(str, heard))
        path = f"word?after={after}&wait={wait_seconds:g}&messages={messages}"
        return self._answer(hub_update.HubUpdate, path, token, wait_seconds=wait_seconds)

    def _post(self, kind: type[ValueT], path: str, text: object, token: str = "") -> ValueT:
        return self._answer(kind, path, token, text_of(text).encode())

    def _answer(
        self,
        kind: type[ValueT],
        path: str,
        token: str,
        body: bytes | None = None,
        wait_seconds: float = 0.0,
    ) -> ValueT:
        """The hub's answer, open for `wait_seconds`; the network's faults become ours here.

        A ticket is shown only to the hub itself: no redirection is followed.
        """
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        try:
            response = self._connections.request(
                "GET" if body is None else "POST",
                f"{self._base}/{path}",
                body=body,
                headers=headers,
                timeout=Timeout(self._answer_seconds + wait_seconds),
                retries=False,
                redirect=False,
                preload_content=False,
            )
            with response:
                # as many bytes as any answer may have; then the connection is free again
                answer = response.read(LARGEST_ANSWER_BYTES + 1)
                if len(answer) <= LARGEST_ANSWER_BYTES:
                    response.drain_conn()
                else:
                    response.close()
        except (OSError, HTTPError) as error:
            raise HubAwayError(AWAY) from error
        if response.status == HTTPStatus.OK:
            try:
                return value_from_text(kind, answer)
            except WireError as error:
                raise HubAwayError(AWAY) from error
        raise _refusal(response.status, answer, shown=bool(token))


def _refusal(status: int, body: bytes, *, shown: bool) -> HubAwayError | HubRefusedError:
    """The error of a status that is no success; `shown`: a ticket was shown."""
    if status in TRY_AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return HubAwayError(AWAY)
    if status in NO_TICKET and shown:
        return NotInvitedError(UNINVITED)
    try:
        refused = value_from_text(hub_update.Refused, body)
    except WireError:
        return HubRefusedError(AWAY)
    text = refused.message if refused.said is None else refused.said.message
    return HubRefusedError(message("The hub says: {message}", message=text) if text else AWAY)


@dataclass(frozen=True, slots=True)
class HubAddress:
    """A hub's address, and the code if it was typed with it.

    `10.0.0.7`, `https://hub.example` and the whole link behind a QR code,
    `http://10.0.0.7:8100/join/ACDE-3467`, are all fine; a bare name means http, and the hub's
    default port.
    """

    address: str
    code: str = ""

    @classmethod
    def parse(cls, text: str) -> HubAddress:
        """Raises NotationError: it is no address of a hub."""
        typed = normalize("NFKC", text).strip()
        try:
            parts = urlsplit(typed if "://" in typed else f"http://{typed}")
            bare = "://" not in typed and parts.port is None
            called = HOST.fullmatch(parts.hostname or "") is not None
            known = parts.scheme in SCHEMES and called and parts.port != 0
        except ValueError:
            known = False
        if not known or "@" in parts.netloc or not typed.isprintable() or " " in typed:
            raise NotationError.worded(
                "“{text}” is no address of a hub: write it as 10.0.0.7:8100.", text=typed
            )
        port = f":{HUB_PORT}" if bare else ""
        place = parts.netloc.rstrip(":")
        link = LINK.fullmatch(parts.path)
        below, code = link.groups() if link else ("", None)
        codes = [unquote(code)] if code else parse_qs(parts.query).get("code", [])
        return cls(f"{parts.scheme}://{place}{port}{below}", next(iter(codes), ""))
