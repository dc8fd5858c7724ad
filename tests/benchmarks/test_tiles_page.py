"""The page of the tile reader's cost says plainly which promises were kept."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.benchmarks.accuracy import Reads
from tests.benchmarks.plots import Curve
from tests.benchmarks.stages import Stages
from tests.benchmarks.tiles_page import (
    DOCS,
    NO_PHOTOGRAPHS,
    OURS,
    PAGE,
    PREPARING,
    YOLO,
    YOLO_IN_BYTES,
    TileFigures,
    p95,
)
from tests.benchmarks.tiles_stages import FINDING, STAGES
from tests.benchmarks.timing import Spread, Times
from vision.evaluate.scoring import JudgedPiece, PhotoScore, summarise

ROW = "| conner-replogle__rummikub-detector |"


def curve(milliseconds: float) -> list[Curve]:
    """What 28 and 60 tiles cost."""
    return [Curve(OURS, (28.0, 60.0), (Spread(milliseconds, 9, 70), Spread(60, 50, 70)))]


def figures() -> TileFigures:
    """A run that kept everything."""
    return TileFigures(
        times={
            OURS: Times((60.0, 60.0), (70.0, 70.0)),
            YOLO: Times((360.0, 420.0), (400.0, 480.0)),
            YOLO_IN_BYTES: Times((180.0, 190.0), (190.0, 200.0)),
            PREPARING: Times((20.0, 20.0), (20.0, 20.0)),
        },
        stages=[Stages(dict.fromkeys(STAGES, 1.0), {FINDING: ((1, 480, 640, 3),)})],
        right=59,
        laid=60,
        by_tiles=curve(45.0),
        reads=[],
        models={"finder.onnx": 0.6, "reader.onnx": 0.8},
        in_bytes=True,
        operations=35_000_000_000,
        moments=("then", "now"),
    )


def test_all_promises_kept_is_said_of_each() -> None:
    """Four promises, four times yes."""
    page = figures().page()
    assert figures().kept
    assert len(re.findall(r"\| yes \|$", page, re.MULTILINE)) == 4
    assert "**no**" not in page
    assert "6.50 (6.10–6.90)" in page
    assert "59 of the 60" in page


@pytest.mark.parametrize(
    "worse",
    [
        {"models": {"finder.onnx": 3.01}},
        {"times": {**figures().times, OURS: Times((101.0, 101.0), (101.0, 101.0))}},
        {"times": {**figures().times, YOLO: Times((299.0, 299.0), (299.0, 299.0))}},
        {"by_tiles": curve(61.0)},
    ],
    ids=["models", "milliseconds", "ratio", "28 tiles"],
)
def test_a_promise_not_kept_is_said(worse: dict[str, object]) -> None:
    """Each bar by itself can fail the run."""
    failing = replace(figures(), **worse)  # type: ignore[arg-type]
    assert not failing.kept
    assert "**no**" in failing.page()


def test_stages_name_what_the_network_was_given() -> None:
    """The finder's row shows its share and its input."""
    assert f"| {FINDING} | 1.00 (1.00–1.00) | 25% | 1x480x640x3 |" in figures().page()


def test_without_photographs_the_page_keeps_what_others_measured() -> None:
    """The committed table stays, with the reason; with the photographs comes a new one."""
    committed = [row for row in PAGE.read_text(encoding="utf-8").splitlines() if ROW in row]
    assert committed
    page = figures().page()
    assert NO_PHOTOGRAPHS in page
    assert [row for row in page.splitlines() if ROW in row] == committed
    box = (0.0, 0.0, 9.0, 9.0)
    judged = (*[JudgedPiece("K1", box, "K1")] * 3, JudgedPiece("K1", box, "K2"))
    photo = PhotoScore(False, 7.0, "a.jpg", judged)  # noqa: FBT003
    page = replace(figures(), reads=[Reads("set", OURS, summarise("set", [photo]), 7.3)]).page()
    assert NO_PHOTOGRAPHS not in page
    assert "| set | 1 | 100.0% | 75.0% | 0.0% | 7 |" in page


def test_95_of_a_hundred_lie_below() -> None:
    """Of 0 to 100 it is 95."""
    assert p95([float(figure) for figure in range(101)]) == pytest.approx(95)


def test_the_committed_page_and_its_plot_belong_together() -> None:
    """Every picture that the page shows is there, and is small enough to be committed."""
    for name in re.findall(r"\]\(\.\./images/([^)]+)\)", PAGE.read_text(encoding="utf-8")):
        assert (DOCS / "images" / name).stat().st_size <= 150_000
