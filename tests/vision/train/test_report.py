"""The page beside the model: all its parts, and a log that is never rewritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.train.scores import photo_score
from vision.evaluate.scoring import ScoredSource
from vision.train.report import DICE, LOG, evaluated, evaluation_page, log

NORTH = ScoredSource(
    "north",
    (
        photo_score("exact.jpg", [(1, "1"), (2, "2")], confidence=0.98),
        photo_score("bad.jpg", [(5, "3"), (4, None)], confidence=0.52),
    ),
)
SOUTH = ScoredSource("south", (photo_score("fine.jpg", [(6, "6")], confidence=0.96),))


def page(old: Path, left_out: tuple[ScoredSource, ...] = (SOUTH,)) -> str:
    """The page of two sources."""
    thresholds = {"present": 0.4}
    return evaluation_page(evaluated([NORTH, SOUTH], left_out, thresholds, ["A note."]), old)


@pytest.mark.parametrize(
    "line",
    [
        "| north | 2 | 4 | 75.0% | 50.0% | 50.0% of 4 | 0.000 | 50.0% | 50.0% | 0.0% | 1.0 | 1.0 |",
        "| all together | 3 | 5 | 80.0% | 60.0% | 60.0% of 5 | 0.000 | 66.7% | 33.3% | 0.0% |",
        "| south | 1 | 1 | 100.0% | 100.0% | 100.0% of 1 | 0.000 | 100.0% | 0.0% | 0.0% |\n\n",
        "Right in the mean of the sources: 100.0% of all, 100.0% of those of 20 px and more.",
        "| 5 |  |  | 1 |  |  |  |  |  |",
        "Expected calibration error 0.1500, AUROC 1.000.",
        "| 0.50 to 0.55 | 0 | 1 |",
        "| present | 0.4 |",
        "| north | bad.jpg | 2 | nobody | said 3 for 5, missed 4 |",
        "A note.",
    ],
)
def test_every_part_is_on_the_page(tmp_path: Path, line: str) -> None:
    """Sources, sources left out, confusion, reliability, thresholds, worst photographs."""
    assert line in page(tmp_path / "none.md")


def test_without_sources_left_out_there_is_no_such_section(tmp_path: Path) -> None:
    """A table of nothing would look like a result."""
    assert "Sources left out" not in page(tmp_path / "none.md", left_out=())


def test_the_log_is_kept_to_the_letter(tmp_path: Path) -> None:
    """Whatever stands from its heading to the end of the old page stands on the new one."""
    kept = f"{LOG}\n\nAny words,\n| 2026-01-01 | odd   |\n\n| a second | table |\n"
    old = tmp_path / "evaluation.md"
    old.write_text(f"# Old\n\nfigures\n\n{kept}", encoding="utf-8")
    new = page(old)
    assert new.endswith(kept)
    assert "figures" not in new
    old.write_text(new, encoding="utf-8")
    assert page(old) == new
    assert log(old) == kept


def test_the_shipped_page_says_what_its_figures_hold_for() -> None:
    """In the words that the training writes, the other processors among them."""
    shipped = Path(__file__).parents[3] / "models" / "dice" / "evaluation.md"
    assert shipped.read_text(encoding="utf-8").startswith(f"# {DICE.title}\n\n{DICE.about}\n")
    assert "ARM" in DICE.about
