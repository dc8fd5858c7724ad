"""The cost of reading a photo of tiles, compared with a general detector.

`python -m tests.benchmarks.tiles --quick` tries it in a minute and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click
import cv2

from tests.benchmarks.accuracy import TILE_PHOTOGRAPHS, accuracies
from tests.benchmarks.bytes_only import in_bytes, is_in_bytes
from tests.benchmarks.contest import Contestants, curves, race
from tests.benchmarks.machine import moment
from tests.benchmarks.plots import Curve
from tests.benchmarks.stages import Stages
from tests.benchmarks.tiles_page import (
    COUNTS,
    OURS,
    PREPARING,
    TILES,
    YOLO,
    YOLO_IN_BYTES,
    TileFigures,
    draw_plot,
    write_page,
)
from tests.benchmarks.tiles_picture import TilesPicture, tiles_picture
from tests.benchmarks.tiles_stages import StagedTiles
from tests.benchmarks.yolo_shape import build, load_yolo_shape, prepared
from vision.capture.frame import Frame, Image
from vision.read.observation import Observation, Recogniser
from vision.read.tiles import TilesRecogniser

MODELS: Final = Path(__file__).parents[2] / "models" / "tiles"
SIDE: Final = 1280


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    photos: int = 4
    repeats: int = 12
    repeats_a_point: int = 9
    every_photograph: int = 1


QUICK: Final = Effort(photos=2, repeats=3, repeats_a_point=3, every_photograph=9)


def measure_tiles() -> bool:
    """Measure, write the page and its plot, and return whether the promises were kept."""
    figures = measure(Effort())
    draw_plot(figures)
    click.echo(write_page(figures))
    return figures.kept


def measure(effort: Effort) -> TileFigures:
    """Measure everything on one thread, with both contestants in the same run."""
    cv2.setNumThreads(1)
    before = moment()
    photos = [tiles_picture(TILES, seed) for seed in range(effort.photos)]
    images = [photo.image for photo in photos]
    reader, (content, graph) = TilesRecogniser(), build(SIDE)
    rivals = _contestants(reader, content)
    models = {file.name: file.read_bytes() for file in sorted(MODELS.glob("*.onnx"))}
    return TileFigures(
        times=race({**rivals, **_more_contestants(content, images[0])}, images, effort.repeats),
        stages=_stages(images, effort.repeats),
        right=sum(_right(reader, photo) for photo in photos),
        laid=TILES * len(photos),
        by_tiles=_by_tiles(rivals, effort.repeats_a_point),
        reads=accuracies({OURS: reader}, effort.every_photograph, TILE_PHOTOGRAPHS),
        models={name: len(model) / 1e6 for name, model in models.items()},
        in_bytes=any(is_in_bytes(model) for model in models.values()),
        operations=graph.operations,
        moments=(before, moment()),
    )


def _contestants(reader: Recogniser, content: bytes) -> Contestants:
    """Both, ready to run; each takes a decoded picture and prepares it itself."""
    return {OURS: partial(_observed, reader), YOLO: load_yolo_shape(content, SIDE)}


def _more_contestants(content: bytes, example: Image) -> Contestants:
    """Further rows for comparison, which are in no plot."""
    smaller = in_bytes(content, [prepared(example, SIDE)])
    preparing = partial(prepared, side=SIDE)
    return {PREPARING: preparing, YOLO_IN_BYTES: load_yolo_shape(smaller, SIDE)}


def _observed(reader: Recogniser, image: Image) -> Observation:
    return reader(Frame(0, datetime.now(UTC), image))


def _right(reader: Recogniser, photo: TilesPicture) -> int:
    """The number of the picture's tiles that were read right, each counted once."""
    read = Counter(_observed(reader, photo.image).labels)
    return (read & Counter(photo.pieces)).total()


def _stages(images: Sequence[Image], repeats: int) -> list[Stages]:
    reader = StagedTiles()
    for image in images:
        reader(image)
    return [reader(image)[0] for _ in range(repeats) for image in images]


def _by_tiles(rivals: Contestants, repeats: int) -> list[Curve]:
    """The cost by the number of tiles on the picture."""
    measured = [race(rivals, [tiles_picture(count, 0).image], repeats) for count in COUNTS]
    return curves([float(count) for count in COUNTS], measured)


@click.command()
@click.option("--quick", is_flag=True, help="A minute's try: print the page, write nothing.")
def main(*, quick: bool) -> None:
    """Measure what reading a photo of tiles costs, and write the page."""
    if quick:
        click.echo(measure(QUICK).page())
        return
    measure_tiles()


if __name__ == "__main__":
    main()
