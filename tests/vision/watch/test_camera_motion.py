"""Change between two small grey frames."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.fake_table import Table
from vision.watch.camera_motion import Change, Grey
from vision.watch.stillness import LONGER_SIDE, small_grey

LEVELS = 10.0


def test_changes_are_where_they_happened() -> None:
    """The mask covers the die that came, and nothing far from it."""
    table = Table()
    before: Grey = small_grey(table.picture(()))
    mask = Change.between(before, small_grey(table.picture(((300, 200),))), LEVELS).mask()
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
    assert not Change.between(before, lit, LEVELS).mask().any()
    lit[40:50, 60:70] = 250.0
    assert Change.between(before, lit, LEVELS).mask()[42:48, 62:68].all()
