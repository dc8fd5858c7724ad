"""Tables of editions that no training sees: extra-large, mini and wooden tiles, and Okey.

They measure what the tile reader makes of a stranger's box: three-step racks seen aslant, also
from near and from the side, moulded numerals, small tiles, wood, Okey's hearts and false jokers.
A seed and a number alone decide what is in a photograph.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from vision.evaluate.labels import LABELS
from vision.train.rendering.camera import Exposure, any_exposure, encode, expose
from vision.train.rendering.chance import Random, between
from vision.train.rendering.studio import Studio
from vision.train.rendering.tiles.edition import JOKER, Edition, Printed
from vision.train.rendering.tiles.editions import EDITIONS, grotesque_xl
from vision.train.rendering.tiles.layouts import MANNERS, Laid, TableSpace, rack_aside
from vision.train.rendering.tiles.stage import (
    TileStage,
    in_colour,
    label_picture,
    scenery,
    staged,
)
from vision.train.rendering.training_photos import Photograph, Take, take_all

SEED: Final = 25
_COPIES: Final = 2
_KIND: Final = 11  # keeps these seeds apart from those of other kinds of pictures
Lay = Callable[[TableSpace, Random], Laid]


@dataclass(frozen=True, slots=True)
class HeldBack:
    """How an edition's tiles come to lie, and a tile's width for the picture's longer side.

    A photograph's layout is the one at its number in `layouts`.
    """

    layouts: tuple[tuple[str, Lay], ...]
    share: tuple[float, float]
    edition: Callable[[Random], Edition]
    photographs: int = 12


_ROWS, _SCATTERED, _STREWN, _RACK, _STEPS = (
    (name, MANNERS[name][1])
    for name in ("rows", "scattered", "strewn", "rack", "rack of three steps")
)
_LOOSE: Final = (_ROWS, _SCATTERED, _STREWN, _RACK)


def _full_rack(table: TableSpace, random: Random) -> Laid:
    return rack_aside(replace(table, count=45), random)


HELD_BACK: Final[Mapping[str, HeldBack]] = {
    "xl": HeldBack((_STEPS, _STEPS, _ROWS), (0.045, 0.075), EDITIONS["xl"]),
    "mini": HeldBack(_LOOSE, (0.024, 0.04), EDITIONS["mini"]),
    "wooden": HeldBack(_LOOSE, (0.035, 0.07), EDITIONS["wooden"]),
    "okey": HeldBack((_ROWS, _STREWN, _RACK), (0.04, 0.08), EDITIONS["okey"]),
    "near": HeldBack((("rack", _full_rack),), (0.1, 0.185), grotesque_xl, photographs=36),
}


def held_back_stage(name: str, number: int, random: Random) -> TileStage:
    """The stage of a held-back edition of that number.

    Raises:
        KeyError: there is no such edition.
    """
    kind = HELD_BACK[name]
    edition = kind.edition(random)
    manner, lay = kind.layouts[number % len(kind.layouts)]
    count = int(random.integers(14, 40))

    def of_one_box(table: TableSpace, random: Random) -> Laid:
        """What a box holds: two of each tile, and two jokers."""
        tiles, racks = lay(table, random)
        dealt: Counter[Printed] = Counter()
        kept = []
        for tile in tiles:
            printed = tile.printed
            same = Printed(JOKER, 0) if printed.kind == JOKER else printed
            dealt[same] += 1
            if dealt[same] <= _COPIES:
                kept.append(tile)
        return kept, racks

    return staged(random, edition, manner, of_one_box, count, between(random, *kind.share))


def take_held_back(name: str, seed: int, number: int, studio: Studio) -> Photograph:
    """The photograph of that edition and number, taken with a steady hand in fair light."""
    random = np.random.default_rng((_KIND, [*HELD_BACK].index(name), seed, number))
    stage = held_back_stage(name, number, random)
    how = _fair(in_colour(any_exposure(random)))
    shot = studio.trace(scenery(stage), number)
    image = expose(shot.without_grain(), how, random)
    labels = label_picture(stage, shot.seen, image, f"{number:05}.jpg", by_ink=True)
    return Photograph(encode(image, how), labels | {"scene": name, "split": "dev"})


def _fair(how: Exposure) -> Exposure:
    return replace(
        how,
        stops=float(np.clip(how.stops, -0.8, 0.6)),
        motion_px=0.0,
        defocus_px=min(how.defocus_px, 0.7),
        jpeg_quality=max(how.jpeg_quality, 70),
    )


def take_all_held_back(folder: Path, workers: int) -> Iterator[str]:
    """Take what is missing of every edition, and write labels of its folder; yields what is done.

    `folder`/<edition>/ is then a source that `vision.evaluate.labels` reads.
    """
    for name, kind in HELD_BACK.items():
        images = folder / name / "images"
        take: Take = partial(take_held_back, name)
        for number in take_all(images, SEED, range(kind.photographs), workers, take):
            yield f"{name} {number}"
        lines = [
            json.dumps(json.loads(path.read_text(encoding="utf-8")))
            for path in sorted(images.glob("*.json"))
        ]
        (folder / name / LABELS).write_text("\n".join(lines) + "\n", encoding="utf-8")
