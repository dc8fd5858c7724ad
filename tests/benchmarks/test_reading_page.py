"""The page reports the measurements, and says plainly which promise was broken."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.accuracy import Reads
from tests.benchmarks.contest import BLOBS, COUNTED, OURS, PREPARING, YOLO, YOLO_IN_BYTES
from tests.benchmarks.plots import Axes, Curve, draw
from tests.benchmarks.reading_page import DOCS, NO_PHOTOGRAPHS, PAGE, Figures
from tests.benchmarks.stages import FIRST_LOOK, STAGES, Stages
from tests.benchmarks.tables import at_most
from tests.benchmarks.timing import Spread, Times
from vision.evaluate.scoring import JudgedDetection, JudgedPiece, PhotoScore, summarise

ROW = "| nell-byler__dice_detection |"
CURVE = Curve(OURS, (1.0, 2.0, 5.0), (Spread(10, 9, 12), Spread(11, 10, 13), Spread(20, 15, 21)))


def figures() -> Figures:
    """A run that kept everything."""
    spent = dict.fromkeys(STAGES, 1.0)
    return Figures(
        times={
            OURS: Times((10.0, 10.0), (12.0, 14.0)),
            COUNTED: Times((10.0, 10.0), (12.0, 14.0)),
            YOLO: Times((90.0, 110.0), (100.0, 120.0)),
            YOLO_IN_BYTES: Times((40.0, 50.0), (50.0, 60.0)),
            PREPARING: Times((2.0, 2.0), (2.0, 2.0)),
            BLOBS: Times((9.0, 9.0), (9.0, 9.0)),
        },
        stages=[Stages(spent, {FIRST_LOOK: ((1, 320, 448, 3),)})],
        photos=3,
        exact={OURS: 3, BLOBS: 2},
        by_megapixels=[CURVE],
        by_dice=[CURVE],
        reads=[],
        peak=120.0,
        peak_large=480.0,
        models=1.5,
        in_bytes=False,
        parameters=3_150_000,
        operations=8_740_000_000,
        multiply_adds=(1.1e9, 0.4e9),
        moments=("then", "now"),
    )


def test_all_promises_kept_is_said_of_each() -> None:
    """Five promises, five times yes."""
    page = figures().page()
    assert figures().kept
    assert len(re.findall(r"\| yes \|$", page, re.MULTILINE)) == 5
    assert "**no**" not in page
    assert "10.00 (9.20–10.80)" in page


@pytest.mark.parametrize(
    "worse",
    [
        {"peak": 300.5},
        {"peak_large": 601.0},
        {"models": 2.01},
        {"times": {**figures().times, OURS: Times((31.0, 31.0), (31.0, 31.0))}},
        {"times": {**figures().times, YOLO: Times((79.0, 79.0), (79.0, 79.0))}},
    ],
    ids=["memory", "memory-of-a-large-photo", "models", "milliseconds", "ratio"],
)
def test_a_promise_not_kept_is_said(worse: dict[str, object]) -> None:
    """Each bar by itself can fail the run."""
    failing = replace(figures(), **worse)  # type: ignore[arg-type]
    assert not failing.kept
    assert "**no**" in failing.page()


def test_the_page_counts_operations_as_the_published_figure_does() -> None:
    """A multiplication with its addition is two."""
    assert "takes 2.20 GFLOPs, and 0.80 with the number" in figures().page()


def test_a_figure_right_at_the_bar_keeps_it() -> None:
    """The most that a promise allows is allowed."""
    assert at_most("x", 30, 30.0).kept
    assert not at_most("x", 30, 30.01).kept


def test_the_page_says_what_the_networks_compute_in() -> None:
    """Bytes against floats is not a like-for-like comparison, so the page says so."""
    assert "so do ours" in figures().page()
    assert "compute in bytes" in replace(figures(), in_bytes=True).page()


def test_stages_name_what_the_network_was_given() -> None:
    """The first look's row shows its share and its input."""
    assert f"| {FIRST_LOOK} | 1.00 (1.00–1.00) | 12% | 1x320x448x3 |" in figures().page()


def test_without_photographs_the_page_keeps_what_others_measured() -> None:
    """The committed table stays, with the reason; with the photographs comes a new one."""
    committed = [row for row in PAGE.read_text(encoding="utf-8").splitlines() if ROW in row]
    assert committed
    page = figures().page()
    assert NO_PHOTOGRAPHS in page
    assert [row for row in page.splitlines() if ROW in row] == committed
    score = summarise("table", [_photo_score()])
    page = replace(figures(), reads=[Reads("table", OURS, score, 7.3)]).page()
    assert NO_PHOTOGRAPHS not in page
    assert f"| table | {OURS} | 75.0% | 1.00 | 0.0% | 7 |" in page


def _photo_score() -> PhotoScore:
    box = (0.0, 0.0, 9.0, 9.0)
    judged = (*[JudgedPiece("1", box, "1")] * 3, JudgedPiece("1", box, "2"))
    return PhotoScore(False, 7.0, "a.jpg", judged, (JudgedDetection("1", 0.9, box),))  # noqa: FBT003


def test_a_plot_is_small_and_the_same_for_the_same_figures(tmp_path: Path) -> None:
    """A run with the same measurements changes no file."""
    axes = Axes("cost", "dice", (1, 2, 5), logarithmic=True)
    for name in ("one.svg", "other.svg"):
        draw([CURVE, replace(CURVE, name=BLOBS)], axes, tmp_path / name)
    one, other = ((tmp_path / name).read_bytes() for name in ("one.svg", "other.svg"))
    assert one == other
    assert len(one) < 150_000


def test_the_committed_page_and_its_plots_belong_together() -> None:
    """Every picture that the page shows is there, and is small enough to be committed."""
    for name in re.findall(r"\]\(\.\./images/([^)]+)\)", PAGE.read_text(encoding="utf-8")):
        assert (DOCS / "images" / name).stat().st_size <= 150_000
