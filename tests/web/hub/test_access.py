"""Nobody changes anything without a right, and nobody guesses passwords for long."""

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
from tests.web.hub.house import OWN, PASSWORD, Browser, Hall
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
        "chart": "wall_chart",
        "round_number": 1,
        "key": "not-the-key",
        "name": "Dana",
        "player": spelling_id("Anna"),
        "secret": "not-the-secret",
        "code": "ACDE-3467",
        "game_id": "g1",
        "message_id": 1,
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
    assert hall.browser("director").get("/forgotten").status_code == 403


def test_without_a_role_nothing_changes(hall: Hall) -> None:
    """Every method of every address, as a stranger sends it from the hub's own page."""
    tournament_id = hall.started()
    before = (
        hall.service.export(tournament_id),
        hall.store.people.accounts(),
        len(hall.service.tournaments()),
    )
    for rule, method, path in addresses(hall, tournament_id):
        if method in READING:
            continue
        status = hall.app.test_client().open(path, method=method, headers=OWN).status_code
        allowed = ASKING.get(rule.endpoint, {401, 404} if "<key>" in rule.rule else {401})
        assert status in allowed, (rule.endpoint, method, status)
    after = (
        hall.service.export(tournament_id),
        hall.store.people.accounts(),
        len(hall.service.tournaments()),
    )
    assert before == after


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
    stranger = Browser(hall.app.test_client())
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
    stranger = Browser(hall.app.test_client())
    for rule, method, path in addresses(hall, tournament_id):
        if method in READING and right_of(hall.app, rule.endpoint) == "viewer":
            answer, for_programs = stranger.get(path), path.startswith("/api/")
            assert answer.status_code == (403 if for_programs else 303), rule.endpoint
            assert for_programs or answer.location.startswith("/look?next=")
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


def test_an_address_that_stands_in_no_list_is_closed(hall: Hall) -> None:
    """Whoever forgets to give a new page its right opens nothing."""
    hall.app.add_url_rule("/odd", "odd.show", lambda: "open")
    assert hall.app.test_client().get("/odd").status_code == 403


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


def test_wrong_tries_from_the_hall_never_lock_out_a_browser_that_was_signed_in() -> None:
    """Under a name as under an address; any other has to wait, at the hub's own machine too."""
    hall = Hall()
    hall.account("Dana", "director")
    client = known_browser(hall)
    tries = [tried(hall, f"10.0.{number // 9}.1") for number in range(27)]
    assert tries == [401] * 20 + [429] * 7
    assert tried(hall, PHONE, PASSWORD) == 429
    assert tried(hall, "127.0.0.1", PASSWORD) == 429
    assert tried(hall, PHONE, PASSWORD, client=client) == 303


@pytest.mark.parametrize("cookie", ["", ".", "browser.proof", "browser", "é.é"])
def test_nobody_makes_up_a_browser_that_was_signed_in(cookie: str) -> None:
    """Nor takes one for another name."""
    hall = Hall()
    hall.account("Dana", "director")
    hall.account("Rolf", "referee")
    client = hall.app.test_client()
    if cookie:
        client.set_cookie(f"{hall.hub.keys.cookie}-known", cookie)
    else:
        assert tried(hall, PHONE, PASSWORD, name="Rolf", client=client) == 303
    tries = [tried(hall, f"10.0.{number // 9}.1", client=client) for number in range(21)]
    assert tries[-1] == 429


def test_a_known_browser_has_ten_tries_a_minute() -> None:
    """From wherever it asks."""
    hall = Hall()
    hall.account("Dana", "director")
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
