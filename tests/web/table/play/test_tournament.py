"""A running table at an event: it comes in by its page, and remembers it over a restart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import segno
from flask.testing import FlaskClient

from hardware.pins import Pins
from scoreboard.errors import ScoreboardError
from scoreboard.games.engine.game import Outcome, Place
from scoreboard.message import message
from scoreboard.table.requests import (
    Answer,
    ResultDisputed,
    ResultEntered,
    ResultSigned,
    TournamentGameBegun,
)
from scoreboard.table.tournament_view import (
    DirectorMessage,
    DueGame,
    LinkStanding,
    SeatScore,
    ShownRoundClock,
    Signature,
    TournamentResult,
    TournamentView,
)
from scoreboard.table.view import TableView
from scoreboard.tournament.client.http_hub import HubAwayError
from scoreboard.tournament.client.tournament_state import notice_of
from scoreboard.tournament.protocol.hub_update import HubUpdate, LocalizedText
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.tournament.client.fakes import SEATING, UPDATE, BadWay, FakeHub, wait_for
from tests.scoreboard.tournament.client.served_hub import served
from tests.web.process import SEEN
from tests.web.table_fake import FACTS, NO_GAME, FakeTable, view_of
from vision.capture.frame import Frame
from vision.capture.photo import encode_jpeg, open_photo
from vision.watch.pipeline import Pictures
from web.shared.plan import Plan
from web.shared.settings import CameraSettings, Settings, TableSettings
from web.table.play.tournament import NO_LINK_SEEN, open_tournament_client
from web.wiring import RunningTable

OWN = {"Origin": "http://localhost"}
NO_PINS = Pins(None, "no pins in this test")


@contextmanager
def running(folder: Path, camera: str = "upload") -> Iterator[FlaskClient]:
    """A running table's page; all of it is stopped at the end."""
    database = TableSettings(f"sqlite:///{folder / 'games.sqlite3'}")
    table = RunningTable(
        Plan.of(Settings(camera=CameraSettings(camera), table=database)), 0, NO_PINS
    )
    try:
        yield table.app.test_client()
    finally:
        table.close()


def page(client: FlaskClient) -> str:
    """The table page."""
    return client.get("/").get_data(as_text=True)


def begin(client: FlaskClient) -> None:
    """Tap the button that begins the game."""
    shown = page(client)
    seen = SEEN.search(shown)
    assert seen is not None
    game = shown.split('name="game" value="')[1].split('"')[0]
    form = {"seen": seen[1], "game": game}
    assert client.post("/event/begin", data=form, headers=OWN).status_code == 303


def test_a_table_joins_plays_and_is_still_there_after_a_restart(tmp_path: Path) -> None:
    """The seats, the game and the ticket are there without the hub."""
    way = BadWay(FakeHub())
    with served(way) as address, running(tmp_path) as client:
        form = {"address": address, "code": "ABCD"}
        assert client.post("/event/join", data=form, headers=OWN).status_code == 303
        wait_for(lambda: "Begin game 1 of 2" in page(client))
        begin(client)
        wait_for(lambda: "Connected to the hub" in page(client))
        wait_for(lambda: bool(way.hub.deliveries.games_of("5")))
        assert re.match(r"r1-t5-g1-[0-9a-f]{10}$", next(iter(way.hub.deliveries.games_of("5"))))
    kept = json.loads((tmp_path / "games.event.json").read_text(encoding="utf-8"))
    assert kept["ticket"]["address"] == address
    with running(tmp_path) as client:
        wait_for(lambda: "No connection to the hub" in page(client))
        assert ">Anna</span>" in page(client)


def test_the_demo_evening_makes_room_for_an_event(tmp_path: Path) -> None:
    """After a restart the demo opens no game of its own while an event is waited for."""
    way = BadWay(FakeHub(replace(UPDATE, sitting=replace(SEATING, rounds_phase="drawn"))))
    assert (
        open_tournament_client("memory:", MemoryStore()) is None
    )  # there is no place for its file
    with served(way) as address:
        desk = open_tournament_client(f"sqlite:///{tmp_path / 'games.sqlite3'}", MemoryStore())
        assert desk is not None
        desk.join(address, "ABCD")
        desk.stop()
        with running(tmp_path, camera="") as client:
            wait_for(lambda: "Take your seats" in page(client))
            assert "North" not in page(client)


def test_joining_ends_the_demo(tmp_path: Path) -> None:
    """Its game is in the bin, its pictures are gone, and the menu leads to the event's form."""
    waits = BadWay(FakeHub(replace(UPDATE, sitting=None)))
    with served(waits) as address, running(tmp_path, camera="") as client:
        shown = page(client)
        assert "North" in shown
        menu = shown.partition('<nav aria-label="Pages">')[2].partition("</nav>")[0]
        assert re.search(r'href="/event/" >Join an event<', menu)
        client.post("/event/join", data={"address": address, "code": "ABCD"}, headers=OWN)
        wait_for(lambda: "Nobody is seated here yet" in page(client))
        shown = page(client)
        assert "North" not in shown
        assert 'id="photo"' not in shown
        assert ">Event</a>" in shown
        assert "North" in client.get("/games").get_data(as_text=True)


AWAY = message("No hub answers.")
CONNECTED = LinkStanding(connected=True)
SEVEN = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)
DUE = DueGame("r1-t5-g2-ab", "yahtzee", ("Anna", "<b>Ben</b>"), {}, 1, 2, 3)
SIGNATURES = (Signature(7, "Anna"), Signature(3, "<b>Ben</b>", "signed"))
RESULT = TournamentResult("g2", 1, 1, SIGNATURES, "reported")
EVENT = TournamentView(
    title="Autumn <i>Open</i>",
    place=5,
    address="http://10.0.0.7:8080",
    round=1,
    phase="running",
    players=("Anna", "<b>Ben</b>"),
    due=DUE,
    games=frozenset({"g2"}),
    link=CONNECTED,
)


@dataclass
class FakeEventClient:
    """An event client that remembers who joined, or refuses."""

    shut: ScoreboardError | None = None
    came: list[tuple[str, str]] = field(default_factory=list)
    left: int = 0
    missing: int = 0
    away: list[int] = field(default_factory=list)

    def join(self, address: str, code: str) -> None:
        self._require_open()
        self.came.append((address, code))

    def leave(self) -> None:
        self._require_open()
        self.left += 1

    def put_away(self, number: int) -> None:
        self.away.append(number)

    def unsent(self) -> int:
        return self.missing

    def _require_open(self) -> None:
        if self.shut is not None:
            raise self.shut


@dataclass
class Guest:
    """A browser at a table with an event client."""

    view: TableView = NO_GAME
    event_client: FakeEventClient = field(default_factory=FakeEventClient)

    def __post_init__(self) -> None:
        self.fake = FakeTable(self.view)
        self.client: FlaskClient = self.fake.app(tournament=self.event_client).test_client()

    def page(self, path: str = "/") -> str:
        response = self.client.get(path)
        assert response.status_code == 200, response.status
        return response.get_data(as_text=True)

    def post(self, path: str, **form: str) -> Any:
        return self.client.post(path, data={"seen": self.fake.seen, **form}, headers=OWN)


def at(event: TournamentView, view: TableView = NO_GAME) -> Guest:
    """A browser at a table of that event."""
    return Guest(replace(view, event=event))


def finished() -> TableView:
    """A table whose game is over."""
    return replace(view_of(players=("Anna", "<b>Ben</b>")), stage="finished")


def test_without_an_event_the_way_in_is_offered_where_no_game_is() -> None:
    """An empty table and the set-up name it; a table that can keep no event does not."""
    guest = Guest()
    assert "Join an event" in guest.page()
    assert "/event/" in guest.page("/setup")
    bare = FakeTable().app().test_client()
    assert "event" not in bare.get("/").get_data(as_text=True).lower()
    assert bare.get("/event/").status_code == 404


def test_the_form_joins_with_address_and_code() -> None:
    """Then the table page is shown."""
    guest = Guest()
    page = guest.page("/event/?address=hub%22%3E.local&code=ACDE-3467")  # as a link fills it in
    assert 'name="address"' in page
    assert 'value="hub&#34;&gt;.local"' in page
    assert 'value="ACDE-3467"' in page
    response = guest.post("/event/join", address="10.0.0.7:8080", code="ACDE-3467")
    assert (response.status_code, response.location) == (303, "/")
    assert guest.event_client.came == [("10.0.0.7:8080", "ACDE-3467")]


def test_what_is_wrong_is_reported_and_nothing_typed_is_lost() -> None:
    """The hub is away: the same form, with the reason."""
    guest = Guest(event_client=FakeEventClient(HubAwayError(AWAY)))
    response = guest.post("/event/join", address="10.0.0.7:8080", code="ACDE-3467")
    page = response.get_data(as_text=True)
    assert response.status_code == 422
    assert str(AWAY) in page
    assert 'value="10.0.0.7:8080"' in page
    fields = page.partition('action="/event/join"')[2].partition("</form>")[0]
    assert str(AWAY) in fields
    assert fields.count('aria-describedby="fault"') == 2


def with_code(link: str) -> bytes:
    """A photo of a slip with this QR code, a little blurred."""
    drawn = BytesIO()
    segno.make(link, error="m", micro=False).save(drawn, kind="png", scale=6, border=4)
    code = open_photo(drawn.getvalue())
    slip = np.full((code.shape[0] + 90, code.shape[1] + 400, 3), 240, np.uint8)
    slip[30 : 30 + code.shape[0], 50 : 50 + code.shape[1]] = code
    return encode_jpeg(np.asarray(cv2.GaussianBlur(slip, (0, 0), 2), np.uint8))


LINK = "http://10.0.0.7:8100/join/ACDE-3467"


def test_a_photo_of_the_qr_code_joins() -> None:
    """Nothing is typed; a picture without the code of a table asks for a better one."""
    guest = Guest()
    assert 'action="/event/scan"' in guest.page("/event/")
    photo = (BytesIO(with_code(LINK)), "slip.jpg")
    response = guest.client.post("/event/scan", data={"photo": photo}, headers=OWN)
    assert (response.status_code, response.location) == (303, "/")
    assert guest.event_client.came == [(LINK, "")]
    for other in (
        with_code("http://10.0.0.7:8100/p/abc"),
        encode_jpeg(np.zeros((90, 90, 3), np.uint8)),
    ):
        photo = (BytesIO(other), "other.jpg")
        refused = guest.client.post("/event/scan", data={"photo": photo}, headers=OWN)
        assert refused.status_code == 422
        assert str(NO_LINK_SEEN) in refused.get_data(as_text=True)
    assert len(guest.event_client.came) == 1


def test_a_code_under_the_tables_own_camera_joins() -> None:
    """The button is there only while a real camera sees something."""
    pictures, event_client = Pictures(), FakeEventClient()
    facts = replace(FACTS, demo=False)
    app = FakeTable().app(pictures=pictures, facts=facts, tournament=event_client)
    client = app.test_client()
    assert "the table’s camera" not in client.get("/event/").get_data(as_text=True)
    assert client.post("/event/scan", headers=OWN).status_code == 422
    pictures.show(Frame(1, SEVEN, open_photo(with_code(LINK))))
    assert "the table’s camera" in client.get("/event/").get_data(as_text=True)
    assert client.post("/event/scan", headers=OWN).location == "/"
    assert event_client.came == [(LINK, "")]


def test_the_button_begins_the_game_that_was_shown() -> None:
    """Its id goes with it."""
    guest = at(EVENT)
    guest.post("/event/begin", game=DUE.game_id)
    assert guest.fake.messages == [TournamentGameBegun(DUE.game_id)]


def test_a_result_is_signed_by_a_tap_beside_each_name() -> None:
    """Who has signed is marked; all who have not may sign at once."""
    guest = at(replace(EVENT, results=(RESULT,)), finished())
    page = guest.page()
    assert "does everybody agree?" in page
    assert "✓ signed" in page
    assert 'value="g2=7"' in page
    assert 'value="g2=3"' not in page
    assert "Play again" not in page
    guest.post("/event/sign", who="g2=7,3")
    assert guest.fake.messages == [ResultSigned("g2", (7, 3))]


@pytest.mark.parametrize("who", ["", "g2=", "g2=x", "g2=7,", "g2=²"])
def test_a_signature_of_nobody_is_none(who: str) -> None:
    """What no page sends is refused."""
    guest = at(EVENT)
    assert guest.post("/event/sign", who=who).status_code == 400
    assert guest.fake.messages == []


def test_a_dispute_names_player_and_reason() -> None:
    """The form asks both; it is there for known results only."""
    guest = at(replace(EVENT, results=(RESULT,)))
    assert "What is wrong with game 1?" in guest.page("/event/dispute?game=g2")
    assert guest.client.get("/event/dispute?game=g9").status_code == 404
    guest.post("/event/dispute", who="g2=3", why="the bonus is missing")
    assert guest.fake.messages == [ResultDisputed("g2", 3, "the bonus is missing")]


def test_the_directors_messages_are_tapped_away_one_by_one() -> None:
    """Each stands as it was written, with a button; a number that is none is refused."""
    told = (DirectorMessage(9, "Lunch <b>now</b>"), DirectorMessage(8, "Five minutes"))
    guest = at(replace(EVENT, messages=told))
    assert "Lunch &lt;b&gt;now&lt;/b&gt;" in guest.page()
    assert guest.post("/event/message/away", number="9").status_code == 303
    assert guest.post("/event/message/away", number="x").status_code == 400
    assert guest.event_client.away == [9]


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        (ShownRoundClock(90, 1_000.5), 'data-ends="1000500"'),
        (ShownRoundClock(65), "1:05"),
        (ShownRoundClock(-65), "+1:05"),
    ],
)
def test_the_clock_of_the_round_is_on_the_page(time: ShownRoundClock, shown: str) -> None:
    """A running one by its end on the table's stopwatch, one that stands in figures."""
    page = at(replace(EVENT, time=time)).page()
    clock = page.partition('id="round-time"')[2].partition("</p>")[0]
    assert shown in clock
    assert "data-stopwatch=" in page


COMING = TournamentResult(DUE.game_id, 1, 2, (Signature(7, "Anna"), Signature(3, "<b>Ben</b>")))
ENTERED = replace(
    RESULT,
    signatures=(
        Signature(7, "Anna", score=SeatScore(-12)),
        Signature(3, "<b>Ben</b>", score=SeatScore(fate="no-show")),
    ),
)


def test_a_result_alone_is_entered_for_the_game_that_is_due() -> None:
    """A link by the seats leads to a form with a number, of any script, and a fate for each."""
    guest = at(replace(EVENT, coming=COMING))
    assert f'href="/event/result?game={DUE.game_id}"' in guest.page()
    form = guest.page(f"/event/result?game={DUE.game_id}")
    assert "Round 1, game 2" in form
    assert "&lt;b&gt;Ben&lt;/b&gt;" in form
    minus_twelve = "\uff0d\uff11\uff12"
    fields = {"score-0": minus_twelve, "fate-0": "played", "score-1": "7", "fate-1": "no-show"}
    answer = guest.post("/event/result", game=DUE.game_id, **fields)
    assert (answer.status_code, answer.location) == (303, "/")
    scores = (SeatScore(-12), SeatScore(fate="no-show"))
    assert guest.fake.messages == [ResultEntered(DUE.game_id, scores)]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "Enter the score of Anna, or choose why there is none."),
        ("12x", "“12x” is not a score."),
        ("12345678", "“12345678” is not a score."),
    ],
)
def test_what_is_no_score_is_refused_and_nothing_typed_is_lost(typed: str, words: str) -> None:
    """The same form, the sentence above, and the wrong field marked."""
    guest = at(replace(EVENT, coming=COMING))
    fields = {"score-0": typed, "fate-0": "played", "score-1": "99", "fate-1": "forfeit"}
    answer = guest.post("/event/result", game=DUE.game_id, **fields)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert words in page
    assert f'value="{typed}" aria-invalid="true"' in page
    assert 'value="99"' in page
    assert '<option value="forfeit" selected>' in page
    assert guest.fake.messages == []


def test_what_the_table_refuses_stays_typed() -> None:
    """As where the disk is full."""
    guest = at(replace(EVENT, coming=COMING))
    guest.fake.reply = lambda _request: Answer("refused", message("The disk is full."))
    fields = {"score-0": "212", "score-1": "187"}
    answer = guest.post("/event/result", game=DUE.game_id, **fields)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert "The disk is full." in page
    assert 'value="212"' in page


def test_a_result_that_was_entered_is_shown_with_its_scores_and_may_be_changed() -> None:
    """Who did not come signs nothing; once somebody signed, only the referee changes it."""
    guest = at(replace(EVENT, results=(ENTERED,)))
    page = guest.page()
    assert "Check the result, then sign it." in page
    signing = page.partition('id="signing-1"')[2].partition("</section>")[0]
    assert re.findall(r'class="total">([^<]+)<', signing) == ["-12", "did not come"]
    assert 'value="g2=7"' in signing
    assert 'value="g2=3"' not in signing
    assert "Change the result" in signing
    form = guest.page("/event/result?game=g2")
    assert 'value="-12"' in form
    assert '<option value="no-show" selected>' in form
    signed = replace(ENTERED, signatures=(replace(ENTERED.signatures[0], status="signed"),))
    guest = at(replace(EVENT, results=(signed,)))
    assert "Change the result" not in guest.page("/event/")
    assert guest.client.get("/event/result?game=g2").location == "/"


def test_a_typing_error_is_changed_before_anybody_signs_it() -> None:
    """The hub disputes what no game ends with: to change it is the first thing offered."""
    typo = replace(ENTERED, phase="disputed", replaceable=True)
    page = at(replace(EVENT, results=(typo,))).page()
    signing = page.partition('id="signing-1"')[2].partition("</section>")[0]
    assert "Is it a typing error?" in signing
    assert 'class="button primary" href="/event/result?game=g2"' in signing
    assert "All agree" not in signing
    assert "Change the result" not in at(
        replace(EVENT, results=(replace(typo, replaceable=False),))
    ).page("/event/")


def test_a_settled_result_shows_what_the_referee_decided() -> None:
    """Not what the table's own sheet says; nothing is left to sign or to dispute."""
    settled = replace(RESULT, phase="settled", settled={7: 417})
    page = at(replace(EVENT, results=(settled,)), replace(finished(), game_id="g2")).page()
    signing = page.partition('id="signing-1"')[2].partition("</section>")[0]
    assert re.findall(r'class="total">(\d+)<', signing) == ["417"]
    assert "I agree" not in page
    assert "Something is wrong" not in page


PLAYERS = ("Anna", "<b>Ben</b>")
PLAYING = replace(view_of(players=PLAYERS), game_id="g2")
OVER = replace(
    PLAYING, stage="finished", outcome=Outcome((Place(1, "Anna", 212), Place(2, "<b>Ben</b>", 187)))
)
NOTED = {"notice": message("The hub says: {message}", message="Lunch")}
OVERTAKEN = "The director entered the result of the game under way."
STUCK = {"due": None, "obstacle": message("No such game.")}


@pytest.mark.parametrize(
    ("change", "view", "there", "absent"),
    [
        (
            {},
            NO_GAME,
            (
                *("Take your seats", "Round 1, game 2 of 3", "&lt;b&gt;Ben&lt;/b&gt;"),
                *("Autumn &lt;i&gt;Open&lt;/i&gt;", "Begin game 2 of 3"),
            ),
            ("<b>Ben</b>", "Set up a game"),
        ),
        ({"due": None, "round": None, "phase": ""}, NO_GAME, ("Nobody is seated here yet",), ()),
        ({"due": None, "phase": "drawn"}, NO_GAME, ("the director starts the round",), ()),
        ({"due": None}, NO_GAME, ("All games of this round are played here",), ()),
        ({"due": None, "phase": "closed"}, NO_GAME, ("The round is over",), ()),
        (STUCK, NO_GAME, ("No such game.",), ("Enter only the result",)),
        (STUCK | {"coming": COMING}, NO_GAME, ("Enter only the result",), ()),
        (NOTED, NO_GAME, ("The hub says: Lunch",), ()),
        ({"due": None}, PLAYING, (), ('id="begin"',)),
        ({"games": frozenset()}, PLAYING, ('id="begin"', "not part of the event"), ()),
        ({}, PLAYING, (OVERTAKEN, "Begin game 2 of 3"), ()),
        ({"results": (RESULT,)}, OVER, ("Final ranking",), ()),
        ({"round": 3}, OVER, ("Table 5, round 3",), ("Final ranking",)),
        (
            {"results": (replace(RESULT, phase="disputed"),)},
            OVER,
            ("The referee decides this result",),
            (),
        ),
        (
            {"results": (ENTERED,), "games": frozenset()},
            view_of(),
            ('value="g2=7"',),
            ("Or hold KEEP and REROLL together",),
        ),
    ],
)
def test_the_page_says_what_the_table_does_at_the_event(
    change: dict[str, Any], view: TableView, there: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    """Names as they are typed; what waits, what is under way, and what may be done about it."""
    page = at(replace(EVENT, **change), view).page()
    assert [words for words in there if words not in page] == []
    assert [words for words in absent if words in page] == []


@pytest.mark.parametrize(
    ("link", "words", "form"),
    [
        (CONNECTED, "Connected to the hub", False),
        (LinkStanding(), "Connecting to the hub", False),
        (LinkStanding(since=SEVEN), "No connection to the hub: play on, nothing is lost.", True),
        (LinkStanding(since=SEVEN, waiting=12), "Waiting to be sent: 12", True),
        (LinkStanding(since=SEVEN, fault=AWAY), str(AWAY), True),
    ],
)
def test_the_way_to_the_hub_is_shown(link: LinkStanding, words: str, *, form: bool) -> None:
    """On the table and on the event's own page, where a table that is cut off finds its way back.

    By the address alone, for which no code is asked, unless the hub has shut it out.
    """
    guest = at(replace(EVENT, link=link))
    assert words in guest.page()
    page = guest.page("/event/")
    assert words in page
    assert ('value="http://10.0.0.7:8080"' in page) == form
    assert ('name="address"' in page) == form
    assert ('name="code"' in page) == (link.fault is not None)
    assert ("Join the event again" in page) == form
    assert ("needs no new code" in page) == (form and link.fault is None)


def test_what_the_hub_says_is_said_in_the_readers_language() -> None:
    """Which one that is, no hub knows."""
    said = LocalizedText.of(
        message("Game {game} is disputed: the referee settles it. Play on.", game=2)
    )
    guest = at(replace(EVENT, notice=notice_of(HubUpdate(3, 5, EVENT.title, said=said))))
    assert "Game 2 is disputed" in guest.page()
    korean = guest.client.get("/", headers={"Accept-Language": "ko"}).get_data(as_text=True)
    assert "게임 2: 결과에 이의가 있어 심판이 판정합니다. 그대로 계속하세요." in korean


def test_leaving_is_asked_about_and_says_what_would_be_lost() -> None:
    """What the hub has not got is named before."""
    guest = at(EVENT)
    assert "Missing" not in guest.page("/event/leave")
    guest.event_client.missing = 12
    assert "Missing: 12" in guest.page("/event/leave")
    assert guest.post("/event/leave").status_code == 303
    assert guest.event_client.left == 1
    assert Guest().client.get("/event/leave").status_code == 303


def test_leaving_that_is_refused_says_why() -> None:
    """A full disk keeps the table in the event."""
    guest = Guest(replace(NO_GAME, event=EVENT), FakeEventClient(HubAwayError(AWAY)))
    response = guest.post("/event/leave")
    assert response.status_code == 422
    assert str(AWAY) in response.get_data(as_text=True)
