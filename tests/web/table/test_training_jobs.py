"""The desk behind the page of teaching: drawn photographs, a real school, folders of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.patience import PATIENCE_SECONDS
from tests.vision.learn.drawn_set import FACES, foreign, row
from tests.web.table.test_uploads import waiting_for
from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.learn.school import School
from vision.learn.taught_sets import DESCRIPTION, TaughtSets
from web.clocks import utc_now
from web.table.lessons import LessonStore, Progress, Step
from web.table.training_jobs import TrainingJobs
from web.table.uploads import PictureTurns

FOUR = FACES[:4]
PHONE, TABLET = "192.0.2.7", "192.0.2.8"


def png(image: Image) -> BytesIO:
    """The picture as a file."""
    return BytesIO(cv2.imencode(".png", image)[1].tobytes())


class Room:
    """A schoolroom in a folder, with a count of the times that it told of a change."""

    def __init__(self, folder: Path) -> None:
        self.lessons = LessonStore(folder / "lessons")
        self.turns = PictureTurns()
        self.school = School(TaughtSets(folder / "sets"), open_photo, utc_now, self.turns.turn)
        self.told = 0
        self.plays: str | None = None
        self.desk = TrainingJobs(
            lambda: self.school,
            self.lessons,
            self.turns,
            taught=self.tell,
            plays=lambda: self.plays,
        )

    def tell(self) -> None:
        """A set has changed."""
        self.told += 1

    def add(self, step: Step, scene: int) -> None:
        """Send a photograph of four faces from a scene."""
        assert self.desk.add("Deck", step, FOUR, [png(row(FOUR, scene))], PHONE) == ()

    def learns(self) -> Progress | None:
        """Learn, and wait for the end; gives what went wrong."""
        assert self.desk.learn("Deck") is None
        wait(lambda: (now := self.desk.progress("Deck")) is None or now.fault is not None)
        return self.desk.progress("Deck")


def wait(holds: Callable[[], bool]) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A schoolroom in which a lesson of four faces was begun."""
    room = Room(tmp_path)
    assert room.desk.begin("Deck", FOUR) is None
    return room


def test_a_set_is_taught_tested_and_kept(room: Room) -> None:
    """From photographs to a trusted set; the report stays, and the table is told."""
    room.add("learn", 0)
    room.add("learn", 1)
    room.add("test", 2)
    assert room.desk.add("Deck", "test", ["unknown"], [png(foreign())], PHONE) == ()
    assert room.learns() is None
    lesson = room.desk.lesson("Deck")
    assert lesson is not None
    assert lesson.report is not None
    report = lesson.report
    assert (report.trusted, report.held_back, report.tested) == (True, True, 4)
    assert (report.right, report.pieces, report.refused, report.strangers) == (4, 4, 1, 1)
    (entry,) = room.desk.entries()
    assert entry.standing is not None
    assert (entry.standing.trusted, entry.standing.right) == (True, 4)
    assert room.told == 1
    assert room.desk.face("Deck", 0) is not None
    assert room.desk.delete("Deck") is None
    assert (room.desk.entries(), room.told) == ((), 2)
    assert room.desk.face("Deck", 0) is None


def test_without_photographs_held_back_it_is_not_trusted(room: Room) -> None:
    """However well it does on its own; the report says on what it was tried."""
    room.add("learn", 0)
    room.add("learn", 1)
    assert room.learns() is None
    lesson = room.desk.lesson("Deck")
    assert lesson is not None
    assert lesson.report is not None
    assert (lesson.report.trusted, lesson.report.held_back) == (False, False)
    assert lesson.report.right == lesson.report.pieces == 8
    assert not room.school.sets.load("Deck").trusted


def test_a_test_of_few_faces_earns_no_trust(room: Room) -> None:
    """One of four faces is less than half."""
    room.add("learn", 0)
    one = row(FOUR[:1], 2)
    assert room.desk.add("Deck", "test", FOUR[:1], [png(one)], PHONE) == ()
    assert room.learns() is None
    assert not room.school.sets.load("Deck").trusted
    lesson = room.desk.lesson("Deck")
    assert lesson is not None
    assert lesson.report is not None
    assert (lesson.report.held_back, lesson.report.tested) == (True, 1)


def test_a_photograph_that_shows_something_else_is_kept_with_its_fault(room: Room) -> None:
    """Until a better one of the same faces comes; the others stay."""
    room.add("learn", 0)
    for wrong in (row(FOUR[:2]), row(FOUR[:3])):
        assert room.desk.add("Deck", "learn", FOUR, [png(wrong)], PHONE) == ()
        lesson = room.desk.lesson("Deck")
        assert lesson is not None
        (faulty,) = lesson.faulty("learn", FOUR)
        assert "pieces were found where 4 were told" in str(faulty.problem)
        assert room.desk.photo("Deck", faulty.number) is not None
    room.add("learn", 1)
    lesson = room.desk.lesson("Deck")
    assert lesson is not None
    assert [each.number for each in lesson.photos] == [1, 4]
    assert room.desk.photo("Deck", faulty.number) is None
    assert room.desk.piece("Deck", 4, 3) is not None
    assert room.desk.piece("Deck", 4, 4) is None
    room.desk.drop("Deck", 4)
    assert room.desk.piece("Deck", 4, 3) is None


def doubted(room: Room, picture: Image) -> str:
    """What is doubted about a second photograph of four faces."""
    assert room.desk.add("Deck", "learn", FOUR, [png(picture)], PHONE) == ()
    lesson = room.desk.lesson("Deck")
    assert lesson is not None
    (faulty,) = lesson.faulty("learn", FOUR)
    assert faulty.is_doubted
    return str(faulty.problem)


def test_a_photograph_against_all_evidence_is_asked_about(room: Room) -> None:
    """One face five times, names in another order, a blurred and a dark photograph."""
    assert doubted(room, row([FOUR[0]] * 4, 1)).startswith("The pieces called R1 and R4 look alike")
    room.add("learn", 0)
    reversed_order = doubted(room, row(FOUR[::-1], 1))
    assert reversed_order.startswith("The piece called R1 looks like B4 on another photo")
    blurred = cv2.GaussianBlur(row(FOUR, 1), (0, 0), 7)
    assert "is blurred" in doubted(room, np.asarray(blurred, np.uint8))
    dark = cv2.convertScaleAbs(row(FOUR, 1), alpha=0.18)
    assert "is very dark" in doubted(room, np.asarray(dark, np.uint8))


def test_a_doubted_photograph_is_used_where_somebody_says_so(room: Room) -> None:
    """Two faces may look alike; a photograph without its pieces stays unusable."""
    doubted(room, row([FOUR[0]] * 4, 1))
    assert room.desk.add("Deck", "test", FOUR, [png(row(FOUR[:2]))], PHONE) == ()
    for number in (1, 2):
        room.desk.accept("Deck", number)
    lesson = room.desk.lesson("Deck")
    assert lesson is not None
    assert [each.number for each in lesson.usable("learn")] == [1]
    assert lesson.usable("test") == ()


def test_what_is_no_photograph_is_not_taken(room: Room) -> None:
    """With the reason for each; a sixth photograph of a face is not looked at."""
    (fault,) = room.desk.add("Deck", "learn", FOUR, [BytesIO(b"five cards, honestly")], PHONE)
    assert "no picture" in str(fault)
    picture = row(FOUR[:1])
    assert room.desk.add("Deck", "learn", FOUR[:1], [png(picture) for _ in range(5)], PHONE) == ()
    (fault,) = room.desk.add("Deck", "learn", FOUR[:1], [png(picture)], PHONE)
    assert "There are already 5 photographs of R1" in str(fault)
    lesson = room.desk.lesson("Deck")
    assert lesson is not None
    assert len(lesson.photos_of("R1", "learn")) == 5


def test_learning_needs_every_face(room: Room) -> None:
    """Those without a photograph are named."""
    assert room.desk.add("Deck", "learn", FOUR[:2], [png(row(FOUR[:2]))], PHONE) == ()
    assert str(room.desk.learn("Deck")) == "There is no photograph yet of B1, B4."


def test_learning_that_fails_says_why(room: Room) -> None:
    """A photograph that is gone, a full disk, anything else; the lesson stays."""
    room.add("learn", 0)
    room.lessons.photo_path("Deck", 1).unlink()
    failed = room.learns()
    assert failed is not None
    assert str(failed.fault) == "There is no photograph yet of R1, R4, B1, B4."
    for error, words in (
        (OSError(28, "full"), "is the disk full"),
        (RuntimeError("odd"), "Something went wrong"),
    ):
        room.school = replace(room.school, open_photo=_raising(error))
        failed = room.learns()
        assert failed is not None
        assert words in str(failed.fault)
    lesson = room.desk.lesson("Deck")
    assert lesson is not None
    assert lesson.report is None


def _raising(error: Exception) -> Callable[[Path], Image]:
    def opened(_path: Path) -> Image:
        raise error

    return opened


def test_one_set_is_learned_at_a_time(room: Room) -> None:
    """A second one waits, and the first cannot be deleted meanwhile."""
    room.add("learn", 0)
    held: list[bool] = []

    def slow(path: Path) -> Image:
        wait(lambda: bool(held))
        return open_photo(path)

    room.school = replace(room.school, open_photo=slow)
    assert room.desk.learn("Deck") is None
    now = room.desk.progress("Deck")
    assert now is not None
    assert now.of == 1
    assert "Another set is being learned" in str(room.desk.learn("Deck"))
    assert "This set is being learned" in str(room.desk.delete("Deck"))
    held.append(True)
    wait(lambda: room.desk.progress("Deck") is None)
    assert room.desk.delete("Deck") is None


def test_names_are_checked_and_taken_once(room: Room) -> None:
    """A name must be a folder's, and a lesson is not begun twice."""
    assert "cannot name a set" in str(room.desk.begin("../Deck", FOUR))
    assert "There is already a lesson" in str(room.desk.begin("Deck", FOUR))
    assert (
        room.desk.add("Other", "learn", FOUR, [BytesIO()], PHONE)[0].template
        == "That lesson is gone."
    )
    assert room.desk.photo("../Deck", 1) is None
    assert room.desk.delete("../Deck") is None


def test_what_is_damaged_is_listed_and_can_be_deleted(room: Room) -> None:
    """A set and a lesson alike, each with its fault."""
    room.school.sets.folder.joinpath("Deck").mkdir(parents=True)
    for folder, name in ((room.school.sets.folder, DESCRIPTION), (room.lessons.folder, None)):
        (folder / "Deck" / (name or "lesson.json")).write_text("torn", encoding="utf-8")
    (entry,) = room.desk.entries()
    assert len(entry.faults) == 2
    assert room.desk.delete("Deck") is None
    assert room.desk.entries() == ()


def test_photographs_are_decoded_one_by_one_and_only_in_turn(room: Room) -> None:
    """None while a picture of the table has its turn, and the next after a look at the last."""
    photos = [Watched(png(row(FOUR, scene)).getvalue()) for scene in (0, 1)]
    read_at_looks: list[int] = []

    def opened(path: Path) -> Image:
        read_at_looks.append(sum(photo.was_read for photo in photos))
        return open_photo(path)

    room.school = replace(room.school, open_photo=opened)
    with ThreadPoolExecutor(1) as pool:
        with room.turns.turn():
            adding = pool.submit(room.desk.add, "Deck", "learn", FOUR, photos, PHONE)
            wait(lambda: waiting_for(room.turns) == 1)
            assert not any(photo.was_read for photo in photos)
        assert adding.result() == ()
    assert read_at_looks[0] == 1
    assert read_at_looks[-1] == 2


def test_looking_at_a_photograph_takes_a_turn(room: Room) -> None:
    """While a set is learned too: a picture of the table waits for one look at most."""
    room.add("learn", 0)
    open_now: list[Path] = []

    def opened(path: Path) -> Image:
        open_now.append(path)
        return open_photo(path)

    room.school = replace(room.school, open_photo=opened)
    with room.turns.turn():
        assert room.desk.learn("Deck") is None
        wait(lambda: waiting_for(room.turns) == 1)
        assert open_now == []
    wait(lambda: room.desk.progress("Deck") is None)
    assert open_now


def test_a_sender_adds_one_form_at_a_time(room: Room) -> None:
    """Another one is refused in words, and nobody else is."""
    with room.turns.admitted(PHONE):
        (fault,) = room.desk.add("Deck", "learn", FOUR, [png(row(FOUR))], PHONE)
        assert "earlier picture is still being read" in str(fault)
        assert room.desk.add("Deck", "learn", FOUR, [png(row(FOUR))], TABLET) == ()


class Watched(BytesIO):
    """A file that tells whether it was read."""

    was_read = False

    def read(self, size: int | None = -1, /) -> bytes:
        """As any file."""
        self.was_read = True
        return super().read(size)
