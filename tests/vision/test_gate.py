"""The gate: a fifth of the strangers' photographs in every run of the tests, and its section."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoreboard.message import message
from vision.capture.frame import Frame
from vision.errors import LabelError
from vision.evaluate.labels import LabelledPhotograph, LabelledPiece, Source
from vision.read.dice import DiceRecogniser
from vision.read.observation import Detection, Observation
from vision.train.gate import (
    GATE,
    WIDE_GATE,
    gate_section,
    gate_sources,
    mean,
    means,
    pass_gate,
    with_robustness,
)

PHOTOGRAPHS = Path(__file__).parents[3] / "shared" / "data" / "dice"
needs_photographs = pytest.mark.skipif(
    not PHOTOGRAPHS.is_dir(), reason="the photographs in ../shared are not at hand"
)


@pytest.mark.slow
@needs_photographs
def test_a_fifth_of_the_gate_is_read() -> None:
    """Bounds close to what is reached: two photographs more of the fifty are one too many."""
    scores = pass_gate(gate_sources(PHOTOGRAPHS, every=5, names=GATE), DiceRecogniser())
    plain = mean(each.shares(each.plain.photos) for each in scores)
    counted = mean(each.shares(each.counted) for each in scores)
    for shares in (plain, counted):
        assert shares.exact >= 0.96
        assert shares.silent <= 0.02
        assert shares.needless <= 0.04


@pytest.mark.slow
@needs_photographs
def test_a_third_of_the_wide_gate_is_read() -> None:
    """Each stranger counts the same, as whoever comes next has a table of their own."""
    scores = pass_gate(gate_sources(PHOTOGRAPHS, every=3, names=WIDE_GATE), DiceRecogniser())
    plain = mean(each.shares(each.plain.photos) for each in scores)
    assert plain.exact >= 0.9
    assert plain.silent <= 0.03


@needs_photographs
def test_every_source_of_the_gate_is_kept_from_training() -> None:
    """A photograph that a training may take measures nothing any more."""
    splits = {photo.split for each in gate_sources(PHOTOGRAPHS) for photo in each.photographs}
    assert splits == {"dev"}


def test_a_gate_without_one_of_its_sources_is_refused(tmp_path: Path) -> None:
    """Its figures would look like those of the whole."""
    folder = tmp_path / GATE[0]
    folder.mkdir()
    (folder / "labels.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(LabelError, match=GATE[1]):
        gate_sources(tmp_path)


class Counting:
    """Sees as many dice as it is told to expect, and one where it isn't told."""

    name = "counting"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        boxes = [(40.0 * at, 0.0, 40.0 * at + 20, 20.0) for at in range(expected or 1)]
        return Observation(frame.sequence, self.name, tuple(Detection("4", 1, b, 0) for b in boxes))


def source(folder: Path, dice: int, name: str = GATE[0], *, logo: bool = True) -> Source:
    """One photograph of that many fours in a row, and mostly of a logo that need not be read."""
    photo = folder / "photo.png"
    assert cv2.imwrite(str(photo), np.zeros((120, 160, 3), np.uint8))
    pieces = [LabelledPiece((40.0 * at, 0.0, 40.0 * at + 20, 20.0), "4") for at in range(dice)]
    if logo:
        pieces.append(LabelledPiece((0.0, 90.0, 20.0, 110.0), "?", optional=True))
    return Source(name, (LabelledPhotograph(photo, "dev", tuple(pieces), whole=True),))


def test_a_counted_reader_is_told_how_many_dice_are_labelled(tmp_path: Path) -> None:
    """A photograph with a face that need not be read is not: a player counts that die too."""
    (score,) = pass_gate([source(tmp_path, 3)], Counting())
    assert [photo.exact for photo in score.plain.photos] == [False]
    assert score.counted == ()
    (counted,) = pass_gate([source(tmp_path, 3, logo=False)], Counting())
    assert [photo.exact for photo in counted.counted] == [True]


def test_the_table_is_written_anew_and_the_steps_are_kept(tmp_path: Path) -> None:
    """A named step adds a row below the old ones; every source weighs the same in the means."""
    read = [(3, GATE[0]), (1, GATE[1]), (1, WIDE_GATE[0])]
    scores = pass_gate([source(tmp_path, *each, logo=False) for each in read], Counting())
    before = "| 2026-05-01 | the reader before | 91.4 |\n"
    old = f"| a table | of before |\n\n{before}"
    section = gate_section(scores, old, "looks | merged", "2026-05-17")
    assert (
        f"| {GATE[1]} | 1 | 1 | 100.0% | 100.0% | 100.0 / 0.0 / 0.0 | 100.0 / 0.0 / 0.0 |"
        in section
    )
    assert "| mean, gate |  |  |  |  | 50.0 / 50.0 / 0.0 | 100.0 / 0.0 / 0.0 |" in section
    means_of_step = "50.0 / 50.0 / 0.0 | 100.0 / 0.0 / 0.0 | 100.0 / 0.0 / 0.0 | 100.0 / 0.0 / 0.0"
    assert f"{before}| 2026-05-17 | looks / merged | {means_of_step} |" in section
    assert f"| {GATE[0]} | photo.png | 3 | nobody | missed 4 (2 times) |" in section
    assert "a table" not in section
    assert gate_section(scores, section, "", "2026-05-18") == section


def test_the_table_of_disturbances_is_kept_and_replaced(tmp_path: Path) -> None:
    """Another command writes it, as it takes longer than the gate."""
    scores = pass_gate([source(tmp_path, 1)], Counting())
    section = gate_section(scores, "", "", "2026-05-17")
    once = with_robustness(section, "### Robustness\n\n| smear |\n\n")
    assert gate_section(scores, once, "", "2026-05-18") == once
    twice = with_robustness(once, "### Robustness\n\n| noise |\n\n")
    assert "| noise |" in twice
    assert "| smear |" not in twice


class Doubting(Counting):
    """Sees one die, and doubts it."""

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        seen = super().__call__(frame, expected)
        return replace(seen, doubts=(message("A die is blurred."),))


@pytest.mark.parametrize(("logo", "needless"), [(True, "0.0"), (False, "100.0")])
def test_a_question_about_a_logo_is_not_needless(
    tmp_path: Path, *, logo: bool, needless: str
) -> None:
    """Somebody has to say what it counts for."""
    scores = pass_gate([source(tmp_path, 1, logo=logo)], Doubting())
    assert means(scores)["gate"][0] == f"100.0 / 0.0 / {needless}"
