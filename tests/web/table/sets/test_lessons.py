"""Lessons on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoreboard.message import message
from vision.errors import LessonError
from web.table.sets.lessons import DESCRIPTION, Confusion, Lesson, LessonPhoto, LessonStore, Report

PROBLEM = message("{what} was found.", what=message("{count} pieces", count=3))
REPORT = Report(
    trusted=False,
    held_back=True,
    faces=2,
    tested=1,
    pieces=4,
    right=3,
    asked=1,
    unknown=4,
    unknown_refused=4,
    confusions=(Confusion("Sun", "?", 1),),
)
LESSON = Lesson(
    "Sky 하늘",
    ("Sun", "Moon"),
    (
        LessonPhoto(1, "learn", ("Sun", "Moon"), 2),
        LessonPhoto(3, "test", ("Sun",), 0, PROBLEM),
    ),
    taken=3,
    report=REPORT,
    solid=True,
)


def test_a_lesson_is_the_same_after_it_was_stored(tmp_path: Path) -> None:
    """Photographs, what is wrong with them and the report come back."""
    lessons = LessonStore(tmp_path / "lessons")
    assert lessons.names() == ()
    assert lessons.read("Sky 하늘") is None
    lessons.write(LESSON)
    assert lessons.read("Sky 하늘") == LESSON
    assert lessons.names() == ("Sky 하늘",)


def test_a_photograph_goes_with_its_pieces(tmp_path: Path) -> None:
    """And no other."""
    lessons = LessonStore(tmp_path)
    lessons.write(LESSON)
    for number in (1, 11):
        lessons.photo_path("Sky 하늘", number).write_bytes(b"photo")
        lessons.piece_path("Sky 하늘", number, 0).write_bytes(b"piece")
    lessons.drop_pictures("Sky 하늘", [1])
    assert not lessons.photo_path("Sky 하늘", 1).exists()
    assert not lessons.piece_path("Sky 하늘", 1, 0).exists()
    assert lessons.piece_path("Sky 하늘", 11, 0).exists()
    lessons.delete("Sky 하늘")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "x" * 61])
def test_a_name_that_is_no_folders_is_no_lessons(tmp_path: Path, name: str) -> None:
    """Nothing outside the lessons' own folder is read or deleted."""
    (tmp_path / "kept").write_text("kept")
    lessons = LessonStore(tmp_path / "lessons")
    assert lessons.read(name) is None
    lessons.delete(name)
    assert (tmp_path / "kept").exists()


@pytest.mark.parametrize("text", ["", "[]", '{"format": 2}', '{"format": 1, "name": "A"}'])
def test_damage_is_reported(tmp_path: Path, text: str) -> None:
    """With what to do about it."""
    lessons = LessonStore(tmp_path)
    lessons.write(LESSON)
    (tmp_path / "Sky 하늘" / DESCRIPTION).write_text(text, encoding="utf-8")
    with pytest.raises(LessonError, match="is damaged: delete it"):
        lessons.read("Sky 하늘")


def test_what_is_missing_counts_good_photographs_alone() -> None:
    """A photograph that cannot be used shows nothing; one taken away shows nothing either."""
    assert LESSON.missing("learn") == ()
    assert LESSON.missing("test") == ("Sun", "Moon")
    assert LESSON.faulty("test", ["Sun"]) == LESSON.photos[1:]
    assert LESSON.without([1]).missing("learn") == ("Sun", "Moon")
    assert LESSON.without([3]).taken == 3


def test_pieces_of_a_photograph_follow_what_was_told() -> None:
    """Several pieces on a photograph of one face are all of that face."""
    together = LessonPhoto(1, "learn", ("Sun", "Moon", "Sun"), 3)
    assert [list(together.showing(face)) for face in ("Sun", "Moon")] == [[0, 2], [1]]
    assert list(LessonPhoto(2, "learn", ("Sun",), 2).showing("Sun")) == [0, 1]
