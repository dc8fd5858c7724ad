"""The page beside the model: all its parts, and a log that is never rewritten."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from scoreboard.message import message
from vision.capture.frame import Image
from vision.evaluate.labels import LabelledPhotograph, LabelledPiece
from vision.evaluate.scoring import PhotoScore, ScoredSource, score
from vision.read.observation import Box, Detection, Observation
from vision.train.report import (
    CELL_WIDTH,
    DICE,
    LOG,
    BadPhoto,
    Evaluation,
    add_to_log,
    cell,
    evaluation_page,
    kept_gate,
    log,
    log_line,
    readings,
    record,
    refuse_second,
    sheet,
    with_gate,
    worst,
    worst_photos,
)

DOUBT = message("A die is blurred.")


def photo_score(
    file: str,
    pairs: Sequence[tuple[int | None, str | None]],
    *,
    doubted: bool = False,
    confidence: float = 0.9,
) -> PhotoScore:
    """A photograph's score by values and what was said of them; None: no die, or not found."""
    boxes: list[Box] = [(100.0 * each, 0.0, 100.0 * each + 40, 40.0) for each in range(len(pairs))]
    placed = list(zip(pairs, boxes, strict=True))
    dice = tuple(LabelledPiece(box, str(value)) for (value, _), box in placed if value is not None)
    seen = tuple(Detection(said, confidence, box, 0.0) for (_, said), box in placed if said)
    label = LabelledPhotograph(Path(file), "dev", dice, whole=True)
    return score(label, Observation(0, "fake", seen, (DOUBT,) if doubted else ()), 1.0)


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
    return evaluation_page(Evaluation([NORTH, SOUTH], left_out, thresholds, ["A note."]), old)


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


def test_the_gate_is_kept_by_a_training_and_replaced_by_the_next_gate(tmp_path: Path) -> None:
    """It stands before the log, once, whoever writes the page."""
    old = tmp_path / "evaluation.md"
    old.write_text(with_gate(page(old), "## Gate\n\n| a | row |\n"), encoding="utf-8")
    new = page(old)
    assert kept_gate(new) == "## Gate\n\n| a | row |\n"
    assert new.index("| a | row |") < new.index(LOG)
    again = with_gate(new, "## Gate, again\n")
    assert kept_gate(again) == "## Gate, again\n"
    assert again.count("the gate ends") == 1
    assert again.replace("## Gate, again\n", "## Gate\n\n| a | row |\n") == new


def test_the_shipped_page_says_what_its_figures_hold_for() -> None:
    """In the words that the training writes, the other processors among them."""
    shipped = Path(__file__).parents[3] / "models" / "dice" / "evaluation.md"
    assert shipped.read_text(encoding="utf-8").startswith(f"# {DICE.title}\n\n{DICE.about}\n")
    assert "ARM" in DICE.about


DAY = date(2026, 5, 17)
NEXT_DAY = date(2026, 5, 18)
FIRST_LINES = """\
| date | model | dice right | exact | silent | needless | false a photo | note |
|---|---|---|---|---|---|---|---|
| 2026-05-17 | 268c8eaf | 100.00% | 100.0% | 0.0% | 4.3% | 0.000 | first reading |
"""


@pytest.fixture
def logged(tmp_path: Path) -> Path:
    """A logged whose log has one reading, in the form of the first ones."""
    file = tmp_path / "evaluation.md"
    file.write_text(f"# Page\n\n| 2026-05-18 | kitchen |\n\n{LOG}\n\n{FIRST_LINES}")
    return file


def reading(day: date, source: str) -> str:
    """A reading with a wrong die, doubted, and a false one, and a needless question."""
    photos = [
        photo_score("a.jpg", [(1, "2"), (3, "3"), (None, "4")], doubted=True),
        photo_score("b.jpg", [(5, "5")], doubted=True),
        photo_score("c.jpg", [(5, None)]),
    ]
    return log_line(
        day, ScoredSource(source, tuple(photos)).row, "aaaaaaaa, bbbbbbbb", "tried | trusted"
    )


def test_a_reading_is_told_in_counts() -> None:
    """Dice wrong, photographs inexact, silent and needless, dice seen where none lie."""
    assert reading(DAY, "kitchen") == (
        "| 2026-05-17 | kitchen | aaaaaaaa, bbbbbbbb | 2 of 4 | 2 of 3 | 1 | 1 | 1 |"
        " tried / trusted |\n"
    )


def test_lines_are_added_below_one_heading(logged: Path) -> None:
    """What stood there before is left as it was."""
    before = logged.read_text()
    add_to_log(logged, reading(DAY, "kitchen"))
    add_to_log(logged, reading(NEXT_DAY, "kitchen"))
    after = logged.read_text()
    assert after.startswith(before)
    assert after.count("photos inexact") == 1
    assert after.endswith(reading(DAY, "kitchen") + reading(NEXT_DAY, "kitchen"))
    assert readings(after) == [
        (DAY, "DamianTab__DiceDetection"),
        (DAY, "kitchen"),
        (NEXT_DAY, "kitchen"),
    ]


def test_a_second_reading_on_one_day_is_refused(logged: Path) -> None:
    """One source, one day, one reading; another day or another source is another matter."""
    add_to_log(logged, reading(DAY, "kitchen"))
    for source in ("kitchen", "DamianTab__DiceDetection"):
        with pytest.raises(click.ClickException, match=f"{source} was read today already"):
            refuse_second(logged, source, DAY)
        refuse_second(logged, source, NEXT_DAY)
    refuse_second(logged, "garden", DAY)


def test_the_command_reads_nothing_in_a_foreign_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal comes before the first photograph is opened: here there is none to open."""
    label = '{"file": "gone.jpg", "split": "dev", "dice": []}'
    (tmp_path / "labels.jsonl").write_text(label)
    models = Path(__file__).parents[3] / "models"
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(record, ["--source", ".", "--models", str(models)])
    assert result.exit_code == 1
    assert "models/dice/evaluation.md" in result.output


def test_what_went_wrong_is_told_in_words() -> None:
    """Misread, unread and missed dice, and dice where none lie; the same ones are counted."""
    pairs = [(5, "3"), (5, "3"), (2, "?"), (4, None), (None, "6"), (None, "?"), (1, "1")]
    (bad,) = worst_photos([ScoredSource("north", (photo_score("a.jpg", pairs),))], 10)
    assert bad.mistakes == 6
    assert str(bad) == "said 3 for 5 (2 times), said ? for 2, missed 4, false 6, false piece"


def test_most_mistakes_come_first_and_silent_ones_before_doubted() -> None:
    """Exact photographs are none of them, and no more are given than wanted."""
    photos = (
        photo_score("exact.jpg", [(1, "1")]),
        photo_score("doubted.jpg", [(1, "2")], doubted=True),
        photo_score("silent.jpg", [(1, "2")]),
        photo_score("two.jpg", [(1, "2"), (3, None)], doubted=True),
    )
    scored = [ScoredSource("north", photos[:2]), ScoredSource("south", photos[2:])]
    assert [each.score.file for each in worst_photos(scored, 10)] == [
        "two.jpg",
        "silent.jpg",
        "doubted.jpg",
    ]
    assert [each.source for each in worst_photos(scored, 1)] == ["south"]


GREEN, RED, YELLOW = (80, 200, 60), (60, 60, 255), (0, 230, 255)


def coloured(drawn: Image, colour: tuple[int, int, int]) -> Image:
    """Where a picture has that colour."""
    return np.asarray((drawn == colour).all(axis=2))


@pytest.mark.parametrize(
    ("value", "said", "colour"),
    [(4, "4", GREEN), (4, "5", RED), (4, "?", RED), (None, "2", RED), (4, None, YELLOW)],
    ids=str,
)
def test_each_box_has_the_colour_of_what_came_of_it(
    value: int | None, said: str | None, colour: tuple[int, int, int]
) -> None:
    """Green right, red wrong, yellow missed; drawn at the box's place in the cell's measure."""
    bad = BadPhoto("north", photo_score("a.jpg", [(value, said)]))
    drawn = cell(np.zeros((300, 800, 3), np.uint8), bad)
    assert drawn.shape == (150 + 64, CELL_WIDTH, 3)
    assert [tuple(drawn[corner, corner]) for corner in (0, 20)] == [colour, colour]
    others = {GREEN, RED, YELLOW} - {colour}
    assert not any(coloured(drawn[:150], other).any() for other in others)


def test_cells_lie_in_rows_of_five() -> None:
    """Cells of different heights keep their places; one alone makes no wide sheet."""
    cells = [np.full((height, CELL_WIDTH, 3), 7, np.uint8) for height in (90, 50, 50, 50, 50, 80)]
    laid = sheet(cells)
    assert laid.shape == (180, 5 * CELL_WIDTH, 3)
    assert (laid[90:170, :CELL_WIDTH] == 7).all()
    assert not (laid[90:170, CELL_WIDTH:] == 7).any()
    assert sheet(cells[:1]).shape == (90, CELL_WIDTH, 3)


def write_source(folder: Path, split: str) -> None:
    """A source of one black photograph that claims a die, so that one is missed."""
    (folder / "images").mkdir(parents=True)
    black = cv2.imencode(".png", np.zeros((64, 96, 3), np.uint8))[1]
    (folder / "images" / "a.png").write_bytes(black.tobytes())
    die = {"x": 10, "y": 10, "w": 30, "h": 30, "value": 5}
    line = {"file": "a.png", "split": split, "dice": [die]}
    (folder / "labels.jsonl").write_text(json.dumps(line))


def test_the_command_writes_a_sheet_a_source(tmp_path: Path) -> None:
    """A source without train photographs is kept for the record, and left unread."""
    write_source(tmp_path / "data" / "kitchen", "train")
    write_source(tmp_path / "data" / "strangers", "dev")
    out = tmp_path / "out"
    arguments = ["--data", str(tmp_path / "data"), "--out", str(out)]
    result = CliRunner().invoke(worst, arguments)
    assert result.exit_code == 0
    assert "kitchen  a.png  missed 5" in result.output
    assert [file.name for file in out.iterdir()] == ["worst-kitchen.jpg"]
    refused = CliRunner().invoke(worst, [*arguments, "--source", "strangers"])
    assert refused.exit_code == 1
    assert "No source with train photographs is called strangers" in refused.output
