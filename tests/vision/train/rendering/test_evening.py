"""The demo evening as planned, and as it is put into a folder."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from vision.capture.frame import Image
from vision.train.rendering.__main__ import main
from vision.train.rendering.evening import (
    Cache,
    FilmedRoll,
    dice_to_keep,
    empty_table,
    film_turn,
    look_of,
    read_picture,
    roll,
    write_evening,
    write_truth,
)
from vision.train.rendering.geometry import Pose
from vision.train.rendering.tracing import DiceRoll, Scene, Tray, apart

QUICK_TURN = 10


class FakeTracer:
    """Draws every scene as a plain grey picture and counts what it was asked for."""

    def __init__(self) -> None:
        self.drawn: Counter[str] = Counter()

    def draw(self, scene: Scene) -> Image:
        self.drawn[scene.digest] += 1
        return np.full((480, 640, 3), int(scene.digest[:2], 16), dtype=np.uint8)


@pytest.fixture(scope="module")
def rolls() -> list[FilmedRoll]:
    """One turn's rolls, a turn that physics settles quickly."""
    return list(film_turn(QUICK_TURN))


def test_a_turn_has_three_throws_of_six_moving_pictures_and_a_rest(
    rolls: list[FilmedRoll],
) -> None:
    """Nothing moves in the last picture, a hand or other poses are in those before."""
    assert len(rolls) == 3
    for filmed in rolls:
        *moving, rest = filmed.scenes
        assert len(moving) == 6
        assert rest.dice == filmed.roll.rest
        assert rest.hand is None
        assert all(scene.hand is not None or scene.dice != rest.dice for scene in moving)


def test_the_truth_lies_in_the_picture(rolls: list[FilmedRoll]) -> None:
    """Every top face's middle is well inside 640 x 480 pixels."""
    for filmed in rolls:
        assert all(30 < x < 610 and 30 < y < 450 for x, y in filmed.centres)


def test_the_evening_has_many_looks() -> None:
    """At least six sets of dice, and no two turns look the same."""
    looks = [look_of(turn) for turn in range(18)]
    assert len({look.dice for look in looks}) >= 6
    assert len(set(looks)) == 18


def test_a_broken_off_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A second run takes every picture from the cache and writes the same files."""
    tracer = FakeTracer()
    cache = Cache(tmp_path / "cache", tracer.draw)
    (first,) = write_evening(cache, tmp_path / "one", turns=[QUICK_TURN])
    list(write_evening(cache, tmp_path / "two", turns=[QUICK_TURN]))
    assert set(tracer.drawn.values()) == {1}
    one, two = (sorted((tmp_path / name).rglob("*.webp")) for name in ("one", "two"))
    assert len(one) == 3 * 7 + 1
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    write_truth(tmp_path / "truth.json", [first])
    told = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert [tuple(told["turns"][0][n]["values"]) for n in range(3)] == [
        filmed.roll.faces for filmed in first
    ]


def test_a_digest_changes_with_the_scene() -> None:
    """A picture is drawn again when anything in its scene changes."""
    scene = empty_table()
    other = Scene(scene.look, scene.dice, scene.hand, scene.samples + 1, scene.seed)
    assert scene.digest == empty_table().digest
    assert scene.digest != other.digest


def test_a_contact_sheet_shows_the_rests(tmp_path: Path) -> None:
    """The command puts every roll's last picture on one sheet, rows of nine."""
    for number in range(3):
        folder = tmp_path / "turn00" / f"throw{number}"
        folder.mkdir(parents=True)
        tracer = FakeTracer()
        cache = Cache(tmp_path / "cache", tracer.draw)
        cache.picture(empty_table())
        (folder / "00.webp").write_bytes(next((tmp_path / "cache").glob("*.png")).read_bytes())
    sheet = tmp_path / "sheet.jpg"
    arguments = ["contact-sheet", "--pictures", str(tmp_path), "--out", str(sheet)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert read_picture(sheet).shape == (156, 9 * 208, 3)


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    """The cache names a damaged file rather than packing it."""
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"broken\.png is no picture"):
        read_picture(broken)


TRAY = Tray(half_width=4.7, half_depth=3.5)


@pytest.fixture(scope="module")
def rolled() -> DiceRoll:
    """Five dice rolled with seed 7."""
    return roll(7, TRAY, (), 5)


def test_dice_come_to_rest_flat_inside_and_apart(rolled: DiceRoll) -> None:
    """Nothing leans, nothing is stacked, nothing touches."""
    assert len(rolled.rest) == 5
    for pose in rolled.rest:
        assert pose.lean_degrees < 1
        assert pose.position[2] == pytest.approx(0.5, abs=0.05)
        assert abs(pose.position[0]) < TRAY.half_width
        assert abs(pose.position[1]) < TRAY.half_depth
    for one, other in combinations(rolled.rest, 2):
        assert np.hypot(*np.subtract(one.position, other.position)[:2]) > 1.2


def test_kept_dice_stay_where_they_lie(rolled: DiceRoll) -> None:
    """Dice that are kept neither move by a tenth of a side nor change their number."""
    kept = rolled.rest[:3]
    again = roll(9, TRAY, kept, 2)
    assert again.kept == (True, True, True, False, False)
    assert again.faces[:3] == rolled.faces[:3]
    assert apart(kept, again.rest[:3]) < 0.1


def test_apart_measures_the_die_that_moved_most() -> None:
    """A shift by three and four is five away."""
    still = Pose((0.0, 0.0, 0.5), (0.0, 0.0, 0.0, 1.0))
    moved = Pose((3.0, 4.0, 0.5), (0.0, 0.0, 0.0, 1.0))
    assert apart((still, still), (still, moved)) == pytest.approx(5)


@pytest.mark.parametrize(
    ("faces", "kept"),
    [
        ((5, 5, 5, 2, 1), [0, 1, 2]),
        ((6, 2, 6, 2, 1), [0, 2]),
        ((2, 3, 4, 5, 5), [0, 1, 2, 3]),
        ((6, 4, 3, 1, 5), [0, 1, 2, 4]),
        ((1, 2, 3, 5, 6), [4]),
        ((4, 4, 4, 4, 4), [0, 1, 2, 3]),
        ((1, 2, 3, 4, 5), [0, 1, 2, 3]),
    ],
)
def test_a_player_keeps_what_makes_sense(faces: tuple[int, ...], kept: list[int]) -> None:
    """Runs of four, else the most frequent face, the higher at a tie; never all five."""
    assert dice_to_keep(faces) == kept
