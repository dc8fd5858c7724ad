"""The desk behind the page of teaching: drawn photographs, a real school, folders of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.learn.drawn_set import FACES, foreign, row
from tests.web.table.test_uploads import wait, waiting_for
from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.learn.school import School
from vision.learn.taught_sets import DESCRIPTION, TaughtSets
from web.clocks import utc_now
from web.table.lessons import Lesson, LessonStore, Progress, Report, Step
from web.table.training_jobs import TrainingJobs
from web.table.uploads import PictureTurns

FOUR = FACES[:4]
PHONE, TABLET = "192.0.2.7", "192.0.2.8"


def png(image: Image) -> BytesIO:
    """The picture as a file."""
    return BytesIO(cv2.imencode(".png", image)[1].tobytes())


class Jobs:
    """Training jobs in a folder, with a count of the changes that they reported."""

    def __init__(self, folder: Path) -> None:
        self.lessons = LessonStore(folder / "lessons")
        self.turns = PictureTurns()
        self.school = School(TaughtSets(folder / "sets"), open_photo, utc_now, self.turns.turn)
        self.changes = 0
        self.plays: str | None = None
        self.desk = TrainingJobs(
            lambda: self.school,
            self.lessons,
            self.turns,
            taught=self.count,
            plays=lambda: self.plays,
        )

    def count(self) -> None:
        """A set has changed."""
        self.changes += 1

    @property
    def lesson(self) -> Lesson:
        """The lesson as it stands."""
        lesson = self.desk.lesson("Deck")
        assert lesson is not None
        return lesson

    @property
    def report(self) -> Report:
        """What came of learning it."""
        assert self.lesson.report is not None
        return self.lesson.report

    def add(self, step: Step, scene: int) -> None:
        """Send a photograph of four faces from a scene."""
        assert self.desk.add("Deck", step, FOUR, [png(row(FOUR, scene))], PHONE) == ()

    def learns(self) -> Progress | None:
        """Learn, and wait for the end; gives what went wrong."""
        assert self.desk.learn("Deck") is None
        wait(lambda: (now := self.desk.progress("Deck")) is None or now.fault is not None)
        return self.desk.progress("Deck")


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    """Training jobs with a lesson of four faces that was begun."""
    jobs = Jobs(tmp_path)
    assert jobs.desk.begin("Deck", FOUR) is None
    return jobs


def test_a_set_is_taught_tested_and_kept(jobs: Jobs) -> None:
    """From photographs to a trusted set; the report stays, and the table is told."""
    jobs.add("learn", 0)
    jobs.add("learn", 1)
    jobs.add("test", 2)
    assert jobs.desk.add("Deck", "test", ["unknown"], [png(foreign())], PHONE) == ()
    assert jobs.learns() is None
    report = jobs.report
    assert (report.trusted, report.held_back, report.tested) == (True, True, 4)
    assert (report.right, report.pieces, report.refused, report.strangers) == (4, 4, 1, 1)
    (entry,) = jobs.desk.entries()
    assert entry.standing is not None
    assert (entry.standing.trusted, entry.standing.right) == (True, 4)
    assert jobs.changes == 1
    assert jobs.desk.face("Deck", 0) is not None
    assert jobs.desk.delete("Deck") is None
    assert (jobs.desk.entries(), jobs.changes) == ((), 2)
    assert jobs.desk.face("Deck", 0) is None


def test_without_photographs_held_back_it_is_not_trusted(jobs: Jobs) -> None:
    """However well it does on its own; the report says on what it was tried."""
    jobs.add("learn", 0)
    jobs.add("learn", 1)
    assert jobs.learns() is None
    report = jobs.report
    assert (report.trusted, report.held_back) == (False, False)
    assert report.right == report.pieces == 8
    assert not jobs.school.sets.load("Deck").trusted


def test_a_test_of_few_faces_earns_no_trust(jobs: Jobs) -> None:
    """One of four faces is less than half."""
    jobs.add("learn", 0)
    one = row(FOUR[:1], 2)
    assert jobs.desk.add("Deck", "test", FOUR[:1], [png(one)], PHONE) == ()
    assert jobs.learns() is None
    assert not jobs.school.sets.load("Deck").trusted
    assert (jobs.report.held_back, jobs.report.tested) == (True, 1)


def test_a_photograph_that_shows_something_else_is_kept_with_its_fault(jobs: Jobs) -> None:
    """Until a better one of the same faces comes; the others stay."""
    jobs.add("learn", 0)
    for wrong in (row(FOUR[:2]), row(FOUR[:3])):
        assert jobs.desk.add("Deck", "learn", FOUR, [png(wrong)], PHONE) == ()
        (faulty,) = jobs.lesson.faulty("learn", FOUR)
        assert "pieces were found where 4 were told" in str(faulty.problem)
        assert jobs.desk.photo("Deck", faulty.number) is not None
    jobs.add("learn", 1)
    lesson = jobs.lesson
    assert [each.number for each in lesson.photos] == [1, 4]
    assert jobs.desk.photo("Deck", faulty.number) is None
    assert jobs.desk.piece("Deck", 4, 3) is not None
    assert jobs.desk.piece("Deck", 4, 4) is None
    jobs.desk.drop("Deck", 4)
    assert jobs.desk.piece("Deck", 4, 3) is None


def doubted(jobs: Jobs, picture: Image) -> str:
    """What is doubted about a second photograph of four faces."""
    assert jobs.desk.add("Deck", "learn", FOUR, [png(picture)], PHONE) == ()
    (faulty,) = jobs.lesson.faulty("learn", FOUR)
    assert faulty.is_doubted
    return str(faulty.problem)


def test_a_photograph_against_all_evidence_is_asked_about(jobs: Jobs) -> None:
    """One face five times, names in another order, a blurred and a dark photograph."""
    assert doubted(jobs, row([FOUR[0]] * 4, 1)).startswith("The pieces called R1 and R4 look alike")
    jobs.add("learn", 0)
    reversed_order = doubted(jobs, row(FOUR[::-1], 1))
    assert reversed_order.startswith("The piece called R1 looks like B4 on another photo")
    blurred = cv2.GaussianBlur(row(FOUR, 1), (0, 0), 7)
    assert "is blurred" in doubted(jobs, np.asarray(blurred, np.uint8))
    dark = cv2.convertScaleAbs(row(FOUR, 1), alpha=0.18)
    assert "is very dark" in doubted(jobs, np.asarray(dark, np.uint8))


def test_a_doubted_photograph_is_used_where_somebody_says_so(jobs: Jobs) -> None:
    """Two faces may look alike; a photograph without its pieces stays unusable."""
    doubted(jobs, row([FOUR[0]] * 4, 1))
    assert jobs.desk.add("Deck", "test", FOUR, [png(row(FOUR[:2]))], PHONE) == ()
    for number in (1, 2):
        jobs.desk.accept("Deck", number)
    lesson = jobs.lesson
    assert [each.number for each in lesson.usable("learn")] == [1]
    assert lesson.usable("test") == ()


def test_what_is_no_photograph_is_not_taken(jobs: Jobs) -> None:
    """With the reason for each; a sixth photograph of a face is not looked at."""
    (fault,) = jobs.desk.add("Deck", "learn", FOUR, [BytesIO(b"five cards, honestly")], PHONE)
    assert "no picture" in str(fault)
    picture = row(FOUR[:1])
    assert jobs.desk.add("Deck", "learn", FOUR[:1], [png(picture) for _ in range(5)], PHONE) == ()
    (fault,) = jobs.desk.add("Deck", "learn", FOUR[:1], [png(picture)], PHONE)
    assert "There are already 5 photographs of R1" in str(fault)
    lesson = jobs.lesson
    assert len(lesson.photos_of("R1", "learn")) == 5


def test_learning_needs_every_face(jobs: Jobs) -> None:
    """Those without a photograph are named."""
    assert jobs.desk.add("Deck", "learn", FOUR[:2], [png(row(FOUR[:2]))], PHONE) == ()
    assert str(jobs.desk.learn("Deck")) == "There is no photograph yet of B1, B4."


def test_learning_that_fails_says_why(jobs: Jobs) -> None:
    """A photograph that is gone, a full disk, anything else; the lesson stays."""
    jobs.add("learn", 0)
    jobs.lessons.photo_path("Deck", 1).unlink()
    failed = jobs.learns()
    assert failed is not None
    assert str(failed.fault) == "There is no photograph yet of R1, R4, B1, B4."
    for error, words in (
        (OSError(28, "full"), "is the disk full"),
        (RuntimeError("odd"), "Something went wrong"),
    ):
        jobs.school = replace(jobs.school, open_photo=_raising(error))
        failed = jobs.learns()
        assert failed is not None
        assert words in str(failed.fault)
    lesson = jobs.lesson
    assert lesson.report is None


def _raising(error: Exception) -> Callable[[Path], Image]:
    def opened(_path: Path) -> Image:
        raise error

    return opened


def test_one_set_is_learned_at_a_time(jobs: Jobs) -> None:
    """A second one waits, and the first cannot be deleted meanwhile."""
    jobs.add("learn", 0)
    held: list[bool] = []

    def slow(path: Path) -> Image:
        wait(lambda: bool(held))
        return open_photo(path)

    jobs.school = replace(jobs.school, open_photo=slow)
    assert jobs.desk.learn("Deck") is None
    now = jobs.desk.progress("Deck")
    assert now is not None
    assert now.of == 1
    assert "Another set is being learned" in str(jobs.desk.learn("Deck"))
    assert "This set is being learned" in str(jobs.desk.delete("Deck"))
    held.append(True)
    wait(lambda: jobs.desk.progress("Deck") is None)
    assert jobs.desk.delete("Deck") is None


def test_names_are_checked_and_taken_once(jobs: Jobs) -> None:
    """A name must be a folder's, and a lesson is not begun twice."""
    assert "cannot name a set" in str(jobs.desk.begin("../Deck", FOUR))
    assert "There is already a lesson" in str(jobs.desk.begin("Deck", FOUR))
    assert (
        jobs.desk.add("Other", "learn", FOUR, [BytesIO()], PHONE)[0].template
        == "That lesson is gone."
    )
    assert jobs.desk.photo("../Deck", 1) is None
    assert jobs.desk.delete("../Deck") is None


def test_what_is_damaged_is_listed_and_can_be_deleted(jobs: Jobs) -> None:
    """A set and a lesson alike, each with its fault."""
    jobs.school.sets.folder.joinpath("Deck").mkdir(parents=True)
    for folder, name in ((jobs.school.sets.folder, DESCRIPTION), (jobs.lessons.folder, None)):
        (folder / "Deck" / (name or "lesson.json")).write_text("torn", encoding="utf-8")
    (entry,) = jobs.desk.entries()
    assert len(entry.faults) == 2
    assert jobs.desk.delete("Deck") is None
    assert jobs.desk.entries() == ()


def test_photographs_are_decoded_one_by_one_and_only_in_turn(jobs: Jobs) -> None:
    """None while a picture of the table has its turn, and the next after a look at the last."""
    photos = [Watched(png(row(FOUR, scene)).getvalue()) for scene in (0, 1)]
    read_at_looks: list[int] = []

    def opened(path: Path) -> Image:
        read_at_looks.append(sum(photo.was_read for photo in photos))
        return open_photo(path)

    jobs.school = replace(jobs.school, open_photo=opened)
    with ThreadPoolExecutor(1) as pool:
        with jobs.turns.turn():
            adding = pool.submit(jobs.desk.add, "Deck", "learn", FOUR, photos, PHONE)
            wait(lambda: waiting_for(jobs.turns) == 1)
            assert not any(photo.was_read for photo in photos)
        assert adding.result() == ()
    assert read_at_looks[0] == 1
    assert read_at_looks[-1] == 2


def test_looking_at_a_photograph_takes_a_turn(jobs: Jobs) -> None:
    """While a set is learned too: a picture of the table waits for one look at most."""
    jobs.add("learn", 0)
    open_now: list[Path] = []

    def opened(path: Path) -> Image:
        open_now.append(path)
        return open_photo(path)

    jobs.school = replace(jobs.school, open_photo=opened)
    with jobs.turns.turn():
        assert jobs.desk.learn("Deck") is None
        wait(lambda: waiting_for(jobs.turns) == 1)
        assert open_now == []
    wait(lambda: jobs.desk.progress("Deck") is None)
    assert open_now


def test_a_sender_adds_one_form_at_a_time(jobs: Jobs) -> None:
    """Another one is refused in words, and nobody else is."""
    with jobs.turns.admitted(PHONE):
        (fault,) = jobs.desk.add("Deck", "learn", FOUR, [png(row(FOUR))], PHONE)
        assert "earlier picture is still being read" in str(fault)
        assert jobs.desk.add("Deck", "learn", FOUR, [png(row(FOUR))], TABLET) == ()


class Watched(BytesIO):
    """A file that tells whether it was read."""

    was_read = False

    def read(self, size: int | None = -1, /) -> bytes:
        """As any file."""
        self.was_read = True
        return super().read(size)
