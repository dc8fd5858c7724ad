"""Tables of editions that no training sees: extra-large, mini and wooden tiles, and Okey.

They measure what the tile reader makes of a stranger's box: three-step racks seen aslant, moulded
numerals, small tiles, wood, Okey's hearts and false jokers. A seed and a number alone decide what
is in a photograph.
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
from vision.train.rendering.chance import Random, between, pick
from vision.train.rendering.slab import Slab
from vision.train.rendering.studio import Studio
from vision.train.rendering.tiles.edition import (
    JOKER,
    MOULDED,
    Edition,
    Printed,
    Tint,
    any_edition,
    any_shape,
    faces,
    joker_ink,
)
from vision.train.rendering.tiles.layouts import MANNERS, Laid, TableSpace, rack_before
from vision.train.rendering.tiles.stage import (
    TileStage,
    in_colour,
    label_picture,
    scenery,
    staged,
)
from vision.train.rendering.tiles.tile_poses import Rack
from vision.train.rendering.training_photos import Photograph, Take, take_all

SEED: Final = 25
PHOTOGRAPHS: Final = 12  # of each edition
_COPIES: Final = 2
_KIND: Final = 11  # keeps these seeds apart from those of other kinds of pictures
_WOODS: Final[tuple[Tint, ...]] = (
    (0.86, 0.73, 0.54), (0.80, 0.64, 0.44), (0.90, 0.79, 0.62), (0.74, 0.56, 0.37),
)  # fmt: skip
_OKEY_YELLOWS: Final[tuple[Tint, ...]] = ((0.98, 0.72, 0.16), (0.97, 0.62, 0.10), (0.95, 0.68, 0.2))


def _xl(random: Random) -> Edition:
    """Heavy moulded numerals over most of the tile: closed 4, flagged 1, small eyes."""
    return replace(
        any_edition(random),
        face=MOULDED,
        bold=int(random.integers(0, 4)),
        digit=between(random, 0.5, 0.6),
        digit_top=between(random, 0.08, 0.11),
        digit_bottom=between(random, 0.60, 0.66),
        dish=0.0,
        engraved=between(random, 0.004, 0.016),
        joker=joker_ink("smile", random),
        joker_width=between(random, 0.75, 0.88),
    )


def _mini(random: Random) -> Edition:
    """A travel set: thick for its size, plain, its numerals large for the tile."""
    top = between(random, 0.12, 0.17)
    return replace(
        any_edition(random),
        shape=replace(
            any_shape(random),
            length=between(random, 1.28, 1.42),
            thickness=between(random, 0.3, 0.5),
        ),
        digit=between(random, 0.34, 0.42),
        digit_top=top,
        digit_bottom=top + between(random, 0.36, 0.42),
        dish=0.0,
        word="",
    )


def _wooden(random: Random) -> Edition:
    """Wood with its grain, matt, burnt or printed numerals."""
    wood = pick(random, [(1.0, each) for each in _WOODS])
    edition = any_edition(random)
    return replace(
        edition,
        shape=Slab(1.0, between(random, 1.38, 1.5), between(random, 0.3, 0.5), 0.03, 0.05),
        plastic=wood,
        backs=wood,
        roughness=between(random, 0.5, 0.8),
        grain=between(random, 0.06, 0.16),
        dish=0.0,
        word="",
        engraved=between(random, 0.005, 0.02),
        face=pick(random, faces()),
    )


def _okey(random: Random) -> Edition:
    """A number in the upper half, a dish with a heart below it; the false joker has a sign."""
    edition = any_edition(random)
    top = between(random, 0.08, 0.14)
    black, red, blue, _ = edition.inks
    return replace(
        edition,
        inks=(black, red, blue, pick(random, [(1.0, each) for each in _OKEY_YELLOWS])),
        digit=between(random, 0.32, 0.42),
        digit_top=top,
        digit_bottom=top + between(random, 0.36, 0.42),
        dish=0.0,
        word="",
        heart=between(random, 0.2, 0.3),
        joker=joker_ink(pick(random, ((0.5, "star"), (0.3, "sun"), (0.2, "cards"))), random),
        joker_width=between(random, 0.55, 0.75),
    )


def _three_steps(table: TableSpace, random: Random) -> Laid:
    """A rack of three steps, each row covering 20 to 40 % of the one behind."""
    rise = between(random, 0.66, 0.84)

    def stepped(rack: Rack) -> Rack:
        return replace(rack, tiers=3, rise=rise)

    return rack_before(replace(table, count=max(table.count, 24)), random, stepped)


Lay = Callable[[TableSpace, Random], Laid]


@dataclass(frozen=True, slots=True)
class HeldBackEdition:
    """How a set looks, how its tiles come to lie, and a tile's width for the picture's longer side.

    A photograph's layout is the one at its number in `layouts`.
    """

    edition: Callable[[Random], Edition]
    layouts: tuple[tuple[str, Lay], ...]
    share: tuple[float, float]


_ROWS, _SCATTERED, _STREWN, _RACK = (
    (name, MANNERS[name][1]) for name in ("rows", "scattered", "strewn", "rack")
)
_STEPS: Final[tuple[str, Lay]] = ("rack of three steps", _three_steps)
HELD_BACK: Final[Mapping[str, HeldBackEdition]] = {
    "xl": HeldBackEdition(_xl, (_STEPS, _STEPS, _ROWS), (0.045, 0.075)),
    "mini": HeldBackEdition(_mini, (_ROWS, _SCATTERED, _STREWN, _RACK), (0.024, 0.04)),
    "wooden": HeldBackEdition(_wooden, (_ROWS, _SCATTERED, _STREWN, _RACK), (0.035, 0.07)),
    "okey": HeldBackEdition(_okey, (_ROWS, _STREWN, _RACK), (0.04, 0.08)),
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
    for name in HELD_BACK:
        images = folder / name / "images"
        take: Take = partial(take_held_back, name)
        for number in take_all(images, SEED, range(PHOTOGRAPHS), workers, take):
            yield f"{name} {number}"
        lines = [
            json.dumps(json.loads(path.read_text(encoding="utf-8")))
            for path in sorted(images.glob("*.json"))
        ]
        (folder / name / LABELS).write_text("\n".join(lines) + "\n", encoding="utf-8")
