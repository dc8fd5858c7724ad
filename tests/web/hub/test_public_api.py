"""The reading API: every answer is of its schema, tells only what viewers see, and has a tag."""

from __future__ import annotations

import json

import pytest

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.protocol.documents import text_of, value_from_text
from scoreboard.tournament.protocol.items import Delivery
from scoreboard.tournament.protocol.public_facts import (
    EventFacts,
    EventList,
    RoundFacts,
    StandingsFacts,
    TableFacts,
)
from tests.scoreboard.tournament.hub.halls import items_of, names
from tests.web.hub.house import DIRECTOR, Hall
from tests.web.hub.test_tables import Table

API = "/api/v1/events"


def played(hall: Hall) -> str:
    """An event in its first round, a table's first game reported."""
    event = hall.started()
    hall.give(event, hall.results(event)[0])
    return event


def paths(event: str) -> dict[str, type]:
    """Every address of the API with the type of its answer."""
    return {
        API: EventList,
        f"{API}/{event}": EventFacts,
        f"{API}/{event}/standings": StandingsFacts,
        f"{API}/{event}/rounds/1": RoundFacts,
        f"{API}/{event}/tables/1": TableFacts,
    }


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_every_answer_is_of_its_schema(hall: Hall, language: str) -> None:
    """Read as its type and written again it is the same: no member is missing, none is unknown."""
    event = played(hall)
    for path, kind in paths(event).items():
        answer = hall.browser().get(path, **{"Accept-Language": language})
        assert answer.status_code == 200, path
        assert text_of(value_from_text(kind, answer.data)) == answer.text
        assert answer.headers["Content-Type"] == "application/json"


def test_it_answers_what_the_pages_show(hall: Hall) -> None:
    """Places with their reasons, a table's seats and its result with points."""
    event = played(hall)
    browser = hall.browser()
    standings = json.loads(browser.get(f"{API}/{event}/standings").text)["standings"]
    assert [row["place"] for row in standings] == [1, 2, 2, 2, 2, 6, 7, 8]
    assert standings[0]["points"] == 30
    assert "stands above" in standings[0]["why"]
    table = json.loads(browser.get(f"{API}/{event}/rounds/1").text)["tables"][0]
    assert [each["score"] for each in table["results"][0]["scores"]] == [30, -5, -10, -15]
    assert table["results"][0]["phase"] == "reported"


def test_nothing_private_is_told(hall: Hall) -> None:
    """Who needs a step-free table, and seeds and teams, are nobody's business."""
    event = hall.event(entrants=0)
    hall.give(event, Enter(Entrant(1, "Anna", "Hill", 3, needs_accessible_table=True)))
    entrants = json.loads(hall.browser().get(f"{API}/{event}").text)["entrants"]
    assert entrants == [{"number": 1, "name": "Anna", "club": "Hill", "away": False}]


def test_what_did_not_change_is_not_sent_again(hall: Hall) -> None:
    """With the tag of an answer the next is 304, until the event goes on."""
    event = played(hall)
    tag = hall.browser().get(f"{API}/{event}").headers["ETag"]
    assert hall.browser().get(f"{API}/{event}", **{"If-None-Match": tag}).status_code == 304
    hall.give(event, hall.results(event, game=2)[0])
    assert hall.browser().get(f"{API}/{event}", **{"If-None-Match": tag}).status_code == 200


def test_the_viewing_code_holds_for_programs() -> None:
    """Without it the answer is a refusal as JSON, not a page; with it the API answers."""
    hall = Hall(viewers="code")
    event = hall.event()
    stranger = hall.browser()
    refused = stranger.get(f"{API}/{event}")
    assert (refused.status_code, json.loads(refused.text)["error"]) == (403, "not-allowed")
    stranger.post("/look", code=hall.hub.keys.viewing)
    assert stranger.get(f"{API}/{event}").status_code == 200


def test_pages_of_other_websites_cannot_read_it(hall: Hall) -> None:
    """A browser that is told to fetch it from elsewhere is refused, and gets no CORS header."""
    fetched = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    answer = hall.browser().get(API, **fetched)
    assert answer.status_code == 403
    assert "Access-Control-Allow-Origin" not in hall.browser().get(API).headers


def test_what_is_not_there_is_404(hall: Hall) -> None:
    """Unknown events, rounds and tables, and those of an event in the bin."""
    event = played(hall)
    for path in ("x", f"{event}/rounds/0", f"{event}/rounds/2", f"{event}/tables/99"):
        assert hall.browser().get(f"{API}/{path}").status_code == 404, path
    hall.store.event_marks.change(event, deleted_at=hall.clock())
    assert all(hall.browser().get(path).status_code == 404 for path in paths(event) if path != API)
    assert json.loads(hall.browser().get(API).text) == {"events": []}


def test_a_table_tells_its_running_game() -> None:
    """Whose turn it is and the totals so far, on the page for spectators and in the API."""
    hall = Hall()
    event = hall.service.open("Yahtzee", FORMATS["yahtzee-evening"], DIRECTOR)
    hall.give(event, *(Enter(Entrant(n, f"Player {n}")) for n in range(1, 5)))
    hall.give(event, DrawRound(1), StartRound())
    seats = hall.seats(event)
    table = Table(hall)
    table.join(event, 1)
    text = f"game yahtzee\nplayers {names(seats)}\nroll 66666\nscore sixes\n"
    table.post("games/g1/items", Delivery("g1", items_of(text, seats)))
    facts = json.loads(hall.browser().get(f"{API}/{event}/tables/1").text)
    assert facts["now"]["player"] == f"Player {seats[1]}"
    assert facts["now"]["totals"][0] == {"name": f"Player {seats[0]}", "total": 30}
    assert facts["table"]["phase"] == "playing"
    page = hall.browser().get(f"/e/{event}/table/1").text
    assert f"Turn 2: Player {seats[1]}" in page
