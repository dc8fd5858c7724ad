"""What was read, as it stands on the photograph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoreboard.message import message
from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.evaluate.annotation import draw_observation, draw_outline, drawing_path, write_drawing
from vision.quality.tray import TrayCorners
from vision.read.observation import Detection, Observation

SURE = Detection("3", 0.99, (100.0, 100.0, 160.0, 160.0), 12.0)


def paper(width: int = 400, height: int = 300) -> Image:
    """An even grey picture."""
    return np.full((height, width, 3), 128, np.uint8)


def changed_on_right_side(detection: Detection) -> float:
    """The share of the box's right side, away from all letters, that the drawing changed."""
    drawn = draw_observation(paper(), Observation(0, "fake", (detection,)))
    _, top, right, bottom = (round(edge) for edge in detection.box)
    side = drawn[top + 5 : bottom - 5, right]
    return float((side != 128).any(axis=1).mean())


def test_the_box_is_drawn_where_the_die_lies() -> None:
    """On a copy: all four sides of the box; its middle stays free to see the die."""
    photo = paper()
    drawn = draw_observation(photo, Observation(0, "fake", (SURE,)))
    assert (photo == 128).all()
    for row, column in ((100, 140), (160, 130), (130, 100), (130, 160)):
        assert (drawn[row, column] != 128).any()
    assert (drawn[125:150, 110:150] == 128).all()


@pytest.mark.parametrize(
    "doubtful", [Detection("?", 0.99, SURE.box, 0.0), Detection("3", 0.6, SURE.box, 0.0)]
)
def test_doubtful_dice_differ_without_colour(doubtful: Detection) -> None:
    """A sure die has a whole box, a doubtful one a dashed box."""
    assert changed_on_right_side(SURE) == 1
    assert 0.3 < changed_on_right_side(doubtful) < 0.9


@pytest.mark.parametrize(("width", "height"), [(8, 8), (64, 48), (4000, 3000), (3000, 200)])
def test_any_size_and_boxes_over_the_edge_can_be_drawn(width: int, height: int) -> None:
    """Tiny pictures, huge ones, and dice that reach over the edge are drawn all the same."""
    over_the_edge = Detection("6", 0.5, (-20.0, -20.0, width + 30.0, height + 9.0), 0.0)
    doubts = (message("Look."),)
    photo = paper(width, height)
    drawn = draw_observation(photo, Observation(0, "fake", (SURE, over_the_edge), doubts))
    assert drawn.shape == photo.shape
    assert (drawn != 128).any()


def test_letters_grow_with_the_picture() -> None:
    """On a picture four times as large the words take about as large a share of it."""
    shares = []
    for times in (1, 4):
        drawn = draw_observation(paper(400 * times, 300 * times), Observation(0, "fake"))
        shares.append((drawn != 128).any(axis=2).mean())
    assert shares[1] == pytest.approx(shares[0], rel=0.4)


def test_drawings_get_names_of_their_own(tmp_path: Path) -> None:
    """Two photographs of the same name do not overwrite each other's drawing, nor a photo."""
    first = drawing_path(tmp_path, Path("a/würfel.png"), set())
    second = drawing_path(tmp_path, Path("b/würfel.jpg"), {first})
    third = drawing_path(tmp_path, Path("c/würfel.jpg"), {first, second})
    names = [path.name for path in (first, second, third)]
    assert names == ["würfel-read.jpg", "würfel-read-2.jpg", "würfel-read-3.jpg"]


def test_drawings_are_written_under_any_name_or_reported(tmp_path: Path) -> None:
    """A name outside ASCII is no hindrance; a folder that is not there raises."""
    path = drawing_path(tmp_path, Path("骰子 é.jpg"), ())
    write_drawing(path, paper())
    assert open_photo(path).shape == (300, 400, 3)
    with pytest.raises(OSError, match="No such file"):
        write_drawing(tmp_path / "absent" / "x.jpg", paper())


def test_a_trays_outline_is_drawn_on_a_copy() -> None:
    """Its sides are there, its inside stays, and the picture itself is not touched."""
    photo = paper()
    drawn = draw_outline(photo, TrayCorners(((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))))
    assert (photo == 128).all()
    assert (drawn[60, 100:300] != 128).any(axis=1).all()
    assert (drawn[150, 120:280] == 128).all()
