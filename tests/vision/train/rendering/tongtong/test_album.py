"""The pictures on disk: taken once, named by what is awaited, with the truth apart."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.vision.train.rendering.staging import GreyStudio
from vision.train.rendering import tongtong
from vision.train.rendering.evening import read_picture
from vision.train.rendering.tongtong import (
    BUNTING,
    held_back_takes,
    tables,
    taught,
    teaching_takes,
    the_match,
)

ROOT = Path(__file__).parents[5]
TRUTH = ROOT / "tests" / "hardware" / "cameras" / "demo_tongtong_truth.json"


def test_pictures_are_taken_once_and_named_by_their_step(tmp_path: Path) -> None:
    """A broken-off run goes on where it stopped, and the second run takes none anew."""
    studio = GreyStudio()
    darkroom = tongtong.CardDarkroom(tmp_path / "cache", studio)
    first = next(tongtong.write_match(darkroom, tmp_path / "out"))
    again = next(tongtong.write_match(darkroom, tmp_path / "out"))
    assert first == again
    assert set(studio.traced.values()) == {1}
    picture = read_picture(tmp_path / "out" / "piles-0-01" / "throw0" / "00.webp")
    assert picture.shape == (720, 960, 3)


def test_every_face_is_photographed_three_times_and_once_to_examine() -> None:
    """In four scenes, each with a light and a table of its own."""
    lesson, held_back = list(teaching_takes(BUNTING)), list(held_back_takes(BUNTING))
    for takes, times in ((lesson, 3), (held_back, 1)):
        faces = Counter(one.face for take in takes for one in take.shooting.laid)
        assert faces == dict.fromkeys(BUNTING.faces, times)
    assert len({id(take.setting) for take in (*lesson, *held_back)}) == 4


def test_photographs_without_cards_teach_nothing(tmp_path: Path) -> None:
    """The fault names the photograph."""
    darkroom = tongtong.CardDarkroom(tmp_path / "cache", GreyStudio())
    folder = tmp_path / "lesson" / "R1 R2"
    folder.mkdir(parents=True)
    take = next(teaching_takes(BUNTING))
    darkroom.picture(take).rename(folder / "0.png")
    with pytest.raises(ValueError, match=r"0\.png"):
        taught("bunting", tmp_path / "lesson", tmp_path / "lesson", tmp_path)


def test_the_truth_that_ships_is_that_of_the_script(tmp_path: Path) -> None:
    """Whoever changes the script renders the pictures again."""
    shown = list(tables(the_match()))
    tongtong.write_truth(tmp_path / "truth.json", shown)
    told = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert told == json.loads(TRUTH.read_text(encoding="utf-8"))
