"""A director at the hub's pages: creates the tournament, draws, starts and closes rounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from http.cookiejar import CookieJar
from typing import Final
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, ProxyHandler, Request, build_opener

from scoreboard.tournament.model.formats import FORMATS
from tests.web.forms import seen
from web.hub.format_form import filled

PRESET: Final = "club-evening"
PASSWORD: Final = "four plain small words"  # noqa: S105 -- of an account that lives for a while
MOST_CODES: Final = 400  # on one page
PATIENCE_SECONDS: Final = 120.0
FILE: Final = "boundary-of-the-list"
_SLIP: Final = re.compile(r'class="slip-table">\D*(\d+)</p><p><code class="code">([^<]+)<')
_EVENT: Final = re.compile(r"/e/([^/]+)/")


class Director:
    """The director's browser. A refused request raises urllib's HTTPError."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"
        self._browser: OpenerDirector = build_opener(
            ProxyHandler({}), HTTPCookieProcessor(CookieJar())
        )
        self.event = ""

    def sign_up(self, set_up: str) -> None:
        """Become the first director of this hub."""
        self._post(f"/{set_up}", {"name": "Director", "password": PASSWORD})

    def open(self, entrants: int, rounds: int) -> None:
        """Create a tournament with this many players."""
        form = replace(FORMATS[PRESET], rounds=rounds, games=1)
        fields = {"title": "Open", "preset": PRESET, **filled(form)}
        place = self._post("/new", {**self._seen("/new"), **fields})[0]
        found = _EVENT.search(place)
        assert found is not None, place
        self.event = found[1]
        players = "".join(f"Player {number}\n" for number in range(1, entrants + 1))
        self._send_file(f"/e/{self.event}/entries/file", f"name\n{players}")

    def codes(self, tables: int) -> Mapping[int, str]:
        """A code for each table."""
        codes: dict[int, str] = {}
        for first in range(1, tables + 1, MOST_CODES):
            last = min(tables, first + MOST_CODES - 1)
            page = self._post(f"/e/{self.event}/tables/codes", {"first": first, "last": last})[1]
            codes |= {int(number): code for number, code in _SLIP.findall(page)}
        return codes

    def draw(self, number: int) -> None:
        """Draw the next round with a fixed seed."""
        self._press("rounds/draw", seed=number)

    def start(self) -> None:
        """Start the round."""
        self._press("rounds/start")

    def close(self) -> None:
        """Close the round; all results must be in."""
        self._press("rounds/close")

    def links(self) -> None:
        """Look at the sheet of all players' links."""
        self._ask(f"/e/{self.event}/sheets/links", None, "")

    def _press(self, path: str, **fields: int) -> None:
        """Press a button of the desk."""
        event = f"/e/{self.event}"
        self._post(f"{event}/{path}", {**self._seen(f"{event}/desk"), **fields})

    def _seen(self, page: str) -> dict[str, str]:
        return seen(self._ask(page, None, "")[1])

    def _post(self, path: str, fields: Mapping[str, str | int]) -> tuple[str, str]:
        return self._ask(path, urlencode(fields).encode(), "application/x-www-form-urlencoded")

    def _send_file(self, path: str, text: str) -> None:
        head = 'Content-Disposition: form-data; name="file"; filename="entries.csv"'
        lines = (f"--{FILE}", head, "Content-Type: text/csv", "", text, f"--{FILE}--", "")
        self._ask(path, "\r\n".join(lines).encode(), f"multipart/form-data; boundary={FILE}")

    def _ask(self, path: str, body: bytes | None, kind: str) -> tuple[str, str]:
        """Request a path; return the final address and its page."""
        asked = Request(f"{self._base}{path}", body, _headers(self._base, kind))  # noqa: S310 -- our own hub
        with self._browser.open(asked, timeout=PATIENCE_SECONDS) as answer:
            return answer.url, answer.read().decode()


def _headers(origin: str, kind: str) -> dict[str, str]:
    pairs: Iterable[tuple[str, str]] = (("Origin", origin), ("Content-Type", kind))
    return dict(pairs)
