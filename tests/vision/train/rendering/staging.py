"""Stages of the tests: dice whose faces are known, on a plain table, under a known camera."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.train.rendering.arrangement import Falling
from vision.train.rendering.backgrounds import PaintedGround
from vision.train.rendering.camera import Lens
from vision.train.rendering.chance import Random
from vision.train.rendering.clutter import Thing
from vision.train.rendering.dice_set import DiceSet, dress
from vision.train.rendering.geometry import DieShape, Layout, Pose, plain
from vision.train.rendering.studio import DiceStage, Scenery, Shot, StagedDie, Studio


class GreyStudio(Studio):
    """Gives a plain grey for every scene, sees no tile and no table there, and counts."""

    def __init__(self) -> None:
        self.traced: Counter[int] = Counter()

    def trace(self, shown: Scenery, seed: int) -> Shot:
        self.traced[seed] += 1
        shape = (shown.lens.height, shown.lens.width, 3)
        light = np.full(shape, 0.1 + 0.005 * (seed % 100), np.float32)
        return Shot(light, np.full(shape, -9.0, np.float32))


HALF = 0.5**0.5
TURNED_UP = {
    1: (0.0, 0.0, 0.0, 1.0),
    6: (1.0, 0.0, 0.0, 0.0),
    2: (0.0, -HALF, 0.0, HALF),
    5: (0.0, HALF, 0.0, HALF),
    3: (HALF, 0.0, 0.0, HALF),
    4: (-HALF, 0.0, 0.0, HALF),
}
FROM_ABOVE = Lens(320, 240, (0.0, 0.0, 0.5), 90, 0, 0, 20.0, 40.0, 1e-3, 19.5)
BODY = (240, 240, 236)
INK = (16, 16, 18)


def white_set(layout: Layout | None = None) -> DiceSet:
    """Plain white dice with black painted pips."""
    shape = DieShape(0.08, 0.1, 0.0, cells=16, layout=layout or Layout())
    return DiceSet("white", BODY, BODY, INK, INK, INK, shape, roughness=0.5)


def flat(place: int, x: float, y: float) -> StagedDie:
    """A die of the first set that lies level with that place of its six up."""
    return StagedDie(Falling(Pose((x, y, 0.5), TURNED_UP[place])), 0)


def stage(
    dice: Sequence[StagedDie],
    dice_set: DiceSet | None = None,
    lens: Lens = FROM_ABOVE,
    things: Sequence[Thing] = (),
) -> DiceStage:
    """A green table in even light with these dice."""
    dressed = dice_set or white_set()
    random: Random = np.random.default_rng(0)
    return DiceStage(
        lens=lens,
        room=np.full((128, 256, 3), 1.0, dtype=np.float32),
        sets=(dressed,),
        dressings=(dress(dressed, 96, random),),
        dice=tuple(dice),
        things=tuple(things),
        ground=PaintedGround("felt", plain((40, 110, 70), 0.9), 0.0),
        beyond=None,
        rim=None,
        rim_material=plain((80, 60, 40), 0.5),
        repeats_over=20.0,
        hand=None,
        skin=(200, 160, 130),
        sleeve=(40, 60, 90),
        manner="strewn",
    )


def bare_table(lens: Lens) -> NDArray[np.float32]:
    """The points of a table, just below the dice, that the pixels of a picture show, H x W x 3."""
    points = lens.ground(middles(lens), -0.05)
    return points.reshape(lens.height, lens.width, 3).astype(np.float32)


def middles(lens: Lens) -> NDArray[np.float64]:
    """The middles of all pixels, row by row, N x 2."""
    rows, columns = np.mgrid[: lens.height, : lens.width]
    return np.stack([columns.ravel() + 0.5, rows.ravel() + 0.5], axis=1)


def seen_from_above(staged: DiceStage) -> NDArray[np.float32]:
    """What the pixels show where level dice lie on the table, seen from right above."""
    seen = bare_table(staged.lens)
    tops = staged.lens.ground(middles(staged.lens), 1.0).reshape(seen.shape)
    for die in staged.dice:
        middle = np.asarray(die.die.pose.position)
        on_top = np.abs(tops[..., :2] - middle[:2]).max(axis=2) < 0.5
        seen[on_top] = tops[on_top]
    return seen
