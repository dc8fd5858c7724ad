"""Nobody changes anything without a right; doors, sessions, and who guesses too often."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from typing import Literal

import pytest
from argon2 import PasswordHasher
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from scoreboard.tournament.storage.players import spelling_id
from tests.patience import PATIENCE_SECONDS
from tests.web.hub.house import OWN, PASSWORD, Hall
from tests.web.rights import declared, listed, right_of
from web.hub.access import MINUTE, Limit, RateLimiter
from web.hub.credentials import MOST_HASHED, MOST_WAITING

# These change nothing without the password, the secret or the code that they ask for.
ASKING = {
    "language.choose": {303},
    "doors.enter": {401},
    "doors.sign_out": {303},
    "doors.show_code": {401},
    "doors.make_director": {404},
    "api.join": {400},
    "api.prove": {400},
    "sign_up.enter": {422},  # nobody has opened it
}
READING = {"GET", "HEAD", "OPTIONS"}


def addresses(hall: Hall, tournament_id: str) -> Iterator[tuple[Rule, str, str]]:
    """Every rule with its methods, its gaps filled with what is there."""
    known = {
        "tournament_id": tournament_id,
        "number": 1,
        "table": 1,
        "game": 1,
        "act": "restore",
        "answer": "sign",
        "chart": "wall_chart",
        "what": "results",
        "form": "csv",
        "round_number": 1,
        "key": "not-the-key",
        "name": "Dana",
        "player": spelling_id("Anna"),
        "secret": "not-the-secret",
        "code": "ACDE-3467",
        "game_id": "g1",
        "message_id": 1,
        "page": "desk",
        "penalty": 1,
        "photo": 1,
        "filename": "hub.css",
    }
    adapter = hall.app.url_map.bind("localhost")
    for rule in hall.app.url_map.iter_rules():
        values = {name: known[name] for name in rule.arguments}
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule, method, adapter.build(rule.endpoint, values, method=method)


@pytest.fixture
def hall() -> Hall:
    """A hub with a director."""
    made = Hall()
    made.account("Dana", "director")
    return made


def test_every_address_declares_the_right_that_the_list_names(hall: Hall) -> None:
    """A new page has to say who may open it: `rights_of_hub.txt` lists them all."""
    assert declared(hall.app) == listed("hub")


def test_an_address_without_a_right_is_closed(hall: Hall) -> None:
    """To a director, too."""
    hall.app.add_url_rule("/forgotten", "forgotten", lambda: "open")
    for browser in (hall.browser(), hall.browser("director")):
        assert browser.get("/forgotten").status_code == 403


def test_without_a_role_nothing_changes(hall: Hall) -> None:
    """Every method of every address, as a stranger sends it from the hub's own page."""
    tournament_id = hall.started()

    def traces() -> object:
        tournaments, people = hall.service.tournaments(), hall.store.people.accounts()
        return hall.service.export(tournament_id), people, len(tournaments)

    before = traces()
    for rule, method, path in addresses(hall, tournament_id):
        if method in READING:
            continue
        status = hall.app.test_client().open(path, method=method, headers=OWN).status_code
        allowed = ASKING.get(rule.endpoint, {401, 404} if "<key>" in rule.rule else {401})
        assert status in allowed, (rule.endpoint, method, status)
    assert traces() == before


def test_a_referee_does_not_direct(hall: Hall) -> None:
    """What is the director's is refused to a referee, and says that it is not for them."""
    tournament_id, referee = hall.event(), hall.browser("referee")
    for rule, method, path in addresses(hall, tournament_id):
        if right_of(hall.app, rule.endpoint) == "director":
            answer = referee.client.open(path, method=method, headers=OWN)
            assert answer.status_code == 403, rule.endpoint
            assert "Ask a director to do this: Rolf is signed in as a referee" in answer.text


def test_reading_needs_the_right_too(hall: Hall) -> None:
    """A stranger sees what viewers may, and is shown the door before the rest."""
    tournament_id = hall.event()
    stranger = hall.browser()
    for rule, method, path in addresses(hall, tournament_id):
        right = right_of(hall.app, rule.endpoint)
        if method not in READING or rule.endpoint.startswith("live."):
            continue
        with stranger.get(path) as answer:
            status = answer.status_code
        expected = {"director": {303}, "referee": {303}, "table": {401}, "player": {404}}
        assert status in expected.get(right or "", {200, 304, 404}), (rule.endpoint, status)


def test_with_a_viewing_code_nothing_is_seen_without_it() -> None:
    """The host's choice: then everybody types the code once."""
    hall = Hall(viewers="code")
    tournament_id = hall.event()
    stranger = hall.browser()
    for rule, method, path in addresses(hall, tournament_id):
        if method in READING and right_of(hall.app, rule.endpoint) == "viewer":
            answer, for_programs = stranger.get(path), path.startswith("/api/")
            assert answer.status_code == (403 if for_programs else 303), rule.endpoint
            if for_programs:
                assert answer.get_json()["error"] == "not-allowed"
            else:
                assert answer.location.startswith("/look?next=")
    asked = stranger.get(f"/look?next=/e/{tournament_id}/").text
    assert f'value="/e/{tournament_id}/"' in asked
    assert 'name="code"' in asked
    assert stranger.post("/look", code="wrong").status_code == 401
    code = hall.hub.keys.viewing.upper()
    assert stranger.post("/look", code=code, next=f"/e/{tournament_id}/").status_code == 303
    assert stranger.get(f"/e/{tournament_id}/").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_another_site_cannot_act_through_a_directors_browser(
    hall: Hall, headers: dict[str, str]
) -> None:
    """Every changing address refuses what no page of the hub sent, signed in or not."""
    tournament_id, director = hall.event(), hall.browser("director")
    before = hall.service.export(tournament_id)
    for rule, method, path in addresses(hall, tournament_id):
        if method not in READING and not rule.endpoint.startswith("api."):
            answer = director.client.open(path, method=method, headers=headers)
            assert answer.status_code == 403, rule.endpoint
    assert hall.service.export(tournament_id) == before


@pytest.mark.parametrize("token", ["", "made-up"])
def test_the_tables_addresses_ask_for_a_token(hall: Hall, token: str) -> None:
    """None, or one that nobody was given: 401 as a document, whatever else is sent."""
    client = hall.app.test_client()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    tries = {
        "/api/v1/greet": '{"games": {}, "heard": 0}',
        "/api/v1/games/g1/items": '{"game_id": "g1", "items": []}',
    }
    answers = [client.post(path, data=body, headers=headers) for path, body in tries.items()]
    answers.append(client.get("/api/v1/word?after=0&wait=0", headers=headers))
    for answer in answers:
        assert answer.status_code == 401
        assert answer.json is not None
        assert answer.json["error"] == "unknown-token"


def test_a_foreign_host_is_refused(hall: Hall) -> None:
    """Another name that was pointed here gets nothing (DNS rebinding)."""
    assert hall.app.test_client().get("/", headers={"Host": "evil.example"}).status_code == 421


PHONE = "10.0.0.7"


class WatchedHasher(PasswordHasher):
    """Hashes as quickly as may be, counts, and holds every check until it is let go."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.go_on = threading.Event()
        self.checked = self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 -- argon2's name
        """Check once the test lets it."""
        with self._lock:
            self.checked += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        self.go_on.wait(PATIENCE_SECONDS)
        try:
            return super().verify(hash, password)
        finally:
            with self._lock:
                self.at_once -= 1


def tried(
    hall: Hall,
    address: str,
    password: str = "wrong",  # noqa: S107
    name: str = "Dana",
    client: FlaskClient | None = None,
) -> int:
    """The status that a try to sign in from this address gets, in a new browser or that one."""
    answer = (client or hall.app.test_client()).post(
        "/sign-in",
        data={"name": name, "password": password},
        headers=OWN,
        environ_overrides={"REMOTE_ADDR": address},
    )
    return answer.status_code


def at_once(hasher: WatchedHasher, tries: int, attempt: Callable[[int], int]) -> list[int]:
    """What so many tries are answered that come together; those that wait are let go at last."""
    with ThreadPoolExecutor(tries) as pool:
        under_way = [pool.submit(attempt, number) for number in range(tries)]
        done = as_completed(under_way, PATIENCE_SECONDS)
        refused = [each.result() for each in islice(done, tries - MOST_HASHED - MOST_WAITING)]
        hasher.go_on.set()
        return refused + [each.result() for each in done]


@pytest.fixture
def watched() -> tuple[Hall, WatchedHasher]:
    """A hub with a director, and its hasher."""
    hasher = WatchedHasher()
    hall = Hall(hasher=hasher)
    hall.account("Dana", "director")
    return hall, hasher


def test_of_many_guesses_at_once_ten_reach_the_hash(watched: tuple[Hall, WatchedHasher]) -> None:
    """A try is counted before it is looked at: asking together is no way around the limit."""
    hall, hasher = watched
    answers = at_once(hasher, 40, lambda _: tried(hall, PHONE))
    assert hasher.checked <= 10
    assert answers.count(401) == hasher.checked
    assert tried(hall, PHONE) == 401 or hasher.checked == 10


def test_two_hashes_run_at_once_and_few_wait(watched: tuple[Hall, WatchedHasher]) -> None:
    """Whoever comes when six wait is told that the hub is busy, and keeps no thread of it."""
    hall, hasher = watched
    answers = at_once(hasher, 20, lambda number: tried(hall, f"10.0.0.{number}"))
    assert hasher.most_at_once <= MOST_HASHED
    assert answers.count(503) == 20 - MOST_HASHED - MOST_WAITING
    assert answers.count(401) == MOST_HASHED + MOST_WAITING


def known_browser(hall: Hall) -> FlaskClient:
    """A browser in which the director signed in, and out again."""
    client = hall.app.test_client()
    assert tried(hall, PHONE, PASSWORD, client=client) == 303
    assert client.post("/sign-out", headers=OWN).status_code == 303
    return client


def test_a_known_browser_waits_for_a_turn_however_many_do(
    watched: tuple[Hall, WatchedHasher],
) -> None:
    """A flood from the hall does not keep the director's own browser out."""
    hall, hasher = watched
    hasher.go_on.set()
    client = known_browser(hall)
    hasher.go_on.clear()
    with ThreadPoolExecutor(MOST_HASHED + MOST_WAITING + 1) as pool:
        crowd = [
            pool.submit(tried, hall, f"10.0.0.{number}")
            for number in range(MOST_HASHED + MOST_WAITING)
        ]
        while hall.hub.passwords._asking < len(crowd):
            time.sleep(0.01)
        director = pool.submit(tried, hall, PHONE, PASSWORD, client=client)
        hasher.go_on.set()
        assert director.result(PATIENCE_SECONDS) == 303
        assert {each.result() for each in crowd} == {401}


def test_wrong_tries_from_the_hall_never_lock_out_a_browser_that_was_signed_in(hall: Hall) -> None:
    """Under a name as under an address; any other has to wait, at the hub's own machine too."""
    client = known_browser(hall)
    tries = [tried(hall, f"10.0.{number // 9}.1") for number in range(27)]
    assert tries == [401] * 20 + [429] * 7
    assert tried(hall, PHONE, PASSWORD) == 429
    assert tried(hall, "127.0.0.1", PASSWORD) == 429
    assert tried(hall, PHONE, PASSWORD, client=client) == 303


@pytest.mark.parametrize("cookie", ["", ".", "browser.proof", "browser", "é.é"])
def test_nobody_makes_up_a_browser_that_was_signed_in(hall: Hall, cookie: str) -> None:
    """Nor takes one for another name."""
    hall.account("Rolf", "referee")
    client = hall.app.test_client()
    if cookie:
        client.set_cookie(f"{hall.hub.keys.cookie}-known", cookie)
    else:
        assert tried(hall, PHONE, PASSWORD, name="Rolf", client=client) == 303
    tries = [tried(hall, f"10.0.{number // 9}.1", client=client) for number in range(21)]
    assert tries[-1] == 429


def test_a_known_browser_has_ten_tries_a_minute(hall: Hall) -> None:
    """From wherever it asks."""
    client = known_browser(hall)
    tries = [tried(hall, f"10.0.{number}.1", client=client) for number in range(11)]
    assert tries == [401] * 10 + [429]


def test_tries_are_counted_by_the_minute_and_forgotten() -> None:
    """By a clock that only goes on; a try that was refused counts for nothing."""
    now = [0.0]
    limiter = RateLimiter(lambda: now[0])
    limits = (Limit(("door", PHONE), ((2, MINUTE), (3, 10 * MINUTE))),)
    assert [limiter.take(limits) for _ in range(3)] == [True, True, False]
    limiter.give_back(limits)
    assert [limiter.take(limits) for _ in range(2)] == [True, False]
    now[0] = 61.0
    assert [limiter.take(limits) for _ in range(2)] == [True, False]
    now[0] = 601.0
    assert limiter.take(limits)


def test_a_limit_that_is_reached_takes_nothing_from_the_others() -> None:
    """An address that has to wait uses up no name."""
    limiter = RateLimiter(lambda: 0.0)
    address, name = Limit(("door", PHONE), ((1, MINUTE),)), Limit(("name", "Dana"), ((2, MINUTE),))
    assert [limiter.take((address, name)) for _ in range(5)] == [True, False, False, False, False]
    assert limiter.take((name,))


OTHER = "another good password"
WRONG = "no"


def test_the_first_start_makes_one_director_and_closes() -> None:
    """The secret of the terminal opens the page once; a second director is made by the first."""
    hall = Hall()
    browser, path = hall.browser(), f"/set-up/{hall.hub.keys.set_up}"
    for way in ("/", "/sign-in"):  # where a newcomer looks first
        assert "open the “set up” address" in browser.get(way).text
    assert "first director" in browser.get(path).text
    assert browser.post(path, name="Dana", password=PASSWORD).location == "/new"
    assert "set up" not in browser.get("/").text + browser.get("/sign-in").text
    assert hall.store.people.accounts()[0].role == "director"
    assert "New event" in browser.get("/").text
    assert browser.get(path).status_code == 404
    assert browser.post(path, name="Eve", password=PASSWORD).status_code == 404


@pytest.mark.parametrize(
    ("name", "password", "expected"),
    [
        ("Dana", "short", "Choose a password of 10 to 200 characters"),
        ("", PASSWORD, "1 to 40 characters"),
        ("a/b", PASSWORD, "without a slash"),
    ],
)
def test_a_weak_password_or_a_bad_name_is_told(name: str, password: str, expected: str) -> None:
    """The page stays, with what is wrong."""
    hall = Hall()
    path = f"/set-up/{hall.hub.keys.set_up}"
    answer = hall.browser().post(path, name=name, password=password)
    assert answer.status_code == 422
    assert expected in answer.text


def test_signing_in_leads_where_one_wanted_to_go(hall: Hall) -> None:
    """And out again: afterwards the page asks anew."""
    tournament_id, browser = hall.event(), hall.browser()
    service = f"/e/{tournament_id}/desk"
    asked = browser.get(service)
    assert asked.location == f"/sign-in?next={service}"
    answer = browser.post("/sign-in", name="Dana", password=PASSWORD, next=service)
    assert answer.location == service
    assert browser.get(service).status_code == 200
    browser.post("/sign-out")
    assert browser.get(service).status_code == 303


@pytest.mark.parametrize("wanted", ["//evil.example", "https://evil.example/", "/\\evil", "evil"])
def test_nobody_is_led_to_another_site(hall: Hall, wanted: str) -> None:
    """A link that somebody was sent leads to this hub's own pages only."""
    answer = hall.browser().post("/sign-in", name="Dana", password=PASSWORD, next=wanted)
    assert answer.location == "/"


@pytest.mark.parametrize(("name", "password"), [("Dana", "wrong password"), ("Nobody", PASSWORD)])
def test_a_wrong_name_or_password_is_told_alike(hall: Hall, name: str, password: str) -> None:
    """Nobody learns which names there are."""
    answer = hall.browser().post("/sign-in", name=name, password=password)
    assert answer.status_code == 401
    assert "Wrong name or password." in answer.text


def test_the_session_cookie_is_kept_from_scripts_and_other_sites(hall: Hall) -> None:
    """It ends by itself, and each page gives it its hours anew."""
    browser = hall.browser()
    answer = browser.post("/sign-in", name="Dana", password=PASSWORD)
    cookie = "".join(
        each
        for each in answer.headers.getlist("Set-Cookie")
        if each.startswith(f"{hall.hub.keys.cookie}=")
    )
    assert all(each in cookie for each in ("HttpOnly", "SameSite=Lax", "Expires="))
    assert "Expires=" in browser.get("/people").headers["Set-Cookie"]


def test_who_lost_the_password_is_told_the_way_back() -> None:
    """Even the only director has one."""
    assert "tablescore hub password NAME" in Hall().browser().get("/sign-in").text


def test_who_guesses_too_often_has_to_wait(hall: Hall) -> None:
    """Ten wrong tries a minute from one address; a right one does not count."""
    browser = hall.browser()
    for _ in range(10):
        assert browser.post("/sign-in", name="Dana", password=PASSWORD).status_code == 303
    tries = [browser.post("/sign-in", name="Dana", password=WRONG).status_code for _ in range(11)]
    assert tries == [401] * 10 + [429]
    answer = browser.post("/sign-in", name="Dana", password=PASSWORD)
    assert answer.status_code == 429
    assert "Too many tries. Wait a minute" in answer.text


def test_a_new_password_ends_every_other_session() -> None:
    """Whoever changed it stays signed in."""
    hall = Hall()
    here, there = hall.browser("director"), hall.browser("director")
    assert here.post("/people/Dana/password", password=OTHER).status_code == 303
    assert here.get("/people").status_code == 200
    assert there.get("/people").status_code == 303


def test_a_copied_cookie_is_dead_after_signing_out() -> None:
    """And cannot be kept alive; who is signed in elsewhere stays so."""
    hall = Hall()
    here, there = hall.browser("director"), hall.browser("director")
    cookie = here.client.get_cookie(hall.hub.keys.cookie)
    assert cookie is not None
    here.post("/sign-out")
    thief = hall.browser()
    thief.client.set_cookie(hall.hub.keys.cookie, cookie.value)
    assert "Set-Cookie" not in thief.get("/sign-in").headers
    assert thief.get("/people").status_code == 303
    assert there.get("/people").status_code == 200


def test_two_hubs_of_one_host_sign_nobody_out() -> None:
    """A browser sends cookies to every port: those of two hubs have two names."""
    one, other = Hall(), Hall(secret="the secret of another hub")  # noqa: S106 -- in a test
    browser = one.browser("director")
    other.account("Dana", "director")
    both = other.browser()
    cookie = browser.client.get_cookie(one.hub.keys.cookie)
    assert cookie is not None
    both.client.set_cookie(cookie.key, cookie.value)
    assert both.post("/sign-in", name="Dana", password=PASSWORD).status_code == 303
    assert both.client.get_cookie(one.hub.keys.cookie) is not None
    assert both.get("/people").status_code == 200


def test_an_account_that_is_removed_is_signed_out() -> None:
    """At its next request."""
    hall = Hall()
    director, referee = hall.browser("director"), hall.browser("referee")
    tournament_id = hall.event()
    assert referee.get(f"/e/{tournament_id}/results").status_code == 200
    assert director.post("/people/Rolf/remove").status_code == 303
    assert referee.get(f"/e/{tournament_id}/results").status_code == 303


def test_the_director_lets_others_in() -> None:
    """By a name, a password and a role; a name that is taken is told."""
    hall = Hall()
    director = hall.browser("director")
    form = {"name": "Rolf", "password": PASSWORD, "role": "referee"}
    assert director.post("/people/add", **form).status_code == 303
    assert "Rolf" in director.get("/people").text
    assert director.post("/people/add", **form).status_code == 409
    assert director.post("/people/add", **(form | {"role": "king"})).status_code == 400
    assert director.post("/people/Nobody/remove").status_code == 404


def test_nobody_removes_themselves() -> None:
    """Else an event could be left without a director."""
    answer = Hall().browser("director").post("/people/Dana/remove")
    assert answer.status_code == 409
    assert "Ask another director" in answer.text


def test_a_table_is_told_how_it_joins() -> None:
    """What the square of a code opens on a phone."""
    text = Hall().browser().get("/join/acde-3467").text
    assert "ACDE-3467" in text
    assert "http://localhost" in text


def test_the_language_is_chosen_and_kept() -> None:
    """By a cookie of this device."""
    hall = Hall()
    answer = hall.browser().post("/language", language="ko", next="/sign-in")
    assert answer.location == "/sign-in"
    assert "language=ko" in answer.headers["Set-Cookie"]
    assert "Set-Cookie" not in hall.browser().post("/language", language="xx").headers
