"""Photographs named after what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.errors import LessonError
from vision.learn.school import faces_of, lesson_in


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
