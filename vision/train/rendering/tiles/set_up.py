"""The evening's table itself: one edition of the game, wood, the light of a room, one camera."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.capture.frame import Image
from vision.train.rendering.backgrounds import PIXELS, Ground, ground_of
from vision.train.rendering.denoise import denoise
from vision.train.rendering.exposure import Exposure, expose
from vision.train.rendering.material import plain
from vision.train.rendering.room import Light, any_room
from vision.train.rendering.studio import Scenery, table_mesh
from vision.train.rendering.tiles.beside import DIE, Part
from vision.train.rendering.tiles.edition import Edition, any_edition
from vision.train.rendering.tiles.films import Take
from vision.train.rendering.tiles.jokers import joker_ink
from vision.train.rendering.tiles.photo_session import Tracing
from vision.train.rendering.tiles.stage import TileStage, tiles_part
from vision.train.rendering.tiles.tile_poses import Lying
from vision.train.rendering.tiles.top import Top, back_of, top_of

_EDITION: Final = 0
_JOKER: Final = 2
_ORANGE: Final = (0.96, 0.60, 0.16)
_ROOM: Final = 4
_FROM_THE_LEFT: Final = 64  # columns by which the room's light is turned about the table
_WOOD: Final = 104
_REPEATS_OVER: Final = 26.0  # widths of a tile, after which the wood's paint repeats
_TOP_PIXELS: Final = 120
_CELLS: Final = 44
_EXPOSURE: Final = Exposure(
    stops=0.05, red=1.02, blue=0.97, contrast=0.3, saturation=1.05, vignette=0.25, spot=0.0,
    falloff=0.15, falloff_degrees=30.0, glare=0.01, defocus_px=0.0, motion_px=0.0,
    motion_degrees=0.0, shot=4e-5, dark=1e-6, smoothing=2.0, sharpening=0.4, softness_px=0.45,
    jpeg_quality=95,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class SetUp:
    """What stays the same from the evening's first picture to its last."""

    edition: Edition
    room: Light
    ground: Ground

    def stage(self, take: Take) -> TileStage:
        """All that is in one picture."""
        tops = tuple(self._tops(take.tiles))
        table = table_mesh(take.lens, _REPEATS_OVER), self.ground.material
        body = [table, *self._tiles(take.tiles, tops), *self._rack(take), *take.hand]
        manner = "rows" if take.rack is None else "rack"
        return TileStage(
            take.lens, self.room, self.edition, take.tiles, tops, tuple(body), self.ground, manner
        )

    def _tops(self, tiles: tuple[Lying, ...]) -> list[Top]:
        """Each tile of the box has its own wear, the same in every picture."""
        seen: Counter[tuple[int, int]] = Counter()
        tops = []
        for tile in tiles:
            name = (tile.printed.kind, tile.printed.colour)
            random = np.random.default_rng((*name, seen[name]))
            tops.append(top_of(self.edition, tile.printed, _TOP_PIXELS, random))
            seen[name] += 1
        return tops

    def _tiles(self, tiles: tuple[Lying, ...], tops: tuple[Top, ...]) -> list[Part]:
        if not tiles:
            return []
        back = back_of(self.edition, _TOP_PIXELS, np.random.default_rng(0))
        return [tiles_part(self.edition, tiles, tops, [back] * len(tops), _CELLS)]

    def _rack(self, take: Take) -> list[Part]:
        if take.rack is None:
            return []
        return [(take.rack.mesh(self.edition.shape), plain((38, 34, 32), 0.35))]


def the_set_up() -> SetUp:
    """The evening's own: classic numerals, warm wood, daylight and a lamp."""
    edition = any_edition(np.random.default_rng(_EDITION))
    joker = joker_ink("smile", np.random.default_rng(_JOKER))
    edition = replace(edition, inks=(*edition.inks[:3], _ORANGE), joker=joker)
    room = np.roll(any_room(np.random.default_rng(_ROOM)), _FROM_THE_LEFT, axis=1)
    ground = ground_of("wood", np.random.default_rng(_WOOD), PIXELS / _REPEATS_OVER * DIE)
    return SetUp(edition, room, ground)


def take_picture(take: Take, set_up: SetUp, studio: Tracing, seed: int) -> Image:
    """Take one picture, blue-green-red; `seed` is that of its light paths and its noise."""
    stage = set_up.stage(take)
    scene = Scenery(stage.lens, stage.room, stage.body, samples=take.samples, painted=True)
    shot = studio.trace(scene, seed)
    light = shot.light if shot.paint is None else denoise(shot.light, shot.paint)
    return expose(light, _EXPOSURE, np.random.default_rng(seed))
