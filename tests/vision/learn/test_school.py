"""Lessons, their checks, and the examination of what was learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from scoreboard.message import message
from tests.vision.learn.drawn_set import FACES, Lying, foreign, learned, photograph, row
from vision.capture.frame import Image
from vision.errors import LessonError, PhotoError
from vision.learn.school import (
    STRANGERS,
    Examination,
    ExaminationAnswer,
    School,
    TaughtPhoto,
    faces_of,
)
from vision.learn.taught_reader import PieceVerdict, judge
from vision.learn.taught_sets import TaughtSet, TaughtSets

NOON = datetime(2026, 11, 1, tzinfo=UTC)


def files(folder: Path, *names: str) -> Path:
    """A folder with empty files of these names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def school(pictures: Mapping[Path, Image] | None = None) -> School:
    """A school that opens these pictures and keeps nothing."""
    opened = (pictures or {}).__getitem__
    return School(TaughtSets(Path()), opened, lambda: NOON)


@pytest.mark.parametrize(
    ("names", "photos"),
    [
        (
            ("R1/b.jpg", "R1/a.JPG", "skull/x.png"),
            [(("R1",), "a.JPG", 0), (("R1",), "b.jpg", 1), (("skull",), "x.png", 0)],
        ),
        (("R1 R2 R3/sheet.jpg",), [(("R1", "R2", "R3"), "sheet.jpg", 0)]),
        (
            ("R1.jpg", "R1-2.jpg", "7.jpg"),
            [(("7",), "7.jpg", 0), (("R1",), "R1-2.jpg", 0), (("R1",), "R1.jpg", 1)],
        ),
        (("R1 (3).jpg",), [(("R1",), "R1 (3).jpg", 0)]),
        (("R1/a.jpg", "R1/notes.txt", "R1/._a.jpg"), [(("R1",), "a.jpg", 0)]),
    ],
    ids=["folders", "a sheet", "files", "counted as a browser does", "no pictures"],
)
def test_a_folder_or_file_names_the_faces_of_its_photographs(
    tmp_path: Path, names: tuple[str, ...], photos: list[tuple[tuple[str, ...], str, int]]
) -> None:
    """Photographs of the same faces are counted in the order of their names."""
    lesson = school().lesson_in(files(tmp_path, *names))
    assert [(each.faces, each.path.name, each.fold) for each in lesson] == photos


def test_strangers_have_a_folder_of_their_own(tmp_path: Path) -> None:
    """Their folder's name is no face."""
    photos = school().lesson_in(files(tmp_path, "R1/a.jpg", "unknown/a.jpg"))
    assert [each.faces for each in photos] == [("R1",), (STRANGERS,)]
    assert faces_of(photos) == ("R1",)


def test_an_empty_or_missing_folder_is_reported_with_a_cure(tmp_path: Path) -> None:
    """The sentence says what to do."""
    with pytest.raises(LessonError, match="holds no pictures: make a folder in it for each face"):
        school().lesson_in(tmp_path)
    with pytest.raises(LessonError, match="check its name"):
        school().lesson_in(tmp_path / "nowhere")


def shown(*images: Image) -> dict[Path, Image]:
    """Pictures by the names that photographs are opened with."""
    return {Path(f"{at}.png"): image for at, image in enumerate(images)}


def photo(at: int, *faces: str, fold: int = 0) -> TaughtPhoto:
    """The photograph of that number."""
    return TaughtPhoto(Path(f"{at}.png"), faces, fold)


def verdict(*distances: float) -> PieceVerdict:
    """A verdict between R1 and B1."""
    return judge(("R1", "B1"), np.array(distances, np.float32))


def test_a_sheet_shows_its_faces_in_reading_order() -> None:
    """Each piece of a row has the face that was told for its place."""
    (each,) = school(shown(row())).inspect([photo(0, *FACES)])
    assert each.problem is None
    assert [one.face for one in each.specimens] == list(FACES)
    left = [one.place[:, 0].min() for one in each.specimens]
    assert left == sorted(left)


def test_one_face_may_lie_there_several_times() -> None:
    """All pieces of a photograph of one face show that face."""
    image = photograph([Lying("R1", 150, 240), Lying("R1", 400, 240, 20)])
    (each,) = school(shown(image)).inspect([photo(0, "R1")])
    assert [one.face for one in each.specimens] == ["R1", "R1"]


def test_too_many_too_few_and_none_are_reported_with_a_cure() -> None:
    """A photograph that does not show what it should teaches nothing."""
    pictures = shown(row(FACES[:3]), photograph(()))
    few, none = school(pictures).inspect([photo(0, *FACES), photo(1, "R1")])
    assert str(few.problem).startswith("3 pieces were found where 5 were told: lay them apart")
    assert str(none.problem).startswith("No piece was found: lay it on a plain table")
    assert few.specimens == none.specimens == ()


def test_a_broken_photograph_is_reported_and_the_others_are_used() -> None:
    """The reason is the photograph's own."""

    def opened(path: Path) -> Image:
        if path.stem == "1":
            raise PhotoError(message("The file is empty; copy it again."))
        return row()

    teacher = replace(school(), open_photo=opened)
    good, bad = teacher.inspect([photo(0, *FACES), photo(1, *FACES)])
    assert good.problem is None
    assert str(bad.problem) == "The file is empty; copy it again."


def test_photographs_held_back_are_read_whole() -> None:
    """Every face of another scene is right, and a stranger is refused."""
    pictures = shown(row(FACES, 2), foreign())
    held = school(pictures).inspect([photo(0, *FACES), photo(1, STRANGERS)])
    drawn = TaughtSet("Drawn", learned(), trusted=False, taught_at=NOON)
    examination = school(pictures).examine_held_back(drawn, held)
    score = examination.score
    assert (score.right, score.pieces) == (len(FACES), len(FACES))
    assert (score.refused, score.strangers) == (1, 1)
    assert examination.held_back
    assert examination.passed


@pytest.mark.parametrize(
    ("faces", "scenes"), [(FACES[:3], 2), pytest.param(FACES, 3, marks=pytest.mark.slow)]
)
def test_a_lesson_is_examined_by_turns(faces: tuple[str, ...], scenes: int) -> None:
    """Each photograph is read by what the others taught."""
    pictures = shown(*(row(faces, at) for at in range(scenes)))
    photos = [photo(at, *faces, fold=at) for at in range(scenes)]
    teacher = school(pictures)
    examination = teacher.examine_by_turns(teacher.inspect(photos))
    assert examination is not None
    assert not examination.held_back
    assert examination.score.right == examination.score.pieces == scenes * len(faces)


def test_one_photograph_a_face_leaves_nothing_to_examine() -> None:
    """Without a second photograph a face cannot be left out."""
    inspected = school(shown(row())).inspect([photo(0, *FACES)])
    assert school().examine_by_turns(inspected) is None


GOOD = ExaminationAnswer(Path("a"), "R1", verdict(1, 4))
DOUBTFUL = ExaminationAnswer(Path("b"), "B1", verdict(1, 1.1))
SILENT = ExaminationAnswer(Path("b"), "B1", verdict(1, 4))
GUESSED = ExaminationAnswer(Path("b"), STRANGERS, verdict(1, 4))
MISSED = ExaminationAnswer(Path("b"), "R1", None)
REFUSED = ExaminationAnswer(Path("b"), "R1", verdict(9, 30))


@pytest.mark.parametrize(
    ("answers", "passed", "confusions"),
    [
        ((*[GOOD] * 49, DOUBTFUL), True, {("B1", "R1"): 1}),
        ((*[GOOD] * 49, SILENT), False, {("B1", "R1"): 1}),
        ((*[GOOD] * 49, GUESSED), False, {}),
        ((*[GOOD] * 49, MISSED), True, {("R1", "?"): 1}),
        ((*[GOOD] * 9, REFUSED), False, {("R1", "?"): 1}),
        ((), False, {}),
    ],
    ids=["a doubt", "a silent error", "a stranger for a face", "missed", "too few right", "none"],
)
def test_what_fails_a_set(
    answers: tuple[ExaminationAnswer, ...], *, passed: bool, confusions: dict[tuple[str, str], int]
) -> None:
    """One silent error however many are right; or too many doubts and misses."""
    examination = Examination(answers, held_back=True)
    assert examination.passed == passed
    assert examination.confusions == confusions
