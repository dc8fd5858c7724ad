"""When the table is at rest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.fake_table import Table
from vision.capture.frame import Image
from vision.watch.stillness import LONGER_SIDE, Change, Grey, Stillness, small_grey, stabilized

START = datetime(2026, 11, 21, 20, tzinfo=UTC)
FRAME = timedelta(seconds=0.1)


def watch(
    pictures: list[Image], state: Stillness | None = None, start: datetime = START
) -> list[Stillness]:
    """The states after each of these frames, ten a second."""
    states = [] if state is None else [state]
    for number, picture in enumerate(pictures):
        before = states[-1] if states else Stillness()
        states.append(before.after(small_grey(picture), start + number * FRAME))
    return states if state is None else states[1:]


def swayed(picture: Image, by: NDArray[np.float64]) -> Image:
    """The picture moved by so many pixels right and down, and turned by them at its sides."""
    height, width = picture.shape[:2]
    turn = float(np.degrees(by[2] / width))
    matrix = np.array(cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0), np.float64)
    matrix[:, 2] += by[:2]
    moved = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    return moved.astype(np.uint8)


def at_rest(table: Table) -> Stillness:
    """The state after a second of rest, read."""
    state = watch([table.picture() for _ in range(10)])[-1]
    assert state.at_rest()
    return state.read()


LATER = START + timedelta(seconds=1)


@pytest.mark.parametrize(("frames_a_second", "first"), [(1, 1), (5, 1), (8, 2), (10, 3), (30, 9)])
def test_a_table_at_rest_is_read_in_time(frames_a_second: int, first: int) -> None:
    """After three tenths of a second; sooner where few frames come before the half second."""
    state, rested = Stillness(), []
    table = Table()
    for number in range(12):
        at = START + number * timedelta(seconds=1 / frames_a_second)
        state = state.after(small_grey(table.picture()), at)
        rested.append(state.at_rest())
    assert rested == [number >= first for number in range(12)]


def test_a_camera_that_sways_is_no_motion() -> None:
    """A picture that trembles as a whole, by up to a hundredth of its width, is at rest."""
    table, rng = Table(noise=3), np.random.default_rng(6)
    state = at_rest(table)
    pictures = [swayed(table.picture(), rng.uniform(-6, 6, 3)) for _ in range(30)]
    assert all(each.at_rest() and not each.moved for each in watch(pictures, state, LATER))


def test_a_die_that_moves_under_a_swaying_camera_is_motion() -> None:
    """What moves against the table is seen while the table itself seems to move."""
    table, rng = Table(noise=3), np.random.default_rng(5)
    state = at_rest(table)
    rolling = [
        swayed(table.picture(((100, 100), (300 + 6 * step, 200))), rng.uniform(-3, 3, 3))
        for step in range(1, 13)
    ]
    states = watch(rolling, state, LATER)
    assert states[-1].moved
    assert not any(each.at_rest() for each in states[3:])


def test_one_die_alone_on_a_plain_table_is_not_taken_for_the_table() -> None:
    """Where nothing but the die can be seen, its motion is not the camera's."""
    plain = np.full((480, 640, 3), 90, np.uint8)
    pictures = []
    for step in range(5):
        pictures.append(plain.copy())
        pictures[-1][200:240, 300 + 3 * step : 340 + 3 * step] = 220
    assert stabilized(small_grey(pictures[0]), small_grey(pictures[1])) is None
    states = watch(pictures, watch([pictures[0]] * 10)[-1].read(), LATER)
    assert states[-1].moved


def test_a_frame_that_sways_too_far_is_not_steadied() -> None:
    """A camera that was pushed aside is motion."""
    table = Table(noise=3)
    far = swayed(table.picture(), np.array([40.0, 0.0, 0.0]))
    assert not watch([far], at_rest(table), LATER)[0].at_rest()


@pytest.mark.parametrize("noise", [0.0, 12.0])
def test_a_die_that_rolls_is_motion(noise: float) -> None:
    """While a die moves by a few pixels a frame there is no rest; after it there is."""
    table = Table(noise=noise)
    state = at_rest(table)
    rolling = [table.picture(((100, 100), (300 + 6 * step, 200))) for step in range(1, 13)]
    moving = watch(rolling, state, LATER)
    assert not any(each.at_rest() for each in moving)
    assert moving[-1].moved
    end = [table.picture(((100, 100), (372, 200)))] * 6
    assert watch(end, moving[-1], LATER + 12 * FRAME)[-1].at_rest()


def test_a_slow_slide_is_motion_too() -> None:
    """A die that slides half a pixel a frame never counts as resting."""
    table = Table(noise=2)
    state = at_rest(table)
    slide = [table.picture(((100, 100), (300 + step // 2, 200))) for step in range(40)]
    assert any(each.moved for each in watch(slide, state, LATER))


def test_a_change_between_two_still_frames_is_motion() -> None:
    """Even where the camera missed the throw, another die is motion seen."""
    table = Table()
    state = at_rest(table)
    states = watch([table.picture(((100, 100), (500, 300))) for _ in range(6)], state, LATER)
    assert [each.moved for each in states] == [True] * 6
    assert not states[0].at_rest()
    assert states[-1].at_rest()


def test_noise_and_flicker_are_no_motion() -> None:
    """A grainy picture under a lamp that flickers, also by rows, stays at rest."""
    table = Table(noise=10)
    state = at_rest(table)
    pictures = [
        table.picture(gain=1 + 0.04 * (-1) ** frame, bands=0.03 * (frame % 3))
        for frame in range(60)
    ]
    assert all(each.at_rest() and not each.moved for each in watch(pictures, state, LATER))


def test_slow_light_is_no_motion() -> None:
    """Dusk over a minute, and on one half of the table only, is no motion."""
    table = Table(noise=3)
    state = at_rest(table)
    for frame in range(120):
        picture = table.picture().astype(np.float64)
        picture[:, :320] *= 1 - 0.3 * frame / 120
        picture[:, 320:] *= 1 - 0.2 * frame / 120
        small = small_grey(picture.astype(np.uint8))
        state = state.after(small, LATER + frame * 5 * FRAME)
        assert not state.moved, frame


def test_a_resting_hand_is_waited_for() -> None:
    """A hand that pauses over the tray is no rest; gone, the table is at rest again."""
    table = Table()
    state = at_rest(table)
    pause = watch([table.picture(hand=250) for _ in range(20)], state, LATER)
    assert pause[-1].hand
    assert not any(each.at_rest() for each in pause)
    gone = watch([table.picture() for _ in range(6)], pause[-1], LATER + 20 * FRAME)
    assert gone[-1].at_rest()
    assert gone[-1].moved


def test_what_stays_long_is_no_hand() -> None:
    """A score pad laid into the picture is part of the scene after a while."""
    table = Table()
    states = watch([table.picture(hand=250) for _ in range(40)], at_rest(table), LATER)
    assert states[-1].at_rest()
    after = watch(
        [table.picture(hand=250) for _ in range(5)], states[-1].read(), LATER + 40 * FRAME
    )
    assert all(each.at_rest() and not each.moved for each in after)


@pytest.mark.parametrize(("frames_a_second", "waited"), [(10, True), (30, False)])
def test_what_is_there_from_one_frame_to_the_next_is_no_hand(
    frames_a_second: int, *, waited: bool
) -> None:
    """A hand takes longer than a thirtieth of a second to come and lie still: that is a cut."""
    state, table = at_rest(Table()), Table()
    for number in range(frames_a_second):
        at = LATER - FRAME + (number + 1) * timedelta(seconds=1 / frames_a_second)
        state = state.after(small_grey(table.picture(hand=250)), at)
    assert state.hand == waited
    assert state.at_rest() != waited


@pytest.mark.parametrize("scene", ["another table", "another size"])
def test_another_scene_is_motion_and_no_hand(scene: str) -> None:
    """A camera turned elsewhere, or with a new format, is at rest as soon as nothing moves."""
    table = Table(8, 4) if scene == "another table" else Table()
    rows = 480 if scene == "another table" else 300
    pictures = [np.ascontiguousarray(table.picture()[:rows]) for _ in range(6)]
    states = watch(pictures, at_rest(Table()), LATER)
    assert states[0].moved
    assert states[-1].at_rest()


def test_a_clock_set_back_does_not_stop_the_watching() -> None:
    """After the system's clock was set back by an hour, rest is found again."""
    table = Table()
    states = watch([table.picture() for _ in range(8)], at_rest(table), START - timedelta(hours=1))
    assert states[-1].at_rest()


@pytest.mark.parametrize(("width", "height"), [(640, 480), (480, 640), (4032, 3024), (9, 9)])
def test_small_frames_have_one_size(width: int, height: int) -> None:
    """Whatever the camera gives, the longer side is LONGER_SIDE and the shape is kept."""
    grey = small_grey(np.zeros((height, width, 3), np.uint8))
    assert max(grey.shape) == LONGER_SIDE
    assert grey.shape[0] / grey.shape[1] == pytest.approx(height / width, rel=0.02)


def test_changes_are_where_they_happened() -> None:
    """The mask covers the die that came, and nothing far from it."""
    table = Table()
    before: Grey = small_grey(table.picture(()))
    mask = Change.between(before, small_grey(table.picture(((300, 200),)))).mask()
    scale = LONGER_SIDE / 640
    rows, columns = np.nonzero(mask)
    assert len(rows) > 40
    assert columns.min() > 290 * scale
    assert columns.max() < 350 * scale
    assert rows.min() > 190 * scale
    assert rows.max() < 250 * scale


@pytest.mark.parametrize("light", [0.6, 1.0, 1.3])
def test_another_light_is_no_change(light: float) -> None:
    """Nor does it hide what came."""
    table = Table()
    before = small_grey(table.picture(()))
    lit = np.asarray(np.minimum(before * light, 240.0), np.float32)
    assert not Change.between(before, lit).mask().any()
    lit[40:50, 60:70] = 250.0
    assert Change.between(before, lit).mask()[42:48, 62:68].all()
