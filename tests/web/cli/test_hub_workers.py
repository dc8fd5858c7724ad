"""`tablescore hub --workers 2` over PostgreSQL: two processes, one event."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from urllib.parse import urlencode

import pytest

from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.protocol.audit_log import Account
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.patience import PATIENCE_SECONDS
from tests.postgres import find_programs, running_cluster
from tests.web.cli.test_hub import address, running
from tests.web.forms import seen
from tests.web.hub.house import PASSWORD, QUICK
from web.hub.credentials import Passwords
from web.hub.format_form import filled

pytestmark = pytest.mark.slow


@pytest.fixture
def database() -> Iterator[str]:
    """A server of this test's own."""
    programs = find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL on this machine: install the package postgresql")
    with running_cluster(programs) as cluster:
        yield cluster.emptied_address()


class Browser:
    """A browser that opens a connection for each request, so that any worker may answer."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    @contextmanager
    def ask(
        self, path: str, form: dict[str, str] | None = None
    ) -> Iterator[http.client.HTTPResponse]:
        """Send a request, a POST where there is a form; the answer, as long as it is read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies, "Origin": f"http://127.0.0.1:{self.port}"}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        body = None if form is None else urlencode(form)
        connection.request("GET" if form is None else "POST", path, body, headers)
        with closing(connection), connection.getresponse() as answer:
            for cookie in answer.headers.get_all("Set-Cookie", ()):
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            yield answer

    def page(self, path: str) -> str:
        """The text of a page."""
        with self.ask(path) as answer:
            assert answer.status == 200
            return answer.read().decode()

    def post(self, path: str, **form: str) -> str:
        """Send a form; where it leads."""
        with self.ask(path, form) as answer:
            assert answer.status == 303, answer.read().decode()
            return answer.headers["Location"]


def state_with(stream: http.client.HTTPResponse, words: str) -> None:
    """Read a stream until a state has the words."""
    while line := stream.readline().decode():
        if line.startswith("data:") and words in str(json.loads(line[5:])):
            return
    raise AssertionError(f"the stream ended without {words}")


def test_what_one_process_takes_every_process_shows(database: str) -> None:
    """Sessions, events and news, whichever process answers."""
    store = open_hub_store(database)
    hashed = Passwords(QUICK).hashed(PASSWORD)
    store.people.add_account(Account("Dana", "director", hashed))
    store.close()
    with running("--database", database, "--workers", "2") as (_, printed):
        assert re.search(r"^  workers  2$", printed, re.MULTILINE)
        found = re.search(r":(\d+)/", address(printed, "open"))
        assert found is not None
        browser = Browser(int(found[1]))
        browser.post("/sign-in", name="Dana", password=PASSWORD)
        fields = filled(FORMATS["blind-high-score"]) | {"title": "Open"}
        fields |= seen(browser.page("/new"))
        made = browser.post("/new", **fields)
        event = made.removesuffix("/entries")
        with browser.ask(f"{event}/live") as one, browser.ask(f"{event}/live") as other:
            for number in range(6):
                browser.post(f"{event}/entries", name=f"Player {number}")
            for stream in (one, other):
                state_with(stream, "Player 5")
        for _ in range(10):
            assert "Player 5" in browser.page(f"{event}/entries")
