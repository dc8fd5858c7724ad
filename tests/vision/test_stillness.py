"""When the table is at rest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from tests.vision.fake_table import Table
from vision.frame import Image
from vision.stillness import LONGER_SIDE, Grey, Stillness, StillnessSettings, changed, small_grey

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


def at_rest(table: Table) -> Stillness:
    """The state after a second of rest, read."""
    state = watch([table.picture() for _ in range(10)])[-1]
    assert state.at_rest()
    return state.read()


LATER = START + timedelta(seconds=1)


def test_rest_takes_its_frames_and_its_time() -> None:
    """At ten frames a second four tenths pass first; at one a second three frames do."""
    table = Table()
    quick = watch([table.picture() for _ in range(6)])
    assert [state.at_rest() for state in quick] == [False] * 4 + [True] * 2
    state, slow = Stillness(), []
    for second in range(5):
        state = state.after(small_grey(table.picture()), START + timedelta(seconds=second))
        slow.append(state.at_rest())
    assert slow == [False, False, False, True, True]


def test_identical_frames_are_at_rest() -> None:
    """A camera that repeats the very same picture is at rest, not stuck."""
    picture = Table().picture()
    assert watch([picture] * 8)[-1].at_rest()


@pytest.mark.parametrize("noise", [0.0, 4.0, 12.0])
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


@pytest.mark.parametrize("seed", range(5))
def test_noise_and_flicker_are_no_motion(seed: int) -> None:
    """A grainy picture under a lamp that flickers, also by rows, stays at rest."""
    table = Table(seed, noise=10)
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


def test_another_scene_is_no_hand() -> None:
    """A camera turned to another table is at rest as soon as nothing moves there."""
    states = watch([Table(8, 4).picture() for _ in range(6)], at_rest(Table()), LATER)
    assert states[0].moved
    assert states[-1].at_rest()


def test_a_picture_of_another_size_is_motion() -> None:
    """A camera that changes its format is a new scene, not an error."""
    table = Table()
    wide = [np.ascontiguousarray(table.picture()[:300]) for _ in range(6)]
    states = watch(wide, at_rest(table), LATER)
    assert states[0].moved
    assert states[-1].at_rest()


def test_a_clock_set_back_does_not_stop_the_watching() -> None:
    """After the system's clock was set back by an hour, rest is found again."""
    table = Table()
    states = watch([table.picture() for _ in range(8)], at_rest(table), START - timedelta(hours=1))
    assert states[-1].at_rest()


def test_nothing_seen_is_no_rest() -> None:
    """Before the first frame nothing is known."""
    assert not Stillness().at_rest()


@pytest.mark.parametrize(
    ("width", "height"), [(640, 480), (480, 640), (4032, 3024), (1280, 720), (200, 150), (9, 9)]
)
def test_small_frames_have_one_size(width: int, height: int) -> None:
    """Whatever the camera gives, the longer side is LONGER_SIDE and the shape is kept."""
    grey = small_grey(np.zeros((height, width, 3), np.uint8))
    assert max(grey.shape) == LONGER_SIDE
    assert grey.shape[0] / grey.shape[1] == pytest.approx(height / width, rel=0.02)


def test_changes_are_where_they_happened() -> None:
    """The mask covers the die that came, and nothing far from it."""
    table = Table()
    before: Grey = small_grey(table.picture(()))
    mask = changed(before, small_grey(table.picture(((300, 200),))), StillnessSettings())
    scale = LONGER_SIDE / 640
    rows, columns = np.nonzero(mask)
    assert len(rows) > 40
    assert columns.min() > 290 * scale
    assert columns.max() < 350 * scale
    assert rows.min() > 190 * scale
    assert rows.max() < 250 * scale
