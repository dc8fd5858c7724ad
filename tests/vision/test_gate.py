"""The gate: a fifth of the strangers' photographs in every run of the tests, and its section."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture.frame import Frame
from vision.errors import LabelError
from vision.evaluate.labels import LabelledPhotograph, LabelledPiece, Source
from vision.read.dice import DiceRecogniser
from vision.read.observation import Detection, Observation
from vision.train.gate import SOURCES, gate_section, gate_sources, pass_gate

PHOTOGRAPHS = Path(__file__).parents[3] / "shared" / "data" / "dice"
needs_photographs = pytest.mark.skipif(
    not PHOTOGRAPHS.is_dir(), reason="the photographs in ../shared are not at hand"
)


@pytest.mark.slow
@needs_photographs
def test_a_fifth_of_the_gate_is_read() -> None:
    """Bounds close to what is reached: two photographs more of the fifty are one too many."""
    *_, score = pass_gate(gate_sources(PHOTOGRAPHS, every=5), DiceRecogniser())
    plain, counted = score.plain.row, score.counted.row
    assert plain.photos == counted.photos == 50
    assert plain.exact >= 0.96
    assert plain.silent <= 0.02
    assert plain.needless <= 0.04
    assert counted.exact >= 0.96
    assert counted.silent <= 0.02
    assert counted.needless <= 0.04


@needs_photographs
def test_every_source_of_the_gate_is_kept_from_training() -> None:
    """A photograph that a training may take measures nothing any more."""
    splits = {photo.split for each in gate_sources(PHOTOGRAPHS) for photo in each.photographs}
    assert splits == {"dev"}


def test_a_gate_without_one_of_its_sources_is_refused(tmp_path: Path) -> None:
    """Its figures would look like those of the whole."""
    folder = tmp_path / SOURCES[0]
    folder.mkdir()
    (folder / "labels.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(LabelError, match=SOURCES[1]):
        gate_sources(tmp_path)


class Counting:
    """Sees as many dice as it is told to expect, and one where it isn't told."""

    name = "counting"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        """See that many fours in a row."""
        boxes = [(40.0 * at, 0.0, 40.0 * at + 20, 20.0) for at in range(expected or 1)]
        return Observation(frame.sequence, self.name, tuple(Detection("4", 1, b, 0) for b in boxes))


def source(folder: Path, dice: int, name: str = "fours") -> Source:
    """One photograph of that many fours in a row, and of a logo that need not be read."""
    photo = folder / "photo.png"
    assert cv2.imwrite(str(photo), np.zeros((120, 160, 3), np.uint8))
    pieces = [LabelledPiece((40.0 * at, 0.0, 40.0 * at + 20, 20.0), "4") for at in range(dice)]
    logo = LabelledPiece((0.0, 90.0, 20.0, 110.0), "?", optional=True)
    return Source(name, (LabelledPhotograph(photo, "dev", (*pieces, logo), whole=True),))


def test_a_counted_reader_is_told_how_many_dice_are_labelled(tmp_path: Path) -> None:
    """What need not be read is not counted."""
    (score,) = pass_gate([source(tmp_path, 3)], Counting())
    assert not score.plain.row.exact
    assert score.counted.row.exact


def test_the_table_is_written_anew_and_the_steps_are_kept(tmp_path: Path) -> None:
    """A named step adds a row below the old ones; figures are those of all sources together."""
    scores = pass_gate([source(tmp_path, 3), source(tmp_path, 1, "four")], Counting())
    before = "| 2026-05-01 | the reader before | 91.4% |\n"
    old = f"| a table | of before |\n\n{before}"
    section = gate_section(scores, old, "looks | merged", "2026-05-17")
    assert "50.0% of all these\nphotographs are exact, 50.0% silent and 0.0% needless" in section
    assert "| four | 1 | 1 | 100.0% | 100.0% | 100.0% | 0.0% | 0.0% | 100.0% |" in section
    assert f"{before}| 2026-05-17 | looks / merged | 50.0% | 50.0% | 0.0% | 100.0%" in section
    assert "| fours | photo.png | 3 | nobody | missed 4 (2 times) |" in section
    assert "a table" not in section
    assert gate_section(scores, section, "", "2026-05-18") == section
