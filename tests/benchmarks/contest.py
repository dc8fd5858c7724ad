"""Three dice readers and their costs: ours, a network of YOLOv8n's shape, a blob detector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

import cv2
import numpy as np

from tests.benchmarks.blobs import BlobRecogniser
from tests.benchmarks.bytes_only import in_bytes
from tests.benchmarks.composing import Composed, crowd
from tests.benchmarks.plots import Curve
from tests.benchmarks.timing import Times, spread, take_turns, together
from tests.benchmarks.yolo_shape import build, load_yolo_shape, prepared
from vision.capture.frame import Frame, Image
from vision.read.dice import DiceRecogniser
from vision.read.observation import Recogniser

OURS: Final = "Tablescore's dice reader"
COUNTED: Final = "the same, told that five dice lie there"
YOLO: Final = "YOLOv8n's shape, 640 px"
YOLO_IN_BYTES: Final = "the same, quantised to bytes"
PREPARING: Final = "of which preparing the picture"
BLOBS: Final = "blobs and clustering"
SIZES: Final = (
    (640, 480),
    (1280, 960),
    (2048, 1536),
    (3264, 2448),
    (4032, 3024),
    (5656, 4242),
    (8164, 6123),
)
COUNTS: Final = (1, 2, 5, 10, 15, 20, 30, 40)

Contestants = Mapping[str, Callable[[Image], object]]


def contestants() -> Contestants:
    """All three, ready to run; each takes a decoded picture and prepares it itself."""
    return {
        OURS: partial(_observed, DiceRecogniser()),
        YOLO: load_yolo_shape(build()[0]),
        BLOBS: partial(_observed, BlobRecogniser()),
    }


def more_contestants(example: Image) -> Contestants:
    """Further rows for comparison, which are in no plot; five dice lie on the pictures."""
    smaller = in_bytes(build()[0], [prepared(example)])
    return {
        COUNTED: partial(_observed, DiceRecogniser(), expected=5),
        PREPARING: prepared,
        YOLO_IN_BYTES: load_yolo_shape(smaller),
    }


def _observed(recogniser: Recogniser, image: Image, *, expected: int | None = None) -> object:
    return recogniser(_frame(image), expected)


def _frame(image: Image) -> Frame:
    return Frame(0, datetime.now(UTC), image)


def exact(recogniser: Recogniser, photos: Sequence[Composed]) -> int:
    """The number of photos read exactly."""
    read = (recogniser(_frame(photo.image)).roll.faces for photo in photos)
    return sum(faces == photo.values for faces, photo in zip(read, photos, strict=True))


def race(rivals: Contestants, images: Sequence[Image], repeats: int) -> dict[str, Times]:
    """Time all contestants on all pictures, in turn."""
    return together([take_turns(_on(rivals, image), repeats) for image in images])


def _on(rivals: Contestants, image: Image) -> dict[str, Callable[[], object]]:
    return {name: partial(read, image) for name, read in rivals.items()}


def by_megapixels(rivals: Contestants, scene: Image, repeats: int) -> list[Curve]:
    """The cost of one scene at camera sizes, without decoding."""
    measured = []
    for size in SIZES:
        image = np.asarray(cv2.resize(scene, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        measured.append(race(rivals, [image], repeats))
    return curves([width * height / 1e6 for width, height in SIZES], measured)


def by_dice(rivals: Contestants, repeats: int) -> list[Curve]:
    """The cost of a 1280x960 photo by the number of dice on it."""
    measured = [race(rivals, [crowd(count).image], repeats) for count in COUNTS]
    return curves([float(count) for count in COUNTS], measured)


def curves(across: Sequence[float], measured: Sequence[Mapping[str, Times]]) -> list[Curve]:
    """A curve for each contestant through its measurements."""
    return [
        Curve(name, tuple(across), tuple(spread(times[name].cpu) for times in measured))
        for name in measured[0]
    ]
