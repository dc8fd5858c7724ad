"""The cost of reading a photo, beside a network of YOLOv8n's shape, and of watching a table."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

import cv2
import numpy as np

from tests.benchmarks.composing import five_dice
from tests.benchmarks.harness import (
    Line,
    Times,
    Work,
    at_least,
    at_most,
    clocked,
    ratios,
    spread,
    take_turns,
)
from tests.benchmarks.tiles_picture import tiles_picture
from tests.benchmarks.watching import (
    FRAMES_A_SECOND,
    GREY,
    MOVING,
    STILL,
    WatchingCost,
    stages_of,
)
from tests.benchmarks.yolo_shape import load_yolo_shape
from vision.capture.frame import Frame, Image
from vision.capture.photo import encode_jpeg, open_to_read
from vision.evaluate.labels import LABELS, read_sources
from vision.evaluate.scoring import ScoredSource, score_photos
from vision.read.dice import DiceRecogniser
from vision.read.observation import Observation, Recogniser
from vision.read.tiles import TilesRecogniser

ROOT: Final = Path(__file__).parents[2]
PHOTOGRAPHS: Final = ROOT.parent / "shared" / "data"
LARGEST: Final = (8164, 6123)  # as many pixels as a photo may have
PEAK: Final = """
import re, sys
from pathlib import Path
from web.__main__ import tablescore
tablescore(["read", sys.argv[1]], standalone_mode=False)
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def dice() -> Iterator[Line]:
    """Our reader, told the number and not, beside the yardstick; memory and size; photographs."""
    cv2.setNumThreads(1)
    reader, photos = DiceRecogniser(), five_dice(12)
    yolo = load_yolo_shape()
    times = _race(
        {
            "our reader": partial(_read, reader),
            "our reader, told that five dice lie there": partial(_read, reader, expected=5),
            "YOLOv8n's shape, 640 px": yolo,
        },
        [photo.image for photo in photos],
        repeats=20,
    )
    ours, counted, theirs = times.values()
    yield at_most("our reader, median", 30, spread(ours.cpu).median)
    for name, took in times.items():
        yield Line(f"{name}, CPU ms", str(spread(took.cpu)))
    yield at_least("told five dice: times as fast", 8, ratios(theirs, counted).median)
    exact = sum(_read(reader, photo.image).roll.faces == photo.values for photo in photos)
    yield Line("read exactly", f"{exact} of {len(photos)}")
    large = cv2.resize(photos[0].image, LARGEST, interpolation=cv2.INTER_CUBIC)
    yield at_most("peak memory of `tablescore read`", 300, _peak(photos[0].image), "MB", 0)
    peak = _peak(np.asarray(large, np.uint8))
    yield at_most("the same for 50 megapixels", 600, peak, "MB", 0)
    yield at_most("all dice models", 2, _megabytes("dice"), "MB", 2)
    yield from _accuracy("dice", reader)


def tiles() -> Iterator[Line]:
    """The same for tiles."""
    cv2.setNumThreads(1)
    reader = TilesRecogniser()
    photos = [tiles_picture(60, seed) for seed in range(4)]
    yolo = load_yolo_shape(1280)
    ours, theirs = _race(
        {"our reader": partial(_read, reader), "YOLOv8n's shape, 1280 px": yolo},
        [photo.image for photo in photos],
        repeats=12,
    ).values()
    yield at_most("60 tiles, median", 100, spread(ours.cpu).median)
    yield Line("60 tiles, CPU ms", str(spread(ours.cpu)))
    yield Line("YOLOv8n's shape, 1280 px, CPU ms", str(spread(theirs.cpu)))
    yield at_least("times as fast", 5, ratios(theirs, ours).median)
    some = [clocked(partial(_read, reader, tiles_picture(28, 0).image))[0] for _ in range(9)]
    yield at_most("28 tiles, median", 60, median(some))
    right = sum(
        (Counter(_read(reader, photo.image).labels) & Counter(photo.pieces)).total()
        for photo in photos
    )
    yield Line("of an edition that nobody sells, read right", f"{right} of {60 * len(photos)}")
    yield at_most("all tile models", 3, _megabytes("tiles"), "MB", 2)
    yield from _accuracy("tiles", reader)


def watching() -> Iterator[Line]:
    """Each stage, and what a second of rest and a frame that is read add up to."""
    cv2.setNumThreads(1)
    times = take_turns(stages_of(five_dice(1)[0].image), repeats=40)
    cost = WatchingCost({name: spread(took.cpu) for name, took in times.items()})
    for name, took in cost.stages.items():
        yield Line(name, str(took))
    still, moving = (
        cost.stages[GREY].median + cost.stages[each].median for each in (STILL, MOVING)
    )
    yield at_most("small grey frame and stillness, at rest", 2, still, digits=2)
    yield at_most("small grey frame and stillness, in motion", 2, moving, digits=2)
    yield Line("a second at rest", f"{cost.second_at_rest:.1f} ms")
    yield at_most("a second of a stream at rest, decoding included", 30, cost.second_of_a_stream)
    frame = 1000 / FRAMES_A_SECOND
    yield at_most("a frame that is read and proposed", frame, cost.read_frame)


def _race(
    rivals: Mapping[str, Callable[[Image], object]], images: Sequence[Image], repeats: int
) -> dict[str, Times]:
    """Time all on all pictures, in turn, and join the times of all pictures."""

    def on(image: Image) -> dict[str, Work]:
        return {name: partial(read, image) for name, read in rivals.items()}

    many = [take_turns(on(image), repeats) for image in images]
    return {
        name: Times(
            tuple(cpu for times in many for cpu in times[name].cpu),
            tuple(wall for times in many for wall in times[name].wall),
        )
        for name in rivals
    }


def _read(reader: Recogniser, image: Image, expected: int | None = None) -> Observation:
    return reader(Frame(0, datetime.now(UTC), image), expected)


def _megabytes(pieces: str) -> float:
    return sum(file.stat().st_size for file in (ROOT / "models" / pieces).glob("*.onnx")) / 1e6


def _peak(image: Image) -> float:
    """The peak memory of `tablescore read` in its own process, in millions of bytes.

    The kernel's figure for a child (`ru_maxrss`) won't do: it begins with the parent's memory.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "photo.jpg"
        file.write_bytes(encode_jpeg(image, 92))
        command = [sys.executable, "-c", PEAK, str(file)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) * 1024 / 1e6


def _accuracy(pieces: str, reader: Recogniser) -> Iterator[Line]:
    """The dev photographs of sources that have train ones too, where the photographs are there."""
    for labels in sorted((PHOTOGRAPHS / pieces).glob(f"*/{LABELS}")):
        for source in read_sources(labels.parent):
            if {"train", "dev"} <= {each.split for each in source.photographs}:
                scores = score_photos(source, "dev", reader, open_to_read, clock=process_time)
                row = ScoredSource(source.name, tuple(scores)).row
                told = f"{row.right:.1%} right, {row.exact:.1%} of photos exact"
                took = f"median {row.median_milliseconds:.0f} CPU ms"
                yield Line(f"{row.photos} dev photographs of {row.source}", f"{told}, {took}")
