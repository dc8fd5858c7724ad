"""The log of a game, the photo behind each score, and the way back, at a table with a session."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient

from scoreboard.storage import SqlStore
from scoreboard.storage.score_photos import ScorePhoto
from scoreboard.table.requests import Chosen, GameDeleted, GameOpened
from tests.scoreboard.storage.records import EVENING
from tests.scoreboard.table.fakes import Table
from tests.web.table_fake import JPEG, FakeTable, PromptInbox, forgetful_access
from web.table.history.archive import Archive

OWN = {"Origin": "http://localhost"}
QUAD = [[10, 10], [50, 10], [50, 50], [10, 50]]
DICE = [
    {"value": "2", "read": "2", "confidence": 0.987, "corners": QUAD},
    {"value": "3", "read": "5", "confidence": 0.4, "corners": QUAD},
]
SEEN = {"width": 640, "height": 480, "entered": "", "pieces": DICE}


class Evening:
    """A game of two turns, whose first roll has a photo: steps 1, 3 (full house), 4 and 6."""

    def __init__(self, store: SqlStore) -> None:
        self.store = store
        self.table = Table(store)  # type: ignore[arg-type]  # of the same contract
        self.table.open()
        for faces, box in (("33222", "full-house"), ("55555", "yahtzee")):
            self.table.roll(faces)
            self.table.keep()
            self.table.choose(f"score:{box}")
        self.photo = ScorePhoto("game-1", 1, EVENING, JPEG, SEEN)
        store.photos.add(self.photo)
        self.fake = FakeTable()
        self.access = forgetful_access()
        self.client = self.fake.app(
            session=self.table.session,
            inbox=PromptInbox(self.table.session),
            archive=Archive(store),
            access=self.access,
        ).test_client()

    def text(self, path: str) -> str:
        answer = self.client.get(f"/games/game-1{path}")
        assert answer.status_code == 200, path
        return answer.text

    def back(self, step: int, sequence: int | None = None) -> tuple[int, str]:
        """Go back to a step from a form that saw so many events; the status, and what is said."""
        view = self.table.view
        seen = f"{self.fake.live.run}.{view.version}"
        at = f"game-1.{view.sequence if sequence is None else sequence}"
        form = {"seen": seen, "step": at}
        answer = self.client.post(f"/games/game-1/steps/{step}/back", data=form, headers=OWN)
        return answer.status_code, answer.text


@pytest.fixture
def evening(store: SqlStore) -> Evening:
    """Two turns of Yahtzee in a file."""
    return Evening(store)


def test_a_score_on_the_sheet_leads_to_its_photo(evening: Evening) -> None:
    """A filled box is a link to the step that filled it, which shows the roll before it."""
    assert 'href="/games/game-1/boxes/full-house/0"' in evening.client.get("/").text
    answer = evening.client.get("/games/game-1/boxes/full-house/0")
    assert answer.headers["Location"] == "/games/game-1/steps/3"
    text = evening.text("/steps/3")
    assert "25 in Full house for North" in text
    assert "The photo of the step before it" in text
    assert 'src="/games/game-1/steps/1.jpg"' in text
    assert 'id="back-to-sheet" href="/#score-full-house-0"' in text


def test_a_step_shows_boxes_certainty_and_corrections(evening: Evening) -> None:
    """Drawn, and as a table; and who confirmed it."""
    text = evening.text("/steps/1")
    assert "roll 2 2 2 3 3, KEEP (2 2 2 3 3)" in text
    assert "Confirmed with the buttons" in text
    for words in ("98.7 %", "40.0 %", "corrected by hand", ">3*</text>", ">2</text>"):
        assert words in text
    picture = evening.client.get("/games/game-1/steps/1.jpg")
    assert (picture.data, picture.mimetype) == (JPEG, "image/jpeg")
    assert picture.headers["Cache-Control"] == "no-store"


def test_a_step_has_its_own_photo_or_words(evening: Evening) -> None:
    """Never the photo of another score; what was typed instead is written next to it."""
    typed = {**SEEN, "entered": "5 5 5 5 5"}
    text = evening.text("/steps/6")
    assert "50 in Yahtzee for South" in text
    assert "There is no photo of this step" in text
    assert "<img" not in text
    evening.store.photos.add(ScorePhoto("game-1", 4, EVENING, JPEG, typed))
    assert "A person typed 5 5 5 5 5 instead of what the camera read." in evening.text("/steps/4")


@pytest.mark.parametrize(
    "path", ["/steps/2", "/steps/4.jpg", "/boxes/chance/0", "/boxes/full-house/7"]
)
def test_what_is_not_there_is_not_found(evening: Evening, path: str) -> None:
    """The middle of a step, a step without a photo, an empty box."""
    assert evening.client.get(f"/games/game-1{path}").status_code == 404


def test_the_log_has_every_step_in_words(evening: Evening) -> None:
    """Newest last, undone ones too, with who, how, and a mark for photos; and the sheet."""
    evening.table.undo()
    text = evening.text("/log")
    told = [
        "roll 2 2 2 3 3, KEEP (2 2 2 3 3)",
        "25 in Full house for North",
        "roll 5 5 5 5 5, KEEP (5 5 5 5 5)",
        "<s>50 in Yahtzee for South</s>",
        "undone: 50 in Yahtzee for South",
    ]
    listed = text[text.index('<ol class="steps">') :]
    places = [listed.index(words) for words in told]
    assert places == sorted(places)
    assert listed.count(">photo<") == 1
    assert listed.count("with the buttons") == 3
    assert text.index("Scoresheet") < text.index('<ol class="steps">')
    assert "This step was undone later." in evening.text("/steps/6")


def test_the_device_that_confirmed_is_named(evening: Evening) -> None:
    """As it is called now."""
    phone, _ = evening.access.devices.add("Ben’s phone", "player")
    evening.table.session.receive(
        GameOpened("free-sheet", ("Ann", "Ben"), {}, "sheet"), phone.device_id
    )
    key = next(offer.key for offer in evening.table.view.offers if offer.entry)
    expected = evening.table.view.version
    evening.table.session.receive(Chosen(key, expected, "12"), phone.device_id)
    assert "on Ben’s phone" in evening.client.get("/games/sheet/log").text


def test_back_to_a_step_asks_once_and_undoes(evening: Evening) -> None:
    """The question lists what goes; the answer leads to the table."""
    assert "/games/game-1/steps/3#back" in evening.text("/log")
    question = evening.text("/steps/3")
    assert "Steps that will be undone: 2." in question
    assert "50 in Yahtzee for South" in question
    assert "Steps that will be undone" not in evening.text("/steps/6")
    assert evening.back(3)[0] == 303
    assert evening.table.view.sequence == 9
    assert "/games/game-1/steps/3#back" not in evening.text("/log")
    assert "Steps that will be undone" not in evening.text("/steps/3")


def test_a_stale_question_undoes_nothing(evening: Evening) -> None:
    """The game went on meanwhile: 409, and the table as it stands."""
    view = evening.table.view
    seen = f"{evening.fake.live.run}.{view.version}"
    evening.table.roll("12346")
    evening.table.keep()
    form = {"seen": seen, "step": f"game-1.{view.sequence}"}
    answer = evening.client.post("/games/game-1/steps/3/back", data=form, headers=OWN)
    assert answer.status_code == 409
    assert "That tap came too late; nothing changed." in answer.text
    assert evening.table.view.sequence == 8


def test_a_game_that_left_the_table_is_not_undone(evening: Evening) -> None:
    """The question was about another game."""
    evening.table.session.receive(GameOpened("yahtzee", ("East",), {"start": "first"}))
    assert evening.back(3)[0] == 409
    assert "Back to here" not in evening.text("/log")
    assert "Steps that will be undone" not in evening.text("/steps/3")
    assert 'href="/games/game-1/log#score-full-house-0"' in evening.text("/steps/3")


def test_watchers_see_and_change_nothing(evening: Evening) -> None:
    """The same rights as for the list of games."""
    afar = {"REMOTE_ADDR": "192.0.2.9"}
    client: FlaskClient = evening.client
    text = client.get("/games/game-1/log", environ_overrides=afar).text
    assert "25 in Full house for North" in text
    assert "Back to here" not in text
    assert client.get("/games/game-1/steps/1.jpg", environ_overrides=afar).status_code == 200
    answer = client.get("/games/game-1/steps/3", environ_overrides=afar)
    assert "Steps that will be undone" not in answer.text
    answer = client.post("/games/game-1/steps/3/back", headers=OWN, environ_overrides=afar)
    assert answer.status_code == 403


def test_photos_are_exported(evening: Evening) -> None:
    """The JSON names the file of each, and the zip has them with what was read.

    Those of a game in the bin are kept, and no page has them.
    """
    steps = json.loads(evening.text("/game.json"))["steps"]
    assert [step["photo"] for step in steps] == ["step-0001.jpg", None, None, None]
    packed = evening.client.get("/games/game-1/photos.zip")
    assert "filename=game-1-photos.zip" in packed.headers["Content-Disposition"]
    with ZipFile(BytesIO(packed.data)) as files:
        assert files.read("step-0001.jpg") == JPEG
        (known,) = json.loads(files.read("photos.json"))
    assert (known["photo"], known["pieces"][1]["read"]) == ("step-0001.jpg", "5")
    evening.table.session.receive(GameDeleted("game-1"))
    for path in ("/log", "/steps/1", "/steps/1.jpg", "/photos.zip", "/boxes/full-house/0"):
        assert evening.client.get(f"/games/game-1{path}").status_code == 404
