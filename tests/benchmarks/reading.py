"""The cost of reading a photo, compared with a general detector and a hobbyist's blobs.

`python -m tests.benchmarks.reading --quick` tries it in a minute and writes nothing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np

from tests.benchmarks.accuracy import accuracies
from tests.benchmarks.blobs import BlobRecogniser
from tests.benchmarks.bytes_only import is_in_bytes
from tests.benchmarks.composing import Composed, five_dice
from tests.benchmarks.contest import (
    BLOBS,
    OURS,
    SIZES,
    by_dice,
    by_megapixels,
    contestants,
    exact,
    more_contestants,
    race,
)
from tests.benchmarks.machine import moment
from tests.benchmarks.multiply_adds import of_readings
from tests.benchmarks.peak import peak_megabytes
from tests.benchmarks.reading_page import Figures, draw_plots, write_page
from tests.benchmarks.stages import StagedReader, Stages
from tests.benchmarks.yolo_shape import build
from vision.capture.frame import Image
from vision.capture.photo import encode_jpeg
from vision.read.dice import DiceRecogniser
from vision.read.observation import Recogniser

MODELS: Final = Path(__file__).parents[2] / "models" / "dice"
_QUALITY: Final = 92


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    photos: int = 12
    repeats: int = 20
    repeats_a_point: int = 11
    every_photograph: int = 1


QUICK: Final = Effort(photos=3, repeats=4, repeats_a_point=3, every_photograph=12)


def measure_reading() -> bool:
    """Measure, write the page and its plots, and return whether the promises were kept."""
    figures = measure(Effort())
    draw_plots(figures)
    click.echo(write_page(figures))
    return figures.kept


def measure(effort: Effort) -> Figures:
    """Measure everything on one thread, with all contestants in the same run."""
    cv2.setNumThreads(1)
    before, photos = moment(), five_dice(effort.photos)
    rivals, readers = contestants(), _readers()
    images = [photo.image for photo in photos]
    models = [file.read_bytes() for file in MODELS.glob("*.onnx")]
    _, graph = build()
    return Figures(
        times=race({**rivals, **more_contestants(images[0])}, images, effort.repeats),
        stages=_stages(images, effort.repeats),
        multiply_adds=_multiply_adds(images),
        photos=len(photos),
        exact={name: exact(reader, photos) for name, reader in readers.items()},
        by_megapixels=by_megapixels(rivals, images[0], effort.repeats_a_point),
        by_dice=by_dice(rivals, effort.repeats_a_point),
        reads=accuracies(readers, effort.every_photograph),
        peak=_peak(photos[0]),
        peak_large=_peak(_enlarged(photos[0])),
        models=sum(len(content) for content in models) / 1e6,
        in_bytes=any(is_in_bytes(content) for content in models),
        parameters=graph.parameters,
        operations=graph.operations,
        moments=(before, moment()),
    )


def _readers() -> dict[str, Recogniser]:
    return {OURS: DiceRecogniser(), BLOBS: BlobRecogniser()}


def _stages(images: Sequence[Image], repeats: int) -> list[Stages]:
    reader = StagedReader()
    for image in images:
        reader(image)
    return [reader(image) for _ in range(repeats) for image in images]


def _multiply_adds(images: Sequence[Image]) -> tuple[float, float]:
    """Those of a reading without the number of dice, and with it."""
    reader = StagedReader()

    def content(file: str) -> bytes:
        return (MODELS / file).read_bytes()

    plain, counted = (
        of_readings([reader(image, each) for image in images], content) for each in (None, 5)
    )
    return plain, counted


def _enlarged(photo: Composed) -> Composed:
    """The same scene with as many pixels as a photo may have."""
    image = cv2.resize(photo.image, SIZES[-1], interpolation=cv2.INTER_CUBIC)
    return Composed(np.asarray(image, np.uint8), photo.values)


def _peak(photo: Composed) -> float:
    """The peak memory of `tablescore read` for that photo as a JPEG, in megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "photo.jpg"
        file.write_bytes(encode_jpeg(photo.image, _QUALITY))
        return peak_megabytes("read", str(file))


@click.command()
@click.option("--quick", is_flag=True, help="A minute's try: print the page, write nothing.")
def main(*, quick: bool) -> None:
    """Measure what reading a photo costs, and write the page."""
    if quick:
        click.echo(measure(QUICK).page())
        return
    measure_reading()


if __name__ == "__main__":
    main()
