"""The section of other editions in a model's page."""

from __future__ import annotations

from pathlib import Path

from vision.evaluate.scoring import JudgedDetection, JudgedPiece, PhotoScore, ScoredSource
from vision.train.report import EDITIONS, LOG, log
from vision.train.tiles.editions import edition_row, with_step

BOX = (0.0, 0.0, 40.0, 56.0)
PAGE = f"# A reader\n\nFigures.\n\n{LOG}\n\n| 2026-11-22 | kept |\n"


def scored(*read_as: str, needs_review: bool = False) -> ScoredSource:
    """One photo of red sevens, so read."""
    photo = PhotoScore(
        needs_review=needs_review,
        milliseconds=20.0,
        judged=tuple(JudgedPiece("R7", BOX, each) for each in read_as),
        detections=tuple(JudgedDetection(each, 0.9, BOX, "R7") for each in read_as),
    )
    return ScoredSource("xl", (photo,))


def test_a_steps_rows_stand_before_the_log_and_replace_older_ones() -> None:
    """Reading again writes the row anew; other steps' rows and the log stay."""
    page = with_step(PAGE, [edition_row("as it was", scored("R1"))])
    page = with_step(page, [edition_row("upright", scored("R1"))])
    page = with_step(page, [edition_row("upright", scored("R7"))])
    assert page.count("| as it was |") == page.count("| upright |") == page.count(EDITIONS) == 1
    assert page.index("| as it was |") < page.index("| upright |") < page.index(LOG)
    assert "| upright | xl | 1 | 1 | 100.0% | 100.0% |" in page
    assert page.endswith(PAGE[PAGE.index(LOG) :])


def test_numbers_colours_and_silent_mistakes_are_counted() -> None:
    """A wrong number, a wrong colour and a right tile, and nobody was asked."""
    row = edition_row("now", scored("R1", "B7", "R7"))
    assert row[5:8] == ("33.3%", "66.7%", "66.7%")
    assert row[10] == "100.0% / 2"
    assert edition_row("now", scored("R1", needs_review=True))[10] == "0.0% / 0"


def test_a_training_leaves_the_section_standing(tmp_path: Path) -> None:
    """The page that a training writes ends as the old one did, from the section on."""
    page = tmp_path / "evaluation.md"
    page.write_text(with_step(PAGE, [edition_row("now", scored("R7"))]), encoding="utf-8")
    assert log(page).startswith(EDITIONS)
    assert "| now | xl |" in log(page)
    assert "| 2026-11-22 | kept |" in log(page)
