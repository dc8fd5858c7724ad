"""`tablescore teach`, and reading with what it taught."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.vision.learn.drawn_set import FACES, foreign, lesson, photograph, row, write
from tests.vision.learn.drawn_tiles import fives, tiles_on_table
from tests.web.cli.calling import call


def test_a_set_is_taught_examined_kept_and_read(tmp_path: Path) -> None:
    """From photographs to a reading: what was found is told, and what came of the examination."""
    held = lesson(tmp_path / "held", scenes=(2,))
    write(held / "unknown" / "a.png", foreign())
    taught = call(
        "teach", "Drawn", lesson(tmp_path / "lesson"), "--held-back", held, data=tmp_path / "data"
    )
    assert taught.exit_code == 0, taught.output
    assert "Looking at 2 photographs" in taught.stdout
    assert "  R1 R4 B1 B4 G7/0.png: 5 pieces, R1 R4 B1 B4 G7" in taught.stdout
    assert "5 faces, at least 2 of each." in taught.stdout
    assert "  right: 5 of 5 (100.0%)" in taught.stdout
    assert "  pieces of no face doubted or refused: 1 of 1 (100.0%)" in taught.stdout
    assert "Trusted, and kept as “Drawn”, revision 1" in taught.stdout

    write(tmp_path / "photo.png", row(FACES[::-1], 2))
    read = call(
        "read", tmp_path / "photo.png", "--pieces", "taught:Drawn", "--json", data=tmp_path / "data"
    )
    assert read.exit_code == 0, read.output
    document = json.loads(read.stdout)
    assert [each["label"] for each in document["detections"]] == list(FACES[::-1])
    assert not document["needs_review"]


def test_without_photographs_held_back_it_is_said_that_this_says_less(tmp_path: Path) -> None:
    """One photograph of each face is left out in turn."""
    result = call("teach", "Drawn", lesson(tmp_path / "lesson"), "--sets", tmp_path / "sets")
    assert "This says less than photographs of other scenes" in result.stdout
    assert "  right: 10 of 10 (100.0%)" in result.stdout
    assert "Not trusted: kept" in result.stdout
    assert "Read with it" not in result.stdout  # no command reads a set of another folder
    assert (tmp_path / "sets" / "Drawn" / "set.toml").exists()


def test_one_photograph_a_face_is_kept_but_not_trusted(tmp_path: Path) -> None:
    """There is nothing to examine it on, and more photographs are advised."""
    folder = lesson(tmp_path / "lesson", scenes=(0,))
    result = call("teach", "Drawn", folder, "--sets", tmp_path / "sets")
    assert result.exit_code == 0
    assert "Three photographs a face" in result.stdout
    assert "nothing to examine the set on" in result.stdout
    assert "Not trusted: kept" in result.stdout


def test_a_photograph_that_shows_too_little_is_named_with_a_cure(tmp_path: Path) -> None:
    """A face that no photograph is left of stops the lesson."""
    folder = lesson(tmp_path / "lesson", scenes=(0,))
    write(folder / "P2" / "empty.png", photograph((), 1))
    result = call("teach", "Drawn", folder, "--sets", tmp_path / "sets")
    assert result.exit_code == 1
    assert "P2/empty.png: No piece was found: lay it on a plain table" in result.stderr
    assert "No photograph can be used of P2: take them again." in result.stderr
    assert not (tmp_path / "sets").exists()


def test_an_empty_folder_and_an_unknown_set_end_in_a_sentence(tmp_path: Path) -> None:
    """Exit status 1, and what to do."""
    (tmp_path / "nothing").mkdir()
    empty = call("teach", "Drawn", tmp_path / "nothing")
    assert (empty.exit_code, "holds no pictures" in empty.stderr) == (1, True)
    write(tmp_path / "photo.png", photograph(()))
    unknown = call("read", tmp_path / "photo.png", "--pieces", "taught:Uno", data=tmp_path)
    assert (unknown.exit_code, "There is no taught set “Uno”" in unknown.stderr) == (1, True)


@pytest.mark.slow
def test_a_set_of_tiles_is_taught_and_read_with_its_sets(tmp_path: Path) -> None:
    """A folder with all of Rummikub's faces teaches tiles, which may touch when they are read."""
    for faces in map(" ".join, fives()):
        for scene in (0, 1):
            write(tmp_path / "ours" / faces / f"{scene}.png", tiles_on_table([faces], scene))
    taught = call("teach", "Ours", tmp_path / "ours", data=tmp_path / "data")
    assert taught.exit_code == 0, taught.output
    assert "53 faces, at least 2 of each." in taught.stdout
    write(tmp_path / "photo.png", tiles_on_table(["K1 K2 K3", "R7 B7 O7"], 1, gap=0.0))
    photo = ("read", tmp_path / "photo.png", "--pieces", "taught:Ours", "--json")
    document = json.loads(call(*photo, data=tmp_path / "data").stdout)
    assert document["taught:Ours"] == "K1 K2 K3 R7 B7 O7"
    assert [each["rule"] for each in document["sets"]] == ["RK-4", "RK-3"]
