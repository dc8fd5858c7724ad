"""Nobody changes anything without a right: every address and method is tried."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from werkzeug.routing import Rule

from scoreboard.tournament.model.rounds import DrawRound, StartRound
from tests.web.hub.house import OWN, Browser, Hall
from web.hub.rights import RIGHTS

# These change nothing without the password, the secret or the code that they ask for.
ASKING = {
    "language.choose": {303},
    "doors.enter": {401},
    "doors.sign_out": {303},
    "doors.show_code": {401},
    "doors.make_director": {404},
    "api.join": {400},
}
READING = {"GET", "HEAD", "OPTIONS"}


def addresses(hall: Hall, tournament_id: str) -> Iterator[tuple[Rule, str, str]]:
    """Every rule with its methods, its gaps filled with what is there."""
    known = {
        "tournament_id": tournament_id,
        "number": 1,
        "table": 1,
        "game": 1,
        "round_number": 1,
        "key": "not-the-key",
        "name": "Dana",
        "secret": "not-the-secret",
        "code": "ACDE-3467",
        "game_id": "g1",
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


def test_every_address_has_its_right_and_every_right_an_address(hall: Hall) -> None:
    """An address that is forgotten here is closed, and a right without one is a leftover."""
    assert {rule.endpoint for rule in hall.app.url_map.iter_rules()} == set(RIGHTS)


def test_without_a_role_nothing_changes(hall: Hall) -> None:
    """Every method of every address, as a stranger sends it from the hub's own page."""
    tournament_id = hall.event()
    hall.give(tournament_id, DrawRound(1), StartRound())
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
        if RIGHTS[rule.endpoint] == "director":
            answer = referee.client.open(path, method=method, headers=OWN)
            assert answer.status_code == 403, rule.endpoint
            assert "Only a director may do this, and Rolf signed in as a referee" in answer.text


def test_reading_needs_the_right_too(hall: Hall) -> None:
    """A stranger sees what viewers may, and is shown the door before the rest."""
    tournament_id = hall.event()
    stranger = Browser(hall.app.test_client())
    for rule, method, path in addresses(hall, tournament_id):
        right = RIGHTS[rule.endpoint]
        if method not in READING or rule.endpoint.startswith("live."):
            continue
        with stranger.get(path) as answer:
            status = answer.status_code
        expected = {"director": {303}, "referee": {303}, "table": {401}, "player": {404}}
        assert status in expected.get(right, {200, 304, 404}), (rule.endpoint, status)


def test_with_a_viewing_code_nothing_is_seen_without_it() -> None:
    """The host's choice: then everybody types the code once."""
    hall = Hall(viewers="code")
    tournament_id = hall.event()
    stranger = Browser(hall.app.test_client())
    for rule, method, path in addresses(hall, tournament_id):
        if method in READING and RIGHTS[rule.endpoint] == "viewer":
            answer = stranger.get(path)
            assert answer.status_code == 303, rule.endpoint
            assert answer.location.startswith("/look?next=")
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
