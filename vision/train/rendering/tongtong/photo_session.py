"""The table of the match: dark wood, a lamp to one side, one camera; a picture of it taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from vision.capture.frame import Image
from vision.train.rendering.backgrounds import PIXELS, ground_of
from vision.train.rendering.chance import Random
from vision.train.rendering.decks.design import Design
from vision.train.rendering.decks.photo_session import Setting, Shooting, stage
from vision.train.rendering.denoise import denoise
from vision.train.rendering.exposure import Exposure, expose
from vision.train.rendering.lens import Lens
from vision.train.rendering.room import any_room
from vision.train.rendering.studio import Scenery, Shot, scenery

_ROOM: Final = 11
_WOOD: Final = 31
_REPEATS_OVER: Final = 17.0
_SAMPLES: Final = 20
LENS: Final = Lens(960, 720, (0.05, 0.1, 0.0), 64.0, 4.0, 1.5, 13.2, 40.0, 1e-3, 13.2)
_EXPOSURE: Final = Exposure(
    stops=0.0, red=1.04, blue=0.95, contrast=0.3, saturation=1.05, vignette=0.25, spot=0.0,
    falloff=0.15, falloff_degrees=30.0, glare=0.01, defocus_px=0.0, motion_px=0.0,
    motion_degrees=0.0, shot=4e-5, dark=1e-6, smoothing=2.0, sharpening=0.4, softness_px=0.45,
    jpeg_quality=95,
)  # fmt: skip


class Tracing(Protocol):
    """What traces a scene: see `vision.train.rendering.studio.Studio`."""

    def trace(self, shown: Scenery, seed: int) -> Shot:
        """Trace anything that is made of painted surfaces."""
        ...


def the_setting() -> Setting:
    """The table and the light that the match is played in."""
    ground = ground_of("wood", np.random.default_rng(_WOOD), PIXELS / _REPEATS_OVER)
    return Setting(ground, any_room(np.random.default_rng(_ROOM)), _REPEATS_OVER, 0.45)


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """One picture to take; `exposure` is what the camera makes of it, `seed` its grain."""

    design: Design
    setting: Setting
    shooting: Shooting
    exposure: Exposure
    seed: int


def of_the_match(design: Design, shooting: Shooting, seed: int) -> Take:
    """A picture of the match: always the same table, camera and light."""
    return Take(design, the_setting(), shooting, _EXPOSURE, seed)


def take_picture(take: Take, studio: Tracing) -> Image:
    """Trace it and expose it, blue-green-red."""
    shown = scenery(stage(take.design, take.setting, take.shooting))
    shot = studio.trace(replace(shown, samples=_SAMPLES, painted=True), take.seed)
    light = shot.light if shot.paint is None else denoise(shot.light, shot.paint)
    random: Random = np.random.default_rng(take.seed)
    return expose(light, take.exposure, random)
