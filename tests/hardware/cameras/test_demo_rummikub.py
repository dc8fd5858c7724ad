"""The demo camera over a round of Rummikub, and the pictures that ship for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.cameras.demo import DemoCamera, demo_pictures

EVENING = "demo_rummikub"
FOLDER = Path(str(demo_pictures(EVENING)))
TRUTH: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "demo_rummikub_truth.json").read_text(encoding="utf-8")
)
REFUSED = "lay-1-08"


@pytest.fixture
def camera() -> Iterator[DemoCamera]:
    """An open demo camera that never waits."""
    with DemoCamera(10, sleep=lambda _seconds: None) as opened:
        yield opened


def pictures(step: str, table: int) -> list[NDArray[np.uint8]]:
    """The shipped pictures of one table."""
    return [picture(path) for path in sorted((FOLDER / step / f"throw{table}").iterdir())]


def picture(path: Path) -> NDArray[np.uint8]:
    """A picture file's pixels."""
    image = cv2.imdecode(np.frombuffer(path.read_bytes(), dtype=np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(image, dtype=np.uint8)


def test_a_table_is_played_and_stays(camera: DemoCamera) -> None:
    """Each moving picture comes once, then the tiles lie still."""
    camera.show_table(EVENING, "lay-0-06", 0)
    expected = pictures("lay-0-06", 0)
    taken = [camera.capture().image for _ in range(len(expected) + 2)]
    assert all(np.array_equal(*pair) for pair in zip(taken, expected, strict=False))
    assert all(np.array_equal(image, expected[-1]) for image in taken[len(expected) :])


def test_the_fixed_table_follows_the_refused_one_and_stays(camera: DemoCamera) -> None:
    """Past the last table of a step the last one stays, and is not played again."""
    camera.show_table(EVENING, REFUSED, 1)
    mended = pictures(REFUSED, 1)
    for _ in mended:
        camera.capture()
    camera.show_table(EVENING, REFUSED, 2)
    assert np.array_equal(camera.capture().image, mended[-1])


@pytest.mark.parametrize(("evening", "step"), [(EVENING, "lay-1-06"), ("demo_none", "lay-0-06")])
def test_what_has_no_pictures_leaves_what_is_there(
    camera: DemoCamera, evening: str, step: str
) -> None:
    """Who draws a tile changes nothing on the table."""
    camera.show_table(EVENING, "lay-0-06", 0)
    rest = [camera.capture().image for _ in pictures("lay-0-06", 0)][-1]
    camera.show_table(evening, step, 0)
    assert np.array_equal(camera.capture().image, rest)


def test_after_a_step_without_pictures_a_table_is_played_anew(camera: DemoCamera) -> None:
    """Who drew a tile before a refused table finds it laid once more when the turn comes back."""
    expected = pictures(REFUSED, 0)
    for step in (REFUSED, "lay-0-08", REFUSED):
        camera.show_table(EVENING, step, 0)
        camera.capture()
    assert np.array_equal(camera.capture().image, expected[1])


def test_dice_are_rolled_again_after_tiles(camera: DemoCamera) -> None:
    """One camera serves both evenings, whichever game is opened."""
    camera.show(0, 0)
    first = camera.capture().image
    camera.show_table(EVENING, REFUSED, 0)
    assert camera.capture().image.shape == (960, 1280, 3)
    camera.show(0, 0)
    assert np.array_equal(camera.capture().image, first)


def test_it_may_be_told_before_it_is_opened() -> None:
    """The table announces what it waits for before the camera's thread begins."""
    camera = DemoCamera(sleep=lambda _seconds: None)
    camera.show_table(EVENING, REFUSED, 0)
    with camera:
        assert np.array_equal(camera.capture().image, pictures(REFUSED, 0)[0])


def test_pictures_are_small_and_named_by_what_is_awaited() -> None:
    """All together take less than 3 MB; the truth knows each table, no name tells its tiles."""
    assert {str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/throw*")} == set(TRUTH)
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 3_000_000
    assert {path.suffix for path in files} == {".webp"}


@pytest.mark.parametrize("folder", TRUTH)
def test_something_moves_before_every_table(folder: str) -> None:
    """Each picture differs plainly from the one before."""
    step, table = folder.split("/throw")
    taken = pictures(step, int(table))
    assert len(taken) > 1
    for one, other in pairwise(taken):
        assert int((cv2.absdiff(one, other) > 30).any(axis=2).sum()) > 4000


def test_it_tells_how_many_tables_a_step_has(camera: DemoCamera) -> None:
    """The refused table and the mended one; none where there are no pictures."""
    steps = (REFUSED, "lay-0-06", "lay-1-06", "")
    assert [camera.tables(EVENING, step) for step in steps] == [2, 1, 0, 0]
