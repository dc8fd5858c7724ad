"""The demo camera, on a clock that moves when the camera sleeps, and its pictures."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.cameras import demo
from hardware.cameras.demo import DemoCamera, demo_pictures
from hardware.errors import CameraError
from scoreboard.table.dice_tracking import shows_the_same, track_dice
from scoreboard.table.proposal import TableDie
from tests.vision.changed_pictures import picture

MOVING = 6
EVENING = Path(str(demo_pictures()))
TURNS = sorted(EVENING.glob("turn*"))
THROWS = sorted(EVENING.glob("turn*/throw*"))
TRUTH: list[list[dict[str, list[Any]]]] = json.loads(
    (Path(__file__).parent / "demo_evening_truth.json").read_text(encoding="utf-8")
)["turns"]
ROUND = "demo_rummikub"
TABLES = Path(str(demo_pictures(ROUND)))
ROUND_TRUTH: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "demo_rummikub_truth.json").read_text(encoding="utf-8")
)
REFUSED = "lay-1-08"


class FakeClock:
    """A clock that moves on by what is slept."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture
def clock() -> FakeClock:
    """A fresh clock."""
    return FakeClock()


@pytest.fixture
def camera(clock: FakeClock) -> Iterator[DemoCamera]:
    """An open demo camera at ten pictures a second."""
    with DemoCamera(10, clock=clock.now, sleep=clock.sleep) as opened:
        yield opened


def take(camera: DemoCamera, count: int) -> list[NDArray[np.uint8]]:
    """So many pictures, one after the other."""
    return [camera.capture().image for _ in range(count)]


def small(path: Path) -> NDArray[np.uint8]:
    """A picture file in 160 x 120 grey pixels."""
    grey = cv2.cvtColor(picture(path), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (160, 120), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def changed_pixels(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> int:
    """How many grey pixels differ by more than 20 levels, far above any noise."""
    return int((cv2.absdiff(one, other) > 20).sum())


def test_shows_an_empty_table_before_the_first_roll(camera: DemoCamera) -> None:
    """Nothing lies on the table until a throw is asked for."""
    first, second = take(camera, 2)
    assert first.shape == (480, 640, 3)
    assert np.array_equal(first, second)
    assert np.array_equal(first, picture(EVENING / "empty.webp"))


def test_plays_a_roll_and_keeps_its_rest(camera: DemoCamera) -> None:
    """Each moving picture comes once, in order, then the dice lie still."""
    camera.show(0, 0)
    taken = take(camera, MOVING + 3)
    expected = [picture(path) for path in sorted(THROWS[0].iterdir())]
    assert all(np.array_equal(*pair) for pair in zip(taken, expected, strict=False))
    assert all(np.array_equal(image, expected[-1]) for image in taken[MOVING:])


def test_showing_the_same_roll_again_changes_nothing(camera: DemoCamera) -> None:
    """A table that announces the same state twice does not see the throw twice."""
    camera.show(0, 1)
    take(camera, MOVING + 1)
    camera.show(0, 1)
    assert np.array_equal(take(camera, 1)[0], picture(max((TURNS[0] / "throw1").iterdir())))


def test_who_follows_is_called_before_each_picture(camera: DemoCamera) -> None:
    """In time for the picture: what is asked for then is what it shows."""
    camera.follow(lambda: camera.show(0, 0))
    assert np.array_equal(take(camera, 1)[0], picture(min(THROWS[0].iterdir())))


@pytest.mark.parametrize(("seconds", "counted"), [(0.1, 1), (0.2, 2), (30.0, 2)])
def test_pictures_that_were_due_meanwhile_are_counted(
    camera: DemoCamera, clock: FakeClock, seconds: float, counted: int
) -> None:
    """Who waits by them waits no longer where a table at rest is looked at less often."""
    take(camera, 1)
    pictures: list[None] = []
    camera.follow(lambda: pictures.append(None))
    clock.sleep(seconds)
    take(camera, 1)
    assert len(pictures) == counted


def test_a_new_roll_cuts_the_old_one_short(camera: DemoCamera) -> None:
    """A turn ended early skips its rest."""
    camera.show(0, 0)
    take(camera, 2)
    camera.show(1, 0)
    assert np.array_equal(take(camera, 1)[0], picture(min((TURNS[1] / "throw0").iterdir())))


def test_the_evening_begins_again_after_its_end(camera: DemoCamera) -> None:
    """A turn past the last is the first again, played anew."""
    camera.show(0, 0)
    beginning = take(camera, 1)[0]
    camera.show(len(TURNS), 3)
    assert np.array_equal(take(camera, 1)[0], beginning)


def test_a_taken_picture_belongs_to_the_taker(camera: DemoCamera) -> None:
    """Drawing on a picture does not spoil the next."""
    image = camera.capture().image
    kept = image.copy()
    image[:] = 0
    assert np.array_equal(camera.capture().image, kept)


def test_pictures_come_at_the_pace(camera: DemoCamera, clock: FakeClock) -> None:
    """Ten a second; after a pause of the taker what was missed is not made up for."""
    camera.capture()
    start = clock.seconds
    take(camera, 10)
    assert clock.seconds - start == pytest.approx(1.0)
    clock.sleep(5)
    camera.capture()
    start = clock.seconds
    camera.capture()
    assert clock.seconds - start == pytest.approx(0.1)


def test_rolls_may_be_announced_from_other_threads(camera: DemoCamera) -> None:
    """While many threads announce throws, every picture is whole, and the last throw wins."""
    callers = [threading.Thread(target=camera.show, args=(turn, 0)) for turn in range(20)]
    for caller in callers:
        caller.start()
    assert all(image.shape == (480, 640, 3) for image in take(camera, 5))
    for caller in callers:
        caller.join()
    camera.show(0, 2)
    assert np.array_equal(
        take(camera, MOVING + 1)[-1], picture(max((TURNS[0] / "throw2").iterdir()))
    )


def test_a_closed_camera_refuses(clock: FakeClock) -> None:
    """Without being opened it gives no picture; opened again it does."""
    camera = DemoCamera(10, clock=clock.now, sleep=clock.sleep)
    with pytest.raises(CameraError, match="closed"):
        camera.capture()
    for _ in range(2):
        with camera:
            assert camera.capture().image.any()
    with pytest.raises(CameraError, match="closed"):
        camera.capture()


def test_missing_pictures_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged installation is told at opening."""
    monkeypatch.setattr(demo, "demo_pictures", lambda: tmp_path)
    with pytest.raises(CameraError, match="missing"), DemoCamera():
        pass


@pytest.mark.parametrize("content", [b"", b"no picture"])
def test_a_missing_or_damaged_picture_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: FakeClock, content: bytes
) -> None:
    """A file that is no picture is a camera fault, not a crash; so is a missing empty table."""
    roll = tmp_path / "turn00" / "throw0"
    roll.mkdir(parents=True)
    (roll / "00.webp").write_bytes(content)
    monkeypatch.setattr(demo, "demo_pictures", lambda: tmp_path)
    with DemoCamera(clock=clock.now, sleep=clock.sleep) as camera:
        with pytest.raises(CameraError, match="missing"):
            camera.capture()
        camera.show(0, 0)
        with pytest.raises(CameraError, match="damaged"):
            camera.capture()


def test_there_are_enough_rolls_and_they_are_small() -> None:
    """At least 40 throws, two or three a turn, all pictures together at most 5 MB."""
    assert len(THROWS) >= 40
    assert {len(list(turn.glob("throw*"))) for turn in TURNS} == {2, 3}
    assert sum(path.stat().st_size for path in EVENING.rglob("*.webp")) <= 5_000_000


def test_every_roll_moves_before_it_rests() -> None:
    """At least six moving pictures, each plainly different from the one before, then the rest."""
    for throw in THROWS:
        pictures = [small(path) for path in sorted(throw.iterdir())]
        assert len(pictures) >= MOVING + 1, throw
        assert min(changed_pixels(*pair) for pair in pairwise(pictures)) >= 40, throw


def test_all_rolls_lie_differently() -> None:
    """No two throws show the same table at rest."""
    rests = [small(max(throw.iterdir())) for throw in THROWS]
    assert min(changed_pixels(*pair) for pair in combinations(rests, 2)) >= 40


def test_file_names_tell_nothing() -> None:
    """Pictures are named by their place in the evening alone."""
    names = {str(path.relative_to(EVENING)) for path in EVENING.rglob("*.webp")}
    expected = {
        f"turn{turn:02}/throw{throw}/{index:02}.webp"
        for turn, throws in enumerate(TRUTH)
        for throw in range(len(throws))
        for index in range(MOVING + 1)
    }
    assert names == expected | {"empty.webp"}


def lying(throw: dict[str, list[Any]]) -> list[TableDie]:
    """The dice of a throw, their boxes as large as they are seen."""
    half = 30
    places = zip(throw["values"], throw["centres"], strict=True)
    return [TableDie(face, (x - half, y - half, x + half, y + half)) for face, (x, y) in places]


def test_no_roll_could_be_taken_for_another_one() -> None:
    """Whatever was shown before, the table sees that dice were thrown, and need not ask."""
    throws = [lying(throw) for turn in TRUTH for throw in turn]
    pairs = [(one, other) for one, other in permutations(throws, 2)]
    assert not any(shows_the_same(track_dice(*pair), len(pair[1])) for pair in pairs)


# -- a round of Rummikub


def shipped(step: str, table: int) -> list[NDArray[np.uint8]]:
    """The shipped pictures of one table."""
    return [picture(path) for path in sorted((TABLES / step / f"throw{table}").iterdir())]


def test_a_table_is_played_and_stays(camera: DemoCamera) -> None:
    """Each moving picture comes once, then the tiles lie still."""
    camera.show_table(ROUND, "lay-0-06", 0)
    expected = shipped("lay-0-06", 0)
    taken = [camera.capture().image for _ in range(len(expected) + 2)]
    assert all(np.array_equal(*pair) for pair in zip(taken, expected, strict=False))
    assert all(np.array_equal(image, expected[-1]) for image in taken[len(expected) :])


def test_the_fixed_table_follows_the_refused_one_and_stays(camera: DemoCamera) -> None:
    """Past the last table of a step the last one stays, and is not played again."""
    camera.show_table(ROUND, REFUSED, 1)
    mended = shipped(REFUSED, 1)
    for _ in mended:
        camera.capture()
    camera.show_table(ROUND, REFUSED, 2)
    assert np.array_equal(camera.capture().image, mended[-1])


@pytest.mark.parametrize(("evening", "step"), [(ROUND, "lay-1-06"), ("demo_none", "lay-0-06")])
def test_what_has_no_pictures_leaves_what_is_there(
    camera: DemoCamera, evening: str, step: str
) -> None:
    """Who draws a tile changes nothing on the table."""
    camera.show_table(ROUND, "lay-0-06", 0)
    rest = [camera.capture().image for _ in shipped("lay-0-06", 0)][-1]
    camera.show_table(evening, step, 0)
    assert np.array_equal(camera.capture().image, rest)


def test_after_a_step_without_pictures_a_table_is_played_anew(camera: DemoCamera) -> None:
    """Who drew a tile before a refused table finds it laid once more when the turn comes back."""
    expected = shipped(REFUSED, 0)
    for step in (REFUSED, "lay-0-08", REFUSED):
        camera.show_table(ROUND, step, 0)
        camera.capture()
    assert np.array_equal(camera.capture().image, expected[1])


def test_dice_are_rolled_again_after_tiles(camera: DemoCamera) -> None:
    """One camera serves both evenings, whichever game is opened."""
    camera.show(0, 0)
    first = camera.capture().image
    camera.show_table(ROUND, REFUSED, 0)
    assert camera.capture().image.shape == (960, 1280, 3)
    camera.show(0, 0)
    assert np.array_equal(camera.capture().image, first)


def test_it_may_be_told_before_it_is_opened() -> None:
    """The table announces what it waits for before the camera's thread begins."""
    camera = DemoCamera(sleep=lambda _seconds: None)
    camera.show_table(ROUND, REFUSED, 0)
    with camera:
        assert np.array_equal(camera.capture().image, shipped(REFUSED, 0)[0])


def test_pictures_are_small_and_named_by_what_is_awaited() -> None:
    """All together take less than 3 MB; the truth knows each table, no name tells its tiles."""
    assert {str(path.relative_to(TABLES)) for path in TABLES.glob("*/throw*")} == set(ROUND_TRUTH)
    files = [path for path in TABLES.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 3_000_000
    assert {path.suffix for path in files} == {".webp"}


def test_something_moves_before_every_table() -> None:
    """Each picture differs plainly from the one before."""
    for folder in ROUND_TRUTH:
        step, table = folder.split("/throw")
        taken = shipped(step, int(table))
        assert len(taken) > 1, folder
        for one, other in pairwise(taken):
            assert int((cv2.absdiff(one, other) > 30).any(axis=2).sum()) > 4000, folder


def test_it_tells_how_many_tables_a_step_has(camera: DemoCamera) -> None:
    """The refused table and the mended one; none where there are no pictures."""
    steps = (REFUSED, "lay-0-06", "lay-1-06", "")
    assert [camera.tables(ROUND, step) for step in steps] == [2, 1, 0, 0]
