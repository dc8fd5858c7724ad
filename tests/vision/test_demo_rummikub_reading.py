"""The tile reader on the demo's round of Rummikub: its pictures are photographs like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from hardware.cameras.demo import DemoCamera, demo_pictures
from scoreboard.table.proposal import Proposal
from scoreboard.table.requests import Proposed
from tests.vision.changed_pictures import as_it_is, as_jpeg, from_the_other_side, is_inside, picture
from vision.capture.frame import Frame, Image
from vision.read.observation import Observation, Recogniser
from vision.read.readers import RECOGNISERS
from vision.watch.pipeline import Pictures, TablePipeline

ROOT: Final = Path(__file__).parents[2]
EVENING: Final = "demo_rummikub"
FOLDER: Final = Path(str(demo_pictures(EVENING)))
TRUTH: Final[dict[str, dict[str, Any]]] = json.loads(
    (ROOT / "tests/hardware/cameras/demo_rummikub_truth.json").read_text(encoding="utf-8")
)
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
FRAMES: Final = 12


FOLDERS: Final = tuple(TRUTH)
each_table = pytest.mark.parametrize(
    "folders",
    [(FOLDERS[0], FOLDERS[-1]), pytest.param(FOLDERS, marks=pytest.mark.slow)],
    ids=["first and last", "all"],
)


def at_rest(folder: str) -> Image:
    """A table's last picture."""
    return picture(max((FOLDER / folder).iterdir()))


def read_sets(seen: Observation) -> list[str]:
    """The sets as they were read."""
    return [" ".join(seen.detections[at].label for at in row.indices) for row in seen.sets]


def alike(folder: str, sets: list[str]) -> list[str]:
    """Sets to compare: in any order; of a rack all tiles together."""
    if folder.startswith("rack"):
        return sorted(" ".join(sets).split())
    return sorted(" ".join(sorted(each.split())) for each in sets)


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    """The tile reader as the table uses it."""
    return RECOGNISERS["tiles"]()


@each_table
@pytest.mark.parametrize("change", [as_it_is, as_jpeg, from_the_other_side])
def test_every_table_reads_as_what_lies_there(
    recogniser: Recogniser, change: Callable[[Image], Image], folders: tuple[str, ...]
) -> None:
    """All tables at rest, packed again or seen from across too: the sets as they lie."""
    misread = {}
    for folder in folders:
        read = alike(folder, read_sets(recogniser(Frame(0, NOW, change(at_rest(folder))))))
        if read != alike(folder, TRUTH[folder]["sets"]):
            misread[folder] = f"shows {TRUTH[folder]['sets']}, read {read}"
    assert misread == {}


def test_no_table_is_asked_about_needlessly(recogniser: Recogniser) -> None:
    """What is read right and lies in the open needs no second look."""
    doubts = {
        folder: [str(doubt) for doubt in seen.doubts]
        for folder in TRUTH
        if (seen := recogniser(Frame(0, NOW, at_rest(folder)))).doubts
    }
    assert doubts == {}


def test_every_tile_is_read_where_it_lies(recogniser: Recogniser) -> None:
    """Each tile's label stands on a quadrangle around the middle of its top."""
    for folder, told in TRUTH.items():
        seen = recogniser(Frame(0, NOW, at_rest(folder))).detections
        labels = " ".join(told["sets"]).split()
        for label, (x, y) in zip(labels, told["centres"], strict=True):
            around = [found for found in seen if is_inside(found.quad, x, y)]
            assert [found.label for found in around] == [label], f"{folder}: {label} at {x}, {y}"


def test_the_empty_table_shows_no_tiles(recogniser: Recogniser) -> None:
    """Before the first tile nothing is read."""
    assert recogniser(Frame(0, NOW, picture(FOLDER / "empty.webp"))).detections == ()


@each_table
def test_each_table_is_proposed_once_and_only_at_rest(
    recogniser: Recogniser, folders: tuple[str, ...]
) -> None:
    """The whole round through the table's pipeline: nothing under a hand, then each table once."""
    pipeline = TablePipeline(recogniser, Pictures())
    proposed: dict[str, list[tuple[bool, list[str]]]] = {folder: [] for folder in folders}
    with DemoCamera(sleep=lambda _seconds: None) as camera:
        for index, folder in enumerate(folders):
            step, table = folder.split("/throw")
            camera.show_table(EVENING, step, int(table))
            moving = len(list((FOLDER / folder).iterdir())) - 1
            for given in range(FRAMES):
                number = index * FRAMES + given
                frame = Frame(number, NOW + timedelta(seconds=number / 10), camera.capture().image)
                proposed[folder] += [
                    (given >= moving, alike(folder, proposed_sets(each.proposal)))
                    for each in pipeline.feed(frame)
                    if isinstance(each, Proposed)
                ]
    assert proposed == {
        folder: [(True, alike(folder, TRUTH[folder]["sets"]))] for folder in folders
    }


def proposed_sets(proposal: Proposal) -> list[str]:
    """The sets as they are proposed."""
    return [" ".join(proposal.pieces[at].label for at in row) for row in proposal.sets]
