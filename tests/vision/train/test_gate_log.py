"""Readings for the record: logged in counts, and at most one a day."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.vision.train.scores import photo_score
from vision.evaluate.scoring import summarise
from vision.train.report import (
    LOG,
    add_to_log,
    log_line,
    readings,
    record,
    refuse_second,
)

DAY = date(2026, 5, 17)
NEXT_DAY = date(2026, 5, 18)
FIRST_LINES = """\
| date | model | dice right | exact | silent | needless | false a photo | note |
|---|---|---|---|---|---|---|---|
| 2026-05-17 | 268c8eaf | 100.00% | 100.0% | 0.0% | 4.3% | 0.000 | first reading |
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page whose log has one reading, in the form of the first ones."""
    file = tmp_path / "evaluation.md"
    file.write_text(f"# Page\n\n| 2026-05-18 | kitchen |\n\n{LOG}\n\n{FIRST_LINES}")
    return file


def line(day: date, source: str) -> str:
    """A reading with a wrong die, doubted, and a false one, and a needless question."""
    photos = [
        photo_score("a.jpg", [(1, "2"), (3, "3"), (None, "4")], doubted=True),
        photo_score("b.jpg", [(5, "5")], doubted=True),
        photo_score("c.jpg", [(5, None)]),
    ]
    return log_line(day, summarise(source, photos), "aaaaaaaa, bbbbbbbb", "tried | trusted")


def test_a_reading_is_told_in_counts() -> None:
    """Dice wrong, photographs inexact, silent and needless, dice seen where none lie."""
    assert line(DAY, "kitchen") == (
        "| 2026-05-17 | kitchen | aaaaaaaa, bbbbbbbb | 2 of 4 | 2 of 3 | 1 | 1 | 1 |"
        " tried / trusted |\n"
    )


def test_lines_are_added_below_one_heading(page: Path) -> None:
    """What stood there before is left as it was."""
    before = page.read_text()
    add_to_log(page, line(DAY, "kitchen"))
    add_to_log(page, line(NEXT_DAY, "kitchen"))
    after = page.read_text()
    assert after.startswith(before)
    assert after.count("photos inexact") == 1
    assert after.endswith(line(DAY, "kitchen") + line(NEXT_DAY, "kitchen"))
    assert readings(after) == [
        (DAY, "DamianTab__DiceDetection"),
        (DAY, "kitchen"),
        (NEXT_DAY, "kitchen"),
    ]


def test_a_second_reading_on_one_day_is_refused(page: Path) -> None:
    """One source, one day, one reading; another day or another source is another matter."""
    add_to_log(page, line(DAY, "kitchen"))
    for source in ("kitchen", "DamianTab__DiceDetection"):
        with pytest.raises(click.ClickException, match=f"{source} was read today already"):
            refuse_second(page, source, DAY)
        refuse_second(page, source, NEXT_DAY)
    refuse_second(page, "garden", DAY)


@pytest.mark.parametrize("text", [None, "# A page without a log\n"], ids=["no page", "no log"])
def test_without_a_log_nothing_is_read(tmp_path: Path, text: str | None) -> None:
    """In another folder the rule could be walked around without anybody's noticing."""
    file = tmp_path / "evaluation.md"
    if text is not None:
        file.write_text(text)
    with pytest.raises(click.ClickException, match="call this in the project's folder"):
        refuse_second(file, "kitchen", DAY)


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
