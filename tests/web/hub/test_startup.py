"""The hub put together over a file, behind a proxy and below a path; and how it refuses."""

from __future__ import annotations

import gc
import re
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.protocol.hub_update import JoinRequest
from scoreboard.tournament.storage.hub_store import open_hub_store
from scoreboard.worker import worker_faults
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.tournament.client.fakes import wait_for
from tests.web.hub.house import OWN, PASSWORD, SECRET, Hall
from web.cli.hub import HubPlan
from web.hub.app import create_hub_app
from web.hub.hub import HubSettings
from web.hub.startup import TIDYING, first_words, start_hub, tidy_seldom
from web.shared.addresses import AddressWatch

HOUSE = HubSettings("http://localhost", frozenset({"localhost"}))


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of a database that does not exist yet."""
    return f"sqlite:///{tmp_path}/hub.sqlite3"


def test_the_set_up_link_and_a_session_outlive_a_restart(database: str) -> None:
    """The secret is kept in the database, whatever process asks."""
    keys, directed = first_words(database)
    assert not directed
    first = start_hub(database, HOUSE)
    client = first.app.test_client()
    form = {"name": "Dana", "password": PASSWORD}
    assert client.post(f"/set-up/{keys.set_up}", data=form, headers=OWN).status_code == 303
    cookie = client.get_cookie(keys.cookie)
    first.close()
    assert cookie is not None
    again, directed = first_words(database)
    assert directed
    assert again.viewing == keys.viewing
    second = start_hub(database, HOUSE)
    client = second.app.test_client()
    client.set_cookie(keys.cookie, cookie.value)
    assert client.get("/new").status_code == 200
    second.close()


def test_tables_tell_a_start_of_the_hub_from_the_one_before(database: str) -> None:
    """All processes of one start answer with the same life."""
    hall, token = Hall(store=open_hub_store(database)), "t" * 32
    code = hall.hub.admission.offer_code(hall.event(), 1)
    hall.hub.admission.join(JoinRequest(code, "Corner", token))
    hall.store.close()
    lives = []
    for plan in (HubPlan("127.0.0.1", database, 1, "open", 500, "") for _ in range(2)):
        for _process in range(2):
            with closing(start_hub(database, plan.hub_settings(1))) as hub:
                authorized = {"Authorization": f"Bearer {token}"}
                answer = hub.app.test_client().get("/api/v1/word", headers=authorized)
                lives.append(answer.get_json()["life"])
    assert lives[0] == lives[1] != lives[2] == lives[3] != ""


def test_the_director_is_told_of_backups_that_fail(database: str, tmp_path: Path) -> None:
    """As of everything that fails in the background."""
    (tmp_path / "hub.sqlite3.backups").touch()  # no folder
    with closing(start_hub(database, HOUSE)):
        wait_for(lambda: any("“backups” fails" in str(each) for each in worker_faults()))


def test_behind_a_proxy_the_caller_is_whom_it_names() -> None:
    """And the cookie goes over https alone."""
    house = replace(HOUSE, address="https://hub.example", proxies=("127.0.0.1",))
    hall = Hall()
    hall.account("Dana", "director")
    app = _app(hall, replace(house, allowed_hosts=frozenset({"hub.example"})))
    headers = {
        "Host": "hub.example",
        "Origin": "https://hub.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "203.0.113.9",
    }
    form = {"name": "Dana", "password": PASSWORD}
    answer = app.test_client().post("/sign-in", data=form, headers=headers)
    assert answer.status_code == 303
    assert "Secure" in answer.headers["Set-Cookie"]
    plain = {**headers, "X-Forwarded-Proto": "http"}
    assert app.test_client().post("/sign-in", data=form, headers=plain).status_code == 403


@pytest.mark.parametrize(
    ("caller", "status"),
    [("192.0.2.1", 401), ("::ffff:192.0.2.1", 401), ("127.0.0.1", 429), ("192.0.2.9", 429)],
)
def test_only_a_named_proxy_is_believed_who_asks(caller: str, status: int) -> None:
    """Whoever else makes up an address for each try has ten a minute all the same."""
    hall = Hall()
    app = _app(hall, replace(HOUSE, proxies=("192.0.2.1",)))
    sent = {"REMOTE_ADDR": caller}
    for number in range(11):
        answer = app.test_client().post(
            "/sign-in",
            data={"name": f"Nobody {number}", "password": "wrong"},
            headers={"Origin": "http://localhost", "X-Forwarded-For": f"203.0.113.{number}"},
            environ_overrides=sent,
        )
    assert answer.status_code == status


def _app(hall: Hall, settings: HubSettings) -> Flask:
    return create_hub_app(replace(hall.hub, settings=settings), SECRET)


def test_a_store_that_is_away_is_told_with_503() -> None:
    """With its sentence; the page comes back when the store does."""
    hall = Hall()

    def away(filename: str) -> str:  # noqa: ARG001 -- the address has it
        raise StoreError(message("The database server is away: start it."))

    hall.app.view_functions["look.static"] = away
    answer = hall.app.test_client().get("/look/base.css")
    assert answer.status_code == 503
    assert "The database server is away: start it." in answer.text
    scripted = hall.app.test_client().get("/look/x.css", headers={"Accept": "application/json"})
    assert scripted.json == {"error": "store", "message": "The database server is away: start it."}


def test_memory_is_looked_through_seldom() -> None:
    """The search for cycles stops every table: what is there at the start is left out of it."""
    before = gc.get_threshold()
    try:
        tidy_seldom()
        assert gc.get_threshold() == TIDYING
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def test_an_address_that_comes_after_the_start_is_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A Wi-Fi often comes up later than the hub; loopback was told at the start."""
    ready, printed = threading.Event(), threading.Event()
    found = ["127.0.0.1"]

    def find() -> list[str]:
        if len(found) == 2:
            (printed if ready.is_set() else ready).set()
        return list(found)

    watch = AddressWatch("0.0.0.0", 8100, find, 0.001)  # noqa: S104 -- the wildcard is what is tested
    hub = start_hub(f"sqlite:///{tmp_path}/hub.sqlite3", HOUSE, [watch])
    found.append("192.0.2.7")
    assert printed.wait(PATIENCE_SECONDS)
    hub.close()
    assert capfd.readouterr().out == "  open     http://192.0.2.7:8100/\n"


STRAY = re.compile(r'(?:href|src|action|data-\w+|value)="(/(?!cup/)[^"]*)"')
PAGES = ("", "/desk", "/entries", "/tables", "/board", "/standings", "/sheets/links", "/check-in")


@pytest.mark.parametrize(
    "below", ["/cup", ""], ids=["the proxy keeps it", "the proxy takes it off"]
)
def test_no_link_leaves_the_path(below: str) -> None:
    """Pages, forms, live streams, redirects and cookies stay below it."""
    hall = Hall(address="http://localhost/cup")
    hall.account("Dana", "director")
    event, director = hall.event(), hall.browser()
    asked = director.get(f"{below}/e/{event}/desk")
    assert asked.location == f"/cup/sign-in?next=/cup/e/{event}/desk"
    answer = director.post(f"{below}/sign-in", name="Dana", password=PASSWORD)
    assert answer.location == "/cup/"
    assert "Path=/cup/" in answer.headers["Set-Cookie"]
    for place in PAGES:
        page = director.get(f"/cup/e/{event}{place}")
        assert page.status_code in {200, 308}, place
        assert STRAY.findall(page.text) == []
    refused = director.post(f"/cup/e/{event}/entries", name="", club="Hill")
    assert 'value="Hill"' in refused.text
    assert STRAY.findall(refused.text) == []
    assert 'next" value="/cup/' in director.get("/cup/").text


def test_links_on_paper_have_the_path_once() -> None:
    """Of players, tables and the sign-up; a proxy tells capitals from small letters."""
    hall = Hall(address="http://localhost/cup")
    event, director = hall.event(), hall.browser()
    hall.account("Dana", "director")
    director.post("/cup/sign-in", name="Dana", password=PASSWORD)
    sheet = director.get(f"/cup/e/{event}/sheets/links").text
    assert 'href="http://localhost/cup/p/' in sheet
    codes = director.post(f"/cup/e/{event}/tables/codes", first="1").text
    assert "http://localhost/cup<" in codes
    listed = director.get(f"/cup/e/{event}/export/links.csv").text
    assert "http://localhost/cup/p/" in listed
    assert "/cup/cup" not in sheet + codes + listed


@pytest.mark.parametrize("path", ["/e", "/cup/join/", "/api/v1"])
def test_a_path_that_is_a_page_of_the_hub_is_refused_at_the_start(path: str) -> None:
    """With one, neither the hub nor a table that is given a link could tell where it ends."""
    with pytest.raises(ValueError, match=r"--address .* choose another path"):
        Hall(address=f"http://localhost{path}")
