"""The recogniser on the demo evening: its pictures are photographs like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest

from hardware.cameras.demo import DemoCamera, demo_evening
from scoreboard.table.requests import Proposed
from tests.vision.changed_pictures import as_it_is, as_jpeg, from_the_other_side, picture
from vision.capture.frame import Frame, Image
from vision.read.observation import Recogniser
from vision.read.readers import RECOGNISERS
from vision.watch.pipeline import Pictures, TablePipeline

ROOT: Final = Path(__file__).parents[2]
EVENING: Final = Path(str(demo_evening()))
TRUTH: Final = ROOT / "tests" / "hardware" / "cameras" / "demo_evening_truth.json"
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


def by_a_quarter(image: Image) -> Image:
    """Turned by 90 degrees."""
    return np.ascontiguousarray(np.rot90(image))


def by_seventeen(image: Image) -> Image:
    """Turned by 17 degrees on a larger picture, so that no die is cut off."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 17, 1.0)
    cosine, sine = abs(turn[0, 0]), abs(turn[0, 1])
    size = (round(width * cosine + height * sine), round(width * sine + height * cosine))
    turn[:, 2] += ((size[0] - width) / 2, (size[1] - height) / 2)
    turned = cv2.warpAffine(image, turn, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, dtype=np.uint8)


def mirrored(image: Image) -> Image:
    """Left and right swapped."""
    return np.ascontiguousarray(image[:, ::-1])


CHANGES: Final = (as_it_is, as_jpeg, by_a_quarter, from_the_other_side, by_seventeen, mirrored)


def told() -> dict[str, dict[str, Any]]:
    """What each throw shows, by the folder of its pictures."""
    turns = json.loads(TRUTH.read_text(encoding="utf-8"))["turns"]
    return {
        f"turn{turn:02}/throw{number}": throw
        for turn, throws in enumerate(turns)
        for number, throw in enumerate(throws)
    }


ROLLS: Final = tuple(told())
each_roll = pytest.mark.parametrize(
    "rolls",
    [(ROLLS[0], ROLLS[-1]), pytest.param(ROLLS, marks=pytest.mark.slow)],
    ids=["first and last", "all"],
)


def at_rest(throw: str) -> Image:
    """A throw's last picture."""
    return picture(max((EVENING / throw).iterdir()))


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    """The dice reader as the table uses it."""
    return RECOGNISERS["dice"]()


@each_roll
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_roll_reads_as_what_it_shows(
    recogniser: Recogniser, change: Callable[[Image], Image], rolls: tuple[str, ...]
) -> None:
    """All throws at rest, and copies of them packed again, turned and mirrored, read right."""
    misread, truth = {}, told()
    for name in rolls:
        shown = "".join(map(str, sorted(truth[name]["values"])))
        read = str(recogniser(Frame(0, NOW, change(at_rest(name)))).roll)
        if read != shown:
            misread[name] = f"shows {shown}, read {read}"
    assert misread == {}


def test_every_die_is_read_where_it_lies(recogniser: Recogniser) -> None:
    """Each die's value stands in a box around the middle of its top face."""
    for name, throw in told().items():
        seen = recogniser(Frame(0, NOW, at_rest(name))).detections
        for value, (x, y) in zip(throw["values"], throw["centres"], strict=True):
            labels = [
                found.label
                for found in seen
                if found.box[0] < x < found.box[2] and found.box[1] < y < found.box[3]
            ]
            assert str(value) in labels, f"{name}: {value} at {x}, {y}"


def test_the_empty_table_shows_no_dice(recogniser: Recogniser) -> None:
    """Before the first throw nothing is read."""
    assert recogniser(Frame(0, NOW, picture(EVENING / "empty.webp"))).detections == ()


@each_roll
def test_each_roll_of_the_evening_is_proposed_once_and_only_at_rest(
    recogniser: Recogniser, rolls: tuple[str, ...]
) -> None:
    """The whole evening through the table's pipeline: nothing while anything moves, then once."""
    pipeline = TablePipeline(recogniser, Pictures())
    proposed: dict[str, list[tuple[bool, str]]] = {name: [] for name in rolls}
    with DemoCamera(sleep=lambda _seconds: None) as camera:
        for index, name in enumerate(rolls):
            turn, throw = name.split("/")
            camera.show(int(turn.removeprefix("turn")), int(throw.removeprefix("throw")))
            for given in range(16):
                number = index * 16 + given
                at = NOW + timedelta(seconds=number / 10)
                happened = pipeline.feed(Frame(number, at, camera.capture().image))
                proposed[name] += [
                    (given >= 6, str(each.proposal.roll))
                    for each in happened
                    if isinstance(each, Proposed)
                ]
    truth = told()
    shown = {name: "".join(map(str, sorted(truth[name]["values"]))) for name in rolls}
    assert proposed == {name: [(True, roll)] for name, roll in shown.items()}
