"""The pages of teaching: their lists, forms and faults, and what they say of a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scoreboard.message import message
from tests.web.lesson_fake import NOTHING_FOUND, FakeJobs
from tests.web.table_fake import NOON, FakeTable
from vision.learn.prototypes import Likeness
from vision.learn.quads import Format
from vision.learn.taught_reader import TILE_FACES
from vision.learn.taught_sets import ExaminationScore, TaughtSet
from web.table.sets.lessons import Confusion, Entry, Lesson, LessonPhoto, Progress, Report, Trial

OWN = {"Origin": "http://localhost"}
FACES = ("Sun", "Moon", "Star")
REPORT = Report(
    trusted=True,
    held_back=True,
    faces=3,
    tested=3,
    pieces=6,
    right=6,
    asked=1,
    strangers=2,
    refused=2,
    unknown=9,
    unknown_refused=8,
)


@pytest.fixture
def jobs() -> FakeJobs:
    """A jobs with a lesson of three faces."""
    return FakeJobs({"Deck": Lesson("Deck", FACES)})


def taught_set(faces: tuple[str, ...]) -> TaughtSet:
    """A set of these faces that passed its test; what was learned of them is nothing."""
    none = np.zeros((0, 0), np.float32)
    likeness = Likeness(faces, Format(2, 2), none, none, none, none, usual=1.0)
    score = ExaminationScore(True, 6, 5, 1, 0, 0, 0)  # noqa: FBT003 -- held_back, the rest are counts
    return TaughtSet("Deck", likeness, trusted=True, taught_at=NOON, score=score)


def client(jobs: FakeJobs) -> FlaskClient:
    """A browser at a table with that jobs."""
    return FakeTable().app(lessons=jobs).test_client()


def sent(
    browser: FlaskClient,
    faces: str,
    photos: Iterable[bytes],
    stage: str = "photos",
    place: str = "",
) -> TestResponse:
    """Photographs sent from the lesson's page."""
    files = [(BytesIO(each), f"{at}.jpg") for at, each in enumerate(photos)]
    form = {"faces": faces, "place": place, "photo": files}
    return browser.post(f"/teach/Deck/{stage}", data=form, headers=OWN)


def test_a_set_is_begun_with_faces_of_its_own(jobs: FakeJobs) -> None:
    """Blanks and commas part their names, and each counts once."""
    form = {"name": " Sky ", "preset": "own", "faces": "Sun, Moon Star Sun"}
    answer = client(jobs).post("/teach", data=form, headers=OWN)
    assert (answer.status_code, answer.location) == (303, "/teach/Sky/photos")
    assert jobs.lessons["Sky"].faces == FACES


@pytest.mark.parametrize(
    ("preset", "count", "last"),
    [("cards", 40, "Y8"), ("die", 6, "6"), ("tiles", 53, "J")],
    ids=["cards", "die", "tiles"],
)
def test_known_sets_need_no_writing(jobs: FakeJobs, preset: str, count: int, last: str) -> None:
    """Tong Tong's deck and a die come with the names of their faces."""
    client(jobs).post("/teach", data={"name": "New", "preset": preset}, headers=OWN)
    assert (len(jobs.lessons["New"].faces), jobs.lessons["New"].faces[-1]) == (count, last)
    assert jobs.lessons["New"].solid == (preset == "die")


@pytest.mark.parametrize(
    ("faces", "sentence"),
    [
        ("Sun", "A set has 2 to 60 faces"),
        ("", "A set has 2 to 60 faces"),
        ("Sun ?", "cannot name a face"),
        ("Sun unknown", "cannot name a face"),
        ("Sun " + "x" * 17, "cannot name a face"),
    ],
)
def test_faces_that_cannot_be_are_explained(jobs: FakeJobs, faces: str, sentence: str) -> None:
    """The form comes back as it was filled in."""
    form = {"name": "Sky", "preset": "own", "faces": faces}
    answer = client(jobs).post("/teach", data=form, headers=OWN)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert 'value="Sky"' in answer.text
    assert "Sky" not in jobs.lessons
    jobs.refusal = message("There is already a lesson of that name.")
    answer = client(jobs).post("/teach", data={"name": "A", "preset": "die"}, headers=OWN)
    assert (answer.status_code, str(jobs.refusal) in answer.text) == (422, True)


def test_photographs_of_several_faces_are_counted(jobs: FakeJobs) -> None:
    """The field is filled with the faces that are still missing."""
    browser = client(jobs)
    assert 'value="Sun Moon Star"' in browser.get("/teach/Deck/photos").text
    answer = sent(browser, "Sun, Moon", [b"12", b"12"], place="together")
    assert (answer.status_code, answer.location) == (303, "/teach/Deck/photos#together")
    text = browser.get("/teach/Deck/photos").text
    assert 'value="Star"' in text
    assert "2 of 3 faces have a photograph. Still missing: Star" in text
    assert "Photographs of Moon: 2 of 5" in text
    assert "/teach/Deck/photo-1-0.jpg" in text
    assert "Next step" not in text
    sent(browser, "Star", [b"1"])
    assert 'value="Star"' in browser.get("/teach/Deck/photos").text
    sent(browser, "Star", [b"1"])
    assert 'value="Sun Moon Star"' in browser.get("/teach/Deck/photos").text


def test_names_of_a_refused_photo_stay_once_it_is_removed(jobs: FakeJobs) -> None:
    """They were typed, and the next photo shows the same faces."""
    browser = client(jobs)
    sent(browser, "Star Sun", [b"1"], place="together")
    form = {"number": "1", "place": "together"}
    answer = browser.post("/teach/Deck/photos/drop", data=form, headers=OWN)
    assert 'value="Star Sun"' in browser.get(answer.location).text
    assert 'value="Sun Moon Star"' in browser.get("/teach/Deck/photos").text


def test_tiles_are_photographed_five_at_a_time(jobs: FakeJobs) -> None:
    """Of every colour first; the page goes on where it stopped, and wants both jokers."""
    jobs.lessons["Deck"] = Lesson("Deck", TILE_FACES)
    browser = client(jobs)
    first = "K4 R6 B8 O9 K12"
    left = [face for face in TILE_FACES if face not in first.split()]
    fives = [first, *(" ".join(left[at : at + 5]) for at in range(0, 45, 5))]
    for done, five in enumerate(fives):
        text = browser.get("/teach/Deck/photos").text
        assert f"{5 * done} of 53 faces have a photograph." in text
        assert f'value="{five}"' in text
        sent(browser, five, [b"12345"], place="together")
    assert 'value="O12 O13 J J"' in browser.get("/teach/Deck/photos").text
    assert "tiles-K" in browser.get("/teach/Deck/photos").text
    sent(browser, "O12 O13 J J", [b"123"], place="together")
    assert 'value="O12 O13 J J"' in browser.get("/teach/Deck/photos").text


ORDINARY = "This looks like an ordinary box"


@pytest.mark.parametrize(
    ("faces", "right", "present", "absent"),
    [
        (("K1", "R1", "B1", "O1"), 4, ORDINARY, "the others"),
        (("K1", "R1", "B1", "O1"), 3, "Teaching helps with the others.", ORDINARY),
        (("K1", "K2", "K3", "K4"), 4, "4 of 4 tiles", ORDINARY),
    ],
    ids=["all of them", "not all", "of one colour"],
)
def test_what_is_read_untaught_is_told_at_the_first_photograph(
    jobs: FakeJobs, faces: tuple[str, ...], right: int, present: str, absent: str
) -> None:
    """So nobody teaches a box that is read anyway; one colour proves nothing of the inks."""
    photo = LessonPhoto(1, "learn", faces, 4, untaught=right)
    jobs.reported("Deck", Lesson("Deck", TILE_FACES, (photo,), 1))
    text = client(jobs).get("/teach/Deck/photos").text
    assert f"Read right without teaching: {right} of 4 tiles." in text
    assert present in text
    assert absent not in text
    assert "without teaching" not in client(jobs).get("/teach/Deck/test").text
    korean = client(jobs).get("/teach/Deck/photos", headers={"Accept-Language": "ko"}).text
    assert f"등록하지 않아도 바르게 읽은 타일: 4개 중 {right}개." in korean


def test_a_set_is_tried_where_it_was_learned(jobs: FakeJobs) -> None:
    """On a photo, or on what the camera shows now."""
    assert "Try it now" not in client(jobs).get("/teach/Deck/learn").text
    jobs.reported("Deck", Lesson("Deck", FACES, (LessonPhoto(1, "learn", FACES, 3),), 1, REPORT))
    jobs.last_trial = Trial(("Sun", "?"), (message("A piece may be a moon."),))
    browser = client(jobs)
    text = browser.get("/teach/Deck/learn").text
    for sentence in ("Try it now", "<b>Sun</b>", "A piece may be a moon.", "/teach/Deck/trial.jpg"):
        assert sentence in text
    photo = {"photo": (BytesIO(b"a photo"), "a.jpg")}
    answer = browser.post("/teach/Deck/try", data=photo, headers=OWN)
    assert (answer.location, jobs.tried) == ("/teach/Deck/learn#trial", [b"a photo"])
    assert browser.get("/teach/Deck/trial.jpg").mimetype == "image/jpeg"
    for form, sentence in (
        ({}, "Choose a photo first."),
        ({"table": "yes"}, "The camera has given no picture yet"),
    ):
        answer = browser.post("/teach/Deck/try", data=form, headers=OWN)
        assert answer.status_code == 422
        assert sentence in answer.text


def test_a_set_of_tiles_is_chosen_for_rummikub(jobs: FakeJobs) -> None:
    """The list says whether it is, and offers the contrary."""
    taught = taught_set(TILE_FACES)
    jobs.listed = (Entry("Deck", taught, plays=True),)
    text = client(jobs).get("/teach").text
    for page in (text, client(jobs).get("/teach/Deck/delete").text):
        assert "Rummikub’s tiles are read with this set." in page
        assert "Tong Tong’s cards are read" not in page
    assert "Stop playing Rummikub with it" in text
    jobs.listed = (Entry("Deck", taught),)
    assert "Play Rummikub with it" in client(jobs).get("/teach").text
    for wanted in ("yes", "no"):
        answer = client(jobs).post("/teach/Deck/play", data={"wanted": wanted}, headers=OWN)
        assert answer.location == "/teach"
    assert jobs.playing == [("Deck", True), ("Deck", False)]


def test_a_fault_is_reported_beside_its_face_and_goes_with_the_photo(jobs: FakeJobs) -> None:
    """Nothing else is lost."""
    browser = client(jobs)
    sent(browser, "Sun", [b"1"])
    answer = sent(browser, "Moon", [b""], place="face-1")
    assert "Choose a photo first" not in answer.text
    assert answer.location == "/teach/Deck/photos#face-1"
    text = browser.get("/teach/Deck/photos").text
    beside = text[text.index('id="face-1"') : text.index('id="face-2"')]
    assert str(NOTHING_FOUND) in beside
    assert "1 of 3 faces have a photograph." in text
    browser.post("/teach/Deck/photos/drop", data={"number": "2", "place": "face-1"}, headers=OWN)
    assert str(NOTHING_FOUND) not in browser.get("/teach/Deck/photos").text
    assert len(jobs.lessons["Deck"].photos) == 1


@pytest.mark.parametrize(
    ("faces", "photos", "sentence"),
    [
        ("Sun", [], "Choose a photo first."),
        ("", [b"1"], "Name the faces on the photo"),
        ("Comet", [b"1"], "“Comet” is not a face of this set."),
        ("unknown", [b"1"], "“unknown” is not a face of this set."),
        (" ".join(FACES * 5), [b"1"], "Put at most 12 faces on one photograph."),
        ("Sun", [b"1"] * 6, "Send at most 5 photos at once."),
        ("Sun", [b"no picture"], "The file is no picture."),
    ],
)
def test_what_cannot_be_sent_is_explained(
    jobs: FakeJobs, faces: str, photos: list[bytes], sentence: str
) -> None:
    """With status 422, and the page as it stood."""
    answer = sent(client(jobs), faces, photos, place="together")
    assert answer.status_code == 422
    assert sentence in answer.text


def test_strangers_belong_to_the_test_alone(jobs: FakeJobs) -> None:
    """They have a place of their own there."""
    browser = client(jobs)
    assert "Strangers" not in browser.get("/teach/Deck/photos").text
    answer = sent(browser, "unknown", [b"1"], stage="test", place="strangers")
    assert answer.location == "/teach/Deck/test#strangers"
    assert "Photographs of unknown: 1 of 5" in browser.get("/teach/Deck/test").text


def test_learning_waits_for_every_face(jobs: FakeJobs) -> None:
    """What is missing is named instead of a button."""
    browser = client(jobs)
    sent(browser, "Sun", [b"1"])
    text = browser.get("/teach/Deck/learn").text
    assert "2 faces have no photograph yet: Moon Star" in text
    assert "Learn it</button>" not in text
    sent(browser, "Moon Star", [b"12"])
    text = browser.get("/teach/Deck/learn").text
    assert "without them the set cannot be trusted" in text
    assert browser.post("/teach/Deck/learn", headers=OWN).location == "/teach/Deck/learn"
    assert jobs.learned == ["Deck"]


def test_progress_is_shown_and_can_be_asked_for(jobs: FakeJobs) -> None:
    """Until it is over; without scripts the page loads itself anew."""
    jobs.now = Progress(message("Looking"), 3, 9)
    browser = client(jobs)
    text = browser.get("/teach/Deck/learn").text
    assert 'max="9" value="3"' in text
    assert 'http-equiv="refresh"' in text
    asked = browser.get("/teach/Deck/progress").get_json()
    assert asked == {"running": True, "words": "Looking (3 of 9)", "done": 3, "of": 9}
    jobs.now = replace(jobs.now, fault=message("The disk is full."))
    assert browser.get("/teach/Deck/progress").get_json() == {"running": False}
    assert "The disk is full." in browser.get("/teach/Deck/learn").text


def report_page(jobs: FakeJobs, report: Report, photos: int = 1) -> str:
    """The page of a lesson with that report and so many photographs of each face."""
    taken = tuple(LessonPhoto(number, "learn", FACES, 3) for number in range(photos))
    jobs.reported("Deck", Lesson("Deck", FACES, taken, photos, report))
    return client(jobs).get("/teach/Deck/learn").text


def test_a_trusted_set_says_so(jobs: FakeJobs) -> None:
    """With the figures of its test, and what a stranger would do."""
    text = report_page(jobs, REPORT)
    for sentence in (
        "Learned, and trusted",
        "Read right on the photographs from another place: 6 of 6 pieces.",
        "Unsure or not found: 1.",
        "Pieces of no set on your photographs that it refused or asked about: 2 of 2.",
        "instead of guessing 8 of 9 times.",
        "You can play with it",
    ):
        assert sentence in text


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (replace(REPORT, held_back=False), "in another place, under another light (step 2)"),
        (replace(REPORT, tested=1), "Test at least half of the faces"),
        (replace(REPORT, right=4, confusions=(Confusion("Sun", "Star", 2),)), "Photograph Sun"),
        (replace(REPORT, right=5), "Three photographs of each face"),
        (replace(REPORT, pieces=0, held_back=False), "It could not be tested"),
        (replace(REPORT, silent=1), "Mistaken for another piece, without a doubt: 1."),
        (replace(REPORT, confusions=(Confusion("Sun", "?", 2),)), "Sun not recognised: 2"),
    ],
)
def test_a_set_that_is_not_trusted_says_what_to_do(
    jobs: FakeJobs, report: Report, sentence: str
) -> None:
    """And that every reading asks until then."""
    text = report_page(jobs, replace(report, trusted=False))
    assert "Learned, but not trusted yet" in text
    assert sentence in text
    assert "Until then it asks about every reading." in text


def test_the_list_shows_what_is_taught(jobs: FakeJobs) -> None:
    """Its score, whether it is trusted and played with; one without a lesson is taught anew."""
    taught = taught_set(FACES)
    untested = replace(taught, trusted=False, score=None)
    jobs.listed = (
        Entry("Deck", taught, plays=True),
        Entry("Dice", untested, Lesson("Dice", FACES)),
        Entry("Half", None, Lesson("Half", FACES)),
        Entry("Torn", None, None, (message("It is damaged."),)),
    )
    text = client(jobs).get("/teach").text
    for sentence in (
        "5 of 6 pieces right in its test.",
        "Tong Tong’s cards are read with this set.",
        "Not tested on photographs from another place yet.",
        "Teach it again",
        "Not learned yet.",
        "It is damaged.",
        "/teach/Deck/face-0.jpg",
    ):
        assert sentence in text


def test_a_set_is_deleted_after_a_question(jobs: FakeJobs) -> None:
    """What stands against it is told."""
    browser = client(jobs)
    assert "Delete this set for good?" in browser.get("/teach/Deck/delete").text
    jobs.refusal = message("It is being learned.")
    assert browser.post("/teach/Deck/delete", headers=OWN).status_code == 409
    jobs.refusal = None
    assert browser.post("/teach/Deck/delete", headers=OWN).location == "/teach"
    assert jobs.deleted == ["Deck"]
    assert browser.get("/teach/Deck/delete").status_code == 404


def test_pictures_are_asked_about_each_time(jobs: FakeJobs) -> None:
    """A set of the same name may have others; those that are not there are not found."""
    browser = client(jobs)
    for path in ("photo-1.jpg", "photo-1-0.jpg", "face-0.jpg"):
        answer = browser.get(f"/teach/Deck/{path}")
        assert (answer.mimetype, answer.headers["Cache-Control"]) == ("image/jpeg", "no-cache")
        again = browser.get(
            f"/teach/Deck/{path}", headers={"If-None-Match": answer.headers["ETag"]}
        )
        assert again.status_code == 304
        assert browser.get(f"/teach/Other/{path}").status_code == 404


def test_other_pages_lead_there_where_sets_can_be_taught(jobs: FakeJobs) -> None:
    """Where a game has pieces that can be taught."""
    for path in ("/games", "/about", "/setup?game=tongtong"):
        assert 'href="/teach"' in client(jobs).get(path).text
    assert 'href="/teach"' not in client(jobs).get("/setup?game=yahtzee").text
