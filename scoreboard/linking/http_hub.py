"""The hub over HTTP/1.1: one request a call, answers of a bounded size, no redirections."""

from __future__ import annotations

from http import HTTPStatus
from http.client import HTTPException, HTTPMessage
from typing import IO, Any, Final, TypeVar
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from scoreboard.linking.hub import HubAwayError, HubRefusedError, NotInvitedError
from scoreboard.phrase import Phrase, phrase
from scoreboard.wire.delivering import Delivery, Receipt
from scoreboard.wire.documents import WireError, text_of, value_from_text
from scoreboard.wire.joining import Joined, JoinRequest
from scoreboard.wire.refused import Refused
from scoreboard.wire.word import Greeting, Word

ANSWER_SECONDS: Final = 10.0
LARGEST_ANSWER_BYTES: Final = 1024 * 1024
AWAY: Final = phrase("The hub cannot be reached: look whether it runs, and at the network.")
STRANGE: Final = phrase("What answers at this address is no hub: check the address.")
UNINVITED: Final = phrase("The hub does not know this table any more; join again with a new code.")
TRY_AGAIN: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
NO_TICKET: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
ValueT = TypeVar("ValueT")


class _NoRedirection(HTTPRedirectHandler):
    """A ticket is shown to the hub alone, not to whom it points at."""

    def redirect_request(
        self,
        _request: Request,
        _file: IO[bytes],
        _code: int,
        _message: str,
        _headers: HTTPMessage,
        _address: str,
    ) -> None:
        return None


class HttpHub:
    """A hub at an address such as `http://10.0.0.7:8080`; safe for many threads."""

    def __init__(self, address: str, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._base = f"{address.rstrip('/')}/api/v1"
        self._answer_seconds = answer_seconds
        # tables and hub share a room: a proxy for the wide world would only stand between
        self._opener = build_opener(_NoRedirection(), ProxyHandler({}))

    def join(self, request: JoinRequest) -> Joined:
        """Spend a code for a place. Raises HubAwayError, HubRefusedError."""
        return self._post(Joined, "join", request)

    def greet(self, token: str, greeting: Greeting) -> Word:
        """Say what this table has. Raises HubAwayError, HubRefusedError."""
        return self._post(Word, "greet", greeting, token)

    def deliver(self, token: str, delivery: Delivery) -> Receipt:
        """Hand over items of a game. Raises HubAwayError, HubRefusedError."""
        return self._post(Receipt, f"games/{delivery.game_id}/items", delivery, token)

    def hear(self, token: str, after: int, wait_seconds: float) -> Word:
        """The newest word, or the one that comes. Raises HubAwayError, HubRefusedError."""
        asked = self._request(f"word?after={after}&wait={wait_seconds:g}", token)
        return self._answer(Word, asked, self._answer_seconds + wait_seconds)

    def _post(self, kind: type[ValueT], path: str, message: object, token: str = "") -> ValueT:
        asked = self._request(path, token)
        asked.data = text_of(message).encode()
        return self._answer(kind, asked, self._answer_seconds)

    def _request(self, path: str, token: str) -> Request:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        known = {"Authorization": f"Bearer {token}"} if token else {}
        return Request(f"{self._base}/{path}", headers={**headers, **known})  # noqa: S310 -- see hub_address

    def _answer(self, kind: type[ValueT], asked: Request, within_seconds: float) -> ValueT:
        """What the hub answers; this is the edge where the network's faults become ours."""
        try:
            with self._opener.open(asked, timeout=within_seconds) as response:
                return _read(kind, response)
        except HTTPError as error:
            with error:
                raise _refusal(error, shown=asked.has_header("Authorization")) from error
        except (OSError, HTTPException) as error:
            raise HubAwayError(AWAY) from error


def _read(kind: type[ValueT], response: Any) -> ValueT:
    try:
        return value_from_text(kind, response.read(LARGEST_ANSWER_BYTES))
    except WireError as error:
        raise HubAwayError(STRANGE) from error


def _refusal(error: HTTPError, *, shown: bool) -> HubAwayError | HubRefusedError:
    """What a status that is no success means; `shown` tells that a ticket was shown."""
    if error.code in TRY_AGAIN or error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return HubAwayError(AWAY)
    if error.code in NO_TICKET and shown:
        return NotInvitedError(UNINVITED)
    return HubRefusedError(_told(error))


def _told(error: HTTPError) -> Phrase:
    """The hub's own sentence, where it has one."""
    try:
        message = value_from_text(Refused, error.read(LARGEST_ANSWER_BYTES)).message
    except (OSError, HTTPException, WireError):
        return STRANGE
    return phrase("The hub says: {message}", message=message) if message else STRANGE
