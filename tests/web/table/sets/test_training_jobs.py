"""The training jobs behind the pages: drawn photographs, a real school, folders of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from shutil import copytree

import cv2
import numpy as np
import pytest

from tests.patience import until
from tests.vision.learn.drawn_set import FACES, foreign, row
from tests.vision.learn.drawn_tiles import EDITION, ORDINARY, fives, tiles_on_table
from tests.web.table.camera.test_uploads import waiting_for
from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.learn.school import School
from vision.learn.taught_reader import TILE_FACES
from vision.learn.taught_sets import DESCRIPTION, TaughtSets
from vision.read.observation import NO_PIECES
from vision.train.tiles.scenes import DrawnEdition
from web.shared.clocks import utc_now
from web.table.camera.uploads import PictureTurns
from web.table.sets.lessons import Lesson, LessonPhoto, LessonStore, Progress, Report, Step
from web.table.sets.training_jobs import TrainingJobs

FOUR = FACES[:4]
PHONE, TABLET = "192.0.2.7", "192.0.2.8"


def png(image: Image) -> BytesIO:
    """The picture as a file."""
    return BytesIO(cv2.imencode(".png", image)[1].tobytes())


class Teaching:
    """Training jobs in a folder, with a count of the changes that they reported."""

    def __init__(self, folder: Path) -> None:
        self.lessons = LessonStore(folder / "lessons")
        self.turns = PictureTurns()
        self.school = School(TaughtSets(folder / "sets"), open_photo, utc_now, self.turns.turn)
        self.changes = 0
        self.jobs = TrainingJobs(
            lambda: self.school,
            self.lessons,
            self.turns,
            taught=self.count,
        )

    def count(self) -> None:
        self.changes += 1

    @property
    def lesson(self) -> Lesson:
        lesson = self.jobs.lesson("Deck")
        assert lesson is not None
        return lesson

    @property
    def report(self) -> Report:
        assert self.lesson.report is not None
        return self.lesson.report

    def add(self, step: Step, scene: int) -> None:
        """Send a photograph of four faces from a scene."""
        assert self.jobs.add("Deck", step, FOUR, [png(row(FOUR, scene))], PHONE) == ()

    def learns(self) -> Progress | None:
        """Learn, and wait for the end; gives what went wrong."""
        assert self.jobs.learn("Deck") is None
        until(lambda: (now := self.jobs.progress("Deck")) is None or now.fault is not None)
        return self.jobs.progress("Deck")


@pytest.fixture
def teaching(tmp_path: Path) -> Teaching:
    """Training jobs with a lesson of four faces that was begun."""
    teaching = Teaching(tmp_path)
    assert teaching.jobs.begin("Deck", FOUR) is None
    return teaching


@pytest.fixture(scope="module")
def one_photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a lesson whose four faces are on one photograph."""
    folder = tmp_path_factory.mktemp("lesson")
    teaching = Teaching(folder)
    assert teaching.jobs.begin("Deck", FOUR) is None
    teaching.add("learn", 0)
    return folder


@pytest.fixture
def photographed(one_photo: Path, tmp_path: Path) -> Teaching:
    """Training jobs with that lesson."""
    return Teaching(copytree(one_photo, tmp_path / "photographed"))


@pytest.fixture(scope="module")
def hardly_tested(one_photo: Path, tmp_path_factory: pytest.TempPathFactory) -> Teaching:
    """Training jobs with that lesson, learned, and tested on one of its four faces."""
    teaching = Teaching(copytree(one_photo, tmp_path_factory.mktemp("learned") / "lesson"))
    picture = png(row(FOUR[:1], 2))
    assert teaching.jobs.add("Deck", "test", FOUR[:1], [picture], PHONE) == ()
    assert teaching.learns() is None
    return teaching


def test_a_set_is_taught_tested_and_kept(photographed: Teaching) -> None:
    """From photographs to a trusted set; the report stays, and the table is told."""
    teaching = photographed
    teaching.add("learn", 1)
    teaching.add("test", 2)
    assert teaching.jobs.add("Deck", "test", ["unknown"], [png(foreign())], PHONE) == ()
    assert teaching.learns() is None
    report = teaching.report
    assert (report.trusted, report.held_back, report.tested) == (True, True, 4)
    assert (report.right, report.pieces, report.refused, report.strangers) == (4, 4, 1, 1)
    (entry,) = teaching.jobs.entries()
    assert entry.taught is not None
    assert entry.taught.score is not None
    assert (entry.taught.trusted, entry.taught.score.right) == (True, 4)
    assert teaching.changes == 1
    assert teaching.jobs.face("Deck", 0) is not None
    assert teaching.jobs.delete("Deck") is None
    assert (teaching.jobs.entries(), teaching.changes) == ((), 2)
    assert teaching.jobs.face("Deck", 0) is None


@pytest.mark.slow
def test_without_photographs_held_back_it_is_not_trusted(photographed: Teaching) -> None:
    """However well it does on its own; the report says on what it was tried."""
    photographed.add("learn", 1)
    assert photographed.learns() is None
    report = photographed.report
    assert (report.trusted, report.held_back) == (False, False)
    assert report.right == report.pieces == 8
    assert not photographed.school.sets.load("Deck").trusted


def test_a_test_of_few_faces_earns_no_trust(hardly_tested: Teaching) -> None:
    """One of four faces is less than half."""
    assert not hardly_tested.school.sets.load("Deck").trusted
    report = hardly_tested.report
    assert (report.held_back, report.tested) == (True, 1)


def test_a_photograph_that_shows_something_else_is_kept_with_its_fault(
    photographed: Teaching,
) -> None:
    """Until a better one of the same faces comes; the others stay."""
    assert photographed.jobs.add("Deck", "learn", FOUR, [png(row(FOUR[:3]))], PHONE) == ()
    (faulty,) = photographed.lesson.faulty("learn", FOUR)
    assert "pieces were found where 4 were told" in str(faulty.problem)
    assert photographed.jobs.photo("Deck", faulty.number) is not None
    photographed.add("learn", 1)
    lesson = photographed.lesson
    assert [each.number for each in lesson.photos] == [1, 3]
    assert photographed.jobs.photo("Deck", faulty.number) is None
    assert photographed.jobs.piece("Deck", 3, 3) is not None
    assert photographed.jobs.piece("Deck", 3, 4) is None
    photographed.jobs.drop("Deck", 3)
    assert photographed.jobs.piece("Deck", 3, 3) is None


def test_an_old_fault_goes_once_each_of_its_faces_was_photographed(
    photographed: Teaching,
) -> None:
    """However they were; it is told beside good ones that came with it."""
    assert photographed.jobs.add("Deck", "learn", FOUR, [png(row(FOUR[:3]))], PHONE) == ()
    for faces, left in ((FOUR[:2], 1), (FOUR[2:], 0)):
        assert photographed.jobs.add("Deck", "learn", faces, [png(row(faces, 2))], PHONE) == ()
        assert len(photographed.lesson.faulty("learn", FOUR)) == left
    pictures = [png(row(FOUR[:3])), png(row(FOUR, 1))]
    assert photographed.jobs.add("Deck", "learn", FOUR, pictures, PHONE) == ()
    assert len(photographed.lesson.faulty("learn", FOUR)) == 1


@pytest.mark.parametrize(("step", "faces"), [("learn", FOUR), ("test", FOUR), ("learn", FOUR[:1])])
def test_a_photograph_counts_once(photographed: Teaching, step: Step, faces: list[str]) -> None:
    """Also as another step's, or of other faces; removed, it may be sent again."""
    (fault,) = photographed.jobs.add("Deck", step, faces, [png(row(FOUR, 0))], PHONE)
    assert str(fault).startswith(f"This photograph is there already, of {' '.join(FOUR)}: remove")
    assert len(photographed.lesson.photos) == 1
    photographed.jobs.drop("Deck", 1)
    photographed.add("learn", 0)


def doubted(teaching: Teaching, picture: Image) -> str:
    """What is doubted about a second photograph of four faces."""
    assert teaching.jobs.add("Deck", "learn", FOUR, [png(picture)], PHONE) == ()
    (faulty,) = teaching.lesson.faulty("learn", FOUR)
    assert faulty.is_doubted
    return str(faulty.problem)


def test_a_photograph_against_all_evidence_is_asked_about(teaching: Teaching) -> None:
    """One face five times, names in another order, a blurred and a dark photograph."""
    assert doubted(teaching, row([FOUR[0]] * 4, 1)).startswith(
        "The pieces called R1 and R4 look alike"
    )
    teaching.add("learn", 0)
    reversed_order = doubted(teaching, row(FOUR[::-1], 1))
    assert reversed_order.startswith("The piece called R1 looks like B4 on another photo")
    blurred = cv2.GaussianBlur(row(FOUR, 1), (0, 0), 7)
    assert "is blurred" in doubted(teaching, np.asarray(blurred, np.uint8))
    dark = cv2.convertScaleAbs(row(FOUR, 1), alpha=0.18)
    assert "is very dark" in doubted(teaching, np.asarray(dark, np.uint8))


def test_a_doubted_photograph_is_used_where_somebody_says_so(teaching: Teaching) -> None:
    """Two faces may look alike; a photograph without its pieces stays unusable."""
    doubted(teaching, row([FOUR[0]] * 4, 1))
    assert teaching.jobs.add("Deck", "test", FOUR, [png(row(FOUR[:2]))], PHONE) == ()
    for number in (1, 2):
        teaching.jobs.accept("Deck", number)
    lesson = teaching.lesson
    assert [each.number for each in lesson.usable("learn")] == [1]
    assert lesson.usable("test") == ()


def test_what_is_no_photograph_is_not_taken(teaching: Teaching) -> None:
    """With the reason for each; a sixth photograph of a face in the test is not looked at."""
    (fault,) = teaching.jobs.add("Deck", "learn", FOUR, [BytesIO(b"five cards, honestly")], PHONE)
    assert "no picture" in str(fault)
    lesson = teaching.lesson
    for number in range(1, 5):
        lesson = lesson.with_photo(LessonPhoto(number, "test", FOUR[:1], 1))
    teaching.lessons.write(lesson)
    picture = row(FOUR[:1])
    assert teaching.jobs.add("Deck", "test", FOUR[:1], [png(picture)], PHONE) == ()
    (fault,) = teaching.jobs.add("Deck", "test", FOUR[:1], [png(picture)], PHONE)
    assert "There are already 5 photographs of R1" in str(fault)
    assert len(teaching.lesson.photos_of("R1", "test")) == 5


@pytest.mark.parametrize(
    ("edition", "right"), [(ORDINARY, 5), (EDITION, 0)], ids=["an ordinary box", "odd inks"]
)
def test_tiles_that_are_read_untaught_are_counted(
    teaching: Teaching, edition: DrawnEdition, right: int
) -> None:
    """As they stand on the photograph; a lesson that was begun before this was noted has none."""
    assert teaching.jobs.begin("Tiles", TILE_FACES) is None
    five = fives()[4]
    picture = png(tiles_on_table([" ".join(five)], edition=edition))
    assert teaching.jobs.add("Tiles", "learn", five, [picture], PHONE) == ()
    lesson = teaching.jobs.lesson("Tiles")
    assert lesson is not None
    assert lesson.read_untaught("learn") == (right, 5)
    stored = teaching.lessons.folder / "Tiles" / "lesson.json"
    old = stored.read_text(encoding="utf-8").replace(f'"untaught": {right}', '"unknown": 1')
    stored.write_text(old, encoding="utf-8")
    reread = teaching.jobs.lesson("Tiles")
    assert reread is not None
    assert reread.read_untaught("learn") == (0, 0)


@pytest.mark.slow
def test_a_sixth_example_replaces_the_worst(teaching: Teaching) -> None:
    """The other faces of its photograph keep theirs, also once it is all that is left of it."""
    odd, number = row(("R1", "G7", "B1", "B4"), 1), 1  # G7 passes for R4: somebody says so
    teaching.jobs.add("Deck", "learn", FOUR, [png(odd)], PHONE)
    teaching.jobs.accept("Deck", number)
    for scene in range(4):
        teaching.jobs.add("Deck", "learn", FOUR[1:2], [png(row(FOUR[1:2], scene))], PHONE)
        for faulty in teaching.lesson.faulty("learn", FOUR[1:2]):
            teaching.jobs.accept("Deck", faulty.number)
    assert len(teaching.lesson.photos_of("R4", "learn")) == 5
    teaching.jobs.add("Deck", "learn", FOUR[1:2], [png(row(FOUR[1:2], 4))], PHONE)
    for faulty in teaching.lesson.faulty("learn", FOUR[1:2]):
        teaching.jobs.accept("Deck", faulty.number)
    photos = teaching.lesson.photos_of("R4", "learn")
    assert [each.number for each in photos] == [2, 3, 4, 5, 6]
    (first,) = teaching.lesson.photos_of("R1", "learn")
    assert (first.number, first.dropped) == (number, (1,))
    reread = teaching.lessons.read("Deck")
    assert reread == teaching.lesson


def test_a_refused_photograph_shows_what_was_found_on_it(photographed: Teaching) -> None:
    """Outlined; one that can be used is shown as it is."""
    photographed.jobs.add("Deck", "test", FOUR, [png(row(FOUR[:3]))], PHONE)
    (faulty,) = photographed.lesson.faulty("test")
    shown = photographed.jobs.photo("Deck", faulty.number)
    assert shown is not None
    drawn, plain = open_photo(shown), row(FOUR[:3])
    orange = (drawn[..., 2] > 200) & (drawn[..., 0] < 90) & (drawn[..., 1] < 190)
    assert orange.sum() > 500
    assert drawn.shape[1] <= plain.shape[1]
    (good,) = photographed.lesson.usable("learn")
    as_it_is = open_photo(photographed.jobs.photo("Deck", good.number) or b"")
    assert ((as_it_is[..., 2] > 200) & (as_it_is[..., 0] < 90)).sum() < 100


def test_a_set_is_tried_on_a_picture(hardly_tested: Teaching) -> None:
    """It says what it reads, and keeps the picture; what is no picture is told."""
    assert "no picture" in str(hardly_tested.jobs.try_out("Deck", BytesIO(b"words"), PHONE))
    assert (hardly_tested.jobs.trial("Deck"), hardly_tested.jobs.trial_picture("Deck")) == (
        None,
        None,
    )
    assert hardly_tested.jobs.try_out("Deck", png(row(FOUR, 2)), PHONE) is None
    trial = hardly_tested.jobs.trial("Deck")
    assert trial is not None
    assert trial.pieces == FOUR
    assert "The set “Deck” has not passed its test: check every piece." in map(str, trial.doubts)
    assert (
        hardly_tested.jobs.try_out("Deck", png(np.full((480, 640, 3), 90, np.uint8)), PHONE) is None
    )
    empty = hardly_tested.jobs.trial("Deck")
    assert empty is not None
    assert NO_PIECES in empty.doubts
    assert open_photo(hardly_tested.jobs.trial_picture("Deck") or b"").shape[2] == 3


def test_a_set_is_chosen_for_rummikub(teaching: Teaching) -> None:
    """And the table is told; the model is a choice, too."""
    for wanted, chosen in ((True, "Deck"), (False, "")):
        assert teaching.jobs.play("Deck", wanted=wanted) is None
        assert teaching.school.sets.chosen_tiles() == chosen
    assert teaching.changes == 2


def test_learning_needs_every_face(teaching: Teaching) -> None:
    """Those without a photograph are named; until then nothing can be tried."""
    assert teaching.jobs.add("Deck", "learn", FOUR[:2], [png(row(FOUR[:2]))], PHONE) == ()
    assert str(teaching.jobs.learn("Deck")) == "There is no photograph yet of B1, B4."
    assert teaching.jobs.try_out("Deck", png(row(FOUR)), PHONE) is not None


def test_learning_that_fails_says_why(photographed: Teaching) -> None:
    """A photograph that is gone, a full disk, anything else; the lesson stays."""
    photographed.lessons.photo_path("Deck", 1).unlink()
    failed = photographed.learns()
    assert failed is not None
    assert str(failed.fault) == "There is no photograph yet of R1, R4, B1, B4."
    for error, words in (
        (OSError(28, "full"), "is the disk full"),
        (RuntimeError("odd"), "Something went wrong"),
    ):
        photographed.school = replace(photographed.school, open_photo=_raising(error))
        failed = photographed.learns()
        assert failed is not None
        assert words in str(failed.fault)
    lesson = photographed.lesson
    assert lesson.report is None


def _raising(error: Exception) -> Callable[[Path], Image]:
    def opened(_path: Path) -> Image:
        raise error

    return opened


def test_one_set_is_learned_at_a_time(photographed: Teaching) -> None:
    """A second one waits, and the first cannot be deleted meanwhile."""
    held: list[bool] = []

    def slow(path: Path) -> Image:
        until(lambda: bool(held))
        return open_photo(path)

    photographed.school = replace(photographed.school, open_photo=slow)
    assert photographed.jobs.learn("Deck") is None
    now = photographed.jobs.progress("Deck")
    assert now is not None
    assert now.of == 1
    assert "Another set is being learned" in str(photographed.jobs.learn("Deck"))
    assert "This set is being learned" in str(photographed.jobs.delete("Deck"))
    held.append(True)
    until(lambda: photographed.jobs.progress("Deck") is None)
    assert photographed.jobs.delete("Deck") is None


def test_names_are_checked_and_taken_once(teaching: Teaching) -> None:
    """A name must be a folder's, and a lesson is not begun twice."""
    assert "cannot name a set" in str(teaching.jobs.begin("../Deck", FOUR))
    assert "There is already a lesson" in str(teaching.jobs.begin("Deck", FOUR))
    assert (
        teaching.jobs.add("Other", "learn", FOUR, [BytesIO()], PHONE)[0].template
        == "That lesson is gone."
    )
    assert teaching.jobs.photo("../Deck", 1) is None
    assert teaching.jobs.delete("../Deck") is None


def test_what_is_damaged_is_listed_and_can_be_deleted(teaching: Teaching) -> None:
    """A set and a lesson alike, each with its fault."""
    sets, lessons = teaching.school.sets.folder, teaching.lessons.folder
    (sets / "Deck").mkdir(parents=True)
    for file in (sets / "Deck" / DESCRIPTION, lessons / "Deck" / "lesson.json"):
        file.write_text("torn", encoding="utf-8")
    (entry,) = teaching.jobs.entries()
    assert len(entry.faults) == 2
    assert teaching.jobs.delete("Deck") is None
    assert teaching.jobs.entries() == ()


def test_photographs_are_decoded_one_by_one_and_only_in_turn(teaching: Teaching) -> None:
    """None while a picture of the table has its turn, and the next after a look at the last."""
    photos = [Watched(png(row(FOUR, scene)).getvalue()) for scene in (0, 1)]
    read_at_looks: list[int] = []

    def opened(path: Path) -> Image:
        read_at_looks.append(sum(photo.was_read for photo in photos))
        return open_photo(path)

    teaching.school = replace(teaching.school, open_photo=opened)
    with ThreadPoolExecutor(1) as pool:
        with teaching.turns.turn():
            adding = pool.submit(teaching.jobs.add, "Deck", "learn", FOUR, photos, PHONE)
            until(lambda: waiting_for(teaching.turns) == 1)
            assert not any(photo.was_read for photo in photos)
            with teaching.turns.admitted(TABLET):  # another sender is refused in words
                (fault,) = teaching.jobs.add("Deck", "learn", FOUR, [png(row(FOUR))], TABLET)
            assert "earlier picture is still being read" in str(fault)
        assert adding.result() == ()
    assert read_at_looks[0] == 1
    assert read_at_looks[-1] == 2


def test_looking_at_a_photograph_takes_a_turn(photographed: Teaching) -> None:
    """While a set is learned too: a picture of the table waits for one look at most."""
    open_now: list[Path] = []

    def opened(path: Path) -> Image:
        open_now.append(path)
        return open_photo(path)

    photographed.school = replace(photographed.school, open_photo=opened)
    with photographed.turns.turn():
        assert photographed.jobs.learn("Deck") is None
        until(lambda: waiting_for(photographed.turns) == 1)
        assert open_now == []
    until(lambda: photographed.jobs.progress("Deck") is None)
    assert open_now


class Watched(BytesIO):
    """A file that tells whether it was read."""

    was_read = False

    def read(self, size: int | None = -1, /) -> bytes:
        self.was_read = True
        return super().read(size)
