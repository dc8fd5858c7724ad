"""Lessons, their checks, and the examination of what was learned."""

from __future__ import annotations

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
    TaughtPhoto,
    examine_by_turns,
    examine_held_back,
    faces_of,
    inspect,
    lesson_in,
)
from vision.learn.taught_reader import PieceVerdict, judge


def files(folder: Path, *names: str) -> Path:
    """A folder with empty files of these names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_a_folder_names_the_face_of_its_photographs(tmp_path: Path) -> None:
    """Photographs of a face are counted in the order of their names."""
    photos = lesson_in(files(tmp_path, "R1/b.jpg", "R1/a.JPG", "skull/x.png"))
    assert [(each.faces, each.path.name, each.fold) for each in photos] == [
        (("R1",), "a.JPG", 0),
        (("R1",), "b.jpg", 1),
        (("skull",), "x.png", 0),
    ]
    assert faces_of(photos) == ("R1", "skull")


def test_a_folder_may_name_several_faces_in_reading_order(tmp_path: Path) -> None:
    """Blanks part the faces."""
    (photo,) = lesson_in(files(tmp_path, "R1 R2 R3/sheet.jpg"))
    assert photo.faces == ("R1", "R2", "R3")


def test_a_file_names_its_face_with_or_without_a_counter(tmp_path: Path) -> None:
    """`R1-2` and `R1 (3)` are further photographs of R1; `7` is a face."""
    photos = lesson_in(files(tmp_path, "R1.jpg", "R1-2.jpg", "R1 (3).jpg", "7.jpg"))
    assert sorted(each.faces for each in photos) == [("7",), ("R1",), ("R1",), ("R1",)]


def test_what_is_no_picture_is_passed_over(tmp_path: Path) -> None:
    """Notes and hidden files are no photographs."""
    photos = lesson_in(files(tmp_path, "R1/a.jpg", "R1/notes.txt", "R1/._a.jpg"))
    assert len(photos) == 1


def test_strangers_have_a_folder_of_their_own(tmp_path: Path) -> None:
    """Their folder's name is no face."""
    photos = lesson_in(files(tmp_path, "R1/a.jpg", "unknown/a.jpg"))
    assert [each.shows_strangers for each in photos] == [False, True]
    assert faces_of(photos) == ("R1",)


def test_an_empty_or_missing_folder_is_told_with_a_cure(tmp_path: Path) -> None:
    """The sentence says what to do."""
    with pytest.raises(LessonError, match="holds no pictures: make a folder in it for each face"):
        lesson_in(tmp_path)
    with pytest.raises(LessonError, match="check its name"):
        lesson_in(tmp_path / "nowhere")


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
    (each,) = inspect([photo(0, *FACES)], shown(row()).__getitem__)
    assert each.problem is None
    assert [one.face for one in each.specimens] == list(FACES)
    left = [one.place[:, 0].min() for one in each.specimens]
    assert left == sorted(left)


def test_one_face_may_lie_there_several_times() -> None:
    """All pieces of a photograph of one face show that face."""
    image = photograph([Lying("R1", 150, 240), Lying("R1", 400, 240, 20)])
    (each,) = inspect([photo(0, "R1")], shown(image).__getitem__)
    assert [one.face for one in each.specimens] == ["R1", "R1"]


def test_too_many_too_few_and_none_are_told_with_a_cure() -> None:
    """A photograph that does not show what it should teaches nothing."""
    pictures = shown(row(FACES[:3]), photograph(()))
    few, none = inspect([photo(0, *FACES), photo(1, "R1")], pictures.__getitem__)
    assert str(few.problem).startswith("3 pieces were found where 5 were told: lay them apart")
    assert str(none.problem).startswith("No piece was found: lay it on a plain table")
    assert few.specimens == none.specimens == ()


def test_a_broken_photograph_is_told_and_the_others_are_used() -> None:
    """The reason is the photograph's own."""

    def opened(path: Path) -> Image:
        if path.stem == "1":
            raise PhotoError(message("The file is empty; copy it again."))
        return row()

    good, bad = inspect([photo(0, *FACES), photo(1, *FACES)], opened)
    assert good.problem is None
    assert str(bad.problem) == "The file is empty; copy it again."


def test_photographs_held_back_are_read_whole() -> None:
    """Every face of another scene is right, and a stranger is refused."""
    pictures = shown(row(FACES, 2), foreign())
    held = inspect([photo(0, *FACES), photo(1, STRANGERS)], pictures.__getitem__)
    examination = examine_held_back(learned(), held, pictures.__getitem__)
    assert (examination.right, len(examination.known)) == (len(FACES), len(FACES))
    assert (examination.refused, len(examination.strangers)) == (1, 1)
    assert examination.held_back
    assert examination.passed


def test_a_lesson_is_examined_by_turns() -> None:
    """Each photograph is read by what the others taught."""
    pictures = shown(row(FACES, 0), row(FACES, 1), row(FACES, 2))
    inspected = inspect([photo(at, *FACES, fold=at) for at in range(3)], pictures.__getitem__)
    examination = examine_by_turns(inspected)
    assert examination is not None
    assert not examination.held_back
    assert (examination.right, len(examination.known)) == (15, 15)


def test_one_photograph_a_face_leaves_nothing_to_examine() -> None:
    """Without a second photograph a face cannot be left out."""
    assert examine_by_turns(inspect([photo(0, *FACES)], shown(row()).__getitem__)) is None


def test_a_silent_error_fails_a_set_however_many_are_right() -> None:
    """One piece in fifty taken for another without a doubt is one too many."""
    good = [ExaminationAnswer(Path("a"), "R1", verdict(1, 4))] * 49
    doubtful = ExaminationAnswer(Path("b"), "B1", verdict(1, 1.1))
    silent = ExaminationAnswer(Path("b"), "B1", verdict(1, 4))
    assert Examination((*good, doubtful), held_back=True).passed
    assert not Examination((*good, silent), held_back=True).passed
    assert Examination((silent,), held_back=True).confusions == {("B1", "R1"): 1}


def test_a_stranger_taken_for_a_face_fails_a_set() -> None:
    """Guessing at unknown cards is a silent error too."""
    good = [ExaminationAnswer(Path("a"), "R1", verdict(1, 4))] * 50
    guessed = ExaminationAnswer(Path("b"), STRANGERS, verdict(1, 4))
    missed = ExaminationAnswer(Path("b"), "R1", None)
    assert not Examination((*good, guessed), held_back=True).passed
    assert Examination((*good, missed), held_back=True).confusions == {("R1", "?"): 1}


def test_too_few_right_fails_a_set() -> None:
    """Doubting everything is not good enough either."""
    good = [ExaminationAnswer(Path("a"), "R1", verdict(1, 4))] * 9
    refused = ExaminationAnswer(Path("b"), "R1", verdict(9, 30))
    assert not Examination((*good, refused), held_back=True).passed
    assert not Examination((), held_back=True).passed
