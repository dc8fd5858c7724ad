"""Protocol v1 over HTTP, and the reading API: joined, asked, answered, and how it is refused."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import numpy as np
import pytest
from PIL import Image as Pillow
from werkzeug.test import TestResponse

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Setup
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.protocol.documents import text_of, value_from_text
from scoreboard.tournament.protocol.hub_update import Greeting, HubUpdate, Joined, JoinRequest
from scoreboard.tournament.protocol.items import (
    Delivery,
    Item,
    Opened,
    PhotoReceipt,
    Receipt,
    body_of,
)
from scoreboard.tournament.protocol.public_facts import (
    EventFacts,
    EventList,
    RoundFacts,
    StandingsFacts,
    TableFacts,
)
from tests.scoreboard.tournament.hub.halls import items_of, names
from tests.vision.capture.jpegs import many_scans
from tests.web.hub.house import DIRECTOR, NAMES, Hall
from vision.capture.photo import encode_jpeg, open_photo

TOKEN = "a-token-of-the-tables-own-making-0123456789"  # noqa: S105 -- of a table in a test


class Table:
    """A table's client."""

    def __init__(self, hall: Hall, token: str = TOKEN) -> None:
        self.hall = hall
        self.token = token
        self.client = hall.app.test_client()

    def post(self, path: str, value: object) -> TestResponse:
        """Send a value of the protocol."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.client.post(f"/api/v1/{path}", data=text_of(value), headers=headers)

    def join(self, event: str, place: int) -> TestResponse:
        """Join by a fresh code."""
        code = self.hall.hub.admission.offer_code(event, place)
        return self.post("join", JoinRequest(code, "Table", self.token))

    def update(self, query: str = "after=0&wait=0") -> TestResponse:
        """Ask for an update."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.client.get(f"/api/v1/word?{query}", headers=headers)


@pytest.fixture
def event(hall: Hall) -> str:
    """An event whose first round is being played."""
    return hall.started()


def test_a_table_joins_and_gets_its_seats(hall: Hall, event: str) -> None:
    """The answers are values of the protocol."""
    table = Table(hall)
    joined = value_from_text(Joined, table.join(event, 2).data)
    assert joined == Joined(event, "Winter evening", 2)
    update = value_from_text(HubUpdate, table.post("greet", Greeting({})).data)
    assert update.sitting is not None
    assert {seat.name for seat in update.sitting.seats} <= set(NAMES)
    assert value_from_text(HubUpdate, table.update().data).place == 2


def test_a_table_that_has_the_newest_update_hears_of_a_message(hall: Hall, event: str) -> None:
    """By the messages that it names as known; it waits in vain with those that stand."""
    table = Table(hall)
    table.join(event, 1)
    newest = value_from_text(HubUpdate, table.update().data).version
    hall.store.messages.send(event, "table 1", "Your cloth is wet.", hall.clock(), "Dana")
    told = value_from_text(HubUpdate, table.update(f"after={newest}&wait=60&messages=").data)
    assert [each.text for each in told.messages] == ["Your cloth is wet."]
    known = ",".join(map(str, told.message_numbers))
    again = table.update(f"after={newest}&wait=0.01&messages={known}")
    assert value_from_text(HubUpdate, again.data) == told


def test_a_delivery_is_acknowledged(hall: Hall, event: str) -> None:
    """With what the hub holds now; the address and the delivery name the same game."""
    table = Table(hall)
    table.join(event, 1)
    seats = hall.state(event).rounds[0].draw.tables[0].seats
    opened = Opened(
        game="rummikub",
        players=tuple(NAMES[seat - 1] for seat in seats),
        opened_at=datetime(2026, 11, 22, 18, tzinfo=UTC),
        round=1,
        table=1,
        number=1,
        entrants=seats,
    )
    delivery = Delivery("g1", (Item(1, body_of(opened)),))
    receipt = value_from_text(Receipt, table.post("games/g1/items", delivery).data)
    assert receipt.held.through == 1
    assert table.post("games/g2/items", delivery).status_code == 400


def test_a_spent_code_is_refused_in_the_protocols_words(hall: Hall, event: str) -> None:
    """403, with a kind and a sentence."""
    code = hall.hub.admission.offer_code(event, 1)
    first, other = Table(hall), Table(hall, TOKEN + "-other")
    assert first.post("join", JoinRequest(code, "A", first.token)).status_code == 200
    answer = other.post("join", JoinRequest(code, "B", other.token))
    assert answer.status_code == 403
    said = "This code is spent or out of date; ask the director for a new one."
    assert answer.json == {
        "error": "refused",
        "message": said,
        "said": {"template": said, "values": {}},
    }


def test_what_is_no_message_is_refused(hall: Hall, event: str) -> None:
    """400 and why; a number that is none too."""
    table = Table(hall)
    table.join(event, 1)
    answer = table.client.post("/api/v1/join", data=b"{")
    assert (answer.status_code, answer.json is not None and answer.json["error"]) == (
        400,
        "misread",
    )
    for query in ("after=x&wait=0", "after=0&wait=soon", "after=-1", "messages=9,x"):
        assert table.update(query).status_code == 400
    assert table.update("after=0&wait=nan").status_code == 200


def test_a_table_that_was_shut_out_is_told_so(hall: Hall, event: str) -> None:
    """401: the table asks for a new code."""
    table = Table(hall)
    table.join(event, 1)
    assert hall.browser("director").post(f"/e/{event}/tables/1/revoke").status_code == 303
    answer = table.update()
    assert answer.status_code == 401
    assert answer.json is not None
    assert answer.json["error"] == "unknown-token"


def test_a_whole_hall_joins_from_behind_one_router(hall: Hall, event: str) -> None:
    """Right codes are not counted; wrong ones soon are."""
    for number in range(40):
        assert Table(hall, f"{TOKEN}-{number}").join(event, 1).status_code == 200
    wrong = JoinRequest("ACDE-3467", "T", TOKEN)
    statuses = [Table(hall).post("join", wrong).status_code for _ in range(31)]
    assert statuses == [403] * 30 + [429]


def test_the_tables_page_makes_codes_and_shows_devices(hall: Hall, event: str) -> None:
    """Each code as text and as a square; a device that joined is listed."""
    director = hall.browser("director")
    assert "No device has joined yet." in director.get(f"/e/{event}/tables").text
    text = director.post(f"/e/{event}/tables/codes", first=1, last=2).text
    assert text.count('class="square"') == 2
    assert director.post(f"/e/{event}/tables/codes", first=5, last=2).status_code == 422
    every = director.post(f"/e/{event}/tables/codes").text
    assert every.count('class="square"') == len(NAMES) // 4
    Table(hall).join(event, 1)
    assert "Disconnect table 1" in director.get(f"/e/{event}/tables").text


def test_the_newest_photo_is_kept_where_the_event_shows_photos(hall: Hall, event: str) -> None:
    """Off at first: nothing is kept; then receipts ask for photos, and viewers see the newest."""
    table, jpeg = Table(hall), encode_jpeg(np.zeros((8, 8, 3), np.uint8))
    table.join(event, 1)
    viewer, address = hall.browser(), f"/e/{event}/table/1/photo.jpg"

    def sent(photo: bytes) -> TestResponse:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        return table.client.post("/api/v1/photo", data=photo, headers=headers)

    assert value_from_text(PhotoReceipt, sent(jpeg).data) == PhotoReceipt(0)
    assert viewer.get(address).status_code == 404
    hall.store.event_marks.change(event, photos=True)
    again = Hall(store=hall.store)  # another process, which has not asked yet
    table.client = again.app.test_client()
    for grey in (50, 200):
        photo = encode_jpeg(np.full((60, 80, 3), grey, np.uint8)) + b"behind it"
        assert value_from_text(PhotoReceipt, sent(photo).data) == PhotoReceipt(5)
    kept = viewer.get(address).data
    assert b"behind it" not in kept  # it was encoded anew
    assert open_photo(kept).mean() == 200
    assert viewer.get(address).mimetype == "image/jpeg"
    assert "The last roll at table 1" in viewer.get(f"/e/{event}/table/1").text
    assert sent(b"<svg>").status_code == 413
    assert sent(jpeg + bytes(60_000)).status_code == 413
    assert sent(jpeg[:30]).status_code == 413
    assert sent(many_scans(Pillow.new("L", (8, 8)), 65)).status_code == 413
    hall.browser("director").post(f"/e/{event}/mark", photos="")
    assert viewer.get(address).status_code == 404


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


def dice_at_table_1() -> tuple[Hall, str, tuple[int, ...], Table]:
    """A hall, its event of dice whose round is under way, who sits at table 1, and its device."""
    hall = Hall()
    event = hall.service.open("Yahtzee", FORMATS["yahtzee-evening"], DIRECTOR)
    hall.give(event, *(Enter(Entrant(n, f"Player {n}")) for n in range(1, 5)))
    hall.give(event, DrawRound(1), StartRound())
    table = Table(hall)
    table.join(event, 1)
    return hall, event, hall.seats(event), table


def test_a_table_tells_its_running_game() -> None:
    """Whose turn it is and the totals so far, on the page for spectators and in the API."""
    hall, event, seats, table = dice_at_table_1()
    text = f"game yahtzee\nplayers {names(seats)}\nroll 66666\nscore sixes\n"
    table.post("games/g1/items", Delivery("g1", items_of(text, seats)))
    facts = json.loads(hall.browser().get(f"{API}/{event}/tables/1").text)
    assert facts["now"]["player"] == f"Player {seats[1]}"
    assert facts["now"]["totals"][0] == {"name": f"Player {seats[0]}", "total": 30}
    assert facts["table"]["phase"] == "playing"
    page = hall.browser().get(f"/e/{event}/table/1").text
    assert f"Turn 2: Player {seats[1]}" in page


def test_a_players_page_has_the_average_of_each_box() -> None:
    """Of the finished games with dice that the table told move by move; a running one has none."""
    hall, event, seats, table = dice_at_table_1()
    yahtzee = GAMES["yahtzee"]
    rows = yahtzee.scoresheet(yahtzee.start(Setup(("-",)))).rows
    keys = [row.key for row in rows if row.kind == "box"]
    turns = (f"roll 66661\nscore {key}\n" for key in keys for _ in seats)
    items = items_of(f"game yahtzee\nplayers {names(seats)}\n{''.join(turns)}", seats)
    page = f"/e/{event}/players/{seats[1]}"
    table.post("games/g1/items", Delivery("g1", items[:-1]))
    assert "Points in each box" not in hall.browser().get(page).text
    table.post("games/g1/items", Delivery("g1", items))
    text = hall.browser().get(page).text.split("Points in each box")[1]
    assert re.search(r"Sixes.*?>24\.0<.*?Chance.*?>25\.0<", text, re.DOTALL)
